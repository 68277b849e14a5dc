"""A full screen that the server ends: the terminal as it was, and a last line that says what happened."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from support import host, processes
from support.plain_wire import PlainWire
from support.processes import running_server
from support.real_terminal import DOWN, ENTER, F10, RIGHT, RealTerminal, real_terminal
from tarneeb_client.kept_session import HEADER, from_bytes

pytestmark = pytest.mark.slow

QUICK = ("--bot-delay", "0", "--turn-seconds", "0", "--name", "Majlis")


@pytest.fixture(autouse=True)
def runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime directory of this test alone."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(processes, "runtime_folder", folder)


def sit_down(terminal: RealTerminal) -> None:
    terminal.until_shown("No table is open yet")
    terminal.press("n")
    terminal.until_shown("A new table")
    terminal.press(DOWN + RIGHT * 3 + ENTER)
    terminal.until_shown("YOUR TURN")


def test_who_is_removed_by_the_host_reads_it_as_the_last_line() -> None:
    with running_server(*QUICK) as server, real_terminal("play", server.address, "--name", "Nour") as terminal:
        sit_down(terminal)
        host.done("kick", "Nour")
        assert terminal.end() == 1
        assert terminal.faults() == []
        assert "(kicked)" in terminal.last_line()


async def test_whose_seat_was_taken_over_reads_it_as_the_last_line(tmp_path: Path) -> None:
    state = str(tmp_path)
    with (
        running_server(*QUICK) as server,
        real_terminal("play", server.address, "--name", "Nour", XDG_STATE_HOME=state) as terminal,
    ):
        sit_down(terminal)
        files = [path.read_bytes() for path in (tmp_path / "tarneeb" / "sessions").iterdir()]
        (kept,) = [from_bytes(content) for content in files if content.startswith(HEADER)]
        async with await PlainWire.connect(server.host, server.port) as other:
            await other.hello("Nour", resume=kept.token)
            assert terminal.end() == 1
        assert terminal.faults() == []
        assert "another client took over this seat" in terminal.last_line()


def test_z01_a_server_that_is_killed_and_stays_away_is_told_until_the_player_leaves() -> None:
    with (
        running_server(*QUICK, "--grace-seconds", "2") as server,
        real_terminal("play", server.address, "--name", "Nour") as terminal,
    ):
        sit_down(terminal)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        terminal.until_shown("LINK LOST", "! The time for which")
        terminal.press(F10)
        terminal.until_shown("Press F10 again")
        terminal.press(F10)
        assert terminal.end() == 0
        assert terminal.faults() == []
        told = terminal.text().replace("\n  ", " ")
        assert "The link was lost (no server listens there)." in told
        assert told.rstrip().endswith(f"tarneeb play {server.address}")
