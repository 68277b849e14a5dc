"""Processes that are stopped for a while, as by a machine that sleeps, and wall clocks that jump."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
import trio

from support.attentive import Attentive
from support.processes import START_SECONDS, environment, running_server
from support.typed_client import typed_client

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

DEAD_SECONDS = 3
TURN_SECONDS = 6
STOPPED_SECONDS = 9.0
"""Longer than a turn, the grace, and the silence after which a connection is dead."""
HEARTBEATS = ("--ping-seconds", "1", "--dead-seconds", str(DEAD_SECONDS), "--grace-seconds", "4")


async def four(nursery: trio.Nursery, port: int) -> list[Attentive]:
    """Four players at a table, whose first turn has begun."""
    people = [await Attentive.arrive(nursery, port, f"Player {seat}") for seat in range(4)]
    opened = await people[0].ok("open_table", name="Sleep", turn_seconds=TURN_SECONDS)
    for seat, person in enumerate(people):
        await person.ok("join", table=opened["table"], seat=seat)
    return people


async def test_t13_a_server_that_is_stopped_and_continued_forfeits_nobody() -> None:
    with running_server(*HEARTBEATS) as server, trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            people = await four(nursery, server.port)
            server.process.send_signal(signal.SIGSTOP)
            await trio.sleep(STOPPED_SECONDS)
            server.process.send_signal(signal.SIGCONT)
            for person in people:
                await person.ok("sync")
            snapshots = [message for message in people[0].received if message["type"] == "snapshot"]
            assert snapshots[-1]["seconds_left"] >= TURN_SECONDS - 3
            for person in people:
                assert not person.is_closed
                assert not [message for message in person.received if message.get("by") == "clock"]
                assert person.count("player_away") == person.count("player_left") == 0
            # The clock still runs: it was put off, not lost.
            await people[0].heard("pack_cut", by="clock")
            nursery.cancel_scope.cancel()
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()


async def test_t13_a_client_that_is_stopped_and_continued_is_back_at_its_seat() -> None:
    with running_server(*HEARTBEATS, "--grace-seconds", "60") as server, trio.fail_after(60):
        async with (
            trio.open_nursery() as nursery,
            typed_client("play", server.address, "--name", "Sleeper", "--plain") as client,
        ):
            await client.type("open Sleep turn=0", "join", "bot", "bot", "bot", "cut 20")
            await client.until("Your hand: ")
            await client.type("hand")
            before = await client.until("Your hand: ")
            witness = await Attentive.arrive(nursery, server.port, "Witness")
            await witness.ok("watch", table=1)
            client.process.send_signal(signal.SIGSTOP)
            away = await witness.heard("player_away")
            client.process.send_signal(signal.SIGCONT)
            await witness.heard("player_back", seat=away["seat"])
            await client.until("Back at table ")
            await client.type("hand")
            assert await client.until("Your hand: ") == before
            assert await client.ended() == 0
            nursery.cancel_scope.cancel()


JUMPING = """
import itertools, sys, time
real, jumps = time.time, itertools.cycle((0.0, 86400.0, -86400.0, 3600.0))
time.time = lambda: real() + next(jumps)
time.time_ns = lambda: int(1e9 * time.time())
from tarneeb_server.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def port_of_jumping_server(tmp_path: Path) -> Iterator[int]:
    """A server whose wall clock is a day off, one way or the other, whenever it looks at it."""
    ready, log = tmp_path / "ready.json", tmp_path / "server.log"
    command = [sys.executable, "-c", JUMPING, "--host", "127.0.0.1", "--port", "0"]
    command += ["--ready-file", str(ready), "--data-dir", str(tmp_path / "kept"), *HEARTBEATS]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stream, env=environment())
    try:
        deadline = time.monotonic() + START_SECONDS
        while not ready.exists():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.01)
        yield int(json.loads(ready.read_text())["port"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert "Traceback" not in log.read_text()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


async def test_t13_a_wall_clock_that_jumps_by_a_day_ends_no_turn_no_grace_and_no_connection(
    port_of_jumping_server: int,
) -> None:
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            people = await four(nursery, port_of_jumping_server)
            began = trio.current_time()
            await people[0].hang_up()
            await people[1].heard("player_away", seat=0)
            await trio.sleep(DEAD_SECONDS)
            back = await Attentive.arrive(nursery, port_of_jumping_server, "x", resume=people[0])
            await people[1].heard("player_back", seat=0)
            cut = await people[1].heard("pack_cut", by="clock")
            assert cut["seat"] == (await back.heard("snapshot"))["public"]["deal"]["turn"]
            assert trio.current_time() - began > TURN_SECONDS - 1.5
            assert not any(person.is_closed for person in people[1:])
            nursery.cancel_scope.cancel()
