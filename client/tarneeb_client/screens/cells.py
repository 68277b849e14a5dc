"""Text in the cells of a terminal: how many it takes, and how it is made to take just so many.

A terminal gives a character none, one or two cells. Everything that stands beside something else goes through
``fit``, so that no name and no language can push it aside.
"""

from __future__ import annotations

from prompt_toolkit.utils import get_cwidth

ELLIPSIS = "…"


def width(text: str) -> int:
    """The cells that ``text`` takes."""
    return get_cwidth(text)


def clip(text: str, cells: int, *, ellipsis: str = ELLIPSIS) -> str:
    """``text``, or as much of its beginning as fits ``cells`` with ``ellipsis`` behind it."""
    if width(text) <= cells:
        return text
    room = cells - width(ellipsis)
    if room < 0:
        return ""
    return _beginning(text, room) + ellipsis


def _beginning(text: str, cells: int) -> str:
    """The longest beginning of ``text`` that takes at most ``cells``; marks stay with their character."""
    taken = 0
    for at, character in enumerate(text):
        taken += width(character)
        if taken > cells:
            return text[:at]
    return text


def fit(text: str, cells: int, *, align: str = "<") -> str:
    """``text`` clipped or filled with spaces to exactly ``cells``; ``align`` is ``<``, ``^`` or ``>``."""
    clipped = clip(text, cells)
    missing = cells - width(clipped)
    left = {"<": 0, "^": missing // 2, ">": missing}[align]
    return " " * left + clipped + " " * (missing - left)


def wrap(text: str, cells: int, *, indent: str = "") -> list[str]:
    """``text`` in lines of at most ``cells``, broken between words where that is possible; later lines begin
    with ``indent``. ``cells`` must exceed the indent by at least 2.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        separate = f"{line} {word}" if line.strip() else line + word
        if width(separate) <= cells:
            line = separate
            continue
        if line.strip():
            lines.append(line)
            line = indent
        while width(line + word) > cells:
            part = _beginning(word, cells - width(line)) or word[0]
            lines.append(line + part)
            line, word = indent, word[len(part) :]  # noqa: PLW2901  (the rest of it goes on)
        line += word
    if line.strip() or not lines:
        lines.append(line)
    return lines
