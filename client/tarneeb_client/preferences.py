"""A person's preferences: one table of what can be set, the TOML file they are in, and what it may hold.

Nothing in the file is evaluated. Of what it holds and is not accepted, a sentence tells; the default is used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tarneeb_client.language import N_, _, listed
from tarneeb_client.parse import echoed
from tarneeb_client.screens.themes import CLASSES, THEMES
from tarneeb_protocol.messages import MAX_NAME_CHARS
from tarneeb_protocol.text import BadTextError, clean_name

FILE_NAME = "tarneeb.toml"
LONGEST_FILE = 64 * 1024
"""Bytes: more is no file of preferences."""


@dataclass(frozen=True, slots=True)
class Preference:
    """What is known of a preference. ``options`` are the words that it may be, empty for a name; ``meaning`` is
    a sentence for the file, the form and docs/playing.md.
    """

    meaning: str
    options: tuple[str, ...] = ()


def _of(default: Any, meaning: str, *options: str) -> Any:
    return field(default=default, metadata={"preference": Preference(meaning, options)})


def _switch(meaning: str, *, default: bool) -> Any:
    return field(default=default, metadata={"preference": Preference(meaning, ("true", "false"))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """All that a person can set. ``colours`` is a theme of one's own over ``theme``: styles by class."""

    name: str = _of("", N_("What others call you; empty for your login name."))
    language: str = _of("auto", N_("The language; auto is that of the system."), "auto", "en", "ar")
    theme: str = _of("auto", N_("Colours; auto is dark, or mono where NO_COLOR is set."), "auto", *THEMES)
    deck: str = _of("four", N_("Colours of the suits: four, or two as on paper."), "four", "two")
    signs: str = _of("auto", N_("Suits and lines as Unicode or as letters."), "auto", "unicode", "ascii")
    rtl: str = _of(
        "terminal",
        N_("Who turns Arabic text round: the terminal, this program (app), or nobody (off)."),
        "terminal",
        "app",
        "off",
    )
    bell: str = _of(
        "turn", N_("When the bell rings: never, at your turn, or at chat too."), "off", "turn", "all"
    )
    mouse: bool = _switch(N_("Whether the mouse picks cards; it then no longer marks text."), default=False)
    one_key: bool = _switch(N_("Whether a card's letter plays it, without Enter."), default=False)
    preselect: bool = _switch(N_("Whether a card can be chosen before your turn."), default=True)
    verbosity: str = _of("2", N_("How much the line mode tells: 1 little, 2, 3 everything."), "1", "2", "3")
    colours: Mapping[str, str] = field(default_factory=dict)


def preferences_table() -> list[tuple[str, Preference, Any]]:
    """Every preference but ``colours``: name, what is known of it, and its default."""
    return [
        (entry.name, entry.metadata["preference"], entry.default)
        for entry in fields(Preferences)
        if "preference" in entry.metadata
    ]


def read_preferences(text: str) -> tuple[Preferences, list[str]]:
    """What a file of preferences says, and a sentence for each thing in it that is not accepted."""
    try:
        given = tomllib.loads(text)
    except RecursionError:
        return Preferences(), [_("it is no TOML: {reason}").format(reason=_("it is nested too deep"))]
    except ValueError as error:  # TOML that is none, and a number of thousands of digits
        return Preferences(), [_("it is no TOML: {reason}").format(reason=error)]
    known = {name: preference for name, preference, _ in preferences_table()}
    chosen: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in given.items():
        if key == "colours":
            chosen["colours"], faults = _colours(value)
            problems += faults
        elif key not in known:
            problems.append(
                _("there is no {name}; there are {names}").format(
                    name=echoed(key), names=listed([*known, "colours"])
                )
            )
        else:
            try:
                chosen[key] = _accepted(key, known[key], value)
            except ValueError as error:
                problems.append(f"{key}: {error}")
    return replace(Preferences(), **chosen), problems


def _accepted(key: str, preference: Preference, value: object) -> object:
    if preference.options == ("true", "false"):
        if isinstance(value, bool):
            return value
        raise ValueError(_("true or false is accepted, not {typed}").format(typed=echoed(str(value))))
    if key == "verbosity" and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(_("a text in quotes is accepted, not {typed}").format(typed=echoed(str(value))))  # noqa: TRY004  (a fault of the file)
    if preference.options:
        if value in preference.options:
            return value
        raise ValueError(
            _("one of {accepted} is accepted, not {typed}").format(
                accepted=listed(preference.options), typed=echoed(value)
            )
        )
    try:
        return clean_name(value, MAX_NAME_CHARS) if value else ""
    except BadTextError as error:
        raise ValueError(str(error)) from None


def _colours(value: object) -> tuple[dict[str, str], list[str]]:
    if not isinstance(value, dict):
        return {}, ["colours: " + _("a table [colours] is accepted")]
    accepted: dict[str, str] = {}
    problems = []
    for key, style in value.items():
        name = str(key)
        if name not in CLASSES:
            problems.append(
                "colours: "
                + _("there is no {name}; there are {names}").format(name=echoed(name), names=listed(CLASSES))
            )
        elif not isinstance(style, str) or not _is_style(style):
            problems.append(
                "colours: "
                + _("{name} is a style such as {example}").format(name=name, example=echoed("bold fg:ansired"))
            )
        else:
            accepted[name] = style
    return accepted, problems


def _is_style(text: str) -> bool:
    from prompt_toolkit.styles import Style  # noqa: PLC0415  (takes time, and most people set none)

    try:
        Style.from_dict({"x": text})
    except (ValueError, AssertionError):
        return False
    return True


def load(path: Path) -> tuple[Preferences, list[str]]:
    """The preferences in a file, the defaults where there is none; and what was wrong, a sentence each."""
    try:
        with path.open("rb") as stream:
            content = stream.read(LONGEST_FILE + 1)
    except FileNotFoundError:
        return Preferences(), []
    except OSError as error:
        return Preferences(), [_("it cannot be read: {reason}").format(reason=error.strerror)]
    if len(content) > LONGEST_FILE:
        return Preferences(), [_("it is longer than {most} bytes").format(most=LONGEST_FILE)]
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return Preferences(), [_("it is not UTF-8 text")]
    return read_preferences(text)
