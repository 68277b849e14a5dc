"""Statistics and ratings: a fold over finished sets, one after the other, in the order of their ends.

The same sets in the same order give the same book, whether added one by one as they end or all at once. Ratings
are those of OpenSkill (Plackett-Luce, its own defaults): ``rating`` is the ordinal, mu - 3 sigma, which says
how good somebody is at least.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from openskill.models import PlackettLuce, PlackettLuceRating

from tarneeb_engine.seats import Team
from tarneeb_protocol.names import name_keys
from tarneeb_server.set_facts import Person, PersonKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_server.set_facts import DealFacts, SetFacts

ALL_TRICKS = 13
_MODEL = PlackettLuce()
PersonId: TypeAlias = int


@dataclass(slots=True)
class Skill:
    """A rating, of somebody or of a team."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def rating(self) -> float:
        """How good at least: mu - 3 sigma. 0 for newcomers."""
        return self.mu - 3 * self.sigma


@dataclass(slots=True)
class Tally:
    """What somebody has done. ``person`` is as in the latest set.

    Tricks are those of the side. As a declarer, ``promised`` is the sum of the bids and ``declared_tricks``
    what the side took in those deals: the difference is tricks against par, where par is what was promised.
    """

    person: Person
    skill: Skill = field(default_factory=Skill)
    sets: int = 0
    sets_won: int = 0
    deals: int = 0
    bids: int = 0
    bid_sum: int = 0
    declared: int = 0
    made: int = 0
    promised: int = 0
    declared_tricks: int = 0
    supported: int = 0
    """Deals in which the partner was the declarer."""
    supported_made: int = 0
    defended: int = 0
    defeated: int = 0
    """Of the defended ones, those in which the contract failed."""
    defended_tricks: int = 0
    kaboots: int = 0
    """Deals in which the side took all tricks."""
    last_set: int = 0
    """The number of the latest set."""


@dataclass(slots=True)
class TeamTally:
    """What two partners have done together."""

    people: tuple[PersonId, PersonId]
    skill: Skill = field(default_factory=Skill)
    sets: int = 0
    sets_won: int = 0


@dataclass(slots=True)
class Meeting:
    """Two people: sets as partners and sets as opponents, and those that the first of them won."""

    together: int = 0
    together_won: int = 0
    against: int = 0
    against_won: int = 0


