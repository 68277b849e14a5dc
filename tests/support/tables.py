"""Common beginnings at a table of a lobby under test."""

from __future__ import annotations

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire


def names_at(link: Link) -> list[str | None]:
    """Who sits where, by seat, as the viewer sees it."""
    assert link.view is not None
    return [None if seat is None else seat.name for seat in link.view.seats]


def solo(driver: LobbyDriver) -> Link:
    """One player in South with three bots, in a set that has just begun."""
    player = driver.hello("Nour")
    number = driver.open_table(player)
    driver.ok(player, wire.Join, table=number, seat=Seat.SOUTH)
    for _ in range(3):
        driver.ok(player, wire.AddBot)
    return player
