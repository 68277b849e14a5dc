"""Hypothesis strategies for every message, built from the types themselves, and one full example of each."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.ruleset import TARGETS, Ruleset
from tarneeb_protocol.messages import (
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
    CallAction,
    Message,
    Welcome,
)

ALL_MESSAGES: tuple[type[Message], ...] = tuple(dict.fromkeys((*CLIENT_MESSAGES, *SERVER_MESSAGES)))
"""Every message of both directions, once."""


def tag(message_type: type[msgspec.Struct]) -> str:
    """The value of ``type`` on the wire."""
    return str(message_type.__struct_config__.tag)


@cache
def messages(message_type: type[Message]) -> st.SearchStrategy[Message]:
    """Any message of this type that the wire can carry."""
    strategy: st.SearchStrategy[Message] = _values(inspect.type_info(message_type))
    return strategy


@cache
def any_message(types: tuple[type[Message], ...] = ALL_MESSAGES) -> st.SearchStrategy[Message]:
    """Any message of any of these types."""
    return st.one_of([messages(kind) for kind in types])


def _values(at: inspect.Type) -> st.SearchStrategy[Any]:
    match at:
        case inspect.UnionType():
            return st.one_of([_values(option) for option in at.types])
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            low, high = at.ge, at.le
            return st.integers(-(2**63) if low is None else low, 2**64 - 1 if high is None else high)
        case inspect.StrType():
            longest = 12 if at.max_length is None else min(at.max_length, 12)
            return st.text(
                st.characters(exclude_categories=["Cs"]), min_size=at.min_length or 0, max_size=longest
            )
        case inspect.EnumType():
            return st.sampled_from(list(at.cls))
        case inspect.VarTupleType():
            return st.lists(_values(at.item_type), max_size=4).map(tuple)
        case inspect.TupleType():
            return st.tuples(*map(_values, at.item_types))
        case inspect.StructType(cls=cls) if cls is CallAction:
            return st.one_of(
                st.builds(CallAction, st.just(CallKind.BID), st.integers(-5, 20), _remarks()),
                st.builds(CallAction, st.sampled_from([CallKind.PASS, CallKind.GAME]), st.none(), _remarks()),
            )
        case inspect.DataclassType(cls=cls, fields=fields) if cls is Ruleset:
            return st.builds(
                cls,
                **{field.name: _values(field.type) for field in fields if field.name != "target"},
                target=st.sampled_from(TARGETS),
            )
        case inspect.StructType(cls=cls, fields=fields) | inspect.DataclassType(cls=cls, fields=fields):
            return st.builds(cls, **{field.name: _values(field.type) for field in fields})
        case _:
            return _scalars(at)


def _scalars(at: inspect.Type) -> st.SearchStrategy[Any]:
    match at:
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            low, high = at.ge, at.le
            return st.integers(-(2**63) if low is None else low, 2**64 - 1 if high is None else high)
        case inspect.StrType():
            longest = 12 if at.max_length is None else min(at.max_length, 12)
            return st.text(
                st.characters(exclude_categories=["Cs"]), min_size=at.min_length or 0, max_size=longest
            )
        case inspect.EnumType():
            return st.sampled_from(list(at.cls))
        case _:
            raise AssertionError(f"no message has a field of type {at!r}")


def _remarks() -> st.SearchStrategy[Remark | None]:
    return st.none() | st.sampled_from(Remark)


@cache
def full_example(message_type: type[Message]) -> Message:
    """A message of this type in which every field has a value that is neither nil nor its default, and no array
    is empty: all of them are on the wire.
    """
    example: Message = _full(inspect.type_info(message_type))
    return example


def _full(at: inspect.Type) -> Any:
    match at:
        case inspect.UnionType():
            return _full(next(option for option in at.types if not isinstance(option, inspect.NoneType)))
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return max(1, at.ge or 0)
        case inspect.StrType():
            return "Layla"
        case inspect.EnumType():
            return list(at.cls)[-1]
        case inspect.VarTupleType():
            return (_full(at.item_type),)
        case inspect.TupleType():
            return tuple(map(_full, at.item_types))
        case inspect.DataclassType(cls=cls) if cls is Ruleset:
            return Ruleset(target=41)
        case inspect.StructType(cls=cls, fields=fields) | inspect.DataclassType(cls=cls, fields=fields):
            return cls(**{field.name: _not_default(field) for field in fields})
        case _:
            raise AssertionError(f"no message has a field of type {at!r}")


def _not_default(field: inspect.Field) -> Any:
    value = _full(field.type)
    if value is not field.default:
        return value
    return False if value is True else next(member for member in type(value) if member is not value)


WELCOME = Welcome(
    protocol=1,
    server="tarneeb test",
    server_name="Majlis",
    name="Layla",
    token="dG9rZW4",  # noqa: S106  (a made-up one)
    ping_seconds=15,
    dead_seconds=45,
    grace_seconds=120,
)
"""A plain welcome, for tests that are about what comes after it."""
