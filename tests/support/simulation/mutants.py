"""Bugs to plant in the server, or the client, each of a kind that the simulation is there to find."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any
from unittest import mock

import msgspec

import tarneeb_client.fold
import tarneeb_server.playing
import tarneeb_server.restoring
import tarneeb_server.table
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_server.app import App
from tarneeb_server.effects import TimerKind
from tarneeb_server.lobby import Lobby
from tarneeb_server.outbox import Outbox
from tarneeb_server.playing import PlayingTable
from tarneeb_server.seating import Seating
from tarneeb_server.sessions import Session, Sessions
from tarneeb_server.store import Store
from tarneeb_server.stream import EventStream
from tarneeb_server.table import Table

Plant = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug. ``only`` are the kinds of fault that it takes to show."""

    name: str
    plant: Plant
    only: frozenset[str] = frozenset()
    deals: int = 4


def instead(owner: object, name: str, make: Callable[[Any], Any]) -> Plant:
    """Plant by putting ``make(original)`` in place of an attribute."""

    @contextmanager
    def plant() -> Iterator[None]:
        with mock.patch.object(owner, name, make(getattr(owner, name))):
            yield

    return plant


def _hand_for_spectators(original: Any) -> Any:
    def project_hands(*arguments: Any) -> Any:
        public, by_seat = original(*arguments)
        return msgspec.structs.replace(public, hand=by_seat[0].hand), by_seat

    return project_hands


def _hand_of_the_next(original: Any) -> Any:
    def project_hands(*arguments: Any) -> Any:
        public, by_seat = original(*arguments)
        return public, (*by_seat[1:], by_seat[0])

    return project_hands


def _snapshot_with_a_hand(original: Any) -> Any:
    def snapshot(table: PlayingTable, seat: Seat | None, now: float) -> Any:
        return msgspec.structs.replace(original(table, Seat(0) if seat is None else seat, now), seat=seat)

    return snapshot


def _snapshot_without_chat(original: Any) -> Any:
    return lambda *arguments: msgspec.structs.replace(original(*arguments), chat=())


def _drops_an_event(original: Any) -> Any:
    sends = count(1)

    def send(app: App, to: tuple[int, ...], message: wire.Message) -> None:
        drops = isinstance(message, wire.TableEvent) and next(sends) % 40 == 0
        original(app, to[1:] if drops else to, message)

    return send


def _commits_seldom(original: Any) -> Any:
    commits = count(1)

    def commit(store: Store) -> None:
        if next(commits) % 10 == 0:
            original(store)

    return commit


def _remembers_no_reply(original: Any) -> Any:
    def keep_reply(session: Session, request: int, reply: Any) -> None:
        original(session, request, reply)
        session.replies.clear()
        session.unkept.clear()
        session.last_id = -1

    return keep_reply


def _answers_otherwise(original: Any) -> Any:
    def request(lobby: Lobby, session: int, asked: wire.Request, now: float) -> Any:
        known = lobby.sessions.get(session)
        if known is not None and isinstance(done := known.replies.get(asked.id), wire.Done):
            known.replies[asked.id] = wire.Done(id=asked.id, seq=(done.seq or 0) + 1)
        return original(lobby, session, asked, now)

    return request


def _old_ends_count(original: Any) -> Any:
    def lost(app: App, peer: Any) -> None:
        if peer.session is not None and app._by_session.get(peer.session) is not peer:
            known = app.lobby.sessions.get(peer.session)
            if known is not None:
                app._perform(app.lobby.disconnected(peer.session, known.generation, app.time.now()))
        original(app, peer)

    return lost


def _keeps_the_seat_of_the_gone(original: Any) -> Any:
    def leave(table: Table, session: int, reason: str, now: float) -> Any:
        return [] if reason == "grace_over" else original(table, session, reason, now)

    return leave


def _takes_old_tokens(original: Any) -> Any:
    seen: dict[str, Session] = {}

    def find(sessions: Sessions, token: str) -> Session | None:
        found = original(sessions, token)
        if found is not None:
            seen[token] = found
        known = seen.get(token)
        return known if known is not None and sessions.get(known.id) is known else None

    return find


def _replays_one_too_few(original: Any) -> Any:
    def after(stream: EventStream, seq: int, viewer: Seat | None) -> Any:
        missed = original(stream, seq, viewer)
        return missed[1:] if missed else missed

    return after


def _goes_away_twice(original: Any) -> Any:
    def go_away(table: Table, seat: Seat, player: Any, now: float) -> None:
        original(table, seat, player, now)
        original(table, seat, player, now)

    return go_away


def _turns_never_end(original: Any) -> Any:
    def fire(table: PlayingTable, kind: TimerKind, now: float) -> Any:
        return [] if kind is TimerKind.TURN else original(table, kind, now)

    return fire


def _prompts_for_less(original: Any) -> Any:
    def send(table: PlayingTable, session: int, message: wire.Message) -> None:
        if isinstance(message, wire.Prompt) and len(message.actions) > 1:
            message = msgspec.structs.replace(message, actions=message.actions[1:])
        original(table, session, message)

    return send


