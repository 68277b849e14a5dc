"""A lobby under test without sockets: sessions as lists of messages, time as a number.

Whatever is sent is checked as it is sent: events without gaps, no card that its viewer may not know, nothing to
anybody else from a refused request, everything that a request caused before its reply.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from support.fold import comparable, fold
from support.journal import JournalBeside
from tarneeb_engine.cards import FULL_PACK, Card
from tarneeb_engine.hand import Hand
from tarneeb_engine.pack import cut_pack, deal_hands
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_protocol.errors import CODES, Carrier, ErrorCode
from tarneeb_server.archive import ArchiveInMemory
from tarneeb_server.clocks import Timers
from tarneeb_server.effects import (
    CancelTimer,
    Close,
    Effect,
    Log,
    Send,
    SetTimer,
    Stop,
    TimerKey,
    TimerKind,
)
from tarneeb_server.kept import KEEPS, Record
from tarneeb_server.lobby import Lobby
from tarneeb_server.playing import PlayingTable
from tarneeb_server.presence import Admission
from tarneeb_server.settings import Settings
from tarneeb_server.snapshots import snapshot


@dataclass
class Link:
    """One session as its client sees it. ``view`` is folded from what was received."""

    session: int
    generation: int
    name: str
    token: str
    received: list[wire.Message] = field(default_factory=list)
    view: wire.Snapshot | None = None
    is_connected: bool = True
    last_id: int = 0
    closed_with: wire.Goodbye | None = None

    @property
    def prompt(self) -> wire.Prompt | None:
        """The latest prompt that no later event of the table has overtaken, as a client would keep it."""
        if self.view is None:
            return None
        is_drained = False
        for message in reversed(self.received):
            if isinstance(message, wire.Notice):
                is_drained |= message.reason == "drain"
            if isinstance(message, wire.Prompt):
                return None if is_drained and message.actions == (wire.ReadyAction(),) else message
            if isinstance(
                message,
                wire.PackCut
                | wire.CallMade
                | wire.TrumpNamed
                | wire.CardPlayed
                | wire.SetStarted
                | wire.Snapshot,
            ):
                return None
        return None

    def of_type(self, *types: type[wire.Message]) -> list[wire.Message]:
        return [message for message in self.received if isinstance(message, types)]


@dataclass
class _Secrets:
    """What is public of the deal in progress at one table, from the events alone."""

    played: set[Card] = field(default_factory=set)
    is_revealed: bool = True
    hands: tuple[Hand, ...] | None = None


class LobbyDriver:
    """Drives a lobby; ``now`` moves by ``advance`` alone."""

    def __init__(self, **settings: object) -> None:
        chosen = {"seed_for_tests": 1, "bot_delay": 0.5, "log_level": "debug", **settings}
        self.settings = Settings(**chosen)  # type: ignore[arg-type]  # keyword by keyword as the test gives them
        self.lobby = Lobby(self.settings, "test-server")
        self.now = 0.0
        self.timers: Timers[TimerKey] = Timers()
        self.links: dict[int, Link] = {}
        self.records: list[Record] = []
        self.logs: list[Log] = []
        self.stopped: str | None = None
        """Why the lobby asked the server to stop."""
        self._secrets: dict[int, _Secrets] = {}
        self.journal: JournalBeside | None = None

    # ------------------------------------------------------------ connections

    def hello(self, name: str, address: str | None = None, **fields: object) -> Link:
        answer = self.try_hello(name, address, **fields)
        assert isinstance(answer, Link), answer
        return answer

    def try_hello(self, name: str, address: str | None = None, **fields: object) -> Link | wire.Refused:
        hello = wire.Hello(**{"protocol_min": 1, "protocol_max": 1, "client": "test", "name": name, **fields})  # type: ignore[arg-type]  # as the test gives them
        answer, effects = self.lobby.hello(hello, self.now, address)
        if isinstance(answer, wire.Refused):
            _check_code(answer)
            self._perform(effects)
            return answer
        link = self._admitted(answer, hello.seq)
        self._perform(effects)
        return link

    def _admitted(self, answer: Admission, seq: int | None) -> Link:
        link = self.links.get(answer.session)
        if link is None:
            link = Link(answer.session, answer.generation, answer.welcome.name, answer.welcome.token)
            self.links[answer.session] = link
        assert answer.generation >= link.generation
        link.generation = answer.generation
        link.token = answer.welcome.token
        link.is_connected = True
        link.closed_with = None
        if answer.welcome.table is None or seq is None:
            link.view = None
        link.received.append(answer.welcome)
        return link

    def drop(self, link: Link) -> None:
        """The connection is lost."""
        link.is_connected = False
        self._perform(self.lobby.disconnected(link.session, link.generation, self.now))

    def resume(self, link: Link, seq: int | None = None) -> Link:
        """A new connection presents the link's token."""
        return self.hello("ignored", resume=link.token, seq=seq)

    def resume_from_view(self, link: Link) -> Link:
        return self.resume(link, None if link.view is None else link.view.seq)

    def goodbye(self, link: Link) -> None:
        link.is_connected = False
        self._perform(self.lobby.goodbye(link.session, link.generation, self.now))
        self.links.pop(link.session, None)

    def kick(self, link: Link, reason: str = "") -> None:
        """The host ends the session."""
        self.host(self.lobby.kick(self.lobby.session_called(link.name), reason, self.now))

    def host(self, effects: Sequence[Effect]) -> None:
        """What a command of the host caused happens."""
        self._perform(effects)

    def keep_in(self, folder: Path) -> None:
        """Keep a journal in ``folder`` from now on; nothing has happened yet."""
        self.journal = JournalBeside(folder, self.settings)

    def kill_and_restart(self) -> None:
        """The server ends at once, and another one starts on its journal: every connection is lost."""
        assert self.journal is not None
        self.lobby, said = self.journal.rebuilt()
        self.timers = Timers()
        for link in self.links.values():
            link.is_connected = False
            link.generation = 0  # generations are of one process
        self._perform(said)
        self._perform(self.lobby.restarted(self.now))

    # ------------------------------------------------------------ requests

    def request(self, link: Link, kind: type[wire.Request], **fields: object) -> wire.Message:
        """Ask and return the reply; ``id`` grows by itself."""
        link.last_id += 1
        return self.send(link, kind(id=link.last_id, **fields))

    def send(self, link: Link, request: wire.Request) -> wire.Message:
        assert link.is_connected
        self._perform(self.lobby.confirmed(link.session))
        effects = self.lobby.request(link.session, request, self.now)
        replies = [
            effect
            for effect in effects
            if isinstance(effect, Send) and getattr(effect.message, "id", None) == request.id
        ]
        sends_to_link = [effect for effect in effects if isinstance(effect, Send) and link.session in effect.to]
        assert len(replies) == 1
        assert sends_to_link[-1] is replies[0], "a request's reply comes after all that it caused"
        reply = replies[0].message
        if isinstance(reply, wire.Error):
            # That somebody who let the clock run out is there after all is news, whatever was asked for.
            others = [
                effect
                for effect in effects
                if isinstance(effect, Send)
                and set(effect.to) - {link.session}
                and not isinstance(effect.message, wire.StandInEnded)
            ]
            # A session that is thrown out is no refused action: the others see it leave.
            if not any(isinstance(effect, Close) for effect in effects):
                assert others == [], "a refused request told somebody else"
        if isinstance(reply, wire.Done) and isinstance(request, wire.Leave):
            link.view = None
        self._perform(effects)
        return reply

    def ok(self, link: Link, kind: type[wire.Request], **fields: object) -> wire.Message:
        reply = self.request(link, kind, **fields)
        assert not isinstance(reply, wire.Error), reply
        return reply

    def refused(self, link: Link, kind: type[wire.Request], **fields: object) -> str:
        """The code that the request is refused with."""
        reply = self.request(link, kind, **fields)
        assert isinstance(reply, wire.Error), reply
        return reply.code

    def act_as_prompted(self, link: Link, rng: random.Random) -> wire.Message:
        prompt = link.prompt
        assert prompt is not None
        return self.ok(link, wire.Act, action=rng.choice(prompt.actions), seq=prompt.seq)

    # ------------------------------------------------------------ time

    def advance(self, seconds: float) -> None:
        """Let time pass; timers fire when they are due."""
        until = self.now + seconds
        while (due := self.timers.next_deadline()) <= until:
            self.now = max(self.now, due)
            key = self.timers.pop_due(self.now)
            assert key is not None
            self._perform(self.lobby.fire(key, self.now))
        self.now = until

    def is_timer_set(self, kind: TimerKind, owner: int) -> bool:
        return TimerKey(kind, owner) in self.timers

    # ------------------------------------------------------------ what is checked

    def _perform(self, effects: Sequence[Effect]) -> None:
        self._look_at_hands()
        if self.journal is not None:
            for effect in effects:
                if isinstance(effect, KEEPS):
                    self.journal.store.add(effect)
            self.journal.store.commit()
        for effect in effects:
            match effect:
                case Send(to, message):
                    self._deliver(to, message)
                case SetTimer(key, at):
                    self.timers.set(key, at)
                case CancelTimer(key):
                    self.timers.cancel(key)
                case Record():
                    self._record(effect)
                case Log():
                    self.logs.append(effect)
                case Stop(reason):
                    self.stopped = reason
                case Close(session, goodbye):
                    self._close(session, goodbye)
                case _:
                    pass

    def _record(self, record: Record) -> None:
        self.records.append(record)
        if isinstance(self.lobby.archive, ArchiveInMemory):
            self.lobby.archive.add(record)

    def _close(self, session: int, goodbye: wire.Goodbye) -> None:
        link = self.links[session]
        _check_code(goodbye)
        if not link.is_connected:
            return
        link.closed_with = goodbye
        link.received.append(goodbye)
        self.drop(link)

    def _look_at_hands(self) -> None:
        for number, table in self.lobby.tables.items():
            secrets = self._secrets.setdefault(number, _Secrets())
            deal = None if table.play is None else table.play.state.deal
            if deal is not None and deal.cut is not None:
                secrets.hands = deal_hands(cut_pack(deal.pack, deal.cut), deal.dealer, deal.rules.dealing)

    def _deliver(self, to: tuple[int, ...], message: wire.Message) -> None:
        _check_code(message)
        frame = encode(message)
        secrets = None
        if isinstance(message, wire.TableEvent | wire.Snapshot | wire.Prompt):
            secrets = self._secrets.setdefault(message.table, _Secrets())
            self._become_public(secrets, message)
        for session in to:
            link = self.links.get(session)
            if link is None or not link.is_connected:
                continue
            if isinstance(message, wire.Snapshot):
                link.view = comparable(message)
            elif isinstance(message, wire.TableEvent):
                assert link.view is not None, f"{message} for somebody without a snapshot"
                link.view = fold(link.view, message)
                if isinstance(message, wire.TableClosed):
                    link.view = None
            if secrets is not None:
                self._check_hidden(secrets, link, frame)
            link.received.append(message)

    @staticmethod
    def _become_public(secrets: _Secrets, message: wire.Message) -> None:
        match message:
            case wire.DealStarted():
                secrets.played = set()
                secrets.is_revealed = False
            case wire.CardPlayed(card=card):
                secrets.played.add(card)
            case wire.DealRevealed():
                secrets.is_revealed = True

    @staticmethod
    def _check_hidden(secrets: _Secrets, link: Link, frame: bytes) -> None:
        """No frame to a viewer holds a card of the deal in progress that is neither public nor in its own
        hand.
        """
        if secrets.is_revealed:
            return
        seat = None if link.view is None else link.view.seat
        known = set(secrets.played)
        if seat is not None and secrets.hands is not None:
            known |= set(secrets.hands[seat])
        for card in FULL_PACK:
            if card not in known:
                assert b"\xa2" + card.value.encode() not in frame, f"{card} leaked to {link.name} ({seat})"

    def check_views(self) -> None:
        """Every viewer's folded view is what a fresh snapshot would say."""
        for link in self.links.values():
            session = self.lobby.sessions.get(link.session)
            if session is None or not link.is_connected:
                continue
            table = None if session.table is None else self.lobby.tables[session.table]
            if table is None:
                assert link.view is None
                continue
            assert link.view == self.snapshot_for(table, table.seating.seat_of(link.session))

    def snapshot_for(self, table: PlayingTable, seat: Seat | None) -> wire.Snapshot:
        return comparable(snapshot(table, seat, self.now))

    # ------------------------------------------------------------ common beginnings

    def table_of(self, link: Link) -> PlayingTable:
        session = self.lobby.sessions.get(link.session)
        assert session is not None
        assert session.table is not None
        return self.lobby.tables[session.table]

    def open_table(self, link: Link, **fields: object) -> int:
        reply = self.ok(link, wire.OpenTable, **{"name": "Majlis", **fields})
        assert isinstance(reply, wire.Opened)
        return reply.table

    def play_a_set(self, south: Link) -> int:
        """The table at which the player and three bots have just played a set; the clock acted for the player.
        Needs a driver without a delay of bots and with a turn's clock.
        """
        number = self.open_table(south)
        self.ok(south, wire.Join, table=number, seat=Seat.SOUTH)
        for _ in range(3):
            self.ok(south, wire.AddBot)
        played = len(self.records)
        while len(self.records) == played:
            self.advance(10)
        return number

    def four_players(self, **table: object) -> tuple[Link, Link, Link, Link]:
        """South, East, North and West in a set that has just begun."""
        south, east, north, west = (self.hello(name) for name in ("South", "East", "North", "West"))
        number = self.open_table(south, **table)
        for seat, link in zip(Seat, (south, east, north, west), strict=True):
            self.ok(link, wire.Join, table=number, seat=seat)
        return south, east, north, west

    def play_on(self, links: Iterable[Link], rng: random.Random, actions: int) -> int:
        """Act for whoever has a prompt, ``actions`` times or until none has but for ``ready``; how often it was
        done.
        """
        done = 0
        seated = list(links)
        while done < actions:
            acting = next((link for link in seated if _wants_action(link)), None)
            if acting is None:
                break
            self.act_as_prompted(acting, rng)
            done += 1
        return done


def _wants_action(link: Link) -> bool:
    prompt = link.prompt if link.is_connected else None
    return prompt is not None and not isinstance(prompt.actions[0], wire.ReadyAction)


def _check_code(message: wire.Message) -> None:
    """A code is one of the table, in a message that the table names for it."""
    if isinstance(message, wire.Error | wire.Refused | wire.Goodbye):
        carrier = Carrier(str(message.__struct_config__.tag))
        assert carrier in CODES[ErrorCode(message.code)].carriers, message
