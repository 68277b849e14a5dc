"""A copy of a data directory, also while a server runs on it, and the way back.

A copy is a directory: the database as it was at one moment, and the certificate that the server made itself.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tarneeb_server.database import FILE_NAME, SCHEMA_VERSION, CannotStoreError, lock
from tarneeb_server.self_made import FILE_NAME as SELF_MADE_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

SUFFIXES = ("", "-wal", "-shm")
"""Of the files that are one database."""


def back_up(folder: Path, to: Path) -> None:
    """Copy what ``folder`` keeps into ``to``, which is made, for this account alone, whole or not at all.

    Raises ``CannotStoreError``, ``sqlite3.Error`` and ``OSError``.
    """
    if not (folder / FILE_NAME).is_file():
        raise CannotStoreError(f"--data-dir: {folder} holds no {FILE_NAME}")
    if to.exists():
        raise CannotStoreError(f"{to} is there already; a backup is never written over another")
    if not to.absolute().parent.is_dir():
        raise CannotStoreError(f"{to} cannot be made: there is no directory {to.absolute().parent}")
    if folder.resolve() in to.resolve().parents:
        raise CannotStoreError(f"{to} is inside {folder}, which is to be copied; name a place outside it")
    making = Path(tempfile.mkdtemp(dir=to.absolute().parent, prefix=f".{to.name}."))
    try:
        copy = making / FILE_NAME
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with (
            contextlib.closing(_reading(folder / FILE_NAME)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)  # in one step: nothing that is written meanwhile comes in between
            target.execute("PRAGMA journal_mode=DELETE")  # one file
        _check(copy)
        certificate = folder / SELF_MADE_NAME
        if certificate.exists():
            _copy(certificate, making / SELF_MADE_NAME)
        _settle(copy)
        making.rename(to)
        _settle(to.absolute().parent)
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise


def restore(copy: Path, folder: Path) -> list[Path]:
    """Put a copy in the place of what ``folder`` keeps. What was there gets other names, which are returned.

    Raises ``CannotStoreError``, when a server runs on the directory too, ``sqlite3.Error`` and ``OSError``.
    """
    if not (copy / FILE_NAME).is_file():
        raise CannotStoreError(f"{copy} is no backup: it holds no {FILE_NAME}")
    if copy.resolve() == folder.resolve():
        raise CannotStoreError(f"{copy} is the data directory itself; a backup is another directory")
    _check(copy / FILE_NAME)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    held = lock(folder)
    try:
        names = [name for name in (FILE_NAME, SELF_MADE_NAME) if (copy / name).exists()]
        for name in names:
            _copy(copy / name, folder / f"{name}.restoring")
        stamp = f"before-restore-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}"
        aside = []
        for name in names:
            for suffix in SUFFIXES if name == FILE_NAME else ("",):
                old = folder / f"{name}{suffix}"
                if old.exists():
                    aside.append(old.rename(folder / f"{name}.{stamp}{suffix}"))
            (folder / f"{name}.restoring").rename(folder / name)
        _settle(folder)
        return aside
    finally:
        os.close(held)


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _check(path: Path) -> None:
    try:
        verdict, version = _looked_at(path)
    except sqlite3.DatabaseError as error:
        raise CannotStoreError(f"{path} is damaged: {error}") from None
    if verdict != "ok":
        raise CannotStoreError(f"{path} is damaged: {verdict}")
    if not 1 <= version <= SCHEMA_VERSION:
        raise CannotStoreError(f"{path} has format {version}; this version reads 1 to {SCHEMA_VERSION}")


def _looked_at(path: Path) -> tuple[str, int]:
    """SQLite's verdict, and the version of the schema."""
    with contextlib.closing(_reading(path)) as database:
        (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
    return verdict, version


def _copy(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    with (
        source.open("rb") as reading,
        os.fdopen(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as writing,
    ):
        shutil.copyfileobj(reading, writing)
    _settle(target)


def _settle(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def main(name: str, arguments: Sequence[str]) -> int:
    """Carry out ``backup`` or ``restore``; the exit status is 0, or 1 when it could not be done."""
    made = argparse.ArgumentParser(prog=f"tarneeb-server {name}", allow_abbrev=False)
    what = "a new directory for the copy" if name == "backup" else "the directory that backup made"
    made.add_argument("place", metavar="TO" if name == "backup" else "FROM", help=what)
    made.add_argument("--data-dir", metavar="DIR", required=True, help="the data directory of the server")
    given = made.parse_args(arguments)
    place, folder = Path(given.place), Path(given.data_dir)
    try:
        if name == "backup":
            back_up(folder, place)
            lines = [f"{folder} is copied to {place}."]
        else:
            lines = [f"Set aside: {old}" for old in restore(place, folder)]
            lines.append(f"{folder} is as it was when {place} was made.")
    except (CannotStoreError, sqlite3.Error, OSError) as error:
        print(f"tarneeb-server: {error}", file=sys.stderr)  # noqa: T201  (the command's answer)
        return 1
    print("\n".join(lines))  # noqa: T201
    return 0
