"""The real programs as processes, as a user starts them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 30.0
"""How long a server may take to listen on a machine that is busy with other tests."""


@dataclass(frozen=True)
class ServerProcess:
    """A running ``tarneeb-server`` and where it listens. ``log`` is the file that gets its standard error."""

    process: subprocess.Popen[bytes]
    host: str
    port: int
    name: str
    log: Path
    fingerprint: str | None = None
    """Of its certificate, if it has TLS."""

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def stop(self, number: signal.Signals = signal.SIGTERM, timeout: float = 20.0) -> int:
        """Send the signal, wait for the end and return the exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout)


_homes = tempfile.TemporaryDirectory(prefix="tarneeb-state-")
_numbers = itertools.count(1)
runtime_folder = Path(_homes.name) / "run"
"""Where servers under test register, so that they are no servers of the person who runs the tests."""
runtime_folder.mkdir()


def environment() -> dict[str, str]:
    """This process's environment, with output unbuffered and warnings of the programs as errors, in English.

    Each call has empty directories of its own for state and preferences: what a client keeps there is for no
    other, unless a test gives both the same environment.
    """
    home = Path(_homes.name) / str(next(_numbers))
    of_a_person = ("TARNEEB_", "LC_", "LANG", "NO_COLOR", "COLORFGBG")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(of_a_person)},
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "error",
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_RUNTIME_DIR": str(runtime_folder),
    }


def server_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tarneeb_server", *arguments]


def client_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tarneeb_client", *arguments]


@contextlib.contextmanager
def running_server(*arguments: str) -> Iterator[ServerProcess]:
    """A server on loopback at a free port; killed at the end if it still runs."""
    with tempfile.TemporaryDirectory() as folder:
        ready_file = Path(folder) / "ready.json"
        log = Path(folder) / "server.log"
        command = server_command(
            "--host", "127.0.0.1", "--port", "0", "--ready-file", str(ready_file), *arguments
        )
        with log.open("wb") as log_stream:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log_stream, env=environment())
        try:
            ready = _wait_until_ready(process, ready_file, log)
            fingerprint = ready.get("fingerprint")
            yield ServerProcess(
                process,
                str(ready["host"]),
                int(ready["port"]),
                str(ready["name"]),
                log,
                None if fingerprint is None else str(fingerprint),
            )
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], ready_file: Path, log: Path) -> dict[str, str | int]:
    deadline = time.monotonic() + START_SECONDS
    while not ready_file.exists():
        if process.poll() is not None:
            raise AssertionError(f"the server ended with {process.returncode}: {log.read_text()}")
        if time.monotonic() > deadline:
            raise AssertionError(f"the server does not listen after {START_SECONDS} s: {log.read_text()}")
        time.sleep(0.01)
    parsed: dict[str, str | int] = json.loads(ready_file.read_text(encoding="utf-8"))
    return parsed


def _start(command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(),
    )


@contextlib.contextmanager
def processes(commands: Sequence[Sequence[str]]) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes with piped text output; whichever still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []
    try:
        started.extend(_start(command) for command in commands)
        yield started
    finally:
        for process in started:
            if process.poll() is None:
                process.kill()
            process.communicate()
