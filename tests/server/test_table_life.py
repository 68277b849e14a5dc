"""Sitting down, leaving, dropping, coming back: a table as its members see it, without sockets."""

from __future__ import annotations

import random

import pytest

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.cards import FULL_PACK
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.fairness import is_fair
from tarneeb_protocol.messages import Actor, BotLevel, TableState


def names(driver: LobbyDriver, link: Link) -> list[str | None]:
    assert link.view is not None
    return [None if seat is None else seat.name for seat in link.view.seats]


def solo(driver: LobbyDriver) -> Link:
    """One player in South with three bots, in a set that has just begun."""
    player = driver.hello("Nour")
    number = driver.open_table(player)
    driver.ok(player, wire.Join, table=number, seat=Seat.SOUTH)
    for _ in range(3):
        driver.ok(player, wire.AddBot)
    return player


@pytest.mark.proves("T-2")
def test_a_set_begins_by_itself_when_the_fourth_player_sits_down() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    for link in links:
        assert link.view is not None
        assert link.view.state is TableState.PLAYING
        assert link.view.set_number == 1
    driver.check_views()


@pytest.mark.parametrize("preset", ["tarneeb", "classic"])
@pytest.mark.proves("O-1", "O-4", "Q-2", "Q-5", "A-1")
def test_four_players_play_a_set_and_every_view_is_right_after_every_action(preset: str) -> None:
    driver = LobbyDriver()
    links = driver.four_players(preset=preset, turn_seconds=0)
    rng = random.Random(7)
    table = driver.table_of(links[0])
    actions = 0
    while table.is_playing and actions < 3000:
        actions += driver.play_on(links, rng, 1)
        driver.check_views()
    assert actions > 150


def test_a_whole_set_against_bots_ends_and_is_recorded_with_its_transcript() -> None:
    driver = LobbyDriver(bot_delay=0.0)
    player = solo(driver)
    table = driver.table_of(player)
    rng = random.Random(3)
    for _ in range(200):
        driver.advance(200)
        if not table.is_playing:
            break
        driver.play_on([player], rng, 1)
    assert table.state is TableState.SET_OVER
    (record,) = driver.records
    assert record.players == ("Nour", "Bot Badr", "Bot Dana", "Bot Fares")
    assert record.transcript.final_state().scores == record.scores
    assert record.transcript.final_state().winner == record.winner


@pytest.mark.proves("T-3", "A-8")
def test_after_a_set_the_next_begins_when_every_player_is_ready_again() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.is_playing:
        driver.advance(1)
    for link in links:
        assert link.prompt is not None
        assert link.prompt.actions == (wire.ReadyAction(),)
    for link in links[:3]:
        driver.ok(link, wire.Act, action=wire.ReadyAction())
        assert table.state is TableState.SET_OVER
    driver.check_views()
    driver.ok(links[3], wire.Act, action=wire.ReadyAction())
    assert table.state is TableState.PLAYING
    assert table.set_number == 2
    driver.check_views()


@pytest.mark.proves("Y-1", "Y-2", "Y-3")
def test_every_deal_reveals_the_pack_that_was_committed_to() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.is_playing:
        driver.advance(1)
    started = [message for message in links[0].received if isinstance(message, wire.DealStarted)]
    revealed = [message for message in links[0].received if isinstance(message, wire.DealRevealed)]
    assert len(started) == len(revealed) > 1
    for start, reveal in zip(started, revealed, strict=True):
        assert is_fair(start.commitment, reveal.pack, reveal.salt)
        assert set(reveal.pack) == set(FULL_PACK)
    assert len({start.commitment for start in started}) == len(started)


def test_bots_fill_seats_in_order_and_are_named_for_them() -> None:
    driver = LobbyDriver()
    player = driver.hello("Nour")
    number = driver.open_table(player)
    driver.ok(player, wire.Join, table=number, seat=Seat.NORTH)
    driver.ok(player, wire.AddBot, seat=Seat.WEST, level=BotLevel.RANDOM)
    driver.ok(player, wire.AddBot)
    assert names(driver, player) == ["Bot Amal", None, "Nour", "Bot Fares"]
    assert driver.refused(player, wire.AddBot, seat=Seat.WEST) == "seat_taken"
    assert driver.refused(player, wire.RemoveBot, seat=Seat.EAST) == "no_bot_there"
    assert driver.refused(player, wire.RemoveBot, seat=Seat.NORTH) == "no_bot_there"
    driver.ok(player, wire.RemoveBot, seat=Seat.SOUTH)
    assert names(driver, player) == [None, None, "Nour", "Bot Fares"]
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
    assert names(driver, player) == ["Nour", "Bot Badr", "Layla", "Bot Fares"]
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
    assert names(driver, others[0])[turn] == ["Bot Amal", "Bot Badr", "Bot Dana", "Bot Fares"][turn]
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
    assert names(driver, links[0]) == ["South", None, "North", "West"]
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


@pytest.mark.proves("W-4")
def test_h01_a_player_who_watches_the_own_table_through_a_second_session_sees_no_hand() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    second = driver.hello("South")
    assert second.name == "South 2"
    driver.ok(second, wire.Watch, table=driver.table_of(links[0]).number)
    driver.advance(20)
    assert second.view is not None
    assert second.view.hand is None
    assert all(message.hand is None for message in second.received if isinstance(message, wire.HandsDealt))


@pytest.mark.proves("W-1")
def test_h05_nothing_before_the_first_lead_holds_a_card_but_the_own_thirteen() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.play is None or not table.play.are_hands_out:
        driver.advance(1)
    for link in links:
        dealt = [message for message in link.received if isinstance(message, wire.HandsDealt)]
        assert link.view is not None
        assert link.view.hand is not None
        assert [message.hand for message in dealt] == [link.view.hand]
        assert len(link.view.hand) == 13
    # The driver has searched every frame for every other card.


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.proves("W-3")
def test_h06_history_that_a_player_is_sent_again_is_what_that_player_saw(seat: Seat) -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    driver.advance(30)
    link = links[seat]
    events = [message for message in link.received if isinstance(message, wire.TableEvent)]
    first = next(message for message in link.received if isinstance(message, wire.Snapshot))
    driver.drop(link)
    driver.advance(1)
    link.view = first
    before = len(link.received)
    driver.resume(link, first.seq)
    again = [message for message in link.received[before:] if isinstance(message, wire.TableEvent)]
    assert again[: len(events)] == events


@pytest.mark.proves("W-1")
def test_h10_over_several_deals_no_viewer_gets_a_card_too_early() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=table.number)
    while table.play is not None and table.play.deal_count < 3 and table.is_playing:
        driver.advance(1)
        driver.check_views()
    # The driver has searched every frame to every viewer for cards that were hidden from it then.
    assert len(watcher.of_type(wire.DealRevealed)) >= 3


@pytest.mark.proves("W-3", "O-4")
def test_m10_a_spectator_may_come_at_any_point_of_a_deal_and_see_what_the_first_one_sees() -> None:
    driver = LobbyDriver(max_spectators=64)
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    first = driver.hello("First")
    driver.ok(first, wire.Watch, table=table.number)
    rng = random.Random(11)
    joined = 0
    while table.play is not None and table.play.deal_count < 2 and joined < 150:
        driver.play_on(links, rng, 1)
        driver.advance(0.2)
        late = driver.hello(f"Late {joined}")
        joined += 1
        driver.ok(late, wire.Watch, table=table.number)
        assert late.view == first.view
        driver.goodbye(late)
    assert joined > 60


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
    assert names(driver, links[0]).count("Late") == 1
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
    assert names(driver, player) == ["Nour", None, None, None]


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
