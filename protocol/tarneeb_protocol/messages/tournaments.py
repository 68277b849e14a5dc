"""Tournaments: requests, replies, and the state as a whole."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.tournaments.formats import FormatKind
from tarneeb_protocol.messages.base import Message, Reply, Request
from tarneeb_protocol.messages.limits import MAX_TABLES, NameText, Seq, ShortText, TableId, TournamentId
from tarneeb_protocol.messages.requests import RuleChoices
from tarneeb_protocol.messages.tables import BotLevel


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
