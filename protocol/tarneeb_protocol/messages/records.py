"""Recorded sets: the list, and a transcript piece by piece."""

from __future__ import annotations

import msgspec

from tarneeb_engine.seats import Team
from tarneeb_protocol.messages.base import Reply, Request
from tarneeb_protocol.messages.limits import RecordId, Seq, TableId


class ListSets(Request, frozen=True, kw_only=True, tag="list_sets"):
    """Ask for the recorded sets that this session may see, the latest first; answered by ``sets``. ``before``
    leaves out all from that number on.
    """

    before: RecordId | None = None


class GetSet(Request, frozen=True, kw_only=True, tag="get_set"):
    """Ask for the transcript of a recorded set from character ``offset`` on; answered by ``set_text``."""

    record: RecordId
    offset: Seq = 0


class SetSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded set, as ``sets`` lists it: number ``record`` of the server, ``set_number`` of its table.
    ``players`` are those who sat there at its end, by seat; ``finished_at`` is in seconds since 1970, UTC.
    ``deals`` counts void ones too.
    """

    record: RecordId
    finished_at: int
    table: TableId
    table_name: str
    set_number: int
    players: tuple[str, str, str, str]
    deals: int
    team: Team
    scores: tuple[int, int]


class Sets(Reply, frozen=True, kw_only=True, tag="sets"):
    """Answer to ``list_sets``: at most ``MAX_SETS_LISTED``. ``more`` tells that there are earlier ones: ask
    again with ``before``.
    """

    sets: tuple[SetSummary, ...]
    more: bool = False


class SetText(Reply, frozen=True, kw_only=True, tag="set_text"):
    """Answer to ``get_set``: at most ``MAX_PIECE_CHARS`` characters of a transcript of ``length`` characters
    (``docs/notation.md``), from ``offset`` on.
    """

    record: RecordId
    offset: Seq
    text: str
    length: int
