"""What formats have in common whose pairings are published beforehand and played at several tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from tarneeb_engine.seats import Team
from tarneeb_engine.tournaments.formats import MOST_TABLES, Pairing, check_teams, pairing_at
from tarneeb_engine.tournaments.standings import Standing, TeamResult, standings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    P = TypeVar("P", bound="PublishedFormat")


@dataclass(frozen=True, slots=True)
class PublishedFormat(ABC):
    """Pairings in a fixed order. One is called as soon as both its teams are free and there is a table for it,
    so nobody waits for the slowest table of a turn. ``called`` are the places of those to be played now;
    ``played_places`` are those of ``results``.
    """

    team_count: int
    table_count: int
    called: tuple[int, ...] = ()
    played_places: tuple[int, ...] = ()
    results: tuple[TeamResult, ...] = ()
    out: frozenset[int] = frozenset()

    @classmethod
    def begin(cls: type[P], team_count: int, *, table_count: int = MOST_TABLES) -> P:
        """The first pairings are called. Raises ``ValueError`` for fewer than two teams or one table."""
        if team_count < 2:
            raise ValueError(f"a tournament needs two teams or more, not {team_count}")
        if not 1 <= table_count <= MOST_TABLES:
            raise ValueError(f"a tournament has 1 to {MOST_TABLES} tables, not {table_count}")
        return cls(team_count, table_count)._going_on()

    @abstractmethod
    def published(self) -> tuple[Pairing, ...]:
        """Every pairing of which both teams are known, in order, those that were played too."""

    @abstractmethod
    def _nobody_there(self, pairing: Pairing) -> Team | None:
        """The side that goes on when neither team appeared."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether all was played."""

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Those that are called, in the order of calling."""
        by_place = {pairing.place: pairing for pairing in self.published()}
        return tuple(by_place[place] for place in self.called)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Teams that have a set before them and none now, in the order of their next pairings."""
        busy = {team for pairing in self.pairings for team in pairing.teams}
        following = [team for pairing in self._open() for team in pairing.teams if team not in busy]
        return tuple(dict.fromkeys(following))

    def set_ended(self: P, place: int, result: TeamResult) -> P:
        """The table is free for the next pairing."""
        pairing = pairing_at(self.pairings, place)
        if result.teams != pairing.teams:
            raise ValueError(f"{pairing.teams} met at place {place}, not {result.teams}")
        return self._with_result(place, result)._going_on()

    def not_there(self: P, place: int, absent: Iterable[int]) -> P:
        """A team that did not appear has lost the set, without a score."""
        pairing = pairing_at(self.pairings, place)
        absent = tuple(absent)
        check_teams(pairing, absent)
        if not absent:
            return self
        return self._with_result(place, self._walkover(pairing, absent))._going_on()

    def enter(self: P) -> P:
        """Never: ``ValueError``."""
        raise ValueError("the pairings are published; no team can enter any more")

    def withdraw(self: P, team: int, *, is_playing: bool) -> P:
        """The sets that the team has not begun are lost, without a score."""
        left = replace(self, out=self.out | {team})
        if not is_playing:
            open_now = [pairing for pairing in left.pairings if team in pairing.teams]
            for pairing in open_now:
                left = left._with_result(pairing.place, left._walkover(pairing, (team,)))
        return left._going_on()

    def standings(self) -> tuple[Standing, ...]:
        """What each team has done, by number."""
        return standings_of(self.team_count, self.results)

    def _open(self) -> tuple[Pairing, ...]:
        taken = {*self.called, *self.played_places}
        return tuple(pairing for pairing in self.published() if pairing.place not in taken)

    def _walkover(self, pairing: Pairing, absent: Iterable[int]) -> TeamResult:
        there = [side for side in Team if pairing.teams[side] not in absent]
        winner = there[0] if len(there) == 1 else self._nobody_there(pairing)
        return TeamResult(pairing.teams, winner, is_walkover=True)

    def _with_result(self: P, place: int, result: TeamResult) -> P:
        return replace(
            self,
            called=tuple(other for other in self.called if other != place),
            played_places=(*self.played_places, place),
            results=(*self.results, result),
        )

    def _going_on(self: P) -> P:
        """Walkovers of those who left, as far as their opponents are known; then calls for the free tables."""
        settled = self
        while lost := [pairing for pairing in settled._open() if settled.out & set(pairing.teams)]:
            settled = settled._with_result(lost[0].place, settled._walkover(lost[0], settled.out))
        busy = {team for pairing in settled.pairings for team in pairing.teams}
        called = list(settled.called)
        for pairing in settled._open():
            if len(called) >= settled.table_count:
                break
            if not busy & set(pairing.teams):
                busy |= set(pairing.teams)
                called.append(pairing.place)
        return replace(settled, called=tuple(called))
