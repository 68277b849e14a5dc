"""Sets that a server recorded, asked for by the command line of the real client."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.processes import client_command, environment, running_server


def replay(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        client_command("replay", *arguments),
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_a_set_is_listed_and_shown_from_the_server_that_recorded_it_after_a_restart_too(tmp_path: Path) -> None:
    options = ("--data-dir", str(tmp_path), "--bot-delay", "0", "--durability", "process")
    with running_server(*options) as server:
        empty = replay("--server", server.address)
        assert (empty.returncode, empty.stderr) == (0, "")
        assert empty.stdout == "No set that you may see has been played there yet.\n"
        played = subprocess.run(
            client_command("bot", server.address, "--count", "4", "--table", "Friends", "--name", "Rami"),
            capture_output=True,
            timeout=60,
            env=environment(),
            check=True,
        )
        assert played.stdout
    with running_server(*options) as server:
        listed = replay("--server", server.address)
        first, hint = listed.stdout.splitlines()
        assert first.startswith("1. ")
        assert "Friends: Rami" in first
        assert hint == f"See one: tarneeb replay 1 --server {server.address}"
        shown = replay("1", "--server", server.address)
        assert (shown.returncode, shown.stderr) == (0, "")
        lines = shown.stdout.splitlines()
        assert lines[0].startswith("Deal 1. ")
        assert lines[-1] == "Every pack is the one that was fixed before the cut."
        missing = replay("2", "--server", server.address)
        assert missing.returncode == 1
        assert "there is no recorded set 2 that you may see" in missing.stderr
        assert replay("two", "--server", server.address).returncode == 2
        assert replay().returncode == 2
