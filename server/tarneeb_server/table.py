"""A table as those who come to it command it: sitting down, watching, leaving, acting, chat, bots.

A command first checks, raising ``NotGranted`` with nothing changed, and then changes; it returns the effects in
the order in which they are to be performed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.bots import policy
from tarneeb_engine.refusals import IllegalAction
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.actions import to_engine
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import Actor, BotLevel, ReadyAction
from tarneeb_protocol.names import are_alike
from tarneeb_server.effects import CancelTimer, Effect, SetTimer, TimerKey, TimerKind, log
from tarneeb_server.kept import ForgetTable
from tarneeb_server.playing import PlayingTable
from tarneeb_server.refusing import NotGranted
from tarneeb_server.seating import BOT_NAMES, SeatedBot, SeatedPlayer, taken_text
from tarneeb_server.snapshots import snapshot

if TYPE_CHECKING:
    from tarneeb_protocol.messages import WireAction
    from tarneeb_server.effects import SessionId
    from tarneeb_server.playing import Expected


class Table(PlayingTable):
    """One table."""

    def open(self, now: float) -> list[Effect]:
        """The table is there; nobody is at it."""
        self._is_changed = True
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
        are_hands_out = self.play is not None and self.play.are_hands_out
        seen = self._hand_seen(name) if are_hands_out else None
        taken = self.seating.choose(seat, partner, seen, now)
        if seen is not None and taken is not seen:
            raise NotGranted(
                ErrorCode.SEEN_ANOTHER_HAND,
                f"you have seen the hand of seat {seen.name.capitalize()};"
                " until this deal is over that seat alone is yours",
                "seat" if seat is not None else None,
            )
        if session in self.spectators:
            self._remove_spectator(session)
        was_paused = self._is_paused
        self._tell(wire.PlayerSeated(table=self.number, seq=self._next, seat=taken, name=name))
        self.seating[taken] = SeatedPlayer(session, name)
        self._since[session] = self.stream.seq
        if are_hands_out:
            self._seen[name] = taken
        self._out.append(CancelTimer(TimerKey(TimerKind.DESERTED, self.number)))
        self._out.append(log("player_seated", table=self.number, seat=int(taken), session=session))
        self._is_there(taken, now, was_paused=was_paused)
        self._send(session, snapshot(self, taken, now))
        self._prompt(taken, now)
        self._begin_set_if_ready(now)
        return taken, self._take()

    def _hand_seen(self, name: str) -> Seat | None:
        """Whose hand of the deal somebody of this name has seen, in this session or in one that has ended."""
        return next((seat for seen_by, seat in self._seen.items() if are_alike(seen_by, name)), None)

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
            self._seat_bot(seat, self.options.stand_in)
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
        self._go_away(seat, player, now)
        if self._is_paused or self._turn is seat:
            self._arm(now)
        return self._take()

    def _go_away(self, seat: Seat, player: SeatedPlayer, now: float) -> None:
        player.away_until = now + self.options.grace_seconds
        self._tell(
            wire.PlayerAway(
                table=self.number, seq=self._next, seat=seat, grace_seconds=self.options.grace_seconds
            )
        )
        self._out.append(log("player_away", table=self.number, seat=int(seat), session=player.session))

    def come_back(self, session: SessionId, seq: int | None, now: float) -> list[Effect]:
        """The session resumed: what it missed after ``seq``, then its return, then its prompt."""
        seat = self.seating.seat_of(session)
        self._catch_up(session, seat, seq, now)
        if seat is None:
            return self._take()
        player = self.seating[seat]
        assert isinstance(player, SeatedPlayer)  # noqa: S101  (seat_of finds players alone)
        was_paused = self._is_paused
        if player.is_away:
            player.away_until = None
            player.is_awaited = player.has_stand_in = False
            self._tell(wire.PlayerBack(table=self.number, seq=self._next, seat=seat))
            self._out.append(log("player_back", table=self.number, seat=int(seat), session=session))
            self._is_there(seat, now, was_paused=was_paused)
        else:
            self._end_stand_in(seat, player, now)
        self._prompt(seat, now)
        # A server that drained left it to this one to begin what was ready.
        self._begin_set_if_ready(now)
        return self._take()

    def _is_there(self, seat: Seat, now: float, *, was_paused: bool) -> None:
        """The seat has a player who is connected, as it had not before."""
        if was_paused or self._turn is seat:
            self.clock.go_on(now)
            if self._turn is seat:
                self.clock.come_back()
            self._arm(now)

    def restarted(self, now: float) -> list[Effect]:
        """The server was started anew and this table restored: nobody is connected.

        Every player is away from now on, with the whole grace. Those who were there when the server ended,
        but for whom a bot played, have whole turns until the clock runs out on one of them. Nothing is played
        until a player is back.
        """
        for seat, player in self.seating.players:
            if player.is_away:
                player.away_until = now + self.options.grace_seconds
                continue
            player.is_awaited = True
            self._go_away(seat, player, now)
        if self.is_playing:
            for seat in Seat:
                if self.seating[seat] is None:  # its player's session could not be restored
                    self._seat_bot(seat, self.options.stand_in)
        self._desert_if_empty(now)
        return self._take()

    def heard_from(self, session: SessionId, now: float) -> list[Effect]:
        """The session asked for something: a player whose clock ran out is at the table after all."""
        seat = self.seating.seat_of(session)
        if seat is not None:
            self._hear(seat, now)
        return self._take()

    def _hear(self, seat: Seat, now: float) -> None:
        player = self.seating[seat]
        if isinstance(player, SeatedPlayer):
            self._end_stand_in(seat, player, now)

    def close(self, reason: str) -> list[Effect]:
        """The table is no more."""
        self._disarm()
        self._out.append(CancelTimer(TimerKey(TimerKind.DESERTED, self.number)))
        self._tell(wire.TableClosed(table=self.number, seq=self._next, reason=reason))
        self._out.append(log("table_closed", table=self.number, reason=reason))
        self._out.append(ForgetTable(self.number))
        self._is_changed = self._is_played = False
        return self._take()

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
            raise NotGranted(ErrorCode.SEAT_TAKEN, taken_text(seat, taken, now), "seat")
        self._seat_bot(seat, level)
        self._begin_set_if_ready(now)
        return self._take()

    def remove_bot(self, session: SessionId, seat: Seat) -> list[Effect]:
        """Take a bot out. ``NotGranted``: ``not_a_player``, ``no_bot_there``, ``wrong_table_state`` during a
        set.
        """
        self._player_seat(session, "remove a bot")
        if not isinstance(self.seating[seat], SeatedBot):
            raise NotGranted(ErrorCode.NO_BOT_THERE, f"no bot sits in seat {seat.name.capitalize()}", "seat")
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
            events = self._apply(self.play, seat, decided, Actor.PLAYER)
        except IllegalAction as illegal:
            raise NotGranted(ErrorCode(illegal.refusal.value), str(illegal), "action") from None
        self._played(seat, events, Actor.PLAYER, now)
        return self._take()

    def sync(self, session: SessionId, seq: int | None, now: float) -> list[Effect]:
        """What was missed after ``seq``, or a snapshot; then the prompt, if it is this seat's turn."""
        seat = self.seating.seat_of(session)
        self._catch_up(session, seat, seq, now)
        if seat is not None:
            self._hear(seat, now)
            self._prompt(seat, now)
        return self._take()

    def arrange(self, expected: Expected, now: float) -> list[Effect]:
        """Between sets of a tournament: whoever is not to have a seat any more watches from now on, bots come
        and go, and the other seats stay empty for the players who are called.
        """
        for seat in Seat:
            occupant, wanted = self.seating[seat], expected[seat]
            if isinstance(occupant, SeatedPlayer) and occupant.session != wanted:
                self._make_room(seat, occupant, now)
            elif isinstance(occupant, SeatedBot) and occupant.level is not wanted:
                self.seating[seat] = None
                self._tell(wire.BotRemoved(table=self.number, seq=self._next, seat=seat))
        for seat in Seat:
            level = expected[seat]
            if isinstance(level, BotLevel) and self.seating[seat] is None:
                self._seat_bot(seat, level)
        self.expected = expected
        for seat, _ in self.seating.players:
            self._prompt(seat, now)
        self._begin_set_if_ready(now)
        return self._take()

    def _make_room(self, seat: Seat, player: SeatedPlayer, now: float) -> None:
        self.seating[seat] = None
        name, session = player.name, player.session
        self._tell(wire.PlayerLeft(table=self.number, seq=self._next, seat=seat, name=name, reason="next_team"))
        self._tell(wire.SpectatorJoined(table=self.number, seq=self._next, name=name))
        self.spectators[session] = name
        self._since[session] = self.stream.seq
        self._send(session, snapshot(self, None, now))
        self._out.append(log("made_room", table=self.number, seat=int(seat), session=session))

    def end_with_this_set(self) -> None:
        """Begin no other set: the server is going to stop."""
        self.is_last_set = True

    def go_on(self, now: float) -> list[Effect]:
        """Begin sets again: the server does not stop after all."""
        self.is_last_set = False
        for seat, _ in self.seating.players:
            if self._turn is None:
                self._prompt(seat, now)
        self._begin_set_if_ready(now)
        return self._take()

    @property
    def is_in_play(self) -> bool:
        """Whether a set is in progress and somebody is there to play it."""
        return self.is_playing and not self._is_paused

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
        bot = SeatedBot(BOT_NAMES[seat], level, policy(level.value, self.bots_rng))
        self.seating[seat] = bot
        self._tell(wire.BotSeated(table=self.number, seq=self._next, seat=seat, name=bot.name, level=level))

    def _desert_if_empty(self, now: float) -> None:
        if not self.seating.players:
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
        if self.is_last_set:
            raise NotGranted(ErrorCode.SHUTDOWN, "the server is going to stop and begins no set any more")
        player = self.seating[seat]
        if isinstance(player, SeatedPlayer) and not player.is_ready:
            player.is_ready = True
            self._tell(wire.PlayerReady(table=self.number, seq=self._next, seat=seat))
            self._begin_set_if_ready(now)
