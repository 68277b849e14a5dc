"""The server's messages in words, for the line mode: one event, one line."""

from __future__ import annotations

from tarneeb_client import marks
from tarneeb_client.language import _
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkLost
from tarneeb_client.state import TableView
from tarneeb_client.verbosity import Verbosity, is_told, lines_after, lines_before_turn
from tarneeb_client.wording import connection as wording
from tarneeb_client.wording.events import tell
from tarneeb_client.wording.people import Viewpoint, capitalised, chat_line
from tarneeb_client.wording.refusals import refusal_text
from tarneeb_client.wording.turns import legal_text, turn_line
from tarneeb_engine.cards import Suit
from tarneeb_protocol import messages as m
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.text import harmless


def narrate(
    message: m.Message,
    before: TableView | None,
    after: TableView | None,
    verbosity: Verbosity = Verbosity.NORMAL,
) -> list[str]:
    """The lines for a message that led from one view to the next; none for what was seen already."""
    match message:
        case m.TableEvent():
            return _narrate_event(message, before, after, verbosity)
        case m.Prompt() if after is not None and after.prompt is message:
            return [*lines_before_turn(after, verbosity), turn_line(message, trump_of(after))]
        case m.LobbySaid():
            return [chat_line(message.name, message.text, place=" " + _("(lobby)"))]
        case m.Notice():
            said = _("The server says: {text}").format(text=harmless(message.text))
            return [f"{marks.NOTICE} {said}"]
    return []


def _narrate_event(
    event: m.TableEvent, before: TableView | None, after: TableView | None, verbosity: Verbosity
) -> list[str]:
    if before is None or event.table != before.table or event.seq <= before.seq:
        return []
    if after is not None and after.seq != event.seq:
        return []  # something was missed; the answer to the sync tells it
    if after is None:
        line = tell(event, before.snapshot, before.snapshot, None)
    else:
        line = tell(event, before.snapshot, after.snapshot, after.check)
    lines = [] if line is None or not is_told(event, line, before.seat, verbosity) else [line]
    return lines + lines_after(event, after, verbosity)


def trump_of(view: TableView) -> Suit | None:
    """The trump of the deal in progress, once it is named."""
    deal = view.deal
    return None if deal is None or deal.contract is None else deal.contract.trump


def other_to_act(view: TableView | None) -> str | None:
    """The name of the other player whom the table waits for, for a player; ``None`` when there is none."""
    if view is None or view.seat is None or view.deal is None or view.deal.turn in {None, view.seat}:
        return None
    return Viewpoint.of(view.snapshot).occupant(view.deal.turn)


def error_line(error: m.Error, view: TableView | None) -> str:
    """A request was not granted: why, and where a ``view`` has this player's turn, what is legal."""
    text = capitalised(refusal_text(error.code, error.message))
    legal = ""
    if view is not None and view.prompt is not None:
        text = text.partition(", accepted: ")[0]  # said once, as the player types it
        legal = " " + _("Legal: {actions}.").format(actions=legal_text(view.prompt, trump_of(view)))
    elif error.code == ErrorCode.NOT_YOUR_TURN and (other := other_to_act(view)):
        text = _("It is not your turn: {name} is to act").format(name=other)
    return f"! {text} ({harmless(error.code)}).{legal}"


def link_line(item: LinkLost | LinkBack | LinkEnded, view: TableView | None, *, is_first: bool = True) -> str:
    """How the connection fares. ``view`` is the table as it was when the link was lost, ``is_first`` whether
    this is the first word of that.
    """
    has_seat = view is not None and view.seat is not None
    match item:
        case LinkLost():
            return wording.lost_link(item, has_seat=has_seat, is_first=is_first)
        case LinkBack() if not item.resumed:
            if view is None:
                return (
                    _("! Connected again, but to another server than before, or one that lost its data.")
                    if item.is_other_server
                    else _("! Connected again, but the old session is over.")
                )
            at = view.snapshot
            if item.is_other_server:
                other = wording.other_server(at.table, at.name, has_seat=has_seat)
                return _("! Connected again, but {trouble}. You are in the lobby.").format(trouble=other)
            gone = wording.seat_given_up(at.table, at.name, has_seat=has_seat, grace_seconds=at.grace_seconds)
            return _("! Connected again, but {trouble}. You are in the lobby.").format(trouble=gone)
        case LinkBack():
            return _("Connected again.")
        case LinkEnded():
            return _("! The link has ended: {reason}.").format(reason=item.message)
