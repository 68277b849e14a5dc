"""The lobby: every request of a session, and the timers. No I/O: effects go out, ``now`` comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_protocol import messages as wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.text import clean_chat, clean_name
from tarneeb_server.archive_requests import from_archive
from tarneeb_server.effects import (
    Close,
    Effect,
    Send,
    SessionId,
    TimerKey,
    TimerKind,
    log,
)
from tarneeb_server.hosting import MAY_COME_BACK
from tarneeb_server.kept import KEEPS, KeptAnswer
from tarneeb_server.networks import connections_from
from tarneeb_server.passwords import TablePassword
from tarneeb_server.refusing import NotGranted
from tarneeb_server.rules_of import rules_of
from tarneeb_server.sessions import Session
from tarneeb_server.snapshots import summary
from tarneeb_server.table import Table
from tarneeb_server.tournaments import OF_TOURNAMENTS, Tournaments

if TYPE_CHECKING:
    pass

WRONG_PASSWORDS = 5
"""Wrong passwords for tables before the session is ended."""
RETRY_SECONDS_AFTER_FLOOD = 10

_SPEAKS_FOR_ITSELF = (wire.Leave, wire.Sync)
"""Requests that a table answers without being told that the player is there: who leaves is not, and a ``sync``
brings the news after what was missed."""

_ANSWERED_ANEW = (wire.Tables, wire.Sets, wire.SetText, wire.Tournaments)


class Lobby(Tournaments):
    """Everything that happens on a server, as a value that is told of it."""

    def request(self, session_id: SessionId, request: wire.Request, now: float) -> list[Effect]:
        """A request of the session that the connection speaks for; the reply is the last effect to that
        session.
        """
        session = self.sessions.get(session_id)
        if session is None:
            return []
        if request.id in session.replies:
            kept = session.replies[request.id]
            if kept is not None:
                return [Send((session.id,), kept)]
        elif request.id <= session.last_id:
            return [
                self._error(
                    session,
                    request.id,
                    NotGranted(
                        ErrorCode.ID_TOO_OLD,
                        f"ids grow within a session; the last one was {session.last_id}",
                        "id",
                    ),
                )
            ]
        if not session.request_bucket.take(now):
            return self._too_fast(session, request.id, now)
        session.last_id = max(session.last_id, request.id)
        effects: list[Effect] = []
        table = self._table_of(session)
        if table is not None and not isinstance(request, _SPEAKS_FOR_ITSELF):
            effects += table.heard_from(session.id, now)
        try:
            answer = self._of_tournaments if isinstance(request, OF_TOURNAMENTS) else self._answer
            effects += answer(session, request, now)
        except NotGranted as refusal:
            effects.append(self._error(session, request.id, refusal))
        self._keep_reply(session, request, effects, now)
        return effects

    def bad_message(self, session_id: SessionId, error: wire.Error, now: float) -> list[Effect]:
        """A message that could not be read as one; ``error`` is its answer."""
        session = self.sessions.get(session_id)
        if session is None:
            return []
        if not session.request_bucket.take(now):
            return self._too_fast(session, error.id, now)
        table = self._table_of(session)
        seq = None if table is None else table.stream.seq
        return [
            Send(
                (session.id,),
                wire.Error(id=error.id, code=error.code, message=error.message, field=error.field, seq=seq),
            )
        ]

    def fire(self, key: TimerKey, now: float) -> list[Effect]:
        """A timer is due. None is for a server that stops: nobody loses a turn or a seat by it."""
        if self._is_closing:
            return []
        if key.kind is TimerKind.GRACE:
            session = self.sessions.get(key.owner)
            if session is None or session.is_connected:
                return []
            return self._end(session, "grace_over", now)
        if key.kind is TimerKind.BAN:
            return self.ban_over(key.owner)
        if key.kind is TimerKind.DRAIN:
            return self.look_whether_drained(now)
        of_tournament = self._fire_for_tournament(key, now)
        if of_tournament is not None:
            return of_tournament
        table = self.tables.get(key.owner)
        if table is None:
            return []
        if key.kind is TimerKind.DESERTED:
            return [] if table.seating.players else self._close_table(table, "deserted")
        effects = table.fire(key.kind, now)
        return [*effects, *self._after_table(table, effects, now)]

    def _answer(self, session: Session, request: wire.Request, now: float) -> list[Effect]:
        match request:
            case wire.Act():
                return self._act(session, request, now)
            case wire.ListTables():
                return self._list_tables(session, request, now)
            case wire.OpenTable():
                return self._open_table(session, request, now)
            case wire.Join():
                return self._join(session, request, now)
            case wire.Watch():
                return self._watch(session, request, now)
            case wire.Leave():
                return self._leave(session, request, now)
            case wire.Chat():
                return self._chat(session, request, now)
            case wire.AddBot():
                return self._add_bot(session, request, now)
            case wire.RemoveBot():
                return self._remove_bot(session, request)
            case wire.Sync():
                return self._sync(session, request, now)
            case wire.ListSets() | wire.GetSet():
                return [Send((session.id,), from_archive(self.archive, session.id, request))]
            case _:
                raise TypeError(f"no request: {type(request).__name__}")

    def _list_tables(self, session: Session, request: wire.ListTables, now: float) -> list[Effect]:
        after = request.after or 0
        listed = [table for number, table in self.tables.items() if number > after]
        tables = tuple(summary(table, now) for table in listed[: wire.MAX_TABLES_LISTED])
        reply = wire.Tables(id=request.id, tables=tables, more=len(listed) > wire.MAX_TABLES_LISTED)
        return [Send((session.id,), reply)]

    def _open_table(self, session: Session, request: wire.OpenTable, now: float) -> list[Effect]:
        try:
            name = clean_name(request.name, wire.MAX_NAME_CHARS)
        except ValueError as error:
            raise NotGranted(ErrorCode.BAD_NAME, str(error), "name") from None
        rules = rules_of(request.preset, request.rules)
        settings = self._settings
        if self.is_draining:
            raise NotGranted(ErrorCode.SHUTDOWN, "the server is going to stop and opens no tables any more")
        if self.storage_fault is not None:
            raise NotGranted(
                ErrorCode.STORAGE_FAILED,
                f"no table can be opened now: the server cannot keep it ({self.storage_fault})",
            )
        if len(self.tables) >= settings.max_tables:
            raise NotGranted(
                ErrorCode.TOO_MANY_TABLES, f"{len(self.tables)} tables are open, and no more may be"
            )
        opened = sum(table.opened_by == session.id for table in self.tables.values())
        if opened >= settings.max_tables_per_player:
            raise NotGranted(
                ErrorCode.TOO_MANY_TABLES, f"you have opened {opened} tables, and may open no more"
            )
        most = None if session.network is None else connections_from(session.network, settings)
        if (
            most is not None
            and sum(network == session.network for network in self._opened_from.values()) >= most
        ):
            raise NotGranted(
                ErrorCode.TOO_MANY_TABLES,
                f"{most} tables that were opened from your address are open, and no more may be",
            )
        self._last_table += 1
        options = self._table_options(
            turn_seconds=request.turn_seconds,
            grace_seconds=request.grace_seconds,
            stand_in=request.stand_in,
            password=TablePassword.chosen(request.password) if request.password else None,
            can_watch=request.spectators,
        )
        number = self._last_table
        table = Table(
            number, name, rules, options=options, chance=self._chance.for_table(number), opened_by=session.id
        )
        self.tables[number] = table
        if session.network is not None:
            self._opened_from[number] = session.network
        return [*table.open(now), Send((session.id,), wire.Opened(id=request.id, table=number))]

    def _join(self, session: Session, request: wire.Join, now: float) -> list[Effect]:
        reserved = self.tables.get(request.table)
        if reserved is not None and reserved.tournament is not None:
            seat, effects = self._take_reserved_seat(session, reserved, request, now)
            joined = wire.Joined(id=request.id, table=reserved.number, seat=seat)
            return [*effects, Send((session.id,), joined)]
        table, effects = self._enter(session, request.table, request.password, now)
        seat, joining = table.join(session.id, session.name, request.seat, request.partner, now)
        session.table = table.number
        return [
            *effects,
            session.kept(),
            *joining,
            Send((session.id,), wire.Joined(id=request.id, table=table.number, seat=seat)),
        ]

    def _watch(self, session: Session, request: wire.Watch, now: float) -> list[Effect]:
        if session.table is not None:
            raise _at_another(session.table)
        table, effects = self._enter(session, request.table, request.password, now)
        watching = table.watch(session.id, session.name, now)
        session.table = table.number
        return [
            *effects,
            session.kept(),
            *watching,
            Send((session.id,), wire.Joined(id=request.id, table=table.number)),
        ]

    def _leave(self, session: Session, request: wire.Leave, now: float) -> list[Effect]:
        table = self._own_table(session)
        session.table = None
        return [
            session.kept(),
            *table.leave(session.id, "left", now),
            Send((session.id,), wire.Done(id=request.id)),
        ]

    def _chat(self, session: Session, request: wire.Chat, now: float) -> list[Effect]:
        try:
            text = clean_chat(request.text)
        except ValueError as error:
            raise NotGranted(ErrorCode.BAD_TEXT, str(error), "text") from None
        if not session.chat_bucket.take(now):
            raise NotGranted(ErrorCode.RATE_LIMITED, "too many lines; wait a few seconds")
        table = self._table_of(session)
        if table is not None:
            return [*table.say(session.id, text), self._done(session, request, table)]
        said = wire.LobbySaid(name=session.name, text=text)
        heard_by = tuple(other.id for other in self.sessions if other.table is None and other.is_connected)
        return [Send(heard_by, said), self._done(session, request, None)]

    def _add_bot(self, session: Session, request: wire.AddBot, now: float) -> list[Effect]:
        table = self._own_table(session)
        _check_seats_are_free(table)
        effects = table.add_bot(session.id, request.seat, request.level, now)
        return [*effects, self._done(session, request, table)]

    def _remove_bot(self, session: Session, request: wire.RemoveBot) -> list[Effect]:
        table = self._own_table(session)
        _check_seats_are_free(table)
        return [*table.remove_bot(session.id, request.seat), self._done(session, request, table)]

    def _act(self, session: Session, request: wire.Act, now: float) -> list[Effect]:
        table = self._own_table(session)
        effects = table.act(session.id, request.action, request.seq, now)
        effects += self._after_table(table, effects, now)
        session.request_bucket.give_back()
        return [*effects, self._done(session, request, table)]

    def _sync(self, session: Session, request: wire.Sync, now: float) -> list[Effect]:
        table = self._own_table(session)
        return [*table.sync(session.id, request.seq, now), self._done(session, request, table)]

    def _own_table(self, session: Session) -> Table:
        table = self._table_of(session)
        if table is None:
            raise NotGranted(ErrorCode.NOT_AT_TABLE, "you are at no table; join or watch one first")
        return table

    def _enter(
        self, session: Session, number: int, password: str | None, now: float
    ) -> tuple[Table, list[Effect]]:
        table = self.tables.get(number)
        if table is None:
            raise NotGranted(ErrorCode.NO_SUCH_TABLE, f"no table {number} is open", "table")
        if session.table is not None and session.table != number:
            raise _at_another(session.table)
        locked_by = table.options.password
        if session.table == number or locked_by is None or locked_by.is_(password):
            return table, []
        session.wrong_passwords += 1
        raise NotGranted(
            ErrorCode.WRONG_PASSWORD, "this table has a password, and it is not this one", "password"
        )

    def _done(self, session: Session, request: wire.Request, table: Table | None) -> Send:
        return Send((session.id,), wire.Done(id=request.id, seq=None if table is None else table.stream.seq))

    def _error(self, session: Session, request_id: int | None, refusal: NotGranted) -> Send:
        table = self._table_of(session)
        return Send(
            (session.id,),
            wire.Error(
                id=request_id,
                code=refusal.code.value,
                message=refusal.message,
                field=refusal.field,
                seq=None if table is None else table.stream.seq,
            ),
        )

    def _keep_reply(self, session: Session, request: wire.Request, effects: list[Effect], now: float) -> None:
        reply = effects[-1]
        assert isinstance(reply, Send)  # noqa: S101  (every request ends with its reply)
        # A long list can simply be made again: asking twice changes nothing.
        message = None if isinstance(reply.message, _ANSWERED_ANEW) else reply.message
        assert isinstance(message, KeptAnswer)  # noqa: S101  (no request is answered in another way)
        session.keep_reply(request.id, message)
        if any(isinstance(effect, KEEPS) for effect in effects):
            effects += session.take_unkept()
        if session.wrong_passwords >= WRONG_PASSWORDS:
            goodbye = wire.Goodbye(
                code=ErrorCode.KICKED.value, message=f"too many wrong passwords ({MAY_COME_BACK})"
            )
            effects.append(Close(session.id, goodbye))
            effects += self._end(session, "kicked", now)

    def _too_fast(self, session: Session, request_id: int | None, now: float) -> list[Effect]:
        if session.patience_bucket.take(now):
            refusal = NotGranted(ErrorCode.RATE_LIMITED, "too many requests in a short time; wait a second")
            return [self._error(session, request_id, refusal)]
        goodbye = wire.Goodbye(
            code=ErrorCode.RATE_LIMITED.value,
            message="far too many requests in a short time",
            resumable=True,
            retry_seconds=RETRY_SECONDS_AFTER_FLOOD,
        )
        return [log("flood", session=session.id), Close(session.id, goodbye)]


def _check_seats_are_free(table: Table) -> None:
    if table.tournament is not None:
        raise NotGranted(
            ErrorCode.RESERVED, f"the seats of this table are those of tournament {table.tournament}"
        )


def _at_another(number: int) -> NotGranted:
    return NotGranted(ErrorCode.ALREADY_AT_TABLE, f"you are at table {number}; leave it first")
