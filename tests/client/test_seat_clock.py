"""What runs out while somebody is away, counted down by a clock that the test turns."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.link_items import LinkLost
from tarneeb_client.seat_clock import ATTEMPT_LINE_SECONDS, NOTICES, SeatClock
from tarneeb_client.state import TableView, advance
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m


class Hours:
    """The time, which the test moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.clock = SeatClock(lambda: self.now)

    def lost(self, attempt: int, retry: float, held: float | None) -> bool:
        return self.clock.link_lost(LinkLost(attempt, retry, held, "gone"))

    def lost_now(self) -> LinkLost | None:
        return self.clock.lost

    def notices_of(self, seconds: float, step: float = 0.5) -> list[int]:
        """The notices that come as so much time passes."""
        end = self.now + seconds
        heard = []
        while self.now < end:
            self.now += step
            notice = self.clock.notice()
            heard += [] if notice is None else [notice]
        return heard


def snapshot(*away: int | None) -> m.Snapshot:
    seats = tuple(m.SeatSummary(name=f"P{seat}", away_seconds=seconds) for seat, seconds in enumerate(away))
    south, east, north, west = seats
    return m.Snapshot(
        table=1,
        seq=5,
        name="Friends",
        state=m.TableState.WAITING,
        rules=Ruleset(),
        turn_seconds=0,
        grace_seconds=120,
        seats=(south, east, north, west),
        seat=Seat.SOUTH,
    )


def follow(hours: Hours, messages: Sequence[m.Message], view: TableView | None = None) -> TableView | None:
    for message in messages:
        view = advance(view, message)
        hours.clock.follow(message, view)
    return view


def test_an_attempt_and_a_seat_are_counted_down_together() -> None:
    hours = Hours()
    assert hours.lost_now() is None
    hours.lost(3, 4.0, 107.0)
    assert hours.lost_now() == LinkLost(3, 4.0, 107.0, "gone")
    hours.now += 3
    assert hours.lost_now() == LinkLost(3, 1.0, 104.0, "gone")
    hours.now += 200
    assert hours.lost_now() == LinkLost(3, 0.0, 0.0, "gone")
    hours.clock.link_stands()
    assert hours.lost_now() is None


def test_a_seat_is_held_from_the_moment_when_the_link_was_lost_whatever_later_attempts_say() -> None:
    hours = Hours()
    hours.lost(1, 1.0, 120.0)
    hours.now += 10
    hours.lost(2, 1.0, 115.0)
    lost = hours.clock.lost
    assert lost is not None
    assert lost.held_seconds == 110.0


def test_the_first_loss_is_news_and_attempts_are_every_ten_seconds_at_most() -> None:
    hours = Hours()
    assert hours.lost(1, 0.4, 120.0)
    hours.now += 0.5
    assert not hours.lost(2, 1.5, 119.5)
    hours.now += ATTEMPT_LINE_SECONDS - 0.5
    assert hours.lost(3, 3.0, 110.0)
    hours.now += 1
    assert not hours.lost(4, 3.0, 109.0)
    hours.clock.link_stands()
    assert hours.lost(1, 0.4, 120.0)  # lost again is news again


def test_notices_come_once_each_at_60_30_10_and_0_seconds_left() -> None:
    hours = Hours()
    hours.lost(1, 1.0, 120.0)
    assert hours.clock.seconds_to_notice() == 60
    assert hours.notices_of(59.5) == []
    assert hours.notices_of(0.5) == [60]
    assert hours.notices_of(100.0) == [30, 10, 0]
    assert hours.clock.seconds_to_notice() == math.inf
    assert hours.notices_of(100.0) == []


def test_no_notice_comes_of_more_than_there_ever_was_nor_after_the_link_is_back() -> None:
    hours = Hours()
    hours.lost(1, 1.0, 20.0)
    assert hours.notices_of(12) == [10]
    hours.clock.link_stands()
    assert hours.notices_of(100) == []
    hours.lost(1, 1.0, None)  # at no table
    assert hours.notices_of(300) == []


