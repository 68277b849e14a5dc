"""What a viewer may know: values built from a state, never a state with parts taken out.

``PublicView`` has no place for a hidden card at all; a spectator gets just that. A seat gets the
same and its own hand beside it. These types are also the body of a snapshot on the wire
(``docs/protocol.md``, "Snapshots"), so their field names are wire names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat, Team


class Phase(StrEnum):
    """How far a deal has come. Within a deal it only goes forward, in this order."""

    CUT = "cut"
    """The pack is shuffled; the dealer's left is to cut (rule 6)."""
    AUCTION = "auction"
    """The hands are dealt; calls are being made (rules 8–13)."""
    DECLARATION = "declaration"
    """The declarer is to name the tarneeb (rule 14)."""
    PLAY = "play"
    """Tricks are being played (rules 15–17)."""
    SCORED = "scored"
    """All tricks are played and reckoned (rules 18–22)."""
    VOID = "void"
    """All four passed; nobody scores (rule 12)."""


@dataclass(frozen=True, slots=True)
class CallView:
    """A call as it was heard by everybody. ``tricks`` is 7–13 for a bid, else ``None``; ``suit`` is what a bid
    names, where bids do (rule 24).
    """

    seat: Seat
    call: CallKind
    tricks: int | None
    remark: Remark | None
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class ContractView:
    """What the declarer promised. ``tricks`` is 13 for "game"; ``trump`` is ``None`` until named; ``doubled``
    tells that the deal counts twice (rule 26).
    """

    declarer: Seat
    call: CallKind
    tricks: int
    trump: Suit | None
    doubled: bool = False


@dataclass(frozen=True, slots=True)
class TrickView:
    """A trick in the order of play, from the leader round. ``winner`` is the seat winning so far,
    or that won; ``None`` while no card is played.
    """

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class DealScore:
    """How a deal was reckoned (rules 18–22, 26). Pairs are by team: [South–North, East–West].

    ``points`` is what the deal added to each team; ``scores`` the running totals after it;
    ``wins_set`` the team that won the set by it, by the target or by "game" (rules 20, 21); ``doubled`` tells
    that ``points`` count twice (rule 26).
    """

    number: int
    declarer: Seat
    call: CallKind
    bid: int
    trump: Suit
    taken: tuple[int, int]
    made: bool
    points: tuple[int, int]
    scores: tuple[int, int]
    wins_set: Team | None
    doubled: bool = False


@dataclass(frozen=True, slots=True)
class DealView:
    """All that is public of the deal in progress, or of the last one when none is.

    ``number`` counts the deals of the set from 1, void ones too. ``turn`` is the seat to act, or
    ``None``. ``cards_held`` is how many cards each seat holds, by seat. ``trick`` is the trick in
    progress, present exactly in ``Phase.PLAY``. ``tricks`` are the finished ones; ``taken`` how many
    each team has.
    """

    number: int
    dealer: Seat
    phase: Phase
    turn: Seat | None
    cut: int | None
    cards_held: tuple[int, int, int, int]
    calls: tuple[CallView, ...]
    contract: ContractView | None
    tricks: tuple[TrickView, ...]
    trick: TrickView | None
    taken: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody at the table knows of a set; all that a spectator may know.

    ``history`` has one score for each deal played out, void deals left out. ``deal`` is ``None``
    only before the first deal of the set.
    """

    rules: Ruleset
    scores: tuple[int, int]
    history: tuple[DealScore, ...]
    deal: DealView | None
    winner: Team | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat may know: the public view and its own hand, in ascending order of card number.

    The hand is empty before the deal and after the last card.
    """

    seat: Seat
    hand: tuple[Card, ...]
    public: PublicView
