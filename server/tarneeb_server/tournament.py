"""One tournament as those in it command it: entering, answering, withdrawing, and what its sets bring.

No I/O. A command first checks, raising ``NotGranted`` with nothing changed, and then changes. Which tables are
opened, and who sits down there, is the lobby's part (``tournaments``).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from tarneeb_engine.seats import Seat
from tarneeb_engine.tournaments.formats import FormatKind, Pairing
from tarneeb_engine.tournaments.knock_out import KnockOut
from tarneeb_engine.tournaments.published import PublishedFormat
from tarneeb_engine.tournaments.round_robin import RoundRobin
from tarneeb_engine.tournaments.standings import TeamResult
from tarneeb_engine.tournaments.winner_stays import WinnerStays
from tarneeb_protocol import messages as wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import MAX_PAIRINGS, TournamentState
from tarneeb_protocol.names import are_alike
from tarneeb_server.effects import Effect, Send, log
from tarneeb_server.kept import EnteredTeam, Entrant, KeepTournament
from tarneeb_server.refusing import NotGranted

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from tarneeb_server.effects import SessionId
    from tarneeb_server.playing import Expected

MOST_TEAMS = {FormatKind.WINNER_STAYS: 16, FormatKind.ROUND_ROBIN: 16, FormatKind.KNOCK_OUT: 64}
"""A queue of 16 waits for 14 sets, and those who wait can all watch; a league of 16 has 120 sets."""
BOT_NAME = "Bot"


class Tournament:
    """One tournament. ``kept`` is its whole state, and what the journal keeps; ``deadlines`` are when the teams
    that are called to a table are to have appeared, by table.
    """

    def __init__(self, kept: KeepTournament) -> None:
        self.kept = kept
        self.deadlines: dict[int, float] = {}
        self._is_changed = False
        self._former: tuple[SessionId, ...] = ()
        """Who was told before the change: who is in no team any more is told so, once."""

    def __repr__(self) -> str:
        return f"<Tournament {self.number} {self.state.value} seq={self.kept.seq}>"

    @property
    def number(self) -> int:
        """Its number, from that of the tables."""
        return self.kept.number

    @property
    def state(self) -> TournamentState:
        """How far it has come."""
        return self.kept.state

    @property
    def play(self) -> WinnerStays | RoundRobin | KnockOut | None:
        """Who meets whom, once it has begun."""
        return self.kept.queue or self.kept.league or self.kept.ladder

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who is to play now."""
        return () if self.play is None or self.state is not TournamentState.PLAYING else self.play.pairings

    def entrants(self) -> tuple[Entrant, ...]:
        """All who entered or are invited, bots too, but for teams that went home."""
        out = frozenset() if self.play is None else self.play.out
        there = [team for number, team in enumerate(self.kept.teams) if number not in out]
        members = [entrant for team in (*there, *self.kept.invited) for entrant in team.players]
        return (*members, *self.kept.alone)

    def names(self, session: SessionId) -> bool:
        """Whether the session is one of ``entrants``."""
        return any(entrant.session == session for entrant in self.entrants())

    def audience(self) -> tuple[SessionId, ...]:
        """Who is told of every change."""
        everybody = [entrant for team in (*self.kept.teams, *self.kept.invited) for entrant in team.players]
        sessions = [entrant.session for entrant in (*everybody, *self.kept.alone)]
        return tuple(
            dict.fromkeys(
                session
                for session in (*sessions, self.kept.opener, *self.kept.followers)
                if session is not None
            )
        )

    # ------------------------------------------------------------ before it begins

    def check_can_enter(self) -> None:
        """``NotGranted`` where nobody can enter."""
        is_late = self.state is TournamentState.PLAYING and self.kept.format is not FormatKind.WINNER_STAYS
        if self.state is TournamentState.OVER or is_late or (self.kept.by_lot and self.play is not None):
            raise NotGranted(
                ErrorCode.WRONG_TOURNAMENT_STATE, "it has begun, and no other team can enter", "tournament"
            )
        most = MOST_TEAMS[self.kept.format]
        count = len(self.kept.teams) + len(self.kept.invited) + (len(self.kept.alone) + 1) // 2
        if count >= most:
            raise NotGranted(ErrorCode.CANNOT_ENTER, f"{most} teams have entered, and no more may")

    def enter(self, team: EnteredTeam) -> None:
        """A team whose players are not in another one. ``NotGranted``: its name is taken."""
        self.check_can_enter()
        if any(are_alike(team.name, other.name) for other in (*self.kept.teams, *self.kept.invited)):
            raise NotGranted(ErrorCode.CANNOT_ENTER, "another team has this name, or one like it", "team")
        if all(entrant.accepted for entrant in team.players):
            self._join(team)
        else:
            self._change(invited=(*self.kept.invited, team))

    def enter_alone(self, entrant: Entrant) -> None:
        """Somebody who is to be given a partner by lot."""
        self.check_can_enter()
        self._change(alone=(*self.kept.alone, entrant))

    def answer(self, session: SessionId, *, accepts: bool) -> None:
        """An invited player says yes or no. ``NotGranted``: ``not_entered``."""
        team = next((team for team in self.kept.invited if team.invites(session)), None)
        if team is None:
            raise NotGranted(ErrorCode.NOT_ENTERED, "nobody has invited you to this tournament", "tournament")
        self._change(invited=tuple(other for other in self.kept.invited if other is not team))
        if accepts:
            players = (team.players[0], msgspec.structs.replace(team.players[1], accepted=True))
            self._join(EnteredTeam(team.name, players))

    def _join(self, team: EnteredTeam) -> None:
        self._change(teams=(*self.kept.teams, team))
        if self.kept.queue is not None:
            self._change(queue=self.kept.queue.enter())

    def begin(self, rng: random.Random) -> None:
        """Lots are drawn and the first teams are called. ``NotGranted`` for fewer than two teams."""
        if self.state is not TournamentState.FORMING:
            raise NotGranted(ErrorCode.WRONG_TOURNAMENT_STATE, "it has begun already", "tournament")
        teams = list(self.kept.teams)
        if self.kept.by_lot:
            teams += self._drawn(rng)
            rng.shuffle(teams)
        if len(teams) < 2:
            raise NotGranted(
                ErrorCode.WRONG_TOURNAMENT_STATE,
                f"a tournament needs two teams or more; {len(teams)} have entered",
                "tournament",
            )
        self._change(teams=tuple(teams), alone=(), state=TournamentState.PLAYING)
        kept, count = self.kept, len(teams)
        if kept.format is FormatKind.WINNER_STAYS:
            self._change(queue=WinnerStays.begin(count, sets=kept.sets, wins=kept.wins))
        elif kept.format is FormatKind.ROUND_ROBIN:
            self._change(league=RoundRobin.begin(count, table_count=kept.table_count), invited=())
        else:
            self._change(ladder=KnockOut.begin(count, table_count=kept.table_count), invited=())

    def _drawn(self, rng: random.Random) -> list[EnteredTeam]:
        """Teams of two by lot; whoever is left over has a bot for a partner."""
        alone = list(self.kept.alone)
        rng.shuffle(alone)
        if len(alone) % 2:
            alone.append(Entrant(None, BOT_NAME, self.kept.stand_in, accepted=True))
        teams: list[EnteredTeam] = []
        for one, other in zip(alone[::2], alone[1::2], strict=True):
            name = f"{one.name[:11]}+{other.name[:11]}"
            while any(are_alike(name, team.name) for team in (*self.kept.teams, *teams)):
                name = f"{name[:20]} {len(teams) + 2}"
            teams.append(EnteredTeam(name, (one, other)))
        return teams

    # ------------------------------------------------------------ while it is played

    def withdraw(self, session: SessionId, playing: Iterable[int]) -> None:
        """Everything that the session has entered or is invited to; ``playing`` are places with a set in
        progress. ``NotGranted``: ``not_entered``.
        """
        if self.state is TournamentState.OVER or not self.names(session):
            raise NotGranted(ErrorCode.NOT_ENTERED, "you are in no team of this tournament", "tournament")
        self._change(
            alone=tuple(entrant for entrant in self.kept.alone if entrant.session != session),
            invited=tuple(team for team in self.kept.invited if not team.has(session)),
        )
        for team in [team for team in self.kept.teams if team.has(session)]:
            self._withdraw(team, playing)

    def withdraw_team(self, name: str, playing: Iterable[int]) -> None:
        """A team that its opener takes out. ``NotGranted``: ``not_entered``."""
        for team in (*self.kept.teams, *self.kept.invited):
            if are_alike(team.name, name):
                self._change(invited=tuple(other for other in self.kept.invited if other is not team))
                if team in self.kept.teams:
                    self._withdraw(team, playing)
                return
        raise NotGranted(ErrorCode.NOT_ENTERED, "no team of this tournament has this name", "team")

    def _withdraw(self, team: EnteredTeam, playing: Iterable[int]) -> None:
        if self.play is None:
            self._change(teams=tuple(other for other in self.kept.teams if other is not team))
            return
        if self.state is not TournamentState.PLAYING:
            return
        number = self.kept.teams.index(team)
        if number in self.play.out:
            return
        places = set(playing)
        is_playing = any(number in pairing.teams for pairing in self.pairings if pairing.place in places)
        self._go_on(self.play.withdraw(number, is_playing=is_playing))

    def set_ended(self, place: int, winner: int, scores: tuple[int, int]) -> None:
        """The set at a place of ``pairings`` is over."""
        assert self.play is not None  # noqa: S101  (a set was played)
        pairing = next(pairing for pairing in self.pairings if pairing.place == place)
        side = next(team for team in (Seat.SOUTH.team(), Seat.EAST.team()) if team == winner)
        self._go_on(self.play.set_ended(place, TeamResult(pairing.teams, side, scores)))

    def not_there(self, place: int, absent: Iterable[int]) -> None:
        """Teams that were called to a place did not appear in time."""
        assert self.play is not None  # noqa: S101  (teams were called)
        self._go_on(self.play.not_there(place, absent))

    def end(self) -> None:
        """It is over, whatever is being played. ``NotGranted`` when it was already."""
        if self.state is TournamentState.OVER:
            raise NotGranted(ErrorCode.WRONG_TOURNAMENT_STATE, "it is over already", "tournament")
        self._change(state=TournamentState.OVER, invited=(), alone=())

    def follow(self, session: SessionId, *, follows: bool) -> None:
        """Somebody wants, or does not want, to be told of changes. That is no change itself."""
        others = tuple(other for other in self.kept.followers if other != session)
        self.kept = msgspec.structs.replace(self.kept, followers=(*others, session) if follows else others)

    def with_tables(self, tables: dict[int, int]) -> None:
        """Which table each place is played at."""
        if tables != self.kept.tables:
            self._change(tables=tables)

    def called(self, table: int, deadline: float | None) -> None:
        """The teams of a table are to appear by ``deadline``; ``None``, they have."""
        self._note_change()
        if deadline is None:
            self.deadlines.pop(table, None)
        else:
            self.deadlines[table] = deadline

    def place_of(self, table: int) -> int | None:
        """The place that is played at the table."""
        return next((place for place, at in self.kept.tables.items() if at == table), None)

    def expected_at(self, pairing: Pairing) -> Expected:
        """Who is to have each seat: the partners sit opposite."""
        teams = [self.kept.teams[team] for team in pairing.teams]
        players = [teams[seat.team()].players[seat >= Seat.NORTH] for seat in Seat]
        return tuple(player.session if player.level is None else player.level for player in players)

    def seat_of(self, session: SessionId, table: int) -> Seat | None:
        """The seat that is the session's at a table, if it is called there or plays."""
        place = self.place_of(table)
        pairing = next((pairing for pairing in self.pairings if pairing.place == place), None)
        if pairing is None:
            return None
        expected = self.expected_at(pairing)
        # A level of a bot is text, and no number of a session.
        return next((seat for seat in Seat if expected[seat] == session), None)

    def _go_on(self, play: WinnerStays | RoundRobin | KnockOut) -> None:
        if isinstance(play, WinnerStays):
            self._change(queue=play)
        elif isinstance(play, RoundRobin):
            self._change(league=play)
        else:
            self._change(ladder=play)
        if play.is_over or not self._has_anybody():
            self._change(state=TournamentState.OVER, invited=())

    def _has_anybody(self) -> bool:
        """Whether a player is left: bots alone play no tournament."""
        return any(entrant.session is not None for entrant in self.entrants())

    def _change(self, **changes: object) -> None:
        self._note_change()
        self.kept = msgspec.structs.replace(self.kept, **changes)

    def _note_change(self) -> None:
        if not self._is_changed:
            self._former = self.audience()
        self._is_changed = True

    # ------------------------------------------------------------ what is told of it

    def take(self, now: float) -> list[Effect]:
        """What the journal and the audience are to know, if anything has changed."""
        if not self._is_changed:
            return []
        self._is_changed = False
        self.kept = msgspec.structs.replace(self.kept, seq=self.kept.seq + 1)
        return [
            self.kept,
            log("tournament", tournament=self.number, state=self.state.value, seq=self.kept.seq),
            Send(tuple(dict.fromkeys((*self.audience(), *self._former))), self.message(now)),
        ]

    def message(self, now: float) -> wire.Tournament:
        """All of it, as everybody sees it."""
        kept, play = self.kept, self.play
        return wire.Tournament(
            tournament=kept.number,
            seq=kept.seq,
            name=kept.name,
            state=kept.state,
            format=kept.format,
            opener=kept.opener_name,
            rules=kept.rules,
            turn_seconds=kept.turn_seconds,
            appear_seconds=kept.appear_seconds,
            by_lot=kept.by_lot,
            sets=kept.sets,
            wins=kept.wins,
            teams=self._team_summaries(),
            alone=tuple(entrant.name for entrant in kept.alone),
            ranking=() if play is None else play.ranking(),
            waiting=() if play is None or kept.state is TournamentState.OVER else play.waiting,
            pairings=self._pairing_summaries(),
            called=self._calls(now),
        )

    def summary(self) -> wire.TournamentSummary:
        """As the lobby lists it."""
        kept = self.kept
        return wire.TournamentSummary(
            tournament=kept.number,
            name=kept.name,
            state=kept.state,
            format=kept.format,
            opener=kept.opener_name,
            rules=kept.rules,
            by_lot=kept.by_lot,
            teams=len(kept.teams) + len(kept.invited) + (len(kept.alone) + 1) // 2,
            sets_played=0 if self.play is None else len(self.play.results),
        )

    def _team_summaries(self) -> tuple[wire.TeamSummary, ...]:
        kept, play = self.kept, self.play
        out = frozenset() if play is None else play.out
        summaries = [
            wire.TeamSummary(name=team.name, players=_players(team), is_out=number in out)
            for number, team in enumerate((*kept.teams, *kept.invited))
        ]
        for standing in () if play is None else play.standings():
            summaries[standing.team] = msgspec.structs.replace(
                summaries[standing.team],
                played=standing.sets_played,
                won=standing.sets_won,
                run=standing.sets_in_a_row,
                best_run=standing.best_run,
                points_for=standing.points_for,
                points_against=standing.points_against,
            )
        return tuple(summaries)

    def _pairing_summaries(self) -> tuple[wire.PairingSummary, ...]:
        play = self.play
        if play is None:
            return ()
        if not isinstance(play, PublishedFormat):
            told = [_result_summary(result, 0) for result in play.results]
            told += [self._pairing_summary(pairing) for pairing in self.pairings]
            return tuple(told[-MAX_PAIRINGS:])
        results = dict(zip(play.played_places, play.results, strict=True))
        return tuple(
            _result_summary(results[pairing.place], pairing.turn)
            if pairing.place in results
            else self._pairing_summary(pairing)
            for pairing in play.published()
        )

    def _pairing_summary(self, pairing: Pairing) -> wire.PairingSummary:
        table = self.kept.tables.get(pairing.place) if self.state is TournamentState.PLAYING else None
        return wire.PairingSummary(teams=pairing.teams, turn=pairing.turn, table=table)

    def _calls(self, now: float) -> tuple[wire.CallSummary, ...]:
        calls: list[wire.CallSummary] = []
        for pairing in self.pairings:
            table = self.kept.tables.get(pairing.place)
            if table is None or table not in self.deadlines:
                continue
            seconds = max(0, math.ceil(self.deadlines[table] - now))
            for side, team in enumerate(pairing.teams):
                seats = (Seat(side), Seat(side + 2))
                if any(entrant.level is None for entrant in self.kept.teams[team].players):
                    calls.append(wire.CallSummary(team=team, table=table, seats=seats, seconds=seconds))
        return tuple(calls)


def _players(team: EnteredTeam) -> tuple[wire.EntrantSummary, wire.EntrantSummary]:
    one, other = (
        wire.EntrantSummary(name=entrant.name, level=entrant.level, accepted=entrant.accepted)
        for entrant in team.players
    )
    return one, other


def _result_summary(result: TeamResult, turn: int) -> wire.PairingSummary:
    return wire.PairingSummary(
        teams=result.teams,
        turn=turn,
        winner=result.winner,
        scores=None if result.is_walkover else result.scores,
        is_walkover=result.is_walkover,
    )
