"""A bot that plays soundly: it counts its hand, remembers the cards and takes no wild chances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tarneeb_engine.actions import Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.bots.bidding import Style, choose_call, honest_remark
from tarneeb_engine.bots.card_play import choose_card
from tarneeb_engine.bots.knowledge import Knowledge
from tarneeb_engine.bots.valuation import expected_tricks

if TYPE_CHECKING:
    import random
    from collections.abc import Collection

    from tarneeb_engine.actions import Action
    from tarneeb_engine.views import SeatView


@dataclass(frozen=True, slots=True)
class SteadyPolicy:
    """Calls by what each call is worth to its chance of the set, names its best suit, and plays each card for
    the trick at hand against the card's later worth. Only the cut is left to ``rng``.
    """

    rng: random.Random
    style: Style = field(default_factory=Style)

    def choose(self, view: SeatView, legal: Collection[Action]) -> Action:
        """One of ``legal``. Raises ``ValueError`` when there is none."""
        if not legal:
            raise ValueError(f"seat {view.seat.name} has no legal action to choose from")
        calls = [action.call for action in legal if isinstance(action, MakeCall)]
        if calls:
            call = choose_call(view, calls, self.style)
            hints = view.public.rules.partner_hints
            return MakeCall(call, honest_remark(view.hand, call) if hints else None)
        trumps = [action for action in legal if isinstance(action, NameTrump)]
        if trumps:
            return max(trumps, key=lambda action: expected_tricks(view.hand, action.suit))
        plays = {action.card: action for action in legal if isinstance(action, PlayCard)}
        if plays:
            return plays[choose_card(Knowledge.from_view(view), list(plays))]
        cuts = [action for action in legal if isinstance(action, Cut)]
        return cuts[self.rng.randrange(len(cuts))]
