"""The machine that the server runs on: it is killed at any moment, stopped, slept, and started again.

The server is the real ``App`` on a real ``Store``. A kill takes everything from it at once: from then on
nothing that it does reaches a client or the file, however much of its code still runs until its tasks are
cancelled.
"""

from __future__ import annotations

import base64
import errno
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import trio

from support.simulation.network import Cable
from tarneeb_server.app import App
from tarneeb_server.sessions import Sessions
from tarneeb_server.store import NoJournal, Store

if TYPE_CHECKING:
    from pathlib import Path

    from support.simulation.judge import Judge
    from support.simulation.scheduling import Seeds
    from tarneeb_server.kept import Keep
    from tarneeb_server.settings import Settings
    from tarneeb_server.store import Journal

PLACES = ("before commit", "after commit", "before send", "after send", "after read", "while keeping")
"""Where a server may be killed, in its own code; at any other moment too."""


class Life:
    """One process of the server."""

    def __init__(self, host: Host, number: int) -> None:
        self.host = host
        self.number = number
        self.is_alive = True
        self.is_stopping = False
        self.app: App | None = None
        self.store: Store | None = None
        self.scope = trio.CancelScope()
        self.channels: set[ServerEnd] = set()
        self.connections: trio.Nursery | None = None

    def at(self, place: str) -> None:
        """The server's code has come to this place, where it may be killed."""
        host = self.host
        left = host.kill_at.get(place)
        if left is not None:
            if left <= 1:
                del host.kill_at[place]
                host.kill(place)
            else:
                host.kill_at[place] = left - 1


class GuardedJournal:
    """The store, as long as the process lives. ``store`` is ``None`` where nothing is kept."""

    def __init__(self, life: Life, journal: Journal) -> None:
        self._life = life
        self._journal = journal
        self._has_entries = False
        self.archive = journal.archive

    def add(self, entry: Keep) -> None:
        """See ``Journal``."""
        if self._life.is_alive:
            self._life.at("while keeping")
        if self._life.is_alive:
            self._has_entries = True
            self._journal.add(entry)

    def commit(self) -> None:
        """See ``Journal``."""
        if not self._life.is_alive:
            return
        if not self._has_entries:
            self._journal.commit()
            return
        self._life.at("before commit")
        if self._life.is_alive:
            self._journal.commit()
            self._has_entries = False
            self._life.at("after commit")

    def fault(self) -> str | None:
        """See ``Journal``."""
        return self._journal.fault() if self._life.is_alive else None


class ServerEnd:
    """The server's end of a cable: a ``Channel``. The judge sees what goes through it."""

    def __init__(self, cable: Cable, life: Life, number: int, judge: Judge) -> None:
        self._up, self._down = cable.up, cable.down
        self.cable = cable
        self._life = life
        self._judge = judge
        self.number = number
        self._readable = trio.lowlevel.ParkingLot()
        self._writable = trio.lowlevel.ParkingLot()
        self._is_closed = False
        cable.up.on_readable = lambda: _wake(self._readable)
        cable.down.on_writable = lambda: _wake(self._writable)
        judge.opened(number)
        life.channels.add(self)

    def recv(self, size: int) -> bytes:
        """See ``Channel``."""
        if not self._life.is_alive:
            raise BlockingIOError
        self._check_open()
        chunk = self._up.recv(size)
        if chunk:
            self._judge.received(self.number, chunk)
            self._life.at("after read")
        return chunk

    def send(self, chunk: bytes) -> int:
        """See ``Channel``."""
        if self._life.is_alive:
            self._life.at("before send")
        if not self._life.is_alive:
            return len(chunk)
        self._check_open()
        count = self._down.send(chunk)
        self._judge.sent(self.number, chunk[:count])
        self._life.host.on_send(self)
        if self._life.is_alive:
            self._life.at("after send")
        return count

    def _check_open(self) -> None:
        """Who has waited may find that another task closed the socket in the same moment."""
        if self._is_closed:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    async def wait_readable(self) -> None:
        """See ``Channel``."""
        await self._wait(self._readable, lambda: self._up.is_readable)

    async def wait_writable(self) -> None:
        """See ``Channel``."""
        await self._wait(self._writable, lambda: self._down.is_writable)

    async def _wait(self, lot: trio.lowlevel.ParkingLot, is_ready: Callable[[], bool]) -> None:
        await self._check()
        if is_ready():
            await trio.lowlevel.checkpoint()
            return
        await lot.park()
        await self._check()

    async def _check(self) -> None:
        """A process that has ended waits for ever; a channel that was closed says so."""
        if not self._life.is_alive:
            await trio.sleep_forever()
        if self._is_closed:
            raise trio.ClosedResourceError

    def finish(self) -> None:
        """See ``Channel``."""
        if self._life.is_alive:
            self._down.end()

    def close(self) -> None:
        """See ``Channel``: bytes that were not read make the kernel send a reset."""
        if self._is_closed or not self._life.is_alive:
            return
        self._is_closed = True
        self._life.channels.discard(self)
        self._judge.closed(self.number)
        if self._up.has_unread:
            self.cable.fail("reset")
        else:
            self._down.end()
            self.cable.refuse_up()
        self._readable.unpark_all()
        self._writable.unpark_all()

    def cut_off(self, how: str) -> None:
        """The process has ended: what its machine does with the connection."""
        self._is_closed = True
        self.cable.fail(how)


