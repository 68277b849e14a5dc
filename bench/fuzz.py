"""Hostile bytes and texts for as long as you like: how many were tried, and how many a second.

    PYTHONPATH=tests python bench/fuzz.py [--seconds N] [--seed N]

Each target has a share of the time: the decoder and the connection of both ends, a whole server with a table at
which a set is being played, and the cleaning of texts. What must hold is in ``tests/support/fuzzing.py`` and
``tests/server/test_hostile_bytes.py``; the first example for which it does not ends the program with a
traceback and the seed that repeats it.
"""

from __future__ import annotations

import argparse
import logging
import random
import time
from typing import TYPE_CHECKING

import trio

from support.fuzzing import DIRECTION_TO, check_payload, check_stream, check_text, hostile_text
from support.hostile_crowd import HostileCrowd, catch_up, locked_table, play_together
from support.live_server import live_server
from support.mutations import Mutator
from tarneeb_engine.seats import Seat
from tarneeb_protocol.codec import FROM_CLIENT, FROM_SERVER
from tarneeb_protocol.connection import Role

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK = 500
"""Examples between two looks at the clock."""


def payloads_of(seed: int) -> Callable[[], int]:
    """The decoders of both directions."""
    mutators = [(direction, Mutator(direction, seed)) for direction in (FROM_CLIENT, FROM_SERVER)]

    def run() -> int:
        for direction, mutator in mutators:
            for _ in range(CHUNK):
                check_payload(mutator.payload(), direction)
        return CHUNK * len(mutators)

    return run


def streams_of(seed: int) -> Callable[[], int]:
    """The connections of both ends, each stream whole and cut."""
    rng = random.Random(seed)
    mutators = [(role, Mutator(DIRECTION_TO[role], seed)) for role in Role]

    def run() -> int:
        frames = 0
        for role, mutator in mutators:
            for _ in range(CHUNK // 5):
                count = rng.randint(1, 4)
                check_stream(role, b"".join(mutator.frame() for _ in range(count)), rng)
                frames += count
        return frames

    return run


def texts_of(seed: int) -> Callable[[], int]:
    """Names and chat."""
    rng = random.Random(seed)

    def run() -> int:
        for _ in range(CHUNK):
            check_text(hostile_text(rng))
        return CHUNK

    return run


async def whole_server(seed: int, seconds: float) -> int:
    """Frames to a server; the four players at its table must hear nothing and can play on."""
    async with (
        live_server(ping_seconds=3600, dead_seconds=7200, max_connections_per_address=1_000) as server,
        locked_table(server) as (number, players),
    ):
        crowd = HostileCrowd(server, seed)
        table = server.app.lobby.tables[number]
        seq = table.stream.seq
        deadline = trio.current_time() + seconds
        while trio.current_time() < deadline:
            await crowd.attack()
            # Floods are refused by the rate at which they come, which is not what is tried here.
            server.app.gate._arrivals.clear()
        if table.stream.seq != seq:
            raise AssertionError("the table has heard something")
        await play_together(players, 5)
        await catch_up(server, number, *players)
        for seat, player in zip(Seat, players, strict=True):
            if player.view != server.snapshot(number, seat):
                raise AssertionError(f"{seat.name} sees another table than there is")
        return crowd.frames


def timed(name: str, what: str, run: Callable[[], int], seconds: float) -> int:
    """Run until the time is over, and say how many there were."""
    began = time.perf_counter()
    tried = 0
    while time.perf_counter() - began < seconds:
        tried += run()
    took = time.perf_counter() - began
    print(f"{name:<22}{tried:>12,} {what:<7}{tried / took:>10,.0f} a second", flush=True)
    return tried


def main() -> None:
    """Run every target for its share of the time."""
    parser = argparse.ArgumentParser(description="Try hostile frames and texts.")
    parser.add_argument("--seconds", type=float, default=60.0, help="in all (default: 60)")
    parser.add_argument("--seed", type=int, default=None, help="repeats a run (default: another each time)")
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    logging.getLogger("tarneeb.server").setLevel(logging.ERROR)
    share = given.seconds / 4
    frames = timed("decoders", "frames", payloads_of(seed), share)
    frames += timed("connections", "frames", streams_of(seed), share)
    frames += timed("a whole server", "frames", lambda: trio.run(whole_server, seed, share), share)
    texts = timed("names and chat", "texts", texts_of(seed), share)
    print(f"{frames:,} hostile frames and {texts:,} hostile texts; everything held")


if __name__ == "__main__":
    main()
