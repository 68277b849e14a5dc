"""Listening and accepting."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from support.plain_wire import PlainWire
from support.processes import environment
from tarneeb_server.listener import CannotListenError, listen


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


@pytest.mark.slow
def test_c10_a_server_out_of_file_descriptors_recovers(tmp_path: Path) -> None:
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40));"
        "from tarneeb_server.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    log = tmp_path / "log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-c", script, "--host", "127.0.0.1", "--port", "0", "--log-level", "debug"],
            stdout=subprocess.PIPE,
            stderr=stream,
            text=True,
            env=environment(),
        )
    assert process.stdout is not None
    try:
        port = int([process.stdout.readline() for _ in range(4)][-1].rsplit(":", 1)[1])
        with contextlib.ExitStack() as crowd:
            for _ in range(60):
                crowd.enter_context(socket.create_connection(("127.0.0.1", port)))
            deadline = time.monotonic() + 30
            while "cannot_accept" not in log.read_text():
                assert time.monotonic() < deadline
                time.sleep(0.02)
        assert trio.run(answer_to_hello, port) == "welcome"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert "Traceback" not in log.read_text()
        assert log.read_text().count("cannot_accept") < 10
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def answer_to_hello(port: int) -> str:
    with trio.fail_after(30):
        async with await PlainWire.connect("127.0.0.1", port) as client:
            return str((await client.hello("Late"))["type"])
