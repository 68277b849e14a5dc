"""The server over real sockets on loopback, in the test's process."""

from __future__ import annotations

import logging
import random
import re
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from support.live_server import LiveServer, live_server
from support.wire_client import WireClient
from tarneeb_engine.cards import FULL_PACK
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_server.channel import SocketChannel


@pytest.fixture
def clock(mock_clock: trio.testing.MockClock) -> trio.testing.MockClock:
    """Time passes when nothing else does. The threshold lets loopback sockets be something else."""
    mock_clock.autojump_threshold = 0.02
    return mock_clock


@asynccontextmanager
async def four_players(server: LiveServer, **table: object) -> AsyncIterator[tuple[int, list[WireClient]]]:
    clients = [await WireClient.connect(server.port) for _ in Seat]
    try:
        for seat, client in zip(Seat, clients, strict=True):
            await client.hello(seat.name.title())
        number = await clients[0].open_table(**table)
        for seat, client in zip(Seat, clients, strict=True):
            await client.ok(wire.Join, table=number, seat=seat)
        yield number, clients
    finally:
        for client in clients:
            await trio.aclose_forcefully(client.stream)


async def resumed(clients: list[WireClient], index: int) -> WireClient:
    """A new connection for one of the clients; it is closed when they are."""
    back = await clients[index].resumed()
    clients.append(back)
    return back


async def play_together(clients: list[WireClient], actions: int) -> None:
    """Play at random until one of the clients has done so many actions."""
    async with trio.open_nursery() as nursery:

        async def play(client: WireClient, rng: random.Random) -> None:
            await client.play(rng, actions)
            nursery.cancel_scope.cancel()

        for seed, client in enumerate(clients):
            nursery.start_soon(play, client, random.Random(seed))


async def catch_up(server: LiveServer, number: int, *clients: WireClient) -> None:
    """Let the clients read all that the server has sent them."""
    for client in clients:
        while client.view is None or client.view.seq < server.app.lobby.tables[number].stream.seq:
            assert await client.receive() is not None


@pytest.mark.proves("W-2", "O-1")
async def test_four_clients_play_a_set_over_tcp_and_see_the_same() -> None:
    async with (
        live_server() as server,
        four_players(server, turn_seconds=0) as (number, clients),
        await WireClient.connect(server.port) as watcher,
    ):
        await watcher.hello("Watcher")
        await watcher.ok(wire.Watch, table=number)
        await play_together(clients, 40)
        await catch_up(server, number, watcher, *clients)
        assert watcher.view == server.snapshot(number, None)
        for seat, client in zip(Seat, clients, strict=True):
            assert client.view == server.snapshot(number, seat)


async def test_one_player_and_three_bots_play_until_the_set_is_won(clock: trio.testing.MockClock) -> None:
    async with live_server(turn_seconds=1) as server, await WireClient.connect(server.port) as client:
        await client.hello()
        number = await client.open_table()
        await client.ok(wire.Join, table=number)
        for _ in range(3):
            await client.ok(wire.AddBot)
        await client.until(wire.SetWon)
        await client.until(wire.Prompt)
        assert client.prompt is not None
        assert client.prompt.actions == (wire.ReadyAction(),)
        assert client.view == server.snapshot(number, Seat.SOUTH)
        assert [record.table_name for record in server.records] == ["Majlis"]
        await client.ok(wire.Act, action=wire.ReadyAction())
        assert server.app.lobby.tables[number].set_number == 2


@pytest.mark.proves("W-1")
async def test_h03_no_byte_to_a_spectator_is_a_card_that_is_not_public(clock: trio.testing.MockClock) -> None:
    async with (
        live_server(turn_seconds=1) as server,
        four_players(server) as (number, _),
        await WireClient.connect(server.port) as watcher,
    ):
        await watcher.hello("Watcher")
        await watcher.ok(wire.Watch, table=number)
        await watcher.until(wire.CallMade)
        # A deal of which no card has been played: not one of the 52 may have come yet.
        for card in FULL_PACK:
            assert b"\xa2" + card.value.encode() not in watcher.raw


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize("header", ["ffffffff", "80000000", "7fffffff", "00002001"])
@pytest.mark.proves("F-5", "C-9")
async def test_f01_an_over_long_frame_is_refused_by_its_header_alone(header: str) -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.stream.send_all(bytes.fromhex(header))
        last = await client.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "frame_too_long"


async def test_f01_an_over_long_frame_of_a_seated_player_costs_the_connection_but_not_the_seat() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (number, clients):
        await clients[0].stream.send_all(b"\xff\xff\xff\xff" + bytes(4096))
        last = await clients[0].until_closed()
        assert isinstance(last, wire.Goodbye)
        assert (last.code, last.resumable) == ("frame_too_long", True)
        assert isinstance(await clients[1].until(wire.PlayerAway), wire.PlayerAway)
        back = await resumed(clients, 0)
        await catch_up(server, number, back)
        assert back.view == server.snapshot(number, Seat.SOUTH)


