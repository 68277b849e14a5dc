"""What is on the screen for a moment: a note, a finished trick, the score of a deal; and whose turn it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, TypeVar

from tarneeb_client.state import TableView
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import DealScore, TrickView
from tarneeb_protocol import messages as m

HOLD_SECONDS = 2.0
"""How long a finished trick stays to be seen, unless a key is pressed."""
SCORE_SECONDS = 12.0
"""How long the score of a deal stays, unless a key is pressed."""
NOTE_SECONDS = 6.0
"""How long a refusal, or another note, stays in the status line."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Until(Generic[T]):
    """``value`` stays until a time in seconds."""

    time: float
    value: T


class Moments:
    """What is to be seen for a while. The time is told."""

    def __init__(self) -> None:
        self._note: _Until[str] | None = None
        self._trick: _Until[TrickView] | None = None
        self._score: _Until[DealScore] | None = None
        self._turn: tuple[Seat | None, float] = (None, 0.0)

    @property
    def note(self) -> str:
        """What the status line says in place of its own; empty for nothing."""
        return "" if self._note is None else self._note.value

    @property
    def trick(self) -> TrickView | None:
        """The finished trick that is still to be seen."""
        return None if self._trick is None else self._trick.value

    @property
    def score(self) -> DealScore | None:
        """The score of the deal that is over, once its last trick was seen."""
        return None if self._score is None or self._trick is not None else self._score.value

    def say(self, text: str, now: float) -> None:
        """Show a note."""
        self._note = _Until(now + NOTE_SECONDS, text)

    def expire(self, now: float) -> None:
        """It is ``now``: what was to be seen until then is gone."""
        if self._trick is not None and now >= self._trick.time:
            self._trick = None
        if self._score is not None and now >= self._score.time:
            self._score = None
        if self._note is not None and now >= self._note.time:
            self._note = None

    def take_back(self, text: str) -> None:
        """That note, if it is still shown, holds no more."""
        if self.note == text:
            self._note = None

    def seconds_to_end(self, now: float) -> float:
        """Until the next of what is shown for a while is gone; infinity when there is nothing."""
        shown = (self._note, self._trick, self._score)
        return max(0.0, min((each.time - now for each in shown if each is not None), default=math.inf))

    def key_pressed(self) -> None:
        """The trick has been seen; if it was gone already, the score has."""
        if self._trick is not None:
            self._trick = None
        else:
            self._score = None

    def heard(self, message: m.Message, view: TableView | None, now: float) -> None:
        """A message that led to ``view``."""
        deal = None if view is None else view.deal
        match message:
            case m.TrickTaken() if deal is not None and deal.tricks:
                self._trick = _Until(now + HOLD_SECONDS, deal.tricks[-1])
            case m.CardPlayed():
                self._trick = self._score = None
            case m.DealScored():
                self._score = _Until(now + SCORE_SECONDS, message.score)

    def follow(self, before: TableView | None, view: TableView | None, now: float) -> None:
        """The table is so now."""
        if view is None:
            self._trick = self._score = None
            self._turn = (None, now)
            return
        turn = None if view.deal is None else view.deal.turn
        has_moved = before is None or _acts(before) != _acts(view)
        if turn is not self._turn[0] or has_moved:
            self._turn = (turn, now)

    def seconds_left(self, view: TableView, began: float, now: float) -> int | None:
        """What the seat to act still has, ``began`` being when the player's own turn did; that of another is
        reckoned from when its turn began. ``None`` where there is no clock.
        """
        if view.prompt is not None:
            seconds = view.prompt.seconds
            return None if seconds is None else max(0, round(seconds - (now - began)))
        turn, since = self._turn
        if turn is None or not view.snapshot.turn_seconds or view.snapshot.state is not m.TableState.PLAYING:
            return None
        return max(0, round(view.snapshot.turn_seconds - (now - since)))


def _acts(view: TableView) -> object:
    """What changes with every act of a seat, and with nothing that is said or who comes."""
    deal = view.deal
    if deal is None:
        return None
    trick = () if deal.trick is None else deal.trick.cards
    return (deal.number, deal.phase, deal.cut, len(deal.calls), len(deal.tricks), len(trick))
