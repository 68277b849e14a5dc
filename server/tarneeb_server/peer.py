"""One connection: its channel, its protocol state and its outbox. All reading and writing is here.

``wait_readable`` comes before every ``recv``: a client that always has bytes under way would otherwise never
let another be read. Sends are tried at once, when ``Flusher`` says so; a task that waits for room exists only
while there is none.
"""

from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import trio

from tarneeb_protocol.codec import BadMessage, encode
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Role, State
from tarneeb_protocol.errors import ErrorCode, RemoteProtocolError
from tarneeb_protocol.messages import PROTOCOL_VERSION, Goodbye, Message, Ping, Pong, Refused
from tarneeb_server.outbox import Outbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tarneeb_server.channel import Channel
    from tarneeb_server.effects import SessionId

READ_SIZE = 16 * 1024
"""Bytes a ``recv``: two of the longest frames."""
FRAMES_BEFORE_YIELDING = 8
"""Frames of one connection handled before the others have their turn."""
LINGER_SECONDS = 2.0
"""How long an ended connection may take to receive its last messages."""
UNREAD_LIMIT = 256 * 1024
"""Bytes thrown away while an ended connection drains: closing with unread bytes would make the kernel send a
reset, which can take the last message from the client."""

BEFORE_WELCOME = frozenset({State.HELLO, State.ASKED, State.ANSWER, State.FAILED_EARLY})
"""States in which a connection is ended by ``refused``."""

logger = logging.getLogger("tarneeb.server")


class Handler(Protocol):
    """Whoever is told what a peer says."""

    def said(self, peer: Peer, message: Message | BadMessage) -> None:
        """A message, the hello too, or what could not be read as one."""

    def seconds_before(self, peer: Peer, message: Message | BadMessage) -> float:
        """How long what a peer without a session says is to wait before it is handled."""

    def lost(self, peer: Peer) -> None:
        """The connection has ended, whoever ended it."""


class Flusher:
    """Sends what peers have to send, once per tick of the scheduler, so that frames that come together leave
    together.
    """

    def __init__(self) -> None:
        self._dirty: list[Peer] = []
        self._lot = trio.lowlevel.ParkingLot()

    def add(self, peer: Peer) -> None:
        """Flush this peer when all tasks that can run now have run."""
        self._dirty.append(peer)
        self._lot.unpark()

    async def run(self) -> None:
        """Serve for ever."""
        while True:
            if not self._dirty:
                await self._lot.park()
                continue
            dirty, self._dirty = self._dirty, []
            for peer in dirty:
                peer.flush()


class Lingering:
    """Ended connections whose clients may still take their last messages, until ``hurry``."""

    def __init__(self) -> None:
        self.is_over = False
        self._scopes: set[trio.CancelScope] = set()

    @contextlib.contextmanager
    def scope(self, seconds: float) -> Iterator[None]:
        """Wait at most so long for what is in the block."""
        with trio.move_on_after(0 if self.is_over else seconds, shield=True) as scope:
            self._scopes.add(scope)
            try:
                yield
            finally:
                self._scopes.discard(scope)

    def hurry(self) -> None:
        """Wait for none of them any more."""
        self.is_over = True
        for scope in self._scopes:
            scope.cancel()


@dataclass(frozen=True, slots=True)
class Ground:
    """What all peers stand on. ``now`` is the server's time in seconds; ``nursery`` runs tasks that wait to
    write; ``commit`` is called before any byte of what has happened is sent. ``lingering`` is how
    long they may take to deliver their last messages.
    """

    handler: Handler
    flusher: Flusher
    now: Callable[[], float]
    nursery: trio.Nursery
    commit: Callable[[], None]
    lingering: Lingering = field(default_factory=Lingering)


