"""Addresses as players type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.addresses import Address, BadAddress, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20", Address("192.168.1.20", 31313)),
        ("majlis.local:4000", Address("majlis.local", 4000)),
        ("::1", Address("::1", 31313)),
        ("[::1]:31313", Address("::1", 31313)),
        ("[fe80::1%eth0]:4000", Address("fe80::1%eth0", 4000)),
        (" localhost ", Address("localhost", 31313)),
    ],
)
def test_every_accepted_form_of_an_address_is_read(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        ":4000",
        "host:",
        "host:0",
        "host:65536",
        "host:4a",
        "[::1",
        "[::1]4000",
        "a b",
        "a:b:c",
        "[]",
        "http://host",
        "x" * 300,
    ],
)
def test_what_is_no_address_is_refused_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(BadAddress, match=r"Accepted: HOST, HOST:PORT, \[IPv6\]:PORT"):
        parse_address(text)


@given(st.text())
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = parse_address(text)
    except BadAddress:
        return
    assert 1 <= address.port <= 65535
