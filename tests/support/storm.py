"""Hundreds of real links to one server, four to a table, that lose it at the same moment."""

from __future__ import annotations

import random
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import trio

from tarneeb_client.addresses import Address
from tarneeb_client.dialling import tcp
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkLost
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import ByteStream

AT_ONCE = 50
"""Links that are opened at the same time, before the storm."""


@dataclass
class Client:
    """One link and what became of it. Moments are of trio's clock."""

    number: int
    dialled: list[float] = field(default_factory=list)
    """When it tried to connect, the first time too."""
    lost_at: float | None = None
    first_wait: float = 0.0
    """What it chose to wait before its first attempt to come back, in seconds."""
    back_at: float | None = None
    is_same_session: bool = False
    table: int | None = None
    seat: Seat | None = None
    snapshot: m.Snapshot | None = None
    ended: LinkEnded | None = None

    @property
    def attempts(self) -> list[float]:
        """When it tried to come back, in seconds after it lost the connection."""
        assert self.lost_at is not None
        return [moment - self.lost_at for moment in self.dialled[1:]]

    @property
    def seconds_away(self) -> float:
        """How long it had no connection."""
        assert self.lost_at is not None
        assert self.back_at is not None
        return self.back_at - self.lost_at


class Storm:
    """The clients, while they are connected and after. Made by ``gathered``."""

    def __init__(self, clients: list[Client]) -> None:
        self.clients = clients
        self._changed = trio.Event()

    def changed(self) -> None:
        """Something became of a client."""
        self._changed.set()
        self._changed = trio.Event()

    async def all_back(self) -> None:
        """Wait until every client has come back or its link is over, and has its seat's snapshot."""
        while any(
            client.ended is None and (client.back_at is None or client.snapshot is None)
            for client in self.clients
        ):
            await self._changed.wait()


@asynccontextmanager
async def gathered(port: int, count: int) -> AsyncIterator[Storm]:
    """``count`` clients, seated by fours at tables without a clock, which they do not play at."""
    storm = Storm([Client(number) for number in range(count)])
    tables: dict[int, int] = {}
    opened = {number: trio.Event() for number in range(0, count, 4)}
    limit = trio.CapacityLimiter(AT_ONCE)
    seated = trio.Semaphore(0)

    async def live(client: Client) -> None:
        dial = tcp(Address("127.0.0.1", port))

        async def noted_dial() -> ByteStream:
            client.dialled.append(trio.current_time())
            return await dial()

        first = client.number - client.number % 4
        rng = random.Random(client.number)
        async with limit:
            link_of = open_link(noted_dial, name=f"Client {client.number}", rng=rng)
            link = await link_of.__aenter__()
        try:
            if client.number == first:
                reply = await link.request(m.OpenTable(id=NEW, name=f"Storm {first}", turn_seconds=0))
                assert isinstance(reply, m.Opened)
                tables[first] = reply.table
                opened[first].set()
            await opened[first].wait()
            client.table, client.seat = tables[first], Seat(client.number % 4)
            await link.request(m.Join(id=NEW, table=client.table, seat=client.seat))
            seated.release()
            await _follow(storm, client, link)
        finally:
            await link_of.__aexit__(None, None, None)

    async with trio.open_nursery() as nursery:
        for client in storm.clients:
            nursery.start_soon(live, client)
        for _ in storm.clients:
            await seated.acquire()
        yield storm
        nursery.cancel_scope.cancel()


async def _follow(storm: Storm, client: Client, link: Link) -> None:
    async for item in link:
        if isinstance(item, LinkLost) and client.lost_at is None:
            client.lost_at = trio.current_time()
            client.first_wait = item.retry_seconds
            client.snapshot = None
        elif isinstance(item, LinkBack):
            client.back_at = trio.current_time()
            client.is_same_session = item.resumed and item.welcome.table == client.table
            link.post(m.Sync(id=NEW))
        elif isinstance(item, LinkEnded):
            client.ended = item
        elif isinstance(item, m.Snapshot):
            client.snapshot = item
        else:
            continue
        storm.changed()
