"""A recorded set in lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tarneeb_client.replay import Step
from tarneeb_client.wording.cards import SUIT_NAMES, hand_text, spoken
from tarneeb_client.wording.events import score_sentence
from tarneeb_client.wording.people import Viewpoint
from tarneeb_engine.actions import Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat


def told(steps: Iterable[Step]) -> Iterator[str]:
    """The set, line by line: each deal with its hands, its calls, its tricks and its score."""
    scored = 0
    for step in steps:
        who = Viewpoint.of(step.view.snapshot)
        yield from _step(step, who)
        public = step.view.snapshot.public
        if public is not None and len(public.history) > scored:
            scored = len(public.history)
            yield score_sentence(public.history[-1], who)


def _step(step: Step, who: Viewpoint) -> Iterator[str]:
    deal = step.view.deal
    if step.seat is None or step.action is None:
        dealer = "" if deal is None else who.occupant(deal.dealer)
        yield f"Deal {step.deal}. {dealer} deals."
        return
    name = who.occupant(step.seat)
    match step.action:
        case Cut(at=at):
            yield f"{name} cuts {at} cards."
            for seat in Seat:
                yield f"{who.occupant(seat)}: {hand_text(step.hands[seat], None)}."
        case MakeCall(call=call):
            said = {CallKind.PASS: "passes", CallKind.GAME: "calls game"}.get(call.kind, f"bids {call.tricks}")
            yield f"{name} {said}."
        case NameTrump(suit=suit):
            yield f"{name} names the trump: {SUIT_NAMES[suit]}."
        case PlayCard(card=card):
            won = ""
            if deal is not None and deal.tricks and not (deal.trick and deal.trick.cards):
                winner = deal.tricks[-1].winner
                won = "" if winner is None else f" {who.occupant(winner)} wins the trick."
            yield f"{name} plays {spoken(card)}.{won}"
