"""What tables and the lobby ask the shell to do. Values only: nothing here does any I/O.

A command to the lobby returns effects in the order in which they are to be performed. Sends to one
session are performed in that order, which is what puts everything a request caused before its reply.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from tarneeb_server.kept import Keep

if TYPE_CHECKING:
    from tarneeb_protocol.messages import Goodbye, Message

SessionId: TypeAlias = int
"""Number of a session, from 1; never used again while the server runs. Not a secret."""


class TimerKind(StrEnum):
    """What a timer is for; with its owner it names the timer."""

    TURN = "turn"
    """The seat to act at table ``owner`` has run out of time."""
    BOT = "bot"
    """The bot to act at table ``owner`` has thought long enough."""
    DESERTED = "deserted"
    """Table ``owner`` has had no player for too long."""
    GRACE = "grace"
    """Session ``owner`` has been away for too long."""
    BAN = "ban"
    """Ban ``owner`` is over."""
    APPEAR = "appear"
    """The teams that are called to table ``owner`` are to have appeared."""
    TOURNAMENT = "tournament"
    """Tournament ``owner`` was not begun in time, or was looked at for long enough."""
    DRAIN = "drain"
    """Look whether the last set has ended, or the time for it."""


@dataclass(frozen=True, slots=True)
class TimerKey:
    """Names one timer; arming a key again replaces what it was set to."""

    kind: TimerKind
    owner: int


@dataclass(frozen=True, slots=True)
class Send:
    """Send ``message`` to every session of ``to`` that is connected. It is encoded once for all of them."""

    to: tuple[SessionId, ...]
    message: Message


@dataclass(frozen=True, slots=True)
class Close:
    """End the session's connection, if it has one, after ``goodbye``."""

    session: SessionId
    goodbye: Goodbye


@dataclass(frozen=True, slots=True)
class SetTimer:
    """Call ``Lobby.fire(key)`` at ``at`` (seconds of the clock that gives ``now``)."""

    key: TimerKey
    at: float


@dataclass(frozen=True, slots=True)
class CancelTimer:
    """Forget the timer, if it is set."""

    key: TimerKey


@dataclass(frozen=True, slots=True)
class Stop:
    """End the server, as SIGTERM does. ``reason`` is one word, for the log."""

    reason: str


LogValue: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Log:
    """Write one line to the log. Never holds a hidden card, a token or a password.

    ``is_detail`` marks what is wanted only when somebody looks into a fault.
    """

    event: str
    fields: tuple[tuple[str, LogValue], ...] = ()
    is_detail: bool = False


Effect: TypeAlias = Send | Close | SetTimer | CancelTimer | Stop | Log | Keep
"""``Keep`` is for the journal (``kept``), which has it before anybody hears of anything in the same list."""


def log(event: str, **fields: LogValue) -> Log:
    """A ``Log`` of things that happen a few times a set."""
    return Log(event, tuple(fields.items()))


def detail(event: str, **fields: LogValue) -> Log:
    """A ``Log`` of things that happen all the time."""
    return Log(event, tuple(fields.items()), is_detail=True)
