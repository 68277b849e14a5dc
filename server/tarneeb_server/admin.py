"""The host's commands: ``tarneeb-server status``, ``kick``, ``ban`` and the others, for a server that runs.

Each is one request on the server's control socket (``control_requests``) and what it answered, in words.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tarneeb_server.durations import duration_text, parse_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Fields = dict[str, Any]

DRAIN_SECONDS = 900
"""How long sets may go on when ``drain`` does not say: three of four are over by then."""
STOP_SECONDS = 30.0
"""How long ``stop`` waits for the process to end: several times what an orderly end takes."""

DONE, REFUSED = 0, 1


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``add`` adds its arguments, ``request`` makes the request of them, ``tell`` puts the
    answer's result into lines beside those the server said.
    """

    help: str
    text: str
    add: Callable[[argparse.ArgumentParser], None]
    request: Callable[[argparse.Namespace], Fields]
    tell: Callable[[Fields], list[str]] = lambda _: []


def _nothing(_: argparse.ArgumentParser) -> None:
    pass


def _duration(text: str) -> int:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected {error}") from None


def _status_arguments(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--check",
        action="store_true",
        help="one line, and exit status 1 unless the server answers and its journal works, for health checks",
    )


def _kick_arguments(made: argparse.ArgumentParser) -> None:
    made.add_argument("name", metavar="NAME", help="as status shows it, or #3 for session 3")
    made.add_argument("--reason", metavar="TEXT", default="", help="what the player is told")


def _ban_arguments(made: argparse.ArgumentParser) -> None:
    made.add_argument("what", metavar="WHAT", help="a name, an address, or a network such as 192.168.7.0/24")
    made.add_argument(
        "--for", dest="seconds", type=_duration, metavar="TIME", help="30m, 12h, 7d (default: until unban)"
    )
    made.add_argument("--reason", metavar="TEXT", default="", help="what whoever is banned is told")
    made.add_argument("--name", action="store_true", help="WHAT is a name, even if it looks like an address")
    made.add_argument("--yes", action="store_true", help="ban the addresses of this machine itself, too")


def _drain_arguments(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--within",
        type=_duration,
        default=DRAIN_SECONDS,
        metavar="TIME",
        help=f"stop after this time at the latest (default: {duration_text(DRAIN_SECONDS)})",
    )
    made.add_argument("--cancel", action="store_true", help="go on after all")


def _drain_request(given: argparse.Namespace) -> Fields:
    return {"command": "cancel_drain"} if given.cancel else {"command": "drain", "within": given.within}


def _tournament_arguments(made: argparse.ArgumentParser) -> None:
    made.add_argument("--end", type=_number, metavar="N", help="end tournament N, in its opener's place")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 16 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected the number of a tournament, not {text!r}")
    return int(text)


def _tournament_request(given: argparse.Namespace) -> Fields:
    if given.end is None:
        return {"command": "tournaments"}
    return {"command": "end_tournament", "number": given.end}


def _tell_tournaments(result: Fields) -> list[str]:
    from tarneeb_server.admin_wording import tournament_lines  # noqa: PLC0415

    return tournament_lines(result)


def _what_argument(made: argparse.ArgumentParser) -> None:
    made.add_argument("what", metavar="WHAT", help="the name, address or network, as bans shows it")


def _text_argument(made: argparse.ArgumentParser) -> None:
    made.add_argument("text", metavar="TEXT", nargs="+", help="what to say, up to 300 characters")


def _tell_status(status: Fields) -> list[str]:
    from tarneeb_server.admin_wording import status_lines  # noqa: PLC0415  (imported where it is needed)

    return status_lines(status)


def _tell_bans(result: Fields) -> list[str]:
    from tarneeb_server.admin_wording import ban_lines  # noqa: PLC0415

    return ban_lines(result)


