"""TLS over a TCP socket, as a channel.

OpenSSL works on memory: what comes from the socket is given to it, what it has to say is handed to the kernel.
Nothing waits but ``wait_readable`` and ``wait_writable``, so a client that takes its time with the handshake
holds up nobody, and whoever owns the channel limits that time as it limits the time of a hello.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
import ssl
from typing import TYPE_CHECKING

import trio

from tarneeb_server.logs import LOGGER_NAME, format_event

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

HANDSHAKE_RECORD = 0x16
"""First byte of everything that speaks TLS. A plain client begins with the length of a frame, which is 0."""
READ_SIZE = 16 * 1024
"""Bytes taken from the socket at once: about a record of the longest kind."""
MOST_OF_A_HANDSHAKE = 16 * 1024
"""Bytes of a client before its handshake is over. One with keys against quantum computers has two thousand."""
MOST_ENCRYPTED = 64 * 1024
"""Bytes encrypted before the kernel has taken them: the longest frame."""
MOST_UNSENT = 2 * MOST_ENCRYPTED
"""Bytes that wait for the kernel beyond which a client is cut off: one that makes OpenSSL answer and reads no
answer."""

logger = logging.getLogger(LOGGER_NAME)


class TlsChannel:
    """A TLS connection to one client. ``plain_answer`` is what a client gets that does not speak TLS.

    After ``send`` has raised ``BlockingIOError``, the next chunk has to begin as that one did: bytes that are
    encrypted already and not yet with the kernel count as waiting with the caller.
    """

    def __init__(self, sock: socket.socket, context: ssl.SSLContext, plain_answer: bytes) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._plain_answer = plain_answer
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._is_established = False
        self._received = 0
        """Bytes of the handshake."""
        self._unsent = b""
        """Encrypted, and not yet with the kernel."""
        self._encrypted = 0
        """Bytes of the caller's chunk that are encrypted, and not yet reported as sent."""
        self._is_deaf = False
        """What comes is thrown away by whoever drains the channel; it may no longer be TLS."""
        self._is_mute = False
        self._readable = _Watch(sock, trio.lowlevel.wait_readable)
        self._writable = _Watch(sock, trio.lowlevel.wait_writable)

    # ---------------------------------------------------------------- as a Channel

    def recv(self, size: int) -> bytes:
        """See ``Channel``. A stream that ends without TLS's own end has ended: the frames tell whether all was
        said.
        """
        if self._is_deaf:
            return self._sock.recv(size)
        try:
            self._shake_hands()
            chunk = self._decrypted(size)
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            self._is_deaf = True
            return b""
        except _SpeaksPlainError:
            self._answer_in_plain()
            return b""
        except ssl.SSLError as error:
            self._fail(error)
            raise
        self._send_own()
        return chunk

    def send(self, chunk: bytes) -> int:
        """See ``Channel``."""
        if self._is_mute:
            raise BrokenPipeError(errno.EPIPE, "nothing can be sent on this connection any more")
        try:
            self._shake_hands()
            if not self._encrypted:
                self._encrypted = self._tls.write(chunk[:MOST_ENCRYPTED])
            self._flush()
        except _SpeaksPlainError:
            self._answer_in_plain()
            raise BrokenPipeError(errno.EPIPE, "the client does not speak TLS") from None
        except ssl.SSLEOFError:
            self._is_deaf = self._is_mute = True
            raise
        except ssl.SSLError as error:
            self._fail(error)
            raise
        count, self._encrypted = self._encrypted, 0
        return count

    async def wait_readable(self) -> None:
        """See ``Channel``."""
        if self._is_deaf:
            await self._readable.wait()
        elif not self._is_established:
            await self._wait_for_handshake()
        elif self._has_more():
            await trio.lowlevel.checkpoint()
        else:
            await self._readable.wait()

    async def wait_writable(self) -> None:
        """See ``Channel``."""
        if self._is_established or self._is_mute:
            await self._writable.wait()
        else:
            await self._wait_for_handshake()

    def finish(self) -> None:
        """See ``Channel``."""
        if self._is_established and not self._is_mute:
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()
            with contextlib.suppress(OSError):
                self._flush()
        self._is_deaf = self._is_mute = True
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """See ``Channel``."""
        self._is_deaf = self._is_mute = True
        trio.lowlevel.notify_closing(self._sock)
        self._sock.close()

    # ---------------------------------------------------------------- handshake

    def _shake_hands(self) -> None:
        """Go on with the handshake as far as the bytes reach. Raises ``BlockingIOError`` until it is over."""
        while not self._is_established:
            self._flush()
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self._flush()
                self._take_in()
            else:
                self._flush()
                self._is_established = True

    async def _wait_for_handshake(self) -> None:
        """Until the handshake can go on: what the client needs for its next step comes first."""
        await (self._writable if self._unsent else self._readable).wait()

    def _answer_in_plain(self) -> None:
        self._is_deaf = self._is_mute = True
        logger.info("%s", format_event("refused", (("code", "tls_required"), ("address", self._address()))))
        with contextlib.suppress(OSError):
            self._sock.send(self._plain_answer)

    def _fail(self, error: ssl.SSLError) -> None:
        """Be done with a client that breaks TLS; OpenSSL has an alert for it."""
        self._is_deaf = self._is_mute = True
        # An error that OpenSSL did not make has no reason, but a text.
        reason = (getattr(error, "reason", None) or error.strerror or "unknown").lower()
        # By an alert a client says that it gave up: one that looks whether an authority vouches for the
        # certificate, finds none, and comes again.
        level = logging.DEBUG if "alert" in reason else logging.INFO
        logger.log(level, "%s", format_event("tls_failed", (("address", self._address()), ("reason", reason))))
        with contextlib.suppress(OSError):
            self._flush()

    def _address(self) -> str | None:
        try:
            return str(self._sock.getpeername()[0])
        except OSError:
            return None

    # ---------------------------------------------------------------- bytes

    def _decrypted(self, size: int) -> bytes:
        if not self._has_more():
            self._take_in()  # to be told that there is nothing costs more than to look first
        while True:
            try:
                return self._tls.read(size)
            except ssl.SSLWantReadError:
                self._take_in()

    def _has_more(self) -> bool:
        """Whether there are bytes to read, or to decrypt, that the socket need not bring."""
        return bool(self._tls.pending() or self._incoming.pending)

    def _take_in(self) -> None:
        """Give OpenSSL what has come. Raises ``BlockingIOError`` when nothing has."""
        chunk = self._sock.recv(READ_SIZE)
        if not chunk:
            self._incoming.write_eof()
            return
        if not self._is_established:
            if not self._received and chunk[0] != HANDSHAKE_RECORD:
                raise _SpeaksPlainError
            self._received += len(chunk)
            if self._received > MOST_OF_A_HANDSHAKE:
                raise ssl.SSLError(ssl.SSL_ERROR_SSL, "handshake_too_long")
        self._incoming.write(chunk)

    def _flush(self) -> None:
        """Hand the kernel all that is encrypted. Raises ``BlockingIOError`` when it does not take all."""
        if self._outgoing.pending:
            self._unsent += self._outgoing.read()
        while self._unsent:
            count = self._sock.send(self._unsent)
            self._unsent = self._unsent[count:]

    def _send_own(self) -> None:
        """Send what OpenSSL answers by itself; what the kernel does not take goes with the next frame."""
        if not self._outgoing.pending:
            return
        try:
            self._flush()
        except BlockingIOError:
            if len(self._unsent) > MOST_UNSENT:
                raise BrokenPipeError(errno.EPIPE, "the client reads none of the answers of TLS") from None


class _SpeaksPlainError(Exception):
    """The first byte is not one of TLS."""


class _Watch:
    """Waits for a socket on behalf of several tasks, of which trio would let only one. Each returns when there
    is something to try, or when the one that waited for all has gone away.
    """

    def __init__(self, sock: socket.socket, wait: Callable[[socket.socket], Awaitable[None]]) -> None:
        self._sock = sock
        self._wait = wait
        self._is_waiting = False
        self._others = trio.lowlevel.ParkingLot()

    async def wait(self) -> None:
        if self._is_waiting:
            await self._others.park()
            if self._sock.fileno() < 0:
                raise trio.ClosedResourceError("the channel was closed")
            return
        self._is_waiting = True
        try:
            await self._wait(self._sock)
        finally:
            self._is_waiting = False
            self._others.unpark_all()
