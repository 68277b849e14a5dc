"""Calls of the auction (rules 9–13, 24–26)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_engine.cards import Suit

LOWEST_BID = 7
HIGHEST_BID = 13


class CallKind(StrEnum):
    """What kind of call it is; the value is its word on the wire."""

    PASS = "pass"
    """No bid."""
    BID = "bid"
    """A promise of 7–13 tricks, where the rules ask for it with a suit (rule 24)."""
    GAME = "game"
    """بالدق: the promise to take all 13 and win the set by it (rule 11)."""
    DOUBLE = "double"
    """No bid, but the opponents' highest one is to count twice (rule 26)."""

    __hash__ = str.__hash__


class Remark(StrEnum):
    """What a player may say of the hand along with a call, where ``partner_hints`` is on (rule 13)."""

    HELPFUL = "helpful"
    NOT_HELPFUL = "not_helpful"

    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class Call:
    """A pass, a bid, "game" or a double. ``tricks`` is a whole number for a bid and ``None`` otherwise;
    ``suit`` is the tarneeb that a bid names, where bids do (rule 24).

    Whether the bid may be made now is the auction's to say (rule 9), so any whole number is accepted here;
    ``ValueError`` when kind, tricks and suit do not fit together, or for ``True``, 7.5 and the like.
    """

    kind: CallKind
    tricks: int | None = None
    suit: Suit | None = None

    def __post_init__(self) -> None:
        if self.kind is CallKind.BID:
            if type(self.tricks) is not int:
                raise ValueError(f"a bid names a whole number of tricks, not {self.tricks!r}")
        elif self.tricks is not None:
            raise ValueError(f"{self.kind.value!r} names no number of tricks, but {self.tricks!r} was given")
        elif self.suit is not None:
            raise ValueError(f"{self.kind.value!r} names no suit, but {self.suit!r} was given")

    @classmethod
    def bid(cls, tricks: int, suit: Suit | None = None) -> Call:
        """The bid of ``tricks``, perhaps with a suit; whether it is 7–13 is checked by the auction."""
        return cls(CallKind.BID, tricks, suit)

    @property
    def promised(self) -> int:
        """Tricks promised: 0 for a pass or a double, 13 for "game"."""
        if self.kind is CallKind.BID:
            assert self.tricks is not None  # noqa: S101  (checked when the call was made)
            return self.tricks
        return HIGHEST_BID if self.kind is CallKind.GAME else 0

    @property
    def strength(self) -> int:
        """Orders calls by number: pass and double 0, a bid its tricks, "game" 14, above a 13 (rules 9, 11)."""
        return HIGHEST_BID + 1 if self.kind is CallKind.GAME else self.promised


PASS = Call(CallKind.PASS)
GAME = Call(CallKind.GAME)
DOUBLE = Call(CallKind.DOUBLE)
