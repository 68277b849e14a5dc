"""The journal: everything that a server needs to go on after its end, and the transcripts of finished sets.

A commit is made by whoever is about to send, in the server's one thread: measured on an SSD it takes 13 µs
(``process``) or 0.2 ms (``power``), no more than handing it to another thread and back, and what comes in
meanwhile waits in the kernel and is the next batch.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, assert_never

import msgspec

from tarneeb_engine.transcript import format_transcript
from tarneeb_server.archive import ArchiveInMemory, StoredArchive
from tarneeb_server.database import FILE_NAME, CannotStoreError, checksum, lock, open_database
from tarneeb_server.kept import (
    ForgetBan,
    ForgetSession,
    ForgetTable,
    ForgetTournament,
    KeepBan,
    KeepDeal,
    KeepReply,
    KeepSession,
    KeepTable,
    KeepTournament,
    Kept,
    Record,
)
from tarneeb_server.logs import LOGGER_NAME, format_event
from tarneeb_server.set_facts import encode_facts, facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tarneeb_server.archive import Archive
    from tarneeb_server.kept import Keep, Key

SPARE_BYTES = 16 * 1024 * 1024
"""Room on the disk below which nothing new is begun, so that what is running can go on to its end."""
RETRY_SECONDS = 0.5
"""Between attempts to write to a disk that does not take it."""

Statement = tuple[str, tuple[Any, ...]]
T = TypeVar("T")

_read_table = msgspec.json.Decoder(KeepTable).decode
_read_tournament = msgspec.json.Decoder(KeepTournament).decode

_PUT = {
    table: f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * columns)})"  # noqa: S608  (names of our own)
    for table, columns in (
        ("session", 6),
        ("reply", 5),
        ("open_table", 3),
        ("deal", 9),
        ("ban", 6),
        ("tournament", 3),
    )
}

_PUT_SET = f"""INSERT INTO finished_set VALUES (NULL{", ?" * 14},
  (SELECT began_at FROM set_begin WHERE at_table = ? AND set_number = ?), ?, ?)"""  # noqa: S608  (likewise)

logger = logging.getLogger(LOGGER_NAME)


class Journal(Protocol):
    """Where the server's shell puts what is to be kept."""

    @property
    def archive(self) -> Archive:
        """The sets that are over, as far as they were committed."""

    def add(self, entry: Keep) -> None:
        """Take an entry into the next commit."""

    def commit(self) -> None:
        """Keep all entries that were added. It never fails: see ``fault``."""

    def fault(self) -> str | None:
        """Why nothing new should be begun, ``None`` when all is well."""


class NoJournal:
    """Without a data directory nothing is kept, but for the latest sets as long as the server runs."""

    def __init__(self) -> None:
        self.archive = ArchiveInMemory()

    def add(self, entry: Keep) -> None:
        """Forget it, unless it is a set."""
        if isinstance(entry, Record):
            self.archive.add(entry)

    def commit(self) -> None:
        """Nothing is to be done."""

    def fault(self) -> str | None:
        """All is well."""
        return None


