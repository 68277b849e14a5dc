"""Every message of the protocol, version 1, as a tagged struct.

On the wire a message is one msgpack map whose ``type`` names the struct. Fields with a default may
be left out, and are left out when they have it; ``nil`` and absent mean the same for them. Unknown
fields are ignored. There are no floats, no binary strings and no extension types.

``Hello``, ``Welcome`` and ``Refused`` are frozen for ever: any version can read any other's.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.ruleset import AuctionKind, Dealing, FourPasses, Ruleset, SuitBids, Thirteen
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.tournaments.formats import FormatKind
from tarneeb_engine.views import DealScore, PublicView

PROTOCOL_VERSION = 1
"""The one version that this package speaks."""

MAX_ID = 2**53 - 1
"""The largest request id and event number: every JSON number and IEEE double can hold it."""
MAX_NAME_CHARS = 24
"""Characters of a player's or a table's name: fits a seat of the 80-column table."""
MAX_CHAT_CHARS = 300
"""Characters of one chat line: about four lines of an 80-column terminal."""
MAX_TABLES_LISTED = 64
"""Tables in one ``tables``: with the longest names in every seat they take 53 KiB."""
MAX_CHAT_LINES = 20
"""Chat lines in a snapshot, the latest: 27 KiB at most."""
MAX_SPECTATORS = 64
"""Spectators of a table: their names take 7 KiB of a snapshot at most."""
MAX_HISTORY = 200
"""Scores in a snapshot's ``public.history``, the latest: 22 KiB. A set seldom has 20 deals, but four players
who always fail can make it as long as they like."""
MAX_SETS_LISTED = 32
"""Sets in one ``sets``: with the longest names they take 19 KiB."""
MAX_PIECE_CHARS = 12_000
"""Characters of a transcript in one ``set_text``: 47 KiB at most, and a set of some twenty deals."""
MAX_TEAMS = 64
"""Teams of a tournament: with the longest names, and a pairing of each, 42 KiB of its message."""
MAX_TABLES = 32
"""Tables of a tournament: all that ``MAX_TEAMS`` can need."""
MAX_PAIRINGS = 128
"""Pairings of a tournament that are told: all of a league of 16 or a ladder of 64, the latest of a queue."""
MAX_TOURNAMENTS_LISTED = 64
"""Tournaments in one ``tournaments``: 20 KiB at most."""

RequestId = Annotated[int, Meta(ge=0, le=MAX_ID)]
Seq = Annotated[int, Meta(ge=0, le=MAX_ID)]
TableId = Annotated[int, Meta(ge=1, le=MAX_ID)]
RecordId = Annotated[int, Meta(ge=1, le=MAX_ID)]
TournamentId = Annotated[int, Meta(ge=1, le=MAX_ID)]
NameText = Annotated[str, Meta(min_length=1, max_length=64)]
"""A name as it arrives; ``text.clean_name`` decides what is accepted."""
ChatText = Annotated[str, Meta(min_length=1, max_length=2 * MAX_CHAT_CHARS)]
PasswordText = Annotated[str, Meta(max_length=128)]
ShortText = Annotated[str, Meta(max_length=128)]


class BotLevel(StrEnum):
    """How a bot plays."""

    RANDOM = "random"
    STEADY = "steady"


class Actor(StrEnum):
    """Who decided an action."""

    PLAYER = "player"
    """The player in the seat."""
    BOT = "bot"
    """The bot in the seat."""
    CLOCK = "clock"
    """The server, because the player's time ran out or the player is away."""


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of all messages."""


# ---------------------------------------------------------------- handshake and life of a connection


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """Client's first frame. ``resume`` is the token of an earlier session, ``seq`` the last event
    number that the client has of the table it was at.
    """

    protocol_min: Annotated[int, Meta(ge=1)]
    protocol_max: Annotated[int, Meta(ge=1)]
    client: ShortText
    name: NameText
    capabilities: tuple[ShortText, ...] = ()
    password: PasswordText | None = None
    resume: ShortText | None = None
    seq: Seq | None = None


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """Server's answer to a hello it accepts. ``name`` is what the player is called here, ``token``
    resumes this session later (once). ``resumed`` tells whether ``Hello.resume`` did. ``table`` is the table
    the session is at, if any; its missed events or a snapshot follow. ``grace_seconds`` is how long the session
    is held without a connection where it is: at a table the table's.
    """

    protocol: int
    server: str
    server_name: str
    name: str
    token: str
    resumed: bool = False
    table: TableId | None = None
    capabilities: tuple[str, ...] = ()
    ping_seconds: int
    dead_seconds: int
    grace_seconds: int


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Server's answer to a hello it does not accept; the connection then closes. The versions are
    those the server speaks.
    """

    code: str
    message: str
    protocol_min: int
    protocol_max: int