class Book:
    """The fold. ``tallies`` and ``teams`` are in the order of their first sets."""

    def __init__(self) -> None:
        self.tallies: list[Tally] = []
        self.teams: dict[tuple[PersonId, PersonId], TeamTally] = {}
        self.sets = 0
        self._ids: dict[tuple[object, ...], PersonId] = {}
        self._known: dict[Person, PersonId] = {}
        """What was found for a person before: looking at a name takes longer than all the rest."""
        self._meetings: dict[tuple[PersonId, PersonId], Meeting] = {}

    def find(self, name: str, kind: PersonKind = PersonKind.PLAYER) -> PersonId | None:
        """Who goes by a name, or by one that a reader would take for it."""
        return next((self._ids[key] for key in _keys(Person(kind, name)) if key in self._ids), None)

    def meeting(self, one: PersonId, other: PersonId) -> Meeting:
        """How often the two have met; nothing when they have not."""
        return self._meetings.get((one, other), Meeting())

    def opponents(self, one: PersonId) -> list[tuple[PersonId, Meeting]]:
        """All whom somebody has met, in the order of the first meeting."""
        return [(other, met) for (first, other), met in self._meetings.items() if first == one]

    def add(self, number: int, facts: SetFacts) -> None:
        """Reckon a set; ``number`` is that of its record."""
        self.sets += 1
        people = [self._id(person) for person in facts.people]
        seats = [people[place] for place in facts.who]
        for place in people:
            self.tallies[place].last_set = number
        for seat, one in enumerate(seats):
            tally = self.tallies[one]
            tally.sets += 1
            tally.sets_won += seat % 2 == facts.winner
        self._meet(seats, facts.winner)
        self._rate(seats, facts.winner)
        for deal in facts.deals:
            self._reckon(deal, [people[place] for place in deal.who])

    def _id(self, person: Person) -> PersonId:
        if person in self._known:
            self.tallies[self._known[person]].person = person
            return self._known[person]
        keys = _keys(person)
        found = next((self._ids[key] for key in keys if key in self._ids), None)
        if found is None:
            found = len(self.tallies)
            self.tallies.append(Tally(person))
        for key in keys:
            self._ids.setdefault(key, found)
        self.tallies[found].person = person
        self._known[person] = found
        return found

    def _reckon(self, deal: DealFacts, seats: list[PersonId]) -> None:
        for seat, one in enumerate(seats):
            tally = self.tallies[one]
            tally.deals += 1
            if deal.bids[seat]:
                tally.bids += 1
                tally.bid_sum += deal.bids[seat]
            if deal.declarer is None:
                continue
            taken = deal.taken[seat % 2]
            is_made = deal.taken[deal.declarer % 2] >= deal.promised
            tally.kaboots += taken == ALL_TRICKS
            if seat == deal.declarer:
                tally.declared += 1
                tally.made += is_made
                tally.promised += deal.promised
                tally.declared_tricks += taken
            elif seat % 2 == deal.declarer % 2:
                tally.supported += 1
                tally.supported_made += is_made
            else:
                tally.defended += 1
                tally.defeated += not is_made
                tally.defended_tricks += taken

    def _meet(self, seats: list[PersonId], winner: int) -> None:
        for seat, one in enumerate(seats):
            has_won = seat % 2 == winner
            for step in (1, 2, 3):
                other = seats[(seat + step) % 4]
                if other == one:
                    continue
                met = self._meetings.setdefault((one, other), Meeting())
                if step == 2:
                    met.together += 1
                    met.together_won += has_won
                else:
                    met.against += 1
                    met.against_won += has_won

    def _rate(self, seats: list[PersonId], winner: int) -> None:
        sides = [(seats[team], seats[team + 2]) for team in Team]
        ranks = [0.0 if team == winner else 1.0 for team in Team]
        rated = _MODEL.rate([[_rating(self.tallies[one].skill) for one in side] for side in sides], ranks=ranks)
        changed: dict[PersonId, list[PlackettLuceRating]] = {}
        for side, ratings in zip(sides, rated, strict=True):
            for one, rating in zip(side, ratings, strict=True):
                changed.setdefault(one, []).append(rating)
        for one, ratings in changed.items():
            # Bots of a level may have several seats: the mean of what each of them learnt.
            self.tallies[one].skill = Skill(
                sum(each.mu for each in ratings) / len(ratings),
                sum(each.sigma for each in ratings) / len(ratings),
            )
        teams = [self._team(side) for side in sides]
        for team, tally in zip(Team, teams, strict=True):
            tally.sets += 1
            tally.sets_won += team == winner
        if teams[0] is not teams[1]:
            results = _MODEL.rate([[_rating(tally.skill)] for tally in teams], ranks=ranks)
            for tally, (result,) in zip(teams, results, strict=True):
                tally.skill = Skill(result.mu, result.sigma)

    def _team(self, side: tuple[PersonId, PersonId]) -> TeamTally:
        people = (min(side), max(side))
        return self.teams.setdefault(people, TeamTally(people))


def folded(sets: Iterable[tuple[int, SetFacts]]) -> Book:
    """The book of these sets, by number, in this order."""
    book = Book()
    for number, facts in sets:
        book.add(number, facts)
    return book


def _rating(skill: Skill) -> PlackettLuceRating:
    return _MODEL.create_rating([skill.mu, skill.sigma])


def _keys(person: Person) -> list[tuple[object, ...]]:
    """What tells people apart: the key where there is one, else the name as a reader takes it."""
    if person.kind is PersonKind.BOT:
        return [("bot", person.name)]
    if person.key:
        return [("key", person.key)]
    return [("name", at, key) for at, key in enumerate(name_keys(person.name))]
