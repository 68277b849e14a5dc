"""The full screen at a terminal: typed keys in, the screen read by a terminal emulator."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from support.desk_talk import DeskTalk, sitting_down
from support.lobby_driver import LobbyDriver
from support.pretended_terminal import PretendedTerminal, pretended_terminal
from tarneeb_client.screens.choices import choices

ALTERNATE_SCREEN, MAIN_SCREEN = "\x1b[?1049h", "\x1b[?1049l"


def run(
    talk: DeskTalk, use: Callable[[PretendedTerminal], Awaitable[None]], columns: int = 80, lines: int = 24
) -> PretendedTerminal:
    """Use the desk at a terminal; any exception in a key or the drawing is raised."""
    failed: list[BaseException | str] = []

    async def main() -> PretendedTerminal:
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: failed.append(context.get("exception") or context["message"])
        )
        async with pretended_terminal(talk, columns, lines) as terminal:
            await use(terminal)
        return terminal

    terminal = asyncio.run(main())
    assert failed == []
    return terminal


def event_number(talk: DeskTalk) -> int:
    return 0 if talk.desk.view is None else talk.desk.view.seq


def has_gone_on(talk: DeskTalk, seq: int, rows: list[str]) -> bool:
    del rows
    return event_number(talk) > seq


def begins_with(expected: list[str], rows: list[str]) -> bool:
    return rows[: len(expected)] == expected


def test_a_table_is_opened_and_played_at_by_typed_keys() -> None:
    talk = DeskTalk(LobbyDriver(turn_seconds=0), "Nour")

    async def use(terminal: PretendedTerminal) -> None:
        await terminal.until_shown("No table is open yet")
        terminal.press("n")
        await terminal.until_shown("A new table")
        terminal.press("\x1b[B\x1b[C\x1b[C\x1b[C\r")
        await terminal.until_shown("Majlis/1 Nour")
        for _ in range(30):
            while talk.desk.view is None or talk.desk.view.prompt is None:
                talk.wait(0.5)
            talk.wait(1)
            seq = event_number(talk)
            offered = choices(talk.desk.view)
            terminal.press(f"{offered[0].typed if offered else '20'}\r")
            await terminal.until(partial(has_gone_on, talk, seq))

    terminal = run(talk, use)
    assert ALTERNATE_SCREEN in terminal.written.raw
    assert terminal.written.raw.rindex(MAIN_SCREEN) > terminal.written.raw.rindex(ALTERNATE_SCREEN)
    assert "\x1b[?1000h" not in terminal.written.raw, "the mouse is left alone"


@pytest.mark.parametrize("seed", range(3))
def test_z03_a_terminal_that_is_resized_during_play_shows_the_whole_screen_again(seed: int) -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0))
    rng = random.Random(seed)

    async def use(terminal: PretendedTerminal) -> None:
        for _ in range(12):
            columns, lines = rng.choice([(120, 30), (20, 5), (200, 50), (80, 24), (60, 18), (59, 17)])
            terminal.resize(columns, lines)
            talk.wait(0.5)
            expected = [row.rstrip() for row in talk.screen(columns, lines)]
            await terminal.until(partial(begins_with, expected[:-1]))

    run(talk, use)


def test_z08_the_screen_follows_its_terminal_and_takes_ctrl_c_on_the_one_loop_that_there_is() -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0))

    async def use(terminal: PretendedTerminal) -> None:
        await terminal.until_shown("YOUR TURN")
        for columns, lines in ((60, 18), (120, 30)):
            terminal.resize(columns, lines)
            await terminal.until_shown("first to 31")
        terminal.press("\x03")
        await terminal.until_shown("Press Ctrl-C again")
        terminal.press("\x03")
        await terminal.until(lambda _rows: talk.desk.is_over)

    run(talk, use)
    assert "trio_asyncio" not in sys.modules
