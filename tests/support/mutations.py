"""Hostile frames made of good ones: bytes changed, fields changed, lengths that lie. Every one from a seed."""

from __future__ import annotations

import random
from typing import Any

import msgpack

from support.messages import full_example
from tarneeb_protocol.codec import Direction, encode

MARKS = bytes.fromhex("808f909fa0bfc0c1c2c3c4c5c6c7c8c9cacbcccfd0d3d4d8d9dbdcdddedfe0ff")
"""First bytes of msgpack's types, those that announce a length above all."""
BOMBS = tuple(
    bytes.fromhex(text)
    for text in ("ddff000000", "dfffffffff", "c6ffffffff", "dcffff", "deffff", "dbffffffff", "c9ffffffff05")
)
"""Lengths that are announced and do not come."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 2**31, 2**53, 2**63, 2**64 - 1, -(2**63), 7.0, 7.5, -0.0),
    *(float("nan"), float("inf"), "", "x", "x" * 130, "x" * 700, "\x1b[2J", "\u202e", "\ufeff", "🦊" * 40),
    *(b"", b"\0", [], [[]], {}, {"": ""}, {"a": {"b": {"c": {}}}}, [0] * 65, {str(n): n for n in range(65)}),
    *(msgpack.ExtType(5, b"x"), msgpack.Timestamp(1), "S", "AS", "1S", "as", ["AS"] * 13),
)


class Mutator:
    """Hostile frames of one direction, as ``random.Random(seed)`` makes them."""

    def __init__(self, direction: Direction, seed: int) -> None:
        self._rng = random.Random(seed)
        self._limit = direction.max_frame
        self._good = [encode(full_example(kind))[4:] for kind in direction.types.values()]

    def payload(self) -> bytes:
        """A payload that was good, changed in one to four ways."""
        rng = self._rng
        changed = rng.choice(self._good)
        if rng.random() < 0.5:
            changed = self._with_other_fields(changed)
        for _ in range(rng.randint(0 if rng.random() < 0.2 else 1, 3)):
            changed = self._with_other_bytes(changed)
        return changed

    def frame(self) -> bytes:
        """A frame with such a payload, and now and then with a length that lies."""
        payload = self.payload()
        length = len(payload)
        match self._rng.randrange(24):
            case 0:
                length = self._rng.choice((0, self._limit + 1, 2**31, 2**32 - 1, self._rng.randrange(2**32)))
            case 1:
                length = max(0, length + self._rng.randint(-9, 9))
        return length.to_bytes(4, "big") + payload

    def _with_other_bytes(self, payload: bytes) -> bytes:
        rng = self._rng
        changed = bytearray(payload or b"\x80")
        at = rng.randrange(len(changed))
        match rng.randrange(9):
            case 0:
                changed[at] ^= 1 << rng.randrange(8)
            case 1:
                changed[at] = rng.choice(MARKS)
            case 2:
                del changed[at:]  # cut off
            case 3:
                del changed[at : at + rng.randint(1, 9)]
            case 4:
                changed[at:at] = changed[at : at + rng.randint(1, 9)]
            case 5:  # spliced with another message
                other = rng.choice(self._good)
                changed[at:] = other[rng.randrange(len(other)) :]
            case 6:
                changed[at:at] = rng.choice(BOMBS)
            case 7:
                changed[at:at] = rng.choice((b"\x91", b"\x81\xa1a")) * rng.randint(1, 200)  # deep
            case _:
                changed += rng.randbytes(rng.randint(1, 9))
        return bytes(changed)

    def _with_other_fields(self, payload: bytes) -> bytes:
        rng = self._rng
        fields: dict[Any, Any] = msgpack.unpackb(payload)
        at = fields
        name = rng.choice(list(at))
        while isinstance(at[name], dict) and at[name] and rng.random() < 0.7:
            at = at[name]
            name = rng.choice(list(at))
        match rng.randrange(7):
            case 0:
                del at[name]
            case 1 | 2:
                at[name] = rng.choice(VALUES)
            case 3:
                at[rng.choice(("", "extra", "type", "id", "x" * 300, 7, None, b"id"))] = rng.choice(VALUES)
            case 4:
                at[name] = [at[name]] * rng.randint(1, 70)
            case 5:
                at[name] = {name: at[name]}
            case _:  # the same key twice, which a dict cannot hold
                packed: bytes = msgpack.packb(fields)
                count = packed[0] & 0x0F
                if packed[0] & 0xF0 != 0x80 or count == 0x0F:
                    return packed
                return (
                    bytes([0x81 + count]) + packed[1:] + msgpack.packb(name) + msgpack.packb(rng.choice(VALUES))
                )
        changed: bytes = msgpack.packb(fields)
        return changed
