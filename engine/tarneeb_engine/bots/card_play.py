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
        return (1 - threat) + threat * 0.35 * rescue if ours else rescue * (1 - 0.6 * threat)
    threat += (1 - threat) * beaten_chance(known, left, led, best)
    return (1 - threat) + threat * 0.4 * rescue


def keep_value(known: Knowledge, card: Card) -> float:
    """What ``card`` may still bring if it is not played now, in tricks."""
    mask = suit_mask(card.suit)
    held = (known.hand & mask).bit_count()
    above = (known.unseen & higher_mask(card)).bit_count()
    unseen = (known.unseen & mask).bit_count()
    drawn = not known.opponents_trumps()
    low = 0.005 * card.rank
    if card.suit is known.trump:
        if not unseen or drawn:
            return 0.9 + low
        return (0.92, 0.75, 0.6)[above] + low if above < 3 and held > above else 0.45 + low
    if above == 0:
        return (0.95 if drawn else 0.72) + low
    if held > unseen and drawn:
        return 0.5 + low
    if above == 1 and held >= 2:
        return 0.42 + low
    if above == 2 and held >= 3:
        return 0.22 + low
    return 0.02 + low + _guard(known, mask, held)


def _guard(known: Knowledge, mask: int, held: int) -> float:
    """What a low card is worth because it guards an honour of its suit that is not yet a winner."""
    if held not in {2, 3}:
        return 0.0
    top = known.hand & mask
    highest = 1 << (top.bit_length() - 1)
    above = (known.unseen & mask & ~((highest << 1) - 1)).bit_count()
    return 0.2 if 0 < above == held - 1 else 0.0


def _following_score(known: Knowledge, trick: TrickView, card: Card) -> float:
    win = _win_chance(known, trick.cards, card)
    score = win - keep_value(known, card)
    best = winning_card(trick.cards, known.trump)
    takes = beats(card, best, known.trump)
    if card.suit is known.trump and trick.cards[0].suit is not known.trump and not takes:
        score -= 0.3  # under-ruffing throws a tarneeb away
    if card.suit is not trick.cards[0].suit and card.suit is not known.trump:
        shortness = (known.hand & suit_mask(card.suit)).bit_count()
        if shortness == 1 and known.hand & suit_mask(known.trump):
            score += 0.06  # void, it can ruff the next one
    return score


def lead_score(known: Knowledge, card: Card) -> float:
    """How good ``card`` is to lead."""
    score = _win_chance(known, (), card) - keep_value(known, card)
    mask = suit_mask(card.suit)
    held = (known.hand & mask).bit_count()
    partner = known.seat.partner()
    opponents_trumps = known.opponents_trumps()
    if card.suit is known.trump:
        return score + _trump_lead(known, card, held, opponents_trumps)
    if known.is_master(card):
        # Cash what is high: it will not become better, and by then somebody may ruff.
        score += 0.35
    partner_ruffs = not known.may_hold(partner, mask) and known.may_hold(partner, suit_mask(known.trump))
    if partner_ruffs:
        score += 0.15
    if not known.declaring:
        if held == 1 and known.hand & suit_mask(known.trump) and not known.is_master(card):
            score += 0.15
        if card.suit in _led_by(known, partner):
            score += 0.12
        if card.suit in _led_by(known, known.declarer):
            score -= 0.05
    elif held >= 4 and not opponents_trumps:
        score += 0.1
    return score


def _trump_lead(known: Knowledge, card: Card, held: int, opponents_trumps: int) -> float:
    if not opponents_trumps:
        return -0.4  # nobody is left to draw them from; they are worth more as ruffs
    if not known.declaring:
        return -0.25
    higher_out = (opponents_trumps & higher_mask(card)).bit_count()
    if opponents_trumps.bit_count() == 1 and higher_out and known.is_master(card) is False:
        return -0.3  # the last one out is the master: let it fall by itself
    if known.seat is not known.declarer:
        return 0.35
    return 0.7 if higher_out == 0 else 0.35 + 0.05 * held


def _led_by(known: Knowledge, seat: Seat) -> set[Suit]:
    """The plain suits that ``seat`` has led in this deal."""
    return {
        trick.cards[0].suit
        for trick in known.deal.tricks
        if trick.leader is seat and trick.cards[0].suit is not known.trump
    }
