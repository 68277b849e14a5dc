"""Requests of the lobby and of a table."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from tarneeb_engine.ruleset import AuctionKind, Dealing, FourPasses, SuitBids, Thirteen
from tarneeb_engine.seats import Seat
from tarneeb_protocol.messages.actions import WireAction
from tarneeb_protocol.messages.base import Request
from tarneeb_protocol.messages.limits import ChatText, NameText, PasswordText, Seq, ShortText, TableId
from tarneeb_protocol.messages.tables import BotLevel


class ListTables(Request, frozen=True, kw_only=True, tag="list_tables"):
    """Answered by ``tables``, lowest number first; ``after`` leaves out all up to that number."""

    after: TableId | None = None


class RuleChoices(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Rule options by name; those left out are the preset's. One that is not known is a fault, unlike any other
    field: nobody is to play by other rules than were asked for.
    """

    auction: AuctionKind | None = None
    four_passes: FourPasses | None = None
    thirteen: Thirteen | None = None
    target: int | None = None
    dealing: Dealing | None = None
    partner_hints: bool | None = None
    lead_tarneeb: bool | None = None
    suit_bids: SuitBids | None = None
    double: bool | None = None


class OpenTable(Request, frozen=True, kw_only=True, tag="open_table"):
    """Open a table; answered by ``opened``. It seats nobody. ``turn_seconds`` 0 is no clock; a seat is held for
    ``grace_seconds`` for a player who is away; ``stand_in`` is the bot that then plays for the player.
    """

    name: NameText
    preset: ShortText = "tarneeb"
    rules: RuleChoices = RuleChoices()
    turn_seconds: Annotated[int, Meta(ge=0, le=3600)] | None = None
    grace_seconds: Annotated[int, Meta(ge=0, le=3600)] | None = None
    stand_in: BotLevel | None = None
    spectators: bool = True
    password: PasswordText | None = None


class Join(Request, frozen=True, kw_only=True, tag="join"):
    """Take a seat: ``seat`` if given, else the one opposite the player named ``partner``, else the first
    that is empty, else a bot's. Answered by a ``snapshot`` and ``joined``.
    """

    table: TableId
    seat: Seat | None = None
    partner: NameText | None = None
    password: PasswordText | None = None


class Watch(Request, frozen=True, kw_only=True, tag="watch"):
    """Watch a table as a spectator. Answered by a ``snapshot`` and ``joined``."""

    table: TableId
    password: PasswordText | None = None


class Leave(Request, frozen=True, kw_only=True, tag="leave"):
    """Leave the table for good. Answered by ``done``."""


class Chat(Request, frozen=True, kw_only=True, tag="chat"):
    """Say something to the table, or to the lobby when at none. Answered by ``done``."""

    text: ChatText


class AddBot(Request, frozen=True, kw_only=True, tag="add_bot"):
    """Put a bot into an empty seat, the first when none is named; for players. Answered by ``done``."""

    seat: Seat | None = None
    level: BotLevel = BotLevel.STEADY


class RemoveBot(Request, frozen=True, kw_only=True, tag="remove_bot"):
    """Take a bot out of its seat, between sets. For players at the table; answered by ``done``."""

    seat: Seat


class Act(Request, frozen=True, kw_only=True, tag="act"):
    """Do one of the actions that a ``prompt`` offered. ``seq`` is the number of the last event the client
    knew when it decided; an action decided before the turn began is refused as ``stale``. Answered by ``done``.
    """

    action: WireAction
    seq: Seq | None = None


class Sync(Request, frozen=True, kw_only=True, tag="sync"):
    """Ask for what was missed after event ``seq``, or for a snapshot when ``seq`` is left out. Answered by
    events or a ``snapshot``, a ``prompt`` if it is this seat's turn, and ``done``.
    """

    seq: Seq | None = None
