"""Every code of ``error``, ``refused`` and ``goodbye``, in one table; and what this package raises.

``docs/protocol.md``, "Codes", is this table, and a test keeps the two alike. Engine refusals have their own
values here, so that one enum holds all that can stand in a ``code`` field.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class ErrorCode(StrEnum):
    """A value of the field ``code``. What each means stands in ``CODES``."""

    # framing and msgpack: the connection is beyond repair
    BAD_FRAME = "bad_frame"
    FRAME_TOO_LONG = "frame_too_long"
    NOT_MSGPACK = "not_msgpack"
    NOT_A_MAP = "not_a_map"
    BAD_KEY = "bad_key"
    FORBIDDEN_TYPE = "forbidden_type"
    TOO_DEEP = "too_deep"
    # handshake
    HELLO_EXPECTED = "hello_expected"
    HELLO_TIMEOUT = "hello_timeout"
    TLS_REQUIRED = "tls_required"
    UNSUPPORTED_VERSION = "unsupported_version"
    BAD_NAME = "bad_name"
    WRONG_PASSWORD = "wrong_password"
    BAD_TOKEN = "bad_token"
    SERVER_FULL = "server_full"
    # life of a connection
    WRONG_STATE = "wrong_state"
    LEFT = "left"
    IDLE = "idle"
    SUPERSEDED = "superseded"
    SLOW_CONSUMER = "slow_consumer"
    SHUTDOWN = "shutdown"
    KICKED = "kicked"
    BANNED = "banned"
    INTERNAL_ERROR = "internal_error"
    # any request
    BAD_REQUEST = "bad_request"
    UNKNOWN_TYPE = "unknown_type"
    ID_TOO_OLD = "id_too_old"
    RATE_LIMITED = "rate_limited"
    # lobby and tables
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_RECORD = "no_such_record"
    TOO_MANY_TABLES = "too_many_tables"
    STORAGE_FAILED = "storage_failed"
    BAD_RULES = "bad_rules"
    BAD_TEXT = "bad_text"
    NOT_AT_TABLE = "not_at_table"
    ALREADY_AT_TABLE = "already_at_table"
    NOT_A_PLAYER = "not_a_player"
    SEAT_TAKEN = "seat_taken"
    TABLE_FULL = "table_full"
    NO_SUCH_PARTNER = "no_such_partner"
    CANNOT_WATCH = "cannot_watch"
    SEEN_ANOTHER_HAND = "seen_another_hand"
    NO_BOT_THERE = "no_bot_there"
    WRONG_TABLE_STATE = "wrong_table_state"
    TABLE_OVER = "table_over"
    STALE = "stale"
    # tournaments
    NO_SUCH_TOURNAMENT = "no_such_tournament"
    TOO_MANY_TOURNAMENTS = "too_many_tournaments"
    WRONG_TOURNAMENT_STATE = "wrong_tournament_state"
    NOT_THE_OPENER = "not_the_opener"
    CANNOT_ENTER = "cannot_enter"
    NOT_ENTERED = "not_entered"
    RESERVED = "reserved"
    # the engine's refusals of an action
    SET_OVER = "set_over"
    NO_DEAL = "no_deal"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    BAD_CUT = "bad_cut"
    BID_TOO_LOW = "bid_too_low"
    BID_TOO_HIGH = "bid_too_high"
    MATCH_IS_DEALERS = "match_is_dealers"
    NO_GAME_CALL = "no_game_call"
    BID_NEEDS_SUIT = "bid_needs_suit"
    BID_NAMES_NO_SUIT = "bid_names_no_suit"
    NO_DOUBLE = "no_double"
    DEALER_STUCK = "dealer_stuck"
    NO_REMARKS = "no_remarks"
    CARD_NOT_HELD = "card_not_held"
    MUST_FOLLOW_SUIT = "must_follow_suit"
    MUST_LEAD_TARNEEB = "must_lead_tarneeb"


class Retry(StrEnum):
    """Whether the same thing, tried again, can be granted."""

    NO = "no"
    """The same again fails again: change it first."""
    LATER = "later"
    """The same may be granted when something else has changed, or after a while."""
    RESUME = "resume"
    """Connect again and resume the session."""


class Carrier(StrEnum):
    """The message that brings a code."""

    ERROR = "error"
    """The connection stays open."""
    REFUSED = "refused"
    """Answer to a hello; the connection closes."""
    GOODBYE = "goodbye"
    """The connection closes."""


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """One row of the table: what the code means, whether retrying helps, which messages bring it."""

    meaning: str
    retry: Retry
    carriers: tuple[Carrier, ...]

    @property
    def stays_open(self) -> bool:
        """Whether the connection can stay open: it does when the code comes in an ``error``."""
        return Carrier.ERROR in self.carriers

    @property
    def open_after(self) -> str:
        """Whether the connection stays open after the code, as the document's table says it."""
        if not self.stays_open:
            return "no"
        return "yes" if self.carriers == (Carrier.ERROR,) else "after `error`"


