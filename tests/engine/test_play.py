"""Rules 14–17 in a deal: naming the tarneeb, leading, following, taking tricks."""

from __future__ import annotations

import pytest

from support.stacked import Hands, hands_from, started
from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.calls import GAME, PASS, Call, CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.hand import Hand
from tarneeb_engine.refusals import IllegalAction, Refusal
from tarneeb_engine.ruleset import FourPasses, Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.sets import SetState
from tarneeb_engine.variants import PRESETS
from tarneeb_engine.views import Phase

SEVEN = Call.bid(7)

# West deals, so that South calls and declares first.
HANDS = hands_from(
    south="AS KS QS JS TS 9S 8S 7S 2H 3H 2D 3D 2C",
    east="6S 5S AH KH QH AD KD QD AC KC QC JC TC",
    north="4S 3S 2S JH TH 9H JD TD 9D 9C 8C 7C 6C",
    west="8H 7H 6H 5H 4H 8D 7D 6D 5D 4D 5C 4C 3C",
)


def refused(state: SetState, seat: Seat, action: Action) -> IllegalAction:
    before = repr(state), [state.hand(seat) for seat in Seat]
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, action)
    assert (repr(state), [state.hand(seat) for seat in Seat]) == before
    assert action not in state.legal_actions(seat)
    return caught.value


def play(state: SetState, *actions: Action) -> SetState:
    for action in actions:
        assert state.turn is not None
        assert action in state.legal_actions(state.turn)
        state, _ = state.apply(state.turn, action)
    return state


def declared(trump: Suit = Suit.SPADES, rules: Ruleset = PRESETS["tarneeb"], call: Call = SEVEN) -> SetState:
    state = started(HANDS, rules=rules)
    passes = () if call == GAME else (MakeCall(PASS),) * 3
    return play(state, MakeCall(call), *passes, NameTrump(trump))


def test_rule_6_the_dealers_left_cuts() -> None:
    state, _ = SetState.begin(Ruleset(), Seat.WEST).start_deal(tuple(Card))
    assert state.turn is Seat.NORTH
    assert len(state.legal_actions(Seat.NORTH)) == 51
    for at in (-1, 0, 52, 1000):
        assert refused(state, Seat.NORTH, Cut(at)).refusal is Refusal.BAD_CUT
    assert refused(state, Seat.EAST, Cut(20)).refusal is Refusal.NOT_YOUR_TURN
    assert all(state.hand(seat) == Hand() for seat in Seat)


def test_rule_14_the_declarer_names_the_tarneeb_before_anybody_plays() -> None:
    state = play(started(HANDS), MakeCall(Call.bid(8)), *[MakeCall(PASS)] * 3)
    assert (state.deal is not None, state.turn) == (True, Seat.SOUTH)
    assert refused(state, Seat.SOUTH, PlayCard(Card.SA)).refusal is Refusal.WRONG_PHASE
    assert refused(state, Seat.EAST, NameTrump(Suit.HEARTS)).refusal is Refusal.NOT_YOUR_TURN
    state = play(state, NameTrump(Suit.HEARTS))
    assert refused(state, Seat.SOUTH, NameTrump(Suit.SPADES)).refusal is Refusal.WRONG_PHASE


def test_rule_15_the_declarer_leads_any_card() -> None:
    state = declared()
    assert state.turn is Seat.SOUTH
    assert {action.card for action in state.legal_actions(Seat.SOUTH) if isinstance(action, PlayCard)} == set(
        HANDS[Seat.SOUTH]
    )
    assert refused(state, Seat.EAST, PlayCard(Card.HA)).refusal is Refusal.NOT_YOUR_TURN


def test_rule_15_where_the_option_is_on_the_first_lead_is_of_the_tarneeb_suit() -> None:
    state = declared(Suit.HEARTS, Ruleset(lead_tarneeb=True))
    error = refused(state, Seat.SOUTH, PlayCard(Card.SA))
    assert error.refusal is Refusal.MUST_LEAD_TARNEEB
    assert str(error).endswith("accepted: 2H, 3H")
    state = play(state, PlayCard(Card.H2), PlayCard(Card.HQ), PlayCard(Card.H9), PlayCard(Card.H4))
    assert state.turn is Seat.EAST
    play(state, PlayCard(Card.CA))  # later leads are free


