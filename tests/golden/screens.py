"""Golden screens: each scene at each size, as text.

    PYTHONPATH=tests python -m golden.screens

writes them; a test compares. What they hold is read in review.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.desk_scenes import SCENES
from support.spoken import spoken
from tarneeb_client import right_to_left
from tarneeb_client.screens.glyphs import ASCII
from tarneeb_client.screens.rows import plain

SIZES = ((120, 30), (104, 25), (80, 24), (60, 20), (40, 10), (20, 5))
"""Columns and rows."""
HERE = Path(__file__).with_name("screens")
WITHOUT_SIGNS = "-ascii"
"""Ends the name of a scene that is drawn with the signs of ASCII."""
IN_ARABIC = "-arabic"
"""Ends the name of a scene in Arabic, in the order in which it is read."""
TURNED = "-turned"
"""Ends the name of a scene as it is sent to a terminal that does not turn Arabic round."""
NAMES = (
    *SCENES,
    *(f"{name}{WITHOUT_SIGNS}" for name in ("play", "call", "lobby", "set-over", "form-new-table")),
    *(f"{name}{IN_ARABIC}" for name in SCENES),
    *(f"{name}{IN_ARABIC}{WITHOUT_SIGNS}" for name in ("play", "lobby")),
    *(f"{name}{IN_ARABIC}{TURNED}" for name in ("play", "lobby", "scores")),
)


def screen_text(name: str) -> str:
    """The text of a file: the whole screen, input line included, at every size."""
    scene, _mark, manner = name.partition(IN_ARABIC)
    language = "ar" if IN_ARABIC in name else "en"
    with spoken(language), shown_as("app" if manner == TURNED else "off"):
        return _drawn(scene.removesuffix(WITHOUT_SIGNS), is_ascii=name.endswith(WITHOUT_SIGNS))


@contextmanager
def shown_as(mode: str) -> Iterator[None]:
    """Text from right to left is sent so inside the block."""
    before = right_to_left.in_mode()
    right_to_left.use(mode)
    try:
        yield
    finally:
        right_to_left.use(before)


def _drawn(scene: str, *, is_ascii: bool) -> str:
    talk = SCENES[scene]()
    if is_ascii:
        talk.with_glyphs(ASCII)
    parts = []
    for columns, lines in SIZES:
        talk.screen(columns, lines)  # checks that each row takes its cells
        rows = [plain(right_to_left.for_terminal(row)) for row in talk.desk.rows(columns, lines - 1)]
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
