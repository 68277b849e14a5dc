"""A client's connections: it says hello, answers in time, and comes back whenever the link is lost."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import trio

from support.simulation.frames import Fields, Read, Splitter, packed, read

if TYPE_CHECKING:
    import random

    from support.simulation.judge import Judge
    from support.simulation.network import ClientEnd

SERVER_FRAME = 65536


@dataclass(frozen=True, slots=True)
class Habits:
    """How a guest lives. ``table`` is the name of the table it wants to be at; the opener opens it."""

    name: str
    table: str
    is_opener: bool = False
    is_spectator: bool = False
    password: str | None = None
    opens: Fields | None = None
    thinks: float = 0.0
    """Seconds at most before it acts; mostly it acts at once."""
    chats: float = 0.0
    """Lines a message heard."""
    syncs: float = 0.0
    away: float = 1.5
    """Seconds at most between two attempts to connect."""
    seats_taken: int = 4
    """For the opener: how many players are to come, itself included. Bots get the other seats."""


class Caller:
    """A client. ``dial`` connects, raising ``OSError``; ``judge`` hears complaints."""

    def __init__(self, habits: Habits, dial: Callable[[], ClientEnd], judge: Judge, rng: random.Random) -> None:
        self.habits = habits
        self.judge = judge
        self.rng = rng
        self.dial = dial
        self.end: ClientEnd | None = None
        self.token: str | None = None
        self.old_tokens: list[str] = []
        self.last_id = 0
        self.unanswered: dict[int, Fields] = {}
        self.sent_at: dict[int, float] = {}
        self.table: int | None = None
        self.seq: int | None = None
        self.seat: int | None = None
        self.seats: list[Fields | None] = [None] * 4
        self.state = ""
        self.prompt: Fields | None = None
        self.is_staying = True
        self.is_calm = False
        """No more of anything but what a good client does."""
        self.is_welcome = False
        self.moved_at = 0.0
        """When the last event came."""
        self.leaves_now = False
        self.leaves_open = False
        """Connect anew and leave the connection as it is."""
        self.reads_again_at = 0.0
        self.gone_until = 0.0
        self.sessions_lost = 0
        self.resumes_tried = 0
        self.lines = 0
        self._out = b""
        self._splitter = Splitter(SERVER_FRAME)
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._due_count = 0
        self._heard_at = 0.0
        self._said_at = 0.0
        self._ping_seconds, self._dead_seconds = 15.0, 45.0
        self._is_looking = False

    # ------------------------------------------------------------ life

    async def live(self) -> None:
        """Be here until ``is_staying`` is no more."""
        while self.is_staying:
            if self.gone_until > trio.current_time():
                await trio.sleep_until(self.gone_until)
                continue
            try:
                self.end = end = self.dial()
            except OSError:
                await trio.sleep(self.rng.uniform(0.05, 0.5))
                continue
            self._begin()
            with contextlib.suppress(OSError):
                await self._converse(end)
            self.is_welcome = False
            self.end = None
            self.leaves_now = False
            if self.leaves_open:
                self.leaves_open = False
                continue
            if self.rng.random() < 0.3:
                end.abort()
            else:
                end.close()
            if self.is_staying:
                await trio.sleep(self.rng.random() * self.habits.away)

    def _begin(self) -> None:
        self._out = b""
        self._splitter = Splitter(SERVER_FRAME)
        self._due.clear()
        self._is_looking = False
        self.prompt = None
        self._heard_at = self._said_at = trio.current_time()
        hello: Fields = {"type": "hello", "protocol_min": 1, "protocol_max": 1, "client": "guest"}
        hello["name"] = self.habits.name
        if self.token is not None:
            self.resumes_tried += 1
            hello["resume"] = self.token
            if self.table is not None and self.seq is not None and self.rng.random() < 0.8:
                hello["seq"] = self.seq
            else:
                self.seq = None
        self.write(packed(hello))

    async def _converse(self, end: ClientEnd) -> None:
        while self.is_staying:
            if end.is_closed or self.leaves_open:
                return
            if self._out:
                self._out = self._out[end.send_now(self._out) :]
            if self.leaves_now:
                return
            now = trio.current_time()
            if now >= self.reads_again_at:
                chunk = end.receive_now()
                if chunk == b"":
                    return
                if chunk:
                    self._heard_at = now
                    if not self._take(chunk):
                        return
                    continue
            if self._do_due(now):
                continue
            if now - self._heard_at >= self._dead_seconds and now >= self.reads_again_at:
                return
            ping_at = self._said_at + self._ping_seconds
            if now >= ping_at and self.is_welcome:
                self.write(packed({"type": "ping"}))
                continue
            await self._wait(end, now, ping_at)

    async def _wait(self, end: ClientEnd, now: float, ping_at: float) -> None:
        until = max(self._heard_at + self._dead_seconds, self.reads_again_at)
        if self.is_welcome:
            until = min(until, ping_at)
        if self._due:
            until = min(until, self._due[0][0])
        if self.reads_again_at > now:
            until = min(until, self.reads_again_at)
        await end.changed(max(until, now + 1e-3))

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Do it then, if the connection still stands."""
        self._due_count += 1
        heapq.heappush(self._due, (trio.current_time() + seconds, self._due_count, do))

    def _do_due(self, now: float) -> bool:
        if not self._due or self._due[0][0] > now:
            return False
        heapq.heappop(self._due)[2]()
        return True

    # ------------------------------------------------------------ saying

    def write(self, frame: bytes) -> None:
        """Send these bytes after what waits."""
        self._out += frame
        self._said_at = trio.current_time()

    def ask(self, kind: str, **fields: object) -> int:
        """Send a request."""
        self.last_id += 1
        request = {"type": kind, "id": self.last_id, **fields}
        self.unanswered[self.last_id] = request
        self.sent_at[self.last_id] = trio.current_time()
        self.write(packed(request))
        return self.last_id

    # ------------------------------------------------------------ hearing

    def _take(self, chunk: bytes) -> bool:
        for payload in self._splitter.feed(chunk):
            try:
                message = read(payload)
            except ValueError as error:
                self.judge.complain(f"{self.habits.name} was sent what is no message: {error}")
                return False
            if message.kind == "goodbye":
                self._left_by(message.fields)
                return False
            if message.kind == "refused":
                self._refused(message.fields)
                return False
            self._hear(message)
            self.heard(message)
        return True

    def heard(self, message: Read) -> None:
        """A message was taken in; whoever is no plain guest may now do what it likes."""

    def _hear(self, message: Read) -> None:
        """Take a message in."""
        raise NotImplementedError

    def _left_by(self, goodbye: Fields) -> None:
        self.gone_until = max(self.gone_until, trio.current_time() + goodbye.get("retry_seconds", 0))

    def _refused(self, refused: Fields) -> None:
        if refused["code"] == "bad_token":
            self.judge.count("sessions lost")
            self._new_session()
        else:
            self.gone_until = max(self.gone_until, trio.current_time() + 0.5)

    def _new_session(self) -> None:
        self.sessions_lost += 1
        self.token = None
        self.unanswered.clear()
        self.sent_at.clear()
        self.last_id = 0
        self.table = self.seq = self.seat = None

    def leave_for_good(self) -> None:
        """Say goodbye as the document asks: then shut the sending half and read to the end."""
        self.write(packed({"type": "goodbye", "code": "left"}))
