"""The host's commands as processes, for a server under test."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from support import processes

COMMAND_SECONDS = 60.0
"""How long a command may take on a machine that is busy with other tests; ``stop`` waits 30 by itself."""


def command(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``tarneeb-server`` with these arguments to its end."""
    finished = subprocess.run(
        processes.server_command(*arguments),
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        env={**processes.environment(), **variables},
        check=False,
    )
    assert "Traceback" not in finished.stderr, finished.stderr
    return finished


def done(*arguments: str) -> str:
    """What a command that was carried out printed."""
    finished = command(*arguments)
    assert (finished.returncode, finished.stderr) == (0, ""), finished
    return finished.stdout


def not_done(*arguments: str) -> str:
    """What a command that could not be carried out said."""
    finished = command(*arguments)
    assert (finished.returncode, finished.stdout) == (1, ""), finished
    assert finished.stderr.startswith("tarneeb-server: ")
    return finished.stderr.removeprefix("tarneeb-server: ").rstrip("\n")


def status(port: int) -> dict[str, Any]:
    """The status of the server that listens on this port."""
    shown: dict[str, Any] = json.loads(done("status", "--json", "--port", str(port)))
    return shown
