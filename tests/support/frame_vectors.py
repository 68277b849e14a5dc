"""``protocol/vectors/frames.jsonl``: frames of every kind, good and bad, and what becomes of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgpack
import msgspec

from support.conversation import HELLO, SHOWN
from support.messages import ALL_MESSAGES, full_example, tag
from tarneeb_protocol.codec import (
    FROM_CLIENT,
    FROM_SERVER,
    MAX_DEPTH,
    MAX_MAP_LENGTH,
    BadMessage,
    Direction,
    decode,
    encode,
)
from tarneeb_protocol.errors import ProtocolError
from tarneeb_protocol.framing import HEADER_SIZE, MAX_CLIENT_FRAME, MAX_SERVER_FRAME, FrameBuffer
from tarneeb_protocol.messages import CLIENT_MESSAGES, MAX_ID

Line = dict[str, Any]


def frame_vectors() -> Iterator[Line]:
    """Each vector as it stands in its line. The verdict is that of the code; a test compares it with the
    kind of fault that the name tells.
    """
    for kind in ALL_MESSAGES:
        for direction in (FROM_CLIENT, FROM_SERVER):
            if tag(kind) in direction.types:
                yield _vector(f"ok: {tag(kind)}, every field", direction, encode(full_example(kind)))
    for name, message in SHOWN.items():
        direction = FROM_CLIENT if type(message) in CLIENT_MESSAGES else FROM_SERVER
        yield _vector(f"ok: the document's {name}", direction, encode(message))
    for name, fields in _accepted():
        yield _vector(f"ok: {name}", FROM_CLIENT, _framed(msgpack.packb(fields)))
    for name, payload in _other_forms():
        yield _vector(f"ok: {name}", FROM_CLIENT, _framed(payload))
    for name, fields in _answered():
        yield _vector(f"error: {name}", FROM_CLIENT, _framed(msgpack.packb(fields)))
    for name, fields in _passed_over():
        yield _vector(f"error: {name} from a server", FROM_SERVER, _framed(msgpack.packb(fields)))
    for name, payload in _fatal_payloads():
        yield _vector(f"fatal: {name}", FROM_CLIENT, _framed(payload))
    for direction in (FROM_CLIENT, FROM_SERVER):
        for name, header in _fatal_headers(direction.max_frame):
            yield _vector(f"fatal: {name} from a {direction.sender}", direction, header)


def judged(stream: bytes, direction: Direction) -> Line:
    """The verdict on the first frame of a stream, as the vectors tell it."""
    buffer = FrameBuffer(direction.max_frame)
    buffer.feed(stream)
    try:
        payload = buffer.next_payload()
        assert payload is not None
        message = decode(payload, direction)
    except ProtocolError as fault:
        return {"verdict": "fatal", "code": fault.code.value}
    if isinstance(message, BadMessage):
        line = {"verdict": "error", "code": message.code.value, "field": message.field, "id": message.id}
        return {name: value for name, value in line.items() if value is not None}
    return {"verdict": "ok", "value": msgspec.to_builtins(message)}


def frame_vectors_text() -> str:
    """The file's text, a line for each vector."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in frame_vectors())


def _vector(name: str, direction: Direction, stream: bytes) -> Line:
    return {"name": name, "from": direction.sender, "hex": stream.hex(), **judged(stream, direction)}


def _framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(HEADER_SIZE, "big") + payload


def _accepted() -> Iterator[tuple[str, Line]]:
    hello = msgspec.to_builtins(HELLO)
    yield "fields in another order", dict(reversed(hello.items()))
    yield "fields that are not known, one of them a float", {**hello, "later": {"x": [1, None, 2.5]}}
    yield "nil for fields that may be left out", {**hello, "password": None, "capabilities": None, "seq": None}
    yield "the largest id", {"type": "leave", "id": MAX_ID}
    yield (
        "nil inside an action",
        {"type": "act", "id": 1, "action": {"type": "call", "call": "pass", "tricks": None}},
    )
    yield "an array as long as may be", {**hello, "capabilities": ["x-a"] * FROM_CLIENT.max_array_length}
    yield "a map as long as may be", {**hello, **{str(n): n for n in range(MAX_MAP_LENGTH - len(hello))}}
    yield "nesting as deep as may be", {**hello, "later": _nested(MAX_DEPTH - 1)}
    yield "a name of 64 characters, which the server then refuses as too long", {**hello, "name": "ن" * 64}


def _other_forms() -> Iterator[tuple[str, bytes]]:
    leave, number = b"\xa4type\xa5leave", b"\xa2id"
    for form in ("cc05", "cd0005", "ce00000005", "cf0000000000000005", "d005", "d10005", "d200000005"):
        yield f"the integer 5 as {form}", b"\x82" + leave + number + bytes.fromhex(form)
    for form in ("d905", "da0005", "db00000005"):
        yield (
            f"a string with the header {form}",
            b"\x82\xa4type" + bytes.fromhex(form) + b"leave" + number + b"\x05",
        )
    for form in ("de0002", "df00000002"):
        yield f"a map with the header {form}", bytes.fromhex(form) + leave + number + b"\x05"


