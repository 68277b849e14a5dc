"""Text from right to left on terminals that turn it round, and on those that do not.

What is sent is in the order in which it is read. A terminal that knows scripts from right to left turns each
run of them round by itself, over panes and columns: ``terminal`` puts between two of them a letter that looks
like a line, so that each run stays within its own cells. Invisible marks would be the standard's way, but
terminals draw them, drop them or give them a cell. Other terminals show every letter from left to right and
unjoined: ``app`` joins letters and turns runs round here, each in its own cells. ``off`` leaves it as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from tarneeb_client.language import RIGHT_TO_LEFT, in_use

if TYPE_CHECKING:
    from arabic_reshaper import ArabicReshaper

MODES = ("terminal", "app", "off")
EDGES = frozenset("│")
"""What parts two panes, and may be drawn as ``LETTER_LINE``."""
LETTER_LINE = "\u01c0"
"""A letter of the Latin script, and so written from left to right, that is drawn as an upright line."""

UNDEFINED = "\ufffd"
"""Shown for a character that cannot be turned round."""

_GAP = re.compile(" {2,}")
_mode = "terminal"


def use(mode: str) -> None:
    """Show text so from now on; one of ``MODES``. Raises ``ValueError`` for any other."""
    global _mode  # noqa: PLW0603  (a process has one terminal, as it has one language)
    if mode not in MODES:
        raise ValueError(f"the modes are {', '.join(MODES)}; there is no {mode!r}")
    _mode = mode


def in_mode() -> str:
    """How text is shown, one of ``MODES``."""
    return _mode


def is_right_to_left(text: str) -> bool:
    """Whether ``text`` has a letter of a script that is written from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(character) in {"R", "AL"} for character in text)


def for_terminal(row: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """A row of styles and texts, as the terminal is to be sent it; each takes as many cells as before."""
    if _mode == "off" or not any(is_right_to_left(text) for _, text in row):
        return list(row)
    if _mode == "app":
        return [(style, turned(text)) for style, text in row]
    return _parted(row)


def line_for_terminal(line: str) -> str:
    """A line of text that has the terminal's whole width to itself."""
    if _mode != "app" or not is_right_to_left(line):
        return line
    return turned(line)


# ---------------------------------------------------------------- turned round here


def turned(text: str) -> str:
    """Letters joined and runs turned round, in as many cells. What two spaces or more part stays in place."""
    at, parts = 0, []
    for gap in _GAP.finditer(text):
        parts += [_turned_piece(text[at : gap.start()]), gap[0]]
        at = gap.end()
    return "".join([*parts, _turned_piece(text[at:])])


def _turned_piece(piece: str) -> str:
    core = piece.strip(" ")
    if not is_right_to_left(core):
        return piece
    # The one of python-bidi's two that turns brackets, too. Here, because most terminals need none of it.
    from bidi.algorithm import get_display  # noqa: PLC0415

    from tarneeb_client.screens.cells import width  # noqa: PLC0415  (takes time, and pipes need it not)

    before = piece[: len(piece) - len(piece.lstrip(" "))]
    after = piece[len(before) + len(core) :]
    direction = "R" if in_use() in RIGHT_TO_LEFT else None
    shown = get_display(_reshaper().reshape(_turnable(core)), base_dir=direction)
    # Two letters that are joined in one cell leave one over.
    missing = width(core) - width(shown)
    return piece if missing < 0 else before + shown + " " * missing + after


def _turnable(text: str) -> str:
    """Without vowel marks of letters from right to left: turned round, each would land on another letter. And
    without characters that have no direction.
    """
    kept: list[str] = []
    is_on_letter = False
    for character in text:
        if not unicodedata.combining(character):
            is_on_letter = is_right_to_left(character)
        elif is_on_letter:
            continue
        # A character without a direction is one that Unicode does not define: there is no place for it.
        kept.append(character if unicodedata.bidirectional(character) not in {"", "BN"} else UNDEFINED)
    return "".join(kept)


@cache
def _reshaper() -> ArabicReshaper:
    from arabic_reshaper import ArabicReshaper  # noqa: PLC0415  (as above)

    return ArabicReshaper({"delete_harakat": True, "support_ligatures": True})


# ---------------------------------------------------------------- turned round by the terminal


def _parted(row: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The row with a letter that looks like a line wherever the terminal would draw two runs as one."""
    text = "".join(part for _, part in row)
    anchors = set(_anchors(text, _column_ends(row)))
    if not anchors:
        return list(row)
    parted, at = [], 0
    for style, part in row:
        changed = "".join(
            LETTER_LINE if at + offset in anchors else character for offset, character in enumerate(part)
        )
        parted.append((style, changed))
        at += len(part)
    return parted


def _column_ends(row: Sequence[tuple[str, str]]) -> set[int]:
    """Where a piece from right to left ends with one space, which is all that parts it from the next column."""
    ends, at = set(), 0
    for _, part in row:
        at += len(part)
        if part.endswith(" ") and is_right_to_left(part):
            ends.add(at - 1)
    return ends


def _anchors(text: str, column_ends: set[int]) -> list[int]:
    """Where to part text from right to left from what would be drawn with it: in gaps and at edges."""
    anchors: list[int] = []
    is_open = False  # text from right to left stands before, and no letter from left to right after it
    at = 0
    while at < len(text):
        character = text[at]
        gap = _GAP.match(text, at)
        if gap is not None or at in column_ends or character in EDGES:
            end = at + 1 if gap is None else gap.end()
            if is_open and _would_join(text[end:]):
                anchors.append(at + (end - at) // 2)
                is_open = False
            at = end
            continue
        direction = unicodedata.bidirectional(character)
        if direction in {"R", "AL"}:
            is_open = True
        elif direction == "L":
            is_open = False
        at += 1
    return anchors


def _would_join(rest: str) -> bool:
    """Whether what follows begins with letters from right to left, or with digits, which go along with them."""
    for character in rest:
        direction = unicodedata.bidirectional(character)
        if direction in {"R", "AL", "EN", "AN"}:
            return True
        if direction == "L":
            return False
    return False
