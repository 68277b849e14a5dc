"""The command line of players: ``tarneeb``."""

from __future__ import annotations

import argparse
import gettext
import os
import signal
import sys
from collections.abc import Sequence

from tarneeb_client import __version__, language
from tarneeb_client.language import N_, _
from tarneeb_client.output_encoding import encoding_in_use, tolerate_any_text

# Nothing else of the program is imported before the arguments are read, so that --help is quick.

EXIT_TROUBLE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

LEVELS = ("random", "steady")
HIGHEST_SEED = 2**63 - 1
"""What the server takes."""
ADDRESS_HELP = N_("server: HOST, HOST:PORT or [IPv6]:PORT; port 31313 unless given")


def build_parser() -> argparse.ArgumentParser:
    """The arguments of every command."""
    parser = argparse.ArgumentParser(
        prog="tarneeb",
        description=_("Play Tarneeb, the Arab world's favourite trick-taking game, over a network."),
        epilog=_(
            "Without a command: choose a server, or play with bots. "
            "tarneeb COMMAND --help tells more about each. To host a game: tarneeb-server."
        ),
    )
    parser.add_argument("--version", action="version", version=f"tarneeb {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_play(commands)
    _add_watch(commands)
    _add_find(commands)
    _add_bot(commands)
    _add_demo(commands)
    _add_solo(commands)
    _add_forget(commands)
    _add_learn(commands)
    _add_replay(commands)
    _add_verify(commands)
    _add_doctor(commands)
    _add_conformance(commands)
    return parser


_Commands = argparse._SubParsersAction  # argparse has no public name for it


def _add_play(commands: _Commands[argparse.ArgumentParser]) -> None:
    play = commands.add_parser(
        "play",
        help=_("play on a server"),
        description=_("Connect to a server and play. Press ? for the keys; in lines of text, type help."),
        epilog=_("Examples: tarneeb play; tarneeb play 192.168.1.20 --name Nour; tarneeb play ::1 --table 3"),
    )
    play.add_argument("address", nargs="?", default="127.0.0.1", metavar="HOST[:PORT]", help=_(ADDRESS_HELP))
    play.add_argument("--name", help=_("what the others call you (default: your login name)"))
    play.add_argument("--table", metavar="TABLE", help=_("sit down at this table, a number or a name, at once"))
    play.add_argument("--seat", metavar="SEAT", help=_("which seat: south, east, north or west"))
    _add_new(play)
    _add_output(play)
    _add_password(play)
    _add_tls(play)


def _add_watch(commands: _Commands[argparse.ArgumentParser]) -> None:
    watch = commands.add_parser(
        "watch",
        help=_("watch a table"),
        description=_("Connect to a server and watch a table: everything but the hands."),
        epilog=_("Example: tarneeb watch 192.168.1.20 --table 3"),
    )
    watch.add_argument("address", metavar="HOST[:PORT]", help=_(ADDRESS_HELP))
    watch.add_argument(
        "--table",
        metavar="TABLE",
        help=_(
            "the table, a number or a name; needed unless you were watching one when this program was cut off"
        ),
    )
    watch.add_argument("--name", help=_("what the others call you (default: your login name)"))
    _add_new(watch)
    _add_output(watch)
    _add_password(watch)
    _add_tls(watch)


def _add_new(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--new",
        action="store_true",
        help=_("come as somebody new, instead of back to the seat that an earlier start left behind"),
    )


def _add_find(commands: _Commands[argparse.ArgumentParser]) -> None:
    find = commands.add_parser(
        "find",
        help=_("find the servers on your network"),
        description=_(
            "List the servers that announce themselves on the local network, and those you played on "
            "that still answer: name, what to type, how far away, open tables and free seats."
        ),
        epilog=_(
            "Exit status: 0 a server answers, 1 none does. A typed address always works: "
            "tarneeb play HOST[:PORT]"
        ),
    )
    find.add_argument("--json", action="store_true", help=_("one JSON object a line, for programs"))
    find.add_argument(
        "--seconds", type=_seconds, default=3.0, metavar="S", help=_("how long to look (default: 3)")
    )


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plain",
        action="store_true",
        help=_(
            "lines of text instead of a full screen, without line editing, as a screen reader wants it; "
            "so it is anyway when input or output is no terminal"
        ),
    )
    command.add_argument("--lines", action="store_true", help=_("lines of text, with an input line to edit"))
    command.add_argument("--json", action="store_true", help=_("one JSON object a line, for programs"))


