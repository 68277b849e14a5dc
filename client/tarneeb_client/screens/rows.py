"""Rows of styled text: the pieces of a screen, each exactly as wide as it was asked to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tarneeb_client.screens.cells import clip, fit, width
from tarneeb_client.screens.glyphs import Glyphs

Fragment: TypeAlias = tuple[str, str]
"""Style and text. Styles are classes of a theme (``themes``), several of them separated by spaces."""
Row: TypeAlias = tuple[Fragment, ...]


CLICK = "class:click."
"""Begins the class of what can be clicked on; no theme styles it."""


def clickable(style: str, target: str) -> str:
    """The style of a fragment that comes to ``target`` when it is clicked on."""
    return f"{style} {CLICK}{target}"


def target_at(row: Iterable[Fragment], column: int) -> str | None:
    """What was made clickable in a column of the row, counted from 0."""
    end = 0
    for style, text in row:
        end += width(text)
        if column < end:
            marks = [word for word in style.split() if word.startswith(CLICK)]
            return marks[-1].removeprefix(CLICK) if marks else None
    return None


def row_width(row: Iterable[Fragment]) -> int:
    """The cells that a row takes."""
    return sum(width(text) for _, text in row)


def plain(row: Iterable[Fragment]) -> str:
    """The row's text."""
    return "".join(text for _, text in row)


def text_row(text: str, cells: int, style: str = "", *, align: str = "<") -> Row:
    """One text, clipped or filled to ``cells``."""
    return ((style, fit(text, cells, align=align)),)


def fitted(row: Sequence[Fragment], cells: int, *, align: str = "<") -> Row:
    """The row clipped or filled with spaces to exactly ``cells``."""
    missing = cells - row_width(row)
    if missing >= 0:
        left = {"<": 0, "^": missing // 2, ">": missing}[align]
        return (("", " " * left), *row, ("", " " * (missing - left)))
    kept: list[Fragment] = []
    room = cells
    for style, text in row:
        if width(text) > room:
            kept.append((style, fit(clip(text, room), room)))
            return tuple(kept)
        kept.append((style, text))
        room -= width(text)
    return tuple(kept)


def apart(left: Sequence[Fragment], right: Sequence[Fragment], cells: int) -> Row:
    """Two rows at the ends of one of ``cells``; the left one is clipped when there is no room for both."""
    clipped = fitted(right, min(cells, row_width(right)))
    return (*fitted(left, cells - row_width(clipped)), *clipped)


def beside(left: Sequence[Row], right: Sequence[Row], edge: Fragment) -> list[Row]:
    """Two blocks of rows of the same height, with an edge between them."""
    return [(*one, edge, *other) for one, other in zip(left, right, strict=True)]


def in_signs(rows: Iterable[Row], glyphs: Glyphs) -> list[Row]:
    """The rows with nothing that the signs in use lack, be it in a sentence."""
    if not glyphs.stand_ins:
        return list(rows)
    return [tuple((style, text.translate(glyphs.stand_ins)) for style, text in row) for row in rows]


def filled(rows: Sequence[Row], height: int, cells: int) -> list[Row]:
    """Just ``height`` rows: the first ones, or all with empty ones behind."""
    empty: Row = (("", " " * cells),)
    return [*rows[:height], *([empty] * (height - len(rows)))]
