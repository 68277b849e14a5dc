"""A set as a spectator may read it: calls in a line, each trick in a line, the score of each deal."""

from __future__ import annotations

from tarneeb_client.language import _, listed, plural
from tarneeb_client.state import TableView
from tarneeb_client.wording.cards import short, suit_name
from tarneeb_client.wording.events import CHECKS, score_sentence
from tarneeb_client.wording.people import Viewpoint, seat_name
from tarneeb_client.wording.tables import calls_text
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
            sentence = _("Deal {number}. {dealer} deals, {cutter} cuts {at}.")
            return ["", sentence.format(number=deal.number, dealer=dealer, cutter=cutter, at=event.at)]
        case m.DealVoided() if deal is not None:
            return [
                "  " + _("Calls: {calls}. All four passed: nobody scores.").format(calls=calls_text(deal, who))
            ]
        case m.TrumpNamed() if deal is not None:
            calls = calls_text(deal, who)
            return [
                "  " + _("Calls: {calls}. Trump is {suit}.").format(calls=calls, suit=suit_name(event.suit))
            ]
        case m.TrickTaken() if deal is not None and deal.tricks:
            return [_trick(deal, who, symbols=symbols)]
        case m.DealScored():
            return [f"  {score_sentence(event.score, who)}"]
        case m.DealRevealed() if view.check is not None:
            return [f"  {_(CHECKS[view.check])}"]
        case m.SetWon():
            deals = 0 if deal is None else deal.number
            return [
                "",
                plural(
                    "{team} win the set after {number} deal.", "{team} win the set after {number} deals.", deals
                ).format(team=who.team(event.team), number=deals),
                _("Final score: {score}.").format(score=who.score(event.scores)),
            ]
    return []


def _seats(who: Viewpoint, snapshot: m.Snapshot) -> list[str]:
    seats = listed(
        _("{seat} {occupant}").format(seat=seat_name(seat), occupant=who.occupant(seat)) for seat in Seat
    )
    first, second = (who.team(team) for team in Team)
    teams = _("{first} against {second}, first to {target}.")
    return [f"{seats}.", teams.format(first=first, second=second, target=snapshot.rules.target)]


def _trick(deal: DealView, who: Viewpoint, *, symbols: bool) -> str:
    trick = deal.tricks[-1]
    cards = listed(
        f"{who.occupant(Seat((trick.leader + place) % 4))} {short(card, symbols=symbols)}"
        for place, card in enumerate(trick.cards)
    )
    winner = "" if trick.winner is None else f": {who.occupant(trick.winner)}"
    return f"  {len(deal.tricks):>2}  {cards}{winner}"
