"""``tarneeb-server sets``, ``players``, ``standings`` and ``export``: the finished sets of a data directory.

They read the file themselves, so they work while the server runs and while it does not.
"""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tarneeb_server.records import RecordedSet

DONE, REFUSED, NOT_UNDERSTOOD = 0, 1, 2

COMMANDS = {
    "sets": ("the finished sets", "Lists the finished sets of a data directory, the earliest first."),
    "players": (
        "what players have done",
        (
            "Shows what every player has done in the finished sets: sets, bids, tricks, contracts. With a NAME,"
            " that player alone, and whom the player has met."
        ),
    ),
    "standings": (
        "ratings of players or teams",
        (
            "Ranks everybody by rating: OpenSkill's, mu - 3 sigma, reckoned from the finished sets in their"
            " order. A bot counts under the name of its level."
        ),
    ),
    "export": (
        "finished sets as text or JSON",
        (
            "Writes the transcript of one finished set, or all as JSON Lines, to the standard output. Anybody"
            " can check a transcript: tarneeb verify FILE."
        ),
    ),
}
"""By name: what ``--help`` of ``tarneeb-server`` says, and what the command's own says."""


def commands_help() -> str:
    """One line a command, for ``tarneeb-server --help``."""
    lines = [f"  {name:<11}{short}" for name, (short, _) in COMMANDS.items()]
    return "\n".join(["what was played, from a data directory:", *lines])


def _since(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a date such as 2026-11-30, not {text!r}") from None
    return int((moment if moment.tzinfo is not None else moment.astimezone()).timestamp())


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 15 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected the number of a set, as sets shows it, not {text!r}")
    return int(text)


def parser(name: str) -> argparse.ArgumentParser:
    """The command line of one command."""
    made = argparse.ArgumentParser(
        prog=f"tarneeb-server {name}",
        description=COMMANDS[name][1],
        epilog="It reads the data directory, whether a server runs on it or not. Exit status: 0 done, 1 not"
        " done, 2 not understood.",
        allow_abbrev=False,
    )
    if name == "players":
        made.add_argument("name", metavar="NAME", nargs="?", help="one player")
    if name == "export":
        made.add_argument("number", metavar="NUMBER", nargs="?", type=_number, help="one set alone, as text")
    if name == "standings":
        made.add_argument("--teams", action="store_true", help="teams in place of players")
    made.add_argument(
        "--data-dir", metavar="DIR", help="the data directory (default: that of the running server)"
    )
    made.add_argument("--player", metavar="NAME", help="only sets in which this player played")
    made.add_argument("--since", type=_since, default=0, metavar="DATE", help="only sets that ended since then")
    made.add_argument("--table", metavar="TABLE", help="only sets of this table, a number or a name")
    made.add_argument("--json", action="store_true", help="one JSON object a line")
    return made


def main(name: str, arguments: Sequence[str]) -> int:
    """Carry out a command; the exit status."""
    given = parser(name).parse_args(arguments)

    from tarneeb_server.control_place import ControlError  # noqa: PLC0415  (--help answers at once)
    from tarneeb_server.database import CannotStoreError  # noqa: PLC0415
    from tarneeb_server.records import opened, recorded_sets  # noqa: PLC0415

    try:
        with opened(given.data_dir or _running()) as database:
            found = (each for each in recorded_sets(database, since=given.since) if _is_meant(each, given))
            lines = _lines(name, given, found)
            if lines is None:
                return REFUSED
            for line in lines:
                print(line)  # noqa: T201  (what the command is for)
    except (CannotStoreError, ControlError) as error:
        return _fail(str(error))
    except BrokenPipeError:
        sys.stderr.close()  # whoever read has enough
    return DONE


def _running() -> str:
    """The data directory of the server that runs. Raises ``ControlError``."""
    from tarneeb_server.control_client import ask  # noqa: PLC0415
    from tarneeb_server.control_place import ControlError  # noqa: PLC0415

    try:
        with ask({"command": "status"}, None, None, None) as (answer, _):
            directory = answer.get("result", {}).get("journal", {}).get("data_dir")
    except ControlError as error:
        raise ControlError(f"say --data-dir DIR; without it: {error}") from None
    if not isinstance(directory, str):
        raise ControlError("the running server keeps nothing; say --data-dir DIR for another directory")
    return directory


def _is_meant(recorded: RecordedSet, given: argparse.Namespace) -> bool:
    return (given.player is None or recorded.has_player(given.player)) and (
        given.table is None or recorded.was_at(given.table)
    )


def _lines(
    name: str, given: argparse.Namespace, found: Iterator[RecordedSet]
) -> Iterator[str] | list[str] | None:
    """What the command prints, or ``None`` where it has been said why there is nothing."""
    from tarneeb_server import records_wording as wording  # noqa: PLC0415
    from tarneeb_server.book import Book  # noqa: PLC0415

    if name == "sets":
        return (_json(each.fields()) if given.json else wording.set_line(each) for each in found)
    if name == "export":
        return _exported(given, found)
    book = Book()
    for each in found:
        if each.facts is not None:
            book.add(each.number, each.facts)
    if name == "standings":
        rows = wording.team_rows(book) if given.teams else wording.player_rows(book)
        return [_json(row) for row in rows] if given.json else wording.standing_lines(rows)
    if given.name is None:
        rows = [wording.player_fields(book, one) for one in range(len(book.tallies))]
        return [_json(row) for row in rows] if given.json else wording.players_lines(rows)
    one = book.find(given.name)
    if one is None:
        _fail(f"nobody of the name {given.name!r} has played in these sets")
        return None
    fields = wording.player_fields(book, one)
    fields["met"] = wording.meetings(book, one)
    return [_json(fields)] if given.json else wording.player_lines(fields)


def _exported(given: argparse.Namespace, found: Iterator[RecordedSet]) -> Iterator[str] | list[str] | None:
    import msgspec  # noqa: PLC0415

    def as_json(each: RecordedSet) -> str:
        return _json({**each.fields(), "facts": msgspec.to_builtins(each.facts), "transcript": each.transcript})

    if given.number is None:
        return map(as_json, found)
    meant = next((each for each in found if each.number == given.number), None)
    if meant is None:
        _fail(f"there is no set {given.number} among these; tarneeb-server sets lists them")
        return None
    return [as_json(meant) if given.json else meant.transcript.removesuffix("\n")]


def _json(fields: dict[str, Any]) -> str:
    import json  # noqa: PLC0415

    return json.dumps(fields)


def _fail(reason: str) -> int:
    from tarneeb_server.admin_wording import shown  # noqa: PLC0415

    print(f"tarneeb-server: {shown(reason)}", file=sys.stderr)  # noqa: T201
    return REFUSED
