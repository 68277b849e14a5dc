"""From what the engine says to what each viewer is told. Built from what a viewer may know, never scrubbed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

import tarneeb_engine.events as happened
from tarneeb_protocol import messages as wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.hand import Hand

Projected: TypeAlias = tuple[wire.TableEvent, tuple[wire.HandsDealt, ...]]
"""The event as everybody sees it, and by seat where each seat sees more."""

PublicEvent: TypeAlias = (
    happened.PackCut
    | happened.CallMade
    | happened.AuctionWon
    | happened.DealVoided
    | happened.TrumpNamed
    | happened.CardPlayed
    | happened.TrickTaken
    | happened.DealScored
    | happened.SetWon
)
"""What the engine says that holds nothing hidden. ``DealStarted`` needs the commitment beside it."""


def project_public(event: PublicEvent, table: int, seq: int, by: wire.Actor) -> wire.TableEvent:
    """The message of an event that is the same for everybody."""
    match event:
        case happened.CardPlayed(seat, card, winning, turn):
            return wire.CardPlayed(
                table=table, seq=seq, seat=seat, card=card, winning=winning, by=by, turn=turn
            )
        case happened.TrickTaken(seat, taken, turn):
            return wire.TrickTaken(table=table, seq=seq, seat=seat, taken=taken, turn=turn)
        case happened.CallMade(seat, call, remark, turn):
            return wire.CallMade(
                table=table,
                seq=seq,
                seat=seat,
                call=call.kind,
                tricks=call.tricks,
                suit=call.suit,
                remark=remark,
                by=by,
                turn=turn,
            )
        case happened.PackCut(seat, at):
            return wire.PackCut(table=table, seq=seq, seat=seat, at=at, by=by)
        case happened.AuctionWon(declarer, call, doubled):
            return wire.AuctionWon(
                table=table,
                seq=seq,
                seat=declarer,
                call=call.kind,
                tricks=call.promised,
                suit=call.suit,
                doubled=doubled,
            )
        case happened.DealVoided():
            return wire.DealVoided(table=table, seq=seq)
        case happened.TrumpNamed(seat, suit):
            return wire.TrumpNamed(table=table, seq=seq, seat=seat, suit=suit, by=by)
        case happened.DealScored(score):
            return wire.DealScored(table=table, seq=seq, score=score)
        case happened.SetWon(winner, scores):
            return wire.SetWon(table=table, seq=seq, team=winner, scores=scores)
        case _:
            assert_never(event)


def project_deal_started(event: happened.DealStarted, table: int, seq: int, commitment: str) -> wire.TableEvent:
    """The message that a deal begins, with the commitment to its pack."""
    return wire.DealStarted(
        table=table,
        seq=seq,
        number=event.number,
        dealer=event.dealer,
        commitment=commitment,
        turn=event.dealer.left(),
    )


def project_hands(event: happened.HandsDealt, table: int, seq: int) -> Projected:
    """A message without a hand for spectators, and one for each seat with its own hand."""
    public = wire.HandsDealt(table=table, seq=seq, turn=event.turn)
    hands: Sequence[Hand] = event.hands
    by_seat = tuple(wire.HandsDealt(table=table, seq=seq, turn=event.turn, hand=tuple(hand)) for hand in hands)
    return public, by_seat
