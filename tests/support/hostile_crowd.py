"""Connections that send hostile frames to a whole server, while four players sit at a table that is closed to
them.
"""

from __future__ import annotations

import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
import trio.testing

from support.live_server import LiveServer
from support.mutations import Mutator
from support.wire_client import WireClient
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import FROM_CLIENT, encode
from tarneeb_server.channel import SocketChannel

LOCK = "open sesame"
HELLO = encode(wire.Hello(protocol_min=1, protocol_max=1, client="hostile", name="Eve"))


@asynccontextmanager
async def locked_table(server: LiveServer) -> AsyncIterator[tuple[int, list[WireClient]]]:
    """A table of four players, with a password, that takes no spectators; a set is being played."""
    players = [await WireClient.connect(server.port) for _ in Seat]
    try:
        for seat, player in zip(Seat, players, strict=True):
            await player.hello(seat.name.title())
        number = await players[0].open_table(password=LOCK, spectators=False, turn_seconds=0)
        for player in players:
            await player.ok(wire.Join, table=number, password=LOCK)
        await catch_up(server, number, *players)
        yield number, players
    finally:
        for player in players:
            await trio.aclose_forcefully(player.stream)


async def catch_up(server: LiveServer, number: int, *players: WireClient) -> None:
    """Let the players read all that the table has told them, prompts too."""
    for player in players:
        await player.ok(wire.Sync, seq=server.app.lobby.tables[number].stream.seq)


async def play_together(players: list[WireClient], actions: int) -> None:
    """Play at random until one of them has done so many actions."""
    async with trio.open_nursery() as nursery:

        async def play(player: WireClient, rng: random.Random) -> None:
            await player.play(rng, actions)
            nursery.cancel_scope.cancel()

        for seed, player in enumerate(players):
            nursery.start_soon(play, player, random.Random(seed))


class HostileCrowd:
    """Each ``attack`` is one connection that says hello, or does not, and then a few frames that are not good.

    ``frames`` counts them.
    """

    def __init__(self, server: LiveServer, seed: int) -> None:
        self._server = server
        self._rng = random.Random(seed)
        self._mutator = Mutator(FROM_CLIENT, seed)
        self.frames = 0

    async def attack(self) -> None:
        """Connect, send, read what comes, and go, by a reset now and then."""
        rng = self._rng
        ours, theirs = socket.socketpair()
        self._server.app.serve(SocketChannel(theirs), f"192.0.2.{rng.randrange(256)}")
        count = rng.randint(1, 12)
        sent = b"".join(self._mutator.frame() for _ in range(count))
        if rng.random() < 0.9:
            sent = HELLO + sent
        self.frames += count
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        try:
            while sent:
                size = rng.choice((1, 7, 100, 5000, len(sent)))
                await stream.send_all(sent[:size])
                sent = sent[size:]
            if rng.random() < 0.9:
                await stream.send_eof()
                while await stream.receive_some(65536):
                    pass
        except trio.BrokenResourceError:
            pass
        finally:
            await trio.aclose_forcefully(stream)

    async def until_gone(self) -> None:
        """Wait until nobody but the four players is counted."""
        while len(self._server.app.gate) > len(Seat):
            await trio.testing.wait_all_tasks_blocked()
