"""The SQLite file in the data directory: opened, checked, brought to this version; a damaged one set aside."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import shutil
import sqlite3
import time
import zlib
from typing import TYPE_CHECKING

from tarneeb_server.logs import LOGGER_NAME, format_event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FILE_NAME = "tarneeb.db"
LOCK_NAME = "tarneeb.lock"
SCHEMA_VERSION = 6
"""``user_version`` of the file. 1 had the finished sets alone, 2 no bans, 3 neither who
may see a finished set nor who sat in it, 4 no tournaments, 5 neither when a set began nor what statistics
stand on."""
SYNCHRONOUS = {"process": "NORMAL", "power": "FULL"}
"""By ``--durability``: NORMAL survives the end of the process, FULL the loss of power too."""

_VERSION_1 = """
CREATE TABLE server (id TEXT NOT NULL);
INSERT INTO server VALUES (lower(hex(randomblob(8))));
CREATE TABLE finished_set (
  number INTEGER PRIMARY KEY,
  finished_at INTEGER NOT NULL,          -- seconds since 1970, UTC
  table_name TEXT NOT NULL,
  south TEXT NOT NULL, east TEXT NOT NULL, north TEXT NOT NULL, west TEXT NOT NULL,
  south_north INTEGER NOT NULL, east_west INTEGER NOT NULL,   -- final scores
  winner INTEGER NOT NULL,               -- 0 South and North, 1 East and West
  transcript TEXT NOT NULL               -- docs/notation.md
);
"""
_VERSION_2 = """
CREATE TABLE counter (                   -- the highest numbers ever given
  only INTEGER PRIMARY KEY CHECK (only = 1),
  last_session INTEGER NOT NULL,
  last_table INTEGER NOT NULL
);
INSERT INTO counter VALUES (1, 0, 0);
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL,              -- SHA-256; the token itself is nowhere
  previous_hash BLOB,
  at_table INTEGER,
  checksum INTEGER NOT NULL
);
CREATE TABLE reply (                     -- the latest of each session, in a ring
  session INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  request INTEGER NOT NULL,
  answer TEXT NOT NULL,                  -- JSON
  checksum INTEGER NOT NULL,
  PRIMARY KEY (session, slot)
) WITHOUT ROWID;
CREATE TABLE open_table (
  number INTEGER PRIMARY KEY,
  state TEXT NOT NULL,                   -- JSON
  checksum INTEGER NOT NULL
);
CREATE TABLE deal (                      -- of the sets in progress; each holds every hand
  at_table INTEGER NOT NULL,
  set_number INTEGER NOT NULL,
  number INTEGER NOT NULL,
  pack TEXT NOT NULL,
  salt BLOB NOT NULL,
  actions TEXT NOT NULL,
  seq INTEGER NOT NULL,
  turn_seq INTEGER NOT NULL,
  checksum INTEGER NOT NULL,             -- of the columns before it, in each of these tables
  PRIMARY KEY (at_table, set_number, number)
) WITHOUT ROWID;
"""
_VERSION_3 = """
CREATE TABLE ban (
  number INTEGER PRIMARY KEY,
  name TEXT,                             -- or the network, never both
  network TEXT,
  reason TEXT NOT NULL,
  until INTEGER,                         -- seconds since 1970, UTC; NULL for ever
  checksum INTEGER NOT NULL
);
"""
_VERSION_4 = """
ALTER TABLE finished_set ADD COLUMN at_table INTEGER;            -- NULL, like the next two, in earlier versions
ALTER TABLE finished_set ADD COLUMN set_number INTEGER;          -- of its table
ALTER TABLE finished_set ADD COLUMN deals INTEGER;               -- void ones too
ALTER TABLE finished_set ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0;   -- anybody could watch the table
CREATE TABLE set_seat (                  -- who sat where at the end of a finished set
  finished_set INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  session INTEGER,                       -- NULL for a bot
  level TEXT,                            -- of a bot; NULL for a player
  PRIMARY KEY (finished_set, seat)
);
CREATE INDEX set_seat_session ON set_seat (session);
"""
_VERSION_5 = """
CREATE TABLE tournament (
  number INTEGER PRIMARY KEY,            -- given from the numbers of tables
  state TEXT NOT NULL,                   -- JSON
  checksum INTEGER NOT NULL
);
"""
_VERSION_6 = """
ALTER TABLE finished_set ADD COLUMN began_at INTEGER;            -- NULL, like the next, in earlier versions
ALTER TABLE finished_set ADD COLUMN facts TEXT;                  -- JSON (set_facts), from the transcript
ALTER TABLE finished_set ADD COLUMN tournament INTEGER;          -- its number; NULL outside of one
CREATE TABLE set_begin (                 -- of the sets in progress
  at_table INTEGER NOT NULL,
  set_number INTEGER NOT NULL,
  began_at INTEGER NOT NULL,             -- seconds since 1970, UTC
  PRIMARY KEY (at_table, set_number)
) WITHOUT ROWID;
"""
_STEPS = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4, _VERSION_5, _VERSION_6)
"""What brings a file to each version from the one before it."""
TABLES = (
    "server",
    "finished_set",
    "set_seat",
    "set_begin",
    "counter",
    "session",
    "reply",
    "open_table",
    "deal",
    "ban",
    "tournament",
)
"""In the order in which they are saved from a damaged file."""
CHECKED_TABLES = ("session", "reply", "open_table", "deal", "ban", "tournament")
"""Whose last column is a checksum: SQLite does not notice a byte that changed within a value."""
_BLOBS = frozenset({("session", 2), ("session", 3), ("deal", 4)})
"""Table and column."""
_OF_ONE_ROW = frozenset({"server", "counter"})
"""Tables of a single row."""

logger = logging.getLogger(LOGGER_NAME)


class CannotStoreError(Exception):
    """The data directory cannot be used; the text says why and what to do."""


def checksum(columns: tuple[object, ...]) -> int:
    """What stands in the last column of a row of one of ``CHECKED_TABLES``."""
    return zlib.crc32(repr(columns).encode())


def lock(folder: Path) -> int:
    """Hold the directory for this process, until the returned descriptor is closed. The system lets it go when
    the process ends, however it ends. Raises ``CannotStoreError`` and ``OSError``.
    """
    held = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        raise CannotStoreError(
            f"--data-dir: {folder} is in use by another tarneeb-server; stop it, or choose another directory"
        ) from None
    except BaseException:
        os.close(held)
        raise
    return held


def open_database(folder: Path, durability: str) -> sqlite3.Connection:
    """The file of a directory that is locked, of this version. Raises ``CannotStoreError``, ``sqlite3.Error``
    and ``OSError``.

    A damaged file is given another name, never overwritten, and what can still be read of it goes into a new
    one.
    """
    path = folder / FILE_NAME
    try:
        return _checked(path, durability)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
            raise  # the system's fault, not the file's
        reason = str(error)
    aside = _set_aside(path)
    logger.warning("%s", format_event("damaged_store", (("set_aside", str(aside)), ("reason", reason))))
    database = _checked(path, durability)
    try:
        _save_from(aside, database)
    except BaseException:
        database.close()
        raise
    return database


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _is_damage(error: sqlite3.OperationalError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _checked(path: Path, durability: str) -> sqlite3.Connection:
    if _size(path) == 0 and _size(path.with_name(f"{path.name}-wal")) > 0:
        # SQLite would take it for a new file, and throw away what the log still holds.
        raise sqlite3.DatabaseError("the file is empty, but its log is not")
    # It holds every hand of the deals in progress: for the account that runs the server alone.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        # What is replaced is overwritten: hands that were played, passwords of earlier versions.
        database.execute("PRAGMA secure_delete=ON")
        database.execute(f"PRAGMA synchronous={SYNCHRONOUS[durability]}")
        _check_contents(database)
        _bring_to_version(database, path)
        _check_rows(database)
    except BaseException:
        database.close()
        raise
    return database


def _check_contents(database: sqlite3.Connection) -> None:
    (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def _check_rows(database: sqlite3.Connection) -> None:
    database.text_factory = _any_text
    for table in CHECKED_TABLES:
        for row in database.execute(f"SELECT * FROM {table}"):  # noqa: S608  (names of our own)
            if not _is_whole(table, row):
                raise sqlite3.DatabaseError(f"a row of {table} has another checksum")
    database.text_factory = str


def _any_text(raw: bytes) -> str:
    """Text that is not UTF-8 any more is to have another checksum, not to be the reader's fault."""
    return raw.decode(errors="replace")


