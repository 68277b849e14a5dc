"""A tournament (rule 4): the winners stay, the losers go to the back of the queue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tarneeb_engine.seats import Team

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class TournamentTeam:
    """Two players who entered under one name. The name tells the team apart from every other.

    Raises ``ValueError`` when a name is blank or the two players carry the same one.
    """

    name: str
    players: tuple[str, str]

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValueError("a team has a name that is not blank")
        if not all(player.strip() for player in self.players):
            raise ValueError(f"team {self.name!r} has two named players, not {self.players!r}")
        if self.players[0] == self.players[1]:
            raise ValueError(f"team {self.name!r} names {self.players[0]!r} twice; partners are two people")


@dataclass(frozen=True, slots=True)
class SetResult:
    """How a set ended: the side of the table that won, and the scores by side.

    The winner need not have the higher score: "game" wins the set whatever the score was (rule 20).
    """

    winner: Team
    scores: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Standing:
    """What a team has done so far.

    ``sets_in_a_row`` counts the sets won since the last one lost, ``best_run`` the most it ever was.
    ``points_for`` and ``points_against`` add up the final scores of its sets.
    """

    team: TournamentTeam
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

    def _after_set(self, *, won: bool, points_for: int, points_against: int) -> Standing:
        sets_in_a_row = self.sets_in_a_row + 1 if won else 0
        return replace(
            self,
            sets_played=self.sets_played + 1,
            sets_won=self.sets_won + won,
            sets_in_a_row=sets_in_a_row,
            best_run=max(self.best_run, sets_in_a_row),
            points_for=self.points_for + points_for,
            points_against=self.points_against + points_against,
        )


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who plays, who waits and in which order, and how everybody stands. Immutable.

    ``at_table`` is by side, so ``at_table[Team.EAST_WEST]`` sits east and west; a team that stays keeps
    its side. ``waiting`` has the next team first. ``standings`` is in the order of entry and keeps the
    teams that withdrew. Made with ``begin``.
    """

    at_table: tuple[TournamentTeam, TournamentTeam]
    waiting: tuple[TournamentTeam, ...]
    standings: tuple[Standing, ...]
    sets_played: int = 0

    @classmethod
    def begin(cls, teams: Iterable[TournamentTeam]) -> Tournament:
        """The first two teams sit down, south–north and east–west; the others wait in this order.

        Raises ``ValueError`` for fewer than two teams, and when a team's name or a player comes twice.
        """
        entered = tuple(teams)
        if len(entered) < 2:
            raise ValueError(f"a tournament needs two teams or more, not {len(entered)}")
        for place, team in enumerate(entered):
            _check_new(team, entered[:place])
        return cls(
            at_table=(entered[0], entered[1]),
            waiting=entered[2:],
            standings=tuple(map(Standing, entered)),
        )

    @property
    def teams(self) -> tuple[TournamentTeam, ...]:
        """Every team taking part: the two at the table, then those waiting, in order."""
        return self.at_table + self.waiting

    def set_ended(self, result: SetResult) -> Tournament:
        """The tournament after a set: the losers queue up at the back, the next team takes their place.

        When nobody waits, the losers are themselves the next team, so the same two play on.
        """
        loser = result.winner.opponents
        queue = (*self.waiting, self.at_table[loser])
        at_table = (
            (self.at_table[0], queue[0]) if result.winner is Team.SOUTH_NORTH else (queue[0], self.at_table[1])
        )
        standings = []
        for standing in self.standings:
            if standing.team not in self.at_table:
                standings.append(standing)
                continue
            side = Team(self.at_table.index(standing.team))
            standings.append(
                standing._after_set(
                    won=side is result.winner,
                    points_for=result.scores[side],
                    points_against=result.scores[side.opponents],
                )
            )
        return replace(
            self,
            at_table=at_table,
            waiting=queue[1:],
            standings=tuple(standings),
            sets_played=self.sets_played + 1,
        )

    def enter(self, team: TournamentTeam) -> Tournament:
        """A team that comes later waits behind the others.

        Raises ``ValueError`` when its name or one of its players takes part already. A team that
        withdrew may come back and keeps its standing, if it is the same two players.
        """
        _check_new(team, self.teams)
        standings = self.standings
        former = next((standing.team for standing in standings if standing.team.name == team.name), None)
        if former is None:
            standings = (*standings, Standing(team))
        elif former != team:
            raise ValueError(
                f"team {team.name!r} played here as {' and '.join(former.players)}; take another name"
            )
        return replace(self, waiting=(*self.waiting, team), standings=standings)

    def withdraw(self, name: str) -> Tournament:
        """A waiting team goes home. What it has done stays in the standings.

        Raises ``ValueError`` when no team of that name waits: a team at the table first ends its set.
        """
        remaining = tuple(team for team in self.waiting if team.name != name)
        if len(remaining) == len(self.waiting):
            names = ", ".join(repr(team.name) for team in self.waiting) or "none"
            raise ValueError(f"no team {name!r} is waiting; teams waiting: {names}")
        return replace(self, waiting=remaining)

    def ranking(self) -> tuple[Standing, ...]:
        """The standings, best first: sets won, then point difference, then best run, then order of entry."""
        return tuple(sorted(self.standings, key=lambda s: (-s.sets_won, -s.point_difference, -s.best_run)))


def _check_new(team: TournamentTeam, taking_part: tuple[TournamentTeam, ...]) -> None:
    for other in taking_part:
        if other.name == team.name:
            raise ValueError(f"two teams are called {team.name!r}; names tell teams apart")
        for player in team.players:
            if player in other.players:
                raise ValueError(
                    f"{player!r} plays for {other.name!r} already and cannot play for {team.name!r}"
                )
