"""The link against a scripted server: it lasts through lost connections, and ends when the server says so."""

from __future__ import annotations

import itertools
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio
from anyio.abc import ByteStream
from hypothesis import given, settings
from hypothesis import strategies as st

from support.fake_server import FIRST_TOKEN, WELCOME, Accepted, FakeServer
from tarneeb_client.backoff import (
    FIRST_CAP_SECONDS,
    LAST_CAP_SECONDS,
    LAST_TRY_SECONDS,
    RESET_AFTER_SECONDS,
)
from tarneeb_client.link import MOST_FAULTS, MOST_UNANSWERED, NEW, Link, open_link
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkFailed, LinkItem, LinkLost, RequestFailed
from tarneeb_engine.ruleset import Ruleset
from tarneeb_protocol import messages as m
from tarneeb_protocol.connection import ConnectionClosed

SECOND_TOKEN = "token 2"
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


@asynccontextmanager
async def linked(server: FakeServer, **welcome: object) -> AsyncIterator[tuple[Link, Accepted]]:
    """A link that the server has welcomed, and the server's end of its first connection."""
    ends: list[Accepted] = []

    async def greet() -> None:
        ends.append(await server.accept())
        await ends[0].welcome(**welcome)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(greet)
        async with open_link(server.dial, name="Nour", rng=random.Random(1)) as link:
            yield link, ends[0]


async def next_of(link: Link, kind: type[LinkItem]) -> LinkItem:
    """The next item of this kind."""
    async for item in link:
        if isinstance(item, kind):
            return item
    raise AssertionError(f"the link ended before any {kind.__name__}")


async def refused_with(server: FakeServer, answer: Callable[[Accepted], Awaitable[object]]) -> LinkFailed:
    """What opening a link fails with when the server answers so."""

    async def speak() -> None:
        end = await server.accept()
        await end.hear()
        await answer(end)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(speak)
        with pytest.raises(LinkFailed) as caught:
            async with open_link(server.dial, name="Nour"):
                pass
    return caught.value


# ---------------------------------------------------------------- opening and closing


