"""Suits, ranks, cards and the pack (rule 2)."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Suit(StrEnum):
    """One of the four suits; its value is its letter on the wire and in the notation."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    number: int
    """0–3 in the order of definition; a suit's cards are ``13 * index`` to ``13 * index + 12``."""

    def __new__(cls, letter: str) -> Suit:  # noqa: D102
        member = str.__new__(cls, letter)
        member._value_ = letter
        member.number = "CDHS".find(letter)
        return member

    __hash__ = str.__hash__  # Enum's own hash is a Python-level call


class Rank(IntEnum):
    """A card's rank, ace high (rule 2)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One of ``23456789TJQKA``."""
        return RANK_LETTERS[self - 2]


RANK_LETTERS = "23456789TJQKA"


class Card(StrEnum):
    """One of the 52 cards. ``Card("AS")`` is the ace of spades: rank letter, then suit letter.

    Members are in ascending order by suit, then rank, so that ``number`` is 0–51 in that order.
    ``Card(symbol)`` raises ``ValueError`` for anything that is not a card.
    """

    C2 = "2C"
    C3 = "3C"
    C4 = "4C"
    C5 = "5C"
    C6 = "6C"
    C7 = "7C"
    C8 = "8C"
    C9 = "9C"
    CT = "TC"
    CJ = "JC"
    CQ = "QC"
    CK = "KC"
    CA = "AC"
    D2 = "2D"
    D3 = "3D"
    D4 = "4D"
    D5 = "5D"
    D6 = "6D"
    D7 = "7D"
    D8 = "8D"
    D9 = "9D"
    DT = "TD"
    DJ = "JD"
    DQ = "QD"
    DK = "KD"
    DA = "AD"
    H2 = "2H"
    H3 = "3H"
    H4 = "4H"
    H5 = "5H"
    H6 = "6H"
    H7 = "7H"
    H8 = "8H"
    H9 = "9H"
    HT = "TH"
    HJ = "JH"
    HQ = "QH"
    HK = "KH"
    HA = "AH"
    S2 = "2S"
    S3 = "3S"
    S4 = "4S"
    S5 = "5S"
    S6 = "6S"
    S7 = "7S"
    S8 = "8S"
    S9 = "9S"
    ST = "TS"
    SJ = "JS"
    SQ = "QS"
    SK = "KS"
    SA = "AS"

    suit: Suit
    rank: Rank
    number: int
    """0–51: ``13 * suit.number + rank - 2``."""
    bit: int
    """``1 << number``: the card's place in the bit mask of a hand."""

    def __new__(cls, symbol: str) -> Card:  # noqa: D102
        member = str.__new__(cls, symbol)
        member._value_ = symbol
        member.suit = Suit(symbol[1])
        member.rank = Rank(RANK_LETTERS.find(symbol[0]) + 2)
        member.number = 13 * member.suit.number + member.rank - 2
        member.bit = 1 << member.number
        return member

    __hash__ = str.__hash__  # Enum's own hash is a Python-level call

    def __repr__(self) -> str:
        return f"Card({self.value!r})"


FULL_PACK: tuple[Card, ...] = tuple(Card)
"""All 52 cards by number: what is shuffled for a deal."""
