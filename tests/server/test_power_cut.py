"""A power cut at any instant: what a disk then holds is some part of what was written since the last sync.

With ``--durability power`` each commit is synced before anybody hears of it. So the file and its log are copied
at every commit, and between one and the next every kind of image is made that a power cut could leave: the log
as it was with the first so many of the new bytes, with those bytes as zeros, and with a later page without the
one before it. Each must be read as what was acknowledged then, or as what the commit under way was to bring.
"""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest

from support.journal import sessions, views
from support.lobby_driver import LobbyDriver
from tarneeb_protocol import messages as wire
from tarneeb_server.database import FILE_NAME
from tarneeb_server.kept import KEEPS
from tarneeb_server.lobby import Lobby
from tarneeb_server.store import Store

if TYPE_CHECKING:
    from pathlib import Path

FILE, LOG = FILE_NAME, f"{FILE_NAME}-wal"
STEPS = 14
PAGE = 4096
CUTS = 7


class Power(LobbyDriver):
    """A driver whose journal is synced at each commit, as a server's by default."""

    def keep_in(self, folder: Path) -> None:
        super().keep_in(folder)
        assert self.journal is not None
        self.journal.store.close()
        self.journal.store = Store.open(str(folder), "power")


def on_disk(folder: Path) -> dict[str, bytes]:
    """The file and its log, all of it synced: a commit has just ended."""
    return {name: (folder / name).read_bytes() for name in (FILE, LOG) if (folder / name).exists()}


def torn(before: bytes, after: bytes, rng: random.Random) -> list[bytes]:
    """What a file may be when some of the bytes that make ``after`` of ``before`` have come to the disk."""
    shared = min(len(before), len(after))
    first = next((at for at in range(shared) if before[at] != after[at]), shared)
    if before == after:
        return [before]
    images = [before, after]
    for _ in range(CUTS):
        at = rng.randint(first, len(after))
        images.append(after[:at] + before[at:])
        images.append(
            after[:at] + bytes(max(0, len(after) - at))
        )  # the length came to the disk, its bytes did not
    middle = rng.randint(first, len(after))
    images.append(before[:middle] + bytes(max(0, middle - len(before))) + after[middle:])
    return images


def torn_pages(before: bytes, after: bytes, rng: random.Random) -> bytes:
    """The file when of the pages that a checkpoint writes some have come to the disk, some not, and some have
    by half. The others are not touched.
    """
    before += bytes(len(after) - len(before))
    pages = []
    for at in range(0, len(after), PAGE):
        old, new = before[at : at + PAGE], after[at : at + PAGE]
        cut = rng.choice((0, PAGE, rng.randrange(PAGE)))
        pages.append(new[:cut] + old[cut:])
    return b"".join(pages)


def read(folder: Path, image: dict[str, bytes], driver: LobbyDriver) -> Lobby:
    """What a server makes of an image."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in image.items():
        (folder / name).write_bytes(content)
    store = Store.open(str(folder))
    lobby = Lobby(driver.settings, "test-server")
    for effect in lobby.restore(store.load(), 0.0):
        if isinstance(effect, KEEPS):
            store.add(effect)
    store.commit()
    store.close()
    assert not list(folder.glob("*.damaged-*")), "a power cut leaves no damage, only an end"
    return lobby


@pytest.mark.parametrize("seed", range(2))
def test_c11_after_a_power_cut_at_any_byte_everything_acknowledged_is_there(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    live = tmp_path / "live"
    driver = Power(turn_seconds=0)
    driver.keep_in(live)
    players = driver.four_players()
    assert driver.journal is not None
    images = 0
    for step in range(STEPS):
        if step % 10 == 9:
            # What a server does by itself when the log has grown: everything goes into the file.
            driver.journal.store._database.execute("PRAGMA wal_checkpoint(PASSIVE)")
        before = on_disk(live)
        acknowledged = views(driver.lobby, 0.0), sessions(driver.lobby)
        if step % 7 == 6:
            driver.ok(players[0], wire.Chat, text=f"line {step}")
            driver.advance(3)
        else:
            driver.play_on(players, rng, 1)
        after = on_disk(live)
        under_way = views(driver.lobby, 0.0), sessions(driver.lobby)
        for log in torn(before[LOG], after[LOG], rng):
            # The file itself changes at a checkpoint alone, which comes after the log is on the disk.
            lobby = read(tmp_path / "cut", {FILE: before[FILE], LOG: log}, driver)
            restored = views(lobby, 0.0), sessions(lobby)
            assert restored in (acknowledged, under_way)
            images += 1
        lobby = read(tmp_path / "cut", after, driver)
        assert (views(lobby, 0.0), sessions(lobby)) == under_way
    assert images > 10 * STEPS


def test_c11_a_power_cut_during_a_checkpoint_loses_nothing(tmp_path: Path) -> None:
    rng = random.Random(9)
    live = tmp_path / "live"
    driver = Power(turn_seconds=0)
    driver.keep_in(live)
    players = driver.four_players()
    driver.play_on(players, rng, 40)
    assert driver.journal is not None
    before = on_disk(live)
    acknowledged = views(driver.lobby, 0.0), sessions(driver.lobby)
    driver.journal.store._database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    after = on_disk(live)
    assert before[FILE] != after[FILE], "there was something to move"
    assert before[LOG] == after[LOG], "the log is written over only after the file is on the disk"
    for _ in range(30):
        image = torn_pages(before[FILE], after[FILE], rng)
        lobby = read(tmp_path / "cut", {FILE: image, LOG: before[LOG]}, driver)
        assert (views(lobby, 0.0), sessions(lobby)) == acknowledged