def test_rule_15_a_declarer_void_of_the_tarneeb_suit_leads_any_card() -> None:
    hands = hands_from(
        south="AS KS QS JS TS 9S 8S 7S 6S 5S 2D 3D 2C",
        east="4S 3S AH KH QH AD KD QD AC KC QC JC TC",
        north="2S 3H 2H JH TH 9H JD TD 9D 9C 8C 7C 6C",
        west="8H 7H 6H 5H 4H 8D 7D 6D 5D 4D 5C 4C 3C",
    )
    state = started(hands, rules=Ruleset(lead_tarneeb=True))
    state = play(state, MakeCall(Call.bid(7)), *[MakeCall(PASS)] * 3, NameTrump(Suit.HEARTS))
    assert len(state.legal_actions(Seat.SOUTH)) == 13


def test_rule_16_a_revoke_is_refused_and_says_what_is_accepted() -> None:
    state = play(declared(), PlayCard(Card.H2))
    error = refused(state, Seat.EAST, PlayCard(Card.S6))
    assert error.refusal is Refusal.MUST_FOLLOW_SUIT
    assert str(error) == "hearts were led and you hold some; you tried 6S, accepted: QH, KH, AH"
    assert state.turn is Seat.EAST


def test_rule_16_a_card_that_is_not_held_is_refused_without_telling_who_holds_it() -> None:
    state = play(declared(), PlayCard(Card.H2))
    error = refused(state, Seat.EAST, PlayCard(Card.HJ))
    assert (error.refusal, str(error)) == (Refusal.CARD_NOT_HELD, "JH is not in your hand")


def test_worked_case_void_in_the_suit_led_holding_trumps_a_plain_card_is_legal() -> None:
    state = declared(Suit.DIAMONDS)
    state = play(state, PlayCard(Card.SA), PlayCard(Card.S5), PlayCard(Card.S2))
    assert state.turn is Seat.WEST  # void of spades, with five trumps
    assert len(state.legal_actions(Seat.WEST)) == 13
    state = play(state, PlayCard(Card.C3))
    assert state.turn is Seat.SOUTH


def test_worked_case_the_lowest_tarneeb_takes_a_led_ace_and_its_player_leads_next() -> None:
    hands = hands_from(
        south="AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
        east="AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H AD",
        north="KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D 2H",
        west="AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
    )
    state = play(started(hands), MakeCall(Call.bid(7)), *[MakeCall(PASS)] * 3, NameTrump(Suit.HEARTS))
    state = play(state, PlayCard(Card.SA), PlayCard(Card.DA), PlayCard(Card.H2), PlayCard(Card.CA))
    assert state.deal is not None
    assert state.deal.tricks[0].winner is Seat.NORTH
    assert (state.turn, state.deal.taken) == (Seat.NORTH, (1, 0))


def lay_out(state: SetState) -> SetState:
    """Play the deal out: South the highest card that is legal, by suit and rank, all others the lowest."""
    while state.turn is not None:
        lowest, *_, highest = *state.legal_actions(state.turn), *state.legal_actions(state.turn)
        state, _ = state.apply(state.turn, highest if state.turn is Seat.SOUTH else lowest)
    return state


ALL_SPADES = hands_from(
    south="AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
    east="AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
    north="AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
    west="AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
)


def test_worked_case_game_at_minus_12_with_all_13_taken_wins_the_set() -> None:
    state = started(ALL_SPADES, scores=(-12, 30))
    state = lay_out(play(state, MakeCall(GAME), NameTrump(Suit.SPADES)))
    assert (state.winner, state.scores) == (Team.SOUTH_NORTH, (1, 30))
    assert state.history[-1].wins_set is Team.SOUTH_NORTH
    for seat in Seat:
        assert refused(state, seat, MakeCall(PASS)).refusal is Refusal.SET_OVER
    assert not state.needs_pack
    with pytest.raises(ValueError, match="the set is over"):
        state.start_deal(tuple(Card))


