"""What the player may do now, from the actions that a prompt spells out."""

from __future__ import annotations

from collections.abc import Iterable

from tarneeb_client.wording.cards import SUIT_NAMES, in_hand_order, numbered
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_protocol import messages as m


def turn_line(prompt: m.Prompt, trump: Suit | None) -> str:
    """The line that says it is the player's turn and what is legal."""
    seconds = "" if prompt.seconds is None else f", {prompt.seconds} second{'' if prompt.seconds == 1 else 's'}"
    return f"Your turn{seconds}. {_task(prompt)}Legal: {legal_text(prompt, trump)}."


def _task(prompt: m.Prompt) -> str:
    first = prompt.actions[0] if prompt.actions else None
    match first:
        case m.CutAction():
            return "Cut the pack. "
        case m.CallAction():
            return "Your bid. "
        case m.TrumpAction():
            return "Name the trump. "
    return ""


def legal_text(prompt: m.Prompt, trump: Suit | None) -> str:
    """Every legal action of the prompt, in a few words."""
    parts = []
    cuts = [action.at for action in prompt.actions if isinstance(action, m.CutAction)]
    if cuts:
        parts.append(f"cut {ranges(cuts)}")
    calls = [action for action in prompt.actions if isinstance(action, m.CallAction)]
    if calls:
        parts.append(_calls(calls))
    suits = [SUIT_NAMES[action.suit] for action in prompt.actions if isinstance(action, m.TrumpAction)]
    if suits:
        parts.append("trump " + ", ".join(suits))
    cards = legal_cards(prompt, trump)
    if cards:
        parts.append(numbered(cards))
    if any(isinstance(action, m.ReadyAction) for action in prompt.actions):
        parts.append("ready")
    if prompt.remarks:
        parts.append("with a bid or pass also " + " or ".join(remark.value for remark in prompt.remarks))
    return "; ".join(parts) or "nothing"


def legal_cards(prompt: m.Prompt, trump: Suit | None) -> tuple[Card, ...]:
    """The cards that may be played, as the hand shows them: a card's number is its place here, from 1."""
    return in_hand_order((action.card for action in prompt.actions if isinstance(action, m.PlayAction)), trump)


def _calls(calls: Iterable[m.CallAction]) -> str:
    kinds = {call.call for call in calls}
    bids = [call.tricks for call in calls if call.tricks is not None]
    parts = ["pass"] if CallKind.PASS in kinds else []
    if bids:
        parts.append(ranges(bids))
    if CallKind.GAME in kinds:
        parts.append("game")
    return ", ".join(parts)


def ranges(numbers: Iterable[int]) -> str:
    """Whole numbers as runs: ``7, 9 to 13``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
