"""Reads every byte between server and clients, and complains.

It knows the protocol's document and nothing of the server: who was given which token, what was asked and
answered, what each viewer was sent. What it knows of a table stands in ``book``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import trio

from support.simulation.answers import Answers
from support.simulation.frames import Fields, Read, read
from support.simulation.witness import KnownSession, Wire

SCHEMA = Path(__file__).parents[3] / "protocol" / "schema.json"
CARDS_OF = frozenset({"hands_dealt", "snapshot", "prompt", "card_played", "deal_revealed"})
TRIED = "resumes tried with a good token in time"
TRIED_AND_GRANTED = "resumes tried with a good token in time, and granted"
SURELY_HANDLED = 8
"""Frames that came together which the server handles before it lets another task run."""
LINGER_SECONDS = 3.0
"""How much later than it has to a server may notice something."""


class Judge(Answers):
    """Sees every byte that the server takes or gives."""

    def __init__(self, dead_seconds: float, grace_seconds: float) -> None:
        super().__init__()
        self.sessions: dict[str, KnownSession] = {}
        """By name: a name has one session at a time."""
        self.tokens: dict[str, KnownSession] = {}
        self.secrets: set[str] = set()
        self.wires: dict[int, Wire] = {}
        self.keeps_sessions = True
        self._dead_seconds = dead_seconds
        self._grace_seconds = grace_seconds
        self.on_deal: Callable[[], None] = lambda: None
        self._trace = hashlib.sha256()
        self._fields = _fields_by_type()

    @property
    def trace(self) -> str:
        """A hash over every byte that the server took or gave, by time and connection."""
        return self._trace.hexdigest()

    # ------------------------------------------------------------ the server's end of a connection

    def opened(self, number: int) -> None:
        """A connection was accepted."""
        self.wires[number] = Wire(number, trio.current_time())

    def closed(self, number: int) -> None:
        """The server has closed it."""
        wire = self.wires.pop(number, None)
        if wire is not None and not wire.is_closed:
            wire.is_closed = True
            self.note(f"closed {number}: {wire.session.name if wire.session else None}")
            if wire.session is not None:
                wire.session.open_wires -= 1
                wire.session.alive_at = trio.current_time()

    def ended(self, *, keeps_sessions: bool) -> None:
        """The server is no more: killed, or stopped in order."""
        now = trio.current_time()
        for number in list(self.wires):
            self.closed(number)
        for session in self.sessions.values():
            if not self._is_surely_alive(session, now):
                session.alive_at = -math.inf
        self.epoch += 1
        for book in self.books.values():
            book.restarted()
        if not keeps_sessions:
            for session in self.sessions.values():
                session.end(self.epoch)
            self.count(
                "deals of servers that keep nothing", sum(book.deals_revealed for book in self.books.values())
            )
            self.books.clear()

    def started(self) -> None:
        """The server is there again: every grace begins anew."""
        now = trio.current_time()
        for session in self.sessions.values():
            session.alive_at = max(session.alive_at, now) if session.alive_at > -math.inf else -math.inf

    def jumped(self, seconds: float) -> None:
        """Time passed in which nobody ran."""
        for wire in self.wires.values():
            wire.heard_at += seconds
        for session in self.sessions.values():
            session.alive_at += seconds

    def received(self, number: int, chunk: bytes) -> None:
        """The server took these bytes of a client."""
        now = trio.current_time()
        self._trace.update(b"< %d %.6f %d %b" % (number, now, len(chunk), chunk))
        wire = self.wires[number]
        wire.heard_at = now
        for place, payload in enumerate(wire.up.feed(chunk)):
            try:
                fields = msgpack.unpackb(payload, max_ext_len=0, max_bin_len=0)
            except Exception:  # noqa: BLE001  (whatever it is, it is no message)
                wire.up.is_spoiled = True
                return
            if not isinstance(fields, dict):
                wire.up.is_spoiled = True
                return
            self._asked(wire, fields, is_soon=place < SURELY_HANDLED)

    def _asked(self, wire: Wire, fields: Fields, *, is_soon: bool = False) -> None:
        """The server took in a message, and comes to it before anything else can happen where ``is_soon``."""
        kind = fields.get("type")
        if wire.hello is None:
            if kind == "hello":
                wire.hello = fields
                self.note(
                    f"hello on {wire.number}: {fields.get('name')} {fields.get('resume')} {fields.get('seq')}"
                )
                if fields.get("resume") is not None:
                    self._try_resume(wire, str(fields["resume"]))
            return
        session = wire.session
        if session is None and not wire.is_over:
            wire.early.append(fields)
        if session is None or wire.is_over or session.wire != wire.number:
            return
        if not session.is_confirmed:
            self.note(f"confirmed on {wire.number} by {kind}: {session.name}")
            session.is_confirmed, session.epoch = True, self.epoch
        number = fields.get("id")
        if isinstance(number, int) and not isinstance(number, bool):
            session.asked.setdefault(number, []).append(fields)
            self.count("requests")
            session.asked_on.setdefault(number, wire.number)
            if kind == "leave" and number not in session.answers:
                session.leaving.add(number)
            if kind == "sync" and isinstance(fields.get("seq"), int):
                wire.syncs.add(fields["seq"])
        elif kind == "goodbye":
            session.end(self.epoch, is_sure=is_soon and not session.is_challenged)

    def _try_resume(self, wire: Wire, token: str) -> None:
        """The server took in a hello with this token."""
        session = self.tokens.get(token)
        if session is None or (token != session.token and self._is_replaced(session, token)):
            self.count("resumes tried with a token that is void or was never given")
        elif not self._is_surely_alive(session, trio.current_time()):
            self.count("resumes tried when the session may be over")
        else:
            wire.is_in_time = True
            self.count(TRIED)
        if session is not None:
            session.takeovers += 1
            session.is_shown |= token == session.token
            session.is_challenged |= token in {session.token, session.previous}

    def sent(self, number: int, chunk: bytes) -> None:
        """The server gave these bytes to a client."""
        now = trio.current_time()
        self._trace.update(b"> %d %.6f %d %b" % (number, now, len(chunk), chunk))
        wire = self.wires.get(number)
        if wire is None:
            self.complain(f"bytes on connection {number}, which is closed")
            return
        payloads = wire.down.feed(chunk)
        if wire.down.is_spoiled:
            self.complain(f"connection {number}: a frame of no or too great a length")
        for payload in payloads:
            try:
                sent = read(payload)
            except ValueError as error:
                self.complain(f"connection {number}: {error}")
                return
            self._said(wire, sent, now)

    # ------------------------------------------------------------ what a server says

    def _said(self, wire: Wire, sent: Read, now: float) -> None:
        kind, fields = sent.kind, sent.fields
        if wire.is_over:
            self.complain(f"{kind} after the last message")
        if not fields.keys() <= self._fields.get(kind, frozenset()):
            self.complain(f"{kind} has the fields {sorted(fields)}")
        if sent.cards and kind not in CARDS_OF:
            self.complain(f"{kind} holds a card: {fields}")
        if kind in {"refused", "goodbye"}:
            wire.is_over = True
            self.count(f"{kind} {fields['code']}")
            if fields["code"] == "internal_error":
                self.complain(f"{fields}")
        match kind:
            case "welcome":
                self._welcomed(wire, fields, now)
            case "refused":
                self._refused(wire, fields, now)
            case "goodbye":
                self._goodbye(wire, fields, now)
            case "ping" | "pong" | "about":
                pass
            case _ if wire.session is None:
                self.complain(f"{kind} before a welcome")
            case _:
                self._told(wire, wire.session, sent, now)

    def _told(self, wire: Wire, session: KnownSession, sent: Read, now: float) -> None:
        match sent.kind:
            case "snapshot":
                self._snapshot(wire, session, sent, now)
            case "prompt":
                self._prompt(wire, sent)
            case "done" | "error" | "joined" | "opened" | "tables":
                self.take_answer(wire, session, sent)
            case "lobby_said":
                if session.table is not None and not session.is_vague:
                    self.complain(f"{session.name} is at a table and heard the lobby")
            case _:
                self._event(wire, session, sent, now)

    def _welcomed(self, wire: Wire, welcome: Fields, now: float) -> None:
        hello = wire.hello or {}
        self.note(f"welcome on {wire.number}: {welcome}")
        name, token = welcome["name"], welcome["token"]
        if token in self.secrets:
            self.complain("a token was given twice")
        self.secrets.add(token)
        if welcome.get("resumed"):
            self.count("resumes granted")
            self.count(TRIED_AND_GRANTED, wire.is_in_time)
            used = hello.get("resume")
            session = self.tokens.get(str(used))
            if session is None or session.name != name:
                self.complain(f"{name} was resumed with a token that is not of that session")
                return
            if session.is_surely_ended and session.ended_in == self.epoch:
                self.complain(f"{name} was resumed after its end")
            session.go_on()
            if used != session.token and self._is_replaced(session, used):
                self.complain(f"{name} was resumed with a token that was replaced before")
            session.previous, session.token = used, token
            session.is_confirmed = session.is_shown = session.is_challenged = False
            if session.has_seat and welcome.get("table") != session.table:
                self.complain(
                    f"{name} has a seat at table {session.table}, and resumed at {welcome.get('table')}"
                )
            session.table = welcome.get("table")
            if session.table is None:
                session.seat = None
                session.is_vague = False
            wire.seq = hello.get("seq")
        else:
            if hello.get("resume") is not None:
                self.complain(f"a hello with a token was answered by a new session, {name}")
            other = self.sessions.get(name)
            if other is not None and other.has_seat and self._is_surely_alive(other, now):
                self.complain(f"{name} is the name of another session")
            session = self.sessions[name] = KnownSession(name, token)
        self.tokens[token] = session
        session.open_wires += 1
        session.wire = wire.number
        session.alive_at = now
        wire.session = session
        wire.table = session.table
        wire.seat = session.seat
        for fields in wire.early:
            self._asked(wire, fields)
        wire.early.clear()

    def _is_replaced(self, session: KnownSession, token: object) -> bool:
        return token != session.previous or self._is_void(session)

    def _is_void(self, session: KnownSession) -> bool:
        """Whether the token before the last is surely no good any more. That it is void may have been forgotten
        with the server that knew.
        """
        return session.is_confirmed and session.epoch == self.epoch

    def _is_surely_alive(self, session: KnownSession, now: float) -> bool:
        if session.is_ended:
            return False
        return bool(session.open_wires) or now - session.alive_at < self._grace_seconds - LINGER_SECONDS

    def _refused(self, wire: Wire, refused: Fields, now: float) -> None:
        self.note(f"refused on {wire.number}: {refused['code']}")
        if wire.is_in_time:
            self.count(f"{TRIED}, and refused {refused['code']}")
        if refused["code"] != "bad_token":
            return
        used = str((wire.hello or {}).get("resume"))
        session = self.tokens.get(used)
        if session is None or not session.has_seat or not self._is_surely_alive(session, now):
            return
        is_previous_good = not session.is_confirmed and not session.is_shown
        if used == session.token or (used == session.previous and is_previous_good):
            self.complain(f"{session.name} lost its session: its token was refused")

    def _goodbye(self, wire: Wire, goodbye: Fields, now: float) -> None:
        code, session = goodbye["code"], wire.session
        self.note(f"goodbye on {wire.number}: {code} {session.name if session else None}")
        silence = now - wire.heard_at
        if code == "idle" and silence < self._dead_seconds - 1:
            self.complain(f"idle after {silence:.1f} seconds without a byte")
        if code == "superseded":
            if session is None or session.takeovers < 1:
                self.complain(f"superseded, and nobody resumed: {wire.hello}")
            else:
                session.takeovers -= 1
                session.go_on()
        elif code == "kicked" and session is not None:
            if session.wrong_passwords < 5:
                self.complain(f"{session.name} was kicked: {goodbye}")
            session.end(self.epoch)
        elif session is not None and session.wire == wire.number:
            session.go_on()

    def _snapshot(self, wire: Wire, session: KnownSession, sent: Read, now: float) -> None:
        snapshot = sent.fields
        wire.table, wire.seq, wire.seat = snapshot["table"], snapshot["seq"], snapshot.get("seat")
        session.table, session.seat = wire.table, wire.seat
        session.is_vague = False
        if wire.seat is not None:
            there = snapshot["seats"][wire.seat] or {}
            if there.get("name") != session.name or there.get("level") is not None:
                self.complain(f"{session.name} was given the seat of {there}")
        elif session.name not in snapshot.get("spectators", ()):
            self.complain(f"{session.name} is no spectator of its snapshot")
        public = snapshot.get("public") or {}
        deal = public.get("deal") or {}
        tricks = [*deal.get("tricks", ()), *([deal["trick"]] if deal.get("trick") else ())]
        known = sum(len(trick["cards"]) for trick in tricks) + len(snapshot.get("hand") or ())
        if sent.cards != known:
            self.complain(f"a snapshot holds {sent.cards} cards, of which {known} have a place there")
        self.book(wire.table).take_snapshot(snapshot, now)

    def _prompt(self, wire: Wire, sent: Read) -> None:
        prompt = sent.fields
        if prompt["table"] != wire.table or prompt["seq"] != wire.seq:
            self.complain(f"a prompt of event {prompt['seq']}, sent after {wire.seq}")
        cards = sum("card" in action for action in prompt["actions"])
        if sent.cards != cards or wire.seat is None:
            self.complain(f"a prompt for seat {wire.seat} holds {sent.cards} cards")
        self.book(prompt["table"]).check_prompt(prompt, wire.seat)

    def _event(self, wire: Wire, session: KnownSession, sent: Read, now: float) -> None:
        event = sent.fields
        table, seq, kind = event.get("table"), event.get("seq"), sent.kind
        if not isinstance(table, int) or not isinstance(seq, int):
            self.complain(f"{kind} is no event")
            return
        if table != wire.table:
            self.complain(f"an event of table {table} for {session.name} of table {wire.table}")
            return
        if wire.seq is None or seq != wire.seq + 1:
            if seq - 1 not in wire.syncs:
                self.complain(f"{session.name} was sent event {seq} of table {table} after {wire.seq}")
            wire.syncs.discard(seq - 1)
        wire.seq = seq
        cards = {"card_played": 1, "deal_revealed": 52, "hands_dealt": len(event.get("hand") or ())}.get(
            kind, 0
        )
        if sent.cards != cards:
            self.complain(f"{kind} holds {sent.cards} cards: {event}")
        book = self.book(table)
        before = book.deals_revealed
        book.take_event(sent, wire.seat, now)
        if book.deals_revealed != before:
            self.on_deal()
        if kind == "table_closed":
            session.table = session.seat = wire.table = wire.seq = wire.seat = None

    # ------------------------------------------------------------ from time to time

    def check_silence(self) -> None:
        """No connection is left open on which nothing was heard for too long."""
        now = trio.current_time()
        for wire in self.wires.values():
            silence = now - wire.heard_at
            if wire.session is not None and silence > self._dead_seconds + LINGER_SECONDS + 2:
                self.complain(f"{wire.session.name} was not heard for {silence:.1f} s on an open connection")


def _fields_by_type() -> dict[str, frozenset[str]]:
    """The fields of each message of a server, by the schema."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    found: dict[str, frozenset[str]] = {}
    for definition in schema["$defs"].values():
        named = definition.get("properties", {}).get("type", {})
        kind = named.get("const") or next(iter(named.get("enum", ())), None)
        if kind is not None:
            found[kind] = found.get(kind, frozenset()) | definition["properties"].keys()
    return found
