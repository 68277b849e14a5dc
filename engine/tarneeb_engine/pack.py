"""Shuffling, cutting and dealing the pack (rules 2, 6, 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from tarneeb_engine.cards import FULL_PACK, Card
from tarneeb_engine.hand import Hand
from tarneeb_engine.ruleset import Dealing

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

    from tarneeb_engine.seats import Seat

PACK_SIZE = len(FULL_PACK)
SMALLEST_CUT = 1
LARGEST_CUT = PACK_SIZE - 1
HAND_SIZE = 13


class Shuffler(Protocol):
    """Anything that shuffles in place: ``random.Random`` with a seed, ``random.SystemRandom`` without."""

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Put the sequence into a random order."""


def shuffled(rng: Shuffler) -> tuple[Card, ...]:
    """A full pack in random order, top card first (rule 6)."""
    cards = list(FULL_PACK)
    rng.shuffle(cards)
    return tuple(cards)


def check_pack(pack: Sequence[Card]) -> None:
    """Raise ``ValueError`` unless ``pack`` holds each of the 52 cards once."""
    mask = 0
    for card in pack:
        mask |= card.bit
    if len(pack) != PACK_SIZE or mask.bit_count() != PACK_SIZE:
        raise ValueError(
            f"a pack holds each of the 52 cards once; this one has {len(pack)}, {mask.bit_count()} different"
        )


def cut_pack(pack: Sequence[Card], at: int) -> tuple[Card, ...]:
    """The pack after ``at`` cards were lifted from the top and put under the rest (rule 6).

    ``ValueError`` unless ``at`` is 1–51.
    """
    if not SMALLEST_CUT <= at <= LARGEST_CUT:
        raise ValueError(f"a cut lifts {SMALLEST_CUT} to {LARGEST_CUT} cards, not {at}")
    return (*pack[at:], *pack[:at])


def deal_hands(pack: Sequence[Card], dealer: Seat, dealing: Dealing) -> tuple[Hand, Hand, Hand, Hand]:
    """The four hands, by seat, of a pack that has been cut (rule 7). The dealer's right gets the first card.

    ``ValueError`` when ``pack`` is not a full pack.
    """
    check_pack(pack)
    first = dealer.next()
    if dealing is Dealing.ONE_BY_ONE:
        order = [Hand.of(pack[turn::4]) for turn in range(4)]
    else:
        order = [Hand.of(pack[HAND_SIZE * turn : HAND_SIZE * (turn + 1)]) for turn in range(4)]
    # The k-th to be dealt sits k places after the first; turned round so that index is seat.
    south, east, north, west = (order[(seat - first) % 4] for seat in range(4))
    return south, east, north, west