class Store:
    """The open file. Used by one thread; every call blocks until it is done."""

    def __init__(self, folder: Path, database: sqlite3.Connection, held: int) -> None:
        self._folder = folder
        self._database = database
        self._lock = held
        self._pending: dict[Key, Keep] = {}
        self._recorded: list[Record] = []
        """The finished sets of the commit in progress."""
        self._failure: str | None = None
        self._retry_at = 0.0
        self.archive = StoredArchive(database)
        (self.server_id,) = database.execute("SELECT id FROM server").fetchone()
        self._last_session, self._last_table = _counters(database)

    @classmethod
    def open(cls, directory: str, durability: str = "power") -> Store:
        """Open, or make, the store in ``directory``. A damaged file is set aside, never overwritten.

        Raises ``CannotStoreError``: another server has it, it is of a later version, the system says no.
        """
        folder = Path(directory)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            held = lock(folder)
        except OSError as error:
            is_no_folder = isinstance(error, FileExistsError | NotADirectoryError)
            why = "it is no directory" if is_no_folder else error.strerror
            raise CannotStoreError(f"--data-dir: {directory} cannot be used: {why}") from None
        try:
            return cls(folder, open_database(folder, durability), held)
        except (OSError, sqlite3.Error) as error:
            os.close(held)
            raise CannotStoreError(f"--data-dir: {folder / FILE_NAME} cannot be opened: {error}") from None
        except BaseException:
            os.close(held)
            raise

    def close(self) -> None:
        """Commit what waits, close the file and let another server have the directory."""
        self._retry_at = 0.0
        self.commit()
        self._database.close()
        os.close(self._lock)

    def add(self, entry: Keep) -> None:
        """Take an entry into the next commit, in place of an earlier one with its key."""
        # The latest goes last, so that the end of a session comes after its replies.
        self._pending.pop(entry.key, None)
        self._pending[entry.key] = entry

    def commit(self) -> None:
        """Keep all entries that were added, in one transaction.

        On a disk that does not take them they wait, and every later commit tries again; the tables go on in
        memory meanwhile. What waits is bounded by what is alive, for an entry replaces the one before it.
        """
        if not self._pending or (self._failure is not None and time.monotonic() < self._retry_at):
            return
        database = self._database
        try:
            database.execute("BEGIN IMMEDIATE")
            for statement, values in self._statements():
                database.execute(statement, values)
            database.execute("COMMIT")
        except (sqlite3.Error, ValueError, OverflowError) as error:
            self._failed(error)
            return
        for record in self._recorded:
            logger.info("%s", format_event("recorded", (("table", record.table), ("set", record.number))))
        self._pending.clear()
        if self._failure is not None:
            self._failure = None
            logger.warning("event=journal_works_again")

    def fault(self) -> str | None:
        """Why nothing new should be begun: the last commit failed, or the disk is nearly full."""
        if self._failure is not None:
            return self._failure
        try:
            status = os.statvfs(self._folder)
        except OSError as error:
            return error.strerror
        free = status.f_bavail * status.f_frsize
        return None if free >= SPARE_BYTES else "the disk is nearly full"

    def load(self) -> Kept:
        """All that is kept of sessions and open tables. What cannot be read is left out, which is logged."""
        database = self._database
        return Kept(
            sessions=list(
                _rows(database, "SELECT id, name, token_hash, previous_hash, at_table FROM session", _session)
            ),
            replies=list(_rows(database, "SELECT session, slot, request, answer FROM reply", _reply)),
            tables=list(_rows(database, "SELECT number, state FROM open_table ORDER BY number", _table)),
            deals=list(
                _rows(
                    database,
                    "SELECT at_table, set_number, number, pack, salt, actions, seq, turn_seq FROM deal",
                    _deal,
                )
            ),
            bans=list(_rows(database, "SELECT number, name, network, reason, until FROM ban", _ban)),
            tournaments=list(
                _rows(database, "SELECT number, state FROM tournament ORDER BY number", _tournament)
            ),
            last_session=self._last_session,
            last_table=self._last_table,
        )

    def _failed(self, error: Exception) -> None:
        if self._database.in_transaction:
            self._database.execute("ROLLBACK")
        if self._failure is None:
            logger.error("%s", format_event("journal_failed", (("reason", str(error)),)))
        self._failure = str(error)
        self._retry_at = time.monotonic() + RETRY_SECONDS

    def _statements(self) -> Iterator[Statement]:
        before = (self._last_session, self._last_table)
        self._recorded.clear()
        for entry in self._pending.values():
            yield from self._of(entry)
        if before != (self._last_session, self._last_table):
            yield (
                "INSERT OR REPLACE INTO counter VALUES (1, ?, ?)",
                (self._last_session, self._last_table),
            )

    def _of(self, entry: Keep) -> Iterable[Statement]:
        match entry:
            case KeepDeal():
                place = (entry.table, entry.set_number, entry.number)
                yield _put(
                    "deal",
                    (*place, entry.pack, entry.salt, entry.actions, entry.seq, entry.turn_seq),
                )
                yield (
                    "INSERT OR IGNORE INTO set_begin SELECT ?, ?, ? WHERE ? = 1",
                    (entry.table, entry.set_number, int(time.time()), entry.number),
                )
            case KeepReply():
                answer = msgspec.json.encode(entry.answer).decode()
                yield _put("reply", (entry.session, entry.slot, entry.request, answer))
            case KeepTable():
                self._last_table = max(self._last_table, entry.number)
                yield _put("open_table", (entry.number, msgspec.json.encode(entry).decode()))
                yield (
                    "DELETE FROM deal WHERE at_table = ? AND set_number <> ?",
                    (entry.number, entry.set_number),
                )
                yield (
                    "DELETE FROM set_begin WHERE at_table = ? AND set_number <> ?",
                    (entry.number, entry.set_number),
                )
            case KeepTournament():
                self._last_table = max(self._last_table, entry.number)
                yield _put("tournament", (entry.number, msgspec.json.encode(entry).decode()))
            case ForgetTournament(number):
                yield "DELETE FROM tournament WHERE number = ?", (number,)
            case ForgetTable(number):
                yield "DELETE FROM open_table WHERE number = ?", (number,)
                yield "DELETE FROM deal WHERE at_table = ?", (number,)
                yield "DELETE FROM set_begin WHERE at_table = ?", (number,)
            case KeepSession():
                self._last_session = max(self._last_session, entry.id)
                yield _put(
                    "session",
                    (entry.id, entry.name, entry.token_hash, entry.previous_hash, entry.table),
                )
            case ForgetSession(number):
                self._last_session = max(self._last_session, number)
                yield "DELETE FROM session WHERE id = ?", (number,)
                yield "DELETE FROM reply WHERE session = ?", (number,)
            case KeepBan():
                until = None if entry.seconds_left is None else int(time.time() + entry.seconds_left)
                yield _put("ban", (entry.number, entry.name, entry.network, entry.reason, until))
            case ForgetBan(number):
                yield "DELETE FROM ban WHERE number = ?", (number,)
            case Record():
                yield from self._finished(entry)
            case _:
                assert_never(entry)

    def _finished(self, record: Record) -> Iterable[Statement]:
        try:
            transcript = format_transcript(record.transcript)
            facts = encode_facts(facts_of(record.transcript, record.history, record.levels))
            "".join((record.table_name, *record.players)).encode()
        except ValueError:
            # The game goes on without its record.
            fields = (("table", record.table), ("set", record.number))
            logger.exception("%s", format_event("not_recorded", fields))
            return
        self._recorded.append(record)
        yield (
            _PUT_SET,
            (
                int(time.time()),
                record.table_name,
                *record.players,
                *record.scores,
                record.winner,
                transcript,
                record.table,
                record.number,
                len(record.transcript.deals),
                record.is_open,
                record.table,
                record.number,
                facts,
                record.tournament,
            ),
        )
        for seat, (session, level) in enumerate(zip(record.sessions, record.levels, strict=True)):
            yield (
                "INSERT INTO set_seat SELECT max(number), ?, ?, ? FROM finished_set",
                (seat, session, level),
            )


