"""Listening and accepting."""

from __future__ import annotations

import errno
import socket
import sys

import pytest
import trio
import trio.testing

from tarneeb_server.channel import Channel
from tarneeb_server.listener import SECONDS_WITHOUT_ROOM, CannotListenError, accept, listen


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_all_addresses_are_on_one_port_and_brackets_are_understood() -> None:
    listening = listen(("127.0.0.1", "[::1]"), 0)
    try:
        assert len({sock.getsockname()[1] for sock in listening}) == 1
        assert [sock.family for sock in listening] == [socket.AF_INET, socket.AF_INET6]
    finally:
        for sock in listening:
            sock.close()


def test_n05_a_machine_without_ipv6_is_served_over_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket

    def without_ipv6(family: int = socket.AF_INET, kind: int = socket.SOCK_STREAM) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return real(family, kind)

    monkeypatch.setattr("tarneeb_server.listener.socket.socket", without_ipv6)
    # Every address is asked for as a host would get it, but on loopback, where tests belong.
    monkeypatch.setattr(
        "tarneeb_server.listener.EVERY_ADDRESS", ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
    )
    (only,) = listen((), 0)
    with only:
        assert only.family == socket.AF_INET
    with pytest.raises(CannotListenError):
        listen(("127.0.0.1", "::1"), 0)


@pytest.mark.parametrize("port", [0, 1])
def test_an_address_of_another_machine_is_refused_with_its_name(port: int) -> None:
    with pytest.raises(CannotListenError, match=r"192\.0\.2\.1"):
        listen(("192.0.2.1",), port)


@pytest.mark.skipif(sys.platform != "linux", reason="the whole of 127.0.0.0/8 is loopback on Linux alone")
def test_a_failed_start_leaves_no_socket_behind() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotListenError, match="is in use"):
            listen(("127.0.0.2", "127.0.0.1"), port)
        # The first address was free, was taken, and is free again.
        with socket.socket() as again:
            again.bind(("127.0.0.2", port))


class FullSocket(socket.socket):
    """A listening socket of a system that has no room, whatever is given up for it."""

    tries = 0

    def accept(self) -> tuple[socket.socket, object]:
        self.tries += 1
        raise OSError(errno.ENFILE, "Too many open files in system")


async def test_c10_a_server_that_finds_no_room_at_all_tries_a_few_times_a_second(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def turn_away(channel: Channel) -> None:
        raise AssertionError("nothing was accepted")

    def serve(channel: Channel, address: str) -> None:
        raise AssertionError("nothing was accepted")

    with FullSocket() as listening, socket.socket() as waiting:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.setblocking(False)
        waiting.connect(listening.getsockname())
        with trio.move_on_after(10):
            await accept(listening, serve, turn_away)
        # Each time without the spare descriptor too.
        assert listening.tries == pytest.approx(2 * 10 / SECONDS_WITHOUT_ROOM, abs=4)
