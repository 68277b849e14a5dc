"""A bad network on loopback: a TCP proxy that hurts each direction of each connection by itself.

It knows nothing of frames. What it does to a direction is a ``Course``, which a test may change while bytes
flow; ``Weather`` draws courses from a seed.
"""

from __future__ import annotations

import contextlib
import math
import random
import socket
import struct
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import trio

CHUNKS_UNDER_WAY = 4096
"""Pieces between two ends at most; then whoever sends has to wait, as with any full buffer."""
RESET_AT_CLOSE = struct.pack("ii", 1, 0)
"""``SO_LINGER`` of no time: to close is to reset."""


@dataclass
class Course:
    """What happens to bytes that go one way. It may be changed at any time, for what comes from then on."""

    delay_seconds: float = 0.0
    piece_bytes: int | None = None
    """The most that is handed on at once; ``None`` is whatever came."""
    bytes_per_second: float = math.inf
    is_swallowed: bool = False
    """Everything vanishes without a trace, an end or a reset too: a black hole."""
    swallow_after: int | None = None
    """The black hole begins when so many bytes have passed."""
    reset_after: int | None = None
    """Both ends are reset when so many bytes have passed."""
    lost_at: int | None = None
    """The byte of this number, counted from 0, is left out of the stream."""
    passed: int = 0
    swallowed: bytearray = field(default_factory=bytearray)
    _news: trio.Event = field(default_factory=trio.Event)

    def take(self, piece: bytes) -> None:
        """Swallow this."""
        self.swallowed += piece
        self._news.set()
        self._news = trio.Event()

    def add(self, count: int) -> None:
        """So many bytes have passed."""
        self.passed += count
        self._news.set()
        self._news = trio.Event()

    async def until_passed(self, count: int) -> None:
        """Wait until so many bytes have passed."""
        while self.passed < count:
            await self._news.wait()

    async def until_swallowed(self, is_enough: Callable[[bytearray], bool]) -> None:
        """Wait until this is true of what was swallowed."""
        while not is_enough(self.swallowed):
            await self._news.wait()


class Flow:
    """One connection through the proxy. ``up`` goes to the server, ``down`` to the client."""

    def __init__(self, near: trio.SocketStream, far: trio.SocketStream, up: Course, down: Course) -> None:
        self.near = near
        self.far = far
        self.up = up
        self.down = down
        self.heard_at = trio.current_time()
        """When a byte last came, either way."""
        self.is_forgotten = False
        self._near_ended = trio.Event()

    def near_ended(self) -> None:
        """The client has ended its side."""
        self._near_ended.set()

    async def until_closed(self) -> None:
        """Wait until the client has ended its side, however little the server hears of it."""
        await self._near_ended.wait()

    def swallow(self, *, up: bool = True, down: bool = True) -> None:
        """A black hole from now on, in these directions."""
        self.up.is_swallowed |= up
        self.down.is_swallowed |= down

    def reset(self, *, near: bool = True, far: bool = True) -> None:
        """Reset the connection towards the client, the server, or both. An end left out is half-open then."""
        self.swallow()
        for stream in (self.near,) * near + (self.far,) * far:
            if stream.socket.fileno() != -1:
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_AT_CLOSE)
                stream.socket.close()


Plan = Callable[[int], tuple[Course, Course]]
"""The courses up and down of the connection of a number, counted from 0."""


@dataclass
class RoughNetwork:
    """A running proxy. ``flows`` are all connections that there were, in order."""

    port: int = 0
    forgets_after: float = math.inf
    """Seconds without a byte either way after which a connection is forgotten, as a NAT does: both ends still
    think that they have it.
    """
    flows: list[Flow] = field(default_factory=list)
    _news: trio.Event = field(default_factory=trio.Event)

    def add(self, flow: Flow) -> None:
        """A connection has come."""
        self.flows.append(flow)
        self._news.set()
        self._news = trio.Event()

    async def flow(self, number: int) -> Flow:
        """The connection of that number, once there is one."""
        while len(self.flows) <= number:
            await self._news.wait()
        return self.flows[number]


def calm(number: int) -> tuple[Course, Course]:
    """No faults."""
    del number
    return Course(), Course()


