"""Calls of the auction (rules 9–13)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LOWEST_BID = 7
HIGHEST_BID = 13


class CallKind(StrEnum):
    """What kind of call it is; the value is its word on the wire."""

    PASS = "pass"
    """No bid."""
    BID = "bid"
    """A promise of 7–13 tricks."""
    GAME = "game"
    """بالدق: the promise to take all 13 and win the set by it (rule 11)."""

    __hash__ = str.__hash__


class Remark(StrEnum):
    """What a player may say of the hand along with a call, where ``partner_hints`` is on (rule 13)."""

    HELPFUL = "helpful"
    NOT_HELPFUL = "not_helpful"

    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class Call:
    """A pass, a bid, or "game". ``tricks`` is a whole number for a bid and ``None`` otherwise.

    Whether the number may be bid now is the auction's to say (rule 9), so any whole number is
    accepted here; ``ValueError`` when kind and tricks do not fit together, or for ``True``, 7.5 and the like.
    """

    kind: CallKind
    tricks: int | None = None

    def __post_init__(self) -> None:
        if self.kind is CallKind.BID:
            if type(self.tricks) is not int:
                raise ValueError(f"a bid names a whole number of tricks, not {self.tricks!r}")
        elif self.tricks is not None:
            raise ValueError(f"{self.kind.value!r} names no number of tricks, but {self.tricks!r} was given")

    @classmethod
    def bid(cls, tricks: int) -> Call:
        """The bid of ``tricks``; whether it is 7–13 is checked by the auction."""
        return cls(CallKind.BID, tricks)

    @property
    def promised(self) -> int:
        """Tricks promised: 0 for a pass, 13 for "game"."""
        if self.kind is CallKind.BID:
            assert self.tricks is not None  # noqa: S101  (checked when the call was made)
            return self.tricks
        return HIGHEST_BID if self.kind is CallKind.GAME else 0

    @property
    def strength(self) -> int:
        """Orders legal calls: pass 0, a bid its tricks, "game" 14, above a plain 13 (rules 9, 11)."""
        return HIGHEST_BID + 1 if self.kind is CallKind.GAME else self.promised


PASS = Call(CallKind.PASS)
GAME = Call(CallKind.GAME)
