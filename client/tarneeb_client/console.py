"""Lines in from a person or a pipe, lines out: the only module that touches the terminal."""

from __future__ import annotations

import codecs
import os
import select
import shutil
import sys
import textwrap
from collections import deque
from contextlib import suppress

import anyio
import anyio.lowlevel
from anyio.abc import ObjectReceiveStream

from tarneeb_client import marks
from tarneeb_client.language import _
from tarneeb_client.right_to_left import line_for_terminal

CHUNK_BYTES = 65536
INTERRUPTED = 130
"""What a shell is told of a program that Ctrl-C ended."""
HUNG_UP = 129
"""And of one whose terminal is gone."""


class OutputClosed(Exception):
    """Whoever read the output is gone, as when it is piped into ``head``; or, with a text, it cannot be
    written, and the text says why.
    """


class TerminalGone(Exception):
    """The terminal that a full screen was on is closed."""


def write_line(text: str) -> None:
    """Write one line to standard output at once. Raises ``OutputClosed``."""
    try:
        sys.stdout.write(line_for_terminal(text) + "\n")
        sys.stdout.flush()
    except (BrokenPipeError, ValueError) as error:  # ValueError: the stream was closed
        raise OutputClosed from error
    except OSError as error:  # a full disk, for one
        reason = error.strerror
        raise OutputClosed(_("the output cannot be written: {reason}").format(reason=reason)) from error


def write_text(text: str) -> None:
    """As ``write_line``, but at a terminal a line that is too long for it is broken between words.

    A pipe, and so a script, still gets each line of the text whole. Raises ``OutputClosed``.
    """
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in text.split("\n"):
        for part in [line] if columns is None else broken(line, columns):
            write_line(part)


def write_notice(text: str) -> None:
    """Write to standard error, beside an output that may be for another program. At a terminal, lines that are
    too long for it are broken between words.
    """
    lines = text.split("\n")
    if sys.stderr.isatty():
        columns = shutil.get_terminal_size().columns
        lines = [part for line in lines for part in broken(line, columns)]
    print("\n".join(map(line_for_terminal, lines)), file=sys.stderr, flush=True)  # noqa: T201


def broken(text: str, columns: int) -> list[str]:
    """``text`` in lines of at most ``columns`` characters where its words allow it, the later ones indented.

    What somebody said keeps to ``columns`` cells whatever its words are, each further line marked: broken by
    the terminal, it could begin a line with whatever its writer wants.
    """
    if text.startswith(marks.CHAT):
        from tarneeb_client.screens.cells import wrap  # noqa: PLC0415  (takes time, and pipes need it not)

        return wrap(text, max(columns, 8), indent=marks.CHAT_GOES_ON)
    if len(text) <= columns:
        return [text]
    return textwrap.wrap(
        text,
        columns,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        drop_whitespace=True,
    )


def abandon_output() -> None:
    """Nobody reads the output any more: what is still buffered, or comes yet, must not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def abandon_lost_output() -> None:
    """The same if it is a terminal or a pipe whose other end is gone."""
    if _has_hung_up(sys.stdout.fileno(), select.POLLOUT):
        abandon_output()


def open_missing_streams() -> None:
    """Give whoever starts the program with a standard stream closed an empty one in its place.

    Otherwise the next file or socket would get its number, and be read as what the player types.
    """
    for name, flags, mode in (
        ("stdin", os.O_RDONLY, "r"),
        ("stdout", os.O_WRONLY, "w"),
        ("stderr", os.O_WRONLY, "w"),
    ):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, flags)  # the lowest that is free, and so the missing one
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=False))


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


class Lines(ObjectReceiveStream[str]):
    """Lines that are typed, or come from a pipe; the stream ends with the input.

    ``status`` tells why, once it has: 0 for an end that was meant, as Ctrl-D, the end of a pipe; else what a
    shell is to be told of an input that was cut off, as by an interrupt or a terminal that is gone.
    """

    status: int = 0

    @property
    def shows_status(self) -> bool:
        """Whether what ``show_status`` is given can be seen."""
        return False

    def show_status(self, text: str | None) -> None:
        """Show a line, where there is a place for one, until it is replaced; ``None`` for none."""


class PipedLines(Lines):
    """Lines of a pipe, file or simple terminal; the stream ends with the input.

    It reads when there is something to read, so that waiting for a line never holds up the game, and without a
    thread, so that nothing is left waiting when the game is over. Without a ``descriptor`` it reads the
    standard input; one that was closed before the program began has ended.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        # Where there is no standard input, its number may since be that of anything, a socket of our own too.
        self._descriptor = (0 if sys.stdin else -1) if descriptor is None else descriptor
        self._is_terminal = self._descriptor >= 0 and os.isatty(self._descriptor)
        self._reader = _LineReader()
        self._lines: deque[str] = deque()
        self._has_ended = False

    async def receive(self) -> str:
        """The next line. Raises ``anyio.EndOfStream``."""
        while not self._lines:
            if self._has_ended:
                raise anyio.EndOfStream
            chunk = await self._read()
            self._has_ended = not chunk
            self._lines.extend(self._reader.feed(chunk))
        await anyio.lowlevel.checkpoint()
        return self._lines.popleft()

    async def aclose(self) -> None:
        """Take no more lines; the descriptor is left open for whoever opened it."""
        self._lines.clear()
        self._has_ended = True

    async def _read(self) -> bytes:
        # What cannot be waited for, such as a file, never keeps its reader waiting.
        with suppress(PermissionError):
            try:
                await anyio.wait_readable(self._descriptor)
            except ValueError:  # no descriptor at all
                return b""
        try:
            chunk = os.read(self._descriptor, CHUNK_BYTES)
        except OSError:
            chunk = b""
        if not chunk and self._is_terminal and _has_hung_up(self._descriptor):
            self.status = HUNG_UP
            abandon_output()
        return chunk


def _has_hung_up(descriptor: int, wanted: int = select.POLLIN) -> bool:
    """Whether a terminal is gone, as one whose input has ended need not be: its player may just be done."""
    watch = select.poll()
    watch.register(descriptor, wanted)
    return any(happened & (select.POLLHUP | select.POLLERR) for _, happened in watch.poll(0))
