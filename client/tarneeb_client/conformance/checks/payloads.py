"""Checks of payloads: the msgpack profile, and messages with faults."""

from __future__ import annotations

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.probe import Client, Probe, brief, expect
from tarneeb_client.conformance.shapes import Fields
from tarneeb_client.conformance.wire import frame, framed, pack

subject: Subject[Probe] = Subject("payloads")

_PING = pack({"type": "ping", "nonce": 1})
OUTSIDE: tuple[tuple[str, bytes, str], ...] = (
    ("a payload that is cut off", _PING[:-1], "not_msgpack"),
    ("bytes after the map", _PING + b"\xc0", "not_msgpack"),
    ("the byte that msgpack never uses", b"\xc1", "not_msgpack"),
    ("text that is not UTF-8", b"\x81\xa4type\xa4\xff\xfe\xfd\xfc", "not_msgpack"),
    ("half of a surrogate pair", b"\x81\xa4type\xa3\xed\xa0\x80", "not_msgpack"),
    ("an array of 65", pack({"type": "ping", "more": [0] * 65}), "not_msgpack"),
    ("a map of 65 fields", pack({"type": "ping"} | {str(n): n for n in range(64)}), "not_msgpack"),
    ("an array said to have 4 billion items", b"\x81\xa4type\xdd\xff\xff\xff\xff", "not_msgpack"),
    ("a map said to have 4 billion fields", b"\xdf\xff\xff\xff\xff", "not_msgpack"),
    ("9 arrays inside each other", b"\x82\xa4type\xa4ping\xa1x" + b"\x91" * 8 + b"\xc0", "too_deep"),
    ("5 000 arrays inside each other", b"\x82\xa4type\xa4ping\xa1x" + b"\x91" * 5000 + b"\xc0", "too_deep"),
    ("an array instead of a map", pack([1, 2]), "not_a_map"),
    ("a number instead of a map", b"\x07", "not_a_map"),
    ("nil instead of a map", b"\xc0", "not_a_map"),
    ("a key that is a number", pack({"type": "ping", 1: 2}), "bad_key"),
    ("the same key twice", b"\x82\xa4type\xa4ping\xa4type\xa4ping", "bad_key"),
    ("binary", pack({"type": "ping", "x": b"1"}), "forbidden_type"),
    ("an extension", b"\x82\xa4type\xa4ping\xa1x\xd4\x01\x00", "forbidden_type"),
    ("a timestamp", b"\x82\xa4type\xa4ping\xa1x\xd6\xff\x00\x00\x00\x00", "forbidden_type"),
)
"""Payloads outside the msgpack profile, and the code of each."""

BAD_REQUESTS: tuple[tuple[Fields, str], ...] = (
    ({"type": "open_table"}, "name"),
    ({"type": "open_table", "name": 7}, "name"),
    ({"type": "open_table", "name": "T", "turn_seconds": -1}, "turn_seconds"),
    ({"type": "open_table", "name": "T", "turn_seconds": 3601}, "turn_seconds"),
    ({"type": "open_table", "name": "T", "rules": {"auction": "blind"}}, "rules.auction"),
    ({"type": "open_table", "name": "T", "rules": []}, "rules"),
    ({"type": "open_table", "name": "T", "spectators": 1}, "spectators"),
    ({"type": "join"}, "table"),
    ({"type": "join", "table": 0}, "table"),
    ({"type": "join", "table": True}, "table"),
    ({"type": "join", "table": 1, "seat": 4}, "seat"),
    ({"type": "join", "table": 1, "seat": -1}, "seat"),
    ({"type": "join", "table": 1, "seat": "0"}, "seat"),
    ({"type": "chat", "text": ["hello"]}, "text"),
    ({"type": "chat", "text": ""}, "text"),
    ({"type": "add_bot", "level": "grand"}, "level"),
    ({"type": "remove_bot"}, "seat"),
    ({"type": "list_tables", "after": 2**53}, "after"),
    ({"type": "act"}, "action"),
    ({"type": "act", "action": None}, "action"),
    ({"type": "act", "action": []}, "action"),
    ({"type": "act", "action": {"type": "play"}}, "action.card"),
    ({"type": "act", "action": {"type": "play", "card": "1S"}}, "action.card"),
    ({"type": "act", "action": {"type": "play", "card": "as"}}, "action.card"),
    ({"type": "act", "action": {"type": "play", "card": None}}, "action.card"),
    ({"type": "act", "action": {"type": "call", "call": "bid", "tricks": 7.0}}, "action.tricks"),
    ({"type": "act", "action": {"type": "call", "call": "bid", "tricks": "8"}}, "action.tricks"),
    ({"type": "act", "action": {"type": "call", "call": "bid", "tricks": True}}, "action.tricks"),
    ({"type": "act", "action": {"type": "cut", "at": 1}, "seq": -1}, "seq"),
)
"""Requests with one field at fault, and its path."""


@subject.check("P-2", "P-3", "P-4", "P-5", "P-6", "P-7", "C-8", "C-9")
async def a_payload_outside_the_profile_ends_the_connection(probe: Probe) -> None:
    """What is not one msgpack map of the profile ends the connection, with the code of the table."""
    for what, payload, code in OUTSIDE:
        client = await probe.player()
        await client.send_bytes(framed(payload))
        last = await client.ends("goodbye")
        expect(last["code"] == code, f"after {what} it said {brief(last)}, not {code}")


