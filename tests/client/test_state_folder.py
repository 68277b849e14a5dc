"""The folder of secrets: for the user alone, and nothing in it is used that others could have put there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarneeb_client.state_folder import NotUsable, StateFolder, user_state_folder

IS_ROOT = os.geteuid() == 0
SOMEBODY_ELSE = 65534


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[StateFolder]:
    opened = StateFolder(tmp_path / "state" / "tarneeb" / "sessions")
    yield opened
    opened.close()


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def why_not(path: Path) -> str:
    """Why the folder cannot be used; nothing is left open by the attempt."""
    probe = os.open(os.devnull, os.O_RDONLY)
    os.close(probe)
    with pytest.raises(NotUsable) as caught:
        StateFolder(path)
    again = os.open(os.devnull, os.O_RDONLY)
    os.close(again)
    assert again == probe  # the lowest number that is free
    return str(caught.value)


def test_the_folder_and_those_over_it_are_made_for_the_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        StateFolder(tmp_path / "a" / "b" / "c").close()
    finally:
        os.umask(old)
    assert [mode_of(tmp_path / each) for each in ("a", "a/b", "a/b/c")] == [0o700] * 3


def test_a_file_is_the_users_alone_and_is_replaced_in_one_piece(folder: StateFolder) -> None:
    assert folder.read("x", 10) is None
    folder.write("x", b"first")
    before = (folder.path / "x").stat().st_ino
    folder.write("x", b"second")
    assert folder.read("x", 10) == b"second"
    assert mode_of(folder.path / "x") == 0o600
    assert (
        folder.path / "x"
    ).stat().st_ino != before  # another file in its place, never the same one half written
    assert folder.names() == ["x"]


def test_what_a_killed_writer_left_behind_is_cleared_by_the_next(folder: StateFolder) -> None:
    (folder.path / ".x.draft").write_bytes(b"half")
    folder.write("x", b"whole")
    assert folder.names() == ["x"]


def test_a_long_file_is_read_only_so_far_that_its_length_shows(folder: StateFolder) -> None:
    folder.write("x", b"y" * 1000)
    assert folder.read("x", 10) == b"y" * 11


def test_removing_twice_is_no_trouble(folder: StateFolder) -> None:
    folder.write("x", b"1")
    folder.remove("x")
    folder.remove("x")
    assert folder.names() == []


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701, 0o777], ids=oct)
def test_a_folder_that_others_can_enter_is_not_used(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "sessions"
    path.mkdir()
    path.chmod(mode)
    assert why_not(path) == (
        f"{path} is open to others (mode {mode:o}): chmod 700 it, if it is yours, or remove it"
    )


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o666], ids=oct)
def test_a_file_that_others_can_read_or_write_is_not_used(folder: StateFolder, mode: int) -> None:
    folder.write("x", b"1")
    (folder.path / "x").chmod(mode)
    with pytest.raises(NotUsable, match=rf"x is open to others \(mode {mode:o}\): chmod 600 it"):
        folder.read("x", 10)


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a file away")
def test_what_belongs_to_somebody_else_is_not_used(folder: StateFolder) -> None:
    folder.write("x", b"1")
    os.chown(folder.path / "x", SOMEBODY_ELSE, -1)
    with pytest.raises(NotUsable, match=rf"x belongs to somebody else \(user id {SOMEBODY_ELSE}\)"):
        folder.read("x", 10)
    os.chown(folder.path, SOMEBODY_ELSE, -1)
    assert "belongs to somebody else" in why_not(folder.path)


def test_links_are_not_followed_neither_to_read_nor_to_write_nor_to_lock(
    folder: StateFolder, tmp_path: Path
) -> None:
    target = tmp_path / "precious"
    target.write_bytes(b"mine")
    target.chmod(0o600)
    (folder.path / "x").symlink_to(target)
    with pytest.raises(NotUsable, match="x cannot be read: it is a symbolic link"):
        folder.read("x", 10)
    with pytest.raises(NotUsable, match="x cannot be opened: it is a symbolic link"):
        folder.open_for_lock("x")
    folder.write("x", b"1")
    assert target.read_bytes() == b"mine"
    assert not (folder.path / "x").is_symlink()
    (tmp_path / "link").symlink_to(folder.path)
    assert "cannot be used as a folder" in why_not(tmp_path / "link")


def test_what_is_no_regular_file_is_not_used_and_keeps_nobody_waiting(folder: StateFolder) -> None:
    os.mkfifo(folder.path / "pipe", 0o600)
    with pytest.raises(NotUsable, match="pipe is no regular file: remove it"):
        folder.read("pipe", 10)
    (folder.path / "folder").mkdir(0o700)
    with pytest.raises(NotUsable, match="folder is no regular file: remove it"):
        folder.read("folder", 10)
    with pytest.raises(NotUsable, match="folder cannot be written"):
        folder.write("folder", b"1")
    assert folder.names() == ["folder", "pipe"]


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert why_not(tmp_path / "file" / "sessions").endswith("cannot be used as a folder: Not a directory")
    assert why_not(tmp_path / "file").endswith("cannot be used as a folder: Not a directory")
    assert "cannot be used as a folder: " in why_not(tmp_path / ("x" * 300) / "sessions")


@pytest.mark.skipif(IS_ROOT, reason="root may write everywhere")
def test_a_folder_that_is_read_only_is_named_with_the_reason(folder: StateFolder) -> None:
    folder.path.chmod(0o500)
    with pytest.raises(NotUsable, match="cannot be written: Permission denied"):
        folder.write("x", b"1")
    folder.path.chmod(0o700)


def test_a_folder_that_is_gone_is_no_crash(folder: StateFolder) -> None:
    folder.path.rmdir()
    with pytest.raises(NotUsable, match="cannot be written: No such file or directory"):
        folder.write("x", b"1")
    assert folder.read("x", 10) is None


def test_the_text_of_a_fault_commands_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[2Jsessions"
    path.mkdir(0o755)
    path.chmod(0o755)
    assert "\x1b" not in why_not(path)


def test_state_goes_where_the_user_says_and_nowhere_without_a_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert user_state_folder("sessions") == tmp_path / "tarneeb" / "sessions"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_state_folder("sessions").is_relative_to(tmp_path)