class Peer:
    """A connection from ``address``. ``session`` and ``generation`` say for whom it speaks once its hello is
    accepted.
    """

    def __init__(self, channel: Channel, ground: Ground, outbox_limit: int, address: str = "") -> None:
        self.address = address
        self._channel = channel
        self._ground = ground
        self._outbox = Outbox(outbox_limit)
        self._is_dirty = False
        self._is_writing = False
        self._write_done = trio.Event()
        self._reading = trio.CancelScope()
        self.connection = Connection(Role.SERVER)
        self.session: SessionId | None = None
        self.generation = 0
        self.opened_at = ground.now()
        self.heard_at = self.opened_at
        self.sent_at = self.opened_at
        self.pinged_at = self.opened_at
        self.described = 0
        """How often the client asked what the server is."""

    def __repr__(self) -> str:
        return f"<Peer session={self.session} {self.connection.state.value}>"

    # ------------------------------------------------------------ sending

    def send(self, message: Message) -> None:
        """Send a message by the rules of the connection; ``LocalProtocolError`` when they forbid it now."""
        self._put(self.connection.send(message))

    def send_frame(self, frame: bytes) -> None:
        """Send an encoded message, if the connection is open."""
        if self.connection.is_open:
            self._put(frame)

    def end(self, code: ErrorCode, message: str, *, is_resumable: bool = True) -> None:
        """Say why, in the form that the state of the connection allows, and close."""
        if self.connection.state in BEFORE_WELCOME:
            last: Message = Refused(
                code=code.value, message=message, protocol_min=PROTOCOL_VERSION, protocol_max=PROTOCOL_VERSION
            )
        else:
            last = Goodbye(code=code.value, message=message, resumable=is_resumable)
        self.end_with(last)

    def end_with(self, last: Message) -> None:
        """Send a last message, if one may still be sent, and close."""
        if self.connection.state is not State.CLOSED:
            self.send(last)
            self.flush()
        self._reading.cancel()

    def _put(self, frame: bytes) -> None:
        if self._reading.cancel_called:
            return
        outbox = self._outbox
        outbox.put(frame)
        if outbox.is_over_limit:
            # What waits cannot be delivered, so neither can a goodbye; the client may resume.
            logger.warning("event=slow_consumer session=%s bytes=%d", self.session, len(outbox))
            self._reading.cancel()
            return
        if not self._is_dirty and not self._is_writing:
            self._is_dirty = True
            self._ground.flusher.add(self)

    def flush(self) -> None:
        """Hand the kernel what it takes; if that is not all, leave the rest to a task that waits for it."""
        self._is_dirty = False
        if self._is_writing or not self._outbox:
            return
        try:
            self._send_some()
        except OSError:
            self._reading.cancel()
            return
        if self._outbox:
            self._is_writing = True
            self._write_done = trio.Event()
            self._ground.nursery.start_soon(self._write)

    def _send_some(self) -> None:
        self._ground.commit()
        while self._outbox:
            head = self._outbox.head()
            try:
                count = self._channel.send(head)
            except (BlockingIOError, InterruptedError):
                return
            self._outbox.sent(count)
            self.sent_at = self._ground.now()
            if count < len(head):
                return

    async def _write(self) -> None:
        try:
            while self._outbox:
                await self._channel.wait_writable()
                self._send_some()
        except (OSError, trio.ClosedResourceError):
            self._reading.cancel()
        finally:
            self._is_writing = False
            self._write_done.set()

    # ------------------------------------------------------------ receiving

    async def serve(self, linger_seconds: float = LINGER_SECONDS) -> None:
        """Read until the connection ends; then deliver what waits and close the socket."""
        try:
            with self._reading:
                await self._read()
            self._ground.handler.lost(self)
            with self._ground.lingering.scope(linger_seconds):
                await self._drain()
        finally:
            self._channel.close()

    async def _read(self) -> None:
        channel = self._channel
        while True:
            await channel.wait_readable()
            try:
                chunk = channel.recv(READ_SIZE)
            except (BlockingIOError, InterruptedError):
                continue
            except OSError:
                return
            if chunk:
                self.heard_at = self._ground.now()
            self.connection.receive_data(chunk)
            if not await self._handle_received():
                return

    async def _handle_received(self) -> bool:
        """Handle every whole frame. ``False`` when the connection is over."""
        handled = 0
        while True:
            try:
                event = self.connection.next_event()
            except RemoteProtocolError as fault:
                logger.info("event=protocol_fault session=%s code=%s", self.session, fault.code.value)
                self.end(fault.code, fault.message)
                return False
            if event is NEED_DATA:
                return True
            if isinstance(event, ConnectionClosed):
                return False
            if self.session is None and (pause := self._ground.handler.seconds_before(self, event)):
                await trio.sleep(pause)
            try:
                if isinstance(event, Ping):
                    self.send(Pong(nonce=event.nonce))
                # Pings and pongs too: whoever sends one has the welcome, and with it the new token.
                self._ground.handler.said(self, event)
            except Exception:
                # A fault in one handler must not take the server with it.
                logger.exception("event=handler_failed session=%s", self.session)
                self.end(ErrorCode.INTERNAL_ERROR, "the server has a fault; its log tells the host more")
                return False
            handled += 1
            if handled % FRAMES_BEFORE_YIELDING == 0:
                await trio.lowlevel.checkpoint()

    async def _drain(self) -> None:
        """Wait until the client has all, or has gone."""
        while self._outbox:
            if self._outbox.is_over_limit:
                return
            if self._is_writing:
                await self._write_done.wait()
                continue
            try:
                await self._channel.wait_writable()
                self._send_some()
            except OSError:
                return
        self._channel.finish()
        unread = 0
        while unread < UNREAD_LIMIT:
            await self._channel.wait_readable()
            try:
                chunk = self._channel.recv(READ_SIZE)
            except (BlockingIOError, InterruptedError):
                continue
            except OSError:
                return
            if not chunk:
                return
            unread += len(chunk)


def refuse_at_once(channel: Channel, code: ErrorCode, message: str) -> None:
    """Refuse a connection for which there is no room, without waiting for its hello, and close it."""
    refused = Refused(
        code=code.value, message=message, protocol_min=PROTOCOL_VERSION, protocol_max=PROTOCOL_VERSION
    )
    with contextlib.suppress(OSError):
        channel.send(encode(refused))
        channel.finish()
    channel.close()
