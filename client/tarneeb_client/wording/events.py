"""What happened at a table: one line for each event."""

from __future__ import annotations

from tarneeb_client.audit import DealCheck
from tarneeb_client.language import N_, _
from tarneeb_client.wording.cards import hand_text, spoken, suit_name
from tarneeb_client.wording.connection import duration
from tarneeb_client.wording.people import Viewpoint, called, chat_line, seat_name
from tarneeb_client.wording.turns import call_text
from tarneeb_engine.calls import Call, CallKind, Remark
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import DealScore
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless


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
            return _("{name} watches.").format(name=called(event.name))
        case m.SpectatorLeft():
            return _("{name} no longer watches.").format(name=called(event.name))
        case m.Said():
            return chat_line(event.name, event.text)
        case m.TableClosed():
            return _("! The table is closed ({reason}). You are in the lobby.").format(
                reason=harmless(event.reason)
            )
    return _tell_seats(event, Viewpoint.of(before))


def _tell_seats(event: m.TableEvent, who: Viewpoint) -> str | None:
    match event:
        case m.PlayerSeated():
            if who.is_own(event.seat):
                return None  # the answer to the join says more
            return _("{name} takes seat {seat}.").format(name=called(event.name), seat=seat_name(event.seat))
        case m.PlayerLeft():
            return _player_left(event, who)
        case m.PlayerAway() | m.PlayerBack() if who.is_own(event.seat):
            return None  # the link itself has said so
        case m.PlayerAway():
            return _("! {name} lost the link. Seat held {time}.").format(
                name=who.occupant(event.seat), time=duration(event.grace_seconds)
            )
        case m.PlayerBack():
            return _("{name} is back.").format(name=who.occupant(event.seat))
        case m.StandInBegan():
            return _stand_in_began(who, event.seat)
        case m.StandInEnded():
            return who.tell(event.seat, own=_("You play again."), other=_("{name} plays again."))
        case m.PlayerReady():
            return who.tell(
                event.seat,
                own=_("You are ready for the next set."),
                other=_("{name} is ready for the next set."),
            )
        case m.BotSeated():
            return _("{name}, a {level} bot, takes seat {seat}.").format(
                name=called(event.name), level=level_name(event.level), seat=seat_name(event.seat)
            )
        case m.BotRemoved():
            return _("{name} leaves seat {seat}.").format(
                name=who.occupant(event.seat), seat=seat_name(event.seat)
            )
    return None


def level_name(level: m.BotLevel) -> str:
    """How well a bot plays, in a word."""
    return {m.BotLevel.STEADY: _("steady"), m.BotLevel.RANDOM: _("random")}.get(level, level.value)


def _player_left(event: m.PlayerLeft, who: Viewpoint) -> str:
    if who.is_own(event.seat):
        sentence = _("! You no longer have seat {seat}.")
    elif event.reason == "grace_over":
        sentence = _("! {name} stayed away too long and loses seat {seat}.")
    elif event.reason == "kicked":
        sentence = _("! {name} is removed from seat {seat}.")
    elif event.reason == "next_team":
        sentence = _("{name} makes room for the next team in seat {seat}.")
    else:
        sentence = _("! {name} leaves seat {seat}.")
    return sentence.format(name=called(event.name), seat=seat_name(event.seat))


def _stand_in_began(who: Viewpoint, seat: Seat) -> str:
    summary = who.seats[seat]
    if summary is not None and summary.away_seconds is not None:
        return who.tell(
            seat,
            own=_("! While you were away, a bot began to play for you."),
            other=_("! {name} is away: a bot plays instead."),
        )
    return who.tell(seat, own=_(TIME_RAN_OUT), other=_("! {name} let the time run out: a bot plays instead."))


TIME_RAN_OUT = N_(
    "! Your time ran out: a bot plays for you, and your turns have one second. Press Enter to play yourself, "
    "with the whole time again."
)


def _by(actor: m.Actor, sentence: str) -> str:
    """The sentence about what an actor did, with who it was where that is not the player."""
    if actor is not m.Actor.CLOCK:
        return sentence
    return _("{sentence} (decided by the clock).").format(sentence=sentence.removesuffix("."))


