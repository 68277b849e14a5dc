"""What the host's commands print: the answers of a server as lines for a terminal."""

from __future__ import annotations

from typing import Any

from tarneeb_protocol.text import harmless
from tarneeb_server.durations import duration_text

Fields = dict[str, Any]

SEATS = ("South", "East", "North", "West")


def shown(line: str) -> str:
    """A line that cannot command the terminal; its own line breaks stay."""
    return "\n".join(harmless(part) for part in line.split("\n"))


def status_lines(status: Fields) -> list[str]:
    """A server, its sessions and its tables."""
    counts, journal = status["counts"], status["journal"]
    up = duration_text(status["uptime_seconds"])
    lines = [
        f"{status['name']}, version {status['version']}, process {status['pid']}, running for {up}",
        f"Listens on {', '.join(status['addresses']) or 'no address'}, " + _tls(status["tls_fingerprint"]),
        f"Connections {status['connections']} of {status['max_connections']}",
        f"Sessions {counts['sessions']}, {counts['connected']} of them connected",
        f"Tables {counts['tables']}, sets in progress {counts['sets_in_progress']}; bans {status['bans']}",
        _journal_line(journal),
    ]
    if status["drain_seconds_left"] is not None:
        left = duration_text(status["drain_seconds_left"])
        lines.append(f"Draining: stops when no set is in progress, in {left} at the latest")
    if status["sessions"]:
        lines += ["", "Sessions"]
        lines += [_session_line(session) for session in status["sessions"]]
    if status["tables"]:
        lines += ["", "Tables"]
        lines += [line for table in status["tables"] for line in _table_lines(table)]
    return lines


def check_line(status: Fields) -> str:
    """A server that works, in one line."""
    counts = status["counts"]
    drains = ", draining" if status["drain_seconds_left"] is not None else ""
    return (
        f"{status['name']} works: connections {status['connections']} of {status['max_connections']},"
        f" tables {counts['tables']}{drains}"
    )


def _tls(fingerprint: str | None) -> str:
    return "without TLS" if fingerprint is None else f"with TLS, fingerprint {fingerprint}"


def _journal_line(journal: Fields) -> str:
    if journal["data_dir"] is None:
        return "Nothing is kept"
    if journal["fault"] is not None:
        return f"Journal in {journal['data_dir']}: FAULT: {journal['fault']}"
    return f"Journal in {journal['data_dir']}, durability {journal['durability']}"


def _session_line(session: Fields) -> str:
    if session["connected"]:
        where = f"from {session['address'] or 'an unknown address'}"
    else:
        where = f"away, held for {duration_text(session['grace_seconds_left'] or 0)}"
    place = "in the lobby"
    if session["table"] is not None:
        seat = session["seat"]
        place = f"table {session['table']}, " + ("watching" if seat is None else SEATS[seat])
    return f"  #{session['session']} {session['name']}: {where}; {place}"


def _table_lines(table: Fields) -> list[str]:
    parts = [table["state"].replace("_", " ")]
    if table["deal"] is not None:
        south_north, east_west = table["scores"]
        parts.append(f"set {table['set']}, deal {table['deal']}")
        parts.append(f"South-North {south_north}, East-West {east_west}")
    if table["spectators"]:
        parts.append(f"spectators {table['spectators']}")
    if table["locked"]:
        parts.append("password")
    seats = ", ".join(f"{seat} {_seat(occupant)}" for seat, occupant in zip(SEATS, table["seats"], strict=True))
    return [f"  {table['table']} {table['name']}: {'; '.join(parts)}", f"     {seats}"]


def _seat(occupant: Fields | None) -> str:
    if occupant is None:
        return "empty"
    if occupant["away_seconds_left"] is not None:
        return f"{occupant['name']} (away, held {duration_text(occupant['away_seconds_left'])})"
    return str(occupant["name"])


def ban_lines(result: Fields) -> list[str]:
    """The bans in force."""
    lines = []
    for ban in result["bans"]:
        time = "until lifted" if ban["seconds_left"] is None else f"for {duration_text(ban['seconds_left'])}"
        reason = f": {ban['reason']}" if ban["reason"] else ""
        lines.append(f"{ban['kind']} {ban['what']}, {time}{reason}")
    return lines or ["Nobody is banned."]


def tournament_lines(result: Fields) -> list[str]:
    """The tournaments; nothing when one was ended."""
    if "tournaments" not in result:
        return []
    lines = [
        f"{each['tournament']} {each['name']}: {each['format']}, {each['state']}, teams {each['teams']},"
        f" sets {each['sets_played']}, opened by {each['opener']}"
        for each in result["tournaments"]
    ]
    return lines or ["There is no tournament"]
