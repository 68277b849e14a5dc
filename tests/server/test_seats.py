"""Who sits where: sitting down, bots, leaving, tables that are left, seats that are taken again."""

from __future__ import annotations

import random

import pytest

from support.lobby_driver import LobbyDriver
from support.tables import names_at, solo
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import BotLevel, TableState


def test_bots_fill_seats_in_order_and_are_named_for_them() -> None:
    driver = LobbyDriver()
    player = driver.hello("Nour")
    number = driver.open_table(player)
    driver.ok(player, wire.Join, table=number, seat=Seat.NORTH)
    driver.ok(player, wire.AddBot, seat=Seat.WEST, level=BotLevel.RANDOM)
    driver.ok(player, wire.AddBot)
    assert names_at(player) == ["Bot Amal", None, "Nour", "Bot Fares"]
    assert driver.refused(player, wire.AddBot, seat=Seat.WEST) == "seat_taken"
    assert driver.refused(player, wire.RemoveBot, seat=Seat.EAST) == "no_bot_there"
    assert driver.refused(player, wire.RemoveBot, seat=Seat.NORTH) == "no_bot_there"
    driver.ok(player, wire.RemoveBot, seat=Seat.SOUTH)
    assert names_at(player) == [None, None, "Nour", "Bot Fares"]
    driver.check_views()


def test_during_a_set_a_bot_is_not_removed_and_none_is_added() -> None:
    driver = LobbyDriver()
    player = solo(driver)
    assert driver.refused(player, wire.RemoveBot, seat=Seat.EAST) == "wrong_table_state"
    assert driver.refused(player, wire.AddBot) == "table_full"


@pytest.mark.proves("T-5")
def test_a_friend_who_comes_late_takes_a_bots_seat_with_its_hand() -> None:
    driver = LobbyDriver()
    player = solo(driver)
    table = driver.table_of(player)
    driver.advance(3)
    friend = driver.hello("Layla")
    driver.ok(friend, wire.Join, table=table.number, partner="nour")
    assert friend.view is not None
    assert friend.view.seat is Seat.NORTH
    assert names_at(player) == ["Nour", "Bot Badr", "Layla", "Bot Fares"]
    driver.check_views()


@pytest.mark.proves("T-5")
def test_partners_side_seat_and_full_table_are_refused_with_a_reason() -> None:
    driver = LobbyDriver()
    south, east, *_ = driver.four_players()
    number = driver.table_of(south).number
    late = driver.hello("Late")
    assert driver.refused(late, wire.Join, table=number) == "table_full"
    assert driver.refused(late, wire.Join, table=number, seat=Seat.EAST) == "seat_taken"
    assert driver.refused(late, wire.Join, table=number, partner="Nobody") == "no_such_partner"
    assert driver.refused(late, wire.Join, table=number, partner="East") == "seat_taken"
    assert driver.refused(late, wire.Join, table=99) == "no_such_table"
    assert driver.refused(east, wire.Join, table=number) == "already_at_table"
    assert driver.refused(east, wire.Watch, table=number) == "already_at_table"


@pytest.mark.proves("T-7")
def test_who_leaves_in_a_set_is_replaced_by_a_bot_and_the_others_play_on() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    turn = table.play.turn if table.play is not None else None
    assert turn is not None
    driver.ok(links[turn], wire.Leave)
    driver.check_views()
    others = [link for link in links if link is not links[turn]]
    seq = table.stream.seq
    driver.advance(1)
    assert table.stream.seq > seq, "the bot acts in the place of who left"
    assert names_at(others[0])[turn] == ["Bot Amal", "Bot Badr", "Bot Dana", "Bot Fares"][turn]
    driver.play_on(others, random.Random(1), 3)
    driver.check_views()


def test_between_sets_the_seat_of_who_leaves_just_becomes_empty() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.is_playing:
        driver.advance(1)
    driver.ok(links[1], wire.Leave)
    assert table.state is TableState.WAITING
    assert names_at(links[0]) == ["South", None, "North", "West"]
    driver.check_views()


@pytest.mark.proves("T-8")
def test_nobody_plays_while_no_player_is_there_to_see_it() -> None:
    driver = LobbyDriver()
    player = solo(driver)
    table = driver.table_of(player)
    driver.drop(player)
    seq = table.stream.seq
    driver.advance(60)
    assert table.stream.seq == seq
    driver.resume_from_view(player)
    driver.check_views()
    driver.advance(60)
    assert table.stream.seq > seq


@pytest.mark.proves("T-9")
def test_a_table_without_players_is_closed_after_a_minute() -> None:
    driver = LobbyDriver()
    player = solo(driver)
    table = driver.table_of(player)
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=table.number)
    driver.ok(player, wire.Leave)
    driver.advance(59)
    assert table.number in driver.lobby.tables
    driver.advance(2)
    assert driver.lobby.tables == {}
    closed = watcher.of_type(wire.TableClosed)
    assert len(closed) == 1
    assert driver.refused(watcher, wire.Sync) == "not_at_table"


def test_g01_tables_that_nobody_ever_joins_are_all_gone_after_their_time() -> None:
    driver = LobbyDriver(max_tables=100_000, max_tables_per_player=1000)
    for number in range(40):
        opener = driver.hello(f"Opener {number}")
        for _ in range(50):
            driver.advance(0.1)
            driver.open_table(opener)
    assert len(driver.lobby.tables) > 500
    driver.advance(61)
    assert driver.lobby.tables == {}
    assert len(driver.timers) == 0


