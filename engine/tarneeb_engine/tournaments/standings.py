"""What the teams of a tournament have done: a fold over the results, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tarneeb_engine.seats import Team

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class TeamResult:
    """How two teams, by number in the order of entry, met. ``teams`` and ``scores`` are by side of the table.

    ``winner`` is the side that won; it need not have the higher score, since "game" wins the set whatever the
    score was (rule 20). A walkover was not played: it has no scores, and no winner where nobody appeared.
    Raises ``ValueError`` for a team that meets itself, and for a set that was played and has no winner.
    """

    teams: tuple[int, int]
    winner: Team | None
    scores: tuple[int, int] = (0, 0)
    is_walkover: bool = False

    def __post_init__(self) -> None:
        if self.teams[0] == self.teams[1]:
            raise ValueError(f"team {self.teams[0]} cannot meet itself")
        if self.winner is None and not self.is_walkover:
            raise ValueError("a set that was played has a winner")

    @property
    def won_by(self) -> int | None:
        """The number of the team that won."""
        return None if self.winner is None else self.teams[self.winner]


@dataclass(frozen=True, slots=True)
class Standing:
    """What one team has done so far.

    ``sets_in_a_row`` counts the sets won since the last one that was not, ``best_run`` the most it ever was.
    ``points_for`` and ``points_against`` add up the final scores of its sets.
    """

    team: int
    sets_played: int = 0
    sets_won: int = 0
    sets_in_a_row: int = 0
    best_run: int = 0
    points_for: int = 0
    points_against: int = 0

    @property
    def point_difference(self) -> int:
        """Points made less points let through; negative for a team that was outscored."""
        return self.points_for - self.points_against

    def after(self, result: TeamResult) -> Standing:
        """The standing when this team, one of those of ``result``, has met the other."""
        side = Team(result.teams.index(self.team))
        won = result.winner is side
        sets_in_a_row = self.sets_in_a_row + 1 if won else 0
        return replace(
            self,
            sets_played=self.sets_played + 1,
            sets_won=self.sets_won + won,
            sets_in_a_row=sets_in_a_row,
            best_run=max(self.best_run, sets_in_a_row),
            points_for=self.points_for + result.scores[side],
            points_against=self.points_against + result.scores[side.opponents],
        )


def standings_of(team_count: int, results: Iterable[TeamResult]) -> tuple[Standing, ...]:
    """The standings after ``results``, by the numbers of the teams."""
    standings = [Standing(team) for team in range(team_count)]
    for result in results:
        for team in result.teams:
            standings[team] = standings[team].after(result)
    return tuple(standings)
