"""The signs that screens are drawn with: those of Unicode, or of ASCII where a terminal lacks them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tarneeb_engine.cards import Card, Rank, Suit


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """``corners`` are those of a box: top left, top right, bottom left, bottom right; ``tees`` where the side
    pane's edge meets the upper and the lower rule.
    """

    suits: tuple[str, str, str, str]
    """By suit, in the order of ``Suit``."""
    across: str
    down: str
    corners: tuple[str, str, str, str]
    tees: tuple[str, str]
    pointer: str
    online: str
    offline: str
    between: str
    """Between two things of one line."""

    stand_ins: Mapping[int, str] = field(default_factory=dict)
    """What is drawn in place of other characters, each as wide as the one that it stands for."""

    def suit(self, suit: Suit) -> str:
        """The sign of a suit."""
        return self.suits[tuple(Suit).index(suit)]

    def card(self, card: Card) -> str:
        """A card in two or three cells: ``♥9``, ``♥10``."""
        return self.suit(card.suit) + rank_sign(card.rank)


def rank_sign(rank: Rank) -> str:
    """A rank in one or two characters, the ten as ``10``."""
    return "10" if rank is Rank.TEN else rank.letter


UNICODE = Glyphs(
    suits=("♣", "♦", "♥", "♠"),
    across="─",
    down="│",
    corners=("┌", "┐", "└", "┘"),
    tees=("┬", "┴"),
    pointer="▸",
    online="●",
    offline="○",
    between=" · ",
)
ASCII = Glyphs(
    suits=("C", "D", "H", "S"),
    across="-",
    down="|",
    corners=("+", "+", "+", "+"),
    tees=("+", "+"),
    pointer=">",
    online="*",
    offline="o",
    between=", ",
    stand_ins={ord(sign): letter for sign, letter in zip("…♣♦♥♠·─│▸●○", "~CDHS,-|>*o", strict=True)},
)
