"""The form for sitting down: which seat, and so which partner; bots for the others; the password."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_client.language import _
from tarneeb_client.link import NEW
from tarneeb_client.screens.form import Field, Form, form_of
from tarneeb_client.wording.people import called, seat_name
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

ANY = ""
"""No seat in particular."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """How to sit down: the request, and how many bots come with it."""

    request: m.Join
    bots: int = 0


def empty_seats(table: m.TableSummary) -> int:
    """How many seats nobody is in."""
    return sum(summary is None for summary in table.seats)


def seat_form(table: m.TableSummary, *, with_bots: bool = False) -> Form:
    """The form for a table."""
    seats = [(ANY, _("any"))]
    seats += [(seat.name.lower(), _seat_label(table, seat)) for seat in Seat if table.seats[seat] is None]
    fields = [
        Field(
            name="seat",
            label=_("Seat"),
            value=ANY,
            options=tuple(seats),
            help=_("Partners sit opposite each other: South and North, East and West."),
        ),
        Field(
            name="bots",
            label=_("Bots"),
            value="yes" if with_bots else "no",
            options=(("no", _("no")), ("yes", _("yes"))),
            help=_("Whether bots take the other empty seats."),
        ),
    ]
    if table.locked:
        fields.append(
            Field(
                name="password",
                label=_("Password"),
                value="",
                is_secret=True,
                help=_("This table has one: who opened it knows it."),
            )
        )
    name = harmless(table.name)
    return form_of(_("Sit down at table {number} {name}").format(number=table.table, name=name), fields)


def _seat_label(table: m.TableSummary, seat: Seat) -> str:
    partner = table.seats[seat.partner()]
    if partner is None:
        return seat_name(seat)
    return _("{seat}, partner of {name}").format(seat=seat_name(seat), name=called(partner.name))


def sitting(form: Form, table: m.TableSummary) -> Sitting:
    """What the form asks for."""
    wanted = form.value("seat")
    request = m.Join(
        id=NEW,
        table=table.table,
        seat=None if wanted == ANY else Seat[wanted.upper()],
        password=(form.value("password") or None) if table.locked else None,
    )
    return Sitting(request, empty_seats(table) - 1 if form.value("bots") == "yes" else 0)
