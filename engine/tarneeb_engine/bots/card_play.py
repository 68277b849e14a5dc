"""How the steady bot plays its cards: the trick at hand against what the card is worth later.

Every legal card gets a score: the chance that this side wins the trick if it is played to it, less what it
costs to part with the card. That it wins cheaply, plays low second in hand and does not ruff its partner's
winner falls out of that; leads add what they do for the rest of the hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.bots.knowledge import Knowledge, higher_mask, suit_mask
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.trick import beats, winning_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.seats import Seat
    from tarneeb_engine.views import TrickView

# Weights are in tricks. They were found by playing duplicate deals with small changes to them and keeping what
# won; bench/bots.py measures the whole.
RESCUE_BEHIND = 0.35
"""How often a partner still to play who could win does win, once the opponent before it has gone over."""
RESCUE_LEAD = 0.4
"""The same for a lead."""
OVERTAKEN = 0.47
"""How often the opponent in between, able to go over, spoils the partner's chance."""

TARNEEB_DRAWN = 0.9
"""What a tarneeb is worth once no opponent holds one."""
TARNEEB_UNDER = (1.0, 0.75, 0.53)
"""What a guarded tarneeb is worth with none, one or two higher ones unseen."""
SMALL_TARNEEB = 0.37
MASTER = 0.72
MASTER_SAFE = 0.95
"""The highest card of a plain suit, while an opponent may ruff it and when none can."""
LONG_CARD = 0.4
"""A low card of a suit of which the others together hold fewer, when none can ruff."""
SECOND_GUARDED = 0.46
THIRD_GUARDED = 0.3
"""A card with one or two higher ones unseen, and enough low ones beside it to wait for them."""
GUARD = 0.29
"""A low card without which such an honour would fall."""
BY_RANK = 0.006
"""A step of rank: between cards that do the same, the lower is spent."""

UNDER_RUFF = 0.35
RUFF_PARTNER = 0.5
VOID_MADE = 0.06

CASH = 0.35
SHORT_LEAD = 0.11
PARTNER_RUFFS = 0.16
OPPONENT_RUFFS = 0.12
LONG_SUIT_LEAD = 0.25
SINGLETON_LEAD = 0.15
RETURN_LEAD = 0.12
DRAW_FROM_TOP = 0.93
DRAW_FROM_BELOW = 0.37
DRAW_BY_LENGTH = 0.05
DRAW_FOR_DECLARER = 0.2
LAST_TARNEEB_OUT = -0.46
TARNEEB_WHEN_DRAWN = -0.54
DEFENDERS_TARNEEB = -0.19


def choose_card(known: Knowledge, cards: Sequence[Card]) -> Card:
    """The card of ``cards``, all of them legal, that scores best; of equals, the lowest."""
    trick = known.deal.trick
    if len(cards) == 1:
        return cards[0]
    if trick is None or not trick.cards:
        return max(cards, key=lambda card: (lead_score(known, card), -card.rank, card.number))
    return max(cards, key=lambda card: (_following_score(known, trick, card), -card.rank, card.number))


def chance_of(known: Knowledge, seat: Seat, cards: int) -> float:
    """The chance that ``seat`` holds at least one of ``cards`` (a mask), as far as is known."""
    chance = 1.0
    for suit in Suit:
        mask = suit_mask(suit)
        wanted = known.may_hold(seat, cards & mask).bit_count()
        if wanted:
            chance *= (1 - _share(known, seat, mask)) ** wanted
    return 1 - chance


def _share(known: Knowledge, seat: Seat, mask: int) -> float:
    """The chance that an unseen card of the suit ``mask`` lies with ``seat``, who may hold it."""
    places = total = 0
    other = known.seat.next()
    while other is not known.seat:
        held = known.deal.cards_held[other]
        if not known.voids[other] & mask:
            total += held
            if other is seat:
                places = held
        other = other.next()
    return places / total if total else 0.0


def beaten_chance(known: Knowledge, seat: Seat, led: Suit, best: Card) -> float:
    """The chance that ``seat``, still to play to a trick of suit ``led``, can beat ``best``."""
    trumps = suit_mask(known.trump)
    if best.suit is known.trump and led is not known.trump:
        void = 1 - chance_of(known, seat, suit_mask(led))
        return void * chance_of(known, seat, higher_mask(best))
    over = chance_of(known, seat, higher_mask(best))
    if led is known.trump:
        return over
    void = 1 - chance_of(known, seat, suit_mask(led))
    return min(1.0, over + void * chance_of(known, seat, trumps))


def _win_chance(known: Knowledge, played: Sequence[Card], card: Card) -> float:
    """The chance that this side wins the trick when ``card`` is played to it after ``played``."""
    cards = (*played, card)
    led = cards[0].suit
    best = winning_card(cards, known.trump)
    # Partner sits two places before: theirs is the winning card when it is the last but one.
    ours = (len(cards) - 1 - cards.index(best)) % 2 == 0
    after = 3 - len(played)
    right, partner = known.seat.next(), known.seat.partner()
    left = partner.next()
    if after == 0:
        return float(ours)
    threat = beaten_chance(known, right, led, best)
    if after == 1:
        return 1 - threat if ours else 0.0
    rescue = beaten_chance(known, partner, led, best)
    if after == 2:
        return (1 - threat) + threat * RESCUE_BEHIND * rescue if ours else rescue * (1 - OVERTAKEN * threat)
    threat += (1 - threat) * beaten_chance(known, left, led, best)
    return (1 - threat) + threat * RESCUE_LEAD * rescue


