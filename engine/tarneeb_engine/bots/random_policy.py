"""A bot that knows the legal actions and nothing of the play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.actions import MakeCall
from tarneeb_engine.calls import Remark

if TYPE_CHECKING:
    import random
    from collections.abc import Collection

    from tarneeb_engine.actions import Action
    from tarneeb_engine.views import SeatView

REMARKS = (None, *Remark)


@dataclass(frozen=True, slots=True)
class RandomPolicy:
    """Every legal action is as likely as every other, a reckless bid or a false remark included.

    It reaches corners of the rules that sensible players avoid, which makes it the bot to test with.
    """

    rng: random.Random

    def choose(self, view: SeatView, legal: Collection[Action]) -> Action:
        """Any of ``legal``. Raises ``ValueError`` when there is none."""
        if not legal:
            raise ValueError(f"seat {view.seat.name} has no legal action to choose from")
        action = tuple(legal)[self.rng.randrange(len(legal))]
        if isinstance(action, MakeCall) and view.public.rules.partner_hints:
            return MakeCall(action.call, REMARKS[self.rng.randrange(len(REMARKS))])
        return action
