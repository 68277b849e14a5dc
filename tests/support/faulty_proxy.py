"""A proxy between a client and a server that plants one fault in what they say to each other.

It reads whole frames both ways, so a fault is a few lines over decoded messages.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgpack
import trio

Fields: TypeAlias = dict[str, Any]


@dataclass
class Pipe:
    """One connection through the proxy, as a fault sees it. ``memory`` is the fault's own."""

    near: trio.SocketStream
    far: trio.SocketStream
    memory: Fields = field(default_factory=dict)
    sending: trio.Lock = field(default_factory=trio.Lock)
    is_heard: trio.Event = field(default_factory=trio.Event)
    """Set when the client has nothing more to say."""

    async def tell(self, *messages: Fields) -> None:
        """Send messages to the client, as if they were the server's."""
        await self.send(b"".join(map(framed, messages)))

    async def send(self, chunk: bytes) -> None:
        """Send bytes to the client; several faults may want to at once."""
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async with self.sending:
                await self.near.send_all(chunk)

    async def cut(self) -> None:
        """End the connection to the client without a word."""
        await trio.aclose_forcefully(self.near)


@dataclass
class Fault:
    """No fault: messages pass as they are. ``pipes`` are all connections; ``memory`` is shared by them."""

    pipes: list[Pipe] = field(default_factory=list)
    memory: Fields = field(default_factory=dict)

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        """What the client gets for a message of the server."""
        del pipe
        return [message]

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        """What the server gets for a message of the client."""
        del pipe
        return [message]

    def raw_up(self, chunk: bytes) -> bytes:
        """What of the client's bytes is read."""
        return chunk

    def raw_down(self, payload: bytes) -> bytes:
        """The frame that the client gets for a payload."""
        return len(payload).to_bytes(4, "big") + payload


def framed(message: Fields) -> bytes:
    """The frame of a message."""
    payload: bytes = msgpack.packb(message)
    return len(payload).to_bytes(4, "big") + payload


@contextlib.asynccontextmanager
async def faulty_proxy(port: int, fault: Fault) -> AsyncIterator[int]:
    """A proxy on loopback before the server on ``port``; the proxy's own port."""

    async def serve(near: trio.SocketStream) -> None:
        far = await trio.open_tcp_stream("127.0.0.1", port)
        pipe = Pipe(near, far)
        fault.pipes.append(pipe)
        try:
            async with trio.open_nursery() as both:
                both.start_soon(_pass_up, pipe, fault)
                await _pass_down(pipe, fault)
                with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await near.send_eof()
                # Whoever still speaks is heard to the end, or a reset would take the last message away.
                with trio.move_on_after(2):
                    await pipe.is_heard.wait()
                both.cancel_scope.cancel()
        finally:
            fault.pipes.remove(pipe)
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(near)
                await trio.aclose_forcefully(far)

    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        try:
            yield listeners[0].socket.getsockname()[1]
        finally:
            nursery.cancel_scope.cancel()


async def _pass_up(pipe: Pipe, fault: Fault) -> None:
    """Bytes that are no whole, decodable frame pass as they are: a hostile client is the server's to judge."""
    buffer = b""
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
        while chunk := await pipe.near.receive_some(65536):
            buffer += fault.raw_up(chunk)
            while (taken := _frame(buffer)) is not None:
                payload, rest = taken
                sent = buffer[: len(buffer) - len(rest)]
                buffer = rest
                message = _decoded(payload)
                if message is not None:
                    sent = b"".join(map(framed, await fault.up(pipe, message)))
                await pipe.far.send_all(sent)
            if len(buffer) >= 4 and not 0 < int.from_bytes(buffer[:4], "big") <= 8192:
                await pipe.far.send_all(buffer)
                buffer = b""
        await pipe.far.send_eof()
    pipe.is_heard.set()


async def _pass_down(pipe: Pipe, fault: Fault) -> None:
    buffer = b""
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
        while chunk := await pipe.far.receive_some(65536):
            buffer += chunk
            while (taken := _frame(buffer)) is not None:
                payload, buffer = taken
                told = await fault.down(pipe, msgpack.unpackb(payload))
                await pipe.send(b"".join(fault.raw_down(msgpack.packb(message)) for message in told))


def _frame(buffer: bytes) -> tuple[bytes, bytes] | None:
    length = int.from_bytes(buffer[:4], "big")
    if len(buffer) < 4 or not 0 < length <= 65536 or len(buffer) < 4 + length:
        return None
    return buffer[4 : 4 + length], buffer[4 + length :]


def _decoded(payload: bytes) -> Fields | None:
    try:
        message = msgpack.unpackb(payload)
    except (ValueError, msgpack.UnpackException, TypeError):
        return None
    # What this packs otherwise than it came (a map with one key twice, say) has to pass as it is.
    same = isinstance(message, dict) and msgpack.packb(message) == payload
    return message if same else None
