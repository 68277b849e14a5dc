"""Panes over the screen: the keys, the scores of the set, the last trick."""

from __future__ import annotations

from tarneeb_client.language import _
from tarneeb_client.lessons import Lesson
from tarneeb_client.screens.cells import fit, width, wrap
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import card_style
from tarneeb_client.screens.keys import Place, help_of
from tarneeb_client.screens.rows import Row, filled, fitted, text_row
from tarneeb_client.screens.side import own_side_first, side_name
from tarneeb_client.state import TableView
from tarneeb_client.wording.people import Viewpoint
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import DealScore, TrickView


def pane(
    title: str, body: list[Row], glyphs: Glyphs, cells: int, height: int, *, scrolled: int = 0
) -> list[Row]:
    """A title and as much of the body as there is room for, from the row ``scrolled`` on."""
    rule = text_row(glyphs.across * cells, cells, "class:rule")
    first = max(0, min(scrolled, len(body) - (height - 2)))
    return filled([text_row(" " + title, cells, "class:title"), rule, *body[first:]], height, cells)


def lesson_rows(lesson: Lesson, cells: int) -> list[Row]:
    """A lesson, its paragraphs apart."""
    rows: list[Row] = []
    for paragraph in lesson.paragraphs:
        rows += [text_row(" " + line, cells) for line in wrap(paragraph, min(cells - 2, 76))]
        rows.append(text_row("", cells))
    return rows


def help_rows(place: Place, cells: int) -> list[Row]:
    """The keys of a place, each with a sentence."""
    entries = help_of(place)
    label = max(width(key) for key, _ in entries) + 3
    rows: list[Row] = []
    for key, sentence in entries:
        first, *others = wrap(sentence, max(10, cells - label - 1))
        rows.append((("class:key", fit(" " + key, label)), *text_row(first, cells - label)))
        rows += [(("", " " * label), *text_row(line, cells - label)) for line in others]
    return rows


def score_rows(view: TableView, glyphs: Glyphs, cells: int) -> list[Row]:
    """Every deal of the set: declarer, bid, trump, tricks, points and score, then how the last was reckoned."""
    public = view.snapshot.public
    if public is None or not public.history:
        return [text_row(" " + _("No deal has been played out yet."), cells, "class:quiet")]
    first, second = own_side_first(view)
    head = (
        fit(" " + _("deal"), 7)
        + fit(_("declarer"), 14)
        + fit(_("bid"), 8)
        + fit(_("took"), 6)
        + fit(f"{side_name(view, first)}/{side_name(view, second)}", 12)
        + fit(_("score"), 9)
    )
    rows = [text_row(head, cells, "class:quiet")]
    rows += [_score_row(score, view, glyphs, cells) for score in public.history]
    rows.append(text_row("", cells))
    rows += [text_row(" " + line, cells) for line in wrap(reckoning(public.history[-1], view), cells - 1)]
    return rows


def _score_row(score: DealScore, view: TableView, glyphs: Glyphs, cells: int) -> Row:
    who = Viewpoint.of(view.snapshot)
    first, second = own_side_first(view)
    bid = _("game") if score.call is CallKind.GAME else str(score.bid)
    verdict = "class:good" if score.made else "class:warning"
    return fitted(
        [
            ("", fit(f" {score.number:>3}", 7)),
            ("", fit(who.name(score.declarer), 13) + " "),
            ("", fit(bid, 5)),
            (card_style(score.trump), glyphs.suit(score.trump)),
            ("", "  "),
            (verdict, fit(str(score.taken[score.declarer.team()]), 6)),
            ("", fit(f"{score.points[first]:+d}/{score.points[second]:+d}", 12)),
            ("class:own.score", fit(f"{score.scores[first]}:{score.scores[second]}", 9)),
        ],
        cells,
    )


def reckoning(score: DealScore, view: TableView) -> str:
    """How a deal was reckoned, in a sentence (rules 18 to 22)."""
    team = score.declarer.team()
    side = side_name(view, team)
    other = side_name(view, team.opponents)
    taken = score.taken[team]
    if score.call is CallKind.GAME:
        sentence = _("{side} called game and took {taken} of 13.")
        return sentence.format(side=side, taken=taken)
    if score.made:
        return _("{side} bid {bid} and took {taken}: {points}. {other} get {others}.").format(
            side=side,
            bid=score.bid,
            taken=taken,
            points=f"{score.points[team]:+d}",
            other=other,
            others=f"{score.points[team.opponents]:+d}",
        )
    return _("{side} bid {bid} and took only {taken}: {points}. {other} get {others}.").format(
        side=side,
        bid=score.bid,
        taken=taken,
        points=f"{score.points[team]:+d}",
        other=other,
        others=f"{score.points[team.opponents]:+d}",
    )


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
