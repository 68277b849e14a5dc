"""What a player is used to, as far as a screen behaves by it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tarneeb_client.screens.glyphs import UNICODE, Glyphs


class Bell(Enum):
    """When the terminal's bell rings."""

    OFF = "off"
    TURN = "turn"
    ALL = "all"
    """At chat and comings and goings, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How a person likes the screen. ``preselects``: a card can be chosen before one's turn; ``one_key``: a
    letter plays without Enter.
    """

    glyphs: Glyphs = UNICODE
    bell: Bell = Bell.TURN
    preselects: bool = True
    one_key: bool = False
