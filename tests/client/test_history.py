"""``history``: the recorded sets of a server, while one is on it."""

from __future__ import annotations

from support.lobby_driver import LobbyDriver
from support.table_talk import TableTalk
from tarneeb_server.archive import ArchiveInMemory


def test_the_sets_that_were_played_are_listed_page_by_page() -> None:
    driver = LobbyDriver(turn_seconds=1, bot_delay=0.0)
    nour = TableTalk(driver, "Nour")
    assert nour.type("history") == ["No set that you may see has been played here yet."]
    player = driver.hello("Rami")
    driver.play_a_set(player)
    (line,) = nour.type("history")
    assert line.startswith("1. ")
    assert "Majlis: " in line
    assert "Rami and Bot Dana" in line
    archive = driver.lobby.archive
    assert isinstance(archive, ArchiveInMemory)
    for _ in range(33):
        archive.add(driver.records[0])
    lines = nour.type("history")
    assert len(lines) == 33
    assert lines[0].startswith("34. ")
    assert lines[-1] == "Earlier ones: history 3"
    assert [each.split(".")[0] for each in nour.type("history 3")] == ["2", "1"]
    assert nour.type("history 1") == ["No set before number 1 that you may see."]
    assert nour.type("history last") == ["! “last” is not the number of a set, as history shows it."]
