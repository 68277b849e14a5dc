"""Upgrade a data directory in a process that is killed before its n-th statement.

``python -m support.killed_upgrade FOLDER N`` ends with 0 when there are fewer statements than N.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from tarneeb_server import database

CHANGING = ("BEGIN", "CREATE", "INSERT", "ALTER", "PRAGMA user_version=", "COMMIT")


def main(folder: Path, fatal: int) -> None:
    """Open the database there, and die at statement ``fatal`` of what changes it."""
    connect = sqlite3.connect
    seen = 0

    def count(statement: str) -> None:
        nonlocal seen
        if statement.lstrip().startswith(
            ("BEGIN", "CREATE", "INSERT", "ALTER", "PRAGMA user_version=", "COMMIT")
        ):
            seen += 1
            if seen == fatal:
                os.kill(os.getpid(), signal.SIGKILL)

    def watched(*arguments: Any, **options: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(*arguments, **options)
        made.set_trace_callback(count)
        return made

    with mock.patch.object(sqlite3, "connect", watched):
        database.open_database(folder, "process").close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
