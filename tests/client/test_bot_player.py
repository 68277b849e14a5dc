"""Bots as clients, against a scripted server: where they sit down, what they answer, when they give up."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio

from support.fake_server import Accepted, FakeServer
from tarneeb_client.bot_player import MOST_TRIES, BotFailed, BotPlayer, FinishedSet, take_seat
from tarneeb_client.link import Link, open_link
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import FULL_PACK
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import PublicView
from tarneeb_protocol import messages as m

SOUTH = m.SeatSummary(name="Nour", ready=True)


def table(number: int, name: str = "Friends", *, taken: Sequence[Seat] = ()) -> m.TableSummary:
    south, east, north, west = (SOUTH if seat in taken else None for seat in Seat)
    return m.TableSummary(
        table=number,
        name=name,
        state=m.TableState.WAITING,
        rules=Ruleset(),
        turn_seconds=0,
        seats=(south, east, north, west),
    )


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, Accepted, FakeServer]]:
    server = FakeServer()
    ends: list[Accepted] = []

    async def greet() -> None:
        ends.append(await server.accept())
        await ends[0].welcome()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet)
        async with open_link(server.dial, name="Robot", rng=random.Random(1)) as link:
            yield link, ends[0], server


async def requests_while_seating(
    answers: Sequence[m.Reply | m.Error], *, seat: Seat | None = None, name: str = "Friends"
) -> list[m.Request]:
    """What ``take_seat`` asks for when it gets these answers, one each."""
    asked: list[m.Request] = []
    async with linked() as (link, end, _), trio.open_nursery() as nursery:

        async def answer() -> None:
            for each in answers:
                request = await end.hear_request()
                asked.append(request)
                await end.say(msgspec.structs.replace(each, id=request.id))

        nursery.start_soon(answer)
        await take_seat(link, name, seat)
    return asked


def tables(*listed: m.TableSummary, more: bool = False) -> m.Tables:
    return m.Tables(id=0, tables=listed, more=more)


def refused(code: str) -> m.Error:
    return m.Error(id=0, code=code, message="no")


async def test_a_bot_sits_down_at_the_table_of_its_name_with_the_lowest_number_that_has_room(
    autojump_clock: trio.testing.MockClock,
) -> None:
    listed = tables(table(1, "Other"), table(2, taken=list(Seat)), table(5, "FRIENDS"), table(7))
    asked = await requests_while_seating([listed, m.Joined(id=0, table=5, seat=Seat.SOUTH)])
    assert asked[1:] == [m.Join(id=2, table=5)]


async def test_the_list_of_tables_is_read_to_its_end(autojump_clock: trio.testing.MockClock) -> None:
    pages: list[m.Reply | m.Error] = [
        tables(table(1, "A"), table(2, "B"), more=True),
        tables(table(9)),
        m.Joined(id=0, table=9),
    ]
    asked = await requests_while_seating(pages)
    assert asked == [m.ListTables(id=1), m.ListTables(id=2, after=2), m.Join(id=3, table=9)]


async def test_p01_who_opened_a_table_looks_again_and_joins_the_lower_one_that_another_opened(
    autojump_clock: trio.testing.MockClock,
) -> None:
    answers: list[m.Reply | m.Error] = [
        tables(),
        m.Opened(id=0, table=4),
        tables(table(3), table(4)),
        m.Joined(id=0, table=3),
    ]
    asked = await requests_while_seating(answers)
    assert [type(request) for request in asked] == [m.ListTables, m.OpenTable, m.ListTables, m.Join]
    assert asked[-1] == m.Join(id=4, table=3)


@pytest.mark.parametrize("code", ["seat_taken", "table_full", "no_such_table"])
async def test_who_comes_too_late_looks_again(code: str, autojump_clock: trio.testing.MockClock) -> None:
    answers: list[m.Reply | m.Error] = [
        tables(table(3)),
        refused(code),
        tables(table(3)),
        m.Joined(id=0, table=3),
    ]
    assert len(await requests_while_seating(answers)) == 4


async def test_a_full_table_and_any_other_refusal_end_the_search_with_a_sentence(
    autojump_clock: trio.testing.MockClock,
) -> None:
    with pytest.RaisesGroup(pytest.RaisesExc(BotFailed, match="has no empty seat"), flatten_subgroups=True):
        await requests_while_seating([tables(table(2, taken=list(Seat)))])
    with pytest.RaisesGroup(pytest.RaisesExc(BotFailed, match="has seat East taken"), flatten_subgroups=True):
        await requests_while_seating([tables(table(2, taken=[Seat.EAST]))], seat=Seat.EAST)
    with pytest.RaisesGroup(pytest.RaisesExc(BotFailed, match="too_many_tables"), flatten_subgroups=True):
        await requests_while_seating([tables(), refused("too_many_tables")])
    always: list[m.Reply | m.Error] = [tables(table(1)), refused("seat_taken")]
    with pytest.RaisesGroup(pytest.RaisesExc(BotFailed, match="others were faster"), flatten_subgroups=True):
        await requests_while_seating(always * MOST_TRIES)


# ---------------------------------------------------------------- playing


def snapshot(state: m.TableState = m.TableState.WAITING) -> m.Snapshot:
    return m.Snapshot(
        table=3,
        seq=0,
        name="Friends",
        state=state,
        rules=Ruleset(),
        turn_seconds=0,
        grace_seconds=120,
        seats=(SOUTH, SOUTH, SOUTH, SOUTH),
        seat=Seat.SOUTH,
        hand=(),
    )


HAND = FULL_PACK[:13]
TO_THE_FIRST_TURN: tuple[m.Message, ...] = (
    m.SetStarted(table=3, seq=1, number=1),
    m.DealStarted(table=3, seq=2, number=1, dealer=Seat.WEST, commitment="0" * 64, turn=Seat.NORTH),
    m.PackCut(table=3, seq=3, seat=Seat.NORTH, at=20),
    m.HandsDealt(table=3, seq=4, turn=Seat.SOUTH, hand=HAND),
    m.Prompt(
        table=3, seq=4, actions=(m.CallAction(call=CallKind.PASS), m.CallAction(call=CallKind.BID, tricks=7))
    ),
)
BEGUN = PublicView(Ruleset(), (0, 0), (), None, None)
WON = m.SetWon(table=3, seq=5, team=Team.EAST_WEST, scores=(-7, 33))


@asynccontextmanager
async def playing(
    *, sets: int = 1, reported: list[FinishedSet] | None = None
) -> AsyncIterator[tuple[Accepted, FakeServer]]:
    """A bot that plays in the background; the block speaks for the server."""
    report = (reported if reported is not None else []).append
    async with linked() as (link, end, server), trio.open_nursery() as nursery:
        bot = BotPlayer(link, m.BotLevel.STEADY, random.Random(1), sets=sets, wait_seconds=60, report=report)
        nursery.start_soon(bot.play)
        yield end, server


async def test_a_bot_answers_a_prompt_with_one_of_its_actions_and_reports_the_set_and_leaves(
    autojump_clock: trio.testing.MockClock,
) -> None:
    reported: list[FinishedSet] = []
    async with playing(reported=reported) as (end, _):
        await end.say(snapshot(), *TO_THE_FIRST_TURN)
        act = await end.hear_request()
        assert isinstance(act, m.Act)
        assert isinstance(act.action, m.CallAction)
        assert act.seq == 4
        await end.say(m.Done(id=act.id), WON)
        leave = await end.hear_request()
        assert isinstance(leave, m.Leave)
        await end.say(m.Done(id=leave.id))
    (finished,) = reported
    assert finished.as_fields() == {
        "set": 1,
        "table": 3,
        "table_name": "Friends",
        "winner": "East-West",
        "score": {"South-North": -7, "East-West": 33},
        "deals": 1,
        "seats": {"South": "Nour", "East": "Nour", "North": "Nour", "West": "Nour"},
    }


async def test_a_bot_says_ready_while_it_has_sets_to_play(autojump_clock: trio.testing.MockClock) -> None:
    async with playing(sets=2) as (end, _):
        await end.say(snapshot(), *TO_THE_FIRST_TURN[:-1], WON)
        await end.say(m.Prompt(table=3, seq=5, actions=(m.ReadyAction(),)))
        act = await end.hear_request()
        assert isinstance(act, m.Act)
        assert act.action == m.ReadyAction()
        await end.say(m.Done(id=act.id), m.SetStarted(table=3, seq=6, number=2))
        await end.say(m.SetWon(table=3, seq=7, team=Team.EAST_WEST, scores=(0, 31)))
        leave = await end.hear_request()
        assert isinstance(leave, m.Leave)
        await end.say(m.Done(id=leave.id))


async def test_a_bot_that_missed_an_event_asks_for_it_and_plays_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with playing() as (end, _):
        await end.say(snapshot(), *TO_THE_FIRST_TURN[:2], *TO_THE_FIRST_TURN[3:])
        sync = await end.hear_request()
        assert sync == m.Sync(id=1, seq=2)
        await end.say(*TO_THE_FIRST_TURN[2:], m.Done(id=1, seq=4))
        act = await end.hear_request()
        assert isinstance(act, m.Act)
        await end.say(m.Done(id=act.id), WON)
        await end.say(m.Done(id=(await end.hear_request()).id))


@pytest.mark.parametrize("has_next_begun", [True, False])
async def test_a_set_whose_end_a_bot_did_not_hear_counts_as_played(
    has_next_begun: bool, autojump_clock: trio.testing.MockClock
) -> None:
    # The server was killed when others had heard the end; what comes after it begins with a snapshot.
    reported: list[FinishedSet] = []
    async with playing(sets=2, reported=reported) as (end, _):
        await end.say(snapshot(), *TO_THE_FIRST_TURN[:-1])
        public = PublicView(Ruleset(), (31, 5), (), None, Team.SOUTH_NORTH)
        over = msgspec.structs.replace(
            snapshot(m.TableState.SET_OVER), seq=40, set_number=1, public=public, hand=None
        )
        await end.say(over)
        if has_next_begun:
            await end.say(
                msgspec.structs.replace(snapshot(m.TableState.PLAYING), seq=90, set_number=2, public=BEGUN)
            )
            await end.say(m.SetWon(table=3, seq=91, team=Team.EAST_WEST, scores=(0, 31)))
        else:
            await end.say(m.SetStarted(table=3, seq=41, number=2))
            await end.say(m.SetWon(table=3, seq=42, team=Team.EAST_WEST, scores=(0, 31)))
        leave = await end.hear_request()
        assert isinstance(leave, m.Leave)
        await end.say(m.Done(id=leave.id))
    assert [(each.number, each.winner) for each in reported] == [(1, Team.SOUTH_NORTH), (2, Team.EAST_WEST)]


async def test_sets_that_ended_before_a_bot_sat_down_are_not_its_own(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with playing() as (end, _):
        await end.say(msgspec.structs.replace(snapshot(m.TableState.SET_OVER), set_number=7))
        await end.say(m.SetStarted(table=3, seq=1, number=8))
        await end.say(
            msgspec.structs.replace(snapshot(m.TableState.PLAYING), seq=1, set_number=8, public=BEGUN)
        )
        await end.say(m.SetWon(table=3, seq=2, team=Team.EAST_WEST, scores=(0, 31)))
        leave = await end.hear_request()
        assert isinstance(leave, m.Leave)
        await end.say(m.Done(id=leave.id))


async def test_a_set_whose_end_nobody_can_tell_any_more_counts_too(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with playing(sets=2) as (end, _):
        await end.say(snapshot(), *TO_THE_FIRST_TURN[:-1])
        await end.say(
            msgspec.structs.replace(snapshot(m.TableState.PLAYING), seq=90, set_number=2, public=BEGUN)
        )
        await end.say(m.SetWon(table=3, seq=91, team=Team.EAST_WEST, scores=(0, 31)))
        leave = await end.hear_request()
        assert isinstance(leave, m.Leave)
        await end.say(m.Done(id=leave.id))


@pytest.mark.parametrize("code", ["not_your_turn", "stale"])
async def test_a_bot_whom_the_clock_overtook_plays_on(
    code: str, autojump_clock: trio.testing.MockClock
) -> None:
    async with playing() as (end, _):
        await end.say(snapshot(), *TO_THE_FIRST_TURN)
        act = await end.hear_request()
        await end.say(m.Error(id=act.id, code=code, message="too late"), WON)
        leave = await end.hear_request()
        assert isinstance(leave, m.Leave)
        await end.say(m.Done(id=leave.id))


def failing(match: str) -> pytest.RaisesGroup[BotFailed]:
    return pytest.RaisesGroup(pytest.RaisesExc(BotFailed, match=match), flatten_subgroups=True)


async def test_a_bot_whose_action_is_refused_for_good_says_why(autojump_clock: trio.testing.MockClock) -> None:
    with failing("the server refused an action: no such bid"):
        async with playing() as (end, _):
            await end.say(snapshot(), *TO_THE_FIRST_TURN)
            act = await end.hear_request()
            await end.say(m.Error(id=act.id, code="bid_too_low", message="no such bid"))
            await trio.sleep_forever()


async def test_a_bot_waits_for_a_set_only_so_long_but_in_a_set_as_long_as_it_takes(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with playing() as (end, _):
        await end.say(snapshot(), m.SetStarted(table=3, seq=1, number=1))
        with trio.move_on_after(1000):
            while True:
                await trio.sleep(30)
                await end.say(m.Ping())
        await end.say(m.SetWon(table=3, seq=2, team=Team.EAST_WEST, scores=(0, 31)))
        await end.say(m.Done(id=(await end.hear_request()).id))
    with failing("no set has begun after 60 s, and 1 more set should be played"):
        async with playing() as (end, _):
            await end.say(snapshot())
            start = trio.current_time()
            while True:
                await trio.sleep(10)
                # Chat is no set.
                await end.say(m.LobbySaid(name="A", text="b"))
                assert trio.current_time() < start + 100


async def test_a_bot_that_lost_its_server_for_too_long_gives_up(autojump_clock: trio.testing.MockClock) -> None:
    with failing("the connection is not back after 60 s"):
        async with playing() as (end, server):
            await end.say(snapshot(), m.SetStarted(table=3, seq=1, number=1))
            await trio.sleep(1)
            server.is_down = True
            await end.cut()
            await trio.sleep_forever()


async def test_a_bot_whose_table_or_session_is_gone_says_so(autojump_clock: trio.testing.MockClock) -> None:
    with failing("the table was closed"):
        async with playing() as (end, _):
            await end.say(snapshot(), m.TableClosed(table=3, seq=1, reason="nobody"))
            await trio.sleep_forever()
    with failing("no longer knew this bot"):
        async with playing() as (end, server):
            await end.say(snapshot())
            await trio.sleep(1)
            await end.cut()
            again = await server.accept()
            await again.welcome(resumed=False)
            await trio.sleep_forever()
    with failing("another client took over"):
        async with playing() as (end, _):
            await end.say(m.Goodbye(code="superseded"))
            await trio.sleep_forever()
