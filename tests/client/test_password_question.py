"""A server with a password asks for it at the terminal, as a process on a terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from support.processes import ServerProcess, client_command, environment, running_server

pytestmark = pytest.mark.slow
SECONDS = 60
QUESTION = b"The server has a password: "
ON_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    file = tmp_path_factory.mktemp("password") / "password.txt"
    file.write_text("open sesame\n", encoding="utf-8")
    with running_server("--password-file", str(file)) as running:
        yield running


def talk(server: ServerProcess, *turns: tuple[bytes, bytes]) -> tuple[int, bytes]:
    """Wait for each text and type its answer; the exit status and all that was shown."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ON_A_TERMINAL, *client_command("play", server.address, "--plain")],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**environment(), "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(terminal)
    shown = b""

    def read() -> bool:
        """Whether there was more."""
        nonlocal shown
        readable, _, _ = select.select([controller], [], [], max(0.0, deadline - time.monotonic()))
        assert readable, f"nothing more was shown than {shown!r}"
        try:
            chunk = os.read(controller, 65536)
        except OSError:  # how Linux tells that nobody has the terminal open any more
            return False
        shown += chunk
        return bool(chunk)

    try:
        deadline = time.monotonic() + SECONDS
        for text, answer in turns:
            while text not in shown:
                assert read(), f"{text!r} was not shown, but {shown!r}"
            os.write(controller, answer)
        while read():
            pass
        return process.wait(SECONDS), shown
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(controller)


def test_the_password_is_asked_for_and_not_shown(server: ServerProcess) -> None:
    status, shown = talk(server, (QUESTION, b"open sesame\r"), (b"Connected to", b"quit\r"))
    assert status == 0
    assert b"sesame" not in shown


@pytest.mark.parametrize(
    ("typed", "status", "said"),
    [
        (b"sesame\r", 1, b"this server has a password, and it is not this one"),
        (b"\r", 1, b"--password-file FILE"),
        (b"\x04", 1, b"--password-file FILE"),
        (b"\x03", 130, b""),
    ],
    ids=["wrong", "none", "Ctrl-D", "Ctrl-C"],
)
def test_a_wrong_password_or_none_ends_with_a_sentence(
    server: ServerProcess, typed: bytes, status: int, said: bytes
) -> None:
    ended, shown = talk(server, (QUESTION, typed))
    assert ended == status
    assert said in b" ".join(shown.split()), "whatever the width of the terminal breaks"
    assert b"Traceback" not in shown


def test_a_script_is_not_asked(server: ServerProcess) -> None:
    ended = subprocess.run(
        client_command("play", server.address),
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=environment(),
        check=False,
    )
    assert ended.returncode == 1
    assert "--password-file FILE" in ended.stderr