def test_a_machine_that_slept_hears_the_last_notice_alone() -> None:
    hours = Hours()
    hours.lost(1, 1.0, 120.0)
    hours.now += 5000
    assert hours.clock.notice() == 0
    assert hours.clock.notice() is None


@given(st.floats(0, 1000), st.lists(st.floats(0, 200), max_size=20))
def test_notices_only_ever_fall_and_none_comes_early(held: float, steps: list[float]) -> None:
    hours = Hours()
    hours.lost(1, 1.0, held)
    until = hours.now + held
    heard: list[int] = []
    for step in steps:
        hours.now += step
        notice = hours.clock.notice()
        if notice is not None:
            assert until - hours.now <= notice
            heard.append(notice)
    assert heard == sorted(set(heard), reverse=True)
    assert set(heard) <= set(NOTICES)
    lost = hours.clock.lost
    assert lost is not None
    assert lost.held_seconds is not None
    assert lost.held_seconds >= 0


def test_the_seats_of_others_are_counted_down_from_when_it_was_said() -> None:
    hours = Hours()
    view = follow(hours, [snapshot(None, 40, None, None)])
    hours.now += 10
    view = follow(hours, [m.PlayerAway(table=1, seq=6, seat=Seat.WEST, grace_seconds=120)], view)
    hours.now += 5
    assert hours.clock.seats_away(Seat.SOUTH) == {Seat.EAST: 25.0, Seat.WEST: 115.0}
    assert view is not None
    shown = hours.clock.as_of_now(view).snapshot.seats
    assert [None if seat is None else seat.away_seconds for seat in shown] == [None, 25, None, 115]
    assert view.snapshot.seats[Seat.EAST] == m.SeatSummary(name="P1", away_seconds=40)
    hours.now += 1000
    assert hours.clock.seats_away(Seat.SOUTH) == {Seat.EAST: 0.0, Seat.WEST: 0.0}


def test_the_viewers_own_seat_is_not_among_the_others() -> None:
    hours = Hours()
    follow(hours, [snapshot(60, None, 30, None)])
    assert hours.clock.seats_away(Seat.SOUTH) == {Seat.NORTH: 30.0}
    assert hours.clock.seats_away(None) == {Seat.SOUTH: 60.0, Seat.NORTH: 30.0}


@pytest.mark.parametrize(
    "event",
    [
        m.PlayerBack(table=1, seq=6, seat=Seat.EAST),
        m.PlayerLeft(table=1, seq=6, seat=Seat.EAST, name="P1", reason="grace_over"),
        m.TableClosed(table=1, seq=6, reason="deserted"),
        snapshot(None, None, None, None),
    ],
    ids=lambda event: type(event).__name__,
)
def test_who_is_back_or_gone_is_away_no_more(event: m.Message) -> None:
    hours = Hours()
    view = follow(hours, [snapshot(None, 40, None, None)])
    follow(hours, [event], view)
    assert hours.clock.seats_away(Seat.SOUTH) == {}


def test_who_goes_away_again_has_the_whole_time_again() -> None:
    hours = Hours()
    view = follow(hours, [snapshot(None, 40, None, None)])
    hours.now += 30
    messages = [
        m.PlayerBack(table=1, seq=6, seat=Seat.EAST),
        m.PlayerAway(table=1, seq=7, seat=Seat.EAST, grace_seconds=120),
    ]
    follow(hours, messages, view)
    assert hours.clock.seats_away(Seat.SOUTH) == {Seat.EAST: 120.0}


def test_a_new_snapshot_says_anew_how_long() -> None:
    hours = Hours()
    view = follow(hours, [snapshot(None, 40, None, None)])
    hours.now += 30
    follow(hours, [msgspec.structs.replace(snapshot(None, 120, None, None), seq=9)], view)
    assert hours.clock.seats_away(Seat.SOUTH) == {Seat.EAST: 120.0}
