"""A player's client as a process: type lines, read up to a line, end it in any way."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from support.processes import client_command, environment

SECONDS = 60.0


class Player:
    """A running ``tarneeb``. ``lines`` is all that it printed so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._coming: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._coming.put(line.rstrip("\n"))
        self._coming.put(None)

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def read_until(self, start: str) -> str:
        """The next line that starts so; fails when none comes."""
        while (line := self._coming.get(timeout=SECONDS)) is not None:
            self.lines.append(line)
            if line.startswith(start):
                return line
        raise AssertionError(f"no line starts with {start!r}: {self.lines} {self.errors()}")

    def ask(self, command: str, start: str) -> str:
        self.type(command)
        return self.read_until(start)

    def rest(self) -> list[str]:
        """What it printed up to its end, which must come."""
        while (line := self._coming.get(timeout=SECONDS)) is not None:
            self.lines.append(line)
        return self.lines

    def end(self, number: signal.Signals) -> int:
        """Send a signal and wait for the end; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    def close_input(self) -> int:
        """The end of what is typed; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(SECONDS)

    def errors(self) -> str:
        """What it said on its standard error; it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def clean_up(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()


class Home:
    """A player's machine: what its clients keep is in ``state``."""

    def __init__(self) -> None:
        self.environment = environment()
        self.state = Path(self.environment["XDG_STATE_HOME"])
        self.sessions = self.state / "tarneeb" / "sessions"

    @contextlib.contextmanager
    def start(self, *arguments: str) -> Iterator[Player]:
        """``tarneeb`` with these arguments; killed at the end of the block if it still runs."""
        process = subprocess.Popen(
            client_command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self.environment,
        )
        player = Player(process)
        try:
            yield player
        finally:
            player.clean_up()

    def run(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """The same with all that is typed, up to its end."""
        return subprocess.run(
            client_command(*arguments),
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            env=self.environment,
            check=False,
        )

    def kept(self) -> list[str]:
        """The files of kept sessions and their locks."""
        return sorted(os.listdir(self.sessions)) if self.sessions.is_dir() else []  # noqa: PTH208  (names)
