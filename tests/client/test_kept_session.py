"""The file of a kept session: what was written is read, and nothing else ever is."""

from __future__ import annotations

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.kept_session import (
    HEADER,
    IDS_OF_A_PROCESS,
    MOST_BYTES,
    KeptSession,
    NoSession,
    from_bytes,
    to_bytes,
)
from tarneeb_engine.seats import Seat
from tarneeb_protocol.messages import MAX_ID

TOKEN = "q0mWvVbq5y1hJmN0sUo8r3kZbT4xw2cPEeYdA7LfGiI"
SESSION = KeptSession(
    address="192.168.1.20",
    server="f00d",
    server_name="Majlis",
    asked_name="Nour",
    name="Nour 2",
    token=TOKEN,
    ids_from=IDS_OF_A_PROCESS,
    written_at=1_796_030_269.5,
    grace_seconds=120,
    table=3,
    table_name="Friends",
    seat=Seat.EAST,
)

anything = st.characters(codec="utf-8")
texts = st.text(anything, max_size=256)
moments = st.floats(0, 1e11)
sessions = st.builds(
    KeptSession,
    address=texts,
    server=texts,
    server_name=texts,
    asked_name=texts,
    name=texts,
    token=st.text(anything, min_size=1, max_size=128),
    ids_from=st.integers(0, MAX_ID - IDS_OF_A_PROCESS),
    written_at=moments,
    grace_seconds=st.integers(0, 10**9),
    watches=st.booleans(),
    left_at=st.none() | moments,
    table=st.none() | st.integers(1, MAX_ID),
    table_name=st.none() | texts,
    seat=st.none() | st.sampled_from(Seat),
)


def signed(body: bytes) -> bytes:
    """What a file with this content would be, were it this program's."""
    return HEADER + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def read(content: bytes) -> KeptSession | None:
    try:
        return from_bytes(content)
    except NoSession:
        return None


@given(sessions)
def test_what_was_written_is_read_again_and_is_never_too_long(session: KeptSession) -> None:
    content = to_bytes(session)
    assert from_bytes(content) == session
    assert len(content) <= MOST_BYTES


@given(st.binary(max_size=600))
def test_no_bytes_at_all_raise_anything_else_or_are_a_session(content: bytes) -> None:
    assert read(content) is None


@given(sessions, st.data())
def test_no_change_of_a_file_gives_a_token_that_was_not_written(
    session: KeptSession, data: st.DataObject
) -> None:
    content = bytearray(to_bytes(session))
    kind = data.draw(st.sampled_from(["cut", "flip", "insert", "append"]))
    at = data.draw(st.integers(0, len(content) - 1))
    match kind:
        case "cut":
            changed = bytes(content[:at])
        case "flip":
            content[at] ^= data.draw(st.integers(1, 255))
            changed = bytes(content)
        case "insert":
            changed = bytes(content[:at]) + data.draw(st.binary(min_size=1, max_size=9)) + bytes(content[at:])
        case _:
            changed = bytes(content) + data.draw(st.binary(min_size=1, max_size=9))
    found = read(changed)
    assert found is None or found == session


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_a_content_that_somebody_signed_is_still_checked_field_by_field(value: object) -> None:
    assert read(signed(msgspec.json.encode(value))) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"token": ""},
        {"token": "x" * 129},
        {"token": 7},
        {"ids_from": -1},
        {"ids_from": MAX_ID},
        {"ids_from": True},
        {"grace_seconds": -1},
        {"written_at": -1.0},
        {"written_at": 1e12},
        {"left_at": "soon"},
        {"table": 0},
        {"seat": 4},
        {"name": "x" * 257},
        {"watches": 1},
    ],
    ids=str,
)
def test_a_field_out_of_bounds_makes_no_session(changes: dict[str, object]) -> None:
    fields = {**msgspec.to_builtins(SESSION), **changes}
    assert read(signed(msgspec.json.encode(fields))) is None


def test_bombs_are_no_sessions() -> None:
    deep = b'{"x":' * 3000 + b"1" + b"}" * 3000
    assert read(signed(b"[" * 5000)) is None
    assert read(signed(deep[:MOST_BYTES])) is None
    assert read(signed(b'{"written_at": 1e999}')) is None
    assert read(b"x" * (MOST_BYTES + 1)) is None


def test_a_session_that_could_not_be_read_again_is_not_written() -> None:
    with pytest.raises(NoSession):
        to_bytes(msgspec.structs.replace(SESSION, server="x" * 1000))


def test_no_repr_shows_the_token() -> None:
    assert TOKEN not in repr(SESSION)
    assert TOKEN not in str(SESSION)
    assert TOKEN not in f"{[SESSION]!r}"