COMMANDS: dict[str, Command] = {
    "status": Command(
        "who is here, what is played, what is kept",
        "Shows a running server: who is here and from where, the tables, the journal. No cards and no secrets.",
        _status_arguments,
        lambda _: {"command": "status"},
        _tell_status,
    ),
    "kick": Command(
        "end a player's session",
        "Ends a session at once: the player is told, the seat and the name are free, and a bot plays on. The"
        " player may come back; ban keeps out.",
        _kick_arguments,
        lambda given: {"command": "kick", "name": given.name, "reason": given.reason},
    ),
    "ban": Command(
        "keep a name, an address or a network out",
        "Lets nobody in by a name, or from an address or network, and throws out whoever is here. Names that"
        " look alike count as one. With --data-dir a ban outlives the server.",
        _ban_arguments,
        lambda given: {
            "command": "ban",
            "what": given.what,
            "is_name": given.name,
            "is_sure": given.yes,
            "seconds": given.seconds,
            "reason": given.reason,
        },
    ),
    "unban": Command(
        "lift a ban",
        "Lifts a ban.",
        _what_argument,
        lambda given: {"command": "unban", "what": given.what},
    ),
    "bans": Command(
        "the bans in force",
        "Lists the bans in force.",
        _nothing,
        lambda _: {"command": "bans"},
        _tell_bans,
    ),
    "say": Command(
        "an announcement to everybody",
        "Says something to everybody who is connected, at tables and in the lobby.",
        _text_argument,
        lambda given: {"command": "say", "text": " ".join(given.text)},
    ),
    "tournaments": Command(
        "the tournaments, and the end of one",
        "Lists the tournaments of a server: number, name, format, state, teams and who opened it. --end ends"
        " one in its opener's place; sets in progress do not count.",
        _tournament_arguments,
        _tournament_request,
        _tell_tournaments,
    ),
    "drain": Command(
        "stop when the sets in progress are over",
        "Opens no table and begins no set any more, tells everybody, and stops the server when the last set is"
        " over or the time has come.",
        _drain_arguments,
        _drain_request,
    ),
    "stop": Command(
        "stop now, as SIGTERM does",
        "Stops the server and waits until it has ended. With --data-dir every seat, hand and score is kept for"
        " its next start.",
        _nothing,
        lambda _: {"command": "stop"},
    ),
}
"""By name, in the order of ``--help``."""


def commands_help() -> str:
    """One line a command, for ``tarneeb-server --help``."""
    lines = [f"  {name:<12}{command.help}" for name, command in COMMANDS.items()]
    return "\n".join(["commands for a server that is running:", *lines])


def parser(name: str) -> argparse.ArgumentParser:
    """The command line of one command."""
    command = COMMANDS[name]
    made = argparse.ArgumentParser(
        prog=f"tarneeb-server {name}",
        description=command.text,
        epilog="It works for the account that runs the server, and for root. Exit status: 0 done, 1 not done,"
        " 2 not understood.",
        allow_abbrev=False,
    )
    command.add(made)
    made.add_argument("--json", action="store_true", help="the answer as one line of JSON")
    which = made.add_argument_group("which server, where more than one is running")
    which.add_argument("--port", type=int, metavar="N", help="the one that listens on this port")
    which.add_argument("--data-dir", metavar="DIR", help="the one that was started with this --data-dir")
    which.add_argument("--control", metavar="PATH", help="the one whose control socket this is")
    return made


def main(name: str, arguments: Sequence[str]) -> int:
    """Carry out a command; the exit status is 0, or 1 when it could not be done."""
    understood = parser(name)
    given = understood.parse_args(arguments)
    is_check: bool = getattr(given, "check", False)
    if is_check and given.json:
        understood.error("--check is one line of text; leave it out, or --json")

    from tarneeb_server.control_client import ask, wait_for_end  # noqa: PLC0415  (--help answers at once)
    from tarneeb_server.control_place import ControlError  # noqa: PLC0415

    try:
        with ask(COMMANDS[name].request(given), given.port, given.data_dir, given.control) as (answer, sock):
            if answer.get("ok") is True and name == "stop":
                wait_for_end(sock, STOP_SECONDS)
                answer["said"] = ["The server has stopped."]
    except ControlError as error:
        answer = {"ok": False, "error": str(error)}
    if is_check and answer.get("ok") is True:
        answer = _checked(answer["result"])
    return _show(answer, COMMANDS[name], as_json=given.json)


def _checked(status: Fields) -> Fields:
    """The answer to ``status --check``: whether a server in this state does what it is there for."""
    from tarneeb_server.admin_wording import check_line  # noqa: PLC0415

    fault = status["journal"]["fault"]
    if fault is not None:
        return {"ok": False, "error": f"{status['name']} runs, but its journal does not work: {fault}"}
    return {"ok": True, "said": [check_line(status)]}


def _show(answer: Fields, command: Command, *, as_json: bool) -> int:
    from tarneeb_server.admin_wording import shown  # noqa: PLC0415

    is_done = answer.get("ok") is True
    if as_json:
        import json  # noqa: PLC0415

        print(json.dumps(answer.get("result") if is_done else answer))  # noqa: T201  (what the command is for)
    elif is_done:
        result = answer.get("result")
        told = [] if result is None else command.tell(result)
        for line in [*answer.get("said", ()), *told]:
            print(shown(line))  # noqa: T201
    else:
        print(f"tarneeb-server: {shown(str(answer.get('error')))}", file=sys.stderr)  # noqa: T201
    return DONE if is_done else REFUSED
