"""Random play through the engine, step by step, and a fold of its events that is written apart from it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from support.self_play import rulesets
from tarneeb_engine import events as happened
from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.bots import policy
from tarneeb_engine.calls import DOUBLE, GAME, PASS, Call, Remark
from tarneeb_engine.cards import FULL_PACK, Suit
from tarneeb_engine.hand import Hand
from tarneeb_engine.pack import shuffled
from tarneeb_engine.seats import Seat
from tarneeb_engine.sets import SetState
from tarneeb_engine.views import CallView, ContractView, DealView, Phase, PublicView, TrickView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

    from tarneeb_engine.ruleset import Ruleset

EVERY_ACTION: tuple[Action, ...] = (
    *(Cut(at) for at in range(-1, 54)),
    *(
        MakeCall(call, remark)
        for call in (
            *(PASS, DOUBLE, GAME),
            *(Call.bid(tricks, suit) for tricks in range(16) for suit in (None, *Suit)),
        )
        for remark in (None, *Remark)
    ),
    *(NameTrump(suit) for suit in Suit),
    *(PlayCard(card) for card in FULL_PACK),
)
"""Everything that a hostile client could say in the words that exist, and a little more."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened to a set. ``seat`` and ``action`` are ``None`` for the start of a deal."""

    before: SetState
    seat: Seat | None
    action: Action | None
    events: tuple[happened.Event, ...]
    after: SetState


def playout(rules: Ruleset, dealer: Seat, seed: int, most_steps: int | None = None) -> Iterator[Step]:
    """The steps of a set by four random bots, to its end or for ``most_steps``."""
    rng = random.Random(seed)
    chooser = policy("random", rng)
    state = SetState.begin(rules, dealer)
    steps = 0
    while state.winner is None and (most_steps is None or steps < most_steps):
        seat = state.turn
        action = None
        if seat is None:
            after, events = state.start_deal(shuffled(rng))
        else:
            action = chooser.choose(state.seat_view(seat), state.legal_actions(seat))
            after, events = state.apply(seat, action)
        yield Step(state, seat, action, events, after)
        state = after
        steps += 1


class Playout(list[Step]):
    """The steps of a set, shown by what they come from."""

    def __init__(self, rules: Ruleset, dealer: Seat, seed: int, most_steps: int | None) -> None:
        super().__init__(playout(rules, dealer, seed, most_steps))
        self._source = f"Playout({rules!r}, {dealer!r}, {seed}, {most_steps})"

    def __repr__(self) -> str:
        return self._source


def playouts(most_steps: int | None = None) -> SearchStrategy[Playout]:
    """The steps of a random set under any rules."""
    return st.builds(Playout, rulesets(), st.sampled_from(Seat), st.integers(0, 2**32), st.just(most_steps))


def fold(view: PublicView, event: happened.Event) -> PublicView:
    """What everybody knows after ``event``, reckoned from the event alone."""
    deal = view.deal
    if isinstance(event, happened.DealStarted):
        fresh = DealView(
            event.number,
            event.dealer,
            Phase.CUT,
            Seat((event.dealer + 3) % 4),
            None,
            (0, 0, 0, 0),
            (),
            None,
            (),
            None,
            (0, 0),
        )
        return replace(view, deal=fresh)
    assert deal is not None
    match event:
        case happened.PackCut():
            deal = replace(deal, cut=event.at)
        case happened.HandsDealt():
            deal = replace(deal, phase=Phase.AUCTION, turn=event.turn, cards_held=(13, 13, 13, 13))
        case happened.CallMade():
            heard = CallView(event.seat, event.call.kind, event.call.tricks, event.remark, event.call.suit)
            deal = replace(deal, calls=(*deal.calls, heard), turn=event.turn)
        case happened.AuctionWon():
            contract = ContractView(event.declarer, event.call.kind, event.call.promised, None, event.doubled)
            deal = replace(deal, phase=Phase.DECLARATION, contract=contract, turn=event.declarer)
        case happened.DealVoided():
            deal = replace(deal, phase=Phase.VOID, turn=None)
        case happened.TrumpNamed():
            assert deal.contract is not None
            deal = replace(
                deal,
                phase=Phase.PLAY,
                turn=event.seat,
                contract=replace(deal.contract, trump=event.suit),
                trick=TrickView(event.seat, (), None),
            )
        case happened.CardPlayed():
            assert deal.trick is not None
            south, east, north, west = (
                count - (seat == event.seat) for seat, count in enumerate(deal.cards_held)
            )
            trick = TrickView(deal.trick.leader, (*deal.trick.cards, event.card), event.winning)
            deal = replace(deal, trick=trick, turn=event.turn, cards_held=(south, east, north, west))
        case happened.TrickTaken():
            assert deal.trick is not None
            tricks = (*deal.tricks, deal.trick)
            following = None if event.turn is None else TrickView(event.turn, (), None)
            phase = Phase.SCORED if event.turn is None else Phase.PLAY
            deal = replace(
                deal, phase=phase, tricks=tricks, trick=following, taken=event.taken, turn=event.turn
            )
        case happened.DealScored():
            return replace(view, scores=event.score.scores, history=(*view.history, event.score))
        case happened.SetWon():
            return replace(view, winner=event.winner)
    return replace(view, deal=deal)


def fold_hand(hand: Hand, seat: Seat, event: happened.Event) -> Hand:
    """The hand of ``seat`` after ``event``."""
    if isinstance(event, happened.DealStarted):
        return Hand()  # a void deal's cards go back into the pack
    if isinstance(event, happened.HandsDealt):
        return event.hands[seat]
    if isinstance(event, happened.CardPlayed) and event.seat is seat:
        return Hand.of(card for card in hand if card is not event.card)
    return hand
