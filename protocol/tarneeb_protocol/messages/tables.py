"""A table and its seats, as the lobby and snapshots tell them."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec

from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_protocol.messages.base import Reply
from tarneeb_protocol.messages.limits import TableId, TournamentId


class BotLevel(StrEnum):
    """How a bot plays."""

    RANDOM = "random"
    STEADY = "steady"


class Actor(StrEnum):
    """Who decided an action."""

    PLAYER = "player"
    """The player in the seat."""
    BOT = "bot"
    """The bot in the seat."""
    CLOCK = "clock"
    """The server, because the player's time ran out or the player is away."""


class SeatSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who is in a seat. ``level`` is there for a bot alone; ``away_seconds`` is how long the seat is still
    held for a player who is away; ``has_stand_in`` tells that a bot plays for the player.
    """

    name: str
    level: BotLevel | None = None
    away_seconds: int | None = None
    ready: bool = False
    has_stand_in: bool = False


Seats: TypeAlias = tuple[SeatSummary | None, SeatSummary | None, SeatSummary | None, SeatSummary | None]


class TableState(StrEnum):
    """What a table is doing."""

    WAITING = "waiting"
    """Seats are empty."""
    PLAYING = "playing"
    """A set is being played."""
    SET_OVER = "set_over"
    """A set has ended; the next one begins when every player is ready."""


class TableSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table as the lobby lists it. The seats of a table of a ``tournament`` are its teams'."""

    table: TableId
    name: str
    state: TableState
    rules: Ruleset
    turn_seconds: int
    grace_seconds: int | None = None
    stand_in: BotLevel = BotLevel.STEADY
    seats: Seats
    spectators: int = 0
    can_watch: bool = True
    locked: bool = False
    deal: int | None = None
    scores: tuple[int, int] | None = None
    tournament: TournamentId | None = None


class Tables(Reply, frozen=True, kw_only=True, tag="tables"):
    """Answer to ``list_tables``: the open tables, at most ``MAX_TABLES_LISTED``. ``more`` tells that
    others follow: ask again with ``after``.
    """

    tables: tuple[TableSummary, ...]
    more: bool = False


class Opened(Reply, frozen=True, kw_only=True, tag="opened"):
    """Answer to ``open_table``."""

    table: TableId


class Joined(Reply, frozen=True, kw_only=True, tag="joined"):
    """Answer to ``join`` and ``watch``; ``seat`` is left out for a spectator."""

    table: TableId
    seat: Seat | None = None
