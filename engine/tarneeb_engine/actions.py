"""What a seat can do: the actions of rules 6, 8–16."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tarneeb_engine.calls import Call, Remark
    from tarneeb_engine.cards import Card, Suit


@dataclass(frozen=True, slots=True)
class Cut:
    """Lift ``at`` cards (1–51) from the top and put them under the rest (rule 6)."""

    at: int


@dataclass(frozen=True, slots=True)
class MakeCall:
    """Call in the auction, perhaps with a remark (rules 9–13)."""

    call: Call
    remark: Remark | None = None


@dataclass(frozen=True, slots=True)
class NameTrump:
    """Name the tarneeb (rule 14)."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card to the trick (rules 15–16)."""

    card: Card


Action: TypeAlias = Cut | MakeCall | NameTrump | PlayCard
