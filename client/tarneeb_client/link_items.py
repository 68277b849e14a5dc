"""What a link yields beside the server's messages: how the connection fares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tarneeb_protocol.messages import Error, Message, Welcome


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The connection was lost, or an attempt to get it back failed.

    ``attempt`` is the number of the attempt that follows in ``retry_seconds``; ``held_seconds`` how long the
    server still holds the seat, if it was at a table.
    """

    attempt: int
    retry_seconds: float
    held_seconds: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class LinkBack:
    """Connected again. ``resumed`` tells whether it is the same session; if not, the seat is gone and requests
    that were not answered are lost: each got an ``Error`` with code ``session_lost``.

    ``is_other_server``: what answers there has another id than the server before. It is another one, or the
    same without what it had kept.
    """

    resumed: bool
    welcome: Welcome
    is_other_server: bool = False


@dataclass(frozen=True, slots=True)
class LinkEnded:
    """The link is over for good; nothing follows. ``code`` is the server's, ``given_up``, or
    ``certificate_changed`` of ``dialling.Untrusted``, whose text may have several lines.
    """

    code: str
    message: str


LinkItem: TypeAlias = Message | LinkLost | LinkBack | LinkEnded

SESSION_LOST = "session_lost"
"""Code of the errors that the link itself gives to requests which a lost session left unanswered."""
GIVEN_UP = "given_up"
"""Code of ``LinkEnded`` when this end gave up on the server."""


class LinkFailed(Exception):
    """No link could be made. ``code`` is the server's, or ``no_answer``, ``no_connection``, ``no_welcome``, or
    one of ``dialling.Untrusted``; the text is for a person.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class RequestFailed(Exception):
    """The server did not grant a request; ``error`` is its answer."""

    def __init__(self, error: Error) -> None:
        super().__init__(f"{error.message} ({error.code})")
        self.error = error
