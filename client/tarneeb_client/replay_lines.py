"""A recorded set in lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tarneeb_client.language import _
from tarneeb_client.replay import Step
from tarneeb_client.wording.cards import hand_text, spoken, suit_name
from tarneeb_client.wording.events import call_sentence, score_sentence
from tarneeb_client.wording.people import Viewpoint
from tarneeb_engine.actions import Cut, MakeCall, NameTrump, PlayCard
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
        yield _("Deal {number}. {name} deals.").format(number=step.deal, name=dealer)
        return
    name = who.occupant(step.seat)
    match step.action:
        case Cut(at=at):
            yield _("{name} cuts {number} cards.").format(name=name, number=at)
            for seat in Seat:
                yield f"{who.occupant(seat)}: {hand_text(step.hands[seat], None)}."
        case MakeCall(call=call):
            yield call_sentence(name, call)
        case NameTrump(suit=suit):
            yield _("{name} names the trump: {suit}.").format(name=name, suit=suit_name(suit))
        case PlayCard(card=card):
            told = _("{name} plays {card}.").format(name=name, card=spoken(card))
            if deal is not None and deal.tricks and not (deal.trick and deal.trick.cards):
                winner = deal.tricks[-1].winner
                if winner is not None:
                    told += " " + _("{name} wins the trick.").format(name=who.occupant(winner))
            yield told
