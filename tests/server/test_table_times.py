"""How long a seat is held and how long a turn is: set for the server and for each table, told, and kept."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgpack
import pytest

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import FROM_CLIENT, BadMessage, decode
from tarneeb_protocol.messages import BotLevel
from tarneeb_server.database import FILE_NAME
from tarneeb_server.effects import TimerKind
from tarneeb_server.settings import flags

BEFORE_STAND_INS = Path(__file__).with_name("journal_before_stand_ins.sql")
"""Of the version before tables had a grace and a stand-in of their own: table 1 in its first deal, 14 actions
done, East to play and West away; table 2 locked, with one player and a bot. Tokens are as ``old_token``."""


def old_token(number: int) -> str:
    return f"token-{number:03}-".ljust(43, "x")


def listed(driver: LobbyDriver, link: Link) -> tuple[wire.TableSummary, ...]:
    reply = driver.ok(link, wire.ListTables)
    assert isinstance(reply, wire.Tables)
    return reply.tables


def test_a_table_that_does_not_say_has_the_times_and_the_stand_in_of_the_server() -> None:
    driver = LobbyDriver(turn_seconds=7, grace_seconds=77, stand_in="random")
    nour = driver.hello("Nour")
    driver.open_table(nour)
    driver.open_table(nour, turn_seconds=0, grace_seconds=0, stand_in=BotLevel.STEADY)
    plain, own = listed(driver, nour)
    assert (plain.turn_seconds, plain.grace_seconds, plain.stand_in) == (7, 77, BotLevel.RANDOM)
    assert (own.turn_seconds, own.grace_seconds, own.stand_in) == (0, 0, BotLevel.STEADY)
    driver.ok(nour, wire.Join, table=1)
    assert nour.view is not None
    assert (nour.view.turn_seconds, nour.view.grace_seconds, nour.view.stand_in) == (7, 77, BotLevel.RANDOM)


@pytest.mark.parametrize(
    ("field", "value"),
    [("grace_seconds", -1), ("grace_seconds", 3601), ("grace_seconds", 1.5), ("stand_in", "clever")],
)
def test_times_and_stand_ins_that_no_table_has_are_refused_with_the_field(field: str, value: object) -> None:
    payload = msgpack.packb({"type": "open_table", "id": 1, "name": "Majlis", field: value})
    fault = decode(payload, FROM_CLIENT)
    assert isinstance(fault, BadMessage)
    assert fault.field == field


@pytest.mark.proves("R-15", "R-16")
def test_a_session_at_a_table_is_held_for_as_long_as_the_table_says() -> None:
    driver = LobbyDriver(grace_seconds=100)
    patient = driver.four_players(grace_seconds=1000)
    hasty = driver.hello("Hasty")
    driver.open_table(hasty, grace_seconds=10)
    driver.ok(hasty, wire.Join, table=2)
    idle = driver.hello("Idle")
    for link in (patient[0], hasty, idle):
        driver.drop(link)
    held = {patient[0].name: 1000, hasty.name: 10, idle.name: 100}
    (away,) = patient[1].of_type(wire.PlayerAway)
    assert isinstance(away, wire.PlayerAway)
    assert away.grace_seconds == 1000
    ended: dict[str, float] = {}
    while len(ended) < 3:
        driver.advance(1)
        for link in (patient[0], hasty, idle):
            if driver.lobby.sessions.get(link.session) is None:
                ended.setdefault(link.name, driver.now)
    assert ended == held


@pytest.mark.proves("R-15")
def test_a_welcome_tells_how_long_the_session_is_held_where_it_is() -> None:
    driver = LobbyDriver(grace_seconds=100)
    nour = driver.hello("Nour")
    driver.open_table(nour, grace_seconds=33)
    driver.ok(nour, wire.Join, table=1)
    driver.resume_from_view(nour)
    driver.ok(nour, wire.Leave)
    driver.resume(nour)
    welcomes = [message for message in nour.received if isinstance(message, wire.Welcome)]
    assert [welcome.grace_seconds for welcome in welcomes] == [100, 33, 100]


def test_a_grace_of_nothing_gives_the_seat_up_at_once() -> None:
    driver = LobbyDriver()
    links = driver.four_players(grace_seconds=0)
    driver.drop(links[1])
    driver.advance(0)
    told = links[0].of_type(wire.PlayerAway, wire.PlayerLeft, wire.BotSeated)
    assert [type(event) for event in told] == [wire.PlayerAway, wire.PlayerLeft, wire.BotSeated]
    driver.check_views()


def test_who_finds_a_seat_taken_or_a_table_full_is_told_who_is_away_and_for_how_long() -> None:
    driver = LobbyDriver()
    links = driver.four_players(grace_seconds=60)
    late = driver.hello("Late")

    def refusal(**fields: object) -> str:
        reply = driver.request(late, wire.Join, table=1, **fields)
        assert isinstance(reply, wire.Error)
        return reply.message

    assert refusal() == "four players sit at this table; watch it, or join another"
    assert refusal(seat=Seat.EAST) == "East sits in seat East; choose another"
    driver.drop(links[1])
    driver.advance(17.5)
    driver.drop(links[2])
    east = "East is away: seat East is free in 43 s unless East is back"
    north = "North is away: seat North is free in 60 s unless North is back"
    assert refusal() == f"four players sit at this table; watch it, or join another; {east}; {north}"
    assert refusal(seat=Seat.EAST) == f"{east}; choose another"
    assert refusal(partner="West") == f"{east}; choose another"
    (table,) = listed(driver, late)
    assert [seat.away_seconds for seat in table.seats if seat is not None] == [None, 43, 60, None]


@pytest.mark.proves("T-11")
def test_who_has_seen_a_hand_and_comes_back_in_a_new_session_finds_the_own_seat_alone() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.play is None or not table.play.are_hands_out:
        driver.advance(1)
    driver.ok(links[1], wire.Leave)
    driver.goodbye(links[0])
    again = driver.hello("SOUTH ")
    assert again.session != links[0].session
    assert driver.refused(again, wire.Join, table=1, seat=Seat.EAST) == "seen_another_hand"
    driver.ok(again, wire.Join, table=1)
    assert again.view is not None
    assert again.view.seat is Seat.SOUTH
    driver.goodbye(again)
    stranger = driver.hello("Stranger")
    driver.ok(stranger, wire.Join, table=1, seat=Seat.EAST)
    driver.check_views()


# ---------------------------------------------------------------- kept


def test_the_times_and_the_stand_in_of_a_table_are_its_own_after_a_restart(tmp_path: Path) -> None:
    driver = LobbyDriver()
    driver.keep_in(tmp_path)
    links = driver.four_players(turn_seconds=11, grace_seconds=222, stand_in=BotLevel.RANDOM)
    driver.kill_and_restart()
    for link in links:
        driver.resume(link)
    for link in links:
        assert link.view is not None
        times = (link.view.turn_seconds, link.view.grace_seconds, link.view.stand_in)
        assert times == (11, 222, BotLevel.RANDOM)
    driver.check_views()


@pytest.mark.proves("T-11")
def test_who_had_seen_a_hand_is_known_after_a_restart(tmp_path: Path) -> None:
    driver = LobbyDriver()
    driver.keep_in(tmp_path)
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.play is None or not table.play.are_hands_out:
        driver.advance(1)
    driver.ok(links[1], wire.Leave)
    driver.goodbye(links[0])
    driver.kill_and_restart()
    again = driver.hello("South")
    assert driver.refused(again, wire.Join, table=1, seat=Seat.EAST) == "seen_another_hand"


def test_a_journal_of_the_version_before_loads_with_all_that_it_had(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / FILE_NAME)
    database.executescript(BEFORE_STAND_INS.read_text(encoding="utf-8"))
    database.close()
    driver = LobbyDriver(grace_seconds=55, stand_in="random")
    driver.keep_in(tmp_path)
    driver.kill_and_restart()
    assert driver.logs[-1].event == "restored"
    names = ("South", "East", "North", "West", "Watcher", "Nour")
    south, east, north, west, watcher, nour = (
        driver.hello(name, resume=old_token(number)) for number, name in enumerate(names, start=1)
    )
    assert [link.name for link in (south, east, north, west, watcher, nour)] == list(names)
    first, second = driver.lobby.tables[1], driver.lobby.tables[2]
    assert (first.options.turn_seconds, first.options.grace_seconds) == (30, 55)
    assert first.options.stand_in is BotLevel.RANDOM
    assert second.seating.names() == ("Nour", "Bot Badr", "", "")
    late = driver.hello("Late")
    assert driver.refused(late, wire.Join, table=2) == "wrong_password"
    driver.ok(late, wire.Join, table=2, password="open sesame")  # noqa: S106  (of the table that was kept)
    assert south.view is not None
    assert south.view.hand is not None
    assert len(south.view.hand) == 10
    assert [line.text for line in south.view.chat] == ["yalla"]
    assert east.prompt is not None
    assert east.prompt.seconds == 30
    # What was kept of seen hands by session is known by name.
    north.last_id = 100
    driver.ok(north, wire.Leave)
    driver.goodbye(west)
    again = driver.hello("West")
    assert driver.refused(again, wire.Join, table=1, seat=Seat.NORTH) == "seen_another_hand"
    driver.check_views()
    driver.kill_and_restart()
    assert set(driver.lobby.tables) == {1, 2}
    assert driver.is_timer_set(TimerKind.GRACE, south.session)


def test_the_server_takes_every_level_of_bot_for_a_stand_in_and_no_other() -> None:
    flag = dict(flags())["stand_in"]
    assert [flag.parse(level) for level in BotLevel] == list(BotLevel)
    with pytest.raises(ValueError, match="one of random, steady, not 'clever'"):
        flag.parse("clever")
