"""What every bot is: a choice among legal actions, made from one seat's view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

    from tarneeb_engine.actions import Action
    from tarneeb_engine.views import SeatView


class Policy(Protocol):
    """Chooses for the seat whose turn it is."""

    def choose(self, view: SeatView, legal: Collection[Action]) -> Action:
        """One of ``legal``, the actions open to ``view.seat`` now.

        ``legal`` has calls without remarks, as ``LegalActions`` and the prompt of the protocol do; where the
        rules in force have ``partner_hints``, the chosen call may come back with a remark (rule 13). Raises
        ``ValueError`` when ``legal`` is empty: it is not this seat's turn.
        """
        ...
