"""A terminal in the test's own process: keys go in through prompt_toolkit's pipe, and pyte reads the screen."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from support.desk_talk import DeskTalk
from tarneeb_client.full_screen import Screen
from tarneeb_client.screens.themes import THEMES

SECONDS = 20
"""Real time that a screen may take to show what it should."""


class _Written:
    """What the program writes to its terminal: all of it, and what it comes to on the screen."""

    encoding = "utf-8"

    def __init__(self, columns: int, lines: int) -> None:
        self.raw = ""
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self.screen)

    def write(self, text: str) -> int:
        self.raw += text
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""

    def isatty(self) -> bool:
        return True


class PretendedTerminal:
    """A desk at a terminal of ``columns`` by ``lines``."""

    def __init__(self, talk: DeskTalk, keys: PipeInput, columns: int, lines: int, theme: str) -> None:
        self.talk = talk
        self.written = _Written(columns, lines)
        self.size = Size(rows=lines, columns=columns)
        self._keys = keys
        self.screen = Screen(
            talk.desk,
            THEMES[theme],
            terminal=keys,
            clock=lambda: talk.driver.now,
            output=Vt100_Output(self.written, lambda: self.size, term="xterm-256color", enable_cpr=False),  # type: ignore[arg-type]  # the part of a text stream that is used
        )

    def press(self, keys: str) -> None:
        """Send keys as a terminal does."""
        self._keys.send_text(keys)

    def resize(self, columns: int, lines: int) -> None:
        """Make the terminal larger or smaller."""
        self.size = Size(rows=lines, columns=columns)
        self.written.screen.resize(lines, columns)
        self.screen.app._on_resize()

    def rows(self) -> list[str]:
        """The screen as it is read, row by row."""
        return [row.rstrip() for row in self.written.screen.display]

    async def until(self, holds: Callable[[list[str]], bool]) -> list[str]:
        """Let the program go on until the screen is so; its rows."""
        async with asyncio.timeout(SECONDS):
            while not holds(self.rows()):
                self.talk.settle()
                self.screen.changed()
                await asyncio.sleep(0.01)
        return self.rows()

    async def until_shown(self, text: str) -> list[str]:
        """Let the program go on until the screen shows ``text``."""
        try:
            return await self.until(lambda rows: any(text in row for row in rows))
        except TimeoutError:
            raise AssertionError(f"{text!r} is not on the screen:\n" + "\n".join(self.rows())) from None


@contextlib.asynccontextmanager
async def pretended_terminal(
    talk: DeskTalk, columns: int = 80, lines: int = 24, theme: str = "dark"
) -> AsyncIterator[PretendedTerminal]:
    """The desk's screen while the block runs."""
    with create_pipe_input() as keys:
        terminal = PretendedTerminal(talk, keys, columns, lines, theme)
        running = asyncio.ensure_future(terminal.screen.app.run_async(set_exception_handler=False))
        try:
            yield terminal
        finally:
            terminal.screen._exit()
            await running
