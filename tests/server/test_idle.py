"""Long silence behind a middlebox that forgets silent flows; a quarter of an hour passes in seconds."""

from __future__ import annotations

import random

import pytest
import trio
import trio.testing

from support.live_server import live_server
from support.rough_network import rough_network
from tarneeb_client.addresses import Address
from tarneeb_client.link import NEW, open_link
from tarneeb_client.link_items import LinkBack, LinkLost
from tarneeb_protocol import messages as wire

FORGETS_AFTER = 60.0
IDLE_SECONDS = 900.0


@pytest.fixture
def clock(mock_clock: trio.testing.MockClock) -> trio.testing.MockClock:
    """Time passes when nothing else does. The threshold lets loopback sockets be something else."""
    mock_clock.autojump_threshold = 0.003
    return mock_clock


@pytest.mark.parametrize(
    ("ping_seconds", "dead_seconds", "is_forgotten"),
    [(15, 45, False), (100, 300, True)],
    ids=["with the usual heartbeats", "with heartbeats that are too slow"],
)
async def test_k03_who_idles_behind_a_nat_keeps_the_connection_or_finds_out_and_comes_back(
    clock: trio.testing.MockClock, ping_seconds: int, dead_seconds: int, is_forgotten: bool
) -> None:
    del clock
    heard: list[LinkLost | LinkBack] = []
    async with (
        live_server(ping_seconds=ping_seconds, dead_seconds=dead_seconds, grace_seconds=1200) as server,
        rough_network(server.port, forgets_after=FORGETS_AFTER) as network,
        open_link(Address("127.0.0.1", network.port), name="Nour", rng=random.Random(1)) as link,
    ):
        opened = await link.request(wire.OpenTable(id=NEW, name="Idle", turn_seconds=0))
        assert isinstance(opened, wire.Opened)
        await link.request(wire.Join(id=NEW, table=opened.table))
        with trio.move_on_after(IDLE_SECONDS):
            async for item in link:
                if not isinstance(item, LinkLost | LinkBack):
                    continue
                heard.append(item)
        with trio.fail_after(600):
            await link.request(wire.Sync(id=NEW))
        assert network.flows[0].is_forgotten is is_forgotten
        assert (len(network.flows) > 1) is is_forgotten
        backs = [item for item in heard if isinstance(item, LinkBack)]
        assert bool(backs) is is_forgotten
        assert all(back.resumed and back.welcome.table == opened.table for back in backs)
        assert server.app.lobby.tables[opened.table].seating.is_any_player_present()
