"""What statistics and ratings need to know of a finished set, gathered once from its transcript.

A deal counts for whoever did most of what was done in a seat, and so does the set. What a stand-in does counts
for the player it stands in for; what a bot does, that took over a seat for good, for the bots of its level.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import msgspec

from tarneeb_engine.actions import MakeCall
from tarneeb_engine.attribution import ActorKind
from tarneeb_engine.calls import HIGHEST_BID, CallKind
from tarneeb_engine.notation import actions_of, format_rules
from tarneeb_engine.seats import Seat, Team
from tarneeb_server.seating import BOT_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.attribution import Actor, Deeds
    from tarneeb_engine.deal import DealState
    from tarneeb_engine.transcript import Transcript
    from tarneeb_engine.views import DealScore

UNKNOWN_LEVEL = "unknown"
"""Of bots in sets of a server that did not keep it."""

BySeat: TypeAlias = tuple[int, int, int, int]
T = TypeVar("T")


class PersonKind(StrEnum):
    """Bots count apart from people."""

    PLAYER = "player"
    BOT = "bot"


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """One who is credited: a player by name, and the fingerprint of the key if there is one, or all bots of a
    level, which is their ``name``.
    """

    kind: PersonKind
    name: str
    key: str = ""


class DealFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deal. ``who`` are places in the set's ``people``, by seat. ``bids`` is the highest bid of each seat, 0
    where there was none, 13 for "game". In a void deal ``declarer`` is ``None`` and nothing was ``promised``.
    ``taken`` and ``points`` are by team.
    """

    who: BySeat
    bids: BySeat
    declarer: int | None = None
    promised: int = 0
    taken: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)


class SetFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """A set. ``who`` are places in ``people`` by seat: for whom the set counts."""

    rules: str
    people: tuple[Person, ...]
    who: BySeat
    winner: int
    scores: tuple[int, int]
    deals: tuple[DealFacts, ...]

    def team(self, team: int) -> tuple[Person, Person]:
        """The two for whom the set counts on one side."""
        return self.people[self.who[team]], self.people[self.who[team + 2]]


encode_facts = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(SetFacts).decode


def decode_facts(text: str | bytes) -> SetFacts:
    """What ``encode_facts`` wrote. Raises ``ValueError`` for anything else."""
    try:
        facts = _decode(text)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    places = range(len(facts.people))
    seats = [facts.who, *(deal.who for deal in facts.deals)]
    if any(place not in places for who in seats for place in who) or facts.winner not in tuple(Team):
        raise ValueError("it names somebody who is not told")
    if any(deal.declarer is not None and deal.declarer not in tuple(Seat) for deal in facts.deals):
        raise ValueError("it names a declarer who has no seat")
    return facts


def facts_of(
    transcript: Transcript, history: Sequence[DealScore], levels: Sequence[str | None] | None
) -> SetFacts:
    """The facts of a set that is over. ``history`` is that of its end; ``levels`` are those of the bots that
    had seats at its end, by seat, ``None`` where they were not kept. Raises ``ValueError`` for another set.
    """
    if not history or history[-1].wins_set is None:
        raise ValueError("the set is not over")
    credits_by_deal = list(_credits(transcript, levels))
    whole: tuple[Counter[Person], ...] = (Counter(), Counter(), Counter(), Counter())
    for by_seat in credits_by_deal:
        for seat, counted in enumerate(by_seat):
            whole[seat].update(counted)
    credited = [_most(counted) for counted in whole]
    people: list[Person] = []

    def place(person: Person) -> int:
        if person not in people:
            people.append(person)
        return people.index(person)

    who = _by_seat([place(person) for person in credited])
    scores = {score.number: score for score in history}
    deals = tuple(
        _deal(
            deal,
            scores.get(deal.number),
            _by_seat(
                [place(_most(counted) if counted else credited[seat]) for seat, counted in enumerate(by_seat)]
            ),
        )
        for deal, by_seat in zip(transcript.deals, credits_by_deal, strict=True)
    )
    last = history[-1]
    return SetFacts(
        format_rules(transcript.rules), tuple(people), who, int(last.wins_set or 0), last.scores, deals
    )


def _deal(deal: DealState, score: DealScore | None, who: BySeat) -> DealFacts:
    bids = [0, 0, 0, 0]
    for seat, action in actions_of(deal):
        if isinstance(action, MakeCall) and action.call.kind in {CallKind.BID, CallKind.GAME}:
            bids[seat] = max(bids[seat], action.call.tricks or HIGHEST_BID)
    if score is None:
        return DealFacts(who, _by_seat(bids))
    return DealFacts(who, _by_seat(bids), int(score.declarer), score.bid, score.taken, score.points)


def _credits(transcript: Transcript, levels: Sequence[str | None] | None) -> list[tuple[Counter[Person], ...]]:
    """How many actions of each deal count for whom, by seat."""
    if transcript.actors:
        people = [_person(actor) for actor in transcript.actors]
        return [_counted(deeds, people) for deeds in transcript.deeds]
    # Of an earlier version of the server: who had the seats at the end is all that is known.
    names = transcript.players or ("", "", "", "")
    seated = [_seated(seat, names[seat], None if levels is None else levels[seat]) for seat in Seat]
    return [tuple(Counter({person: 1}) for person in seated) for _ in transcript.deals]


def _counted(deeds: Deeds, people: Sequence[Person]) -> tuple[Counter[Person], ...]:
    counters = []
    for runs in deeds:
        counted: Counter[Person] = Counter()
        for actor, count in runs:
            counted[people[actor - 1]] += count
        counters.append(counted)
    return tuple(counters)


def _person(actor: Actor) -> Person:
    if actor.kind is ActorKind.BOT:
        return Person(PersonKind.BOT, actor.level)
    return Person(PersonKind.PLAYER, actor.name, actor.key)


def _seated(seat: Seat, name: str, level: str | None) -> Person:
    if level is not None or name == BOT_NAMES[seat]:
        return Person(PersonKind.BOT, level or UNKNOWN_LEVEL)
    return Person(PersonKind.PLAYER, name)


def _most(counted: Counter[Person]) -> Person:
    (person, _), *_rest = counted.most_common(1)
    return person


def _by_seat(values: Sequence[int]) -> BySeat:
    south, east, north, west = values
    return south, east, north, west
