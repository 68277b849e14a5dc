"""How much the line mode tells of what happens at a table."""

from __future__ import annotations

from enum import IntEnum

from tarneeb_client.state import TableView
from tarneeb_client.wording.tables import calls_line, hand_line, trick_so_far_line
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m


class Verbosity(IntEnum):
    """How much is told, as in the preferences."""

    LITTLE = 1
    """Trouble, what is said, one's own turns and acts, and results. What the others did is one line before each
    turn.
    """
    NORMAL = 2
    """Every event, once."""
    EVERYTHING = 3
    """The trick so far before each turn as well, and one's own hand after each trick."""


_ALWAYS = (
    m.AuctionWon,
    m.DealScored,
    m.DealVoided,
    m.HandsDealt,
    m.PlayerBack,
    m.Said,
    m.SetStarted,
    m.SetWon,
    m.TrickTaken,
    m.TrumpNamed,
)
"""Results, and what one cannot do without."""
_OF_A_SEAT = (m.CallMade, m.CardPlayed, m.PackCut, m.PlayerReady, m.StandInEnded)


def is_told(event: m.TableEvent, line: str, own: Seat | None, verbosity: Verbosity) -> bool:
    """Whether the ``line`` for an event is told to who sits at ``own``."""
    if verbosity is not Verbosity.LITTLE or line.startswith("!") or isinstance(event, _ALWAYS):
        return True
    return isinstance(event, _OF_A_SEAT) and event.seat is own


def lines_before_turn(view: TableView, verbosity: Verbosity) -> list[str]:
    """What the player needs to know for a turn, where it was not told as it happened, or is wanted again."""
    if verbosity is Verbosity.NORMAL:
        return []
    line = trick_so_far_line(view)
    if line is None and verbosity is Verbosity.LITTLE:
        line = calls_line(view)
    return [] if line is None else [line]


def lines_after(event: m.TableEvent, view: TableView | None, verbosity: Verbosity) -> list[str]:
    """What is told beyond the event itself: the hand, as long as there is one."""
    if verbosity is not Verbosity.EVERYTHING or not isinstance(event, m.TrickTaken):
        return []
    return [hand_line(view)] if view is not None and view.seat is not None and view.hand else []
