"""Streams that are split, delayed and reset between real processes: nobody loses a seat or an action."""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING

import pytest
import trio

from support.attentive import Attentive
from support.four_strangers import FourStrangers
from support.plain_wire import PlainWire
from support.processes import ServerProcess, running_server
from support.rough_network import Course, Weather, rough_network
from support.survivor import Survivor, Told
from support.typed_client import TypedClient, typed_client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.plain_wire import Fields

pytestmark = pytest.mark.slow

DEAD_SECONDS = 3
WEATHER_EVENTS = 300
"""How long a game in bad weather goes on: about four deals."""
WEATHERS = range(1, 1 + int(os.environ.get("TARNEEB_WEATHERS", "1")))
"""Seeds of the faults that a set is played under. More for a longer run."""


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server(
        "--ping-seconds", "1", "--dead-seconds", str(DEAD_SECONDS), "--bot-delay", "0"
    ) as process:
        yield process
        assert process.stop() == 0
        assert "Traceback" not in process.log.read_text()


@pytest.fixture(scope="module")
def patient() -> Iterator[ServerProcess]:
    """A server with the usual heartbeats, for players that read only when it is their turn in the test."""
    with running_server() as process:
        yield process
        assert process.stop() == 0
        assert "Traceback" not in process.log.read_text()


def rough(**course: float) -> tuple[Course, Course]:
    """The same both ways."""
    return Course(**course), Course(**course)  # type: ignore[arg-type]  # keyword by keyword as the test gives them


def choose(prompt: Fields) -> Fields:
    """One of the offered actions: the lowest bid if it is offered, otherwise the first."""
    offered: list[Fields] = prompt["actions"]
    lowest = {"type": "call", "call": "bid", "tricks": 7}
    return lowest if lowest in offered else offered[0]


async def test_f05_a_deal_is_played_over_connections_that_bring_one_byte_at_a_time(
    patient: ServerProcess,
) -> None:
    async with rough_network(patient.port, lambda _: rough(piece_bytes=1)) as network:
        with trio.fail_after(60):
            async with FourStrangers.seated("127.0.0.1", network.port) as four:
                while "deal_scored" not in four.event_types():
                    await four.act(choose(await four.prompt()))
        assert all(flow.down.passed > 3000 for flow in network.flows)


async def test_a_game_goes_on_over_lines_that_take_300_milliseconds_each_way(patient: ServerProcess) -> None:
    async with rough_network(patient.port, lambda _: rough(delay_seconds=0.3)) as network:
        with trio.fail_after(60):
            async with FourStrangers.seated("127.0.0.1", network.port) as four:
                began = trio.current_time()
                for _ in range(8):
                    await four.act((await four.prompt())["actions"][0])
                assert trio.current_time() - began >= 8 * 0.6, "the proxy did delay"
                assert "player_away" not in four.event_types()


@pytest.mark.parametrize("way", ["up", "down"])
async def test_i01_a_request_is_done_once_wherever_in_its_frame_or_its_reply_the_connection_is_reset(
    server: ServerProcess, way: str
) -> None:
    """A leave and a watch in turn, so that every effect has an event that another spectator counts."""
    with trio.fail_after(120):
        async with rough_network(server.port) as network, trio.open_nursery() as nursery:
            witness = await Attentive.arrive(nursery, server.port, "Witness")
            table = (await witness.ok("open_table", name="Resets"))["table"]
            await witness.ok("watch", table=table)
            player = await Attentive.arrive(nursery, network.port, f"Reset {way}")
            outcomes = set()
            for number in range(60):
                kind, fields = ("watch", {"table": table}) if number % 2 == 0 else ("leave", {})
                flow = network.flows[-1]
                course = flow.up if way == "up" else flow.down
                course.reset_after = course.passed + 1 + number
                request = await player.ask(kind, **fields)
                # Either the reset comes, or the frame was shorter and there is an answer.
                was_answered = await player.answer(request) is not None
                outcomes.add(was_answered)
                player = await Attentive.arrive(nursery, network.port, "x", resume=player)
                assert player.welcome["resumed"]
                await player.wire.send(type=kind, id=request, **fields)
                again = await player.answer(request)
                assert again is not None
                assert again["type"] in {"joined", "done"}, again
                event = "spectator_joined" if kind == "watch" else "spectator_left"
                while witness.count(event) < number // 2 + 1:
                    await witness.wire.send(type="ping", nonce=number)
                    await trio.sleep(0.01)
            assert (witness.count("spectator_joined"), witness.count("spectator_left")) == (30, 30)
            assert outcomes == {False, True}
            nursery.cancel_scope.cancel()


