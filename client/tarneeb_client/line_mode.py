"""The line mode: a conversation between the console and a link."""

from __future__ import annotations

from collections.abc import Callable

import anyio
from anyio.abc import ObjectReceiveStream

from tarneeb_client.conversation import Conversation
from tarneeb_client.link import Link
from tarneeb_client.runner import CommandRunner


async def converse(
    link: Link,
    conversation: Conversation,
    lines: ObjectReceiveStream[str],
    *,
    accepts_json: bool = False,
    in_order: bool = True,
) -> None:
    """Carry out lines and show what the link says until either ends or the player quits.

    ``in_order``: each line waits until the one before is answered, as a script expects; a person at a terminal
    must be able to quit while an answer is overdue.
    """
    runner = CommandRunner(conversation, accepts_json=accepts_json)
    news = _News()

    async with anyio.create_task_group() as tasks:

        async def take_items() -> None:
            async for item in link:
                conversation.received(item)
                news.tell()
                if conversation.is_over:
                    break
            tasks.cancel_scope.cancel()

        async def settled() -> None:
            while conversation.waits:
                await news.wait()

        async def take_lines() -> None:
            await settled()
            async for line in lines:
                runner.typed(line)
                if conversation.is_over:
                    break
                if in_order:
                    await settled()
            if not conversation.is_over:
                await settled()
            tasks.cancel_scope.cancel()

        tasks.start_soon(take_items)
        tasks.start_soon(take_lines)


class _News:
    """Wakes whoever waits, each time something came."""

    def __init__(self) -> None:
        self._event = anyio.Event()

    def tell(self) -> None:
        self._event.set()
        self._event = anyio.Event()

    async def wait(self) -> None:
        await self._event.wait()


def start_at(conversation: Conversation, server_name: str, own_name: str, then: Callable[[], None]) -> None:
    """Greet: where one is connected, as whom, and how many tables there are; then go on."""

    def greet(tables: tuple[object, ...]) -> None:
        count = f"{len(tables)} table{'' if len(tables) == 1 else 's'}"
        conversation.presenter.say(f"Connected to {server_name} as {own_name}. {count}. Type help.")
        then()

    conversation.list_tables(greet)
