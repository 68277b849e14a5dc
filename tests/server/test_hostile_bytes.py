"""Hostile frames to a whole server in which a set is being played."""

from __future__ import annotations

import socket

import pytest
import trio.testing

from support.fuzzing import WANTED, seed
from support.hostile_crowd import HostileCrowd, catch_up, locked_table, play_together
from support.live_server import live_server
from tarneeb_engine.seats import Seat


@pytest.mark.slow
@pytest.mark.proves("E-4", "H-9")
async def test_f13_hostile_frames_of_others_leave_a_table_as_it_was_to_the_last_byte(
    mock_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    # Whatever others send: the players get no byte of it, the server has no fault, and nothing is left of them.
    async with (
        live_server(ping_seconds=3600, dead_seconds=7200, max_connections_per_address=1000) as server,
        locked_table(server) as (number, players),
    ):
        crowd = HostileCrowd(server, seed())
        seq = server.app.lobby.tables[number].stream.seq
        for at in range(max(250, WANTED // 6)):
            if at % 50 == 49:
                mock_clock.jump(1)  # so that floods are not all that is tried
            await crowd.attack()
        assert server.app.lobby.tables[number].stream.seq == seq
        for player in players:
            beside = socket.socket(fileno=socket.dup(player.stream.socket.fileno()))
            with beside, pytest.raises(BlockingIOError):
                beside.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        await play_together(players, 3)
        await catch_up(server, number, *players)
        for seat, player in zip(Seat, players, strict=True):
            assert player.view == server.snapshot(number, seat)
        assert {peer.session for peer in server.app.peers} == {1, 2, 3, 4}
        await crowd.until_gone()
        assert len(server.app.gate) == 4
    assert "Traceback" not in caplog.text
    assert "handler_failed" not in caplog.text