def _answered() -> Iterator[tuple[str, Line]]:
    act: Line = {"type": "act", "id": 9}
    call: Line = {"type": "call", "call": "bid"}
    yield "an unknown type", {"type": "dance", "id": 9}
    yield "an unknown type and no id", {"type": "dance"}
    yield "a message of the other direction", {"type": "done", "id": 9}
    yield "no type", {"id": 9}
    yield "a type that is no string", {"type": 5, "id": 9}
    yield "no id", {"type": "leave"}
    yield "a negative id", {"type": "leave", "id": -1}
    yield "an id beyond 2^53-1", {"type": "leave", "id": MAX_ID + 1}
    yield "a float as id", {"type": "leave", "id": 9.0}
    yield "true as id", {"type": "leave", "id": True}
    yield "no action", act
    yield "nil for a field that has to be there", {**act, "action": None}
    yield "an array where a map has to be", {**act, "action": []}
    yield "an action of no known type", {**act, "action": {"type": "dance"}}
    yield "a card that is none", {**act, "action": {"type": "play", "card": "1S"}}
    yield "a card in lower case", {**act, "action": {"type": "play", "card": "as"}}
    yield "a null card", {**act, "action": {"type": "play", "card": None}}
    yield "a bid of 7.5", {**act, "action": {**call, "tricks": 7.5}}
    yield "a bid of 7.0", {**act, "action": {**call, "tricks": 7.0}}
    yield "a bid of true", {**act, "action": {**call, "tricks": True}}
    yield "a bid of text", {**act, "action": {**call, "tricks": "8"}}
    yield "a bid of nothing", {**act, "action": call}
    yield "a pass with tricks", {**act, "action": {"type": "call", "call": "pass", "tricks": 7}}
    yield "a seat beyond 3", {"type": "join", "id": 9, "table": 1, "seat": 4}
    yield "a table of number 0", {"type": "join", "id": 9, "table": 0}
    yield "a chat line of nothing", {"type": "chat", "id": 9, "text": ""}
    yield "a chat line of 601 characters", {"type": "chat", "id": 9, "text": "a" * 601}
    yield "an item of an array", {**msgspec.to_builtins(HELLO), "capabilities": ["x-a", 5]}
    yield "a turn of 3601 seconds", {"type": "open_table", "id": 9, "name": "x", "turn_seconds": 3601}


def _passed_over() -> Iterator[tuple[str, Line]]:
    played: Line = {"type": "card_played", "table": 3, "seq": 41, "seat": 1, "card": "TH", "winning": 1}
    yield "an unknown type", {"type": "fireworks", "table": 3, "seq": 41}
    yield "a message of the other direction", {"type": "leave", "id": 9}
    yield "an event without its number", {name: value for name, value in played.items() if name != "seq"}
    yield "a card that is none", {**played, "card": "10H"}
    yield "a float as a seat", {**played, "seat": 1.0}
    yield "a reply without its id", {"type": "done", "seq": 41}


def _fatal_payloads() -> Iterator[tuple[str, bytes]]:
    leave = msgpack.packb({"type": "leave", "id": 5})
    yield "not_msgpack, a byte that begins nothing", b"\xc1"
    yield "not_msgpack, cut off", leave[:-1]
    yield "not_msgpack, bytes after the message", leave + b"\xc0"
    yield "not_msgpack, a string that is not UTF-8", b"\x81\xa4type\xa2\xc3\x28"
    yield "not_msgpack, half of a surrogate pair", b"\x81\xa4type\xa3\xed\xa0\x80"
    yield "not_msgpack, an array one too long", msgpack.packb({"x": [0] * (FROM_CLIENT.max_array_length + 1)})
    yield "not_msgpack, a map one too long", msgpack.packb({str(n): n for n in range(MAX_MAP_LENGTH + 1)})
    yield "not_msgpack, an array that announces 4 278 190 080 items", bytes.fromhex("ddff000000")
    yield "not_msgpack, a map that announces 4 294 967 295 fields", bytes.fromhex("dfffffffff")
    yield "too_deep, one level too many", msgpack.packb({"x": _nested(MAX_DEPTH)})
    yield "not_a_map, an array", msgpack.packb([1, 2])
    yield "not_a_map, a string", msgpack.packb("hello")
    yield "not_a_map, an integer", b"\x00"
    yield "not_a_map, nil", b"\xc0"
    yield "bad_key, an integer", b"\x81\x01\x01"
    yield "bad_key, nil", b"\x81\xc0\x01"
    yield "bad_key, one key twice", b"\x82\xa4type\xa5leave\xa4type\xa5leave"
    yield "bad_key, one key twice inside", b"\x81\xa1x\x82\xa1a\x01\xa1a\x02"
    yield "forbidden_type, bin", msgpack.packb({"type": "chat", "id": 1, "text": b"hello"})
    yield "forbidden_type, ext", msgpack.packb({"type": "chat", "id": 1, "text": msgpack.ExtType(5, b"x")})
    yield "forbidden_type, a timestamp", msgpack.packb({"x": msgpack.Timestamp(1)})


def _fatal_headers(limit: int) -> Iterator[tuple[str, bytes]]:
    yield "bad_frame, a length of zero", bytes(4)
    yield "frame_too_long, one byte too many", (limit + 1).to_bytes(4, "big")
    yield "frame_too_long, 2^31-1 bytes", b"\x7f\xff\xff\xff"
    yield "frame_too_long, 2^31 bytes", b"\x80\x00\x00\x00"
    yield "frame_too_long, 2^32-1 bytes", b"\xff\xff\xff\xff"
    other = MAX_SERVER_FRAME if limit == MAX_CLIENT_FRAME else 2 * MAX_SERVER_FRAME
    yield "frame_too_long, a length for the other direction or more", other.to_bytes(4, "big")


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value