@pytest.mark.proves("T-9")
def test_p03_every_member_of_a_closed_table_is_told_and_free_to_go_elsewhere() -> None:
    driver = LobbyDriver()
    watchers = [driver.hello(f"Watcher {number}") for number in range(3)]
    number = driver.open_table(watchers[0])
    for watcher in watchers:
        driver.ok(watcher, wire.Watch, table=number)
    driver.drop(watchers[2])
    driver.advance(61)
    assert [len(watcher.of_type(wire.TableClosed)) for watcher in watchers] == [1, 1, 0]
    resumed = driver.resume(watchers[2])
    welcome = resumed.received[-1]
    assert isinstance(welcome, wire.Welcome)
    assert welcome.table is None
    other = driver.open_table(watchers[0])
    for watcher in watchers:
        driver.ok(watcher, wire.Watch, table=other)


@pytest.mark.proves("T-6")
def test_who_has_seen_a_hand_of_the_deal_may_take_no_other_seat_until_it_is_over() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.play is None or not table.play.are_hands_out:
        driver.advance(1)
    driver.ok(links[0], wire.Leave)
    driver.ok(links[1], wire.Leave)
    assert driver.refused(links[0], wire.Join, table=table.number, seat=Seat.EAST) == "seen_another_hand"
    driver.ok(links[0], wire.Join, table=table.number)
    assert links[0].view is not None
    assert links[0].view.seat is Seat.SOUTH, "the own seat is the one that is given back"
    driver.ok(links[0], wire.Leave)
    deal = table.play.deal_count
    while table.play.deal_count == deal:
        driver.advance(1)
    driver.ok(links[0], wire.Join, table=table.number, seat=Seat.EAST)
    driver.check_views()


def test_r23_a_spectator_takes_a_freed_seat_and_its_hand_in_the_running_set() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=table.number)
    while table.play is None or not table.play.are_hands_out:
        driver.advance(1)
    hand = links[2].view.hand if links[2].view is not None else None
    driver.ok(links[2], wire.Leave)
    driver.ok(watcher, wire.Join, table=table.number, seat=Seat.NORTH)
    assert watcher.view is not None
    assert watcher.view.hand == hand
    assert watcher.view.spectators == ()
    rng = random.Random(8)
    players = [links[0], links[1], watcher, links[3]]
    driver.play_on(players, rng, 12)
    decided = links[0].of_type(wire.CallMade, wire.TrumpNamed, wire.CardPlayed)
    north = [event for event in decided if getattr(event, "seat", None) is Seat.NORTH]
    assert getattr(north[-1], "by", None) is wire.Actor.PLAYER, "the newcomer plays from the seat's hand"
    driver.check_views()


@pytest.mark.proves("T-10")
def test_d05_join_leave_join_in_one_moment_seats_the_player_once() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    late = driver.hello("Late")
    number = driver.table_of(links[0]).number
    driver.ok(links[3], wire.Leave)
    for _ in range(3):
        driver.ok(late, wire.Join, table=number)
        driver.ok(late, wire.Leave)
    driver.ok(late, wire.Join, table=number)
    assert names_at(links[0]).count("Late") == 1
    driver.check_views()


@pytest.mark.proves("T-10")
def test_d06_a_join_sent_twice_seats_once() -> None:
    driver = LobbyDriver()
    player = driver.hello("Nour")
    number = driver.open_table(player)
    request = wire.Join(id=10, table=number)
    first = driver.send(player, request)
    player.last_id = 11
    assert driver.send(player, request) == first
    assert driver.refused(player, wire.Join, table=number) == "already_at_table"
    assert names_at(player) == ["Nour", None, None, None]


@pytest.mark.proves("T-10")
def test_d01_one_session_takes_no_second_seat() -> None:
    driver = LobbyDriver()
    player = driver.hello("Nour")
    first, second = driver.open_table(player), driver.open_table(player)
    driver.ok(player, wire.Join, table=first, seat=Seat.NORTH)
    assert driver.refused(player, wire.Join, table=first, seat=Seat.SOUTH) == "already_at_table"
    assert driver.refused(player, wire.Join, table=second, seat=Seat.SOUTH) == "already_at_table"
    assert driver.refused(player, wire.Watch, table=second) == "already_at_table"


def test_p01_ten_joins_of_the_last_seat_seat_one() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    number = driver.table_of(links[0]).number
    driver.ok(links[1], wire.Leave)
    crowd = [driver.hello(f"Late {number}") for number in range(10)]
    answers = [driver.request(late, wire.Join, table=number) for late in crowd]
    assert sum(isinstance(answer, wire.Joined) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, wire.Error)} == {"table_full"}


def test_p06_a_bot_that_is_thinking_does_nothing_once_a_player_has_its_seat() -> None:
    driver = LobbyDriver(bot_delay=5.0)
    player = solo(driver)
    table = driver.table_of(player)
    assert table.play is not None
    while table.play.turn is Seat.SOUTH:
        driver.play_on([player], random.Random(0), 1)
    turn = table.play.turn
    assert turn is not None
    driver.advance(4.9)
    friend = driver.hello("Layla")
    driver.ok(friend, wire.Join, table=table.number, seat=turn)
    seq = table.stream.seq
    driver.advance(10)
    assert table.stream.seq == seq
    assert friend.prompt is not None


def test_c01_leaving_and_dropping_in_one_moment_hurts_nobody_in_any_state() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    for _ in range(40):
        table = driver.table_of(links[0])
        driver.advance(2)
        late = driver.hello("Leaver")
        driver.ok(late, wire.Watch, table=table.number)
        driver.ok(late, wire.Leave)
        driver.drop(late)
        driver.resume(late)
        leaver = links[3]
        driver.ok(leaver, wire.Leave)
        driver.drop(leaver)
        driver.resume(leaver)
        driver.advance(0.1)
        driver.goodbye(late)
        while driver.request(leaver, wire.Join, table=table.number, seat=Seat.WEST).__class__ is wire.Error:
            driver.advance(1)
        driver.check_views()
