"""Panes over the screen: the keys, the scores of the set, the last trick."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tarneeb_client.language import _, plural
from tarneeb_client.lessons import Lesson
from tarneeb_client.screens.cells import fit, width, wrap
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import card_style
from tarneeb_client.screens.keys import help_of
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.rows import Row, filled, fitted, text_row
from tarneeb_client.state import TableView
from tarneeb_client.wording.people import Viewpoint
from tarneeb_client.wording.tables import rule_options, table_line
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import TrickView
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless


class Pane:
    """A title and a body that can be scrolled; ``body`` gives its rows for so many cells."""

    def __init__(self, title: str, body: Callable[[int], list[Row]]) -> None:
        self.title = harmless(title)
        self._body = body
        self._first = 0

    def scroll(self, step: int) -> None:
        """So many rows down, or up."""
        self._first = max(0, self._first + step)

    def rows(self, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
        """Exactly ``height`` rows; one says so when there is more below."""
        body = self._body(cells)
        room = max(0, height - 2)
        self._first = max(0, min(self._first, len(body) - room))
        shown = body[self._first : self._first + room]
        if room and self._first + room < len(body):
            left = len(body) - self._first - room + 1
            more = plural("{number} more row: PgDn", "{number} more rows: PgDn", left).format(number=left)
            shown[-1] = text_row(f" {more}", cells, "class:log.new")
        rule = text_row(glyphs.across * cells, cells, "class:rule")
        return filled([text_row(f" {self.title}", cells, "class:title"), rule, *shown], height, cells)


def text_rows(lines: Iterable[str], cells: int) -> list[Row]:
    """Lines of text, wrapped."""
    return [
        text_row(f" {part}", cells) for line in lines for part in wrap(line, max(4, cells - 1), indent="  ")
    ]


def table_rows(table: m.TableSummary, cells: int) -> list[Row]:
    """A table of the lobby in full: who is there, its rules in force, what happens to who is away."""
    lines = [table_line(table), *rule_options(table.rules)]
    if table.spectators:
        lines.append(
            plural("{number} watches.", "{number} watch.", table.spectators).format(number=table.spectators)
        )
    if not table.can_watch:
        lines.append(_("Nobody may watch."))
    return text_rows(lines, cells)


def lesson_rows(lesson: Lesson, cells: int) -> list[Row]:
    """A lesson, its paragraphs apart."""
    rows: list[Row] = []
    for paragraph in lesson.paragraphs:
        rows += [text_row(" " + line, cells) for line in wrap(paragraph, max(4, min(cells - 2, 76)))]
        rows.append(text_row("", cells))
    return rows


def help_rows(place: Place, cells: int) -> list[Row]:
    """The keys of a place, each with a sentence."""
    entries = help_of(place)
    label = min(max(width(key) for key, _ in entries) + 3, cells // 2)
    rows: list[Row] = []
    for key, sentence in entries:
        first, *others = wrap(sentence, max(4, cells - label - 1))
        rows.append((("class:key", fit(" " + key, label)), *text_row(first, cells - label)))
        rows += [(("", " " * label), *text_row(line, cells - label)) for line in others]
    return rows


def trick_rows(view: TableView, glyphs: Glyphs, cells: int) -> list[Row]:
    """The last trick, a card a line in the order of play."""
    deal = view.deal
    if deal is None or not deal.tricks:
        return [text_row(" " + _("No trick has been played in this deal yet."), cells, "class:quiet")]
    return _trick(deal.tricks[-1], view, glyphs, cells)


def _trick(trick: TrickView, view: TableView, glyphs: Glyphs, cells: int) -> list[Row]:
    who = Viewpoint.of(view.snapshot)
    rows: list[Row] = []
    for place, card in enumerate(trick.cards):
        seat = Seat((trick.leader + place) % 4)
        won = seat is trick.winner
        rows.append(
            fitted(
                [
                    ("", fit(" " + who.name(seat), 26)),
                    (card_style(card.suit), glyphs.card(card)),
                    ("class:winning", "  *  " + _("won the trick") if won else ""),
                ],
                cells,
            )
        )
    return rows
