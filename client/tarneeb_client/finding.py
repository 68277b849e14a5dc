"""The command ``tarneeb find``: which servers there are on the local network."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass

import anyio

from tarneeb_client.addresses import Address
from tarneeb_client.asking import ASK_SECONDS
from tarneeb_client.console import write_line
from tarneeb_client.discovery import Discovery, discover
from tarneeb_client.found import Change, FoundServer, Gone, in_order
from tarneeb_client.wording import finding as wording

EXPLAIN_SECONDS = 3.0
"""Nothing found after this long is explained; adverts take at most a little over one second."""
FOUND, NONE_FOUND = 0, 1


@dataclass(frozen=True, slots=True)
class FindOptions:
    """Arguments of ``tarneeb find``; ``remembered`` are asked although nothing announces them."""

    seconds: float = EXPLAIN_SECONDS
    json: bool = False
    remembered: tuple[Address, ...] = ()


async def find(options: FindOptions) -> int:
    """Print the servers that are found: one after the other at a terminal, else sorted at the end.

    The exit status: 0 when one answers, 1 when none does, which is explained on standard error.
    """
    as_they_come = sys.stdout.isatty() and not options.json
    shown: set[str] = set()
    explained = anyio.Event()

    def show(change: Change) -> None:
        server = change.server
        if isinstance(change, Gone) or not server.is_settled or server.server in shown or not as_they_come:
            return
        shown.add(server.server)
        _write(wording.server(server))

    async def explain(discovery: Discovery) -> None:
        await anyio.sleep(EXPLAIN_SECONDS)
        if not discovery.servers:
            explained.set()
            _explain(EXPLAIN_SECONDS, discovery.trouble)

    async with discover(remembered=options.remembered) as discovery, anyio.create_task_group() as tasks:
        if options.seconds > EXPLAIN_SECONDS:
            tasks.start_soon(explain, discovery)
        with anyio.move_on_after(options.seconds):
            async for change in discovery:
                show(change)
        with anyio.move_on_after(ASK_SECONDS):  # for whoever came in the last moment
            while any(not server.is_settled for server in discovery.servers):
                show(await anext(discovery))
        tasks.cancel_scope.cancel()
    servers = in_order(discovery.servers)
    if options.json:
        for server in servers:
            write_line(json.dumps(as_fields(server)))
    else:
        _write_rest(servers, shown, as_they_come=as_they_come)
    if not servers and not explained.is_set():
        _explain(options.seconds, discovery.trouble)
    return FOUND if any(server.address is not None for server in servers) else NONE_FOUND


def as_fields(server: FoundServer) -> dict[str, object]:
    """A server as ``--json`` prints it (``docs/playing.md``)."""
    return {
        "server": server.server,
        "name": server.name,
        "address": None if server.address is None else str(server.address),
        "addresses": [str(address) for address in server.addresses],
        "ping_ms": None if server.ping_seconds is None else round(server.ping_seconds * 1000, 1),
        "protocol_min": server.protocol_min,
        "protocol_max": server.protocol_max,
        "compatible": server.is_compatible,
        "tables": server.tables,
        "seats": server.seats,
        "free_seats": server.free_seats,
        "rules": list(server.rules),
        "needs_password": server.needs_password,
        "tls": server.has_tls,
        "advertised": server.is_advertised,
        "trouble": server.trouble,
    }


def _write_rest(servers: list[FoundServer], shown: set[str], *, as_they_come: bool) -> None:
    for server in servers:
        if server.server not in shown:
            _write(wording.server(server))
    if servers and as_they_come:
        write_line(wording.count(len(servers)))


def _write(lines: Iterable[str]) -> None:
    for line in lines:
        write_line(line)


def _explain(seconds: float, trouble: str | None) -> None:
    for line in wording.nothing_found(seconds, trouble):
        print(line, file=sys.stderr, flush=True)  # noqa: T201
