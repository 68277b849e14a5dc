"""The numbered events of a table."""

from __future__ import annotations

from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import DealScore
from tarneeb_protocol.messages.base import TableEvent
from tarneeb_protocol.messages.tables import Actor, BotLevel


class PlayerSeated(TableEvent, frozen=True, kw_only=True, tag="player_seated"):
    """A player took the seat, empty or a bot's."""

    seat: Seat
    name: str


class PlayerLeft(TableEvent, frozen=True, kw_only=True, tag="player_left"):
    """A player gave up the seat (``left``), or stayed away longer than the grace (``grace_over``), or
    was removed (``kicked``). The seat is empty after it.
    """

    seat: Seat
    name: str
    reason: str


class PlayerAway(TableEvent, frozen=True, kw_only=True, tag="player_away"):
    """A player's connection was lost; the seat is held for ``grace_seconds``."""

    seat: Seat
    grace_seconds: int


class PlayerBack(TableEvent, frozen=True, kw_only=True, tag="player_back"):
    """A player who was away is back."""

    seat: Seat


class StandInBegan(TableEvent, frozen=True, kw_only=True, tag="stand_in_began"):
    """A bot plays for the player from now on: the player is away, or let the clock run out. It ends with
    ``player_back``, ``stand_in_ended`` or ``player_left``.
    """

    seat: Seat


class StandInEnded(TableEvent, frozen=True, kw_only=True, tag="stand_in_ended"):
    """A player who had let the clock run out does something again, and plays from now on."""

    seat: Seat


class PlayerReady(TableEvent, frozen=True, kw_only=True, tag="player_ready"):
    """A player said yes to the next set."""

    seat: Seat


class BotSeated(TableEvent, frozen=True, kw_only=True, tag="bot_seated"):
    """A bot took the empty seat."""

    seat: Seat
    name: str
    level: BotLevel


class BotRemoved(TableEvent, frozen=True, kw_only=True, tag="bot_removed"):
    """A bot was taken out of the seat, which is empty after it."""

    seat: Seat


class SpectatorJoined(TableEvent, frozen=True, kw_only=True, tag="spectator_joined"):
    """A spectator came."""

    name: str


class SpectatorLeft(TableEvent, frozen=True, kw_only=True, tag="spectator_left"):
    """A spectator went."""

    name: str


class Said(TableEvent, frozen=True, kw_only=True, tag="said"):
    """Chat at the table; ``seat`` is left out for a spectator."""

    name: str
    text: str
    seat: Seat | None = None


class SetStarted(TableEvent, frozen=True, kw_only=True, tag="set_started"):
    """Set ``number`` of this table begins, at 0 : 0."""

    number: int


class DealStarted(TableEvent, frozen=True, kw_only=True, tag="deal_started"):
    """Deal ``number`` of the set: the pack is shuffled and committed to; ``turn``, left of the dealer, cuts."""

    number: int
    dealer: Seat
    commitment: str
    turn: Seat


class PackCut(TableEvent, frozen=True, kw_only=True, tag="pack_cut"):
    """``at`` cards were lifted."""

    seat: Seat
    at: int
    by: Actor = Actor.PLAYER


class HandsDealt(TableEvent, frozen=True, kw_only=True, tag="hands_dealt"):
    """Thirteen cards each. ``hand`` is the viewer's own and left out for spectators."""

    turn: Seat
    hand: tuple[Card, ...] | None = None


class CallMade(TableEvent, frozen=True, kw_only=True, tag="call_made"):
    """A call, with the ``suit`` that a bid names where bids do; ``turn`` calls next, if the auction goes on."""

    seat: Seat
    call: CallKind
    tricks: int | None = None
    suit: Suit | None = None
    remark: Remark | None = None
    by: Actor = Actor.PLAYER
    turn: Seat | None = None


class AuctionWon(TableEvent, frozen=True, kw_only=True, tag="auction_won"):
    """``seat`` is the declarer and is to name the tarneeb, unless the bid did: then there is ``suit``, and
    ``trump_named`` follows. ``tricks`` is 13 for "game"; ``doubled``: the deal counts twice.
    """

    seat: Seat
    call: CallKind
    tricks: int
    suit: Suit | None = None
    doubled: bool = False


class DealVoided(TableEvent, frozen=True, kw_only=True, tag="deal_voided"):
    """All four passed; nobody scores."""


class TrumpNamed(TableEvent, frozen=True, kw_only=True, tag="trump_named"):
    """The declarer named the tarneeb, in the bid or after the auction, and leads."""

    seat: Seat
    suit: Suit
    by: Actor = Actor.PLAYER


class CardPlayed(TableEvent, frozen=True, kw_only=True, tag="card_played"):
    """A card; ``winning`` is the seat winning the trick so far; ``turn`` plays next, if the trick goes on."""

    seat: Seat
    card: Card
    winning: Seat
    by: Actor = Actor.PLAYER
    turn: Seat | None = None


class TrickTaken(TableEvent, frozen=True, kw_only=True, tag="trick_taken"):
    """``seat`` won the trick; ``taken`` is tricks by team after it; ``turn`` leads next, if one is left."""

    seat: Seat
    taken: tuple[int, int]
    turn: Seat | None = None


class DealScored(TableEvent, frozen=True, kw_only=True, tag="deal_scored"):
    """How the deal was reckoned."""

    score: DealScore


class DealRevealed(TableEvent, frozen=True, kw_only=True, tag="deal_revealed"):
    """The shuffled pack before the cut, top first, and the salt, as committed to in ``deal_started``."""

    pack: tuple[Card, ...]
    salt: str


class SetWon(TableEvent, frozen=True, kw_only=True, tag="set_won"):
    """The set is over."""

    team: Team
    scores: tuple[int, int]


class TableClosed(TableEvent, frozen=True, kw_only=True, tag="table_closed"):
    """The table is no more; everybody at it is back in the lobby."""

    reason: str
