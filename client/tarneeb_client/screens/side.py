"""The pane beside the table: contract, tricks, the last trick or all of them, and what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tarneeb_client import marks
from tarneeb_client.language import _, in_context, listed, plural
from tarneeb_client.screens.cells import wrap
from tarneeb_client.screens.cross import Around
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import card_style
from tarneeb_client.screens.rows import Fragment, Row, filled, fitted, row_width, text_row
from tarneeb_client.state import TableView
from tarneeb_client.wording.people import Viewpoint, called
from tarneeb_client.wording.turns import call_text
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import ContractView, DealView, TrickView


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of what happened; ``is_chat`` when somebody said it, ``is_warning`` when it needs attention."""

    text: str
    is_chat: bool = False
    is_warning: bool = False


def side_pane(
    view: TableView, log: Sequence[LogLine], glyphs: Glyphs, cells: int, height: int, *, below: int = 0
) -> list[Row]:
    """``height`` rows of ``cells``. The last ``below`` lines of the log are out of sight."""
    rows = [*contract_rows(view, glyphs, cells)]
    rule = text_row(glyphs.across * cells, cells, "class:rule")
    deal = view.deal
    if deal is not None and (deal.tricks or deal.trick is not None):
        rows.append(rule)
        is_tall = cells >= 30 and height >= 15
        rows += trick_rows(view, deal, glyphs, cells) if is_tall else last_trick_rows(view, deal, glyphs, cells)
    elif deal is not None and deal.calls:
        rows.append(rule)
        rows += call_rows(view, deal, cells)
    rows += spectator_rows(view, cells)
    rows.append(rule)
    room = height - len(rows)
    return filled([*rows, *log_rows(log, cells, max(0, room), below=below)], height, cells)


def contract_rows(view: TableView, glyphs: Glyphs, cells: int) -> list[Row]:
    """Trump, contract, tricks of both sides, and what each still needs."""
    deal = view.deal
    if deal is None or deal.contract is None:
        return [text_row(" " + _("No contract yet"), cells, "class:quiet")]
    contract = deal.contract
    who = Viewpoint.of(view.snapshot)
    trump: list[Fragment] = [("", " ")]
    if contract.trump is None:
        trump.append(("class:quiet", _("Trump not named")))
    else:
        trump += [("", _("Trump") + " "), (card_style(contract.trump), glyphs.suit(contract.trump))]
    bid = bid_mark(contract.call, contract.tricks, doubled=contract.doubled)
    is_own = who.is_own(contract.declarer)
    by_whom = _("bid {bid} by you") if is_own else _("bid {bid} by {name}")
    promise: Fragment = ("", " " + by_whom.format(bid=bid, name=who.occupant(contract.declarer)))
    # Bots' names begin alike, so that a clipped one would not tell who promised.
    fits = row_width((*trump, promise)) <= cells
    rows = [fitted((*trump, promise), cells)] if fits else [fitted(trump, cells), fitted((promise,), cells)]
    first, second = own_side_first(view)
    taken = "  ".join(f"{side_name(view, team)} {deal.taken[team]}" for team in (first, second))
    rows.append(text_row(" " + taken, cells))
    rows += [
        text_row(" " + line, cells, "class:quiet") for line in wrap(need_text(view, deal, contract), cells - 1)
    ]
    return rows


def bid_mark(call: CallKind, tricks: int, *, doubled: bool) -> str:
    """What was promised, in a few cells: ``9``, ``game``, ``9 x2`` where the deal counts double."""
    bid = _("game") if call is CallKind.GAME else str(tricks)
    return f"{bid} x2" if doubled else bid


def own_side_first(view: TableView) -> tuple[Team, Team]:
    """Both teams, the viewer's own first."""
    own = Team.SOUTH_NORTH if view.seat is None else view.seat.team()
    return own, own.opponents


def side_name(view: TableView, team: Team) -> str:
    """A team in a word or two: ``Us``, ``Them``, or its seats for a spectator."""
    if view.seat is None:
        return _("S-N") if team is Team.SOUTH_NORTH else _("E-W")
    return _("Us") if view.seat.team() is team else _("Them")


def side_as_subject(view: TableView, team: Team) -> str:
    """A team that does something: ``We``, ``They``, or its seats for a spectator."""
    if view.seat is None:
        return side_name(view, team)
    return _("We") if view.seat.team() is team else _("They")


def need_text(view: TableView, deal: DealView, contract: ContractView) -> str:
    """What each side still needs: the declarer's to make the contract, the others to defeat it."""
    declaring = contract.declarer.team()
    missing = max(0, contract.tricks - deal.taken[declaring])
    to_defeat = max(0, 14 - contract.tricks - deal.taken[declaring.opponents])
    if missing == 0:
        return _("Contract made")
    if to_defeat == 0:
        return _("Contract defeated")
    first, second = own_side_first(view)
    left = {declaring: missing, declaring.opponents: to_defeat}
    return _("To go: {first} {number}, {second} {other}").format(
        first=side_name(view, first), number=left[first], second=side_name(view, second), other=left[second]
    )


