"""The table on the whole screen, for every size of a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tarneeb_client.language import _
from tarneeb_client.screens.choices import Choice
from tarneeb_client.screens.cross import TableScene, cross
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import hand_rows, held_cards
from tarneeb_client.screens.rows import Row, apart, beside, filled, fitted, text_row
from tarneeb_client.screens.side import LogLine, contract_rows, log_rows, side_pane
from tarneeb_client.screens.status import LinkState, banner, choice_row, status_row, title_row
from tarneeb_client.state import TableView
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import TrickView
from tarneeb_protocol import messages as m

WIDE = 100
"""Columns from which the side pane shows every trick."""
MEDIUM = 80
"""Columns from which there is a side pane."""
LEAST = (60, 18)
"""Columns and rows under which there is a list alone."""
UNDER_TABLE = 5
"""Rows under the table: status, letters, cards, marks or calls, a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSituation:
    """All that a drawing of the table shows. ``held_trick`` is a finished trick that is still to be seen;
    ``away`` the seconds for which seats are still held; ``note`` stands in the status line for a moment.
    """

    view: TableView
    server_name: str
    link: LinkState
    log: Sequence[LogLine] = ()
    scrolled: int = 0
    selected: Choice | None = None
    marked: Card | None = None
    held_trick: TrickView | None = None
    seconds_left: int | None = None
    away: dict[Seat, int] = field(default_factory=dict)
    note: str = ""


def table_screen(now: TableSituation, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """Exactly ``height`` rows of ``cells``: all but the input line and the footer."""
    if cells < LEAST[0] or height < LEAST[1] - 2:
        return small_screen(now, glyphs, cells, height)
    under = under_table(now, glyphs, cells)
    title = title_row(now.view, now.server_name, now.link, glyphs, cells)
    room = height - 3 - len(under)
    if cells >= MEDIUM:
        side = 34 if cells >= WIDE else 22
        table = cells - side - 1
        upper, lower = glyphs.tees
        rows = [
            title,
            _rule(glyphs, table, side, upper),
            *beside(
                cross(scene(now), glyphs, table, room),
                side_pane(now.view, now.log, glyphs, side, room, scrolled=now.scrolled),
                ("class:rule", glyphs.down),
            ),
            _rule(glyphs, table, side, lower),
        ]
    else:
        contract = contract_rows(now.view, glyphs, cells)[:2]
        log = filled(log_rows(now.log, cells, 2, scrolled=now.scrolled), 2, cells)
        rule = text_row(glyphs.across * cells, cells, "class:rule")
        rows = [title, rule, *contract, *cross(scene(now), glyphs, cells, room - len(contract) - 2), *log, rule]
    return filled([*rows, *under], height, cells)


def _rule(glyphs: Glyphs, left: int, right: int, tee: str) -> Row:
    return (("class:rule", glyphs.across * left + tee + glyphs.across * right),)


def under_table(now: TableSituation, glyphs: Glyphs, cells: int) -> list[Row]:
    """Status, hand, and what may be chosen."""
    status = (
        banner(now.link, cells) if now.link.is_lost else status_row(now.view, now.seconds_left, cells, now.note)
    )
    selected = now.marked
    if now.selected is not None and isinstance(now.selected.action, m.PlayAction):
        selected = now.selected.action.card
    letters, faces, marks = hand_rows(held_cards(now.view), selected, glyphs, cells)
    offered = choice_row(now.view, now.selected, glyphs, cells)
    return [status, letters, faces, marks if offered is None else offered]


def scene(now: TableSituation) -> TableScene:
    """What the drawing of the seats shows."""
    view = now.view
    deal = view.deal
    trick = now.held_trick
    if trick is None and deal is not None:
        trick = deal.trick
    return TableScene(
        seats=view.snapshot.seats,
        seat=view.seat,
        turn=None if deal is None or now.held_trick is not None else deal.turn,
        dealer=None if deal is None else deal.dealer,
        cards_held=(0, 0, 0, 0) if deal is None else deal.cards_held,
        trick=trick,
        away=now.away,
    )


def small_screen(now: TableSituation, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """For a terminal that is too small for the drawing: the trick and the cards in a line each."""
    view = now.view
    shown = scene(now)
    trick = shown.trick
    status = (
        banner(now.link, cells) if now.link.is_lost else status_row(view, now.seconds_left, cells, now.note)
    )
    played = [] if trick is None else [glyphs.card(card) for card in trick.cards]
    cards = [
        (("class:illegal", f"({held.letter}){glyphs.card(held.card)} "))
        if held.is_legal is False
        else (("class:legal", f"{held.letter}:{glyphs.card(held.card)} "))
        for held in held_cards(view)
    ]
    offered = choice_row(view, now.selected, glyphs, cells)
    rows: list[Row] = [
        status,
        *contract_rows(view, glyphs, cells)[:1],
        apart([("", " " + _("Trick") + ": " + " ".join(played))], [], cells),
        *([offered] if offered is not None else []),
        *_in_lines(cards, cells),
        text_row(" " + _("Enlarge the window, or use --plain."), cells, "class:quiet"),
    ]
    return filled(rows, height, cells)


def _in_lines(fragments: Sequence[tuple[str, str]], cells: int) -> list[Row]:
    rows: list[Row] = []
    line: list[tuple[str, str]] = []
    taken = 0
    for style, text in fragments:
        if line and taken + len(text) > cells:
            rows.append(fitted(line, cells))
            line, taken = [], 0
        line.append((style, text))
        taken += len(text)
    if line:
        rows.append(fitted(line, cells))
    return rows