_ERROR = (Carrier.ERROR,)
_REFUSED = (Carrier.REFUSED,)
_GOODBYE = (Carrier.GOODBYE,)
_ENDS = (Carrier.REFUSED, Carrier.GOODBYE)
_NO, _LATER, _RESUME = Retry.NO, Retry.LATER, Retry.RESUME

CODES: Final[Mapping[ErrorCode, CodeEntry]] = MappingProxyType(
    {
        ErrorCode.BAD_FRAME: CodeEntry("The length in a frame's header is zero.", _NO, _ENDS),
        ErrorCode.FRAME_TOO_LONG: CodeEntry(
            "The length in a frame's header is over the limit of its direction.", _NO, _ENDS
        ),
        ErrorCode.NOT_MSGPACK: CodeEntry(
            "The payload is not exactly one msgpack value within the limits: it is cut off, has bytes after it,"
            " or holds text that is not UTF-8 or an array or map that is too long.",
            _NO,
            _ENDS,
        ),
        ErrorCode.NOT_A_MAP: CodeEntry("The payload is msgpack, but not a map.", _NO, _ENDS),
        ErrorCode.BAD_KEY: CodeEntry(
            "A map has a key that is not a string, or the same key twice.", _NO, _ENDS
        ),
        ErrorCode.FORBIDDEN_TYPE: CodeEntry(
            "The payload holds a msgpack type that the protocol has no use for: bin or ext.", _NO, _ENDS
        ),
        ErrorCode.TOO_DEEP: CodeEntry("Maps and arrays are nested deeper than any message needs.", _NO, _ENDS),
        ErrorCode.HELLO_EXPECTED: CodeEntry("The first frame was not a `hello`.", _NO, _REFUSED),
        ErrorCode.HELLO_TIMEOUT: CodeEntry("No `hello` came in time.", _LATER, _REFUSED),
        ErrorCode.TLS_REQUIRED: CodeEntry(
            "The server speaks TLS alone: connect again and begin with it.", _NO, _REFUSED
        ),
        ErrorCode.UNSUPPORTED_VERSION: CodeEntry(
            "Client and server have no version in common; `refused` names the server's.", _NO, _REFUSED
        ),
        ErrorCode.BAD_NAME: CodeEntry(
            "The player's name, or a table's, is empty, too long, or holds characters that names may not hold;"
            " or the player's holds no letter or digit, or a reserved word.",
            _NO,
            (Carrier.ERROR, Carrier.REFUSED),
        ),
        ErrorCode.WRONG_PASSWORD: CodeEntry(
            "The server, or the table, has a password, and it was not this one.",
            _NO,
            (Carrier.ERROR, Carrier.REFUSED),
        ),
        ErrorCode.BAD_TOKEN: CodeEntry(
            "No session has this resume token: it was used already, or the session has ended."
            " Say `hello` without it.",
            _NO,
            _REFUSED,
        ),
        ErrorCode.SERVER_FULL: CodeEntry("The server has as many connections as it takes.", _LATER, _REFUSED),
        ErrorCode.WRONG_STATE: CodeEntry(
            "The message may not come at this point of the connection: a second `hello`, for one.",
            _NO,
            _GOODBYE,
        ),
        ErrorCode.LEFT: CodeEntry("A client's own goodbye: it leaves for good.", _NO, _GOODBYE),
        ErrorCode.IDLE: CodeEntry("Nothing was received for `dead_seconds`.", _RESUME, _GOODBYE),
        ErrorCode.SUPERSEDED: CodeEntry(
            "Another connection resumed this session. Do not resume in turn: the two would chase each other.",
            _NO,
            _GOODBYE,
        ),
        ErrorCode.SLOW_CONSUMER: CodeEntry(
            "The other end does not read: more was waiting to be sent than the server keeps.", _RESUME, _GOODBYE
        ),
        ErrorCode.SHUTDOWN: CodeEntry(
            "The server is stopping, or is going to stop: it opens no tables and begins no sets any more.",
            _LATER,
            (Carrier.ERROR, Carrier.REFUSED, Carrier.GOODBYE),
        ),
        ErrorCode.KICKED: CodeEntry("The host of the server ended this session.", _NO, _ENDS),
        ErrorCode.BANNED: CodeEntry(
            "The host of the server lets nobody in by this name, or from this address.", _NO, _ENDS
        ),
        ErrorCode.INTERNAL_ERROR: CodeEntry(
            "The server has a fault of its own; its log tells the host more.",
            _LATER,
            (Carrier.ERROR, Carrier.REFUSED, Carrier.GOODBYE),
        ),
        ErrorCode.BAD_REQUEST: CodeEntry(
            "A field is missing, has the wrong type or a value that it cannot have; `field` tells which.",
            _NO,
            (Carrier.ERROR, Carrier.REFUSED),
        ),
        ErrorCode.UNKNOWN_TYPE: CodeEntry("No message of this `type` is known in this direction.", _NO, _ERROR),
        ErrorCode.ID_TOO_OLD: CodeEntry(
            "The request's `id` is smaller than one already used, and its reply is not kept: ids must grow.",
            _NO,
            _ERROR,
        ),
        ErrorCode.RATE_LIMITED: CodeEntry(
            "Too many requests or chat lines in a short time. In `goodbye` or `refused`: far too many.",
            _LATER,
            (Carrier.ERROR, Carrier.REFUSED, Carrier.GOODBYE),
        ),
        ErrorCode.NO_SUCH_TABLE: CodeEntry("No open table has this number.", _NO, _ERROR),
        ErrorCode.NO_SUCH_RECORD: CodeEntry(
            "No recorded set has this number, or this session may not see it.", _NO, _ERROR
        ),
        ErrorCode.TOO_MANY_TABLES: CodeEntry(
            "The server, or this session, has as many tables open as it may.", _LATER, _ERROR
        ),
        ErrorCode.STORAGE_FAILED: CodeEntry(
            "The server's disk is full or failing, so that it opens no tables. Those that are open go on.",
            _LATER,
            _ERROR,
        ),
        ErrorCode.BAD_RULES: CodeEntry("No such preset, or rule options that no table can have.", _NO, _ERROR),
        ErrorCode.BAD_TEXT: CodeEntry(
            "The chat line is empty, too long, or holds characters that chat may not hold.", _NO, _ERROR
        ),
        ErrorCode.NOT_AT_TABLE: CodeEntry("The session is at no table.", _NO, _ERROR),
        ErrorCode.ALREADY_AT_TABLE: CodeEntry(
            "The session is at a table already: leave it first.", _NO, _ERROR
        ),
        ErrorCode.NOT_A_PLAYER: CodeEntry(
            "Only a player at the table may do this, and the session is a spectator.", _NO, _ERROR
        ),
        ErrorCode.SEAT_TAKEN: CodeEntry("A player has the seat.", _LATER, _ERROR),
        ErrorCode.TABLE_FULL: CodeEntry(
            "Players have all the seats, or for `add_bot` no seat is empty.", _LATER, _ERROR
        ),
        ErrorCode.NO_SUCH_PARTNER: CodeEntry("No player of that name sits at the table.", _NO, _ERROR),
        ErrorCode.CANNOT_WATCH: CodeEntry("The table takes no spectators, or no more of them.", _LATER, _ERROR),
        ErrorCode.SEEN_ANOTHER_HAND: CodeEntry(
            "The player has seen a hand of the deal in progress and may take no other seat until it is over.",
            _LATER,
            _ERROR,
        ),
        ErrorCode.NO_BOT_THERE: CodeEntry("No bot has that seat.", _NO, _ERROR),
        ErrorCode.WRONG_TABLE_STATE: CodeEntry(
            "Not in the table's present state: no bot is removed during a set, nobody says ready in one.",
            _LATER,
            _ERROR,
        ),
        ErrorCode.TABLE_OVER: CodeEntry("The set has ended; the action came too late.", _NO, _ERROR),
        ErrorCode.STALE: CodeEntry(
            "The action was decided before the turn began: `act.seq` is smaller than the number of the event"
            " with which it began. Catch up, then decide.",
            _NO,
            _ERROR,
        ),
        ErrorCode.NO_SUCH_TOURNAMENT: CodeEntry("No tournament has this number.", _NO, _ERROR),
        ErrorCode.TOO_MANY_TOURNAMENTS: CodeEntry(
            "The server, or this session, has as many tournaments open as it may.", _LATER, _ERROR
        ),
        ErrorCode.WRONG_TOURNAMENT_STATE: CodeEntry(
            "Not in the tournament's present state: nobody enters one whose pairings are published.",
            _NO,
            _ERROR,
        ),
        ErrorCode.NOT_THE_OPENER: CodeEntry(
            "Only who opened the tournament, or the host of the server, may do this.", _NO, _ERROR
        ),
        ErrorCode.CANNOT_ENTER: CodeEntry(
            "The tournament is full, the team's name is taken, there is no such player, or one of the two has"
            " entered already.",
            _LATER,
            _ERROR,
        ),
        ErrorCode.NOT_ENTERED: CodeEntry(
            "The session is in no team of the tournament, or is not invited.", _NO, _ERROR
        ),
        ErrorCode.RESERVED: CodeEntry(
            "The seats of this table are for the teams of a tournament that are called to it.", _LATER, _ERROR
        ),
        ErrorCode.SET_OVER: CodeEntry(
            "The set has ended; nothing more can be done in it (rule 21).", _NO, _ERROR
        ),
        ErrorCode.NO_DEAL: CodeEntry("No deal is in progress.", _LATER, _ERROR),
        ErrorCode.WRONG_PHASE: CodeEntry(
            "The deal has not come to this kind of action, or is past it.", _LATER, _ERROR
        ),
        ErrorCode.NOT_YOUR_TURN: CodeEntry("Another seat is to act.", _LATER, _ERROR),
        ErrorCode.BAD_CUT: CodeEntry("A cut lifts 1 to 51 cards (rule 6).", _NO, _ERROR),
        ErrorCode.BID_TOO_LOW: CodeEntry(
            "The bid does not outrank the highest bid, or is under 7 (rule 9).", _NO, _ERROR
        ),
        ErrorCode.BID_TOO_HIGH: CodeEntry("A bid names at most 13 tricks (rule 9).", _NO, _ERROR),
        ErrorCode.MATCH_IS_DEALERS: CodeEntry(
            "Only the dealer may match the highest bid, and only where the rules have the match (rule 10).",
            _NO,
            _ERROR,
        ),
        ErrorCode.NO_GAME_CALL: CodeEntry('The rules in force have no "game" call (rule 22).', _NO, _ERROR),
        ErrorCode.BID_NEEDS_SUIT: CodeEntry(
            "The rules in force ask for the suit along with the number (rule 24).", _NO, _ERROR
        ),
        ErrorCode.BID_NAMES_NO_SUIT: CodeEntry(
            "The rules in force have bids without a suit (rules 9, 14).", _NO, _ERROR
        ),
        ErrorCode.NO_DOUBLE: CodeEntry(
            "There is nothing that this seat may double, or the rules in force have no double (rule 26).",
            _NO,
            _ERROR,
        ),
        ErrorCode.DEALER_STUCK: CodeEntry(
            "The dealer may not pass when the other three have (rule 12).", _NO, _ERROR
        ),
        ErrorCode.NO_REMARKS: CodeEntry(
            "The rules in force allow no remark with a call (rule 13).", _NO, _ERROR
        ),
        ErrorCode.CARD_NOT_HELD: CodeEntry("The card is not in this seat's hand.", _NO, _ERROR),
        ErrorCode.MUST_FOLLOW_SUIT: CodeEntry(
            "The seat holds a card of the suit led and must play one (rule 16).", _NO, _ERROR
        ),
        ErrorCode.MUST_LEAD_TARNEEB: CodeEntry(
            "The declarer's first lead must be of the tarneeb suit (rule 15).", _NO, _ERROR
        ),
    }
)
"""Each code's row, in the order of ``ErrorCode``."""


class ProtocolError(Exception):
    """Base of what the protocol raises. ``code`` names the fault; the text is for a person to read."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} ({self.code.value})"


class LocalProtocolError(ProtocolError, ValueError):
    """This end tried what the protocol does not allow: a value or a moment that it may not have. Nothing was
    sent; the connection is as it was.
    """


class RemoteProtocolError(ProtocolError):
    """The other end broke the protocol. Nothing more can be received on the connection."""
