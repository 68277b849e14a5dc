"""The lobby of a server on the whole screen: its tables, and what can be done with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tarneeb_client.language import _, listed, plural
from tarneeb_client.screens.cells import clip, fit, width
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.panes import table_rows as all_about
from tarneeb_client.screens.rows import Fragment, Row, apart, clickable, filled, fitted, text_row
from tarneeb_client.screens.side import LogLine, log_rows, seat_tag
from tarneeb_client.screens.status import LinkState, banner, link_fragments
from tarneeb_client.wording.people import called
from tarneeb_client.wording.tables import preset_name
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

LOG_ROWS = 4
"""Rows for what is said in the lobby."""
SMALL = 9
"""Rows under which there are the tables alone."""
TALL = 28
"""Rows from which the chosen table's rules are shown in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbySituation:
    """All that the lobby shows. ``tables`` is ``None`` before the server has said which there are; ``selected``
    is the number of one.
    """

    server_name: str
    own_name: str
    link: LinkState
    tables: Sequence[m.TableSummary] | None
    selected: int | None
    log: Sequence[LogLine] = ()
    below: int = 0
    note: str = ""


def lobby_screen(now: LobbySituation, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """Exactly ``height`` rows of ``cells``: all but the input line and the footer."""
    rule = text_row(glyphs.across * cells, cells, "class:rule")
    where = "" if now.tables is None else _count_text(len(now.tables))
    title = apart(
        [("class:title", f" {harmless(now.server_name)}"), ("", f"  {where}")],
        [
            ("", _("you: {name}").format(name=harmless(now.own_name)) + "  "),
            *link_fragments(now.link, glyphs),
            ("", " "),
        ],
        cells,
    )
    is_banner = now.link.is_lost and not now.note  # a question that a key raised goes before it
    status = banner(now.link, cells) if is_banner else text_row(" " + now.note, cells, "class:status")
    if height < SMALL:
        # The tables first: what stands around them is worth less. A word of the moment takes the title's place.
        head = status if now.link.is_lost or now.note else title
        return filled([head, *table_rows(now, glyphs, cells, height - 1)], height, cells)
    log = log_rows(now.log, cells, LOG_ROWS if height >= 2 * SMALL else 1, below=now.below)
    detail = selected_rows(now, cells) if height < TALL else detail_rows(now, cells)
    room = max(1, height - 4 - len(log) - len(detail) - 1)
    tables = filled(table_rows(now, glyphs, cells, room), room, cells)
    return filled([title, rule, head_row(cells), *tables, rule, *detail, *log, status], height, cells)


def _count_text(count: int) -> str:
    return plural("{number} table", "{number} tables", count).format(number=count)


def _columns(cells: int) -> tuple[int, int, int]:
    """Cells for a table's name, for each seat (none where there is no room), and for its state."""
    if cells < 50:
        state = 10 if cells >= 40 else 6
        return max(6, cells - 6 - 4 - state), 0, state
    name = 28 if cells >= 100 else 18 if cells >= 80 else 12
    state = 12 if cells >= 70 else 9
    seat = max(4, (cells - 4 - 4 - name - 4 - state) // 4)
    return name, seat, state


def head_row(cells: int) -> Row:
    """What stands in the columns."""
    name, seat, state = _columns(cells)
    text = " " * 3 + fit("", 4) + fit(_("TABLE"), name) + fit(_("IN"), 4)
    text += "".join(fit(seat_tag(place), seat) for place in Seat if seat) + fit(_("STATE"), state)
    return text_row(text, cells, "class:quiet")


def table_rows(now: LobbySituation, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """The tables, as many as there is room for, the selected one among them."""
    if height <= 0 or now.tables is None:
        return []
    if not now.tables:
        return [text_row("   " + _("No table is open yet. Press n to open one."), cells, "class:quiet")]
    numbers = [table.table for table in now.tables]
    at = numbers.index(now.selected) if now.selected in numbers else 0
    first = max(0, min(at - height // 2, len(numbers) - height))
    return [
        _table_row(table, glyphs, cells, is_selected=table.table == now.selected)
        for table in now.tables[first : first + height]
    ]


def _table_row(table: m.TableSummary, glyphs: Glyphs, cells: int, *, is_selected: bool) -> Row:
    name, seat, state = _columns(cells)
    taken = sum(summary is not None for summary in table.seats)
    style = "class:selected" if is_selected else ""
    pointer = glyphs.pointer if is_selected else " "
    shown = [
        f" {pointer} {table.table:>2}  ",
        fit(_name_text(table, name - 1), name - 1) + " ",
        fit(f"{taken}/4", 4),
        *(fit(_seat_text(table.seats[place]), seat - 1) + " " for place in Seat if seat),
        fit(state_text(table), state),
    ]
    row: list[Fragment] = [(clickable(style, f"table.{table.table}"), text) for text in shown]
    return fitted(row, cells)


def _name_text(table: m.TableSummary, cells: int) -> str:
    """The name, and behind it whether there is a password, however long the name."""
    mark = " (" + _("password") + ")" if table.locked else ""
    return clip(harmless(table.name), max(2, cells - width(mark))) + mark


def _seat_text(summary: m.SeatSummary | None) -> str:
    if summary is None:
        return "-"
    name = called(summary.name)
    return name if summary.away_seconds is None else f"({name})"


def state_text(table: m.TableSummary) -> str:
    """What a table is doing, in a word or two."""
    if table.state is m.TableState.PLAYING:
        return _("deal {number}").format(number=1 if table.deal is None else table.deal)
    return _("waiting") if table.state is m.TableState.WAITING else _("set over")


def detail_rows(now: LobbySituation, cells: int) -> list[Row]:
    """The selected table in full: who is there, and every rule in force."""
    table = next((table for table in now.tables or () if table.table == now.selected), None)
    return selected_rows(now, cells) if table is None else all_about(table, cells)


def selected_rows(now: LobbySituation, cells: int) -> list[Row]:
    """The selected table in a line: its rules and what one needs to know before joining."""
    table = next((table for table in now.tables or () if table.table == now.selected), None)
    if table is None:
        return [text_row("", cells)]
    parts = [preset_name(table.rules), _("first to {target}").format(target=table.rules.target)]
    parts.append(
        _("{seconds} s a turn").format(seconds=table.turn_seconds) if table.turn_seconds else _("no clock")
    )
    if table.locked:
        parts.append(_("password"))
    if not table.can_watch:
        parts.append(_("no spectators"))
    if table.scores is not None:
        parts.append(f"{table.scores[0]}:{table.scores[1]}")
    return [text_row(" " + listed(parts), cells, "class:quiet")]
