"""As much of JSON Schema as ``protocol/schema.json`` uses; a keyword beyond it is an ``AssertionError``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]
_TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict, "null": type(None)}
_ANNOTATIONS = {"title", "description", "default", "discriminator", "then", "else"}


def is_valid(value: Any, schema: Schema, definitions: dict[str, Schema]) -> bool:
    """Whether a decoded value fits the schema, whose references lead to ``definitions``."""
    for keyword, wanted in schema.items():
        if keyword in _ANNOTATIONS:
            continue
        assert keyword in _CHECKS, f"the schema has a keyword that is not checked: {keyword}"
        if not _CHECKS[keyword](value, wanted, schema, definitions):
            return False
    return True


_Check = Callable[[Any, Any, Schema, dict[str, Schema]], bool]


def _items(value: Any, wanted: Any, schema: Schema, definitions: dict[str, Schema]) -> bool:
    rest = value[len(schema.get("prefixItems", ())) :] if isinstance(value, list) else []
    return not rest if wanted is False else all(is_valid(item, wanted, definitions) for item in rest)


def _properties(value: Any, wanted: Any, schema: Schema, definitions: dict[str, Schema]) -> bool:
    return not isinstance(value, dict) or all(
        is_valid(value[name], field, definitions) for name, field in wanted.items() if name in value
    )


def _additional(value: Any, wanted: Any, schema: Schema, definitions: dict[str, Schema]) -> bool:
    assert wanted is False, "the only use of additionalProperties that is checked is to forbid them"
    return not isinstance(value, dict) or set(value) <= set(schema.get("properties", ()))


def _is_whole(value: Any) -> bool:
    return type(value) is int


_CHECKS: dict[str, _Check] = {
    "$ref": lambda value, wanted, _, definitions: is_valid(
        value, definitions[wanted.rpartition("/")[2]], definitions
    ),
    "anyOf": lambda value, wanted, _, definitions: any(
        is_valid(value, option, definitions) for option in wanted
    ),
    "oneOf": lambda value, wanted, _, definitions: (
        sum(is_valid(value, option, definitions) for option in wanted) == 1
    ),
    "if": lambda value, wanted, schema, definitions: is_valid(
        value, schema["then" if is_valid(value, wanted, definitions) else "else"], definitions
    ),
    "enum": lambda value, wanted, *_: any(type(value) is type(one) and value == one for one in wanted),
    "const": lambda value, wanted, *_: type(value) is type(wanted) and value == wanted,
    "type": lambda value, wanted, *_: type(value) is _TYPES[wanted],
    "minimum": lambda value, wanted, *_: not _is_whole(value) or value >= wanted,
    "maximum": lambda value, wanted, *_: not _is_whole(value) or value <= wanted,
    "minLength": lambda value, wanted, *_: not isinstance(value, str) or len(value) >= wanted,
    "maxLength": lambda value, wanted, *_: not isinstance(value, str) or len(value) <= wanted,
    "minItems": lambda value, wanted, *_: not isinstance(value, list) or len(value) >= wanted,
    "maxItems": lambda value, wanted, *_: not isinstance(value, list) or len(value) <= wanted,
    "prefixItems": lambda value, wanted, _, definitions: (
        not isinstance(value, list)
        or all(is_valid(item, one, definitions) for item, one in zip(value, wanted, strict=False))
    ),
    "items": _items,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": lambda value, wanted, *_: not isinstance(value, dict) or set(wanted) <= set(value),
}
