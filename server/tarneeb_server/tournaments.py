"""The tournaments of a server: what is asked of them, and their tables, to which the called teams come.

No I/O: effects go out, ``now`` comes in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.seats import Seat
from tarneeb_engine.tournaments.formats import MOST_TABLES, FormatKind
from tarneeb_protocol import messages as wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import TournamentState
from tarneeb_protocol.names import name_keys
from tarneeb_protocol.text import clean_name
from tarneeb_server.effects import Effect, Send, SessionId, SetTimer, TimerKey, TimerKind, log
from tarneeb_server.hosting import Hosting, NotDone
from tarneeb_server.kept import EnteredTeam, Entrant, ForgetTournament, KeepTournament, Record
from tarneeb_server.presence import Admission
from tarneeb_server.refusing import NotGranted
from tarneeb_server.rules_of import rules_of
from tarneeb_server.seating import SeatedPlayer
from tarneeb_server.table import Table
from tarneeb_server.table_options import TableOptions
from tarneeb_server.tournament import Tournament

if TYPE_CHECKING:
    from tarneeb_server.kept import Kept
    from tarneeb_server.sessions import Session

MOST_TOURNAMENTS = 32
"""Tournaments of a server that are not forgotten yet."""
MOST_OPENED = 2
"""Tournaments that one session has opened and that are not over."""
HOLD_SECONDS = 15 * 60
"""How long a session that a tournament names is held without a connection, and its seat with it."""
APPEAR_SECONDS = 120
"""How long a team that is called has, unless the opener says otherwise."""
LOOK_SECONDS = 10
"""How long a table whose teams have met stays, so that everybody sees how it ended."""
FORGET_SECONDS = 60 * 60
"""How long the standings of a tournament that is over can be looked at."""
FORMING_SECONDS = 6 * 60 * 60
"""How long a tournament that nobody begins is kept."""


OF_TOURNAMENTS = (
    wire.OpenTournament,
    wire.ListTournaments,
    wire.FollowTournament,
    wire.EnterTournament,
    wire.AnswerInvitation,
    wire.Withdraw,
    wire.BeginTournament,
    wire.EndTournament,
)
"""Requests that are about tournaments."""


class Tournaments(Hosting):
    """The tournaments, beside the tables. Requests raise ``NotGranted`` with nothing changed."""

    _tournaments: dict[int, Tournament] | None = None

    @property
    def tournaments(self) -> dict[int, Tournament]:
        """By number, those that are over too, until they are forgotten."""
        if self._tournaments is None:
            self._tournaments = {}
        return self._tournaments

    # ------------------------------------------------------------ requests

    def _of_tournaments(self, session: Session, request: wire.Request, now: float) -> list[Effect]:
        """The effects of one of ``OF_TOURNAMENTS``, its reply last."""
        match request:
            case wire.ListTournaments(after=after):
                return [Send((session.id,), self._listed(request.id, after or 0))]
            case wire.OpenTournament():
                effects, number = self._open_tournament(session, request, now)
                return [*effects, Send((session.id,), wire.TournamentOpened(id=request.id, tournament=number))]
            case wire.FollowTournament(tournament=number, follows=follows):
                effects = self._follow(session, self._tournament(number), follows=follows, now=now)
            case wire.EnterTournament():
                effects = self._enter_tournament(session, request, now)
            case wire.AnswerInvitation(tournament=number, accepts=accepts):
                tournament = self._tournament(number)
                tournament.answer(session.id, accepts=accepts)
                effects = self._arranged(tournament, now)
            case wire.Withdraw(tournament=number, team=team):
                effects = self._withdraw(session, self._tournament(number), team, now)
            case wire.BeginTournament(tournament=number):
                effects = self._begin(self._own(session, number), now)
            case wire.EndTournament(tournament=number):
                effects = self.end_tournament(self._own(session, number), now)
            case _:
                raise TypeError(f"not about tournaments: {type(request).__name__}")
        table = self._table_of(session)
        seq = None if table is None else table.stream.seq
        return [*effects, Send((session.id,), wire.Done(id=request.id, seq=seq))]

    def _listed(self, request_id: int, after: int) -> wire.Tournaments:
        found = [each.summary() for number, each in sorted(self.tournaments.items()) if number > after]
        most = wire.MAX_TOURNAMENTS_LISTED
        return wire.Tournaments(id=request_id, tournaments=tuple(found[:most]), more=len(found) > most)

    def _open_tournament(
        self, session: Session, request: wire.OpenTournament, now: float
    ) -> tuple[list[Effect], int]:
        name = _name(request.name, "name")
        rules = rules_of(request.preset, request.rules)
        self._check_can_open(session)
        ends = request.sets is not None or request.wins is not None
        if ends and request.format is not FormatKind.WINNER_STAYS:
            field = "wins" if request.sets is None else "sets"
            raise NotGranted(
                ErrorCode.BAD_REQUEST, "the number of sets ends a tournament of winner_stays alone", field
            )
        effects = self._make_room()
        self._last_table += 1
        number = self._last_table
        options = self._options_of_tables(request.turn_seconds, request.stand_in, request.spectators)
        kept = KeepTournament(
            number=number,
            name=name,
            format=request.format,
            rules=rules,
            turn_seconds=options.turn_seconds,
            stand_in=options.stand_in,
            can_watch=options.can_watch,
            by_lot=request.by_lot,
            sets=request.sets,
            wins=request.wins,
            table_count=request.tables or MOST_TABLES,
            appear_seconds=request.appear_seconds or APPEAR_SECONDS,
            opener=session.id,
            opener_name=session.name,
        )
        tournament = Tournament(kept)
        self.tournaments[number] = tournament
        tournament.follow(session.id, follows=True)
        tournament.with_tables({})
        effects += [
            log("tournament_opened", tournament=number, name=name, by=session.id),
            SetTimer(TimerKey(TimerKind.TOURNAMENT, number), now + FORMING_SECONDS),
            tournament.kept,
            Send((session.id,), tournament.message(now)),
        ]
        return effects, number

    def _check_can_open(self, session: Session) -> None:
        if self.is_draining:
            raise NotGranted(ErrorCode.SHUTDOWN, "the server is going to stop and opens nothing any more")
        if self.storage_fault is not None:
            raise NotGranted(
                ErrorCode.STORAGE_FAILED, f"the server cannot keep a tournament now ({self.storage_fault})"
            )
        going_on = [each for each in self.tournaments.values() if each.state is not TournamentState.OVER]
        if len(going_on) >= MOST_TOURNAMENTS:
            raise NotGranted(
                ErrorCode.TOO_MANY_TOURNAMENTS, f"{len(going_on)} tournaments are open, and no more may be"
            )
        if sum(each.kept.opener == session.id for each in going_on) >= MOST_OPENED:
            raise NotGranted(
                ErrorCode.TOO_MANY_TOURNAMENTS,
                f"you have {MOST_OPENED} tournaments open, and may open no more",
            )

    def _make_room(self) -> list[Effect]:
        """Forget the oldest of those that are over, if there are too many."""
        over = [number for number, each in self.tournaments.items() if each.state is TournamentState.OVER]
        return self._forget(over[0]) if len(self.tournaments) >= MOST_TOURNAMENTS and over else []

    def _follow(self, session: Session, tournament: Tournament, *, follows: bool, now: float) -> list[Effect]:
        tournament.follow(session.id, follows=follows)
        effects: list[Effect] = [tournament.kept]
        if follows:
            effects.append(Send((session.id,), tournament.message(now)))
        return effects

    def _enter_tournament(self, session: Session, request: wire.EnterTournament, now: float) -> list[Effect]:
        tournament = self._tournament(request.tournament)
        if request.bots is not None:
            self._own(session, request.tournament)
            bot = Entrant(None, "Bot", request.bots, accepted=True)
            tournament.enter(EnteredTeam(_name(request.team or "", "team"), (bot, bot)))
            return self._arranged(tournament, now)
        self._check_free(session, "you have", None)
        me = Entrant(session.id, session.name, None, accepted=True)
        if tournament.kept.by_lot:
            if request.partner is not None or request.team is not None:
                raise NotGranted(
                    ErrorCode.CANNOT_ENTER,
                    "lots are drawn here: enter alone, without team and partner",
                    "team" if request.partner is None else "partner",
                )
            tournament.enter_alone(me)
            return self._arranged(tournament, now)
        team = _name(request.team or "", "team")
        partner = self._partner(session, request.partner or "")
        self._check_free(partner, f"{partner.name} has", "partner")
        invited = Entrant(partner.id, partner.name, None, accepted=False)
        tournament.enter(EnteredTeam(team, (me, invited)))
        return self._arranged(tournament, now)

    def _partner(self, session: Session, name: str) -> Session:
        try:
            partner = self.session_called(name)
        except NotDone:
            partner = None
        # A number of a session is for the host alone.
        if partner is None or not partner.keys.agree(name_keys(name)):
            raise NotGranted(ErrorCode.CANNOT_ENTER, "no player of that name is here", "partner")
        if partner is session:
            raise NotGranted(ErrorCode.CANNOT_ENTER, "a team has two players; name another one", "partner")
        return partner

    def _check_free(self, session: Session, who_has: str, field: str | None) -> None:
        other = self._tournament_of(session.id)
        if other is not None:
            raise NotGranted(
                ErrorCode.CANNOT_ENTER,
                f"{who_has} entered tournament {other.number} already, or an invitation to it",
                field,
            )

    def _withdraw(self, session: Session, tournament: Tournament, team: str | None, now: float) -> list[Effect]:
        if team is None:
            tournament.withdraw(session.id, self._playing(tournament))
        else:
            self._own(session, tournament.number).withdraw_team(team, self._playing(tournament))
        return self._arranged(tournament, now)

    def _begin(self, tournament: Tournament, now: float) -> list[Effect]:
        count = len(tournament.kept.teams) + (len(tournament.kept.alone) + 1) // 2
        is_one = tournament.kept.format is FormatKind.WINNER_STAYS
        tables = 1 if is_one else min(tournament.kept.table_count, count // 2)
        if len(self.tables) + tables > self._settings.max_tables:
            raise NotGranted(
                ErrorCode.TOO_MANY_TABLES,
                f"{len(self.tables)} tables are open, and there is no room for {tables} more",
            )
        tournament.begin(self._chance.for_table(tournament.number).lots)
        return [
            log("tournament_begun", tournament=tournament.number, teams=len(tournament.kept.teams)),
            *self._arranged(tournament, now),
        ]

    def end_tournament(self, tournament: Tournament, now: float) -> list[Effect]:
        """It is over; sets in progress do not count. ``NotGranted`` when it was over."""
        tournament.end()
        return [*self._close_tables(tournament), *self._arranged(tournament, now)]

    def end_for_host(self, number: int, now: float) -> tuple[str, list[Effect]]:
        """End a tournament in its opener's place; its name and the effects. Raises ``NotDone``."""
        tournament = self.tournaments.get(number)
        if tournament is None:
            there = ", ".join(f"{each.kept.name} (#{each.number})" for each in self.tournaments.values())
            raise NotDone(f"there is no tournament {number}; there are: {there or 'none'}")
        try:
            return tournament.kept.name, self.end_tournament(tournament, now)
        except NotGranted as refusal:
            raise NotDone(f"tournament {number}: {refusal.message}") from None

    def _close_tables(self, tournament: Tournament) -> list[Effect]:
        effects: list[Effect] = []
        for table in list(self.tables.values()):
            if table.tournament == tournament.number:
                effects += self._close_table(table, "tournament_over")
        return effects

    def _tournament(self, number: int) -> Tournament:
        found = self.tournaments.get(number)
        if found is None:
            raise NotGranted(ErrorCode.NO_SUCH_TOURNAMENT, f"there is no tournament {number}", "tournament")
        return found

    def _own(self, session: Session, number: int) -> Tournament:
        tournament = self._tournament(number)
        if tournament.kept.opener != session.id:
            raise NotGranted(
                ErrorCode.NOT_THE_OPENER,
                f"{tournament.kept.opener_name} has opened this tournament; only the opener can do that",
                "tournament",
            )
        return tournament

    def _tournament_of(self, session: SessionId) -> Tournament | None:
        """The one tournament that names the session and is not over."""
        for tournament in self.tournaments.values():
            if tournament.state is not TournamentState.OVER and tournament.names(session):
                return tournament
        return None

    # ------------------------------------------------------------ tables

    def _arranged(self, tournament: Tournament, now: float) -> list[Effect]:
        """Tables as the pairings want them, then the news."""
        effects = self._arrange(tournament, now)
        if tournament.state is TournamentState.OVER:
            effects += self._over(tournament, now)
        return [*effects, *tournament.take(now)]

    def _arrange(self, tournament: Tournament, now: float) -> list[Effect]:
        effects: list[Effect] = []
        tables = dict(tournament.kept.tables)
        wanted = {pairing.place for pairing in tournament.pairings}
        for place in [place for place in tables if place not in wanted]:
            table = self.tables.get(tables.pop(place))
            if table is not None:
                effects += self._retire(table, tournament, now)
        for pairing in tournament.pairings:
            table = self.tables.get(tables.get(pairing.place, 0))
            if table is None:
                table, opening = self._open_for(tournament, now)
                effects += opening
                tables[pairing.place] = table.number
            if table.is_playing:
                continue
            was = table.expected
            effects += table.arrange(tournament.expected_at(pairing), now)
            if table.state is wire.TableState.PLAYING:
                tournament.called(table.number, None)
            elif was != table.expected or table.number not in tournament.deadlines:
                effects += self._call(tournament, table, now)
        tournament.with_tables(tables)
        return effects

    def _call(self, tournament: Tournament, table: Table, now: float) -> list[Effect]:
        until = now + tournament.kept.appear_seconds
        tournament.called(table.number, until)
        return [SetTimer(TimerKey(TimerKind.APPEAR, table.number), until)]

    def _options_of_tables(
        self, turn_seconds: int | None, stand_in: wire.BotLevel | None, can_watch: bool
    ) -> TableOptions:
        """What the tables of a tournament have in common: a seat is held long, and there is no password."""
        return self._table_options(
            turn_seconds=turn_seconds,
            grace_seconds=HOLD_SECONDS,
            stand_in=stand_in,
            password=None,
            can_watch=can_watch,
        )

    def _open_for(self, tournament: Tournament, now: float) -> tuple[Table, list[Effect]]:
        kept = tournament.kept
        options = self._options_of_tables(kept.turn_seconds, kept.stand_in, kept.can_watch)
        self._last_table += 1
        number = self._last_table
        chance = self._chance.for_table(number)
        table = Table(number, kept.name, kept.rules, options=options, chance=chance, opened_by=0)
        table.tournament = kept.number
        table.is_last_set = self.is_draining
        self.tables[number] = table
        return table, table.open(now)

    def _retire(self, table: Table, tournament: Tournament, now: float) -> list[Effect]:
        """The teams have met: nobody plays there any more, and in a moment it is closed."""
        tournament.called(table.number, None)
        table.is_last_set = True
        return [SetTimer(TimerKey(TimerKind.DESERTED, table.number), now + LOOK_SECONDS)]

    def _over(self, tournament: Tournament, now: float) -> list[Effect]:
        effects: list[Effect] = [
            log("tournament_over", tournament=tournament.number),
            SetTimer(TimerKey(TimerKind.TOURNAMENT, tournament.number), now + FORGET_SECONDS),
        ]
        for member in tournament.audience():
            session = self.sessions.get(member)
            if session is not None and not session.is_connected and session.table is None:
                self._homeless[session.id] = None
        return effects

    def _forget(self, number: int) -> list[Effect]:
        tournament = self.tournaments.pop(number)
        return [ForgetTournament(tournament.number)]

    def _playing(self, tournament: Tournament) -> list[int]:
        """The places with a set in progress."""
        tables = {place: self.tables.get(table) for place, table in tournament.kept.tables.items()}
        return [place for place, table in tables.items() if table is not None and table.is_playing]

    def _after_table(self, table: Table, effects: list[Effect], now: float) -> list[Effect]:
        """What a command of a table, which had ``effects``, means for its tournament."""
        tournament = None if table.tournament is None else self.tournaments.get(table.tournament)
        place = None if tournament is None else tournament.place_of(table.number)
        if tournament is None or place is None or tournament.state is not TournamentState.PLAYING:
            return []
        for effect in effects:
            if isinstance(effect, Record):
                tournament.set_ended(place, effect.winner, effect.scores)
                return self._arranged(tournament, now)
        if table.is_playing and table.number in tournament.deadlines:
            tournament.called(table.number, None)
            return tournament.take(now)
        return []

    def _take_reserved_seat(
        self, session: Session, table: Table, request: wire.Join, now: float
    ) -> tuple[Seat, list[Effect]]:
        """Sit down where the session's team is called to; from another table, if it is at one."""
        tournament = self.tournaments.get(table.tournament or 0)
        seat = None if tournament is None else tournament.seat_of(session.id, table.number)
        if seat is None or (request.seat is not None and request.seat is not seat):
            whose = "another player's" if seat is None else "your partner's or your opponents'"
            raise NotGranted(
                ErrorCode.RESERVED,
                f"this is a table of tournament {table.tournament}, and the seat is {whose}",
                "table" if request.seat is None else "seat",
            )
        effects: list[Effect] = []
        other = self._table_of(session)
        if other is not None and other is not table:
            session.table = None
            leaving = other.leave(session.id, "left", now)
            effects += [*leaving, *self._after_table(other, leaving, now)]
        taken, joining = table.join(session.id, session.name, seat, None, now)
        session.table = table.number
        effects += [session.kept(), *joining]
        return taken, [*effects, *self._after_table(table, joining, now)]

    # ------------------------------------------------------------ timers

    def _fire_for_tournament(self, key: TimerKey, now: float) -> list[Effect] | None:
        """The effects of a timer that is a tournament's; ``None`` if it is not."""
        if key.kind is TimerKind.TOURNAMENT:
            return self._tournament_timer(key.owner, now)
        table = self.tables.get(key.owner)
        if table is None or table.tournament is None:
            return [] if key.kind is TimerKind.APPEAR else None
        tournament = self.tournaments.get(table.tournament)
        place = None if tournament is None else tournament.place_of(table.number)
        if key.kind is TimerKind.DESERTED:
            return self._close_table(table, "tournament_over") if place is None else []
        if key.kind is not TimerKind.APPEAR:
            return None
        if tournament is None or place is None or table.is_playing or table.number not in tournament.deadlines:
            return []
        if table.is_last_set:
            # No set can begin now, however punctual everybody is.
            return [*self._call(tournament, table, now), *tournament.take(now)]
        tournament.called(table.number, None)
        tournament.not_there(place, self._absent(tournament, table, place))
        return self._arranged(tournament, now)

    def _absent(self, tournament: Tournament, table: Table, place: int) -> list[int]:
        (pairing,) = (pairing for pairing in tournament.pairings if pairing.place == place)
        missing = set()
        for seat in Seat:
            occupant = table.seating[seat]
            if occupant is None or (isinstance(occupant, SeatedPlayer) and not occupant.is_ready):
                missing.add(pairing.teams[seat.team()])
        return sorted(missing)

    def _tournament_timer(self, number: int, now: float) -> list[Effect]:
        tournament = self.tournaments.get(number)
        if tournament is None or tournament.state is TournamentState.PLAYING:
            return []
        if tournament.state is TournamentState.OVER:
            return self._forget(number)
        return self.end_tournament(tournament, now)

    # ------------------------------------------------------------ sessions

    def hello(
        self, hello: wire.Hello, now: float, address: str | None = None
    ) -> tuple[Admission | wire.Refused, list[Effect]]:
        """See ``Presence``; who comes back to a tournament is told how it stands."""
        admission, effects = super().hello(hello, now, address)
        if isinstance(admission, Admission) and admission.welcome.resumed:
            for tournament in self.tournaments.values():
                if admission.session in tournament.audience():
                    effects.append(Send((admission.session,), tournament.message(now)))
        return admission, effects

    def _grace_seconds(self, session: Session) -> int:
        own = super()._grace_seconds(session)
        return own if self._tournament_of(session.id) is None else max(own, HOLD_SECONDS)

    def _is_awaited(self, session: Session) -> bool:
        return self._tournament_of(session.id) is not None

    def _end(self, session: Session, reason: str, now: float) -> list[Effect]:
        effects = super()._end(session, reason, now)
        for tournament in list(self.tournaments.values()):
            if session.id in tournament.kept.followers:
                tournament.follow(session.id, follows=False)
            if tournament.state is TournamentState.OVER:
                continue
            if tournament.names(session.id):
                tournament.withdraw(session.id, self._playing(tournament))
                effects += self._arranged(tournament, now)
            if tournament.state is TournamentState.FORMING and tournament.kept.opener == session.id:
                effects += self.end_tournament(tournament, now)
        return effects

    # ------------------------------------------------------------ journal

    def restore(self, kept: Kept, now: float) -> list[Effect]:
        """See ``Presence``; tournaments whose sessions are lost go on without these."""
        effects = super().restore(kept, now)
        for entry in kept.tournaments:
            self.tournaments[entry.number] = Tournament(entry)
            self._last_table = max(self._last_table, entry.number)
        for table in list(self.tables.values()):
            if table.tournament is not None and table.tournament not in self.tournaments:
                effects += self._close_table(table, "tournament_over")
        return effects

    def restarted(self, now: float) -> list[Effect]:
        """See ``Presence``; teams that were called have their whole time again."""
        effects = super().restarted(now)
        for tournament in list(self.tournaments.values()):
            lasts = FORGET_SECONDS if tournament.state is TournamentState.OVER else FORMING_SECONDS
            effects.append(SetTimer(TimerKey(TimerKind.TOURNAMENT, tournament.number), now + lasts))
            places = tournament.kept.tables.values()
            for table in self.tables.values():
                if table.tournament == tournament.number and table.number not in places:
                    effects += self._retire(table, tournament, now)
            if tournament.state is TournamentState.OVER:
                continue
            for entrant in tournament.entrants():
                number = entrant.session
                if number is not None and self.sessions.get(number) is None and tournament.names(number):
                    tournament.withdraw(number, self._playing(tournament))
            effects += self._arranged(tournament, now)
        return effects


def _name(text: str, field: str) -> str:
    try:
        return clean_name(text, wire.MAX_NAME_CHARS)
    except ValueError as error:
        raise NotGranted(ErrorCode.BAD_NAME, str(error), field) from None
