"""Where a conversation's output goes: lines of text, or one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from tarneeb_client.lessons import Lesson
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkLost
from tarneeb_protocol.messages import Message

WriteLine = Callable[[str], None]
"""Writes one line; the text has no line end."""


class Presenter(Protocol):
    """What a conversation shows itself through."""

    def message(self, message: Message) -> None:
        """A message of the server, as it came."""

    def link(self, item: LinkLost | LinkBack | LinkEnded) -> None:
        """How the connection fares."""

    def seat_held(self, seconds: int, command: str | None) -> None:
        """How long the player's own seat is held yet, at moments that matter; with ``command``, what to type to
        be back, as the last that is shown.
        """

    def seat_given_up(self, table: int | None, name: str | None) -> None:
        """A seat that a former process left behind is no longer held."""

    def say(self, line: str) -> None:
        """What happened, in words."""

    def back(self, line: str) -> None:
        """The player is back at a table: where, in words."""

    def lesson(self, lesson: Lesson) -> None:
        """What a coach explains."""

    def answer(self, command: str, lines: Sequence[str]) -> None:
        """The answer to a command that asks this client alone."""

    def problem(self, text: str) -> None:
        """A command that this client could not carry out; the text says what is accepted."""


class PlainPresenter:
    """Lines for a person. Problems begin with ``!``."""

    def __init__(self, write_line: WriteLine) -> None:
        self._write_line = write_line

    def message(self, message: Message) -> None:
        """Nothing: it is said in words."""

    def link(self, item: LinkLost | LinkBack | LinkEnded) -> None:
        """Nothing: it is said in words."""

    def seat_held(self, seconds: int, command: str | None) -> None:
        """Nothing: it is said in words."""

    def seat_given_up(self, table: int | None, name: str | None) -> None:
        """Nothing: it is said in words."""

    def say(self, line: str) -> None:
        """Write the line."""
        self._write_line(line)

    def back(self, line: str) -> None:
        """Write the line."""
        self._write_line(line)

    def lesson(self, lesson: Lesson) -> None:
        """Write a paragraph a line, marked."""
        self._write_line(f"* {lesson.title}. {lesson.paragraphs[0]}")
        for paragraph in lesson.paragraphs[1:]:
            self._write_line(f"* {paragraph}")

    def answer(self, command: str, lines: Sequence[str]) -> None:
        """Write the lines."""
        for line in lines:
            self._write_line(line)

    def problem(self, text: str) -> None:
        """Write the line, marked."""
        self._write_line(f"! {text}")


class JsonPresenter:
    """One JSON object a line for a program: the server's messages as on the wire, and the client's own."""

    def __init__(self, write_line: WriteLine) -> None:
        self._write_line = write_line

    def message(self, message: Message) -> None:
        """The message with its ``type``."""
        self._write(message)

    def link(self, item: LinkLost | LinkBack | LinkEnded) -> None:
        """``link_lost``, ``link_back`` or ``link_ended``."""
        match item:
            case LinkLost():
                held = None if item.held_seconds is None else round(item.held_seconds, 1)
                self._write(
                    {
                        "type": "link_lost",
                        "attempt": item.attempt,
                        "retry_seconds": round(item.retry_seconds, 1),
                        "held_seconds": held,
                        "reason": item.reason,
                    }
                )
            case LinkBack():
                other = item.is_other_server
                self._write({"type": "link_back", "resumed": item.resumed, "other_server": other})
            case LinkEnded():
                self._write({"type": "link_ended", "code": item.code, "message": item.message})

    def seat_held(self, seconds: int, command: str | None) -> None:
        """``seat_held``."""
        self._write({"type": "seat_held", "seconds": seconds, "command": command})

    def seat_given_up(self, table: int | None, name: str | None) -> None:
        """``seat_given_up``."""
        self._write({"type": "seat_given_up", "table": table, "table_name": name})

    def say(self, line: str) -> None:
        """Nothing: the messages say it."""

    def back(self, line: str) -> None:
        """Nothing: the messages say it."""

    def lesson(self, lesson: Lesson) -> None:
        """``lesson`` with title and paragraphs."""
        self._write({"type": "lesson", "title": lesson.title, "paragraphs": list(lesson.paragraphs)})

    def answer(self, command: str, lines: Sequence[str]) -> None:
        """``answer`` with the lines of text."""
        self._write({"type": "answer", "command": command, "lines": list(lines)})

    def problem(self, text: str) -> None:
        """``problem`` with the text."""
        self._write({"type": "problem", "message": text})

    def _write(self, value: object) -> None:
        # ASCII alone: nothing in a server's text can then command a terminal, whatever its encoding.
        self._write_line(json.dumps(msgspec.to_builtins(value, str_keys=True)))
