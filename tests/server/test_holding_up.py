"""How long somebody who is not there, or does nothing, can hold a table up: any order of drops, returns and
silence is tried, with time as a number.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import Actor
from tarneeb_server.turnclock import HURRIED_SECONDS, UNCLOCKED_AWAY_SECONDS

DECISIONS = (wire.PackCut, wire.CallMade, wire.TrumpNamed, wire.CardPlayed)
LONGER_THAN_ANY_TEST = 10_000_000
ALMOST = 1e-6
"""Seconds by which a sum of floats may miss."""


@dataclass
class Silence:
    """What one seat has cost the others since its player last did anything."""

    since: float = 0.0
    cost: float = 0.0
    turns: int = 0


@dataclass
class Stopwatch:
    """Measures each turn at table 1 by what a spectator is told, and checks the bound after each of them."""

    driver: LobbyDriver
    links: tuple[Link, ...]
    turn_seconds: int
    began: float = 0.0
    """When the turn in progress began."""
    stood: float = 0.0
    """How much of it nobody was there."""
    empty_since: float | None = None
    silences: dict[Seat, Silence] = field(default_factory=lambda: {seat: Silence() for seat in Seat})
    read: int = 0
    """How many messages of the spectator have been looked at."""

    def time(self) -> float:
        """The time now without what passed while nobody was there since the turn began."""
        still = 0.0 if self.empty_since is None else self.driver.now - self.empty_since
        return self.driver.now - self.stood - still

    def heard(self, seat: Seat) -> None:
        """The player of the seat did something."""
        self.silences[seat] = Silence(self.time())

    def dropped(self, seat: Seat) -> None:
        """Without a clock nobody who is there is hurried: only the absence counts."""
        if not self.turn_seconds:
            self.silences[seat] = Silence(self.time())

    def look(self, spectator: Link) -> None:
        """Take what the spectator was told since the last look."""
        news, self.read = spectator.received[self.read :], len(spectator.received)
        for message in news:
            if isinstance(message, DECISIONS):
                self._decided(message.seat, message.by)
            elif isinstance(message, wire.StandInBegan) and self.links[message.seat].is_connected:
                assert self.time() - self.began >= self.turn_seconds - ALMOST, "a turn was cut short"
        is_empty = not any(link.is_connected for link in self.links)
        if is_empty and self.empty_since is None:
            self.empty_since = self.driver.now
        elif not is_empty and self.empty_since is not None:
            self.stood += self.driver.now - self.empty_since
            self.empty_since = None
        self._check_turn_in_progress()

    def _decided(self, seat: Seat, by: Actor) -> None:
        now = self.time()
        if self.turn_seconds:
            assert now - self.began <= self.turn_seconds + ALMOST, "a turn lasted longer than its clock"
        silence = self.silences[seat]
        if by is Actor.CLOCK:
            silence.cost += now - max(self.began, silence.since)
            silence.turns += 1
            self._check(silence.cost, silence.turns)
        self.began = now

    def _check_turn_in_progress(self) -> None:
        play = self.driver.lobby.tables[1].play
        assert play is not None
        if play.turn is None or (not self.turn_seconds and self.links[play.turn].is_connected):
            return
        silence = self.silences[play.turn]
        self._check(silence.cost + self.time() - max(self.began, silence.since), silence.turns + 1)

    def _check(self, cost: float, turns: int) -> None:
        first = self.turn_seconds or UNCLOCKED_AWAY_SECONDS
        assert cost <= first + (turns - 1) * HURRIED_SECONDS + ALMOST


class Evening:
    """Four players at a table of whom some are absent, and what they do: each method takes one number."""

    def __init__(self, turn_seconds: int, absent: set[Seat], seed: int) -> None:
        self.driver = LobbyDriver(grace_seconds=LONGER_THAN_ANY_TEST)
        self.links = self.driver.four_players(turn_seconds=turn_seconds)
        self.spectator = self.driver.hello("Spectator")
        self.driver.ok(self.spectator, wire.Watch, table=1)
        self.table = self.driver.table_of(self.spectator)
        self.watch = Stopwatch(self.driver, self.links, turn_seconds)
        self.present = [seat for seat in Seat if seat not in absent]
        self._a_turn = turn_seconds or 20
        self._rng = random.Random(seed)
        for seat in sorted(absent):
            self.drop(seat)
            self.watch.look(self.spectator)

    def do(self, what: str, number: float) -> None:
        if self.table.is_playing:
            getattr(self, what)(number)
        if self.table.is_playing:
            self.watch.look(self.spectator)

    def drop(self, who: int) -> None:
        if self.links[who].is_connected:
            self.driver.drop(self.links[who])
            self.watch.dropped(Seat(who))

    def resume(self, who: int) -> None:
        """Back after a drop, or a takeover of a connection that is alive."""
        self.driver.resume(self.links[who])
        self.watch.heard(Seat(who))

    def ask(self, who: int) -> None:
        if self.links[who].is_connected:
            self.driver.ok(self.links[who], wire.ListTables)
            self.watch.heard(Seat(who))

    def act(self, who: int) -> bool:
        """Whether the seat had something to do, and did it."""
        link = self.links[who]
        if not link.is_connected or link.prompt is None or not self.table.is_playing:
            return False
        self.driver.act_as_prompted(link, self._rng)
        self.watch.look(self.spectator)
        self.watch.heard(Seat(who))
        return True

    def play(self, actions: int) -> None:
        """Those who are present play on."""
        for _ in range(actions):
            if not any(self.act(seat) for seat in self.present):
                break

    def wait(self, seconds: float) -> None:
        """Time passes, and every timer is looked at."""
        until = self.driver.now + seconds
        while self.driver.now < until and self.table.is_playing:
            due = min(max(self.driver.timers.next_deadline(), self.driver.now), until)
            self.driver.advance(due - self.driver.now)
            self.watch.look(self.spectator)

    def wait_turns(self, turns: float) -> None:
        self.wait(turns * self._a_turn)


STEP = st.one_of(
    st.tuples(st.sampled_from(["drop", "resume", "ask", "act"]), st.integers(0, 3)),
    st.tuples(st.just("play"), st.integers(1, 12)),
    st.tuples(st.just("wait"), st.sampled_from([0.3, 1.0, 1.5, 7.0, 11.0])),
    st.tuples(st.just("wait_turns"), st.sampled_from([0.1, 0.5, 0.9, 1.0, 1.1, 3.0])),
)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    turn_seconds=st.one_of(st.just(0), st.sampled_from([1, 2, 45, 3600]), st.integers(1, 3600)),
    absent=st.sets(st.sampled_from(Seat), min_size=1),
    steps=st.lists(STEP, max_size=60),
    seed=st.integers(0, 9),
)
@pytest.mark.proves("K-3", "K-4", "K-8", "K-9")
def test_t06_no_order_of_drops_stalls_and_returns_holds_a_table_up_longer_than_a_turn_and_a_second_each(
    turn_seconds: int, absent: set[Seat], steps: list[tuple[str, float]], seed: int
) -> None:
    evening = Evening(turn_seconds, absent, seed)
    for what, number in steps:
        evening.do(what, number)


@pytest.mark.parametrize("turn_seconds", [1, 20, 3600])
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.proves("K-4", "K-8")
def test_t06_absent_players_cost_one_clock_in_all_and_then_a_second_a_turn(
    count: int, turn_seconds: int
) -> None:
    driver = LobbyDriver(grace_seconds=86_400)
    links = driver.four_players(turn_seconds=turn_seconds)
    play = driver.table_of(links[0]).play
    assert play is not None
    assert play.turn is not None
    absent = [play.turn, play.turn.next(), play.turn.left()][:count]
    present = [link for seat, link in zip(Seat, links, strict=True) if seat not in absent]
    for seat in absent:
        driver.drop(links[seat])
    turns = 0
    rng = random.Random(0)
    while turns < 4 * count:
        driver.play_on(present, rng, 4)
        deadline = driver.table_of(present[0]).clock.deadline
        assert deadline is not None
        driver.advance(deadline - driver.now)
        turns += 1
    assert driver.now <= turn_seconds + (turns - 1) * HURRIED_SECONDS + ALMOST


@pytest.mark.proves("K-8")
def test_t06_after_a_restart_those_who_are_not_back_cost_one_clock_in_all(tmp_path: Path) -> None:
    driver = LobbyDriver()
    driver.keep_in(tmp_path)
    links = driver.four_players(turn_seconds=30)
    driver.kill_and_restart()
    play = driver.table_of(links[0]).play
    assert play is not None
    assert play.turn is not None
    present = links[play.turn.left()]
    driver.resume(present)
    start = driver.now
    rng = random.Random(0)
    turns = 0
    while turns < 9:
        driver.play_on([present], rng, 4)
        deadline = driver.table_of(present).clock.deadline
        assert deadline is not None
        driver.advance(deadline - driver.now)
        turns += 1
    assert driver.now - start == pytest.approx(30 + (turns - 1) * HURRIED_SECONDS)


@pytest.mark.proves("K-9")
def test_leaving_a_seat_and_taking_it_again_wins_no_time() -> None:
    driver = LobbyDriver(bot_delay=5.0)
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    for _ in range(5):
        driver.advance(3)
        driver.ok(links[turn], wire.Leave)
        driver.ok(links[turn], wire.Join, table=1, seat=turn)
    prompt = links[turn].prompt
    assert prompt is not None
    assert prompt.seconds == 5
    driver.advance(4.9)
    assert links[turn].of_type(wire.PackCut) == []
    driver.advance(0.2)
    assert len(links[turn].of_type(wire.PackCut)) == 1


@pytest.mark.proves("K-3", "T-8")
def test_t03_the_turn_of_somebody_who_is_away_is_as_long_after_everybody_else_was_away_too() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    driver.advance(5)
    for link in links:
        driver.drop(link)
    driver.advance(60)
    other = links[turn.partner()]
    driver.resume_from_view(other)
    assert table.clock.seconds_left(driver.now) == 15
    driver.resume_from_view(links[turn])
    prompt = links[turn].prompt
    assert prompt is not None
    assert prompt.seconds == 15


@pytest.mark.proves("K-5")
def test_v05_a_restart_costs_nobody_a_turn_or_a_seat(tmp_path: Path) -> None:
    driver = LobbyDriver()
    driver.keep_in(tmp_path)
    links = driver.four_players(turn_seconds=30)
    driver.play_on(links, random.Random(1), 9)
    driver.advance(28)
    before = links[0].view
    assert before is not None
    driver._perform(driver.lobby.shut_down())
    driver.advance(200)  # however long stopping takes, and the server is down
    driver.kill_and_restart()
    driver.advance(100)
    for link in links:
        driver.resume(link)
    assert [link.of_type(wire.StandInBegan, wire.PlayerLeft) for link in links] == [[]] * 4
    (on_turn,) = [link for link in links if link.prompt]
    assert on_turn.prompt is not None
    assert on_turn.prompt.seconds == 30
    assert links[0].view is not None
    assert links[0].view.public == before.public
    driver.check_views()


def test_t10_a_table_whose_players_take_their_time_lives_for_four_hours() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=45)
    table = driver.table_of(links[0])
    rng = random.Random(5)
    while driver.now < 4 * 3600:
        driver.advance(rng.uniform(5, 40))
        acting = [link for link in links if link.prompt is not None]
        for link in acting:
            driver.act_as_prompted(link, rng)
    assert table.number in driver.lobby.tables
    assert table.play is not None
    assert table.play.deal_count > 5
    assert [link.of_type(wire.StandInBegan, wire.PlayerAway, wire.PlayerLeft) for link in links] == [[]] * 4
    driver.check_views()


def test_r08_who_is_back_and_asks_for_things_in_time_is_never_taken_for_idle() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=10)
    absent = links[2]
    driver.drop(absent)
    driver.advance(45)
    driver.resume_from_view(absent)
    rng = random.Random(2)
    start = len(links[0].received)
    for _ in range(60):
        driver.advance(9)
        for link in links:
            if link.prompt is not None:
                driver.act_as_prompted(link, rng)
    assert not [
        message
        for message in links[0].received[start:]
        if isinstance(message, wire.StandInBegan) and message.seat is Seat.NORTH
    ]