@pytest.mark.proves("F-4", "C-9")
async def test_f03_frames_of_no_length_end_the_connection() -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.hello()
        await client.stream.send_all(bytes(4) * 100)
        last = await client.until_closed()
        assert isinstance(last, wire.Goodbye)
        assert last.code == "bad_frame"


@pytest.mark.proves("F-6")
async def test_f05_frames_may_come_byte_by_byte_or_many_at_once() -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        hello = encode(wire.Hello(protocol_min=1, protocol_max=1, client="test", name="Nour"))
        client.connection.send(wire.Hello(protocol_min=1, protocol_max=1, client="test", name="Nour"))
        for at in range(len(hello)):
            await client.stream.send_all(hello[at : at + 1])
        await client.until(wire.Welcome)
        await client.stream.send_all(b"".join(encode(wire.ListTables(id=number)) for number in range(30)))
        replies = [await client.until(wire.Tables) for _ in range(30)]
        assert [reply.id for reply in replies if isinstance(reply, wire.Tables)] == list(range(30))


@pytest.mark.parametrize("payload", ["ddff000000", "dfffffffff", "c6ffffffff", "91" * 4000, "93a161"])
@pytest.mark.proves("C-9")
async def test_f08_f11_hostile_msgpack_ends_the_connection_with_a_reason(payload: str) -> None:
    raw = bytes.fromhex(payload)
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.hello()
        await client.stream.send_all(struct.pack(">I", len(raw)) + raw)
        last = await client.until_closed()
        assert isinstance(last, wire.Goodbye)
        assert last.code in {"not_msgpack", "not_a_map", "too_deep", "forbidden_type"}


@pytest.mark.proves("E-2", "E-4")
async def test_i06_a_null_card_is_an_error_that_names_the_field_and_the_connection_stays() -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.hello()
        payload = b"\x83\xa4type\xa3act\xa2id\x01\xa6action\x82\xa4type\xa4play\xa4card\xc0"
        await client.stream.send_all(struct.pack(">I", len(payload)) + payload)
        error = await client.until(wire.Error)
        assert isinstance(error, wire.Error)
        assert (error.id, error.code, error.field) == (1, "bad_request", "action.card")
        client.last_id = 1
        await client.ok(wire.ListTables)


async def test_garbage_of_one_player_disturbs_nobody_else() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (number, clients):
        rng = random.Random(0)
        for _ in range(30):
            async with await WireClient.connect(server.port) as stranger:
                await stranger.stream.send_all(rng.randbytes(rng.randrange(1, 400)))
        await play_together(clients, 10)
        await catch_up(server, number, *clients)
        assert clients[0].view == server.snapshot(number, Seat.SOUTH)


# ---------------------------------------------------------------- reconnecting


@pytest.mark.proves("R-6")
async def test_r01_a_resume_supersedes_a_connection_that_seems_alive() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (number, clients):
        back = await resumed(clients, 0)
        last = await clients[0].until_closed()
        assert isinstance(last, wire.Goodbye)
        assert (last.code, last.resumable) == ("superseded", False)
        await catch_up(server, number, back)
        assert back.view == server.snapshot(number, Seat.SOUTH)
        assert server.app.lobby.tables[number].seating.is_any_player_present()


@pytest.mark.proves("R-7")
async def test_r03_the_reset_of_an_old_connection_after_a_resume_unseats_nobody() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (number, clients):
        back = await resumed(clients, 0)
        clients[0].cut()
        await trio.testing.wait_all_tasks_blocked(0.02)
        await back.ok(wire.Chat, text="here")
        await catch_up(server, number, clients[1])
        assert not any(
            isinstance(message, wire.PlayerAway | wire.PlayerLeft) for message in clients[1].received
        )


async def test_r05_a_player_drops_and_resumes_two_hundred_times() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (number, clients):
        player = clients[2]
        for attempt in range(200):
            if attempt % 2:
                player.cut()
            back = await player.resumed(with_seq=attempt % 3 != 0)
            await trio.aclose_forcefully(player.stream)
            player = back
        await catch_up(server, number, player)
        assert player.view == server.snapshot(number, Seat.NORTH)
        await trio.aclose_forcefully(player.stream)


