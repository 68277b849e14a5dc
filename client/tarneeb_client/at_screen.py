"""Desks on the terminal: a link's table, a recorded set, the choice of a server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from tarneeb_client.console import INTERRUPTED, write_text
from tarneeb_client.conversation import Conversation
from tarneeb_client.full_screen import Screen, Shown
from tarneeb_client.lessons import Coach
from tarneeb_client.link import Link
from tarneeb_client.look import Look
from tarneeb_client.narrator import link_line
from tarneeb_client.presenters import PlainPresenter
from tarneeb_client.screens.desk import Desk
from tarneeb_client.session_keeper import SessionKeeper

EXIT_TROUBLE = 1


class AtTable:
    """A link's server on the screen. ``talk`` is the conversation, which goes on in lines after the screen:
    ``tell`` gets each of them.
    """

    def __init__(
        self,
        link: Link,
        look: Look,
        *,
        coach: Coach | None = None,
        tell: Callable[[str], None] = write_text,
    ) -> None:
        self._link = link
        self._tell = tell
        self._desk = Desk(
            link,
            server_name=link.welcome.server_name,
            own_name=link.welcome.name,
            habits=look.habits,
            ring=self._ring,
            coach=coach,
        )
        self._screen = Screen(self._desk, look.styles, has_mouse=look.has_mouse)

    @property
    def talk(self) -> Conversation:
        """What the player and the server say to each other."""
        return self._desk.talk

    async def run(self, begin: Callable[[Conversation], None], keeper: SessionKeeper | None = None) -> int:
        """Show it until the player leaves or the link ends; ``begin`` starts off. The exit status: 1 when the
        link ended, 130 after Ctrl-C.
        """
        talk = self.talk
        if keeper is not None:
            talk.returns(self._link.welcome, keeper.resumed, keeper.given_up, keeper.elsewhere)
        # The list of tables comes after the snapshot of a table that the player is still at.
        self._desk.is_starting = True
        talk.list_tables(lambda _tables: begin(talk))
        try:
            await self._screen.run(partial(self._follow, keeper))
        finally:
            talk.presenter = PlainPresenter(self._tell)
        if talk.ended is not None:
            talk.presenter.say(link_line(talk.ended, talk.view))
            return EXIT_TROUBLE
        return INTERRUPTED if self._desk.was_interrupted else 0

    def warn(self, sentence: str) -> None:
        """Show a sentence about trouble of this machine, where it breaks no screen."""
        self._desk.note(sentence)
        self._screen.changed()

    def tell(self, text: str) -> None:
        """Show what the player must read: it stays until a key, and in the log."""
        self._desk.tell(text)
        self._screen.changed()

    def _ring(self) -> None:
        self._screen.ring()

    async def _follow(self, keeper: SessionKeeper | None) -> None:
        async for item in self._link:
            self._desk.received(item, self._screen.now())
            self._screen.changed()
            if keeper is not None:
                await keeper.note_place(self.talk.view)
        self._desk.is_over = True
        self._screen.changed()


async def show(desk: Shown, look: Look, *beside: Callable[[Screen], Awaitable[None]]) -> None:
    """Show a desk that needs no link, until it is over."""
    screen = Screen(desk, look.styles, has_mouse=look.has_mouse)

    async def run(task: Callable[[Screen], Awaitable[None]]) -> None:
        await task(screen)

    await screen.run(*(partial(run, task) for task in beside))
