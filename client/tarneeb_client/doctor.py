"""``tarneeb doctor``: what the terminal can do, what was chosen for it and why, and where files are."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Mapping
from pathlib import Path

from tarneeb_client import __version__, language
from tarneeb_client.appearance import Appearance, Surroundings, appearance, surroundings
from tarneeb_client.console import write_line
from tarneeb_client.language import _
from tarneeb_client.preferences import load
from tarneeb_client.preferences_file import preferences_path
from tarneeb_client.screens.glyphs import ASCII, UNICODE
from tarneeb_engine.cards import Suit
from tarneeb_protocol.messages import PROTOCOL_VERSION
from tarneeb_protocol.text import harmless

ARABIC_SAMPLE = "ليلى تلعب طرنيب"
"""Reads "Layla plays Tarneeb"; the first letter stands on the right where the terminal turns text round."""
TERMINAL_VARIABLES = (
    "TERM",
    "COLORTERM",
    "COLORFGBG",
    "NO_COLOR",
    "TERM_PROGRAM",
    "TMUX",
    "SSH_TTY",
    "LANG",
    "LC_ALL",
)


async def report(*, as_json: bool) -> int:
    """Write the report. The exit status: 1 when something in the file of preferences is not accepted."""
    path = preferences_path()
    preferences, problems = load(path)
    where = surroundings()
    decided = appearance(preferences, where)
    language.use("en" if as_json else decided.language)
    found = _findings(decided, where, path, problems)
    if as_json:
        write_line(json.dumps(found))
        return 1 if problems else 0
    for line in _lines(decided, where, path, problems):
        write_line(harmless(line))
    if not decided.is_plain:
        _show_samples(decided.styles)
    return 1 if problems else 0


def _findings(decided: Appearance, where: Surroundings, path: Path, problems: list[str]) -> dict[str, object]:
    size = shutil.get_terminal_size()
    return {
        "version": __version__,
        "protocol": PROTOCOL_VERSION,
        "python": platform.python_version(),
        "system": platform.platform(),
        "columns": size.columns,
        "rows": size.lines,
        "encoding": where.encoding,
        "reads_terminal": where.reads_terminal,
        "writes_terminal": where.writes_terminal,
        "variables": _variables(where),
        "chosen": _chosen(decided),
        "reasons": dict(decided.reasons),
        "preferences": str(path),
        "problems": problems,
    }


def _variables(where: Surroundings) -> dict[str, str]:
    return {name: where.environment[name] for name in TERMINAL_VARIABLES if name in where.environment}


def _chosen(decided: Appearance) -> dict[str, str]:
    return {
        "screen": "plain" if decided.is_plain else "full",
        "language": decided.language,
        "theme": decided.theme,
        "signs": "ascii" if decided.glyphs is ASCII else "unicode",
        "rtl": decided.rtl,
    }


def _lines(decided: Appearance, where: Surroundings, path: Path, problems: list[str]) -> list[str]:
    size = shutil.get_terminal_size()
    reasons = decided.reasons
    missing = "" if path.exists() else " " + _("(not there)")
    return [
        f"tarneeb {__version__}, Python {platform.python_version()}, {platform.platform()}",
        _("Terminal: {columns} columns, {rows} rows, encoding {encoding}").format(
            columns=size.columns, rows=size.lines, encoding=where.encoding
        ),
        "  " + " ".join(f"{name}={value}" for name, value in _variables(where).items()),
        _("Chosen:"),
        *(
            f"  {what}: {choice}" + (f" ({reasons[what]})" if what in reasons else "")
            for what, choice in _chosen(decided).items()
        ),
        _("Preferences: {path}").format(path=path) + missing,
        *(f"  ! {problem}" for problem in problems),
        _("Suits as signs: {signs}").format(signs=" ".join(UNICODE.suit(suit) for suit in Suit)),
        _("Arabic: {sample} - if its first word is not on the right, set rtl to app").format(
            sample=ARABIC_SAMPLE
        ),
    ]


def _show_samples(styles: Mapping[str, str]) -> None:
    """Every style of the theme, as this terminal shows it."""
    from prompt_toolkit import print_formatted_text  # noqa: PLC0415  (takes time)
    from prompt_toolkit.formatted_text import FormattedText  # noqa: PLC0415
    from prompt_toolkit.styles import Style  # noqa: PLC0415

    shown: list[tuple[str, str]] = []
    for name in styles:
        shown += [(f"class:{name}", name), ("", "  ")]
    print_formatted_text(FormattedText(shown), style=Style.from_dict(dict(styles)))