def _is_whole(table: str, row: Sequence[object]) -> bool:
    return table not in CHECKED_TABLES or row[-1] == checksum(tuple(row[:-1]))


def _bring_to_version(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version == SCHEMA_VERSION:
        if database.execute("SELECT count(*) FROM server").fetchone() != (1,):
            raise sqlite3.DatabaseError("the row of the server's identity is missing")
        return
    if not 0 <= version < SCHEMA_VERSION:
        raise CannotStoreError(
            f"--data-dir: {path} was written by another version of tarneeb-server (format {version};"
            f" this one reads up to {SCHEMA_VERSION}); use that version, or another directory"
        )
    # One transaction: a server that is killed here leaves the file as it was.
    steps = " ".join(_STEPS[version:])
    database.executescript(f"BEGIN; {steps} PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")
    if version:
        logger.info("%s", format_event("store_upgraded", (("from", version), ("to", SCHEMA_VERSION))))


def _set_aside(path: Path) -> Path:
    """Give a damaged file, and what belongs to it, a name that no other file has."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    number = 0
    while True:
        aside = path.with_name(f"{path.name}.damaged-{stamp}" + (f"-{number}" if number else ""))
        if not aside.exists():
            break
        number += 1
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + suffix))
    return aside


def _save_from(aside: Path, database: sqlite3.Connection) -> None:
    """Copy every row that can still be read. A copy is read, so that what was set aside stays as it was."""
    copy = aside.with_name(f"{FILE_NAME}.reading")
    counts: list[tuple[str, int]] = []
    try:
        shutil.copyfile(aside, copy)
        wal = aside.with_name(f"{aside.name}-wal")
        if wal.exists():
            shutil.copyfile(wal, copy.with_name(f"{copy.name}-wal"))
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as damaged:
            damaged.text_factory = bytes
            # With this SQLite reads a file that is shorter than its header says.
            damaged.execute("PRAGMA writable_schema=ON")
            database.execute("BEGIN IMMEDIATE")
            for table in TABLES:
                saved = sum(_insert(database, table, row) for row in _readable_rows(damaged, table))
                counts.append((table, saved))
            database.execute("COMMIT")
    except (sqlite3.Error, OSError) as error:
        if database.in_transaction:
            database.execute("ROLLBACK")
        logger.warning("%s", format_event("nothing_saved", (("reason", str(error)),)))
        return
    finally:
        for suffix in ("", "-wal", "-shm"):
            copy.with_name(copy.name + suffix).unlink(missing_ok=True)
    logger.warning("%s", format_event("saved_from_damaged", counts))


def _readable_rows(damaged: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """The rows up to the first that cannot be read, from the front and then from the back."""
    keys = {
        "deal": "at_table {0}, set_number {0}, number {0}",
        "reply": "session {0}, slot {0}",
        "set_begin": "at_table {0}, set_number {0}",
    }
    order = keys.get(table, "rowid {0}")
    for direction in ("ASC", "DESC"):
        try:
            yield from damaged.execute(f"SELECT * FROM {table} ORDER BY {order.format(direction)}")  # noqa: S608  (names of our own)
        except sqlite3.DatabaseError:
            continue
        return


def _insert(database: sqlite3.Connection, table: str, row: tuple[object, ...]) -> int:
    """Put a row in, 1, unless it is there already or is no row of that table, 0."""
    try:
        values = [
            value.decode() if isinstance(value, bytes) and (table, at) not in _BLOBS else value
            for at, value in enumerate(row)
        ]
        if not _is_whole(table, values):
            return 0
        marks = ", ".join("?" * len(values))
        if table in _OF_ONE_ROW:
            return _replace_only_row(database, table, marks, values)
        # A file of an earlier version has fewer columns; later versions add them behind.
        names = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")][: len(values)]
        into = f"{table} ({', '.join(names)})"
        return database.execute(f"INSERT OR IGNORE INTO {into} VALUES ({marks})", values).rowcount  # noqa: S608
    except (sqlite3.IntegrityError, sqlite3.OperationalError, UnicodeDecodeError):
        return 0


def _replace_only_row(database: sqlite3.Connection, table: str, marks: str, values: list[object]) -> int:
    """Put a row in the place of the only one. Where it cannot be one, that stays: there is always one."""
    database.execute("SAVEPOINT only_row")
    try:
        database.execute(f"DELETE FROM {table}")  # noqa: S608
        return database.execute(f"INSERT INTO {table} VALUES ({marks})", values).rowcount  # noqa: S608
    except (sqlite3.IntegrityError, sqlite3.OperationalError):
        database.execute("ROLLBACK TO only_row")
        return 0
    finally:
        database.execute("RELEASE only_row")
