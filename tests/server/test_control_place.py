"""Where the control socket of a server is, and how one is put there."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest

from tarneeb_server import control_place
from tarneeb_server.control_place import ControlError, is_live, put, registered, runtime_folder, socket_path


def test_the_place_is_as_asked_else_in_the_data_directory_else_in_the_runtime_directory() -> None:
    environment = {"XDG_RUNTIME_DIR": "/run/user/7"}
    own = Path(f"/run/user/7/tarneeb-server/4000-{os.getpid()}.sock")
    assert socket_path(None, None, 4000, environment) == own
    assert socket_path(None, "/var/lib/t", 4000, environment) == Path("/var/lib/t/control.sock")
    assert socket_path("/run/t.sock", "/var/lib/t", 4000, environment) == Path("/run/t.sock")
    assert socket_path("off", "/var/lib/t", 4000, environment) is None
    assert socket_path(None, "here", 4000, {}) == Path.cwd() / "here" / "control.sock"
    for variables in ({}, {"XDG_RUNTIME_DIR": ""}, {"XDG_RUNTIME_DIR": "relative"}):
        assert runtime_folder(variables).name == f"tarneeb-server-{os.geteuid()}"


def test_of_servers_that_start_together_at_one_place_one_has_it_and_the_others_are_told(tmp_path: Path) -> None:
    path = tmp_path / "c"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))  # as a killed server leaves it
    placed: list[control_place.ControlSocket] = []
    refused: list[ControlError] = []
    barrier = threading.Barrier(6)

    def start() -> None:
        barrier.wait()
        try:
            placed.append(put(path, is_registered=False))
        except ControlError as error:
            refused.append(error)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # All are of one process, which names its socket by its number until it listens; the lock keeps them apart.
    assert (len(placed), len(refused)) == (1, 5)
    assert all("another server answers at" in str(error) for error in refused)
    assert is_live(path)
    placed[0].close()
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_ends_takes_away_what_is_its_own_and_nothing_else(tmp_path: Path) -> None:
    path, link = tmp_path / "c", tmp_path / "run" / "1-2.sock"
    first = put(path, is_registered=False)
    first.register(link)
    assert is_live(link)
    path.unlink()
    second = put(path, is_registered=False)
    second.register(tmp_path / "run" / "1-3.sock")
    assert not link.is_symlink(), "two names for one socket would be two servers"
    first.close()
    assert is_live(path)
    second.close()
    assert not path.exists()
    assert list((tmp_path / "run").iterdir()) == []


def test_links_that_lead_nowhere_are_cleaned_up_and_strange_files_are_left(tmp_path: Path) -> None:
    environment = {"XDG_RUNTIME_DIR": str(tmp_path)}
    assert registered(environment) == []
    folder = runtime_folder(environment)
    (folder / "4000-1.sock").symlink_to(tmp_path / "nowhere")
    (folder / "notes.txt").write_text("mine")
    (folder / "x-y.sock").write_text("mine")
    live = put(folder / "4001-2.sock", is_registered=True)
    assert registered(environment) == [(4001, 2, folder / "4001-2.sock")]
    live.close()
    assert sorted(entry.name for entry in folder.iterdir()) == ["notes.txt", "x-y.sock"]


def test_a_folder_that_another_could_write_to_is_not_trusted(tmp_path: Path) -> None:
    environment = {"XDG_RUNTIME_DIR": str(tmp_path)}
    folder = runtime_folder(environment)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.symlink_to(elsewhere)
    with pytest.raises(ControlError, match="is no directory"):
        registered(environment)
    folder.unlink()
    folder.mkdir()
    folder.chmod(0o770)
    with pytest.raises(ControlError, match="it should have mode 0700"):
        put(folder / "1-1.sock", is_registered=True)


def test_a_path_that_no_system_takes_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ControlError, match="choose a shorter one with --control PATH"):
        put(tmp_path / ("x" * 200), is_registered=False)
    assert list(tmp_path.iterdir()) == []
