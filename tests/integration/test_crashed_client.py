"""A client that is killed with -9 leaves its seat held, and the next process is offered it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trio

from support.attentive import Attentive
from support.processes import running_server
from support.typed_client import typed_client

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


async def test_r10_a_player_whose_client_crashed_between_the_deal_and_the_first_call_is_offered_the_seat(
    tmp_path: Path,
) -> None:
    with running_server("--seed-for-tests", "2") as server, trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            others = [await Attentive.arrive(nursery, server.port, f"Other {seat}") for seat in (1, 2, 3)]
            table = (await others[0].ok("open_table", name="Crash", turn_seconds=0))["table"]
            home = {"XDG_STATE_HOME": str(tmp_path)}
            address = ("play", server.address, "--plain")
            async with typed_client(*address, "--name", "Nour", **home) as client:
                await client.type(f"join {table} south")
                await client.until("Rules: ")
                for seat, other in enumerate(others, 1):
                    await other.ok("join", table=table, seat=seat)
                started = await others[0].heard("deal_started")
                # Somebody else cuts, by the server's seed; then nobody calls.
                assert started["turn"] != 0
                await others[started["turn"] - 1].ok("act", action={"type": "cut", "at": 20})
                hand = await client.until("Your hand: ")
                client.process.kill()
                await client.process.wait()
            await others[0].heard("player_away", seat=0)
            listed = await others[1].request("list_tables")
            (seat, *_) = listed["tables"][0]["seats"]
            assert seat["name"] == "Nour"
            assert others[0].count("call_made") == 0
            async with typed_client(*address, **home) as client:
                await client.until(f"Back at table {table} Crash, seat South.")
                assert await client.until("Your hand: ") == hand
                await others[0].heard("player_back", seat=0)
                # It is the same seat to play, not only to look at.
                await client.type("say back")
                await others[2].heard("said", text="back", seat=0)
            nursery.cancel_scope.cancel()
        assert "Traceback" not in server.log.read_text()
