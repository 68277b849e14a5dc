"""The server over TLS, on real sockets in the test's process."""

from __future__ import annotations

import logging
import random
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st

from support.live_server import LiveServer, live_server
from support.tls import HandMadeTls, TlsWireClient, server_tls, trusting, unverified
from support.wire_client import WireClient
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_server.tls_channel import MOST_ENCRYPTED, TlsChannel

HELLO = wire.Hello(protocol_min=1, protocol_max=1, client="test", name="Stranger")

TLS_1_1_HELLO = bytes.fromhex(
    # record 3.1, handshake: client_hello 3.2, random, no session, three ciphers, no compression, no extensions
    "1603010031" + "0100002d" + "0302" + "5a" * 32 + "00" + "0006c013c014002f" + "0100"
)


@pytest.fixture
def clock(mock_clock: trio.testing.MockClock) -> trio.testing.MockClock:
    """Time passes when nothing else does. The threshold lets loopback sockets be something else."""
    mock_clock.autojump_threshold = 0.02
    return mock_clock


@pytest.fixture(autouse=True)
def nothing_goes_wrong_in_the_server(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No test of this file may make the server log an error: a hostile client is none."""
    caplog.set_level(logging.DEBUG, "tarneeb.server")
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@asynccontextmanager
async def four_players(server: LiveServer) -> AsyncIterator[tuple[int, list[TlsWireClient]]]:
    clients = [await TlsWireClient.connect(server.port) for _ in Seat]
    try:
        for seat, client in zip(Seat, clients, strict=True):
            await client.hello(seat.name.title())
        number = await clients[0].open_table(turn_seconds=0)
        for seat, client in zip(Seat, clients, strict=True):
            await client.ok(wire.Join, table=number, seat=seat)
        yield number, clients
    finally:
        for client in clients:
            await trio.aclose_forcefully(client.stream)


async def play_together(clients: list[TlsWireClient], actions: int) -> None:
    """Play at random until one of the clients has done so many actions."""
    async with trio.open_nursery() as nursery:

        async def play(client: TlsWireClient, rng: random.Random) -> None:
            await client.play(rng, actions)
            nursery.cancel_scope.cancel()

        for seed, client in enumerate(clients):
            nursery.start_soon(play, client, random.Random(seed))


async def catch_up(server: LiveServer, number: int, client: TlsWireClient) -> None:
    """Let the client read all that the server has sent it."""
    while client.view is None or client.view.seq < server.app.lobby.tables[number].stream.seq:
        assert await client.receive() is not None


async def assert_all_see_the_same(server: LiveServer, number: int, clients: list[TlsWireClient]) -> None:
    for seat, client in zip(Seat, clients, strict=True):
        await catch_up(server, number, client)
        assert client.view == server.snapshot(number, seat)


async def until_gone(server: LiveServer, others: int) -> None:
    """Until the server has no more connections than so many."""
    with trio.fail_after(10):
        while True:
            if len(server.app.peers) <= others:
                return
            await trio.sleep(0.01)


async def rest_of(stream: trio.SocketStream) -> bytes:
    """All that comes until the other end closes, or resets."""
    received = b""
    try:
        while chunk := await stream.receive_some(65536):
            received += chunk
    except trio.BrokenResourceError:
        pass
    return received


# ---------------------------------------------------------------- play


async def test_four_clients_play_over_tls_and_see_what_they_would_without() -> None:
    async with live_server(tls=server_tls()) as server, four_players(server) as (number, clients):
        await play_together(clients, 40)
        await assert_all_see_the_same(server, number, clients)


@pytest.mark.proves("S-5")
async def test_a_stream_cut_off_without_close_notify_is_a_lost_link_and_is_resumed_over_tls() -> None:
    async with live_server(tls=server_tls()) as server, four_players(server) as (number, clients):
        await clients[0].stream.send_eof()
        assert isinstance(await clients[1].until(wire.PlayerAway), wire.PlayerAway)
        clients.append(await clients[0].resumed())
        assert isinstance(await clients[1].until(wire.PlayerBack), wire.PlayerBack)
        # An end that is said is the same, where no goodbye went before it.
        back = clients[-1]
        assert isinstance(back.carrier, trio.SSLStream)
        await back.carrier.aclose()
        assert isinstance(await clients[1].until(wire.PlayerAway), wire.PlayerAway)
        clients.append(await back.resumed())
        await assert_all_see_the_same(server, number, [clients[-1], *clients[1:4]])


async def test_the_last_word_reaches_a_client_and_its_stream_is_ended_in_order() -> None:
    async with live_server(tls=server_tls()) as server:
        client = await TlsWireClient.connect(server.port)
        await client.hello()
        await server.app.shut_down()
        last = await client.until_closed()
        assert isinstance(last, wire.Goodbye)
        assert last.code == "shutdown"
        await trio.aclose_forcefully(client.stream)


async def test_who_finds_the_server_full_is_told_so_over_tls() -> None:
    async with (
        live_server(tls=server_tls(), max_connections=1) as server,
        await TlsWireClient.connect(server.port) as first,
    ):
        await first.hello()
        async with await TlsWireClient.connect(server.port) as second:
            last = await second.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "server_full"


# ---------------------------------------------------------------- who speaks what


@pytest.mark.parametrize(
    "first",
    [encode(HELLO), encode(wire.Describe()), bytes(4), b"\x00", b"\xff\xff\xff\xff", b"GET / HTTP/1.1\r\n\r\n"],
    ids=["hello", "describe", "empty frame", "one byte", "over-long frame", "another protocol"],
)
@pytest.mark.proves("S-1", "S-2")
async def test_a_client_in_plain_is_told_to_use_tls_and_nothing_else(first: bytes) -> None:
    async with live_server(tls=server_tls()) as server, await WireClient.connect(server.port) as client:
        client.connection.send(HELLO)
        await client.stream.send_all(first)
        last = await client.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "tls_required"
        assert bytes(client.raw) == encode(last)
        assert list(server.app.lobby.sessions) == []


async def test_tls_at_a_server_without_it_is_a_frame_that_is_too_long() -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        client.connection.send(HELLO)
        await client.stream.send_all(HandMadeTls().first_bytes())
        last = await client.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "frame_too_long"


@pytest.mark.proves("S-3")
async def test_an_older_version_than_1_2_is_refused_with_an_alert() -> None:
    async with live_server(tls=server_tls()) as server, await WireClient.connect(server.port) as client:
        await client.stream.send_all(TLS_1_1_HELLO)
        answer = await rest_of(client.stream)
        # An alert of two bytes, fatal, protocol_version: no ServerHello.
        assert (answer[0], answer[-2:]) == (0x15, bytes((2, 70)))


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.proves("S-3")
async def test_both_versions_of_tls_are_spoken_without_tickets(version: ssl.TLSVersion) -> None:
    context = trusting()
    context.minimum_version = context.maximum_version = version
    async with live_server(tls=server_tls()) as server, await WireClient.connect(server.port) as client:
        secured = trio.SSLStream(client.stream, context, server_hostname="127.0.0.1", https_compatible=True)
        client.carrier = secured
        await client.hello()
        spoken = secured.version()
        assert spoken == version.name.replace("_", ".")


# ---------------------------------------------------------------- bad clients


async def test_f05_handshake_and_frames_may_come_a_byte_at_a_time() -> None:
    async with live_server(tls=server_tls()) as server, await WireClient.connect(server.port) as client:
        by_hand = HandMadeTls()
        client.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await by_hand.shake_hands(client.stream, piece=1)
        for byte in encode(HELLO):
            by_hand.tls.write(bytes((byte,)))  # a record of its own
            await by_hand.send_waiting(client.stream, piece=7)
        by_hand.tls.write(b"".join(encode(wire.ListTables(id=number)) for number in range(30)))
        await by_hand.send_waiting(client.stream)
        received = b""
        while received.count(b"tables") < 60:
            by_hand.incoming.write(await client.stream.receive_some(65536))
            try:
                while True:
                    received += by_hand.tls.read(65536)
            except ssl.SSLWantReadError:
                continue


@pytest.mark.parametrize("said", [0, 1, 100], ids=lambda count: f"{count} bytes")
@pytest.mark.proves("S-4")
async def test_a_handshake_that_stalls_is_ended_when_the_time_for_a_hello_is_over(
    said: int, clock: trio.testing.MockClock
) -> None:
    async with (
        live_server(tls=server_tls(), hello_seconds=10) as server,
        await WireClient.connect(server.port) as client,
    ):
        begun = trio.current_time()
        await client.stream.send_all(HandMadeTls().first_bytes()[:said])
        assert await rest_of(client.stream) == b""
        assert 10 <= trio.current_time() - begun <= 15
        await until_gone(server, 0)


async def test_a_hello_that_does_not_come_after_the_handshake_is_missed_over_tls(
    clock: trio.testing.MockClock,
) -> None:
    async with live_server(tls=server_tls()) as server, await TlsWireClient.connect(server.port) as client:
        client.connection.send(HELLO)
        last = await client.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "hello_timeout"


@pytest.mark.parametrize("how", ["reset", "end", "garbage", "plain frames"])
@pytest.mark.parametrize("when", ["in the handshake", "after it"])
async def test_a_client_that_breaks_tls_disturbs_nobody_and_is_gone(how: str, when: str) -> None:
    async with live_server(tls=server_tls()) as server, four_players(server) as (number, clients):
        before = len(server.app.peers)
        async with await WireClient.connect(server.port) as stranger:
            by_hand = HandMadeTls()
            if when == "after it":
                await by_hand.shake_hands(stranger.stream)
                by_hand.tls.write(encode(HELLO))
                await by_hand.send_waiting(stranger.stream)
            else:
                await stranger.stream.send_all(by_hand.first_bytes())
            await stranger.stream.receive_some(1)
            if how == "reset":
                stranger.cut()
            elif how == "end":
                await stranger.stream.send_eof()
            elif how == "garbage":
                await stranger.stream.send_all(random.Random(2).randbytes(3000))
            else:
                await stranger.stream.send_all(encode(wire.ListTables(id=1)) * 20)
            if how != "reset":
                await rest_of(stranger.stream)
            await until_gone(server, before)
        await play_together(clients, 8)
        await assert_all_see_the_same(server, number, clients)


@pytest.mark.slow
async def test_b01_b03_a_client_that_does_not_read_is_cut_off_with_no_more_kept_for_it_than_without_tls() -> (
    None
):
    async with (
        live_server(tls=server_tls(), outbox_kib=128) as server,
        four_players(server) as (number, clients),
    ):
        sleeper = await TlsWireClient.connect(server.port, receive_buffer=4096)
        async with sleeper:
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
            channel = peer._channel
            assert isinstance(channel, TlsChannel)
            assert len(channel._unsent) <= MOST_ENCRYPTED + 1024
        back = await sleeper.resumed(with_seq=False)
        async with back:
            assert back.welcome is not None
            assert back.welcome.table == number


# ---------------------------------------------------------------- any bytes


def hostile_bytes() -> st.SearchStrategy[bytes]:
    """Anything, and real beginnings of TLS with bytes changed, cut off, repeated and with more behind them."""

    @st.composite
    def damaged(draw: st.DrawFn) -> bytes:
        hello = bytearray(HandMadeTls().first_bytes())
        for _ in range(draw(st.integers(0, 4))):
            hello[draw(st.integers(0, len(hello) - 1))] = draw(st.integers(0, 255))
        cut = draw(st.integers(1, len(hello)))
        return bytes(hello[:cut]) * draw(st.integers(1, 3)) + draw(st.binary(max_size=200))

    return (
        st.binary(max_size=2000) | damaged() | st.binary(max_size=200).map(lambda tail: b"\x16\x03\x01" + tail)
    )


@settings(max_examples=15, deadline=None)
@given(first=hostile_bytes(), later=st.binary(max_size=500), is_half_closed=st.booleans())
def test_no_bytes_at_the_port_disturb_a_table(first: bytes, later: bytes, is_half_closed: bool) -> None:
    async def run() -> None:
        async with live_server(tls=server_tls()) as server, four_players(server) as (number, clients):
            stranger = await WireClient.connect(server.port)
            entered = await WireClient.connect(server.port)
            async with stranger, entered:
                with_tls = HandMadeTls(unverified())
                await with_tls.shake_hands(entered.stream)
                with_tls.tls.write(encode(HELLO))
                await with_tls.send_waiting(entered.stream)
                for client, chunk in ((stranger, first), (entered, later)):
                    await client.stream.send_all(chunk)
                    if is_half_closed:
                        await client.stream.send_eof()
                await play_together(clients, 2)
                await assert_all_see_the_same(server, number, clients)
            for client in clients:
                assert [message for message in client.received if isinstance(message, wire.Error)] == []

    trio.run(run)
