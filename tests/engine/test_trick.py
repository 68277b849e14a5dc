"""Rules 16 and 17: following suit, and who wins a trick."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_engine.cards import FULL_PACK, Card, Suit
from tarneeb_engine.hand import Hand
from tarneeb_engine.seats import Seat
from tarneeb_engine.trick import playable, winner_of, winning_card

suits = st.sampled_from(Suit)
tricks = st.lists(st.sampled_from(FULL_PACK), min_size=1, max_size=4, unique=True)


def test_worked_case_all_24_orders_of_any_four_cards_of_one_suit_the_highest_wins() -> None:
    spades = [card for card in FULL_PACK if card.suit is Suit.SPADES]
    for four in combinations(spades, 4):
        highest = max(four, key=lambda card: card.rank)
        for order in permutations(four):
            for trump in (Suit.SPADES, Suit.HEARTS):
                assert winning_card(order, trump) is highest


def test_worked_case_the_lowest_tarneeb_takes_a_led_ace() -> None:
    assert winning_card([Card.SA, Card.SK, Card.H2, Card.SQ], Suit.HEARTS) is Card.H2


def test_rule_17_a_higher_card_of_a_suit_that_was_not_led_wins_nothing() -> None:
    assert winning_card([Card.S2, Card.CA, Card.DA, Card.S3], Suit.HEARTS) is Card.S3


@given(tricks, suits)
def test_rule_17_the_highest_tarneeb_wins_and_without_one_the_highest_of_the_suit_led(
    cards: list[Card], trump: Suit
) -> None:
    trumps = [card for card in cards if card.suit is trump]
    expected = max(trumps or [card for card in cards if card.suit is cards[0].suit], key=lambda card: card.rank)
    assert winning_card(cards, trump) is expected


@given(tricks, suits, st.sampled_from(Seat))
def test_l06_the_winner_sits_as_many_places_after_the_leader_as_its_card_came(
    cards: list[Card], trump: Suit, leader: Seat
) -> None:
    seat = leader
    for card in cards:
        if card is winning_card(cards, trump):
            break
        seat = seat.next()
    assert winner_of(leader, cards, trump) is seat


def test_a_trick_without_a_card_has_no_winner() -> None:
    with pytest.raises(ValueError, match="no card"):
        winning_card([], Suit.HEARTS)


@given(st.sets(st.sampled_from(FULL_PACK), min_size=1, max_size=13), st.sampled_from(FULL_PACK))
def test_rule_16_who_can_follow_must_and_who_is_void_may_play_anything(cards: set[Card], led: Card) -> None:
    following = {card for card in cards if card.suit is led.suit}
    hand = Hand.of(cards)
    assert set(Hand(playable(hand.mask, led))) == (following or cards)
    assert playable(hand.mask, None) == hand.mask
