"""The cards one seat holds, as a bit mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.cards import FULL_PACK, Card, Suit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUIT_BITS = (1 << 13) - 1
"""The thirteen bits of one suit, before shifting by ``13 * suit.number``."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A set of cards: bit ``card.number`` of ``mask`` is 1 for each card held. Iterates in ascending number."""

    mask: int = 0

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Hand:
        """The hand of these cards; ``ValueError`` when one comes twice."""
        mask = 0
        for card in cards:
            if mask & card.bit:
                raise ValueError(f"{card.value} comes twice")
            mask |= card.bit
        return cls(mask)

    def __contains__(self, card: Card) -> bool:
        return bool(self.mask & card.bit)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            lowest = mask & -mask
            yield FULL_PACK[lowest.bit_length() - 1]
            mask ^= lowest

    def in_suit(self, suit: Suit) -> Hand:
        """The cards of one suit."""
        return Hand(self.mask & (SUIT_BITS << (13 * suit.number)))

    def is_void(self, suit: Suit) -> bool:
        """Whether no card of the suit is held."""
        return not self.mask & (SUIT_BITS << (13 * suit.number))

    def without(self, card: Card) -> Hand:
        """The hand after ``card`` has left it."""
        return Hand(self.mask & ~card.bit)