@dataclass
class Weather:
    """A plan by chance: what befalls connection ``number`` depends on ``seed`` and the number alone.

    Each is reset somewhere or, one in 25, falls into a black hole, one way or both; all are delayed and cut
    in pieces somehow. ``most_bytes`` is how far a connection comes at most before that.
    """

    seed: int
    most_bytes: int = 6000

    def __call__(self, number: int) -> tuple[Course, Course]:
        rng = random.Random(f"{self.seed} {number}")
        courses = Course(), Course()
        for course in courses:
            course.delay_seconds = rng.choice((0.0, 0.0, 0.001, 0.005))
            course.piece_bytes = rng.choice((None, None, 1, 3, 100))
        # Much more comes down than goes up.
        limits = rng.randrange(self.most_bytes // 8), rng.randrange(self.most_bytes)
        ways = rng.choice(((0,), (1,), (0, 1)))
        fault = rng.choice((*("reset",) * 24, "black hole"))
        for way in ways:
            if fault == "reset":
                courses[way].reset_after = limits[way]
            else:
                courses[way].swallow_after = limits[way]
        return courses


@contextlib.asynccontextmanager
async def rough_network(
    port: int, plan: Plan = calm, *, forgets_after: float = math.inf
) -> AsyncIterator[RoughNetwork]:
    """A proxy on loopback before the server on ``port`` for the length of the block."""
    network = RoughNetwork(forgets_after=forgets_after)

    async def serve(near: trio.SocketStream) -> None:
        try:
            far = await trio.open_tcp_stream("127.0.0.1", port)
        except OSError:
            await trio.aclose_forcefully(near)
            return
        flow = Flow(near, far, *plan(len(network.flows)))
        network.add(flow)
        try:
            async with trio.open_nursery() as ways:
                ways.start_soon(_carry, network, flow, near, far, flow.up)
                ways.start_soon(_carry, network, flow, far, near, flow.down)
        finally:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(near)
                await trio.aclose_forcefully(far)

    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        network.port = listeners[0].socket.getsockname()[1]
        try:
            yield network
        finally:
            nursery.cancel_scope.cancel()


async def _carry(
    network: RoughNetwork, flow: Flow, source: trio.SocketStream, sink: trio.SocketStream, course: Course
) -> None:
    """One direction, until its end. Delays do not add up: the line holds many pieces at once."""
    entry, exit_ = trio.open_memory_channel[tuple[float, bytes]](CHUNKS_UNDER_WAY)
    async with trio.open_nursery() as both:
        both.start_soon(_hand_on, flow, exit_, sink, course)
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async with entry:
                while chunk := await source.receive_some(65536):
                    now = trio.current_time()
                    flow.is_forgotten |= now - flow.heard_at > network.forgets_after
                    flow.heard_at = now
                    if flow.is_forgotten:
                        flow.swallow()
                    for piece in _pieces(chunk, course.piece_bytes):
                        await entry.send((now + course.delay_seconds, piece))
    if source is flow.near:
        flow.near_ended()
    if course.is_swallowed:
        # The other end is never told that this one is gone.
        await trio.sleep_forever()


async def _hand_on(
    flow: Flow, pieces: trio.MemoryReceiveChannel[tuple[float, bytes]], sink: trio.SocketStream, course: Course
) -> None:
    async with pieces:
        async for due, piece in pieces:
            await trio.sleep_until(due)
            if math.isfinite(course.bytes_per_second):
                await trio.sleep(len(piece) / course.bytes_per_second)
            if course.swallow_after is not None and course.passed >= course.swallow_after:
                course.is_swallowed = True
            if course.is_swallowed:
                course.take(piece)
                continue
            rest = piece
            if course.lost_at is not None and course.passed <= course.lost_at < course.passed + len(rest):
                at = course.lost_at - course.passed
                rest = rest[:at] + rest[at + 1 :]
            is_reset = course.reset_after is not None and course.passed + len(piece) >= course.reset_after
            if is_reset:
                rest = rest[: (course.reset_after or 0) - course.passed]
            course.add(len(piece))
            try:
                await sink.send_all(rest)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return
            if is_reset:
                flow.reset()
                return
        if not course.is_swallowed:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await sink.send_eof()


def _pieces(chunk: bytes, size: int | None) -> list[bytes]:
    return [chunk] if size is None else [chunk[at : at + size] for at in range(0, len(chunk), size)]
