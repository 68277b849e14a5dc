"""A table: who sits and watches, the set they play, its clock. No I/O: commands come in with ``now``, effects
go out.

A command first checks, raising ``NotGranted`` with nothing changed, and then changes; it returns the effects in
the order in which they are to be performed. ``docs/design.md``, "Server", says how a table behaves.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.bots import policy
from tarneeb_engine.events import DealScored, DealStarted, DealVoided, HandsDealt, SetWon
from tarneeb_engine.refusals import IllegalAction
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.actions import to_engine, to_wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import Actor, BotLevel, ReadyAction, TableState
from tarneeb_server.effects import CancelTimer, Effect, Record, Send, SetTimer, TimerKey, TimerKind, detail, log
from tarneeb_server.play import Play
from tarneeb_server.projection import project_deal_started, project_hands, project_public
from tarneeb_server.refusing import NotGranted
from tarneeb_server.seating import BOT_NAMES, SeatedBot, SeatedPlayer, Seating
from tarneeb_server.snapshots import snapshot, summary
from tarneeb_server.stream import EventStream
from tarneeb_server.turnclock import TurnClock

if TYPE_CHECKING:
    from tarneeb_engine.actions import Action
    from tarneeb_engine.events import Event
    from tarneeb_engine.ruleset import Ruleset
    from tarneeb_protocol.messages import ChatLine, TableEvent, WireAction
    from tarneeb_server.chance import Chance
    from tarneeb_server.effects import SessionId

CHAT_TAIL = 20
"""Chat lines in a snapshot: what a newcomer needs to follow the talk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """How a table is run. Seconds unless a name says otherwise; ``turn_seconds`` 0 is no clock."""

    turn_seconds: int = 45
    grace_seconds: int = 120
    bot_delay: float = 0.7
    deserted_seconds: int = 60
    can_watch: bool = True
    max_spectators: int = 32
    password: str | None = None
    logs_details: bool = False


