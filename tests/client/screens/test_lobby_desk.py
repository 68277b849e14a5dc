"""The lobby: choosing among many tables, sitting down opposite somebody, passwords; what a server ends."""

from __future__ import annotations

import re

import pytest

from support.desk_scenes import in_lobby, waiting, with_friends
from support.desk_talk import DeskTalk
from support.lobby_driver import LobbyDriver
from tarneeb_client.link_items import LinkEnded
from tarneeb_client.screens.desk import Desk
from tarneeb_client.screens.keys import find_key
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.rows import plain, target_at
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m


def text_of(talk: DeskTalk, columns: int = 80, lines: int = 24) -> str:
    return "\n".join(talk.screen(columns, lines))


def choose(talk: DeskTalk, name: str) -> m.TableSummary:
    while talk.desk.lobby.table is None or talk.desk.lobby.table.name != name:
        talk.press("down")
    return talk.desk.lobby.table


@pytest.mark.parametrize("size", [(120, 30), (80, 24), (40, 10), (20, 5)], ids=str)
def test_of_many_tables_the_chosen_one_is_always_in_sight(size: tuple[int, int]) -> None:
    talk = in_lobby(80)
    assert len(talk.desk.lobby.tables) == 80
    for key in ("down",) * 3 + ("pagedown",) * 4 + ("end", "up", "home", "up"):
        talk.press(key)
        rows = talk.screen(*size)
        pointed = [row for row in rows if row.strip().startswith("▸")]
        assert [row.split()[1] for row in pointed] == [str(talk.desk.lobby.chosen)]


def test_nothing_is_said_of_tables_before_the_server_has_told_them() -> None:
    talk = in_lobby(0)
    known = talk.desk
    talk.desk = Desk(talk, server_name="Majlis", own_name="Nour", habits=known.habits, ring=lambda: None)
    for size in ((120, 30), (80, 24), (40, 10), (20, 5)):
        assert not re.search(r"\d tables?\b|No table", text_of(talk, *size))
    watch = find_key("w", Place.LOBBY, has_input=False)
    assert watch is not None
    talk.desk.press(watch.action, "w")
    assert "No table is open yet" not in text_of(talk)
    talk.wait(0)
    assert "0 tables" in text_of(talk)
    assert "No table is open yet" in text_of(talk)


def test_tables_come_go_and_fill_while_they_are_looked_at_and_the_chosen_one_stays_so() -> None:
    talk = in_lobby(3)
    talk.press("down")
    chosen = talk.desk.lobby.chosen
    host = talk.driver.hello("Amal")
    talk.driver.open_table(host, name="Evening")
    talk.wait(2.5)
    assert "Evening" in text_of(talk)
    assert talk.desk.lobby.chosen == chosen


def test_tables_with_a_free_seat_come_first() -> None:
    driver = LobbyDriver(turn_seconds=0)
    driver.four_players()
    host = driver.hello("Amal")
    driver.open_table(host, name="Evening")
    talk = DeskTalk(driver, "Nour")
    talk.wait(3)
    assert [table.name for table in talk.desk.lobby.tables] == ["Evening", "Majlis"]


@pytest.mark.parametrize("key", ["enter", "w"])
def test_a_table_s_password_is_asked_for_and_never_shown(key: str) -> None:
    talk = in_lobby()
    choose(talk, "Finals")
    talk.press(key)
    assert talk.desk.is_secret
    assert talk.desk.prefix() == "password> "
    talk.type("yalla")
    assert "yalla" not in text_of(talk)
    talk.press("enter")
    assert talk.desk.place is (Place.WAITING if key == "enter" else Place.WATCHING)
    assert not talk.desk.is_secret


def test_a_wrong_password_is_told_and_one_can_try_again() -> None:
    talk = in_lobby()
    choose(talk, "Finals")
    talk.press("enter")
    talk.type("nonsense")
    talk.press("enter")
    assert talk.desk.place is Place.LOBBY
    assert "password" in talk.desk.moments.note
    talk.press("enter", "escape")
    assert not talk.desk.is_secret


def test_one_sits_down_opposite_whom_one_likes() -> None:
    talk = in_lobby()
    table = choose(talk, "Beginners")
    assert table.seats[Seat.SOUTH] is not None
    talk.press("j", "right")
    while "partner of Lina" not in text_of(talk):
        talk.press("right")
    talk.press("enter")
    view = talk.desk.view
    assert view is not None
    assert view.seat is Seat.NORTH


def test_bots_take_the_other_seats_of_a_locked_table_too() -> None:
    talk = in_lobby()
    choose(talk, "Finals")
    talk.press("b", "up")
    talk.type("yalla")
    assert "yalla" not in text_of(talk)
    talk.press("enter")
    assert talk.desk.place is Place.PLAY


def test_a_table_that_is_closed_leads_to_the_lobby_and_says_so() -> None:
    talk = waiting()
    view = talk.desk.view
    assert view is not None
    talk.take(m.TableClosed(table=view.table, seq=view.seq + 1, reason="closed"))
    assert talk.desk.place is Place.LOBBY
    assert "The table is closed. You are in the lobby." in text_of(talk)


def test_what_the_host_says_is_in_sight_at_once_and_stays_in_the_log() -> None:
    talk, _friends = with_friends()
    talk.take(m.Notice(reason="drain", text="we stop at ten", seconds=600))
    assert "The server says: we stop at ten" in text_of(talk)
    talk.wait(10)
    assert "ten" in text_of(talk, 104, 25)


@pytest.mark.parametrize("code", ["superseded", "kicked", "banned", "shutdown"])
def test_a_link_that_has_ended_ends_the_screen_with_the_reason_for_a_last_line(code: str) -> None:
    talk, _friends = with_friends()
    talk.take(LinkEnded(code, "another client took over this seat"))
    assert talk.desk.is_over
    assert talk.desk.talk.ended is not None
    assert talk.desk.talk.ended.code == code


def test_a_click_chooses_a_table_and_another_one_sits_down_there() -> None:
    talk = in_lobby(3)

    def click(name: str) -> None:
        row = next(row for row in talk.desk.rows(80, 23) if name in plain(row))
        kind, _, which = (target_at(row, plain(row).index(name)) or "").partition(".")
        assert kind == "table"
        talk.desk.click_table(which)
        talk.settle()

    chosen = talk.desk.lobby.chosen
    other = next(
        table
        for table in talk.desk.lobby.tables
        if table.table != chosen and not table.locked and None in table.seats
    )
    click(other.name)
    assert (talk.desk.lobby.chosen, talk.desk.view) == (other.table, None)
    click(other.name)
    view = talk.desk.view
    assert view is not None
    assert view.table == other.table
