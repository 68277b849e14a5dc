"""Cards and hands in words and in short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tarneeb_client.language import N_, _, clauses, listed
from tarneeb_engine.cards import Card, Rank, Suit

_SUITS = {
    Suit.CLUBS: N_("clubs"),
    Suit.DIAMONDS: N_("diamonds"),
    Suit.HEARTS: N_("hearts"),
    Suit.SPADES: N_("spades"),
}
SUIT_SYMBOLS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_RANKS = {
    Rank.TWO: N_("two"),
    Rank.THREE: N_("three"),
    Rank.FOUR: N_("four"),
    Rank.FIVE: N_("five"),
    Rank.SIX: N_("six"),
    Rank.SEVEN: N_("seven"),
    Rank.EIGHT: N_("eight"),
    Rank.NINE: N_("nine"),
    Rank.TEN: N_("ten"),
    Rank.JACK: N_("jack"),
    Rank.QUEEN: N_("queen"),
    Rank.KING: N_("king"),
    Rank.ACE: N_("ace"),
}
HAND_ORDER = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
"""Suits of a hand from the left: black and red in turn, so that neighbours are told apart."""


def suit_name(suit: Suit) -> str:
    """A suit in words."""
    return _(_SUITS[suit])


def rank_name(rank: Rank) -> str:
    """A rank in words."""
    return _(_RANKS[rank])


def spoken(card: Card) -> str:
    """A card as one says it: ``9 of hearts``, ``jack of spades``."""
    rank = rank_name(card.rank) if card.rank > Rank.TEN else str(int(card.rank))
    return _("{rank} of {suit}").format(rank=rank, suit=suit_name(card.suit))


def short(card: Card, *, symbols: bool = True) -> str:
    """A card in two or three characters: ``♥10``, or ``H10`` without symbols."""
    return suit_mark(card.suit, symbols=symbols) + rank_mark(card.rank)


def suit_mark(suit: Suit, *, symbols: bool = True) -> str:
    """A suit in one character: ``♥``, or ``H`` without symbols."""
    return SUIT_SYMBOLS[suit] if symbols else suit.value


def rank_mark(rank: Rank) -> str:
    """A rank in one or two characters, the ten as ``10``."""
    return "10" if rank is Rank.TEN else rank.letter


def suits_in_order(trump: Suit | None) -> tuple[Suit, ...]:
    """The suits as a hand shows them: trumps first, then black and red in turn."""
    if trump is None:
        return HAND_ORDER
    start = HAND_ORDER.index(trump)
    return HAND_ORDER[start:] + HAND_ORDER[:start]


def in_hand_order(cards: Iterable[Card], trump: Suit | None) -> tuple[Card, ...]:
    """Cards as a hand shows them: suit by suit, high cards first."""
    order = suits_in_order(trump)
    return tuple(sorted(cards, key=lambda card: (order.index(card.suit), -card.rank)))


def hand_text(cards: Sequence[Card], trump: Suit | None) -> str:
    """A hand suit by suit: ``spades Q 8 7 4; hearts A 10 2``; empty suits are left out."""
    ordered = in_hand_order(cards, trump)
    suits = [
        (suit, [rank_mark(card.rank) for card in ordered if card.suit is suit])
        for suit in suits_in_order(trump)
    ]
    return clauses(f"{suit_name(suit)} {' '.join(ranks)}" for suit, ranks in suits if ranks)


def numbered(cards: Sequence[Card]) -> str:
    """Cards with their number in the list, suit by suit: ``1 ace, 2 ten of hearts; 3 two of spades``."""
    groups: list[tuple[Suit, list[str]]] = []
    for number, card in enumerate(cards, start=1):
        entry = f"{number} {rank_name(card.rank)}"
        if groups and groups[-1][0] is card.suit:
            groups[-1][1].append(entry)
        else:
            groups.append((card.suit, [entry]))
    return clauses(
        _("{cards} of {suit}").format(cards=listed(entries), suit=suit_name(suit)) for suit, entries in groups
    )
