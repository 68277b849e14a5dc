"""The file of servers that a player has met."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.addresses import Address, parse_address
from tarneeb_client.known_servers import (
    AUTHORITY,
    LONGEST_FILE,
    CannotTellError,
    KnownServers,
    default_file,
    key_of,
)
from tarneeb_protocol.fingerprint import fingerprint_of

ONE, OTHER = fingerprint_of(b"one"), fingerprint_of(b"other")
MAJLIS = Address("majlis.example")


@pytest.fixture
def known(tmp_path: Path) -> KnownServers:
    return KnownServers(tmp_path / "below" / "known-servers")


def test_what_is_remembered_is_known_until_it_is_forgotten(known: KnownServers) -> None:
    assert known.get(MAJLIS) is None
    known.remember(MAJLIS, ONE)
    known.remember(Address("majlis.example", 4000), AUTHORITY)
    assert known.get(MAJLIS) == ONE
    assert known.get(Address("majlis.example", 4000)) == AUTHORITY
    known.remember(MAJLIS, OTHER)
    assert known.get(MAJLIS) == OTHER
    assert known.forget(MAJLIS)
    assert known.get(MAJLIS) is None
    assert not known.forget(MAJLIS)
    assert known.get(Address("majlis.example", 4000)) == AUTHORITY


def test_the_file_is_its_owners_alone_and_nothing_lies_beside_it(known: KnownServers) -> None:
    known.remember(MAJLIS, ONE)
    known.remember(MAJLIS, OTHER)
    assert stat.S_IMODE(known.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(known.path.parent.stat().st_mode) == 0o700
    assert list(known.path.parent.iterdir()) == [known.path]


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("Majlis.Example", "majlis.example"),
        ("majlis.example.", "majlis.example"),
        ("::1", "0:0:0:0:0:0:0:1"),
        ("[::1]:31313", "::1"),
        ("FE80::1%eth0", "fe80::1%eth0"),
    ],
)
def test_an_address_is_the_same_however_it_is_typed(typed: str, same: str) -> None:
    assert key_of(parse_address(typed)) == key_of(parse_address(same))


def test_addresses_that_differ_are_not_confused() -> None:
    typed = [
        "a",
        "a:1",
        "b",
        "::1",
        "::2",
        "[::1]:1",
        "fe80::1%a",
        "fe80::1%b",
        "127.0.0.1",
        "10.0.0.1",
        "ä",
        "دار",
    ]
    keys = {key_of(parse_address(text)) for text in typed}
    assert len(keys) == len(typed)
    assert all(len(key.split()) == 1 for key in keys)


@given(st.text(min_size=1))
def test_a_host_that_is_none_cannot_break_out_of_its_line(host: str) -> None:
    assert key_of(Address(host)).split() == [key_of(Address(host))]


@given(content=st.binary(max_size=300))
def test_whatever_stands_in_the_file_is_tolerated_and_kept(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    known = KnownServers(tmp_path_factory.mktemp("state") / "known-servers")
    known.path.write_bytes(content)
    known.remember(MAJLIS, ONE)
    assert known.get(MAJLIS) == ONE
    assert content.rstrip(b"\n") in known.path.read_bytes()
    assert known.forget(MAJLIS)
    assert known.get(MAJLIS) is None


@pytest.mark.parametrize("rest", ["", " ", " SHA256:short", " yes", " SHA256:" + "\x00" * 43, " \udcff"])
def test_a_damaged_line_does_not_count_as_a_server_not_met(rest: str, known: KnownServers) -> None:
    known.remember(Address("other.example"), AUTHORITY)
    with known.path.open("ab") as stream:
        stream.write(f"majlis.example:31313{rest}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(CannotTellError, match=r"line 3 of .* is damaged.*tarneeb forget majlis\.example"):
        known.get(MAJLIS)
    assert known.get(Address("other.example")) == AUTHORITY
    assert known.forget(MAJLIS)
    assert known.get(MAJLIS) is None


def test_a_line_that_was_cut_off_by_a_crash_does_not_swallow_the_next(known: KnownServers) -> None:
    known.remember(MAJLIS, ONE)
    known.path.write_bytes(known.path.read_bytes()[:-20])
    known.remember(Address("other.example"), OTHER)
    assert known.get(Address("other.example")) == OTHER
    with pytest.raises(CannotTellError):
        known.get(MAJLIS)


def test_of_two_lines_for_one_server_the_first_counts(known: KnownServers) -> None:
    known.remember(MAJLIS, ONE)
    with known.path.open("a") as stream:
        stream.write(f"majlis.example:31313 {OTHER}\n")
    assert known.get(MAJLIS) == ONE
    assert known.forget(MAJLIS)
    assert known.get(MAJLIS) is None


def test_a_file_that_cannot_be_read_is_named_with_the_reason(known: KnownServers) -> None:
    known.path.mkdir(parents=True)
    with pytest.raises(CannotTellError, match="known-servers cannot be read: Is a directory"):
        known.get(MAJLIS)


def test_a_file_that_is_too_long_is_not_read(known: KnownServers) -> None:
    known.path.parent.mkdir()
    known.path.write_bytes(b"\n" * (LONGEST_FILE + 1))
    with pytest.raises(CannotTellError, match="is longer than 1 MiB"):
        known.get(MAJLIS)


def test_clients_that_meet_servers_at_the_same_time_lose_none(known: KnownServers) -> None:
    addresses = [Address(f"host-{number}.example") for number in range(64)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda address: known.remember(address, ONE), addresses))
    assert [known.get(address) for address in addresses] == [ONE] * 64


def test_it_is_kept_in_the_state_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_file() == tmp_path / "tarneeb" / "known-servers"
