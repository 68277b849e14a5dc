"""One event of a table folded into a snapshot gives the next snapshot.

The state of a client is a ``Snapshot``, the very message that a server sends to somebody who joins: so
there is one shape, and folding the events n+1 to m into the snapshot after n must give the snapshot
after m (docs/protocol.md, "Events and snapshots"). ``seconds_left`` is the exception: it belongs to the
moment when the server sent it, and is dropped by the next event.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import CallView, ContractView, DealView, Phase, PublicView, TrickView
from tarneeb_protocol import messages as m


class Inconsistent(ValueError):
    """An event that cannot follow the state it came to; the text says why. A new snapshot is needed."""


def fold(snapshot: m.Snapshot, event: m.TableEvent) -> m.Snapshot:
    """The snapshot after ``event``. Raises ``Inconsistent`` when the event is of another table, is not
    the next in number, or does not fit the state. The argument is left as it was.
    """
    if event.table != snapshot.table:
        raise Inconsistent(f"event {event.seq} is of table {event.table}, not {snapshot.table}")
    if event.seq != snapshot.seq + 1:
        raise Inconsistent(f"event {event.seq} came where {snapshot.seq + 1} was next")
    after = msgspec.structs.replace(snapshot, seq=event.seq, seconds_left=None)
    if isinstance(event, _SEAT_EVENTS):
        return _fold_seats(after, event)
    if isinstance(event, _COMPANY_EVENTS):
        return _fold_company(after, event)
    if isinstance(event, _SET_EVENTS):
        return _fold_set(after, event)
    return _fold_deal(after, event)


_SEAT_EVENTS = (
    m.PlayerSeated,
    m.PlayerLeft,
    m.PlayerAway,
    m.PlayerBack,
    m.StandInBegan,
    m.StandInEnded,
    m.PlayerReady,
    m.BotSeated,
    m.BotRemoved,
)
_COMPANY_EVENTS = (m.SpectatorJoined, m.SpectatorLeft, m.Said, m.TableClosed)
_SET_EVENTS = (m.SetStarted, m.SetWon, m.DealStarted, m.DealScored, m.DealRevealed)


# ---------------------------------------------------------------- who is there


def _with_seat(snapshot: m.Snapshot, seat: Seat, summary: m.SeatSummary | None) -> m.Snapshot:
    south, east, north, west = (
        summary if place == seat else known for place, known in enumerate(snapshot.seats)
    )
    return msgspec.structs.replace(snapshot, seats=(south, east, north, west))


def _occupant(snapshot: m.Snapshot, seat: Seat) -> m.SeatSummary:
    summary = snapshot.seats[seat]
    if summary is None:
        raise Inconsistent(f"nobody is known to be in seat {seat.name.lower()}")
    return summary


def _fold_seats(snapshot: m.Snapshot, event: m.TableEvent) -> m.Snapshot:
    match event:
        case m.PlayerSeated():
            seated = m.SeatSummary(name=event.name, ready=True)
            return _with_state(_with_seat(snapshot, event.seat, seated))
        case m.BotSeated():
            seated = m.SeatSummary(name=event.name, level=event.level, ready=True)
            return _with_state(_with_seat(snapshot, event.seat, seated))
        case m.PlayerLeft() | m.BotRemoved():
            return _with_state(_with_seat(snapshot, event.seat, None))
        case m.PlayerAway():
            held = event.grace_seconds
            away = msgspec.structs.replace(_occupant(snapshot, event.seat), away_seconds=held)
            return _with_seat(snapshot, event.seat, away)
        case m.PlayerBack():
            back = msgspec.structs.replace(
                _occupant(snapshot, event.seat), away_seconds=None, has_stand_in=False
            )
            return _with_seat(snapshot, event.seat, back)
        case m.StandInBegan() | m.StandInEnded():
            has_stand_in = isinstance(event, m.StandInBegan)
            summary = msgspec.structs.replace(_occupant(snapshot, event.seat), has_stand_in=has_stand_in)
            return _with_seat(snapshot, event.seat, summary)
        case m.PlayerReady():
            ready = msgspec.structs.replace(_occupant(snapshot, event.seat), ready=True)
            return _with_seat(snapshot, event.seat, ready)
    return snapshot


def _with_state(snapshot: m.Snapshot) -> m.Snapshot:
    """Between sets a table waits while a seat is empty; in a set the coming and going changes nothing."""
    if snapshot.state is m.TableState.PLAYING:
        return snapshot
    state = m.TableState.WAITING if None in snapshot.seats else m.TableState.SET_OVER
    return msgspec.structs.replace(snapshot, state=state)


def _without_spectator(snapshot: m.Snapshot, name: str) -> m.Snapshot:
    if name not in snapshot.spectators:
        return snapshot
    others = list(snapshot.spectators)
    others.remove(name)
    return msgspec.structs.replace(snapshot, spectators=tuple(others))


def _fold_company(snapshot: m.Snapshot, event: m.TableEvent) -> m.Snapshot:
    match event:
        case m.SpectatorJoined():
            return msgspec.structs.replace(snapshot, spectators=(*snapshot.spectators, event.name))
        case m.SpectatorLeft():
            return _without_spectator(snapshot, event.name)
        case m.Said():
            line = m.ChatLine(name=event.name, text=event.text, seat=event.seat)
            return msgspec.structs.replace(snapshot, chat=(*snapshot.chat, line)[-m.MAX_CHAT_LINES :])
    return snapshot


# ---------------------------------------------------------------- the set


def _public(snapshot: m.Snapshot) -> PublicView:
    if snapshot.public is None:
        raise Inconsistent("no set is known to have begun")
    return snapshot.public


def _fold_set(snapshot: m.Snapshot, event: m.TableEvent) -> m.Snapshot:
    match event:
        case m.SetStarted():
            begun = PublicView(snapshot.rules, (0, 0), (), None, None)
            return msgspec.structs.replace(
                snapshot,
                state=m.TableState.PLAYING,
                set_number=event.number,
                public=begun,
                hand=None if snapshot.seat is None else (),
                commitment=None,
            )
        case m.DealStarted():
            deal = DealView(
                number=event.number,
                dealer=event.dealer,
                phase=Phase.CUT,
                turn=event.turn,
                cut=None,
                cards_held=(0, 0, 0, 0),
                calls=(),
                contract=None,
                tricks=(),
                trick=None,
                taken=(0, 0),
            )
            return msgspec.structs.replace(
                snapshot,
                public=replace(_public(snapshot), deal=deal),
                hand=None if snapshot.seat is None else (),
                commitment=event.commitment,
            )
        case m.DealScored():
            public = _public(snapshot)
            score = event.score
            history = (*public.history, score)[-m.MAX_HISTORY :]
            scored = replace(public, scores=score.scores, history=history, winner=score.wins_set)
            return msgspec.structs.replace(snapshot, public=scored, commitment=None)
        case m.SetWon():
            won = replace(_public(snapshot), scores=event.scores, winner=event.team)
            south, east, north, west = (_unready(summary) for summary in snapshot.seats)
            return msgspec.structs.replace(
                snapshot, state=m.TableState.SET_OVER, public=won, seats=(south, east, north, west)
            )
    return snapshot


def _unready(summary: m.SeatSummary | None) -> m.SeatSummary | None:
    """A player has to say yes to the next set; a bot is always ready."""
    if summary is None or summary.level is not None:
        return summary
    return msgspec.structs.replace(summary, ready=False)


# ---------------------------------------------------------------- the deal


def _fold_deal(snapshot: m.Snapshot, event: m.TableEvent) -> m.Snapshot:
    public = _public(snapshot)
    deal = public.deal
    if deal is None:
        raise Inconsistent("no deal is known to have begun")
    hand = snapshot.hand
    match event:
        case m.PackCut():
            after = replace(deal, cut=event.at, turn=None)
        case m.HandsDealt():
            hand = _dealt(snapshot, event)
            after = replace(deal, phase=Phase.AUCTION, turn=event.turn, cards_held=(13, 13, 13, 13))
        case m.CallMade():
            call = CallView(event.seat, event.call, event.tricks, event.remark, event.suit)
            after = replace(deal, calls=(*deal.calls, call), turn=event.turn)
        case m.AuctionWon():
            contract = ContractView(event.seat, event.call, event.tricks, None, event.doubled)
            after = replace(deal, phase=Phase.DECLARATION, contract=contract, turn=event.seat)
        case m.DealVoided():
            after = replace(deal, phase=Phase.VOID, turn=None)
            snapshot = msgspec.structs.replace(snapshot, commitment=None)
        case m.TrumpNamed():
            if deal.contract is None:
                raise Inconsistent("the trump was named before the auction was won")
            after = replace(
                deal,
                phase=Phase.PLAY,
                contract=replace(deal.contract, trump=event.suit),
                trick=TrickView(event.seat, (), None),
                turn=event.seat,
            )
        case m.CardPlayed():
            after = _with_card(deal, event)
            if event.seat == snapshot.seat and hand is not None:
                hand = _without_card(hand, event.card)
        case m.TrickTaken():
            after = _with_trick_taken(deal, event)
        case _:
            raise Inconsistent(f"{type(event).__name__} is not known here")
    return msgspec.structs.replace(snapshot, public=replace(public, deal=after), hand=hand)


def _dealt(snapshot: m.Snapshot, event: m.HandsDealt) -> tuple[Card, ...] | None:
    if snapshot.seat is None:
        return None
    hand = event.hand
    if hand is None or len(hand) != 13 or len(set(hand)) != 13:
        raise Inconsistent("this seat was not dealt thirteen different cards")
    return hand


def _with_card(deal: DealView, event: m.CardPlayed) -> DealView:
    trick = deal.trick
    if trick is None or len(trick.cards) >= 4:
        raise Inconsistent("a card was played while no trick is in progress")
    if (trick.leader + len(trick.cards)) % 4 != event.seat:
        raise Inconsistent(f"{event.seat.name.lower()} played out of turn")
    if not deal.cards_held[event.seat]:
        raise Inconsistent(f"{event.seat.name.lower()} played a card but holds none")
    south, east, north, west = (
        count - 1 if seat == event.seat else count for seat, count in enumerate(deal.cards_held)
    )
    return replace(
        deal,
        trick=TrickView(trick.leader, (*trick.cards, event.card), event.winning),
        turn=event.turn,
        cards_held=(south, east, north, west),
    )


def _without_card(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    if card not in hand:
        raise Inconsistent(f"{card.value} was played from this seat, which does not hold it")
    return tuple(held for held in hand if held != card)


def _with_trick_taken(deal: DealView, event: m.TrickTaken) -> DealView:
    trick = deal.trick
    if trick is None or len(trick.cards) != 4:
        raise Inconsistent("a trick was taken that is not complete")
    is_last = event.turn is None
    return replace(
        deal,
        phase=Phase.SCORED if is_last else Phase.PLAY,
        tricks=(*deal.tricks, TrickView(trick.leader, trick.cards, event.seat)),
        trick=None if event.turn is None else TrickView(event.turn, (), None),
        taken=event.taken,
        turn=event.turn,
    )
