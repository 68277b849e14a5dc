"""The TLS channel by itself, over a pair of sockets with small buffers."""

from __future__ import annotations

import contextlib
import random
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from support.tls import HandMadeTls, server_tls, trusting
from tarneeb_server.tls_channel import MOST_ENCRYPTED, TlsChannel

PLAIN_ANSWER = b"in plain"
SMALL = 4096


@contextmanager
def channel(buffers: int = SMALL) -> Iterator[tuple[TlsChannel, trio.SocketStream]]:
    """A channel, and the socket of its client."""
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.socket() as ours:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffers)
        ours.connect(listening.getsockname())
        theirs, _ = listening.accept()
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffers)
        theirs.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        ours.setblocking(False)
        made = TlsChannel(theirs, server_tls().context, PLAIN_ANSWER)
        try:
            yield made, trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        finally:
            theirs.close()


async def receive(end: TlsChannel, count: int) -> bytes:
    """So many bytes, or fewer at the end of the stream."""
    received = b""
    while len(received) < count:
        await end.wait_readable()
        try:
            chunk = end.recv(16384)
        except BlockingIOError:
            continue
        if not chunk:
            break
        received += chunk
    return received


async def send_all(end: TlsChannel, content: bytes) -> None:
    """As a peer does it: what is not reported as sent is offered again, perhaps with more behind it."""
    while content:
        try:
            count = end.send(content)
        except BlockingIOError:
            await end.wait_writable()
        else:
            assert 1 <= count <= min(len(content), MOST_ENCRYPTED)
            content = content[count:]


def client_over(stream: trio.SocketStream) -> trio.SSLStream[trio.SocketStream]:
    return trio.SSLStream(stream, trusting(), server_hostname="127.0.0.1", https_compatible=True)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    up=st.lists(st.integers(1, 9000), max_size=8),
    down=st.lists(st.integers(1, 70_000), max_size=8),
    piece=st.integers(1, 5000),
)
def test_what_one_end_sends_the_other_gets_whatever_the_buffers_and_the_pieces(
    seed: int, up: list[int], down: list[int], piece: int
) -> None:
    rng = random.Random(seed)
    ups, downs = [rng.randbytes(size) for size in up], [rng.randbytes(size) for size in down]

    async def both_ways() -> None:
        with channel() as (end, stream), trio.fail_after(60):
            client = client_over(stream)
            got = bytearray()

            async def say() -> None:
                for chunk in ups:
                    await client.send_all(chunk)

            async def hear() -> None:
                while len(got) < sum(down):
                    got.extend(await client.receive_some(piece))

            async def answer() -> None:
                for chunk in downs:
                    await send_all(end, chunk)

            async with trio.open_nursery() as tasks:
                tasks.start_soon(say)
                tasks.start_soon(hear)
                tasks.start_soon(answer)
                assert await receive(end, sum(up)) == b"".join(ups)
            assert bytes(got) == b"".join(downs)

    trio.run(both_ways)


async def test_f06_bytes_are_reported_as_sent_when_the_kernel_has_them_and_not_before() -> None:
    with channel() as (end, stream):
        client = client_over(stream)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(client.do_handshake)
            await send_all(end, b"first")
        assert await client.receive_some() == b"first"
        sent = 0
        content = random.Random(1).randbytes(1 << 20)
        with contextlib.suppress(BlockingIOError):
            while sent < len(content):
                sent += end.send(content[sent:])
        assert sent < len(content)
        # The kernel is full. Nothing more is encrypted, however often it is tried.
        for _ in range(100):
            with pytest.raises(BlockingIOError):
                end.send(content[sent:])
        assert len(end._unsent) <= MOST_ENCRYPTED + 1024
        async with trio.open_nursery() as tasks:
            tasks.start_soon(send_all, end, content[sent:])
            received = b""
            while len(received) < len(content):
                received += await client.receive_some(65536)
        assert received == content


async def test_a_channel_that_only_sends_drives_its_handshake_itself() -> None:
    with channel() as (end, stream), trio.fail_after(20):
        client = client_over(stream)
        async with trio.open_nursery() as tasks:
            tasks.start_soon(send_all, end, b"no room")
            assert await client.receive_some() == b"no room"


async def test_reader_and_writer_may_both_wait_for_the_handshake() -> None:
    with channel() as (end, stream), trio.fail_after(20):
        client = client_over(stream)
        async with trio.open_nursery() as tasks:
            with trio.CancelScope() as reading:
                tasks.start_soon(send_all, end, b"goodbye")
                await trio.testing.wait_all_tasks_blocked()
                reading.cancel()
                await end.wait_readable()
            tasks.start_soon(client.send_all, b"hello")
            assert await receive(end, 5) == b"hello"
            assert await client.receive_some() == b"goodbye"


async def test_whoever_waits_for_a_channel_that_is_closed_is_told() -> None:
    with channel() as (end, _), trio.fail_after(20):
        told: list[str] = []

        async def wait(name: str, which: object) -> None:
            with pytest.raises(trio.ClosedResourceError):
                await which()  # type: ignore[operator]  # one of the channel's two waits
            told.append(name)

        async with trio.open_nursery() as tasks:
            tasks.start_soon(wait, "reader", end.wait_readable)
            tasks.start_soon(wait, "writer", end.wait_writable)
            await trio.testing.wait_all_tasks_blocked()
            end.close()
        assert sorted(told) == ["reader", "writer"]


@pytest.mark.parametrize(
    "first", [b"\x00\x00\x00\x05", b"GET / HTTP/1.1\r\n", b"\xff", b"\x15\x03\x01\x00\x02\x02\x28"]
)
async def test_a_client_without_tls_is_answered_in_plain_and_nothing_else(first: bytes) -> None:
    with channel() as (end, stream), trio.fail_after(20):
        await stream.send_all(first)
        assert await receive(end, 1) == b""
        with pytest.raises(BrokenPipeError):
            end.send(b"a secret")
        end.finish()
        answer = b""
        while chunk := await stream.receive_some():
            answer += chunk
        assert answer == PLAIN_ANSWER


async def test_the_end_of_a_stream_is_its_end_with_or_without_close_notify() -> None:
    for is_notified in (True, False):
        with channel() as (end, stream), trio.fail_after(20):
            client = HandMadeTls()
            async with trio.open_nursery() as tasks:
                tasks.start_soon(client.shake_hands, stream)
                tasks.start_soon(send_all, end, b"x")
            client.tls.write(b"last")
            if is_notified:
                with pytest.raises(ssl.SSLWantReadError):
                    client.tls.unwrap()
            await client.send_waiting(stream)
            await stream.send_eof()
            assert await receive(end, 10) == b"last"


async def test_finish_says_close_notify() -> None:
    with channel() as (end, stream), trio.fail_after(20):
        client = trio.SSLStream(stream, trusting(), server_hostname="127.0.0.1")
        async with trio.open_nursery() as tasks:
            tasks.start_soon(client.do_handshake)
            await send_all(end, b"last")
        end.finish()
        # This stream raises for an end without close_notify.
        assert await client.receive_some() == b"last"
        assert await client.receive_some() == b""


async def test_a_handshake_that_never_ends_is_cut_off() -> None:
    with channel(buffers=65536) as (end, stream), trio.fail_after(20):
        # A record of the longest length again and again: a ClientHello that announces 16 MiB.
        record = b"\x16\x03\x01\x40\x00" + b"\x01\xff\xff\xff" + bytes(0x4000 - 4)
        await stream.send_all(record + record)
        with pytest.raises(ssl.SSLError):
            await receive(end, 1)
