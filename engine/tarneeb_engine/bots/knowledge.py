"""What a seat can conclude from its view: which cards are still out, and who cannot hold them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.hand import SUIT_BITS, Hand

if TYPE_CHECKING:
    from tarneeb_engine.cards import Card, Suit
    from tarneeb_engine.seats import Seat
    from tarneeb_engine.views import DealView, SeatView, TrickView

ALL_CARDS = (1 << 52) - 1


def suit_mask(suit: Suit) -> int:
    """The thirteen cards of ``suit`` as bits of a hand's mask."""
    return SUIT_BITS << (13 * suit.number)


def higher_mask(card: Card) -> int:
    """The cards of the same suit that are higher than ``card``."""
    return suit_mask(card.suit) & ~((card.bit << 1) - 1)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Cards as bit masks: those in hand, those not yet seen by this seat, and the suits each seat has shown
    that it is void in (by seat, whole suits).
    """

    seat: Seat
    hand: int
    unseen: int
    voids: tuple[int, int, int, int]
    trump: Suit
    declarer: Seat
    deal: DealView

    @classmethod
    def from_view(cls, view: SeatView) -> Knowledge:
        """Counts the play of the deal in progress. The tarneeb must have been named."""
        deal = view.public.deal
        if deal is None or deal.contract is None or deal.contract.trump is None:
            raise ValueError("no tarneeb has been named yet")
        hand = Hand.of(view.hand).mask
        played = 0
        voids = [0, 0, 0, 0]
        tricks: list[TrickView] = [*deal.tricks, deal.trick] if deal.trick else [*deal.tricks]
        for trick in tricks:
            seat = trick.leader
            for card in trick.cards:
                played |= card.bit
                if card.suit is not trick.cards[0].suit:
                    voids[seat] |= suit_mask(trick.cards[0].suit)
                seat = seat.next()
        return cls(
            seat=view.seat,
            hand=hand,
            unseen=ALL_CARDS & ~hand & ~played,
            voids=(voids[0], voids[1], voids[2], voids[3]),
            trump=deal.contract.trump,
            declarer=deal.contract.declarer,
            deal=deal,
        )

    @property
    def declaring(self) -> bool:
        """Whether this seat is of the declaring side."""
        return self.declarer.team() is self.seat.team()

    def may_hold(self, seat: Seat, cards: int) -> int:
        """Which of ``cards`` another seat may hold, as far as the play has shown."""
        return self.unseen & cards & ~self.voids[seat]

    def opponents_may_hold(self, cards: int) -> int:
        """Which of ``cards`` either opponent may hold."""
        right = self.seat.next()
        return self.may_hold(right, cards) | self.may_hold(right.partner(), cards)

    def is_master(self, card: Card) -> bool:
        """Whether no unseen card of the suit is higher: only a tarneeb beats it, or a card of the trick."""
        return not self.unseen & higher_mask(card)

    def opponents_trumps(self) -> int:
        """The tarneebs that an opponent may hold."""
        return self.opponents_may_hold(suit_mask(self.trump))
