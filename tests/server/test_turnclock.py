"""The clock of a turn: no way of coming and going wins time or costs anybody else any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_server.turnclock import HURRIED_SECONDS, UNCLOCKED_AWAY_SECONDS, TurnClock

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["go_away", "come_back", "stand_still", "go_on"]),
        st.floats(0, 100, allow_nan=False),
    ),
    max_size=30,
)


def test_a_turn_has_its_seconds_and_a_hurried_one_has_one() -> None:
    clock = TurnClock(45)
    clock.begin(100, is_hurried=False)
    assert clock.seconds_left(100) == 45
    assert clock.seconds_left(144.5) == 1
    assert clock.seconds_left(200) == 0
    clock.begin(100, is_hurried=True)
    assert clock.deadline == 100 + HURRIED_SECONDS
    clock.come_back()
    assert clock.deadline == 145
    clock.end()
    assert clock.seconds_left(100) is None
    assert not clock.is_running


def test_a_table_without_a_clock_waits_for_who_is_there() -> None:
    clock = TurnClock(0)
    clock.begin(100, is_hurried=False)
    deadlines = [clock.deadline]
    clock.go_away(110)
    deadlines.append(clock.deadline)
    clock.come_back()
    deadlines.append(clock.deadline)
    clock.begin(200, is_hurried=True)
    deadlines.append(clock.deadline)
    assert deadlines == [None, 110 + UNCLOCKED_AWAY_SECONDS, None, 200 + HURRIED_SECONDS]


def test_a_clock_that_stood_still_has_what_it_had() -> None:
    clock = TurnClock(45)
    clock.begin(100, is_hurried=False)
    clock.stand_still(120)
    assert clock.seconds_left(1000) == 25
    clock.go_on(1000)
    assert clock.seconds_left(1000) == 25
    clock.go_on(2000)
    clock.stand_still(1010)
    clock.stand_still(1020)
    clock.go_on(1030)
    assert clock.deadline == 1045
    clock.come_back()
    assert clock.deadline == 1045


@given(turn_seconds=st.integers(1, 3600), steps=STEPS, is_hurried=st.booleans())
@pytest.mark.proves("K-3")
def test_t03_a_turn_never_lasts_longer_than_its_clock_nor_is_cut_short_while_nobody_is_there(
    turn_seconds: int, steps: list[tuple[str, float]], is_hurried: bool
) -> None:
    clock = TurnClock(turn_seconds)
    now = 0.0
    clock.begin(now, is_hurried=is_hurried)
    is_whole = not is_hurried
    passed = 0.0
    is_still = False
    for step, seconds in steps:
        now += seconds
        passed += 0 if is_still else seconds
        match step:
            case "go_away":
                clock.go_away(now)
            case "come_back":
                clock.go_on(now)
                clock.come_back()
                is_still, is_whole = False, True
            case "stand_still":
                clock.stand_still(now)
                is_still = True
            case _:
                clock.go_on(now)
                is_still = False
        left = clock.seconds_left(now)
        assert left is not None
        whole = turn_seconds if is_whole else min(HURRIED_SECONDS, turn_seconds)
        assert left == pytest.approx(max(0.0, whole - passed), abs=1.001)
