"""The golden screens are what the program draws."""

from __future__ import annotations

import pytest

from golden.screens import HERE, IN_ARABIC, NAMES, screen_text


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_drawn_as_its_golden_screens_are(name: str) -> None:
    expected = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert screen_text(name) == expected, (
        "run PYTHONPATH=tests python -m golden.screens and read the difference"
    )


def test_there_is_no_golden_screen_of_a_scene_that_is_gone() -> None:
    assert sorted(path.stem for path in HERE.glob("*.txt")) == sorted(NAMES)


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("-ascii")])
def test_ascii_signs_need_nothing_but_ascii_besides_names_and_arabic(name: str) -> None:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    for name_of_person in ("田中太郎", "田中", "ليلى"):
        text = text.replace(name_of_person, "")
    signs = {character for character in text if not character.isascii()}
    assert {sign for sign in signs if not "\u0600" <= sign <= "\u06ff"} == set()
    assert not signs or IN_ARABIC in name
