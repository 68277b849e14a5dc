"""The small parts, each by itself: timers, time, turn clock, outbox, event stream, seats, log lines."""

from __future__ import annotations

import math

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_server.clocks import Clock, ServerTime, Timers
from tarneeb_server.limits import Bucket, Rate
from tarneeb_server.logs import format_event
from tarneeb_server.outbox import Outbox
from tarneeb_server.stream import KEPT_EVENTS, EventStream

KEYS = st.sampled_from("abcd")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), KEYS, st.integers(0, 20)),
        st.tuples(st.just("cancel"), KEYS, st.just(0)),
        st.tuples(st.just("pop"), st.just(""), st.integers(0, 20)),
    ),
    max_size=400,
)


@given(STEPS)
def test_timers_are_a_map_of_deadlines_popped_earliest_first(steps: list[tuple[str, str, int]]) -> None:
    timers: Timers[str] = Timers()
    model: dict[str, int] = {}
    for step, key, at in steps:
        if step == "set":
            timers.set(key, at)
            model[key] = at
        elif step == "cancel":
            timers.cancel(key)
            model.pop(key, None)
        else:
            popped = timers.pop_due(at)
            earliest = min(model.values(), default=math.inf)
            if earliest > at:
                assert popped is None
            else:
                assert popped is not None
                assert model.pop(popped) == earliest
        assert len(timers) == len(model)
        assert timers.next_deadline() == min(model.values(), default=math.inf)


def test_g03_cancelled_timers_do_not_pile_up() -> None:
    timers: Timers[int] = Timers()
    for turn in range(10_000):
        timers.set(turn % 3, turn + 45.0)
        timers.cancel(turn % 5)
    assert len(timers._heap) <= 66


async def test_a_clock_fires_in_order_and_a_new_earlier_timer_wakes_it(
    autojump_clock: trio.testing.MockClock,
) -> None:
    fired: list[tuple[str, float]] = []
    time = ServerTime()
    clock: Clock[str] = Clock(time, lambda key: fired.append((key, trio.current_time())))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clock.run)
        start = trio.current_time()
        clock.set("late", start + 4)
        clock.set("never", start + 2)
        await trio.sleep(1)
        clock.set("early", start + 3)
        clock.cancel("never")
        await trio.sleep(4)
        nursery.cancel_scope.cancel()
    assert fired == [("early", start + 3), ("late", start + 4)]


async def test_timers_that_are_always_due_leave_room_for_others(
    autojump_clock: trio.testing.MockClock,
) -> None:
    fired = 0

    def fire(key: str) -> None:
        nonlocal fired
        fired += 1
        clock.set(key, 0)

    clock: Clock[str] = Clock(ServerTime(), fire)
    clock.set("bot", 0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clock.run)
        for _ in range(5):
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    assert 0 < fired <= 10 * Clock.FIRED_BEFORE_YIELDING


@pytest.mark.proves("K-5")
async def test_t13_time_in_which_the_server_was_stopped_does_not_count(
    mock_clock: trio.testing.MockClock,
) -> None:
    time = ServerTime()
    start = time.now()
    for _ in range(10):
        mock_clock.jump(1)
        time.now()
    assert time.now() == start + 10
    mock_clock.jump(86_400)
    assert time.now() == start + 10
    mock_clock.jump(2)
    assert time.now() == start + 12
    assert time.in_trio(start + 13) == trio.current_time() + 1


@given(st.floats(0, 1e6), st.floats(ServerTime.STALL_SECONDS, 1e6))
def test_who_waits_for_a_moment_of_the_servers_time_never_wakes_before_it(at: float, stalled: float) -> None:
    async def in_trio() -> float:
        time = ServerTime()
        time._stalled = stalled
        return time.in_trio(at)

    assert trio.run(in_trio) - stalled >= at


@given(st.lists(st.one_of(st.binary(min_size=1, max_size=40), st.integers(1, 60)), max_size=60))
@pytest.mark.proves("H-8")
def test_f06_an_outbox_gives_every_byte_once_and_in_order(steps: list[bytes | int]) -> None:
    outbox = Outbox(1 << 20)
    put = b""
    taken = b""
    for step in steps:
        if isinstance(step, bytes):
            outbox.put(step)
            put += step
        else:
            head = outbox.head()
            assert bool(head) == (len(outbox) > 0)
            taken += head[:step]
            outbox.sent(len(head[:step]))
        assert len(outbox) == len(put) - len(taken)
    while len(outbox):
        head = outbox.head()
        taken += head
        outbox.sent(len(head))
    assert taken == put


def test_an_outbox_knows_when_it_holds_too_much() -> None:
    outbox = Outbox(100)
    outbox.put(bytes(100))
    over = [outbox.is_over_limit]
    outbox.put(b"x")
    over.append(outbox.is_over_limit)
    outbox.head()
    outbox.sent(1)
    over.append(outbox.is_over_limit)
    assert over == [False, True, False]


def event(seq: int) -> wire.PlayerReady:
    return wire.PlayerReady(table=1, seq=seq, seat=Seat.SOUTH)


@pytest.mark.proves("O-1")
def test_a_stream_takes_events_in_order_alone_and_keeps_the_latest() -> None:
    stream = EventStream()
    for wrong in (0, 2):
        with pytest.raises(ValueError, match="event 1 is due"):
            stream.append(event(wrong))
    for seq in range(1, KEPT_EVENTS + 101):
        stream.append(event(seq))
    last = stream.seq
    assert stream.after(last, None) == []
    assert stream.after(last - 2, None) == [event(last - 1), event(last)]
    assert stream.after(last + 1, None) is None
    assert stream.after(99, None) is None
    everything = stream.after(100, None)
    assert everything is not None
    assert len(everything) == KEPT_EVENTS


def test_a_stream_gives_each_viewer_its_own_hand() -> None:
    stream = EventStream()
    public = wire.HandsDealt(table=1, seq=1, turn=Seat.SOUTH)
    own = tuple(wire.HandsDealt(table=1, seq=1, turn=Seat.SOUTH, hand=()) for _ in Seat)
    stream.append(public, own)
    assert stream.after(0, None) == [public]
    for seat in Seat:
        (seen,) = stream.after(0, seat) or []
        assert seen is own[seat]


@given(st.lists(st.floats(0, 5), max_size=60))
def test_a_bucket_never_grants_more_than_its_rate(waits: list[float]) -> None:
    rate = Rate(burst=3, per_second=0.5)
    bucket = Bucket(rate, 0)
    now, granted = 0.0, 0
    for wait in waits:
        now += wait
        granted += bucket.take(now)
        assert granted <= rate.burst + now * rate.per_second + 1e-6


def test_a_bucket_is_not_fooled_by_a_clock_that_goes_back() -> None:
    bucket = Bucket(Rate(burst=1, per_second=1), 100)
    assert bucket.take(100)
    assert not bucket.take(0)
    assert not bucket.take(100.5)
    assert bucket.take(101.1)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Majlis", "Majlis"),
        ("two words", '"two words"'),
        ("line\nbreak event=forged", '"line\\nbreak event=forged"'),
        ("\x1b[2J", '"\\u001b[2J"'),
        ("طرنيب", '"\\u0637\\u0631\\u0646\\u064a\\u0628"'),
        ("", '""'),
        (None, "-"),
        (True, "yes"),
        (3, "3"),
    ],
)
def test_a_value_cannot_forge_a_log_line(value: str | int | bool | None, shown: str) -> None:
    assert format_event("named", (("value", value),)) == f"event=named value={shown}"
