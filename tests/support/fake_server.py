"""The other end of a link: a scripted server on memory streams, under trio's clock."""

from __future__ import annotations

from typing import TypeAlias

import anyio
import msgspec
import trio
import trio.testing
from anyio.abc import ByteStream

from tarneeb_protocol import messages as m
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Role

FIRST_TOKEN = "token 1"
WELCOME = m.Welcome(
    protocol=1,
    server="s",
    server_name="Majlis",
    name="Nour",
    token=FIRST_TOKEN,
    ping_seconds=15,
    dead_seconds=45,
    grace_seconds=120,
)

ABOUT = m.About(
    protocol_min=1,
    protocol_max=1,
    software="fake",
    server=WELCOME.server,
    server_name=WELCOME.server_name,
    presets=(),
    turn_seconds=0,
    hello_seconds=10,
    ping_seconds=15,
    dead_seconds=45,
    grace_seconds=120,
    limits=m.ServerLimits(
        **dict.fromkeys(m.ServerLimits.__struct_fields__, 100),
    ),
)


Inner: TypeAlias = trio.StapledStream[trio.testing.MemorySendStream, trio.testing.MemoryReceiveStream]


class MemoryStream(ByteStream):
    """An anyio byte stream over a trio memory stream."""

    def __init__(self, inner: Inner) -> None:
        self._inner = inner

    async def receive(self, max_bytes: int = 65536) -> bytes:
        try:
            received = await self._inner.receive_some(max_bytes)
        except trio.ClosedResourceError:
            raise anyio.ClosedResourceError from None
        except trio.BrokenResourceError:
            raise anyio.BrokenResourceError from None
        if not received:
            raise anyio.EndOfStream
        return bytes(received)

    async def send(self, item: bytes) -> None:
        try:
            await self._inner.send_all(item)
        except trio.ClosedResourceError:
            raise anyio.ClosedResourceError from None
        except trio.BrokenResourceError:
            raise anyio.BrokenResourceError from None

    async def send_eof(self) -> None:
        await self._inner.send_eof()

    async def aclose(self) -> None:
        await self._inner.aclose()


class Accepted:
    """The server's end of one connection, which the test speaks for."""

    def __init__(self, stream: MemoryStream) -> None:
        self.stream = stream
        self.connection = Connection(Role.SERVER)

    async def hear(self) -> m.Message | ConnectionClosed:
        """The next message; one that cannot be read fails the test."""
        while True:
            event = self.connection.next_event()
            if event is NEED_DATA:
                try:
                    received = await self.stream.receive()
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    received = b""
                self.connection.receive_data(received)
            else:
                assert isinstance(event, m.Message | ConnectionClosed), event
                return event

    async def hear_request(self) -> m.Request:
        """The next request; pings are passed over."""
        while True:
            message = await self.hear()
            if isinstance(message, m.Request):
                return message
            assert isinstance(message, m.Ping | m.Pong), message

    async def say(self, *messages: m.Message) -> None:
        for message in messages:
            await self.stream.send(self.connection.send(message))

    async def hear_hello(self, server: str = WELCOME.server) -> m.Hello:
        """The hello; who asks first which server this is, is told."""
        said = await self.hear()
        if isinstance(said, m.Describe):
            await self.say(msgspec.structs.replace(ABOUT, server=server))
            said = await self.hear()
        assert isinstance(said, m.Hello)
        return said

    async def welcome(self, **changes: object) -> m.Hello:
        """Hear the hello and welcome it."""
        welcome = msgspec.structs.replace(WELCOME, **changes)
        hello = await self.hear_hello(welcome.server)
        await self.say(welcome)
        return hello

    async def cut(self) -> None:
        """Lose the connection without a word."""
        await self.stream.aclose()


class FakeServer:
    """Where a link dials. ``dials`` are the times at which it did; ``is_down`` refuses connections."""

    def __init__(self) -> None:
        self.dials: list[float] = []
        self.is_down = False
        self._send, self._accepted = trio.open_memory_channel[Accepted](100)

    async def dial(self) -> ByteStream:
        self.dials.append(trio.current_time())
        await trio.lowlevel.checkpoint()
        if self.is_down:
            raise ConnectionRefusedError(111, "Connection refused")
        ours, theirs = trio.testing.memory_stream_pair()
        await self._send.send(Accepted(MemoryStream(ours)))
        return MemoryStream(theirs)

    async def accept(self) -> Accepted:
        return await self._accepted.receive()
