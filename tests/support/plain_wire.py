"""A client of the protocol from the document alone: sockets, ``struct`` and msgpack, none of our own code.

It knows no rules: it answers each prompt with one of the actions the prompt offers.
"""

from __future__ import annotations

import struct
from types import TracebackType
from typing import Any, Self

import msgpack
import trio

Fields = dict[str, Any]


class PlainWire:
    """One connection. ``received`` keeps every message in order; use as an async context manager."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.received: list[Fields] = []
        self._buffer = b""
        self._last_id = 0
        self._sending = trio.Lock()

    @classmethod
    async def connect(cls, host: str, port: int) -> Self:
        return cls(await trio.open_tcp_stream(host, port))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await trio.aclose_forcefully(self.stream)

    async def send(self, **fields: Any) -> None:
        async with self._sending:
            await self.stream.send_all(self.frame(**fields))

    @staticmethod
    def frame(**fields: Any) -> bytes:
        """A message as it goes over the wire."""
        payload: bytes = msgpack.packb(fields)
        return struct.pack(">I", len(payload)) + payload

    async def receive(self) -> Fields | None:
        """The next message, or ``None`` when the server has closed the connection."""
        while True:
            if len(self._buffer) >= 4:
                (length,) = struct.unpack_from(">I", self._buffer)
                if len(self._buffer) >= 4 + length:
                    payload, self._buffer = self._buffer[4 : 4 + length], self._buffer[4 + length :]
                    message: Fields = msgpack.unpackb(payload)
                    self.received.append(message)
                    if message["type"] == "ping":
                        await self.send(type="pong", nonce=message.get("nonce", 0))
                    return message
            try:
                chunk = await self.stream.receive_some(65536)
            except trio.BrokenResourceError:
                return None
            if not chunk:
                return None
            self._buffer += chunk

    async def until(self, *types: str) -> Fields:
        """The next message of one of these types."""
        while True:
            message = await self.receive()
            assert message is not None, f"the server closed the connection before any of {types}"
            if message["type"] in types:
                return message

    async def hello(self, name: str, **more: Any) -> Fields:
        await self.send(type="hello", protocol_min=1, protocol_max=1, client="plain wire", name=name, **more)
        return await self.until("welcome", "refused")

    async def request(self, kind: str, **fields: Any) -> Fields:
        """Send a request and return its reply or error; what came before it is in ``received``."""
        self._last_id += 1
        await self.send(type=kind, id=self._last_id, **fields)
        while True:
            message = await self.receive()
            assert message is not None, f"the server closed the connection before the reply to {kind}"
            if message.get("id") == self._last_id:
                return message

    def continue_ids(self, earlier: PlainWire) -> None:
        """Number requests on from ``earlier``, a connection of the same session."""
        self._last_id = earlier._last_id

    async def until_closed(self) -> Fields | None:
        """Read to the end; the last message is returned."""
        last = None
        while (message := await self.receive()) is not None:
            last = message
        return last
