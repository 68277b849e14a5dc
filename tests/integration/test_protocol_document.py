"""The client that ``docs/protocol.md`` shows, run as it stands against a real server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.document import PROTOCOL_DOCUMENT, fenced
from support.processes import environment, running_server


@pytest.mark.slow
def test_the_client_in_one_evening_plays_a_set_to_its_end(tmp_path: Path) -> None:
    (source,) = fenced(PROTOCOL_DOCUMENT.read_text(encoding="utf-8"), "python")
    program = tmp_path / "evening.py"
    program.write_text(source, encoding="utf-8")
    with running_server("--bot-delay", "0", "--name", "Majlis", "--seed-for-tests", "7") as server:
        finished = subprocess.run(
            [sys.executable, str(program), server.host, str(server.port)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
            env=environment(),
        )
    assert finished.stderr == ""
    assert finished.returncode == 0
    first, *deals, last = finished.stdout.splitlines()
    assert first == "called Layla on Majlis"
    assert deals
    assert all(re.fullmatch(r"deal \d+ scores -?\d+ -?\d+", deal) for deal in deals)
    assert re.fullmatch(r"team [01] won -?\d+ -?\d+", last)
