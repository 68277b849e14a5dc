"""How ``docs/protocol.md`` writes the types of fields, and a reader of its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import NODEFAULT, UNSET, inspect

from tarneeb_protocol.messages import MAX_ID

PROTOCOL_DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"

_HEADING = re.compile(r"#{1,6} (?P<title>.+)")
_HEX_LINE = re.compile(r"(?P<bytes>(?:[0-9a-f]{2} ?)+)(?:\s*\|.*)?")


@dataclass(frozen=True)
class Table:
    """One table: the heading it stands under, its column titles, its rows."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(text: str) -> Iterator[Table]:
    """Every table of a Markdown text."""
    heading = ""
    lines: list[tuple[str, ...]] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            lines.append(tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]))
            continue
        if lines:
            yield Table(heading, lines[0], tuple(lines[2:]))
            lines = []
        if found := _HEADING.fullmatch(line):
            heading = found["title"]


def fenced(text: str, language: str) -> list[str]:
    """The contents of every fenced block of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def hex_bytes(block: str) -> bytes:
    """The bytes of a hex dump: pairs of digits, and remarks after a bar."""
    dumped = b""
    for line in block.splitlines():
        found = _HEX_LINE.fullmatch(line)
        assert found is not None, f"no line of a hex dump: {line!r}"
        dumped += bytes.fromhex(found["bytes"])
    return dumped


def type_words(at: inspect.Type) -> str:
    """The type of a field, as the document's tables have it."""
    match at:
        case inspect.UnionType():
            options = [option for option in at.types if not isinstance(option, inspect.NoneType)]
            return "action" if len(options) > 1 else type_words(options[0])
        case inspect.BoolType():
            return "boolean"
        case inspect.IntType(ge=ge, le=le):
            if le == MAX_ID:
                return "counter" if ge == 0 else f"counter from {ge}"
            if le is not None:
                return f"integer {ge} to {le}"
            return "integer" if ge is None else f"integer from {ge}"
        case inspect.StrType(min_length=low, max_length=high):
            return "string" if high is None else f"string {low or 0} to {high}"
        case inspect.EnumType(cls=cls) | inspect.StructType(cls=cls) | inspect.DataclassType(cls=cls):
            return value_name(cls)
        case inspect.VarTupleType():
            return f"array of {type_words(at.item_type)}"
        case inspect.TupleType():
            item = at.item_types[0]
            words = type_words(item)
            if _may_be_nil(item):
                words += " or nil"
            return f"array of {len(at.item_types)} {words}"
        case _:
            raise AssertionError(f"no message has a field of type {at!r}")


def value_name(cls: type) -> str:
    """A class's name in lower-case words: ``SeatSummary`` is "seat summary"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()


def _may_be_nil(at: inspect.Type) -> bool:
    return isinstance(at, inspect.UnionType) and any(
        isinstance(option, inspect.NoneType) for option in at.types
    )


def need_words(field: inspect.Field) -> str:
    """Whether a field has to be there, and what it is when it is not."""
    if field.required:
        return "yes, or nil" if _may_be_nil(field.type) else "yes"
    default: Any = field.default
    if default is NODEFAULT or default is UNSET:
        assert field.default_factory is not NODEFAULT
        default = field.default_factory()
    match default:
        case None:
            return "no"
        case bool():
            return f"no: {str(default).lower()}"
        case ():
            return "no: []"
        case str():
            return f"no: {default.value if hasattr(default, 'value') else default or 'empty'}"
        case int():
            return f"no: {default}"
        case _:
            return "no: {}"