class Describe(Message, frozen=True, kw_only=True, tag="describe"):
    """Before its hello a client asks what the server is; answered by ``about``. It has no fields."""


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset that ``open_table.preset`` can name: ``title`` is its name for people and ``differs`` a
    paragraph on how it is played, both in English.
    """

    name: str
    title: str = ""
    differs: str = ""
    rules: Ruleset


class ServerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a server takes: bytes of payload, characters once cleaned, numbers of things."""

    client_frame: int
    server_frame: int
    name_chars: int
    chat_chars: int
    connections: int
    tables: int
    tables_per_session: int
    spectators: int
    kept_replies: int
    kept_events: int
    waiting_bytes: int
    connections_per_address: int | None = None


class About(Message, frozen=True, kw_only=True, tag="about"):
    """Server's answer to ``describe``: the same for everybody who asks. Times in seconds, ``turn_seconds`` 0 is
    no clock; ``turn_seconds``, ``grace_seconds`` and ``stand_in`` stand for tables that do not say.
    ``needs_password`` tells that a hello must bring one.
    """

    protocol_min: int
    protocol_max: int
    software: str
    server: str
    server_name: str
    needs_password: bool = False
    capabilities: tuple[str, ...] = ()
    presets: tuple[Preset, ...]
    turn_seconds: int
    stand_in: BotLevel = BotLevel.STEADY
    hello_seconds: int
    ping_seconds: int
    dead_seconds: int
    grace_seconds: int
    limits: ServerLimits


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    """Either end asks for a ``pong`` with the same ``nonce``."""

    nonce: Seq = 0


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """Answer to a ``ping``."""

    nonce: Seq = 0


class Goodbye(Message, frozen=True, kw_only=True, tag="goodbye"):
    """The sender will close the connection. From a client: it leaves for good, its session ends and its
    seat is given up. From a server: ``resumable`` tells whether the session lives on, ``retry_seconds``
    when to come back.
    """

    code: ShortText
    message: str = ""
    resumable: bool = False
    retry_seconds: int | None = None


# ---------------------------------------------------------------- actions


class CutAction(msgspec.Struct, frozen=True, tag_field="type", tag="cut"):
    """Lift ``at`` cards from the top (rule 6)."""

    at: int


class CallAction(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="call"):
    """Call in the auction (rules 9–13, 24–26). ``tricks`` goes with ``bid`` alone; so does ``suit``, where the
    rules have bids name it.
    """

    call: CallKind
    tricks: int | None = None
    remark: Remark | None = None
    suit: Suit | None = None

    def __post_init__(self) -> None:
        if (self.call is CallKind.BID) != (self.tricks is not None):
            raise ValueError('`tricks` goes with the call "bid", which needs it, and with no other')
        if self.suit is not None and self.call is not CallKind.BID:
            raise ValueError('`suit` goes with the call "bid" and with no other')


class TrumpAction(msgspec.Struct, frozen=True, tag_field="type", tag="trump"):
    """Name the tarneeb (rule 14)."""

    suit: Suit


class PlayAction(msgspec.Struct, frozen=True, tag_field="type", tag="play"):
    """Play a card (rules 15–16)."""

    card: Card


