"""``tarneeb`` as a process in a trio test: lines are typed into it, and lines that it shows are waited for."""

from __future__ import annotations

import subprocess
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio

from support.processes import client_command, environment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class TypedClient:
    """A running client. ``shown`` are the lines that were read of its output."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self.shown: list[str] = []
        self._buffer = b""

    async def type(self, *lines: str) -> None:
        """Type these lines."""
        assert self.process.stdin is not None
        await self.process.stdin.send_all("".join(f"{line}\n" for line in lines).encode())

    async def until(self, start: str) -> str:
        """Read up to the first line that starts so, and return it."""
        while True:
            line = await self.next_line()
            assert line is not None, f"it ended before it showed {start!r}: {self.shown[-5:]}"
            if line.startswith(start):
                return line

    async def next_line(self) -> str | None:
        """The next line; ``None`` at the end of the output."""
        assert self.process.stdout is not None
        while b"\n" not in self._buffer:
            chunk = await self.process.stdout.receive_some(65536)
            if not chunk:
                return None
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        self.shown.append(line.decode())
        return self.shown[-1]

    async def rest(self) -> list[str]:
        """The lines up to the end of the output."""
        at = len(self.shown)
        while await self.next_line() is not None:
            pass
        return self.shown[at:]

    async def ended(self) -> int:
        """Close its input, read the rest and wait for its end: the exit status."""
        assert self.process.stdin is not None
        await self.process.stdin.aclose()
        await self.rest()
        return await self.process.wait()


@asynccontextmanager
async def typed_client(*arguments: str, **variables: str) -> AsyncIterator[TypedClient]:
    """``tarneeb`` with these arguments for the length of the block; killed at its end if it still runs.
    ``variables`` are added to its environment.
    """
    process = await trio.lowlevel.open_process(
        client_command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment(), **variables},
    )
    try:
        yield TypedClient(process)
    finally:
        with trio.CancelScope(shield=True):
            if process.poll() is None:
                process.kill()
            await process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    await stream.aclose()
