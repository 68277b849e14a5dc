"""Golden screens: each scene at each size, as text.

    PYTHONPATH=tests python -m golden.screens

writes them; a test compares. What they hold is read in review.
"""

from __future__ import annotations

from pathlib import Path

from support.desk_scenes import SCENES
from tarneeb_client.screens.glyphs import ASCII

SIZES = ((120, 30), (104, 25), (80, 24), (60, 20), (40, 10), (20, 5))
"""Columns and rows."""
HERE = Path(__file__).with_name("screens")
WITHOUT_SIGNS = "-ascii"
"""Ends the name of a scene that is drawn with the signs of ASCII."""
NAMES = (
    *SCENES,
    *(f"{name}{WITHOUT_SIGNS}" for name in ("play", "call", "lobby", "set-over", "form-new-table")),
)


def screen_text(name: str) -> str:
    """The text of a file: the whole screen, input line included, at every size."""
    talk = SCENES[name.removesuffix(WITHOUT_SIGNS)]()
    if name.endswith(WITHOUT_SIGNS):
        talk.with_glyphs(ASCII)
    parts = []
    for columns, lines in SIZES:
        rows = talk.screen(columns, lines)
        entry = "*" * len(talk.desk.text) if talk.desk.is_secret else talk.desk.text
        shown = [*rows[:-1], talk.desk.prefix() + entry, rows[-1]]
        parts += [f"=== {columns}x{lines}", *(row.rstrip() for row in shown)]
    return "\n".join(parts) + "\n"


def write() -> None:
    """Write every file."""
    HERE.mkdir(exist_ok=True)
    for name in NAMES:
        (HERE / f"{name}.txt").write_text(screen_text(name), encoding="utf-8")


if __name__ == "__main__":
    write()
