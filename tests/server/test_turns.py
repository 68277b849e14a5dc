"""Whose turn it is, and when its time is over."""

from __future__ import annotations

import random

import pytest

from support.lobby_driver import LobbyDriver
from tarneeb_engine.cards import FULL_PACK
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import Actor


@pytest.mark.proves("K-1")
def test_t01_the_server_acts_for_a_player_who_is_away_when_the_turn_has_run_out() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    driver.advance(5)
    driver.drop(links[turn])
    other = links[turn.next()]
    driver.advance(14)
    assert other.of_type(wire.PackCut) == []
    driver.advance(2)
    (cut,) = other.of_type(wire.PackCut)
    assert isinstance(cut, wire.PackCut)
    assert cut.seat is turn
    assert cut.by is Actor.CLOCK
    driver.check_views()


@pytest.mark.proves("K-3")
def test_t03_a_drop_leaves_the_clock_of_the_others_as_it_was() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    driver.advance(5)
    deadline = table.clock.deadline
    driver.drop(links[turn.next()])
    assert table.clock.deadline == deadline
    driver.resume_from_view(links[turn.next()])
    assert table.clock.deadline == deadline
    driver.ok(links[turn.partner()], wire.Chat, text="hurry")
    assert table.clock.deadline == deadline


@pytest.mark.proves("K-3")
def test_dropping_and_resuming_wins_no_time() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    for _ in range(15):
        driver.advance(1)
        driver.drop(links[turn])
        driver.resume_from_view(links[turn])
    driver.advance(4)
    assert table.play.turn is turn
    driver.advance(2)
    assert table.play.turn is not turn


@pytest.mark.proves("K-4")
def test_t06_three_absent_players_cost_one_clock_and_then_a_second_a_turn() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    driver.advance(20)
    turn = table.play.turn
    assert turn is not None
    present = links[turn]
    for link in links:
        if link is not present:
            driver.drop(link)
    driver.play_on([present], random.Random(0), 1)
    for _ in range(3):
        driver.advance(1.01)
    assert present.prompt is not None
    driver.check_views()


@pytest.mark.proves("K-4")
def test_a_seat_whose_clock_ran_out_has_a_second_a_turn_until_its_player_does_something() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    for _ in range(3):
        driver.advance(20)
    slow = table.play.turn
    assert slow is not None
    assert table.clock.seconds_left(driver.now) == 1
    driver.ok(links[slow], wire.Chat, text="here I am")
    assert table.clock.seconds_left(driver.now) == 20


def test_without_a_clock_an_absent_player_is_waited_for_briefly() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    driver.advance(1000)
    assert table.play.turn is turn
    driver.drop(links[turn])
    driver.advance(9)
    assert table.play.turn is turn
    driver.advance(2)
    assert table.play.turn is not turn


@pytest.mark.proves("K-2")
def test_t05_two_late_actions_at_the_moment_of_expiry_have_one_effect() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    prompt = links[turn].prompt
    assert prompt is not None
    driver.advance(20)
    for _ in range(2):
        code = driver.refused(links[turn], wire.Act, action=prompt.actions[0], seq=prompt.seq)
        assert code in {"not_your_turn", "wrong_phase"}
    assert len(links[0].of_type(wire.PackCut)) == 1


@pytest.mark.proves("A-4")
def test_t11_an_action_after_the_last_trick_changes_nothing() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.is_playing:
        driver.advance(1)
    for link in links:
        driver.ok(link, wire.Sync, seq=table.stream.seq)  # the clock has played for all of them
    seq = table.stream.seq
    for link in links:
        assert driver.refused(link, wire.Act, action=wire.PlayAction(FULL_PACK[0])) == "table_over"
    assert table.stream.seq == seq
    assert len(links[0].of_type(wire.SetWon)) == 1
