"""What the journal keeps, as values: the state of a session or a table after a command, and what is no more.

An entry replaces the earlier one with the same ``key``, so that writing the latest of each is enough, however
many there were. Together they are all that a server needs to go on where it stopped (``restoring``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tarneeb_engine.attribution import Actor
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.tournaments.formats import FormatKind
from tarneeb_engine.tournaments.knock_out import KnockOut
from tarneeb_engine.tournaments.round_robin import RoundRobin
from tarneeb_engine.tournaments.winner_stays import WinnerStays
from tarneeb_protocol.messages import (
    BotLevel,
    ChatLine,
    Done,
    Error,
    Joined,
    Opened,
    TournamentOpened,
    TournamentState,
)
from tarneeb_server.passwords import PasswordHash

if TYPE_CHECKING:
    from tarneeb_engine.transcript import Transcript
    from tarneeb_engine.views import DealScore

Key: TypeAlias = tuple[str, *tuple[int, ...]]
KeptAnswer: TypeAlias = Done | Error | Opened | Joined | TournamentOpened | None
"""The reply to a request; ``None`` for one that is simply answered anew."""


@dataclass(frozen=True, slots=True)
class KeepSession:
    """A session. ``table`` is where it is; of its tokens the hashes alone are known (``sessions``)."""

    id: int
    name: str
    token_hash: bytes = field(repr=False)
    previous_hash: bytes | None = field(repr=False)
    table: int | None

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("session", self.id)


@dataclass(frozen=True, slots=True)
class ForgetSession:
    """A session has ended; its replies go with it."""

    id: int

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("session", self.id)


@dataclass(frozen=True, slots=True)
class KeepReply:
    """What a request was answered, for when it is sent again. ``slot`` is its place in a ring."""

    session: int
    slot: int
    request: int
    answer: KeptAnswer

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("reply", self.session, self.slot)


class KeptPlayer(msgspec.Struct, frozen=True, tag="player"):
    """A player in a seat, as ``seating.SeatedPlayer`` has it."""

    session: int
    name: str
    is_ready: bool
    is_away: bool
    is_awaited: bool = False
    has_stand_in: bool = False


class KeptBot(msgspec.Struct, frozen=True, tag="bot"):
    """A bot in a seat."""

    level: BotLevel


KeptSeat: TypeAlias = KeptPlayer | KeptBot | None


class KeepTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table without the deals of its set. A later ``KeepDeal`` may have taken ``seq`` and ``turn_seq``
    further. ``first_dealer`` is that of the set, ``None`` before the first set. What has a default was not kept
    by earlier versions; ``seen``, by session, is what they had in place of ``seen_hands``, which is by the
    player's name. ``actors`` are those who
    have acted in the set so far. ``password`` is text in what they kept, and in nothing that is written now.
    """

    number: int
    name: str
    rules: Ruleset
    turn_seconds: int
    grace_seconds: int | None = None
    stand_in: BotLevel | None = None
    can_watch: bool
    password: PasswordHash | str | None
    opened_by: int
    seats: tuple[KeptSeat, KeptSeat, KeptSeat, KeptSeat]
    spectators: tuple[tuple[int, str], ...]
    chat: tuple[ChatLine, ...]
    set_number: int
    first_dealer: Seat | None
    since: dict[int, int]
    seen: dict[int, Seat] = msgspec.field(default_factory=dict)
    seen_hands: dict[str, Seat] = msgspec.field(default_factory=dict)
    actors: tuple[Actor, ...] = ()
    seq: int
    turn_seq: int
    tournament: int | None = None

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("table", self.number)


@dataclass(frozen=True, slots=True)
class ForgetTable:
    """A table was closed; its deals go with it."""

    number: int

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("table", self.number)


@dataclass(frozen=True, slots=True)
class KeepDeal:
    """A deal as far as it has come: the shuffled pack, the salt, and what was done, in words of ``deal_log``.

    It holds every hand: the journal is as secret as the server's memory.
    """

    table: int
    set_number: int
    number: int
    pack: str = field(repr=False)
    salt: bytes = field(repr=False)
    actions: str
    seq: int
    turn_seq: int

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("deal", self.table, self.set_number, self.number)


@dataclass(frozen=True, slots=True)
class KeepBan:
    """A ban (``bans``). ``network`` is text; ``seconds_left`` counts from the moment it is kept, or read, and
    is at most 0 when it is over.
    """

    number: int
    name: str | None
    network: str | None
    reason: str
    seconds_left: float | None

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("ban", self.number)


