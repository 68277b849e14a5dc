"""What was done in a deal as words of one line, oldest first: ``c32 p 7 p p tC 5C QC``. A bid that
names its suit is ``b9H``, for ``9H`` is a card.

The seat is not written: whose turn it was follows from the rules. Much shorter to add to than the notation,
which says the same for people. In the journal each word is followed by ``/`` and the number of who did it
(``play``): ``c32/1 p/2``.
"""

from __future__ import annotations

from typing import assert_never

from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.calls import DOUBLE, GAME, PASS, Call, CallKind, Remark
from tarneeb_engine.cards import Card, Suit

_REMARKS = {Remark.HELPFUL: "+", Remark.NOT_HELPFUL: "-"}
_BY_SIGN = {sign: remark for remark, sign in _REMARKS.items()}
_CALLS = {"p": PASS, "d": DOUBLE, "g": GAME}


def word_of(action: Action) -> str:
    """The action as a word."""
    match action:
        case PlayCard(card):
            return card.value
        case MakeCall(call, remark):
            word = str(call.tricks) if call.kind is CallKind.BID else call.kind.value[0]
            if call.suit is not None:
                word = f"b{word}{call.suit.value}"
            return word if remark is None else word + _REMARKS[remark]
        case NameTrump(suit):
            return f"t{suit.value}"
        case Cut(at):
            return f"c{at}"
        case _:
            assert_never(action)


def action_of(word: str) -> Action:
    """The action that the word stands for. ``ValueError`` when it stands for none."""
    if word[:1] == "c":
        return Cut(int(word[1:]))
    if word[:1] == "t":
        return NameTrump(Suit(word[1:]))
    remark = _BY_SIGN.get(word[-1:])
    bare = word if remark is None else word[:-1]
    if bare in _CALLS:
        return MakeCall(_CALLS[bare], remark)
    if bare.isascii() and bare.isdigit():
        return MakeCall(Call.bid(int(bare)), remark)
    if bare[:1] == "b":
        return MakeCall(Call.bid(int(bare[1:-1]), Suit(bare[-1:])), remark)
    return PlayCard(Card(word))
