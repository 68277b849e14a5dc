"""Golden screens: each scene at each size, as text.

    PYTHONPATH=tests python -m golden.screens

writes them; a test compares. What they hold is read in review.
"""

from __future__ import annotations

from pathlib import Path

from support.desk_scenes import SCENES
from tarneeb_client.screens.glyphs import ASCII, Glyphs

SIZES = ((120, 30), (104, 25), (80, 24), (60, 20), (40, 10), (20, 5))
"""Columns and rows."""
HERE = Path(__file__).with_name("screens")
ASCII_SCENES = ("play", "call", "lobby")
"""Drawn without any sign of Unicode's, too."""


def golden_screens() -> dict[str, str]:
    """The text of each file by its name."""
    found = {name: _text(name, None) for name in SCENES}
    return found | {f"{name}-ascii": _text(name, ASCII) for name in ASCII_SCENES}


def _text(scene: str, glyphs: Glyphs | None) -> str:
    talk = SCENES[scene]()
    if glyphs is not None:
        talk.with_glyphs(glyphs)
    parts = []
    for columns, lines in SIZES:
        rows = talk.screen(columns, lines)
        entry = f"{talk.desk.prefix()}{'*' * len(talk.desk.text) if talk.desk.is_secret else talk.desk.text}"
        shown = [row.rstrip() for row in [*rows[:-1], entry, rows[-1]]]
        parts.append("\n".join([f"=== {columns}x{lines}", *shown]))
    return "\n".join(parts) + "\n"


def write() -> None:
    """Write every file."""
    HERE.mkdir(exist_ok=True)
    for name, text in golden_screens().items():
        (HERE / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
