"""What each theme makes of a screen is what its golden file says."""

from __future__ import annotations

import pytest

from golden.colours import HERE, colours_text
from tarneeb_client.screens.themes import THEMES


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_colours_the_scenes_as_its_golden_file_says(theme: str) -> None:
    assert (HERE / f"{theme}.txt").read_text(encoding="utf-8") == colours_text(theme), (
        "run PYTHONPATH=tests python -m golden.colours and read the difference"
    )


def test_mono_has_no_colour_and_still_tells_what_is_chosen() -> None:
    text = colours_text("mono")
    assert "reverse" in text
    for colour in ("red", "green", "blue", "cyan", "yellow", "white", "gray", "black"):
        assert not any(line.startswith(colour) or f" {colour}:" in line for line in text.splitlines())


def test_four_colours_tell_the_suits_apart_in_the_dark_and_the_light_theme() -> None:
    for theme in ("dark", "light"):
        colours = {THEMES[theme][f"suit.{suit}"] for suit in "shdc"}
        assert len(colours) == 4
