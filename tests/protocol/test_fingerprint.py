"""The fingerprint of a certificate, written and read."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_protocol.fingerprint import fingerprint_of, parse_fingerprint


@given(st.binary())
def test_every_way_to_write_a_fingerprint_is_read_as_the_one_of_its_certificate(certificate: bytes) -> None:
    written = fingerprint_of(certificate)
    digest = hashlib.sha256(certificate).hexdigest()
    colons = ":".join(digest[at : at + 2] for at in range(0, 64, 2))
    for form in (
        written,
        f" {written}\n",
        f"{written}=",
        written.removeprefix("SHA256:"),
        written.replace("SHA256", "sha256"),
        digest,
        digest.upper(),
        colons,
        f"sha256 Fingerprint={colons.upper()}",
    ):
        assert parse_fingerprint(form) == written


@given(st.binary(), st.binary())
def test_certificates_that_differ_have_fingerprints_that_differ(one: bytes, other: bytes) -> None:
    assert (fingerprint_of(one) == fingerprint_of(other)) == (one == other)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SHA256:",
        "SHA256:" + "A" * 42,
        "SHA256:" + "A" * 44,
        "SHA256:" + "A" * 42 + "B",  # bits beyond the 256th
        "MD5:" + "A" * 43,
        "ab" * 31,
        "ab" * 33,
        "g" * 64,
        "SHA256:" + "é" * 43,
        "\x00",
    ],
)
def test_what_is_no_fingerprint_is_refused_with_what_is_accepted(text: str) -> None:
    with pytest.raises(ValueError, match="accepted are SHA256: and 43 characters of base64, or 64 hexadecimal"):
        parse_fingerprint(text)
