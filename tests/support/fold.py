"""A compact fold of a table's events into a snapshot, written from the protocol's description alone.

The client has its own; this one is for judging the server, so it shares nothing with it.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as struct_replace

from tarneeb_engine.seats import Seat
from tarneeb_engine.views import CallView, ContractView, DealView, Phase, PublicView, TrickView
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import SeatSummary, Snapshot, TableState

CHAT_TAIL = 20


def comparable(snapshot: Snapshot) -> Snapshot:
    """The snapshot without what passes with time alone: seconds become 0."""
    seats = [
        seat if seat is None or seat.away_seconds is None else struct_replace(seat, away_seconds=0)
        for seat in snapshot.seats
    ]
    return _with_seats(struct_replace(snapshot, seconds_left=None), seats)


def fold(view: Snapshot, event: wire.TableEvent) -> Snapshot:
    """The snapshot after ``event``, which is the next one. Fails for a gap."""
    assert event.table == view.table, f"an event of table {event.table} for a viewer of table {view.table}"
    assert event.seq == view.seq + 1, f"event {event.seq} came after {view.seq}"
    return struct_replace(_folded(view, event), seq=event.seq)


def _with_seats(view: Snapshot, seats: list[SeatSummary | None]) -> Snapshot:
    south, east, north, west = seats
    return struct_replace(view, seats=(south, east, north, west))


def _seated(view: Snapshot, seat: Seat, summary: SeatSummary | None) -> Snapshot:
    seats = list(view.seats)
    seats[seat] = summary
    view = _with_seats(view, seats)
    if view.state is TableState.PLAYING:
        return view
    return struct_replace(view, state=TableState.WAITING if None in seats else TableState.SET_OVER)


def _changed(view: Snapshot, seat: Seat, **changes: object) -> Snapshot:
    summary = view.seats[seat]
    assert summary is not None
    return _seated(view, seat, struct_replace(summary, **changes))


def _is_away(view: Snapshot, seat: Seat) -> bool:
    summary = view.seats[seat]
    return summary is not None and summary.away_seconds is not None


def _has_stand_in(view: Snapshot, seat: Seat) -> bool:
    summary = view.seats[seat]
    return summary is not None and summary.has_stand_in


def _public(view: Snapshot) -> PublicView:
    assert view.public is not None
    return view.public


def _deal(view: Snapshot) -> DealView:
    deal = _public(view).deal
    assert deal is not None
    return deal


def _with_deal(view: Snapshot, deal: DealView) -> Snapshot:
    return struct_replace(view, public=replace(_public(view), deal=deal))


def _folded(view: Snapshot, event: wire.TableEvent) -> Snapshot:
    for part in (_comings_and_goings, _company, _of_the_set, _of_the_auction, _of_the_play):
        if (folded := part(view, event)) is not None:
            return folded
    raise AssertionError(f"no fold for {type(event).__name__}")


def _comings_and_goings(view: Snapshot, event: wire.TableEvent) -> Snapshot | None:
    match event:
        case wire.PlayerSeated(seat=seat, name=name):
            return _seated(view, seat, SeatSummary(name=name, ready=True))
        case wire.BotSeated(seat=seat, name=name, level=level):
            return _seated(view, seat, SeatSummary(name=name, level=level, ready=True))
        case wire.PlayerLeft(seat=seat) | wire.BotRemoved(seat=seat):
            return _seated(view, seat, None)
        case wire.PlayerAway(seat=seat):
            assert not _is_away(view, seat), f"it was told twice that {seat} is away"
            return _changed(view, seat, away_seconds=0)
        case wire.PlayerBack(seat=seat):
            assert _is_away(view, seat), f"{seat} is back and was not away"
            return _changed(view, seat, away_seconds=None, has_stand_in=False)
        case wire.StandInBegan(seat=seat):
            assert not _has_stand_in(view, seat), f"it was told twice that a bot plays for {seat}"
            return _changed(view, seat, has_stand_in=True)
        case wire.StandInEnded(seat=seat):
            assert _has_stand_in(view, seat), f"no bot played for {seat}"
            assert not _is_away(view, seat), f"{seat} is away and cannot play"
            return _changed(view, seat, has_stand_in=False)
        case wire.PlayerReady(seat=seat):
            return _changed(view, seat, ready=True)
        case _:
            return None


def _company(view: Snapshot, event: wire.TableEvent) -> Snapshot | None:
    match event:
        case wire.SpectatorJoined(name=name):
            return struct_replace(view, spectators=(*view.spectators, name))
        case wire.SpectatorLeft(name=name):
            return struct_replace(view, spectators=tuple(other for other in view.spectators if other != name))
        case wire.Said(name=name, text=text, seat=said_by):
            chat = (*view.chat, wire.ChatLine(name=name, text=text, seat=said_by))
            return struct_replace(view, chat=chat[-CHAT_TAIL:])
        case wire.TableClosed():
            return view
        case _:
            return None


def _of_the_set(view: Snapshot, event: wire.TableEvent) -> Snapshot | None:
    match event:
        case wire.SetStarted(number=number):
            return struct_replace(
                view,
                state=TableState.PLAYING,
                set_number=number,
                public=PublicView(view.rules, (0, 0), (), None, None),
                hand=None if view.seat is None else (),
            )
        case wire.SetWon(team=team, scores=scores):
            view = struct_replace(view, public=replace(_public(view), winner=team, scores=scores))
            seats = [
                seat if seat is None or seat.level is not None else struct_replace(seat, ready=False)
                for seat in view.seats
            ]
            return struct_replace(_with_seats(view, seats), state=TableState.SET_OVER)
        case wire.DealRevealed():
            return struct_replace(view, commitment=None)
        case wire.DealScored(score=score):
            public = _public(view)
            view = struct_replace(
                view, public=replace(public, scores=score.scores, history=(*public.history, score))
            )
            return _with_deal(view, replace(_deal(view), phase=Phase.SCORED, turn=None, trick=None))
        case _:
            return None


def _of_the_auction(view: Snapshot, event: wire.TableEvent) -> Snapshot | None:
    match event:
        case wire.DealStarted(number=number, dealer=dealer, commitment=commitment, turn=turn):
            deal = DealView(
                number=number,
                dealer=dealer,
                phase=Phase.CUT,
                turn=turn,
                cut=None,
                cards_held=(0, 0, 0, 0),
                calls=(),
                contract=None,
                tricks=(),
                trick=None,
                taken=(0, 0),
            )
            hand = None if view.seat is None else ()
            return struct_replace(_with_deal(view, deal), commitment=commitment, hand=hand)
        case wire.PackCut(at=at):
            return _with_deal(view, replace(_deal(view), cut=at))
        case wire.HandsDealt(turn=turn, hand=hand):
            deal = replace(_deal(view), phase=Phase.AUCTION, turn=turn, cards_held=(13, 13, 13, 13))
            return struct_replace(_with_deal(view, deal), hand=hand)
        case wire.CallMade(seat=seat, call=call, tricks=tricks, suit=suit, remark=remark, turn=turn):
            calls = (*_deal(view).calls, CallView(seat, call, tricks, remark, suit))
            return _with_deal(view, replace(_deal(view), calls=calls, turn=turn))
        case wire.AuctionWon(seat=seat, call=call, tricks=tricks, doubled=doubled):
            contract = ContractView(seat, call, tricks, None, doubled)
            return _with_deal(view, replace(_deal(view), contract=contract, phase=Phase.DECLARATION, turn=seat))
        case wire.DealVoided():
            return _with_deal(view, replace(_deal(view), phase=Phase.VOID, turn=None))
        case _:
            return None


def _of_the_play(view: Snapshot, event: wire.TableEvent) -> Snapshot | None:
    match event:
        case wire.TrumpNamed(seat=seat, suit=suit):
            contract_before = _deal(view).contract
            assert contract_before is not None
            return _with_deal(
                view,
                replace(
                    _deal(view),
                    contract=replace(contract_before, trump=suit),
                    phase=Phase.PLAY,
                    turn=seat,
                    trick=TrickView(seat, (), None),
                ),
            )
        case wire.CardPlayed(seat=seat, card=card, winning=winning, turn=turn):
            deal = _deal(view)
            trick = deal.trick
            assert trick is not None
            counts = list(deal.cards_held)
            counts[seat] -= 1
            south, east, north, west = counts
            deal = replace(
                deal,
                cards_held=(south, east, north, west),
                trick=replace(trick, cards=(*trick.cards, card), winner=winning),
                turn=turn,
            )
            view = _with_deal(view, deal)
            if seat is not view.seat or view.hand is None:
                return view
            assert card in view.hand, f"{card} was played from seat {seat}, which did not hold it"
            return struct_replace(view, hand=tuple(held for held in view.hand if held is not card))
        case wire.TrickTaken(seat=seat, taken=taken, turn=turn):
            deal = _deal(view)
            assert deal.trick is not None
            trick = None if turn is None else TrickView(turn, (), None)
            return _with_deal(
                view,
                replace(deal, tricks=(*deal.tricks, deal.trick), trick=trick, taken=taken, turn=turn),
            )
        case _:
            return None