class ReadyAction(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """Say yes to the next set."""


WireAction: TypeAlias = CutAction | CallAction | TrumpAction | PlayAction | ReadyAction


# ---------------------------------------------------------------- requests


class Request(Message, frozen=True, kw_only=True):
    """Base of requests. ``id`` is chosen by the client and must grow within a session."""

    id: RequestId


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


class ListSets(Request, frozen=True, kw_only=True, tag="list_sets"):
    """Ask for the recorded sets that this session may see, the latest first; answered by ``sets``. ``before``
    leaves out all from that number on.
    """

    before: RecordId | None = None


class GetSet(Request, frozen=True, kw_only=True, tag="get_set"):
    """Ask for the transcript of a recorded set from character ``offset`` on; answered by ``set_text``."""

    record: RecordId
    offset: Seq = 0


class OpenTournament(Request, frozen=True, kw_only=True, tag="open_tournament"):
    """Open a tournament; answered by ``tournament_opened``. It enters nobody. ``sets`` and ``wins`` end one of
    the format ``winner_stays``, ``tables`` bounds the tables of the others. A team that is called has
    ``appear_seconds``. With ``by_lot`` players enter alone. The rest is as in ``open_table``.
    """

    name: NameText
    format: FormatKind = FormatKind.WINNER_STAYS
    preset: ShortText = "tarneeb"
    rules: RuleChoices = RuleChoices()
    turn_seconds: Annotated[int, Meta(ge=0, le=3600)] | None = None
    stand_in: BotLevel | None = None
    spectators: bool = True
    by_lot: bool = False
    sets: Annotated[int, Meta(ge=1, le=999)] | None = None
    wins: Annotated[int, Meta(ge=1, le=999)] | None = None
    tables: Annotated[int, Meta(ge=1, le=MAX_TABLES)] | None = None
    appear_seconds: Annotated[int, Meta(ge=5, le=3600)] | None = None


class ListTournaments(Request, frozen=True, kw_only=True, tag="list_tournaments"):
    """Answered by ``tournaments``, lowest number first; ``after`` leaves out all up to that number."""

    after: TournamentId | None = None


class FollowTournament(Request, frozen=True, kw_only=True, tag="follow_tournament"):
    """Be sent ``tournament`` now and at every change; without ``follows``, no longer. Answered by ``done``."""

    tournament: TournamentId
    follows: bool = True


class EnterTournament(Request, frozen=True, kw_only=True, tag="enter_tournament"):
    """Enter as ``team`` with ``partner``, who is invited by it; by lot, alone and with neither. ``bots`` enters
    a team of two bots of that level, which the opener may. Answered by ``done``.
    """

    tournament: TournamentId
    team: NameText | None = None
    partner: NameText | None = None
    bots: BotLevel | None = None


class AnswerInvitation(Request, frozen=True, kw_only=True, tag="answer_invitation"):
    """Say yes or no to being somebody's partner. Answered by ``done``."""

    tournament: TournamentId
    accepts: bool = True


class Withdraw(Request, frozen=True, kw_only=True, tag="withdraw"):
    """Take one's team out of a tournament; the opener any ``team``. Answered by ``done``."""

    tournament: TournamentId
    team: NameText | None = None


class BeginTournament(Request, frozen=True, kw_only=True, tag="begin_tournament"):
    """The opener's word: lots are drawn, the first teams are called. Answered by ``done``."""

    tournament: TournamentId


class EndTournament(Request, frozen=True, kw_only=True, tag="end_tournament"):
    """The opener's word: it is over, and sets in progress do not count. Answered by ``done``."""

    tournament: TournamentId


# ---------------------------------------------------------------- replies


class Reply(Message, frozen=True, kw_only=True):
    """Base of replies. Everything that a request caused is sent before its reply."""

    id: RequestId


class Done(Reply, frozen=True, kw_only=True, tag="done"):
    """It is done. ``seq`` is the table's last event number, when at a table."""

    seq: Seq | None = None


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """A frame was not granted. ``id`` is the request's, if it could be read. ``field`` is the path of the
    field at fault, as in ``action.card``. ``seq`` is the table's last event number, when at a table.
    """

    id: RequestId | None = None
    code: str
    message: str
    field: str | None = None
    seq: Seq | None = None


class SeatSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who is in a seat. ``level`` is there for a bot alone; ``away_seconds`` is how long the seat is still
    held for a player who is away; ``has_stand_in`` tells that a bot plays for the player.
    """

    name: str
    level: BotLevel | None = None
    away_seconds: int | None = None
    ready: bool = False
    has_stand_in: bool = False


Seats: TypeAlias = tuple[SeatSummary | None, SeatSummary | None, SeatSummary | None, SeatSummary | None]


class TableState(StrEnum):
    """What a table is doing."""

    WAITING = "waiting"
    """Seats are empty."""
    PLAYING = "playing"
    """A set is being played."""
    SET_OVER = "set_over"
    """A set has ended; the next one begins when every player is ready."""


class TableSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table as the lobby lists it. The seats of a table of a ``tournament`` are its teams'."""

    table: TableId
    name: str
    state: TableState
    rules: Ruleset
    turn_seconds: int
    grace_seconds: int | None = None
    stand_in: BotLevel = BotLevel.STEADY
    seats: Seats
    spectators: int = 0
    can_watch: bool = True
    locked: bool = False
    deal: int | None = None
    scores: tuple[int, int] | None = None
    tournament: TournamentId | None = None


class Tables(Reply, frozen=True, kw_only=True, tag="tables"):
    """Answer to ``list_tables``: the open tables, at most ``MAX_TABLES_LISTED``. ``more`` tells that
    others follow: ask again with ``after``.
    """

    tables: tuple[TableSummary, ...]
    more: bool = False


class Opened(Reply, frozen=True, kw_only=True, tag="opened"):
    """Answer to ``open_table``."""

    table: TableId


class Joined(Reply, frozen=True, kw_only=True, tag="joined"):
    """Answer to ``join`` and ``watch``; ``seat`` is left out for a spectator."""

    table: TableId
    seat: Seat | None = None


class SetSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded set, as ``sets`` lists it: number ``record`` of the server, ``set_number`` of its table.
    ``players`` are those who sat there at its end, by seat; ``finished_at`` is in seconds since 1970, UTC.
    ``deals`` counts void ones too.
    """

    record: RecordId
    finished_at: int
    table: TableId
    table_name: str
    set_number: int
    players: tuple[str, str, str, str]
    deals: int
    team: Team
    scores: tuple[int, int]


class Sets(Reply, frozen=True, kw_only=True, tag="sets"):
    """Answer to ``list_sets``: at most ``MAX_SETS_LISTED``. ``more`` tells that there are earlier ones: ask
    again with ``before``.
    """

    sets: tuple[SetSummary, ...]
    more: bool = False


class SetText(Reply, frozen=True, kw_only=True, tag="set_text"):
    """Answer to ``get_set``: at most ``MAX_PIECE_CHARS`` characters of a transcript of ``length`` characters
    (``docs/notation.md``), from ``offset`` on.
    """

    record: RecordId
    offset: Seq
    text: str
    length: int


# ---------------------------------------------------------------- the table's stream


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


class TableEvent(Message, frozen=True, kw_only=True):
    """Base of events: numbered by table without gaps, the same numbers for every viewer."""

    table: TableId
    seq: Seq


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


# ---------------------------------------------------------------- tournaments


class TournamentState(StrEnum):
    """How far a tournament has come."""

    FORMING = "forming"
    """Teams enter."""
    PLAYING = "playing"
    """Sets are played."""
    OVER = "over"
    """Its standings are final."""


class EntrantSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One of a team. ``level`` is there for a bot alone; ``accepted`` tells that the player wants to play."""

    name: str
    level: BotLevel | None = None
    accepted: bool = False


class TeamSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A team and what it has done. ``run`` counts the sets won since the last that was not; the points are
    final scores of sets, added up. ``is_out`` tells that it plays no more because it went home.
    """

    name: str
    players: tuple[EntrantSummary, EntrantSummary]
    played: int = 0
    won: int = 0
    run: int = 0
    best_run: int = 0
    points_for: int = 0
    points_against: int = 0
    is_out: bool = False


class PairingSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Two teams that meet, or met, by side of the table: ``table`` while they do, then ``winner`` and
    ``scores``. A walkover has no scores, and no winner where nobody appeared.
    """

    teams: tuple[int, int]
    turn: int = 0
    table: TableId | None = None
    winner: Team | None = None
    scores: tuple[int, int] | None = None
    is_walkover: bool = False


class CallSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A team that is to say yes at a table: who has no seat there takes it with ``join``, who has one says
    ``ready``. ``seconds`` is the time left for it.
    """

    team: int
    table: TableId
    seats: tuple[Seat, Seat]
    seconds: int


class TournamentSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament as the lobby lists it. ``teams`` is how many have entered."""

    tournament: TournamentId
    name: str
    state: TournamentState
    format: FormatKind
    opener: str
    rules: Ruleset
    by_lot: bool = False
    teams: int = 0
    sets_played: int = 0


class Tournaments(Reply, frozen=True, kw_only=True, tag="tournaments"):
    """Answer to ``list_tournaments``. ``more`` tells that others follow: ask again with ``after``."""

    tournaments: tuple[TournamentSummary, ...]
    more: bool = False


class TournamentOpened(Reply, frozen=True, kw_only=True, tag="tournament_opened"):
    """Answer to ``open_tournament``."""

    tournament: TournamentId


class Tournament(Message, frozen=True, kw_only=True, tag="tournament"):
    """All that there is to know of a tournament, as it is after its change ``seq``: it replaces what was known.
    Sent to those who entered or are invited, its opener and its followers. Teams are numbered by their place in
    ``teams``. ``alone`` has entered for the lot; ``ranking`` has the best first, ``waiting`` the next.
    """

    tournament: TournamentId
    seq: Seq
    name: str
    state: TournamentState
    format: FormatKind
    opener: str
    rules: Ruleset
    turn_seconds: int
    appear_seconds: int
    by_lot: bool = False
    sets: int | None = None
    wins: int | None = None
    teams: tuple[TeamSummary, ...] = ()
    alone: tuple[str, ...] = ()
    ranking: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    pairings: tuple[PairingSummary, ...] = ()
    called: tuple[CallSummary, ...] = ()


CLIENT_MESSAGES: tuple[type[Message], ...] = (
    Hello,
    Describe,
    Ping,
    Pong,
    Goodbye,
    ListTables,
    OpenTable,
    Join,
    Watch,
    Leave,
    Chat,
    AddBot,
    RemoveBot,
    Act,
    Sync,
    ListSets,
    GetSet,
    OpenTournament,
    ListTournaments,
    FollowTournament,
    EnterTournament,
    AnswerInvitation,
    Withdraw,
    BeginTournament,
    EndTournament,
)
"""All that a client may send."""

EVENTS: tuple[type[TableEvent], ...] = (
    PlayerSeated,
    PlayerLeft,
    PlayerAway,
    PlayerBack,
    StandInBegan,
    StandInEnded,
    PlayerReady,
    BotSeated,
    BotRemoved,
    SpectatorJoined,
    SpectatorLeft,
    Said,
    SetStarted,
    DealStarted,
    PackCut,
    HandsDealt,
    CallMade,
    AuctionWon,
    DealVoided,
    TrumpNamed,
    CardPlayed,
    TrickTaken,
    DealScored,
    DealRevealed,
    SetWon,
    TableClosed,
)
"""All numbered events of a table."""

SERVER_MESSAGES: tuple[type[Message], ...] = (
    Welcome,
    Refused,
    About,
    Ping,
    Pong,
    Goodbye,
    Done,
    Error,
    Tables,
    Opened,
    Joined,
    Sets,
    SetText,
    Snapshot,
    Prompt,
    LobbySaid,
    Notice,
    Tournaments,
    TournamentOpened,
    Tournament,
    *EVENTS,
)
"""All that a server may send."""
