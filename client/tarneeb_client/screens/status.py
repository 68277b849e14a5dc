"""The lines around the table: the title above it, and under it what is to be done and what may be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tarneeb_client.language import _, clauses, listed
from tarneeb_client.screens.cells import clip, width
from tarneeb_client.screens.choices import Choice, choices, cuts, outbid, suit_of
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import card_style
from tarneeb_client.screens.rows import Fragment, Row, apart, clickable, fitted, text_row
from tarneeb_client.screens.side import own_side_first, remark_text, side_name
from tarneeb_client.state import TableView
from tarneeb_client.wording.cards import suit_name
from tarneeb_client.wording.connection import duration
from tarneeb_client.wording.people import Viewpoint, called
from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.views import Phase
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

NARROW = 40
"""Cells under which words are saved."""


KEPT = ("f1", "escape", "f10")
"""Keys that a footer has in any case: they lead to all others, back, and out."""


@dataclass(frozen=True, slots=True)
class LinkState:
    """How the link fares. While it is lost: which attempt follows in how many seconds, and for how many more
    the seat is held, where it is known.
    """

    is_lost: bool = False
    attempt: int = 0
    retry_seconds: float = 0.0
    held_seconds: float | None = None
    ping_ms: int | None = None


def title_row(view: TableView, server_name: str, link: LinkState, glyphs: Glyphs, cells: int) -> Row:
    """Where one is, the score, and how the link fares."""
    snapshot = view.snapshot
    first, second = own_side_first(view)
    right: list[Fragment] = []
    if snapshot.public is not None:
        scores = snapshot.public.scores
        right += [
            ("class:own.score", f"{side_name(view, first)} {scores[first]}"),
            ("", f"   {side_name(view, second)} {scores[second]}"),
        ]
    target = _("first to {target}").format(target=snapshot.rules.target)
    right += [("class:quiet", f"   {target}   "), *link_fragments(link, glyphs), ("", " ")]
    deal = "" if view.deal is None else "  " + _("deal {number}").format(number=view.deal.number)
    where = f" {harmless(server_name)}/{snapshot.table} {harmless(snapshot.name)}{deal}"
    return apart([("class:title", where)], right, cells)


def link_fragments(link: LinkState, glyphs: Glyphs) -> list[Fragment]:
    """A mark for the link, and its delay where that was measured."""
    if link.is_lost:
        return [("class:warning", glyphs.offline + _("lost"))]
    ping = "" if link.ping_ms is None else " " + _("{number} ms").format(number=link.ping_ms)
    return [("class:good", glyphs.online), ("", ping)]


def banner(link: LinkState, cells: int) -> Row:
    """In place of the status line while the link is lost."""
    text = " " + _("LINK LOST, try {number} in {seconds} s").format(
        number=link.attempt, seconds=max(0, round(link.retry_seconds))
    )
    if link.held_seconds is not None:
        text = clauses((text, _("seat held {time}").format(time=duration(link.held_seconds))))
    # The key comes first where there is no room for all: it is what one can do.
    hint = _("r retry now")
    whole = f"{text} - {hint}"
    return text_row(whole if width(whole) <= cells else f" {hint}: {text.strip()}", cells, "class:warning")


def status_row(view: TableView, seconds_left: int | None, cells: int, note: str = "") -> Row:
    """Whose turn it is and what is to be done, or the ``note`` if there is one; the time left on the right."""
    is_own = view.prompt is not None
    right: list[Fragment] = []
    if seconds_left is not None:
        time = duration(seconds_left)
        text = _("{time} left").format(time=time) if cells >= NARROW else time
        right = [("class:warning" if is_own and seconds_left <= 10 else "", text + " ")]
    style = "class:status.turn" if is_own else "class:status"
    text = f" {note or task_text(view)}"
    return apart([(style, clip(text, cells))], right, cells)


def task_text(view: TableView) -> str:
    """What the table waits for, in a sentence."""
    deal = view.deal
    snapshot = view.snapshot
    if snapshot.state is m.TableState.WAITING:
        return _("Waiting for players: b adds a bot.") if view.seat is not None else _("Waiting for players.")
    if snapshot.state is m.TableState.SET_OVER:
        return _between_sets(view)
    if view.prompt is not None:
        task = _own_task(view)
        return _("A bot plays for you; a key takes over. {task}").format(task=task) if _is_idle(view) else task
    if _is_idle(view):
        return _("A bot plays for you. Enter: play yourself again.")
    if deal is None or deal.turn is None:
        return _("One moment.")
    who = Viewpoint.of(snapshot)
    told = _("{name} is to act.").format(name=who.occupant(deal.turn))
    return told if view.seat is not None else _("You watch. {told}").format(told=told)


def _is_idle(view: TableView) -> bool:
    """Whether a bot plays for the viewer."""
    own = None if view.seat is None else view.snapshot.seats[view.seat]
    return own is not None and own.has_stand_in


def _between_sets(view: TableView) -> str:
    if view.prompt is not None:
        return _("The set is over. Enter: ready for the next one.")
    seats = view.snapshot.seats
    waiting = [called(who.name) for who in seats if who is not None and not who.ready]
    if not waiting:
        return _("The set is over.")
    return _("The set is over. Waiting for {names}.").format(names=listed(waiting))


def _own_task(view: TableView) -> str:
    offered = choices(view)
    lifts = cuts(view)
    if lifts:
        return _("YOUR TURN: cut the pack: how many cards to lift, {least} to {most}.").format(
            least=lifts[0], most=lifts[-1]
        )
    first = offered[0].action if offered else None
    if isinstance(first, m.CallAction):
        return _("YOUR TURN: bid")
    if isinstance(first, m.TrumpAction):
        return _("YOUR TURN: name the trump")
    deal = view.deal
    if deal is not None and deal.phase is Phase.PLAY and deal.trick is not None and deal.trick.cards:
        led = deal.trick.cards[0].suit
        if all(
            isinstance(choice.action, m.PlayAction) and choice.action.card.suit is led for choice in offered
        ):
            return _("YOUR TURN: {suit} were led, follow").format(suit=suit_name(led))
        return _("YOUR TURN: {suit} were led, you hold none: play any card").format(suit=suit_name(led))
    return _("YOUR TURN: lead a card")


def choice_row(
    view: TableView, selected: Choice | None, glyphs: Glyphs, cells: int, remark: Remark | None = None
) -> Row | None:
    """Calls or suits to choose from, in a row; the selected one in square brackets, bids that are taken already
    in round ones; of bids that name suits those around the selected one; for a cut its number. ``remark`` is
    the one that goes with a call. ``None`` when there is nothing of the kind to choose.
    """
    lifts = cuts(view)
    if lifts:
        number = str(lifts[0]) if selected is None else selected.label
        text = [("", f" {lifts[0]} < "), ("class:selected", f"[{number}]"), ("", f" > {lifts[-1]}")]
        return fitted(text, cells)
    offered = [choice for choice in choices(view) if not isinstance(choice.action, m.PlayAction)]
    if not offered:
        return None
    taken = [("class:illegal", f"({tricks}) ") for tricks in outbid(view)]
    row: list[Fragment] = [("", " ")]
    said: list[Fragment] = []
    if view.prompt is not None and view.prompt.remarks:
        told = _("no remark") if remark is None else remark_text(remark.value)
        said = [(clickable("class:quiet" if remark is None else "class:turn", "key.r"), f" r: {told}")]
    parts = [_choice(choice, glyphs, is_selected=choice == selected) for choice in offered]
    at = offered.index(selected) if selected in offered else 0
    room = cells - 1 - sum(width(text) for _style, text in said)
    first, last = 0, len(parts) - 1
    if any(isinstance(choice.action, m.CallAction) and choice.action.suit is not None for choice in offered):
        first, last = _window([sum(width(text) for _style, text in part) + 1 for part in parts], at, room)
    if first > 0:
        row.append(("class:quiet", "< "))
    for choice, part in list(zip(offered, parts, strict=True))[first : last + 1]:
        is_pass = isinstance(choice.action, m.CallAction) and choice.action.call is CallKind.PASS
        if taken and not is_pass:
            row += taken
            taken = []
        row += [*part, ("", " ")]
    if last < len(parts) - 1:
        row.append(("class:quiet", ">"))
    return fitted([*row, *said], cells)


def _window(widths: Sequence[int], at: int, room: int) -> tuple[int, int]:
    """The first and the last of the parts to show: all where there is room, else those around ``at``."""
    if sum(widths) <= room:
        return 0, len(widths) - 1
    first = last = at
    room -= widths[at] + 4  # signs at both ends that there are more
    while True:
        grown = False
        if first > 0 and widths[first - 1] <= room:
            first, room, grown = first - 1, room - widths[first - 1], True
        if last + 1 < len(widths) and widths[last + 1] <= room:
            last, room, grown = last + 1, room - widths[last + 1], True
        if not grown:
            return first, last


def _choice(choice: Choice, glyphs: Glyphs, *, is_selected: bool) -> list[Fragment]:
    suit = suit_of(choice)
    if suit is None:
        text = choice.label
    elif isinstance(choice.action, m.CallAction):
        text = f"{choice.label}{glyphs.suit(suit)}"
    else:
        text = f"{choice.typed} {glyphs.suit(suit)}"
    style = "class:legal" if suit is None else card_style(suit)
    if is_selected:
        style, text = "class:selected", f"[{text}]"
    else:
        text = f" {text} "
    return [(clickable(style, f"pick.{choice.typed}"), text)]


def footer_row(keys: Sequence[tuple[str, str, str]], cells: int) -> Row:
    """Keys and what they do; those for which there is no room are left out whole, the way to the others and
    the way out last.
    """
    row: list[Fragment] = [("", " ")]
    parts = {name: width(f"{label} {summary}") + 2 for label, summary, name in keys}
    room = cells - 1
    kept = set()
    for name in sorted(parts, key=lambda name: name not in KEPT):
        if parts[name] <= room:
            room -= parts[name]
            kept.add(name)
    for label, summary, name in keys:
        if name not in kept:
            continue
        target = f"key.{name}"
        row += [
            (clickable("class:footer.key", target), label),
            (clickable("class:footer", target), f" {summary}  "),
        ]
    return fitted(row, cells)
