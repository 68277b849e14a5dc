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
    """The clock of one table. ``turn_seconds`` 0 is no clock.

    A turn has its whole time from its beginning on, whoever sits in the seat meanwhile and however often a
    connection is lost: nobody wins time by going and coming back. The clock stands still while nobody is there.
    """

    __slots__ = ("_began", "_stopped", "_turn_seconds", "deadline")

    def __init__(self, turn_seconds: int) -> None:
        self._turn_seconds = turn_seconds
        self._began: float | None = None
        self._stopped: float | None = None
        self.deadline: float | None = None
        """When the turn ends, ``None`` when it has no end."""

    @property
    def is_running(self) -> bool:
        """Whether a turn has begun, though the clock may stand still; not so after a restart."""
        return self._began is not None

    @property
    def _whole(self) -> float | None:
        """When the turn ends for a player who is there and has not let the clock run out."""
        return self._began + self._turn_seconds if self._turn_seconds and self._began is not None else None

    def begin(self, now: float, *, is_hurried: bool) -> None:
        """A turn begins."""
        self._began = now
        self._stopped = None
        self.deadline = self._whole
        if is_hurried:
            self.deadline = min(now + HURRIED_SECONDS, math.inf if self.deadline is None else self.deadline)

    def go_away(self, now: float) -> None:
        """The player to act lost the connection: the turn runs on, and gets an end if it had none."""
        if self.deadline is None:
            self.deadline = now + UNCLOCKED_AWAY_SECONDS

    def come_back(self) -> None:
        """The player to act is there again, or another one sat down in the seat: the turn has what it would
        have had from its beginning.
        """
        self.deadline = self._whole

    def stand_still(self, now: float) -> None:
        """Nobody is there: no time passes until ``go_on``."""
        if self._stopped is None:
            self._stopped = now

    def go_on(self, now: float) -> None:
        """Somebody is there again: what was left is left."""
        if self._stopped is None:
            return
        stood = now - self._stopped
        self._stopped = None
        if self._began is not None:
            self._began += stood
        if self.deadline is not None:
            self.deadline += stood

    def end(self) -> None:
        """Nobody is to act."""
        self._began = self._stopped = self.deadline = None

    def seconds_left(self, now: float) -> int | None:
        """Whole seconds until the end, rounded up; ``None`` when there is none."""
        if self.deadline is None:
            return None
        return max(0, math.ceil(self.deadline - (now if self._stopped is None else self._stopped)))
