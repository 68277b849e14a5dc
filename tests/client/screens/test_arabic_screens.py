"""Every scene of the full screen in Arabic, at every size, however text from right to left is shown."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import cache

import pytest

from golden.screens import SIZES
from support.desk_scenes import SCENES
from support.desk_talk import DeskTalk
from support.pretended_terminal import pretended_terminal
from support.spoken import spoken
from support.turning_terminal import seen
from tarneeb_client import language, right_to_left
from tarneeb_client.commands import COMMANDS
from tarneeb_client.right_to_left import LETTER_LINE, MODES, for_terminal
from tarneeb_client.screens.key_table import KEYS
from tarneeb_client.screens.rows import plain, row_width

NAMES = frozenset(
    {"Nour", "Huda", "Rami", "Lina", "Omar", "Bot", "Badr", "Dana", "Fares", "Amal"}
    | {"North", "East", "South", "West", "Majlis", "Friends", "Beginners", "Finals", "Tarneeb"}
)
"""Of people, tables and servers."""
TYPED = frozenset(
    {word for command in COMMANDS for word in re.findall("[A-Za-z_]+", command.usage)}
    | {word for key in KEYS for name in key.keys for word in re.findall("[A-Za-z]+", f"{name} {key.label}")}
    | set("abcdefghijklmnopqrstuvwxyzAKQJTSHDC")
    | {
        "Enter",
        "Shift",
        "PgDn",
        "PgUp",
        "Tab",
        "Ctrl",
        "Esc",
        "Home",
        "End",
        "bravo",
        "ms",
        "HOST",
        "PORT",
        "plain",
        "fg",
        "D",
    }
    | {rank + suit for rank in "a23456789tjqk" for suit in "shdc"}
)
"""Keys, commands, cards, and what a scene has typed."""

BY_THE_SCENE = frozenset({"the", "connection", "was", "closed"})
"""The reason that a scene gives for a lost link; a link gives one in the language in use."""


@pytest.fixture(autouse=True)
def arabic() -> Iterator[None]:
    before = right_to_left.in_mode()
    with spoken("ar"):
        yield
    right_to_left.use(before)


@cache
def scene(name: str) -> DeskTalk:
    assert language.in_use() == "ar"
    return SCENES[name]()


@pytest.mark.parametrize("name", SCENES)
def test_no_english_word_is_left_but_names_and_what_is_typed(name: str) -> None:
    allowed = NAMES | TYPED | (BY_THE_SCENE if name == "link-lost" else frozenset())
    left: set[str] = set()
    for columns, lines in SIZES:
        for row in scene(name).screen(columns, lines):
            # A word that was cut off ends with an ellipsis.
            left |= set(re.findall(r"[A-Za-z_]+(?![A-Za-z_]*…)", row)) - allowed
    assert left == set()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SCENES)
def test_every_row_takes_its_cells_however_text_is_turned(name: str, mode: str) -> None:
    right_to_left.use(mode)
    for columns, lines in SIZES:
        for row in scene(name).desk.rows(columns, lines - 1):
            sent = for_terminal(row)
            assert row_width(sent) == row_width(row) == columns
            assert plain(sent).isprintable()


@pytest.mark.parametrize("name", SCENES)
def test_panes_and_columns_stay_in_their_places_where_the_terminal_turns_text(name: str) -> None:
    right_to_left.use("terminal")
    for columns, lines in SIZES:
        for row in scene(name).desk.rows(columns, lines - 1):
            sent = plain(for_terminal(row))
            shown = seen(sent)
            for at, character in enumerate(sent):
                if character in {"│", LETTER_LINE}:
                    assert shown[at] == character, sent
                    assert sorted(shown[:at]) == sorted(sent[:at]), sent


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["lobby", "call", "play", "scores"])
def test_a_terminal_shows_in_each_cell_what_was_drawn_there(name: str, mode: str) -> None:
    right_to_left.use(mode)
    talk = SCENES[name]()

    async def main() -> list[str]:
        async with pretended_terminal(talk) as terminal:
            wanted = [plain(for_terminal(row)).rstrip() for row in talk.desk.rows(80, 23)[:-1]]
            await terminal.until(lambda rows: [row.rstrip() for row in rows[: len(wanted)]] == wanted)
            return wanted

    drawn = asyncio.run(main())
    assert any(right_to_left.is_right_to_left(row) for row in drawn)
