"""What the engine says happened, in order. Every event but ``HandsDealt`` is public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tarneeb_engine.calls import Call, Remark
    from tarneeb_engine.cards import Card, Suit
    from tarneeb_engine.hand import Hand
    from tarneeb_engine.seats import Seat, Team
    from tarneeb_engine.views import DealScore


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A pack is shuffled for deal ``number`` of the set; ``dealer.left()`` is to cut (rule 6)."""

    number: int
    dealer: Seat


@dataclass(frozen=True, slots=True)
class PackCut:
    """``seat`` lifted ``at`` cards (rule 6)."""

    seat: Seat
    at: int


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """The hands, by seat (rule 7). Secret: each seat may learn its own and nobody any other."""

    hands: tuple[Hand, Hand, Hand, Hand]
    turn: Seat


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call (rules 8–13). ``turn`` calls next, or is ``None`` when the auction is over."""

    seat: Seat
    call: Call
    remark: Remark | None
    turn: Seat | None


@dataclass(frozen=True, slots=True)
class AuctionWon:
    """The declarer is found. It is to name the tarneeb (rule 14), unless ``call`` did: then ``TrumpNamed``
    follows at once (rule 24). ``doubled``: the deal counts twice (rule 26).
    """

    declarer: Seat
    call: Call
    doubled: bool = False


@dataclass(frozen=True, slots=True)
class DealVoided:
    """All four passed; nobody scores (rule 12)."""


@dataclass(frozen=True, slots=True)
class TrumpNamed:
    """The declarer named the tarneeb, with the bid or after the auction, and is to lead (rules 14, 15, 24)."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played. ``winning`` is the seat winning the trick so far; ``turn`` plays next,
    or is ``None`` when the trick is complete (rules 15–17).
    """

    seat: Seat
    card: Card
    winning: Seat
    turn: Seat | None


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """``seat`` won the trick; ``taken`` counts tricks by team after it; ``turn`` leads next, or is ``None``
    after the thirteenth (rule 17).
    """

    seat: Seat
    taken: tuple[int, int]
    turn: Seat | None


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal was reckoned (rules 18–22)."""

    score: DealScore


@dataclass(frozen=True, slots=True)
class SetWon:
    """The set is over (rules 20, 21)."""

    winner: Team
    scores: tuple[int, int]


Event: TypeAlias = (
    DealStarted
    | PackCut
    | HandsDealt
    | CallMade
    | AuctionWon
    | DealVoided
    | TrumpNamed
    | CardPlayed
    | TrickTaken
    | DealScored
    | SetWon
)
