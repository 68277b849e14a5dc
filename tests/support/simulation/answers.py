"""Each request has one answer, the same for ever; what is said to be done is in the story of the table."""

from __future__ import annotations

from collections import deque

import trio

from support.simulation.book import TableBook
from support.simulation.frames import Fields, Read
from support.simulation.umpire import action_of
from support.simulation.witness import KnownSession, Wire

NOT_KEPT = frozenset({"bad_request", "unknown_type", "id_too_old", "rate_limited"})
"""Codes of errors that may be answered otherwise when the request comes again."""
KEPT_KINDS = frozenset({"leave", "add_bot", "remove_bot", "act", "join", "watch", "open_table"})
"""Requests whose reply survives the server's end, for each that is granted changes something."""
MOST_COMPLAINTS = 20


class Answers:
    """Takes down what is wrong in ``complaints``; ``failed`` is set with the first."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.notes: deque[str] = deque(maxlen=60)
        self.failed = trio.Event()
        self.counts: dict[str, int] = {}
        self.books: dict[int, TableBook] = {}
        self.epoch = 0
        """How often the server has ended."""

    def complain(self, text: str) -> None:
        """Something is wrong."""
        if len(self.complaints) < MOST_COMPLAINTS:
            self.complaints.append(f"at {trio.current_time():.3f} s, {text}")
        self.failed.set()

    def note(self, text: str) -> None:
        """Keep the latest of what happened to sessions, for whoever looks into a complaint."""
        self.notes.append(f"{trio.current_time():.3f} {text}")

    def count(self, what: str, by: int = 1) -> None:
        """Something happened that a report counts."""
        self.counts[what] = self.counts.get(what, 0) + by

    def book(self, number: int) -> TableBook:
        """What is known of a table."""
        book = self.books.get(number)
        if book is None:
            book = self.books[number] = TableBook(number, self.complain)
        return book

    def take_answer(self, wire: Wire, session: KnownSession, sent: Read) -> None:
        """A request of the session was answered."""
        answer, kind = sent.fields, sent.kind
        number = answer.get("id")
        code = answer.get("code")
        if kind == "error":
            self.count(f"error {code}")
            if code == "internal_error":
                self.complain(f"{answer}")
        if number is None:
            if kind != "error":
                self.complain(f"a reply without an id: {answer}")
            return
        bodies = session.asked.get(number)
        if not bodies:
            self.complain(f"{session.name} never asked {number}: {answer}")
            return
        is_new = self._compare_answers(session, number, sent, bodies)
        if code in NOT_KEPT or kind == "tables":
            return
        if is_new:
            self._first_answer(wire, session, sent, bodies)

    def _compare_answers(self, session: KnownSession, number: int, sent: Read, bodies: list[Fields]) -> bool:
        """Whether it is the first answer that counts. The same request has the same answer for ever."""
        before = session.answers.get(number)
        if sent.fields.get("code") in NOT_KEPT or sent.kind == "tables":
            return False
        session.answers[number] = (sent, self.epoch)
        session.leaving.discard(number)
        if before is None:
            return True
        first, epoch = before
        changed = first.kind in {"joined", "opened"} or (
            first.kind == "done"
            and all(body.get("type") in KEPT_KINDS for body in bodies)
            and all(body.get("action") != {"type": "ready"} for body in bodies)
        )
        if first.payload != sent.payload and (epoch == self.epoch or changed):
            self.complain(
                f"{session.name}: request {number} was answered by {first.fields} and by {sent.fields}"
            )
        self.count("answers repeated")
        return False

    def _first_answer(self, wire: Wire, session: KnownSession, sent: Read, bodies: list[Fields]) -> None:
        answer, kind = sent.fields, sent.kind
        if kind == "error":
            if answer["code"] == "wrong_password":
                session.wrong_passwords += 1
            return
        seq = answer.get("seq")
        asked = {body.get("type") for body in bodies}
        if kind == "joined":
            is_there = (wire.table, wire.seat) == (answer["table"], answer.get("seat"))
            # It may be answered on a later connection, where things have gone on.
            if not is_there and self._is_of_now(wire, session, answer["id"]):
                self.complain(f"{session.name} joined {answer}, and is at {wire.table}, seat {wire.seat}")
        elif kind == "done" and "leave" in asked and self._is_of_now(wire, session, answer["id"]):
            session.table = session.seat = wire.table = wire.seq = wire.seat = None
        elif kind == "done" and "leave" in asked:
            session.is_vague = True
        elif kind == "done" and seq is not None and wire.table is not None and asked == {"act"}:
            self._acted(wire, session, seq, bodies)

    def _is_of_now(self, wire: Wire, session: KnownSession, number: int) -> bool:
        """Whether a first answer tells of this moment: it was asked on this connection, and all is in order."""
        return session.asked_on.get(number) == wire.number and len(session.asked[number]) == 1

    def _acted(self, wire: Wire, session: KnownSession, seq: int, bodies: list[Fields]) -> None:
        # Where an id came with several, it is the first that counts, unless that was lost with its connection.
        actions = dict.fromkeys(
            action_of(body["action"]) for body in bodies if isinstance(body.get("action"), dict)
        )
        if "" in actions or not actions:  # ready says nothing when it was said before
            return
        self.count("acts acknowledged")
        table = wire.table
        assert table is not None
        book = self.book(table)
        if any(book.claim(None, action, seq) for action in actions):
            return
        if book.seq >= seq and book.is_whole(max(0, seq - 60), seq):
            self.complain(
                f"{session.name} was told that {list(actions)} is done at event {seq}, and it is nowhere"
            )
