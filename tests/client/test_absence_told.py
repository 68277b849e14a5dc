"""What is read of players who are away or let the time run out: by the others, by themselves, by newcomers."""

from __future__ import annotations

from support.lobby_driver import LobbyDriver
from support.table_talk import TableTalk
from tarneeb_client.wording.events import TIME_RAN_OUT


def four(driver: LobbyDriver) -> tuple[TableTalk, TableTalk, TableTalk, TableTalk]:
    """Four at a table with a clock of 20 s; the set has begun and Nour, in the South, is to cut."""
    nour, sami, rami, huda = (TableTalk(driver, name) for name in ("Nour", "Sami", "Rami", "Huda"))
    nour.type("open Friends turn=20")
    for talk in (nour, sami, rami, huda):
        talk.type("join 1")
    for talk in (nour, sami, rami, huda):
        talk.listen()
    return nour, sami, rami, huda


def test_the_others_read_once_that_somebody_is_away_that_a_bot_plays_and_that_the_player_is_back() -> None:
    driver = LobbyDriver(seed_for_tests=1)
    nour, sami, *_ = four(driver)
    driver.drop(nour.link)
    driver.advance(200 - 81)
    driver.resume_from_view(nour.link)
    told = [line for line in sami.listen() if "Nour" in line and "cards" not in line]
    told = [line for line in told if any(word in line for word in ("link", "bot", "back"))]
    assert told == [
        "! Nour lost the link. Seat held 2:00.",
        "! Nour is away: a bot plays instead.",
        "Nour is back.",
    ]


def test_who_lets_the_time_run_out_is_told_what_that_means_and_the_others_that_a_bot_plays() -> None:
    driver = LobbyDriver(seed_for_tests=1)
    nour, sami, *_ = four(driver)
    driver.advance(21)
    assert TIME_RAN_OUT in nour.listen()
    assert "! Nour let the time run out: a bot plays instead." in sami.listen()
    assert "Nour (a bot plays)" in sami.type("who")[0]
    assert nour.type("")[0] == "You play again."
    assert sami.listen()[-1] == "Nour plays again."
    assert "(a bot plays)" not in sami.type("who")[0]


def test_who_comes_back_reads_that_a_bot_played_meanwhile() -> None:
    driver = LobbyDriver(seed_for_tests=1)
    nour, *_ = four(driver)
    driver.drop(nour.link)
    driver.advance(60)
    driver.resume_from_view(nour.link)
    told = nour.listen()
    assert told.count("! While you were away, a bot began to play for you.") == 1
    assert TIME_RAN_OUT not in told


def test_leaving_staying_away_and_being_removed_read_differently() -> None:
    driver = LobbyDriver(seed_for_tests=1, grace_seconds=10)
    nour, sami, rami, huda = four(driver)
    sami.type("leave")
    driver.drop(rami.link)
    driver.advance(11)
    session = driver.lobby.sessions.get(huda.link.session)
    assert session is not None
    driver._perform(driver.lobby._end(session, "kicked", driver.now))
    told = [line for line in nour.listen() if "seat" in line and line.startswith("!") and "held" not in line]
    assert told == [
        "! Sami leaves seat East.",
        "! Rami stayed away too long and loses seat North.",
        "! Huda is removed from seat West.",
    ]


def test_a_full_table_says_who_is_away_and_for_how_long() -> None:
    driver = LobbyDriver(seed_for_tests=1)
    _, sami, *_ = four(driver)
    late = TableTalk(driver, "Late")
    driver.drop(sami.link)
    driver.advance(78)
    (said,) = late.type("join 1")
    assert said == (
        "! Four players sit at this table; watch it, or join another; Sami is away: seat East is free in 42 s"
        " unless Sami is back (table_full)."
    )
    assert "Sami (link lost, held 0:42" in late.type("tables")[0]


def test_who_joins_in_the_middle_of_a_deal_reads_once_that_it_is_the_own_turn() -> None:
    driver = LobbyDriver(seed_for_tests=1, bot_delay=60.0)
    nour, *_ = four(driver)
    nour.type("leave")
    late = TableTalk(driver, "Late")
    told = late.type("join 1 south")
    assert [line for line in told if "our turn" in line] == [told[-1]]
    assert told[-1].startswith("Your turn, ")
    assert "It is your turn." in late.type("table")
