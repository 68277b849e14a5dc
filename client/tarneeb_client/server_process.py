"""A private server as a process of its own, on loopback, for the length of a block."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread

from tarneeb_client.addresses import Address
from tarneeb_client.language import _

START_SECONDS = 30.0
"""How long the server may take to listen on a busy machine."""
STOP_SECONDS = 10.0
"""How long it may take to end when asked, before it is killed."""
POLL_SECONDS = 0.02


class ServerFailed(Exception):
    """The private server did not start; the text says why."""


@asynccontextmanager
async def private_server(*arguments: str) -> AsyncIterator[Address]:
    """Start ``tarneeb-server`` on a free loopback port and yield its address; end it whatever happens.

    Raises ``ServerFailed``. It runs in a session of its own, so that Ctrl-C at the terminal reaches this
    process alone, which then ends it in order. If this process is killed, the pipe to the server's input ends,
    and the server with it. No command of a host finds it.
    """
    with tempfile.TemporaryDirectory(prefix="tarneeb-") as folder:
        ready_file, log = Path(folder, "ready.json"), Path(folder, "server.log")
        command = [sys.executable, "-m", "tarneeb_server", "--host", "127.0.0.1", "--port", "0"]
        command += ["--ready-file", str(ready_file), "--until", "input-ends", "--control", "off", *arguments]
        process = _start(command, log)
        try:
            yield await _address(process, ready_file, log)
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)


def _start(command: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(  # noqa: S603  (our own interpreter, our own arguments)
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=output, start_new_session=True
        )


async def _address(process: subprocess.Popen[bytes], ready_file: Path, log: Path) -> Address:
    deadline = anyio.current_time() + START_SECONDS
    while (address := _read_ready(ready_file)) is None:
        if process.poll() is not None:
            fault = _("the private server ended with status {status}: {reason}")
            raise ServerFailed(fault.format(status=process.returncode, reason=_last_line(log)))
        if anyio.current_time() > deadline:
            fault = _("the private server does not listen after {seconds} s: {reason}")
            raise ServerFailed(fault.format(seconds=f"{START_SECONDS:.0f}", reason=_last_line(log)))
        await anyio.sleep(POLL_SECONDS)
    return address


def _read_ready(ready_file: Path) -> Address | None:
    """What the server wrote, in one piece, once it listened."""
    if not ready_file.exists():
        return None
    ready = json.loads(ready_file.read_text(encoding="utf-8"))
    return Address(str(ready["host"]), int(ready["port"]))


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else _("it said nothing")


async def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
    assert process.stdin is not None  # noqa: S101  (a pipe, by _start)
    process.stdin.close()
    await anyio.to_thread.run_sync(_wait_or_kill, process)


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
