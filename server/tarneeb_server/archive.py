"""Sets that are over, as the server has them at hand: who may see them, a list, the text of one.

A set of a table that anybody could watch is for everybody; of any other for those who had a seat at its end.
Every hand of it has been shown to all at the table already, deal by deal, so that nothing here is a secret of
the game; what a password kept apart stays apart.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tarneeb_engine.seats import Team
from tarneeb_engine.transcript import format_transcript
from tarneeb_server.logs import LOGGER_NAME, format_event

if TYPE_CHECKING:
    from tarneeb_server.kept import Record

MOST_IN_MEMORY = 100
"""Sets that a server without a data directory remembers: about 2 MB."""

logger = logging.getLogger(LOGGER_NAME)


@dataclass(frozen=True, slots=True)
class FinishedSet:
    """What a list tells of a set. ``finished_at`` is in seconds since 1970, UTC; ``players`` are by seat."""

    number: int
    finished_at: int
    table: int
    table_name: str
    set_number: int
    players: tuple[str, str, str, str]
    deals: int
    winner: Team
    scores: tuple[int, int]


class Archive(Protocol):
    """The sets that are over and kept, numbered from 1 in the order of their ends."""

    def listed(self, session: int, before: int | None, most: int) -> list[FinishedSet]:
        """Sets that the session may see, the latest first: ``most`` at most, and none from ``before`` on."""

    def text_of(self, session: int, number: int) -> str | None:
        """The transcript, or ``None`` where the session may see no such set."""


class ArchiveInMemory:
    """The latest sets of a server that keeps nothing. A transcript is written out when it is asked for."""

    def __init__(self) -> None:
        self._sets: OrderedDict[int, tuple[FinishedSet, Record]] = OrderedDict()
        self._texts: dict[int, str] = {}
        self._last = 0

    def add(self, record: Record) -> None:
        """Remember a set that has just ended."""
        self._last += 1
        finished = FinishedSet(
            number=self._last,
            finished_at=int(time.time()),
            table=record.table,
            table_name=record.table_name,
            set_number=record.number,
            players=record.players,
            deals=len(record.transcript.deals),
            winner=Team(record.winner),
            scores=record.scores,
        )
        self._sets[self._last] = finished, record
        if len(self._sets) > MOST_IN_MEMORY:
            oldest, _ = self._sets.popitem(last=False)
            self._texts.pop(oldest, None)

    def listed(self, session: int, before: int | None, most: int) -> list[FinishedSet]:
        """See ``Archive``."""
        found: list[FinishedSet] = []
        for number, (finished, record) in reversed(self._sets.items()):
            if len(found) < most and (before is None or number < before) and _may_see(record, session):
                found.append(finished)
        return found

    def text_of(self, session: int, number: int) -> str | None:
        """See ``Archive``."""
        _, record = self._sets.get(number, (None, None))
        if record is None or not _may_see(record, session):
            return None
        if number not in self._texts:
            self._texts[number] = format_transcript(record.transcript)
        return self._texts[number]


def _may_see(record: Record, session: int) -> bool:
    return record.is_open or session in record.sessions


_VISIBLE = """(is_open OR EXISTS (
  SELECT 1 FROM set_seat WHERE set_seat.finished_set = finished_set.number AND set_seat.session = :session
))"""
_LISTED = f"""SELECT number, finished_at, at_table, table_name, set_number, south, east, north, west, deals,
  winner, south_north, east_west
FROM finished_set WHERE at_table IS NOT NULL AND number < :before AND {_VISIBLE}
ORDER BY number DESC LIMIT :most"""  # noqa: S608  (words of our own)
_TEXT = f"SELECT transcript FROM finished_set WHERE number = :number AND {_VISIBLE}"  # noqa: S608  (likewise)


class StoredArchive:
    """The sets in the journal's file. What cannot be read of it is as if it were not there, which is logged."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def listed(self, session: int, before: int | None, most: int) -> list[FinishedSet]:
        """See ``Archive``."""
        values = {"session": session, "before": 2**63 - 1 if before is None else before, "most": most}
        return [finished for row in self._rows(_LISTED, values) if (finished := _finished(row)) is not None]

    def text_of(self, session: int, number: int) -> str | None:
        """See ``Archive``."""
        for (text,) in self._rows(_TEXT, {"session": session, "number": number}):
            if isinstance(text, str):
                return text
        return None

    def _rows(self, query: str, values: dict[str, int]) -> list[tuple[object, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            logger.warning("%s", format_event("archive_not_readable", (("reason", str(error)),)))
            return []


def _finished(row: tuple[object, ...]) -> FinishedSet | None:
    match row:
        case (
            int(number),
            int(finished_at),
            int(table),
            str(table_name),
            int(set_number),
            str(south),
            str(east),
            str(north),
            str(west),
            int(deals),
            int(winner),
            int(south_north),
            int(east_west),
        ) if winner in tuple(Team):
            return FinishedSet(
                number,
                finished_at,
                table,
                table_name,
                set_number,
                (south, east, north, west),
                deals,
                Team(winner),
                (south_north, east_west),
            )
    fields = (("kind", "finished_set"), ("number", str(row[0])))
    logger.warning("%s", format_event("not_readable", fields))
    return None
