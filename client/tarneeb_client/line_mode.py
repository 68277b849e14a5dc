"""The line mode: a conversation between the console and a link."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from tarneeb_client.console import Lines
from tarneeb_client.conversation import Conversation
from tarneeb_client.language import plural
from tarneeb_client.link import Link
from tarneeb_client.runner import CommandRunner
from tarneeb_client.state import TableView

STATUS_SECONDS = 1.0
"""How often the status line is drawn anew while something runs out."""


async def converse(
    link: Link,
    conversation: Conversation,
    lines: Lines,
    *,
    accepts_json: bool = False,
    in_order: bool = True,
    note_place: Callable[[TableView | None], Awaitable[None]] | None = None,
) -> None:
    """Carry out lines and show what the link says until either ends or the player quits. ``note_place`` is told
    where the player is after each item.

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
                if note_place is not None:
                    await note_place(conversation.view)
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
            if not lines.status:
                if not conversation.is_over and in_order:
                    await settled()
                conversation.quit()
            tasks.cancel_scope.cancel()

        async def keep_time() -> None:
            while True:
                conversation.has_status = lines.shows_status
                status = conversation.status() if lines.shows_status else None
                lines.show_status(status)
                wait = conversation.seat_clock.seconds_to_notice()
                with anyio.move_on_after(wait if status is None else min(wait, STATUS_SECONDS)):
                    await news.wait()
                conversation.time_passed()

        tasks.start_soon(take_items)
        tasks.start_soon(take_lines)
        tasks.start_soon(keep_time)


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
    """Greet: where one is connected, as whom, and how many tables there are; then go on.

    Whoever is back at a table is told that instead, when its snapshot comes, which is before the answer here.
    """

    def greet(tables: tuple[object, ...]) -> None:
        if conversation.view is not None:
            then()
            return
        greeting = plural(
            "Connected to {server} as {name}. {number} table. Type help.",
            "Connected to {server} as {name}. {number} tables. Type help.",
            len(tables),
        )
        conversation.presenter.say(greeting.format(server=server_name, name=own_name, number=len(tables)))
        then()

    conversation.list_tables(greet)
