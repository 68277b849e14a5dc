"""What a player types is read as meant, or refused with a sentence that says what is accepted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.parse import (
    LONGEST_ECHO,
    RANK_WORDS,
    SEAT_WORDS,
    SUIT_WORDS,
    Unreadable,
    parse_call,
    parse_card,
    parse_number,
    parse_remark,
    parse_seat,
    parse_suit,
)
from tarneeb_client.wording.cards import short, spoken
from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.seats import Seat
from tarneeb_protocol.messages import CallAction
from tarneeb_protocol.text import harmless


@pytest.mark.parametrize(
    "text",
    [
        "h10",
        "10h",
        "th",
        "ht",
        "♥10",
        "10♥",
        "H T",
        "10 h",
        "ten of hearts",
        "10 of hearts",
        "hearts ten",
        "♥️10",
        "١٠h",
        "h۱۰",
        "كبة 10",
    ],
)
def test_every_way_to_type_the_ten_of_hearts_is_read(text: str) -> None:
    assert parse_card(text) is Card.HT


def test_every_spelling_of_suit_and_rank_in_either_order_names_that_one_card() -> None:
    for rank_word, letter in RANK_WORDS.items():
        for suit_word, suit in SUIT_WORDS.items():
            card = Card(letter + suit.value)
            for text in (
                f"{rank_word}{suit_word}",
                f"{suit_word}{rank_word}",
                f"{rank_word.upper()} {suit_word}",
            ):
                assert parse_card(text) is card


@pytest.mark.parametrize("card", list(Card))
def test_a_card_as_the_client_says_it_can_be_typed_back(card: Card) -> None:
    assert parse_card(spoken(card)) is card
    assert parse_card(short(card)) is card
    assert parse_card(short(card, symbols=False)) is card
    assert parse_card(card.value) is card


@pytest.mark.parametrize(
    "text", ["", "h", "10", "h1", "h11", "hh", "1h", "h10h", "x10", "of", "ace hearts spades"]
)
def test_what_is_no_card_is_refused_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(Unreadable, match="h10, 10h, th"):
        parse_card(text)


@given(st.text())
def test_no_text_at_all_makes_the_parsers_fail_otherwise_or_echo_what_a_terminal_obeys(text: str) -> None:
    for parse in (parse_card, parse_suit, parse_seat, parse_call, parse_remark):
        problem = problem_of(parse, text)
        assert harmless(problem) == problem
        assert len(problem) < 120 + LONGEST_ECHO


def problem_of(parse: Callable[[str], object], text: str) -> str:
    """What the parser has against the text; nothing if it reads it."""
    try:
        parse(text)
    except Unreadable as problem:
        return str(problem)
    return ""


def test_suits_and_seats_are_read_by_letter_and_by_name() -> None:
    assert parse_suit(" Hearts ") is Suit.HEARTS
    assert parse_suit("♠") is Suit.SPADES
    assert {parse_seat(word) for word in SEAT_WORDS} == set(Seat)
    with pytest.raises(Unreadable, match="south, east, north, west"):
        parse_seat("middle")
    with pytest.raises(Unreadable, match="s, h, d, c"):
        parse_suit("no trump")


def test_calls_are_read_with_their_remark_rule_13() -> None:
    assert parse_call("9") == CallAction(call=CallKind.BID, tricks=9)
    assert parse_call("٩ helpful") == CallAction(call=CallKind.BID, tricks=9, remark=Remark.HELPFUL)
    assert parse_call("PASS not helpful") == CallAction(call=CallKind.PASS, remark=Remark.NOT_HELPFUL)
    assert parse_call("p") == CallAction(call=CallKind.PASS)
    assert parse_call("game") == CallAction(call=CallKind.GAME)


@pytest.mark.parametrize("text", ["", "7.5", "seven", "9 please", "-9", "99999999999999999999"])
def test_what_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_call(text)


def test_a_bid_that_the_rules_do_not_have_is_the_servers_to_refuse() -> None:
    assert parse_call("6").tricks == 6
    assert parse_call("14").tricks == 14


def test_a_number_too_long_for_any_use_is_refused_before_it_is_made() -> None:
    assert parse_number("20", "{typed} is not a cut") == 20
    with pytest.raises(Unreadable, match="is not a cut"):
        parse_number("1" * 5000, "{typed} is not a cut")
