"""A set as a spectator may read it: calls in a line, each trick in a line, the score of each deal."""

from __future__ import annotations

from tarneeb_client.state import TableView
from tarneeb_client.wording.cards import SUIT_NAMES, short
from tarneeb_client.wording.events import CHECKS, score_sentence
from tarneeb_client.wording.people import SEAT_NAMES, Viewpoint
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import DealView
from tarneeb_protocol import messages as m


def retell(event: m.TableEvent, view: TableView, *, symbols: bool = True) -> list[str]:
    """The lines to add after ``event`` led to ``view``; most events complete no line.

    ``symbols``: cards as ``♥10``; without, as ``H10``.
    """
    who = Viewpoint(view.snapshot.seats, None)
    deal = view.deal
    match event:
        case m.SetStarted():
            return _seats(who, view.snapshot)
        case m.PackCut() if deal is not None:
            dealer, cutter = who.occupant(deal.dealer), who.occupant(event.seat)
            return ["", f"Deal {deal.number}. {dealer} deals, {cutter} cuts {event.at}."]
        case m.DealVoided() if deal is not None:
            return [f"  Calls: {_calls(deal, who)}. All four passed: nobody scores."]
        case m.TrumpNamed() if deal is not None:
            return [f"  Calls: {_calls(deal, who)}. Trump is {SUIT_NAMES[event.suit]}."]
        case m.TrickTaken() if deal is not None and deal.tricks:
            return [_trick(deal, who, symbols=symbols)]
        case m.DealScored():
            return [f"  {score_sentence(event.score, who)}"]
        case m.DealRevealed() if view.check is not None:
            return [f"  {CHECKS[view.check]}"]
        case m.SetWon():
            deals = 0 if deal is None else deal.number
            return [
                "",
                f"{who.team(event.team)} win the set after {deals} deals.",
                f"Final score: {who.score(event.scores)}.",
            ]
    return []


def _seats(who: Viewpoint, snapshot: m.Snapshot) -> list[str]:
    seats = ", ".join(f"{SEAT_NAMES[seat]} {who.occupant(seat)}" for seat in Seat)
    teams = " against ".join(who.team(team) for team in Team)
    return [f"{seats}.", f"{teams}, first to {snapshot.rules.target}."]


def _calls(deal: DealView, who: Viewpoint) -> str:
    return ", ".join(
        f"{who.occupant(call.seat)} {call.tricks if call.call is CallKind.BID else call.call.value}"
        for call in deal.calls
    )


def _trick(deal: DealView, who: Viewpoint, *, symbols: bool) -> str:
    trick = deal.tricks[-1]
    cards = ", ".join(
        f"{who.occupant(Seat((trick.leader + place) % 4))} {short(card, symbols=symbols)}"
        for place, card in enumerate(trick.cards)
    )
    winner = "" if trick.winner is None else f": {who.occupant(trick.winner)}"
    return f"  {len(deal.tricks):>2}  {cards}{winner}"
