"""What happened at a table: one line for each event."""

from __future__ import annotations

from tarneeb_client.audit import DealCheck
from tarneeb_client.wording.cards import SUIT_NAMES, hand_text, spoken
from tarneeb_client.wording.connection import duration
from tarneeb_client.wording.people import SEAT_NAMES, Viewpoint
from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import DealScore
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

REMARKS = {Remark.HELPFUL: "a helpful hand", Remark.NOT_HELPFUL: "not a helpful hand"}


def tell(event: m.TableEvent, before: m.Snapshot, after: m.Snapshot, check: DealCheck | None) -> str | None:
    """The line for an event that led from one state to the next; ``None`` where there is nothing to say.

    ``check`` is what the check of a revealed deal found.
    """
    if isinstance(event, _COMPANY):
        return _tell_company(event, before)
    if isinstance(event, _PLAY):
        return _tell_play(event, before, after)
    return _tell_deal(event, after, check)


_COMPANY = (
    m.PlayerSeated,
    m.PlayerLeft,
    m.PlayerAway,
    m.PlayerBack,
    m.StandInBegan,
    m.StandInEnded,
    m.PlayerReady,
    m.BotSeated,
    m.BotRemoved,
    m.SpectatorJoined,
    m.SpectatorLeft,
    m.Said,
    m.TableClosed,
)
_PLAY = (m.PackCut, m.CallMade, m.AuctionWon, m.TrumpNamed, m.CardPlayed, m.TrickTaken)


def _tell_company(event: m.TableEvent, before: m.Snapshot) -> str | None:
    match event:
        case m.SpectatorJoined():
            return f"{harmless(event.name)} watches."
        case m.SpectatorLeft():
            return f"{harmless(event.name)} no longer watches."
        case m.Said():
            return f"{harmless(event.name)}: {harmless(event.text)}"
        case m.TableClosed():
            return f"! The table is closed ({harmless(event.reason)}). You are in the lobby."
    return _tell_seats(event, Viewpoint.of(before))


def _tell_seats(event: m.TableEvent, who: Viewpoint) -> str | None:
    match event:
        case m.PlayerSeated():
            if who.is_own(event.seat):
                return None  # the answer to the join says more
            return f"{harmless(event.name)} takes seat {SEAT_NAMES[event.seat]}."
        case m.PlayerLeft():
            why = {
                "left": "leaves",
                "grace_over": "stayed away too long and loses",
                "kicked": "is removed from",
            }
            verb = why.get(event.reason, "leaves")
            seat = f"seat {SEAT_NAMES[event.seat]}"
            if who.is_own(event.seat):
                return f"! You no longer have {seat}."
            return f"! {harmless(event.name)} {verb} {seat}."
        case m.PlayerAway() | m.PlayerBack() if who.is_own(event.seat):
            return None  # the link itself has said so
        case m.PlayerAway():
            return f"! {who.occupant(event.seat)} lost the link. Seat held {duration(event.grace_seconds)}."
        case m.PlayerBack():
            return f"{who.occupant(event.seat)} is back."
        case m.StandInBegan():
            return _stand_in_began(who, event.seat)
        case m.StandInEnded():
            return f"{who.does(event.seat, 'play')} again."
        case m.PlayerReady():
            return f"{who.does(event.seat, 'are', 'is')} ready for the next set."
        case m.BotSeated():
            level = event.level.value
            return f"{harmless(event.name)}, a {level} bot, takes seat {SEAT_NAMES[event.seat]}."
        case m.BotRemoved():
            return f"{who.occupant(event.seat)} leaves seat {SEAT_NAMES[event.seat]}."
    return None


def _stand_in_began(who: Viewpoint, seat: Seat) -> str:
    summary = who.seats[seat]
    is_away = summary is not None and summary.away_seconds is not None
    if who.is_own(seat):
        return "! While you were away, a bot began to play for you." if is_away else TIME_RAN_OUT
    why = f"{who.occupant(seat)} is away" if is_away else f"{who.occupant(seat)} let the time run out"
    return f"! {why}: a bot plays instead."


TIME_RAN_OUT = (
    "! Your time ran out: a bot plays for you, and your turns have one second. Press Enter to play yourself, "
    "with the whole time again."
)


def _by(actor: m.Actor) -> str:
    return " (decided by the clock)" if actor is m.Actor.CLOCK else ""


