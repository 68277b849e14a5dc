"""Every bot: legal, repeatable, and blind to what its seat may not know."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.self_play import LEVELS_BY_SEAT, cut_short, play_set, rulesets, unhurried
from tarneeb_engine.bots import LEVELS, policy
from tarneeb_engine.bots.knowledge import Knowledge
from tarneeb_engine.cards import FULL_PACK
from tarneeb_engine.hand import Hand
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.sets import SetState
from tarneeb_engine.transcript import Transcript, format_transcript
from tarneeb_engine.variants import PRESETS
from tarneeb_engine.views import Phase

SEEDS = st.integers(0, 2**32 - 1)


def positions(transcript: Transcript, actions: int) -> SetState:
    """The set after ``actions`` actions."""
    return cut_short(transcript, actions).final_state()


def with_hidden_hands_shuffled(state: SetState, seat: Seat, rng: random.Random) -> SetState:
    """The same set for ``seat``, with the cards that it cannot see dealt anew among the other three."""
    deal = state.deal
    assert deal is not None
    others = [other for other in Seat if other is not seat]
    cards = [card for other in others for card in Hand(deal.hands[other])]
    rng.shuffle(cards)
    hands = list(deal.hands)
    for other in others:
        size = deal.hands[other].bit_count()
        hands[other] = Hand.of(cards[:size]).mask
        del cards[:size]
    south, east, north, west = hands
    pack = list(deal.pack)
    rng.shuffle(pack)
    return replace(state, deal=replace(deal, pack=tuple(pack), hands=(south, east, north, west)))


def test_the_levels_are_random_and_steady() -> None:
    assert LEVELS == ("random", "steady")


@pytest.mark.parametrize("level", ["", "Steady", "expert"])
def test_an_unknown_level_is_refused_and_the_known_ones_are_named(level: str) -> None:
    with pytest.raises(ValueError, match=f"no bot of level '{level}'; the levels are random, steady"):
        policy(level, random.Random(1))


@pytest.mark.parametrize("level", LEVELS)
def test_a_seat_that_is_not_on_turn_has_nothing_to_choose(level: str) -> None:
    view = SetState.begin(Ruleset(), Seat.EAST).seat_view(Seat.WEST)
    with pytest.raises(ValueError, match="seat WEST has no legal action"):
        policy(level, random.Random(1)).choose(view, ())


@unhurried
@given(rulesets(), SEEDS, LEVELS_BY_SEAT)
def test_every_set_of_bots_is_legal_and_ends_under_any_rules(
    rules: Ruleset, seed: int, levels: tuple[str, str, str, str]
) -> None:
    # The engine refuses whatever is not legal, so a set that comes to its end was legal throughout.
    assert play_set(rules, seed, levels, most_deals=2000).final_state().winner is not None


@given(SEEDS, LEVELS_BY_SEAT)
def test_equal_seeds_give_equal_sets(seed: int, levels: tuple[str, str, str, str]) -> None:
    rules = PRESETS["classic"]
    played = [play_set(rules, seed, levels, most_deals=3) for _ in range(2)]
    assert format_transcript(played[0]) == format_transcript(played[1])


@given(rulesets(), SEEDS, st.integers(0, 250), st.sampled_from(LEVELS))
def test_swapping_the_hidden_hands_does_not_change_a_choice(
    rules: Ruleset, seed: int, actions: int, level: str
) -> None:
    state = positions(play_set(rules, seed, ("steady",) * 4, most_deals=4), actions)
    if state.turn is None:
        return
    seat = state.turn
    rng = random.Random(seed)
    legal = tuple(state.legal_actions(seat))
    chosen = policy(level, random.Random(7)).choose(state.seat_view(seat), legal)
    for _ in range(5):
        other = with_hidden_hands_shuffled(state, seat, rng)
        assert policy(level, random.Random(7)).choose(other.seat_view(seat), legal) == chosen


@given(SEEDS, LEVELS_BY_SEAT, st.integers(0, 58))
def test_what_a_seat_concludes_from_the_play_is_true(
    seed: int, levels: tuple[str, str, str, str], actions: int
) -> None:
    deal = cut_short(play_set(Ruleset(), seed, levels, most_deals=1), actions).deals[0]
    if deal.phase is not Phase.PLAY:
        return
    state = replace(SetState.begin(deal.rules, deal.dealer), deal=deal)
    for seat in Seat:
        known = Knowledge.from_view(state.seat_view(seat))
        others = [other for other in Seat if other is not seat]
        assert known.hand == deal.hands[seat]
        assert known.unseen == sum(deal.hands[other] for other in others)
        for other in others:
            assert known.may_hold(other, deal.hands[other]) == deal.hands[other]


def test_nothing_can_be_concluded_before_the_tarneeb_is_named() -> None:
    with pytest.raises(ValueError, match="no tarneeb has been named yet"):
        Knowledge.from_view(SetState.begin(Ruleset(), Seat.EAST).seat_view(Seat.WEST))


def remarks(transcript: Transcript) -> set[str | None]:
    return {made.remark for deal in transcript.deals if deal.auction is not None for made in deal.auction.calls}


@pytest.mark.parametrize("level", LEVELS)
def test_rule_13_bots_make_remarks_where_the_table_has_them_and_only_there(level: str) -> None:
    levels = (level,) * 4
    for seed in range(4):
        assert remarks(play_set(Ruleset(partner_hints=False), seed, levels)) == {None}
    spoken = set[str | None]()
    for seed in range(8):
        spoken |= remarks(play_set(Ruleset(partner_hints=True), seed, levels))
    assert spoken == {None, "helpful", "not_helpful"}


def test_the_random_bot_takes_every_legal_action_sooner_or_later() -> None:
    cutting, _ = SetState.begin(Ruleset(), Seat.EAST).start_deal(FULL_PACK)
    bidding, _ = cutting.apply(Seat.SOUTH, next(iter(cutting.legal_actions(Seat.SOUTH))))
    for state, seat in ((cutting, Seat.SOUTH), (bidding, Seat.NORTH)):
        legal = state.legal_actions(seat)
        # A call is four times rarer than the one below it; six of them are seen in so many tries.
        expected = list(legal) if state is cutting else list(legal)[:6]
        bot = policy("random", random.Random(3))
        view = state.seat_view(seat)
        assert {bot.choose(view, legal) for _ in range(8000)} >= set(expected)
