"""From parsed arguments to a running program: checks what argparse cannot, and turns trouble into sentences."""

from __future__ import annotations

import argparse
import getpass
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio

from tarneeb_client import language, programs, replaying, right_to_left, verifying
from tarneeb_client.addresses import Address, BadAddress, parse_address
from tarneeb_client.appearance import appearance, surroundings
from tarneeb_client.bot_player import BotFailed
from tarneeb_client.console import (
    HUNG_UP,
    OutputClosed,
    TerminalGone,
    abandon_lost_output,
    abandon_output,
    open_missing_streams,
    write_notice,
)
from tarneeb_client.dialling import Security, Untrusted
from tarneeb_client.known_servers import CannotTellError, KnownServers, default_file
from tarneeb_client.language import _
from tarneeb_client.lessons import SEED, Coach
from tarneeb_client.link_items import LinkFailed, RequestFailed
from tarneeb_client.look import Look
from tarneeb_client.parse import Unreadable, echoed, parse_seat
from tarneeb_client.preferences import Preferences, load
from tarneeb_client.preferences_file import preferences_path
from tarneeb_client.recent_servers import recent_servers
from tarneeb_client.recorded_sets import AtServer
from tarneeb_client.replay import CannotRead, CannotReplay
from tarneeb_client.server_process import ServerFailed
from tarneeb_client.verbosity import Verbosity
from tarneeb_client.wording.refusals import refusal_text
from tarneeb_engine.seats import Seat
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.fingerprint import parse_fingerprint
from tarneeb_protocol.messages import MAX_NAME_CHARS, BotLevel
from tarneeb_protocol.player_names import player_name
from tarneeb_protocol.text import BadTextError, clean_name, harmless

EXIT_TROUBLE = 1
EXIT_NOT_READ = 2
"""Of ``verify``, where there was nothing to look at."""
LONGEST_PASSWORD = 128
KNOWN = (
    LinkFailed,
    RequestFailed,
    BotFailed,
    ServerFailed,
    OutputClosed,
    Untrusted,
    CannotReplay,
    TerminalGone,
)
"""What a program may end with: each tells in a sentence what happened."""

VISITOR = "Visitor"
"""As whom recorded sets are asked for: nobody is met, so that no name has to be chosen."""


class BadArgument(ValueError):
    """An argument cannot be used; the text says which, why, and what is accepted."""


def start(parsed: argparse.Namespace) -> int:
    """Run the command and return its exit status. Raises ``BadArgument``."""
    open_missing_streams()
    if getattr(parsed, "json", False):
        language.use("en")  # what programs read is the same everywhere
    if parsed.command == "forget":
        return _forget(parsed)
    ended = _run(_program(parsed))
    if _can_ask_for_password(parsed, ended) and (password := _ask_for_password()) is not None:
        ended = _run(_program(parsed, password))
    if isinstance(ended, int):
        return ended
    if isinstance(ended, OutputClosed | TerminalGone):
        abandon_output()
    if isinstance(ended, TerminalGone):
        return HUNG_UP
    if str(ended) or not isinstance(ended, OutputClosed):
        _complain(parsed, ended)
    if parsed.command == "verify":  # whatever is not the set's own fault
        is_wrong = isinstance(ended, CannotReplay) and not isinstance(ended, CannotRead)
        return EXIT_TROUBLE if is_wrong else EXIT_NOT_READ
    return EXIT_TROUBLE


def _run(program: Callable[[], Awaitable[int]]) -> int | BaseException:
    """The exit status, or the trouble that ended the program."""
    try:
        return anyio.run(_until_signal, program)
    except BaseExceptionGroup as group:
        return _first_known(group)
    except KNOWN as known:
        return known


def _can_ask_for_password(parsed: argparse.Namespace, ended: int | BaseException) -> bool:
    """Whether the server wants a password and a person is there to type it."""
    return (
        isinstance(ended, LinkFailed)
        and ended.code == ErrorCode.WRONG_PASSWORD
        and parsed.command in {"play", "watch", "replay", "verify"}
        and parsed.password_file is None
        and not getattr(parsed, "json", False)
        and sys.stdin.isatty()
        and sys.stdout.isatty()
    )


