"""The input line: what it is for, what was typed in it before, and how it is completed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum

LONGEST_HISTORY = 100
"""Lines that can be had back."""


class Input(Enum):
    """What the input line is for."""

    ACTING = "acting"
    CHAT = "chat"
    COMMAND = "command"
    PASSWORD = "password"
    """Of a table; not shown."""


class InputLine:
    """``text`` is what stands there, ``use`` what it is for."""

    def __init__(self) -> None:
        self.text = ""
        self.use = Input.ACTING
        self._earlier: dict[Input, deque[str]] = {
            use: deque(maxlen=LONGEST_HISTORY) for use in (Input.CHAT, Input.COMMAND)
        }
        self._back = 0
        self._completed: tuple[str, int] | None = None

    def open(self, use: Input) -> None:
        """Empty, for something else from now on."""
        self.use = use
        self.typed("")

    def typed(self, text: str) -> None:
        """``text`` stands there now."""
        self.text = text
        self._back = 0
        self._completed = None

    def take(self) -> str:
        """What was typed, to be carried out; the line is empty and for acting then."""
        text = self.text.strip()
        earlier = self._earlier.get(self.use)
        if text and earlier is not None and "password=" not in text and (not earlier or earlier[-1] != text):
            earlier.append(text)
        self.open(Input.ACTING)
        return text

    def recall(self, step: int) -> None:
        """An earlier line (``step`` 1) or a later one (-1); behind the latest stands an empty one."""
        earlier = self._earlier.get(self.use, deque())
        back = max(0, min(self._back + step, len(earlier)))
        self.typed(earlier[-back] if back else "")
        self._back = back

    def complete(self, completions: Callable[[str], Sequence[str]]) -> None:
        """The first completion of what was typed; asked again, the next one, round and round."""
        base, at = self._completed or (self.text, 0)
        found = completions(base)
        if found:
            self.text = found[at % len(found)]
            # With nothing to choose between, the next word is completed next.
            self._completed = None if len(found) == 1 else (base, at + 1)