def _add_password(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--password-file", metavar="FILE", help=_("file with the server's password as its first line")
    )


def _add_tls(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--tls",
        action="store_true",
        help=_("never connect without encryption; where the server asks for it, or had it, it is used anyway"),
    )
    command.add_argument(
        "--fingerprint",
        metavar="TEXT",
        help=_("connect with encryption, and only to the server whose certificate has this fingerprint"),
    )


def _add_bot(commands: _Commands[argparse.ArgumentParser]) -> None:
    bot = commands.add_parser(
        "bot",
        help=_("let bots play on a server"),
        description=_(
            "Bots as ordinary clients. They sit down at the table of that name, opening it if there is "
            "none, play their sets and leave. A JSON line is printed for each finished set."
        ),
        epilog=_("Example: tarneeb bot 127.0.0.1 --table Friends --count 3"),
    )
    bot.add_argument("address", metavar="HOST[:PORT]", help=_(ADDRESS_HELP))
    bot.add_argument("--level", choices=LEVELS, default="steady", help=_("how it plays (default: steady)"))
    bot.add_argument("--table", default="Bots", metavar="NAME", help=_("name of the table (default: Bots)"))
    bot.add_argument(
        "--count", type=_seats, default=1, metavar="N", help=_("how many bots, 1 to 4 (default: 1)")
    )
    bot.add_argument(
        "--sets", type=_positive, default=1, metavar="N", help=_("how many sets it plays (default: 1)")
    )
    bot.add_argument(
        "--seat", metavar="SEAT", help=_("which seat: south, east, north or west; for one bot alone")
    )
    bot.add_argument(
        "--tournament",
        metavar="NAME",
        help=_("play in the tournament of this name or number, instead of at a table, until it is over"),
    )
    bot.add_argument(
        "--team",
        metavar="NAME",
        help=_("enter the tournament as this team; with --count 2 the two are partners"),
    )
    bot.add_argument(
        "--partner",
        metavar="NAME",
        help=_("the partner to ask; without --team the bot waits until it is asked itself"),
    )
    bot.add_argument("--name", default="Robot", help=_("what the others call it (default: Robot)"))
    bot.add_argument("--seed", type=_seed, metavar="N", help=_("makes its choices repeatable"))
    bot.add_argument(
        "--wait-seconds",
        type=_seconds,
        default=60.0,
        metavar="S",
        help=_("how long to wait for a set to begin, or a lost connection to come back (default: 60)"),
    )
    _add_password(bot)
    _add_tls(bot)


def _add_demo(commands: _Commands[argparse.ArgumentParser]) -> None:
    demo = commands.add_parser(
        "demo",
        help=_("see a whole set played"),
        description=_(
            "Start a private server, let four bots play a set on it over TCP, and show it as a "
            "spectator sees it. The server ends with it."
        ),
    )
    demo.add_argument("--seed", type=_seed, metavar="N", help=_("show the same set every time"))


def _add_solo(commands: _Commands[argparse.ArgumentParser]) -> None:
    solo = commands.add_parser(
        "solo",
        help=_("play with three bots"),
        description=_("Start a private server and sit down there with three bots. The server ends with it."),
    )
    solo.add_argument("--level", choices=LEVELS, default="steady", help=_("how they play (default: steady)"))
    solo.add_argument("--name", help=_("what the bots call you (default: your login name)"))
    solo.add_argument("--seed", type=_seed, metavar="N", help=_("the same cards every time"))
    _add_output(solo)


