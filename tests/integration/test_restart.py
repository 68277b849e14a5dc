"""The server is killed, stopped and started again under people who play; nobody loses a seat or an action."""

from __future__ import annotations

import json
import logging
import os
import random
import resource
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import trio

from support.four_strangers import FourStrangers, events
from support.plain_wire import PlainWire
from support.processes import client_command, processes
from support.recorded import finished_sets
from support.restarting import RestartingServer
from support.survivor import Survivor

if TYPE_CHECKING:
    from collections.abc import Iterator


KILLS = int(os.environ.get("TARNEEB_KILLS", "12"))
"""How often the server ends in one test. More for a longer run: every end is at another instant of play."""
KILL_SEED = int(os.environ.get("TARNEEB_KILL_SEED", "1"))
DRAIN_SECONDS = 5.0
"""What an end in order may take: longer than the server waits for connections to close."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RestartingServer]:
    made = RestartingServer(tmp_path, "--bot-delay", "0", "--log-level", "debug")
    made.start()
    try:
        yield made
    finally:
        made.close()


async def seated(server: RestartingServer) -> list[Survivor]:
    """Four players and a spectator, in a set that has begun."""
    people = [
        Survivor(server.port, f"Survivor {seat}", seat, random.Random(f"{KILL_SEED} {seat}"))
        for seat in range(4)
    ]
    people.append(Survivor(server.port, "Spectator", None, random.Random(0)))
    for person in people:
        async with await PlainWire.connect("127.0.0.1", server.port) as wire:
            welcome = await wire.hello(person.name)
            person.token = welcome["token"]
            if person.seat == 0:
                await wire.request("open_table", name="Table", turn_seconds=0)
            if person.seat is None:
                joined = await wire.request("watch", table=1)
            else:
                joined = await wire.request("join", table=1, seat=person.seat)
            assert joined["type"] == "joined", joined
            person.last_id = wire._last_id
    return people


@pytest.mark.proves("D-3")
async def test_whatever_was_acknowledged_outlives_a_server_that_is_killed_at_any_instant(
    server: RestartingServer,
) -> None:
    rng = random.Random(KILL_SEED)
    people = await seated(server)
    drains: list[float] = []
    kills = 0
    with trio.fail_after(60 + 6 * KILLS):
        async with trio.open_nursery() as nursery:
            for person in people:
                nursery.start_soon(person.live)
            for number in range(KILLS):
                await trio.sleep(rng.uniform(0.0, 0.4))
                if number % 6 == 5:
                    drains.append(await trio.to_thread.run_sync(server.stop))
                else:
                    server.kill()
                    kills += 1
                await trio.to_thread.run_sync(server.start)
            for person in people:
                person.is_last_set = True
    server.stop()
    assert "Traceback" not in server.log.read_text()
    assert "level=ERROR" not in server.log.read_text()
    assert "not_restored" not in server.log.read_text()
    sets = finished_sets(server.data)
    assert len(sets) == max(person.set_number for person in people)
    places: dict[int, tuple[int, int, int]] = {}
    count = 0
    for person in people:
        for told in (*person.heard, *person.acknowledged):
            actions = sets[told.set_number - 1][told.deal - 1]
            assert (told.seat, told.action) in actions, f"{told} is lost"
            count += 1
        for told in person.heard:
            place = (
                told.set_number,
                told.deal,
                sets[told.set_number - 1][told.deal - 1].index((told.seat, told.action)),
            )
            assert places.setdefault(told.seq, place) == place, "everybody heard the same"
    in_order = [place for _, place in sorted(places.items())]
    assert in_order == sorted(in_order), "what was heard first was done first"
    assert count > 100
    for person in people[:4]:
        assert len(person.acknowledged) > 10
        assert len({told.seq for told in person.acknowledged}) == len(person.acknowledged), (
            "none was done twice"
        )
        for goodbye in person.goodbyes:
            assert (goodbye["code"], goodbye.get("resumable")) == ("shutdown", True)
            assert goodbye["retry_seconds"] >= 1
    assert all(seconds < DRAIN_SECONDS for seconds in drains)
    tried = sum(person.resumes_tried for person in people)
    made = sum(person.resumes_made for person in people)
    # A try that brought no welcome met another end; whoever looks for the server too late misses one.
    assert all(KILLS / 2 < person.resumes_made <= person.resumes_tried for person in people)
    away = sorted(seconds for person in people for seconds in person.seconds_away)
    logging.getLogger(__name__).info(
        "%d ends survived: %d kills, %d stops; resumes tried %d, made %d, refused 0;"
        " actions told of %d, acknowledged %d, lost 0; away median %.2f s, worst %.2f s",
        KILLS,
        kills,
        len(drains),
        tried,
        made,
        count,
        sum(len(person.acknowledged) for person in people),
        away[len(away) // 2],
        away[-1],
    )


@pytest.mark.proves("D-1")
async def test_a_server_that_is_stopped_tells_everybody_to_come_back_and_the_next_one_has_their_seats(
    server: RestartingServer,
) -> None:
    async with FourStrangers.seated("127.0.0.1", server.port) as four:
        for _ in range(8):
            prompt = await four.prompt()
            await four.act(prompt["actions"][0])
        hands = [list(hand) for hand in four.hands]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, server.stop)
            last = [await wire.until_closed() for wire in four.wires]
        assert [(each or {}).get("code") for each in last] == ["shutdown"] * 4
        assert [(each or {}).get("resumable") for each in last] == [True] * 4
        await trio.to_thread.run_sync(server.start)
        for seat in range(4):
            welcome = await four.return_to(seat)
            assert welcome["resumed"]
        for wire, hand in zip(four.wires, hands, strict=True):
            await wire.request("sync")
            snapshot = [message for message in wire.received if message["type"] == "snapshot"][-1]
            assert sorted(snapshot["hand"]) == sorted(hand)
            heard = [event["type"] for event in events(wire.received)]
            assert heard.count("player_away") == 4, "missed events came without a gap"
    assert server.stop() < DRAIN_SECONDS


def test_bot_processes_finish_their_set_on_a_server_that_is_killed_under_them(server: RestartingServer) -> None:
    rng = random.Random(2)
    address = f"127.0.0.1:{server.port}"
    bots = [
        client_command("bot", address, "--table", "League", "--sets", "4", "--seed", str(seed))
        for seed in range(4)
    ]
    with processes(bots) as started:
        for _ in range(2):
            assert started[0].stdout is not None
            json.loads(started[0].stdout.readline())
            trio.run(trio.sleep, rng.uniform(0.0, 0.1))
            server.kill()
            server.start()
        said = [bot.communicate(timeout=120) for bot in started]
        assert [bot.returncode for bot in started] == [0, 0, 0, 0], said
    server.stop()
    assert len(finished_sets(server.data)) == 4


async def ask_until(wire: PlainWire, kind: str) -> None:
    """Ask for a table until the answer is of this kind: the server looks at its disk once a second."""
    for _ in range(30):
        if (await wire.request("open_table", name="New"))["type"] == kind:
            return
        await trio.sleep(0.3)
    raise AssertionError(f"no answer was {kind!r}: {wire.received[-1]}")


async def test_a_full_disk_refuses_new_tables_and_the_one_that_is_played_goes_on(
    server: RestartingServer,
) -> None:
    assert server.process is not None
    async with (
        FourStrangers.seated("127.0.0.1", server.port) as four,
        await PlainWire.connect("127.0.0.1", server.port) as newcomer,
    ):
        await newcomer.hello("Newcomer")
        size = (server.data / "tarneeb.db-wal").stat().st_size
        before = resource.prlimit(
            server.process.pid, resource.RLIMIT_FSIZE, (size + 8192, resource.RLIM_INFINITY)
        )
        for _ in range(24):
            prompt = await four.prompt()
            await four.act(prompt["actions"][0])
        await ask_until(newcomer, "error")
        refused = newcomer.received[-1]
        assert refused["code"] == "storage_failed"
        assert "cannot keep it" in refused["message"]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
        await ask_until(newcomer, "opened")
        seq = (await four.wires[0].request("sync"))["seq"]
        server.kill()
        await trio.to_thread.run_sync(server.start)
        for seat in range(4):
            await four.return_to(seat)
        assert (await four.wires[0].request("sync"))["seq"] >= seq
    server.stop()
    log = server.log.read_text()
    assert log.count("event=journal_failed") == 1
    assert log.count("event=journal_works_again") == 1
    assert "Traceback" not in log
