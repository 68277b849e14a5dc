"""Frames and msgpack from the protocol's document: none of the project's own code."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import msgpack

Fields: TypeAlias = dict[str, Any]
LENGTH = struct.Struct(">I")
CARD = re.compile(rb"\xa2[2-9TJQKA][CDHS]")
"""A card as msgpack writes it. No text of a simulated player looks like one."""


def packed(fields: Fields) -> bytes:
    """The frame of a message."""
    payload: bytes = msgpack.packb(fields)
    return LENGTH.pack(len(payload)) + payload


@dataclass(frozen=True, slots=True)
class Read:
    """A payload of the server. ``fields`` are shared by all who read the same bytes: nobody changes them."""

    payload: bytes
    fields: Fields
    kind: str
    cards: int
    """How many cards stand in it."""


@lru_cache(maxsize=4096)
def read(payload: bytes) -> Read:
    """A payload of the server, decoded once for all viewers. ``ValueError`` when it is no message."""
    fields = msgpack.unpackb(payload)
    if not isinstance(fields, dict) or not isinstance(fields.get("type"), str):
        raise ValueError(f"no message: {payload[:40]!r}")  # noqa: TRY004  (bytes of the wire are at fault, no caller)
    return Read(payload, fields, fields["type"], len(CARD.findall(payload)))


class Splitter:
    """Cuts a stream into payloads. ``is_spoiled`` once a length cannot be one; nothing comes after that."""

    __slots__ = ("_buffer", "_longest", "is_spoiled")

    def __init__(self, longest: int) -> None:
        self._buffer = b""
        self._longest = longest
        self.is_spoiled = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """The payloads that are whole now."""
        if self.is_spoiled:
            return []
        buffer = self._buffer + chunk if self._buffer else chunk
        at = 0
        payloads: list[bytes] = []
        while len(buffer) - at >= 4:
            (length,) = LENGTH.unpack_from(buffer, at)
            if not 0 < length <= self._longest:
                self.is_spoiled = True
                return payloads
            if len(buffer) - at - 4 < length:
                break
            payloads.append(buffer[at + 4 : at + 4 + length])
            at += 4 + length
        self._buffer = buffer[at:]
        return payloads
