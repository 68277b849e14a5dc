"""Rules 18–23: reckoning a deal, and who has won the set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_engine.calls import CallKind
from tarneeb_engine.ruleset import TARGETS, Ruleset, Thirteen
from tarneeb_engine.scoring import reckon, winner_by_target
from tarneeb_engine.seats import Team
from tarneeb_engine.variants import PRESETS

CELLS = [(bid, taken) for bid in range(7, 14) for taken in range(14)]
assert len(CELLS) == 7 * 14


def points(
    bid: int, taken: int, thirteen: Thirteen = Thirteen.GAME_CALL, call: CallKind = CallKind.BID
) -> tuple[int, int]:
    reckoning = reckon(call, bid, taken, thirteen)
    return reckoning.declaring, reckoning.defending


def test_worked_case_bid_7_take_10_scores_10_to_0() -> None:
    assert points(7, 10) == (10, 0)


def test_worked_case_bid_10_take_9_scores_minus_10_to_4() -> None:
    assert points(10, 9) == (-10, 4)


@pytest.mark.parametrize(("bid", "taken"), CELLS)
def test_worked_case_every_cell_of_bid_and_tricks_by_rules_18_and_19(bid: int, taken: int) -> None:
    expected = (taken, 0) if taken >= bid else (-bid, 13 - taken)
    assert points(bid, taken) == expected
    assert reckon(CallKind.BID, bid, taken, Thirteen.GAME_CALL).made == (taken >= bid)
    assert not reckon(CallKind.BID, bid, taken, Thirteen.GAME_CALL).game_won


@pytest.mark.parametrize("taken", range(14))
def test_rule_20_game_wins_the_set_or_fails_as_13(taken: int) -> None:
    reckoning = reckon(CallKind.GAME, 13, taken, Thirteen.GAME_CALL)
    assert reckoning.game_won == (taken == 13)
    assert (reckoning.declaring, reckoning.defending) == ((13, 0) if taken == 13 else (-13, 13 - taken))


def test_worked_case_game_with_12_taken_scores_minus_13_to_1() -> None:
    assert points(13, 12, call=CallKind.GAME) == (-13, 1)


@pytest.mark.parametrize(("bid", "taken"), CELLS)
def test_rule_22_every_cell_with_the_kaboot_bonus(bid: int, taken: int) -> None:
    if bid == 13:
        expected = (26, 0) if taken == 13 else (-16, 2 * (13 - taken))
    elif taken == 13:
        expected = (16, 0)
    else:
        expected = (taken, 0) if taken >= bid else (-bid, 13 - taken)
    assert points(bid, taken, Thirteen.KABOOT_BONUS) == expected


@given(st.sampled_from(CELLS), st.sampled_from(Thirteen), st.booleans())
def test_rule_21_one_team_at_most_gains_in_a_deal(
    cell: tuple[int, int], thirteen: Thirteen, game: bool
) -> None:
    bid, taken = cell
    call = CallKind.GAME if game and thirteen is Thirteen.GAME_CALL else CallKind.BID
    ours, theirs = points(13 if call is CallKind.GAME else bid, taken, thirteen, call)
    assert (ours > 0) + (theirs > 0) == 1


@pytest.mark.parametrize("target", TARGETS)
def test_rule_21_the_set_is_won_at_the_target_or_beyond(target: int) -> None:
    assert winner_by_target((target - 1, target - 1), target) is None
    assert winner_by_target((target, target - 1), target) is Team.SOUTH_NORTH
    assert winner_by_target((-40, target + 12), target) is Team.EAST_WEST
    # No option brings both there; should one ever, the higher total wins and a tie plays on.
    assert winner_by_target((target + 1, target), target) is Team.SOUTH_NORTH
    assert winner_by_target((target, target + 3), target) is Team.EAST_WEST
    assert winner_by_target((target, target), target) is None


def test_rule_23_the_target_is_31_41_51_or_61() -> None:
    assert PRESETS["tarneeb"].target == PRESETS["classic"].target == 31
    for target in TARGETS:
        assert Ruleset(target=target).target == target
    with pytest.raises(ValueError, match="one of 31, 41, 51, 61, not 30"):
        Ruleset(target=30)
