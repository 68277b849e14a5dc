"""A table as one message: for a viewer who joins or missed too much, and for the lobby's list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tarneeb_protocol.messages import MAX_HISTORY, Snapshot, TableSummary

if TYPE_CHECKING:
    from tarneeb_engine.cards import Card
    from tarneeb_engine.seats import Seat
    from tarneeb_engine.views import PublicView
    from tarneeb_server.playing import PlayingTable


def snapshot(table: PlayingTable, seat: Seat | None, now: float) -> Snapshot:
    """All that a viewer in ``seat``, or a spectator (``None``), may know."""
    play = table.play
    public: PublicView | None = None
    hand: tuple[Card, ...] | None = None if seat is None else ()
    if play is not None:
        if seat is None:
            public = play.state.public_view()
        else:
            view = play.state.seat_view(seat)
            public, hand = view.public, view.hand
        if len(public.history) > MAX_HISTORY:
            public = replace(public, history=public.history[-MAX_HISTORY:])
    return Snapshot(
        table=table.number,
        seq=table.stream.seq,
        name=table.name,
        state=table.state,
        rules=table.rules,
        turn_seconds=table.options.turn_seconds,
        grace_seconds=table.options.grace_seconds,
        stand_in=table.options.stand_in,
        can_watch=table.options.can_watch,
        locked=table.options.password is not None,
        seats=table.seating.summaries(now),
        spectators=tuple(table.spectators.values()),
        chat=tuple(table.chat_tail),
        set_number=table.set_number,
        public=public,
        seat=seat,
        hand=hand,
        seconds_left=table.clock.seconds_left(now),
        commitment=None if play is None else play.commitment,
        tournament=table.tournament,
    )


def summary(table: PlayingTable, now: float) -> TableSummary:
    """A table as the lobby lists it."""
    state = None if table.play is None else table.play.state
    return TableSummary(
        table=table.number,
        name=table.name,
        state=table.state,
        rules=table.rules,
        turn_seconds=table.options.turn_seconds,
        grace_seconds=table.options.grace_seconds,
        stand_in=table.options.stand_in,
        seats=table.seating.summaries(now),
        spectators=len(table.spectators),
        can_watch=table.options.can_watch,
        locked=table.options.password is not None,
        deal=None if state is None or state.deal is None else state.deal.number,
        scores=None if state is None else state.scores,
        tournament=table.tournament,
    )
