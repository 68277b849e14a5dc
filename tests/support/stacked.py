"""Deals whose hands are chosen by the test."""

from __future__ import annotations

from dataclasses import replace

from tarneeb_engine.actions import Cut
from tarneeb_engine.cards import Card
from tarneeb_engine.hand import Hand
from tarneeb_engine.pack import cut_pack
from tarneeb_engine.ruleset import Dealing, Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.sets import SetState
from tarneeb_engine.variants import PRESETS

Hands = tuple[Hand, Hand, Hand, Hand]


def hands_from(*, south: str, east: str, north: str, west: str) -> Hands:
    """Four hands from cards written as ``AS``, with spaces between; they must be a whole pack."""
    hands = tuple(Hand.of(Card(symbol) for symbol in cards.split()) for cards in (south, east, north, west))
    assert [len(hand) for hand in hands] == [13] * 4
    assert len({card for hand in hands for card in hand}) == 52
    return hands[0], hands[1], hands[2], hands[3]


def pack_for(hands: Hands, dealer: Seat, dealing: Dealing, cut: int) -> tuple[Card, ...]:
    """The shuffled pack that, cut at ``cut``, deals ``hands``."""
    held = [list(hands[(dealer + 1 + place) % 4]) for place in range(4)]
    if dealing is Dealing.ONE_BY_ONE:
        dealt = [held[place][card] for card in range(13) for place in range(4)]
    else:
        dealt = [card for hand in held for card in hand]
    return cut_pack(dealt, 52 - cut)


def started(
    hands: Hands,
    *,
    rules: Ruleset = PRESETS["tarneeb"],
    dealer: Seat = Seat.WEST,
    scores: tuple[int, int] = (0, 0),
    cut: int = 20,
) -> SetState:
    """A set at ``scores`` in which ``hands`` have just been dealt; the dealer's right is to call."""
    state = replace(SetState.begin(rules, dealer), scores=scores)
    state, _ = state.start_deal(pack_for(hands, dealer, rules.dealing, cut))
    state, _ = state.apply(dealer.left(), Cut(cut))
    assert tuple(state.hand(seat) for seat in Seat) == hands
    return state