def keep_value(known: Knowledge, card: Card) -> float:
    """What ``card`` may still bring if it is not played now, in tricks."""
    mask = suit_mask(card.suit)
    held = (known.hand & mask).bit_count()
    above = (known.unseen & higher_mask(card)).bit_count()
    unseen = (known.unseen & mask).bit_count()
    drawn = not known.opponents_trumps()
    low = BY_RANK * card.rank
    if card.suit is known.trump:
        if not unseen or drawn:
            return TARNEEB_DRAWN + low
        return TARNEEB_UNDER[above] + low if above < 3 and held > above else SMALL_TARNEEB + low
    if above == 0:
        return (MASTER_SAFE if drawn else MASTER) + low
    if held > unseen and drawn:
        return LONG_CARD + low
    if above == 1 and held >= 2:
        return SECOND_GUARDED + low
    if above == 2 and held >= 3:
        return THIRD_GUARDED + low
    return low + _guard(known, mask, held)


def _guard(known: Knowledge, mask: int, held: int) -> float:
    """What a low card is worth because it guards an honour of its suit that is not yet a winner."""
    if held not in {2, 3}:
        return 0.0
    top = known.hand & mask
    highest = 1 << (top.bit_length() - 1)
    above = (known.unseen & mask & ~((highest << 1) - 1)).bit_count()
    return GUARD if 0 < above == held - 1 else 0.0


def _following_score(known: Knowledge, trick: TrickView, card: Card) -> float:
    score = _win_chance(known, trick.cards, card) - keep_value(known, card)
    led = trick.cards[0].suit
    if card.suit is led:
        return score
    if card.suit is known.trump:
        if not beats(card, winning_card(trick.cards, known.trump), known.trump):
            score -= UNDER_RUFF  # throws a tarneeb away
        elif len(trick.cards) == 3 and trick.winner is known.seat.partner():
            score -= RUFF_PARTNER  # the trick is won already
    elif (known.hand & suit_mask(card.suit)).bit_count() == 1 and known.hand & suit_mask(known.trump):
        score += VOID_MADE  # it can ruff the next one of this suit
    return score


def lead_score(known: Knowledge, card: Card) -> float:
    """How good ``card`` is to lead, in tricks."""
    score = _win_chance(known, (), card) - keep_value(known, card)
    trumps, mask = suit_mask(known.trump), suit_mask(card.suit)
    held = (known.hand & mask).bit_count()
    opponents_trumps = known.opponents_trumps()
    if card.suit is known.trump:
        return score + _trump_lead(known, card, held, opponents_trumps)
    master = known.is_master(card)
    # Cash what is high: it will not become better, and by then somebody may ruff it.
    score += CASH if master else -SHORT_LEAD * held
    partner, right = known.seat.partner(), known.seat.next()
    if _may_ruff(known, partner, mask, trumps):
        score += PARTNER_RUFFS
    if _may_ruff(known, right, mask, trumps) or _may_ruff(known, right.partner(), mask, trumps):
        score += OPPONENT_RUFFS  # a tarneeb that ruffs a loser is one less to draw
    if known.declaring:
        if held >= 4 and not opponents_trumps:
            score += LONG_SUIT_LEAD
        return score
    if held == 1 and known.hand & trumps and not master:
        score += SINGLETON_LEAD
    if card.suit in _led_by(known, partner):
        score += RETURN_LEAD
    return score


def _may_ruff(known: Knowledge, seat: Seat, plain: int, trumps: int) -> bool:
    """Whether ``seat`` is known to be void in the suit ``plain`` and may hold a tarneeb."""
    return not known.may_hold(seat, plain) and bool(known.may_hold(seat, trumps))


def _trump_lead(known: Knowledge, card: Card, held: int, opponents_trumps: int) -> float:
    """What leading a tarneeb does beyond its own trick: it draws those of the opponents."""
    if not opponents_trumps:
        return TARNEEB_WHEN_DRAWN  # worth more as a ruff
    if not known.declaring:
        return DEFENDERS_TARNEEB
    master_out = (opponents_trumps & higher_mask(card)).bit_count() > 0
    if opponents_trumps.bit_count() == 1 and master_out:
        return LAST_TARNEEB_OUT  # it will take a trick whatever happens; two for one is a loss
    if known.seat is not known.declarer:
        return DRAW_FOR_DECLARER
    return DRAW_FROM_BELOW + DRAW_BY_LENGTH * held if master_out else DRAW_FROM_TOP


def _led_by(known: Knowledge, seat: Seat) -> set[Suit]:
    """The plain suits that ``seat`` has led in this deal."""
    return {
        trick.cards[0].suit
        for trick in known.deal.tricks
        if trick.leader is seat and trick.cards[0].suit is not known.trump
    }
