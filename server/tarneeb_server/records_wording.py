"""What is printed of recorded sets, players and standings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tarneeb_protocol.text import harmless
from tarneeb_server.set_facts import PersonKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_server.book import Book
    from tarneeb_server.records import RecordedSet
    from tarneeb_server.set_facts import Person

Fields = dict[str, Any]


def person_name(person: Person) -> str:
    """A player's name, or what the bots of a level are called together."""
    return person.name if person.kind is PersonKind.PLAYER else f"Bots ({person.name})"


def set_line(recorded: RecordedSet) -> str:
    """A set in a list."""
    south, east, north, west = (harmless(name) for name in recorded.players)
    ours, theirs = recorded.scores
    won = "South-North" if recorded.winner == 0 else "East-West"
    table = harmless(recorded.table_name)
    return (
        f"{recorded.number}. {_when(recorded.finished_at)} {table}: {south} and {north} {ours},"
        f" {east} and {west} {theirs}; won by {won}"
        + (f"; tournament {recorded.tournament}" if recorded.tournament else "")
    )


def player_rows(book: Book) -> list[Fields]:
    """Everybody, the best first."""
    rows = [
        {
            "name": person_name(tally.person),
            "kind": tally.person.kind.value,
            "rating": round(tally.skill.rating, 4),
            "mu": round(tally.skill.mu, 4),
            "sigma": round(tally.skill.sigma, 4),
            "sets": tally.sets,
            "sets_won": tally.sets_won,
        }
        for tally in book.tallies
        if tally.sets
    ]
    return _ranked(rows)


def team_rows(book: Book) -> list[Fields]:
    """Every team, the best first."""
    rows = [
        {
            "name": " and ".join(person_name(book.tallies[one].person) for one in team.people),
            "kind": "team",
            "rating": round(team.skill.rating, 4),
            "mu": round(team.skill.mu, 4),
            "sigma": round(team.skill.sigma, 4),
            "sets": team.sets,
            "sets_won": team.sets_won,
        }
        for team in book.teams.values()
    ]
    return _ranked(rows)


def _ranked(rows: list[Fields]) -> list[Fields]:
    ordered = sorted(rows, key=lambda row: -row["rating"])
    return [{"rank": rank, **row} for rank, row in enumerate(ordered, start=1)]


def standing_lines(rows: Sequence[Fields]) -> list[str]:
    """The standings as a table."""
    shown = [
        (
            str(row["rank"]),
            harmless(row["name"]),
            f"{row['rating']:.1f}",
            str(row["sets"]),
            str(row["sets_won"]),
        )
        for row in rows
    ]
    return _table(("", "name", "rating", "sets", "won"), shown)


def player_fields(book: Book, one: int) -> Fields:
    """What somebody has done; averages are ``None`` where there is nothing to average."""
    tally = book.tallies[one]
    return {
        "name": person_name(tally.person),
        "kind": tally.person.kind.value,
        "rating": round(tally.skill.rating, 4),
        "sets": tally.sets,
        "sets_won": tally.sets_won,
        "deals": tally.deals,
        "bids": tally.bids,
        "average_bid": _average(tally.bid_sum, tally.bids),
        "declared": tally.declared,
        "made": tally.made,
        "declared_tricks": tally.declared_tricks,
        "tricks_against_promise": _average(tally.declared_tricks - tally.promised, tally.declared),
        "supported": tally.supported,
        "supported_made": tally.supported_made,
        "defended": tally.defended,
        "defeated": tally.defeated,
        "defended_tricks": tally.defended_tricks,
        "average_tricks_defending": _average(tally.defended_tricks, tally.defended),
        "kaboots": tally.kaboots,
    }


def meetings(book: Book, one: int) -> list[Fields]:
    """Whom somebody has met, and how it went."""
    return [
        {
            "name": person_name(book.tallies[other].person),
            "together": met.together,
            "together_won": met.together_won,
            "against": met.against,
            "against_won": met.against_won,
        }
        for other, met in book.opponents(one)
    ]


def players_lines(rows: Sequence[Fields]) -> list[str]:
    """All players as a table."""
    shown = [
        (
            harmless(row["name"]),
            str(row["sets"]),
            str(row["sets_won"]),
            str(row["deals"]),
            _shown(row["average_bid"]),
            f"{row['made']}/{row['declared']}",
            _shown(row["tricks_against_promise"], signed=True),
            f"{row['defeated']}/{row['defended']}",
            str(row["kaboots"]),
        )
        for row in rows
    ]
    titles = ("name", "sets", "won", "deals", "bid", "made", "tricks", "defeated", "kaboots")
    return _table(titles, shown)


def player_lines(fields: Fields) -> list[str]:
    """One player in full."""
    lines = [
        (
            f"{harmless(fields['name'])}: rating {fields['rating']:.1f}, {fields['sets_won']} of"
            f" {fields['sets']} sets won, {fields['deals']} deals"
        ),
        f"  Bids: {fields['bids']}, {_shown(fields['average_bid'])} tricks on average",
        (
            f"  As declarer: {fields['made']} of {fields['declared']} contracts made,"
            f" {_shown(fields['tricks_against_promise'], signed=True)} tricks against what was promised"
        ),
        f"  As the declarer's partner: {fields['supported_made']} of {fields['supported']} contracts made",
        (
            f"  As defender: {fields['defeated']} of {fields['defended']} contracts defeated,"
            f" {_shown(fields['average_tricks_defending'])} tricks on average"
        ),
        f"  Kaboots: {fields['kaboots']}",
    ]
    lines += [
        f"  With {harmless(met['name'])}: {met['together_won']} of {met['together']} sets won as partners,"
        f" {met['against_won']} of {met['against']} as opponents"
        for met in fields["met"]
    ]
    return lines


def _average(total: int, count: int) -> float | None:
    return round(total / count, 4) if count else None


def _shown(value: float | None, *, signed: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.2f}" if signed else f"{value:.2f}"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns, the widths by characters: names in wide scripts may stand out."""
    if not rows:
        return ["No set has been finished yet."]
    every = [titles, *rows]
    widths = [max(len(row[at]) for row in every) for at in range(len(titles))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in every
    ]


def _when(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return str(seconds)
