"""Rules 2, 6 and 7: the pack, the cut, the deal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_engine.cards import FULL_PACK, RANK_LETTERS, Card, Rank, Suit
from tarneeb_engine.hand import Hand
from tarneeb_engine.pack import cut_pack, deal_hands, shuffled
from tarneeb_engine.ruleset import Dealing
from tarneeb_engine.seats import Seat, Team

packs = st.permutations(FULL_PACK).map(tuple)
seats = st.sampled_from(Seat)
dealings = st.sampled_from(Dealing)


def test_rule_1_turns_go_to_the_right_and_partners_sit_opposite() -> None:
    going_round = [Seat.SOUTH]
    for _ in range(4):
        going_round.append(going_round[-1].next())
    assert going_round == [Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST, Seat.SOUTH]
    for seat in Seat:
        assert seat.left().next() is seat
        assert seat.partner() is seat.next().next()
        assert seat.team() is seat.partner().team()
        assert seat.team() is seat.next().team().opponents
    assert Seat.SOUTH.team() is Team.SOUTH_NORTH


def test_rule_2_the_pack_is_52_cards_and_the_ace_is_high() -> None:
    assert len(set(FULL_PACK)) == 52
    assert [card.number for card in FULL_PACK] == list(range(52))
    assert {(card.suit, card.rank) for card in FULL_PACK} == {(suit, rank) for suit in Suit for rank in Rank}
    assert RANK_LETTERS == "23456789TJQKA"
    assert max(Rank) is Rank.ACE


@pytest.mark.parametrize("symbol", ["", "A", "SA", "1S", "10S", "as", "AS ", "XX", "A♠"])
def test_what_is_not_a_card_is_refused(symbol: str) -> None:
    with pytest.raises(ValueError, match="is not a valid Card"):
        Card(symbol)


@given(packs, st.integers(1, 51))
def test_rule_6_a_cut_puts_the_lifted_cards_under_the_rest(pack: tuple[Card, ...], at: int) -> None:
    after = cut_pack(pack, at)
    assert after[0] == pack[at]
    assert after[-1] == pack[at - 1]
    assert cut_pack(after, 52 - at) == pack


@pytest.mark.parametrize("at", [-1, 0, 52, 53])
def test_rule_6_a_cut_leaves_a_card_on_either_side(at: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 51 cards, not {at}"):
        cut_pack(FULL_PACK, at)


@given(packs, seats, dealings)
def test_rule_7_every_card_is_dealt_and_everybody_gets_13(
    pack: tuple[Card, ...], dealer: Seat, dealing: Dealing
) -> None:
    hands = deal_hands(pack, dealer, dealing)
    assert [len(hand) for hand in hands] == [13] * 4
    assert sorted(card for hand in hands for card in hand) == sorted(FULL_PACK)


@given(packs, seats)
def test_rule_7_one_at_a_time_begins_at_the_dealers_right(pack: tuple[Card, ...], dealer: Seat) -> None:
    hands = deal_hands(pack, dealer, Dealing.ONE_BY_ONE)
    seat = dealer
    for card in pack:
        seat = seat.next()
        assert card in hands[seat]
    assert seat is dealer


@given(packs, seats)
def test_rule_7_thirteen_at_a_time_begins_at_the_dealers_right(pack: tuple[Card, ...], dealer: Seat) -> None:
    hands = deal_hands(pack, dealer, Dealing.THIRTEEN_AT_A_TIME)
    seat = dealer
    for start in range(0, 52, 13):
        seat = seat.next()
        assert hands[seat] == Hand.of(pack[start : start + 13])


@pytest.mark.parametrize(
    "pack", [FULL_PACK[:51], (*FULL_PACK[:51], FULL_PACK[0]), (*FULL_PACK, FULL_PACK[0]), ()]
)
def test_a_pack_that_is_not_52_different_cards_is_refused(pack: tuple[Card, ...]) -> None:
    with pytest.raises(ValueError, match="each of the 52 cards once"):
        deal_hands(pack, Seat.SOUTH, Dealing.ONE_BY_ONE)


def test_a_seed_gives_the_same_pack_on_every_python() -> None:
    assert "".join(shuffled(random.Random(31))[:8]) == "KS9D6C4D9H5D3C4S"


def test_every_card_reaches_every_place_in_the_pack_about_equally_often() -> None:
    rng = random.Random(7)
    tops = [0] * 52
    for _ in range(5200):
        tops[shuffled(rng)[0].number] += 1
    # Each is expected 100 times; chi-squared with 51 degrees of freedom passes 87 once in 1,000 seeds.
    assert sum((count - 100) ** 2 / 100 for count in tops) < 87


@given(st.sets(st.sampled_from(FULL_PACK)))
def test_a_hand_is_the_set_of_its_cards(cards: set[Card]) -> None:
    hand = Hand.of(cards)
    assert list(hand) == sorted(cards, key=lambda card: card.number)
    assert len(hand) == len(cards)
    for suit in Suit:
        assert set(hand.in_suit(suit)) == {card for card in cards if card.suit is suit}
        assert hand.is_void(suit) == (not hand.in_suit(suit))
    for card in FULL_PACK:
        assert (card in hand) == (card in cards)
        assert set(hand.without(card)) == cards - {card}


def test_a_hand_cannot_hold_a_card_twice() -> None:
    with pytest.raises(ValueError, match="AS comes twice"):
        Hand.of([Card.SA, Card.SK, Card.SA])
