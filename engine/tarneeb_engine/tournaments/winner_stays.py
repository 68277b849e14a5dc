"""A tournament with a queue (rule 4): the winners stay, the losers go to the back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tarneeb_engine.seats import Team
from tarneeb_engine.tournaments.formats import Pairing, check_teams, pairing_at
from tarneeb_engine.tournaments.standings import Standing, TeamResult, standings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_MISSES = 3
"""Times in succession that a team is passed over before it is out."""

Side = int | None


@dataclass(frozen=True, slots=True)
class WinnerStays:
    """Who plays, who waits and in which order. Made with ``begin``.

    ``at_table`` is by side; a team that stays keeps its side, and ``None`` is a side that has no team.
    ``misses`` counts, by team, how often it was passed over since it last played. It ends after ``sets`` sets,
    or when a team has ``wins``; with neither it goes on.
    """

    team_count: int
    at_table: tuple[Side, Side]
    waiting: tuple[int, ...]
    misses: tuple[int, ...]
    out: frozenset[int] = frozenset()
    results: tuple[TeamResult, ...] = ()
    sets: int | None = None
    wins: int | None = None

    @classmethod
    def begin(cls, team_count: int, *, sets: int | None = None, wins: int | None = None) -> WinnerStays:
        """The first two teams sit down, south–north and east–west; the others wait in their order.

        Raises ``ValueError`` for fewer than two teams, and for an end that is there at the beginning.
        """
        if team_count < 2:
            raise ValueError(f"a tournament needs two teams or more, not {team_count}")
        for what, number in (("sets", sets), ("wins", wins)):
            if number is not None and number < 1:
                raise ValueError(f"a tournament has one of {what} or more, not {number}")
        waiting = tuple(range(2, team_count))
        return cls(team_count, (0, 1), waiting, misses=(0,) * team_count, sets=sets, wins=wins)

    @property
    def is_over(self) -> bool:
        """Whether it has had its sets, or a team its wins."""
        if self.sets is not None and len(self.results) >= self.sets:
            return True
        return self.wins is not None and any(team.sets_won >= self.wins for team in self.standings())

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """The two at the table, if there are two."""
        one, other = self.at_table
        if one is None or other is None or self.is_over:
            return ()
        return (Pairing(0, (one, other)),)

    def set_ended(self, place: int, result: TeamResult) -> WinnerStays:
        """The losers queue up at the back, the next team takes their side.

        When nobody waits, the losers are themselves the next team, so the same two play on. Teams that went
        home during the set do not come back into the queue.
        """
        pairing = pairing_at(self.pairings, place)
        if result.teams != pairing.teams or result.winner is None:
            raise ValueError(f"{pairing.teams} met, and one of them won; {result} says another thing")
        loser = result.winner.opponents
        ended = replace(self, results=(*self.results, result))
        for team in result.teams:
            ended = ended._with_misses(team, 0)
        ended = ended._sits(loser, None)
        if result.teams[loser] not in self.out:
            ended = replace(ended, waiting=(*ended.waiting, result.teams[loser]))
        if result.teams[result.winner] in self.out:
            ended = ended._sits(result.winner, None)
        return ended._filled()

    def not_there(self, place: int, absent: Iterable[int]) -> WinnerStays:
        """A team that did not appear makes room for the next one that was not passed over itself, and is then
        first in the queue: it is called again after the next set. It is out when it was passed over for the
        third time in succession. Where nobody could come in its place it simply has more time.
        """
        pairing = pairing_at(self.pairings, place)
        absent = tuple(absent)
        check_teams(pairing, absent)
        passed: WinnerStays = self
        missing = [team for team in pairing.teams if team in absent]
        back: tuple[int, ...] = ()
        for team in missing:
            following = next((one for one in passed.waiting if not passed.misses[one]), None)
            if following is None:
                continue
            side = Team(pairing.teams.index(team))
            waiting = tuple(one for one in passed.waiting if one != following)
            passed = replace(passed, waiting=waiting)._sits(side, following)
            passed = passed._with_misses(team, passed.misses[team] + 1)
            if passed.misses[team] >= MOST_MISSES:
                passed = replace(passed, out=passed.out | {team})
            else:
                back = (*back, team)
        return replace(passed, waiting=(*back, *passed.waiting))

    def enter(self) -> WinnerStays:
        """A team that comes later waits behind the others."""
        entered = replace(
            self,
            team_count=self.team_count + 1,
            waiting=(*self.waiting, self.team_count),
            misses=(*self.misses, 0),
        )
        return entered._filled()

    def withdraw(self, team: int, *, is_playing: bool) -> WinnerStays:
        """A team goes home; what it has done stays in the standings."""
        waiting = tuple(one for one in self.waiting if one != team)
        left = replace(self, out=self.out | {team}, waiting=waiting)
        if team in self.at_table and not is_playing:
            left = left._sits(Team(self.at_table.index(team)), None)._filled()
        return left

    def standings(self) -> tuple[Standing, ...]:
        """What each team has done, by number."""
        return standings_of(self.team_count, self.results)

    def ranking(self) -> tuple[int, ...]:
        """By sets won, then point difference, then best run, then number."""
        ordered = sorted(
            self.standings(), key=lambda s: (-s.sets_won, -s.point_difference, -s.best_run, s.team)
        )
        return tuple(standing.team for standing in ordered)

    def _sits(self, side: Team, team: Side) -> WinnerStays:
        one, other = self.at_table
        return replace(self, at_table=(team, other) if side is Team.SOUTH_NORTH else (one, team))

    def _with_misses(self, team: int, count: int) -> WinnerStays:
        return replace(self, misses=(*self.misses[:team], count, *self.misses[team + 1 :]))

    def _filled(self) -> WinnerStays:
        filled = self
        for side in Team:
            if filled.at_table[side] is None and filled.waiting:
                filled = replace(filled, waiting=filled.waiting[1:])._sits(side, filled.waiting[0])
        return filled