def _add_forget(commands: _Commands[argparse.ArgumentParser]) -> None:
    forget = commands.add_parser(
        "forget",
        help=_("forget the certificate of a server"),
        description=_(
            "Forget which certificate a server had, because its host has made a new one or turned "
            "encryption off. Ask the host before: this is what keeps others from taking the server's place."
        ),
        epilog=_("Example: tarneeb forget 192.168.1.20"),
    )
    forget.add_argument("address", metavar="HOST[:PORT]", help=_(ADDRESS_HELP))


def _add_learn(commands: _Commands[argparse.ArgumentParser]) -> None:
    learn = commands.add_parser(
        "learn",
        help=_("learn the game by playing a deal"),
        description=_(
            "Sit down with three bots on a private server, and be told what things mean as they come."
        ),
    )
    learn.add_argument("--name", help=_("what the bots call you (default: your login name)"))
    _add_output(learn)


def _add_replay(commands: _Commands[argparse.ArgumentParser]) -> None:
    replay = commands.add_parser(
        "replay",
        help=_("step through a recorded set"),
        description=_(
            "Show a recorded set, every hand in sight: step forward and back by action, trick or deal."
        ),
        epilog=_("With --server alone, the sets that were played there are listed."),
    )
    replay.add_argument(
        "which",
        metavar="FILE|NUMBER",
        nargs="?",
        help=_("a transcript (docs/notation.md); with --server, the number of a set that was played there"),
    )
    replay.add_argument("--server", metavar="HOST[:PORT]", help=_("the server that recorded the set"))
    replay.add_argument("--plain", action="store_true", help=_("tell the set in lines of text"))
    _add_password(replay)
    _add_tls(replay)


def _add_verify(commands: _Commands[argparse.ArgumentParser]) -> None:
    verify = commands.add_parser(
        "verify",
        help=_("check a recorded set"),
        description=_(
            "Check the shuffles, the cuts, the deals, every action and every score of a recorded set, from its "
            "transcript alone, and tell the first line that is wrong."
        ),
        epilog=_("Exit status: 0 all of it is so, 1 something is not, 2 nothing could be read."),
    )
    verify.add_argument(
        "which",
        metavar="FILE|NUMBER",
        help=_("a transcript (docs/notation.md); with --server, the number of a set that was played there"),
    )
    verify.add_argument("--server", metavar="HOST[:PORT]", help=_("the server that recorded the set"))
    _add_password(verify)
    _add_tls(verify)


def _add_doctor(commands: _Commands[argparse.ArgumentParser]) -> None:
    doctor = commands.add_parser(
        "doctor",
        help=_("show what this terminal can do"),
        description=_("Show what the terminal can do, what was chosen for it and why, and where files are."),
        epilog=_("Exit status: 1 when something in the file of preferences is not accepted, else 0."),
    )
    doctor.add_argument("--json", action="store_true", help=_("as one JSON object"))


