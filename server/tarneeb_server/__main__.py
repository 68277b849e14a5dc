"""The command ``tarneeb-server``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING

from tarneeb_server import admin, records_command
from tarneeb_server.admin import COMMANDS, commands_help
from tarneeb_server.settings import Settings, flags
from tarneeb_server.sources import BadSettings, Chosen, choose, default_files, settings_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

OWN_COMMANDS = {
    "settings": "what is in force, as a settings file, and where each came from",
    "check": "whether flags, environment and settings file are accepted; 2 if not",
}
COPYING = {
    "backup": "copy a data directory, also while its server runs: backup TO --data-dir DIR",
    "restore": "put a copy in its place: restore FROM --data-dir DIR",
}
"""Commands that need no running server, with what ``--help`` says of them."""


def parser() -> argparse.ArgumentParser:
    """The command line, made from the table of settings."""
    made = argparse.ArgumentParser(
        prog="tarneeb-server",
        usage="%(prog)s [FLAG ...]\n       %(prog)s COMMAND [ARGUMENT ...]",
        description="Host Tarneeb for your friends: prints what they must type to join. Ctrl-C ends it.",
        epilog=f"{commands_help()}\n\n{records_command.commands_help()}\n\n"
        "commands that take the flags above, and start nothing:\n"
        + "\n".join(f"  {name:<10}{text}" for name, text in OWN_COMMANDS.items())
        + "\n\ncommands for a data directory:\n"
        + "\n".join(f"  {name:<10}{text}" for name, text in COPYING.items())
        + "\n\ntarneeb-server COMMAND --help says more of each; all of it is in"
        " docs/hosting.md.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--version", action="version", version=f"tarneeb-server {_version()}")
    made.add_argument(
        "--config",
        metavar="FILE",
        help="settings in TOML, as tarneeb-server settings prints them; flags and TARNEEB_SERVER_... go before"
        " it (default: server.toml in the configuration directory of this account, else of the machine)",
    )
    for name, flag in flags():
        option = f"--{name.replace('_', '-')}"
        made.add_argument(option, dest=name, action="append", metavar=flag.metavar, help=flag.help)
    return made


def chosen_from(arguments: Sequence[str], environment: Mapping[str, str], places: Sequence[str] = ()) -> Chosen:
    """The settings that flags, environment and settings file ask for. Exits with status 2 and a message on
    standard error, with every fault, for anything that is not accepted.
    """
    made = parser()
    parsed, unknown = made.parse_known_args(arguments)
    if unknown:
        made.error(_unknown(unknown))
    given = {name: texts for name, texts in vars(parsed).items() if texts is not None and name != "config"}
    try:
        return choose(given, parsed.config, environment, places)
    except BadSettings as error:
        made.error("\n".join(("these settings are not accepted:", *(f"  {fault}" for fault in error.faults))))


def settings_from(
    arguments: Sequence[str], environment: Mapping[str, str], places: Sequence[str] = ()
) -> Settings:
    """The settings of ``chosen_from``."""
    return chosen_from(arguments, environment, places).settings


def _unknown(words: Sequence[str]) -> str:
    commands = (*COMMANDS, *records_command.COMMANDS, *OWN_COMMANDS, *COPYING)
    known = next((word for word in words if word in commands), None)
    if known is not None:
        return f"a command comes before its arguments: tarneeb-server {known} ..."
    if not words[0].startswith("-"):
        return f"{words[0]!r} is no command; there are {', '.join(commands)}"
    return f"unrecognized arguments: {' '.join(words)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the server until Ctrl-C or SIGTERM, or carry out a command for one that runs. The exit status: 0, 1
    when a command could not be done, 2 when what was asked is not accepted.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if given and (command := _command(given[0])) is not None:
            return _answer(command, given[1:])
        return _host(settings_from(given, os.environ, default_files()))
    except KeyboardInterrupt:  # before the server listened for signals
        return 0


def _command(name: str) -> Callable[[Sequence[str]], int] | None:
    """What is to be done once and answered, by its name; a server is none of it."""
    if name in COMMANDS:
        return partial(admin.main, name)
    if name in COPYING:
        from tarneeb_server import backup  # noqa: PLC0415  (--help answers at once)

        return partial(backup.main, name)
    if name in records_command.COMMANDS:
        return partial(records_command.main, name)
    return partial(_own_command, name) if name in OWN_COMMANDS else None


def _own_command(name: str, arguments: Sequence[str]) -> int:
    chosen = chosen_from(arguments, os.environ, default_files())
    _say("\n".join(settings_lines(chosen)) if name == "settings" else "These settings are accepted.")
    return 0


def _answer(command: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """The exit status of the command. An output that is full is told, one that nobody reads any more is not."""
    try:
        status = command(arguments)
        sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:
            raise  # of a file, not of the output
        # What is left must not fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        _fail(f"the output cannot be written: {error.strerror}")
        return 1
    return status


def _host(settings: Settings) -> int:
    if settings.until == "input-ends" and sys.stdin is None:
        return _fail("--until input-ends: there is no standard input; leave it open, or say --until signal")

    # Imported here, so that --help and a mistyped flag answer at once.
    import trio  # noqa: PLC0415

    from tarneeb_server import service  # noqa: PLC0415
    from tarneeb_server.control_place import ControlError  # noqa: PLC0415
    from tarneeb_server.database import CannotStoreError  # noqa: PLC0415
    from tarneeb_server.descriptors import TooFewDescriptorsError, require_enough  # noqa: PLC0415
    from tarneeb_server.listener import CannotListenError  # noqa: PLC0415
    from tarneeb_server.logs import set_up  # noqa: PLC0415
    from tarneeb_server.store import Store  # noqa: PLC0415
    from tarneeb_server.tls import CannotUseTlsError, chosen  # noqa: PLC0415

    logger = set_up(settings.log_level, settings.log_format)
    store: Store | None = None
    try:
        require_enough(settings.max_connections)
        if settings.data_dir is not None:
            store = Store.open(settings.data_dir, settings.durability)
        else:
            logger.info("event=nothing_is_kept reason=no_data_dir")
        if settings.seed_for_tests is not None:
            logger.warning("event=predictable_deals reason=seed_for_tests")
        trio.run(service.run, settings, store, chosen(settings), _say)
    except (
        CannotListenError,
        CannotStoreError,
        CannotUseTlsError,
        ControlError,
        TooFewDescriptorsError,
    ) as error:
        return _fail(str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}")
    finally:
        if store is not None:
            store.close()
        # To the very end: the interpreter gives handlers of ours up while it ends, for those that kill.
        for number in service.ENDING:
            signal.signal(number, signal.SIG_IGN)
    return 0


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201  (what friends must type is this program's output)


def _fail(reason: str) -> int:
    print(f"tarneeb-server: {reason}", file=sys.stderr)  # noqa: T201
    return 2


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("tarneeb")
    except PackageNotFoundError:
        return "of an unpackaged tree"


if __name__ == "__main__":
    sys.exit(main())
