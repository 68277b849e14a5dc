"""Who wins a trick, and what may be played to it (rules 15–17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.hand import SUIT_BITS
from tarneeb_engine.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.cards import Card, Suit

SUIT_MASKS = tuple(SUIT_BITS << (13 * number) for number in range(4))
"""The bit mask of all thirteen cards of a suit, by ``suit.number``."""


def beats(card: Card, best: Card, trump: Suit | None) -> bool:
    """Whether ``card``, played later, takes the trick from ``best``, which is winning it (rule 17).

    ``trump`` is ``None`` where no tarneeb has been named.
    """
    if card.suit is best.suit:
        return card.number > best.number
    return card.suit is trump


def winning_card(cards: Sequence[Card], trump: Suit | None) -> Card:
    """The card that wins of those played, in the order of play (rule 17). ``ValueError`` when there is none."""
    if not cards:
        raise ValueError("no card has been played to the trick")
    best = cards[0]
    for card in cards[1:]:
        if beats(card, best, trump):
            best = card
    return best


def winner_of(leader: Seat, cards: Sequence[Card], trump: Suit | None) -> Seat:
    """The seat winning a trick, complete or not (rule 17). ``ValueError`` when no card has been played."""
    return Seat((leader + list(cards).index(winning_card(cards, trump))) % 4)


def playable(hand: int, led: Card | None) -> int:
    """The mask of the cards of ``hand`` (a mask) that may be played when ``led`` was led (rule 16).

    All of them when nothing was led, or when the hand is void in that suit.
    """
    if led is None:
        return hand
    return (hand & SUIT_MASKS[led.suit.number]) or hand
