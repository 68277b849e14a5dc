"""What is decided about the screen from preferences and surroundings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tarneeb_client.appearance import Surroundings, appearance, has_cells
from tarneeb_client.preferences import Preferences
from tarneeb_client.screens.glyphs import ASCII, UNICODE


def surroundings(
    environment: dict[str, str] | None = None,
    *,
    reads: bool = True,
    writes: bool = True,
    encoding: str = "utf-8",
) -> Surroundings:
    return Surroundings(
        environment={"TERM": "xterm-256color", **(environment or {})},
        reads_terminal=reads,
        writes_terminal=writes,
        encoding=encoding,
    )


@pytest.mark.parametrize(
    ("where", "is_plain"),
    [
        (surroundings(), False),
        (surroundings(reads=False), True),
        (surroundings(writes=False), True),
        (surroundings({"TERM": "dumb"}), True),
        (surroundings({"TERM": ""}), True),
    ],
    ids=["terminal", "piped in", "piped out", "dumb", "no TERM"],
)
def test_z05_a_full_screen_needs_a_terminal_that_can_show_it(where: Surroundings, is_plain: bool) -> None:
    decided = appearance(Preferences(), where)
    assert decided.is_plain is is_plain
    assert decided.reasons["screen"]
    assert appearance(Preferences(), where, wants_plain=True).is_plain


class NoConsoleScreenBufferError(Exception):
    """What prompt_toolkit raises on Windows, where alone it can be imported."""


def test_z06_a_console_that_cannot_be_drawn_on_gets_lines_and_the_reason_says_what_to_do() -> None:
    def without_buffer() -> object:
        raise NoConsoleScreenBufferError

    def broken() -> object:
        raise RuntimeError("something else")

    assert has_cells(object)
    assert not has_cells(without_buffer)
    with pytest.raises(RuntimeError, match="something else"):
        has_cells(broken)
    decided = appearance(Preferences(), replace(surroundings(), system="nt", can_be_drawn_on=False))
    assert decided.is_plain
    assert "winpty" in decided.reasons["screen"]


def test_no_color_means_no_colour_in_any_style() -> None:
    decided = appearance(Preferences(), surroundings({"NO_COLOR": "1"}))
    assert decided.theme == "mono"
    assert not any("fg:" in style or "bg:" in style or "#" in style for style in decided.styles.values())


def test_a_choice_of_the_persons_own_goes_before_what_is_guessed() -> None:
    chosen = Preferences(theme="light", signs="ascii", language="ar", colours={"turn": "underline"})
    decided = appearance(chosen, surroundings({"NO_COLOR": "1", "LANG": "en_GB.UTF-8"}))
    assert (decided.theme, decided.glyphs, decided.language) == ("light", ASCII, "ar")
    assert decided.styles["turn"] == "underline"


def test_a_light_background_is_seen_where_the_terminal_tells_it() -> None:
    assert appearance(Preferences(), surroundings({"COLORFGBG": "0;15"})).theme == "light"
    assert appearance(Preferences(), surroundings({"COLORFGBG": "15;0"})).theme == "dark"


@pytest.mark.parametrize(
    ("where", "signs"),
    [
        (surroundings(), UNICODE),
        (surroundings(encoding="ascii"), ASCII),
        (surroundings(encoding="no-such"), ASCII),
        (surroundings({"TERM": "linux"}), ASCII),
    ],
    ids=["utf-8", "ascii", "unknown", "linux console"],
)
def test_suits_are_letters_where_the_terminal_lacks_their_signs(where: Surroundings, signs: object) -> None:
    assert appearance(Preferences(), where).glyphs is signs


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "ar_SY.UTF-8"}, "ar"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:ar"}, "ar"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
        ({"LC_ALL": "ar", "LANG": "en_US"}, "ar"),
    ],
)
def test_the_language_is_the_systems_where_there_is_a_catalogue(
    environment: dict[str, str], language: str
) -> None:
    assert appearance(Preferences(), surroundings(environment)).language == language


def test_two_colours_give_each_pair_of_suits_one() -> None:
    four = appearance(Preferences(), surroundings()).styles
    two = appearance(Preferences(deck="two"), surroundings()).styles
    assert len({four[f"suit.{suit}"] for suit in "shdc"}) == 4
    assert two["suit.s"] == two["suit.c"]
    assert two["suit.h"] == two["suit.d"]
