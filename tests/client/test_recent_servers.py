"""The servers that were played on, remembered in a file that anybody may have written."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tarneeb_client.addresses import Address
from tarneeb_client.recent_servers import FILE, LOCK, MOST_REMEMBERED, recent_servers, remember
from tarneeb_client.state_folder import NotUsable

MAJLIS, LAPTOP = Address("192.168.1.20"), Address("fe80::1%3", 4000)


def test_the_latest_comes_first_and_each_is_there_once(tmp_path: Path) -> None:
    folder = tmp_path / "recent"
    assert recent_servers(folder) == ()
    for address in (MAJLIS, LAPTOP, MAJLIS, MAJLIS):
        remember(address, folder)
    assert recent_servers(folder) == (MAJLIS, LAPTOP)
    assert (folder / FILE).read_text(encoding="utf-8") == "192.168.1.20\n[fe80::1%3]:4000\n"


def test_only_so_many_are_remembered(tmp_path: Path) -> None:
    folder = tmp_path / "recent"
    for number in range(MOST_REMEMBERED + 5):
        remember(Address(f"10.0.0.{number}"), folder)
    found = recent_servers(folder)
    assert len(found) == MOST_REMEMBERED
    assert found[0] == Address(f"10.0.0.{MOST_REMEMBERED + 4}")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.binary(max_size=400))
def test_whatever_the_file_holds_what_is_no_address_is_passed_over(tmp_path: Path, noise: bytes) -> None:
    folder = tmp_path / "recent"
    remember(MAJLIS, folder)
    (folder / FILE).write_bytes(noise + b"\n192.168.1.20\n\x1b[2J\n" + noise)
    found = recent_servers(folder)
    assert MAJLIS in found or len(found) == MOST_REMEMBERED
    for address in found:
        assert str(address).isprintable()


def test_a_file_without_end_is_read_to_its_limit(tmp_path: Path) -> None:
    folder = tmp_path / "recent"
    remember(MAJLIS, folder)
    (folder / FILE).write_bytes(b"192.168.1.20\n" + b"x" * 1_000_000)
    assert recent_servers(folder) == (MAJLIS,)


def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "recent"
    remember(MAJLIS, folder)
    folder.chmod(0o777)
    assert recent_servers(folder) == ()
    with pytest.raises(NotUsable):
        remember(LAPTOP, folder)


def test_while_another_process_writes_nothing_is_done(tmp_path: Path) -> None:
    folder = tmp_path / "recent"
    remember(MAJLIS, folder)
    with (folder / LOCK).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        remember(LAPTOP, folder)
    assert recent_servers(folder) == (MAJLIS,)
