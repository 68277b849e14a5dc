"""Actions of the engine and of the wire."""

from __future__ import annotations

import pytest

from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.calls import GAME, PASS, Call, CallKind, Remark
from tarneeb_engine.cards import Card, Suit
from tarneeb_protocol.actions import to_engine, to_wire
from tarneeb_protocol.messages import CallAction, CutAction, PlayAction, ReadyAction, TrumpAction, WireAction

ENGINE_ACTIONS: list[Action] = [
    *(Cut(at) for at in range(1, 52)),
    *(
        MakeCall(call, remark)
        for call in (PASS, GAME, *map(Call.bid, range(7, 14)))
        for remark in (None, *Remark)
    ),
    *map(NameTrump, Suit),
    *map(PlayCard, Card),
]


@pytest.mark.parametrize("action", ENGINE_ACTIONS, ids=repr)
def test_an_action_of_the_engine_comes_back_equal_from_the_wire(action: Action) -> None:
    assert to_engine(to_wire(action)) == action


@pytest.mark.parametrize(
    ("wire", "engine"),
    [
        (CutAction(26), Cut(26)),
        (CutAction(0), Cut(0)),
        (CallAction(CallKind.PASS), MakeCall(PASS)),
        (CallAction(CallKind.GAME), MakeCall(GAME)),
        (CallAction(CallKind.BID, 8, Remark.HELPFUL), MakeCall(Call.bid(8), Remark.HELPFUL)),
        (CallAction(CallKind.BID, 14), MakeCall(Call.bid(14))),
        (TrumpAction(Suit.HEARTS), NameTrump(Suit.HEARTS)),
        (PlayAction(Card.SA), PlayCard(Card.SA)),
    ],
)
def test_an_action_of_the_wire_is_this_one_of_the_engine(wire: WireAction, engine: Action) -> None:
    assert to_engine(wire) == engine


def test_ready_is_no_action_of_a_deal() -> None:
    with pytest.raises(ValueError, match="'ready' is said to the table"):
        to_engine(ReadyAction())


@pytest.mark.parametrize(("call", "tricks"), [(CallKind.BID, None), (CallKind.PASS, 7), (CallKind.GAME, 13)])
def test_a_call_and_its_tricks_have_to_fit(call: CallKind, tricks: int | None) -> None:
    with pytest.raises(ValueError, match="`tricks` goes with the call"):
        CallAction(call, tricks)
