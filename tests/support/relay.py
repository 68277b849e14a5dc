"""A TCP relay on loopback that can be turned to another server while clients keep their address."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import trio


@dataclass
class Relay:
    """``target`` is the port that the next connection goes to; ``said`` all that clients have said."""

    port: int
    target: int
    said: bytearray = field(default_factory=bytearray)
    connections: int = 0
    open: set[trio.SocketStream] = field(default_factory=set)
    damage: bytes = b""
    """Sent to the client in place of the server's next bytes."""

    async def cut(self) -> None:
        """End every connection."""
        for stream in list(self.open):
            await trio.aclose_forcefully(stream)

    async def serve(self, near: trio.SocketStream) -> None:
        self.connections += 1
        try:
            far = await trio.open_tcp_stream("127.0.0.1", self.target)
        except OSError:
            await trio.aclose_forcefully(near)
            return
        self.open |= {near, far}
        try:
            async with trio.open_nursery() as both:
                both.start_soon(self._pass_on, near, far, True)
                both.start_soon(self._pass_on, far, near, False)
        finally:
            self.open -= {near, far}
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(near)
                await trio.aclose_forcefully(far)

    async def _pass_on(self, source: trio.SocketStream, sink: trio.SocketStream, is_up: bool) -> None:
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
            while chunk := await source.receive_some(65536):
                if is_up:
                    self.said += chunk
                elif self.damage:
                    chunk, self.damage = self.damage, b""
                await sink.send_all(chunk)
            await sink.send_eof()
            return
        await trio.aclose_forcefully(source)
        await trio.aclose_forcefully(sink)


@contextlib.asynccontextmanager
async def relay(target: int) -> AsyncIterator[Relay]:
    """A relay to this port, for the length of the block."""
    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        made = Relay(listeners[0].socket.getsockname()[1], target)
        nursery.start_soon(trio.serve_listeners, made.serve, listeners)
        try:
            yield made
        finally:
            nursery.cancel_scope.cancel()
