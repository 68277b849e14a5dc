"""Tournaments as typed: opened, entered, followed, and said yes to."""

from __future__ import annotations

import pytest

from support.lobby_driver import LobbyDriver
from support.table_talk import TableTalk


def people(*names: str) -> list[TableTalk]:
    driver = LobbyDriver()
    return [TableTalk(driver, name) for name in names]


def test_a_tournament_is_opened_entered_begun_and_played_by_typing_alone() -> None:
    nour, amal, basil, caner = people("Nour", "Amal", "Basil", "Caner")
    (said,) = nour.type("tournament open Friday Cup sets=3 appear=60 target=41 turn=30")
    assert said.startswith("Tournament 1 Friday Cup is open. Others enter with tournament enter")
    assert amal.type("tournaments") == [
        "Tournament 1 Friday Cup: the winners stay; teams enter; 0 teams; opened by Nour."
    ]
    nour.type("tournament enter Lions with amal")
    assert amal.listen() == ["! Nour asks you to play in tournament 1 as Lions. Type yes or no."]
    amal.type("yes")
    basil.type("tournament enter 1 Night Hawks with Caner")
    assert "! Basil asks you to play in tournament 1 as Night Hawks. Type yes or no." in caner.listen()
    caner.type("y")
    assert nour.type("cup begin")[:1] == ["Tournament Friday Cup begins."]
    assert basil.listen()[-1] == "! Your team is called to table 2: type yes, within 60 seconds."
    for player in (nour, amal, basil, caner):
        player.listen()
        player.type("yes")
    assert [talk.conversation.view is not None for talk in (nour, amal, basil, caner)] == [True] * 4
    assert nour.type("tournament")[:3] == [
        "Tournament 1 Friday Cup: the winners stay, being played.",
        "1. Lions (Nour, Amal); 0 of 0 sets won; 0 in a row; points +0.",
        "2. Night Hawks (Basil, Caner); 0 of 0 sets won; 0 in a row; points +0.",
    ]
    *_news, refused = basil.type("cup end")
    assert refused == "! Nour has opened this tournament; only the opener can do that (not_the_opener)."
    nour.type("tournament end")
    assert amal.listen()[-3] == "Tournament Friday Cup is over."


def test_an_invitation_is_declined_with_no() -> None:
    nour, amal = people("Nour", "Amal")
    nour.type("tournament open Cup", "tournament enter Lions with Amal")
    amal.listen()
    amal.type("no")
    assert amal.type("no") == ["! Nobody has invited you."]
    assert amal.type("yes") == ["! Nobody asks you for a yes now."]


def test_lots_bots_and_following_are_typed_too() -> None:
    nour, amal, basil = people("Nour", "Amal", "Basil")
    nour.type("tournament open Cup lot=yes format=knock-out", "tournament bots Robots random", "cup enter")
    assert amal.type("tournament follow 1")[-2:] == [
        "1. Robots (Bot, Bot); 0 of 0 sets won; 0 in a row; points +0.",
        "Waiting for the lot: Nour.",
    ]
    amal.type("tournament enter")
    assert "partners by lot" in basil.type("tournaments")[0]
    nour.type("tournament withdraw Robots", "tournament withdraw")
    amal.listen()
    assert amal.type("tournament")[-1] == "Waiting for the lot: Amal."


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("tournament fly", "! “fly” is nothing that a tournament does. Accepted: tournament open,"),
        ("tournament open", "! Say what it is to be called: tournament open NAME [OPTION=VALUE ...]."),
        ("tournament open Cup sets=0", "! sets is 1 to 999, not 0."),
        ("tournament open Cup appear=2", "! appear is 5 to 3600, not 2."),
        (
            "tournament open Cup format=chess",
            "! format is one of winner_stays, round_robin, knock_out, not “chess”.",
        ),
        ("tournament open Cup password=x", "! “password” is not an option of a tournament. Accepted: format,"),
        ("tournament follow x", "! “x” is not the number of a tournament: type a whole number."),
        ("tournament begin", "! Say which tournament first: tournaments, then tournament follow NUMBER."),
        ("tournament enter 3 Lions", "! Say team and partner: tournament enter [NUMBER] TEAM with PLAYER."),
        ("tournament bots", "! Say what the team is to be called: tournament bots TEAM [LEVEL]."),
        ("tournaments now", "! tournaments takes nothing more."),
        ("tournament", "! You follow no tournament. Type tournaments, then tournament follow NUMBER."),
    ],
)
def test_what_cannot_be_meant_is_answered_with_what_is_accepted(line: str, problem: str) -> None:
    (nour,) = people("Nour")
    (said,) = nour.type(line)
    assert said.startswith(problem)
