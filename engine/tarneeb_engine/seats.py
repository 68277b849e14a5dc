"""Seats and teams round the table (rule 1)."""

from __future__ import annotations

from enum import IntEnum


class Team(IntEnum):
    """A partnership; its number is that of its seats modulo two."""

    SOUTH_NORTH = 0
    EAST_WEST = 1

    @property
    def opponents(self) -> Team:
        """The other partnership."""
        return Team(1 - self)


class Seat(IntEnum):
    """A place at the table, numbered in turn order: counterclockwise, to the right (rule 1)."""

    SOUTH = 0
    EAST = 1
    NORTH = 2
    WEST = 3

    def next(self) -> Seat:
        """The seat whose turn follows: the player's right. The one successor function of rule 1."""
        return _SEATS[(self + 1) & 3]

    def partner(self) -> Seat:
        """The seat opposite."""
        return _SEATS[(self + 2) & 3]

    def left(self) -> Seat:
        """The seat whose turn came before: the player's left, who cuts for a dealer (rule 6)."""
        return _SEATS[(self + 3) & 3]

    def team(self) -> Team:
        """The partnership this seat belongs to."""
        return _TEAMS[self & 1]


_SEATS = (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)
_TEAMS = (Team.SOUTH_NORTH, Team.EAST_WEST)