class Table:
    """One table. ``opened_by`` is the session that opened it."""

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
        self.chat_tail: deque[ChatLine] = deque(maxlen=CHAT_TAIL)
        self.set_number = 0
        self.play: Play | None = None
        self.clock = TurnClock(options.turn_seconds)
        self._chance = chance
        self._out: list[Effect] = []
        self._turn_seq = 0
        self._armed: TimerKind | None = None
        self._since: dict[SessionId, int] = {}
        """The event from which on a viewer has been what it is now; earlier ones are not for its eyes."""
        self._seen: dict[SessionId, Seat] = {}
        """Whose hand of the deal in progress a session has seen."""
        self._clock_policy = policy(BotLevel.STEADY.value, chance.bots)

    def __repr__(self) -> str:
        return f"<Table {self.number} {self.state.value} seq={self.stream.seq}>"

    # ------------------------------------------------------------ what can be asked

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

    def summary(self, now: float) -> wire.TableSummary:
        """As the lobby lists it."""
        return summary(self, now)

    def members(self) -> tuple[SessionId, ...]:
        """Everybody at the table: players in seat order, then spectators."""
        return (*(player.session for _, player in self.seating.players()), *self.spectators)

    # ------------------------------------------------------------ coming and going

    def open(self, now: float) -> list[Effect]:
        """The table is there; nobody is at it."""
        self._desert_if_empty(now)
        self._out.append(log("table_opened", table=self.number, name=self.name, by=self.opened_by))
        return self._take()

    def join(
        self, session: SessionId, name: str, seat: Seat | None, partner: str | None, now: float
    ) -> tuple[Seat, list[Effect]]:
        """Take a seat (see ``Seating.choose``), from the spectators too. ``NotGranted`` also
        ``seen_another_hand``.
        """
        if self.seating.seat_of(session) is not None:
            raise NotGranted(ErrorCode.ALREADY_AT_TABLE, "you sit at this table already; leave it first")
        seen = self._seen.get(session) if self.play is not None and self.play.are_hands_out else None
        taken = self.seating.choose(seat, partner, seen)
        if seen is not None and taken is not seen:
            raise NotGranted(
                ErrorCode.SEEN_ANOTHER_HAND,
                f"you have seen the hand of seat {seen:d}; until this deal is over that seat alone is yours",
                "seat" if seat is not None else None,
            )
        if session in self.spectators:
            self._remove_spectator(session)
        was_paused = self._is_paused
        self._tell(wire.PlayerSeated(table=self.number, seq=self._next, seat=taken, name=name))
        self.seating[taken] = SeatedPlayer(session, name)
        self._since[session] = self.stream.seq
        if self.play is not None and self.play.are_hands_out:
            self._seen[session] = taken
        self._out.append(CancelTimer(TimerKey(TimerKind.DESERTED, self.number)))
        self._out.append(log("player_seated", table=self.number, seat=int(taken), session=session))
        if was_paused or self._turn is taken:
            self._arm(now)
        self._send(session, snapshot(self, taken, now))
        self._prompt(taken, now)
        self._begin_set_if_ready(now)
        return taken, self._take()

    def watch(self, session: SessionId, name: str, now: float) -> list[Effect]:
        """Become a spectator. ``NotGranted``: ``already_at_table``, ``cannot_watch``."""
        if self.seating.seat_of(session) is not None or session in self.spectators:
            raise NotGranted(ErrorCode.ALREADY_AT_TABLE, "you are at this table already; leave it first")
        if not self.options.can_watch:
            raise NotGranted(ErrorCode.CANNOT_WATCH, "this table takes no spectators")
        if len(self.spectators) >= self.options.max_spectators:
            raise NotGranted(
                ErrorCode.CANNOT_WATCH, f"{len(self.spectators)} spectators are here, and no more may come"
            )
        self._tell(wire.SpectatorJoined(table=self.number, seq=self._next, name=name))
        self.spectators[session] = name
        self._since[session] = self.stream.seq
        self._send(session, snapshot(self, None, now))
        self._out.append(log("spectator_joined", table=self.number, session=session))
        return self._take()

    def leave(self, session: SessionId, reason: str, now: float) -> list[Effect]:
        """Leave the table for good; ``reason`` as in ``player_left``. A bot takes the seat while a set goes
        on.
        """
        if session in self.spectators:
            self._remove_spectator(session)
            return self._take()
        seat = self.seating.seat_of(session)
        if seat is None:
            return self._take()
        player = self.seating[seat]
        assert player is not None  # noqa: S101  (seat_of found it)
        was_paused = self._is_paused
        self.seating[seat] = None
        self._since.pop(session, None)
        self._tell(
            wire.PlayerLeft(table=self.number, seq=self._next, seat=seat, name=player.name, reason=reason)
        )
        self._out.append(log("player_left", table=self.number, seat=int(seat), session=session, reason=reason))
        if self.is_playing:
            self._seat_bot(seat, BotLevel.STEADY)
        if self._turn is seat or self._is_paused != was_paused:
            self._arm(now)
        self._desert_if_empty(now)
        return self._take()

    def go_away(self, session: SessionId, now: float) -> list[Effect]:
        """The session's connection is lost. A player's seat is held; a spectator's place is kept without a
        word.
        """
        seat = self.seating.seat_of(session)
        player = None if seat is None else self.seating[seat]
        if seat is None or not isinstance(player, SeatedPlayer) or player.is_away:
            return self._take()
        player.away_until = now + self.options.grace_seconds
        self._tell(
            wire.PlayerAway(
                table=self.number, seq=self._next, seat=seat, grace_seconds=self.options.grace_seconds
            )
        )
        self._out.append(log("player_away", table=self.number, seat=int(seat), session=session))
        if self._is_paused:
            self._arm(now)
        elif self._turn is seat:
            self.clock.go_away(now)
            self._arm_turn_timer()
        return self._take()

    def come_back(self, session: SessionId, seq: int | None, now: float) -> list[Effect]:
        """The session resumed: what it missed after ``seq``, then its return, then its prompt."""
        seat = self.seating.seat_of(session)
        self._catch_up(session, seat, seq, now)
        if seat is None:
            return self._take()
        player = self.seating[seat]
        assert isinstance(player, SeatedPlayer)  # noqa: S101  (seat_of finds players alone)
        was_paused = self._is_paused
        player.is_hurried = False
        if player.is_away:
            player.away_until = None
            self._tell(wire.PlayerBack(table=self.number, seq=self._next, seat=seat))
            self._out.append(log("player_back", table=self.number, seat=int(seat), session=session))
        if was_paused:
            self._arm(now)
        elif self._turn is seat:
            self.clock.come_back()
            self._arm_turn_timer()
        self._prompt(seat, now)
        return self._take()

    def heard_from(self, session: SessionId) -> list[Effect]:
        """The session asked for something: a player whose clock ran out is at the table after all."""
        for seat, player in self.seating.players():
            if player.session == session and player.is_hurried:
                player.is_hurried = False
                if self._turn is seat:
                    self.clock.come_back()
                    self._arm_turn_timer()
        return self._take()

    def close(self, reason: str) -> list[Effect]:
        """The table is no more."""
        self._disarm()
        self._out.append(CancelTimer(TimerKey(TimerKind.DESERTED, self.number)))
        self._tell(wire.TableClosed(table=self.number, seq=self._next, reason=reason))
        self._out.append(log("table_closed", table=self.number, reason=reason))
        return self._take()

    # ------------------------------------------------------------ what members do

    def say(self, session: SessionId, text: str) -> list[Effect]:
        """Chat; ``text`` is clean."""
        seat = self.seating.seat_of(session)
        occupant = None if seat is None else self.seating[seat]
        name = self.spectators[session] if occupant is None else occupant.name
        self.chat_tail.append(wire.ChatLine(name=name, text=text, seat=seat))
        self._tell(wire.Said(table=self.number, seq=self._next, name=name, text=text, seat=seat))
        return self._take()

    def add_bot(self, session: SessionId, seat: Seat | None, level: BotLevel, now: float) -> list[Effect]:
        """Put a bot into an empty seat. ``NotGranted``: ``not_a_player``, ``seat_taken``, ``table_full``."""
        self._player_seat(session, "add a bot")
        if seat is None:
            seat = self.seating.first_empty()
            if seat is None:
                raise NotGranted(ErrorCode.TABLE_FULL, "no seat is empty")
        elif (taken := self.seating[seat]) is not None:
            raise NotGranted(ErrorCode.SEAT_TAKEN, f"{taken.name} sits in seat {seat:d}", "seat")
        self._seat_bot(seat, level)
        self._begin_set_if_ready(now)
        return self._take()

    def remove_bot(self, session: SessionId, seat: Seat) -> list[Effect]:
        """Take a bot out. ``NotGranted``: ``not_a_player``, ``no_bot_there``, ``wrong_table_state`` during a
        set.
        """
        self._player_seat(session, "remove a bot")
        if not isinstance(self.seating[seat], SeatedBot):
            raise NotGranted(ErrorCode.NO_BOT_THERE, f"no bot sits in seat {seat:d}", "seat")
        if self.is_playing:
            raise NotGranted(ErrorCode.WRONG_TABLE_STATE, "a bot can be removed between sets alone")
        self.seating[seat] = None
        self._tell(wire.BotRemoved(table=self.number, seq=self._next, seat=seat))
        return self._take()

    def act(self, session: SessionId, action: WireAction, seq: int | None, now: float) -> list[Effect]:
        """What the session's own seat does. ``NotGranted`` with the engine's refusals, ``not_a_player``,
        ``stale``, ``table_over``, ``wrong_table_state``, ``bad_request``.
        """
        seat = self._player_seat(session, "act")
        if seq is not None and seq > self.stream.seq:
            raise NotGranted(
                ErrorCode.BAD_REQUEST, f"the last event is {self.stream.seq}; there is no {seq} yet", "seq"
            )
        if isinstance(action, ReadyAction):
            self._make_ready(seat, now)
            return self._take()
        try:
            decided = to_engine(action)
        except ValueError as error:
            raise NotGranted(ErrorCode.BAD_REQUEST, str(error), "action") from None
        if self.play is None:
            raise NotGranted(ErrorCode.WRONG_TABLE_STATE, "no set has begun: seats are empty")
        if self.play.is_over:
            raise NotGranted(ErrorCode.TABLE_OVER, "the set is over")
        if self._turn is seat and seq is not None and seq < self._turn_seq:
            raise NotGranted(
                ErrorCode.STALE,
                f"decided at event {seq}, before this turn began at event {self._turn_seq}",
                "seq",
            )
        try:
            events = self.play.apply(seat, decided)
        except IllegalAction as illegal:
            raise NotGranted(ErrorCode(illegal.refusal.value), str(illegal), "action") from None
        player = self.seating[seat]
        if isinstance(player, SeatedPlayer):
            player.is_hurried = False
        self._played(seat, events, Actor.PLAYER, now)
        return self._take()

    def sync(self, session: SessionId, seq: int | None, now: float) -> list[Effect]:
        """What was missed after ``seq``, or a snapshot; then the prompt, if it is this seat's turn."""
        seat = self.seating.seat_of(session)
        self._catch_up(session, seat, seq, now)
        if seat is not None:
            self._prompt(seat, now)
        return self._take()

    # ------------------------------------------------------------ time

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
            occupant.is_hurried = True
            self._decide(seat, None, now)
        return self._take()

    # ------------------------------------------------------------ inside

    @property
    def _next(self) -> int:
        return self.stream.seq + 1

    @property
    def _turn(self) -> Seat | None:
        return None if self.play is None else self.play.turn

    @property
    def _is_paused(self) -> bool:
        """Nobody plays while no player is there to see it."""
        return not self.seating.is_any_player_present()

    def _take(self) -> list[Effect]:
        effects, self._out = self._out, []
        return effects

    def _send(self, session: SessionId, message: wire.Message) -> None:
        self._out.append(Send((session,), message))

    def _tell(self, event: TableEvent, by_seat: tuple[wire.HandsDealt, ...] = ()) -> None:
        """Number it, keep it, send it to all who are at the table now."""
        self.stream.append(event, by_seat)
        if not by_seat:
            self._out.append(Send(self.members(), event))
            return
        for seat, player in self.seating.players():
            self._send(player.session, by_seat[seat])
        self._out.append(Send(tuple(self.spectators), event))

    def _player_seat(self, session: SessionId, what: str) -> Seat:
        seat = self.seating.seat_of(session)
        if seat is None:
            raise NotGranted(ErrorCode.NOT_A_PLAYER, f"only a player at the table can {what}; you are watching")
        return seat

    def _remove_spectator(self, session: SessionId) -> None:
        name = self.spectators.pop(session)
        self._since.pop(session, None)
        self._tell(wire.SpectatorLeft(table=self.number, seq=self._next, name=name))
        self._out.append(log("spectator_left", table=self.number, session=session))

    def _seat_bot(self, seat: Seat, level: BotLevel) -> None:
        bot = SeatedBot(BOT_NAMES[seat], level, policy(level.value, self._chance.bots))
        self.seating[seat] = bot
        self._tell(wire.BotSeated(table=self.number, seq=self._next, seat=seat, name=bot.name, level=level))

    def _desert_if_empty(self, now: float) -> None:
        if not any(self.seating.players()):
            self._out.append(
                SetTimer(TimerKey(TimerKind.DESERTED, self.number), now + self.options.deserted_seconds)
            )

    def _catch_up(self, session: SessionId, seat: Seat | None, seq: int | None, now: float) -> None:
        missed = None
        if seq is not None and seq >= self._since.get(session, 0):
            missed = self.stream.after(seq, seat)
        if missed is None:
            self._send(session, snapshot(self, seat, now))
            return
        for event in missed:
            self._send(session, event)

    def _make_ready(self, seat: Seat, now: float) -> None:
        if self.is_playing:
            raise NotGranted(
                ErrorCode.WRONG_TABLE_STATE, "a set is being played; say ready when it is over", "action"
            )
        player = self.seating[seat]
        if isinstance(player, SeatedPlayer) and not player.is_ready:
            player.is_ready = True
            self._tell(wire.PlayerReady(table=self.number, seq=self._next, seat=seat))
            self._begin_set_if_ready(now)

    def _begin_set_if_ready(self, now: float) -> None:
        if self.is_playing or not self.seating.is_full or not self.seating.is_everybody_ready:
            return
        self.set_number += 1
        self.play = Play(self.rules, self._chance)
        self._tell(wire.SetStarted(table=self.number, seq=self._next, number=self.set_number))
        self._out.append(log("set_started", table=self.number, set=self.set_number))
        self._start_deal(self.play)
        self._begin_turn(now)

    def _start_deal(self, play: Play) -> None:
        self._seen.clear()
        started = play.start_deal()
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
        chooser = self._clock_policy if bot is None else bot.policy
        state = self.play.state
        action: Action = chooser.choose(state.seat_view(seat), tuple(state.legal_actions(seat)))
        self._played(seat, self.play.apply(seat, action), Actor.CLOCK if bot is None else Actor.BOT, now)

    def _played(self, seat: Seat, events: tuple[Event, ...], by: Actor, now: float) -> None:
        play = self.play
        assert play is not None  # noqa: S101  (it just gave the events)
        for event in events:
            if isinstance(event, HandsDealt):
                for dealt_to, player in self.seating.players():
                    self._seen[player.session] = dealt_to
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
        self._out.append(
            Record(
                table=self.number,
                table_name=self.name,
                number=self.set_number,
                players=names,
                scores=play.state.scores,
                winner=int(winner),
                transcript=play.transcript(names),
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
        for _, player in self.seating.players():
            player.is_ready = False
        for seat, _ in self.seating.players():
            self._prompt(seat, now)

    # ------------------------------------------------------------ turns

    def _begin_turn(self, now: float) -> None:
        self._turn_seq = self.stream.seq
        self._arm(now)
        if self._turn is not None:
            self._prompt(self._turn, now)

    def _arm(self, now: float) -> None:
        """Start the clock, or the bot's thinking, of the seat to act."""
        seat = self._turn
        occupant = None if seat is None else self.seating[seat]
        self.clock.stop()
        if self._is_paused or occupant is None:
            self._disarm()
        elif isinstance(occupant, SeatedBot):
            self._set_timer(TimerKind.BOT, now + self.options.bot_delay)
        else:
            self.clock.begin(now, is_hurried=occupant.is_hurried, is_away=occupant.is_away)
            self._arm_turn_timer()

    def _arm_turn_timer(self) -> None:
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
        elif not self.is_playing and not player.is_ready:
            prompt = wire.Prompt(table=self.number, seq=self.stream.seq, actions=(ReadyAction(),))
        else:
            return
        self._send(player.session, prompt)
