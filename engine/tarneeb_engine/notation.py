"""One line of printable ASCII for a deal: enough to rebuild it, wherever it stands.

The notation is described in ``docs/notation.md``. A line holds every hand, so it is for deals that are over,
for tests, puzzles and reports of faults, and never for anybody who has still to play.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.calls import DOUBLE, GAME, HIGHEST_BID, LOWEST_BID, PASS, Call, CallKind, Remark
from tarneeb_engine.cards import Card, Rank, Suit
from tarneeb_engine.deal import DealState
from tarneeb_engine.hand import Hand
from tarneeb_engine.pack import HAND_SIZE, LARGEST_CUT, PACK_SIZE, SMALLEST_CUT
from tarneeb_engine.refusals import IllegalAction
from tarneeb_engine.ruleset import ENUM_OPTIONS, Dealing, Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.variants import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterator

DEAL_TAG = "deal/1"
"""What a line begins with; the number is the version of the notation."""
LONGEST_LINE = 2000
"""Characters. A whole deal with every option spelt out takes under 500; anything longer is no deal."""
HIGHEST_NUMBER = 999_999
"""The highest number of a deal; far beyond any set."""

SUITS_AS_HELD = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
"""The order of suits within a hand."""
SEAT_LETTERS = {seat: seat.name[0] for seat in Seat}
SEAT_BY_LETTER = {letter: seat for seat, letter in SEAT_LETTERS.items()}
_REMARK_SIGNS = {Remark.HELPFUL: "+", Remark.NOT_HELPFUL: "-"}
_CALL_WORDS = {"p": PASS, "d": DOUBLE, "g": GAME} | {
    f"{tricks}{'' if suit is None else suit.value}": Call.bid(tricks, suit)
    for tricks in range(LOWEST_BID, HIGHEST_BID + 1)
    for suit in (None, *Suit)
}
_YES_NO = {"yes": True, "no": False}
_FIELDS = ("number", "dealer", "rules", "pack", "hands", "cut", "calls", "trump", "plays")


class NotationError(ValueError):
    """A text is not in the notation, or says what the rules do not allow.

    ``column`` counts characters of the line from 1; ``line`` counts lines of a transcript from 1 and is
    ``None`` for a single deal. The message holds both, what was found there, and what is accepted.
    """

    def __init__(self, reason: str, *, column: int, line: int | None = None) -> None:
        where = f"column {column}" if line is None else f"line {line}, column {column}"
        super().__init__(f"{where}: {reason}")
        self.reason = reason
        self.column = column
        self.line = line


@dataclass(frozen=True, slots=True)
class _Text:
    """A piece of the line and the column at which it begins."""

    text: str
    column: int

    def __str__(self) -> str:
        return repr(self.text if len(self.text) <= 24 else self.text[:21] + "...")

    def split(self, separator: str) -> list[_Text]:
        pieces, column = [], self.column
        for piece in self.text.split(separator):
            pieces.append(_Text(piece, column))
            column += len(piece) + len(separator)
        return pieces

    def pairs(self) -> list[_Text]:
        """Two characters each; the last may be short."""
        return [_Text(self.text[i : i + 2], self.column + i) for i in range(0, len(self.text), 2)]

    def wrong(self, what: str, accepted: str) -> NotationError:
        return NotationError(f"{self} is not {what}; accepted: {accepted}", column=self.column)


def format_deal(deal: DealState) -> str:
    """The line for ``deal`` as far as it has come. ``parse_deal`` gives back an equal state."""
    line = [
        DEAL_TAG,
        f"number={deal.number}",
        f"dealer={SEAT_LETTERS[deal.dealer]}",
        f"rules={format_rules(deal.rules)}",
        f"pack={''.join(deal.pack)}",
    ]
    if deal.cut is not None:
        line.append(f"cut={deal.cut}")
    calls = [action for _, action in actions_of(deal) if isinstance(action, MakeCall)]
    if calls:
        line.append(f"calls={','.join(map(_format_call, calls))}")
    if (named := _named_trump(deal)) is not None:
        line.append(f"trump={named[1].suit.value}")
    tricks = [trick.cards for trick in deal.tricks]
    if deal.trick is not None and deal.trick.cards:
        tricks.append(deal.trick.cards)
    if tricks:
        line.append(f"plays={','.join(''.join(cards) for cards in tricks)}")
    return " ".join(line)


def parse_deal(line: str) -> DealState:
    """The deal that ``line`` describes, every call and card of it checked by the rules.

    Raises ``NotationError`` when the line is not in the notation or breaks a rule.
    """
    if len(line) > LONGEST_LINE:
        raise NotationError(f"a deal takes at most {LONGEST_LINE} characters, not {len(line)}", column=1)
    for column, character in enumerate(line, 1):
        if not " " <= character <= "~":
            raise NotationError(f"{character!a} is not printable ASCII", column=column)
    tag, *rest = _Text(line, 1).split(" ")
    if tag.text != DEAL_TAG:
        raise tag.wrong("a deal in a known version of the notation", DEAL_TAG)
    found = _split_fields(rest)
    end = len(line) + 1
    number = _whole_number(_required(found, "number", end), "number of a deal", 1, HIGHEST_NUMBER)
    dealer = parse_seat(*_pair(_required(found, "dealer", end)))
    rules = _parse_rules(_required(found, "rules", end))
    if ("pack" in found) == ("hands" in found):
        column = found["hands"].column if "hands" in found else end
        raise NotationError("a deal has either pack= or hands=, and just one of them", column=column)
    cut = _whole_number(found["cut"], "cut", SMALLEST_CUT, LARGEST_CUT) if "cut" in found else None
    if "pack" in found:
        pack = _parse_pack(found["pack"])
    else:
        if cut is None:
            raise NotationError("hands= needs the cut that came before it: cut=1 to cut=51", column=end)
        pack = _pack_for(_parse_hands(found["hands"]), dealer, rules.dealing, cut)
    deal = DealState.begin(rules, number, dealer, pack)
    for text, action in _actions(found):
        if deal.turn is None:
            raise NotationError(f"{text} comes after the end of the deal", column=text.column)
        try:
            deal, _ = deal.apply(deal.turn, action)
        except IllegalAction as refused:
            raise NotationError(f"{text}: {refused}", column=text.column) from refused
    return deal


def actions_of(deal: DealState) -> Iterator[tuple[Seat, Action]]:
    """All that was done in ``deal`` so far: done again from the same pack, it leads to the same state."""
    if deal.cut is None:
        return
    yield deal.dealer.left(), Cut(deal.cut)
    for made in deal.auction.calls if deal.auction is not None else ():
        yield made.seat, MakeCall(Call(made.call, made.tricks, made.suit), made.remark)
    if (named := _named_trump(deal)) is not None:
        yield named
    for trick in (*deal.tricks, deal.trick) if deal.trick is not None else deal.tricks:
        seat = trick.leader
        for card in trick.cards:
            yield seat, PlayCard(card)
            seat = seat.next()


def _named_trump(deal: DealState) -> tuple[Seat, NameTrump] | None:
    """The naming of the tarneeb, where it was an action of its own and not part of the bid (rules 14, 24)."""
    contract, auction = deal.contract, deal.auction
    if contract is None or contract.trump is None or auction is None or auction.highest is None:
        return None
    return (contract.declarer, NameTrump(contract.trump)) if auction.highest.suit is None else None


def format_rules(rules: Ruleset) -> str:
    """The nearest preset, then each option that differs from it: ``tarneeb,target=41``."""
    best = min(PRESETS, key=lambda name: len(_differences(rules, PRESETS[name])))
    return ",".join([best, *_differences(rules, PRESETS[best])])


def parse_rules(text: str, column: int = 1) -> Ruleset:
    """The ruleset that ``format_rules`` wrote, or that lists any options after a preset.

    Raises ``NotationError``; ``column`` is where ``text`` begins in its line.
    """
    return _parse_rules(_Text(text, column))


def parse_seat(text: str, column: int = 1) -> Seat:
    """The seat of a letter, S, E, N or W. Raises ``NotationError``; ``column`` is where ``text`` begins."""
    seat = SEAT_BY_LETTER.get(text)
    if seat is None:
        raise _Text(text, column).wrong("a seat", ", ".join(SEAT_BY_LETTER))
    return seat


def format_hand(hand: Hand) -> str:
    """Ranks, high to low, of spades, hearts, diamonds and clubs: ``AK2.QJ4..9876532``."""
    return ".".join(
        "".join(card.rank.letter for card in reversed(tuple(hand.in_suit(suit)))) for suit in SUITS_AS_HELD
    )


def parse_hand(text: str, column: int = 1) -> Hand:
    """The hand that ``format_hand`` wrote, of any size. The ranks of a suit may come in any order.

    Raises ``NotationError``; ``column`` is where ``text`` begins in its line.
    """
    return _parse_hand(_Text(text, column))


def _split_fields(pieces: list[_Text]) -> dict[str, _Text]:
    found: dict[str, _Text] = {}
    reached = -1
    for piece in pieces:
        name, separator, value = piece.text.partition("=")
        if name not in _FIELDS or not separator:
            raise piece.wrong("a field", ", ".join(f"{field}=" for field in _FIELDS))
        place = _FIELDS.index(name)
        if place <= reached:
            raise NotationError(
                f"{name}= comes twice or too late; the order is {', '.join(_FIELDS)}", column=piece.column
            )
        reached = place
        found[name] = _Text(value, piece.column + len(name) + 1)
    return found


def _required(found: dict[str, _Text], name: str, end: int) -> _Text:
    if name not in found:
        raise NotationError(f"{name}= is missing", column=end)
    return found[name]


def _pair(text: _Text) -> tuple[str, int]:
    return text.text, text.column


def _whole_number(text: _Text, what: str, lowest: int, highest: int) -> int:
    digits = text.text
    # No leading zero, so that every number has one spelling; no more digits than the highest has.
    if digits.isascii() and digits.isdigit() and digits[0] != "0" and len(digits) <= len(str(highest)):
        number = int(digits)
        if lowest <= number <= highest:
            return number
    raise text.wrong(f"a {what}", f"{lowest} to {highest}")


def _option_word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _differences(rules: Ruleset, preset: Ruleset) -> list[str]:
    return [
        f"{field.name}={_option_word(getattr(rules, field.name))}"
        for field in fields(Ruleset)
        if getattr(rules, field.name) != getattr(preset, field.name)
    ]


def _parse_rules(text: _Text) -> Ruleset:
    name, *options = text.split(",")
    if name.text not in PRESETS:
        raise name.wrong("a preset", ", ".join(PRESETS))
    values = {field.name: getattr(PRESETS[name.text], field.name) for field in fields(Ruleset)}
    seen: set[str] = set()
    for option in options:
        key, _, word = option.text.partition("=")
        if key not in values:
            raise option.wrong("an option", ", ".join(f"{known}=" for known in values))
        if key in seen:
            raise NotationError(f"the option {key}= comes twice", column=option.column)
        seen.add(key)
        values[key] = _option_value(key, _Text(word, option.column + len(key) + 1))
    try:
        return Ruleset(**values)
    except ValueError as refused:
        raise NotationError(str(refused), column=text.column) from refused


def _option_value(key: str, word: _Text) -> object:
    if key == "target":
        return _whole_number(word, "target", 1, 999)
    if key in ENUM_OPTIONS:
        kinds = {member.value: member for member in ENUM_OPTIONS[key]}
        if word.text not in kinds:
            raise word.wrong(f"a value of {key}", ", ".join(kinds))
        return kinds[word.text]
    if word.text not in _YES_NO:
        raise word.wrong(f"a value of {key}", ", ".join(_YES_NO))
    return _YES_NO[word.text]


def _parse_card(text: _Text) -> Card:
    try:
        return Card(text.text)
    except ValueError:
        raise text.wrong("a card", "a rank of 23456789TJQKA, then a suit of CDHS") from None


def _parse_pack(text: _Text) -> tuple[Card, ...]:
    pack: list[Card] = []
    seen: set[Card] = set()
    for pair in text.pairs():
        card = _parse_card(pair)
        if card in seen:
            raise NotationError(f"{card.value} comes twice in the pack", column=pair.column)
        seen.add(card)
        pack.append(card)
    if len(pack) != PACK_SIZE:
        raise NotationError(f"a pack has {PACK_SIZE} cards, not {len(pack)}", column=text.column)
    return tuple(pack)


def _parse_hand(text: _Text) -> Hand:
    suits = text.split(".")
    if len(suits) != len(SUITS_AS_HELD):
        raise text.wrong("a hand", "four suits with dots between: spades.hearts.diamonds.clubs")
    letters = {rank.letter: rank for rank in Rank}
    mask = 0
    for suit, held in zip(SUITS_AS_HELD, suits, strict=True):
        for place, letter in enumerate(held.text):
            if letter not in letters:
                raise _Text(letter, held.column + place).wrong("a rank", "".join(letters))
            card = Card(letter + suit.value)
            if mask & card.bit:
                raise NotationError(f"{card.value} comes twice", column=held.column + place)
            mask |= card.bit
    return Hand(mask)


def _parse_hands(text: _Text) -> list[Hand]:
    pieces = text.split("/")
    if len(pieces) != len(Seat):
        raise text.wrong("four hands", "the hands of S, E, N and W with / between")
    hands: list[Hand] = []
    seen = 0
    for piece in pieces:
        hand = _parse_hand(piece)
        if len(hand) != HAND_SIZE:
            raise NotationError(f"{piece} has {len(hand)} cards; a hand has {HAND_SIZE}", column=piece.column)
        for card in Hand(hand.mask & seen):
            raise NotationError(f"{card.value} is in two hands", column=piece.column)
        seen |= hand.mask
        hands.append(hand)
    return hands


def _pack_for(hands: list[Hand], dealer: Seat, dealing: Dealing, cut: int) -> tuple[Card, ...]:
    """A pack that gives these hands when it is cut and dealt like this (rules 6, 7)."""
    first = dealer.next()
    in_turn = [tuple(hands[(first + turn) % 4]) for turn in range(4)]
    if dealing is Dealing.ONE_BY_ONE:
        dealt = [cards[place] for place in range(HAND_SIZE) for cards in in_turn]
    else:
        dealt = [card for cards in in_turn for card in cards]
    return (*dealt[PACK_SIZE - cut :], *dealt[: PACK_SIZE - cut])


def _actions(found: dict[str, _Text]) -> Iterator[tuple[_Text, Action]]:
    if "cut" in found:
        yield found["cut"], Cut(int(found["cut"].text))
    if "calls" in found:
        for text in found["calls"].split(","):
            yield text, _parse_call(text)
    if "trump" in found:
        text = found["trump"]
        suits = {suit.value: suit for suit in Suit}
        if text.text not in suits:
            raise text.wrong("a suit", ", ".join(suits))
        yield text, NameTrump(suits[text.text])
    if "plays" in found:
        tricks = found["plays"].split(",")
        for trick in tricks:
            cards = trick.pairs()
            if not 1 <= len(cards) <= 4 or (len(cards) < 4 and trick is not tricks[-1]):
                raise trick.wrong("a trick", "four cards, the last trick perhaps fewer")
            for text in cards:
                yield text, PlayCard(_parse_card(text))


def _format_call(action: MakeCall) -> str:
    call = action.call
    word = str(call.tricks) if call.kind is CallKind.BID else call.kind.value[0]
    if call.suit is not None:
        word += call.suit.value
    return word + (_REMARK_SIGNS[action.remark] if action.remark is not None else "")


def _parse_call(text: _Text) -> MakeCall:
    word, remark = text.text, None
    for kind, sign in _REMARK_SIGNS.items():
        if word.endswith(sign):
            word, remark = word[:-1], kind
            break
    if word not in _CALL_WORDS:
        raise text.wrong(
            "a call", "p, d, 7 to 13, 7C to 13S, g, each perhaps with + (helpful) or - (not helpful) after it"
        )
    return MakeCall(_CALL_WORDS[word], remark)
