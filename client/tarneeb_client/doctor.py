"""``tarneeb doctor``: what the terminal can do, what was chosen for it and why, and where files are."""

from __future__ import annotations

import json
import platform
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from tarneeb_client import __version__, language, right_to_left
from tarneeb_client.appearance import SIGNS, Appearance, Surroundings, appearance, surroundings
from tarneeb_client.console import write_line, write_text
from tarneeb_client.discovery import discover
from tarneeb_client.language import _, listed
from tarneeb_client.preferences import load
from tarneeb_client.preferences_file import preferences_path
from tarneeb_client.screens.cells import width
from tarneeb_client.screens.glyphs import ASCII, UNICODE
from tarneeb_client.state_folder import NotUsable, user_state_folder
from tarneeb_client.terminal_probe import measured_widths
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
STANDS_ON = ("anyio", "prompt_toolkit", "wcwidth", "msgspec", "zeroconf", "platformdirs", "tomlkit")
"""Packages whose versions matter for what a person may report."""
LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""Below it there is one list of cards instead of a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that was found. ``widths`` are the cells that the terminal gives each sign, as far as it answers;
    ``trouble`` why servers cannot be found on the network, empty when they can.
    """

    where: Surroundings
    decided: Appearance
    size: tuple[int, int]
    preferences: Path
    problems: list[str]
    places: Mapping[str, str]
    versions: Mapping[str, str]
    trouble: str
    widths: Mapping[str, int] = field(default_factory=dict)

    @property
    def unlike(self) -> dict[str, int]:
        """The signs that the terminal draws wider or narrower than the screens reckon."""
        return {sign: cells for sign, cells in self.widths.items() if cells != width(sign)}


async def report(*, as_json: bool) -> int:
    """Write the report. The exit status: 1 when something in the file of preferences is not accepted."""
    found = await find(as_json=as_json)
    if as_json:
        write_line(json.dumps(as_fields(found)))
        return 1 if found.problems else 0
    for line in lines(found):
        write_text(harmless(line))
    if not found.decided.is_plain:
        _show_samples(found.decided.styles)
    return 1 if found.problems else 0


async def find(*, as_json: bool) -> Findings:
    """Look at the terminal, the files, the network. What a program reads is in English."""
    path = preferences_path()
    preferences, problems = load(path)
    where = surroundings()
    decided = appearance(preferences, where)
    language.use("en" if as_json else decided.language)
    right_to_left.use(decided.rtl)
    async with discover() as discovery:
        trouble = discovery.trouble or ""
    size = shutil.get_terminal_size()
    return Findings(
        where=where,
        decided=decided,
        size=(size.columns, size.lines),
        preferences=path,
        problems=[harmless(problem) for problem in problems],
        places={"preferences": _state_of(path), **_state_places()},
        versions={name: _version(name) for name in STANDS_ON},
        trouble=trouble,
        widths={} if decided.is_plain else measured_widths(tuple(SIGNS)),
    )


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return _("not found")


def _state_places() -> dict[str, str]:
    found = {}
    for name in ("sessions", "recent", "known-servers"):
        try:
            found[name] = _state_of(user_state_folder(name), is_secret=True)
        except NotUsable as reason:
            found[name] = str(reason)
    return found


def _state_of(path: Path, *, is_secret: bool = False) -> str:
    """The path, with what is to be known of what is there."""
    shown = harmless(str(path))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return _("{path} (not there yet)").format(path=shown)
    except OSError as error:
        return f"{shown} ({error.strerror})"
    permissions = stat.filemode(mode)
    if is_secret and mode & 0o077:
        return _("{path} ({permissions}: others may look into it, so it is not used; chmod go= helps)").format(
            path=shown, permissions=permissions
        )
    return f"{shown} ({permissions})"


def as_fields(found: Findings) -> dict[str, object]:
    """The report as one JSON object."""
    return {
        "version": __version__,
        "protocol": PROTOCOL_VERSION,
        "python": platform.python_version(),
        "system": platform.platform(),
        "columns": found.size[0],
        "rows": found.size[1],
        "encoding": found.where.encoding,
        "reads_terminal": found.where.reads_terminal,
        "writes_terminal": found.where.writes_terminal,
        "variables": _variables(found.where),
        "chosen": _chosen(found.decided),
        "reasons": dict(found.decided.reasons),
        "places": dict(found.places),
        "preferences": str(found.preferences),
        "problems": found.problems,
        "versions": dict(found.versions),
        "widths": dict(found.widths),
        "discovery_trouble": found.trouble or None,
        "advice": advice(found),
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


def advice(found: Findings) -> list[str]:
    """What would make it better, a sentence each; none when all is well."""
    given = []
    if found.decided.glyphs is UNICODE and found.unlike:
        given.append(
            _(
                "This terminal draws {signs} in another width than is usual: set signs to ascii, or "
                "columns may not stand straight."
            ).format(signs=" ".join(found.unlike))
        )
    columns, rows = found.size
    if not found.decided.is_plain and (columns < LEAST_COLUMNS or rows < LEAST_ROWS):
        given.append(
            _("Enlarge the terminal to {columns}x{rows} at least to see the table, 80x24 is good.").format(
                columns=LEAST_COLUMNS, rows=LEAST_ROWS
            )
        )
    if found.where.encoding.lower().replace("-", "") != "utf8":
        given.append(
            _("Use a UTF-8 locale, such as LANG=C.UTF-8: the encoding {name} lacks most letters.").format(
                name=found.where.encoding
            )
        )
    if found.trouble:
        given.append(
            _("Servers cannot be found on this network ({reason}): type their address.").format(
                reason=found.trouble
            )
        )
    given += [_("Mend the preferences: {problem}.").format(problem=problem) for problem in found.problems]
    return given


def lines(found: Findings) -> list[str]:
    """The report for a person."""
    columns, rows = found.size
    reasons = found.decided.reasons
    advised = advice(found)
    measured = _("it does not say how wide it draws signs")
    if found.widths:
        measured = _("it draws all signs as wide as is usual")
        if found.unlike:
            measured = _("it draws in another width: {signs}").format(
                signs=listed(f"{sign} {cells}" for sign, cells in found.unlike.items())
            )
    return [
        f"tarneeb {__version__}, Python {platform.python_version()}, {platform.platform()}",
        "  " + " ".join(f"{name} {version}" for name, version in found.versions.items()),
        _("Terminal: {columns} columns, {rows} rows, encoding {encoding}").format(
            columns=columns, rows=rows, encoding=found.where.encoding
        ),
        "  " + " ".join(f"{name}={value}" for name, value in _variables(found.where).items()),
        *([] if found.decided.is_plain else ["  " + measured]),
        _("Chosen:"),
        *(
            f"  {what}: {choice}" + (f" ({reasons[what]})" if what in reasons else "")
            for what, choice in _chosen(found.decided).items()
        ),
        _("Files:"),
        *(f"  {what}: {where}" for what, where in found.places.items()),
        _("Finding servers on the network: {state}").format(
            state=found.trouble or _("possible, if no firewall is in the way")
        ),
        _("Suits as signs: {signs}").format(signs=" ".join(UNICODE.suit(suit) for suit in Suit)),
        _("Arabic: {sample} - if its first word is not on the right, set rtl to app").format(
            sample=ARABIC_SAMPLE
        ),
        _("Advice:") if advised else _("Nothing is in the way of playing."),
        *(f"  ! {sentence}" for sentence in advised),
    ]


def _show_samples(styles: Mapping[str, str]) -> None:
    """Every style of the theme, as this terminal shows it."""
    from prompt_toolkit import print_formatted_text  # noqa: PLC0415  (takes time)
    from prompt_toolkit.formatted_text import FormattedText  # noqa: PLC0415
    from prompt_toolkit.styles import Style  # noqa: PLC0415

    shown: list[tuple[str, str]] = [("", _("Colours:") + " ")]
    for name in styles:
        shown += [(f"class:{name}", name), ("", "  ")]
    print_formatted_text(FormattedText(shown), style=Style.from_dict(dict(styles)))