def _tell_play(event: m.TableEvent, before: m.Snapshot, after: m.Snapshot) -> str | None:
    who = Viewpoint.of(after)
    match event:
        case m.PackCut():
            own, other = _("You cut {number} cards."), _("{name} cuts {number} cards.")
            return _by(event.by, who.tell(event.seat, own=own, other=other, number=event.at))
        case m.CallMade():
            return _by(event.by, _remarked(event.remark, _call(who, event)))
        case m.AuctionWon():
            return _auction_won(who, event)
        case m.TrumpNamed():
            return _by(event.by, _("Trump is {suit}.").format(suit=suit_name(event.suit)))
        case m.CardPlayed():
            return _by(event.by, _card(event, before, who))
        case m.TrickTaken():
            return who.tell(
                event.seat,
                own=_("You win the trick. Tricks: {tricks}."),
                other=_("{name} wins the trick. Tricks: {tricks}."),
                tricks=who.score(event.taken),
            )
    return None


def _auction_won(who: Viewpoint, event: m.AuctionWon) -> str:
    if event.call is CallKind.GAME:
        own = _("You win the auction with game and are to name the trump.")
        other = _("{name} wins the auction with game and is to name the trump.")
    elif event.suit is not None and event.doubled:
        own, other = (
            _("You win the auction at {bid}, doubled."),
            _("{name} wins the auction at {bid}, doubled."),
        )
    elif event.suit is not None:
        own, other = _("You win the auction at {bid}."), _("{name} wins the auction at {bid}.")
    elif event.doubled:
        own = _("You win the auction at {bid}, doubled, and are to name the trump.")
        other = _("{name} wins the auction at {bid}, doubled, and is to name the trump.")
    else:
        own = _("You win the auction at {bid} and are to name the trump.")
        other = _("{name} wins the auction at {bid} and is to name the trump.")
    return who.tell(event.seat, own=own, other=other, bid=call_text(event.call, event.tricks, event.suit))


def _call(who: Viewpoint, event: m.CallMade) -> str:
    if event.call is CallKind.PASS:
        return who.tell(event.seat, own=_("You pass."), other=_("{name} passes."))
    if event.call is CallKind.GAME:
        return who.tell(event.seat, own=_("You call game."), other=_("{name} calls game."))
    if event.call is CallKind.DOUBLE:
        return who.tell(event.seat, own=_("You double."), other=_("{name} doubles."))
    own, other = _("You bid {bid}."), _("{name} bids {bid}.")
    return who.tell(event.seat, own=own, other=other, bid=call_text(event.call, event.tricks, event.suit))


def call_sentence(name: str, call: Call) -> str:
    """What somebody called, in a sentence."""
    said = {
        CallKind.PASS: _("{name} passes."),
        CallKind.GAME: _("{name} calls game."),
        CallKind.DOUBLE: _("{name} doubles."),
    }.get(call.kind, _("{name} bids {bid}."))
    return said.format(name=name, bid=call_text(call.kind, call.tricks, call.suit))


def _remarked(remark: Remark | None, sentence: str) -> str:
    if remark is None:
        return sentence
    if remark is Remark.HELPFUL:
        said = _("{sentence}, saying: a helpful hand.")
    else:
        said = _("{sentence}, saying: not a helpful hand.")
    return said.format(sentence=sentence.removesuffix("."))


def _card(event: m.CardPlayed, before: m.Snapshot, who: Viewpoint) -> str:
    deal = None if before.public is None else before.public.deal
    card = spoken(event.card)
    if deal is None or deal.trick is None or not deal.trick.cards:
        return who.tell(
            event.seat,
            own=_("Trick {number}. You lead {card}."),
            other=_("Trick {number}. {name} leads {card}."),
            number=1 if deal is None else len(deal.tricks) + 1,
            card=card,
        )
    trump = None if deal.contract is None else deal.contract.trump
    is_ruff = event.card.suit is trump and deal.trick.cards[0].suit is not trump
    is_winning = event.winning == event.seat
    if is_ruff and is_winning:
        own, other = _("You play {card}, a trump, winning."), _("{name} plays {card}, a trump, winning.")
    elif is_ruff:
        own, other = _("You play {card}, a trump."), _("{name} plays {card}, a trump.")
    elif is_winning:
        own, other = _("You play {card}, winning."), _("{name} plays {card}, winning.")
    else:
        own, other = _("You play {card}."), _("{name} plays {card}.")
    return who.tell(event.seat, own=own, other=other, card=card)