@pytest.mark.proves("C-1")
async def test_a_link_says_hello_and_at_the_end_goodbye(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        assert link.welcome.server_name == "Majlis"
        assert link.is_connected
    said = await end.hear()
    assert said == m.Goodbye(code="left")
    assert isinstance(await end.hear(), ConnectionClosed)


async def test_an_exception_in_the_block_comes_out_as_it_is_and_goodbye_is_said_still(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()

    async def use() -> Accepted:
        async with trio.open_nursery() as nursery:
            ends: list[Accepted] = []

            async def greet() -> None:
                ends.append(await server.accept())
                await ends[0].welcome()

            nursery.start_soon(greet)
            with pytest.raises(KeyError, match="mine"):
                async with open_link(server.dial, name="Nour"):
                    raise KeyError("mine")
        return ends[0]

    end = await use()
    assert await end.hear() == m.Goodbye(code="left")


async def test_a_link_that_is_cancelled_says_goodbye(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    ends: list[Accepted] = []
    with trio.move_on_after(1):
        async with linked(server) as (_, end):
            ends.append(end)
            await trio.sleep_forever()
    assert await ends[0].hear() == m.Goodbye(code="left")


async def test_no_server_is_a_sentence(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    server.is_down = True
    with pytest.raises(LinkFailed, match="no server listens there") as caught:
        async with open_link(server.dial, name="Nour"):
            pass
    assert caught.value.code == "no_connection"


async def test_a_server_that_does_not_answer_is_given_up_after_ten_seconds(
    autojump_clock: trio.testing.MockClock,
) -> None:
    failed = await refused_with(FakeServer(), lambda end: end.hear())
    assert failed.code == "no_answer"
    assert trio.current_time() == pytest.approx(10.0, abs=0.1)


@pytest.mark.proves("V-3")
async def test_v06_a_version_mismatch_is_one_message_that_names_both_versions(
    autojump_clock: trio.testing.MockClock,
) -> None:
    refusal = m.Refused(code="unsupported_version", message="no", protocol_min=2, protocol_max=3)
    failed = await refused_with(FakeServer(), lambda end: end.say(refusal))
    assert str(failed) == "the server speaks protocol 2 to 3, this client speaks 1: a newer client is needed"


@pytest.mark.parametrize(
    "garbage",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x00",
        b"\x00\x00\x00\x01\x91",
        b"\x00\x00\x00\x02\x81\xa1",
    ],
    ids=["http", "4 GiB", "empty", "no map", "cut off"],
)
async def test_f15_garbage_instead_of_a_welcome_is_a_sentence(
    garbage: bytes, autojump_clock: trio.testing.MockClock
) -> None:
    failed = await refused_with(FakeServer(), lambda end: end.stream.send(garbage))
    assert failed.code == "no_welcome"
    assert "does not greet as a Tarneeb server" in str(failed)


# ---------------------------------------------------------------- requests


@pytest.mark.proves("Q-1")
async def test_a_request_is_numbered_and_gets_its_own_reply(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    async with linked(server) as (link, end), trio.open_nursery() as nursery:

        async def answer() -> None:
            first, second = await end.hear_request(), await end.hear_request()
            assert (first.id, second.id) == (1, 2)
            await end.say(m.Opened(id=2, table=7), m.Tables(id=1, tables=()))

        nursery.start_soon(answer)
        replies: dict[str, m.Reply] = {}

        async def ask(name: str, request: m.Request) -> None:
            replies[name] = await link.request(request)

        nursery.start_soon(ask, "tables", m.ListTables(id=NEW))
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(ask, "opened", m.OpenTable(id=NEW, name="A"))
    assert replies == {"tables": m.Tables(id=1, tables=()), "opened": m.Opened(id=2, table=7)}


async def test_an_error_is_raised_to_who_asked_and_yielded_to_who_posted(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end), trio.open_nursery() as nursery:

        async def refuse() -> None:
            for _ in range(2):
                asked = await end.hear_request()
                await end.say(m.Error(id=asked.id, code="table_full", message="four players sit here"))

        nursery.start_soon(refuse)
        with pytest.raises(RequestFailed, match="four players sit here"):
            await link.request(m.Join(id=NEW, table=1))
        number = link.post(m.Join(id=NEW, table=1))
        error = await next_of(link, m.Error)
        assert isinstance(error, m.Error)
        assert error.id == number


async def test_what_a_request_caused_is_yielded_before_its_reply(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        number = link.post(m.Join(id=NEW, table=3))
        await end.hear_request()
        await end.say(SNAPSHOT, m.Said(table=3, seq=11, name="A", text="b"), m.Joined(id=number, table=3))
        kinds = [type(await anext(link)) for _ in range(3)]
    assert kinds == [m.Snapshot, m.Said, m.Joined]


async def test_only_so_many_requests_may_wait_and_none_may_be_too_long(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with linked(FakeServer()) as (link, _):
        with pytest.raises(ValueError, match="a server takes 8192"):
            link.post(m.Chat(id=NEW, text="x" * 9000))
        for _ in range(MOST_UNANSWERED):
            link.post(m.ListTables(id=NEW))
        with pytest.raises(RuntimeError, match="wait for an answer already"):
            link.post(m.ListTables(id=NEW))


@pytest.mark.proves("E-6")
async def test_a_reply_that_cannot_be_read_is_an_error_for_who_asked(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end), trio.open_nursery() as nursery:

        async def answer() -> None:
            await end.hear_request()
            payload = msgspec.msgpack.encode({"type": "opened", "id": 1, "table": "seven"})
            await end.stream.send(len(payload).to_bytes(4, "big") + payload)

        nursery.start_soon(answer)
        with pytest.raises(RequestFailed, match="the server's answer cannot be read"):
            await link.request(m.OpenTable(id=NEW, name="A"))


# ---------------------------------------------------------------- heartbeat


@pytest.mark.proves("H-1")
async def test_a_ping_is_answered_with_its_nonce(autojump_clock: trio.testing.MockClock) -> None:
    async with linked(FakeServer()) as (_, end):
        await end.say(m.Ping(nonce=77))
        assert await end.hear() == m.Pong(nonce=77)


@pytest.mark.proves("H-2")
async def test_a_ping_is_sent_when_nothing_else_was_for_ping_seconds(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with linked(FakeServer(), ping_seconds=15) as (link, end):
        start = trio.current_time()
        await trio.sleep(10)
        link.post(m.ListTables(id=NEW))
        assert isinstance(await end.hear(), m.ListTables)
        assert isinstance(await end.hear(), m.Ping)
        assert trio.current_time() - start == pytest.approx(25, abs=0.01)


@pytest.mark.proves("H-3")
async def test_k01_a_server_that_is_silent_for_dead_seconds_is_taken_for_lost(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with linked(FakeServer(), dead_seconds=45) as (link, _):
        start = trio.current_time()
        lost = await next_of(link, LinkLost)
        assert isinstance(lost, LinkLost)
        assert lost.reason == "nothing was heard from the server for 45 s"
        assert trio.current_time() - start == pytest.approx(45, abs=0.01)


@pytest.mark.proves("H-4")
async def test_r20_only_what_is_heard_counts_as_life_not_what_is_sent(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server, dead_seconds=45) as (link, _), trio.open_nursery() as nursery:

        async def chatter() -> None:
            while True:
                await trio.sleep(5)
                if link.is_connected:
                    link.post(m.ListTables(id=NEW))

        nursery.start_soon(chatter)
        start = trio.current_time()
        await next_of(link, LinkLost)
        assert trio.current_time() - start == pytest.approx(45, abs=0.01)
        nursery.cancel_scope.cancel()


# ---------------------------------------------------------------- lost and found


@pytest.mark.proves("C-13", "R-4")
async def test_a_lost_connection_is_resumed_with_the_token_and_the_last_event_seen(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.say(SNAPSHOT, m.Said(table=3, seq=11, name="A", text="b"))
        await next_of(link, m.Said)
        await end.cut()
        lost = await next_of(link, LinkLost)
        assert isinstance(lost, LinkLost)
        assert lost.attempt == 1
        assert lost.held_seconds == pytest.approx(120, abs=0.1)
        again = await server.accept()
        hello = await again.welcome(resumed=True, token=SECOND_TOKEN, table=3)
        assert (hello.resume, hello.seq, hello.name) == (FIRST_TOKEN, 11, "Nour")
        back = await next_of(link, LinkBack)
        assert isinstance(back, LinkBack)
        assert back.resumed
        await again.cut()
        third = await server.accept()
        assert (await third.welcome(resumed=True, table=3)).resume == SECOND_TOKEN


@pytest.mark.proves("R-14", "Q-1")
async def test_i01_requests_without_an_answer_are_sent_again_under_the_same_ids_after_a_resume(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        first, second = link.post(m.Chat(id=NEW, text="one")), link.post(m.Chat(id=NEW, text="two"))
        assert [(await end.hear_request()).id, (await end.hear_request()).id] == [first, second]
        await end.say(m.Done(id=first))
        assert await next_of(link, m.Done) == m.Done(id=first)
        await end.cut()
        await next_of(link, LinkLost)
        third = link.post(m.Chat(id=NEW, text="three"))
        again = await server.accept()
        await again.welcome(resumed=True)
        assert [await again.hear_request(), await again.hear_request()] == [
            m.Chat(id=second, text="two"),
            m.Chat(id=third, text="three"),
        ]


async def test_a_session_that_was_not_resumed_fails_what_was_not_answered(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end), trio.open_nursery() as nursery:
        caught: list[str] = []

        async def ask() -> None:
            with pytest.raises(RequestFailed) as failed:
                await link.request(m.ListTables(id=NEW))
            caught.append(failed.value.error.code)

        nursery.start_soon(ask)
        await end.hear_request()
        posted = link.post(m.Leave(id=NEW))
        await end.cut()
        again = await server.accept()
        await again.welcome(resumed=False)
        error = await next_of(link, m.Error)
        assert isinstance(error, m.Error)
        assert (error.id, error.code) == (posted, "session_lost")
    assert caught == ["session_lost"]


@pytest.mark.proves("B-5")
async def test_a_token_that_the_server_no_longer_knows_leads_to_a_new_session(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.cut()
        again = await server.accept()
        assert (await again.hear_hello()).resume == FIRST_TOKEN
        await again.say(m.Refused(code="bad_token", message="unknown", protocol_min=1, protocol_max=1))
        fresh = await server.accept()
        assert (await fresh.welcome()).resume is None
        back = await next_of(link, LinkBack)
        assert isinstance(back, LinkBack)
        assert not back.resumed


@pytest.mark.proves("R-5", "R-20")
async def test_a_server_that_is_another_one_after_a_lost_link_is_shown_no_token(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.say(SNAPSHOT)
        await next_of(link, m.Snapshot)
        await end.cut()
        again = await server.accept()
        hello = await again.welcome(server="another")
        assert (hello.resume, hello.seq) == (None, None)
        assert await next_of(link, LinkBack) == LinkBack(
            resumed=False, welcome=msgspec.structs.replace(WELCOME, server="another"), is_other_server=True
        )
        assert len(server.dials) == 2
        # From now on that one is the server.
        await again.cut()
        third = await server.accept()
        assert (await third.welcome(server="another", resumed=True)).resume == FIRST_TOKEN
        back = await next_of(link, LinkBack)
        assert isinstance(back, LinkBack)
        assert (back.resumed, back.is_other_server) == (True, False)


async def test_a_server_that_does_not_say_which_it_is_after_a_lost_link_is_shown_no_token(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.cut()
        silent = await server.accept()
        assert await silent.hear() == m.Describe()
        await silent.say(m.Refused(code="hello_expected", message="no", protocol_min=1, protocol_max=1))
        assert (await (await server.accept()).welcome()).resume is None
        back = await next_of(link, LinkBack)
        assert isinstance(back, LinkBack)
        assert not back.resumed


@given(grace=st.integers(1, 3600), seed=st.integers(0, 2**32), lasts=st.floats(0, 10))
@settings(max_examples=40, deadline=None)
def test_a_try_is_under_way_shortly_before_the_grace_ends_however_long_the_waits_have_become(
    grace: int, seed: int, lasts: float
) -> None:
    """A try that finds nobody takes ``lasts`` seconds."""
    tries: list[float] = []

    async def main() -> float:
        server = FakeServer()
        first_dial = server.dial

        async def dial() -> ByteStream:
            if not tries and not server.dials:
                return await first_dial()
            tries.append(trio.current_time())
            await trio.sleep(lasts)
            raise ConnectionRefusedError(111, "Connection refused")

        async def welcome() -> None:
            end = await server.accept()
            await end.welcome(grace_seconds=grace, ping_seconds=300, dead_seconds=600)
            await end.say(msgspec.structs.replace(SNAPSHOT, grace_seconds=grace))
            await trio.sleep(RESET_AFTER_SECONDS)
            await end.cut()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(welcome)
            async with open_link(dial, name="Nour", rng=random.Random(seed)) as link:
                lost = await next_of(link, LinkLost)
                lost_at = trio.current_time()
                assert isinstance(lost, LinkLost)
                assert lost.held_seconds == pytest.approx(grace, abs=0.1)
                async for item in link:
                    assert isinstance(item, LinkLost)
                    if trio.current_time() > lost_at + grace:
                        break
        return lost_at

    lost_at = trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    end = lost_at + grace
    assert any(begun < end and begun + lasts >= end - LAST_TRY_SECONDS[1] - 0.1 for begun in tries), tries
    waits = [later - begun - lasts for begun, later in itertools.pairwise(tries)]
    assert all(-0.1 <= wait <= LAST_CAP_SECONDS + 0.1 for wait in waits)


@pytest.mark.proves("R-8")
async def test_d03_a_link_that_was_superseded_ends_and_does_not_chase_the_one_that_took_over(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.say(m.Goodbye(code="superseded", resumable=True))
        assert await next_of(link, LinkEnded) == LinkEnded("superseded", "another client took over this seat")
        assert [item async for item in link] == []
        await trio.sleep(1000)
        assert len(server.dials) == 1
        with pytest.raises(RuntimeError, match="the link has ended"):
            link.post(m.ListTables(id=NEW))


@pytest.mark.parametrize("code", ["kicked", "left", "something new"])
@pytest.mark.proves("B-4")
async def test_a_goodbye_that_is_final_ends_the_link(code: str, autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.say(m.Goodbye(code=code, message="because"))
        ended = await next_of(link, LinkEnded)
        assert isinstance(ended, LinkEnded)
        assert ended.code == code
        await trio.sleep(1000)
        assert len(server.dials) == 1


@pytest.mark.proves("B-3")
async def test_a_goodbye_that_is_not_final_is_followed_by_a_resume_no_sooner_than_the_server_wishes(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        start = trio.current_time()
        await end.say(m.Goodbye(code="shutdown", resumable=True, retry_seconds=7))
        again = await server.accept()
        await again.welcome(resumed=True)
        assert 7 <= trio.current_time() - start <= 7 + FIRST_CAP_SECONDS
        await next_of(link, LinkBack)


@pytest.mark.proves("B-6")
async def test_a_final_refusal_of_a_resume_ends_the_link_and_a_passing_one_does_not(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.cut()
        full = await server.accept()
        await full.hear()
        await full.say(m.Refused(code="server_full", message="full", protocol_min=1, protocol_max=1))
        old = await server.accept()
        await old.hear()
        await old.say(m.Refused(code="unsupported_version", message="no", protocol_min=2, protocol_max=2))
        ended = await next_of(link, LinkEnded)
        assert isinstance(ended, LinkEnded)
        assert ended.code == "unsupported_version"


@pytest.mark.proves("B-1")
async def test_the_waits_between_attempts_grow_and_are_counted(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        server.is_down = True
        await end.cut()
        attempts = []
        for _ in range(8):
            lost = await next_of(link, LinkLost)
            assert isinstance(lost, LinkLost)
            attempts.append(lost)
        assert [lost.attempt for lost in attempts] == list(range(1, 9))
        assert all(lost.retry_seconds <= FIRST_CAP_SECONDS * 2**at for at, lost in enumerate(attempts))
        server.is_down = False
        again = await server.accept()
        await again.welcome(resumed=True)


@pytest.mark.proves("B-2")
async def test_the_waits_begin_small_again_only_after_ten_seconds_of_life(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.cut()
        for lived, attempt in ((5.0, 1), (11.0, 2), (0.0, 1)):
            lost = await next_of(link, LinkLost)
            assert isinstance(lost, LinkLost)
            assert lost.attempt == attempt
            again = await server.accept()
            await again.welcome(resumed=True)
            await next_of(link, LinkBack)
            await trio.sleep(lived)
            await again.cut()


async def test_retry_now_does_not_wait(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.say(m.Goodbye(code="shutdown", resumable=True, retry_seconds=200))
        await next_of(link, LinkLost)
        start = trio.current_time()
        await trio.testing.wait_all_tasks_blocked()
        link.retry_now()
        again = await server.accept()
        await again.welcome(resumed=True)
        assert trio.current_time() - start < 1


@pytest.mark.proves("B-1")
async def test_v01_400_links_that_lose_their_server_at_once_return_spread_over_the_window(
    autojump_clock: trio.testing.MockClock,
) -> None:
    servers = [FakeServer() for _ in range(400)]

    async def live(server: FakeServer, seed: int) -> None:
        async def serve() -> None:
            first = await server.accept()
            await first.welcome(ping_seconds=300, dead_seconds=600)
            await trio.sleep_until(100)
            await first.cut()
            again = await server.accept()
            await again.welcome(resumed=True)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            async with open_link(server.dial, name="Nour", rng=random.Random(seed)) as link:
                await next_of(link, LinkBack)

    async with trio.open_nursery() as nursery:
        for seed, server in enumerate(servers):
            nursery.start_soon(live, server, seed)
    returns = [server.dials[1] - 100 for server in servers]
    tenths = [0] * 10
    for moment in returns:
        tenths[min(9, int(10 * moment / FIRST_CAP_SECONDS))] += 1
    assert all(15 <= count <= 65 for count in tenths), tenths


# ---------------------------------------------------------------- hostile servers


@pytest.mark.proves("B-7")
async def test_f15_a_server_that_breaks_the_protocol_again_and_again_is_given_up(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        await end.stream.send(b"\xff\xff\xff\xff")
        for _ in range(MOST_FAULTS - 1):
            again = await server.accept()
            await again.welcome(resumed=True)
            await again.stream.send(b"\x00\x00\x00\x00")
        ended = await next_of(link, LinkEnded)
        assert isinstance(ended, LinkEnded)
        assert ended.code == "given_up"
        await trio.sleep(1000)
        assert len(server.dials) == MOST_FAULTS


@pytest.mark.proves("M-2")
async def test_a_message_of_a_newer_server_is_passed_over(autojump_clock: trio.testing.MockClock) -> None:
    server = FakeServer()
    async with linked(server) as (link, end):
        payload = msgspec.msgpack.encode({"type": "fireworks", "colour": "green"})
        await end.stream.send(len(payload).to_bytes(4, "big") + payload)
        await end.say(m.LobbySaid(name="Rami", text="hello"))
        assert await anext(link) == m.LobbySaid(name="Rami", text="hello")


@given(st.binary(max_size=200))
@pytest.mark.proves("E-6")
def test_f15_no_bytes_of_a_server_make_the_link_fail_otherwise_than_documented(garbage: bytes) -> None:
    async def run() -> None:
        server = FakeServer()
        async with linked(server) as (link, end):
            await end.stream.send(garbage)
            await end.cut()
            await next_of(link, LinkLost)

    trio.run(run, clock=trio.testing.MockClock(autojump_threshold=0))


@pytest.mark.parametrize(("ping", "dead"), [(0, 0), (-5, -9), (10**9, 10**9), (20, 3)])
async def test_senseless_times_of_a_server_are_brought_to_sense(
    ping: int, dead: int, autojump_clock: trio.testing.MockClock
) -> None:
    server = FakeServer()
    async with linked(server, ping_seconds=ping, dead_seconds=dead) as (link, _):
        start = trio.current_time()
        await next_of(link, LinkLost)
        assert 1 < trio.current_time() - start <= 1200
