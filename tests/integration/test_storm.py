"""Hundreds of clients on one server that lose it at the same moment, or come at the same moment."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

import pytest
import trio
import trio.testing

from support.plain_wire import PlainWire
from support.restarting import RestartingServer
from support.storm import gathered
from tarneeb_client.backoff import FIRST_CAP_SECONDS
from tarneeb_server.listener import BACKLOG

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

CLIENTS = 400
SECONDS_DOWN = 1.5
"""Longer than the first window, so that nobody comes back by the first attempt."""

logger = logging.getLogger(__name__)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RestartingServer]:
    made = RestartingServer(tmp_path)
    made.start()
    try:
        yield made
    finally:
        made.close()


def tenths(moments: list[float]) -> list[int]:
    """How many moments fall into each tenth of the first window."""
    counts = [0] * 10
    for moment in moments:
        counts[min(9, int(10 * moment / FIRST_CAP_SECONDS))] += 1
    return counts


async def test_v01_400_clients_of_a_killed_server_choose_moments_all_over_the_window_and_every_seat_is_kept(
    server: RestartingServer,
) -> None:
    with trio.fail_after(180):
        async with gathered(server.port, CLIENTS) as storm:
            server.kill()
            await trio.sleep(SECONDS_DOWN)
            await trio.to_thread.run_sync(server.start)
            up_at = trio.current_time()
            await storm.all_back()
            clients = storm.clients
            assert [client.ended for client in clients if client.ended] == []
            assert all(client.is_same_session for client in clients)
            seats = set()
            for client in clients:
                assert client.snapshot is not None
                assert client.snapshot.seat == client.seat
                assert all(client.snapshot.seats), "nobody was unseated"
                seats.add((client.table, client.seat))
            assert len(seats) == CLIENTS
    chosen = tenths([client.first_wait for client in clients])
    # 40 are expected in each tenth, and the seeds are fixed.
    assert all(20 <= count <= 60 for count in chosen), chosen
    # Told, not judged: a busy machine, with all of them in one process, bunches what was spread out.
    tried = tenths([client.attempts[0] for client in clients])
    returns = sorted(client.back_at - up_at for client in clients if client.back_at is not None)
    most = max(sum(1 for each in returns if at <= each < at + 0.1) for at in returns)
    away = sorted(client.seconds_away for client in clients)
    logger.info(
        "%d clients, server away %.1f s: first attempts by tenths of the window: chosen %s, made %s;"
        " away median %.1f s, all back %.1f s after the server; most in a tenth of a second %d; attempts %d",
        CLIENTS,
        SECONDS_DOWN,
        chosen,
        tried,
        away[CLIENTS // 2],
        returns[-1],
        most,
        sum(len(client.attempts) for client in clients),
    )
    server.stop()
    log = server.log.read_text()
    assert len(set(re.findall(r"event=session_resumed session=(\d+)", log))) == CLIENTS
    assert "Traceback" not in log
    assert "event=seat_left" not in log
    assert "reason=grace_over" not in log


async def test_400_clients_that_come_in_the_same_instant_are_all_welcomed(server: RestartingServer) -> None:
    assert BACKLOG >= CLIENTS, "the kernel holds them until they are accepted"
    waits: list[float] = []
    gate = trio.Event()

    async def come(number: int) -> None:
        await gate.wait()
        began = trio.current_time()
        async with await PlainWire.connect("127.0.0.1", server.port) as wire:
            welcome = await wire.hello(f"At once {number}")
            assert welcome["type"] == "welcome", welcome
            waits.append(trio.current_time() - began)
            await wire.send(type="goodbye", code="left", message="", resumable=False)

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            for number in range(CLIENTS):
                nursery.start_soon(come, number)
            await trio.testing.wait_all_tasks_blocked()
            gate.set()
    waits.sort()
    logger.info(
        "%d at once: welcome after median %.2f s, worst %.2f s", CLIENTS, waits[CLIENTS // 2], waits[-1]
    )
    assert len(waits) == CLIENTS
