"""Recorded sets in sentences."""

from __future__ import annotations

from datetime import datetime

from tarneeb_client.language import _, plural
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless


def set_line(summary: m.SetSummary) -> str:
    """A set in a list, for a person: number, when, table, who won against whom."""
    south, east, north, west = (harmless(name) for name in summary.players)
    teams = ((south, north), (east, west))
    scores = summary.scores
    sentence = plural(
        "{number}. {when}, {table}: {winners} won against {losers}, {score} to {other}, in {deals} deal.",
        "{number}. {when}, {table}: {winners} won against {losers}, {score} to {other}, in {deals} deals.",
        summary.deals,
    )
    return sentence.format(
        number=summary.record,
        when=_when(summary.finished_at),
        table=harmless(summary.table_name),
        winners=_pair(*teams[summary.team]),
        losers=_pair(*teams[1 - summary.team]),
        score=scores[summary.team],
        other=scores[1 - summary.team],
        deals=summary.deals,
    )


def _pair(first: str, second: str) -> str:
    return _("{first} and {second}").format(first=first, second=second)


def _when(seconds: int) -> str:
    """A moment in local time; as a number where no calendar has it."""
    try:
        return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return str(seconds)
