"""Rules 24–27: bids that name their suit, doubles, and auctions in which a pass is not final."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.playouts import Playout, playouts
from support.self_play import rulesets, unhurried
from tarneeb_engine.actions import Cut, MakeCall, NameTrump
from tarneeb_engine.auction import Auction
from tarneeb_engine.calls import DOUBLE, GAME, PASS, Call, CallKind
from tarneeb_engine.cards import Suit
from tarneeb_engine.events import AuctionWon, CallMade, TrumpNamed
from tarneeb_engine.pack import shuffled
from tarneeb_engine.refusals import IllegalAction, Refusal
from tarneeb_engine.ruleset import AuctionKind, FourPasses, Ruleset, SuitBids, Thirteen
from tarneeb_engine.scoring import reckon
from tarneeb_engine.seats import Seat
from tarneeb_engine.sets import SetState
from tarneeb_engine.variants import PRESETS
from tarneeb_engine.views import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

EGYPTIAN = PRESETS["egyptian"]
SINGLE_SUITS = Ruleset(suit_bids=SuitBids.CLUBS_TO_DIAMONDS)
WORDS = {"pass": PASS, "double": DOUBLE, "game": GAME}


def call_of(word: str) -> Call:
    if word in WORDS:
        return WORDS[word]
    if word[-1].isdigit():
        return Call.bid(int(word))
    return Call.bid(int(word[:-1]), Suit(word[-1]))


def auction(rules: Ruleset, words: str) -> Auction:
    """The auction after ``words``; West deals, so South calls first."""
    state = Auction.begin(rules, Seat.WEST)
    for word in words.split():
        state = state.call(call_of(word))
    return state


def refused(state: Auction, word: str) -> Refusal:
    with pytest.raises(IllegalAction) as caught:
        state.call(call_of(word))
    return caught.value.refusal


def in_auction(rules: Ruleset, words: str = "") -> SetState:
    """A set in its first deal, after ``words``."""
    state, _ = SetState.begin(rules, Seat.WEST).start_deal(shuffled(random.Random(5)))
    state, _ = state.apply(Seat.NORTH, Cut(20))
    for word in words.split():
        assert state.turn is not None
        state, _ = state.apply(state.turn, MakeCall(call_of(word)))
    return state


def test_rule_24_a_bid_names_number_and_suit_together() -> None:
    state = auction(EGYPTIAN, "7H")
    assert state.highest == Call.bid(7, Suit.HEARTS)
    assert refused(state, "8") is Refusal.BID_NEEDS_SUIT


def test_rule_24_a_bid_with_a_suit_is_refused_where_bids_have_none() -> None:
    assert refused(auction(PRESETS["tarneeb"], ""), "7H") is Refusal.BID_NAMES_NO_SUIT


def test_rule_24_the_tarneeb_is_known_when_the_auction_ends_and_the_declarer_leads() -> None:
    state = in_auction(EGYPTIAN, "pass 8S pass pass")
    state, events = state.apply(Seat.SOUTH, MakeCall(PASS))
    assert [type(event) for event in events] == [CallMade, AuctionWon, TrumpNamed]
    assert events[1] == AuctionWon(Seat.EAST, Call.bid(8, Suit.SPADES))
    assert events[2] == TrumpNamed(Seat.EAST, Suit.SPADES)
    deal = state.public_view().deal
    assert deal is not None
    assert (deal.phase, deal.turn) == (Phase.PLAY, Seat.EAST)
    with pytest.raises(IllegalAction) as caught:
        state.apply(Seat.EAST, NameTrump(Suit.CLUBS))
    assert caught.value.refusal is Refusal.WRONG_PHASE


def test_rule_24_after_game_the_declarer_names_the_tarneeb_as_ever() -> None:
    rules = Ruleset(suit_bids=SuitBids.CLUBS_TO_SPADES)
    state = in_auction(rules, "7C game")
    deal = state.public_view().deal
    assert deal is not None
    assert (deal.phase, deal.turn) == (Phase.DECLARATION, Seat.EAST)
    state, _ = state.apply(Seat.EAST, NameTrump(Suit.SPADES))
    assert state.turn is Seat.EAST


@pytest.mark.parametrize(
    ("suits", "upwards"), [(SuitBids.CLUBS_TO_DIAMONDS, "CSHD"), (SuitBids.CLUBS_TO_SPADES, "CDHS")]
)
def test_rule_25_of_equal_numbers_the_higher_suit_outranks(suits: SuitBids, upwards: str) -> None:
    rules = Ruleset(auction=AuctionKind.RETURNING, suit_bids=suits)
    for place, suit in enumerate(upwards):
        state = auction(rules, f"8{suit}")
        for lower in upwards[: place + 1]:
            expected = Refusal.MATCH_IS_DEALERS if lower == suit else Refusal.BID_TOO_LOW
            assert refused(state, f"8{lower}") is expected
        for higher in upwards[place + 1 :]:
            assert state.call(call_of(f"8{higher}")).declarer is Seat.EAST
        assert refused(state, f"7{upwards[-1]}") is Refusal.BID_TOO_LOW
        assert state.call(call_of(f"9{upwards[0]}")).declarer is Seat.EAST


def test_rule_25_the_dealer_matches_number_and_suit_alike() -> None:
    state = auction(SINGLE_SUITS, "8H pass pass")
    assert refused(state, "8S") is Refusal.BID_TOO_LOW
    assert state.call(call_of("8H")).declarer is Seat.WEST
    assert state.call(call_of("8D")).declarer is Seat.WEST


def test_rule_26_an_opponent_doubles_and_it_counts_as_a_pass() -> None:
    state = auction(EGYPTIAN, "7H double pass pass")
    assert state.turn is None
    assert (state.declarer, state.doubled) == (Seat.SOUTH, True)


def test_rule_26_nobody_doubles_nothing_a_partner_or_what_is_doubled() -> None:
    assert refused(auction(EGYPTIAN, ""), "double") is Refusal.NO_DOUBLE
    assert refused(auction(EGYPTIAN, "pass"), "double") is Refusal.NO_DOUBLE
    assert refused(auction(EGYPTIAN, "7H pass"), "double") is Refusal.NO_DOUBLE
    assert refused(auction(EGYPTIAN, "7H double pass"), "double") is Refusal.NO_DOUBLE
    assert refused(auction(PRESETS["classic"], "7"), "double") is Refusal.NO_DOUBLE


def test_rule_26_a_higher_bid_ends_the_double() -> None:
    state = auction(EGYPTIAN, "7H double 7D pass pass pass")
    assert (state.turn, state.declarer, state.doubled) == (None, Seat.NORTH, False)


def test_rule_26_where_a_pass_is_final_so_is_a_double() -> None:
    rules = Ruleset(auction=AuctionKind.CONTINUING, double=True)
    state = auction(rules, "7 double pass 8")
    assert state.turn is Seat.SOUTH
    assert state.call(call_of("9")).turn is Seat.WEST


@pytest.mark.parametrize("thirteen", Thirteen)
@pytest.mark.parametrize("bid", range(7, 14))
@pytest.mark.parametrize("taken", range(14))
def test_rule_26_a_doubled_deal_counts_twice_for_both_sides(thirteen: Thirteen, bid: int, taken: int) -> None:
    once = reckon(CallKind.BID, bid, taken, thirteen)
    twice = reckon(CallKind.BID, bid, taken, thirteen, doubled=True)
    assert twice.made == once.made
    assert (twice.declaring, twice.defending) == (2 * once.declaring, 2 * once.defending)


def test_rule_27_who_has_passed_may_bid_again() -> None:
    state = auction(EGYPTIAN, "pass 7C pass pass")
    assert state.turn is Seat.SOUTH
    assert auction(EGYPTIAN, "pass 7C pass pass 7S").turn is Seat.EAST


def test_rule_27_three_without_a_bid_end_it_and_nobody_outbids_themselves() -> None:
    state = auction(EGYPTIAN, "7C pass 7H pass pass")
    assert state.turn is Seat.EAST
    assert auction(EGYPTIAN, "7C pass 7H pass pass pass").declarer is Seat.NORTH


def test_rule_27_four_passes_at_the_start_make_the_deal_void() -> None:
    assert auction(EGYPTIAN, "pass pass pass pass").is_void
    stuck = Ruleset(auction=AuctionKind.RETURNING, four_passes=FourPasses.DEALER_STUCK)
    assert refused(auction(stuck, "pass pass pass"), "pass") is Refusal.DEALER_STUCK


def doubled_scores(steps: Playout) -> Iterator[tuple[bool, bool]]:
    """For each scored deal: whether a double stood when its auction ended, and what the score says."""
    stands = False
    for step in steps:
        for event in step.events:
            if isinstance(event, CallMade):
                stands = event.call.kind is CallKind.DOUBLE or (stands and event.call.kind is CallKind.PASS)
        history = step.after.history
        if len(history) > len(step.before.history):
            yield stands, history[-1].doubled
            stands = False


@given(playouts(most_steps=400))
@unhurried
def test_a_score_says_whether_the_deal_was_doubled(steps: Playout) -> None:
    for stood, said in doubled_scores(steps):
        assert stood == said


@given(rulesets(), st.integers(0, 2**32))
def test_the_legal_calls_come_lowest_first_and_each_bid_names_what_the_rules_ask(
    rules: Ruleset, seed: int
) -> None:
    rng = random.Random(seed)
    state = Auction.begin(rules, Seat(seed % 4))
    while state.turn is not None:
        legal = state.legal_calls()
        bids = [call for call in legal if call.kind is CallKind.BID]
        assert [call.promised for call in bids] == sorted(call.promised for call in bids)
        assert all((call.suit is None) == (rules.suit_bids is SuitBids.NONE) for call in bids)
        assert len(set(legal)) == len(legal)
        state = state.call(legal[min(rng.getrandbits(2), len(legal) - 1)])
