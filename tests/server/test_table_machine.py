"""Random commands in any order: the invariants of a server hold after each of them.

The driver checks every frame as it is sent (no gap in the events, no hidden card, nothing to others from a
refused request, replies last); here every viewer's view, folded from what it got, is compared with a fresh
snapshot.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from support.journal import views
from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import BotLevel
from tarneeb_server.effects import TimerKind
from tarneeb_server.seating import SeatedBot, SeatedPlayer

SEATS = st.sampled_from([None, *Seat])
ANY_ACTION: st.SearchStrategy[wire.WireAction] = st.one_of(
    st.builds(wire.PlayAction, st.sampled_from(list(Card))),
    st.builds(wire.TrumpAction, st.sampled_from(list(Suit))),
    st.builds(wire.CutAction, st.integers(-1, 53)),
    st.builds(
        wire.CallAction,
        st.sampled_from([CallKind.PASS, CallKind.GAME]),
        st.none(),
        st.sampled_from([None, *Remark]),
    ),
    st.builds(wire.CallAction, st.just(CallKind.BID), st.integers(5, 15), st.sampled_from([None, *Remark])),
    st.just(wire.ReadyAction()),
)
PICK = st.integers(0, 1000)


class Tables(RuleBasedStateMachine):
    """A few people at up to two tables, who do whatever they like."""

    @initialize(
        rules=st.builds(wire.RuleChoices, partner_hints=st.booleans()),
        preset=st.sampled_from(["tarneeb", "classic"]),
        turn_seconds=st.sampled_from([0, 5]),
        grace_seconds=st.sampled_from([None, 0, 8]),
        stand_in=st.sampled_from([None, *BotLevel]),
        bot_delay=st.sampled_from([0.0, 1.0]),
        seated=st.integers(0, 4),
    )
    def open(
        self,
        *,
        rules: wire.RuleChoices,
        preset: str,
        turn_seconds: int,
        grace_seconds: int | None,
        stand_in: BotLevel | None,
        bot_delay: float,
        seated: int,
    ) -> None:
        self.begun: dict[int, int] = {}
        self.was_draining = False
        self.driver = LobbyDriver(bot_delay=bot_delay, grace_seconds=20)
        self.folder = tempfile.TemporaryDirectory()
        self.driver.keep_in(Path(self.folder.name))
        self.people = [self.driver.hello(f"Person {number}") for number in range(6)]
        for opener in self.people[:2]:
            self.driver.open_table(
                opener,
                preset=preset,
                rules=rules,
                turn_seconds=turn_seconds,
                grace_seconds=grace_seconds,
                stand_in=stand_in,
            )
        for link in self.people[:seated]:
            self.driver.ok(link, wire.Join, table=1)
        if seated:
            for _ in range(4 - seated):
                self.driver.ok(self.people[0], wire.AddBot)

    def _one(self, pick: int) -> Link:
        connected = [link for link in self.people if link.is_connected]
        return connected[pick % len(connected)]

    def _anybody_connected(self) -> bool:
        return any(link.is_connected for link in self.people)

    def _request(self, pick: int, kind: type[wire.Request], **fields: object) -> None:
        self.driver.request(self._one(pick), kind, **fields)

    @precondition(_anybody_connected)
    @rule(pick=PICK, table=st.integers(1, 2), seat=SEATS)
    def join(self, pick: int, table: int, seat: Seat | None) -> None:
        self._request(pick, wire.Join, table=table, seat=seat)

    @precondition(_anybody_connected)
    @rule(pick=PICK, table=st.integers(1, 2))
    def watch(self, pick: int, table: int) -> None:
        self._request(pick, wire.Watch, table=table)

    @precondition(_anybody_connected)
    @rule(pick=PICK)
    def leave(self, pick: int) -> None:
        self._request(pick, wire.Leave)

    @precondition(_anybody_connected)
    @rule(pick=PICK, seat=SEATS, level=st.sampled_from(BotLevel))
    def add_bot(self, pick: int, seat: Seat | None, level: BotLevel) -> None:
        self._request(pick, wire.AddBot, seat=seat, level=level)

    @precondition(_anybody_connected)
    @rule(pick=PICK)
    def fill_with_bots(self, pick: int) -> None:
        for _ in range(3):
            self._request(pick, wire.AddBot)

    @precondition(_anybody_connected)
    @rule(pick=PICK, seat=st.sampled_from(Seat))
    def remove_bot(self, pick: int, seat: Seat) -> None:
        self._request(pick, wire.RemoveBot, seat=seat)

    @precondition(_anybody_connected)
    @rule(pick=PICK)
    def say(self, pick: int) -> None:
        self._request(pick, wire.Chat, text="yalla")

    @precondition(_anybody_connected)
    @rule(pick=PICK, action=ANY_ACTION, seq=st.sampled_from([None, 0, 1]))
    def act_at_random(self, pick: int, action: wire.WireAction, seq: int | None) -> None:
        self._request(pick, wire.Act, action=action, seq=seq)

    @rule(picks=st.lists(PICK, min_size=1, max_size=60))
    def act_as_prompted(self, picks: list[int]) -> None:
        for pick in picks:
            link = next((link for link in self.people if link.is_connected and link.prompt), None)
            if link is None or link.prompt is None:
                self.driver.advance(0.5)
                continue
            actions = link.prompt.actions
            reply = self.driver.request(
                link, wire.Act, action=actions[pick % len(actions)], seq=link.prompt.seq
            )
            assert isinstance(reply, wire.Done), f"a prompted action was refused: {reply}"

    @precondition(_anybody_connected)
    @rule(pick=PICK, behind=st.integers(0, 40))
    def sync(self, pick: int, behind: int) -> None:
        link = self._one(pick)
        view = link.view
        if view is None:
            return
        # What is asked for again would be folded twice: a client that asks has thrown its view away.
        before = len(link.received)
        self.driver.advance(0.2)
        view = link.view
        assert view is not None
        link.view = None if behind else view
        if behind:
            self._request_snapshot(link)
        else:
            self.driver.ok(link, wire.Sync, seq=view.seq)
        assert len(link.received) > before

    def _request_snapshot(self, link: Link) -> None:
        self.driver.ok(link, wire.Sync)
        assert link.view is not None

    @precondition(_anybody_connected)
    @rule(pick=PICK)
    def drop(self, pick: int) -> None:
        self.driver.drop(self._one(pick))

    @rule(pick=PICK, with_seq=st.booleans())
    def resume(self, pick: int, with_seq: bool) -> None:
        link = self.people[pick % len(self.people)]
        seq = link.view.seq if with_seq and link.view is not None else None
        answer = self.driver.try_hello("x", resume=link.token, seq=seq)
        if isinstance(answer, wire.Refused):
            assert not link.is_connected, "a session that is connected can always be resumed"
            self.people[self.people.index(link)] = self.driver.hello(link.name)

    @precondition(_anybody_connected)
    @rule(pick=PICK)
    def say_goodbye(self, pick: int) -> None:
        link = self._one(pick)
        self.driver.goodbye(link)
        self.people[self.people.index(link)] = self.driver.hello(link.name)

    @rule(pick=PICK)
    def kick(self, pick: int) -> None:
        link = self.people[pick % len(self.people)]
        if self.driver.lobby.sessions.get(link.session) is None:
            return
        was_connected = link.is_connected
        self.driver.kick(link)
        assert (link.closed_with is not None and link.closed_with.code == "kicked") is was_connected
        assert isinstance(self.driver.try_hello("x", resume=link.token), wire.Refused)
        self.people[self.people.index(link)] = self.driver.hello(link.name)

    @rule(is_first=st.booleans(), seconds=st.integers(1, 30))
    def drain_or_go_on(self, is_first: bool, seconds: int) -> None:
        lobby = self.driver.lobby
        if is_first or not lobby.is_draining:
            self.driver.host(lobby.drain(seconds, self.driver.now))
        else:
            self.driver.host(lobby.cancel_drain(self.driver.now))

    @rule()
    def kill_the_server_and_start_it_again(self) -> None:
        before = views(self.driver.lobby, 0.0)
        journal = self.driver.journal
        assert journal is not None
        assert views(journal.rebuilt()[0], 0.0) == before
        self.driver.kill_and_restart()

    @rule(seconds=st.sampled_from([0.1, 1.0, 6.0, 25.0]))
    def wait(self, seconds: float) -> None:
        self.driver.advance(seconds)

    @rule()
    def watch_a_set_to_its_end(self) -> None:
        """Bots and the clock play steadily, so that a set ends, as one of random calls would not."""
        for _ in range(300):
            if not any(table.is_playing for table in self.driver.lobby.tables.values()):
                break
            self.driver.advance(5.0)

    @invariant()
    def views_are_right(self) -> None:
        self.driver.check_views()

    @invariant()
    def the_journal_alone_gives_the_same_lobby(self) -> None:
        assert self.driver.journal is not None
        self.driver.journal.check(self.driver.lobby, self.driver.now)

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            assert self.driver.journal is not None
            self.driver.journal.store.close()
            self.folder.cleanup()

    @invariant()
    def nobody_is_in_two_places(self) -> None:
        lobby = self.driver.lobby
        places: list[int] = []
        for number, table in lobby.tables.items():
            for member in table.members():
                session = lobby.sessions.get(member)
                assert session is not None, "a member of a table is a living session"
                assert session.table == number
                places.append(member)
        assert len(places) == len(set(places))

    @invariant()
    def a_running_set_has_four_in_their_seats_and_somebody_who_will_act(self) -> None:
        is_set = self.driver.is_timer_set
        for number, table in self.driver.lobby.tables.items():
            if not table.is_playing or table.play is None:
                continue
            assert table.seating.is_full
            turn = table.play.turn
            assert turn is not None
            occupant = table.seating[turn]
            if not table.seating.is_any_player_present():
                assert not is_set(TimerKind.TURN, number)
                assert not is_set(TimerKind.BOT, number)
            elif isinstance(occupant, SeatedBot):
                assert is_set(TimerKind.BOT, number)
            elif isinstance(occupant, SeatedPlayer) and (table.options.turn_seconds or occupant.is_away):
                assert is_set(TimerKind.TURN, number)

    @invariant()
    def no_set_begins_while_the_server_drains_and_each_is_offered_when_it_does_not(self) -> None:
        lobby = self.driver.lobby
        for number, table in lobby.tables.items():
            begun = self.begun.get(number, 0)
            assert table.set_number == begun or not self.was_draining or not lobby.is_draining
            self.begun[number] = table.set_number
            waits = table.seating.is_full and not table.is_playing and table.seating.is_any_player_present()
            if not lobby.is_draining and waits:
                assert not table.seating.is_everybody_ready, "it would have begun"
        self.was_draining = lobby.is_draining

    @invariant()
    def a_table_that_nobody_sits_at_will_be_closed(self) -> None:
        for number, table in self.driver.lobby.tables.items():
            is_deserted = not table.seating.players
            assert self.driver.is_timer_set(TimerKind.DESERTED, number) == is_deserted


TestTables = Tables.TestCase
TestTables.settings = settings(max_examples=150, stateful_step_count=40, derandomize=True, deadline=None)
