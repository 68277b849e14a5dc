"""The stream of bytes under a connection: it never blocks, and tells when to try again."""

from __future__ import annotations

import contextlib
import socket
from typing import Protocol

import trio


class Channel(Protocol):
    """A stream to one client. One task reads, one may write at the same time."""

    def recv(self, size: int) -> bytes:
        """At most ``size`` bytes that have come; none at the end of the stream. Raises ``BlockingIOError`` when
        there is nothing yet, ``OSError`` when the stream is broken.
        """

    def send(self, chunk: bytes) -> int:
        """Take some bytes of ``chunk``, at least one, and say how many. Raises ``BlockingIOError`` when none
        can be taken now, ``OSError`` when the stream is broken.
        """

    async def wait_readable(self) -> None:
        """Until ``recv`` is worth trying; a checkpoint always."""

    async def wait_writable(self) -> None:
        """Until ``send`` is worth trying; a checkpoint always."""

    def finish(self) -> None:
        """Say that nothing more will be sent."""

    def close(self) -> None:
        """Be done with it. Whoever waits gets ``trio.ClosedResourceError``."""


class SocketChannel:
    """A TCP socket, used directly."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock
        self.recv = sock.recv
        self.send = sock.send

    async def wait_readable(self) -> None:
        """See ``Channel``."""
        await trio.lowlevel.wait_readable(self._sock)

    async def wait_writable(self) -> None:
        """See ``Channel``."""
        await trio.lowlevel.wait_writable(self._sock)

    def finish(self) -> None:
        """See ``Channel``."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """See ``Channel``."""
        trio.lowlevel.notify_closing(self._sock)
        self._sock.close()