def test_worked_case_game_with_12_taken_loses_13_and_gives_1() -> None:
    # South is sure of every trick but the last, which East's ace of hearts takes.
    hands = hands_from(
        south="AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2H",
        east="AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2S",
        north="AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        west="AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
    )
    state = lay_out(play(started(hands), MakeCall(GAME), NameTrump(Suit.SPADES)))
    assert (state.winner, state.scores) == (None, (-13, 1))
    assert state.history[0].taken == (12, 1)
    assert state.needs_pack


# South runs its spades, then leads a heart, and East's hearts take the rest.
SEVEN_SPADES = hands_from(
    south="AS KS QS JS TS 9S 8S 2H 3H 4H 5H 6H 7H",
    east="AH KH QH JH TH 9H 8H AD KD QD JD TD 9D",
    north="2S 3S 4S 5S 6S 7S 2D 3D 4D 5D 6D 7D 8D",
    west="AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
)
SIX_SPADES = hands_from(
    south="AS KS QS JS TS 9S 2H 3H 4H 5H 6H 7H 8H",
    east="AH KH QH JH TH 9H AD KD QD JD TD 9D 8D",
    north="3S 4S 5S 6S 7S 8S 2D 3D 4D 5D 6D 7D 2C",
    west="AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2S",
)


@pytest.mark.parametrize(
    ("hands", "scores", "winner"),
    [(SEVEN_SPADES, (37, 0), Team.SOUTH_NORTH), (SIX_SPADES, (23, 7), None)],
)
def test_worked_cases_score_30_bid_7_take_7_wins_the_set_and_take_6_does_not(
    hands: Hands, scores: tuple[int, int], winner: Team | None
) -> None:
    state = started(hands, scores=(30, 0))
    state = lay_out(play(state, MakeCall(SEVEN), *[MakeCall(PASS)] * 3, NameTrump(Suit.SPADES)))
    assert (state.scores, state.winner) == (scores, winner)


def test_rule_5_the_deal_passes_to_the_right_after_it_is_played_out() -> None:
    state = lay_out(declared())
    assert state.deal is not None
    assert (state.deal.dealer, state.dealer) == (Seat.WEST, Seat.SOUTH)
    again, _ = state.start_deal(tuple(Card))
    assert again.deal is not None
    assert (again.deal.dealer, again.deal.number, again.turn) == (Seat.SOUTH, 2, Seat.WEST)


@pytest.mark.parametrize(
    ("four_passes", "dealer"), [(FourPasses.SAME_DEALER, Seat.WEST), (FourPasses.NEXT_DEALER, Seat.SOUTH)]
)
def test_rule_12_after_four_passes_nobody_scores_and_the_rules_say_who_deals(
    four_passes: FourPasses, dealer: Seat
) -> None:
    state = play(started(HANDS, rules=Ruleset(four_passes=four_passes)), *[MakeCall(PASS)] * 4)
    assert (state.scores, state.history, state.needs_pack, state.turn) == ((0, 0), (), True, None)
    assert state.deal is not None
    assert state.deal.phase is Phase.VOID
    assert state.dealer is dealer
    again, _ = state.start_deal(tuple(Card))
    assert again.deal is not None
    assert (again.deal.number, again.deal.dealer) == (2, dealer)


def test_nothing_can_be_done_between_deals() -> None:
    state = SetState.begin(Ruleset(), Seat.SOUTH)
    for seat in Seat:
        assert refused(state, seat, Cut(5)).refusal is Refusal.NO_DEAL
        assert not state.legal_actions(seat)
    running, _ = state.start_deal(tuple(Card))
    with pytest.raises(ValueError, match="a deal is in progress"):
        running.start_deal(tuple(Card))


def test_a_wrong_phase_is_named_before_a_wrong_turn() -> None:
    state = started(HANDS)
    for seat in Seat:
        error = refused(state, seat, PlayCard(Card.SA))
        assert error.refusal is Refusal.WRONG_PHASE
        assert str(error) == "no card can be played now; the auction is going on"


def test_game_is_a_contract_of_13() -> None:
    state = declared(call=GAME)
    assert state.deal is not None
    contract = state.deal.contract
    assert contract is not None
    assert (contract.call, contract.tricks) == (CallKind.GAME, 13)
