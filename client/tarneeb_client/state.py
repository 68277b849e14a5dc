"""What a client knows of its table: an immutable fold over the messages of the server.

``advance`` takes a view and a message and gives the next view. It is pure, ignores what it has seen
already (event numbers only grow), and notices when something was missed: then ``needs_sync`` is true
and the client is to send ``sync``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tarneeb_client.audit import DealCheck, cards_played, check_deal
from tarneeb_client.fold import Inconsistent, fold
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import DealView, SeatView
from tarneeb_protocol import messages as m


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as this client knows it.

    ``snapshot`` is the state after event ``snapshot.seq``; ``prompt`` is there while it is this seat's turn.
    ``needs_sync`` tells that an event was missed or did not fit, and ``sync_from`` from which event number
    on to ask (``None``: for a whole snapshot). ``commitment`` is that of the latest deal, kept until the next
    one, and ``check`` what the check of the last revealed deal found.
    """

    snapshot: m.Snapshot
    prompt: m.Prompt | None = None
    needs_sync: bool = False
    sync_from: int | None = None
    commitment: str | None = None
    check: DealCheck | None = None

    @property
    def table(self) -> int:
        """The number of the table."""
        return self.snapshot.table

    @property
    def seq(self) -> int:
        """The number of the last event that is folded in."""
        return self.snapshot.seq

    @property
    def seat(self) -> Seat | None:
        """The viewer's own seat; ``None`` for a spectator."""
        return self.snapshot.seat

    @property
    def deal(self) -> DealView | None:
        """The deal in progress, or the last one."""
        return None if self.snapshot.public is None else self.snapshot.public.deal

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's own cards, in ascending order of card number; none for a spectator."""
        return tuple(sorted(self.snapshot.hand or (), key=lambda card: card.number))

    def seat_view(self) -> SeatView | None:
        """What the rules call the view of this seat, for a bot to choose by; ``None`` for a spectator or
        before the first set.
        """
        if self.seat is None or self.snapshot.public is None:
            return None
        return SeatView(self.seat, self.hand, self.snapshot.public)


def advance(view: TableView | None, message: m.Message) -> TableView | None:
    """The view after ``message``; ``None`` when the client is at no table.

    Messages that are no part of the table's stream, and events already seen, change nothing.
    """
    if isinstance(message, m.Snapshot):
        return _from_snapshot(view, message)
    if view is None:
        return None
    if isinstance(message, m.Prompt):
        return _with_prompt(view, message)
    if isinstance(message, m.TableEvent):
        return _with_event(view, message)
    if isinstance(message, m.Done) and view.needs_sync:
        # The events were sent again, and the gap is still there: one of them is of a type that a later version
        # of the server has and this client passes over. Only a snapshot can hold it.
        return replace(view, sync_from=None)
    return view


def _from_snapshot(view: TableView | None, snapshot: m.Snapshot) -> TableView:
    commitment = snapshot.commitment
    if commitment is None and view is not None and view.table == snapshot.table:
        commitment = view.commitment
    return TableView(snapshot, commitment=commitment)


def _with_prompt(view: TableView, prompt: m.Prompt) -> TableView:
    if prompt.table != view.table or prompt.seq < view.seq:
        return view
    if prompt.seq > view.seq:
        return _missed(view)
    return replace(view, prompt=prompt)


def _with_event(view: TableView, event: m.TableEvent) -> TableView | None:
    if event.table != view.table or event.seq <= view.seq:
        return view
    if isinstance(event, m.TableClosed):
        return None
    if event.seq > view.seq + 1:
        return _missed(view)
    try:
        snapshot = fold(view.snapshot, event)
    except Inconsistent:
        # Asking for the same events again would end here again.
        return replace(view, prompt=None, needs_sync=True, sync_from=None)
    prompt = view.prompt if isinstance(event, _TURN_STAYS) else None
    after = replace(view, snapshot=snapshot, prompt=prompt, needs_sync=False, sync_from=None)
    if isinstance(event, m.DealStarted):
        return replace(after, commitment=event.commitment, check=None)
    if isinstance(event, m.DealRevealed):
        return replace(after, check=_check(view, event))
    return after


_TURN_STAYS = (
    m.PlayerSeated,
    m.PlayerLeft,
    m.PlayerAway,
    m.PlayerBack,
    m.StandInBegan,
    m.StandInEnded,
    m.PlayerReady,
    m.BotSeated,
    m.BotRemoved,
    m.SpectatorJoined,
    m.SpectatorLeft,
    m.Said,
)
"""Events of the company at the table: whose turn it is stays as it was."""


def _missed(view: TableView) -> TableView:
    return replace(view, prompt=None, needs_sync=True, sync_from=view.seq)


def _check(view: TableView, event: m.DealRevealed) -> DealCheck:
    deal = view.deal
    own: tuple[Seat, list[Card]] | None = None
    if view.seat is not None and deal is not None:
        own = (view.seat, [*view.hand, *cards_played(deal)[view.seat]])
    return check_deal(
        deal,
        view.snapshot.rules.dealing,
        view.commitment,
        pack=event.pack,
        salt=event.salt,
        own=own,
    )
