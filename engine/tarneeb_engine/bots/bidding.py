"""How the steady bot calls: by what each call is worth to its chance of winning the set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.bots.valuation import ALL_TRICKS, best_trump, points_of, sure_tricks, trick_chances
from tarneeb_engine.calls import Call, CallKind, Remark
from tarneeb_engine.ruleset import AuctionKind
from tarneeb_engine.scoring import reckon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.cards import Card
    from tarneeb_engine.ruleset import Ruleset
    from tarneeb_engine.views import CallView, DealView, SeatView


@dataclass(frozen=True, slots=True)
class Style:
    """How boldly to bid, in tricks where nothing else is said. ``bench/bots.py`` measures the defaults."""

    partner_bid: float = 0.2
    """Added to the own expectation when the partner has bid."""
    partner_passed: float = -0.45
    """Added when the partner has passed."""
    opponents_bid: float = -0.3
    """Added when an opponent has bid."""
    remark: float = 0.6
    """Added for a partner's helpful remark or an opponent's not helpful one, taken off for the reverse."""
    above_bid: float = 0.4
    """What a bidder is taken to expect above the number bid."""
    support_point: float = 0.18
    """Tricks that one point above the average moves another player's contract, up for the partner's."""
    double_gain: float = 0.1
    """How much a double must add to the chance of the set: bids that seem
    likely to fail are made more often than one opponent's hand tells."""
    reach: float = 0.4
    """How far of the way down to the worth of a pass a bid is raised while others may still outbid it, 0–1."""


def points_for(rules: Ruleset, call: Call, taken: int, *, doubled: bool = False) -> tuple[int, int]:
    """What a contract adds to the declaring side and to the other (rules 18–20, 22 and 26).

    "Game" made is left to the caller: it wins the set whatever it scores.
    """
    reckoning = reckon(call.kind, call.promised, taken, rules.thirteen, doubled=doubled)
    return reckoning.declaring, reckoning.defending


def set_chance(ours: int, theirs: int, target: int) -> float:
    """About how likely the side with ``ours`` is to win a set that stands like this, 0–1."""
    if ours >= target or theirs >= target:
        return 1.0 if ours > theirs else 0.0
    remaining = max(6, target - max(ours, theirs))
    return 1 / (1 + math.exp(-(ours - theirs) / (2.2 * math.sqrt(remaining))))


def contract_chance(view: SeatView, call: Call, mean: float, *, ours: bool, doubled: bool = False) -> float:
    """This seat's chance of winning the set when a side plays ``call``, expecting ``mean`` tricks for it."""
    rules = view.public.rules
    own, other = _scores(view)
    chance = 0.0
    for taken, weight in enumerate(trick_chances(mean)):
        if call.kind is CallKind.GAME and taken == ALL_TRICKS:
            chance += weight * ours
            continue
        declaring, defending = points_for(rules, call, taken, doubled=doubled)
        gained, lost = (declaring, defending) if ours else (defending, declaring)
        chance += weight * set_chance(own + gained, other + lost, rules.target)
    return chance


def choose_call(view: SeatView, calls: Sequence[Call], style: Style) -> Call:
    """The call of ``calls``, all of them legal, that promises the best chance of the set."""
    deal = view.public.deal
    assert deal is not None  # noqa: S101  (a call is asked for, so a deal is in progress)
    bids = sorted((call for call in calls if call.kind is CallKind.BID), key=lambda call: call.promised)
    passes = [call for call in calls if call.kind is CallKind.PASS]
    games = [call for call in calls if call.kind is CallKind.GAME]
    doubles = [call for call in calls if call.kind is CallKind.DOUBLE]
    trump, alone = best_trump(view.hand)
    # Where bids name a suit, only the best one: any other is a worse contract at the same price.
    bids = [bid for bid in bids if bid.suit in {None, trump}]
    if games and sure_tricks(view.hand, trump) == ALL_TRICKS:
        return games[0]
    if not bids:
        return _pass_or_double(view, deal, passes or games or list(calls), doubles, style)
    mean = alone + _heard(view, deal, style)
    worth = [contract_chance(view, bid, mean, ours=True) for bid in bids]
    if not passes:
        return bids[0]
    idle = _chance_of_passing(view, deal, style)
    if worth[0] <= idle:
        return _pass_or_double(view, deal, passes, doubles, style)
    last_word = view.seat is deal.dealer or view.public.rules.auction is not AuctionKind.SINGLE
    if last_word:
        return bids[0]
    floor = worth[0] - style.reach * (worth[0] - idle)
    return max(
        (bid for bid, chance in zip(bids, worth, strict=True) if chance >= floor), key=lambda b: b.promised
    )


def _pass_or_double(
    view: SeatView, deal: DealView, others: Sequence[Call], doubles: Sequence[Call], style: Style
) -> Call:
    """The first of ``others``, unless the opponents' bid is so likely to fail that it should count twice."""
    if not doubles:
        return others[0]
    gained = _chance_of_passing(view, deal, style, doubling=True) - _chance_of_passing(view, deal, style)
    return doubles[0] if gained > style.double_gain else others[0]


def honest_remark(hand: Sequence[Card], call: Call) -> Remark | None:
    """What a hand that passes is to a partner: helpful from 11 points or 3 aces, not helpful under 7 points."""
    if call.kind is not CallKind.PASS:
        return None
    points = points_of(hand)
    if points >= 11 or sum(card.rank >= 14 for card in hand) >= 3:
        return Remark.HELPFUL
    return Remark.NOT_HELPFUL if points < 7 else None


def _scores(view: SeatView) -> tuple[int, int]:
    team = view.seat.team()
    return view.public.scores[team], view.public.scores[team.opponents]


def _heard(view: SeatView, deal: DealView, style: Style) -> float:
    """What the calls so far say of the other hands, in tricks for a contract of this seat."""
    partner = view.seat.partner()
    shift = 0.0
    last: dict[int, CallView] = {call.seat: call for call in deal.calls}
    for seat, call in last.items():
        if seat == partner:
            shift += style.partner_passed if call.call is CallKind.PASS else style.partner_bid
        elif seat != view.seat and call.call is CallKind.BID:
            shift += style.opponents_bid
        if call.remark is not None and seat != view.seat:
            good = (call.remark is Remark.HELPFUL) == (seat == partner)
            shift += style.remark if good else -style.remark
    return shift


def _chance_of_passing(view: SeatView, deal: DealView, style: Style, *, doubling: bool = False) -> float:
    """This seat's chance of the set when it passes, or doubles, and the highest bid so far stands."""
    own, other = _scores(view)
    doubled = doubling
    highest = None
    for made in reversed(deal.calls):  # each bid outranks or matches those before it, so the last one stands
        doubled = doubled or made.call is CallKind.DOUBLE
        if made.tricks is not None:
            highest = made
            break
    if highest is None or highest.tricks is None:
        return set_chance(own, other, view.public.rules.target)
    ours = highest.seat.team() is view.seat.team()
    support = style.support_point * (points_of(view.hand) - 10)
    mean = highest.tricks + style.above_bid + (support if ours else -support)
    return contract_chance(view, Call.bid(highest.tricks), mean, ours=ours, doubled=doubled)
