"""Who is who, from the viewer's own point of view."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_engine.seats import Seat, Team
from tarneeb_protocol.messages import Seats, Snapshot
from tarneeb_protocol.text import harmless

SEAT_NAMES = {Seat.SOUTH: "South", Seat.EAST: "East", Seat.NORTH: "North", Seat.WEST: "West"}
TEAM_NAMES = {Team.SOUTH_NORTH: "South-North", Team.EAST_WEST: "East-West"}


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Names the seats of a table for a viewer, who is in ``seat`` or, when that is ``None``, a spectator."""

    seats: Seats
    seat: Seat | None

    @classmethod
    def of(cls, snapshot: Snapshot) -> Viewpoint:
        """The viewpoint of a snapshot's own viewer."""
        return cls(snapshot.seats, snapshot.seat)

    def is_own(self, seat: Seat) -> bool:
        """Whether the seat is the viewer's."""
        return seat == self.seat

    def occupant(self, seat: Seat) -> str:
        """The name of who is in the seat, or the seat's own when it is empty."""
        summary = self.seats[seat]
        return SEAT_NAMES[seat] if summary is None else harmless(summary.name)

    def name(self, seat: Seat) -> str:
        """``You``, or the name of who is in the seat: the subject of a sentence."""
        return "You" if self.is_own(seat) else self.occupant(seat)

    def does(self, seat: Seat, verb: str, third_person: str | None = None) -> str:
        """Subject and verb: ``You bid``, ``Huda bids``."""
        if self.is_own(seat):
            return f"You {verb}"
        return f"{self.occupant(seat)} {third_person or verb + 's'}"

    def team(self, team: Team) -> str:
        """``us`` or ``them``; for a spectator the names of both partners."""
        if self.seat is None:
            first, second = (seat for seat in Seat if seat.team() is team)
            return f"{self.occupant(first)} and {self.occupant(second)}"
        return "us" if self.seat.team() is team else "them"

    def score(self, pair: tuple[int, int], *, signed: bool = False) -> str:
        """Two figures by team, the viewer's own first: ``us 18, them 22``; ``signed``: ``us +9, them +0``."""
        teams = (Team.SOUTH_NORTH, Team.EAST_WEST)
        if self.seat is not None and self.seat.team() is Team.EAST_WEST:
            teams = (Team.EAST_WEST, Team.SOUTH_NORTH)
        return ", ".join(f"{self.team(team)} {pair[team]:{'+d' if signed else 'd'}}" for team in teams)


def capitalised(sentence: str) -> str:
    """The sentence with its first letter as a capital; the rest as it is."""
    return sentence[:1].upper() + sentence[1:]
