"""A backup that is made while people play, and what a server makes of it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.plain_wire import PlainWire
from support.processes import environment, running_server
from tarneeb_server.backup import back_up, restore
from tarneeb_server.database import FILE_NAME, CannotStoreError
from tarneeb_server.store import Store

ARGUMENTS = ("--bot-delay", "0", "--turn-seconds", "0", "--durability", "process")


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tarneeb_server", *arguments],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )


async def play(wire: PlainWire, until: str, actions: int, number: int = 1000) -> int:
    """Play until such a message, or so many actions; the last request's number."""
    while actions:
        message = await wire.until("prompt", until)
        if message["type"] == until:
            break
        number, actions = number + 1, actions - 1
        await wire.send(type="act", id=number, action=message["actions"][0])
    return number


@pytest.mark.slow
async def test_a_backup_made_during_play_is_played_on_from_after_a_kill(tmp_path: Path) -> None:
    store, copy, new = tmp_path / "store", tmp_path / "copy", tmp_path / "new"
    with running_server("--data-dir", str(store), *ARGUMENTS) as server:
        async with await PlainWire.connect(server.host, server.port) as wire:
            welcome = await wire.hello("Nour")
            table = (await wire.request("open_table", name="Majlis"))["table"]
            await wire.request("join", table=table, seat=0)
            for _ in range(3):
                await wire.request("add_bot")
        # The first prompt may have come before the last answer: a resumed player has it again.
        async with await PlainWire.connect(server.host, server.port) as wire:
            welcome = await wire.hello("Nour", resume=welcome["token"])
            number = await play(wire, "set_won", 10)
            done = command("backup", str(copy), "--data-dir", str(store))
            assert done.returncode == 0, done.stderr
            await play(wire, "set_won", 10, number)
            refused = command("restore", str(copy), "--data-dir", str(store))
            assert refused.returncode == 1
            assert "in use by another tarneeb-server" in refused.stderr
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
    assert (copy / FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert command("restore", str(copy), "--data-dir", str(new)).returncode == 0
    with running_server("--data-dir", str(new), *ARGUMENTS) as server:
        async with await PlainWire.connect(server.host, server.port) as wire:
            again = await wire.hello("Nour", resume=welcome["token"])
            assert again["resumed"] is True
            await play(wire, "set_won", 5000, 5000)


def test_a_restore_sets_aside_what_was_there_and_a_backup_writes_over_nothing(tmp_path: Path) -> None:
    first, second, copy = tmp_path / "first", tmp_path / "second", tmp_path / "copy"
    identities = []
    for folder in (first, second):
        store = Store.open(str(folder))
        identities.append(store.server_id)
        store.close()
    back_up(first, copy)
    with pytest.raises(CannotStoreError, match="never written over another"):
        back_up(second, copy)
    aside = restore(copy, second)
    assert [path.exists() for path in aside] == [True]
    store = Store.open(str(second))
    assert store.server_id == identities[0]
    store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "first", "second"]


def test_what_is_no_backup_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    copy, folder = tmp_path / "copy", tmp_path / "store"
    for place in (copy, tmp_path / "missing"):
        with pytest.raises(CannotStoreError, match="is no backup"):
            restore(place, folder)
    copy.mkdir()
    (copy / FILE_NAME).write_bytes(b"")
    with pytest.raises(CannotStoreError, match="has format 0"):
        restore(copy, folder)
    assert not folder.exists()
    with pytest.raises(CannotStoreError, match=f"holds no {FILE_NAME}"):
        back_up(folder, tmp_path / "another")


def test_a_copy_is_made_where_it_can_be_and_never_put_on_itself(tmp_path: Path) -> None:
    folder, copy = tmp_path / "store", tmp_path / "copy"
    Store.open(str(folder), "process").close()
    with pytest.raises(CannotStoreError, match="there is no directory"):
        back_up(folder, tmp_path / "missing" / "copy")
    with pytest.raises(CannotStoreError, match="is inside"):
        back_up(folder, folder / "copy")
    back_up(folder, copy)
    held = sorted(copy.iterdir())
    with pytest.raises(CannotStoreError, match="is the data directory itself"):
        restore(copy, copy)
    assert sorted(copy.iterdir()) == held
    (copy / FILE_NAME).write_bytes(b"no database at all" * 100)
    with pytest.raises(CannotStoreError, match=r"tarneeb\.db is damaged: file is not a database"):
        restore(copy, folder)


@pytest.mark.slow
@pytest.mark.parametrize("words", [("settings",), ("check",)])
def test_a_command_whose_output_is_full_says_so(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "tarneeb_server", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            timeout=60,
            check=False,
        )
    assert "Traceback" not in ended.stderr
    assert ended.stderr.endswith("the output cannot be written: No space left on device\n")
    assert ended.returncode == 1
