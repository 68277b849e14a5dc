"""The form for a new table: every option that a table can have, and the request that it makes."""

from __future__ import annotations

from tarneeb_client.language import _
from tarneeb_client.screens.form import Field, Form, form_of
from tarneeb_client.table_options import read_open_table
from tarneeb_engine.variants import DEFAULT, VARIANTS
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import clean_name

PRESET = ""
"""An option that is left to the preset."""


def open_table_form(own_name: str) -> Form:
    """The form, filled in as most people want it."""
    preset = (PRESET, _("as the preset"))
    yes_no = (preset, ("yes", _("yes")), ("no", _("no")))
    return form_of(
        _("A new table"),
        (
            Field(name="name", label=_("Name"), value=own_name[:24], help=_("What the table is called.")),
            Field(
                name="bots",
                label=_("Bots"),
                value="0",
                options=tuple((str(number), str(number)) for number in range(4)),
                help=_("How many seats bots take at once; friends can take over from them."),
            ),
            Field(
                name="preset",
                label=_("Rules"),
                value=DEFAULT,
                options=tuple((word, _(variant.name)) for word, variant in VARIANTS.items()),
                help=_("What the options under it are taken from."),
            ),
            Field(
                name="target",
                label=_("First to"),
                value=PRESET,
                options=(preset, *((points, points) for points in ("31", "41", "51", "61"))),
                help=_("The points that win the set."),
            ),
            Field(
                name="turn",
                label=_("Time for a turn"),
                value=PRESET,
                options=(
                    (PRESET, _("as the server says")),
                    ("0", _("no clock")),
                    *(
                        (seconds, _("{number} seconds").format(number=seconds))
                        for seconds in ("15", "30", "45", "60", "90")
                    ),
                ),
                help=_("When it runs out, a bot decides."),
            ),
            Field(
                name="spectators",
                label=_("Spectators"),
                value="yes",
                options=(("yes", _("yes")), ("no", _("no"))),
                help=_("Whether others may watch; they never see a hand."),
            ),
            Field(name="password", label=_("Password"), value="", is_secret=True, help=_("Empty for none.")),
            Field(
                name="auction",
                label=_("Auction"),
                value=PRESET,
                options=(
                    preset,
                    ("single", _("one call each")),
                    ("continuing", _("until three pass")),
                    ("returning", _("who passed may return")),
                ),
            ),
            Field(
                name="four_passes",
                label=_("If all four pass"),
                value=PRESET,
                options=(
                    preset,
                    ("same_dealer", _("the same dealer deals again")),
                    ("next_dealer", _("the next one deals")),
                    ("dealer_stuck", _("the dealer must bid")),
                ),
            ),
            Field(
                name="thirteen",
                label=_("All thirteen"),
                value=PRESET,
                options=(
                    preset,
                    ("game_call", _("by the call game")),
                    ("kaboot_bonus", _("a bonus for kaboot")),
                ),
            ),
            Field(
                name="dealing",
                label=_("Dealing"),
                value=PRESET,
                options=(
                    preset,
                    ("one_by_one", _("one by one")),
                    ("thirteen_at_a_time", _("thirteen at a time")),
                ),
            ),
            Field(
                name="partner_hints",
                label=_("Remarks to the partner"),
                value=PRESET,
                options=yes_no,
                help=_("Whether a call may say that the hand helps, or does not."),
            ),
            Field(
                name="lead_tarneeb",
                label=_("Declarer leads trump"),
                value=PRESET,
                options=yes_no,
                help=_("Whether the first lead must be a trump."),
            ),
            Field(
                name="suit_bids",
                label=_("Bids name the suit"),
                value=PRESET,
                options=(
                    preset,
                    ("none", _("no")),
                    ("clubs_to_diamonds", _("yes, diamonds highest")),
                    ("clubs_to_spades", _("yes, spades highest")),
                ),
                help=_("Whether number and suit are bid together, and which suit ranks highest."),
            ),
            Field(
                name="double",
                label=_("Doubling"),
                value=PRESET,
                options=yes_no,
                help=_("Whether an opponent may double the highest bid."),
            ),
        ),
    )


def filled_in(form: Form) -> m.OpenTable:
    """The request that the form makes. Raises ``Unreadable``, ``BadTextError``."""
    options = {
        field.name: field.value for field in form.fields if field.name not in {"name", "bots"} and field.value
    }
    return read_open_table(clean_name(form.value("name"), m.MAX_NAME_CHARS), options)
