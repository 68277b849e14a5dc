"""A field that may be left out may be nil instead, whatever its type (``docs/protocol.md``, [M-3])."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import inspect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_protocol.messages import Message


def without_nil(fields: dict[str, Any], message_type: type[Message]) -> dict[str, Any]:
    """The map without the fields that are nil and may be left out, at any depth. What does not fit the type is
    as it was; the argument is not changed.
    """
    cleaned: dict[str, Any] = _cleaned(fields, _described(message_type))
    return cleaned


@cache
def _described(message_type: type[Message]) -> inspect.Type:
    return inspect.type_info(message_type)


def _cleaned(value: Any, at: inspect.Type) -> Any:
    match at:
        case inspect.StructType(fields=fields) | inspect.DataclassType(fields=fields) if type(value) is dict:
            return _cleaned_map(value, fields)
        case inspect.VarTupleType(item_type=item) if type(value) is list:
            return [_cleaned(one, item) for one in value]
        case inspect.TupleType(item_types=items) if type(value) is list and len(value) == len(items):
            return [_cleaned(one, item) for one, item in zip(value, items, strict=True)]
        case inspect.UnionType(types=options):
            option = _chosen(value, options)
            return value if option is None else _cleaned(value, option)
        case _:
            return value


def _cleaned_map(value: dict[str, Any], fields: Iterable[inspect.Field]) -> dict[str, Any]:
    known = {field.encode_name: field for field in fields}
    return {
        name: _cleaned(inside, known[name].type) if name in known else inside
        for name, inside in value.items()
        if inside is not None or name not in known or known[name].required
    }


def _chosen(value: Any, options: Iterable[inspect.Type]) -> inspect.Type | None:
    """Of a union the option that a map's ``type`` names, or the only one that is not nil."""
    others = [option for option in options if not isinstance(option, inspect.NoneType)]
    if len(others) == 1:
        return others[0]
    kind = value.get("type") if type(value) is dict else None
    return next(
        (option for option in others if isinstance(option, inspect.StructType) and option.tag == kind), None
    )
