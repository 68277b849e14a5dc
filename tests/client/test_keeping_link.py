"""A link and the keeper of its sessions: what is offered, what is kept when, and how a link may end."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio

from support.fake_server import ABOUT, FIRST_TOKEN, WELCOME, Accepted, FakeServer
from tarneeb_client.kept_session import IDS_OF_A_PROCESS, KeptSession
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkFailed, LinkItem, LinkLost
from tarneeb_engine.ruleset import Ruleset
from tarneeb_protocol import messages as m
from tarneeb_protocol.connection import ConnectionClosed

SECOND_TOKEN = "token 2"
UNKNOWN = m.Refused(code="bad_token", message="unknown", protocol_min=1, protocol_max=1)
SNAPSHOT = m.Snapshot(
    table=3,
    seq=10,
    name="Friends",
    state=m.TableState.WAITING,
    rules=Ruleset(),
    turn_seconds=0,
    grace_seconds=120,
    seats=(None, None, None, None),
)


def kept(token: str, *, server: str = WELCOME.server, ids_from: int = 0) -> KeptSession:
    return KeptSession(
        address="a",
        server=server,
        server_name="Majlis",
        asked_name="Nour",
        name="Nour",
        token=token,
        ids_from=ids_from,
        written_at=0.0,
        grace_seconds=120,
    )


class FakeKeeper:
    """A keeper without a disk. ``log`` is what it was asked and told, in order."""

    def __init__(self, *sessions: KeptSession, seconds: float = 0.0) -> None:
        self.sessions = list(sessions)
        self.log: list[str] = []
        self.kept: list[tuple[str, int]] = []
        self._seconds = seconds

    def has_any(self) -> bool:
        return bool(self.sessions)

    def offer(self, server: str, fingerprint: str | None) -> KeptSession | None:
        assert fingerprint is None  # memory streams have no certificate
        return next((each for each in self.sessions if each.server == server), None)

    def refused(self) -> None:
        self.log.append(f"refused {self.sessions.pop(0).token}")

    async def keep(self, welcome: m.Welcome, asked_name: str, ids_from: int, fingerprint: str | None) -> None:
        await trio.sleep(self._seconds)
        self.log.append(f"keep {welcome.token}")
        self.kept.append((welcome.token, ids_from))

    def forget(self) -> None:
        self.log.append("forget")


@asynccontextmanager
async def linked(server: FakeServer, keeper: FakeKeeper) -> AsyncIterator[tuple[Link, Accepted]]:
    """A link that the server has welcomed as a newcomer, and the server's end of its connection."""
    ends: list[Accepted] = []

    async def welcome() -> None:
        ends.append(await server.accept())
        await ends[0].welcome()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(welcome)
        async with open_link(server.dial, name="Nour", rng=random.Random(1), keeper=keeper) as link:
            yield link, ends[0]


async def next_of(link: Link, kind: type[LinkItem]) -> LinkItem:
    async for item in link:
        if isinstance(item, kind):
            return item
    raise AssertionError(f"the link ended before any {kind.__name__}")


async def asked_who_it_is(server: FakeServer, about: m.About = ABOUT) -> tuple[Accepted, m.Hello]:
    """Accept a connection that asks before it says hello; the hello."""
    end = await server.accept()
    assert await end.hear() == m.Describe()
    await end.say(about)
    hello = await end.hear()
    assert isinstance(hello, m.Hello)
    return end, hello


# ---------------------------------------------------------------- what is offered


async def test_with_nothing_kept_a_link_says_hello_at_once(autojump_clock: trio.testing.MockClock) -> None:
    keeper = FakeKeeper()
    async with linked(FakeServer(), keeper):
        assert keeper.kept == [(FIRST_TOKEN, IDS_OF_A_PROCESS)]


