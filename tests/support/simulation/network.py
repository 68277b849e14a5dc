"""The network between a server's channels and its clients: slow, in pieces, narrow, and breaking in every way.

A direction is a ``Pipe``. It keeps the order of bytes, as TCP does, and has room for ``window`` bytes that were
not read yet; what may go wrong beyond that is called for by name (``Cable.fail``).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    import random

MOST_PIECES = 4
"""Into how many pieces one send may come apart."""


@dataclass(frozen=True, slots=True)
class Weather:
    """What a cable is like. Seconds; ``window`` in bytes. ``is_in_pieces``: what is sent at once arrives in
    parts.
    """

    latency: float = 0.0
    jitter: float = 0.0
    window: int = 64 * 1024
    is_in_pieces: bool = False


class Air:
    """What is on its way: one heap, served by one task. Arrivals fall on a grid of ``grain`` seconds."""

    def __init__(self, grain: float) -> None:
        self._grain = grain
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._sleeping_until = -math.inf
        self._wake = trio.Event()

    def at(self, when: float, action: Callable[[], None]) -> float:
        """Do it then, or on the next point of the grid; when that is."""
        when = math.ceil(when / self._grain - 1e-6) * self._grain
        self.ring(when, action)
        return when

    def ring(self, when: float, action: Callable[[], None]) -> None:
        """Do it at that time exactly."""
        self._count += 1
        heapq.heappush(self._heap, (when, self._count, action))
        if when < self._sleeping_until:
            self._wake.set()

    async def run(self) -> None:
        """Serve for ever."""
        while True:
            now = trio.current_time()
            while self._heap and self._heap[0][0] <= now:
                heapq.heappop(self._heap)[2]()
            self._wake = trio.Event()
            self._sleeping_until = self._heap[0][0] if self._heap else math.inf
            with trio.CancelScope(deadline=self._sleeping_until):
                await self._wake.wait()
            self._sleeping_until = -math.inf


class Pipe:
    """One direction. ``on_readable`` and ``on_writable`` are told when that may have become true."""

    def __init__(self, air: Air, weather: Weather, rng: random.Random) -> None:
        self._air = air
        self._weather = weather
        self._rng = rng
        self._arrived = b""
        self._under_way = 0
        self._last_at = 0.0
        self.is_ended = False
        """The end of the stream has arrived."""
        self.is_broken = False
        """A reset has arrived at both ends."""
        self.is_swallowing = False
        """Nothing that is sent arrives any more, and nobody is told."""
        self.on_readable: Callable[[], None] = _nothing
        self.on_writable: Callable[[], None] = _nothing
        self.on_swallowed: Callable[[], None] = _nothing

    @property
    def is_readable(self) -> bool:
        return bool(self._arrived) or self.is_ended or self.is_broken

    @property
    def is_writable(self) -> bool:
        return self.is_broken or self._room > 0

    @property
    def has_unread(self) -> bool:
        return bool(self._arrived)

    @property
    def _room(self) -> int:
        return self._weather.window - self._under_way - len(self._arrived)

    def send(self, chunk: bytes) -> int:
        """As a socket's. Raises ``BlockingIOError``, ``ConnectionResetError``."""
        if self.is_broken:
            raise ConnectionResetError("reset by peer")
        room = self._room
        if room <= 0:
            raise BlockingIOError
        taken = chunk[:room]
        weather = self._weather
        if self.is_swallowing:
            self._under_way += len(taken)
            self.on_swallowed()
        elif not weather.latency and not weather.is_in_pieces and not self._under_way:
            self._arrived += taken
            self.on_readable()
        else:
            for piece in self._pieces(taken):
                self._dispatch(piece)
        return len(taken)

    def _pieces(self, chunk: bytes) -> list[bytes]:
        if not self._weather.is_in_pieces or len(chunk) == 1 or self._rng.random() < 0.5:
            return [chunk]
        count = min(self._rng.randint(1, MOST_PIECES), len(chunk) - 1)
        cuts = [0, *sorted(self._rng.randrange(1, len(chunk)) for _ in range(count)), len(chunk)]
        return [chunk[start:stop] for start, stop in pairwise(cuts) if start < stop]

    def _when(self) -> float:
        weather = self._weather
        delay = weather.latency + (weather.jitter * self._rng.random() if weather.jitter else 0.0)
        return max(trio.current_time() + delay, self._last_at)

    def _dispatch(self, piece: bytes) -> None:
        self._under_way += len(piece)

        def arrive() -> None:
            if self.is_swallowing or self.is_broken:
                return
            self._under_way -= len(piece)
            self._arrived += piece
            self.on_readable()

        self._last_at = self._air.at(self._when(), arrive)

    def end(self) -> None:
        """The sender says that nothing more will come."""

        def arrive() -> None:
            if not self.is_swallowing:
                self.is_ended = True
                self.on_readable()

        if not self._weather.latency and not self._under_way:
            arrive()
        else:
            self._last_at = self._air.at(self._when(), arrive)

    def reset(self) -> None:
        """The stream breaks at once; what was under way or unread is gone."""
        self.is_broken = True
        self._arrived = b""
        self.on_readable()
        self.on_writable()

    def recv(self, size: int) -> bytes:
        """As a socket's. Raises ``BlockingIOError``, ``ConnectionResetError``."""
        if self.is_broken:
            raise ConnectionResetError("reset by peer")
        if not self._arrived:
            if self.is_ended:
                return b""
            raise BlockingIOError
        chunk, self._arrived = self._arrived[:size], self._arrived[size:]
        self.on_writable()
        return chunk


