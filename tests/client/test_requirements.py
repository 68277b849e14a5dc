"""Requirements of ``docs/protocol.md`` on a client that no test of a part of it proves by the way."""

from __future__ import annotations

import random

import pytest
import trio
import trio.testing

import tarneeb_server.play as server_play
from support.fake_server import Accepted, FakeServer
from support.lobby_driver import LobbyDriver
from support.table_talk import solo
from tarneeb_client.audit import DealCheck
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.link_items import LinkBack, LinkEnded
from tarneeb_client.wording import connection as wording
from tarneeb_client.wording.events import CHECKS
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m
from tarneeb_protocol.fairness import commitment


async def welcomed(server: FakeServer, ends: list[Accepted], **welcome: object) -> None:
    ends.append(await server.accept())
    await ends[-1].welcome(**welcome)


@pytest.mark.proves("V-5")
async def test_a_capability_that_the_client_does_not_know_is_passed_over(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server, ends = FakeServer(), list[Accepted]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: welcomed(server, ends, capabilities=("x-example.org/rewind",)))
        async with open_link(server.dial, name="Nour", rng=random.Random(1)) as link:
            assert link.is_connected
            number = link.post(m.ListTables(id=NEW))
            assert await ends[0].hear_request() == m.ListTables(id=number)


@pytest.mark.proves("H-6")
async def test_a_client_reads_on_and_answers_while_nobody_takes_what_it_read(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server, ends = FakeServer(), list[Accepted]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: welcomed(server, ends))
        async with open_link(server.dial, name="Nour", rng=random.Random(1)) as link:
            for number in range(1000):
                await ends[0].say(m.LobbySaid(name="Rami", text=str(number)))
            await ends[0].say(m.Ping(nonce=77))
            with trio.fail_after(5):
                assert await ends[0].hear() == m.Pong(nonce=77)
            # Nothing was thrown away meanwhile.
            for number in range(1000):
                assert await anext(link) == m.LobbySaid(name="Rami", text=str(number))


@pytest.mark.proves("Q-8", "G-2")
async def test_what_an_error_answered_is_asked_again_under_a_new_id_and_an_unknown_code_is_handed_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server, ends = FakeServer(), list[Accepted]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: welcomed(server, ends))
        async with open_link(server.dial, name="Nour", rng=random.Random(1)) as link:
            first = link.post(m.Chat(id=NEW, text="hello"))
            assert (await ends[0].hear_request()).id == first
            error = m.Error(id=first, code="something_new", message="because")
            await ends[0].say(error)
            assert await anext(link) == error
            second = link.post(m.Chat(id=NEW, text="hello"))
            assert second > first
            assert (await ends[0].hear_request()).id == second


@pytest.mark.proves("G-2", "B-6")
async def test_a_refusal_of_a_resume_with_an_unknown_code_is_final_and_its_message_shown(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server, ends = FakeServer(), list[Accepted]()
    refused = m.Refused(code="something_new", message="come another way", protocol_min=1, protocol_max=1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: welcomed(server, ends))
        async with open_link(server.dial, name="Nour", rng=random.Random(1)) as link:
            await ends[0].cut()
            again = await server.accept()
            await again.hear()
            await again.say(refused)
            items = [item async for item in link]
            assert items[-1] == LinkEnded("something_new", wording.refused(refused))
            assert "come another way" in wording.refused(refused)
            await trio.sleep(1000)
            assert len(server.dials) == 2


@pytest.mark.proves("G-2")
async def test_after_a_goodbye_of_an_unknown_code_that_is_resumable_the_client_comes_back(
    autojump_clock: trio.testing.MockClock,
) -> None:
    server, ends = FakeServer(), list[Accepted]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: welcomed(server, ends))
        async with open_link(server.dial, name="Nour", rng=random.Random(1)) as link:
            await ends[0].say(m.Goodbye(code="something_new", message="moment", resumable=True))
            again = await server.accept()
            await again.welcome(resumed=True)
            assert await _until_back(link)


async def _until_back(link: Link) -> bool:
    async for item in link:
        if isinstance(item, LinkBack):
            return True
    return False


@pytest.mark.proves("M-5")
def test_a_reason_that_the_client_does_not_know_is_told_like_any_other() -> None:
    nour = solo(LobbyDriver())
    table, view = nour.driver.table_of(nour.link).number, nour.conversation.view
    assert view is not None
    seq = view.snapshot.seq + 1
    nour.conversation.received(
        m.PlayerLeft(table=table, seq=seq, seat=Seat.EAST, name="Bot Badr", reason="a whim")
    )
    assert "Bot Badr" in nour.printed[-1]
    nour.conversation.received(m.TableClosed(table=table, seq=seq + 1, reason="a whim"))
    assert nour.conversation.view is None
    assert "closed" in nour.printed[-1]


# ---------------------------------------------------------------- a server that cheats


class Cheating:
    """What a server commits to and reveals when it is not the pack that it deals."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, reveals_what_it_committed_to: bool) -> None:
        self.salt = b""
        monkeypatch.setattr(server_play, "commitment", self.commit)
        if reveals_what_it_committed_to:
            monkeypatch.setattr(server_play.Play, "reveal", lambda _: (self.pack, self.salt.hex()))
        self.pack: tuple[Card, ...] = ()

    def commit(self, pack: tuple[Card, ...], salt: bytes) -> str:
        first, *others = pack
        self.pack, self.salt = (*others, first), salt
        return commitment(self.pack, salt)


def said_of_the_first_deal() -> set[str]:
    """Of all that a client can say of a deal, what it printed after the first one."""
    nour = solo(LobbyDriver(seed_for_tests=2, bot_delay=0.0), table="Friends turn=1")
    while not any(isinstance(message, m.DealRevealed) for message in nour.link.received):
        nour.driver.advance(0.5)
    nour.listen()
    return {said for said in CHECKS.values() if any(said in line for line in nour.printed)}


@pytest.mark.proves("Y-4")
def test_a_player_of_an_honest_server_is_told_that_the_deal_was_checked() -> None:
    assert said_of_the_first_deal() == {CHECKS[DealCheck.FAIR]}


@pytest.mark.parametrize(
    ("reveals_what_it_committed_to", "found"),
    [(False, DealCheck.OTHER_PACK), (True, DealCheck.OTHER_HANDS)],
)
@pytest.mark.proves("Y-4")
def test_a_player_of_a_server_that_deals_another_pack_than_it_committed_to_is_told_so(
    reveals_what_it_committed_to: bool, found: DealCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    Cheating(monkeypatch, reveals_what_it_committed_to=reveals_what_it_committed_to)
    assert said_of_the_first_deal() == {CHECKS[found]}