async def test_a_kept_session_is_resumed_once_the_server_has_said_which_it_is(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    keeper = FakeKeeper(kept("old", ids_from=5000))

    async def answer() -> None:
        end, hello = await asked_who_it_is(server)
        assert (hello.resume, hello.seq) == ("old", None)
        await end.say(msgspec.structs.replace(WELCOME, resumed=True, table=3), SNAPSHOT)
        request = await end.hear_request()
        assert request.id == 5001  # above whatever the former process used

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        async with open_link(server.dial, name="Nour", keeper=keeper) as link:
            assert link.welcome.resumed
            link.post(m.ListTables(id=NEW))
            await next_of(link, m.Snapshot)
            await trio.testing.wait_all_tasks_blocked()
    assert keeper.kept == [(FIRST_TOKEN, 5000 + IDS_OF_A_PROCESS)]


@pytest.mark.proves("R-5", "R-20")
async def test_another_server_at_the_address_is_shown_no_token(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    keeper = FakeKeeper(kept("old", server="the one that was here before", ids_from=5000))

    async def answer() -> None:
        end, hello = await asked_who_it_is(server)
        assert hello.resume is None
        await end.say(WELCOME)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        async with open_link(server.dial, name="Nour", keeper=keeper):
            assert len(server.dials) == 1
    assert keeper.kept == [(FIRST_TOKEN, IDS_OF_A_PROCESS)]


async def test_a_server_that_does_not_say_which_it_is_is_shown_no_token(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    keeper = FakeKeeper(kept("old"))

    async def answer() -> None:
        old = await server.accept()
        assert await old.hear() == m.Describe()
        await old.say(m.Refused(code="hello_expected", message="no", protocol_min=1, protocol_max=1))
        end = await server.accept()
        assert (await end.welcome()).resume is None

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        async with open_link(server.dial, name="Nour", keeper=keeper):
            pass
    assert "refused old" not in keeper.log


@pytest.mark.proves("B-5")
async def test_a_session_that_the_server_does_not_know_leads_to_the_next_and_then_to_a_new_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    keeper = FakeKeeper(kept("first", ids_from=7000), kept("second", ids_from=8000))
    shown: list[str | None] = []

    async def answer() -> None:
        for _ in range(2):
            end, hello = await asked_who_it_is(server)
            shown.append(hello.resume)
            await end.say(UNKNOWN)
        end = await server.accept()
        shown.append((await end.welcome()).resume)
        assert (await end.hear_request()).id == 1

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        async with open_link(server.dial, name="Nour", keeper=keeper) as link:
            link.post(m.ListTables(id=NEW))
            await trio.testing.wait_all_tasks_blocked()
    assert shown == ["first", "second", None]
    assert keeper.log[:3] == ["refused first", "refused second", f"keep {FIRST_TOKEN}"]


async def test_a_refusal_that_is_not_of_the_token_keeps_it_for_another_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    keeper = FakeKeeper(kept("old"))

    async def answer() -> None:
        end, _ = await asked_who_it_is(server)
        await end.say(m.Refused(code="server_full", message="full", protocol_min=1, protocol_max=1))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        with pytest.raises(LinkFailed, match="full"):
            async with open_link(server.dial, name="Nour", keeper=keeper):
                pass
    assert keeper.log == []


# ---------------------------------------------------------------- what is kept when


async def test_a_token_is_kept_before_anything_is_said_on_its_connection(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Until then the server takes the token before, so that a process killed at any instant can come back."""
    server = FakeServer()
    keeper = FakeKeeper(seconds=0.5)
    async with linked(server, keeper) as (link, end):
        await end.cut()
        await next_of(link, LinkLost)
        link.post(m.ListTables(id=NEW))
        again = await server.accept()
        await again.welcome(resumed=True, token=SECOND_TOKEN)
        welcomed = trio.current_time()
        await again.hear_request()
        assert trio.current_time() - welcomed == pytest.approx(0.5)
        assert keeper.log == [f"keep {FIRST_TOKEN}", f"keep {SECOND_TOKEN}"]
        assert keeper.kept[1] == (SECOND_TOKEN, IDS_OF_A_PROCESS)


async def test_a_link_that_is_closed_while_a_token_is_kept_leaves_no_connection_behind(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    keeper = FakeKeeper(seconds=0.5)
    async with linked(server, keeper) as (link, end):
        await end.cut()
        again = await server.accept()
        await again.welcome(resumed=True)
        await trio.sleep(0.1)
        assert not link.is_connected
    assert isinstance(await again.hear(), ConnectionClosed)


@pytest.mark.parametrize(
    ("goodbye", "is_over"),
    [
        (m.Goodbye(code="kicked", message="by the host"), True),
        (m.Goodbye(code="superseded", resumable=True), True),
        (m.Goodbye(code="shutdown"), True),
        (m.Goodbye(code="shutdown", resumable=True), False),
        (m.Goodbye(code="idle", resumable=True), False),
    ],
    ids=lambda value: f"{value.code} {value.resumable}" if isinstance(value, m.Goodbye) else "",
)
async def test_a_session_that_the_server_ends_is_forgotten_and_one_that_it_holds_is_not(
    goodbye: m.Goodbye, *, is_over: bool, autojump_clock: trio.testing.MockClock
) -> None:
    server = FakeServer()
    keeper = FakeKeeper()
    async with linked(server, keeper) as (link, end):
        link.is_leaving = lambda: False
        await end.say(goodbye)
        await next_of(link, LinkEnded if is_over else LinkLost)
    assert ("forget" in keeper.log) is is_over


async def test_a_session_that_was_lost_while_the_link_was_is_kept_no_more_but_the_new_one_is(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    keeper = FakeKeeper()
    async with linked(server, keeper) as (link, end):
        await end.cut()
        again = await server.accept()
        assert (await again.hear_hello()).resume == FIRST_TOKEN
        await again.say(UNKNOWN)
        fresh = await server.accept()
        await fresh.welcome(token=SECOND_TOKEN)
        back = await next_of(link, LinkBack)
        assert isinstance(back, LinkBack)
        assert not back.resumed
        assert keeper.kept[-1] == (SECOND_TOKEN, IDS_OF_A_PROCESS)


# ---------------------------------------------------------------- how a link ends


@pytest.mark.proves("R-17")
async def test_who_leaves_for_good_says_goodbye_and_keeps_nothing(
    autojump_clock: trio.testing.MockClock,
) -> None:
    keeper = FakeKeeper()
    async with linked(FakeServer(), keeper) as (link, end):
        pass
    assert await end.hear() == m.Goodbye(code="left")
    assert link.has_left
    assert keeper.log == [f"keep {FIRST_TOKEN}", "forget"]


async def test_who_does_not_leave_for_good_closes_without_a_word(
    autojump_clock: trio.testing.MockClock,
) -> None:
    keeper = FakeKeeper()
    async with linked(FakeServer(), keeper) as (link, end):
        await trio.testing.wait_all_tasks_blocked()  # the connection is being served by now
        link.is_leaving = lambda: False
        link.post(m.Chat(id=NEW, text="wait for me"))
        await trio.testing.wait_all_tasks_blocked()
    assert await end.hear_request() == m.Chat(id=1, text="wait for me")
    assert isinstance(await end.hear(), ConnectionClosed)
    assert not link.has_left
    assert "forget" not in keeper.log


async def test_who_quits_while_the_link_is_lost_could_not_say_goodbye(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    keeper = FakeKeeper()
    async with linked(server, keeper) as (link, end):
        await end.say(SNAPSHOT)
        await next_of(link, m.Snapshot)
        server.is_down = True
        await end.cut()
        await next_of(link, LinkLost)
    assert not link.has_left
    assert "forget" not in keeper.log


async def test_how_long_a_place_is_held_is_known_at_every_moment(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server, FakeKeeper()) as (link, end):
        assert link.held_seconds() is None
        await end.say(msgspec.structs.replace(SNAPSHOT, grace_seconds=60))
        await next_of(link, m.Snapshot)
        assert link.held_seconds() == 60
        server.is_down = True
        await end.cut()
        await next_of(link, LinkLost)
        await trio.sleep(20)
        assert link.held_seconds() == pytest.approx(40, abs=0.1)
        await trio.sleep(100)
        assert link.held_seconds() == 0
