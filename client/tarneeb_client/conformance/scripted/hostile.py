"""Scenarios of hostile servers: bytes that end a connection, and messages with faults."""

from __future__ import annotations

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.scripted.scenarios import SOON_SECONDS, expect
from tarneeb_client.conformance.scripted.stage import Stage
from tarneeb_client.conformance.shapes import Fields
from tarneeb_client.conformance.wire import framed, pack

faults: Subject[Stage] = Subject("faults")

HOSTILE: tuple[tuple[str, str, bytes], ...] = (
    ("F-4", "an empty frame", bytes(4)),
    ("F-5", "a frame of 65 537 bytes", (65537).to_bytes(4, "big")),
    ("F-5", "a frame of 4 GiB", b"\xff\xff\xff\xff"),
    ("P-2", "a byte that msgpack never uses", framed(b"\xc1")),
    ("P-2", "text that is not UTF-8", framed(b"\x81\xa4type\xa4\xff\xfe\xfd\xfc")),
    ("P-3", "an array said to have 4 billion items", framed(b"\x81\xa4type\xdd\xff\xff\xff\xff")),
    ("P-4", "5 000 arrays inside each other", framed(b"\x82\xa4type\xa4pong\xa1x" + b"\x91" * 5000 + b"\xc0")),
    ("P-5", "an array instead of a map", framed(pack([1]))),
    ("P-6", "the same key twice", framed(b"\x82\xa4type\xa4pong\xa4type\xa4pong")),
    ("P-7", "an extension", framed(b"\x82\xa4type\xa4pong\xa1x\xd4\x01\x00")),
)
"""What ends the connection, and the requirement that says so."""


async def _hostile(stage: Stage, wanted: str) -> None:
    tried = [(what, sent) for proves, what, sent in HOSTILE if proves == wanted]
    for place, (what, sent) in enumerate(tried):
        if place:
            stage.start()
        guest = await stage.welcomed()
        await guest.send_bytes(sent)
        await guest.ends(SOON_SECONDS, what)
        await guest.close()


@faults.check("F-4", "C-8")
async def an_empty_frame_ends_the_connection_for_a_client(stage: Stage) -> None:
    """An end ends the connection when a frame's length is zero."""
    await _hostile(stage, "F-4")


@faults.check("F-5")
async def a_frame_over_the_limit_ends_it(stage: Stage) -> None:
    """An end ends the connection when a frame's length is over the limit, once its four bytes are there."""
    await _hostile(stage, "F-5")


@faults.check("P-2", "P-3")
async def what_is_no_msgpack_ends_it(stage: Stage) -> None:
    """An end ends the connection when a payload is not one whole msgpack value within the limits."""
    await _hostile(stage, "P-2")
    stage.start()
    await _hostile(stage, "P-3")


@faults.check("P-4", "P-5")
async def what_is_too_deep_or_no_map_ends_it(stage: Stage) -> None:
    """An end ends the connection when maps and arrays are nested too deep, or the payload is no map."""
    await _hostile(stage, "P-4")
    stage.start()
    await _hostile(stage, "P-5")


@faults.check("P-6", "P-7")
async def a_bad_key_or_type_ends_it(stage: Stage) -> None:
    """An end ends the connection when a key comes twice, and when there is an extension."""
    await _hostile(stage, "P-6")
    stage.start()
    await _hostile(stage, "P-7")


@faults.check("E-6", seconds=15)
async def a_message_with_a_fault_is_stood(stage: Stage) -> None:
    """A client stands a message with a fault: it passes it over and asks for a `sync`, or says `goodbye`."""
    guest = await stage.welcomed()
    wrong: tuple[Fields, ...] = (
        {"type": "snapshot", "table": "one"},
        {"type": "prompt", "table": 1, "seq": 1, "actions": [{"type": "play", "card": "1X"}]},
        {"type": "said", "table": 1, "seq": -5, "name": 7, "text": None},
        {"type": "lobby_said"},
        {"type": 7},
    )
    for message in wrong:
        await guest.send(**message)
    if await guest.answers_ping(SOON_SECONDS, "after messages with faults"):
        return
    said_goodbye = any(message.type == "goodbye" for message in guest.received)
    expect(said_goodbye, "it closed without a goodbye after messages with faults")
