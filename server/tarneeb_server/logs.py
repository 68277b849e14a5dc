"""The log: one line an event on standard error, ``key=value``. No hidden card, no token, no password is ever
given to it.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_server.effects import LogValue

LOGGER_NAME = "tarneeb.server"
TIME = "%Y-%m-%dT%H:%M:%S%z"
LINE = "%(asctime)s level=%(levelname)s %(message)s"

_PLAIN = re.compile(r"[\w.:/+-]+", re.ASCII)


def format_value(value: LogValue) -> str:
    """A value as it stands after the ``=``: quoted, with escapes, unless it is one plain word."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


class Event(str):
    """An event as a line of text, which keeps its name and its fields for the other format."""

    __slots__ = ("fields", "name")

    name: str
    fields: tuple[tuple[str, LogValue], ...]


def format_event(event: str, fields: Iterable[tuple[str, LogValue]]) -> Event:
    """One line without its time: ``event=NAME key=value ...``."""
    kept = tuple(fields)
    made = Event(" ".join([f"event={event}", *(f"{key}={format_value(value)}" for key, value in kept)]))
    made.name, made.fields = event, kept
    return made


class JsonLines(logging.Formatter):
    """An object a line: ``time``, ``level``, ``event``, its fields, and the ``traceback`` of a fault."""

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter``."""
        entry: dict[str, object] = {"time": self.formatTime(record, TIME), "level": record.levelname.lower()}
        argument = record.args[0] if isinstance(record.args, tuple) and record.args else None
        if isinstance(argument, Event):
            entry["event"] = argument.name
            entry |= {f"{key}_" if key in entry else key: value for key, value in argument.fields}
        else:
            # Written out where it is logged: words without spaces.
            pairs = (word.partition("=") for word in record.getMessage().split())
            entry |= {key: value for key, _, value in pairs}
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry)


def set_up(level: str, form: str = "text") -> logging.Logger:
    """Send the server's log to standard error from ``level`` up, as ``text`` or ``json``."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else logging.Formatter(LINE, TIME))
    logger = logging.getLogger(LOGGER_NAME)
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    return logger
