"""How wide a terminal really draws what a screen is made of: each sample is written, and the cursor asked where
it is.
"""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Sequence

ANSWER_SECONDS = 1.0
"""How long a terminal far away may take to answer. One that never does is a simple one."""
LONGEST_ANSWER = 4096
"""Bytes that are read in search of the answer: what was typed meanwhile comes first."""
_ASK = "\x1b[6n"
_POSITION = re.compile(rb"\x1b\[(\d{1,4});(\d{1,4})R")


def measured_widths(samples: Sequence[str]) -> dict[str, int]:
    """The cells that each sample takes at the terminal of the standard input and output; of those alone whose
    answer came. What is typed meanwhile is lost. Empty where terminals cannot be set, as on Windows.
    """
    try:
        import termios  # noqa: PLC0415  (not on every system)
        import tty  # noqa: PLC0415
    except ImportError:
        return {}
    descriptor = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(descriptor)
    except termios.error:
        return {}
    found: dict[str, int] = {}
    try:
        tty.setcbreak(descriptor)
        for sample in samples:
            sys.stdout.write(f"\r{sample}{_ASK}")
            sys.stdout.flush()
            column = _answered_column(descriptor)
            if column is None:
                break
            found[sample] = column - 1
    finally:
        # What is left of an answer that comes late must not be read as keys.
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
        sys.stdout.write("\r\x1b[K")
        sys.stdout.flush()
    return found


def _answered_column(descriptor: int) -> int | None:
    deadline = time.monotonic() + ANSWER_SECONDS
    read = b""
    while len(read) < LONGEST_ANSWER:
        readable, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        if not readable:
            return None
        chunk = os.read(descriptor, 256)
        if not chunk:
            return None
        read += chunk
        if (position := _POSITION.search(read)) is not None:
            return int(position[2])
    return None
