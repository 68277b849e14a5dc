"""How a table is run, as its opener and the server's host have it: a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_protocol.messages import BotLevel

if TYPE_CHECKING:
    from tarneeb_server.passwords import TablePassword


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """How a table is run. Seconds unless a name says otherwise; ``turn_seconds`` 0 is no clock. ``stand_in``
    plays for who is away or lets the clock run out, and takes the seat of who leaves during a set.
    """

    turn_seconds: int = 45
    grace_seconds: int = 120
    stand_in: BotLevel = BotLevel.STEADY
    bot_delay: float = 0.7
    deserted_seconds: int = 60
    can_watch: bool = True
    max_spectators: int = 32
    password: TablePassword | None = None
    logs_details: bool = False
