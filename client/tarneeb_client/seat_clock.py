"""What runs out while somebody is away: the next attempt to connect, the player's own seat, the others' seats.

A server says once how long a seat is held; what is left of it is counted here, by a clock that is an argument.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import msgspec

from tarneeb_client.link_items import LinkLost
from tarneeb_client.state import TableView
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m

NOTICES = (60, 30, 10, 0)
"""Seconds left of the player's own seat at which to say so."""
ATTEMPT_LINE_SECONDS = 10.0
"""Attempts to connect again are not told of more often than this."""


class SeatClock:
    """Counts down. ``clock`` gives seconds that only grow."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lost: LinkLost | None = None
        self._lost_at = 0.0
        self._told_at = -math.inf
        self._held_until: float | None = None
        self._notices: list[int] = []
        self._away: dict[Seat, float] = {}

    # ---------------------------------------------------------------- the player's own link

    def link_lost(self, item: LinkLost) -> bool:
        """The link is lost, or was not found again. Whether this is news enough for a line."""
        now = self._clock()
        is_first = self._lost is None
        self._lost, self._lost_at = item, now
        if item.held_seconds is not None and (is_first or self._held_until is None):
            self._held_until = now + item.held_seconds
            self._notices = [notice for notice in NOTICES if notice < item.held_seconds]
        is_news = is_first or now - self._told_at >= ATTEMPT_LINE_SECONDS
        if is_news:
            self._told_at = now
        return is_news

    def link_stands(self) -> None:
        """The link is back, or over for good."""
        self._lost = self._held_until = None
        self._told_at = -math.inf
        self._notices = []

    @property
    def lost(self) -> LinkLost | None:
        """The latest word of a lost link, with what is left of its times now; ``None`` while it stands."""
        if self._lost is None:
            return None
        now = self._clock()
        return LinkLost(
            self._lost.attempt,
            max(0.0, self._lost.retry_seconds - (now - self._lost_at)),
            None if self._held_until is None else max(0.0, self._held_until - now),
            self._lost.reason,
        )

    def notice(self) -> int | None:
        """The seconds left of which the player is to hear now, once for each of ``NOTICES``; else ``None``."""
        due = None
        while self._held_until is not None and self._notices and self.seconds_to_notice() <= 0:
            due = self._notices.pop(0)  # of several that passed at once, as in a sleep, the last counts
        return due

    def seconds_to_notice(self) -> float:
        """Until the next ``notice``; infinity when none is to come."""
        if self._held_until is None or not self._notices:
            return math.inf
        return max(0.0, self._held_until - self._notices[0] - self._clock())

    # ---------------------------------------------------------------- the others

    def follow(self, message: m.Message, view: TableView | None) -> None:
        """Take in a message that led to this view."""
        if view is None:
            self._away.clear()
            return
        held = [None if summary is None else summary.away_seconds for summary in view.snapshot.seats]
        if isinstance(message, m.Snapshot):
            self._away.clear()
        for seat, seconds in zip(Seat, held, strict=True):
            if seconds is None:
                self._away.pop(seat, None)
            elif seat not in self._away or (isinstance(message, m.PlayerAway) and message.seat == seat):
                self._away[seat] = self._clock() + seconds

    def seats_away(self, own: Seat | None) -> dict[Seat, float]:
        """For each seat but the viewer's own whose player is away: the seconds that it is held yet."""
        now = self._clock()
        return {seat: max(0.0, until - now) for seat, until in self._away.items() if seat != own}

    def as_of_now(self, view: TableView) -> TableView:
        """The view with the seconds that seats are held counted down to this moment."""
        now = self._clock()
        seats = [
            summary
            if summary is None or summary.away_seconds is None or seat not in self._away
            else msgspec.structs.replace(summary, away_seconds=max(0, round(self._away[seat] - now)))
            for seat, summary in zip(Seat, view.snapshot.seats, strict=True)
        ]
        south, east, north, west = seats
        snapshot = msgspec.structs.replace(view.snapshot, seats=(south, east, north, west))
        return replace(view, snapshot=snapshot)
