"""What a table's stream holds besides its events, and what the server says to all."""

from __future__ import annotations

import msgspec

from tarneeb_engine.calls import Remark
from tarneeb_engine.cards import Card
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import PublicView
from tarneeb_protocol.messages.actions import WireAction
from tarneeb_protocol.messages.base import Message
from tarneeb_protocol.messages.limits import Seq, TableId, TournamentId
from tarneeb_protocol.messages.tables import BotLevel, Seats, TableState


class ChatLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line said at the table; ``seat`` is left out for a spectator."""

    name: str
    text: str
    seat: Seat | None = None


class Snapshot(Message, frozen=True, kw_only=True, tag="snapshot"):
    """All that the viewer may know of a table after event ``seq``. ``seat`` and ``hand`` are the viewer's own.
    ``set_number`` counts the sets begun at this table. ``seconds_left`` is what the seat to act still has.
    ``commitment`` is that of the deal in progress.
    """

    table: TableId
    seq: Seq
    name: str
    state: TableState
    rules: Ruleset
    turn_seconds: int
    grace_seconds: int
    stand_in: BotLevel = BotLevel.STEADY
    can_watch: bool = True
    locked: bool = False
    seats: Seats
    spectators: tuple[str, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    set_number: int = 0
    public: PublicView | None = None
    seat: Seat | None = None
    hand: tuple[Card, ...] | None = None
    seconds_left: int | None = None
    commitment: str | None = None
    tournament: TournamentId | None = None


class Prompt(Message, frozen=True, kw_only=True, tag="prompt"):
    """It is this seat's turn: ``actions`` is every action that will be accepted now, each ready to be sent as
    ``act.action``. ``remarks`` may be added to a call. ``seconds`` is the time left, if there is a clock.
    """

    table: TableId
    seq: Seq
    actions: tuple[WireAction, ...]
    remarks: tuple[Remark, ...] = ()
    seconds: int | None = None


class LobbySaid(Message, frozen=True, kw_only=True, tag="lobby_said"):
    """Chat in the lobby, to all who are at no table."""

    name: str
    text: str


class Notice(Message, frozen=True, kw_only=True, tag="notice"):
    """The host, or the server itself, has something to say to everybody who is connected. ``seconds`` is how
    long the server goes on at most, with ``drain`` alone.
    """

    reason: str
    text: str
    seconds: int | None = None
