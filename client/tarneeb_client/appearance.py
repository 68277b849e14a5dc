"""How the client looks here: decided once, with reasons, from preferences and what the terminal can do."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tarneeb_client.language import _, can_be_written, of_environment
from tarneeb_client.output_encoding import encoding_in_use
from tarneeb_client.preferences import Preferences
from tarneeb_client.screens.glyphs import ASCII, UNICODE, Glyphs
from tarneeb_client.screens.themes import THEMES, TWO_COLOURS

SIGNS = "♣♦♥♠─│┌┐└┘▸●"
"""What a terminal's encoding must have for the signs of Unicode."""
CONSOLES_WITHOUT_SIGNS = frozenset({"linux", "vt100", "vt102", "vt220", "ansi", "cons25"})
"""Terminals whose fonts mostly lack the suits: the Linux console draws them as dots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is known of where the program runs."""

    environment: Mapping[str, str]
    reads_terminal: bool
    writes_terminal: bool
    encoding: str
    system: str = "posix"
    can_be_drawn_on: bool = True
    """Whether the output has cells; some of what calls itself a terminal on Windows has none."""

    @property
    def kind(self) -> str:
        """The kind of terminal, as ``TERM`` tells."""
        return self.environment.get("TERM", "")


def surroundings() -> Surroundings:
    """Where this process runs."""
    return Surroundings(
        environment=os.environ,
        reads_terminal=sys.stdin.isatty(),
        writes_terminal=sys.stdout.isatty(),
        encoding=encoding_in_use(),
        system=os.name,
        can_be_drawn_on=os.name == "posix" or has_cells(_make_output),
    )


def _make_output() -> object:
    from prompt_toolkit.output import create_output  # noqa: PLC0415  (takes time, and pipes need none)

    return create_output()


def has_cells(make_output: Callable[[], object]) -> bool:
    """Whether an output can be made. prompt_toolkit's own exception for a console without a screen buffer can
    be imported on Windows alone, so it goes by its name.
    """
    try:
        make_output()
    except Exception as error:
        if type(error).__name__ != "NoConsoleScreenBufferError":
            raise
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """What was decided. ``is_plain``: lines of text instead of a full screen; ``reasons`` says why, by what was
    decided.
    """

    is_plain: bool
    language: str
    theme: str
    styles: Mapping[str, str]
    glyphs: Glyphs
    rtl: str
    reasons: Mapping[str, str] = field(default_factory=dict)


def appearance(preferences: Preferences, where: Surroundings, *, wants_plain: bool = False) -> Appearance:
    """Decide. A choice of the person's always holds, but that a full screen needs a terminal."""
    reasons: dict[str, str] = {}
    theme = _theme(preferences, where, reasons)
    styles = dict(THEMES[theme])
    if preferences.deck == "two":
        styles |= TWO_COLOURS[theme]
    styles |= preferences.colours
    return Appearance(
        is_plain=_is_plain(where, reasons, wants_plain=wants_plain),
        language=_language(preferences, where, reasons),
        theme=theme,
        styles=styles,
        glyphs=_glyphs(preferences, where, reasons),
        rtl=preferences.rtl,
        reasons=reasons,
    )


def _is_plain(where: Surroundings, reasons: dict[str, str], *, wants_plain: bool) -> bool:
    why = ""
    if wants_plain:
        why = _("--plain was given")
    elif not where.reads_terminal:
        why = _("the input is no terminal")
    elif not where.writes_terminal:
        why = _("the output is no terminal")
    elif where.system == "posix" and where.kind in {"", "dumb", "unknown"}:
        why = _("TERM is {kind}: the cursor cannot be moved").format(kind=where.kind or _("not set"))
    elif not where.can_be_drawn_on:
        why = _("the console cannot be drawn on; in Git Bash, start the program by winpty")
    reasons["screen"] = why or _("a terminal for input and output")
    return bool(why)


def _theme(preferences: Preferences, where: Surroundings, reasons: dict[str, str]) -> str:
    if preferences.theme != "auto":
        reasons["theme"] = _("chosen in the settings")
        return preferences.theme
    if where.environment.get("NO_COLOR"):
        reasons["theme"] = _("NO_COLOR is set")
        return "mono"
    ground = where.environment.get("COLORFGBG", "").rpartition(";")[2]
    if ground in {"7", "15"}:
        reasons["theme"] = _("COLORFGBG says that the background is light")
        return "light"
    reasons["theme"] = _("what fits most terminals")
    return "dark"


def _glyphs(preferences: Preferences, where: Surroundings, reasons: dict[str, str]) -> Glyphs:
    if preferences.signs != "auto":
        reasons["signs"] = _("chosen in the settings")
        return ASCII if preferences.signs == "ascii" else UNICODE
    try:
        SIGNS.encode(where.encoding)
    except (UnicodeEncodeError, LookupError):
        reasons["signs"] = _("the encoding {name} lacks them").format(name=where.encoding)
        return ASCII
    if where.kind in CONSOLES_WITHOUT_SIGNS:
        reasons["signs"] = _("a terminal of the kind {kind} mostly lacks them").format(kind=where.kind)
        return ASCII
    reasons["signs"] = _("the encoding {name} has them").format(name=where.encoding)
    return UNICODE


def _language(preferences: Preferences, where: Surroundings, reasons: dict[str, str]) -> str:
    if preferences.language != "auto":
        reasons["language"] = _("chosen in the settings")
        return preferences.language
    found = of_environment(where.environment)
    if found is None:
        reasons["language"] = _("no language of this program is set")
        return "en"
    language, reasons["language"] = found
    if not can_be_written(language, where.encoding):
        lacking = _("{setting}, but the encoding {name} lacks its letters")
        reasons["language"] = lacking.format(setting=found[1], name=where.encoding)
        return "en"
    return language