async def test_d03_of_two_sockets_with_one_token_one_is_left() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (_, clients):
        welcome = clients[0].welcome
        assert welcome is not None
        outcomes: list[str] = []

        async def resume() -> None:
            async with await WireClient.connect(server.port) as client:
                await client.hello("x", resume=welcome.token)
                with trio.move_on_after(1):
                    last = await client.until_closed()
                    assert isinstance(last, wire.Goodbye)
                    outcomes.append(last.code)
                    return
                outcomes.append("open")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(resume)
            nursery.start_soon(resume)
        assert sorted(outcomes) == ["open", "superseded"]


async def test_i01_an_action_whose_reply_was_lost_is_asked_again_after_the_resume_and_done_once() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (number, clients):
        play = server.app.lobby.tables[number].play
        assert play is not None
        assert play.turn is not None
        player = clients[play.turn]
        prompt = await player.next_prompt()
        request = wire.Act(id=900, action=prompt.actions[0], seq=prompt.seq)
        await player.send(request)
        await clients[play.turn.next()].until(wire.PackCut)
        player.cut()
        back = await player.resumed()
        reply = await back.ask(request)
        assert isinstance(reply, wire.Done)
        assert sum(isinstance(message, wire.PackCut) for message in back.received) == 1
        await trio.aclose_forcefully(back.stream)


# ---------------------------------------------------------------- silence and slowness


@pytest.mark.proves("H-3", "H-5")
async def test_k01_a_dead_connection_is_noticed_and_the_others_are_told(clock: trio.testing.MockClock) -> None:
    async with live_server(turn_seconds=0) as server, four_players(server) as (_, clients):

        async def live_on(client: WireClient) -> None:
            while await client.receive() is not None:
                pass

        async with trio.open_nursery() as nursery:
            for client in clients[2:]:
                nursery.start_soon(live_on, client)
            start = trio.current_time()
            away = await clients[1].until(wire.PlayerAway)
            assert isinstance(away, wire.PlayerAway)
            assert away.seat is Seat.SOUTH
            assert trio.current_time() - start <= 46
            nursery.cancel_scope.cancel()


@pytest.mark.proves("H-2")
async def test_a_silent_connection_is_asked_for_life(clock: trio.testing.MockClock) -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.hello()
        with trio.move_on_after(100):
            await client.until_closed()
            pytest.fail("the server closed a connection that answers its pings")
        assert 5 <= sum(isinstance(message, wire.Ping) for message in client.received) <= 7


@pytest.mark.proves("C-10")
async def test_a_connection_without_a_hello_is_closed_in_time(clock: trio.testing.MockClock) -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        start = trio.current_time()
        last = await client.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "hello_timeout"
        assert trio.current_time() - start <= 12


@pytest.mark.proves("K-5")
async def test_t13_a_server_that_was_stopped_for_a_while_forfeits_nobody(
    mock_clock: trio.testing.MockClock,
) -> None:
    async with live_server(turn_seconds=45) as server, four_players(server) as (number, clients):
        mock_clock.jump(600)
        await trio.testing.wait_all_tasks_blocked(0.02)
        await clients[0].ok(wire.Chat, text="still here")
        await catch_up(server, number, clients[0])
        table = server.app.lobby.tables[number]
        assert table.clock.seconds_left(server.app.time.now()) == 45
        assert not any(isinstance(message, wire.PackCut | wire.PlayerAway) for message in clients[0].received)


@pytest.mark.proves("H-7", "H-9")
async def test_b01_b03_a_spectator_that_does_not_read_is_cut_off_and_slows_nobody() -> None:
    async with live_server(outbox_kib=128, turn_seconds=0) as server, four_players(server) as (number, clients):
        async with await WireClient.connect(server.port, receive_buffer=4096) as sleeper:
            await sleeper.hello("Sleeper")
            await sleeper.ok(wire.Watch, table=number)
            (peer,) = [peer for peer in server.app.peers if peer.session == 5]
            table = server.app.lobby.tables[number]
            most = 0
            for _ in range(200_000):
                if peer not in server.app.peers:
                    break
                # Straight from the table: chat is limited, but what a table makes in a day is not.
                server.app._perform(table.say(1, "x" * 300))
                for client in clients:
                    await catch_up(server, number, client)
                most = max(most, len(peer._outbox))
            assert peer not in server.app.peers
            assert most <= 128 * 1024 + 1024
            with trio.fail_after(5):
                await clients[0].ok(wire.Chat, text="yalla")
        back = await sleeper.resumed(with_seq=False)
        assert back.welcome is not None
        assert back.welcome.table == number
        await trio.aclose_forcefully(back.stream)


