"""What a player types, as values: cards, suits, calls, seats, numbers.

Letters may be of either case and digits of any script, so that ``١٠h`` is the ten of hearts. Each
function raises ``Unreadable`` with a sentence that names what was typed and what is accepted.
"""

from __future__ import annotations

import unicodedata

from tarneeb_client.language import _, alternatives
from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import RANK_LETTERS, Card, Suit
from tarneeb_engine.seats import Seat
from tarneeb_protocol.messages import CallAction
from tarneeb_protocol.text import harmless

LONGEST_NUMBER = 9
"""Digits of a typed number: more is a slip of the finger, and no number of the protocol needs them."""
LONGEST_ECHO = 40
"""Characters of a player's own input that an error repeats."""

SUIT_WORDS: dict[str, Suit] = {
    "c": Suit.CLUBS,
    "club": Suit.CLUBS,
    "clubs": Suit.CLUBS,
    "♣": Suit.CLUBS,
    "♧": Suit.CLUBS,
    "سباتي": Suit.CLUBS,
    "سنك": Suit.CLUBS,
    "شجرة": Suit.CLUBS,
    "d": Suit.DIAMONDS,
    "diamond": Suit.DIAMONDS,
    "diamonds": Suit.DIAMONDS,
    "♦": Suit.DIAMONDS,
    "♢": Suit.DIAMONDS,
    "ديناري": Suit.DIAMONDS,
    "دينار": Suit.DIAMONDS,
    "h": Suit.HEARTS,
    "heart": Suit.HEARTS,
    "hearts": Suit.HEARTS,
    "♥": Suit.HEARTS,
    "♡": Suit.HEARTS,
    "كبة": Suit.HEARTS,
    "كبه": Suit.HEARTS,
    "s": Suit.SPADES,
    "spade": Suit.SPADES,
    "spades": Suit.SPADES,
    "♠": Suit.SPADES,
    "♤": Suit.SPADES,
    "بستوني": Suit.SPADES,
}
"""Every accepted spelling of a suit."""

RANK_WORDS: dict[str, str] = {
    **{letter.lower(): letter for letter in RANK_LETTERS},
    "10": "T",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "T",
    "jack": "J",
    "queen": "Q",
    "king": "K",
    "ace": "A",
    "آص": "A",
    "آس": "A",
    "أس": "A",
    "اس": "A",
    "أص": "A",
    "اص": "A",
    "إكة": "A",
    "اكة": "A",
    "شايب": "K",
    "بنت": "Q",
    "ولد": "J",
    "عشرة": "T",
    "تسعة": "9",
    "ثمانية": "8",
    "سبعة": "7",
    "ستة": "6",
    "خمسة": "5",
    "أربعة": "4",
    "اربعة": "4",
    "ثلاثة": "3",
    "اثنان": "2",
}
"""Every accepted spelling of a rank, and its letter."""

SEAT_WORDS: dict[str, Seat] = {
    **{seat.name.lower(): seat for seat in Seat},
    **{seat.name[0].lower(): seat for seat in Seat},
    "جنوب": Seat.SOUTH,
    "شرق": Seat.EAST,
    "شمال": Seat.NORTH,
    "غرب": Seat.WEST,
}
"""Every accepted spelling of a seat."""

CALL_WORDS: dict[str, CallKind] = {
    "pass": CallKind.PASS,
    "p": CallKind.PASS,
    "باص": CallKind.PASS,
    "game": CallKind.GAME,
    "بالدق": CallKind.GAME,
    "double": CallKind.DOUBLE,
    "d": CallKind.DOUBLE,
    "دبل": CallKind.DOUBLE,
}
"""Every accepted spelling of a call that is no number."""

CARD_FORMS = "h10, 10h, th, ♥10, as, 9 of hearts"
"""Examples of typed cards, for errors and help."""


class Unreadable(ValueError):
    """What was typed cannot be read; the text says what it was and what is accepted."""


def normalised(text: str) -> str:
    """``text`` in lower case, with every decimal digit as ASCII, without emoji variation selectors,
    and with single spaces between words.
    """
    characters = (
        str(unicodedata.decimal(character)) if character.isdecimal() else character
        for character in text
        if character not in "\ufe0e\ufe0f"
    )
    return " ".join("".join(characters).lower().split())


def echoed(text: str) -> str:
    """``text`` as an error may repeat it: harmless, quoted and not too long."""
    shown = harmless(text)
    if len(shown) > LONGEST_ECHO:
        shown = shown[: LONGEST_ECHO - 1] + "…"
    return f"“{shown}”"


