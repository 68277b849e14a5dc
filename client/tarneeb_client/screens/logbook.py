"""What happened, for the screen's log: a presenter that keeps lines instead of writing them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from tarneeb_client import marks
from tarneeb_client.lessons import Lesson
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkLost
from tarneeb_client.screens.side import LogLine
from tarneeb_protocol import messages as m

LONGEST_LOG = 500
"""Lines that can be scrolled back to: several deals."""

_DRAWN = (m.Prompt, m.Snapshot, m.Tables)
"""Messages that the screen shows by itself, so that a line for them would say it twice."""


class Logbook:
    """A ``Presenter``. ``on_message`` is called with each message before its lines, ``on_answer`` with what a
    command asked for, ``on_problem`` with what could not be done.
    """

    def __init__(
        self,
        *,
        on_message: Callable[[m.Message], None],
        on_lesson: Callable[[Lesson], None],
        on_answer: Callable[[str, Sequence[str]], None],
        on_problem: Callable[[str], None],
        on_back: Callable[[str], None],
    ) -> None:
        self.lines: deque[LogLine] = deque(maxlen=LONGEST_LOG)
        self._on_message = on_message
        self._on_lesson = on_lesson
        self._on_answer = on_answer
        self._on_problem = on_problem
        self._on_back = on_back
        self._latest: m.Message | None = None
        self.below = 0
        """Lines behind the last one that is to be seen: what is scrolled back to stays in sight."""

    def scroll(self, step: int) -> None:
        """So many lines back, or forth again."""
        self.below = max(0, min(self.below + step, len(self.lines) - 1))

    def _add(self, line: LogLine) -> None:
        self.lines.append(line)
        if self.below:
            self.scroll(1)

    def message(self, message: m.Message) -> None:
        """See ``Presenter``."""
        self._latest = message
        self._on_message(message)

    def link(self, item: LinkLost | LinkBack | LinkEnded) -> None:
        """See ``Presenter``. The screen shows it by itself."""
        del item
        self._latest = None

    def seat_held(self, seconds: int, command: str | None) -> None:
        """See ``Presenter``. The screen counts down."""

    def seat_given_up(self, table: int | None, name: str | None) -> None:
        """See ``Presenter``. A line says so."""

    def say(self, line: str) -> None:
        """See ``Presenter``. A line that answers what was typed, and begins with ``!``, is a problem."""
        if isinstance(self._latest, _DRAWN):
            return
        if isinstance(self._latest, m.Error):
            self._on_problem(line.removeprefix("! "))
            return
        is_chat = isinstance(self._latest, m.Said | m.LobbySaid)
        is_warning = line.startswith(("!", marks.NOTICE)) and not is_chat
        self._add(LogLine(line, is_chat=is_chat, is_warning=is_warning))

    def back(self, line: str) -> None:
        """See ``Presenter``."""
        self.tell(line)
        self._on_back(line)

    def tell(self, line: str) -> None:
        """Keep a line that comes from no message."""
        self._add(LogLine(line, is_chat=False, is_warning=False))

    def lesson(self, lesson: Lesson) -> None:
        """See ``Presenter``."""
        self._on_lesson(lesson)

    def answer(self, command: str, lines: Sequence[str]) -> None:
        """See ``Presenter``."""
        self._on_answer(command, lines)

    def problem(self, text: str) -> None:
        """See ``Presenter``."""
        self._on_problem(text)
