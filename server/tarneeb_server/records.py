"""The finished sets in a data directory, read while a server runs on it or while none does."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tarneeb_engine.notation import NotationError
from tarneeb_engine.seats import Team
from tarneeb_engine.transcript import parse_transcript
from tarneeb_protocol.names import are_alike
from tarneeb_server.database import FILE_NAME, SCHEMA_VERSION, CannotStoreError
from tarneeb_server.set_facts import PersonKind, decode_facts, facts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarneeb_server.set_facts import SetFacts

_SETS = """SELECT number, began_at, finished_at, at_table, table_name, set_number, south, east, north, west,
  deals, winner, south_north, east_west, is_open, tournament, facts, transcript
FROM finished_set WHERE number > :after AND finished_at >= :since ORDER BY number"""
_LEVELS = "SELECT seat, level FROM set_seat WHERE finished_set = ?"


@dataclass(frozen=True, slots=True)
class RecordedSet:
    """A finished set. Times are in seconds since 1970, UTC; what an earlier version of the server did not keep
    is ``None``. ``facts`` is ``None`` where the transcript cannot be read.
    """

    number: int
    began_at: int | None
    finished_at: int
    table: int | None
    table_name: str
    set_number: int | None
    players: tuple[str, str, str, str]
    deals: int | None
    winner: int
    scores: tuple[int, int]
    is_open: bool
    tournament: int | None
    facts: SetFacts | None
    transcript: str

    def has_player(self, name: str) -> bool:
        """Whether somebody of this name, or of one that looks like it, sat there at the end or played in it."""
        names = [*self.players]
        if self.facts is not None:
            names += [person.name for person in self.facts.people if person.kind is PersonKind.PLAYER]
        return any(are_alike(name, each) for each in names)

    def was_at(self, table: str) -> bool:
        """Whether it was at the table of this number or name."""
        return table in {str(self.table), self.table_name} or are_alike(table, self.table_name)

    def fields(self) -> dict[str, Any]:
        """As JSON shows it, without transcript and facts."""
        return {
            "number": self.number,
            "began_at": self.began_at,
            "finished_at": self.finished_at,
            "table": self.table,
            "table_name": self.table_name,
            "set_number": self.set_number,
            "players": list(self.players),
            "deals": self.deals,
            "winner": self.winner,
            "scores": list(self.scores),
            "is_open": self.is_open,
            "tournament": self.tournament,
            "rules": None if self.facts is None else self.facts.rules,
        }


@contextlib.contextmanager
def opened(directory: str) -> Iterator[sqlite3.Connection]:
    """The database of a data directory, for reading alone. Raises ``CannotStoreError``."""
    path = Path(directory) / FILE_NAME
    if not path.is_file():
        raise CannotStoreError(f"--data-dir: there is no {FILE_NAME} in {directory}")
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version != SCHEMA_VERSION:
                what = "start the server on it once" if version < SCHEMA_VERSION else "use that version"
                raise CannotStoreError(
                    f"--data-dir: {path} is of another version of tarneeb-server (format {version}; this one"
                    f" reads {SCHEMA_VERSION}); {what}"
                )
            database.execute("BEGIN")  # one moment of the file, whatever a server writes meanwhile
            yield database
    except sqlite3.Error as error:
        raise CannotStoreError(f"--data-dir: {path} cannot be read: {error}") from None


def recorded_sets(database: sqlite3.Connection, *, after: int = 0, since: int = 0) -> Iterator[RecordedSet]:
    """The sets that can be read, in the order of their ends: those with a number over ``after`` that ended at
    ``since`` or later.
    """
    for row in database.execute(_SETS, {"after": after, "since": since}):
        found = _recorded(database, row)
        if found is not None:
            yield found


def _recorded(database: sqlite3.Connection, row: tuple[Any, ...]) -> RecordedSet | None:
    number, began, finished, table, name, set_number, *players, deals, winner, ours, theirs = row[:14]
    is_open, tournament, facts, transcript = row[14:]
    texts, whole = (name, *players, transcript), (number, finished, winner, ours, theirs)
    if not all(isinstance(each, str) for each in texts) or not all(isinstance(each, int) for each in whole):
        return None
    if winner not in tuple(Team):
        return None
    south, east, north, west = players
    return RecordedSet(
        number,
        began,
        finished,
        table,
        name,
        set_number,
        (south, east, north, west),
        deals,
        winner,
        (ours, theirs),
        bool(is_open),
        tournament,
        _facts(database, number, facts, transcript),
        transcript,
    )


def _facts(database: sqlite3.Connection, number: int, kept: object, transcript: str) -> SetFacts | None:
    """The facts as they were kept, else gathered from the transcript: earlier versions kept none."""
    if isinstance(kept, str | bytes):
        with contextlib.suppress(ValueError):
            return decode_facts(kept)
    found = dict(database.execute(_LEVELS, (number,)).fetchall())
    levels = [found.get(seat) for seat in range(4)] if found else None
    try:
        played = parse_transcript(transcript)
        return facts_of(played, played.final_state().history, levels)
    except (NotationError, ValueError):
        return None
