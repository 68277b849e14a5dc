"""Golden colours: what each theme makes of a few scenes, as runs of text with their attributes.

    PYTHONPATH=tests python -m golden.colours

writes them; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from support.desk_scenes import SCENES
from tarneeb_client.screens.rows import Row
from tarneeb_client.screens.themes import THEMES

HERE = Path(__file__).with_name("colours")
SHOWN = ("play", "lobby", "link-lost")
"""Scenes with suits, what is legal and what is not, what is chosen, who is away, a warning."""


def colours_text(theme: str) -> str:
    """The text of a file: each row that has attributes, its runs between bars."""
    lines: list[str] = []
    for name in SHOWN:
        lines.append(f"=== {name}")
        for row in SCENES[name]().desk.rows(80, 23):
            runs = [f"{attributes}: {text}" for attributes, text in _runs(row, theme) if attributes]
            if runs:
                lines.append(" | ".join(runs))
    return "\n".join(lines) + "\n"


def _runs(row: Row, theme: str) -> Iterator[tuple[str, str]]:
    for attributes, fragments in groupby(row, lambda fragment: _attributes(fragment[0], theme)):
        text = "".join(text for _, text in fragments).strip()
        if text:
            yield attributes, text


def _attributes(style: str, theme: str) -> str:
    """What the theme makes of a style's classes: a later one's colour goes before an earlier one's."""
    colour, others = "", set[str]()
    for name in (word.removeprefix("class:") for word in style.split()):
        for word in THEMES[theme].get(name, "").split():
            if word.startswith("fg:"):
                colour = word.removeprefix("fg:ansi")
            else:
                others.add(word)
    return " ".join([*sorted(others), *([colour] if colour else [])])


def write() -> None:
    """Write every file."""
    HERE.mkdir(exist_ok=True)
    for theme in THEMES:
        (HERE / f"{theme}.txt").write_text(colours_text(theme), encoding="utf-8")


if __name__ == "__main__":
    write()
