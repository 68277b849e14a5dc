"""The options of a table as a player types them: ``OPTION=VALUE`` pairs, and the request that they make."""

from __future__ import annotations

import shlex
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from tarneeb_client.language import _, listed
from tarneeb_client.link import NEW
from tarneeb_client.parse import Unreadable, echoed, parse_number
from tarneeb_engine.ruleset import ENUM_OPTIONS, SWITCHES
from tarneeb_engine.variants import DEFAULT, PRESETS
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence


def split_options(text: str) -> tuple[list[str], dict[str, str]]:
    """Words, and ``option=value`` pairs, of a line where quotes hold words together. Raises ``Unreadable``."""
    try:
        parts = shlex.split(text)
    except ValueError:
        parts = text.split()  # an apostrophe, as in: open Rami's table
    words = [part for part in parts if "=" not in part]
    pairs = [part.partition("=") for part in parts if "=" in part]
    options = {key.lower().replace("-", "_"): value for key, _sign, value in pairs}
    if len(options) < len(pairs):
        raise Unreadable(_("An option is given twice."))
    return words, options


def only_password(command: str, options: dict[str, str]) -> str | None:
    """The password among the options of a command that takes no other. Raises ``Unreadable``."""
    password = options.pop("password", None)
    if options:
        alone = _("{command} takes the option password alone, not {options}.")
        raise Unreadable(alone.format(command=command, options=echoed(listed(options))))
    return password


TABLE_OPTIONS = (
    "preset",
    "target",
    "turn",
    "grace",
    "stand_in",
    "spectators",
    "password",
    *ENUM_OPTIONS,
    *SWITCHES,
)
"""Every option of ``open``."""
LONGEST_SECONDS = 3600
"""Of a turn and of the grace: what a server takes for a table."""
OTHER_PRESETS = tuple(word for word in PRESETS if word != DEFAULT and not word.isdigit())
"""Words that at the end of a table's name are rather meant as a preset; a number may well be of the name."""
_SWITCHES = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


def read_open_table(name: str, options: dict[str, str]) -> m.OpenTable:
    """The request for a new table; raises ``Unreadable``. What a preset or a target may be, the server says."""
    unknown = [option for option in options if option not in TABLE_OPTIONS]
    if unknown:
        raise Unreadable(
            _("{typed} is not an option of a table. Accepted: {accepted}.").format(
                typed=echoed(unknown[0]), accepted=listed(TABLE_OPTIONS)
            )
        )
    rules: dict[str, object] = {
        option: _one_of(option, options[option], kind)
        for option, kind in ENUM_OPTIONS.items()
        if option in options
    }
    rules |= {option: _switch(option, options[option]) for option in SWITCHES if option in options}
    if options.get("password") == "":
        raise Unreadable(
            _("password= is followed by no password. Accepted: password=TEXT, no spaces around =.")
        )
    if "target" in options:
        rules["target"] = parse_number(options["target"], _("{typed} is not a target: type a whole number."))
    return m.OpenTable(
        id=NEW,
        name=name,
        preset=options.get("preset", DEFAULT).lower(),
        rules=msgspec.convert(rules, m.RuleChoices),
        turn_seconds=_seconds(options, "turn"),
        grace_seconds=_seconds(options, "grace"),
        stand_in=_stand_in(options),
        spectators=_switch("spectators", options.get("spectators", "yes")),
        password=options.get("password"),
    )


def check_name(words: Sequence[str]) -> None:
    """Raise ``Unreadable`` for the words of a table's name that look like options without their ``=``."""
    for word, following in pairwise(words[1:]):
        if word.lower() in TABLE_OPTIONS:
            raise Unreadable(_no_name(words, f"{word.lower()}={following}"))
    if len(words) > 1 and words[-1].lower() in OTHER_PRESETS:
        raise Unreadable(_no_name(words, f"preset={words[-1].lower()}"))


def _no_name(words: Sequence[str], option: str) -> str:
    name = " ".join(words)
    if option.startswith("password="):
        return _(
            "Options are written with =, as in password=TEXT. If this is the table's name, put it in quotes."
        )
    return _(
        "Options are written with =, as in {option}. If {name} is to be the table's name, put it in quotes."
    ).format(option=harmless(option), name=echoed(name))


def _seconds(options: dict[str, str], option: str) -> int | None:
    if option not in options:
        return None
    seconds = parse_number(options[option], _("{typed} is not a number of seconds: type a whole number."))
    if seconds > LONGEST_SECONDS:
        allowed = _("{option} is 0 to {longest} seconds, not {seconds}.")
        raise Unreadable(allowed.format(option=option, longest=LONGEST_SECONDS, seconds=seconds))
    return seconds


def _stand_in(options: dict[str, str]) -> m.BotLevel | None:
    if "stand_in" not in options:
        return None
    return m.BotLevel(_one_of("stand_in", options["stand_in"], m.BotLevel))


def _one_of(option: str, value: str, kind: type[StrEnum]) -> StrEnum:
    try:
        return kind(value.lower().replace("-", "_"))
    except ValueError:
        allowed = _("{option} is one of {accepted}, not {typed}.")
        accepted = listed(kind)
        raise Unreadable(allowed.format(option=option, accepted=accepted, typed=echoed(value))) from None


def _switch(option: str, value: str) -> bool:
    switch = _SWITCHES.get(value.lower())
    if switch is None:
        raise Unreadable(_("{option} is yes or no, not {typed}.").format(option=option, typed=echoed(value)))
    return switch
