"""Tournaments in the lobby: entering, being called, sitting down, passing over, and the standings."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from support.lobby_driver import LobbyDriver
from support.tournament_evening import Evening
from tarneeb_engine.seats import Seat
from tarneeb_engine.tournaments.formats import FormatKind
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import BotLevel, TournamentState
from tarneeb_server.effects import TimerKind
from tarneeb_server.tournaments import APPEAR_SECONDS, FORGET_SECONDS, HOLD_SECONDS, MOST_OPENED

if TYPE_CHECKING:
    from pathlib import Path


def evening(*teams: str, **tournament: Any) -> Evening:
    played = Evening(LobbyDriver(), **tournament)
    played.enter(*teams)
    return played


def names_at(played: Evening, table: int) -> list[str]:
    return list(played.driver.lobby.tables[table].seating.names())


def reckoned(played: Evening) -> dict[str, tuple[int, int, int]]:
    """Sets played, won, and point difference by team, from the recorded sets alone."""
    teams = {one.name: team.name for team in played.now().teams for one in team.players}
    found = {team.name: (0, 0, 0) for team in played.now().teams}
    for record in played.driver.records:
        for side in (0, 1):
            (team,) = {teams[name] for name in record.players[side::2] if name in teams}
            sets, won, points = found[team]
            difference = record.scores[side] - record.scores[1 - side]
            found[team] = (sets + 1, won + (record.winner == side), points + difference)
    return found


def told(news: wire.Tournament) -> dict[str, tuple[int, int, int]]:
    return {team.name: (team.played, team.won, team.points_for - team.points_against) for team in news.teams}


# ---------------------------------------------------------------- teams


@pytest.mark.proves("U-7")
def test_a_team_forms_by_invitation_and_answer() -> None:
    played = evening()
    one, other = played.player("A1"), played.player("A2")
    fields = {"tournament": played.number}
    played.driver.ok(one, wire.EnterTournament, team="Lions", partner="A2", **fields)
    (team,) = played.told(other).teams
    assert [(player.name, player.accepted) for player in team.players] == [("A1", True), ("A2", False)]
    played.driver.ok(other, wire.AnswerInvitation, **fields)
    (team,) = played.news.teams
    assert all(player.accepted for player in team.players)


@pytest.mark.proves("U-7")
def test_who_says_no_is_not_entered_and_may_be_asked_by_another() -> None:
    played = evening()
    one, other, third = played.player("A1"), played.player("A2"), played.player("A3")
    fields = {"tournament": played.number}
    played.driver.ok(one, wire.EnterTournament, team="Lions", partner="A2", **fields)
    played.driver.ok(other, wire.AnswerInvitation, accepts=False, **fields)
    assert played.news.teams == ()
    assert played.driver.refused(other, wire.AnswerInvitation, **fields) == "not_entered"
    played.driver.ok(third, wire.EnterTournament, team="Hawks", partner="A2", **fields)


@pytest.mark.proves("U-7")
def test_nobody_is_in_two_teams_and_no_two_teams_have_one_name() -> None:
    played = evening("A")
    fields = {"tournament": played.number}
    stranger, other = played.player("Zed"), played.player("Yara")
    enter = wire.EnterTournament
    refused = played.driver.refused
    assert refused(stranger, enter, team="Mine", partner="A1", **fields) == "cannot_enter"
    assert refused(played.links["A1"], enter, team="Mine", partner="Zed", **fields) == "cannot_enter"
    assert refused(stranger, enter, team="TEAM a", partner="Yara", **fields) == "cannot_enter"
    assert refused(stranger, enter, team="Mine", partner="Zed", **fields) == "cannot_enter"
    assert refused(stranger, enter, team="Mine", partner="Nobody", **fields) == "cannot_enter"
    assert refused(stranger, enter, team="Mine", partner=f"#{other.session}", **fields) == "cannot_enter"
    assert refused(stranger, enter, partner="Yara", **fields) == "bad_name"
    assert refused(stranger, enter, team="Mine", partner="Yara", tournament=99) == "no_such_tournament"


def test_teams_are_drawn_by_lot_and_who_is_left_over_plays_with_a_bot() -> None:
    played = evening(by_lot=True)
    fields = {"tournament": played.number}
    for name in ("Amal1", "Basil", "Caner", "Dalia", "Esraa"):
        played.driver.ok(played.player(name), wire.EnterTournament, **fields)
    assert sorted(played.news.alone) == ["Amal1", "Basil", "Caner", "Dalia", "Esraa"]
    assert played.driver.refused(played.player("F"), wire.EnterTournament, team="x", **fields) == "cannot_enter"
    played.begin()
    news = played.news
    drawn = [player.name for team in news.teams for player in team.players]
    assert sorted(drawn) == ["Amal1", "Basil", "Bot", "Caner", "Dalia", "Esraa"]
    assert news.alone == ()


def test_only_the_opener_enters_bots_begins_and_ends() -> None:
    played = evening("A", "B")
    stranger = played.player("Zed")
    fields = {"tournament": played.number}
    for request in (wire.BeginTournament, wire.EndTournament):
        assert played.driver.refused(stranger, request, **fields) == "not_the_opener"
    bots = {"team": "Robots", "bots": BotLevel.STEADY}
    assert played.driver.refused(stranger, wire.EnterTournament, **bots, **fields) == "not_the_opener"
    assert played.driver.refused(stranger, wire.Withdraw, team="Team A", **fields) == "not_the_opener"
    played.driver.ok(played.host, wire.EnterTournament, **bots, **fields)
    played.driver.ok(played.host, wire.Withdraw, team="Team A", **fields)
    assert [team.name for team in played.news.teams] == ["Team B", "Robots"]


def test_a_tournament_of_one_team_cannot_begin_nor_one_twice() -> None:
    played = evening("A")
    fields = {"tournament": played.number}
    refused = played.driver.refused
    assert refused(played.host, wire.BeginTournament, **fields) == "wrong_tournament_state"
    played.enter("B")
    played.begin()
    assert refused(played.host, wire.BeginTournament, **fields) == "wrong_tournament_state"


def test_a_session_has_few_tournaments_open() -> None:
    driver = LobbyDriver()
    host = driver.hello("Olga")
    for _ in range(MOST_OPENED):
        driver.ok(host, wire.OpenTournament, name="Cup")
    assert driver.refused(host, wire.OpenTournament, name="Cup") == "too_many_tournaments"


def test_an_end_that_the_format_does_not_have_is_refused() -> None:
    driver = LobbyDriver()
    host = driver.hello("Olga")
    fields = {"name": "Cup", "format": FormatKind.KNOCK_OUT}
    assert driver.refused(host, wire.OpenTournament, sets=3, **fields) == "bad_request"
    assert driver.refused(host, wire.OpenTournament, name="\u202eCup") == "bad_name"
    assert driver.refused(host, wire.OpenTournament, name="Cup", preset="chess") == "bad_rules"


# ---------------------------------------------------------------- at the table


@pytest.mark.proves("U-1")
def test_seats_of_a_tournament_are_for_the_teams_that_are_called() -> None:
    played = evening("A", "B", "C")
    played.begin()
    (table,) = {call.table for call in played.news.called}
    stranger = played.player("Zed")
    refused = played.driver.refused
    assert refused(stranger, wire.Join, table=table) == "reserved"
    assert refused(played.links["C1"], wire.Join, table=table) == "reserved"
    assert refused(played.links["A1"], wire.Join, table=table, seat=Seat.EAST) == "reserved"
    played.driver.ok(stranger, wire.Watch, table=table)
    reply = played.driver.ok(played.links["A1"], wire.Join, table=table)
    assert isinstance(reply, wire.Joined)
    assert reply.seat is Seat.SOUTH
    assert refused(played.links["A1"], wire.AddBot, seat=Seat.EAST) == "reserved"
    listed = played.driver.ok(stranger, wire.ListTables)
    assert isinstance(listed, wire.Tables)
    assert listed.tables[0].tournament == played.number


@pytest.mark.proves("U-1")
def test_who_is_called_leaves_the_table_where_it_was() -> None:
    played = evening("A", "B")
    other = played.driver.open_table(played.links["A1"])
    played.driver.ok(played.links["A1"], wire.Join, table=other)
    played.begin()
    assert played.come()
    assert names_at(played, other) == ["", "", "", ""]
    played.driver.check_views()


@pytest.mark.proves("U-2")
def test_rule_4_after_a_set_the_losers_make_room_for_the_next_team_and_the_winners_stay() -> None:
    played = evening("A", "B", "C")
    played.begin()
    (call, _) = played.news.called
    played.come()
    assert names_at(played, call.table) == ["A1", "B1", "A2", "B2"]
    assert played.news.called == ()
    played.play_a_while()
    (record,) = played.driver.records
    winner, loser = ("A", "B") if record.winner == 0 else ("B", "A")
    assert played.news.waiting == (0 if loser == "A" else 1,)
    seated = names_at(played, call.table)
    assert [name for name in seated if name] == [f"{winner}1", f"{winner}2"]
    view = played.links[f"{loser}1"].view
    assert view is not None
    assert view.seat is None
    assert f"{loser}1" in view.spectators
    played.driver.check_views()
    assert played.come()
    assert sorted(names_at(played, call.table)) == sorted([f"{winner}1", f"{winner}2", "C1", "C2"])
    assert played.driver.lobby.tables[call.table].is_playing
    played.driver.check_views()


@pytest.mark.proves("U-6")
def test_a_queue_ends_after_its_sets_with_the_standings_of_the_recorded_sets() -> None:
    played = evening("A", "B", "C", "D", sets=4)
    played.begin()
    news = played.play_to_the_end()
    assert len(played.driver.records) == 4
    assert told(news) == reckoned(played)
    order = [news.teams[team] for team in news.ranking]
    assert order == sorted(order, key=lambda team: -team.won)
    assert played.news == news
    played.driver.check_views()


@pytest.mark.proves("U-6")
@pytest.mark.parametrize("kind", [FormatKind.ROUND_ROBIN, FormatKind.KNOCK_OUT])
def test_leagues_and_ladders_are_played_at_several_tables_at_once(kind: FormatKind) -> None:
    played = evening("A", "B", "C", "D", format=kind, tables=2)
    played.begin()
    assert len({call.table for call in played.news.called}) == 2
    news = played.play_to_the_end()
    assert len(played.driver.records) == len(news.pairings) == (6 if kind is FormatKind.ROUND_ROBIN else 3)
    assert told(news) == reckoned(played)
    played.driver.advance(60)
    assert not played.driver.lobby.tables, "tables whose teams have met are closed"
    played.driver.check_views()


def test_four_bots_of_a_tournament_play_without_anybody_watching() -> None:
    played = evening("A", sets=3)
    fields = {"tournament": played.number}
    for team in ("Robots", "Machines"):
        played.driver.ok(played.host, wire.EnterTournament, team=team, bots=BotLevel.STEADY, **fields)
    played.begin()
    played.driver.ok(played.links["A1"], wire.Withdraw, **fields)
    assert played.now().state is TournamentState.OVER, "bots alone play no tournament"


@pytest.mark.proves("T-8")
def test_a_table_of_bots_plays_its_set_while_players_wait() -> None:
    played = evening(sets=1)
    fields = {"tournament": played.number}
    for team in ("Robots", "Machines"):
        played.driver.ok(played.host, wire.EnterTournament, team=team, bots=BotLevel.STEADY, **fields)
    played.enter("A")
    played.begin()
    played.driver.advance(3600)
    assert len(played.driver.records) == 1
    assert played.now().state is TournamentState.OVER


# ---------------------------------------------------------------- who does not appear


@pytest.mark.proves("U-4")
def test_a_team_that_does_not_appear_is_passed_over_and_first_in_the_queue() -> None:
    played = evening("A", "B", "C", "D")
    played.begin()
    played.come(but=["B2"])
    played.driver.advance(APPEAR_SECONDS + 1)
    news = played.news
    assert {call.team for call in news.called} == {0, 2}
    assert news.waiting == (1, 3)
    view = played.links["B1"].view
    assert view is not None
    assert view.seat is None, "a partner who came alone watches"
    played.driver.check_views()


@pytest.mark.proves("U-4")
def test_in_a_ladder_who_does_not_appear_has_lost() -> None:
    played = evening("A", "B", format=FormatKind.KNOCK_OUT)
    played.begin()
    played.come(but=["B1"])
    played.driver.advance(APPEAR_SECONDS + 1)
    (pairing,) = played.news.pairings
    assert pairing.is_walkover
    assert played.news.state is TournamentState.OVER
    assert played.news.ranking == (0, 1)


@pytest.mark.proves("U-4")
def test_with_two_teams_there_is_more_time() -> None:
    played = evening("A", "B")
    played.begin()
    played.driver.advance(3 * APPEAR_SECONDS)
    assert {call.team for call in played.news.called} == {0, 1}
    assert played.come()
    assert played.news.called == ()


@pytest.mark.proves("U-5")
def test_a_player_who_drops_keeps_seat_and_place_far_longer_than_the_servers_grace() -> None:
    played = evening("A", "B", "C", sets=4)
    played.begin()
    played.come()
    dropped, waiting = played.links["A1"], played.links["C1"]
    played.driver.drop(dropped)
    played.driver.drop(waiting)
    played.driver.advance(HOLD_SECONDS - 60)
    played.driver.resume(dropped)
    played.driver.resume(waiting)
    assert isinstance(waiting.received[-1], wire.Tournament), "who comes back is told how it stands"
    assert played.told(waiting) == played.now()
    assert not played.now().teams[0].is_out
    assert not played.now().teams[2].is_out


@pytest.mark.proves("U-5")
def test_who_stays_away_longer_than_that_takes_the_team_out() -> None:
    played = evening("A", "B", "C")
    played.begin()
    played.driver.drop(played.links["C1"])
    played.driver.advance(HOLD_SECONDS + 1)
    assert played.now().teams[2].is_out
    assert played.now().waiting == ()


@pytest.mark.proves("U-5")
def test_a_name_that_a_tournament_holds_is_not_given_to_a_newcomer() -> None:
    played = evening("A", "B", "C")
    played.driver.drop(played.links["C1"])
    assert played.driver.hello("C1").name == "C1 2"
    assert played.driver.resume(played.links["C1"]).name == "C1"


def test_who_leaves_during_a_set_is_replaced_for_it_and_called_again() -> None:
    played = evening("A", "B")
    played.begin()
    played.come()
    played.play_a_while(3)
    leaver = played.links["A1"]
    played.driver.ok(leaver, wire.Leave)
    table = next(iter(played.driver.lobby.tables))
    assert names_at(played, table)[Seat.SOUTH].startswith("Bot")
    for _ in range(200):
        played.play_a_while()
        played.driver.advance(1)
        if played.driver.records:
            break
    assert names_at(played, table)[Seat.SOUTH] == ""
    assert {call.team for call in played.news.called} == {0, 1}
    played.come()
    assert names_at(played, table)[Seat.SOUTH] == "A1"


@pytest.mark.proves("U-1")
def test_who_leaves_during_a_set_may_sit_down_again() -> None:
    played = evening("A", "B")
    played.begin()
    played.come()
    table = next(iter(played.driver.lobby.tables))
    played.driver.ok(played.links["A1"], wire.Leave)
    played.driver.ok(played.links["A1"], wire.Join, table=table)
    assert names_at(played, table)[Seat.SOUTH] == "A1"
    played.driver.check_views()


def test_a_session_that_ends_takes_its_team_out_after_the_set() -> None:
    played = evening("A", "B", "C")
    played.begin()
    played.come()
    played.driver.goodbye(played.links["A1"])
    assert played.now().teams[0].is_out
    assert played.driver.lobby.tables[next(iter(played.driver.lobby.tables))].is_playing
    for _ in range(400):
        played.play_a_while()
        played.driver.advance(1)
        if played.driver.records:
            break
    assert {call.team for call in played.news.called} == {1, 2}


# ---------------------------------------------------------------- the end


@pytest.mark.proves("U-6")
def test_the_opener_ends_it_and_a_set_in_progress_does_not_count() -> None:
    played = evening("A", "B", "C")
    played.begin()
    played.come()
    played.play_a_while(30)
    played.driver.ok(played.host, wire.EndTournament, tournament=played.number)
    assert played.news.state is TournamentState.OVER
    assert all(team.played == 0 for team in played.news.teams)
    assert not played.driver.lobby.tables
    played.driver.check_views()
    refused = played.driver.refused(played.host, wire.EndTournament, tournament=played.number)
    assert refused == "wrong_tournament_state"


def test_a_tournament_that_is_over_is_forgotten_after_a_while_and_its_players_are_free() -> None:
    played = evening("A", "B")
    played.driver.ok(played.host, wire.EndTournament, tournament=played.number)
    again = played.driver.ok(played.host, wire.OpenTournament, name="Second")
    assert isinstance(again, wire.TournamentOpened)
    fields = {"tournament": again.tournament, "team": "Lions", "partner": "A2"}
    played.driver.ok(played.links["A1"], wire.EnterTournament, **fields)
    played.driver.advance(FORGET_SECONDS + 1)
    assert list(played.driver.lobby.tournaments) == [again.tournament]


def test_a_tournament_whose_opener_goes_before_it_begins_is_over() -> None:
    played = evening("A", "B")
    number, one = played.number, played.links["A1"]
    played.driver.goodbye(played.host)
    assert played.told(one).state is TournamentState.OVER
    assert played.driver.lobby.tournaments[number].state is TournamentState.OVER


@pytest.mark.proves("U-3")
def test_everybody_may_follow_and_stop_following() -> None:
    played = evening("A", "B")
    stranger = played.player("Zed")
    fields = {"tournament": played.number}
    listed = played.driver.ok(stranger, wire.ListTournaments)
    assert isinstance(listed, wire.Tournaments)
    assert [(each.name, each.teams, each.opener) for each in listed.tournaments] == [("Cup", 2, "Olga")]
    played.driver.ok(stranger, wire.FollowTournament, **fields)
    played.begin()
    assert played.told(stranger) == played.news
    played.driver.ok(stranger, wire.FollowTournament, follows=False, **fields)
    before = len(stranger.received)
    played.come()
    assert len(stranger.received) == before


@pytest.mark.proves("U-3")
def test_every_change_has_the_next_number_for_everybody() -> None:
    played = evening("A", "B", "C", sets=2)
    played.begin()
    played.play_to_the_end()
    numbers = [news.seq for news in played.host.of_type(wire.Tournament) if isinstance(news, wire.Tournament)]
    assert numbers == sorted(set(numbers))
    assert numbers == list(range(numbers[0], numbers[-1] + 1))


# ---------------------------------------------------------------- restarts and the end of a server


@pytest.mark.proves("U-8")
def test_a_tournament_survives_a_kill_at_any_point(tmp_path: Path) -> None:
    driver = LobbyDriver(data_dir=str(tmp_path))
    driver.keep_in(tmp_path)
    played = Evening(driver, sets=3, appear_seconds=30)
    played.enter("A", "B", "C")
    rng = random.Random(3)

    def kill() -> None:
        before = played.now()
        played.driver.kill_and_restart()
        for link in played.links.values():
            played.driver.resume_from_view(link)
        after = played.now()
        assert (after.teams, after.pairings, after.waiting) == (before.teams, before.pairings, before.waiting)
        assert after.state is before.state
        assert played.told(played.host) == after
        played.driver.check_views()

    kill()
    played.begin()
    kill()
    for _ in range(60):
        if played.now().state is TournamentState.OVER:
            break
        if not played.come() and not played.play_a_while(rng.randrange(1, 200)):
            played.driver.advance(1)
        if rng.random() < 0.3:
            kill()
    while played.now().state is not TournamentState.OVER:
        played.play_to_the_end()
    assert len(played.driver.records) == 3
    assert told(played.now()) == reckoned(played)
    kill()


@pytest.mark.proves("U-8")
def test_a_team_that_is_called_when_the_server_ends_has_its_whole_time_again(tmp_path: Path) -> None:
    driver = LobbyDriver(data_dir=str(tmp_path))
    driver.keep_in(tmp_path)
    played = Evening(driver)
    played.enter("A", "B", "C")
    played.begin()
    driver.advance(APPEAR_SECONDS - 1)
    driver.kill_and_restart()
    for link in played.links.values():
        driver.resume(link)
    assert {call.seconds for call in played.now().called} == {APPEAR_SECONDS}
    driver.advance(APPEAR_SECONDS - 1)
    assert {call.team for call in played.now().called} == {0, 1}
    driver.advance(2)
    assert played.now().waiting != (2,)


@pytest.mark.proves("U-4")
def test_nobody_is_passed_over_by_a_server_that_drains() -> None:
    played = evening("A", "B", "C")
    played.begin()
    played.driver.host(played.driver.lobby.drain(10_000, played.driver.now))
    played.driver.advance(2 * APPEAR_SECONDS)
    assert {call.team for call in played.news.called} == {0, 1}
    table = played.news.called[0].table
    assert played.driver.is_timer_set(TimerKind.APPEAR, table)