def _add_conformance(commands: _Commands[argparse.ArgumentParser]) -> None:
    conformance = commands.add_parser(
        "conformance",
        help=_("check a server or a client against the protocol"),
        description="Play against a server, or with a client, and report requirement by requirement of the "
        "protocol. More in docs/conformance.md.",
        epilog="Exit status: 0 nothing failed, 1 something failed, 2 nothing could be checked.",
    )
    sides = conformance.add_subparsers(dest="side", metavar="SIDE", required=True)
    server = sides.add_parser(
        "server",
        help="check a server",
        description="Play against a server. It opens tables and sessions there and ends them; use one that "
        "nobody plays on. Start it with short times, or some of them are not tested: tarneeb-server "
        "--hello-seconds 1 --ping-seconds 1 --dead-seconds 3 --grace-seconds 3",
        epilog="Example: tarneeb conformance server 127.0.0.1:31313 --json",
    )
    server.add_argument("address", metavar="HOST[:PORT]", help=_(ADDRESS_HELP))
    _add_password(server)
    _add_tls(server)
    client = sides.add_parser(
        "client",
        help="check a client",
        description="Be scripted servers, good and hostile ones, for a client. Each scenario waits for the "
        "client to connect; a COMMAND is started for each, with {address}, {host} and {port} replaced.",
        epilog="Example: tarneeb conformance client --listen 0 -- tarneeb bot {address} --table Conformance",
    )
    client.add_argument(
        "--listen",
        type=_port,
        default=0,
        metavar="PORT",
        help="port on 127.0.0.1; 0, the default, picks one",
    )
    client.add_argument(
        "--type", metavar="FILE", help="lines typed to each COMMAND at its start; its input then stays open"
    )
    client.add_argument("program", nargs="*", metavar="COMMAND", help="starts the client, after --")
    for side in (server, client):
        side.add_argument("--json", action="store_true", help="one JSON object instead of lines for people")
        side.add_argument("--only", metavar="WORDS", help="only the checks whose subject or name holds WORDS")
        side.add_argument("--list", action="store_true", help="list the checks and run none")
        side.add_argument(
            "--patience",
            type=_seconds,
            default=12.0,
            metavar="S",
            help="how long to wait for what takes the other end's own time (default: 12)",
        )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535):
        raise argparse.ArgumentTypeError(_("{typed} is not a port, 0 to 65535").format(typed=repr(text)))
    return int(text)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) >= 1):
        raise argparse.ArgumentTypeError(
            _("{typed} is not a whole number from 1 to 999999").format(typed=repr(text))
        )
    return int(text)


def _seats(text: str) -> int:
    if text not in {"1", "2", "3", "4"}:
        raise argparse.ArgumentTypeError(
            _("{typed} is not a number of seats of a table, 1 to 4").format(typed=repr(text))
        )
    return int(text)


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) <= HIGHEST_SEED):
        raise argparse.ArgumentTypeError(
            _("{typed} is not a whole number from 0 to {last}").format(typed=repr(text), last=HIGHEST_SEED)
        )
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 86400:
        raise argparse.ArgumentTypeError(
            _("{typed} is not a number of seconds, over 0 and up to 86400").format(typed=repr(text))
        )
    return seconds


ARGPARSE_WORDS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
)
"""What argparse says itself: it asks gettext, by the same catalogue, for the language of the environment."""


def _speak() -> None:
    """Speak the language of the environment, before the arguments are read: a person's preferences are read
    later, where they matter.
    """
    found = language.of_environment(os.environ)
    if found is None or not language.can_be_written(found[0], encoding_in_use()):
        return
    language.use(found[0])
    gettext.bindtextdomain(language.DOMAIN, str(language.CATALOGUES))
    gettext.textdomain(language.DOMAIN)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``tarneeb``; returns the exit status. No traceback reaches the player."""
    tolerate_any_text()
    _speak()
    parsed = build_parser().parse_args(arguments)
    # Imported here because it takes most of the time of a start.
    from tarneeb_client.start import BadArgument, start  # noqa: PLC0415

    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as entry.py has it until here
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if parsed.command == "conformance":
            from tarneeb_client.conformance.command import start_conformance  # noqa: PLC0415

            return start_conformance(parsed)
        return start(parsed)
    except BadArgument as error:
        print(f"{' '.join(filter(None, ('tarneeb', parsed.command)))}: {error}", file=sys.stderr)  # noqa: T201
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001  (told, and kept)
        from tarneeb_client.unforeseen import tell_unforeseen  # noqa: PLC0415  (as above)

        return tell_unforeseen(error, parsed.command)


if __name__ == "__main__":
    sys.exit(main())
