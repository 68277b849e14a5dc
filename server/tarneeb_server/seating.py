"""Who sits where: players, bots, empty seats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.seats import Seat
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import SeatSummary
from tarneeb_protocol.names import are_alike
from tarneeb_server.refusing import NotGranted

if TYPE_CHECKING:
    from tarneeb_engine.bots import Policy
    from tarneeb_protocol.messages import BotLevel, Seats
    from tarneeb_server.effects import SessionId

BOT_NAMES = ("Bot Amal", "Bot Badr", "Bot Dana", "Bot Fares")
"""Names of bots, by seat. No player is given one of them."""


@dataclass(slots=True)
class SeatedPlayer:
    """A player in a seat. ``away_until`` is when the seat is given up, in seconds, while the connection is
    lost.
    """

    session: SessionId
    name: str
    is_ready: bool = True
    away_until: float | None = None
    is_awaited: bool = False
    """Whether the player is away because the server was started anew: the turns are whole, then."""

    has_stand_in: bool = False
    """Whether a bot plays for this player: the clock ran out, and the player has had no say since."""

    @property
    def is_away(self) -> bool:
        """Whether the seat is only held."""
        return self.away_until is not None

    @property
    def is_hurried(self) -> bool:
        """Whether the others have waited long enough for this player already."""
        return self.has_stand_in or (self.is_away and not self.is_awaited)

    def away_seconds(self, now: float) -> int | None:
        """How long the seat is still held, rounded up; ``None`` for a player who is there."""
        return None if self.away_until is None else max(0, math.ceil(self.away_until - now))

    def summary(self, now: float) -> SeatSummary:
        """As everybody sees it."""
        return SeatSummary(
            name=self.name,
            away_seconds=self.away_seconds(now),
            ready=self.is_ready,
            has_stand_in=self.has_stand_in,
        )


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A bot in a seat; it is always ready."""

    name: str
    level: BotLevel
    policy: Policy

    def summary(self, now: float) -> SeatSummary:
        """As everybody sees it."""
        return SeatSummary(name=self.name, level=self.level, ready=True)


Occupant = SeatedPlayer | SeatedBot


class Seating:
    """The four seats of a table."""

    def __init__(self) -> None:
        self._places: list[Occupant | None] = [None, None, None, None]
        # Asked for several times an action, changed a few times an hour.
        self._players: tuple[tuple[Seat, SeatedPlayer], ...] = ()
        self._seat_of: dict[SessionId, Seat] = {}

    def __getitem__(self, seat: Seat) -> Occupant | None:
        return self._places[seat]

    def __setitem__(self, seat: Seat, occupant: Occupant | None) -> None:
        self._places[seat] = occupant
        self._players = tuple(
            (at, place) for at, place in zip(Seat, self._places, strict=True) if isinstance(place, SeatedPlayer)
        )
        self._seat_of = {player.session: at for at, player in self._players}

    @property
    def is_full(self) -> bool:
        """Whether nobody can sit down but in a bot's place."""
        return None not in self._places

    @property
    def is_everybody_ready(self) -> bool:
        """Whether a set can begin."""
        return all(
            isinstance(place, SeatedBot) or (isinstance(place, SeatedPlayer) and place.is_ready)
            for place in self._places
        )

    @property
    def players(self) -> tuple[tuple[Seat, SeatedPlayer], ...]:
        """The players in seat order, those who are away too."""
        return self._players

    def is_any_player_present(self) -> bool:
        """Whether a player sits here and is connected."""
        return any(player.away_until is None for _, player in self._players)

    def seat_of(self, session: SessionId) -> Seat | None:
        """Where the session sits."""
        return self._seat_of.get(session)

    def first_empty(self) -> Seat | None:
        """The empty seat of the lowest number."""
        return next((seat for seat in Seat if self._places[seat] is None), None)

    def names(self) -> tuple[str, str, str, str]:
        """Who sits where, by seat; an empty text for an empty seat."""
        south, east, north, west = ("" if place is None else place.name for place in self._places)
        return south, east, north, west

    def sessions(self) -> tuple[SessionId | None, SessionId | None, SessionId | None, SessionId | None]:
        """The players by seat; ``None`` for a bot and for an empty seat."""
        found = (place.session if isinstance(place, SeatedPlayer) else None for place in self._places)
        south, east, north, west = found
        return south, east, north, west

    def levels(self) -> tuple[BotLevel | None, BotLevel | None, BotLevel | None, BotLevel | None]:
        """How the bots play, by seat; ``None`` for a player and for an empty seat."""
        found = (place.level if isinstance(place, SeatedBot) else None for place in self._places)
        south, east, north, west = found
        return south, east, north, west

    def summaries(self, now: float) -> Seats:
        """As everybody sees them."""
        south, east, north, west = (None if place is None else place.summary(now) for place in self._places)
        return south, east, north, west

    def choose(self, seat: Seat | None, partner: str | None, preferred: Seat | None, now: float) -> Seat:
        """The seat for somebody who asks for ``seat``, else for the side of ``partner``, else for any.

        Of any, ``preferred`` is taken if it is free, then the first empty seat, then the first bot's. Raises
        ``NotGranted``: ``seat_taken``, ``no_such_partner``, ``table_full``; the text names who is away and how
        long the seat is held.
        """
        field = None
        if seat is not None:
            field = "seat"
        elif partner is not None:
            field = "partner"
            seat = self._opposite(partner)
        if seat is not None:
            taken = self._places[seat]
            if isinstance(taken, SeatedPlayer):
                raise NotGranted(ErrorCode.SEAT_TAKEN, taken_text(seat, taken, now), field)
            return seat
        free = [place for place in Seat if self._places[place] is None]
        free += [place for place in Seat if isinstance(self._places[place], SeatedBot)]
        if not free:
            held = "".join(f"; {_held(seat, player, now)}" for seat, player in self._players if player.is_away)
            raise NotGranted(
                ErrorCode.TABLE_FULL, f"four players sit at this table; watch it, or join another{held}"
            )
        return preferred if preferred in free else free[0]

    def _opposite(self, partner: str) -> Seat:
        for seat in Seat:
            place = self._places[seat]
            if place is not None and are_alike(place.name, partner):
                return seat.partner()
        seated = ", ".join(name for name in self.names() if name) or "nobody"
        raise NotGranted(
            ErrorCode.NO_SUCH_PARTNER, f"nobody of that name sits here; seated: {seated}", "partner"
        )


def taken_text(seat: Seat, occupant: Occupant, now: float) -> str:
    """Why somebody else cannot have the seat, and until when."""
    if isinstance(occupant, SeatedPlayer) and occupant.is_away:
        return f"{_held(seat, occupant, now)}; choose another"
    return f"{occupant.name} sits in seat {seat.name.capitalize()}; choose another"


def _held(seat: Seat, player: SeatedPlayer, now: float) -> str:
    place, seconds = seat.name.capitalize(), player.away_seconds(now)
    return f"{player.name} is away: seat {place} is free in {seconds} s unless {player.name} is back"
