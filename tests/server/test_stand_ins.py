"""Away, a bot plays, back, gone: everybody at the table is told each of them once, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import Actor, BotLevel

PRESENCE = (
    wire.PlayerSeated,
    wire.PlayerLeft,
    wire.PlayerAway,
    wire.PlayerBack,
    wire.StandInBegan,
    wire.StandInEnded,
    wire.BotSeated,
)
DECISIONS = (wire.PackCut, wire.CallMade, wire.TrumpNamed, wire.CardPlayed)


def presence(link: Link, seat: Seat | None = None) -> list[str]:
    """What a viewer was told of who is there, of one seat or of all."""
    return [
        str(event.__struct_config__.tag)
        for event in link.of_type(*PRESENCE)
        if seat is None or getattr(event, "seat", None) is seat
    ]


def acting(driver: LobbyDriver, links: tuple[Link, ...]) -> tuple[Seat, Link, Link]:
    """Who is to act, with the link, and that of the seat after it."""
    play = driver.table_of(links[0]).play
    assert play is not None
    assert play.turn is not None
    return play.turn, links[play.turn], links[play.turn.next()]


def started(**settings: object) -> tuple[LobbyDriver, tuple[Link, Link, Link, Link]]:
    """Four players in a set that has just begun; what they were told so far is forgotten."""
    driver = LobbyDriver(**{"turn_seconds": 20, **settings})
    links = driver.four_players()
    forget(links)
    return driver, links


def forget(links: tuple[Link, ...]) -> None:
    for link in links:
        link.received.clear()


@pytest.mark.proves("K-6", "K-7", "R-15")
def test_a_drop_a_stand_in_and_a_return_are_each_told_once_to_everybody() -> None:
    driver, links = started()
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=1)
    seat, absent, _ = acting(driver, links)
    driver.drop(absent)
    driver.advance(60)
    driver.resume_from_view(absent)
    driver.advance(0.5)
    for viewer in (*links, watcher):
        assert presence(viewer, seat) == ["player_away", "stand_in_began", "player_back"], viewer.name
    driver.check_views()


@pytest.mark.proves("K-6")
def test_a_stand_in_is_told_before_its_first_action_and_not_before_its_second() -> None:
    driver, links = started()
    seat, absent, other = acting(driver, links)
    driver.drop(absent)
    driver.advance(19.9)
    assert presence(other, seat) == ["player_away"]
    driver.advance(0.2)
    told = [
        event
        for event in other.of_type(wire.StandInBegan, *DECISIONS)
        if isinstance(event, wire.StandInBegan | wire.PackCut)
    ]
    assert [type(event) for event in told] == [wire.StandInBegan, wire.PackCut]
    driver.advance(400)
    by_clock = [event for event in other.of_type(*DECISIONS) if getattr(event, "by", None) is Actor.CLOCK]
    assert len([event for event in by_clock if getattr(event, "seat", None) is seat]) > 5
    assert presence(other, seat).count("stand_in_began") == 1


@pytest.mark.proves("K-6", "K-7")
def test_a_player_who_stalls_has_a_stand_in_until_the_next_request_whatever_it_is() -> None:
    for request in (wire.Sync, wire.ListTables, wire.Chat, wire.Act):
        driver, links = started()
        seat, stalling, other = acting(driver, links)
        driver.advance(20.5)
        fields: dict[str, object] = {"text": "here"} if request is wire.Chat else {}
        if request is wire.Act:
            # One that is refused, for the clock was faster: it is a sign of life all the same.
            driver.refused(stalling, wire.Act, action=wire.CutAction(7))
        else:
            driver.ok(stalling, request, **fields)
        for viewer in links:
            assert presence(viewer, seat) == ["stand_in_began", "stand_in_ended"], request
        driver.ok(stalling, wire.ListTables)
        assert presence(other, seat) == ["stand_in_began", "stand_in_ended"]
        driver.check_views()


def test_a_player_who_stalls_is_shown_so_to_who_comes_later_and_in_the_lobby() -> None:
    driver, links = started()
    seat, stalling, _ = acting(driver, links)
    driver.advance(20.5)
    late = driver.hello("Late")
    reply = driver.ok(late, wire.ListTables)
    assert isinstance(reply, wire.Tables)
    listed = reply.tables[0].seats[seat]
    assert listed is not None
    assert listed.has_stand_in
    driver.ok(late, wire.Watch, table=1)
    assert late.view is not None
    assert [summary is not None and summary.has_stand_in for summary in late.view.seats].count(True) == 1
    driver.ok(stalling, wire.Sync)
    driver.check_views()


def test_a_sync_of_a_player_who_stalls_brings_what_was_missed_and_then_the_end_of_the_stand_in() -> None:
    driver, links = started()
    seat, stalling, _ = acting(driver, links)
    driver.advance(20.5)
    assert stalling.view is not None
    stalling.received.clear()
    driver.ok(stalling, wire.Sync, seq=stalling.view.seq)
    assert [type(message) for message in stalling.received] == [wire.StandInEnded, wire.Done]
    driver.check_views()
    assert presence(links[seat.partner()], seat)[-1] == "stand_in_ended"


def test_leave_drop_kick_and_grace_over_are_told_apart() -> None:
    driver, links = started(grace_seconds=30, turn_seconds=0)
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=1)
    driver.ok(links[0], wire.Leave)
    driver.drop(links[1])
    driver.advance(31)
    kicked = driver.lobby.sessions.get(links[2].session)
    assert kicked is not None
    driver._perform(driver.lobby._end(kicked, "kicked", driver.now))
    left = watcher.of_type(wire.PlayerLeft)
    assert [(event.seat, event.reason) for event in left if isinstance(event, wire.PlayerLeft)] == [
        (Seat.SOUTH, "left"),
        (Seat.EAST, "grace_over"),
        (Seat.NORTH, "kicked"),
    ]
    assert [presence(watcher, seat) for seat in (Seat.SOUTH, Seat.NORTH)] == [["player_left", "bot_seated"]] * 2
    told = presence(watcher, Seat.EAST)
    assert (told[0], told[-2:]) == ("player_away", ["player_left", "bot_seated"])


def test_a_player_who_stalled_and_leaves_is_told_to_have_left_and_nothing_else() -> None:
    driver, links = started()
    seat, stalling, other = acting(driver, links)
    driver.advance(20.5)
    driver.ok(stalling, wire.Leave)
    assert presence(other, seat) == ["stand_in_began", "player_left", "bot_seated"]


@pytest.mark.proves("R-6", "R-7")
def test_a_takeover_of_a_live_connection_is_told_to_nobody() -> None:
    driver, links = started()
    for _ in range(5):
        driver.resume_from_view(links[1])
        driver.advance(0.5)
    assert [presence(link) for link in links] == [[], [], [], []]


def test_a_takeover_of_a_stalling_players_connection_ends_the_stand_in() -> None:
    driver, links = started()
    seat, stalling, other = acting(driver, links)
    driver.advance(20.5)
    driver.resume_from_view(stalling)
    assert presence(other, seat) == ["stand_in_began", "stand_in_ended"]
    driver.check_views()


@pytest.mark.proves("R-15")
def test_r11_in_a_storm_of_drops_and_resumes_each_is_told_once_and_in_turn() -> None:
    driver, links = started(turn_seconds=0)
    for _ in range(100):
        driver.drop(links[3])
        driver.resume_from_view(links[3])
    expected = ["player_away", "player_back"] * 100
    for viewer in links[:3]:
        assert presence(viewer, Seat.WEST) == expected
    driver.check_views()


@pytest.mark.parametrize("resumes_first", [True, False])
def test_a_resume_in_the_very_moment_when_the_grace_is_over_is_either_in_time_or_too_late(
    resumes_first: bool,
) -> None:
    driver, links = started(grace_seconds=30, turn_seconds=0)
    driver.drop(links[2])
    driver.advance(29)
    if resumes_first:
        driver.now += 1  # the timer is due, and has not been served yet
        driver.resume_from_view(links[2])
        driver.advance(0)
        assert presence(links[0], Seat.NORTH)[-1] == "player_back"
        assert driver.table_of(links[0]).seating.seat_of(links[2].session) is Seat.NORTH
        driver.check_views()
    else:
        driver.advance(1)
        answer = driver.try_hello("North", resume=links[2].token)
        assert isinstance(answer, wire.Refused)
        assert presence(links[0], Seat.NORTH)[-2:] == ["player_left", "bot_seated"]
    assert presence(links[0], Seat.NORTH).count("player_left") == (0 if resumes_first else 1)


def test_of_the_grace_and_the_clock_that_end_in_one_moment_each_has_its_one_effect() -> None:
    driver, links = started(grace_seconds=20)
    seat, absent, other = acting(driver, links)
    driver.drop(absent)
    driver.advance(20)
    told = presence(other, seat)
    assert told in (
        ["player_away", "player_left", "bot_seated"],
        ["player_away", "stand_in_began", "player_left", "bot_seated"],
    )
    driver.advance(1)
    assert len(other.of_type(wire.PackCut)) == 1
    driver.check_views()


@pytest.mark.parametrize("restarts", [1, 3])
@pytest.mark.proves("K-6")
def test_a_restart_in_between_tells_nothing_twice(tmp_path: Path, restarts: int) -> None:
    driver = LobbyDriver(turn_seconds=20)
    driver.keep_in(tmp_path)
    links = driver.four_players()
    forget(links)
    seat, absent, other = acting(driver, links)
    stalling = links[seat.partner()]
    driver.drop(absent)
    driver.advance(70)
    assert presence(stalling, seat.partner()) == ["stand_in_began"]
    assert other.view is not None
    seq = other.view.seq
    for _ in range(restarts):
        driver.kill_and_restart()
    for link in (other, stalling, links[seat.left()]):
        driver.resume(link, seq)
    driver.resume_from_view(absent)
    driver.ok(stalling, wire.ListTables)
    assert presence(other, seat) == ["player_away", "stand_in_began", "player_back"]
    # After several restarts the events between them are not at hand: a snapshot takes their place.
    away = ["player_away"] if restarts == 1 else []
    assert presence(other, seat.partner()) == ["stand_in_began", *away, "player_back"]
    driver.check_views()


@pytest.mark.parametrize("level", BotLevel)
def test_the_stand_in_of_a_table_plays_and_takes_the_seat_that_is_given_up(level: BotLevel) -> None:
    driver = LobbyDriver(stand_in="random" if level is BotLevel.STEADY else "steady")
    links = driver.four_players(stand_in=level)
    table = driver.table_of(links[0])
    assert type(table._stand_in).__name__ == {"random": "RandomPolicy", "steady": "SteadyPolicy"}[level]
    driver.ok(links[1], wire.Leave)
    (seated,) = links[0].of_type(wire.BotSeated)
    assert isinstance(seated, wire.BotSeated)
    assert seated.level is level
    assert links[0].view is not None
    assert links[0].view.stand_in is level
