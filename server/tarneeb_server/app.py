"""The shell: performs what the lobby asks for, on real sockets and a real clock."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from tarneeb_protocol.codec import BadMessage, encode
from tarneeb_protocol.connection import State
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import Describe, Goodbye, Hello, Message, Ping, Refused, Request
from tarneeb_server.about import about
from tarneeb_server.announce import announcement, lan_addresses
from tarneeb_server.channel import SocketChannel
from tarneeb_server.clocks import Clock, ServerTime
from tarneeb_server.descriptors import MOST_LINGERING, fitted
from tarneeb_server.effects import CancelTimer, Close, Effect, Log, Send, SetTimer, TimerKey
from tarneeb_server.gate import Gate, Guesses
from tarneeb_server.kept import KEEPS
from tarneeb_server.limits import REFUSALS_LOGGED, Bucket
from tarneeb_server.listener import accept, listen
from tarneeb_server.lobby import Lobby
from tarneeb_server.logs import LOGGER_NAME, format_event
from tarneeb_server.peer import LINGER_SECONDS, Flusher, Ground, Peer, refuse_at_once
from tarneeb_server.store import NoJournal

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    from tarneeb_server.channel import Channel
    from tarneeb_server.effects import SessionId
    from tarneeb_server.kept import Kept
    from tarneeb_server.settings import Settings
    from tarneeb_server.store import Journal, Store
    from tarneeb_server.tls import ServerTls

TURNED_AWAY_SECONDS = 0.5
"""How long a connection without a file descriptor of its own may take to read why."""
MOST_DESCRIBED = 8
"""Answers to ``describe`` on one connection: a client needs one."""
PULSE_SECONDS = 1.0
"""How often every connection is looked at for silence."""

STANDARD_INPUT = 0

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
        self.lobby = Lobby(settings, server_id)
        self._about = about(settings, server_id)
        self.clock: Clock[TimerKey] = Clock(self.time, self._fire)
        self.flusher = Flusher()
        self.peers: set[Peer] = set()
        self._by_session: dict[SessionId, Peer] = {}
        self._nursery = nursery
        self._journal = journal
        self._ground = Ground(self, self.flusher, self.time.now, nursery, journal.commit)
        self._all_gone = trio.Event()
        self._refusing = 0

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
        kept_out = self.gate.enter(address, now)
        if kept_out is not None:
            if self._refusals_logged.take(now):
                fields = (("code", kept_out.code.value), ("address", address), ("open", len(self.gate)))
                logger.warning("%s", format_event("kept_out", fields))
            self._refuse(channel, kept_out.code, kept_out.message)
            return
        peer = Peer(channel, self._ground, self.settings.outbox_kib * 1024, address)
        self.peers.add(peer)
        logger.debug("%s", format_event("connected", (("address", address),)))
        self._nursery.start_soon(self._serve_peer, peer)

    async def turn_away(self, channel: Channel) -> None:
        """Say to a connection for which the system has no file descriptor left that there is no room, and close
        it. It has one that was spared for this, so there is one at a time.
        """
        peer = Peer(channel, self._ground, self.settings.outbox_kib * 1024)
        peer.end(ErrorCode.SERVER_FULL, "there is no room for another connection now; try again in a while")
        await peer.serve(TURNED_AWAY_SECONDS)

    async def _serve_peer(self, peer: Peer) -> None:
        try:
            await peer.serve()
        finally:
            self.gate.leave(peer.address)

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
            await peer.serve()
        finally:
            self._refusing -= 1

    async def shut_down(self) -> None:
        """Say goodbye to everybody and wait until their connections are closed."""
        self._perform(self.lobby.shut_down())
        for peer in list(self.peers):
            peer.end(ErrorCode.SHUTDOWN, "the server is stopping", is_resumable=self.lobby.is_kept)
        with trio.move_on_after(LINGER_SECONDS + 1):
            while self.peers:
                self._all_gone = trio.Event()
                await self._all_gone.wait()

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
        self.peers.discard(peer)
        if not self.peers:
            self._all_gone.set()
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
            peer.send(self._about)

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


def write_ready_file(path: str, ready: dict[str, str | int]) -> None:
    """Write the line that scripts wait for; the file is there whole or not at all. ``OSError`` when it cannot
    be written.
    """
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(json.dumps(ready) + "\n")
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:  # named as the host named it, not as the temporary file
        raise OSError(error.errno, error.strerror, f"--ready-file: {path}") from None


async def run(
    settings: Settings, store: Store | None, tls: ServerTls | None, say: Callable[[str], None]
) -> None:
    """Listen, announce, serve until SIGINT or SIGTERM, say goodbye. Raises ``CannotListenError`` and
    ``OSError``.
    """
    fingerprint = None if tls is None else tls.fingerprint
    listening = listen(settings.host, settings.port)
    with contextlib.ExitStack() as stack:
        for sock in listening:
            stack.callback(sock.close)
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            port: int = listening[0].getsockname()[1]
            if settings.ready_file is not None:
                host = settings.host[0].strip("[]") if settings.host else "127.0.0.1"
                ready: dict[str, str | int] = {"host": host, "port": port, "name": settings.name}
                if fingerprint is not None:
                    ready["fingerprint"] = fingerprint
                write_ready_file(settings.ready_file, ready)
                stack.callback(Path(settings.ready_file).unlink, missing_ok=True)
            for text in announcement(
                settings.name, settings.host, port, [] if settings.host else lan_addresses(), fingerprint
            ):
                say(text)
            logger.info("%s", format_event("listening", (("port", port), ("name", settings.name))))
            if fingerprint is not None:
                logger.info("%s", format_event("tls", (("fingerprint", fingerprint),)))
            await _serve(settings, store, tls, listening, signals)
    logger.info("event=stopped")


async def _serve(
    settings: Settings,
    store: Store | None,
    tls: ServerTls | None,
    listening: Sequence[socket.socket],
    signals: AsyncIterator[int],
) -> None:
    settings, most_lingering = fitted(settings)
    async with trio.open_nursery() as connections, trio.open_nursery() as tasks:
        if store is None:
            app = App(settings, secrets.token_hex(8), connections, NoJournal(), most_lingering)
        else:
            app = App(settings, store.server_id, connections, store, most_lingering)
            app.restore(store.load())
        tasks.start_soon(app.run, listening, tls)
        if settings.until == "input-ends":
            tasks.start_soon(_stop_at_end_of_input)
        async for number in signals:
            logger.info("event=stopping signal=%s", signal.Signals(number).name)
            break
        for sock in listening:
            trio.lowlevel.notify_closing(sock)
        await app.shut_down()
        tasks.cancel_scope.cancel()
        connections.cancel_scope.cancel()


async def _stop_at_end_of_input() -> None:
    """Wait until nobody holds the other end of the standard input, then stop as at SIGTERM."""
    with contextlib.suppress(OSError):  # a terminal that is gone
        while await trio.to_thread.run_sync(os.read, STANDARD_INPUT, 4096, abandon_on_cancel=True):
            pass
    logger.info("event=input_ended")
    signal.raise_signal(signal.SIGTERM)
