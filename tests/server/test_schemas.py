"""Databases of earlier versions: upgraded to what a new server would make, with all that they had."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from support.lobby_driver import LobbyDriver
from support.processes import environment
from tarneeb_engine.transcript import parse_transcript
from tarneeb_protocol import messages as wire
from tarneeb_server.database import FILE_NAME, SCHEMA_VERSION, open_database

SCHEMAS = Path(__file__).with_name("schemas")
VERSIONS = range(1, SCHEMA_VERSION)
TESTS = Path(__file__).parents[1]


def earlier(folder: Path, version: int) -> Path:
    path = folder / FILE_NAME
    with closing(sqlite3.connect(path)) as database:
        database.executescript((SCHEMAS / f"version_{version}.sql").read_text(encoding="utf-8"))
    return path


def shape(database: sqlite3.Connection) -> list[tuple[str, ...]]:
    """Every table, index and column, whatever the words that made it."""
    made = database.execute("SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name").fetchall()
    tables = [name for kind, name, _ in made if kind == "table"]
    columns = [
        (table, *map(str, column))
        for table in tables
        for column in database.execute(f"SELECT * FROM pragma_table_xinfo('{table}')")  # noqa: S608
    ]
    return [*made, *columns]


def contents(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        return [*database.iterdump(), f"version {version}"]


def test_every_earlier_version_has_a_file_here() -> None:
    files = {int(path.stem.removeprefix("version_")) for path in SCHEMAS.glob("version_*.sql")}
    assert files >= set(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_upgraded_file_is_like_a_new_one_and_has_every_row_it_had(tmp_path: Path, version: int) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    path = earlier(old, version)
    with closing(sqlite3.connect(path)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {
            table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")] for table in tables
        }
        before = {table: database.execute(f"SELECT * FROM {table}").fetchall() for table in tables}  # noqa: S608
    with closing(open_database(old, "power")) as upgraded, closing(open_database(new, "power")) as fresh:
        assert shape(upgraded) == shape(fresh)
        for table, rows in before.items():
            names = ", ".join(columns[table])
            assert upgraded.execute(f"SELECT {names} FROM {table}").fetchall() == rows  # noqa: S608
        assert upgraded.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for (transcript,) in upgraded.execute("SELECT transcript FROM finished_set"):
            assert parse_transcript(transcript).final_state().winner is not None
    assert not list(old.glob("*.damaged-*"))


@pytest.mark.parametrize("version", [version for version in VERSIONS if version > 1])
def test_a_set_that_was_in_progress_before_an_upgrade_is_played_to_its_end(
    tmp_path: Path, version: int
) -> None:
    earlier(tmp_path, version)
    driver = LobbyDriver(turn_seconds=1, bot_delay=0)
    driver.keep_in(tmp_path)
    driver.kill_and_restart()
    (table,) = driver.lobby.tables.values()
    assert table.set_number == 2
    play = table.play
    assert play is not None
    assert play.state.deal is not None
    newcomer = driver.hello("Newcomer")
    driver.advance(driver.settings.grace_seconds + 1.0)  # nobody comes back
    driver.ok(newcomer, wire.Join, table=1, seat=0)
    for _ in range(4000):
        if driver.records:
            break
        if newcomer.prompt is not None:
            driver.act_as_prompted(newcomer, random.Random(1))
        driver.advance(1)
    assert [record.number for record in driver.records] == [2]


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_an_upgrade_that_is_killed_leaves_the_old_file_or_the_new_one(tmp_path: Path, version: int) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    path = earlier(whole, version)
    before = contents(path)
    statements = 0
    seen = set()
    while True:
        folder = tmp_path / str(statements)
        shutil.copytree(whole, folder)
        statements += 1
        ended = subprocess.run(
            [sys.executable, "-m", "support.killed_upgrade", str(folder), str(statements)],
            env={**environment(), "PYTHONPATH": str(TESTS)},
            capture_output=True,
            timeout=60,
            check=False,
        )
        after = contents(folder / FILE_NAME)
        is_new = after[-1] == f"version {SCHEMA_VERSION}"
        assert is_new or after == before
        seen.add(is_new)
        open_database(folder, "process").close()
        assert contents(folder / FILE_NAME)[-1] == f"version {SCHEMA_VERSION}"
        if ended.returncode == 0:
            break
        assert ended.returncode == -9, ended.stderr
    assert seen == {False, True}
    assert statements > 3


def test_the_documents_of_the_files_name_no_machine() -> None:
    for path in SCHEMAS.glob("*.sql"):
        assert not re.search(r"/(tmp|home|work)/", path.read_text(encoding="utf-8"))
