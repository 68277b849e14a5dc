"""What the player may choose from at this moment, as the server's prompt spells it out, and what is chosen."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_client.language import _
from tarneeb_client.parse import Unreadable, normalised, parse_call, parse_card, parse_suit
from tarneeb_client.screens.hand import held_cards
from tarneeb_client.screens.keys import as_latin
from tarneeb_client.state import TableView
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Suit
from tarneeb_protocol import messages as m


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action. ``typed`` is what picks it: a letter of the hand, a number, ``p``, a suit's letter."""

    typed: str
    label: str
    action: m.WireAction


def choices(view: TableView | None) -> tuple[Choice, ...]:
    """Every legal action in the order in which the screen shows them; none when it is not this seat's turn.

    Cuts are left out, being so many: see ``cuts``.
    """
    if view is None or view.prompt is None:
        return ()
    actions = view.prompt.actions
    plays = {action.card: action for action in actions if isinstance(action, m.PlayAction)}
    if plays:
        return tuple(
            Choice(held.letter, held.card, plays[held.card]) for held in held_cards(view) if held.card in plays
        )
    found: list[Choice] = []
    for action in actions:
        match action:
            case m.CallAction(call=CallKind.PASS):
                found.append(Choice("p", _("pass"), action))
            case m.CallAction(call=CallKind.BID, tricks=int(tricks), suit=suit):
                typed = str(tricks) if suit is None else f"{tricks}{suit.value.lower()}"
                found.append(Choice(typed, _bid_label(view, tricks, suit), action))
            case m.CallAction(call=CallKind.DOUBLE):
                found.append(Choice("d", _("double"), action))
            case m.CallAction(call=CallKind.GAME):
                found.append(Choice("g", _("game"), action))
            case m.TrumpAction(suit=suit):
                found.append(Choice(suit.value.lower(), suit.value, action))
            case m.ReadyAction():
                found.append(Choice("y", _("ready"), action))
            case _:
                pass
    return tuple(found)


def _bid_label(view: TableView, tricks: int, suit: Suit | None) -> str:
    """The number; a bid that was made already and is legal still is the dealer's match (rule 10)."""
    made = () if view.deal is None else view.deal.calls
    is_match = any((call.tricks, call.suit) == (tricks, suit) for call in made)
    return _("match {bid}").format(bid=tricks) if is_match else str(tricks)


def cuts(view: TableView | None) -> tuple[int, ...]:
    """How many cards may be lifted from the pack, in ascending order; none when there is no cut to make."""
    prompt = None if view is None else view.prompt
    actions = () if prompt is None else prompt.actions
    return tuple(sorted(action.at for action in actions if isinstance(action, m.CutAction)))


def cut_choice(number: int) -> Choice:
    """The choice to lift so many cards."""
    return Choice(str(number), str(number), m.CutAction(at=number))


def pick(view: TableView | None, typed: str) -> Choice | None:
    """The choice that the typed text is, whatever letters and digits it is typed in; ``None`` for none."""
    text = normalised(typed)
    for form in (text, as_latin(text)):
        if (choice := _pick(view, form)) is not None:
            return choice
    return None


def _pick(view: TableView | None, text: str) -> Choice | None:
    if text.isascii() and text.isdigit() and len(text) < 3 and int(text) in cuts(view):
        return cut_choice(int(text))
    offered = choices(view)
    for choice in offered:
        if text == choice.typed:
            return choice
    for choice in offered:
        try:
            if isinstance(choice.action, m.PlayAction) and parse_card(text) == choice.action.card:
                return choice
            if isinstance(choice.action, m.TrumpAction) and parse_suit(text) is choice.action.suit:
                return choice
            if isinstance(choice.action, m.CallAction) and parse_call(text) == choice.action:
                return choice
        except Unreadable:
            return None
    return None


def is_cutting(view: TableView | None) -> bool:
    """Whether this player is to cut the pack."""
    return bool(cuts(view))


def outbid(view: TableView) -> tuple[int, ...]:
    """Bids that were made in this auction and can be made no more, in ascending order; none where bids name
    suits, for then there are too many to show.
    """
    deal = view.deal
    if deal is None or view.prompt is None:
        return ()
    legal = {action.tricks for action in view.prompt.actions if isinstance(action, m.CallAction)}
    if not legal:
        return ()
    made = {call.tricks for call in deal.calls if call.tricks is not None and call.suit is None}
    return tuple(sorted(made - legal))


def suit_of(choice: Choice) -> Suit | None:
    """The suit that the choice names as trump, in a bid or after the auction."""
    return choice.action.suit if isinstance(choice.action, m.TrumpAction | m.CallAction) else None
