"""Listening: sockets for every address asked for, and the loop that accepts connections."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import socket
from typing import TYPE_CHECKING, Self

import trio

from tarneeb_server.channel import SocketChannel
from tarneeb_server.settings import DEFAULT_PORT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tarneeb_server.channel import Channel

BACKLOG = 512
"""Connections the kernel may hold before they are accepted: everybody comes back at once after a restart."""
TRIES_FOR_ONE_PORT = 20
"""Free ports tried until one is free in every family."""
SECONDS_WITHOUT_ROOM = 0.25
"""Pause when the system has no more file descriptors: trying again at once would only burn time."""

# Friends come from other machines: without --host every address of both families is listened on.
EVERY_ADDRESS = ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::"))  # noqa: S104

_NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_NO_SUCH_FAMILY = frozenset({errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT})

logger = logging.getLogger("tarneeb.server")


class CannotListenError(Exception):
    """An address cannot be listened on; the text says which, why, and what to do."""


def listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Listening sockets, all on one port, for ``hosts``, or for every address of both families when none is
    given.

    Port 0 is a free one. Raises ``CannotListenError``. Looks names up, so it may block: call it before serving.
    """
    for attempt in range(TRIES_FOR_ONE_PORT):
        try:
            return _listen_on(_addresses(hosts), port, is_every=not hosts)
        except OSError as error:
            if port == 0 and error.errno == errno.EADDRINUSE and attempt + 1 < TRIES_FOR_ONE_PORT:
                continue
            raise CannotListenError(_why(error, port)) from None
    raise AssertionError("unreachable")


def _addresses(hosts: Sequence[str]) -> list[tuple[socket.AddressFamily, str]]:
    if not hosts:
        return list(EVERY_ADDRESS)
    found: list[tuple[socket.AddressFamily, str]] = []
    for host in hosts:
        try:
            answers = socket.getaddrinfo(
                host.strip("[]"), None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        except (OSError, UnicodeError):
            raise CannotListenError(f"--host: {host!r} is no address or name of this machine") from None
        for family, _, _, _, address in answers:
            entry = (family, str(address[0]))
            if entry not in found:
                found.append(entry)
    return found


def _listen_on(
    addresses: Sequence[tuple[socket.AddressFamily, str]], port: int, *, is_every: bool
) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    try:
        for family, host in addresses:
            try:
                listening = _listening_socket(family, host, port)
            except OSError as error:
                # A machine without IPv6 (or without IPv4) is served in the family it has.
                if is_every and error.errno in _NO_SUCH_FAMILY and (sockets or family is socket.AF_INET):
                    continue
                error.filename = None if is_every else host
                raise
            sockets.append(listening)
            port = listening.getsockname()[1]
    except BaseException:
        for opened in sockets:
            opened.close()
        raise
    if not sockets:
        raise OSError(errno.EADDRNOTAVAIL, "this machine has no network address")
    return sockets


def _listening_socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setblocking(False)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def _why(error: OSError, port: int) -> str:
    """``error.filename`` is the address of several that cannot be listened on, where one was asked for."""
    host = error.filename
    where = f"port {port}" + (f" on {host}" if host else "")
    if error.errno == errno.EADDRINUSE:
        other = DEFAULT_PORT + 1 if port == DEFAULT_PORT else DEFAULT_PORT
        return (
            f"{where} is in use, perhaps by another tarneeb-server. Stop that one, or choose another port:"
            f" --port {other}, or --port 0 for any that is free"
        )
    if error.errno == errno.EACCES:
        return (
            f"{where} may not be used by this account; choose one from 1024 up, such as --port {DEFAULT_PORT}"
        )
    if error.errno == errno.EADDRNOTAVAIL and host:
        return f"--host: {host} is not an address of this machine"
    return f"cannot listen on {where}: {error.strerror}"


async def accept(
    listening: socket.socket,
    serve: Callable[[Channel, str], None],
    turn_away: Callable[[Channel], Awaitable[None]],
    open_channel: Callable[[socket.socket], Channel] = SocketChannel,
) -> None:
    """Accept connections until ``listening`` is closed; ``serve`` gets a channel on each, and the address
    that it comes from. ``turn_away`` gets those for which the system has no file descriptor: it says so and
    closes them.
    """
    is_out_of_room = False
    with SpareDescriptor() as spare:
        while True:
            try:
                await trio.lowlevel.wait_readable(listening)
            except trio.ClosedResourceError:
                return
            spare.hold()
            try:
                sock, address = listening.accept()
            except OSError as error:
                if error.errno in _NO_ROOM:
                    if not is_out_of_room:
                        logger.warning("event=cannot_accept reason=%s", errno.errorcode[error.errno or 0])
                    is_out_of_room = True
                    await _turn_one_away(listening, spare, turn_away, open_channel)
                # Anything else is the fault of that one connection, which has gone already.
                continue
            if is_out_of_room:
                logger.warning("event=accepts_again")
            is_out_of_room = False
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            serve(open_channel(sock), str(address[0]))


async def _turn_one_away(
    listening: socket.socket,
    spare: SpareDescriptor,
    turn_away: Callable[[Channel], Awaitable[None]],
    open_channel: Callable[[socket.socket], Channel],
) -> None:
    spare.give_up()
    try:
        sock, _ = listening.accept()
    except OSError:
        # Somebody else took it, or it is not descriptors that are short.
        await trio.sleep(SECONDS_WITHOUT_ROOM)
        return
    await turn_away(open_channel(sock))


class SpareDescriptor:
    """A file descriptor that is kept for the moment when there is no other."""

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        self.hold()
        return self

    def __exit__(self, *_: object) -> None:
        self.give_up()

    def hold(self) -> None:
        """Have it again, if there is one."""
        if self._descriptor is None:
            with contextlib.suppress(OSError):
                self._descriptor = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)

    def give_up(self) -> None:
        """Leave it to whoever opens something next."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
