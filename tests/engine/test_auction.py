"""Rules 8–14: the auction, single and continuing; what holds in every auction."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.self_play import rulesets
from tarneeb_engine.auction import EVERY_BID, Auction
from tarneeb_engine.calls import DOUBLE, GAME, PASS, Call, CallKind, Remark
from tarneeb_engine.cards import Suit
from tarneeb_engine.refusals import IllegalAction, Refusal
from tarneeb_engine.ruleset import AuctionKind, FourPasses, Ruleset, SuitBids, Thirteen
from tarneeb_engine.seats import Seat
from tarneeb_engine.variants import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_engine.views import CallView

SINGLE = PRESETS["tarneeb"]
CLASSIC = PRESETS["classic"]
EVERY_CALL = (
    *(PASS, DOUBLE, GAME),
    *(Call.bid(tricks, suit) for tricks in range(-1, 16) for suit in (None, *Suit)),
)
NO_BID = (CallKind.PASS, CallKind.DOUBLE)
SUITS_UPWARDS = {
    SuitBids.NONE: "",
    SuitBids.CLUBS_TO_DIAMONDS: "CSHD",
    SuitBids.CLUBS_TO_SPADES: "CDHS",
}


def strength_under(rules: Ruleset, call: CallView) -> tuple[int, int]:
    """How high a call ranks (rules 9, 11, 25)."""
    number = 14 if call.tricks is None else call.tricks
    return number, 0 if call.suit is None else SUITS_UPWARDS[rules.suit_bids].index(call.suit.value)


def called(words: str) -> Iterable[Call]:
    for word in words.split():
        yield PASS if word == "pass" else GAME if word == "game" else Call.bid(int(word))


def auction(rules: Ruleset, words: str, dealer: Seat = Seat.WEST) -> Auction:
    """The auction after the calls of ``words``; South calls first under the default dealer."""
    state = Auction.begin(rules, dealer)
    for call in called(words):
        state = state.call(call)
    return state


def refusal(state: Auction, call: Call, remark: Remark | None = None) -> Refusal:
    before = repr(state)
    with pytest.raises(IllegalAction) as caught:
        state.call(call, remark)
    assert repr(state) == before
    return caught.value.refusal


@pytest.mark.parametrize("dealer", Seat)
def test_rule_8_everybody_calls_once_from_the_dealers_right_and_the_dealer_last(dealer: Seat) -> None:
    state = auction(SINGLE, "7 8 9 10", dealer)
    assert [call.seat for call in state.calls] == [
        dealer.next(),
        dealer.partner(),
        dealer.left(),
        dealer,
    ]
    assert state.turn is None
    assert (state.declarer, state.highest) == (dealer, Call.bid(10))


def test_worked_case_three_passes_and_the_dealer_bids_7_he_declares_at_7() -> None:
    state = auction(SINGLE, "pass pass pass 7")
    assert (state.turn, state.declarer, state.highest) == (None, Seat.WEST, Call.bid(7))


def test_worked_case_8_pass_9_and_the_dealer_matches_at_9_he_declares() -> None:
    state = auction(SINGLE, "8 pass 9 9")
    assert (state.turn, state.declarer, state.highest) == (None, Seat.WEST, Call.bid(9))


def test_worked_case_8_again_by_a_player_who_is_not_the_dealer_is_refused_and_he_is_still_to_call() -> None:
    state = auction(SINGLE, "8")
    assert refusal(state, Call.bid(8)) is Refusal.MATCH_IS_DEALERS
    assert state.turn is Seat.EAST
    assert state.call(Call.bid(9)).turn is Seat.NORTH


@pytest.mark.parametrize(("tricks", "reason"), [(6, Refusal.BID_TOO_LOW), (14, Refusal.BID_TOO_HIGH)])
def test_worked_case_6_and_14_are_refused_and_the_same_player_is_still_to_call(
    tricks: int, reason: Refusal
) -> None:
    state = auction(SINGLE, "")
    assert refusal(state, Call.bid(tricks)) is reason
    assert state.turn is Seat.SOUTH


@pytest.mark.parametrize("tricks", [7.5, "8", True, None])
def test_worked_case_7_and_a_half_8_as_text_true_and_nothing_are_no_bids(tricks: object) -> None:
    with pytest.raises(ValueError, match="a whole number of tricks"):
        Call(CallKind.BID, tricks)  # type: ignore[arg-type]  # what the types forbid must still be refused


@pytest.mark.parametrize("kind", [CallKind.PASS, CallKind.GAME])
def test_a_pass_and_game_name_no_number(kind: CallKind) -> None:
    with pytest.raises(ValueError, match="names no number of tricks"):
        Call(kind, 7)


def test_rule_9_a_bid_must_outrank_the_highest_so_far() -> None:
    state = auction(SINGLE, "9 pass")
    assert refusal(state, Call.bid(8)) is Refusal.BID_TOO_LOW
    assert state.legal_calls() == tuple(called("pass 10 11 12 13 game"))


@pytest.mark.parametrize("tricks", range(7, 14))
def test_rule_10_the_dealer_may_match_any_number(tricks: int) -> None:
    state = auction(SINGLE, f"pass {tricks} pass")
    assert Call.bid(tricks) in state.legal_calls()
    matched = state.call(Call.bid(tricks))
    assert (matched.turn, matched.declarer) == (None, Seat.WEST)
    if tricks > 7:
        assert refusal(state, Call.bid(tricks - 1)) is Refusal.BID_TOO_LOW


@pytest.mark.parametrize("before", ["", "pass", "13", "7 8 9", "pass pass pass", "pass 12 13"])
def test_rule_11_game_outranks_every_bid_and_ends_the_auction_at_once(before: str) -> None:
    state = auction(SINGLE, before)
    caller = state.turn
    after = state.call(GAME)
    assert (after.turn, after.declarer, after.highest) == (None, caller, GAME)
    assert refusal(after, GAME) is Refusal.WRONG_PHASE


def test_rule_12_four_passes_make_the_deal_void() -> None:
    for rules in (SINGLE, CLASSIC):
        state = auction(rules, "pass pass pass pass")
        assert (state.turn, state.declarer, state.is_void) == (None, None, True)


@pytest.mark.parametrize("kind", AuctionKind)
def test_rule_12_a_stuck_dealer_must_bid_when_the_other_three_have_passed(kind: AuctionKind) -> None:
    rules = Ruleset(auction=kind, four_passes=FourPasses.DEALER_STUCK)
    state = auction(rules, "pass pass pass")
    assert refusal(state, PASS) is Refusal.DEALER_STUCK
    assert PASS not in state.legal_calls()
    assert state.call(Call.bid(7)).declarer is Seat.WEST
    somebody_bid = auction(rules, "pass 7 pass")
    assert PASS in somebody_bid.legal_calls()


@pytest.mark.parametrize("remark", Remark)
def test_rule_13_a_remark_goes_with_a_call_where_the_option_is_on(remark: Remark) -> None:
    state = Auction.begin(Ruleset(partner_hints=True), Seat.WEST).call(PASS, remark)
    assert state.calls[0].remark is remark
    assert refusal(auction(SINGLE, ""), PASS, remark) is Refusal.NO_REMARKS


def test_classic_goes_round_until_three_in_succession_have_passed_after_a_bid() -> None:
    state = auction(CLASSIC, "7 8 pass 9 10 pass pass")
    assert (state.turn, state.declarer, state.highest) == (None, Seat.SOUTH, Call.bid(10))
    assert [call.seat for call in state.calls][4:] == [Seat.SOUTH, Seat.EAST, Seat.WEST]


def test_classic_a_pass_is_final() -> None:
    state = auction(CLASSIC, "pass 7 8 9")
    assert state.turn is Seat.EAST  # South passed and is passed over
    assert auction(CLASSIC, "pass pass pass 7").declarer is Seat.WEST
    assert auction(CLASSIC, "pass 7 pass pass").turn is None


def test_classic_has_no_match_for_the_dealer_and_no_game() -> None:
    state = auction(CLASSIC, "7 8 9")
    assert state.turn is Seat.WEST
    assert refusal(state, Call.bid(9)) is Refusal.MATCH_IS_DEALERS
    assert refusal(state, GAME) is Refusal.NO_GAME_CALL
    assert Ruleset(auction=AuctionKind.CONTINUING).thirteen is Thirteen.GAME_CALL


def test_what_is_accepted_is_named_when_a_call_is_refused() -> None:
    with pytest.raises(IllegalAction, match="you called 8, accepted: pass, 12, 13, game"):
        auction(SINGLE, "11").call(Call.bid(8))


@given(rulesets(), st.sampled_from(Seat), st.integers(0, 2**32))
def test_every_auction_ends_with_the_highest_caller_declaring(rules: Ruleset, dealer: Seat, seed: int) -> None:
    rng = random.Random(seed)
    state = Auction.begin(rules, dealer)
    while state.turn is not None:
        legal = state.legal_calls()
        assert legal, "somebody is on turn and may do nothing"
        for call in EVERY_CALL:
            if call not in legal:
                refusal(state, call)
        state = state.call(legal[min(rng.getrandbits(2), len(legal) - 1)])
        assert len(state.calls) <= 4 * (1 + len(EVERY_BID[rules.suit_bids]))
    bids = [call for call in state.calls if call.call not in NO_BID]
    strengths = [strength_under(rules, call) for call in bids]
    matched = rules.auction is AuctionKind.SINGLE and len(strengths) > 1 and strengths[-1] == strengths[-2]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(strengths) - matched
    if bids:
        assert state.declarer is bids[-1].seat
        assert state.highest is not None
        assert strength_under(rules, bids[-1]) == strengths[-1]
        assert state.highest == Call(bids[-1].call, bids[-1].tricks, bids[-1].suit)
        after = state.calls[state.calls.index(bids[-1]) + 1 :]
        doubles = [call.seat.team() for call in after if call.call is CallKind.DOUBLE]
        assert state.doubled == bool(doubles)
        assert doubles in ([], [bids[-1].seat.team().opponents])
        if matched:
            assert state.declarer is dealer
    else:
        assert state.is_void
        assert rules.four_passes is not FourPasses.DEALER_STUCK
    if rules.auction is AuctionKind.SINGLE:
        assert [call.seat for call in state.calls] == [dealer.next(), dealer.partner(), dealer.left(), dealer][
            : len(state.calls)
        ]
        assert len(state.calls) == 4 or state.highest is GAME
    elif rules.auction is AuctionKind.RETURNING:
        silent = 3 if bids else 4
        assert state.highest is GAME or all(call.call in NO_BID for call in state.calls[-silent:])
    else:
        passed = [call.seat for call in state.calls if call.call in NO_BID]
        assert len(set(passed)) == len(passed)
        assert len(passed) >= 3 or (state.highest is not None and state.highest.kind is CallKind.GAME)


@given(rulesets(), st.sampled_from(Seat), st.integers(1, 3), st.integers(0, 2**32))
def test_an_auction_is_the_same_from_every_seat(rules: Ruleset, dealer: Seat, places: int, seed: int) -> None:
    rng = random.Random(seed)
    here, there = Auction.begin(rules, dealer), Auction.begin(rules, Seat((dealer + places) % 4))
    while here.turn is not None:
        assert there.turn == (here.turn + places) % 4
        assert here.legal_calls() == there.legal_calls()
        call = rng.choice(here.legal_calls())
        here, there = here.call(call), there.call(call)
    assert there.turn is None