def last_trick_rows(view: TableView, deal: DealView, glyphs: Glyphs, cells: int) -> list[Row]:
    """Who won the last trick, and its cards."""
    if not deal.tricks:
        return [text_row(" " + _("No trick yet"), cells, "class:quiet")]
    trick = deal.tricks[-1]
    who = Viewpoint.of(view.snapshot)
    winner = trick.winner if trick.winner is not None else trick.leader
    title = " " + _("Last trick: {name}").format(name=who.name(winner))
    return [text_row(title, cells), fitted((("", " "), *trick_cards(trick, glyphs)), cells)]


def trick_cards(trick: TrickView, glyphs: Glyphs) -> list[Fragment]:
    """The cards of a trick in the order of play, the winning one marked."""
    row: list[Fragment] = []
    seat = trick.leader
    for card in trick.cards:
        mark = "*" if trick.winner is seat else ""
        row += [(card_style(card.suit), glyphs.card(card)), ("class:winning", mark), ("", " ")]
        seat = seat.next()
    return row


def trick_rows(view: TableView, deal: DealView, glyphs: Glyphs, cells: int) -> list[Row]:
    """Every trick of the deal as a table, seat by seat, the latest at the bottom; the oldest give way."""
    around = Around.of(view.seat)
    columns = (around.left, around.top, around.right, around.bottom)
    head = " " + _("Tricks").ljust(7) + "".join(seat_tag(seat).ljust(5) for seat in columns)
    rows = [text_row(head, cells, "class:quiet")]
    tricks = [*deal.tricks, *([deal.trick] if deal.trick is not None and deal.trick.cards else [])]
    for number, trick in list(enumerate(tricks, start=1))[-6:]:
        row: list[Fragment] = [("class:quiet", f" {number:>3}    ")]
        for seat in columns:
            place = (seat - trick.leader) % 4
            if place >= len(trick.cards):
                row.append(("class:quiet", "..   "))
                continue
            card = trick.cards[place]
            text = glyphs.card(card)
            mark = "*" if trick.winner is seat else " "
            row += [(card_style(card.suit), text), ("class:winning", mark), ("", " " * (4 - len(text)))]
        rows.append(fitted(row, cells))
    return rows


def seat_tag(seat: Seat) -> str:
    """A seat in a letter or two."""
    return {
        Seat.SOUTH: in_context("seat", "S"),
        Seat.EAST: in_context("seat", "E"),
        Seat.NORTH: in_context("seat", "N"),
        Seat.WEST: in_context("seat", "W"),
    }[seat]


def call_rows(view: TableView, deal: DealView, cells: int) -> list[Row]:
    """The auction so far, one call a line."""
    who = Viewpoint.of(view.snapshot)
    rows = [
        text_row(
            " " + plural("{number} call", "{number} calls", len(deal.calls)).format(number=len(deal.calls)),
            cells,
            "class:quiet",
        )
    ]
    for place, call in list(enumerate(deal.calls))[-6:]:
        said = call_text(call.call, call.tricks, call.suit)
        bid = (call.tricks, call.suit)
        if call.tricks is not None and any((made.tricks, made.suit) == bid for made in deal.calls[:place]):
            said = _("match {bid}").format(bid=said)
        remark = "" if call.remark is None else f" ({remark_text(call.remark.value)})"
        rows.append(text_row(f" {who.name(call.seat)}: {said}{remark}", cells))
    return rows


def remark_text(remark: str) -> str:
    """A remark to the partner in words."""
    return _("helpful") if remark == "helpful" else _("not helpful")


def spectator_rows(view: TableView, cells: int) -> list[Row]:
    """Who watches, in a line; nothing when nobody does."""
    names = [called(name) for name in view.snapshot.spectators]
    return [text_row(" " + _("Watching: {names}").format(names=listed(names)), cells, "class:quiet")] * bool(
        names
    )


def log_rows(log: Sequence[LogLine], cells: int, height: int, *, below: int = 0) -> list[Row]:
    """The end of the log, wrapped. The last ``below`` lines are out of sight; a row in their place says how
    many they are, and whether somebody said something.
    """
    if height <= 0:
        return []
    shown = log[: len(log) - below] if below else log
    rows: list[Row] = []
    for line in reversed(shown):
        style = "class:warning" if line.is_warning else "class:log.chat" if line.is_chat else ""
        wrapped = wrap(line.text, max(4, cells - 1), indent=marks.CHAT_GOES_ON if line.is_chat else "  ")
        rows[:0] = [text_row(" " + part, cells, style) for part in wrapped]
        if len(rows) >= height:
            break
    if below:
        more = plural("{number} newer line: PgDn", "{number} newer lines: PgDn", below).format(number=below)
        if any(line.is_chat for line in log[len(log) - below :]):
            more = _("{lines}, chat").format(lines=more)
        rows.append(text_row(f" {more}", cells, "class:log.new"))
    return rows[max(0, len(rows) - height) :]