def _tell_deal(event: m.TableEvent, after: m.Snapshot, check: DealCheck | None) -> str | None:
    who = Viewpoint.of(after)
    match event:
        case m.SetStarted():
            return _("Set {number} begins. First to {target}.").format(
                number=event.number, target=after.rules.target
            )
        case m.DealStarted():
            return _deal_started(who, event)
        case m.HandsDealt():
            if event.hand is None:
                own, other = (
                    _("The cards are dealt. You call first."),
                    _("The cards are dealt. {name} calls first."),
                )
                return who.tell(event.turn, own=own, other=other)
            return _("Your hand: {cards}.").format(cards=hand_text(event.hand, None))
        case m.DealVoided():
            return _("All four passed: nobody scores.")
        case m.DealScored():
            return _("Deal {number}: {how}").format(
                number=event.score.number, how=score_sentence(event.score, who)
            )
        case m.DealRevealed():
            return _(CHECKS[check]) if check is not None else None
        case m.SetWon():
            return _set_won(who, event)
    return None


def _deal_started(who: Viewpoint, event: m.DealStarted) -> str:
    dealer, cutter = who.occupant(event.dealer), who.occupant(event.turn)
    if who.is_own(event.dealer):
        sentence = _("Deal {number}. You deal; {cutter} is to cut.")
    elif who.is_own(event.turn):
        sentence = _("Deal {number}. {dealer} deals; you are to cut.")
    else:
        sentence = _("Deal {number}. {dealer} deals; {cutter} is to cut.")
    return sentence.format(number=event.number, dealer=dealer, cutter=cutter)


def _set_won(who: Viewpoint, event: m.SetWon) -> str:
    if who.seat is None:
        sentence = _("{team} win the set. Final score: {score}.")
    elif who.seat.team() is event.team:
        sentence = _("You and your partner win the set. Final score: {score}.")
    else:
        sentence = _("The others win the set. Final score: {score}.")
    return sentence.format(team=who.team(event.team), score=who.score(event.scores))


CHECKS = {
    DealCheck.FAIR: N_("Checked: the pack was fixed before the cut, and the hands came from it."),
    DealCheck.UNSEEN: N_("The deal was not checked: this client did not see it from its beginning."),
    DealCheck.OTHER_PACK: N_("! NOT FAIR: the pack that was revealed is not the one fixed before the cut."),
    DealCheck.OTHER_HANDS: N_(
        "! NOT FAIR: the hands did not come from the pack that was fixed before the cut."
    ),
}


def score_sentence(score: DealScore, who: Viewpoint) -> str:
    """How a deal was reckoned, in a sentence: declarer, bid, tricks, points and totals."""
    if score.call is CallKind.GAME and score.made:
        own = _("You bid game in {suit}, took {taken}: made. Points: {points}. Score: {score}.")
        other = _("{name} bid game in {suit}, took {taken}: made. Points: {points}. Score: {score}.")
    elif score.call is CallKind.GAME:
        own = _("You bid game in {suit}, took {taken}: failed. Points: {points}. Score: {score}.")
        other = _("{name} bid game in {suit}, took {taken}: failed. Points: {points}. Score: {score}.")
    elif score.made:
        own = _("You bid {bid} in {suit}, took {taken}: made. Points: {points}. Score: {score}.")
        other = _("{name} bid {bid} in {suit}, took {taken}: made. Points: {points}. Score: {score}.")
    else:
        own = _("You bid {bid} in {suit}, took {taken}: failed. Points: {points}. Score: {score}.")
        other = _("{name} bid {bid} in {suit}, took {taken}: failed. Points: {points}. Score: {score}.")
    told = who.tell(
        score.declarer,
        own=own,
        other=other,
        bid=score.bid,
        suit=suit_name(score.trump),
        taken=score.taken[score.declarer.team()],
        points=who.score(score.points, signed=True),
        score=who.score(score.scores),
    )
    return f"{told} {_('The deal counted double.')}" if score.doubled else told
