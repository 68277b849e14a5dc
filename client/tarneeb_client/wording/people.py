"""Who is who, from the viewer's own point of view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tarneeb_client import marks
from tarneeb_client.language import LANGUAGES, N_, _, in_context, in_use
from tarneeb_engine.seats import Seat, Team
from tarneeb_protocol.confusables import PROTOTYPES
from tarneeb_protocol.messages import MAX_NAME_CHARS, Seats, Snapshot
from tarneeb_protocol.names import NameKeys, name_keys, plain
from tarneeb_protocol.text import harmless

SEAT_NAMES = {Seat.SOUTH: N_("South"), Seat.EAST: N_("East"), Seat.NORTH: N_("North"), Seat.WEST: N_("West")}
TEAM_NAMES = {Team.SOUTH_NORTH: "South-North", Team.EAST_WEST: "East-West"}
"""For programs; a person is told ``us`` and ``them``, or names."""


_NO_BRACKETS = str.maketrans("<>", "()")
_MARKS = frozenset(marks.CHAT + marks.CHAT_GOES_ON.strip() + marks.NOTICE + marks.OTHERS + ")")


def called(name: str) -> str:
    """Somebody's name as it stands in a line, whatever a server lets people be called: harmless, of a name's
    length, never beginning with what a line of another kind begins with or with what is drawn like it, and in
    quotation marks where it is what this program calls the one who reads.
    """
    return _called(name, in_use())


@lru_cache(maxsize=512)
def _called(name: str, language: str) -> str:
    shown = " ".join(harmless(name).translate(_NO_BRACKETS).split())
    while shown and _is_mark(shown[0]):
        shown = shown[1:].lstrip()
    if len(shown) > MAX_NAME_CHARS:
        shown = shown[: MAX_NAME_CHARS - 1] + "…"
    keys = name_keys(shown)
    if any(keys.agree(own) for own in _addressed(language)):
        return f'"{shown}"'
    return shown or "?"


def _is_mark(character: str) -> bool:
    return bool({plain(character), plain(character.translate(PROTOTYPES))} & _MARKS)


@lru_cache(maxsize=len(LANGUAGES))
def _addressed(language: str) -> tuple[NameKeys, ...]:
    """What the viewer and the teams are called; ``language`` is the one in use."""
    del language
    words = {"You", "you", "us", "them", _("You"), in_context("subject", "you"), _("us"), _("them")}
    return tuple(map(name_keys, sorted(words)))


def chat_line(name: str, text: str, *, place: str = "") -> str:
    """What somebody said, in a form of its own: ``<name> text``; ``place`` stands behind the name."""
    return f"{marks.CHAT}{called(name)}{place}> {harmless(text)}"


def seat_name(seat: Seat) -> str:
    """A seat's own name."""
    return _(SEAT_NAMES[seat])


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
        return seat_name(seat) if summary is None else called(summary.name)

    def name(self, seat: Seat) -> str:
        """``You``, or the name of who is in the seat: a label."""
        return _("You") if self.is_own(seat) else self.occupant(seat)

    def tell(self, seat: Seat, *, own: str, other: str, **fields: object) -> str:
        """The sentence ``own`` if the seat is the viewer's, else ``other`` with ``{name}``; both are translated
        already, and have the ``fields`` put in.
        """
        if self.is_own(seat):
            return own.format(**fields)
        return other.format(name=self.occupant(seat), **fields)

    def team(self, team: Team) -> str:
        """``us`` or ``them``; for a spectator the names of both partners."""
        if self.seat is None:
            first, second = (seat for seat in Seat if seat.team() is team)
            return _("{first} and {second}").format(first=self.occupant(first), second=self.occupant(second))
        return _("us") if self.seat.team() is team else _("them")

    def score(self, pair: tuple[int, int], *, signed: bool = False) -> str:
        """Two figures by team, the viewer's own first: ``us 18, them 22``; ``signed``: ``us +9, them +0``."""
        teams = (Team.SOUTH_NORTH, Team.EAST_WEST)
        if self.seat is not None and self.seat.team() is Team.EAST_WEST:
            teams = (Team.EAST_WEST, Team.SOUTH_NORTH)
        own, other = (f"{pair[team]:{'+d' if signed else 'd'}}" for team in teams)
        return _("{team} {points}, {other_team} {other_points}").format(
            team=self.team(teams[0]), points=own, other_team=self.team(teams[1]), other_points=other
        )


def capitalised(sentence: str) -> str:
    """The sentence with its first letter as a capital; the rest as it is."""
    return sentence[:1].upper() + sentence[1:]
