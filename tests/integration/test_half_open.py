"""Connections that are gone in one direction or both without a word, between real processes, in real time."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgpack
import pytest
import trio

from support.attentive import Attentive
from support.processes import ServerProcess, running_server
from support.rough_network import Course, RoughNetwork, rough_network

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from support.plain_wire import Fields

pytestmark = pytest.mark.slow

PING_SECONDS = 1
DEAD_SECONDS = 4
NOTICED_SECONDS = DEAD_SECONDS + 10.0
"""By when a dead connection is known to be one, on a machine that is busy. The server looks once a second."""


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--ping-seconds", str(PING_SECONDS), "--dead-seconds", str(DEAD_SECONDS)) as process:
        yield process
        assert process.stop() == 0
        assert "Traceback" not in process.log.read_text()


@asynccontextmanager
async def four(
    server: ServerProcess, network: RoughNetwork, turn_seconds: int = 0
) -> AsyncIterator[tuple[trio.Nursery, list[Attentive]]]:
    """Four players at a table of their own, the first by way of the network; the deal waits for seat 3 or
    whoever cuts.
    """
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            ports = [network.port, server.port, server.port, server.port]
            people = [
                await Attentive.arrive(nursery, port, f"Player {seat}") for seat, port in enumerate(ports)
            ]
            opened = await people[0].ok("open_table", name="Half-open", turn_seconds=turn_seconds)
            for seat, person in enumerate(people):
                await person.ok("join", table=opened["table"], seat=seat)
            yield nursery, people
            nursery.cancel_scope.cancel()


def messages(stream: bytes | bytearray) -> list[Fields]:
    """The whole frames of a stream that begins with one."""
    found = []
    rest = bytes(stream)
    while len(rest) >= 4 and len(rest) >= 4 + int.from_bytes(rest[:4], "big"):
        length = int.from_bytes(rest[:4], "big")
        found.append(msgpack.unpackb(rest[4 : 4 + length]))
        rest = rest[4 + length :]
    return found


async def test_r01_a_player_in_a_black_hole_takes_the_seat_over_before_anybody_notices(
    server: ServerProcess,
) -> None:
    async with rough_network(server.port) as network, four(server, network) as (nursery, people):
        flow = await network.flow(0)
        flow.swallow()
        back = await Attentive.arrive(nursery, server.port, "x", resume=people[0], seq=people[0].seq)
        assert (back.welcome["resumed"], back.welcome["table"]) == (True, people[1].received[-1]["table"])
        await back.ok("chat", text="back")
        await people[1].heard("said", text="back")
        # What the old connection was told went into the hole.
        await flow.down.until_swallowed(lambda swallowed: b"goodbye" in swallowed)
        last = messages(flow.down.swallowed)[-1]
        assert (last["type"], last["code"], last.get("resumable", False)) == ("goodbye", "superseded", False)
        await trio.sleep(DEAD_SECONDS + 2)
        for person in people[1:]:
            assert person.count("player_left") == 0
            assert person.count("player_away", seat=0) == person.count("player_back", seat=0) == 0
        await back.ok("sync")


async def test_r20_a_connection_that_is_dead_upwards_is_ended_however_much_goes_down(
    server: ServerProcess,
) -> None:
    async with rough_network(server.port) as network, four(server, network) as (nursery, people):
        (await network.flow(0)).swallow(down=False)
        began = trio.current_time()

        async def broadcast() -> None:
            for number in range(1000):
                # More than the server's pings: what it sends must not keep alive what it does not hear.
                await people[1 + number % 3].request("chat", text=f"line {number}")
                await trio.sleep(0.3)

        nursery.start_soon(broadcast)
        last = await people[0].closed()
        assert (last["type"], last["code"], last["resumable"]) == ("goodbye", "idle", True)
        assert DEAD_SECONDS - 1 < trio.current_time() - began < NOTICED_SECONDS
        assert people[0].count("said") > 3, "it heard the others all the time"
        await people[2].heard("player_away", seat=0)
        back = await Attentive.arrive(nursery, server.port, "x", resume=people[0], seq=people[0].seq)
        await people[2].heard("player_back", seat=0)
        await back.heard("player_back", seat=0)
        assert people[2].count("player_away", seat=0) == people[2].count("player_back", seat=0) == 1


async def test_k01_the_others_are_told_of_a_player_in_a_black_hole_and_the_seat_is_held(
    server: ServerProcess,
) -> None:
    async with rough_network(server.port) as network, four(server, network) as (nursery, people):
        flow = await network.flow(0)
        flow.swallow()
        began = trio.current_time()
        away = await people[3].heard("player_away", seat=0)
        assert trio.current_time() - began < NOTICED_SECONDS
        assert away["grace_seconds"] == people[3].welcome["grace_seconds"]
        assert not people[0].is_closed, "its end is as open as ever"
        back = await Attentive.arrive(nursery, server.port, "x", resume=people[0], seq=people[0].seq)
        assert back.welcome["resumed"]
        await people[3].heard("player_back", seat=0)


async def test_k01_a_client_that_hears_nothing_is_itself_still_heard(server: ServerProcess) -> None:
    """Dead downwards alone: the server keeps the connection while bytes come up; the client has to find out."""
    async with rough_network(server.port) as network, four(server, network) as (nursery, people):
        flow = await network.flow(0)
        flow.swallow(up=False)

        async def speak() -> None:
            while True:
                await people[0].wire.send(type="ping", nonce=1)
                await trio.sleep(PING_SECONDS)

        with trio.move_on_after(DEAD_SECONDS + 2):
            await speak()
        assert people[1].count("player_away", seat=0) == 0
        assert any(message["type"] == "pong" for message in messages(flow.down.swallowed))
        back = await Attentive.arrive(nursery, server.port, "x", resume=people[0], seq=people[0].seq)
        assert back.welcome["resumed"]
        await back.ok("sync")


async def test_t01_the_server_acts_for_a_player_on_turn_who_fell_into_a_black_hole(
    server: ServerProcess,
) -> None:
    async with (
        rough_network(server.port) as network,
        four(server, network, turn_seconds=1) as (_, people),
    ):
        # Players 1 to 3 say nothing either: clocks play the whole table, and seat 0 only because it must.
        (await network.flow(0)).swallow()
        acted = await people[1].until(lambda message: message.get("by") == "clock" and message.get("seat") == 0)
        assert acted["type"] in {"pack_cut", "call_made", "trump_named", "card_played"}
        assert people[1].count("player_left") == 0


async def test_k03_heartbeats_keep_a_flow_that_a_middlebox_would_forget(server: ServerProcess) -> None:
    async with (
        # Silent for one ping, found out by a server that looks every second, and two for a busy machine.
        rough_network(server.port, forgets_after=PING_SECONDS + 3.0) as network,
        four(server, network) as (_, people),
    ):
        await trio.sleep(2 * network.forgets_after)  # nobody does anything
        assert not (await network.flow(0)).is_forgotten
        await people[0].ok("chat", text="still here")
        await people[1].heard("said", text="still here")
        assert people[1].count("player_away") == 0


async def test_k03_a_forgotten_flow_is_noticed_and_the_player_comes_back(
    server: ServerProcess,
) -> None:
    async with (
        rough_network(server.port) as network,
        four(server, network) as (nursery, people),
    ):
        network.forgets_after = PING_SECONDS / 4
        await people[2].heard("player_away", seat=0)
        assert (await network.flow(0)).is_forgotten
        back = await Attentive.arrive(nursery, server.port, "x", resume=people[0], seq=people[0].seq)
        await people[2].heard("player_back", seat=0)
        await back.ok("sync")


async def test_b05_a_client_whose_pong_waits_behind_its_own_bytes_is_not_taken_for_dead(
    server: ServerProcess,
) -> None:
    def thin(number: int) -> tuple[Course, Course]:
        return Course(bytes_per_second=1400.0, piece_bytes=70) if number == 0 else Course(), Course()

    async with rough_network(server.port, thin) as network, four(server, network) as (_, people):
        began = trio.current_time()
        # One whole frame that takes longer than a connection may be silent, and pongs only behind it.
        reply = await people[0].request("list_tables", padding="x" * 7600)
        assert reply["type"] == "tables"
        assert trio.current_time() - began > DEAD_SECONDS
        assert people[0].count("ping") > 0, "the server did ask meanwhile"
        assert people[1].count("player_away") == 0
