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


def format_event(event: str, fields: Iterable[tuple[str, LogValue]]) -> str:
    """One line without its time: ``event=NAME key=value ...``."""
    return " ".join([f"event={event}", *(f"{key}={format_value(value)}" for key, value in fields)])


def set_up(level: str) -> logging.Logger:
    """Send the server's log to standard error from ``level`` up."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(LINE, "%Y-%m-%dT%H:%M:%S%z"))
    logger = logging.getLogger(LOGGER_NAME)
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    return logger
