"""The full screen at a real terminal: played at, and left in every way with the terminal as it was."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from support.processes import ServerProcess, running_server
from support.real_terminal import CTRL_C, DOWN, ENTER, F10, RIGHT, RealTerminal, real_terminal

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--bot-delay", "0", "--turn-seconds", "0", "--name", "Majlis") as running:
        yield running


def sit_down(terminal: RealTerminal) -> None:
    """Open a table with three bots and be at one's first turn."""
    terminal.until_shown("No table is open yet")
    terminal.press("n")
    terminal.until_shown("A new table")
    terminal.press(DOWN + RIGHT * 3 + ENTER)
    terminal.until_shown("YOUR TURN")


def test_a_player_sits_down_and_leaves_with_f10_and_the_terminal_is_as_it_was(server: ServerProcess) -> None:
    with real_terminal("play", server.address, "--name", "Nour") as terminal:
        sit_down(terminal)
        terminal.press(F10)
        terminal.until_shown("Press F10 again")
        terminal.press(F10)
        terminal.until_shown("You left the table")
        terminal.press(F10)
        assert terminal.end() == 0
        assert terminal.faults() == []


def test_z01_ctrl_c_twice_leaves_with_the_seat_held_and_the_last_line_says_how_to_come_back(
    server: ServerProcess,
) -> None:
    with real_terminal("play", server.address, "--name", "Nour") as terminal:
        sit_down(terminal)
        terminal.press(CTRL_C)
        terminal.until_shown("Press Ctrl-C again")
        terminal.press(CTRL_C)
        assert terminal.end() == 130
        assert terminal.faults() == []
        assert "Your seat is held" in terminal.text()
        assert terminal.last_line().endswith(f"tarneeb play {server.address}")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_with_the_seat_held_and_the_terminal_as_it_was(
    server: ServerProcess, number: signal.Signals
) -> None:
    with real_terminal("play", server.address, "--name", "Nour") as terminal:
        sit_down(terminal)
        terminal.send(number)
        assert terminal.end() == 128 + number
        assert terminal.faults() == []
        assert terminal.last_line().endswith(f"tarneeb play {server.address}")


def test_a_closed_terminal_ends_the_program(server: ServerProcess) -> None:
    with real_terminal("play", server.address, "--name", "Nour") as terminal:
        sit_down(terminal)
        assert terminal.close() == 128 + signal.SIGHUP


def test_a_screen_that_waits_for_nothing_writes_nothing(server: ServerProcess) -> None:
    with real_terminal("play", server.address, "--name", "Nour") as terminal:
        sit_down(terminal)
        while terminal.read_on(0.3):
            pass  # the last of what the turn brought
        assert not terminal.read_on(1.5)
