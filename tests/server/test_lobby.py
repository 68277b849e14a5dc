"""Sessions and requests, without sockets."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.lobby_driver import LobbyDriver
from tarneeb_engine.ruleset import AuctionKind, Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.variants import PRESETS
from tarneeb_protocol import messages as wire
from tarneeb_protocol.names import name_keys
from tarneeb_protocol.text import clean_name
from tarneeb_server.limits import CHAT, REQUESTS

SERVER_PASSWORD = "majlis"
TABLE_PASSWORD = "sesame"


# ---------------------------------------------------------------- hello


@pytest.mark.proves("N-1", "N-2")
def test_names_are_unique_and_a_clash_gets_a_number() -> None:
    driver = LobbyDriver()
    names = [driver.hello(name).name for name in ("Ali", " ali ", "ALI", "Tarneeb", "A" * 24, "a" * 24)]
    assert names == ["Ali", "ali 2", "ALI 3", "Tarneeb 2", "A" * 24, "a" * 22 + " 2"]


@pytest.mark.proves("N-1")
def test_u03_u05_names_that_look_alike_are_told_apart_by_a_number() -> None:
    driver = LobbyDriver()
    names = [driver.hello(name).name for name in ("Nour", "NΟUR", "Νour", "nour", "نور")]
    assert names == ["Nour", "NΟUR 2", "Νour 3", "nour 4", "نور"]


def test_u03_the_number_that_tells_names_apart_cannot_be_imitated() -> None:
    driver = LobbyDriver()
    names = [
        driver.hello(name).name for name in ("Nour 2", "Nour", "Nour", "Nour 2", "Nour ٢", "Nour  ２", "Nоur 2")
    ]
    assert names == ["Nour 2", "Nour", "Nour 3", "Nour 2 2", "Nour ٢ 3", "Nour ２ 4", "Nоur 2 3"]
    keys = [name_keys(name) for name in names]
    assert not any(one.agree(other) for at, one in enumerate(keys) for other in keys[:at])


@pytest.mark.parametrize("name", ["Tarneeb", "ТARNEEB", "Majlis", "MAJLIS"])
def test_u03_nobody_is_called_what_the_server_is(name: str) -> None:
    driver = LobbyDriver(name="Majlis")
    assert driver.hello(name).name == f"{name} 2"


@given(
    st.lists(
        st.sampled_from(["Ali", "ALI", "аli", "a1i", "Ali 2", "ali ٢", "Omar", "Ornar", "x" * 24]), max_size=12
    )
)
@pytest.mark.proves("N-1", "N-2")
def test_u01_u03_u05_no_two_sessions_have_names_that_a_reader_takes_for_the_same(asked: list[str]) -> None:
    driver = LobbyDriver()
    names = [driver.hello(name).name for name in asked]
    assert all(clean_name(name, wire.MAX_NAME_CHARS) == name for name in names)
    keys = [name_keys(name) for name in names]
    assert not any(one.agree(other) for at, one in enumerate(keys) for other in keys[:at])


def test_tables_may_have_names_that_are_alike_for_their_numbers_differ() -> None:
    driver = LobbyDriver()
    ali = driver.hello("Ali")
    assert driver.open_table(ali, name="Majlis") != driver.open_table(ali, name="MAJLIS")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"protocol_min": 2, "protocol_max": 3}, "unsupported_version"),
        ({"name": "\x1b[2J"}, "bad_name"),
        ({"name": "   "}, "bad_name"),
        ({"resume": "no such token"}, "bad_token"),
        ({"password": "wrong"}, "wrong_password"),
        ({"password": None}, "wrong_password"),
    ],
)
@pytest.mark.proves("C-4", "C-11", "V-2", "R-9")
def test_a_hello_that_is_not_accepted_is_told_why(fields: dict[str, object], code: str) -> None:
    driver = LobbyDriver(password=SERVER_PASSWORD)
    answer = driver.try_hello(**{"name": "Ali", "password": SERVER_PASSWORD, **fields})  # type: ignore[arg-type]  # the name is among them
    assert isinstance(answer, wire.Refused)
    assert answer.code == code
    assert (answer.protocol_min, answer.protocol_max) == (1, 1)
    assert len(driver.lobby.sessions) == 0


def test_the_right_password_opens_the_server() -> None:
    driver = LobbyDriver(password=SERVER_PASSWORD)
    assert driver.hello("Ali", password=SERVER_PASSWORD).name == "Ali"


def test_who_starts_the_client_anew_gets_the_own_name_back_when_it_was_at_no_table() -> None:
    driver = LobbyDriver()
    first = driver.hello("Ali")
    driver.drop(first)
    assert driver.hello("Ali").name == "Ali"
    assert isinstance(driver.try_hello("Ali", resume=first.token), wire.Refused)


def test_a_held_seat_keeps_its_name() -> None:
    driver = LobbyDriver()
    south, *_ = driver.four_players()
    driver.drop(south)
    assert driver.hello("South").name == "South 2"


# ---------------------------------------------------------------- tables, spectators, chat


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"preset": "bridge"}, "bad_rules", "preset"),
        ({"rules": wire.RuleChoices(target=30)}, "bad_rules", "rules"),
        ({"name": "\u202eevil"}, "bad_name", "name"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_field(
    fields: dict[str, object], code: str, field: str
) -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali")
    answer = driver.request(link, wire.OpenTable, **{"name": "Majlis", **fields})
    assert isinstance(answer, wire.Error)
    assert (answer.code, answer.field) == (code, field)
    assert driver.lobby.tables == {}


def test_a_preset_with_choices_is_what_the_players_are_told() -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali")
    number = driver.open_table(link, preset="classic", rules=wire.RuleChoices(target=61, partner_hints=True))
    driver.ok(link, wire.Join, table=number)
    assert link.view is not None
    expected = PRESETS["classic"]
    assert link.view.rules == Ruleset(
        auction=AuctionKind.CONTINUING, thirteen=expected.thirteen, target=61, partner_hints=True
    )


@pytest.mark.proves("F-3")
def test_tables_are_listed_in_pages_that_fit_a_frame() -> None:
    driver = LobbyDriver(max_tables=1000, max_tables_per_player=1000)
    link = driver.hello("\U0001f0cf" * 23 + "A")
    for _ in range(150):
        driver.advance(0.1)
        driver.open_table(link, name="\U0001f0cf" * 24)
        driver.advance(0.1)
    listed: list[int] = []
    after = None
    while True:
        page = driver.ok(link, wire.ListTables, after=after)
        assert isinstance(page, wire.Tables)
        listed += [entry.table for entry in page.tables]
        if not page.more:
            break
        after = listed[-1]
    assert listed == sorted(driver.lobby.tables)
    assert len(listed) == 150


def test_open_tables_are_limited_for_the_server_and_for_a_player() -> None:
    driver = LobbyDriver(max_tables=3, max_tables_per_player=2)
    one, two = driver.hello("One"), driver.hello("Two")
    driver.open_table(one)
    driver.open_table(one)
    assert driver.refused(one, wire.OpenTable, name="third") == "too_many_tables"
    driver.open_table(two)
    assert driver.refused(two, wire.OpenTable, name="fourth") == "too_many_tables"


def test_a_locked_table_opens_to_its_password_alone_and_five_wrong_ones_end_the_session() -> None:
    driver = LobbyDriver()
    owner, guest = driver.hello("Owner"), driver.hello("Guest")
    number = driver.open_table(owner, password=TABLE_PASSWORD)
    assert driver.refused(guest, wire.Join, table=number) == "wrong_password"
    driver.ok(guest, wire.Watch, table=number, password=TABLE_PASSWORD)
    driver.ok(guest, wire.Leave)
    for attempt in range(3):
        assert driver.refused(guest, wire.Join, table=number, password=str(attempt)) == "wrong_password"
    assert guest.of_type(wire.Goodbye) == []
    driver.refused(guest, wire.Join, table=number, password=str(4))
    (goodbye,) = guest.of_type(wire.Goodbye)
    assert isinstance(goodbye, wire.Goodbye)
    assert goodbye.code == "kicked"
    assert driver.lobby.sessions.get(guest.session) is None
    assert not any(TABLE_PASSWORD in str(entry) for entry in driver.logs)


def test_a_table_may_take_no_spectators_or_a_limited_number() -> None:
    driver = LobbyDriver(max_spectators=1)
    links = [driver.hello(f"Guest {number}") for number in range(3)]
    closed = driver.open_table(links[0], spectators=False)
    assert driver.refused(links[0], wire.Watch, table=closed) == "cannot_watch"
    opened = driver.open_table(links[0])
    driver.ok(links[0], wire.Watch, table=opened)
    assert driver.refused(links[1], wire.Watch, table=opened) == "cannot_watch"


@pytest.mark.proves("T-1")
def test_spectators_may_chat_but_neither_act_nor_call_bots() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=driver.table_of(links[0]).number)
    assert driver.refused(watcher, wire.Act, action=wire.CutAction(5)) == "not_a_player"
    assert driver.refused(watcher, wire.AddBot) == "not_a_player"
    assert driver.refused(watcher, wire.RemoveBot, seat=Seat.SOUTH) == "not_a_player"
    driver.ok(watcher, wire.Chat, text="  nice   hand ")
    said = links[0].of_type(wire.Said)[-1]
    assert isinstance(said, wire.Said)
    assert (said.name, said.text, said.seat) == ("Watcher", "nice hand", None)


@pytest.mark.parametrize("kind", [wire.Leave, wire.AddBot, wire.Sync])
@pytest.mark.proves("T-1")
def test_requests_for_a_table_are_refused_to_who_is_at_none(kind: type[wire.Request]) -> None:
    driver = LobbyDriver()
    assert driver.refused(driver.hello("Ali"), kind) == "not_at_table"


def test_lobby_chat_reaches_those_who_are_at_no_table() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    one, two = driver.hello("One"), driver.hello("Two")
    driver.ok(one, wire.Chat, text="anybody?")
    assert [len(link.of_type(wire.LobbySaid)) for link in (one, two, *links)] == [1, 1, 0, 0, 0, 0]
    assert driver.refused(one, wire.Chat, text="\x07") == "bad_text"


def test_chat_is_limited_but_acts_go_on() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    answers = [driver.request(links[0], wire.Chat, text="spam") for _ in range(20)]
    assert [isinstance(answer, wire.Done) for answer in answers] == [True] * int(CHAT.burst) + [False] * 15
    assert {answer.code for answer in answers if isinstance(answer, wire.Error)} == {"rate_limited"}
    assert driver.play_on(links, random.Random(0), 100) == 100
    driver.advance(2 / CHAT.per_second)
    driver.ok(links[0], wire.Chat, text="sorry")


@pytest.mark.proves("Q-7")
def test_a_flood_of_requests_is_slowed_and_then_cut_off_and_may_come_back() -> None:
    driver = LobbyDriver()
    link = driver.hello("Flood")
    answers = [driver.request(link, wire.ListTables) for _ in range(int(REQUESTS.burst) + 5)]
    assert sum(isinstance(answer, wire.Tables) for answer in answers) == REQUESTS.burst
    for _ in range(300):
        if link.closed_with is not None:
            break
        link.last_id += 1
        driver._perform(driver.lobby.request(link.session, wire.Leave(id=link.last_id), driver.now))
    assert link.closed_with is not None
    assert link.closed_with.code == "rate_limited"
    assert link.closed_with.resumable
    driver.advance(10)
    driver.resume(link)
    driver.ok(link, wire.ListTables)


@pytest.mark.proves("D-1")
def test_a_server_that_stops_says_goodbye_and_takes_nobody_in() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    driver.drop(links[3])
    driver._perform(driver.lobby.shut_down())
    assert [link.closed_with.code for link in links[:3] if link.closed_with is not None] == ["shutdown"] * 3
    refused = driver.try_hello("Late")
    assert isinstance(refused, wire.Refused)
    assert refused.code == "shutdown"


# ---------------------------------------------------------------- what one address may take

SITE = "2001:db8:1:2::"


def test_one_address_cannot_fill_the_names_with_sessions_that_are_away() -> None:
    driver = LobbyDriver(max_connections_per_address=3)
    neighbour = driver.hello("Neighbour", address="192.0.2.1")
    driver.drop(neighbour)
    flood = [driver.hello(f"Flood {number}", address=f"{SITE}{number + 1:x}") for number in range(10)]
    for link in flood:
        driver.drop(link)
    names = {session.name for session in driver.lobby.sessions}
    assert names == {"Neighbour", "Flood 7", "Flood 8", "Flood 9"}


def test_an_address_with_too_many_sessions_that_are_away_costs_nobody_a_seat() -> None:
    driver = LobbyDriver(max_connections_per_address=2)
    seated = driver.hello("Seated", address=SITE)
    number = driver.open_table(seated)
    driver.ok(seated, wire.Join, table=number)
    driver.drop(seated)
    for at in range(9):
        driver.drop(driver.hello(f"Flood {at}", address=SITE))
    assert len(driver.lobby.sessions) == 3
    driver.resume(seated)
    assert [each.session for _, each in driver.lobby.tables[number].seating.players] == [seated.session]


def test_one_address_cannot_open_every_table() -> None:
    driver = LobbyDriver(max_connections_per_address=3)
    links = [driver.hello(f"Opener {number}", address=SITE) for number in range(3)]
    opened = [driver.open_table(link) for link in links]
    code = driver.refused(links[0], wire.OpenTable, name="One more")
    assert code == "too_many_tables"
    driver.open_table(driver.hello("Elsewhere", address="192.0.2.1"))
    driver.advance(driver.settings.deserted_seconds + 1)
    assert not set(opened) & driver.lobby.tables.keys()
    driver.open_table(links[0])
