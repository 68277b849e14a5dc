"""The options of a table as a player types them: ``OPTION=VALUE`` pairs, and the request that they make."""

from __future__ import annotations

import shlex
from enum import StrEnum

import msgspec

from tarneeb_client.link import NEW
from tarneeb_client.parse import Unreadable, echoed, parse_number
from tarneeb_engine.ruleset import AuctionKind, Dealing, FourPasses, Thirteen
from tarneeb_protocol import messages as m


def split_options(text: str) -> tuple[list[str], dict[str, str]]:
    """Words, and ``option=value`` pairs, of a line where quotes hold words together. Raises ``Unreadable``."""
    try:
        parts = shlex.split(text)
    except ValueError:
        parts = text.split()  # an apostrophe, as in: open Rami's table
    words = [part for part in parts if "=" not in part]
    pairs = [part.partition("=") for part in parts if "=" in part]
    options = {key.lower().replace("-", "_"): value for key, _, value in pairs}
    if len(options) < len(pairs):
        raise Unreadable("An option is given twice.")
    return words, options


def only_password(command: str, options: dict[str, str]) -> str | None:
    """The password among the options of a command that takes no other. Raises ``Unreadable``."""
    password = options.pop("password", None)
    if options:
        raise Unreadable(f"{command} takes the option password alone, not {echoed(', '.join(options))}.")
    return password


RULE_KINDS: dict[str, type[StrEnum]] = {
    "auction": AuctionKind,
    "four_passes": FourPasses,
    "thirteen": Thirteen,
    "dealing": Dealing,
}
RULE_SWITCHES = ("partner_hints", "lead_tarneeb")
TABLE_OPTIONS = ("preset", "target", "turn", "spectators", "password", *RULE_KINDS, *RULE_SWITCHES)
"""Every option of ``open``."""
_SWITCHES = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


def read_open_table(name: str, options: dict[str, str]) -> m.OpenTable:
    """The request for a new table; raises ``Unreadable``. What a preset or a target may be, the server says."""
    unknown = [option for option in options if option not in TABLE_OPTIONS]
    if unknown:
        accepted = ", ".join(TABLE_OPTIONS)
        raise Unreadable(f"{echoed(unknown[0])} is not an option of a table. Accepted: {accepted}.")
    rules: dict[str, object] = {
        option: _one_of(option, options[option], kind)
        for option, kind in RULE_KINDS.items()
        if option in options
    }
    rules |= {option: _switch(option, options[option]) for option in RULE_SWITCHES if option in options}
    if options.get("password") == "":
        raise Unreadable("password= is followed by no password. Accepted: password=TEXT, no spaces around =.")
    if "target" in options:
        rules["target"] = parse_number(options["target"], "a target")
    return m.OpenTable(
        id=NEW,
        name=name,
        preset=options.get("preset", "tarneeb").lower(),
        rules=msgspec.convert(rules, m.RuleChoices),
        turn_seconds=parse_number(options["turn"], "a number of seconds") if "turn" in options else None,
        spectators=_switch("spectators", options.get("spectators", "yes")),
        password=options.get("password"),
    )


def _one_of(option: str, value: str, kind: type[StrEnum]) -> StrEnum:
    try:
        return kind(value.lower().replace("-", "_"))
    except ValueError:
        raise Unreadable(f"{option} is one of {', '.join(kind)}, not {echoed(value)}.") from None


def _switch(option: str, value: str) -> bool:
    switch = _SWITCHES.get(value.lower())
    if switch is None:
        raise Unreadable(f"{option} is yes or no, not {echoed(value)}.")
    return switch
