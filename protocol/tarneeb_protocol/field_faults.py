"""What was wrong with a field, in words that name the field, what came and what is accepted.

msgspec's own text quotes values as they came; here a hostile value is never quoted.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import inspect

from tarneeb_engine.cards import Card
from tarneeb_protocol.text import harmless

MAX_KEY_CHARS: Final = 40
"""Characters of a key that is not known, as it is named: the longest that is has 13."""
MAX_FAULT_CHARS: Final = 400
"""Characters of a fault's text: a few lines, whatever came; all types that a client sends are named in it."""

_AT_PATH = " - at `$"
_MISSING = re.compile(r"Object missing required field `(\w+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>.*)`", re.DOTALL)
_EXPECTED = re.compile(r"Expected (?P<expected>.+?)(?:, got (?P<got>.+))?", re.DOTALL)
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+|\.\.\.)\]")

_MSGPACK_WORDS: Final = {
    "`int`": "a whole number",
    "`float`": "a number with a fraction",
    "`bool`": "true or false",
    "`str`": "text",
    "`null`": "nil",
    "`object`": "a map",
    "`array`": "an array",
}


def explain(error: msgspec.ValidationError, message_type: type[msgspec.Struct]) -> tuple[str, str | None]:
    """The text for a person and the dotted path of the field at fault, ``None`` for the message itself."""
    text = str(error)
    what, _, rest = text.rpartition(_AT_PATH)
    if not what:
        what, rest = text, ""
    path = rest.removesuffix("`")
    unknown = _UNKNOWN.fullmatch(what)
    if unknown:
        # The path is msgspec's own: where fields are forbidden, no map from the wire is above.
        option = f"{path}.{_shown(unknown['key'])}".removeprefix(".")
        said = f"there is no option `{option}`; accepted are {_names(message_type, path)}"
        return said[:MAX_FAULT_CHARS], option
    missing = _MISSING.fullmatch(what)
    if missing:
        path += f".{missing[1]}"
    accepted = _accepted(message_type, path)
    field = path.removeprefix(".") or None
    name = f"`{field}`" if field else "the message"
    expected = _EXPECTED.fullmatch(what)
    if missing:
        said = f"{name} is missing; accepted is {accepted}"
    elif expected and (got := expected["got"]) and not got.isdecimal():
        said = f"{name} is {_MSGPACK_WORDS.get(got, 'something else')}; accepted is {accepted}"
    elif expected or what.startswith("Invalid "):
        said = f"{name} has a value that is not allowed; accepted is {accepted}"
    else:  # a value's own check, in its own words
        said = f"{name}: {harmless(what)}"
    return said[:MAX_FAULT_CHARS], field


def _shown(key: str) -> str:
    """A key that no field has. Those that there are have letters alone, so that nothing is lost with whatever
    this Python cannot print, characters that are not assigned as well.
    """
    cut = harmless(key[:MAX_KEY_CHARS])
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in cut)


def _accepted(message_type: type[msgspec.Struct], path: str) -> str:
    steps = tuple(match["name"] or "[]" for match in _STEP.finditer(path))
    return _accepted_at(message_type, steps)


@lru_cache(maxsize=1024)
def _accepted_at(message_type: type[msgspec.Struct], steps: tuple[str, ...]) -> str:
    found = _type_at(message_type, steps)
    return found if isinstance(found, str) else describe(found)


def _names(message_type: type[msgspec.Struct], path: str) -> str:
    """The fields of the map at ``path``."""
    at = _type_at(message_type, tuple(match["name"] for match in _STEP.finditer(path)))
    assert isinstance(at, inspect.StructType)  # noqa: S101  (nothing else has fields to forbid)
    return ", ".join(field.encode_name for field in at.fields)


def _type_at(message_type: type[msgspec.Struct], steps: tuple[str, ...]) -> inspect.Type | str:
    at: inspect.Type = inspect.type_info(message_type)
    for step in steps:
        found = _step_into(at, step)
        if isinstance(found, str):
            return found
        at = found
    return at


def _step_into(at: inspect.Type, step: str) -> inspect.Type | str:
    options = _options(at)
    if step == "type":
        tags = [option.tag for option in options if isinstance(option, inspect.StructType)]
        return "one of " + ", ".join(str(tag) for tag in tags)
    for option in options:
        if isinstance(option, inspect.StructType | inspect.DataclassType):
            for field in option.fields:
                if field.encode_name == step:
                    return field.type
        elif isinstance(option, inspect.VarTupleType):
            return option.item_type
        elif isinstance(option, inspect.TupleType):
            # All arrays of fixed length have items of one type.
            return option.item_types[0]
    raise AssertionError(f"msgspec names a field {step!r} that {at!r} does not have")


def _options(at: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(at, inspect.UnionType):
        return tuple(option for option in at.types if not isinstance(option, inspect.NoneType))
    return (at,)


def describe(at: inspect.Type) -> str:
    """What a field of this type accepts, in words; ``docs/protocol.md`` uses the same."""
    options = _options(at)
    structs = [option for option in options if isinstance(option, inspect.StructType)]
    if len(structs) > 1:
        return "a map whose `type` is one of " + ", ".join(str(option.tag) for option in structs)
    (option,) = options
    match option:
        case inspect.IntType():
            if option.ge is not None and option.le is not None:
                return f"a whole number from {option.ge} to {option.le}"
            return f"a whole number from {option.ge}" if option.ge is not None else "a whole number"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            if option.max_length is None:
                return "text"
            return f"text of {option.min_length or 0} to {option.max_length} characters"
        case inspect.EnumType():
            if option.cls is Card:
                return "a card as in AS, TH, 2C: one of 23456789TJQKA, then one of CDHS"
            return "one of " + ", ".join(str(member.value) for member in option.cls)
        case inspect.VarTupleType():
            return f"an array, each item {describe(option.item_type)}"
        case inspect.TupleType():
            return f"an array of {len(option.item_types)}, each item {describe(option.item_types[0])}"
        case inspect.StructType() | inspect.DataclassType():
            return "a map"
        case _:
            raise AssertionError(f"no message has a field of type {option!r}")
