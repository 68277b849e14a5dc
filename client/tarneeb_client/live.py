"""One connection of a link, from its first byte to its last."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

import anyio
from anyio.abc import ByteStream

from tarneeb_client.dialling import Dial, peer_fingerprint
from tarneeb_client.wording import connection as wording
from tarneeb_protocol import messages as m
from tarneeb_protocol.codec import BadMessage
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Role
from tarneeb_protocol.errors import LocalProtocolError, RemoteProtocolError

HANDSHAKE_SECONDS = 10.0
"""How long a server may take to answer the hello."""
GOODBYE_SECONDS = 2.0
"""How long closing may take to tell the server."""
LONGEST_SECONDS = 600
"""A server's wish for slower heartbeats than this is not followed."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a connection ended. ``is_fault``: the server broke the protocol. ``goodbye`` is the server's, if it
    said one.
    """

    reason: str
    goodbye: m.Goodbye | None = None
    is_fault: bool = False


class Live:
    """A connection that has been welcomed."""

    def __init__(self, stream: ByteStream, connection: Connection, welcome: m.Welcome) -> None:
        self.welcome = welcome
        self.peer_fingerprint = peer_fingerprint(stream)
        self._stream = stream
        self._connection = connection
        self._ping_seconds = min(max(welcome.ping_seconds, 1), LONGEST_SECONDS)
        self._dead_seconds = min(max(welcome.dead_seconds, self._ping_seconds + 1), 2 * LONGEST_SECONDS)
        self._outbox: deque[m.Message] = deque()
        self._wake = anyio.Event()
        self._is_sending = False
        self.has_said_goodbye = False
        """Whether the server was told that the player leaves for good."""

    def queue(self, message: m.Message) -> None:
        """Send ``message`` soon, after what is queued already."""
        self._outbox.append(message)
        self._wake.set()

    async def close(self) -> None:
        """Close the connection at once and say nothing."""
        with anyio.CancelScope(shield=True):
            await anyio.aclose_forcefully(self._stream)

    async def serve(
        self, take_in: Callable[[m.Message], Awaitable[None]], is_leaving: Callable[[], bool]
    ) -> Ending:
        """Read and write until the connection ends, and say why. ``take_in`` gets each message but pings and
        pongs, which are answered here. When cancelled, sends what is queued first, and a goodbye if
        ``is_leaving`` says that the player leaves for good.
        """
        endings: list[Ending] = []
        try:
            async with anyio.create_task_group() as tasks:

                async def until_ending(part: Callable[[], Awaitable[Ending]]) -> None:
                    endings.append(await part())
                    tasks.cancel_scope.cancel()

                tasks.start_soon(until_ending, lambda: self._read(take_in))
                tasks.start_soon(until_ending, self._write)
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(GOODBYE_SECONDS, shield=True):
                await self._finish(is_leaving=is_leaving())
            raise
        finally:
            await self.close()
        return endings[0]

    async def _read(self, take_in: Callable[[m.Message], Awaitable[None]]) -> Ending:
        try:
            while True:
                event = self._connection.next_event()
                if event is NEED_DATA:
                    with anyio.move_on_after(self._dead_seconds) as listening:
                        self._connection.receive_data(await _received(self._stream))
                    if listening.cancelled_caught:
                        return Ending(wording.silence(self._dead_seconds))
                elif isinstance(event, ConnectionClosed):
                    return Ending(wording.closed())
                elif isinstance(event, m.Goodbye):
                    return Ending(wording.goodbye(event), goodbye=event)
                elif isinstance(event, m.Ping):
                    self.queue(m.Pong(nonce=event.nonce))
                elif isinstance(event, m.Message) and not isinstance(event, m.Pong):
                    await take_in(event)
                elif isinstance(event, BadMessage) and event.id is not None:
                    # Whoever asked must not wait for ever.
                    unreadable = wording.unreadable_reply(event.message)
                    await take_in(m.Error(id=event.id, code=event.code, message=unreadable))
                # Another BadMessage is of a newer server, or damaged: if it was an event, its number is missed.
        except RemoteProtocolError as error:
            return Ending(wording.broken_protocol(error.message), is_fault=True)
        except anyio.BrokenResourceError:
            return Ending(wording.closed())

    async def _write(self) -> Ending:
        try:
            while True:
                await self._flush()
                with anyio.move_on_after(self._ping_seconds):
                    await self._wake.wait()
                if not self._outbox:
                    self._outbox.append(m.Ping())
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, LocalProtocolError):
            # The reader learns why, unless the connection is cut in this direction alone.
            await anyio.sleep(GOODBYE_SECONDS)
            return Ending(wording.closed())

    async def _flush(self) -> None:
        while self._outbox:
            frame = self._connection.send(self._outbox.popleft())
            self._is_sending = True
            await self._stream.send(frame)
            self._is_sending = False
        self._wake = anyio.Event()

    async def _finish(self, *, is_leaving: bool) -> None:
        if self._is_sending:  # half a frame went out: nothing can follow it
            return
        if is_leaving:
            self._outbox.append(m.Goodbye(code="left"))
        try:
            await self._flush()
            self.has_said_goodbye = is_leaving
            await self._stream.aclose()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, LocalProtocolError):
            pass  # it is gone already


async def _received(stream: ByteStream) -> bytes:
    """The next bytes, or none at the end of the stream."""
    try:
        return await stream.receive()
    except anyio.EndOfStream:
        return b""


Greeting: TypeAlias = m.Hello | Callable[[str, str | None], m.Hello]
"""A hello, or what makes one for the server with this id and a certificate with this fingerprint (``None``: in
plain); the server is then asked for its id first.
"""


async def shake_hands(dial: Dial, hello: Greeting) -> Live | m.Refused | Ending:
    """Connect and say hello. Raises what ``dial`` raises when there is no connection, ``TimeoutError`` for no
    answer.
    """
    stream = await dial()
    connection = Connection(Role.CLIENT)
    outcome: Live | m.Refused | Ending
    try:
        with anyio.fail_after(HANDSHAKE_SECONDS):
            outcome = await _answer_to(hello, stream, connection)
    except RemoteProtocolError as error:
        outcome = Ending(wording.broken_protocol(error.message), is_fault=True)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        outcome = Ending(wording.closed())
    except BaseException:
        with anyio.CancelScope(shield=True):
            await anyio.aclose_forcefully(stream)
        raise
    if not isinstance(outcome, Live):
        await anyio.aclose_forcefully(stream)
    return outcome


async def _answer_to(hello: Greeting, stream: ByteStream, connection: Connection) -> Live | m.Refused | Ending:
    await stream.send(connection.send(hello if isinstance(hello, m.Hello) else m.Describe()))
    while True:
        event = connection.next_event()
        match event:
            case m.About() if not isinstance(hello, m.Hello):
                await stream.send(connection.send(hello(event.server, peer_fingerprint(stream))))
            case m.Welcome():
                return Live(stream, connection, event)
            case m.Refused():
                return event
            case m.Goodbye():
                return Ending(wording.goodbye(event), goodbye=event)
            case ConnectionClosed():
                return Ending(wording.closed())
        if event is NEED_DATA:
            connection.receive_data(await _received(stream))
