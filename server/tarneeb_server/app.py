"""The shell: performs what the lobby asks for, on real sockets and a real clock."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import trio

from tarneeb_protocol.codec import BadMessage, encode
from tarneeb_protocol.connection import State
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import Describe, Goodbye, Hello, Message, Ping, Refused, Request
from tarneeb_server.about import about, version_text
from tarneeb_server.channel import SocketChannel
from tarneeb_server.clocks import Clock, ServerTime
from tarneeb_server.descriptors import MOST_LINGERING
from tarneeb_server.effects import CancelTimer, Close, Effect, Log, Send, SetTimer, Stop, TimerKey
from tarneeb_server.gate import Gate, Guesses, NotLetIn
from tarneeb_server.kept import KEEPS
from tarneeb_server.limits import REFUSALS_LOGGED, Bucket
from tarneeb_server.listener import accept
from tarneeb_server.lobby import Lobby
from tarneeb_server.logs import LOGGER_NAME, format_event
from tarneeb_server.peer import LINGER_SECONDS, Flusher, Ground, Peer, refuse_at_once
from tarneeb_server.presence import ban_text

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterable, Sequence

    from tarneeb_server.channel import Channel
    from tarneeb_server.effects import SessionId
    from tarneeb_server.kept import Kept
    from tarneeb_server.settings import Settings
    from tarneeb_server.status import Fields
    from tarneeb_server.store import Journal
    from tarneeb_server.tls import ServerTls

TURNED_AWAY_SECONDS = 0.5
"""How long a connection without a file descriptor of its own may take to read why."""
MOST_DESCRIBED = 8
"""Answers to ``describe`` on one connection: a client needs one."""
PULSE_SECONDS = 1.0
"""How often every connection is looked at for silence."""

logger = logging.getLogger(LOGGER_NAME)


class App:
    """A running server. ``journal`` has everything before anybody hears of it."""

    def __init__(
        self,
        settings: Settings,
        server_id: str,
        nursery: trio.Nursery,
        journal: Journal,
        most_lingering: int = MOST_LINGERING,
    ) -> None:
        self.settings = settings
        self.time = ServerTime()
        self.gate = Gate(settings)
        self._guesses = Guesses()
        self._refusals_logged = Bucket(REFUSALS_LOGGED, self.time.now())
        self._most_lingering = most_lingering
        self.lobby = Lobby(settings, server_id, archive=journal.archive)
        self.about = about(settings, server_id)
        self.clock: Clock[TimerKey] = Clock(self.time, self._fire)
        self.flusher = Flusher()
        self.peers: dict[Peer, None] = {}
        """In the order in which they came."""
        self._by_session: dict[SessionId, Peer] = {}
        self._nursery = nursery
        self._journal = journal
        self._ground = Ground(self, self.flusher, self.time.now, nursery, journal.commit)
        self._all_gone = trio.Event()
        self._serving = 0
        self._refusing = 0
        self._started_at = trio.current_time()
        self.addresses: tuple[str, ...] = ()
        """Where it listens, as people read it."""
        self.fingerprint: str | None = None
        """Of the certificate, if there is one."""
        self.stopping = trio.Event()
        """Set when it is to stop, by whatever."""

    def restore(self, kept: Kept) -> None:
        """Go on where the server stopped that kept this; before ``run``."""
        self._perform(self.lobby.restore(kept, self.time.now()))
        self._perform(self.lobby.restarted(self.time.now()))

    async def run(self, listening: Sequence[socket.socket], tls: ServerTls | None = None) -> None:
        """Serve until cancelled."""
        open_channel = SocketChannel if tls is None else tls.open_channel
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.clock.run)
            nursery.start_soon(self.flusher.run)
            nursery.start_soon(self._pulse)
            for sock in listening:
                nursery.start_soon(accept, sock, self.serve, self.turn_away, open_channel)

    def serve(self, channel: Channel, address: str) -> None:
        """Take in a new connection."""
        now = self.time.now()
        banned = self.lobby.bans.of_address(address)
        if banned is not None:
            self._keep_out(channel, address, NotLetIn(ErrorCode.BANNED, ban_text(banned, now)), now)
            return
        kept_out = self.gate.enter(address, now)
        if kept_out is not None:
            self._keep_out(channel, address, kept_out, now)
            return
        peer = Peer(channel, self._ground, self.settings.outbox_kib * 1024, address)
        self.peers[peer] = None
        logger.debug("%s", format_event("connected", (("address", address),)))
        self._nursery.start_soon(self._serve_peer, peer)

    def _keep_out(self, channel: Channel, address: str, kept_out: NotLetIn, now: float) -> None:
        if self._refusals_logged.take(now):
            fields = (("code", kept_out.code.value), ("address", address), ("open", len(self.gate)))
            logger.warning("%s", format_event("kept_out", fields))
        self._refuse(channel, kept_out.code, kept_out.message)

    async def turn_away(self, channel: Channel) -> None:
        """Say to a connection for which the system has no file descriptor left that there is no room, and close
        it. It has one that was spared for this, so there is one at a time.
        """
        peer = Peer(channel, self._ground, self.settings.outbox_kib * 1024)
        peer.end(ErrorCode.SERVER_FULL, "there is no room for another connection now; try again in a while")
        await peer.serve(TURNED_AWAY_SECONDS)

    async def _serve_peer(self, peer: Peer) -> None:
        try:
            await self._serve_to_end(peer)
        finally:
            self.gate.leave(peer.address)

    async def _serve_to_end(self, peer: Peer) -> None:
        self._serving += 1
        try:
            await peer.serve()
        finally:
            self._serving -= 1
            if not self._serving:
                self._all_gone.set()

    def _refuse(self, channel: Channel, code: ErrorCode, reason: str) -> None:
        if self._refusing >= self._most_lingering:
            refuse_at_once(channel, code, reason)
            return
        peer = Peer(channel, self._ground, self.settings.outbox_kib * 1024)
        peer.end(code, reason)
        self._nursery.start_soon(self._serve_refused, peer)

    async def _serve_refused(self, peer: Peer) -> None:
        self._refusing += 1
        try:
            await self._serve_to_end(peer)
        finally:
            self._refusing -= 1

    async def shut_down(self) -> None:
        """Say goodbye to everybody and wait until their connections are closed."""
        self._perform(self.lobby.shut_down())
        for peer in list(self.peers):
            peer.end(ErrorCode.SHUTDOWN, "the server is stopping", is_resumable=self.lobby.is_kept)
        with trio.move_on_after(LINGER_SECONDS + 1):
            while self._serving and not self._ground.lingering.is_over:
                self._all_gone = trio.Event()
                await self._all_gone.wait()

    def hurry(self) -> None:
        """Wait for nobody while it stops."""
        self._ground.lingering.hurry()
        self._all_gone.set()

    # ------------------------------------------------------------ what its host asks for

    def now(self) -> float:
        """The server's time in seconds."""
        return self.time.now()

    def stop(self, reason: str) -> None:
        """Begin to stop, unless it does already; ``reason`` is for the log."""
        if not self.stopping.is_set():
            logger.info("%s", format_event("stopping", (("reason", reason),)))
            self.stopping.set()

    def perform_all(self, effects: Sequence[Effect]) -> None:
        """Perform effects; what is to be kept is in the journal when this returns."""
        self._perform(effects)
        self._journal.commit()

    def status(self) -> Fields:
        """What the shell alone knows of the server."""
        settings = self.settings
        return {
            "name": settings.name,
            "version": version_text(),
            "pid": os.getpid(),
            "uptime_seconds": int(trio.current_time() - self._started_at),
            "addresses": list(self.addresses),
            "tls_fingerprint": self.fingerprint,
            "connections": len(self.peers),
            "max_connections": settings.max_connections,
            "journal": {
                "data_dir": settings.data_dir,
                "durability": None if settings.data_dir is None else settings.durability,
                "fault": self._journal.fault(),
            },
        }

    # ------------------------------------------------------------ what peers say

    def said(self, peer: Peer, message: Message | BadMessage) -> None:
        """A message of a peer, the hello too."""
        now = self.time.now()
        if peer.session is None:
            if isinstance(message, Describe):
                self._describe(peer)
                return
            assert isinstance(message, Hello)  # noqa: S101  (the connection lets nothing else come first)
            self._admit(peer, message, now)
            return
        if not self.lobby.is_current(peer.session, peer.generation):
            return
        self._perform(self.lobby.confirmed(peer.session))
        if isinstance(message, Request):
            self._perform(self.lobby.request(peer.session, message, now))
        elif isinstance(message, BadMessage):
            self._perform(self.lobby.bad_message(peer.session, message.to_error(), now))
        elif isinstance(message, Goodbye):
            self._perform(self.lobby.goodbye(peer.session, peer.generation, now))

    def seconds_before(self, peer: Peer, message: Message | BadMessage) -> float:
        """Passwords wait when there were wrong ones from their network."""
        if self.settings.password is None or not isinstance(message, Hello) or message.resume is not None:
            return 0.0
        return self._guesses.delay_seconds(peer.address, self.time.now())

    def lost(self, peer: Peer) -> None:
        """A connection has ended."""
        self.peers.pop(peer, None)
        if peer.session is None or self._by_session.get(peer.session) is not peer:
            return
        del self._by_session[peer.session]
        try:
            self._perform(self.lobby.disconnected(peer.session, peer.generation, self.time.now()))
        except Exception:
            logger.exception("event=disconnect_failed session=%s", peer.session)

    def _describe(self, peer: Peer) -> None:
        peer.described += 1
        if peer.described > MOST_DESCRIBED:
            peer.end(ErrorCode.RATE_LIMITED, f"a connection may ask for `about` {MOST_DESCRIBED} times")
        else:
            peer.send(self.about)

    def _admit(self, peer: Peer, hello: Hello, now: float) -> None:
        admission, effects = self.lobby.hello(hello, now, peer.address)
        if isinstance(admission, Refused):
            if admission.code == ErrorCode.WRONG_PASSWORD.value:
                self._guesses.wrong(peer.address, now)
            self._perform(effects)
            logger.info("%s", format_event("refused", (("code", admission.code),)))
            peer.end_with(admission)
            return
        self._keep(effects)
        before = self._by_session.get(admission.session)
        if before is not None:
            before.end(ErrorCode.SUPERSEDED, "another connection resumed this session", is_resumable=False)
        self._by_session[admission.session] = peer
        peer.session = admission.session
        peer.generation = admission.generation
        peer.send(admission.welcome)
        self._perform(effects)

    # ------------------------------------------------------------ what the lobby asks for

    def _fire(self, key: TimerKey) -> None:
        try:
            self._perform(self.lobby.fire(key, self.time.now()))
        except Exception:
            logger.exception("event=timer_failed kind=%s owner=%d", key.kind.value, key.owner)

    def _keep(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, KEEPS):
                self._journal.add(effect)

    def _perform(self, effects: Sequence[Effect]) -> None:
        # All of them first: whatever is sent, by a goodbye that cannot wait too, goes by way of a commit.
        self._keep(effects)
        for effect in effects:
            match effect:
                case Send(to, message):
                    self._send(to, message)
                case SetTimer(key, at):
                    self.clock.set(key, at)
                case CancelTimer(key):
                    self.clock.cancel(key)
                case Log(event, fields, is_detail):
                    level = logging.DEBUG if is_detail else logging.INFO
                    if logger.isEnabledFor(level):
                        logger.log(level, "%s", format_event(event, fields))
                case Stop(reason):
                    self.stop(reason)
                case Close(session, goodbye):
                    peer = self._by_session.get(session)
                    if peer is not None:
                        peer.end_with(goodbye)
                case _:
                    pass  # for the journal, which has it

    def _send(self, to: tuple[SessionId, ...], message: Message) -> None:
        by_session = self._by_session
        frame = b""
        for session in to:
            peer = by_session.get(session)
            if peer is not None:
                frame = frame or encode(message)
                peer.send_frame(frame)

    # ------------------------------------------------------------ silence

    async def _pulse(self) -> None:
        nonce = 0
        while True:
            await trio.sleep(PULSE_SECONDS)
            now = self.time.now()
            self._journal.commit()
            self.lobby.storage_fault = self._journal.fault()
            nonce += 1
            for peer in list(self.peers):
                self._look_at(peer, now, nonce)

    def _look_at(self, peer: Peer, now: float, nonce: int) -> None:
        settings = self.settings
        if peer.connection.state is State.HELLO and now - peer.opened_at >= settings.hello_seconds:
            peer.end(ErrorCode.HELLO_TIMEOUT, f"no hello came in {settings.hello_seconds} seconds")
        elif now - peer.heard_at >= settings.dead_seconds:
            peer.end(ErrorCode.IDLE, f"nothing was received for {settings.dead_seconds} seconds")
        elif peer.connection.is_open:
            # Heard, too: a client that only listens to a busy table is then asked before it counts as dead.
            quiet_since = max(min(peer.sent_at, peer.heard_at), peer.pinged_at)
            if now - quiet_since >= settings.ping_seconds:
                peer.pinged_at = now
                peer.send(Ping(nonce=nonce))
