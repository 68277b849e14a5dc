"""The server in the test's own process: real sockets on loopback, trio's clock, which may be a mock."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import trio

from support.fold import comparable
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_server.app import App
from tarneeb_server.archive import ArchiveInMemory
from tarneeb_server.kept import Keep, Record
from tarneeb_server.listener import listen
from tarneeb_server.settings import Settings
from tarneeb_server.snapshots import snapshot
from tarneeb_server.tls import ServerTls


@dataclass
class LiveServer:
    """A running server and what it was asked to record."""

    app: App
    port: int
    records: list[Record]

    def snapshot(self, table: int, seat: Seat | None) -> wire.Snapshot:
        """What a viewer in ``seat`` would be told now, without what passes with time."""
        return comparable(snapshot(self.app.lobby.tables[table], seat, self.app.time.now()))


@dataclass
class Kept:
    """A journal that remembers the finished sets alone."""

    records: list[Record] = field(default_factory=list)
    archive: ArchiveInMemory = field(default_factory=ArchiveInMemory)

    def add(self, entry: Keep) -> None:
        if isinstance(entry, Record):
            self.records.append(entry)
            self.archive.add(entry)

    def commit(self) -> None:
        pass

    def fault(self) -> str | None:
        return None


@contextlib.asynccontextmanager
async def live_server(*, tls: ServerTls | None = None, **settings: object) -> AsyncIterator[LiveServer]:
    """Serve while the block runs; then everybody is said goodbye to."""
    chosen = {"host": ("127.0.0.1",), "port": 0, "seed_for_tests": 1, "bot_delay": 0.0, **settings}
    listening = listen(("127.0.0.1",), 0)
    journal = Kept()
    try:
        async with trio.open_nursery() as connections, trio.open_nursery() as tasks:
            app = App(Settings(**chosen), "live", connections, journal)  # type: ignore[arg-type]  # keyword by keyword as the test gives them
            tasks.start_soon(app.run, listening, tls)
            try:
                yield LiveServer(app, listening[0].getsockname()[1], journal.records)
            finally:
                with trio.CancelScope(shield=True):
                    await app.shut_down()
                tasks.cancel_scope.cancel()
                connections.cancel_scope.cancel()
    finally:
        for sock in listening:
            sock.close()
