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
    """Every legal cut, suit and card is as likely as every other; a call climbs while two coins fall heads.

    They are tossed for each step from a pass to the lowest bid, to the next and so on to "game". So everything
    can happen, a reckless bid or a false remark included, which makes it the bot to test with; yet contracts
    are made often enough for a set to end. Were every call as likely as every other, the scores of both teams
    would drift downwards for ever.
    """

    rng: random.Random

    def choose(self, view: SeatView, legal: Collection[Action]) -> Action:
        """Any of ``legal``. Raises ``ValueError`` when there is none."""
        if not legal:
            raise ValueError(f"seat {view.seat.name} has no legal action to choose from")
        actions = tuple(legal)
        first = actions[0]
        if not isinstance(first, MakeCall):
            return actions[self.rng.randrange(len(actions))]
        step = 0
        while step + 1 < len(actions) and self.rng.getrandbits(2) == 0:
            step += 1
        chosen = actions[step]
        if isinstance(chosen, MakeCall) and view.public.rules.partner_hints:
            return MakeCall(chosen.call, REMARKS[self.rng.randrange(len(REMARKS))])
        return chosen
