"""What a desk shows: the lobby or the table, what is open over it, and what belongs to the line being typed."""

from __future__ import annotations

from tarneeb_client.screens.desk_state import DeskState
from tarneeb_client.screens.form import form_rows
from tarneeb_client.screens.input_line import Input
from tarneeb_client.screens.lobby_screen import LobbySituation, lobby_screen
from tarneeb_client.screens.palette import Known, completions, explanation
from tarneeb_client.screens.rows import Row, fitted, text_row
from tarneeb_client.screens.status import banner
from tarneeb_client.screens.table_screen import TableSituation, table_screen
from tarneeb_client.state import TableView

MOST_COMPLETIONS = 12
"""That are shown at once."""


def desk_rows(desk: DeskState, cells: int, height: int) -> list[Row]:
    """Exactly ``height`` rows of ``cells``: all but the input line and the footer."""
    rows = [fitted(row, cells) for row in _body(desk, cells, height)]
    link = desk.link_now()
    is_covered = desk.form is not None or desk.pane is not None
    if is_covered and desk.moments.note:
        rows[-1] = text_row(f" {desk.moments.note}", cells, "class:status")
    elif is_covered and link.is_lost:
        rows[-1] = banner(link, cells)
    elif desk.line.use is Input.COMMAND and desk.form is None and desk.pane is None:
        about = _palette_rows(desk, cells)[: height - 1]
        rows[height - len(about) :] = about
    return rows


def _body(desk: DeskState, cells: int, height: int) -> list[Row]:
    glyphs = desk.habits.glyphs
    if desk.form is not None:
        return form_rows(desk.form, glyphs, cells, height)
    if desk.pane is not None:
        return desk.pane.rows(glyphs, cells, height)
    if desk.view is not None:
        return table_screen(_at_table(desk, desk.view), glyphs, cells, height)
    lobby = LobbySituation(
        server_name=desk.server_name,
        own_name=desk.own_name,
        link=desk.link_now(),
        tables=desk.lobby.tables if desk.lobby.are_known else None,
        selected=desk.lobby.chosen,
        log=tuple(desk.log.lines),
        below=desk.log.below,
        note=desk.moments.note,
    )
    return lobby_screen(lobby, glyphs, cells, height)


def _at_table(desk: DeskState, view: TableView) -> TableSituation:
    seats_away = desk.talk.seat_clock.seats_away(view.seat)
    return TableSituation(
        view=view,
        server_name=desk.server_name,
        link=desk.link_now(),
        log=tuple(desk.log.lines),
        below=desk.log.below,
        selected=desk.acting.choice(view, desk.text if desk.line.use is Input.ACTING else ""),
        preselected=desk.acting.preselected,
        remark=desk.acting.remark,
        held_trick=desk.moments.trick,
        score=desk.moments.score,
        seconds_left=desk.moments.seconds_left(view, desk.acting.began, desk.now),
        away={seat: round(left) for seat, left in seats_away.items()},
        note=desk.moments.note,
    )


def _palette_rows(desk: DeskState, cells: int) -> list[Row]:
    """The command that is being typed, and how it can go on."""
    text = desk.text
    about, detail = explanation(text)
    words = [line.split()[-1] for line in completions(text, Known(desk.lobby.tables, desk.view))]
    rows = [text_row(f" {desk.moments.note or about}", cells, "class:status")]
    shown = "  ".join(words[:MOST_COMPLETIONS]) if " " in text else ""
    if shown or detail:
        rows.append(text_row(f" {shown or detail}", cells, "class:quiet"))
    return rows