def _ask_for_password() -> str | None:
    """The server's password as typed, without showing it; ``None`` when the person types none."""
    try:
        typed = getpass.getpass(_("The server has a password: "))
    except EOFError:
        print()  # noqa: T201  (Ctrl-D leaves the cursor behind the question)
        return None
    return typed[:LONGEST_PASSWORD] or None


async def _until_signal(program: Callable[[], Awaitable[int]]) -> int:
    """Run the program; SIGINT, SIGTERM and SIGHUP end it in order, with the status a shell expects."""
    status = EXIT_TROUBLE
    async with anyio.create_task_group() as tasks:

        async def listen() -> None:
            nonlocal status
            with anyio.open_signal_receiver(*ENDING_SIGNALS) as signals:
                async for number in signals:
                    abandon_lost_output()
                    status = 128 + number
                    tasks.cancel_scope.cancel()
                    return

        tasks.start_soon(listen)
        status = await program()
        tasks.cancel_scope.cancel()
    return status


ENDING_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name) and os.name == "posix"
)


def _first_known(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The trouble to tell of when several tasks failed at once; one that nobody foresaw goes on as it is."""
    foreseen, others = group.split(KNOWN)
    if foreseen is None or others is not None:
        raise group
    first: BaseException = foreseen
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first


def _complain(parsed: argparse.Namespace, error: BaseException) -> None:
    text = str(error)
    if isinstance(error, RequestFailed):
        text = f"{refusal_text(error.error.code, error.error.message)} ({harmless(error.error.code)})"
    if isinstance(error, LinkFailed | Untrusted):
        address = harmless(
            getattr(parsed, "address", None) or getattr(parsed, "server", None) or _("the private server")
        )
        text = _("cannot play at {address}: {reason}.").format(address=address, reason=text)
        if error.code in {"no_connection", "no_answer", "no_welcome"}:
            text += " " + _(
                "Is the address right, and does tarneeb-server run there? Its first lines tell what to type."
            )
    write_notice(f"{' '.join(filter(None, ('tarneeb', parsed.command)))}: {text}")


def _program(parsed: argparse.Namespace, password: str | None = None) -> Callable[[], Awaitable[int]]:
    match parsed.command:
        case "demo":
            return partial(programs.demo, seed=parsed.seed)
        case "solo":
            return partial(programs.solo, _solo_options(parsed, seed=parsed.seed, level=BotLevel(parsed.level)))
        case "learn":
            lessons = _solo_options(parsed, seed=SEED, level=BotLevel.STEADY)
            return partial(programs.solo, replace(lessons, coach=Coach(in_lines=lessons.look is None)))
        case "replay":
            return _replay(parsed, password)
        case "verify":
            return _verify(parsed, password)
        case "doctor":
            from tarneeb_client import doctor  # noqa: PLC0415  (loads all that it examines)

            return partial(doctor.report, as_json=parsed.json)
        case "bot":
            return partial(programs.bots, _bot_options(parsed))
        case "find":
            # Imported here because no other command needs zeroconf.
            from tarneeb_client.finding import FindOptions, find  # noqa: PLC0415

            return partial(find, FindOptions(parsed.seconds, parsed.json, recent_servers()))
        case None:
            return _home(parsed)
    is_watch = parsed.command == "watch"
    preferences = _preferences(parsed)
    options = programs.PlayOptions(
        address=read_address(parsed.address),
        name=own_name(parsed.name, preferences),
        plain=parsed.plain,
        json=parsed.json,
        look=look_of(parsed, preferences),
        verbosity=Verbosity(int(preferences.verbosity)),
        password=read_password(parsed.password_file) if password is None else password,
        security=_security(parsed),
        table=parsed.table,
        seat=None if is_watch else _seat(parsed.seat),
        watch=is_watch,
        is_new=parsed.new,
        is_named=parsed.name is not None or bool(preferences.name),
    )
    if options.seat is not None and options.table is None:
        raise BadArgument(_("--seat needs --table: say at which table"))
    return partial(programs.play, options, partial(_warn, parsed.command))


def _solo_options(parsed: argparse.Namespace, *, seed: int | None, level: BotLevel) -> programs.SoloOptions:
    preferences = _preferences(parsed)
    return programs.SoloOptions(
        name=own_name(parsed.name, preferences),
        level=level,
        seed=seed,
        plain=parsed.plain,
        json=parsed.json,
        look=look_of(parsed, preferences),
        verbosity=Verbosity(int(preferences.verbosity)),
    )


def _replay(parsed: argparse.Namespace, password: str | None) -> Callable[[], Awaitable[int]]:
    preferences = _preferences(parsed)
    look = look_of(parsed, preferences)
    if parsed.server is None:
        if parsed.which is None:
            raise BadArgument(
                _("say what to show: a transcript's FILE, or --server HOST[:PORT] for the sets played there")
            )
        return partial(replaying.replay, Path(parsed.which), look)
    server = _recording_server(parsed, password)
    return partial(replaying.replay_from, server, _record(parsed.which), look)


def _verify(parsed: argparse.Namespace, password: str | None) -> Callable[[], Awaitable[int]]:
    preferences = _preferences(parsed)
    look_of(parsed, preferences)  # the language
    if parsed.server is None:
        return partial(verifying.verify, Path(parsed.which))
    record = _record(parsed.which)
    assert record is not None  # noqa: S101  (something was given)
    return partial(verifying.verify_from, _recording_server(parsed, password), record)


def _recording_server(parsed: argparse.Namespace, password: str | None) -> AtServer:
    return AtServer(
        address=read_address(parsed.server),
        name=VISITOR,
        security=_security(parsed),
        password=read_password(parsed.password_file) if password is None else password,
    )


def _record(text: str | None) -> int | None:
    """The number of a recorded set as typed. Raises ``BadArgument``."""
    if text is None:
        return None
    if text.isdecimal() and len(text) <= 15 and int(text) >= 1:
        return int(text)
    raise BadArgument(
        _("{typed} is not the number of a recorded set: with --server, give a number from 1").format(
            typed=echoed(text)
        )
    )


def _home(parsed: argparse.Namespace) -> Callable[[], Awaitable[int]]:
    preferences = _preferences(parsed)
    look = look_of(parsed, preferences)
    if look is None:
        raise BadArgument(
            _("say what to do: tarneeb --help lists the commands. To choose from a list, a terminal is needed")
        )
    from tarneeb_client.home import Home  # noqa: PLC0415  (no other command needs all of it)

    return Home(look, preferences, login=own_name(None), warn=partial(_warn, "")).run


def _preferences(parsed: argparse.Namespace) -> Preferences:
    """The person's preferences; what is wrong in their file is said."""
    path = preferences_path()
    preferences, problems = load(path)
    for problem in problems:
        _warn(parsed.command or "", f"{harmless(str(path))}: {problem}.")
    return preferences


def look_of(parsed: argparse.Namespace, preferences: Preferences) -> Look | None:
    """How the full screen looks, or ``None`` for lines. The language is chosen, too."""
    wants_lines = (
        getattr(parsed, "plain", False) or getattr(parsed, "lines", False) or getattr(parsed, "json", False)
    )
    decided = appearance(preferences, surroundings(), wants_plain=wants_lines)
    if not getattr(parsed, "json", False):
        language.use(decided.language)
    right_to_left.use(decided.rtl)
    return None if decided.is_plain else Look.of(preferences, decided)


def _warn(command: str, sentence: str) -> None:
    print(f"{f'tarneeb {command}'.strip()}: {sentence}", file=sys.stderr)  # noqa: T201


def _bot_options(parsed: argparse.Namespace) -> programs.BotOptions:
    seat = _seat(parsed.seat)
    if seat is not None and parsed.count > 1:
        raise BadArgument(_("--seat is for one bot: leave it out, or give --count 1"))
    _check_tournament(parsed)
    return programs.BotOptions(
        address=read_address(parsed.address),
        name=own_name(parsed.name),
        level=BotLevel(parsed.level),
        security=_security(parsed),
        table=_name(parsed.table, "--table"),
        count=parsed.count,
        sets=parsed.sets,
        seat=seat,
        seed=parsed.seed,
        wait_seconds=parsed.wait_seconds,
        password=read_password(parsed.password_file),
        tournament=parsed.tournament,
        team=None if parsed.team is None else _name(parsed.team, "--team"),
        partner=None if parsed.partner is None else _name(parsed.partner, "--partner"),
    )


def _check_tournament(parsed: argparse.Namespace) -> None:
    """Raise ``BadArgument`` for options of a tournament that do not go together."""
    for option in ("team", "partner"):
        if getattr(parsed, option) is not None and parsed.tournament is None:
            raise BadArgument(_("--{option} goes with --tournament").format(option=option))
    if parsed.tournament is None:
        return
    if parsed.count > 2:
        raise BadArgument(_("a team has two players: give --count 1 or 2 with --tournament"))
    if parsed.count == 2 and parsed.partner is not None:
        raise BadArgument(_("with --count 2 the two bots are partners: leave --partner out"))
    if parsed.count == 1 and parsed.team is not None and parsed.partner is None:
        raise BadArgument(_("say who the partner is: --partner NAME, or --count 2 for two bots"))


def _security(parsed: argparse.Namespace) -> Security:
    return Security(
        tls=parsed.tls,
        fingerprint=read_fingerprint(parsed.fingerprint),
        known=KnownServers(default_file()),
        tell=write_notice,
    )


def read_fingerprint(text: str | None) -> str | None:
    """A fingerprint as typed. Raises ``BadArgument``."""
    if text is None:
        return None
    try:
        return parse_fingerprint(text)
    except ValueError:
        fault = _(
            "--fingerprint: {typed} is no fingerprint: accepted are SHA256: and 43 characters of base64, "
            "or 64 hexadecimal digits with or without colons"
        )
        raise BadArgument(fault.format(typed=echoed(text))) from None


def _forget(parsed: argparse.Namespace) -> int:
    """Forget which certificate a server had. 1 when there was nothing to forget."""
    address, known = read_address(parsed.address), KnownServers(default_file())
    try:
        was_there = known.forget(address)
    except (CannotTellError, OSError) as error:
        reason = f"{known.path}: {error.strerror}" if isinstance(error, OSError) else str(error)
        _warn("forget", reason)
        return EXIT_TROUBLE
    if not was_there:
        none = _("no certificate is known of {address}").format(address=address)
        _warn("forget", none)
        return EXIT_TROUBLE
    forgotten = _("The certificate of {address} is forgotten. The next connection is a first one.")
    print(forgotten.format(address=address))  # noqa: T201
    return 0


def read_address(text: str) -> Address:
    """An address as typed. Raises ``BadArgument``."""
    try:
        return parse_address(text)
    except BadAddress as error:
        raise BadArgument(str(error)) from None


def _seat(text: str | None) -> Seat | None:
    if text is None:
        return None
    try:
        return parse_seat(text)
    except Unreadable as error:
        raise BadArgument(f"--seat: {error}") from None


def _name(text: str, option: str) -> str:
    try:
        return clean_name(text, MAX_NAME_CHARS)
    except BadTextError as error:
        raise BadArgument(f"{option}: {error}") from None


def own_name(text: str | None, preferences: Preferences | None = None) -> str:
    """The name given, else the preferred one, else the login name, if it is one that servers take. Raises
    ``BadArgument``.
    """
    if text is not None:
        return _name(text, "--name")
    if preferences is not None and preferences.name:
        return preferences.name
    try:
        return player_name(getpass.getuser()[:MAX_NAME_CHARS])
    except (OSError, KeyError, ImportError, BadTextError):
        return "Player"


def read_password(path: str | None) -> str | None:
    """The first line of the password file, if one is named. Raises ``BadArgument``."""
    if path is None:
        return None
    try:
        first, _end, _rest = Path(path).read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or _("it is not UTF-8 text")
        fault = _("--password-file: cannot read {path}: {reason}")
        raise BadArgument(fault.format(path=harmless(path), reason=reason)) from None
    password = first.rstrip("\r")
    if not password or len(password) > LONGEST_PASSWORD:
        raise BadArgument(
            _("--password-file: the first line is the password, 1 to {most} characters").format(
                most=LONGEST_PASSWORD
            )
        )
    return password
