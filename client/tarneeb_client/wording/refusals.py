"""Why the server refuses, in the player's language: a sentence for each code of the protocol.

The server speaks English. Its message is shown where that is the language, because it holds more: names, what
is accepted. In any other language the client has sentences of its own.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tarneeb_client.language import N_, _, in_use
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.text import harmless

if TYPE_CHECKING:
    from collections.abc import Mapping

REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        ErrorCode.BAD_FRAME: N_("a frame cannot be read"),
        ErrorCode.FRAME_TOO_LONG: N_("a frame is too long"),
        ErrorCode.NOT_MSGPACK: N_("a frame is not msgpack"),
        ErrorCode.NOT_A_MAP: N_("a frame is not a map"),
        ErrorCode.BAD_KEY: N_("a frame has a key that is no text, or one twice"),
        ErrorCode.FORBIDDEN_TYPE: N_("a frame holds a type that the protocol does not have"),
        ErrorCode.TOO_DEEP: N_("a frame is nested too deep"),
        ErrorCode.HELLO_EXPECTED: N_("the client did not greet"),
        ErrorCode.HELLO_TIMEOUT: N_("the client did not greet in time"),
        ErrorCode.TLS_REQUIRED: N_("the server speaks with encryption alone"),
        ErrorCode.UNSUPPORTED_VERSION: N_("client and server have no version of the protocol in common"),
        ErrorCode.BAD_NAME: N_(
            "the name is empty, too long, or holds characters that no name may hold; or it has no letter or "
            "digit, or is or holds a word that is kept for the server, its host or its bots"
        ),
        ErrorCode.WRONG_PASSWORD: N_("the password is missing or wrong"),
        ErrorCode.BAD_TOKEN: N_("the earlier session has ended"),
        ErrorCode.SERVER_FULL: N_("the server is full; try again later"),
        ErrorCode.WRONG_STATE: N_("this message may not come now"),
        ErrorCode.LEFT: N_("you left for good"),
        ErrorCode.IDLE: N_("nothing was heard from you for too long"),
        ErrorCode.SUPERSEDED: N_("another client took over this seat"),
        ErrorCode.SLOW_CONSUMER: N_("your end did not read fast enough"),
        ErrorCode.SHUTDOWN: N_("the server is stopping, and begins nothing new"),
        ErrorCode.KICKED: N_(
            "the host of the server ended your session, or too many passwords were wrong; you may connect again"
        ),
        ErrorCode.BANNED: N_("the host of the server does not let you in"),
        ErrorCode.INTERNAL_ERROR: N_("the server has a fault of its own; its host finds it in the log"),
        ErrorCode.BAD_REQUEST: N_("a field of the request is missing or cannot have this value"),
        ErrorCode.UNKNOWN_TYPE: N_("the server does not know this request"),
        ErrorCode.ID_TOO_OLD: N_("the number of the request was used before"),
        ErrorCode.RATE_LIMITED: N_("too much in a short time; wait a moment"),
        ErrorCode.NO_SUCH_TABLE: N_("there is no such table"),
        ErrorCode.NO_SUCH_RECORD: N_("there is no such recorded set, or you may not see it"),
        ErrorCode.TOO_MANY_TABLES: N_("no more tables can be opened now"),
        ErrorCode.STORAGE_FAILED: N_("the server's disk fails, so no tables can be opened"),
        ErrorCode.BAD_RULES: N_("no table can have these rules"),
        ErrorCode.BAD_TEXT: N_("the text is empty, too long, or holds characters that chat may not hold"),
        ErrorCode.NOT_AT_TABLE: N_("you are at no table"),
        ErrorCode.ALREADY_AT_TABLE: N_("you are at a table already: leave it first"),
        ErrorCode.NOT_A_PLAYER: N_("you watch; only a player may do this"),
        ErrorCode.SEAT_TAKEN: N_("a player has this seat"),
        ErrorCode.TABLE_FULL: N_("no seat is free"),
        ErrorCode.NO_SUCH_PARTNER: N_("no player of this name sits at the table"),
        ErrorCode.CANNOT_WATCH: N_("the table takes no spectators, or no more of them"),
        ErrorCode.SEEN_ANOTHER_HAND: N_(
            "you have seen another hand of this deal, and may take this seat when the deal is over"
        ),
        ErrorCode.NO_BOT_THERE: N_("no bot has this seat"),
        ErrorCode.WRONG_TABLE_STATE: N_("this cannot be done while the table is as it is now"),
        ErrorCode.TABLE_OVER: N_("the set has ended; that came too late"),
        ErrorCode.STALE: N_("that was decided before your turn began: look, and decide again"),
        ErrorCode.NO_SUCH_TOURNAMENT: N_("there is no such tournament"),
        ErrorCode.TOO_MANY_TOURNAMENTS: N_("no more tournaments can be opened now"),
        ErrorCode.WRONG_TOURNAMENT_STATE: N_("this cannot be done while the tournament is as it is now"),
        ErrorCode.NOT_THE_OPENER: N_("only who opened the tournament may do this"),
        ErrorCode.CANNOT_ENTER: N_(
            "this team cannot enter: it is full, the name is taken, the partner is not here, or one of you has"
            " entered already"
        ),
        ErrorCode.NOT_ENTERED: N_("you are in no team of this tournament, and nobody has invited you"),
        ErrorCode.RESERVED: N_("this seat is for a team of the tournament"),
        ErrorCode.SET_OVER: N_("the set has ended"),
        ErrorCode.NO_DEAL: N_("no deal is in progress"),
        ErrorCode.WRONG_PHASE: N_("the deal has not come to this, or is past it"),
        ErrorCode.NOT_YOUR_TURN: N_("it is not your turn"),
        ErrorCode.BAD_CUT: N_("a cut lifts 1 to 51 cards"),
        ErrorCode.BID_TOO_LOW: N_("the bid is under 7, or not higher than the highest so far"),
        ErrorCode.BID_TOO_HIGH: N_("a bid names at most 13 tricks"),
        ErrorCode.MATCH_IS_DEALERS: N_("only the dealer may match the highest bid, where the rules have it"),
        ErrorCode.NO_GAME_CALL: N_("these rules have no call game"),
        ErrorCode.BID_NEEDS_SUIT: N_("a bid names its suit here, as 8h"),
        ErrorCode.BID_NAMES_NO_SUIT: N_("a bid is a number alone here; the declarer names the trump later"),
        ErrorCode.NO_DOUBLE: N_("only an opponent's highest bid can be doubled, once, where the rules have it"),
        ErrorCode.DEALER_STUCK: N_("three have passed: the dealer must bid"),
        ErrorCode.NO_REMARKS: N_("these rules allow no remark with a call"),
        ErrorCode.CARD_NOT_HELD: N_("you do not hold this card"),
        ErrorCode.MUST_FOLLOW_SUIT: N_("you hold cards of the suit that was led, and must play one"),
        ErrorCode.MUST_LEAD_TARNEEB: N_("the first lead must be a trump"),
    }
)
"""By code; without a capital or a full stop, as they stand within other sentences."""


def refusal_text(code: str, message: str) -> str:
    """What a refusal, an error or a goodbye says, harmless and without a full stop."""
    if in_use() == "en" or code not in REFUSALS:
        return harmless(message).rstrip(".")
    return _(REFUSALS[code])
