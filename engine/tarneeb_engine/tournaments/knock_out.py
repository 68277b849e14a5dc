"""Who loses is out: a ladder for any number of teams, with byes for the first of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tarneeb_engine.seats import Team
from tarneeb_engine.tournaments.formats import Pairing
from tarneeb_engine.tournaments.published import PublishedFormat


@lru_cache(maxsize=64)
def ladder_order(turns: int) -> tuple[int, ...]:
    """The ``2 ** turns`` places of the first turn from top to bottom, by number of the team: the first and the
    second can meet in the last turn alone, the first four not before the one before it, and so on.
    """
    order = [0]
    for _ in range(turns):
        last = 2 * len(order) - 1
        order = [place for team in order for place in (team, last - team)]
    return tuple(order)


@dataclass(frozen=True, slots=True)
class KnockOut(PublishedFormat):
    """Teams are seeded by number. Made with ``begin``.

    The places count from 0, turn by turn; the winners of places ``2k`` and ``2k + 1`` of a turn meet at its
    place ``k`` of the next. Numbers that no team has give a bye in the first turn: the first teams have them.
    """

    @property
    def turns(self) -> int:
        """How many turns there are."""
        return (self.team_count - 1).bit_length()

    def published(self) -> tuple[Pairing, ...]:
        """Every pairing of which both teams are known."""
        won_by = {place: result.won_by for place, result in zip(self.played_places, self.results, strict=True)}
        standing: list[int | None] = [
            team if team < self.team_count else None for team in ladder_order(self.turns)
        ]
        pairings: list[Pairing] = []
        first = 0
        for turn in range(1, self.turns + 1):
            through: list[int | None] = []
            for slot in range(0, len(standing), 2):
                one, other = standing[slot], standing[slot + 1]
                place = first + slot // 2
                if one is not None and other is not None:
                    pairings.append(Pairing(place, (one, other), turn))
                    through.append(won_by.get(place))
                else:
                    is_bye = turn == 1
                    through.append((one if other is None else other) if is_bye else None)
            first += len(standing) // 2
            standing = through
        return tuple(pairings)

    @property
    def is_over(self) -> bool:
        """Whether the last turn has a winner."""
        return 2**self.turns - 2 in self.played_places

    def ranking(self) -> tuple[int, ...]:
        """By the turn that a team came to (the winner is first), then point difference, then number."""
        reached = dict.fromkeys(range(self.team_count), 0)
        for pairing in self.published():
            for team in pairing.teams:
                reached[team] = pairing.turn
        for place, result in zip(self.played_places, self.results, strict=True):
            if place == 2**self.turns - 2 and result.won_by is not None:
                reached[result.won_by] = self.turns + 1
        ordered = sorted(self.standings(), key=lambda s: (-reached[s.team], -s.point_difference, s.team))
        return tuple(standing.team for standing in ordered)

    def _nobody_there(self, pairing: Pairing) -> Team | None:
        return Team(pairing.teams.index(min(pairing.teams)))
