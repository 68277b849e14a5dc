"""How long the seat to act still has. A value: ``now`` is an argument."""

from __future__ import annotations

import math

HURRIED_SECONDS = 1.0
"""A further turn of a seat whose clock ran out, or whose player is away: the others have waited once
already.
"""
UNCLOCKED_AWAY_SECONDS = 10.0
"""The turn in progress of a player who goes away where there is no clock: time to come back after a short
break.
"""


class TurnClock:
    """The clock of one table. ``turn_seconds`` 0 is no clock."""

    __slots__ = ("_began", "_turn_seconds", "deadline")

    def __init__(self, turn_seconds: int) -> None:
        self._turn_seconds = turn_seconds
        self._began = -math.inf
        self.deadline: float | None = None
        """When the turn ends, ``None`` when it has no end."""

    @property
    def _whole(self) -> float | None:
        """When the turn ends for a player who is there and has not let the clock run out."""
        return self._began + self._turn_seconds if self._turn_seconds else None

    def begin(self, now: float, *, is_hurried: bool, is_away: bool) -> None:
        """A turn begins."""
        self._began = now
        self.deadline = self._whole
        if is_hurried or is_away:
            self.deadline = min(now + HURRIED_SECONDS, math.inf if self.deadline is None else self.deadline)

    def go_away(self, now: float) -> None:
        """The player to act lost the connection: the turn runs on, and gets an end if it had none."""
        if self.deadline is None:
            self.deadline = now + UNCLOCKED_AWAY_SECONDS

    def come_back(self) -> None:
        """The player to act is back: the turn has what it would have had from its beginning, and no more, so
        that nobody can win time by dropping the connection.
        """
        self.deadline = self._whole

    def stop(self) -> None:
        """Nobody is to act."""
        self.deadline = None

    def seconds_left(self, now: float) -> int | None:
        """Whole seconds until the end, rounded up; ``None`` when there is none."""
        return None if self.deadline is None else max(0, math.ceil(self.deadline - now))