async def test_a_byte_that_is_lost_costs_a_connection_and_nothing_else(server: ServerProcess) -> None:
    """Not what TCP does, but what a broken middlebox does: from there on the frames are read wrongly. The lines
    are long enough for a header without its first byte to be over the limit.
    """
    with trio.fail_after(60):
        async with rough_network(server.port) as network, trio.open_nursery() as nursery:
            witness = await Attentive.arrive(nursery, server.port, "Witness")
            table = (await witness.ok("open_table", name="Losses"))["table"]
            await witness.ok("watch", table=table)
            player = await Attentive.arrive(nursery, network.port, "Lossy")
            await player.ok("join", table=table, seat=1)
            for place in (0, 3, 4, 9, 20):
                flow = network.flows[-1]
                flow.up.lost_at = flow.up.passed + place
                for word in ("one", "two", "three"):
                    await player.ask("chat", text=f"{word} {place} " + 40 * "x")
                last = await player.closed()
                assert last["type"] == "goodbye", last
                player = await Attentive.arrive(
                    nursery, network.port, "x", resume=player, seq=player.seq or None
                )
                assert (player.welcome["resumed"], player.welcome["table"]) == (True, table)
            assert witness.count("player_left") == 0
            assert not witness.is_closed
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("seed", WEATHERS)
async def test_four_players_and_a_spectator_play_on_in_any_weather(server: ServerProcess, seed: int) -> None:
    async with rough_network(server.port, Weather(seed, most_bytes=4000)) as network:
        people: list[Survivor] = []
        for seat in (*range(4), None):
            person = Survivor(server.port, f"Weather {seed} {seat}", seat, random.Random(f"{seed} {seat}"))
            people.append(person)
            async with await PlainWire.connect("127.0.0.1", server.port) as wire:
                person.token = (await wire.hello(person.name))["token"]
                if seat == 0:
                    opened = await wire.request("open_table", name=f"Weather {seed}", turn_seconds=0)
                    person.table = opened["table"]
                person.table = people[0].table
                if seat is None:
                    await wire.request("watch", table=person.table)
                else:
                    await wire.request("join", table=person.table, seat=seat)
                person.last_id = wire._last_id
            person.port = network.port
            person.last_seq = WEATHER_EVENTS
            person.silence_seconds = DEAD_SECONDS
        with trio.fail_after(180):
            async with trio.open_nursery() as nursery:
                for person in people:
                    nursery.start_soon(person.live)
        assert len(network.flows) > 20, "the weather was bad"
        assert sum(person.resumes_made for person in people) > 10
        told: dict[int, Told] = {}
        for person in people:
            for each in person.heard:
                assert told.setdefault(each.seq, each) == each, "everybody heard the same"
        for person in people[:4]:
            heard = {(each.set_number, each.deal, each.seat, each.action) for each in told.values()}
            for each in person.acknowledged:
                assert (each.set_number, each.deal, each.seat, each.action) in heard


# ---------------------------------------------------------------- the clients that people have


async def back_at_the_seat(client: TypedClient) -> None:
    await client.until("! Link lost")
    await client.until("Back at table ")


@pytest.mark.parametrize(
    ("up", "down"), [(True, False), (False, True), (True, True)], ids=["up", "down", "both"]
)
async def test_a_plain_client_in_a_black_hole_of_any_direction_is_back_at_its_seat(
    server: ServerProcess, up: bool, down: bool
) -> None:
    async with rough_network(server.port) as network:
        with trio.fail_after(60):
            async with typed_client("play", f"127.0.0.1:{network.port}", "--name", "Nour", "--plain") as client:
                await client.type("open Hole turn=0", "join", "bot", "bot", "bot", "cut 20")
                await client.until("Your hand: ")
                await client.type("hand")
                before = await client.until("Your hand: ")
                network.flows[0].swallow(up=up, down=down)
                await back_at_the_seat(client)
                await client.type("hand")
                assert await client.until("Your hand: ") == before
                assert await client.ended() == 0
        assert len(network.flows) == 2


async def test_an_idle_plain_client_behind_a_nat_that_forgets_keeps_its_connection(
    server: ServerProcess,
) -> None:
    async with rough_network(server.port, forgets_after=3.5) as network:
        with trio.fail_after(60):
            async with typed_client("play", f"127.0.0.1:{network.port}", "--name", "Idle", "--plain") as client:
                await client.type("open Idle turn=0", "join")
                await client.until("Rules: ")
                await trio.sleep(8)
                await client.type("say still here")
                await client.until("<Idle> still here")
        assert len(network.flows) == 1
        assert not network.flows[0].is_forgotten


async def test_four_bot_processes_finish_their_set_though_each_falls_into_a_black_hole_once(
    server: ServerProcess,
) -> None:
    def plan(number: int) -> tuple[Course, Course]:
        courses = rough()
        if number < 4:
            courses[number % 2].reset_after = 2500 if number < 2 else None
        return courses

    async with rough_network(server.port, plan) as network:
        with trio.fail_after(120):
            async with typed_client(
                "bot", f"127.0.0.1:{network.port}", "--table", "Holes", "--count", "4", "--seed", "5"
            ) as bots:
                for number in (2, 3):
                    flow = await network.flow(number)
                    await flow.down.until_passed(2500)
                    flow.swallow()
                (line,) = await bots.rest()
                assert await bots.process.wait() == 0
    assert json.loads(line)["table_name"] == "Holes"
    assert len(network.flows) >= 8
