"""The command palette: how a typed command can go on, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tarneeb_client.commands import COMMANDS, command_help, find_command
from tarneeb_client.language import _
from tarneeb_client.screens.choices import choices
from tarneeb_client.state import TableView
from tarneeb_client.table_options import TABLE_OPTIONS
from tarneeb_engine.calls import Remark
from tarneeb_engine.ruleset import ENUM_OPTIONS, SWITCHES
from tarneeb_engine.seats import Seat
from tarneeb_engine.variants import PRESETS
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

_YES_NO = ("yes", "no")
_TARGETS = ("31", "41", "51", "61")


@dataclass(frozen=True, slots=True)
class Known:
    """What a command can be about: the tables of the server, and the table that the player is at."""

    tables: Sequence[m.TableSummary] = field(default=())
    view: TableView | None = None


def completions(text: str, known: Known) -> list[str]:
    """Every line that ``text`` can go on as by one word, in order; none where anything may follow."""
    before, _space, word = text.rpartition(" ")
    words = before.split()
    if not words:
        candidates: Iterable[str] = (command.name for command in COMMANDS)
    else:
        command = find_command(words[0])
        complete = None if command is None else _WORDS.get(command.name)
        candidates = () if complete is None else complete(words[1:], known)
    head = f"{before} " if before else ""
    lower = word.lower()
    found = [each for each in candidates if each.lower().startswith(lower) and each != word]
    if "=" not in word:
        found = [each for each in found if "=" not in each or each.endswith("=")]
    # What takes a value is followed by it at once, other words by the next one.
    return [head + each + ("" if each.endswith("=") else " ") for each in found]


def explanation(text: str) -> tuple[str, str]:
    """The command that is being typed, as it is written and what it does, empty for none; then how it is used
    in full.
    """
    word = text.split(maxsplit=1)[0] if text.split() else ""
    command = find_command(word)
    if command is None:
        matching = [command for command in COMMANDS if command.name.startswith(word.lower())]
        if len(matching) != 1:
            names = "  ".join(command.name for command in matching)
            return names or _("There is no such command: help lists them."), ""
        command = matching[0]
    first, detail = command_help(command)
    return first.removesuffix("."), detail


def _open(words: Sequence[str], known: Known) -> Iterable[str]:
    """Options that are not given yet, each with the values that it may have."""
    del known
    given = {word.partition("=")[0] for word in words}
    for option in TABLE_OPTIONS if words else ():
        if option not in given:
            yield f"{option}="
            for value in _VALUES.get(option, ()):
                yield f"{option}={value}"


_VALUES: dict[str, Sequence[str]] = {
    "preset": tuple(PRESETS),
    "target": _TARGETS,
    "turn": ("0", "15", "30", "60"),
    "stand_in": tuple(m.BotLevel),
    "spectators": _YES_NO,
    **{option: tuple(kind) for option, kind in ENUM_OPTIONS.items()},
    **dict.fromkeys(SWITCHES, _YES_NO),
}


def _table(words: Sequence[str], known: Known) -> Iterable[str]:
    if not words:
        yield from (str(table.table) for table in known.tables)
        return
    table = next((table for table in known.tables if str(table.table) == words[0]), None)
    if table is None:
        return
    if words[-1] == "with":
        yield from (harmless(summary.name) for summary in table.seats if summary is not None)
        return
    if len(words) == 1:
        yield from (seat.name.lower() for seat in Seat if table.seats[seat] is None)
        yield "with"
        if table.locked:
            yield "password="


def _watch(words: Sequence[str], known: Known) -> Iterable[str]:
    return () if words else (str(table.table) for table in known.tables if table.can_watch)


def _bot(words: Sequence[str], known: Known) -> Iterable[str]:
    seats = () if known.view is None else known.view.snapshot.seats
    if words[:1] == ["remove"]:
        return (
            seat.name.lower() for seat, who in zip(Seat, seats, strict=False) if who is not None and who.level
        )
    empty = [seat.name.lower() for seat, who in zip(Seat, seats, strict=False) if who is None]
    return [*empty, *m.BotLevel, "remove"] if not words else list(m.BotLevel) if len(words) == 1 else []


def _choice(kind: type[m.WireAction]) -> Callable[[Sequence[str], Known], Iterable[str]]:
    def legal(words: Sequence[str], known: Known) -> Iterable[str]:
        offered = [choice for choice in choices(known.view) if isinstance(choice.action, kind)]
        if kind is m.CallAction and len(words) == 1:
            return _remarks(words[1:], known)
        if words:
            return ()
        if kind is m.PlayAction:
            return [choice.label.lower() for choice in offered]
        full = {"p": "pass", "g": "game", "d": "double"} if kind is m.CallAction else {}
        return [full.get(choice.typed, choice.typed) for choice in offered]

    return legal


def _remarks(words: Sequence[str], known: Known) -> Iterable[str]:
    prompt = None if known.view is None else known.view.prompt
    offered: Sequence[Remark] = () if prompt is None else prompt.remarks
    return () if words else [remark.value for remark in offered]


_WORDS: dict[str, Callable[[Sequence[str], Known], Iterable[str]]] = {
    "help": lambda words, _known: () if words else (command.name for command in COMMANDS),
    "open": _open,
    "join": _table,
    "watch": _watch,
    "bot": _bot,
    "bid": _choice(m.CallAction),
    "pass": _remarks,
    "game": _remarks,
    "trump": _choice(m.TrumpAction),
    "play": _choice(m.PlayAction),
}
"""What may follow a command, given the words that stand there already."""
