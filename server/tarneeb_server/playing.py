"""What a table does by itself: the set, whose turn it is, the clock, what everybody is told.

No I/O: ``now`` comes in, effects go out. ``docs/design.md``, "Server", says how a table behaves.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from tarneeb_engine.attribution import Actor as RecordedActor
from tarneeb_engine.attribution import ActorKind, is_writable
from tarneeb_engine.bots import policy
from tarneeb_engine.events import DealScored, DealStarted, DealVoided, HandsDealt, SetWon
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.actions import to_wire
from tarneeb_protocol.messages import MAX_CHAT_LINES, Actor, ReadyAction, TableState
from tarneeb_server.effects import CancelTimer, Effect, Send, SetTimer, TimerKey, TimerKind, detail, log
from tarneeb_server.kept import KeepTable, KeptBot, KeptPlayer, KeptSeat, Record
from tarneeb_server.play import Play
from tarneeb_server.projection import project_deal_started, project_hands, project_public
from tarneeb_server.seating import SeatedBot, SeatedPlayer, Seating
from tarneeb_server.stream import EventStream
from tarneeb_server.turnclock import TurnClock

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from tarneeb_engine.actions import Action
    from tarneeb_engine.events import Event
    from tarneeb_engine.ruleset import Ruleset
    from tarneeb_protocol.messages import BotLevel, ChatLine, TableEvent
    from tarneeb_server.chance import Chance
    from tarneeb_server.effects import SessionId
    from tarneeb_server.seating import Occupant
    from tarneeb_server.table_options import TableOptions

Expected: TypeAlias = "tuple[SessionId | BotLevel | None, ...]"
"""Who is to have each seat: a player's session, a bot's level, ``None`` for nobody."""

_PLAY = (wire.CallMade, wire.AuctionWon, wire.TrumpNamed, wire.CardPlayed, wire.TrickTaken)
"""Events that change the deal in progress and nothing else about a table."""


class PlayingTable:
    """One table, without the commands of those who are at it. ``opened_by`` is the session that opened it."""

    def __init__(
        self,
        number: int,
        name: str,
        rules: Ruleset,
        *,
        options: TableOptions,
        chance: Chance,
        opened_by: SessionId,
    ) -> None:
        self.number = number
        self.name = name
        self.rules = rules
        self.options = options
        self.opened_by = opened_by
        self.seating = Seating()
        self.spectators: dict[SessionId, str] = {}
        self.stream = EventStream()
        self.chat_tail: deque[ChatLine] = deque(maxlen=MAX_CHAT_LINES)
        self.set_number = 0
        self.play: Play | None = None
        self.clock = TurnClock(options.turn_seconds)
        self.is_last_set = False
        """Whether no set begins any more, because the server is going to stop."""
        self._chance = chance
        self._out: list[Effect] = []
        self._turn_seq = 0
        self._armed: TimerKind | None = None
        self._since: dict[SessionId, int] = {}
        """The event from which on a viewer has been what it is now; earlier ones are not for its eyes."""
        self._seen: dict[str, Seat] = {}
        """Which hand of the deal in progress a player has seen, by the name: it stays the same for who quits
        and comes back."""
        self._is_changed = False
        """Whether the journal is to know more of this command than the deal in progress."""
        self._is_played = False
        """Whether the deal in progress is to be kept anew."""
        self._stand_in = policy(options.stand_in.value, chance.bots)
        self.tournament: int | None = None
        """Whose table it is: its seats are for the teams that are called to it."""
        self.expected: Expected | None = None
        """Who is to have each seat, at a tournament's table."""

    def __repr__(self) -> str:
        return f"<Table {self.number} {self.state.value} seq={self.stream.seq}>"

    @property
    def is_playing(self) -> bool:
        """Whether a set is in progress."""
        return self.play is not None and not self.play.is_over

    @property
    def state(self) -> TableState:
        """What the table is doing."""
        if self.is_playing:
            return TableState.PLAYING
        return TableState.SET_OVER if self.seating.is_full else TableState.WAITING

    @property
    def bots_rng(self) -> random.Random:
        """What the bots of this table choose by."""
        return self._chance.bots

    def members(self) -> tuple[SessionId, ...]:
        """Everybody at the table: players in seat order, then spectators."""
        return (*(player.session for _, player in self.seating.players), *self.spectators)

    def fire(self, kind: TimerKind, now: float) -> list[Effect]:
        """A timer of this table is due (``TURN`` or ``BOT``; ``DESERTED`` is the lobby's to act on)."""
        if kind is not self._armed or self._turn is None:
            return self._take()
        self._armed = None
        seat = self._turn
        occupant = self.seating[seat]
        if isinstance(occupant, SeatedBot):
            self._decide(seat, occupant, now)
        elif isinstance(occupant, SeatedPlayer):
            self._begin_stand_in(seat, occupant)
            self._decide(seat, None, now)
        return self._take()

    def _begin_stand_in(self, seat: Seat, player: SeatedPlayer) -> None:
        """From now on a bot plays for the player, until ``_end_stand_in`` or the player is back."""
        if player.has_stand_in:
            return
        player.has_stand_in = True
        for _, awaited in self.seating.players:
            awaited.is_awaited = False  # the table has waited once for all who did not come back to it
        self._tell(wire.StandInBegan(table=self.number, seq=self._next, seat=seat))
        self._out.append(log("stand_in_began", table=self.number, seat=int(seat), session=player.session))

    def _end_stand_in(self, seat: Seat, player: SeatedPlayer, now: float) -> None:
        """The player, who is connected, has a say again: the turn has what is left of its whole time."""
        if not player.has_stand_in:
            return
        player.has_stand_in = False
        self._tell(wire.StandInEnded(table=self.number, seq=self._next, seat=seat))
        self._out.append(log("stand_in_ended", table=self.number, seat=int(seat), session=player.session))
        if self._turn is seat:
            self.clock.come_back()
            self._arm(now)

    @property
    def _next(self) -> int:
        return self.stream.seq + 1

    @property
    def _turn(self) -> Seat | None:
        return None if self.play is None else self.play.turn

    @property
    def _is_paused(self) -> bool:
        """Nobody plays while no player is there to see it; but four bots of a tournament do."""
        if self.tournament is not None and not self.seating.players:
            return False
        return not self.seating.is_any_player_present()

    def restore(
        self, kept: KeepTable, play: Play | None, seats: Sequence[Occupant | None], *, seq: int, turn_seq: int
    ) -> None:
        """Become what the table was when it was kept (``restoring``). No event up to ``seq`` is at hand."""
        for seat, occupant in zip(Seat, seats, strict=True):
            self.seating[seat] = occupant
        self.stream = EventStream(seq)
        self.chat_tail.extend(kept.chat)
        self.set_number = kept.set_number
        self.play = play
        self._turn_seq = turn_seq
        self._since = dict(kept.since)
        self._seen = dict(kept.seen_hands)
        self.tournament = kept.tournament

    def kept(self) -> KeepTable:
        """What the journal is to know of it, but for the deals."""
        south, east, north, west = (_kept_seat(self.seating[seat]) for seat in Seat)
        return KeepTable(
            number=self.number,
            name=self.name,
            rules=self.rules,
            turn_seconds=self.options.turn_seconds,
            grace_seconds=self.options.grace_seconds,
            stand_in=self.options.stand_in,
            can_watch=self.options.can_watch,
            password=None if self.options.password is None else self.options.password.kept,
            opened_by=self.opened_by,
            seats=(south, east, north, west),
            spectators=tuple(self.spectators.items()),
            chat=tuple(self.chat_tail),
            set_number=self.set_number,
            first_dealer=None if self.play is None else self.play.first_dealer,
            since=dict(self._since),
            seen_hands=dict(self._seen),
            actors=() if self.play is None else tuple(self.play.actors),
            seq=self.stream.seq,
            turn_seq=self._turn_seq,
            tournament=self.tournament,
        )

    def _take(self) -> list[Effect]:
        """The effects of this command, what the journal is to know at the end."""
        if self._is_played:
            self._keep_deal()
        if self._is_changed:
            self._out.append(self.kept())
            self._is_changed = False
        effects, self._out = self._out, []
        return effects

    def _keep_deal(self) -> None:
        self._is_played = False
        if self.play is not None:
            self._out.append(self.play.kept(self.number, self.set_number, self.stream.seq, self._turn_seq))

    def _send(self, session: SessionId, message: wire.Message) -> None:
        self._out.append(Send((session,), message))

    def _tell(self, event: TableEvent, by_seat: tuple[wire.HandsDealt, ...] = ()) -> None:
        """Number it, keep it, send it to all who are at the table now."""
        self.stream.append(event, by_seat)
        if not isinstance(event, _PLAY):
            self._is_changed = True
        if not by_seat:
            self._out.append(Send(self.members(), event))
            return
        for seat, player in self.seating.players:
            self._send(player.session, by_seat[seat])
        self._out.append(Send(tuple(self.spectators), event))

    def _begin_set_if_ready(self, now: float) -> None:
        if self.is_playing or not self.seating.is_full or not self.seating.is_everybody_ready:
            return
        if self.is_last_set:
            return
        self.set_number += 1
        self.play = Play(self.rules, self._chance)
        self._tell(wire.SetStarted(table=self.number, seq=self._next, number=self.set_number))
        self._out.append(log("set_started", table=self.number, set=self.set_number))
        self._start_deal(self.play)
        self._begin_turn(now)

    def _start_deal(self, play: Play) -> None:
        self._seen.clear()
        if self._is_played:
            self._keep_deal()
        started = play.start_deal()
        self._is_played = True
        self._tell(project_deal_started(started, self.number, self._next, play.commitment or ""))
        self._out.append(
            log(
                "deal_started",
                table=self.number,
                set=self.set_number,
                deal=started.number,
                dealer=int(started.dealer),
            )
        )

    def _decide(self, seat: Seat, bot: SeatedBot | None, now: float) -> None:
        """The bot in the seat acts, or the server for a player whose time ran out. It sees a seat's view
        alone.
        """
        assert self.play is not None  # noqa: S101  (a turn was running)
        chooser = self._stand_in if bot is None else bot.policy
        state = self.play.state
        action: Action = chooser.choose(state.seat_view(seat), tuple(state.legal_actions(seat)))
        by = Actor.CLOCK if bot is None else Actor.BOT
        self._played(seat, self._apply(self.play, seat, action, by), by, now)

    def _apply(self, play: Play, seat: Seat, action: Action, by: Actor) -> tuple[Event, ...]:
        """Do ``action``, and note who did it. Raises ``IllegalAction``; nothing has changed then."""
        known = len(play.actors)
        events = play.apply(seat, action, self._recorded_actor(seat, by))
        self._is_changed |= len(play.actors) > known
        return events

    def _recorded_actor(self, seat: Seat, by: Actor) -> RecordedActor | None:
        """Who acts in the seat, for the set's record."""
        occupant = self.seating[seat]
        if isinstance(occupant, SeatedBot):
            return RecordedActor(ActorKind.BOT, level=occupant.level.value)
        if occupant is None or not is_writable(occupant.name):
            return None
        if by is Actor.CLOCK:
            return RecordedActor(ActorKind.STAND_IN, occupant.name, self.options.stand_in.value)
        return RecordedActor(ActorKind.PLAYER, occupant.name)

    def _played(self, seat: Seat, events: tuple[Event, ...], by: Actor, now: float) -> None:
        play = self.play
        assert play is not None  # noqa: S101  (it just gave the events)
        self._is_played = True
        for event in events:
            if isinstance(event, HandsDealt):
                for dealt_to, player in self.seating.players:
                    self._seen[player.name] = dealt_to
                self._tell(*project_hands(event, self.number, self._next))
            elif not isinstance(event, DealStarted):
                self._tell(project_public(event, self.number, self._next, by))
            if isinstance(event, DealScored | DealVoided):
                pack, salt = play.reveal()
                self._tell(wire.DealRevealed(table=self.number, seq=self._next, pack=pack, salt=salt))
                scores = play.state.scores
                self._out.append(
                    log("deal_over", table=self.number, deal=play.deal_count, scores=f"{scores[0]}:{scores[1]}")
                )
            elif isinstance(event, SetWon):
                self._set_over(play, now)
        if self.options.logs_details:
            self._out.append(
                detail("acted", table=self.number, seq=self.stream.seq, seat=int(seat), by=by.value)
            )
        if play.state.needs_pack:
            self._start_deal(play)
        self._begin_turn(now)

    def _set_over(self, play: Play, now: float) -> None:
        winner = play.state.winner
        assert winner is not None  # noqa: S101  (SetWon names it)
        names = self.seating.names()
        options = self.options
        self._out.append(
            Record(
                table=self.number,
                table_name=self.name,
                number=self.set_number,
                players=names,
                scores=play.state.scores,
                winner=int(winner),
                transcript=play.transcript(names),
                sessions=self.seating.sessions(),
                levels=self.seating.levels(),
                is_open=options.can_watch and options.password is None,
                history=play.state.history,
                tournament=self.tournament,
            )
        )
        scores = play.state.scores
        self._out.append(
            log(
                "set_won",
                table=self.number,
                set=self.set_number,
                team=int(winner),
                scores=f"{scores[0]}:{scores[1]}",
                deals=play.deal_count,
            )
        )
        for _, player in self.seating.players:
            player.is_ready = False
        if self.tournament is not None:
            return  # some of them are to make room; the others are asked when that is done
        for seat, _ in self.seating.players:
            self._prompt(seat, now)

    def _begin_turn(self, now: float) -> None:
        self._turn_seq = self.stream.seq
        self.clock.end()
        self._arm(now)
        if self._turn is not None:
            self._prompt(self._turn, now)

    def _arm(self, now: float) -> None:
        """Set the timer by who is to act: a clock that is not running begins, one that stood still goes on."""
        seat = self._turn
        occupant = None if seat is None else self.seating[seat]
        if self._is_paused or occupant is None:
            self.clock.stand_still(now)
            self._disarm()
            return
        self.clock.go_on(now)
        if not self.clock.is_running:
            self.clock.begin(now, is_hurried=isinstance(occupant, SeatedPlayer) and occupant.is_hurried)
        if isinstance(occupant, SeatedBot):
            self._set_timer(TimerKind.BOT, now + self.options.bot_delay)
            return
        if occupant.is_away:
            self.clock.go_away(now)
        if self.clock.deadline is None:
            self._disarm()
        else:
            self._set_timer(TimerKind.TURN, self.clock.deadline)

    def _set_timer(self, kind: TimerKind, at: float) -> None:
        if self._armed is not kind:
            self._disarm()
        self._armed = kind
        self._out.append(SetTimer(TimerKey(kind, self.number), at))

    def _disarm(self) -> None:
        if self._armed is not None:
            self._out.append(CancelTimer(TimerKey(self._armed, self.number)))
            self._armed = None

    def _prompt(self, seat: Seat, now: float) -> None:
        """Tell the player of the seat what can be done, if anything can."""
        player = self.seating[seat]
        if not isinstance(player, SeatedPlayer) or player.is_away:
            return
        if self._turn is seat and self.play is not None:
            legal = self.play.state.legal_actions(seat)
            prompt = wire.Prompt(
                table=self.number,
                seq=self.stream.seq,
                actions=tuple(to_wire(action) for action in legal),
                remarks=legal.remarks,
                seconds=self.clock.seconds_left(now),
            )
        elif not self.is_playing and not player.is_ready and not self.is_last_set:
            prompt = wire.Prompt(table=self.number, seq=self.stream.seq, actions=(ReadyAction(),))
        else:
            return
        self._send(player.session, prompt)


def _kept_seat(occupant: Occupant | None) -> KeptSeat:
    if isinstance(occupant, SeatedPlayer):
        return KeptPlayer(
            occupant.session,
            occupant.name,
            occupant.is_ready,
            occupant.is_away,
            occupant.is_awaited,
            occupant.has_stand_in,
        )
    return None if occupant is None else KeptBot(occupant.level)