def _put(table: str, columns: tuple[object, ...]) -> Statement:
    return _PUT[table], (*columns, checksum(columns))


def _counters(database: sqlite3.Connection) -> tuple[int, int]:
    row = database.execute("SELECT last_session, last_table FROM counter").fetchone()
    sessions, tables = (0, 0) if row is None else row
    return int(sessions), int(tables)


def _rows(database: sqlite3.Connection, query: str, read: Callable[..., T]) -> Iterator[T]:
    for row in database.execute(query):
        try:
            yield read(*row)
        except (ValueError, TypeError, msgspec.ValidationError) as error:
            fields = (("kind", read.__name__.strip("_")), ("number", row[0]), ("reason", str(error)))
            logger.warning("%s", format_event("not_readable", fields))


def _session(number: object, name: object, token: object, previous: object, table: object) -> KeepSession:
    is_place = table is None or isinstance(table, int)
    is_hash = isinstance(token, bytes) and (previous is None or isinstance(previous, bytes))
    if not (isinstance(number, int) and isinstance(name, str) and is_place and is_hash):
        raise TypeError("a column has a value of another type")
    return msgspec.convert(
        {"id": number, "name": name, "token_hash": token, "previous_hash": previous, "table": table},
        KeepSession,
    )


def _reply(session: int, slot: int, request: int, answer: str) -> KeepReply:
    return msgspec.convert(
        {"session": session, "slot": slot, "request": request, "answer": msgspec.json.decode(answer)}, KeepReply
    )


def _table(number: int, state: str) -> KeepTable:
    table = _read_table(state)
    if table.number != number:
        raise ValueError(f"the row is of table {number}, its contents of table {table.number}")
    return table


def _tournament(number: int, state: str) -> KeepTournament:
    tournament = _read_tournament(state)
    if tournament.number != number:
        raise ValueError(f"the row is of tournament {number}, its contents of {tournament.number}")
    return tournament


def _deal(*columns: object) -> KeepDeal:
    names = ("table", "set_number", "number", "pack", "salt", "actions", "seq", "turn_seq")
    return msgspec.convert(dict(zip(names, columns, strict=True)), KeepDeal)


def _ban(number: int, name: object, network: object, reason: object, until: int | None) -> KeepBan:
    left = None if until is None else until - time.time()
    fields = {"number": number, "name": name, "network": network, "reason": reason, "seconds_left": left}
    return msgspec.convert(fields, KeepBan)
