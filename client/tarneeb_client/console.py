"""Lines in from a person or a pipe, lines out: the only module that touches the terminal."""

from __future__ import annotations

import codecs
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
from anyio.abc import ObjectReceiveStream
from anyio.from_thread import BlockingPortal

CHUNK_BYTES = 65536
LINES_BUFFERED = 64
"""Lines read ahead of the conversation; a longer script waits in its pipe."""


class OutputClosed(Exception):
    """Whoever read the output is gone, as when it is piped into ``head``."""


def write_line(text: str) -> None:
    """Write one line to standard output at once. Raises ``OutputClosed``."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except (BrokenPipeError, ValueError) as error:  # ValueError: the stream was closed
        raise OutputClosed from error


def tolerate_any_text() -> None:
    """Let output that the terminal's encoding has no characters for be escaped rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def has_symbols() -> bool:
    """Whether the output's encoding has the suits' symbols; if not, letters are shown."""
    try:
        "♣♦♥♠".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def is_full_terminal() -> bool:
    """Whether a person types at a terminal that can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}


class _LineReader:
    """Splits bytes into lines of text; what is not UTF-8 becomes U+FFFD."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that ``chunk`` completes; an empty chunk is the end."""
        self._rest += self._decoder.decode(chunk, final=not chunk)
        *lines, self._rest = self._rest.split("\n")
        if not chunk and self._rest:
            lines.append(self._rest)
            self._rest = ""
        return [line.rstrip("\r") for line in lines]


@asynccontextmanager
async def piped_lines(descriptor: int = 0) -> AsyncIterator[ObjectReceiveStream[str]]:
    """Lines of a pipe, file or simple terminal, read by a thread, so that reading never holds up the game.

    The stream ends with the input. The thread reads the descriptor itself: one that were blocked in
    ``sys.stdin`` would hold a lock that the interpreter needs in order to exit.
    """
    sender, receiver = anyio.create_memory_object_stream[str](LINES_BUFFERED)
    async with BlockingPortal() as portal, receiver:

        async def send(line: str) -> None:
            await sender.send(line)

        def read() -> None:
            reader = _LineReader()
            chunk = b"\n"
            # RuntimeError: the portal is closed. BrokenResourceError: nobody listens any more.
            with suppress(OSError, RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                while chunk:
                    chunk = os.read(descriptor, CHUNK_BYTES)
                    for line in reader.feed(chunk):
                        portal.call(send, line)
            with suppress(RuntimeError):
                portal.call(sender.close)

        threading.Thread(target=read, name="standard input", daemon=True).start()
        try:
            yield receiver
        finally:
            await portal.stop(cancel_remaining=True)
            sender.close()
