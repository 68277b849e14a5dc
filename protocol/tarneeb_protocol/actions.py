"""Actions on the wire and actions of the engine. ``ReadyAction`` is the table's, not the engine's."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.calls import Call
from tarneeb_protocol.messages import CallAction, CutAction, PlayAction, ReadyAction, TrumpAction, WireAction

DealAction: TypeAlias = CutAction | CallAction | TrumpAction | PlayAction
"""The wire's actions that the engine knows."""


def to_engine(action: WireAction) -> Action:
    """The engine's action. Raises ``ValueError`` for ``ReadyAction``, which is not the engine's to judge."""
    match action:
        case PlayAction():
            return PlayCard(action.card)
        case CallAction():
            return MakeCall(Call(action.call, action.tricks, action.suit), action.remark)
        case TrumpAction():
            return NameTrump(action.suit)
        case CutAction():
            return Cut(action.at)
        case ReadyAction():
            raise ValueError("'ready' is said to the table and is no action of a deal")
        case _:
            assert_never(action)


def to_wire(action: Action) -> DealAction:
    """The action as it stands in a ``prompt`` and an ``act``."""
    match action:
        case PlayCard():
            return PlayAction(action.card)
        case MakeCall():
            return CallAction(action.call.kind, action.call.tricks, action.remark, action.call.suit)
        case NameTrump():
            return TrumpAction(action.suit)
        case Cut():
            return CutAction(action.at)
        case _:
            assert_never(action)
