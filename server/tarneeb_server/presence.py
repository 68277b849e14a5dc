"""Who is here: sessions from their first hello to their end, and the tables they are at.

No I/O: effects go out, ``now`` comes in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_protocol import messages as wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.names import NameKeys, ReservedNames, name_keys
from tarneeb_protocol.player_names import player_name
from tarneeb_server.archive import ArchiveInMemory
from tarneeb_server.bans import Ban, Bans, parse_network
from tarneeb_server.chance import ChanceSource
from tarneeb_server.durations import duration_text
from tarneeb_server.effects import (
    CancelTimer,
    Close,
    Effect,
    SessionId,
    SetTimer,
    TimerKey,
    TimerKind,
    log,
)
from tarneeb_server.kept import ForgetBan, ForgetSession, ForgetTable
from tarneeb_server.networks import connections_from
from tarneeb_server.passwords import Password, restored_password
from tarneeb_server.restoring import restore_sessions, restored_table
from tarneeb_server.sessions import Session, Sessions
from tarneeb_server.table_options import TableOptions

if TYPE_CHECKING:
    from tarneeb_server.archive import Archive
    from tarneeb_server.kept import KeepTable, Kept
    from tarneeb_server.passwords import TablePassword
    from tarneeb_server.settings import Settings
    from tarneeb_server.table import Table

RETRY_SECONDS_AFTER_SHUTDOWN = 1
"""When to come back to a server that was stopped, most likely to be started again."""


@dataclass(frozen=True, slots=True)
class Admission:
    """A hello was accepted. The connection that said it speaks for ``session`` as long as its generation is
    ``generation``; send ``welcome`` on it, then perform the effects.
    """

    session: SessionId
    generation: int
    welcome: wire.Welcome


class Presence:
    """Sessions, tables, and how connections come and go."""

    def __init__(
        self,
        settings: Settings,
        server_id: str,
        sessions: Sessions | None = None,
        chance: ChanceSource | None = None,
        archive: Archive | None = None,
    ) -> None:
        self._settings = settings
        self._server_id = server_id
        self._password = None if settings.password is None else Password(settings.password)
        self._chance = chance or ChanceSource(settings.seed_for_tests)
        self.archive: Archive = archive or ArchiveInMemory()
        self.sessions = sessions or Sessions()
        self.tables: dict[int, Table] = {}
        self._opened_from: dict[int, str] = {}
        """The network that each table was opened from, of those opened since the start."""
        self._last_table = 0
        self._reserved = ReservedNames(("Tarneeb", settings.name))
        self._homeless: dict[SessionId, None] = {}
        """Sessions that are away and at no table, longest first."""
        self._is_closing = False
        self.bans = Bans()
        self.is_kept = settings.data_dir is not None
        """Whether sessions outlive the server."""
        self.storage_fault: str | None = None
        """Why nothing new can be kept, while that is so; a table opened now might be lost."""

    def restore(self, kept: Kept, now: float) -> list[Effect]:
        """Take in what a server before this one kept, into a lobby in which nothing has happened yet.

        Whatever does not fit together, as what is left of a damaged journal may not, is left out and said.
        """
        given = (*(entry.opened_by for entry in kept.tables), *(reply.session for reply in kept.replies))
        self.sessions.number_from(max((kept.last_session, *given)))
        self._last_table = max((kept.last_table, *(deal.table for deal in kept.deals)))
        effects = restore_sessions(self.sessions, kept, now)
        for entry in kept.tables:
            try:
                table = self._restored_table(entry, kept)
            except ValueError as error:
                effects += [
                    log("table_not_restored", table=entry.number, reason=str(error)),
                    ForgetTable(entry.number),
                ]
                continue
            self.tables[table.number] = table
            self._last_table = max(self._last_table, table.number)
            if isinstance(entry.password, str):
                # An earlier version kept the password itself.
                effects.append(table.kept())
        effects += [ForgetTable(number) for number in {deal.table for deal in kept.deals} - self.tables.keys()]
        for session in self.sessions:
            table_of = self._table_of(session)
            if table_of is None or session.id not in table_of.members():
                session.table = None
        return effects + self._restore_bans(kept, now)

    def _restore_bans(self, kept: Kept, now: float) -> list[Effect]:
        effects: list[Effect] = []
        for entry in kept.bans:
            network = None if entry.network is None else parse_network(entry.network)
            is_over = entry.seconds_left is not None and entry.seconds_left <= 0
            if is_over or (entry.name is None) == (network is None):
                effects.append(ForgetBan(entry.number))
                continue
            until = None if entry.seconds_left is None else now + entry.seconds_left
            self.bans.add(Ban(entry.number, entry.name, network, entry.reason, until))
            if until is not None:
                effects.append(SetTimer(TimerKey(TimerKind.BAN, entry.number), until))
        return effects

    def _restored_table(self, entry: KeepTable, kept: Kept) -> Table:
        options = self._table_options(
            turn_seconds=entry.turn_seconds,
            grace_seconds=entry.grace_seconds,
            stand_in=entry.stand_in,
            password=None if entry.password is None else restored_password(entry.password),
            can_watch=entry.can_watch,
        )
        deals = [
            deal for deal in kept.deals if (deal.table, deal.set_number) == (entry.number, entry.set_number)
        ]
        return restored_table(entry, deals, options, self._chance, self.sessions)

    def restarted(self, now: float) -> list[Effect]:
        """After ``restore``: everybody is away, and every grace begins anew."""
        effects: list[Effect] = [self._hold(session, now) for session in self.sessions]
        for table in self.tables.values():
            effects += table.restarted(now)
        for session in self.sessions:
            if session.table is None and not self._is_awaited(session):
                self._homeless[session.id] = None
        effects.append(log("restored", sessions=len(self.sessions), tables=len(self.tables)))
        return effects

    def _table_options(
        self,
        *,
        turn_seconds: int | None,
        grace_seconds: int | None,
        stand_in: wire.BotLevel | None,
        password: TablePassword | None,
        can_watch: bool,
    ) -> TableOptions:
        """``None`` is what the server has set."""
        settings = self._settings
        return TableOptions(
            turn_seconds=settings.turn_seconds if turn_seconds is None else turn_seconds,
            grace_seconds=settings.grace_seconds if grace_seconds is None else grace_seconds,
            stand_in=wire.BotLevel(settings.stand_in) if stand_in is None else stand_in,
            bot_delay=settings.bot_delay,
            deserted_seconds=settings.deserted_seconds,
            can_watch=can_watch,
            max_spectators=settings.max_spectators,
            password=password,
            logs_details=settings.log_level == "debug",
        )

    def hello(
        self, hello: wire.Hello, now: float, address: str | None = None
    ) -> tuple[Admission | wire.Refused, list[Effect]]:
        """The first message of a connection from ``address``: a new session, or one that is resumed and taken
        over.
        """
        if not hello.protocol_min <= wire.PROTOCOL_VERSION <= hello.protocol_max:
            theirs = f"{hello.protocol_min} to {hello.protocol_max}"
            text = f"this server speaks version {wire.PROTOCOL_VERSION} of the protocol; the client {theirs}"
            return self._refused(ErrorCode.UNSUPPORTED_VERSION, text), []
        if self._is_closing:
            return self._refused(ErrorCode.SHUTDOWN, "the server is stopping"), []
        banned = self.bans.of_address(address)
        if banned is not None:
            return self._refused(ErrorCode.BANNED, ban_text(banned, now)), []
        if hello.resume is not None:
            return self._resume(hello.resume, hello.seq, now, address)
        if self._password is not None and not self._password.is_(hello.password):
            return self._refused(
                ErrorCode.WRONG_PASSWORD, "this server has a password, and it is not this one"
            ), []
        try:
            name = player_name(hello.name)
        except ValueError as error:
            return self._refused(ErrorCode.BAD_NAME, str(error)), []
        banned = self.bans.of_name(name_keys(name))
        if banned is not None:
            return self._refused(ErrorCode.BANNED, ban_text(banned, now)), []
        effects: list[Effect] = []
        name, keys = self._free_name(name, effects, now)
        session, token = self.sessions.open(name, keys, now)
        session.came_from(address)
        effects += [session.kept(), log("session_opened", session=session.id, name=name, client=hello.client)]
        return self._admit(session, token, is_resumed=False), effects

    def is_current(self, session_id: SessionId, generation: int) -> bool:
        """Whether a connection of that generation still speaks for the session."""
        session = self.sessions.get(session_id)
        return session is not None and session.generation == generation

    def confirmed(self, session_id: SessionId) -> list[Effect]:
        """The newest connection of the session has said something: its client has the new token."""
        session = self.sessions.get(session_id)
        if session is None or session.previous_hash is None:
            return []
        self.sessions.confirm(session)
        return [session.kept()]

    def disconnected(self, session_id: SessionId, generation: int, now: float) -> list[Effect]:
        """The connection is lost: the session is held for the grace. An old generation's end is no news."""
        session = self.sessions.get(session_id)
        if session is None or session.generation != generation or not session.is_connected:
            return []
        session.is_connected = False
        if self._is_closing and self.is_kept:
            # Nobody leaves a server that is stopping: it goes on where it stopped.
            return []
        effects: list[Effect] = [
            log("session_away", session=session.id),
            self._hold(session, now),
        ]
        table = self._table_of(session)
        if table is not None:
            return effects + table.go_away(session.id, now)
        if self._is_awaited(session):
            return effects
        self._homeless[session.id] = None
        return effects + self._evict_beyond_limits(session.network, now)

    def _evict_beyond_limits(self, network: str | None, now: float) -> list[Effect]:
        """Who comes and goes without ever sitting down fills neither the memory nor the names."""
        effects: list[Effect] = []
        most = None if network is None else connections_from(network, self._settings)
        if most is not None and len(self._homeless) > most:
            theirs = [session for session in map(self.sessions.get, self._homeless) if session is not None]
            theirs = [session for session in theirs if session.network == network]
            for oldest in theirs[: max(0, len(theirs) - most)]:
                effects += self._end(oldest, "evicted", now)
        while len(self._homeless) > self._settings.max_connections:
            evicted = self.sessions.get(next(iter(self._homeless)))
            if evicted is not None:
                effects += self._end(evicted, "evicted", now)
        return effects

    def _hold(self, session: Session, now: float) -> Effect:
        session.held_until = now + self._grace_seconds(session)
        return SetTimer(TimerKey(TimerKind.GRACE, session.id), session.held_until)

    def goodbye(self, session_id: SessionId, generation: int, now: float) -> list[Effect]:
        """The client leaves for good."""
        session = self.sessions.get(session_id)
        if session is None or session.generation != generation:
            return []
        return self._end(session, "left", now)

    def shut_down(self) -> list[Effect]:
        """The server stops: everybody who is connected is told, and whether to come back."""
        self._is_closing = True
        goodbye = wire.Goodbye(
            code=ErrorCode.SHUTDOWN.value,
            message="the server is stopping; your seat is kept for when it is back"
            if self.is_kept
            else "the server is stopping",
            resumable=self.is_kept,
            retry_seconds=RETRY_SECONDS_AFTER_SHUTDOWN if self.is_kept else None,
        )
        return [Close(session.id, goodbye) for session in self.sessions if session.is_connected]

    def _refused(self, code: ErrorCode, message: str) -> wire.Refused:
        version = wire.PROTOCOL_VERSION
        return wire.Refused(code=code.value, message=message, protocol_min=version, protocol_max=version)

    def _resume(
        self, token: str, seq: int | None, now: float, address: str | None
    ) -> tuple[Admission | wire.Refused, list[Effect]]:
        session = self.sessions.find(token)
        if session is None:
            text = "no session has this resume token: it was used, or the session has ended"
            return self._refused(ErrorCode.BAD_TOKEN, text), []
        self._homeless.pop(session.id, None)
        admission = self._admit(session, self.sessions.renew(session, token), is_resumed=True)
        session.came_from(address)
        effects: list[Effect] = [
            CancelTimer(TimerKey(TimerKind.GRACE, session.id)),
            log("session_resumed", session=session.id, generation=session.generation),
            session.kept(),
        ]
        table = self._table_of(session)
        if table is not None:
            effects += table.come_back(session.id, seq, now)
        return admission, effects

    def _admit(self, session: Session, token: str, *, is_resumed: bool) -> Admission:
        settings = self._settings
        welcome = wire.Welcome(
            protocol=wire.PROTOCOL_VERSION,
            server=self._server_id,
            server_name=settings.name,
            name=session.name,
            token=token,
            resumed=is_resumed,
            table=session.table,
            ping_seconds=settings.ping_seconds,
            dead_seconds=settings.dead_seconds,
            grace_seconds=self._grace_seconds(session),
        )
        return Admission(session.id, session.generation, welcome)

    def _free_name(self, name: str, effects: list[Effect], now: float) -> tuple[str, NameKeys]:
        """The name, with a number after it when somebody has it or one that looks like it, and its keys."""
        keys = name_keys(name)
        holder = self.sessions.spelled(keys)
        if holder is not None and holder.id in self._homeless:
            # Most likely the same person, whose client was started anew. Nothing is lost with that session.
            effects += self._end(holder, "evicted", now)
        number = 1
        candidate = name
        while self.sessions.is_name_taken(keys) or self._reserved.has(keys) or self.bans.of_name(keys):
            number += 1
            suffix = f" {number}"
            candidate = name[: wire.MAX_NAME_CHARS - len(suffix)].rstrip() + suffix
            keys = name_keys(candidate)
        return candidate, keys

    def _grace_seconds(self, session: Session) -> int:
        """How long the session is held without a connection: at a table, as long as the table says."""
        table = self._table_of(session)
        return self._settings.grace_seconds if table is None else table.options.grace_seconds

    def _is_awaited(self, session: Session) -> bool:
        """Whether a session that is away and at no table has something to come back to."""
        return False

    def _table_of(self, session: Session) -> Table | None:
        return None if session.table is None else self.tables.get(session.table)

    def _end(self, session: Session, reason: str, now: float) -> list[Effect]:
        """The session is no more; a seat it has is given up."""
        effects: list[Effect] = [CancelTimer(TimerKey(TimerKind.GRACE, session.id))]
        table = self._table_of(session)
        session.table = None
        self._homeless.pop(session.id, None)
        self.sessions.end(session)
        if table is not None:
            effects += table.leave(session.id, reason, now)
        effects += [ForgetSession(session.id), log("session_ended", session=session.id, reason=reason)]
        return effects

    def _close_table(self, table: Table, reason: str) -> list[Effect]:
        del self.tables[table.number]
        self._opened_from.pop(table.number, None)
        effects = table.close(reason)
        for member in table.members():
            session = self.sessions.get(member)
            if session is not None:
                session.table = None
                effects.append(session.kept())
                if not session.is_connected and not self._is_awaited(session):
                    self._homeless[session.id] = None
        return effects


def ban_text(ban: Ban, now: float) -> str:
    """What somebody who is banned is told."""
    what = "name" if ban.network is None else "address"
    text = f"the host of this server has banned this {what}"
    if ban.until is not None:
        text += f" for another {duration_text(max(1, math.ceil(ban.until - now)))}"
    return f"{text}: {ban.reason}" if ban.reason else text
