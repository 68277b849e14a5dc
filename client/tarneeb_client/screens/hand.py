"""The player's cards as a row to choose from: each with a letter that stays its own for the whole deal."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_client.audit import cards_played
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.rows import Fragment, Row, clickable, fitted
from tarneeb_client.state import TableView
from tarneeb_client.wording.cards import in_hand_order
from tarneeb_engine.cards import Card, Suit
from tarneeb_protocol import messages as m

LETTERS = "abcdefghijklm"
"""One for each of the thirteen cards of a hand."""
WIDE_SLOT = 6
NARROW_SLOT = 4
"""Cells for a card; the narrow one holds the ten and a space."""
SELECTED = "^^^"
"""Under the card that Enter plays."""
PRESELECTED = "..."
"""Under the card that is played when the turn comes."""


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of the hand. ``is_legal`` is whether the prompt offers it, ``None`` when there is no card to play
    now.
    """

    letter: str
    card: Card
    is_legal: bool | None


def held_cards(view: TableView) -> tuple[HeldCard, ...]:
    """The player's cards from the left; none for a spectator.

    The letters are those of the whole hand as it was dealt, so none of them moves when a card is played; trumps
    come first from the moment when the trump is named.
    """
    deal = view.deal
    if view.seat is None or deal is None:
        return ()
    trump = None if deal.contract is None else deal.contract.trump
    dealt = in_hand_order([*view.hand, *cards_played(deal)[view.seat]], trump)
    legal = playable(view)
    is_choosing = bool(legal)
    held = frozenset(view.hand)
    return tuple(
        HeldCard(letter, card, card in legal if is_choosing else None)
        for letter, card in zip(LETTERS, dealt, strict=False)
        if card in held
    )


def playable(view: TableView) -> frozenset[Card]:
    """The cards that the prompt offers."""
    actions = () if view.prompt is None else view.prompt.actions
    return frozenset(action.card for action in actions if isinstance(action, m.PlayAction))


def hand_rows(
    cards: tuple[HeldCard, ...],
    selected: Card | None,
    glyphs: Glyphs,
    cells: int,
    *,
    preselected: Card | None = None,
) -> tuple[Row, Row, Row]:
    """Letters, cards and the mark under the selected one, another under the one chosen beforehand, in slots
    that do not move.

    An illegal card is dim and its letter in brackets.
    """
    slot = WIDE_SLOT if cells >= WIDE_SLOT * len(LETTERS) + 1 else NARROW_SLOT
    by_letter = {held.letter: held for held in cards}
    letters: list[Fragment] = [("", " ")]
    faces: list[Fragment] = [("", " ")]
    marks: list[Fragment] = [("", " ")]
    for letter in LETTERS:
        held = by_letter.get(letter)
        if held is None:
            blank = ("", " " * slot)
            letters.append(blank)
            faces.append(blank)
            marks.append(blank)
            continue
        is_selected = held.card == selected
        is_waiting = held.card == preselected
        sign = f"({letter})" if held.is_legal is False else f" {letter} "
        target = f"pick.{letter}"
        letters += [(clickable(_letter_style(held), target), sign), ("", " " * (slot - 3))]
        faces += _face(held, glyphs, slot, target, is_selected=is_selected, is_waiting=is_waiting)
        mark = SELECTED if is_selected else PRESELECTED if is_waiting else "   "
        marks += [
            ("class:selected.mark" if is_selected else "class:preselected", mark),
            ("", " " * (slot - 3)),
        ]
    return fitted(letters, cells), fitted(faces, cells), fitted(marks, cells)


def _letter_style(held: HeldCard) -> str:
    return "class:illegal" if held.is_legal is False else "class:key" if held.is_legal else "class:quiet"


def _face(
    held: HeldCard, glyphs: Glyphs, slot: int, target: str, *, is_selected: bool, is_waiting: bool
) -> list[Fragment]:
    style = card_style(held.card.suit)
    if held.is_legal is False:
        style = "class:illegal"
    elif held.is_legal:
        style += " class:legal"
    if is_selected:
        style += " class:selected"
    elif is_waiting:
        style += " class:preselected"
    text = glyphs.card(held.card)
    # The space behind a suit's sign is the card's own: some terminals draw a heart a little wider.
    return [(clickable(style, target), text), ("", " " * (slot - len(text)))]


def card_style(suit: Suit) -> str:
    """The style of a suit's cards."""
    return f"class:suit.{suit.value.lower()}"
