"""The server is killed with -9 again and again under four bots and a spectator with the project's own link."""

from __future__ import annotations

import logging
import os
import random
from typing import TYPE_CHECKING

import pytest
import trio

from support.noted_link import Hasty, Notes
from support.recorded import finished_sets
from support.restarting import RestartingServer
from tarneeb_client.bot_player import OVERTAKEN, BotPlayer, take_seat
from tarneeb_client.link import NEW, open_link
from tarneeb_client.link_items import LinkBack, LinkEnded
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tarneeb_client.bot_player import FinishedSet

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("TARNEEB_KILLS", "8"))
SEED = int(os.environ.get("TARNEEB_KILL_SEED", "1"))

logger = logging.getLogger(__name__)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RestartingServer]:
    made = RestartingServer(tmp_path, "--turn-seconds", "0")
    made.start()
    try:
        yield made
    finally:
        made.close()


class Evening:
    """Four bots and a spectator at one table, until told that the set in progress is the last."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.notes = [Notes() for _ in range(5)]
        self.last_finished = 0
        self.is_last = False
        self.seated = trio.Semaphore(0)
        self.over = trio.Event()

    def report(self, finished: FinishedSet) -> None:
        """A set is over."""
        self.last_finished = max(self.last_finished, finished.number)
        if self.is_last:
            self.over.set()

    async def bot(self, seat: Seat) -> None:
        """Play in this seat until cancelled."""
        rng = Hasty(f"{SEED} {seat}")
        async with open_link(self.notes[seat].dial(self.port), name=f"Player {seat}", rng=rng) as link:
            await take_seat(link, "Killed", seat)
            self.seated.release()
            level = m.BotLevel.STEADY if seat % 2 else m.BotLevel.RANDOM
            await BotPlayer(link, level, rng, sets=10**6, wait_seconds=60, report=self.report).play()

    async def spectator(self) -> None:
        """Watch until cancelled; every return is to the same session and the same table."""
        dial = self.notes[4].dial(self.port)
        async with open_link(dial, name="Spectator", rng=Hasty(SEED)) as link:
            await link.request(m.Watch(id=NEW, table=1))
            self.seated.release()
            async for item in link:
                assert not isinstance(item, LinkEnded), item
                if isinstance(item, LinkBack):
                    assert item.resumed
                    assert item.welcome.table == 1


async def test_four_bots_and_a_spectator_lose_nothing_that_was_acknowledged_to_a_server_that_is_killed(
    server: RestartingServer,
) -> None:
    rng = random.Random(SEED)
    evening = Evening(server.port)
    with trio.fail_after(90 + 6 * KILLS):
        async with trio.open_nursery() as nursery:
            for seat in Seat:
                nursery.start_soon(evening.bot, seat)
                await evening.seated.acquire()
            nursery.start_soon(evening.spectator)
            await evening.seated.acquire()
            for _ in range(KILLS):
                await trio.sleep(rng.uniform(0.0, 0.5))
                server.kill()
                await trio.to_thread.run_sync(server.start)
            evening.is_last = True
            await evening.over.wait()
            nursery.cancel_scope.cancel()
    server.stop()
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "not_restored" not in log
    sets = finished_sets(server.data)
    assert len(sets) >= evening.last_finished >= 1
    acknowledged = heard = lost = 0
    for place, notes in enumerate(evening.notes):
        # The link asks again for what was not answered, and the bot decides the same turn once more.
        assert {error["code"] for error in notes.refused} <= OVERTAKEN
        assert 0 < notes.resumes_made <= notes.resumes_tried
        for told in (*notes.heard, *notes.acknowledged):
            if told.set_number > evening.last_finished:
                continue  # of the next set, which is not recorded as finished
            actor = place if told.seat < 0 else told.seat
            lost += (actor, told.action) not in sets[told.set_number - 1][told.deal - 1]
        acknowledged += len(notes.acknowledged)
        heard += len(notes.heard)
    logger.info(
        "%d kills; resumes tried %d, made %d; actions heard of %d, acknowledged %d, lost %d; sets %d",
        KILLS,
        sum(notes.resumes_tried for notes in evening.notes),
        sum(notes.resumes_made for notes in evening.notes),
        heard,
        acknowledged,
        lost,
        len(sets),
    )
    assert lost == 0
    assert acknowledged > 40
