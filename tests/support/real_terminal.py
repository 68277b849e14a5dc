"""A program on a terminal of its own, a pseudo-terminal that pyte reads: keys in, the screen out, and then what
became of the terminal.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

import pyte

from support.processes import client_command, environment

SECONDS = 20.0
"""How long a busy machine may take to show what is waited for."""
ON_A_TERMINAL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
MODES = {"alternate screen": "1049", "mouse": "1000", "mouse, any motion": "1003", "bracketed paste": "2004"}
CURSOR = "25"
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ENTER, ESCAPE, CTRL_C, CTRL_L = "\r", "\x1b", "\x03", "\x0c"
F1, F2, F4, F10 = "\x1bOP", "\x1bOQ", "\x1bOS", "\x1b[21~"


class RealTerminal:
    """A running program and its terminal."""

    def __init__(
        self, command: Sequence[str], columns: int, rows: int, variables: Mapping[str, str | None]
    ) -> None:
        self._controller, self._terminal = pty.openpty()
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        self.is_mute = False
        """Whether it does not tell where its cursor is, as a simple one."""
        self.resize(columns, rows)
        self.modes_before = termios.tcgetattr(self._terminal)
        given = {**environment(), "TERM": "xterm-256color", "LANG": "C.UTF-8", **variables}
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_A_TERMINAL, *command],
            stdin=self._terminal,
            stdout=self._terminal,
            stderr=self._terminal,
            env={name: value for name, value in given.items() if value is not None},
            start_new_session=True,
        )

    def press(self, keys: str) -> None:
        """What a terminal sends for keys."""
        os.write(self._controller, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Make it larger or smaller; the program is told by the kernel."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def rows(self) -> list[str]:
        """The screen as it is, without spaces at the ends of rows."""
        return [row.rstrip() for row in self._screen.display]

    def text(self) -> str:
        """The same in one."""
        return "\n".join(self.rows())

    def read_on(self, seconds: float) -> bool:
        """Take what the program writes next; whether there was anything within the time."""
        readable, _, _ = select.select([self._controller], [], [], max(0.0, seconds))
        if not readable:
            return False
        try:
            chunk = os.read(self._controller, 65536)
        except OSError:
            return False
        self.raw += chunk
        self._stream.feed(chunk)
        for _ in range(0 if self.is_mute else chunk.count(b"\x1b[6n")):  # where is the cursor?
            self.press(f"\x1b[{self._screen.cursor.y + 1};{self._screen.cursor.x + 1}R")
        return bool(chunk)

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Read on until it holds; fails after a while with ``what`` was waited for."""
        deadline = time.monotonic() + SECONDS
        while not holds():
            left = deadline - time.monotonic()
            ended = self.process.poll() is not None
            if not self.read_on(0.0 if ended else min(left, 1.0)) and (ended or left <= 0):
                raise AssertionError(f"{what} did not come; the screen is:\n{self.text()}")

    def until_shown(self, *texts: str) -> None:
        """Until the screen shows every one of them."""
        self.until(lambda: all(text in self.text() for text in texts), repr(texts))

    def until_gone(self, text: str) -> None:
        """Until the screen shows it no more."""
        self.until(lambda: text not in self.text(), f"the end of {text!r}")

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the program."""
        self.process.send_signal(number)

    def end(self) -> int:
        """Read to the program's end, which must come; the exit status."""
        self.until(lambda: self.process.poll() is not None, "the end of the program")
        while self.read_on(0.0):
            pass
        return self.process.wait(SECONDS)

    def close(self) -> int:
        """Close the terminal, as its window is closed; the exit status of the program."""
        os.close(self._terminal)
        os.close(self._controller)
        self._terminal = self._controller = -1
        return self.process.wait(SECONDS)

    def last_line(self) -> str:
        """What stands last on the screen."""
        return [row for row in self.rows() if row][-1]

    def faults(self) -> list[str]:
        """How the terminal differs from what it was before the program: nothing, if all is well."""
        found = []
        if termios.tcgetattr(self._terminal) != self.modes_before:
            found.append("its modes (stty -a) were not put back")
        for what, number in MODES.items():
            if self._latest(number) == b"h":
                found.append(f"{what} was left on")
        if self._latest(CURSOR) == b"l":
            found.append("its cursor was left hidden")
        return found

    def _latest(self, number: str) -> bytes | None:
        switched = re.findall(rb"\x1b\[\?(?:\d+;)*" + number.encode() + rb"(?:;\d+)*([hl])", self.raw)
        return switched[-1] if switched else None

    def clean_up(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for descriptor in (self._controller, self._terminal):
            if descriptor >= 0:
                os.close(descriptor)


@contextlib.contextmanager
def real_terminal(
    *arguments: str,
    columns: int = 80,
    rows: int = 24,
    command: Sequence[str] | None = None,
    **variables: str | None,
) -> Iterator[RealTerminal]:
    """``tarneeb`` with these arguments, or another command, on a terminal while the block runs."""
    terminal = RealTerminal(command or client_command(*arguments), columns, rows, variables)
    try:
        yield terminal
    finally:
        terminal.clean_up()