@dataclass(frozen=True, slots=True)
class ForgetBan:
    """A ban was lifted, or is over."""

    number: int

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("ban", self.number)


@dataclass(frozen=True, slots=True)
class Record:
    """Keep the transcript of a finished set. ``number`` counts the sets of the table from 1. ``sessions`` are
    those of the players by seat, ``levels`` those of the bots; ``None`` for the others. ``is_open`` tells that
    anybody could watch the table. ``history`` is what each deal scored, void ones left out; ``tournament`` the
    number of the tournament that the set was part of.

    The transcript goes as a value: writing it out plays the whole set again, which the table need not wait for.
    """

    table: int
    table_name: str
    number: int
    players: tuple[str, str, str, str]
    scores: tuple[int, int]
    winner: int
    transcript: Transcript
    sessions: tuple[int | None, int | None, int | None, int | None]
    levels: tuple[BotLevel | None, BotLevel | None, BotLevel | None, BotLevel | None]
    is_open: bool
    history: tuple[DealScore, ...]
    tournament: int | None = None

    @property
    def key(self) -> Key:
        """What it replaces: nothing, for a set ends once."""
        return ("set", self.table, self.number)


class Entrant(msgspec.Struct, frozen=True):
    """One of a team: a player's session, or a bot's level. ``accepted`` tells that it wants to play."""

    session: int | None
    name: str
    level: BotLevel | None
    accepted: bool


class EnteredTeam(msgspec.Struct, frozen=True):
    """Two who entered a tournament together; the second was invited by the first, or drawn."""

    name: str
    players: tuple[Entrant, Entrant]

    def has(self, session: int) -> bool:
        """Whether the session is one of the two, invited or not."""
        return any(entrant.session == session for entrant in self.players)

    def invites(self, session: int) -> bool:
        """Whether the session is asked to be one of the two."""
        return any(entrant.session == session and not entrant.accepted for entrant in self.players)


class KeepTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament: all of it. Of ``queue``, ``league`` and ``ladder`` the one of its format is there once it
    has begun; ``tables`` are those where pairings are played, by place. Its number is not that of any table.
    """

    number: int
    name: str
    format: FormatKind
    rules: Ruleset
    turn_seconds: int
    stand_in: BotLevel
    can_watch: bool
    by_lot: bool
    sets: int | None
    wins: int | None
    table_count: int
    appear_seconds: int
    opener: int
    opener_name: str
    state: TournamentState = TournamentState.FORMING
    seq: int = 0
    teams: tuple[EnteredTeam, ...] = ()
    invited: tuple[EnteredTeam, ...] = ()
    alone: tuple[Entrant, ...] = ()
    followers: tuple[int, ...] = ()
    queue: WinnerStays | None = None
    league: RoundRobin | None = None
    ladder: KnockOut | None = None
    tables: dict[int, int] = msgspec.field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("tournament", self.number)


@dataclass(frozen=True, slots=True)
class ForgetTournament:
    """A tournament that was over for long enough."""

    number: int

    @property
    def key(self) -> Key:
        """What it replaces."""
        return ("tournament", self.number)


Keep: TypeAlias = (
    KeepSession
    | ForgetSession
    | KeepReply
    | KeepTable
    | ForgetTable
    | KeepDeal
    | KeepBan
    | ForgetBan
    | Record
    | KeepTournament
    | ForgetTournament
)
"""An effect that is for the journal. All of one command are committed together, before anybody hears of it."""
KEEPS = (
    KeepSession,
    ForgetSession,
    KeepReply,
    KeepTable,
    ForgetTable,
    KeepDeal,
    KeepBan,
    ForgetBan,
    Record,
    KeepTournament,
    ForgetTournament,
)


@dataclass(slots=True)
class Kept:
    """All that a journal holds. The numbers are the highest ever given, so that none is given twice."""

    sessions: list[KeepSession] = field(default_factory=list)
    replies: list[KeepReply] = field(default_factory=list)
    tables: list[KeepTable] = field(default_factory=list)
    deals: list[KeepDeal] = field(default_factory=list)
    bans: list[KeepBan] = field(default_factory=list)
    tournaments: list[KeepTournament] = field(default_factory=list)
    last_session: int = 0
    last_table: int = 0
