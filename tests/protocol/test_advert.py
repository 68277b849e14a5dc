"""What a server says of itself on the local network: written, read, and read from anybody."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.document import PROTOCOL_DOCUMENT, tables
from tarneeb_protocol.advert import (
    MAX_ADVERT_NAME_BYTES,
    SERVICE_TYPE,
    Advert,
    BadAdvertError,
    read_properties,
    shortened,
    txt_properties,
)
from tarneeb_protocol.text import harmless

MAJLIS = Advert(
    server="d03c0dd6ffc6cd42",
    name="Majlis",
    free_seats=5,
    seats=12,
    rules=("tarneeb", "classic"),
    needs_password=True,
)

adverts = st.builds(
    Advert,
    server=st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    name=st.text(st.characters(categories=("L", "N", "P", "S", "Mn", "So")), max_size=64),
    protocol_min=st.integers(1, 50),
    protocol_max=st.integers(50, 9999),
    free_seats=st.just(0),
    seats=st.integers(0, 400),
    rules=st.lists(st.from_regex(r"[a-z_]{1,20}", fullmatch=True), max_size=8).map(tuple),
    needs_password=st.booleans(),
    has_tls=st.booleans(),
)


def as_bytes(properties: dict[str, str]) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in properties.items()}


@pytest.mark.proves("Z-3")
def test_an_advert_is_these_keys_and_values() -> None:
    assert txt_properties(MAJLIS) == {
        "id": "d03c0dd6ffc6cd42",
        "v": "1",
        "name": "Majlis",
        "seats": "5/12",
        "rules": "tarneeb,classic",
        "pw": "1",
    }
    assert MAJLIS.tables == 3


@pytest.mark.proves("Z-3")
def test_the_document_lists_every_key() -> None:
    (written,) = [table for table in tables(PROTOCOL_DOCUMENT.read_text()) if table.heading == "The advert"]
    every = Advert(server="a", name="b", free_seats=1, seats=4, has_tls=True)
    assert [row[0].strip("`") for row in written.rows] == list(txt_properties(every))
    assert f"`{SERVICE_TYPE.removesuffix('.local.')}`" in PROTOCOL_DOCUMENT.read_text()
    assert f"{MAX_ADVERT_NAME_BYTES} bytes" in next(row[2] for row in written.rows if row[0] == "`name`")


@given(adverts)
def test_what_was_written_is_read_but_for_what_a_terminal_must_not_get(advert: Advert) -> None:
    read = read_properties(as_bytes(txt_properties(advert)))
    name = " ".join(harmless(shortened(advert.name, MAX_ADVERT_NAME_BYTES)).split())
    assert (read.name, read.free_seats, read.seats) == (name, 0, advert.seats)
    for field in ("server", "protocol_min", "protocol_max", "rules", "needs_password", "has_tls"):
        assert getattr(read, field) == getattr(advert, field)


@given(adverts, st.text(max_size=300))
def test_every_string_fits_a_txt_record_whatever_the_host_calls_the_server(advert: Advert, name: str) -> None:
    named = Advert(server=advert.server, name=name, rules=advert.rules)
    for key, value in txt_properties(named).items():
        assert len(f"{key}={value}".encode()) <= 255


@pytest.mark.proves("Z-6", "Z-7")
@given(
    st.dictionaries(
        st.sampled_from([b"id", b"v", b"name", b"seats", b"rules", b"pw", b"tls", b"x-later"]),
        st.none() | st.binary(max_size=255),
    )
)
def test_a_txt_record_of_anybody_is_refused_or_harmless(properties: dict[bytes, bytes | None]) -> None:
    try:
        read = read_properties({b"id": b"0a", b"v": b"1", **properties})
    except BadAdvertError:
        return
    assert harmless(read.name) == read.name
    assert re.fullmatch(r"[0-9A-Za-z_-]{1,64}", read.server)
    assert 1 <= read.protocol_min <= read.protocol_max <= 9999
    assert all(re.fullmatch(r"[a-z0-9_]{1,24}", rule) for rule in read.rules)
    assert (read.free_seats is None) == (read.seats is None)
    assert read.free_seats is None or 0 <= read.free_seats <= (read.seats or 0) <= 999_999


@pytest.mark.proves("Z-7")
def test_a_name_cannot_command_the_terminal_or_turn_the_line_around() -> None:
    name = "Maj\x1b]0;pwned\x07\x9b2J\u202elis\u200b\n  x".encode()
    read = read_properties({b"id": b"1", b"v": b"1", b"name": name})
    assert read.name == "Maj␛]0;pwned␇\ufffd2J\ufffdlis\ufffd␊ x"


@pytest.mark.proves("Z-6")
@pytest.mark.parametrize(
    "properties",
    [
        {},
        {b"id": None, b"v": b"1"},
        {b"id": b"", b"v": b"1"},
        {b"id": b"a b", b"v": b"1"},
        {b"id": b"x" * 65, b"v": b"1"},
        {b"id": "٣".encode(), b"v": b"1"},
        {b"id": b"1"},
        {b"id": b"1", b"v": b"0"},
        {b"id": b"1", b"v": b"2-1"},
        {b"id": b"1", b"v": b"1-"},
        {b"id": b"1", b"v": "١".encode()},
        {b"id": b"1", b"v": b"10000"},
        {b"id": b"1", b"v": b"1\n"},
    ],
    ids=str,
)
def test_an_advert_without_an_id_or_a_version_is_none(properties: dict[bytes, bytes | None]) -> None:
    with pytest.raises(BadAdvertError):
        read_properties(properties)


@pytest.mark.proves("Z-6")
def test_the_least_advert_is_enough_and_more_free_seats_than_seats_are_not_believed() -> None:
    least = read_properties({b"id": b"1", b"v": b"1-3", b"seats": b"9/8", b"later": b"\xff"})
    assert least == Advert(server="1", name="", protocol_min=1, protocol_max=3)
    assert least.tables is None


def test_text_is_cut_between_characters() -> None:
    assert shortened("دار", 5) == "دا"
    assert shortened("🂡🂢", 7) == "🂡"
    assert shortened("abc", 3) == "abc"
