"""The steady bot: what it bids, what it names, and which card it plays where one is right."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.self_play import play_set
from tarneeb_engine.actions import Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.bots import SteadyPolicy
from tarneeb_engine.bots.bidding import honest_remark, points_for, set_chance
from tarneeb_engine.bots.valuation import best_trump, expected_tricks, sure_tricks, trick_chances
from tarneeb_engine.calls import GAME, PASS, Call, CallKind, Remark
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.deal import DealState
from tarneeb_engine.hand import Hand
from tarneeb_engine.notation import actions_of, format_hand, parse_deal, parse_hand
from tarneeb_engine.ruleset import FourPasses, Ruleset, Thirteen
from tarneeb_engine.scoring import reckon
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.sets import SetState
from tarneeb_engine.trick import beats, winning_card

WEAK = "432.5432.432.432"
STRONG = "AKQ65.A32.K2.432"
SOLID = "AKQJT9876.AKQJ.."
ALL_CARDS = (1 << 52) - 1


def in_set(deal: DealState, scores: tuple[int, int] = (0, 0)) -> SetState:
    return SetState(deal.rules, deal.dealer, scores, (), deal)


def deal_with(held: dict[str, str], *, dealer: str, rules: str = "tarneeb", rest: str = "") -> DealState:
    """A deal in which the seats of ``held`` have those hands and the others share the other cards."""
    rng = random.Random(0)
    given_hands = {seat: parse_hand(text) for seat, text in held.items()}
    left = list(Hand(ALL_CARDS & ~sum(hand.mask for hand in given_hands.values())))
    rng.shuffle(left)
    hands = []
    for letter in "SENW":
        if letter in given_hands:
            hands.append(given_hands[letter])
        else:
            hands.append(Hand.of(left[:13]))
            del left[:13]
    written = "/".join(map(format_hand, hands))
    return parse_deal(f"deal/1 number=1 dealer={dealer} rules={rules} hands={written} cut=9{rest}")


def chosen(deal: DealState, scores: tuple[int, int] = (0, 0)) -> MakeCall | NameTrump | PlayCard | Cut:
    """What the steady bot does for the seat on turn."""
    state = in_set(deal, scores)
    assert state.turn is not None
    return SteadyPolicy(random.Random(0)).choose(
        state.seat_view(state.turn), tuple(state.legal_actions(state.turn))
    )


def call_on(hand: str, calls: str, *, rules: str = "tarneeb", scores: tuple[int, int] = (0, 0)) -> MakeCall:
    """What the steady bot calls, dealt by South, with ``hand`` after ``calls``, none for East, who is first."""
    made = calls.split(",") if calls else []
    rest = f" calls={calls}" if calls else ""
    action = chosen(deal_with({"ENWS"[len(made)]: hand}, dealer="S", rules=rules, rest=rest), scores)
    assert isinstance(action, MakeCall)
    return action


def played(deal: DealState) -> Card:
    action = chosen(deal)
    assert isinstance(action, PlayCard)
    return action.card


@pytest.mark.parametrize("calls", ["", "p", "7", "p,p", "p,p,p", "8,p,9"])
def test_a_weak_hand_passes(calls: str) -> None:
    assert call_on(WEAK, calls).call == PASS


@pytest.mark.parametrize("calls", ["", "p", "p,p", "p,p,p"])
def test_a_strong_hand_bids(calls: str) -> None:
    call = call_on(STRONG, calls).call
    assert call.kind is CallKind.BID
    assert 7 <= call.promised <= 10


def test_rule_10_a_dealer_with_a_strong_hand_matches_the_opponents_bid() -> None:
    assert call_on("KQJT9876.K2.2.32", "p,p,8").call == Call.bid(8)


def test_rule_10_a_strong_dealer_with_nobody_else_in_bids_no_more_than_it_needs_to() -> None:
    assert call_on("AKQJ65.AK2.A2.32", "p,p,p").call == Call.bid(7)


def test_a_fair_hand_leaves_its_partner_the_contract() -> None:
    assert call_on("Q432.K32.A432.32", "p,9,p").call == PASS


def test_rule_12_a_stuck_dealer_bids_the_least() -> None:
    stuck = f"tarneeb,four_passes={FourPasses.DEALER_STUCK}"
    assert call_on(WEAK, "p,p,p", rules=stuck).call == Call.bid(7)


def test_rule_11_game_is_called_on_a_hand_that_takes_every_trick_by_itself() -> None:
    assert call_on(SOLID, "").call == GAME
    assert call_on(SOLID, "7,8,9").call == GAME


@pytest.mark.parametrize("hand", ["AKQJT98.AKQ.A.32", "AKQJT987.AKQ2..2", STRONG])
def test_rule_11_game_is_not_called_on_less(hand: str) -> None:
    assert call_on(hand, "").call.kind is CallKind.BID


def test_rule_22_a_solid_hand_bids_thirteen_or_what_makes_the_bonus_where_there_is_no_game_call() -> None:
    assert call_on(SOLID, "", rules="classic").call.kind is CallKind.BID


def test_a_risk_is_taken_when_the_opponents_win_the_set_by_making_their_bid() -> None:
    hand = "AQ765.K32.Q2.432"
    assert call_on(hand, "p,p,8").call == PASS
    assert call_on(hand, "p,p,8", scores=(25, 29)).call == Call.bid(8)


@pytest.mark.parametrize(
    ("hand", "suit"),
    [(STRONG, Suit.SPADES), ("2.AKQJ.65432.432", Suit.DIAMONDS), ("432.432.32.AKQ32", Suit.CLUBS)],
)
def test_rule_14_the_best_suit_is_named(hand: str, suit: Suit) -> None:
    deal = deal_with({"E": hand}, dealer="S", rest=" calls=7,p,p,p")
    assert chosen(deal) == NameTrump(suit)


def test_rule_6_a_cut_is_left_to_chance() -> None:
    state, _ = SetState.begin(Ruleset(), Seat.SOUTH).start_deal(tuple(Card))
    view, legal = state.seat_view(Seat.WEST), tuple(state.legal_actions(Seat.WEST))
    cuts = {SteadyPolicy(random.Random(seed)).choose(view, legal) for seed in range(40)}
    assert len(cuts) > 10


@pytest.mark.parametrize(
    ("hand", "remark"),
    [(WEAK, Remark.NOT_HELPFUL), ("A432.A32.A32.432", Remark.HELPFUL), ("A432.K32.432.432", None)],
)
def test_rule_13_a_remark_says_what_is_true_of_a_hand_that_passes(hand: str, remark: Remark | None) -> None:
    cards = tuple(parse_hand(hand))
    assert honest_remark(cards, PASS) is remark
    assert honest_remark(cards, Call.bid(7)) is None
    hints = "tarneeb,partner_hints=yes"
    assert call_on(WEAK, "8", rules=hints) == MakeCall(PASS, Remark.NOT_HELPFUL)


def test_rule_13_a_partners_remark_is_listened_to() -> None:
    hints = "tarneeb,partner_hints=yes"
    hand = "KQ765.A32.32.432"
    answers = [call_on(hand, f"p,p{said},p", rules=hints).call for said in "+-"]
    assert answers == [Call.bid(7), PASS]


# Positions of play. East declares with spades as tarneeb and leads, dealt by South.
CONTRACT = " calls=8,p,p,p trump=S plays="


def test_as_declarer_it_draws_the_opponents_tarneebs_from_the_top() -> None:
    deal = deal_with({"E": "AKQJ32.A32.A2.32"}, dealer="S", rest=CONTRACT.removesuffix(" plays="))
    assert played(deal).suit is Suit.SPADES
    assert played(deal).rank >= 11


def test_last_to_play_it_does_not_ruff_a_trick_that_its_partner_has_won() -> None:
    deal = deal_with(
        {"E": "AKQ54.AKQJ5432..", "N": "J32.T987.5432.32", "W": "T98.6.AKQ.AKQJT9", "S": "76..JT9876.87654"},
        dealer="S",
        rest=CONTRACT + "2H7H6H8C,2DAD6D",
    )
    assert deal.turn is Seat.EAST
    assert played(deal).suit is Suit.HEARTS


def test_last_to_play_it_wins_as_cheaply_as_it_can_and_throws_its_lowest_when_it_cannot() -> None:
    hands = {"E": "AKQ54.5432.2.432", "N": "32.AK.543.AKQJT9", "W": "JT9.T9.KQJT9.876", "S": "876.QJ876.A876.5"}
    winning = deal_with(hands, dealer="S", rest=CONTRACT + "2HKHTH")
    assert winning.turn is Seat.SOUTH
    assert played(winning) is Card("6H")
    cheap = deal_with(hands, dealer="S", rest=CONTRACT + "2D5D9D")
    assert played(cheap) is Card("AD")


def test_last_to_play_and_void_it_ruffs_the_opponents_trick_with_its_lowest_tarneeb() -> None:
    hands = {"E": "AKQ54.5432.7.432", "N": "32.K9.A53.KJT985", "W": "JT.T8.KQJT9.AQ76", "S": "9876.AQJ76.8642."}
    deal = deal_with(hands, dealer="S", rest=CONTRACT + "2C5CQC")
    assert deal.turn is Seat.SOUTH
    assert played(deal) is Card("6S")


def test_second_to_play_it_spends_no_honour_on_a_low_lead() -> None:
    hands = {"E": "AKQJ4.4.54.AKQJT", "N": "32.KT32.K32.5432", "W": "T9.AQJ9.AQJ9.987", "S": "8765.8765.T876.6"}
    second = deal_with(hands, dealer="S", rest=CONTRACT + "4D")
    assert second.turn is Seat.NORTH
    assert played(second) is Card("2D")


def test_third_to_play_it_plays_no_higher_than_its_partners_sure_winner() -> None:
    hands = {"E": "AKQJ4.A.A4.AQJT9", "N": "32.JT32.K32.5432", "W": "T9.KQ98.QJ95.K87", "S": "8765.7654.T876.6"}
    deal = deal_with(hands, dealer="S", rest=CONTRACT + "AC2C")
    assert deal.turn is Seat.WEST
    assert played(deal) is Card("7C")


def test_it_does_not_lead_tarneebs_once_the_opponents_have_none() -> None:
    hands = {"E": "AKQJ432.A.A4.AQJ", "N": "T9.JT32.K32.5432", "W": "65.KQ98.QJ95.K87", "S": "87.7654.T876.T96"}
    deal = deal_with(hands, dealer="S", rest=CONTRACT + "ASTS6S8S,KS9S5S7S")
    assert deal.turn is Seat.EAST
    assert played(deal).suit is not Suit.SPADES


@given(st.integers(0, 2**32 - 1))
def test_last_to_play_it_never_ruffs_its_partners_winner_while_it_has_a_plain_loser(seed: int) -> None:
    for deal in play_set(Ruleset(), seed, ("steady",) * 4, most_deals=2).deals:
        again = DealState.begin(deal.rules, deal.number, deal.dealer, deal.pack)
        for seat, action in actions_of(deal):
            trick = again.trick
            if isinstance(action, PlayCard) and trick is not None and len(trick.cards) == 3:
                assert again.contract is not None
                trump = again.contract.trump
                best = winning_card(trick.cards, trump)
                partner_wins = trick.winner is seat.partner()
                ruffs = action.card.suit is trump and trick.cards[0].suit is not trump
                loser = any(
                    card.suit is not trump and any(beats(other, card, None) for other in others(again, seat))
                    for card in Hand(again.hands[seat])
                )
                assert not (partner_wins and ruffs and loser), f"{best} ruffed with {action.card}"
            again, _ = again.apply(seat, action)


def others(deal: DealState, seat: Seat) -> list[Card]:
    """Every card that somebody else still holds."""
    return [card for other in Seat if other is not seat for card in Hand(deal.hands[other])]


@pytest.mark.parametrize("thirteen", Thirteen)
def test_rules_18_to_22_it_reckons_every_contract_as_the_rules_do(thirteen: Thirteen) -> None:
    rules = Ruleset(thirteen=thirteen)
    for call in [*(Call.bid(bid) for bid in range(7, 14)), *([GAME] if thirteen is Thirteen.GAME_CALL else [])]:
        for taken in range(14):
            reckoning = reckon(call.kind, call.promised, taken, thirteen)
            assert points_for(rules, call, taken) == (reckoning.declaring, reckoning.defending)


@given(st.floats(0, 14))
def test_chances_of_every_number_of_tricks_add_up_and_centre_on_what_is_expected(mean: float) -> None:
    chances = trick_chances(mean)
    assert len(chances) == 14
    assert min(chances) >= 0
    assert sum(chances) == pytest.approx(1)
    if 4 <= mean <= 9:
        assert sum(taken * chance for taken, chance in enumerate(chances)) == pytest.approx(mean, abs=0.1)


@given(st.integers(-60, 80), st.integers(-60, 80), st.sampled_from([31, 41, 51, 61]))
def test_a_sides_chance_of_the_set_is_the_rest_of_the_other_sides(ours: int, theirs: int, target: int) -> None:
    chance = set_chance(ours, theirs, target)
    assert 0 <= chance <= 1
    if max(ours, theirs) < target:
        assert chance + set_chance(theirs, ours, target) == pytest.approx(1)
        assert set_chance(ours + 1, theirs, target) > chance
    elif ours > theirs:
        assert chance == 1


@given(st.sets(st.sampled_from(list(Card)), min_size=13, max_size=13), st.sampled_from(Suit))
def test_one_more_tarneeb_or_one_more_honour_is_worth_more(cards: set[Card], suit: Suit) -> None:
    hand = tuple(Hand.of(cards))
    assert best_trump(hand)[1] == max(expected_tricks(hand, trump) for trump in Suit)
    assert 0 <= sure_tricks(hand, suit) <= 13
    for low in [card for card in hand if card.suit is not suit and card.rank <= 10]:
        for added in [card for card in Card if card.suit is suit and card not in hand]:
            better = tuple(added if card is low else card for card in hand)
            assert expected_tricks(better, suit) > expected_tricks(hand, suit)


def test_a_set_of_steady_bots_against_random_ones_is_won_by_the_steady() -> None:
    winners = [play_set(Ruleset(), seed, ("steady", "random") * 2).final_state().winner for seed in range(12)]
    assert winners.count(Team.SOUTH_NORTH) >= 11