def parse_number(text: str, fault: str) -> int:
    """A whole number of at most nine digits; ``fault`` is the sentence, translated, that says of ``{typed}``
    that it is none.
    """
    digits = normalised(text)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        raise Unreadable(fault.format(typed=echoed(text)))
    return int(digits)


def parse_suit(text: str) -> Suit:
    """A suit by letter, name, symbol or Arabic name."""
    suit = SUIT_WORDS.get(_without_article(normalised(text)))
    if suit is None:
        raise Unreadable(
            _("{typed} is not a suit. Accepted: s, h, d, c, or spades, hearts, diamonds, clubs.").format(
                typed=echoed(text)
            )
        )
    return suit


def is_suit(text: str) -> bool:
    """Whether ``parse_suit`` can read it."""
    return _without_article(normalised(text)) in SUIT_WORDS


def parse_card(text: str) -> Card:
    """A card: suit and rank in either order, letters, symbols or words, with or without spaces."""
    words = [_without_article(word) for word in normalised(text).replace("-", " ").split()]
    if len(words) == 3 and words[1] == "of":
        del words[1]
    joined = "".join(words)
    for suit_word, suit in SUIT_WORDS.items():
        for rank_word in (joined.removeprefix(suit_word), joined.removesuffix(suit_word)):
            rank = RANK_WORDS.get(rank_word)
            if rank is not None and len(rank_word) + len(suit_word) == len(joined):
                return Card(rank + suit.value)
    raise Unreadable(
        _("{typed} is not a card. Accepted are forms such as {forms}.").format(
            typed=echoed(text), forms=CARD_FORMS
        )
    )


def _without_article(word: str) -> str:
    """A word without the Arabic article, as in ``شايب الكبة``."""
    return word.removeprefix("ال")


def is_card(text: str) -> bool:
    """Whether ``parse_card`` can read it."""
    try:
        parse_card(text)
    except Unreadable:
        return False
    return True


def parse_seat(text: str) -> Seat:
    """A seat by its name or first letter."""
    seat = SEAT_WORDS.get(normalised(text))
    if seat is None:
        raise Unreadable(
            _("{typed} is not a seat. Accepted: south, east, north, west.").format(typed=echoed(text))
        )
    return seat


def is_seat(text: str) -> bool:
    """Whether ``parse_seat`` can read it."""
    return normalised(text) in SEAT_WORDS


def parse_remark(text: str) -> Remark:
    """A remark to the partner (rule 13)."""
    word = normalised(text).replace(" ", "_").replace("-", "_")
    try:
        return Remark(word)
    except ValueError:
        accepted = alternatives(remark.value for remark in Remark)
        unknown = _("{typed} is not a remark. Accepted: {accepted}.")
        raise Unreadable(unknown.format(typed=echoed(text), accepted=accepted)) from None


def parse_call(text: str) -> CallAction:
    """A call, perhaps with a remark: ``9``, ``9h``, ``9 hearts``, ``pass``, ``double``, ``9 helpful``.

    Which numbers may be bid now, and whether with a suit, is the server's to say: anything of the form is read.
    """
    first, *rest = normalised(text).split() or [""]
    if not first:
        raise Unreadable(
            _("Say which call: a number of tricks, with a suit where bids name one, pass, double or game.")
        )
    kind = CALL_WORDS.get(first)
    number, suit = first, None
    if kind is None and first.isdigit():
        after = rest[1:] if rest[:1] == ["of"] else rest
        if after and after[0] in SUIT_WORDS:
            suit, rest = SUIT_WORDS[after[0]], after[1:]
    elif kind is None:
        number, suit = _number_and_suit(first)
    remark = parse_remark(" ".join(rest)) if rest else None
    if kind is not None:
        return CallAction(call=kind, remark=remark)
    fault = _("{typed} is not a bid: type a whole number.")
    return CallAction(call=CallKind.BID, tricks=parse_number(number, fault), suit=suit, remark=remark)


def _number_and_suit(word: str) -> tuple[str, Suit]:
    """The parts of ``9h``, ``h9`` or ``♥9``. Raises ``Unreadable``."""
    for suit_word, suit in SUIT_WORDS.items():
        for number in (word.removeprefix(suit_word), word.removesuffix(suit_word)):
            if number.isdigit() and len(number) + len(suit_word) == len(word):
                return number, suit
    unknown = _("{typed} is not a call. Accepted: a number of tricks, as 9 or 9h, pass, double or game.")
    raise Unreadable(unknown.format(typed=echoed(word)))
