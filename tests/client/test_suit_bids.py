"""Bids that name their suit and doubles, as a player types them and reads them (rules 24 to 26)."""

from __future__ import annotations

import pytest

from tarneeb_client.parse import Unreadable, parse_call
from tarneeb_client.wording.turns import legal_text
from tarneeb_engine.actions import MakeCall
from tarneeb_engine.auction import Auction
from tarneeb_engine.calls import DOUBLE, PASS, Call, CallKind, Remark
from tarneeb_engine.cards import Suit
from tarneeb_engine.seats import Seat
from tarneeb_engine.variants import PRESETS
from tarneeb_protocol import messages as m
from tarneeb_protocol.actions import to_wire

NINE_HEARTS = m.CallAction(call=CallKind.BID, tricks=9, suit=Suit.HEARTS)


@pytest.mark.parametrize(
    "typed", ["9h", "9H", "h9", "♥9", "9♥", "9 h", "9 hearts", "9 of hearts", "٩h", "9 كبة", "كبة9"]
)
def test_a_bid_with_its_suit_is_typed_in_many_ways(typed: str) -> None:
    assert parse_call(typed) == NINE_HEARTS


def test_a_double_and_a_remark_after_a_suit_are_read() -> None:
    assert parse_call("double") == parse_call("d") == parse_call("دبل") == m.CallAction(call=CallKind.DOUBLE)
    assert parse_call("10 spades helpful") == m.CallAction(
        call=CallKind.BID, tricks=10, suit=Suit.SPADES, remark=Remark.HELPFUL
    )


@pytest.mark.parametrize("typed", ["9x", "hh9", "h", "9hh", "nine"])
def test_what_is_no_call_is_refused_with_what_is_accepted(typed: str) -> None:
    with pytest.raises(Unreadable, match="as 9 or 9h, pass, double or game"):
        parse_call(typed)


def prompted(*calls: Call) -> str:
    """What a player is told to be legal after ``calls`` under Egyptian rules."""
    state = Auction.begin(PRESETS["egyptian"], Seat.WEST)
    for call in calls:
        state = state.call(call)
    actions = tuple(to_wire(MakeCall(call)) for call in state.legal_calls())
    return legal_text(m.Prompt(table=1, seq=1, actions=actions), None)


def test_the_legal_bids_are_told_suit_by_suit_where_not_every_suit_will_do() -> None:
    assert prompted() == "pass, 7 to 13 in any suit"
    hearts = Call.bid(8, Suit.HEARTS)
    assert prompted(hearts) == "pass, double, 8 diamonds, 9 to 13 in any suit"
    assert prompted(hearts, PASS) == "pass, 8 diamonds, 9 to 13 in any suit"
    assert prompted(hearts, DOUBLE, Call.bid(13, Suit.DIAMONDS)) == "pass, double"
