"""How long a player is without a seat: from the drop to the seat's snapshot, on loopback, real server and link.

    PYTHONPATH=tests python bench/resume.py --drops 300 --restarts 60

Four cases, each with the median and the worst:

- ``reset``: both ends get a reset, as from a router that restarts; the link waits as it always does, a time
  drawn from 0 to 1 s (each drop is a link's first, so that the window is the first one).
- ``reset, no wait``: the same with a link that does not wait: what connecting and resuming cost.
- ``half-open``: the old connection is in a black hole and nobody has noticed; a second client resumes at once.
- ``restart``: the server is killed with -9 and started again; a link that tries every 20 ms. Most of it is the
  time that the server takes to start.

The server keeps its journal on disk with ``--durability power``.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import tempfile
from pathlib import Path

import trio

from support.plain_wire import PlainWire
from support.restarting import RestartingServer
from support.rough_network import RoughNetwork, rough_network
from tarneeb_client.addresses import Address
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.link_items import LinkBack
from tarneeb_protocol import messages as m


class Fixed(random.Random):
    """A link's waits, not drawn but all of one length in seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(0)
        self._seconds = seconds

    def uniform(self, a: float, b: float) -> float:
        """See ``random.Random``."""
        del a, b
        return self._seconds


async def seated(link: Link, name: str) -> None:
    """Take a seat at a table of one's own."""
    opened = await link.request(m.OpenTable(id=NEW, name=name, turn_seconds=0))
    assert isinstance(opened, m.Opened)  # noqa: S101  (the reply to open_table)
    await link.request(m.Join(id=NEW, table=opened.table))


async def seat_back(link: Link) -> float:
    """Read until the link is back at its seat; the moment."""
    async for item in link:
        if isinstance(item, LinkBack):
            assert item.resumed  # noqa: S101  (what is measured)
            assert item.welcome.table is not None  # noqa: S101
            await link.request(m.Sync(id=NEW))  # its reply comes after whatever was missed
            return trio.current_time()
    raise AssertionError("the link ended")


async def resets(network: RoughNetwork, count: int, waits: random.Random) -> list[float]:
    """Seconds from a reset to the seat, each of a link that has not been dropped before."""
    taken = []
    for number in range(count):
        async with open_link(Address("127.0.0.1", network.port), name=f"Reset {number}", rng=waits) as link:
            await seated(link, f"Reset {number}")
            began = trio.current_time()
            network.flows[-1].reset()
            taken.append(await seat_back(link) - began)
    return taken


async def takeovers(network: RoughNetwork, count: int) -> list[float]:
    """Seconds from the beginning of a second connection to the seat, the first being half-open."""
    taken = []
    wire = await PlainWire.connect("127.0.0.1", network.port)
    token = (await wire.hello("Half-open"))["token"]
    opened = await wire.request("open_table", name="Half-open", turn_seconds=0)
    await wire.request("join", table=opened["table"])
    for _ in range(count):
        network.flows[-1].swallow()
        began = trio.current_time()
        back = await PlainWire.connect("127.0.0.1", network.port)
        token = (await back.hello("x", resume=token))["token"]
        await back.until("snapshot")
        taken.append(trio.current_time() - began)
        back.continue_ids(wire)
        await trio.aclose_forcefully(wire.stream)
        wire = back
        await wire.request("sync")
    await trio.aclose_forcefully(wire.stream)
    return taken


async def restarts(server: RestartingServer, count: int) -> tuple[list[float], list[float]]:
    """Seconds from a kill to the seat, and what the server took to start."""
    taken, starts = [], []
    async with open_link(Address("127.0.0.1", server.port), name="Restart", rng=Fixed(0.02)) as link:
        await seated(link, "Restart")
        for _ in range(count):
            began = trio.current_time()
            server.kill()
            async with trio.open_nursery() as nursery:

                async def start() -> None:
                    starts.append(await trio.to_thread.run_sync(server.start))

                nursery.start_soon(start)
                taken.append(await seat_back(link) - began)
    return taken, starts


def report(case: str, seconds: list[float]) -> None:
    """One line: the case, how often, median, 99th percentile and worst."""
    ordered = sorted(seconds)
    late = ordered[math.ceil(0.99 * len(ordered)) - 1]
    print(
        f"{case:<18}{len(ordered):>5} times   median {1e3 * statistics.median(ordered):7.1f} ms"
        f"   99 % {1e3 * late:7.1f} ms   worst {1e3 * ordered[-1]:7.1f} ms"
    )


async def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--drops", type=int, default=300, help="drops in each case (default: 300)")
    parser.add_argument("--restarts", type=int, default=60, help="restarts of the server (default: 60)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = RestartingServer(Path(folder), "--max-tables", "100000")
        server.start()
        try:
            async with rough_network(server.port) as network:
                report("reset", await resets(network, options.drops, random.Random(1)))
                report("reset, no wait", await resets(network, options.drops, Fixed(0.0)))
                report("half-open", await takeovers(network, options.drops))
            taken, starts = await restarts(server, options.restarts)
            report("restart", taken)
            report("  of it starting", starts)
        finally:
            server.close()


if __name__ == "__main__":
    trio.run(main)