async def test_one_client_that_never_stops_asking_does_not_keep_the_server_from_the_others() -> None:
    async with live_server() as server, await WireClient.connect(server.port) as flood:
        await flood.hello("Flood")
        burst = b"".join(encode(wire.ListTables(id=number)) for number in range(5000))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(flood.stream.send_all, burst)
            async with await WireClient.connect(server.port) as other:
                await other.hello("Other")
                await other.ok(wire.ListTables)
            last = await flood.until_closed()
            assert isinstance(last, wire.Goodbye)
            assert (last.code, last.resumable) == ("rate_limited", True)
            nursery.cancel_scope.cancel()


@pytest.mark.proves("C-12")
async def test_a_full_server_says_so() -> None:
    async with live_server(max_connections=1) as server, await WireClient.connect(server.port) as first:
        await first.hello("First")
        async with await WireClient.connect(server.port) as second:
            await second.send(wire.Hello(protocol_min=1, protocol_max=1, client="t", name="Second"))
            last = await second.until_closed()
            assert isinstance(last, wire.Refused)
            assert last.code == "server_full"
        await first.ok(wire.ListTables)


@pytest.mark.proves("V-2")
async def test_v06_a_client_of_a_later_version_is_told_both_versions() -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.send(wire.Hello(protocol_min=2, protocol_max=4, client="later", name="Nour"))
        refused = await client.until_closed()
        assert isinstance(refused, wire.Refused)
        assert (refused.code, refused.protocol_min, refused.protocol_max) == ("unsupported_version", 1, 1)
        assert "1" in refused.message
        assert "2 to 4" in refused.message


async def test_c01_leaving_and_closing_in_one_moment_hurts_nobody() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (number, clients):
        async with await WireClient.connect(server.port) as leaver:
            await leaver.hello("Leaver")
            await leaver.ok(wire.Watch, table=number)
            await leaver.stream.send_all(
                leaver.connection.send(wire.Leave(id=50)) + leaver.connection.send(wire.Goodbye(code="left"))
            )
            leaver.cut()
        await clients[3].stream.send_all(clients[3].connection.send(wire.Leave(id=50)))
        clients[3].cut()
        await clients[0].until(wire.BotSeated)
        await clients[0].ok(wire.Chat, text="still here")


async def test_a_fault_of_the_server_ends_one_connection_and_is_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (_, clients):

        def fail(*_: object) -> list[object]:
            raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr(server.app.lobby, "_list_tables", fail)
            await clients[0].send(wire.ListTables(id=70))
            last = await clients[0].until_closed()
        assert isinstance(last, wire.Goodbye)
        assert last.code == "internal_error"
        assert "ZeroDivisionError" in caplog.text
        await clients[1].ok(wire.ListTables)


@pytest.mark.proves("R-2")
async def test_no_card_token_or_password_is_ever_logged(
    clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="tarneeb.server")
    secret, wrong = "open sesame", "wrong word"
    async with live_server(log_level="debug", turn_seconds=1) as server, four_players(server) as (_, clients):
        table = await clients[0].open_table(name="Locked", password=secret)
        async with await WireClient.connect(server.port) as guest:
            await guest.hello("Guest")
            assert isinstance(await guest.request(wire.Join, table=table, password=wrong), wire.Error)
            await guest.ok(wire.Join, table=table, password=secret)
            for card in FULL_PACK[:5]:
                await clients[1].request(wire.Act, action=wire.PlayAction(card))
            await resumed(clients, 0)
            async with trio.open_nursery() as nursery:
                for client in clients[1:]:
                    nursery.start_soon(client.until_closed)
                await trio.sleep(100)
                nursery.cancel_scope.cancel()
        tokens = [client.welcome.token for client in clients if client.welcome is not None]
    assert "event=acted" in caplog.text
    assert "event=deal_over" in caplog.text
    assert not re.search(r"\b[2-9TJQKA][CDHS]\b", caplog.text)
    assert not any(hidden in caplog.text for hidden in (*tokens, secret, wrong))


@pytest.mark.proves("D-1")
async def test_everybody_is_told_when_the_server_stops() -> None:
    async with live_server() as server, four_players(server, turn_seconds=0) as (_, clients):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.app.shut_down)
            for client in clients:
                last = await client.until_closed()
                assert isinstance(last, wire.Goodbye)
                assert (last.code, last.resumable) == ("shutdown", False)
        assert server.app.peers == {}


@pytest.mark.proves("H-8")
async def test_f06_what_the_kernel_takes_in_parts_arrives_once_and_in_order() -> None:
    async with live_server() as server:
        ours, theirs = socket.socketpair()
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        server.app.serve(SocketChannel(theirs), "pair")
        client = WireClient(trio.SocketStream(trio.socket.from_stdlib_socket(ours)), 0)
        await client.hello()
        for number in range(40):
            await client.send(wire.ListTables(id=number))
            await client.send(wire.OpenTable(id=number + 1000, name="x" * 20))
        client.cut()
