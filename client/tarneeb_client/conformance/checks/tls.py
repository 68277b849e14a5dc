"""Checks of a server with TLS."""

from __future__ import annotations

import anyio

from tarneeb_client.conformance.outcome import Failed, NotTested, Subject
from tarneeb_client.conformance.probe import Probe, brief, expect, hello_frame
from tarneeb_client.conformance.wire import frame, framed

subject: Subject[Probe] = Subject("tls")

HANDSHAKE = 0x16
"""The first byte of a TLS record with a part of a handshake, as in a ServerHello."""
TLS_1_1_HELLO = bytes.fromhex(
    # A record, and in it a client_hello of version 3.2 (TLS 1.1): random, no session, three ciphers that
    # TLS 1.1 knows, no compression, no extensions.
    "1603010031" + "0100002d" + "0302" + "5a" * 32 + "00" + "0006c013c014002f" + "0100"
)


def _needs_tls(probe: Probe) -> None:
    if not probe.target.tls:
        raise NotTested("the kit speaks TLS to the server only with --tls")


@subject.check("S-1", "S-2")
async def a_client_in_plain_is_told_to_use_tls(probe: Probe) -> None:
    """A server with TLS answers a connection that begins without it by `refused` with `tls_required`, in plain,
    and by nothing else.
    """
    _needs_tls(probe)
    for first in (hello_frame(), frame(type="describe"), framed(b"\x80"), b"\x00", b"GET / HTTP/1.1\r\n\r\n"):
        client = await probe.connect(in_plain=True)
        await client.send_bytes(first)
        last = await client.ends("refused")
        expect(last["code"] == "tls_required", f"{first[:12]!r} in plain was answered by {brief(last)}")
        expect(
            len(client.received) == 1,
            f"{first[:12]!r} in plain was answered by {len(client.received)} messages",
        )


@subject.check("S-3")
async def an_old_version_of_tls_is_refused(probe: Probe) -> None:
    """An end speaks no older version of TLS than 1.2."""
    _needs_tls(probe)
    answer = await _answer_to(probe, TLS_1_1_HELLO, probe.target.answer_seconds)
    if answer is None:
        raise Failed("the connection of a client of TLS 1.1 was left open")
    expect(answer[:1] != bytes((HANDSHAKE,)), "a client of TLS 1.1 was answered by a ServerHello")


@subject.check("S-4")
async def a_handshake_that_stalls_is_ended(probe: Probe) -> None:
    """A server closes a connection on which the TLS handshake is not over in the time that a `hello` may
    take.
    """
    _needs_tls(probe)
    if await _answer_to(probe, bytes((HANDSHAKE,)), probe.target.patience) is None:
        raise NotTested(
            f"the server waited longer than {probe.target.patience:g} s for a handshake (--patience)"
        )


@subject.check("S-5")
async def a_stream_without_close_notify_has_ended(probe: Probe) -> None:
    """An end takes a TLS stream that ends without `close_notify` for one that ends."""
    _needs_tls(probe)
    leaver, other = await probe.player(), await probe.player()
    number = await probe.table(other)
    for client in (leaver, other):
        await client.get("join", table=number)
    await leaver.close()  # the socket, with no word of TLS
    await other.until("player_away")
    await probe.resume(leaver)
    await other.until("player_back")


async def _answer_to(probe: Probe, first: bytes, seconds: float) -> bytes | None:
    """All that comes on a new connection that begins so, until its end; ``None`` if it does not end in time."""
    stream = await probe.stream()
    answer = b""
    try:
        with anyio.move_on_after(seconds):
            await stream.send(first)
            while True:
                answer += await stream.receive()
    except (anyio.EndOfStream, anyio.BrokenResourceError):
        return answer
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.aclose_forcefully(stream)
    return None
