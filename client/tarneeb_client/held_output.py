"""What is written past the full screen while it is open: kept aside, and written out behind it.

Warnings of Python, log lines of a library, a message of the C library about its own death: each would land in
the middle of the drawing, and stay there until that part is drawn anew.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, TextIO

from tarneeb_client.console import write_notice
from tarneeb_protocol.text import harmless

STANDARD_ERROR = 2
MOST_BYTES = 65536
"""What is written out of it: enough for any traceback, and a bound for what never stops."""


class _Aside(io.TextIOBase):
    """In place of the standard output: what is written goes to ``kept``; it looks like the terminal."""

    def __init__(self, terminal: TextIO, kept: BinaryIO) -> None:
        self._terminal = terminal
        self._kept = kept

    def write(self, text: str) -> int:
        """See ``io.TextIOBase``."""
        self._kept.write(text.encode("utf-8", "backslashreplace"))
        return len(text)

    def fileno(self) -> int:
        """See ``io.IOBase``."""
        return self._terminal.fileno()

    def isatty(self) -> bool:
        """See ``io.IOBase``."""
        return self._terminal.isatty()


@contextmanager
def held_output() -> Iterator[None]:
    """Keep what the program, its libraries and its child processes write to a terminal by standard error,
    and by ``sys.stdout``, until the end of the block; then write it out, harmless. A standard error that goes
    somewhere else is left alone.
    """
    output = sys.stdout
    with _kept() as kept:
        saved = os.dup(STANDARD_ERROR) if os.isatty(STANDARD_ERROR) else None
        sys.stdout = _Aside(output, kept)
        try:
            if saved is not None:
                sys.stderr.flush()
                os.dup2(kept.fileno(), STANDARD_ERROR)
            yield
        finally:
            sys.stdout = output
            if saved is not None:
                sys.stderr.flush()
                os.dup2(saved, STANDARD_ERROR)
                os.close(saved)
            with suppress(OSError, ValueError):  # the terminal may be what is gone
                _write_out(kept)


def _kept() -> BinaryIO:
    try:
        return tempfile.TemporaryFile(buffering=0)
    except OSError:  # a full disk: then it is lost
        return open(os.devnull, "w+b", buffering=0)  # noqa: PTH123


def _write_out(kept: BinaryIO) -> None:
    kept.seek(0)
    text = kept.read(MOST_BYTES).decode("utf-8", "replace").strip()
    if text:
        write_notice("\n".join(harmless(line) for line in text.splitlines()))