def _sends_again_what_went_out(original: Any) -> Any:
    def sent(outbox: Outbox, size: int) -> None:
        original(outbox, size if size == len(outbox.head()) else max(1, size - 3))

    return sent


def _scores_the_other_team(original: Any) -> Any:
    def project_public(event: Any, *arguments: Any) -> Any:
        message = original(event, *arguments)
        if isinstance(message, wire.TrickTaken):
            return msgspec.structs.replace(message, taken=(message.taken[1], message.taken[0]))
        return message

    return project_public


def _logs_what_was_refused(original: Any) -> Any:
    def act(lobby: Lobby, session: Session, request: wire.Act, now: float) -> Any:
        if isinstance(request.action, wire.PlayAction):
            logging.getLogger("tarneeb.server").info("event=tries card=%s", request.action.card.value)
        return original(lobby, session, request, now)

    return act


def _seats_on_laps(original: Any) -> Any:
    def choose(seating: Seating, *arguments: Any) -> Seat:
        original(seating, *arguments)
        return Seat(0)

    return choose


def _own_sends_are_life(original: Any) -> Any:
    def look_at(app: App, peer: Any, now: float, nonce: int) -> None:
        peer.heard_at = max(peer.heard_at, peer.sent_at)
        original(app, peer, now, nonce)

    return look_at


def _restores_to_the_next_seat(original: Any) -> Any:
    def occupant(entry: Any, seat: Seat, *arguments: Any) -> Any:
        return original(entry, seat.next(), *arguments)

    return occupant


def _folds_no_trick(original: Any) -> Any:
    def with_trick_taken(deal: Any, event: wire.TrickTaken) -> Any:
        return original(deal, msgspec.structs.replace(event, taken=(0, 0)))

    return with_trick_taken


PLAYING, TABLE, RESTORING = tarneeb_server.playing, tarneeb_server.table, tarneeb_server.restoring

MUTANTS = (
    Mutant("a spectator is dealt South's hand", instead(PLAYING, "project_hands", _hand_for_spectators)),
    Mutant("each seat is dealt the next one's hand", instead(PLAYING, "project_hands", _hand_of_the_next)),
    Mutant("a spectator's snapshot has South's hand", instead(TABLE, "snapshot", _snapshot_with_a_hand)),
    Mutant("snapshots leave the chat out", instead(TABLE, "snapshot", _snapshot_without_chat)),
    Mutant("an event is dropped for one viewer", instead(App, "_send", _drops_an_event)),
    Mutant("most commits are not made", instead(Store, "commit", _commits_seldom), frozenset({"kill"})),
    Mutant(
        "a request sent again is done again",
        instead(Session, "keep_reply", _remembers_no_reply),
        frozenset({"duplicate", "chatter"}),
    ),
    Mutant(
        "a request sent again is answered otherwise",
        instead(Lobby, "request", _answers_otherwise),
        frozenset({"duplicate"}),
    ),
    Mutant(
        "the end of an old connection counts",
        instead(App, "lost", _old_ends_count),
        frozenset({"takeover", "cut"}),
    ),
    Mutant(
        "the seat of who is gone stays taken",
        instead(Table, "leave", _keeps_the_seat_of_the_gone),
        frozenset({"absence"}),
    ),
    Mutant(
        "old tokens stay good",
        instead(Sessions, "find", _takes_old_tokens),
        frozenset({"old_token", "takeover"}),
        deals=12,
    ),
    Mutant("a replay lacks an event", instead(EventStream, "after", _replays_one_too_few), frozenset({"cut"})),
    Mutant("who goes away does so twice", instead(Table, "_go_away", _goes_away_twice), frozenset({"cut"})),
    Mutant(
        "a turn does not end",
        instead(PlayingTable, "fire", _turns_never_end),
        frozenset({"absence", "slow"}),
    ),
    Mutant("a prompt lacks an action", instead(PlayingTable, "_send", _prompts_for_less)),
    Mutant(
        "what went out in part is sent again",
        instead(Outbox, "sent", _sends_again_what_went_out),
        frozenset({"narrow", "slow", "chatter"}),
        deals=12,
    ),
    Mutant("tricks count for the other team", instead(PLAYING, "project_public", _scores_the_other_team)),
    Mutant("the log tells what somebody tried to play", instead(Lobby, "_act", _logs_what_was_refused)),
    Mutant("two sit in one seat", instead(Seating, "choose", _seats_on_laps)),
    Mutant(
        "what the server sends counts as life",
        instead(App, "_look_at", _own_sends_are_life),
        frozenset({"silence"}),
        deals=24,
    ),
    Mutant(
        "a restart puts everybody one seat on",
        instead(RESTORING, "_occupant", _restores_to_the_next_seat),
        frozenset({"kill", "stop"}),
    ),
    Mutant(
        "the client does not count tricks", instead(tarneeb_client.fold, "_with_trick_taken", _folds_no_trick)
    ),
)
