"""What a hand is worth before the play: which suit to name, and how many tricks to expect.

The expectation is linear in the length of the trump suit and in high-card points (A 4, K 3, Q 2, J 1), like the
one in "What a hand is worth" of ``docs/rules.md``. That one is for play with open cards; the numbers here are
fitted to 6,000 hands that four steady bots played out. They count the tricks of the whole side, the partner's
unseen hand included.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from tarneeb_engine.cards import Rank, Suit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tarneeb_engine.cards import Card

ALL_TRICKS = 13

BASE = 1.56
PER_TRUMP = 0.82
PER_POINT = 0.19
TRUMP_POINT_EXTRA = 0.02
"""An honour in trumps is worth a little more than one outside: it decides the choice between equal lengths."""
SPREAD = 1.75
"""Standard deviation, in tricks, of the truth round the expectation."""


def points_of(cards: Iterable[Card]) -> int:
    """High-card points: an ace 4, a king 3, a queen 2, a jack 1."""
    return sum(max(0, card.rank - Rank.TEN) for card in cards)


def expected_tricks(hand: Sequence[Card], trump: Suit) -> float:
    """Tricks that a side should take with ``trump``, seen from the hand of its declarer."""
    trumps = [card for card in hand if card.suit is trump]
    points = points_of(hand) + TRUMP_POINT_EXTRA / PER_POINT * points_of(trumps)
    return BASE + PER_TRUMP * len(trumps) + PER_POINT * points


def best_trump(hand: Sequence[Card]) -> tuple[Suit, float]:
    """The suit to name, and the tricks to expect with it."""
    return max(((suit, expected_tricks(hand, suit)) for suit in Suit), key=lambda pair: pair[1])


def sure_tricks(hand: Sequence[Card], trump: Suit) -> int:
    """Tricks that the hand takes by itself against any likely layout, on lead with ``trump`` as tarneeb.

    Top cards in sequence count; so does every card of a suit whose top cards fetch all that the others can
    hold when those lie no worse than three in one hand.
    """
    total = 0
    for suit in Suit:
        ranks = sorted((card.rank for card in hand if card.suit is suit), reverse=True)
        top = 0
        while top < len(ranks) and ranks[top] == Rank.ACE - top:
            top += 1
        drawn = top >= min(3, 13 - len(ranks)) and len(ranks) >= (8 if suit is trump else 7)
        total += len(ranks) if drawn else top
    return min(ALL_TRICKS, total)


def trick_chances(mean: float, spread: float = SPREAD) -> tuple[float, ...]:
    """The chance of each number of tricks, 0–13, when ``mean`` are expected; sums to 1."""
    below = [0.0]
    below += [
        0.5 * (1 + math.erf((taken + 0.5 - mean) / (spread * math.sqrt(2)))) for taken in range(ALL_TRICKS)
    ]
    below.append(1.0)
    return tuple(upper - lower for lower, upper in pairwise(below))
