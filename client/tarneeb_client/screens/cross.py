"""The table from above: four seats around the trick, the viewer at the bottom, the next to act on the right."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_client.language import _, plural
from tarneeb_client.screens.cells import fit, width
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.hand import card_style
from tarneeb_client.screens.rows import Row, fitted
from tarneeb_client.wording.connection import duration
from tarneeb_client.wording.people import called
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import TrickView
from tarneeb_protocol import messages as m

BOX = 7
"""Cells of a drawn card with its edges."""
TALL = 14
"""Rows from which cards are drawn as boxes."""


@dataclass(frozen=True, slots=True)
class Around:
    """The seats as a viewer sees them: ``bottom`` is the viewer's own, or South for a spectator."""

    bottom: Seat

    @classmethod
    def of(cls, seat: Seat | None) -> Around:
        """The seats around a viewer in ``seat``."""
        return cls(Seat.SOUTH if seat is None else seat)

    @property
    def right(self) -> Seat:
        """Who acts after the viewer."""
        return self.bottom.next()

    @property
    def top(self) -> Seat:
        """The viewer's partner."""
        return self.bottom.partner()

    @property
    def left(self) -> Seat:
        """Who acts before the viewer."""
        return self.bottom.left()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScene:
    """What the drawing shows. ``trick`` is the one in progress, or the finished one that is still to be seen;
    ``away`` has the seconds for which the seat of a player who is away is still held. Between sets it is told
    who is ready.
    """

    seats: m.Seats
    seat: Seat | None
    turn: Seat | None
    dealer: Seat | None
    cards_held: tuple[int, int, int, int]
    trick: TrickView | None
    away: dict[Seat, int]
    is_between_sets: bool = False

    def card_of(self, seat: Seat) -> Card | None:
        """The card of the trick that the seat played."""
        if self.trick is None:
            return None
        place = (seat - self.trick.leader) % 4
        return self.trick.cards[place] if place < len(self.trick.cards) else None


def cross(scene: TableScene, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """The drawing, ``height`` rows of ``cells``. From ``TALL`` rows on, cards have edges."""
    around = Around.of(scene.seat)

    def box(seat: Seat) -> list[Row]:
        return card_box(scene, seat, glyphs) if height >= TALL else [card_in_line(scene, seat, glyphs)]

    def name(seat: Seat, room: int) -> Row:
        return seat_line(scene, seat, glyphs, room)

    sides = [
        _sides(left, right, cells) for left, right in zip(box(around.left), box(around.right), strict=True)
    ]
    rows = [
        fitted(name(around.top, cells - 2), cells, align="^"),
        *(fitted(row, cells, align="^") for row in box(around.top)),
        # The two names never share a line: one from right to left would have a terminal turn the line round.
        fitted((("", " "), *name(around.left, cells - 2)), cells),
        *sides,
        fitted((*name(around.right, cells - 2), ("", " ")), cells, align=">"),
        *(fitted(row, cells, align="^") for row in box(around.bottom)),
        fitted(name(around.bottom, cells - 2), cells, align="^"),
    ]
    return _centred(rows, cells, height)


def _sides(left: Row, right: Row, cells: int) -> Row:
    margin = max(2, cells // 8)
    middle = cells - 2 * margin - 2 * BOX
    return fitted((("", " " * margin), *left, ("", " " * max(1, middle)), *right), cells)


def _centred(rows: list[Row], cells: int, height: int) -> list[Row]:
    empty: Row = (("", " " * cells),)
    spare = max(0, height - len(rows))
    above = spare // 2
    return [*([empty] * above), *rows, *([empty] * (spare - above))][:height]


def card_box(scene: TableScene, seat: Seat, glyphs: Glyphs) -> list[Row]:
    """The card that a seat has played, with edges; ``?`` for the seat to act."""
    edge = "class:turn" if scene.turn is seat else "class:quiet"
    top_left, top_right, bottom_left, bottom_right = glyphs.corners
    line = glyphs.across * (BOX - 2)
    inside = _face(scene, seat, glyphs)
    return [
        ((edge, top_left + line + top_right),),
        ((edge, glyphs.down), *inside, (edge, glyphs.down)),
        ((edge, bottom_left + line + bottom_right),),
    ]


def card_in_line(scene: TableScene, seat: Seat, glyphs: Glyphs) -> Row:
    """As ``card_box`` in one row."""
    edge = "class:turn" if scene.turn is seat else "class:quiet"
    return ((edge, "["), *_face(scene, seat, glyphs), (edge, "]"))


def _face(scene: TableScene, seat: Seat, glyphs: Glyphs) -> Row:
    room = BOX - 2
    card = scene.card_of(seat)
    if card is None:
        is_turn = scene.turn is seat
        return (("class:turn" if is_turn else "class:quiet", fit("?" if is_turn else "", room, align="^")),)
    is_winning = scene.trick is not None and scene.trick.winner is seat
    text = glyphs.card(card)
    mark = "*" if is_winning else " "
    style = card_style(card.suit) + (" class:winning" if is_winning else "")
    return (("class:winning", mark), (style, text), ("", " " * (room - 1 - width(text))))


def seat_line(scene: TableScene, seat: Seat, glyphs: Glyphs, room: int) -> Row:
    """Who sits there and what is to be known of them: partner, dealer, cards held, away, empty."""
    summary = scene.seats[seat]
    if summary is None:
        return (("class:quiet", fit(_("(empty seat)"), min(room, width(_("(empty seat)"))))),)
    notes = _notes(scene, seat, summary)
    is_turn = scene.turn is seat
    name = _("You") if seat is scene.seat else called(summary.name)
    pointer = glyphs.pointer + " " if is_turn else ""
    style = "class:turn" if is_turn else "class:name"
    if seat in scene.away:
        # What is in a hurry comes first: it is the last to be left out where there is no room.
        style = "class:absent"
        notes.insert(0, (_("AWAY {time}").format(time=duration(scene.away[seat])), "class:warning"))
    row: list[tuple[str, str]] = [(style, pointer + name)]
    for text, note_style in notes:
        row += [("class:quiet", glyphs.between), (note_style, text)]
    taken = 0
    kept: list[tuple[str, str]] = []
    for style_of, text in row:
        if taken + width(text) > room:
            break
        kept.append((style_of, text))
        taken += width(text)
    return tuple(kept) if kept else ((style, fit(pointer + name, room)),)


def _notes(scene: TableScene, seat: Seat, summary: m.SeatSummary) -> list[tuple[str, str]]:
    notes: list[tuple[str, str]] = []
    if scene.seat is not None and seat is scene.seat.partner():
        notes.append((_("partner"), "class:quiet"))
    if seat is scene.dealer:
        notes.append((_("dealer"), "class:quiet"))
    if summary.level is not None:
        notes.append((_("bot"), "class:quiet"))
    elif summary.has_stand_in:
        notes.append((_("a bot plays"), "class:warning"))
    if scene.is_between_sets and summary.level is None:
        notes.append((_("ready"), "class:good") if summary.ready else (_("not ready yet"), "class:quiet"))
    held = scene.cards_held[seat]
    if held and seat is not scene.seat:
        notes.append((plural("{number} card", "{number} cards", held).format(number=held), "class:quiet"))
    return notes
