"""Where keys mean something."""

from __future__ import annotations

from enum import Enum


class Place(Enum):
    """Where a key means something."""

    HOME = "home"
    """No server is chosen yet."""
    LOBBY = "lobby"
    WAITING = "waiting"
    """At a table where no set is being played."""
    PLAY = "play"
    """At a table in a set."""
    WATCHING = "watching"
    """At a table, as a spectator."""
    FORM = "form"
    PANE = "pane"
    """A pane over the screen: help, scores, last trick."""
    TYPING = "typing"
    """The input line is in use, for chat or a command."""
    REPLAY = "replay"
    """A recorded set."""
    LOST = "lost"
    """The link is lost."""


AT_TABLE = frozenset({Place.WAITING, Place.PLAY, Place.WATCHING})
REPLAY = frozenset({Place.REPLAY})
ANYWHERE = frozenset(Place)
TYPED_INTO = frozenset({Place.PLAY, Place.FORM, Place.TYPING})
"""Where characters that are no keys go into the input line."""
