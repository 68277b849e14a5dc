"""A client that says something once, then neither reads nor says anything, and never closes."""

from __future__ import annotations

import trio


class SilentChannel:
    """A channel, see ``tarneeb_server.channel.Channel``. It takes the first ``takes`` bytes that are sent."""

    def __init__(self, said: bytes, takes: int = 4096) -> None:
        self._said = said
        self._room = takes
        self._closed = trio.Event()

    def recv(self, size: int) -> bytes:
        if not self._said:
            raise BlockingIOError
        said, self._said = self._said[:size], self._said[size:]
        return said

    def send(self, chunk: bytes) -> int:
        if not self._room:
            raise BlockingIOError
        taken = min(self._room, len(chunk))
        self._room -= taken
        return taken

    async def wait_readable(self) -> None:
        if self._said:
            await trio.lowlevel.checkpoint()
        else:
            await self._until_closed()

    async def wait_writable(self) -> None:
        if self._room:
            await trio.lowlevel.checkpoint()
        else:
            await self._until_closed()

    async def _until_closed(self) -> None:
        await self._closed.wait()
        raise trio.ClosedResourceError

    def finish(self) -> None:
        """Nobody hears it."""

    def close(self) -> None:
        self._closed.set()
