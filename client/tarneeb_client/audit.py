"""Whether a deal was fixed before the cut: the check that each player makes for himself.

The server committed to the shuffled pack before it asked for the cut. After the last trick it reveals
pack and salt. Then whoever saw the deal can check that they fit the commitment, and that pack and cut,
dealt by rule 7, give exactly the cards that each seat was seen to play and to hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from tarneeb_engine.cards import Card
from tarneeb_engine.hand import Hand
from tarneeb_engine.pack import cut_pack, deal_hands
from tarneeb_engine.ruleset import Dealing
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import DealView
from tarneeb_protocol.fairness import is_fair


class DealCheck(Enum):
    """What the check of a revealed deal found."""

    FAIR = "fair"
    """Pack and salt fit the commitment, and the pack gives every hand that was seen."""
    UNSEEN = "unseen"
    """The commitment, or the deal itself, was made before this client came: nothing to check it by."""
    OTHER_PACK = "other_pack"
    """Pack and salt do not fit the commitment: this pack is not the one that was fixed before the cut."""
    OTHER_HANDS = "other_hands"
    """The pack fits the commitment, but was not dealt so: a seat played or held other cards."""


def check_deal(
    deal: DealView | None,
    dealing: Dealing,
    commitment: str | None,
    *,
    pack: Sequence[Card],
    salt: str,
    own: tuple[Seat, Sequence[Card]] | None = None,
) -> DealCheck:
    """Check a revealed deal against what this client saw of it.

    ``deal`` is the public view of the deal, ``commitment`` what the server committed to before the cut,
    ``own`` a seat and the cards that it was dealt, where they are known. Never raises for hostile values.
    """
    if deal is None or deal.cut is None or commitment is None:
        return DealCheck.UNSEEN
    if not is_fair(commitment, pack, salt):
        return DealCheck.OTHER_PACK
    try:
        hands = deal_hands(cut_pack(pack, deal.cut), deal.dealer, dealing)
    except ValueError:  # not 52 different cards, or no cut of such a pack
        return DealCheck.OTHER_PACK
    if own is not None and Hand(hands[own[0]].mask) != _hand(own[1]):
        return DealCheck.OTHER_HANDS
    for seat, played in cards_played(deal).items():
        if any(card not in hands[seat] for card in played):
            return DealCheck.OTHER_HANDS
    return DealCheck.FAIR


def cards_played(deal: DealView) -> dict[Seat, list[Card]]:
    """The cards each seat has played in the deal so far, in order."""
    played: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    tricks = deal.tricks if deal.trick is None else (*deal.tricks, deal.trick)
    for trick in tricks:
        for place, card in enumerate(trick.cards):
            played[Seat((trick.leader + place) % 4)].append(card)
    return played


def _hand(cards: Sequence[Card]) -> Hand | None:
    try:
        return Hand.of(cards)
    except ValueError:
        return None
