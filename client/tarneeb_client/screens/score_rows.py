"""Scores: every deal of a set, one deal as it was reckoned, and how a set ended."""

from __future__ import annotations

from tarneeb_client.language import _
from tarneeb_client.screens.cells import fit, wrap
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import card_style
from tarneeb_client.screens.rows import Fragment, Row, filled, fitted, text_row
from tarneeb_client.screens.side import bid_mark, own_side_first, side_as_subject, side_name
from tarneeb_client.state import TableView
from tarneeb_client.wording.people import Viewpoint, called
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import DealScore
from tarneeb_protocol import messages as m


def score_rows(view: TableView, glyphs: Glyphs, cells: int) -> list[Row]:
    """Every deal of the set: declarer, bid, trump, tricks, points and score, then how the last was reckoned."""
    public = view.snapshot.public
    if public is None or not public.history:
        return [text_row(" " + _("No deal has been played out yet."), cells, "class:quiet")]
    rows = deal_rows(view, glyphs, cells)
    rows.append(text_row("", cells))
    rows += [
        text_row(" " + line, cells) for line in wrap(reckoning(public.history[-1], view), max(4, cells - 1))
    ]
    return rows


def deal_rows(view: TableView, glyphs: Glyphs, cells: int) -> list[Row]:
    """Every deal of the set in a line, under a head: declarer, bid, trump, tricks, points and score."""
    public = view.snapshot.public
    history = () if public is None else public.history
    first, second = own_side_first(view)
    head = (
        fit(" " + _("deal"), 7)
        + fit(_("declarer"), 14)
        + fit(_("bid"), 8)
        + fit(_("took"), 6)
        + fit(f"{side_name(view, first)}/{side_name(view, second)}", 12)
        + fit(_("score"), 9)
    )
    return [
        text_row(head, cells, "class:quiet"),
        *(_score_row(score, view, glyphs, cells) for score in history),
    ]


def _score_row(score: DealScore, view: TableView, glyphs: Glyphs, cells: int) -> Row:
    who = Viewpoint.of(view.snapshot)
    first, second = own_side_first(view)
    bid = bid_mark(score.call, score.bid, doubled=score.doubled)
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
    """How a deal was reckoned, in a sentence (rules 18 to 22 and 26)."""
    told = _reckoning(score, view)
    return f"{told} {_('The deal counted double.')}" if score.doubled else told


def _reckoning(score: DealScore, view: TableView) -> str:
    team = score.declarer.team()
    side = side_as_subject(view, team)
    other = side_as_subject(view, team.opponents)
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


def deal_over_rows(score: DealScore, view: TableView, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """A deal that is over, in place of the table: contract, tricks, points and score of both sides, and how it
    was reckoned; exactly ``height`` rows.
    """
    who = Viewpoint.of(view.snapshot)
    first, second = own_side_first(view)
    bid = bid_mark(score.call, score.bid, doubled=score.doubled)
    verdict = _("made") if score.made else _("failed")
    contract: list[Fragment] = [
        ("", "  " + _("{name}: {bid} in").format(name=who.name(score.declarer), bid=bid) + " "),
        (card_style(score.trump), glyphs.suit(score.trump)),
        ("class:good" if score.made else "class:warning", f"  {verdict}"),
    ]
    rows = [
        text_row("  " + _("Deal {number} is over").format(number=score.number), cells, "class:title"),
        fitted(contract, cells),
        text_row("", cells),
        text_row(
            "  " + fit("", 10) + fit(side_name(view, first), 8) + side_name(view, second), cells, "class:quiet"
        ),
        _pair(_("tricks"), score.taken, view, cells),
        _pair(_("points"), score.points, view, cells, is_signed=True),
        _pair(_("score"), score.scores, view, cells, style="class:own.score"),
        text_row("", cells),
        *(text_row("  " + line, cells) for line in wrap(reckoning(score, view), max(4, cells - 3))),
        text_row("  " + _("Any key goes on."), cells, "class:quiet"),
    ]
    return _in_the_middle(rows, cells, height)


def _pair(
    label: str, pair: tuple[int, int], view: TableView, cells: int, *, is_signed: bool = False, style: str = ""
) -> Row:
    first, second = own_side_first(view)
    shown = [f"{pair[team]:+d}" if is_signed else str(pair[team]) for team in (first, second)]
    return fitted(
        [("class:quiet", "  " + fit(label, 10)), (style, fit(shown[0], 8) + shown[1])],
        cells,
    )


def set_over_rows(view: TableView, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """A set that is over, in place of the table: who won it, every deal, who is ready for the next; exactly
    ``height`` rows, the latest deals where there is no room for all.
    """
    public = view.snapshot.public
    winner = None if public is None else public.winner
    if public is None or winner is None:
        return filled([], height, cells)
    result = _result(view, winner)
    ready: list[Fragment] = [("", "  ")]
    for seat in Seat:
        summary = view.snapshot.seats[seat]
        if summary is None:
            continue
        mark = _("ready") if summary.ready else _("not ready yet")
        ready += [
            ("", called(summary.name) + ": "),
            ("class:good" if summary.ready else "class:quiet", mark + "  "),
        ]
    foot = [text_row("", cells), fitted(ready, cells)]
    title = text_row("  " + result, cells, "class:title")
    deals = deal_rows(view, glyphs, cells)
    room = max(1, height - len(foot) - 2)
    if len(deals) > room:
        deals = [deals[0], *deals[len(deals) - room + 1 :]] if room > 1 else []
    return _in_the_middle([title, text_row("", cells), *deals, *foot], cells, height)


def _result(view: TableView, winner: Team) -> str:
    """Who won the set, and the score with the viewer's own side first."""
    first, second = own_side_first(view)
    scores = (0, 0) if view.snapshot.public is None else view.snapshot.public.scores
    if view.seat is None:
        won = _("{side} won the set").format(side=side_as_subject(view, winner))
    else:
        won = _("You and your partner won the set") if winner is first else _("The others won the set")
    return f"{won}  {scores[first]} : {scores[second]}"


def over_rows(score: DealScore | None, view: TableView, cells: int) -> list[Row]:
    """For a small screen: that the set is over, or the deal with this score; no row for neither."""
    public = view.snapshot.public
    if view.snapshot.state is m.TableState.SET_OVER and public is not None and public.winner is not None:
        text = _result(view, public.winner)
    elif score is not None:
        text = reckoning(score, view)
    else:
        return []
    return [text_row(" " + line, cells, "class:title") for line in wrap(text, max(4, cells - 1))]


def _in_the_middle(rows: list[Row], cells: int, height: int) -> list[Row]:
    above = max(0, (height - len(rows)) // 2)
    return filled([*filled([], above, cells), *rows], height, cells)
