"""The first screen: the name, the servers, a held seat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.addresses import Address
from tarneeb_client.preferences import Preferences
from tarneeb_client.screens.glyphs import UNICODE
from tarneeb_client.screens.home import HomeDesk, ServerRow, Wish
from tarneeb_client.screens.key_table import KEYS
from tarneeb_client.screens.keys import find_key
from tarneeb_client.screens.places import TYPED_INTO, Place
from tarneeb_client.screens.rows import plain, row_width
from tarneeb_client.screens.settings_desk import SettingsDesk

MAJLIS = ServerRow(name="Majlis", address=Address("192.0.2.20"), ping_ms=3, tables=3, free_seats=5)
HELD = ServerRow(name="Friends", address=Address("192.0.2.21"), held=("table 2 Evening", 107))
NEWER = ServerRow(name="Laptop", address=Address("192.0.2.22"), why_not="protocol 2: needs a newer client")


def home(*servers: ServerRow, name: str = "Nour") -> HomeDesk:
    desk = HomeDesk(name=name, version="1.0", glyphs=UNICODE)
    desk.found(servers)
    desk.tick(0)
    return desk


def press(desk: HomeDesk | SettingsDesk, *keys: str) -> None:
    for key in keys:
        found = find_key(key, desk.place, has_input=bool(desk.text))
        if found is not None:
            desk.press(found.action, key)
        elif len(key) == 1 and desk.place in TYPED_INTO:
            desk.typed(desk.text + key)


def shown(desk: HomeDesk | SettingsDesk, cells: int = 80, height: int = 24) -> str:
    rows = desk.rows(cells, height - 1)
    assert len(rows) == height - 1
    assert all(row_width(row) == cells for row in rows)
    return "\n".join(plain(row) for row in rows)


def test_who_has_no_name_is_asked_for_one_first() -> None:
    desk = home(name="")
    assert "What shall the others call you?" in shown(desk)
    press(desk, "escape", "enter")
    assert desk.name == ""
    press(desk, *"\u200bx", "enter")
    assert "invisible" in shown(desk)
    press(desk, *"Nour", "enter")
    assert (desk.name, desk.place) == ("Nour", Place.HOME)


def test_a_name_that_is_typed_is_not_put_behind_the_one_that_is_offered() -> None:
    desk = HomeDesk(name="", version="1.0", glyphs=UNICODE, login="root")
    assert "press Enter to be called root." in shown(desk)
    press(desk, *"Nour", "enter")
    assert desk.name == "Nour"


def test_the_login_name_is_offered() -> None:
    desk = HomeDesk(name="", version="1.0", glyphs=UNICODE, login="omar")
    press(desk, "enter")
    assert desk.name == "omar"


def test_enter_connects_to_the_chosen_server() -> None:
    desk = home(MAJLIS, NEWER)
    assert "3 ms" in shown(desk)
    assert "3 tables, 5 free seats" in shown(desk)
    press(desk, "down", "enter")
    assert not desk.is_over
    assert "needs a newer client" in shown(desk)
    press(desk, "up", "enter")
    assert (desk.is_over, desk.wish, desk.address) == (True, Wish.CONNECT, MAJLIS.address)


def test_a_held_seat_comes_first_and_r_goes_back_to_it() -> None:
    desk = home(MAJLIS, HELD)
    assert desk.servers[0] == HELD
    assert "table 2 Evening: held for you 1:47 - press R" in shown(desk)
    press(desk, "R")
    assert (desk.wish, desk.address) == (Wish.CONNECT, HELD.address)


def test_without_a_held_seat_r_says_so() -> None:
    desk = home(MAJLIS)
    press(desk, "r")
    assert not desk.is_over
    assert "No seat is held for you" in shown(desk)


def test_the_chosen_server_stays_chosen_when_others_come_and_go() -> None:
    desk = home(MAJLIS, NEWER)
    press(desk, "down")
    desk.found([HELD, MAJLIS, NEWER])
    assert desk.chosen == NEWER
    desk.found([HELD])
    assert desk.chosen == HELD


def test_an_address_can_be_typed_and_a_bad_one_is_explained() -> None:
    desk = home()
    press(desk, "o", *"nowhere:99999", "enter")
    assert not desk.is_over
    assert "port" in shown(desk)
    press(desk, *"192.0.2.7:4000", "enter")
    assert (desk.wish, desk.address) == (Wish.CONNECT, Address("192.0.2.7", 4000))


def test_a_password_is_asked_for_and_goes_with_the_address() -> None:
    desk = home(MAJLIS)
    desk.ask_password(MAJLIS.address)
    assert desk.is_secret
    press(desk, *"yalla", "enter")
    assert (desk.wish, desk.address, desk.password) == (Wish.CONNECT, MAJLIS.address, "yalla")


def test_after_three_seconds_without_a_server_it_says_what_may_be_in_the_way() -> None:
    desk = home()
    assert "firewall" not in shown(desk)
    desk.tick(3.1)
    assert "firewall" in shown(desk)


@pytest.mark.parametrize(
    ("key", "wish"), [("s", Wish.SOLO), ("l", Wish.LEARN), ("f2", Wish.SETTINGS), ("f10", Wish.QUIT)]
)
def test_each_key_leads_where_it_says(key: str, wish: Wish) -> None:
    desk = home(MAJLIS)
    press(desk, key)
    assert (desk.is_over, desk.wish) == (True, wish)


@given(st.data())
def test_no_keys_at_any_size_break_the_first_screen(data: st.DataObject) -> None:
    hostile = ServerRow(name="\x1b[31m\u202eevil中🂡", address=Address("x" * 60), why_not="\x07")
    desk = home(MAJLIS, hostile, HELD, name=data.draw(st.sampled_from(["", "ليلى"])))
    names = sorted({name for key in KEYS for name in key.keys} | set("ab:.9 ض"))
    for _ in range(data.draw(st.integers(0, 25))):
        press(desk, data.draw(st.sampled_from(names)))
        text = shown(desk, data.draw(st.integers(20, 120)), data.draw(st.integers(4, 40)))
        assert not any(ord(character) < 32 for character in text.replace("\n", ""))


def test_settings_are_changed_in_a_form_and_given_back_when_sent() -> None:
    desk = SettingsDesk(Preferences(name="Nour"), UNICODE)
    press(desk, *"y", "down", "right", "right")
    assert "العربية" in shown(desk)
    press(desk, "enter")
    assert (desk.is_over, desk.changed) == (True, {"name": "Noury", "language": "ar"})


def test_settings_that_are_closed_stay_as_they_were() -> None:
    desk = SettingsDesk(Preferences(name="Nour"), UNICODE)
    press(desk, "down", "right", "escape")
    assert (desk.is_over, desk.changed) == (True, {})
