"""What is kept on disk."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from support.lobby_driver import LobbyDriver
from tarneeb_engine.transcript import parse_transcript
from tarneeb_server.database import FILE_NAME, CannotStoreError
from tarneeb_server.kept import Record
from tarneeb_server.store import Store


@pytest.fixture(scope="module")
def record() -> Record:
    """A set that was played."""
    driver = LobbyDriver(bot_delay=0.0, turn_seconds=1)
    player = driver.hello("نور")
    driver.play_a_set(player)
    return driver.records[0]


def keep(store: Store, *records: Record) -> None:
    for entry in records:
        store.add(entry)
        store.commit()


def rows(folder: Path) -> list[tuple[object, ...]]:
    database = sqlite3.connect(folder / FILE_NAME)
    try:
        return database.execute(
            "SELECT number, south, south_north, east_west, winner, transcript FROM finished_set ORDER BY number"
        ).fetchall()
    finally:
        database.close()


def test_finished_sets_are_there_after_a_restart_and_can_be_played_again(
    tmp_path: Path, record: Record
) -> None:
    folder = tmp_path / "made" / "by the server"
    store = Store.open(str(folder))
    identity = store.server_id
    keep(store, record, record)
    store.close()
    store = Store.open(str(folder))
    assert store.server_id == identity
    keep(store, record)
    store.close()
    kept = rows(folder)
    assert [row[0] for row in kept] == [1, 2, 3]
    for _, south, south_north, east_west, winner, text in kept:
        assert (south, (south_north, east_west), winner) == ("نور", record.scores, record.winner)
        assert parse_transcript(str(text)).final_state().scores == record.scores


def test_a_second_server_on_one_directory_is_refused_and_the_first_is_not_disturbed(tmp_path: Path) -> None:
    first = Store.open(str(tmp_path))
    with pytest.raises(CannotStoreError, match="in use by another tarneeb-server"):
        Store.open(str(tmp_path))
    first.close()
    Store.open(str(tmp_path)).close()


@pytest.mark.parametrize("damage", ["not a database", "torn"])
def test_c08_a_damaged_file_is_set_aside_and_never_overwritten(tmp_path: Path, damage: str) -> None:
    path = tmp_path / FILE_NAME
    if damage == "torn":
        Store.open(str(tmp_path)).close()
        whole = bytearray(path.read_bytes())
        whole[100:] = random.Random(0).randbytes(len(whole) - 100)
        path.write_bytes(whole)
    else:
        path.write_bytes(b"this is no database" * 1000)
    damaged = path.read_bytes()
    store = Store.open(str(tmp_path))
    store.close()
    (aside,) = [
        entry for entry in tmp_path.glob(f"{FILE_NAME}.damaged-*") if not entry.name.endswith(("-wal", "-shm"))
    ]
    assert aside.read_bytes() == damaged
    assert rows(tmp_path) == []


@pytest.mark.parametrize("seed", range(60))
def test_c08_whatever_is_damaged_in_a_file_the_server_starts_and_the_next_time_too(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    path = tmp_path / FILE_NAME
    Store.open(str(tmp_path)).close()
    content = bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(100, len(content))
        length = rng.choice([1, 8, 512, 4608])
        content[at : at + length] = rng.randbytes(min(length, len(content) - at))
    path.write_bytes(content)
    for _ in range(2):
        store = Store.open(str(tmp_path))
        assert store.server_id
        store.load()
        store.close()


@pytest.mark.parametrize(("table", "column"), [("server", "id"), ("counter", "last_session")])
def test_c08_a_row_that_lost_what_it_must_have_does_not_keep_the_server_from_starting(
    tmp_path: Path, table: str, column: str
) -> None:
    Store.open(str(tmp_path)).close()
    database = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    (schema,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    database.execute("PRAGMA writable_schema=ON")
    rewrite = "UPDATE sqlite_master SET sql = ? WHERE name = ?"
    database.execute(rewrite, (schema.replace(" NOT NULL", ""), table))
    database.close()
    database = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    database.execute(f"UPDATE {table} SET {column} = NULL")  # noqa: S608  (names of our own)
    database.execute("PRAGMA writable_schema=ON")
    database.execute(rewrite, (schema, table))
    database.close()
    for _ in range(2):
        store = Store.open(str(tmp_path))
        assert store.server_id
        assert (store.load().last_session, store.load().last_table) == (0, 0)
        store.close()
    assert len(list(tmp_path.glob(f"{FILE_NAME}.damaged-*"))) == 1


def test_two_damaged_files_in_one_second_are_both_kept(tmp_path: Path) -> None:
    for content in (b"first" * 1000, b"second" * 1000):
        (tmp_path / FILE_NAME).write_bytes(content)
        Store.open(str(tmp_path)).close()
    kept = {path.read_bytes() for path in tmp_path.glob(f"{FILE_NAME}.damaged-*")}
    assert kept == {b"first" * 1000, b"second" * 1000}


def test_a_file_of_a_later_version_is_left_as_it_is(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / FILE_NAME)
    database.executescript("CREATE TABLE future (x); PRAGMA user_version=99;")
    database.close()
    with pytest.raises(CannotStoreError, match="format 99"):
        Store.open(str(tmp_path))
    database = sqlite3.connect(tmp_path / FILE_NAME)
    assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("future",)]
    database.close()
    assert list(tmp_path.glob(f"{FILE_NAME}.damaged-*")) == []


def test_a_directory_that_cannot_be_is_a_clear_refusal(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CannotStoreError, match="--data-dir"):
        Store.open(str(tmp_path / "file"))


def test_a_set_that_cannot_be_written_is_logged_and_the_next_one_is_kept(
    tmp_path: Path, record: Record, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    store = Store.open(str(tmp_path))
    broken = replace(record, table_name="\ud800")
    keep(store, broken, record)
    store.close()
    assert "not_recorded" in caplog.text
    assert caplog.text.count("event=recorded") == 1
    assert len(rows(tmp_path)) == 1
