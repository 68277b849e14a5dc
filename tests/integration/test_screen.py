"""The full screen at a real terminal: played at, and left in every way with the terminal as it was."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.processes import ServerProcess, client_command, running_server
from support.real_terminal import CTRL_C, DOWN, ENTER, F10, RIGHT, RealTerminal, real_terminal

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--bot-delay", "0", "--turn-seconds", "0", "--name", "Majlis") as running:
        yield running


def sit_down(terminal: RealTerminal) -> None:
    """Open a table with three bots, beside those that are held for others, and be at one's first turn."""
    terminal.until(lambda: "table" in terminal.rows()[0], "how many tables there are")
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


PLANTED = """
import asyncio, logging, os, sys, warnings
from tarneeb_client import at_screen
from tarneeb_client.__main__ import main

class Noisy(at_screen.AtTable):
    async def _follow(self, keeper):
        warnings.warn("PLANTED warning", RuntimeWarning)
        logging.getLogger("asyncio").warning("PLANTED log line")
        print("PLANTED print")
        print("PLANTED error", file=sys.stderr)
        os.write(2, b"PLANTED \\x1b[2J by a library\\n")
        await super()._follow(keeper)

at_screen.AtTable = Noisy
sys.exit(main(sys.argv[1:]))
"""


def test_nothing_that_is_written_past_the_screen_is_in_the_drawing_and_all_of_it_comes_after(
    server: ServerProcess,
) -> None:
    command = [sys.executable, "-c", PLANTED, "play", server.address, "--name", "Nour"]
    with real_terminal(command=command, PYTHONWARNINGS="default") as terminal:
        sit_down(terminal)
        assert b"PLANTED" not in terminal.raw
        terminal.press(CTRL_C)
        terminal.until_shown("Press Ctrl-C again")
        terminal.press(CTRL_C)
        assert terminal.end() == 130
        assert terminal.faults() == []
        for what in ("warning", "log line", "print", "error", "\u241b[2J by a library"):
            assert f"PLANTED {what}" in terminal.text()
        assert terminal.last_line().endswith(f"tarneeb play {server.address}")


READY = "ready$"


@contextmanager
def in_a_shell(server: ServerProcess, *arguments: str) -> Iterator[tuple[RealTerminal, Callable[[], str]]]:
    """The client as a shell's job; the second gives the terminal's modes as ``stty -a`` has them, in short."""
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("a shell with job control is needed: bash")
    with real_terminal(command=[shell, "--norc", "--noprofile", "-i"], PS1=f"{READY} ") as terminal:

        def modes() -> str:
            terminal.press("clear; stty -a | md5sum\r")
            terminal.until_shown("  -")
            return next(row for row in terminal.rows() if row.endswith("  -"))

        terminal.until_shown(READY)
        before = modes()
        terminal.press(
            f"clear; {shlex.join(client_command('play', server.address, '--name', 'Nour', *arguments))}\r"
        )

        def as_before() -> str:
            terminal.until_shown("Stopped")
            left_on = " ".join(terminal.faults())  # the shell has modes and a paste of its own
            assert not any(what in left_on for what in ("alternate", "mouse", "cursor")), left_on
            assert modes() == before
            return before

        yield terminal, as_before
        assert modes() == before
        terminal.press("exit\r")
        terminal.end()


def child_of(process: int) -> int:
    (child,) = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return int(child)


def interrupted_twice(terminal: RealTerminal) -> None:
    terminal.press(CTRL_C)
    terminal.until_shown("Press Ctrl-C again")
    terminal.press(CTRL_C)
    terminal.until_shown("Your seat is held")


def test_ctrl_z_gives_the_terminal_back_to_the_shell_and_fg_goes_on_at_the_table(server: ServerProcess) -> None:
    with in_a_shell(server) as (terminal, is_given_back):
        sit_down(terminal)
        terminal.press("\x1a")
        is_given_back()
        terminal.press("fg\r")
        terminal.until_shown("YOUR TURN", "first to 31")
        interrupted_twice(terminal)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the client in /proc")
@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_a_screen_that_is_stopped_from_outside_goes_on_whole_and_takes_keys(
    server: ServerProcess, number: signal.Signals
) -> None:
    with in_a_shell(server) as (terminal, is_given_back):
        sit_down(terminal)
        os.kill(child_of(terminal.process.pid), number)
        if number is signal.SIGTSTP:
            is_given_back()
        else:  # nothing can be put back then, and a shell does what it can
            terminal.until_shown("Stopped")
            terminal.press("clear\r")
        terminal.press("fg\r")
        terminal.until_shown("YOUR TURN", "first to 31")
        terminal.press("?")
        terminal.until_shown("Keys", "Esc close")
        terminal.press("\x1b")
        terminal.until_gone("Keys")
        interrupted_twice(terminal)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the client in /proc")
@pytest.mark.parametrize("how", ["Ctrl-Z", "SIGTSTP", "SIGSTOP"])
def test_the_input_line_can_be_stopped_and_goes_on(server: ServerProcess, how: str) -> None:
    with in_a_shell(server, "--lines") as (terminal, is_given_back):
        terminal.until_shown("Type help", "\n>")
        terminal.press("open Evening\r")
        terminal.until_shown("Sit down: join")
        terminal.press("join\r")
        terminal.until_shown("Rules:")
        while terminal.read_on(0.3):
            pass  # where the cursor is must not be asked, and then told to the shell
        if how == "Ctrl-Z":
            terminal.press("\x1a")
        else:
            os.kill(child_of(terminal.process.pid), signal.Signals[how])
        if how == "SIGSTOP":
            terminal.until_shown("Stopped")
            terminal.press("clear\r")
            terminal.until_gone("Stopped")
        else:
            is_given_back()
        terminal.press("fg\r")
        terminal.until_shown("tarneeb_client")  # the shell says what goes on
        terminal.press("hand\r")
        terminal.until_shown("You hold no cards now.")
        interrupted_twice(terminal)


def test_the_fingerprint_of_a_server_met_for_the_first_time_is_read_on_the_screen() -> None:
    with (
        running_server("--tls", "self-made") as secured,
        real_terminal("play", secured.address, "--name", "Nour") as terminal,
    ):
        assert secured.fingerprint is not None
        terminal.until_shown("Notice", secured.fingerprint, "Esc close")
        terminal.press(ENTER)
        terminal.until_shown("No table is open yet")
        terminal.press(F10)
        assert terminal.end() == 0
        assert terminal.faults() == []
        assert secured.fingerprint in terminal.text()
