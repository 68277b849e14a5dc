"""What all formats of a tournament have in common: who meets whom now, and how the teams stand.

A format is immutable. Teams are numbers, in the order of entry or of the lot; it does not know who they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_engine.tournaments.standings import Standing, TeamResult

MOST_TABLES = 32
"""Tables that a tournament plays at once: 64 teams."""


class FormatKind(StrEnum):
    """How a tournament is played."""

    WINNER_STAYS = "winner_stays"
    """One table: who loses a set makes room for the next team of the queue."""
    ROUND_ROBIN = "round_robin"
    """Every team meets every other once."""
    KNOCK_OUT = "knock_out"
    """Who loses a set is out."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two teams that meet, by side of the table. ``place`` tells published pairings apart, and is 0 for the one
    table of a queue; ``turn`` counts from 1 where pairings are published, and is else 0.
    """

    place: int
    teams: tuple[int, int]
    turn: int = 0


class Format(Protocol):
    """How a tournament goes on. Every method returns another value."""

    @property
    def team_count(self) -> int:
        """How many teams have entered, those that left too."""

    @property
    def results(self) -> tuple[TeamResult, ...]:
        """All results, in the order in which they came."""

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who is to play now, each at a table of its own. No team is in two of them."""

    @property
    def waiting(self) -> tuple[int, ...]:
        """The teams that wait, next first."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be played."""

    def set_ended(self, place: int, result: TeamResult) -> Format:
        """The set of a pairing of ``pairings`` is over. ``ValueError`` when there is no such pairing."""

    def not_there(self, place: int, absent: Iterable[int]) -> Format:
        """Teams of a pairing did not appear in time. ``ValueError`` when they are not of that pairing."""

    def enter(self) -> Format:
        """Another team comes, with the next number. ``ValueError`` where the pairings are fixed already."""

    def withdraw(self, team: int, *, is_playing: bool) -> Format:
        """A team goes home. A set that it is playing is finished and counts."""

    def standings(self) -> tuple[Standing, ...]:
        """What each team has done, by number."""

    def ranking(self) -> tuple[int, ...]:
        """The numbers of all teams, best first: a total order."""


def pairing_at(pairings: Iterable[Pairing], place: int) -> Pairing:
    """The pairing of that place. Raises ``ValueError``."""
    for pairing in pairings:
        if pairing.place == place:
            return pairing
    raise ValueError(f"no set is to be played at place {place}")


def check_teams(pairing: Pairing, teams: Iterable[int]) -> None:
    """Raise ``ValueError`` when one of the teams is not of the pairing."""
    for team in teams:
        if team not in pairing.teams:
            raise ValueError(f"team {team} is not one of {pairing.teams}, who meet at place {pairing.place}")
