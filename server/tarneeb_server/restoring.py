"""From what a journal kept to sessions and tables as they were. Whatever is read here may be damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tarneeb_engine.bots import policy
from tarneeb_engine.seats import Seat
from tarneeb_protocol.names import name_keys
from tarneeb_server.effects import log
from tarneeb_server.kept import ForgetSession, KeptPlayer
from tarneeb_server.play import Play
from tarneeb_server.seating import BOT_NAMES, SeatedBot, SeatedPlayer
from tarneeb_server.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_server.chance import ChanceSource
    from tarneeb_server.effects import Effect
    from tarneeb_server.kept import KeepDeal, KeepTable, Kept
    from tarneeb_server.seating import Occupant
    from tarneeb_server.sessions import Sessions
    from tarneeb_server.table_options import TableOptions


def restore_sessions(sessions: Sessions, kept: Kept, now: float) -> list[Effect]:
    """Add the sessions that were kept, with the replies they were given."""
    effects: list[Effect] = []
    for entry in kept.sessions:
        try:
            sessions.restore(entry, name_keys(entry.name), now)
        except ValueError as error:
            effects += [
                log("session_not_restored", session=entry.id, reason=str(error)),
                ForgetSession(entry.id),
            ]
    effects += [
        ForgetSession(number)
        for number in {reply.session for reply in kept.replies}
        if sessions.get(number) is None
    ]
    for reply in sorted(kept.replies, key=lambda reply: reply.request):
        session = sessions.get(reply.session)
        if session is not None:
            session.restore_reply(reply)
    return effects


def restored_table(
    entry: KeepTable,
    deals: Sequence[KeepDeal],
    options: TableOptions,
    chance: ChanceSource,
    sessions: Sessions,
) -> Table:
    """The table with its set, in the state in which its last event left it, but that it has no timer.

    A player whose session is no more leaves an empty seat. ``ValueError`` when the deals do not fit the table
    or the rules.
    """
    deals = sorted(deals, key=lambda deal: deal.number)
    latest = max([(entry.seq, entry.turn_seq), *((deal.seq, deal.turn_seq) for deal in deals)])
    randomness = chance.for_table(entry.number, after=latest[0])
    table = Table(
        entry.number, entry.name, entry.rules, options=options, chance=randomness, opened_by=entry.opened_by
    )
    play = None
    if entry.first_dealer is not None:
        play = Play.restored(entry.rules, randomness, entry.first_dealer, deals, entry.actors)
        if play.state.needs_pack:
            raise ValueError("the next deal of the set is missing")
    seats = [_occupant(entry, seat, table, sessions) for seat in Seat]
    entry = _with_seen_by_name(entry, sessions)
    table.restore(entry, play, seats, seq=latest[0], turn_seq=latest[1])
    for session, name in entry.spectators:
        if _is_at(sessions, session, entry.number):
            table.spectators[session] = name
    return table


def _occupant(entry: KeepTable, seat: Seat, table: Table, sessions: Sessions) -> Occupant | None:
    match entry.seats[seat]:
        case None:
            return None
        case KeptPlayer(session, name, is_ready, is_away, is_awaited, has_stand_in):
            if not _is_at(sessions, session, entry.number):
                return None
            away_until = 0.0 if is_away else None
            return SeatedPlayer(session, name, is_ready, away_until, is_awaited, has_stand_in)
        case bot:
            return SeatedBot(BOT_NAMES[seat], bot.level, policy(bot.level.value, table.bots_rng))


def _with_seen_by_name(entry: KeepTable, sessions: Sessions) -> KeepTable:
    """The entry with what an earlier version of the server kept by session."""
    if not entry.seen:
        return entry
    found = ((sessions.get(session), seat) for session, seat in entry.seen.items())
    by_name = {session.name: seat for session, seat in found if session is not None}
    return msgspec.structs.replace(entry, seen={}, seen_hands={**by_name, **entry.seen_hands})


def _is_at(sessions: Sessions, session: int, table: int) -> bool:
    found = sessions.get(session)
    return found is not None and found.table == table