def _nothing() -> None:
    """Nobody waits yet."""


class Cable:
    """A connection: ``up`` carries from client to server, ``down`` back."""

    def __init__(self, air: Air, weather: Weather, rng: random.Random) -> None:
        self.air = air
        self._weather = weather
        self.up = Pipe(air, weather, rng)
        self.down = Pipe(air, weather, rng)

    def refuse_down(self) -> None:
        """The client has closed its end: what the server still sends is answered by a reset."""
        self.down.is_swallowing = True
        self.down.on_swallowed = self._reset_soon

    def refuse_up(self) -> None:
        """The server has closed its end."""
        self.up.is_swallowing = True
        self.up.on_swallowed = self._reset_soon

    def _reset_soon(self) -> None:
        self.air.at(trio.current_time() + self._weather.latency, lambda: self.fail("reset"))

    def fail(self, how: str) -> None:
        """Break it. ``ended``: both ends hear that the other closed. ``reset``: both hear it at once, and bytes
        are lost. ``half_open``: the client hears, the server does not; ``half_closed`` the other way about.
        ``silence_up``, ``silence_down``, ``silence``: nobody hears anything, and nothing arrives.
        """
        match how:
            case "ended":
                self.up.end()
                self.down.end()
            case "reset":
                self.up.reset()
                self.down.reset()
            case "half_open":
                self.up.is_swallowing = True
                self.down.is_ended = True
                self.down.on_readable()
                self.down.is_swallowing = True
            case "half_closed":
                self.down.is_swallowing = True
                self.up.end()
            case "silence_up":
                self.up.is_swallowing = True
            case "silence_down":
                self.down.is_swallowing = True
            case "silence":
                self.up.is_swallowing = self.down.is_swallowing = True
            case _:
                raise ValueError(how)


class ClientEnd:
    """The client's end of a cable. Whoever waits looks first whether there is anything to do, and then calls
    ``changed`` before anybody else can run.
    """

    def __init__(self, cable: Cable) -> None:
        self.cable = cable
        self._lot = trio.lowlevel.ParkingLot()
        self._rings_at = math.inf
        self.is_closed = False
        cable.down.on_readable = self._wake
        cable.up.on_writable = self._wake

    def _wake(self) -> None:
        if self._lot:
            self._lot.unpark_all()

    def receive_now(self) -> bytes | None:
        """What is there, ``None`` for nothing yet, no bytes at the end. Raises ``ConnectionResetError``."""
        try:
            return self.cable.down.recv(65536)
        except BlockingIOError:
            return None

    def send_now(self, chunk: bytes) -> int:
        """How many bytes were taken. Raises ``ConnectionResetError``."""
        try:
            return self.cable.up.send(chunk)
        except BlockingIOError:
            return 0

    async def changed(self, until: float = math.inf) -> None:
        """Until something may be received or sent that could not be before, or, at the latest, that time."""
        if until < self._rings_at:
            # One that was to ring later is left alone: a scope for each wait costs more than a call in vain.
            self._rings_at = until
            self.cable.air.ring(until, lambda: self._ring(until))
        await self._lot.park()

    def _ring(self, at: float) -> None:
        if at == self._rings_at:
            self._rings_at = math.inf
            self._wake()

    def close(self) -> None:
        """Be done with it: the server hears the end, and a reset if it still sends."""
        if not self.is_closed:
            self.is_closed = True
            self.cable.up.end()
            self.cable.refuse_down()

    def abort(self) -> None:
        """Be gone: the server hears a reset."""
        if not self.is_closed:
            self.is_closed = True
            self.cable.fail("reset")
