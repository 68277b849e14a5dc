"""What a server keeps on disk: its identity and the transcript of every finished set, in one SQLite file."""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import sqlite3
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from tarneeb_engine.transcript import format_transcript
from tarneeb_server.logs import LOGGER_NAME, format_event

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_server.effects import Record

FILE_NAME = "tarneeb.db"
LOCK_NAME = "tarneeb.lock"
SCHEMA_VERSION = 1
"""``user_version`` of the file."""
FINISH_SECONDS = 10.0
"""How long a server that stops may take to write what is left."""

_SCHEMA = """
CREATE TABLE server (id TEXT NOT NULL);
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

logger = logging.getLogger(LOGGER_NAME)


class CannotStoreError(Exception):
    """The data directory cannot be used; the text says why and what to do."""


class Store:
    """The open file. Reading and writing it blocks, so it is done before serving, and then in a worker
    thread.
    """

    def __init__(self, directory: Path, database: sqlite3.Connection, lock: int) -> None:
        self._directory = directory
        self._database = database
        self._lock = lock
        self._waiting: deque[Record] = deque()
        self._wake = trio.Event()
        self._idle = trio.Event()
        (self.server_id,) = database.execute("SELECT id FROM server").fetchone()

    @classmethod
    def open(cls, directory: str) -> Store:
        """Open, or make, the store in ``directory``. A damaged file is set aside, never overwritten.

        Raises ``CannotStoreError``: another server has it, it is of a later version, the system says no.
        """
        folder = Path(directory)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = _lock(folder)
        except OSError as error:
            raise CannotStoreError(f"--data-dir: {directory} cannot be used: {error.strerror}") from None
        try:
            return cls(folder, _open_database(folder), lock)
        except (OSError, sqlite3.Error) as error:
            os.close(lock)
            raise CannotStoreError(f"--data-dir: {folder / FILE_NAME} cannot be opened: {error}") from None
        except BaseException:
            os.close(lock)
            raise

    def close(self) -> None:
        """Close the file and let another server have the directory."""
        self._database.close()
        os.close(self._lock)

    def record(self, record: Record) -> None:
        """Keep a finished set. Returns at once; ``run`` writes it."""
        self._waiting.append(record)
        self._wake.set()

    async def run(self) -> None:
        """Write what is recorded, for ever; all that has come together in one transaction."""
        while True:
            if not self._waiting:
                self._idle.set()
                self._wake = trio.Event()
                await self._wake.wait()
            self._idle = trio.Event()
            batch = list(self._waiting)
            self._waiting.clear()
            await trio.to_thread.run_sync(self._write, batch)

    async def finish(self) -> None:
        """Wait until all is written."""
        with trio.move_on_after(FINISH_SECONDS):
            while self._waiting or not self._idle.is_set():
                await self._idle.wait()

    def _write(self, batch: Iterable[Record]) -> None:
        for record in batch:
            try:
                with self._database:
                    self._database.execute(
                        "INSERT INTO finished_set VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (
                            int(time.time()),
                            record.table_name,
                            *record.players,
                            *record.scores,
                            record.winner,
                            format_transcript(record.transcript),
                        ),
                    )
            except (sqlite3.Error, ValueError):
                # The game goes on without its record: a full disk must not end it.
                logger.exception(
                    "%s", format_event("not_recorded", (("table", record.table), ("set", record.number)))
                )
            else:
                logger.info("%s", format_event("recorded", (("table", record.table), ("set", record.number))))


def _lock(folder: Path) -> int:
    """Hold the directory for this process. The system lets it go when the process ends, however it ends."""
    lock = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise CannotStoreError(
            f"--data-dir: {folder} is in use by another tarneeb-server; stop it, or choose another directory"
        ) from None
    except BaseException:
        os.close(lock)
        raise
    return lock


def _open_database(folder: Path) -> sqlite3.Connection:
    path = folder / FILE_NAME
    try:
        return _checked(path)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):  # the system's fault, not the file's
            raise
        aside = _set_aside(path)
        logger.warning("%s", format_event("damaged_store", (("set_aside", str(aside)), ("reason", str(error)))))
        return _checked(path)


def _checked(path: Path) -> sqlite3.Connection:
    # Used by one thread at a time: this one before serving, then the worker of ``run``.
    database = sqlite3.connect(path, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        _check_contents(database)
        _bring_to_version(database, path)
    except BaseException:
        database.close()
        raise
    return database


def _check_contents(database: sqlite3.Connection) -> None:
    (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def _bring_to_version(database: sqlite3.Connection, path: Path) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version == 0:
        # One transaction: a server that is killed here leaves an empty file, which is begun again.
        database.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={SCHEMA_VERSION};")
        database.execute("INSERT INTO server VALUES (?)", (secrets.token_hex(8),))
        database.commit()
    elif version != SCHEMA_VERSION:
        raise CannotStoreError(
            f"--data-dir: {path} was written by another version of tarneeb-server (format {version};"
            f" this one reads {SCHEMA_VERSION}); use that version, or another directory"
        )


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
