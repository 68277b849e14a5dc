"""Checks of frames: lengths, pieces, and what ends a connection."""

from __future__ import annotations

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.probe import Client, Probe, brief, expect, hello_frame
from tarneeb_client.conformance.wire import MAX_CLIENT_PAYLOAD, frame, framed, pack

subject: Subject[Probe] = Subject("framing")

HEADERS_TOO_LONG = (
    (MAX_CLIENT_PAYLOAD + 1).to_bytes(4, "big"),
    bytes.fromhex("7fffffff"),
    bytes.fromhex("80000000"),
    bytes.fromhex("ffffffff"),
)


@subject.check("F-1", "F-6")
async def frames_may_come_a_byte_at_a_time(probe: Probe) -> None:
    """Frames and TCP segments have nothing to do with each other: a frame may come a byte at a time."""
    client = await probe.connect()
    password = {} if probe.target.password is None else {"password": probe.target.password}
    for byte in hello_frame(**password) + frame(type="list_tables", id=1):
        await client.send_bytes(bytes([byte]))
    answers = [await client.until("welcome", "refused"), await client.answer_to(1)]
    expect([answer["type"] for answer in answers] == ["welcome", "tables"], f"it answered {answers}")


@subject.check("F-6", "Q-6")
async def one_segment_may_hold_many_frames(probe: Probe) -> None:
    """One segment may hold many frames; each is read, and requests are handled in order."""
    client = await probe.player()
    burst = b"".join(frame(type="list_tables", id=number) for number in range(1, 31))
    await client.send_bytes(burst + frame(type="ping", nonce=7))
    answered = []
    while (message := await client.until("tables", "error", "pong", with_pings=True))["type"] != "pong":
        answered.append(message.get("id"))
    expect(answered == list(range(1, 31)), f"requests 1 to 30 of one segment were answered as {answered}")


@subject.check("F-6")
async def a_frame_split_anywhere_is_one_frame(probe: Probe) -> None:
    """A frame is what its header says, wherever the stream is split."""
    client = await probe.player()
    for split in range(1, 14):
        whole = frame(type="ping", nonce=split)
        await client.send_bytes(whole[:split])
        await client.send_bytes(whole[split:])
        pong = await client.until("pong", with_pings=True)
        expect(pong.get("nonce") == split, f"a ping split after {split} bytes was answered by {pong}")


@subject.check("F-6")
async def the_longest_frame_is_read(probe: Probe) -> None:
    """The payload has 1 to 8 192 bytes from client to server."""
    client = await probe.player()
    empty = pack({"type": "ping", "nonce": 5, "filling": "x" * 300})
    filling = "x" * (300 + MAX_CLIENT_PAYLOAD - len(empty))
    payload = pack({"type": "ping", "nonce": 5, "filling": filling})
    expect(len(payload) == MAX_CLIENT_PAYLOAD, f"the kit made a payload of {len(payload)} bytes")
    await client.send_bytes(framed(payload))
    pong = await client.until("pong", with_pings=True)
    expect(pong.get("nonce") == 5, f"a ping of {MAX_CLIENT_PAYLOAD} bytes was answered by {pong}")


async def _ends_with(client: Client, sent: bytes, kind: str, code: str) -> None:
    await client.send_bytes(sent)
    last = await client.ends(kind)
    expect(last["code"] == code, f"after {sent[:16].hex(' ')} it said {brief(last)}, not {code}")


@subject.check("F-4", "C-9")
async def an_empty_frame_ends_the_connection(probe: Probe) -> None:
    """A length of zero ends the connection as soon as the four bytes are there: `bad_frame`."""
    await _ends_with(await probe.connect(), bytes(4), "refused", "bad_frame")
    await _ends_with(await probe.player(), bytes(4), "goodbye", "bad_frame")


@subject.check("F-5", "C-9")
async def a_frame_over_the_limit_ends_the_connection(probe: Probe) -> None:
    """A length over the limit ends the connection as soon as the four bytes are there: `frame_too_long`."""
    await _ends_with(await probe.connect(), HEADERS_TOO_LONG[0], "refused", "frame_too_long")
    for header in HEADERS_TOO_LONG:
        await _ends_with(await probe.player(), header, "goodbye", "frame_too_long")


@subject.check("F-7")
async def frames_before_a_faulty_one_are_handled(probe: Probe) -> None:
    """An end handles the whole frames that came before a faulty one."""
    client = await probe.player()
    await client.send_bytes(frame(type="ping", nonce=8) + frame(type="list_tables", id=1) + bytes(4))
    told = [(await client.until("pong", "tables", "goodbye", with_pings=True))["type"] for _ in range(3)]
    expect(told == ["pong", "tables", "goodbye"], f"ping, list_tables and an empty frame led to {told}")