def _tell_play(event: m.TableEvent, before: m.Snapshot, after: m.Snapshot) -> str | None:
    who = Viewpoint.of(after)
    match event:
        case m.PackCut():
            return f"{who.does(event.seat, 'cut')} {event.at} cards{_by(event.by)}."
        case m.CallMade():
            return f"{_call(who, event)}{_remark(event.remark)}{_by(event.by)}."
        case m.AuctionWon():
            promise = "with game" if event.call is CallKind.GAME else f"at {event.tricks}"
            verb = "are" if who.is_own(event.seat) else "is"
            return f"{who.does(event.seat, 'win')} the auction {promise} and {verb} to name the trump."
        case m.TrumpNamed():
            return f"Trump is {SUIT_NAMES[event.suit]}{_by(event.by)}."
        case m.CardPlayed():
            return _card(event, before, who)
        case m.TrickTaken():
            return f"{who.does(event.seat, 'win')} the trick. Tricks: {who.score(event.taken)}."
    return None


def _call(who: Viewpoint, event: m.CallMade) -> str:
    if event.call is CallKind.PASS:
        return who.does(event.seat, "pass", "passes")
    if event.call is CallKind.GAME:
        return f"{who.does(event.seat, 'call')} game"
    return f"{who.does(event.seat, 'bid')} {event.tricks}"


def _remark(remark: Remark | None) -> str:
    return "" if remark is None else f", saying: {REMARKS[remark]}"


def _card(event: m.CardPlayed, before: m.Snapshot, who: Viewpoint) -> str:
    deal = None if before.public is None else before.public.deal
    card = spoken(event.card)
    if deal is None or deal.trick is None or not deal.trick.cards:
        number = 1 if deal is None else len(deal.tricks) + 1
        return f"Trick {number}. {who.does(event.seat, 'lead')} {card}{_by(event.by)}."
    trump = None if deal.contract is None else deal.contract.trump
    is_ruff = event.card.suit is trump and deal.trick.cards[0].suit is not trump
    notes = (", a trump" if is_ruff else "") + (", winning" if event.winning == event.seat else "")
    return f"{who.does(event.seat, 'play')} {card}{notes}{_by(event.by)}."


def _tell_deal(event: m.TableEvent, after: m.Snapshot, check: DealCheck | None) -> str | None:
    who = Viewpoint.of(after)
    match event:
        case m.SetStarted():
            return f"Set {event.number} begins. First to {after.rules.target}."
        case m.DealStarted():
            cuts = "you are to cut" if who.is_own(event.turn) else f"{who.occupant(event.turn)} is to cut"
            return f"Deal {event.number}. {who.does(event.dealer, 'deal')}; {cuts}."
        case m.HandsDealt():
            if event.hand is None:
                return f"The cards are dealt. {who.does(event.turn, 'call')} first."
            return f"Your hand: {hand_text(event.hand, None)}."
        case m.DealVoided():
            return "All four passed: nobody scores."
        case m.DealScored():
            return f"Deal {event.score.number}: {score_sentence(event.score, who)}"
        case m.DealRevealed():
            return CHECKS[check] if check is not None else None
        case m.SetWon():
            return f"{_winners(who, event.team)} win the set. Final score: {who.score(event.scores)}."
    return None


def _winners(who: Viewpoint, team: Team) -> str:
    if who.seat is None:
        return who.team(team)
    return "You and your partner" if who.seat.team() is team else "The others"


CHECKS = {
    DealCheck.FAIR: "Checked: the pack was fixed before the cut, and the hands came from it.",
    DealCheck.UNSEEN: "The deal was not checked: this client did not see it from its beginning.",
    DealCheck.OTHER_PACK: "! NOT FAIR: the pack that was revealed is not the one fixed before the cut.",
    DealCheck.OTHER_HANDS: "! NOT FAIR: the hands did not come from the pack that was fixed before the cut.",
}


def score_sentence(score: DealScore, who: Viewpoint) -> str:
    """How a deal was reckoned, in a sentence: declarer, bid, tricks, points and totals."""
    taken = score.taken[score.declarer.team()]
    bid = "game" if score.call is CallKind.GAME else str(score.bid)
    verdict = "made" if score.made else "failed"
    declared = f"{who.does(score.declarer, 'bid', 'bid')} {bid}"
    return (
        f"{declared} in {SUIT_NAMES[score.trump]}, took {taken}: {verdict}. "
        f"Points: {who.score(score.points, signed=True)}. Score: {who.score(score.scores)}."
    )