def _wake(lot: trio.lowlevel.ParkingLot) -> None:
    if lot:
        lot.unpark_all()


class Host:
    """Keeps a server running. ``kill_at`` counts down how often a place of ``PLACES`` is still passed."""

    def __init__(self, folder: Path | None, settings: Settings, seeds: Seeds, judge: Judge) -> None:
        self._folder = folder
        self._settings = settings if folder is None else replace(settings, data_dir=str(folder))
        self._judge = judge
        self._tokens = seeds.source("tokens")
        self._rng = seeds.source("host")
        self._lives = 0
        self._last_number = 0
        self._is_wanted = True
        self._ended = trio.Event()
        self.life: Life | None = None
        self.kill_at: dict[str, int] = {}
        self.down_seconds: Callable[[], float] = lambda: 0.5
        self.on_send: Callable[[ServerEnd], None] = lambda end: None
        self.how_cut: Callable[[], str] = lambda: "ended"
        self.on_life: Callable[[Life], None] = lambda life: None

    @property
    def is_up(self) -> bool:
        """Whether there is a server that takes connections."""
        return self.life is not None and self.life.is_alive and not self.life.is_stopping

    def dial(self, cable: Cable) -> ServerEnd:
        """Connect. Raises ``ConnectionRefusedError``."""
        life = self.life
        if life is None or life.app is None or not self.is_up:
            raise ConnectionRefusedError("nobody listens")
        self._last_number += 1
        end = ServerEnd(cable, life, self._last_number, self._judge)
        life.app.serve(end, f"10.0.{self._last_number // 250}.{self._last_number % 250}")
        return end

    async def run(self) -> None:
        """Start it again whenever it ends, until ``retire``."""
        async with trio.open_nursery() as nursery:
            while self._is_wanted:
                ready = trio.Event()
                self._lives += 1
                life = self.life = Life(self, self._lives)
                self._ended = trio.Event()
                nursery.start_soon(self._live, life, ready)
                await ready.wait()
                while life.is_alive:
                    await self._ended.wait()
                if self._is_wanted:
                    await trio.sleep(self.down_seconds())

    async def _live(self, life: Life, ready: trio.Event) -> None:
        settings = self._settings
        try:
            with life.scope:
                await self._serve(life, ready, settings)
        finally:
            ready.set()

    async def _serve(self, life: Life, ready: trio.Event, settings: Settings) -> None:
        async with trio.open_nursery() as connections, trio.open_nursery() as tasks:
            if self._folder is None:
                app = App(settings, "simulated", connections, GuardedJournal(life, NoJournal()))
                app.lobby.sessions = Sessions(self._token)
            else:
                life.store = store = Store.open(str(self._folder), "process")
                app = App(settings, "simulated", connections, GuardedJournal(life, store))
                app.lobby.sessions = Sessions(self._token)
                app.restore(store.load())
            life.app = app
            self.on_life(life)
            self._judge.started()
            tasks.start_soon(app.run, [])
            life.connections = connections
            ready.set()
            await trio.sleep_forever()

    def _token(self) -> str:
        return base64.urlsafe_b64encode(self._tokens.randbytes(32)).rstrip(b"=").decode()

    def kill(self, place: str) -> None:
        """End the process, wherever it is."""
        life = self.life
        if life is None or not life.is_alive:
            return
        self._judge.count(f"killed {place}")
        if life.store is not None:
            life.store._database.close()
            os.close(life.store._lock)
        self._end(life, self.how_cut)

    def _end(self, life: Life, how_cut: Callable[[], str]) -> None:
        life.is_alive = False
        self._judge.ended(keeps_sessions=self._folder is not None)
        for end in sorted(life.channels, key=lambda channel: channel.number):
            end.cut_off(how_cut())
        life.scope.cancel()
        self._ended.set()

    async def stop(self) -> None:
        """End it in order, as SIGTERM does."""
        life = self.life
        if life is None or life.app is None or not self.is_up:
            return
        life.is_stopping = True
        self._judge.count("stopped in order")
        began = trio.current_time()
        await life.app.shut_down()
        if not life.is_alive:  # killed meanwhile
            return
        if trio.current_time() - began > 3.5:
            self._judge.complain(f"stopping took {trio.current_time() - began} seconds")
        if life.store is not None:
            life.store.close()
        self._end(life, lambda: "ended")

    async def retire(self) -> None:
        """End it for good."""
        self._is_wanted = False
        await self.stop()
