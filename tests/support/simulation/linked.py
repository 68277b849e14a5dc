"""Our own link and fold as a client of the simulated server: what they hold is what a snapshot says, always."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
import trio
from anyio.abc import ByteStream

from support.fold import comparable
from support.simulation.guest import CALM_THOUGHT, RACES, SHORTEST_THOUGHT
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkFailed, LinkItem, LinkLost
from tarneeb_client.state import TableView, advance
from tarneeb_protocol import messages as m

if TYPE_CHECKING:
    import random

    from support.simulation.calling import Habits
    from support.simulation.judge import Judge
    from support.simulation.network import ClientEnd


class LinkStream(ByteStream):
    """A client's end of a cable, for a link."""

    def __init__(self, end: ClientEnd) -> None:
        self._end = end

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """See ``ByteStream``."""
        await trio.lowlevel.checkpoint()
        while True:
            if self._end.is_closed:
                raise anyio.ClosedResourceError
            try:
                chunk = self._end.receive_now()
            except OSError as error:
                raise anyio.BrokenResourceError from error
            if chunk == b"":
                raise anyio.EndOfStream
            if chunk is not None:
                return chunk
            await self._end.changed()

    async def send(self, item: bytes) -> None:
        """See ``ByteStream``."""
        await trio.lowlevel.checkpoint()
        while item:
            if self._end.is_closed:
                raise anyio.ClosedResourceError
            try:
                item = item[self._end.send_now(item) :]
            except OSError as error:
                raise anyio.BrokenResourceError from error
            if item:
                await self._end.changed()

    async def send_eof(self) -> None:
        """See ``ByteStream``."""
        self._end.cable.up.end()

    async def aclose(self) -> None:
        """See ``ByteStream``."""
        self._end.close()


class Linked:
    """A player or spectator on ``open_link`` and ``advance``, who acts by chance."""

    def __init__(self, habits: Habits, dial: Callable[[], ClientEnd], judge: Judge, rng: random.Random) -> None:
        self.habits = habits
        self.judge = judge
        self._dial = dial
        self._rng = rng
        self.view: TableView | None = None
        self.link: Link | None = None
        self.is_staying = True
        self.is_calm = False
        self.compared = 0
        self._scope = anyio.CancelScope()

    async def live(self) -> None:
        """Be here until ``leave``."""
        while self.is_staying:
            self.view = None
            try:
                async with open_link(self._connect, name=self.habits.name, rng=self._rng) as link:
                    self.link = link
                    with anyio.CancelScope() as self._scope:
                        await self._stay(link)
            except (LinkFailed, RuntimeError):  # no server; the link ended before something was posted
                pass
            self.link = None
            if self.is_staying:
                await trio.sleep(0.3)

    def leave(self) -> None:
        """Say goodbye and come back no more."""
        self.is_staying = False
        self._scope.cancel()

    async def _connect(self) -> ByteStream:
        await trio.lowlevel.checkpoint()
        return LinkStream(self._dial())

    async def _stay(self, link: Link) -> None:
        link.post(m.ListTables(id=NEW))
        async for item in link:
            if isinstance(item, LinkEnded):
                return
            await self._take(link, item)

    async def _take(self, link: Link, item: LinkItem) -> None:
        if isinstance(item, LinkBack):
            self.judge.count("links back")
            if not item.resumed:
                self.view = None
                link.post(m.ListTables(id=NEW))
            return
        if isinstance(item, LinkLost | LinkEnded):
            return
        if isinstance(item, m.Snapshot):
            self._compare(item)
        before = self.view
        self.view = view = advance(before, item)
        if view is not None and view.needs_sync:
            self.judge.complain(f"{self.habits.name}: the fold lost track at {item} after {before}")
        await self._answer(link, item, view)

    async def _answer(self, link: Link, item: m.Message, view: TableView | None) -> None:
        match item:
            case m.Tables():
                self._join(link, item)
            case m.Prompt():
                if item.actions and view is not None and view.prompt is item:
                    if not isinstance(item.actions[0], m.PlayAction):
                        await trio.sleep(CALM_THOUGHT if self.is_calm else SHORTEST_THOUGHT)
                    link.post(m.Act(id=NEW, action=self._choose(item), seq=item.seq))
            case m.Error():
                if item.code not in RACES["act"]:
                    await trio.sleep(0.5)
                    if view is None:
                        link.post(m.ListTables(id=NEW))
            case m.TableClosed():
                link.post(m.ListTables(id=NEW))

    def _join(self, link: Link, tables: m.Tables) -> None:
        if self.view is not None:
            return
        password = self.habits.password
        for table in tables.tables:
            if table.name == self.habits.table:
                request: m.Request = (
                    m.Watch(id=NEW, table=table.table, password=password)
                    if self.habits.is_spectator
                    else m.Join(id=NEW, table=table.table, password=password)
                )
                link.post(request)
                return
        # An unknown table is answered by an error, after which the list is asked for again.
        link.post(m.Watch(id=NEW, table=999_999))

    def _choose(self, prompt: m.Prompt) -> m.WireAction:
        if isinstance(prompt.actions[0], m.CallAction) and self._rng.random() < 0.8:
            return prompt.actions[min(len(prompt.actions) - 1, int(self._rng.random() * 2))]
        return self._rng.choice(prompt.actions)

    def _compare(self, snapshot: m.Snapshot) -> None:
        """A snapshot at the event up to which the view goes says what the view says."""
        view = self.view
        if view is None or view.table != snapshot.table or view.seq != snapshot.seq:
            return
        self.compared += 1
        if comparable(view.snapshot) != comparable(snapshot):
            self.judge.complain(f"{self.habits.name}: the fold has {view.snapshot}, the snapshot is {snapshot}")

    def sync(self) -> None:
        """Ask for a snapshot, to compare."""
        if self.link is not None and self.link.is_connected and self.view is not None:
            self.link.post(m.Sync(id=NEW))
