"""Every team meets every other once: the circle method."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tarneeb_engine.tournaments.formats import Pairing
from tarneeb_engine.tournaments.published import PublishedFormat

if TYPE_CHECKING:
    from tarneeb_engine.seats import Team


@lru_cache(maxsize=64)
def schedule(team_count: int) -> tuple[Pairing, ...]:
    """All pairings, turn by turn. With an odd number one team a turn has a bye: each of them once.

    One team stays, the others go round it by one place a turn; the sides of the staying team change.
    """
    circle: list[int | None] = list(range(team_count))
    if team_count % 2:
        circle.append(None)
    pairings: list[Pairing] = []
    half = len(circle) // 2
    for turn in range(1, len(circle)):
        for one, other in zip(circle[:half], reversed(circle[half:]), strict=True):
            if one is not None and other is not None:
                is_turned = one == circle[0] and turn % 2 == 0
                teams = (other, one) if is_turned else (one, other)
                pairings.append(Pairing(len(pairings), teams, turn))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(pairings)


@dataclass(frozen=True, slots=True)
class RoundRobin(PublishedFormat):
    """A league of one evening. Made with ``begin``."""

    def published(self) -> tuple[Pairing, ...]:
        """The whole schedule."""
        return schedule(self.team_count)

    @property
    def is_over(self) -> bool:
        """Whether every pair has met."""
        return len(self.results) == len(self.published())

    def ranking(self) -> tuple[int, ...]:
        """By sets won; then by sets won against the teams with as many; then point difference, points made, and
        number.
        """
        standings = self.standings()
        against_equals: Counter[int] = Counter()
        for result in self.results:
            one, other = result.teams
            if result.won_by is not None and standings[one].sets_won == standings[other].sets_won:
                against_equals[result.won_by] += 1
        ordered = sorted(
            standings,
            key=lambda s: (-s.sets_won, -against_equals[s.team], -s.point_difference, -s.points_for, s.team),
        )
        return tuple(standing.team for standing in ordered)

    def _nobody_there(self, pairing: Pairing) -> Team | None:
        return None
