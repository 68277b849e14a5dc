"""The server goes on in whatever order its tasks are run."""

from __future__ import annotations

import random

import pytest
import trio
from trio._core import _run

from support.live_server import live_server
from support.wire_client import WireClient
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire

PROGRESS_SECONDS = 30.0
"""No game without a clock stands still so long, on a busy machine either."""
ACTIONS = 40


@pytest.mark.parametrize("seed", range(6))
async def test_c06_play_goes_on_whatever_order_the_tasks_have_while_players_come_and_go(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    # Trio shuffles the tasks that can run; this is the source of its choices, which here has a seed.
    monkeypatch.setattr(_run, "_r", random.Random(seed))
    done = 0
    async with live_server(turn_seconds=0) as server, trio.open_nursery() as nursery:
        watchdog = trio.CancelScope(deadline=trio.current_time() + PROGRESS_SECONDS)

        async def play(seat: Seat, number: int) -> None:
            nonlocal done
            rng = random.Random(f"{seed} {seat}")
            client = await WireClient.connect(server.port)
            await client.hello(seat.name.title())
            await client.ok(wire.Join, table=number, seat=seat)
            while done < ACTIONS:
                if rng.random() < 0.2:
                    # In any of the ways in which a connection comes to its end.
                    back = await client.resumed(with_seq=rng.random() < 0.5)
                    if rng.random() < 0.5:
                        client.cut()
                    else:
                        await trio.aclose_forcefully(client.stream)
                    client = back
                if client.prompt is None:
                    with trio.move_on_after(0.05):
                        assert await client.receive() is not None
                    continue
                prompt, client.prompt = client.prompt, None
                answer = await client.request(wire.Act, action=rng.choice(prompt.actions), seq=prompt.seq)
                if isinstance(answer, wire.Done):
                    done += 1
                    watchdog.deadline = trio.current_time() + PROGRESS_SECONDS
            await trio.aclose_forcefully(client.stream)

        async with await WireClient.connect(server.port) as opener:
            await opener.hello("Opener")
            number = await opener.open_table()
            with watchdog:
                async with trio.open_nursery() as players:
                    for seat in Seat:
                        players.start_soon(play, seat, number)
        assert not watchdog.cancelled_caught, f"nothing happened for {PROGRESS_SECONDS} s after {done} actions"
        assert done >= ACTIONS
        nursery.cancel_scope.cancel()
