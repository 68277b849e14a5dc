"""What the player is about to do at the table: choice, number for a cut, remark, card for later."""

from __future__ import annotations

import msgspec

from tarneeb_client.screens.choices import Choice, choices, cut_choice, cuts, pick
from tarneeb_client.screens.hand import held_cards
from tarneeb_client.state import TableView
from tarneeb_engine.calls import Remark
from tarneeb_engine.cards import Card
from tarneeb_protocol import messages as m

DEAF_SECONDS = 0.3
"""Enter is not taken so soon after a turn began: it was meant for something else."""


class Acting:
    """``preselected`` is the card that is to be played when the turn comes; ``remark`` goes with the next call;
    ``began`` is when the turn did, in seconds.
    """

    def __init__(self) -> None:
        self.preselected: Card | None = None
        self.remark: Remark | None = None
        self.began = 0.0
        self._at = 0
        self._turn: object = None

    def follow(self, view: TableView | None, now: float) -> bool:
        """The table is so now. Whether a turn of the player's began with it: once for each, though the prompt
        may come several times.
        """
        if view is None:
            self.preselected = self.remark = self._turn = None
            return False
        if not view.hand:
            self.preselected = None
        if view.prompt is None:
            return False
        turn = _turn_of(view)
        if turn == self._turn:
            return False
        self._turn = turn
        self.began = now
        self.remark = None
        self._at = len(cuts(view)) // 2
        return True

    def is_deaf(self, now: float) -> bool:
        """Whether the turn has begun so lately that Enter was meant for something else."""
        return now - self.began < DEAF_SECONDS

    def choice(self, view: TableView | None, text: str) -> Choice | None:
        """What Enter would do: what the typed text picks, else what the arrows have come to."""
        if text.strip():
            return pick(view, text)
        numbers = cuts(view)
        if numbers:
            return cut_choice(numbers[self._at % len(numbers)])
        offered = choices(view)
        return offered[self._at % len(offered)] if offered else None

    def move(self, view: TableView, step: int) -> bool:
        """The next choice, or the one before; whether there is anything to choose from."""
        count = len(cuts(view)) or len(choices(view))
        if count:
            self._at = (self._at + step) % count
        return bool(count)

    def point_at(self, view: TableView, typed: str) -> bool:
        """Make the choice that ``typed`` picks the one that the arrows have come to; whether it was already."""
        offered = [choice.typed for choice in choices(view)]
        if typed not in offered:
            return False
        before, self._at = self._at % len(offered), offered.index(typed)
        return before == self._at

    def move_preselected(self, view: TableView, step: int) -> None:
        """The next held card, or the one before, is for later."""
        held = [each.card for each in held_cards(view)]
        if held:
            at = held.index(self.preselected) + step if self.preselected in held else 0
            self.preselected = held[at % len(held)]

    def turn_remark(self, view: TableView) -> bool:
        """The next remark that the table has, or none, goes with the call; whether it has any."""
        remarks = () if view.prompt is None else view.prompt.remarks
        if not remarks:
            return False
        order = [None, *remarks]
        self.remark = order[(order.index(self.remark) + 1) % len(order)]
        return True

    def complete(self, action: m.WireAction) -> m.WireAction:
        """The action, a call with the remark that was chosen for it."""
        if isinstance(action, m.CallAction) and self.remark is not None:
            return msgspec.structs.replace(action, remark=self.remark)
        return action

    def take_preselected(self, view: TableView) -> tuple[Card | None, m.WireAction | None]:
        """The card that was chosen beforehand, no longer so, and the action that plays it if it is legal."""
        card, self.preselected = self.preselected, None
        for choice in choices(view):
            if isinstance(choice.action, m.PlayAction) and choice.action.card == card:
                return card, choice.action
        return card, None


def _turn_of(view: TableView) -> object:
    """What tells one turn from another: where the set has come to, and what may be done."""
    deal, snapshot = view.deal, view.snapshot
    stage = None if deal is None else (deal.number, deal.phase, len(deal.calls), len(deal.tricks))
    actions = None if view.prompt is None else view.prompt.actions
    return (snapshot.table, snapshot.set_number, stage, actions)
