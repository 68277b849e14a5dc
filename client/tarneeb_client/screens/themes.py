"""Themes: what each class of text looks like, as prompt_toolkit's styles.

None sets a background, so that a light and a dark terminal both keep theirs; what is selected is reversed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CLASSES: Final = (
    "title",
    "rule",
    "quiet",
    "name",
    "turn",
    "absent",
    "warning",
    "good",
    "key",
    "legal",
    "illegal",
    "selected",
    "selected.mark",
    "preselected",
    "winning",
    "suit.s",
    "suit.h",
    "suit.d",
    "suit.c",
    "own.score",
    "log.new",
    "log.chat",
    "status",
    "status.turn",
    "footer",
    "footer.key",
    "input",
)
"""Every class that a screen uses; a theme of a person's own may set any of them."""

_SHAPES: Final[Mapping[str, str]] = {
    "title": "bold",
    "turn": "bold",
    "name": "bold",
    "key": "bold",
    "legal": "bold",
    "selected": "reverse bold",
    "selected.mark": "bold",
    "preselected": "underline",
    "winning": "bold",
    "warning": "bold",
    "status.turn": "bold",
    "footer.key": "bold",
    "own.score": "bold",
    "log.new": "bold",
}
"""What tells things apart without any colour."""


def _theme(**colours: str) -> dict[str, str]:
    made = dict(_SHAPES)
    for name, colour in colours.items():
        key = name.replace("_", ".")
        made[key] = f"{made.get(key, '')} {colour}".strip()
    return made


THEMES: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": _theme(
        title="fg:ansiwhite",
        rule="fg:ansigray",
        quiet="fg:ansigray",
        turn="fg:ansibrightyellow",
        absent="fg:ansigray",
        warning="fg:ansibrightred",
        good="fg:ansibrightgreen",
        key="fg:ansibrightyellow",
        illegal="fg:ansigray",
        winning="fg:ansibrightyellow",
        suit_s="fg:ansiwhite",
        suit_h="fg:ansibrightred",
        suit_d="fg:ansibrightcyan",
        suit_c="fg:ansibrightgreen",
        log_chat="fg:ansibrightcyan",
        status_turn="fg:ansibrightyellow",
        footer="fg:ansigray",
    ),
    "light": _theme(
        title="fg:ansiblack",
        rule="fg:ansibrightblack",
        quiet="fg:ansibrightblack",
        turn="fg:ansiblue",
        absent="fg:ansibrightblack",
        warning="fg:ansired",
        good="fg:ansigreen",
        key="fg:ansiblue",
        illegal="fg:ansibrightblack",
        winning="fg:ansiblue",
        suit_s="fg:ansiblack",
        suit_h="fg:ansired",
        suit_d="fg:ansiblue",
        suit_c="fg:ansigreen",
        log_chat="fg:ansiblue",
        status_turn="fg:ansiblue",
        footer="fg:ansibrightblack",
    ),
    "contrast": _theme(
        turn="underline",
        warning="reverse",
        winning="underline",
        status_turn="underline",
        suit_h="fg:ansibrightred",
        suit_d="fg:ansibrightcyan",
        suit_c="fg:ansibrightgreen",
    ),
    "mono": _theme(),
}
"""The themes there are. ``mono`` is the one without a colour, as NO_COLOR asks."""

TWO_COLOURS: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": {"suit.d": "fg:ansibrightred", "suit.c": "fg:ansiwhite"},
    "light": {"suit.d": "fg:ansired", "suit.c": "fg:ansiblack"},
    "contrast": {"suit.d": "fg:ansibrightred", "suit.c": ""},
    "mono": {},
}
"""In place of the theme's own, for a deck in red and black."""
