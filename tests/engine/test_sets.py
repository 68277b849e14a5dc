"""What holds in every set, under any rules, whatever is played."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.playouts import EVERY_ACTION, Playout, fold, fold_hand, playout, playouts
from support.self_play import rulesets, unhurried
from tarneeb_engine.actions import MakeCall, PlayCard
from tarneeb_engine.cards import FULL_PACK, Card, Suit
from tarneeb_engine.deal import DealState
from tarneeb_engine.events import DealScored, HandsDealt, SetWon
from tarneeb_engine.hand import Hand
from tarneeb_engine.refusals import IllegalAction, Refusal
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.sets import SetState
from tarneeb_engine.views import Phase, SeatView

ORDER = list(Phase)


def cards_in(value: object) -> set[Card]:
    """Every card found anywhere inside a value made of dataclasses and tuples."""
    if isinstance(value, Card):
        return {value}
    if isinstance(value, Hand):
        return set(value)
    if isinstance(value, Enum):
        return set()
    if is_dataclass(value):
        return set[Card]().union(*(cards_in(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, (tuple, list, frozenset)):
        return set[Card]().union(*map(cards_in, value))
    assert value is None or isinstance(value, (int, str)), f"a view holds {value!r}"
    return set()


def played_in(deal: DealState | None) -> set[Card]:
    if deal is None:
        return set()
    current = () if deal.trick is None else deal.trick.cards
    return {card for trick in deal.tricks for card in trick.cards} | set(current)


@given(playouts(most_steps=300))
@unhurried
def test_l10_52_cards_are_conserved_and_a_hand_is_13_less_the_tricks_played(steps: Playout) -> None:
    for step in steps:
        deal = step.after.deal
        assert deal is not None
        if deal.phase is Phase.CUT:
            assert not any(deal.hands)
            continue
        held = [card for seat in Seat for card in step.after.hand(seat)]
        assert len(held) + len(played_in(deal)) == 52
        assert {*held, *played_in(deal)} == set(FULL_PACK)
        for seat in Seat:
            on_table = deal.trick is not None and (seat - deal.trick.leader) % 4 < len(deal.trick.cards)
            if deal.phase in {Phase.PLAY, Phase.SCORED}:
                assert len(step.after.hand(seat)) == 13 - len(deal.tricks) - on_table
        assert sum(deal.taken) == len(deal.tricks)


@given(playouts(most_steps=300))
@unhurried
def test_l08_phases_only_go_forward_within_a_deal(steps: Playout) -> None:
    for before, after in pairwise(step.after.deal for step in steps):
        assert before is not None
        assert after is not None
        if after.number == before.number:
            assert ORDER.index(after.phase) >= ORDER.index(before.phase)
        else:
            assert (after.number, after.phase) == (before.number + 1, Phase.CUT)
            assert before.phase in {Phase.SCORED, Phase.VOID}


@given(playouts(most_steps=90))
@unhurried
def test_a_view_holds_no_card_that_its_viewer_may_not_know(steps: Playout) -> None:
    for step in steps:
        public = played_in(step.after.deal)
        assert cards_in(step.after.public_view()) == public
        for seat in Seat:
            view = step.after.seat_view(seat)
            assert cards_in(view) == public | set(step.after.hand(seat))
            assert view.hand == tuple(step.after.hand(seat))


@given(playouts(most_steps=300))
@unhurried
def test_only_hands_dealt_tells_of_cards_that_were_not_played(steps: Playout) -> None:
    for step in steps:
        for event in step.events:
            if not isinstance(event, HandsDealt):
                assert cards_in(event) <= played_in(step.after.deal)


@given(playouts(most_steps=300))
@unhurried
def test_folding_the_events_of_any_prefix_gives_the_view_at_its_end(steps: Playout) -> None:
    public = steps[0].before.public_view()
    hands = [steps[0].before.hand(seat) for seat in Seat]
    for step in steps:
        for event in step.events:
            public = fold(public, event)
            hands = [fold_hand(hands[seat], seat, event) for seat in Seat]
        assert public == step.after.public_view()
        for seat in Seat:
            assert SeatView(seat, tuple(hands[seat]), public) == step.after.seat_view(seat)


@given(playouts(most_steps=300), st.data())
@unhurried
def test_replaying_the_actions_of_any_prefix_gives_the_same_state_and_events(
    steps: Playout, data: st.DataObject
) -> None:
    upto = data.draw(st.integers(0, len(steps) - 1))
    state = steps[0].before
    for step in steps[: upto + 1]:
        if step.seat is None or step.action is None:
            assert step.after.deal is not None
            state, events = state.start_deal(step.after.deal.pack)
        else:
            state, events = state.apply(step.seat, step.action)
        assert events == step.events
    assert state == steps[upto].after


@given(playouts(most_steps=120), st.data())
@unhurried
def test_what_is_legal_is_accepted_and_all_else_is_refused_and_changes_nothing(
    steps: Playout, data: st.DataObject
) -> None:
    state = data.draw(st.sampled_from(steps)).after
    twin = SetState(state.rules, state.dealer, state.scores, state.history, state.deal, state.winner)
    for seat in Seat:
        legal = state.legal_actions(seat)
        assert bool(legal) == (seat is state.turn)
        assert len(set(legal)) == len(legal) == len(list(legal))
        accepted = 0
        for action in EVERY_ACTION:
            try:
                after, events = state.apply(seat, action)
            except IllegalAction:
                assert action not in legal
                assert state == twin
            else:
                assert action in legal
                assert events
                assert after != state
                accepted += not (isinstance(action, MakeCall) and action.remark is not None)
        assert accepted == len(legal)


@given(playouts(most_steps=120), st.data())
@unhurried
def test_a_refusal_tells_nothing_that_depends_on_the_hands_of_others(
    steps: Playout, data: st.DataObject
) -> None:
    step = data.draw(st.sampled_from([step for step in steps if step.after.turn is not None]))
    state = step.after
    hidden = set(FULL_PACK) - played_in(state.deal)
    for seat in Seat:
        own = set(state.hand(seat))
        for action in EVERY_ACTION:
            try:
                state.apply(seat, action)
            except IllegalAction as refused:
                named = {card for card in hidden - own if card.value in str(refused)}
                assert named <= cards_in(action)


@given(rulesets(), st.sampled_from(Seat), st.integers(0, 2**32))
@unhurried
def test_every_random_game_ends_and_its_winner_is_right(rules: Ruleset, dealer: Seat, seed: int) -> None:
    steps = list(playout(rules, dealer, seed, most_steps=200_000))
    final = steps[-1].after
    assert final.winner is not None
    assert steps[-1].events[-1] == SetWon(final.winner, final.scores)
    last = final.history[-1]
    by_game = last.call.value == "game" and last.made
    assert by_game or (final.scores[final.winner] >= rules.target > final.scores[final.winner.opponents])
    assert [score.wins_set for score in final.history[:-1]] == [None] * (len(final.history) - 1)
    for seat in Seat:
        assert not final.legal_actions(seat)
    assert sum(isinstance(event, SetWon) for step in steps for event in step.events) == 1


@given(playouts(most_steps=2000))
@unhurried
def test_one_team_at_most_gains_in_a_deal_and_scores_add_up(steps: Playout) -> None:
    running = (0, 0)
    for step in steps:
        for event in step.events:
            if isinstance(event, DealScored):
                score = event.score
                assert sum(points > 0 for points in score.points) == 1
                assert sum(score.taken) == 13
                team = score.declarer.team()
                assert score.made == (score.taken[team] >= score.bid)
                assert (score.points[team] > 0) == score.made
                running = (running[0] + score.points[0], running[1] + score.points[1])
                assert score.scores == running == step.after.scores


@given(rulesets(), st.sampled_from(Seat), st.integers(1, 3), st.integers(0, 2**32))
@unhurried
def test_the_rules_are_the_same_from_every_seat(rules: Ruleset, dealer: Seat, places: int, seed: int) -> None:
    there = SetState.begin(rules, Seat((dealer + places) % 4))
    for step in playout(rules, dealer, seed, most_steps=300):
        if step.seat is None or step.action is None:
            assert step.after.deal is not None
            there, _ = there.start_deal(step.after.deal.pack)
        else:
            there, _ = there.apply(Seat((step.seat + places) % 4), step.action)
        for seat in Seat:
            assert there.hand(Seat((seat + places) % 4)) == step.after.hand(seat)
        turn = step.after.turn
        assert there.turn == (None if turn is None else (turn + places) % 4)
        swapped = places % 2 == 1
        assert there.scores == (step.after.scores[::-1] if swapped else step.after.scores)
        winner = step.after.winner
        assert there.winner == (winner if winner is None or not swapped else Team(1 - winner))


@given(playouts(most_steps=120))
@unhurried
def test_no_repr_of_a_state_shows_a_hidden_card(steps: Playout) -> None:
    for step in steps:
        text = repr(step.after)
        public = played_in(step.after.deal)
        assert not [card for card in FULL_PACK if card not in public and f"'{card.value}'" in text]


def test_a_pack_that_is_not_whole_starts_no_deal() -> None:
    state = SetState.begin(Ruleset(), Seat.SOUTH)
    with pytest.raises(ValueError, match="each of the 52 cards once"):
        state.start_deal(FULL_PACK[1:])


def test_dealing_a_set_twice_from_one_seed_is_the_same_set() -> None:
    assert list(playout(Ruleset(), Seat.EAST, 5)) == list(playout(Ruleset(), Seat.EAST, 5))


def test_l05_a_trump_is_refused_while_the_suit_led_is_held_in_every_position() -> None:
    tried: set[tuple[Suit, int]] = set()
    for step in playout(Ruleset(), Seat.SOUTH, 5, most_steps=3000):
        state, deal = step.after, step.after.deal
        if deal is None or deal.trick is None or not deal.trick.cards or deal.contract is None:
            continue
        led = deal.trick.cards[0].suit
        assert state.turn is not None
        hand = state.hand(state.turn)
        if hand.is_void(led):
            continue
        for card in hand:
            if card.suit is deal.contract.trump and card.suit is not led:
                with pytest.raises(IllegalAction, match="you hold some") as refused:
                    state.apply(state.turn, PlayCard(card))
                assert refused.value.refusal is Refusal.MUST_FOLLOW_SUIT
                tried.add((led, len(deal.trick.cards)))
    assert tried == {(suit, position) for suit in Suit for position in (1, 2, 3)}
