"""What systemd hears of a server that it has started."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.processes import environment, server_command
from tarneeb_server.systemd import READY, VARIABLE, notify

SECONDS = 30.0


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a short name: an address of a Unix socket has room for a hundred bytes."""
    with tempfile.TemporaryDirectory(prefix="tarneeb-") as name:
        yield Path(name)


def listening(address: str) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    sock.bind(address)
    sock.settimeout(SECONDS)
    return sock


@pytest.mark.slow
def test_a_server_says_when_it_serves_and_when_it_stops(folder: Path) -> None:
    with listening(str(folder / "notify")) as heard:
        process = subprocess.Popen(
            server_command("--host", "127.0.0.1", "--port", "0"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment(), VARIABLE: str(folder / "notify")},
            text=True,
        )
        try:
            assert heard.recv(100) == b"READY=1"
            assert process.stdout is not None
            port = int(next(line for line in process.stdout if "tarneeb play" in line).rpartition(":")[2])
            socket.create_connection(("127.0.0.1", port), SECONDS).close()
            process.send_signal(signal.SIGTERM)
            assert heard.recv(100) == b"STOPPING=1"
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
            process.communicate()


def test_an_address_in_the_abstract_namespace_is_one_too() -> None:
    name = f"tarneeb-{os.getpid()}-{secrets.token_hex(4)}"
    with listening(f"\0{name}") as heard:
        assert notify(READY, {VARIABLE: f"@{name}"})
        assert heard.recv(100) == b"READY=1"


@pytest.mark.parametrize("given", [{}, {VARIABLE: ""}], ids=["unset", "empty"])
def test_nobody_is_told_when_systemd_did_not_start_the_server(
    given: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    assert not notify(READY, given)
    assert not caplog.records


@pytest.mark.parametrize("address", ["relative", "vsock:2:1", "/nowhere/notify", "/" + "x" * 200, "/a\0b"])
def test_an_address_that_nobody_hears_at_is_one_line_of_the_log(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert not notify(READY, {VARIABLE: address})
    assert "event=not_notified reason=" in caplog.text
