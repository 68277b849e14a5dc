"""Raw frames over a byte stream: the kit's own end of the wire, without this project's protocol package."""

from __future__ import annotations

from dataclasses import dataclass

import anyio
import msgpack
from anyio.abc import ByteStream

from tarneeb_client.conformance.outcome import Failed
from tarneeb_client.conformance.shapes import Fields

HEADER_BYTES = 4
MAX_CLIENT_PAYLOAD = 8 * 1024
MAX_SERVER_PAYLOAD = 64 * 1024
MAX_DEPTH = 8
MAX_FIELDS = 64
CHUNK_BYTES = 65536


def pack(fields: object) -> bytes:
    """The msgpack payload of a value."""
    packed: bytes = msgpack.packb(fields)
    return packed


def framed(payload: bytes) -> bytes:
    """The frame that holds this payload."""
    return len(payload).to_bytes(HEADER_BYTES, "big") + payload


def frame(**fields: object) -> bytes:
    """The frame of a message."""
    return framed(pack(fields))


class OutsideProfile(ValueError):
    """A payload is not what a message may be; the text says how."""


def unpack(payload: bytes, max_items: int) -> Fields:
    """The map in a payload, strictly by the document's msgpack profile. Raises ``OutsideProfile``."""
    try:
        value = msgpack.unpackb(
            payload,
            raw=False,
            strict_map_key=False,
            object_pairs_hook=_unique,
            max_array_len=max_items,
            max_map_len=MAX_FIELDS,
        )
    except OutsideProfile:
        raise
    except Exception as error:  # noqa: BLE001  (msgpack raises what it likes; every one means the same here)
        raise OutsideProfile(f"the payload is not one msgpack value: {error!r}") from None
    if not isinstance(value, dict):
        raise OutsideProfile(f"the payload is a {type(value).__name__}, not a map")
    _check(value, 1)
    return value


def _unique(pairs: list[tuple[object, object]]) -> Fields:
    fields: Fields = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise OutsideProfile(f"the key {key!r} is no string")
        if key in fields:
            raise OutsideProfile(f"the key {key!r} comes twice")
        fields[key] = value
    return fields


def _check(value: object, depth: int) -> None:
    if isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise OutsideProfile(f"maps and arrays are nested deeper than {MAX_DEPTH}")
        for item in value.values() if isinstance(value, dict) else value:
            _check(item, depth + 1)
    elif value is not None and type(value) not in {bool, int, str}:
        raise OutsideProfile(f"a value of the type {type(value).__name__}")


@dataclass(frozen=True, slots=True)
class Received:
    """One message, its payload as it came, and when, in the clock's seconds."""

    fields: Fields
    payload: bytes
    at: float

    @property
    def type(self) -> str:
        """Which message."""
        return str(self.fields.get("type"))


class Wire:
    """One end of a connection. ``received`` keeps every message in order; ``read`` must run in a task.

    ``fault`` is how the other end broke the wire's form; from then on ``next`` raises ``Failed`` with it.
    Pings are answered by ``read`` unless ``answers_pings`` is false, and ``next`` passes over pings and pongs.
    """

    def __init__(self, stream: ByteStream, *, max_payload: int, max_items: int) -> None:
        self.stream = stream
        self.received: list[Received] = []
        self.answers_pings = True
        self.fault: str | None = None
        self.is_closed = False
        self._max_payload = max_payload
        self._max_items = max_items
        self._buffer = b""
        self._taken = 0
        self._news = anyio.Event()
        self._sending = anyio.Lock()

    # ---------------------------------------------------------------- sending

    async def send_bytes(self, chunk: bytes) -> None:
        """Send bytes as they are; that the other end is gone is found out by reading."""
        try:
            async with self._sending:  # a pong of the reading task may come between
                await self.stream.send(chunk)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def send(self, **fields: object) -> None:
        """Send a message."""
        await self.send_bytes(frame(**fields))

    async def close(self) -> None:
        """End the connection without a word."""
        await anyio.aclose_forcefully(self.stream)

    # ---------------------------------------------------------------- receiving

    async def read(self) -> None:
        """Read until the connection ends, or is beyond understanding."""
        try:
            while self.fault is None:
                self._buffer += await self.stream.receive(CHUNK_BYTES)
                await self._take_frames()
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            if self._buffer:
                self.fault = f"the connection ended inside a frame, after {len(self._buffer)} bytes of it"
        finally:
            self.is_closed = True
            self._tell()

    async def _take_frames(self) -> None:
        while len(self._buffer) >= HEADER_BYTES and self.fault is None:
            length = int.from_bytes(self._buffer[:HEADER_BYTES], "big")
            if not 1 <= length <= self._max_payload:
                self.fault = f"a frame announces {length} bytes; 1 to {self._max_payload} are allowed"
                return
            if len(self._buffer) < HEADER_BYTES + length:
                return
            payload = self._buffer[HEADER_BYTES : HEADER_BYTES + length]
            self._buffer = self._buffer[HEADER_BYTES + length :]
            try:
                fields = unpack(payload, self._max_items)
            except OutsideProfile as error:
                self.fault = str(error)
                return
            self.received.append(Received(fields, payload, anyio.current_time()))
            self.fault = self._form_fault(fields)
            if fields.get("type") == "ping" and self.answers_pings:
                await self.send(type="pong", nonce=fields.get("nonce", 0))
            self._tell()

    def _form_fault(self, fields: Fields) -> str | None:
        """What is wrong with a message's fields; an end that knows their shapes says so."""
        del fields
        return None

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()

    async def changed(self) -> None:
        """Wait until something was received, or the connection has ended."""
        await self._news.wait()

    async def next(self, *, with_pings: bool = False) -> Received | None:
        """The next message, ``None`` at the end of the connection. Raises ``Failed`` for a broken wire."""
        while True:
            while self._taken < len(self.received):
                message = self.received[self._taken]
                self._taken += 1
                if with_pings or message.type not in {"ping", "pong"}:
                    return message
            if self.fault is not None:
                raise Failed(self.fault)
            if self.is_closed:
                return None
            await self._news.wait()
