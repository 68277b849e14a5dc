"""What is asked of the archive over the wire, and its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_protocol import messages as wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_server.refusing import NotGranted

if TYPE_CHECKING:
    from tarneeb_server.archive import Archive, FinishedSet


def from_archive(
    archive: Archive, session: int, request: wire.ListSets | wire.GetSet
) -> wire.Sets | wire.SetText:
    """The reply to the session's request. Raises ``NotGranted``."""
    if isinstance(request, wire.ListSets):
        most = wire.MAX_SETS_LISTED
        found = archive.listed(session, request.before, most + 1)
        summaries = tuple(_summary(finished) for finished in found[:most])
        return wire.Sets(id=request.id, sets=summaries, more=len(found) > most)
    text = archive.text_of(session, request.record)
    if text is None:
        raise NotGranted(
            ErrorCode.NO_SUCH_RECORD,
            f"there is no recorded set {request.record} that you may see",
            "record",
        )
    start = request.offset
    piece = text[start : start + wire.MAX_PIECE_CHARS]
    return wire.SetText(id=request.id, record=request.record, offset=start, text=piece, length=len(text))


def _summary(finished: FinishedSet) -> wire.SetSummary:
    return wire.SetSummary(
        record=finished.number,
        finished_at=finished.finished_at,
        table=finished.table,
        table_name=finished.table_name,
        set_number=finished.set_number,
        players=finished.players,
        deals=finished.deals,
        team=finished.winner,
        scores=finished.scores,
    )
