"""What a server counts is what there is: connections, tables, timers, bytes that wait."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import trio
import trio.testing

from support.brief_play import act_briefly
from support.live_server import live_server
from support.lobby_driver import LobbyDriver
from support.rough_network import rough_network
from support.wire_client import WireClient
from tarneeb_client.addresses import Address
from tarneeb_client.link import NEW, open_link
from tarneeb_client.link_items import LinkBack
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire

if TYPE_CHECKING:
    from pathlib import Path

STALLED = 8


async def test_k05_k06_after_a_black_hole_both_ends_have_one_connection_and_count_one() -> None:
    async with (
        live_server(ping_seconds=1, dead_seconds=2) as server,
        rough_network(server.port) as network,
        open_link(Address("127.0.0.1", network.port), name="Nour", rng=random.Random(1)) as link,
    ):
        opened = await link.request(wire.OpenTable(id=NEW, name="Counts", turn_seconds=0))
        assert isinstance(opened, wire.Opened)
        await link.request(wire.Join(id=NEW, table=opened.table))
        network.flows[0].swallow()
        with trio.fail_after(60):
            async for item in link:
                if isinstance(item, LinkBack):
                    break
            # The ghost is closed by the client, and by the server as dead or superseded.
            await network.flows[0].until_closed()
            await trio.sleep(3)  # by which a server has closed what is dead
        await link.request(wire.ListTables(id=NEW))
        assert len(server.app.peers) == 1
        assert sum(session.is_connected for session in server.app.lobby.sessions) == 1
        assert len(server.app._by_session) == 1


async def test_b03_b06_what_waits_for_clients_that_do_not_read_is_bounded_and_given_back() -> None:
    async with (
        live_server(outbox_kib=128, turn_seconds=0) as server,
        await WireClient.connect(server.port) as one,
    ):
        await one.hello("One")
        number = await one.open_table()
        await one.ok(wire.Join, table=number)
        stalled = []
        for place in range(STALLED):
            client = await WireClient.connect(server.port, receive_buffer=4096)
            stalled.append(client)
            await client.hello(f"Stalled {place}")
            await client.ok(wire.Watch, table=number)
        table = server.app.lobby.tables[number]
        peers = [peer for peer in server.app.peers if peer.session != 1]
        most = 0
        for _ in range(20_000):
            if not any(peer in server.app.peers for peer in peers):
                break
            server.app._perform(table.say(1, "x" * 300))
            while one.view is None or one.view.seq < table.stream.seq:
                assert await one.receive() is not None
            most = max(most, sum(len(peer._outbox) for peer in peers))
        assert not any(peer in server.app.peers for peer in peers), "each is cut off"
        assert most <= STALLED * (128 * 1024 + 1024)
        with trio.fail_after(5):
            await one.ok(wire.Chat, text="yalla")
        for client in stalled:
            await trio.aclose_forcefully(client.stream)


def test_g05_tables_whose_sets_are_over_leave_nothing_and_chat_stays_at_its_table(tmp_path: Path) -> None:
    driver = LobbyDriver(max_tables_per_player=1000, log_level="info")
    driver.keep_in(tmp_path)
    rng = random.Random(1)
    for evening in range(2):
        tables = []
        for number in range(2):
            people = [driver.hello(f"Player {evening} {number} {seat}") for seat in range(4)]
            opened = driver.open_table(people[0], turn_seconds=0)
            for seat, link in zip(Seat, people, strict=True):
                driver.ok(link, wire.Join, table=opened, seat=seat)
            tables.append(people)
        for number, people in enumerate(tables):
            table = driver.table_of(people[0])
            while table.is_playing:
                driver.advance(1)
                link = next(link for link in people if link.prompt is not None)
                act_briefly(link, driver, rng)
            driver.ok(people[1], wire.Chat, text=f"well played {number}")
            heard = [link for link in driver.links.values() if link.of_type(wire.Said)]
            assert {link.session for link in heard} == {
                link.session for each in tables[: number + 1] for link in each
            }
        for people in tables:
            for link in people:
                driver.goodbye(link)
        driver.advance(61)
        assert driver.lobby.tables == {}
        assert len(driver.timers) == 0
        assert len(driver.lobby.sessions) == 0
    assert len(driver.records) == 4
    assert driver.journal is not None
    kept = driver.journal.store.load()
    assert (kept.tables, kept.deals, kept.sessions, kept.replies) == ([], [], [], [])
