"""The addresses of servers that were played on, the latest first: one a line, in a file of the player's own.

``tarneeb find`` asks there too. The player may edit the file; what is no address in it is passed over.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import closing
from pathlib import Path

from tarneeb_client.addresses import Address, BadAddress, parse_address
from tarneeb_client.state_folder import NotUsable, StateFolder, user_state_folder

FOLDER = "recent"
FILE, LOCK = "servers", "servers.lock"
MOST_REMEMBERED = 16
LONGEST_FILE = 16 * 1024
"""Bytes: that many addresses of any length. What is beyond them is not read."""


def recent_servers(folder: Path | None = None) -> tuple[Address, ...]:
    """The addresses; none when there is no file that can be used. ``folder`` is the user's unless given."""
    try:
        with closing(_opened(folder)) as opened:
            return _read(opened)
    except NotUsable:
        return ()


def remember(address: Address, folder: Path | None = None) -> None:
    """Put an address first. Raises ``NotUsable``. While another process does the same, nothing is done."""
    with closing(_opened(folder)) as opened:
        before = _read(opened)
        if before[:1] == (address,):
            return
        lock = opened.open_for_lock(LOCK)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            kept = dict.fromkeys((address, *_read(opened)))
            lines = [f"{each}\n" for each in kept][:MOST_REMEMBERED]
            opened.write(FILE, "".join(lines).encode())
        except BlockingIOError:
            return
        finally:
            os.close(lock)


def _opened(folder: Path | None) -> StateFolder:
    return StateFolder(user_state_folder(FOLDER) if folder is None else folder)


def _read(folder: StateFolder) -> tuple[Address, ...]:
    content = folder.read(FILE, LONGEST_FILE) or b""
    found: dict[Address, None] = {}
    for line in content[:LONGEST_FILE].decode("utf-8", "replace").splitlines():
        try:
            found[parse_address(line)] = None
        except BadAddress:
            continue
    return tuple(found)[:MOST_REMEMBERED]