@subject.check("P-2", "P-3", "P-4", "P-5", "P-6", "P-7", "C-9")
async def a_payload_outside_the_profile_refuses_a_hello(probe: Probe) -> None:
    """Before the welcome, a payload outside the profile is answered by `refused` with its code."""
    for what, payload, code in OUTSIDE:
        client = await probe.connect()
        await client.send_bytes(framed(payload))
        last = await client.ends("refused")
        expect(last["code"] == code, f"after {what} as first frame it said {brief(last)}, not {code}")


async def _pongs(client: Client, payload: bytes, nonce: int) -> None:
    await client.send_bytes(framed(payload))
    pong = await client.until("pong", "error", "goodbye", with_pings=True)
    expect(
        (pong["type"], pong.get("nonce", 0)) == ("pong", nonce),
        f"{payload.hex(' ')} was answered by {brief(pong)}",
    )


@subject.check("P-8")
async def what_the_profile_allows_is_read(probe: Probe) -> None:
    """Integers in any of their forms, arrays and maps of 64, 8 levels: all are read."""
    client = await probe.player()
    head = b"\x82\xa4type\xa4ping\xa5nonce"
    for form in ("05", "cc05", "cd0005", "ce00000005", "cf0000000000000005", "d005", "d10005", "d200000005"):
        await _pongs(client, head + bytes.fromhex(form), 5)
    await _pongs(client, head + bytes.fromhex("d30000000000000005"), 5)
    await _pongs(client, head + bytes.fromhex("cf001fffffffffffff"), 2**53 - 1)
    await _pongs(client, pack({"type": "ping", "nonce": 2, "x": [0] * 64}), 2)
    await _pongs(client, pack({"type": "ping"} | {str(n): n for n in range(63)}), 0)
    await _pongs(client, b"\x83\xa4type\xa4ping\xa5nonce\x03\xa1x" + b"\x91" * 7 + b"\xc0", 3)


@subject.check("M-1", "M-4", "V-4", "V-5", "C-14")
async def unknown_fields_are_passed_over(probe: Probe) -> None:
    """Fields that are not known are passed over, and the order of fields means nothing."""
    client = await probe.player(a_later_version={"says": ["more", 1, None]}, capabilities=["x.unknown"])
    expect(not client.welcome.get("capabilities"), "an unknown capability was put in force")
    await client.send(nonce=4, a_later_version={"x": [1]}, type="ping")
    pong = await client.until("pong", with_pings=True)
    expect(pong.get("nonce") == 4, f"a ping with an unknown field was answered by {pong}")
    await client.get("list_tables", seat="nobody's")


@subject.check("M-3")
async def nil_is_the_same_as_left_out(probe: Probe) -> None:
    """A field that may be left out may be nil instead, which is the same."""
    client = await probe.player(capabilities=None, resume=None, seq=None)
    opened = await client.get(
        "open_table", name="Nil", preset=None, rules=None, turn_seconds=None, spectators=None, password=None
    )
    await client.get("join", table=opened["table"], seat=None, partner=None, password=None)
    snapshot = client.of_type("snapshot")[-1]
    expect(snapshot.get("can_watch", True), "`spectators` nil was not taken for its default, true")
    expect(not snapshot.get("locked", False), "`password` nil was taken for a password")


@subject.check("E-1", "E-3", "E-4")
async def an_unknown_type_is_an_error_and_no_more(probe: Probe) -> None:
    """A `type` that is not one that a client sends is answered by `unknown_type`; the connection stays open."""
    client = await probe.player()
    for kind in ("dance", "PING", "snapshot", ""):
        client.last_id += 1
        await client.send(type=kind, id=client.last_id)
        reply = await client.answer_to(client.last_id)
        expect(reply.get("code") == "unknown_type", f"the type {kind!r} was answered by {brief(reply)}")
    await client.get("list_tables")


@subject.check("E-2", "E-3", "E-4", "P-9")
async def a_field_at_fault_is_named(probe: Probe) -> None:
    """A field that is missing, of the wrong type or of no possible value is answered by `bad_request` with its
    path in `field`; the connection stays open.
    """
    client = await probe.player()
    for fields, path in BAD_REQUESTS:
        client.last_id += 1
        await client.send_bytes(frame(**fields, id=client.last_id))
        reply = await client.answer_to(client.last_id)
        seen = f"{fields} was answered by {brief(reply)}, not by bad_request for {path}"
        expect(reply.get("code") == "bad_request", seen)
        expect(reply.get("field") == path, seen)
    await client.get("list_tables")


@subject.check("E-2", "E-3")
async def a_request_needs_an_id_that_is_a_counter(probe: Probe) -> None:
    """A request's `id` is a counter, from 0 to 2^53-1; without one the request is `bad_request`."""
    client = await probe.player()
    for number in (None, -1, 2**53, "1", 1.0, True):
        await client.send(type="list_tables", id=number)
        reply = await client.until("error", "tables", "goodbye")
        expect(
            (reply["type"], reply.get("code"), reply.get("field")) == ("error", "bad_request", "id"),
            f"the id {number!r} was answered by {brief(reply)}",
        )
    await client.get("list_tables")
