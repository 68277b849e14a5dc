"""The line mode while somebody is away: what is said when, what the status line shows, and coming back."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

from support.fake_server import WELCOME
from support.fold import comparable
from support.lobby_driver import LobbyDriver
from support.table_talk import TableTalk, act_somehow, is_prompted, solo
from tarneeb_client.kept_session import KeptSession
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkLost
from tarneeb_client.wording import connection as wording
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import Phase, TrickView
from tarneeb_protocol import messages as m
from tarneeb_server.snapshots import snapshot

AT_TABLE_1 = msgspec.structs.replace(WELCOME, resumed=True, table=1)
LEFT_BEHIND = KeptSession(
    address="192.168.1.20",
    server=WELCOME.server,
    server_name="Majlis",
    asked_name="Nour",
    name="Nour",
    token="secret",  # noqa: S106  (made up)
    ids_from=0,
    written_at=0.0,
    grace_seconds=120,
    table=3,
    table_name="Friends",
    seat=Seat.SOUTH,
)


def lose(talk: TableTalk, attempt: int = 1, retry: float = 3.0, held: float | None = 120.0) -> list[str]:
    """The link is lost, or an attempt failed; what was printed."""
    start = len(talk.printed)
    talk.conversation.received(LinkLost(attempt, retry, held, "the connection was closed"))
    return talk.printed[start:]


def wait(talk: TableTalk, seconds: int) -> list[str]:
    """Time passes while the link is lost; what was printed."""
    start = len(talk.printed)
    for _ in range(seconds):
        talk.driver.now += 1
        talk.conversation.time_passed()
    return talk.printed[start:]


# ---------------------------------------------------------------- the player's own link


def test_a_lost_link_is_said_once_then_every_ten_seconds_and_when_little_is_left() -> None:
    nour = solo(LobbyDriver())
    assert lose(nour, 1, 0.3) == ["! Link lost (the connection was closed). Next try at once; seat held 2:00."]
    wait(nour, 1)
    assert lose(nour, 2, 1.2, 119.0) == []
    wait(nour, 9)
    assert lose(nour, 3, 4.4, 110.0) == [
        "! Link still lost (the connection was closed). Next try in 4 s; seat held 1:50."
    ]
    assert wait(nour, 49) == []
    assert wait(nour, 61) == [
        "! Your seat is held for 1 minute more.",
        "! Your seat is held for 30 seconds more.",
        "! Your seat is held for 10 seconds more.",
        wording.still_held(0),
    ]


def test_an_end_of_the_grace_that_the_server_confirms_is_said_plainly() -> None:
    nour = solo(LobbyDriver())
    lose(nour)
    start = len(nour.printed)
    nour.conversation.received(LinkBack(resumed=False, welcome=WELCOME))
    (line,) = nour.printed[start:]
    assert line == (
        "! Connected again, but your seat at table 1 Friends was given up meanwhile "
        "(seats are held for 2 minutes). You are in the lobby."
    )
    assert nour.conversation.view is None
    assert wait(nour, 200) == []


def test_a_server_that_is_back_without_its_data_is_not_taken_for_a_grace_that_ended() -> None:
    nour = solo(LobbyDriver())
    lose(nour)
    start = len(nour.printed)
    other = msgspec.structs.replace(WELCOME, server="another")
    nour.conversation.received(LinkBack(resumed=False, welcome=other, is_other_server=True))
    (line,) = nour.printed[start:]
    assert line == (
        "! Connected again, but this is another server than the one your seat at table 1 Friends was on, "
        "or it lost its data. You are in the lobby."
    )
    assert nour.conversation.view is None
    lose(nour, held=None)
    start = len(nour.printed)
    nour.conversation.received(LinkBack(resumed=False, welcome=WELCOME, is_other_server=True))
    assert nour.printed[start:] == [
        "! Connected again, but to another server than before, or one that lost its data."
    ]


def test_who_has_no_seat_hears_of_none() -> None:
    driver = LobbyDriver()
    solo(driver)
    layla = TableTalk(driver, "Layla")
    assert lose(layla, held=None) == ["! Link lost (the connection was closed). Next try in 3 s."]
    assert layla.conversation.status() == "Link lost: try 1 in 3 s; retry to try now"
    layla.conversation.received(LinkBack(resumed=True, welcome=WELCOME))
    layla.type("watch 1")
    assert lose(layla) == ["! Link lost (the connection was closed). Next try in 3 s; place held 2:00."]
    assert wait(layla, 130) == []


def test_the_status_line_counts_down_and_lines_do_not_repeat_it() -> None:
    nour = solo(LobbyDriver())
    nour.conversation.has_status = True
    assert nour.conversation.status() is None
    assert lose(nour, 1, 1.0) != []
    nour.driver.now += 13
    assert lose(nour, 3, 4.0, 107.0) == []
    assert nour.conversation.status() == "Link lost: try 3 in 4 s; seat held 1:47; retry to try now"
    assert wait(nour, 3) == []
    assert nour.conversation.status() == "Link lost: try 3 in 1 s; seat held 1:44; retry to try now"
    assert wait(nour, 2) == []
    assert nour.conversation.status() == "Link lost: try 3 under way; seat held 1:42; retry to try now"
    assert len(wait(nour, 110)) == 1  # that the time is over
    assert nour.conversation.status() == "Link lost: try 3 under way; seat no longer held; retry to try now"
    nour.conversation.received(LinkBack(resumed=True, welcome=AT_TABLE_1))
    assert nour.conversation.status() is None


def test_retry_tries_at_once_and_only_while_the_link_is_lost() -> None:
    nour = solo(LobbyDriver())
    assert nour.type("retry") == ["! The link is not lost: there is nothing to try again."]
    lose(nour)
    assert nour.type("retry", "RETRY") == []
    assert nour.retries == 2
    assert nour.type("retry now") == ["! retry takes nothing more, but “now” follows it."]
    nour.conversation.received(LinkBack(resumed=True, welcome=AT_TABLE_1))
    assert nour.type("retry") == ["! The link is not lost: there is nothing to try again."]
    nour.conversation.received(LinkEnded("kicked", "the host ended it"))
    nour.type("retry")
    assert nour.retries == 2


def test_in_json_each_attempt_and_each_notice_is_an_object() -> None:
    nour = solo(LobbyDriver(), as_json=True)
    shown = [*lose(nour, 1, 0.3), *lose(nour, 2, 1.25, 119.6), *wait(nour, 121)]
    assert [json.loads(line) for line in shown] == [
        {
            "type": "link_lost",
            "attempt": attempt,
            "retry_seconds": retry,
            "held_seconds": held,
            "reason": "the connection was closed",
        }
        for attempt, retry, held in ((1, 0.3, 120.0), (2, 1.2, 119.6))
    ] + [{"type": "seat_held", "seconds": seconds, "command": None} for seconds in (60, 30, 10, 0)]


# ---------------------------------------------------------------- the others


def test_who_else_is_away_is_counted_down_in_the_status_line_and_wherever_seats_are_shown() -> None:
    driver = LobbyDriver()
    nour, sami = TableTalk(driver, "Nour"), TableTalk(driver, "Sami")
    nour.type("open Friends", "join 1 south")
    sami.type("join 1 east")
    nour.listen()
    driver.drop(sami.link)
    nour.listen()
    driver.advance(78)
    assert nour.conversation.status() == "Sami is away, seat held 0:42"
    for command in ("who", "table", "tables"):
        assert any("Sami (link lost, held 0:42" in line for line in nour.type(command)), command
    driver.resume(sami.link)
    nour.listen()
    assert nour.conversation.status() is None
    assert not any("link lost" in line for line in nour.type("who", "table", "tables"))


def test_a_countdown_that_is_over_says_no_time() -> None:
    driver = LobbyDriver()
    nour, sami = TableTalk(driver, "Nour"), TableTalk(driver, "Sami")
    nour.type("open Friends", "join 1 south")
    sami.type("join 1 east")
    driver.drop(sami.link)
    nour.listen()
    driver.now += 300  # the server that counts has begun anew meanwhile
    assert nour.conversation.status() == "Sami is away"


# ---------------------------------------------------------------- a new process


def test_a_new_process_is_told_where_it_is_back_and_sees_the_table_as_it_stands() -> None:
    driver = LobbyDriver(seed_for_tests=3)
    nour = solo(driver)
    hand = nour.type("hand")
    driver.drop(nour.link)
    again = TableTalk(driver, "Somebody")
    again.conversation.returns(AT_TABLE_1, LEFT_BEHIND, [])
    again.take_over(nour.link)
    back, place, *others = again.listen()
    assert back == "Back at table 1 Friends, seat South."
    assert place.startswith("Table 1 Friends. You are South.")
    assert others[-1].startswith("Your turn") == is_prompted(again)
    assert again.type("hand") == hand


@pytest.mark.parametrize("is_known", [True, False])
def test_a_new_process_is_told_which_seat_was_given_up(*, is_known: bool) -> None:
    talk = TableTalk(LobbyDriver(), "Nour")
    if is_known:  # the session lives, but its table is gone
        talk.conversation.returns(msgspec.structs.replace(WELCOME, resumed=True), LEFT_BEHIND, [])
    else:
        talk.conversation.returns(WELCOME, None, [LEFT_BEHIND])
    assert talk.printed == [
        "! Your seat at table 3 Friends was given up meanwhile (seats are held for 2 minutes)."
    ]


def test_who_had_no_seat_is_told_nothing_and_in_json_it_is_an_object() -> None:
    talk = TableTalk(LobbyDriver(), "Nour")
    talk.conversation.returns(WELCOME, None, [msgspec.structs.replace(LEFT_BEHIND, table=None, seat=None)])
    assert talk.printed == []
    program = TableTalk(LobbyDriver(), "Nour", as_json=True)
    program.conversation.returns(WELCOME, None, [LEFT_BEHIND])
    assert json.loads(program.printed[-1]) == {"type": "seat_given_up", "table": 3, "table_name": "Friends"}


def test_a_hostile_name_in_a_kept_session_commands_no_terminal() -> None:
    talk = TableTalk(LobbyDriver(), "Nour")
    evil = msgspec.structs.replace(LEFT_BEHIND, table_name="\x1b[2J\u202eevil")
    talk.conversation.returns(WELCOME, None, [evil])
    (line,) = talk.printed
    assert "\x1b" not in line
    assert "\u202e" not in line


# ---------------------------------------------------------------- crashed in each state of a table


def crashed_and_back(driver: LobbyDriver, talk: TableTalk) -> TableTalk:
    """A new process of a player whose client was killed; it knows nothing of before."""
    driver.drop(talk.link)
    again = TableTalk(driver, "Newcomer")
    again.conversation.returns(msgspec.structs.replace(WELCOME, resumed=True, table=1), None, [])
    again.take_over(talk.link)
    again.listen()
    return again


def assert_as_the_server_has_it(driver: LobbyDriver, talk: TableTalk) -> None:
    """What the client knows is what the server would tell it now, and it can act when it is its turn."""
    view = talk.conversation.view
    assert view is not None
    table = driver.lobby.tables[1]
    assert comparable(view.snapshot) == comparable(snapshot(table, view.seat, driver.now))
    is_own_turn = view.deal is not None and view.deal.turn == view.seat and view.seat is not None
    if view.snapshot.state is m.TableState.PLAYING:
        assert is_prompted(talk) == is_own_turn


def test_r10_a_client_that_crashed_between_the_deal_and_the_first_bid_is_back_with_its_cards_and_can_bid() -> (
    None
):
    driver = LobbyDriver(seed_for_tests=3, bot_delay=0.0)
    nour, rami = TableTalk(driver, "Nour"), TableTalk(driver, "Rami")
    nour.type("open Friends turn=0", "join 1 south")
    rami.type("join 1 east", "bot", "bot")
    for _ in range(60):
        driver.advance(1.0)
        nour.listen()
        rami.listen()
        talk = next((each for each in (nour, rami) if is_prompted(each)), None)
        view = None if talk is None else talk.conversation.view
        if talk is None or (view is not None and view.deal is not None and view.deal.phase is Phase.AUCTION):
            break
        talk.type("cut 20")
    assert nour.conversation.view is not None
    hand = nour.conversation.view.hand
    assert len(hand) == 13
    nour = crashed_and_back(driver, nour)
    assert_as_the_server_has_it(driver, nour)
    assert nour.conversation.view is not None
    assert nour.conversation.view.hand == hand
    assert [line for line in rami.listen() if "Nour" in line][-1] == "Nour is back."
    caller = nour if is_prompted(nour) else rami
    caller.type("pass")
    assert not any(line.startswith("! ") and "pass" in line for line in caller.printed[-3:])


def trick_in_progress(talk: TableTalk) -> TrickView | None:
    view = talk.conversation.view
    return None if view is None or view.deal is None else view.deal.trick


def test_m05_who_comes_back_in_anothers_turn_sees_what_was_played_and_whose_turn_it_is() -> None:
    driver = LobbyDriver(seed_for_tests=3, bot_delay=0.0)
    rng = random.Random(5)
    nour, rami = TableTalk(driver, "Nour"), TableTalk(driver, "Rami")
    nour.type("open Friends turn=0", "join 1 south")
    rami.type("join 1 east", "bot", "bot")
    seen = 0
    for _ in range(120):
        driver.advance(1.0)
        nour.listen()
        rami.listen()
        if is_prompted(rami):
            driver.drop(nour.link)
            start = len(rami.printed)
            act_somehow(rami, rng)
            played = [line for line in rami.printed[start:] if line.startswith(("You play", "Trick"))]
            nour = crashed_and_back(driver, nour)
            assert_as_the_server_has_it(driver, nour)
            trick = (
                rami.conversation.view.deal.trick
                if rami.conversation.view and rami.conversation.view.deal
                else None
            )
            if played and trick is not None and trick.cards:
                assert any(line.startswith("Trick ") and "Rami" in line for line in nour.printed), nour.printed
                seen += 1
        elif is_prompted(nour):
            act_somehow(nour, rng)
    assert seen >= 5


@pytest.mark.parametrize("seed", range(3))
def test_m11_a_client_that_crashes_in_any_state_of_the_table_is_back_in_that_state(seed: int) -> None:
    driver = LobbyDriver(seed_for_tests=seed, bot_delay=0.0)
    rng = random.Random(seed)
    nour = TableTalk(driver, "Nour")
    nour.type("open Friends turn=0 target=31", "join 1 south")
    nour = crashed_and_back(driver, nour)  # waiting
    assert_as_the_server_has_it(driver, nour)
    nour.type("bot", "bot", "bot")
    phases = set()
    for _ in range(2000):
        driver.advance(1.0)
        nour.listen()
        view = nour.conversation.view
        assert view is not None
        state = view.snapshot.state
        phase = (state, None if view.deal is None else view.deal.phase)
        if phase not in phases or rng.random() < 0.1:
            phases.add(phase)
            nour = crashed_and_back(driver, nour)
            assert_as_the_server_has_it(driver, nour)
        if state is m.TableState.SET_OVER:
            break
        if view.prompt is not None and is_prompted(nour):
            if m.CallAction(CallKind.PASS) in view.prompt.actions:
                nour.type("pass")  # so that the set ends some time
            else:
                act_somehow(nour, rng)
    else:
        raise AssertionError("the set never ended")
    playing = {phase for state, phase in phases if state is m.TableState.PLAYING}
    assert {Phase.CUT, Phase.AUCTION, Phase.PLAY} <= playing
    assert nour.type("ready")[0] == "You are ready for the next set."
