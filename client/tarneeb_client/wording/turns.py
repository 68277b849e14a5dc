"""What the player may do now, from the actions that a prompt spells out."""

from __future__ import annotations

from collections.abc import Iterable

from tarneeb_client.language import _, alternatives, clauses, listed, plural
from tarneeb_client.wording.cards import in_hand_order, numbered, suit_name
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_protocol import messages as m


def turn_line(prompt: m.Prompt, trump: Suit | None) -> str:
    """The line that says it is the player's turn and what is legal."""
    legal = _("Legal: {actions}.").format(actions=legal_text(prompt, trump))
    return " ".join(part for part in (_turn(prompt.seconds), _task(prompt), legal) if part)


def _turn(seconds: int | None) -> str:
    if seconds is None:
        return _("Your turn.")
    sentence = plural("Your turn, {number} second.", "Your turn, {number} seconds.", seconds)
    return sentence.format(number=seconds)


def _task(prompt: m.Prompt) -> str:
    first = prompt.actions[0] if prompt.actions else None
    match first:
        case m.CutAction():
            return _("Cut the pack.")
        case m.CallAction():
            return _("Your bid.")
        case m.TrumpAction():
            return _("Name the trump.")
    return ""


def legal_text(prompt: m.Prompt, trump: Suit | None) -> str:
    """Every legal action of the prompt, in a few words."""
    parts = []
    cuts = [action.at for action in prompt.actions if isinstance(action, m.CutAction)]
    if cuts:
        parts.append(_("cut {numbers}").format(numbers=ranges(cuts)))
    calls = [action for action in prompt.actions if isinstance(action, m.CallAction)]
    if calls:
        parts.append(_calls(calls))
    suits = [suit_name(action.suit) for action in prompt.actions if isinstance(action, m.TrumpAction)]
    if suits:
        parts.append(_("trump {suits}").format(suits=listed(suits)))
    cards = legal_cards(prompt, trump)
    if cards:
        parts.append(numbered(cards))
    if any(isinstance(action, m.ReadyAction) for action in prompt.actions):
        parts.append(_("ready"))
    if prompt.remarks:
        remarks = alternatives(remark.value for remark in prompt.remarks)
        parts.append(_("with a bid or pass also {remarks}").format(remarks=remarks))
    return clauses(parts) or _("nothing")


def legal_cards(prompt: m.Prompt, trump: Suit | None) -> tuple[Card, ...]:
    """The cards that may be played, as the hand shows them: a card's number is its place here, from 1."""
    return in_hand_order((action.card for action in prompt.actions if isinstance(action, m.PlayAction)), trump)


def _calls(calls: Iterable[m.CallAction]) -> str:
    calls = tuple(calls)
    kinds = {call.call for call in calls}
    parts = [_("pass")] if CallKind.PASS in kinds else []
    if CallKind.DOUBLE in kinds:
        parts.append(_("double"))
    bids = [call.tricks for call in calls if call.tricks is not None and call.suit is None]
    if bids:
        parts.append(ranges(bids))
    parts += _suit_bids(calls)
    if CallKind.GAME in kinds:
        parts.append(_("game"))
    return listed(parts)


def _suit_bids(calls: Iterable[m.CallAction]) -> list[str]:
    """Bids that name a suit: one by one where some suits are too low, then the numbers that go with any."""
    suits: dict[int, list[Suit]] = {}
    for call in calls:
        if call.tricks is not None and call.suit is not None:
            suits.setdefault(call.tricks, []).append(call.suit)
    parts = [
        call_text(CallKind.BID, tricks, suit)
        for tricks, named in suits.items()
        if len(named) < len(Suit)
        for suit in named
    ]
    if whole := [tricks for tricks, named in suits.items() if len(named) == len(Suit)]:
        parts.append(_("{numbers} in any suit").format(numbers=ranges(whole)))
    return parts


def call_text(kind: CallKind, tricks: int | None, suit: Suit | None = None) -> str:
    """A call in a word or two: ``9``, ``9 hearts``, ``pass``, ``game``, ``double``."""
    if kind is CallKind.BID and suit is not None:
        return _("{tricks} {suit}").format(tricks=tricks, suit=suit_name(suit))
    said = {CallKind.PASS: _("pass"), CallKind.GAME: _("game"), CallKind.DOUBLE: _("double")}
    return said.get(kind, str(tricks))


def ranges(numbers: Iterable[int]) -> str:
    """Whole numbers as runs: ``7, 9 to 13``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return listed(
        str(run[0]) if len(run) == 1 else _("{first} to {last}").format(first=run[0], last=run[-1])
        for run in runs
    )
