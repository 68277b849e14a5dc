"""``LegalActions``: what a seat may do now, as a container."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.calls import Remark
from tarneeb_engine.cards import FULL_PACK, Suit
from tarneeb_engine.hand import Hand
from tarneeb_engine.pack import LARGEST_CUT, SMALLEST_CUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tarneeb_engine.calls import Call

EVERY_CUT = tuple(Cut(at) for at in range(SMALLEST_CUT, LARGEST_CUT + 1))
EVERY_TRUMP = tuple(NameTrump(suit) for suit in Suit)
EVERY_PLAY = tuple(PlayCard(card) for card in FULL_PACK)


class LegalActions:
    """The actions a seat may take now; empty when it is not its turn.

    Iteration gives each action once, calls without a remark. ``in`` accepts a call with any of ``remarks`` as
    well (rule 13). ``len`` counts what iteration gives.
    """

    __slots__ = ("_actions", "_members", "remarks")

    remarks: tuple[Remark, ...]
    """The remarks that may go with a call; empty where the table has none."""

    def __init__(self, actions: Iterable[Action] = (), remarks: tuple[Remark, ...] = ()) -> None:
        self._actions = tuple(actions)
        self._members: frozenset[Action] | None = None
        self.remarks = remarks

    @classmethod
    def of_calls(cls, calls: Iterable[Call], *, partner_hints: bool) -> LegalActions:
        """The actions that make one of ``calls``."""
        return cls((MakeCall(call) for call in calls), tuple(Remark) if partner_hints else ())

    @classmethod
    def of_cards(cls, mask: int) -> LegalActions:
        """The actions that play one of the cards of ``mask``."""
        return cls(EVERY_PLAY[card.number] for card in Hand(mask))

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions)

    def __len__(self) -> int:
        return len(self._actions)

    def __contains__(self, action: object) -> bool:
        if self._members is None:
            self._members = frozenset(self._actions)
        if isinstance(action, MakeCall) and action.remark in self.remarks:
            action = MakeCall(action.call)
        return action in self._members

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalActions):
            return NotImplemented
        return self._actions == other._actions and self.remarks == other.remarks

    def __hash__(self) -> int:
        return hash((self._actions, self.remarks))

    def __repr__(self) -> str:
        remarks = f", remarks={[remark.value for remark in self.remarks]}" if self.remarks else ""
        return f"LegalActions({list(self._actions)}{remarks})"


NOTHING = LegalActions()
CUTS = LegalActions(EVERY_CUT)
TRUMPS = LegalActions(EVERY_TRUMP)
