"""The table on the whole screen, for every size of a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tarneeb_client.language import _
from tarneeb_client.screens.cells import width
from tarneeb_client.screens.choices import Choice
from tarneeb_client.screens.cross import TableScene, cross
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import hand_rows, held_cards
from tarneeb_client.screens.rows import (
    Fragment,
    Row,
    beside,
    clickable,
    filled,
    fitted,
    row_width,
    text_row,
)
from tarneeb_client.screens.score_rows import deal_over_rows, over_rows, set_over_rows
from tarneeb_client.screens.side import (
    LogLine,
    contract_rows,
    log_rows,
    own_side_first,
    side_name,
    side_pane,
    trick_cards,
)
from tarneeb_client.screens.status import LinkState, banner, choice_row, status_row, title_row
from tarneeb_client.state import TableView
from tarneeb_engine.calls import Remark
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import DealScore, TrickView
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
    """All that a drawing of the table shows. ``held_trick`` is a finished trick that is still to be seen,
    ``score`` that of a deal that has just ended; ``below`` the lines of the log out of sight; ``away`` the
    seconds for which seats are still held; ``note`` stands in the status line for a moment.
    """

    view: TableView
    server_name: str
    link: LinkState
    log: Sequence[LogLine] = ()
    below: int = 0
    selected: Choice | None = None
    preselected: Card | None = None
    remark: Remark | None = None
    held_trick: TrickView | None = None
    score: DealScore | None = None
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
                middle(now, glyphs, table, room),
                side_pane(now.view, now.log, glyphs, side, room, below=now.below),
                ("class:rule", glyphs.down),
            ),
            _rule(glyphs, table, side, lower),
        ]
    else:
        contract = contract_rows(now.view, glyphs, cells)[:2]
        log = filled(log_rows(now.log, cells, 2, below=now.below), 2, cells)
        rule = text_row(glyphs.across * cells, cells, "class:rule")
        rows = [title, rule, *contract, *middle(now, glyphs, cells, room - len(contract) - 2), *log, rule]
    return filled([*rows, *under], height, cells)


def _rule(glyphs: Glyphs, left: int, right: int, tee: str) -> Row:
    return (("class:rule", glyphs.across * left + tee + glyphs.across * right),)


def middle(now: TableSituation, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """The table from above, or what is to be read in its place: the end of a set, the score of a deal."""
    if now.held_trick is None:
        snapshot = now.view.snapshot
        if snapshot.state is m.TableState.SET_OVER and snapshot.public is not None:
            return set_over_rows(now.view, glyphs, cells, height)
        if now.score is not None:
            return deal_over_rows(now.score, now.view, glyphs, cells, height)
    return cross(scene(now), glyphs, cells, height)


def under_table(now: TableSituation, glyphs: Glyphs, cells: int) -> list[Row]:
    """Status, hand, and what may be chosen."""
    selected = None
    if now.selected is not None and isinstance(now.selected.action, m.PlayAction):
        selected = now.selected.action.card
    letters, faces, marks = hand_rows(
        held_cards(now.view), selected, glyphs, cells, preselected=now.preselected
    )
    offered = choice_row(now.view, now.selected, glyphs, cells, now.remark)
    return [_status(now, cells), letters, faces, marks if offered is None else offered]


def _status(now: TableSituation, cells: int) -> Row:
    if now.link.is_lost and not now.note:
        return banner(now.link, cells)
    return status_row(now.view, now.seconds_left, cells, now.note)


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
        is_between_sets=view.snapshot.state is m.TableState.SET_OVER,
    )


def small_screen(now: TableSituation, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """For a terminal that is too small for the drawing: first what is to be done and with what, then the trick,
    the contract and the score as far as there is room.
    """
    view = now.view
    rows: list[Row] = [_status(now, cells)]
    offered = choice_row(view, now.selected, glyphs, cells, now.remark)
    if offered is not None:
        rows.append(offered)
    trick = scene(now).trick
    played: list[Fragment] = [] if trick is None else trick_cards(trick, glyphs)
    about: list[Row] = []
    if now.held_trick is None:
        about += over_rows(now.score, view, cells)
    if played:
        about.append(fitted([("", " " + _("Trick") + ": "), *played], cells))
    about += contract_rows(view, glyphs, cells)[:1]
    about.append(_score_row(now, cells))
    if height >= len(rows) + len(about) + 3:
        about.append(text_row(" " + _("Enlarge the window, or use --plain."), cells, "class:quiet"))
    cards = _card_lines(now, glyphs, cells)
    # The trick is worth more than the illegal cards; everything else is worth less than the cards.
    room = max(1, height - len(rows) - bool(played))
    rows += _around(cards, room)
    return filled([*rows, *about], height, cells)


def _score_row(now: TableSituation, cells: int) -> Row:
    snapshot = now.view.snapshot
    first, second = own_side_first(now.view)
    scores = (0, 0) if snapshot.public is None else snapshot.public.scores
    text = f" {side_name(now.view, first)} {scores[first]}  {side_name(now.view, second)} {scores[second]}"
    target = _("first to {target}").format(target=snapshot.rules.target)
    return text_row(f"{text}  {target}", cells, "class:own.score")


def _card_lines(now: TableSituation, glyphs: Glyphs, cells: int) -> list[tuple[Row, bool]]:
    """The hand in lines, each with whether the selected card is in it."""
    selected = now.preselected
    if now.selected is not None and isinstance(now.selected.action, m.PlayAction):
        selected = now.selected.action.card
    lines: list[tuple[Row, bool]] = []
    line: list[Fragment] = []
    has_selected = False
    for held in held_cards(now.view):
        sign = f"({held.letter})" if held.is_legal is False else f"{held.letter}:"
        text = sign + glyphs.card(held.card)
        is_selected = held.card == selected
        text = f"[{text}]" if is_selected else f" {text} "
        style = "class:illegal" if held.is_legal is False else "class:legal"
        if is_selected:
            style = "class:selected" if now.view.prompt is not None else "class:preselected"
        if line and row_width(line) + width(text) > cells:
            lines.append((fitted(line, cells), has_selected))
            line, has_selected = [], False
        line.append((clickable(style, f"pick.{held.letter}"), text))
        has_selected |= is_selected
    if line:
        lines.append((fitted(line, cells), has_selected))
    return lines


def _around(lines: list[tuple[Row, bool]], room: int) -> list[Row]:
    """As many lines as there is room for, the one with the selected card among them."""
    at = next((number for number, (_row, has_selected) in enumerate(lines) if has_selected), 0)
    first = max(0, min(at - room // 2, len(lines) - room))
    return [row for row, _has in lines[first : first + room]]
