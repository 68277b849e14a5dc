"""How a running server is, for its host: who is here, what is played, what is kept. Never a card, a token or a
password.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from tarneeb_engine.seats import Seat
from tarneeb_server.seating import SeatedBot

if TYPE_CHECKING:
    from tarneeb_server.bans import Ban
    from tarneeb_server.lobby import Lobby
    from tarneeb_server.sessions import Session
    from tarneeb_server.table import Table

Fields: TypeAlias = dict[str, Any]


def lobby_status(lobby: Lobby, now: float) -> Fields:
    """Sessions, tables, bans and whether the server drains; times in whole seconds."""
    drain = lobby.drain_state
    return {
        "sessions": [_session(lobby, session, now) for session in lobby.sessions],
        "tables": [_table(table, now) for table in lobby.tables.values()],
        "bans": len(lobby.bans),
        "drain_seconds_left": None if drain is None else _left(drain.until, now),
        "counts": {
            "sessions": len(lobby.sessions),
            "connected": sum(session.is_connected for session in lobby.sessions),
            "tables": len(lobby.tables),
            "sets_in_progress": sum(table.is_playing for table in lobby.tables.values()),
        },
    }


def ban_fields(ban: Ban, now: float) -> Fields:
    """One ban."""
    return {
        "what": ban.what,
        "kind": "name" if ban.network is None else "address",
        "seconds_left": None if ban.until is None else _left(ban.until, now),
        "reason": ban.reason,
    }


def _left(until: float, now: float) -> int:
    return max(0, math.ceil(until - now))


def _session(lobby: Lobby, session: Session, now: float) -> Fields:
    table = None if session.table is None else lobby.tables.get(session.table)
    seat = None if table is None else table.seating.seat_of(session.id)
    return {
        "session": session.id,
        "name": session.name,
        "address": session.address,
        "connected": session.is_connected,
        "grace_seconds_left": None if session.held_until is None else _left(session.held_until, now),
        "table": session.table,
        "seat": None if seat is None else int(seat),
    }


def _table(table: Table, now: float) -> Fields:
    state = None if table.play is None else table.play.state
    return {
        "table": table.number,
        "name": table.name,
        "state": table.state.value,
        "set": table.set_number,
        "deal": None if state is None or state.deal is None else state.deal.number,
        "scores": None if state is None else list(state.scores),
        "seats": [_seat(table, seat, now) for seat in Seat],
        "spectators": len(table.spectators),
        "locked": table.options.password is not None,
    }


def _seat(table: Table, seat: Seat, now: float) -> Fields | None:
    occupant = table.seating[seat]
    if occupant is None:
        return None
    summary = occupant.summary(now)
    return {
        "name": summary.name,
        "bot": isinstance(occupant, SeatedBot),
        "away_seconds_left": summary.away_seconds,
    }


def tournament_fields(lobby: Lobby) -> list[Fields]:
    """The tournaments, lowest number first."""
    return [
        {
            "tournament": number,
            "name": tournament.kept.name,
            "format": tournament.kept.format.value,
            "state": tournament.state.value,
            "opener": tournament.kept.opener_name,
            "teams": len(tournament.kept.teams),
            "sets_played": tournament.summary().sets_played,
        }
        for number, tournament in sorted(lobby.tournaments.items())
    ]
