"""A player's actions, inside ``act``."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import Card, Suit


class CutAction(msgspec.Struct, frozen=True, tag_field="type", tag="cut"):
    """Lift ``at`` cards from the top (rule 6)."""

    at: int


class CallAction(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="call"):
    """Call in the auction (rules 9–13, 24–26). ``tricks`` goes with ``bid`` alone; so does ``suit``, where the
    rules have bids name it.
    """

    call: CallKind
    tricks: int | None = None
    remark: Remark | None = None
    suit: Suit | None = None

    def __post_init__(self) -> None:
        if (self.call is CallKind.BID) != (self.tricks is not None):
            raise ValueError('`tricks` goes with the call "bid", which needs it, and with no other')
        if self.suit is not None and self.call is not CallKind.BID:
            raise ValueError('`suit` goes with the call "bid" and with no other')


class TrumpAction(msgspec.Struct, frozen=True, tag_field="type", tag="trump"):
    """Name the tarneeb (rule 14)."""

    suit: Suit


class PlayAction(msgspec.Struct, frozen=True, tag_field="type", tag="play"):
    """Play a card (rules 15–16)."""

    card: Card


class ReadyAction(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """Say yes to the next set."""


WireAction: TypeAlias = CutAction | CallAction | TrumpAction | PlayAction | ReadyAction
