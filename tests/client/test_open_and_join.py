"""Opening a table and finding it again, as typed: options, names with spaces, what is not meant for a name."""

from __future__ import annotations

import pytest

from support.lobby_driver import LobbyDriver
from support.table_talk import TableTalk
from tarneeb_protocol.messages import BotLevel


def opened(line: str) -> tuple[TableTalk, list[str]]:
    nour = TableTalk(LobbyDriver(), "Nour")
    return nour, nour.type(line)


def test_a_table_has_the_times_and_the_stand_in_that_were_typed_and_tells_them() -> None:
    nour, said = opened("open Friends turn=30 grace=300 stand_in=Random")
    assert said == ["Table 1 Friends is open. Sit down: join 1"]
    options = nour.driver.lobby.tables[1].options
    assert (options.turn_seconds, options.grace_seconds, options.stand_in) == (30, 300, BotLevel.RANDOM)
    (listed,) = nour.type("tables")
    assert listed.endswith("30 s a turn, seats held 5:00, a random bot stands in.")
    nour.type("join")
    assert nour.type("rules")[-4:] == [
        "Each turn has 30 seconds.",
        "The seat of who loses the link is held 5:00.",
        "A random bot plays for who is away or lets the time run out; further turns then take a second.",
        "A random bot takes the seat of who leaves, or stays away longer, during a set.",
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("open Friends grace=3601", "! grace is 0 to 3600 seconds, not 3601."),
        ("open Friends turn=9999", "! turn is 0 to 3600 seconds, not 9999."),
        ("open Friends grace=long", "! “long” is not a number of seconds: type a whole number."),
        ("open Friends stand_in=clever", "! stand_in is one of random, steady, not “clever”."),
    ],
)
def test_a_value_that_no_table_has_is_refused_with_what_is_accepted(line: str, problem: str) -> None:
    nour, said = opened(line)
    assert said == [problem]
    assert nour.driver.lobby.tables == {}


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("open Friends classic", "preset=classic"),
        ("open Friends turn 30", "turn=30"),
        ("open Friends target 41 spectators=no", "target=41"),
        ("open Friends grace 60", "grace=60"),
    ],
)
def test_an_option_without_its_sign_is_not_taken_for_a_part_of_the_name(line: str, meant: str) -> None:
    nour, (said,) = opened(line)
    assert said.startswith(f"! Options are written with =, as in {meant}. If “Friends ")
    assert nour.driver.lobby.tables == {}


def test_a_password_without_its_sign_is_neither_a_name_nor_shown() -> None:
    nour, (said,) = opened("open Friends password sesame")
    assert "sesame" not in said
    assert "password=TEXT" in said
    assert nour.driver.lobby.tables == {}


@pytest.mark.parametrize("name", ["Friends classic", "Friends turn 30", "My turn", "Classic", "Password"])
def test_in_quotes_any_words_are_a_name(name: str) -> None:
    nour, _ = opened(f'open "{name}"')
    assert nour.driver.lobby.tables[1].name == name


@pytest.mark.parametrize("name", ["My turn", "Classic evening", "Tarneeb tarneeb"])
def test_words_that_cannot_be_an_option_are_a_name_without_quotes(name: str) -> None:
    nour, _ = opened(f"open {name}")
    assert nour.driver.lobby.tables[1].name == name


@pytest.mark.parametrize(
    ("line", "seat"),
    [
        ("join Fri ends", "South"),
        ("join fri ENDS west", "West"),
        ("join 'Fri ends' n", "North"),
        ("join 1 east", "East"),
        ("join", "South"),
    ],
)
def test_a_table_is_joined_by_its_name_with_or_without_quotes(line: str, seat: str) -> None:
    nour, _ = opened("open Fri ends")
    assert nour.type(line)[0].startswith(f"Table 1 Fri ends. You are {seat}.")


def test_a_partner_is_named_after_a_name_with_spaces() -> None:
    driver = LobbyDriver()
    nour, rami = TableTalk(driver, "Nour"), TableTalk(driver, "Rami Haddad")
    nour.type("open Fri ends", "join 1 east")
    assert rami.type("join Fri ends with Nour")[0].startswith("Table 1 Fri ends. You are West.")
    rami.type("leave")
    nour.type("leave")
    rami.type("join 1 south")
    assert nour.type("join Fri ends with rami haddad")[0].startswith("Table 1 Fri ends. You are North.")


def test_what_is_neither_a_table_nor_a_seat_is_said_to_be_none() -> None:
    nour, _ = opened("open Fri ends")
    assert nour.type("join 1 wset") == ["! “wset” is not a seat. Accepted: south, east, north, west."]
    assert nour.type("join Fry ends") == [
        "! No table is called “Fry ends”. Type tables for those that are open."
    ]
    assert nour.type("join Fri ends with") == ["! Say whose partner you want to be: join TABLE with PLAYER."]
