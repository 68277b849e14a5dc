"""Clients that do what no client should: some at a table, some at the door."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import trio

from support.simulation.calling import Habits
from support.simulation.frames import LENGTH, Fields, Read, packed
from support.simulation.guest import Guest

if TYPE_CHECKING:
    import random

    from support.simulation.judge import Judge
    from support.simulation.network import ClientEnd

MISCHIEF = (
    "duplicate",
    "stale",
    "malformed",
    "old_token",
    "twin",
    "takeover",
    "hostile",
    "flood",
    "wander",
    "chatter",
    "goodbye",
    "slow",
    "absence",
    "doors",
)
"""What a rascal may be up to. ``doors``: more tables, wrong passwords, bots in and out."""
PASSWORD = "sesame opens"
NUDGE_SECONDS = 15.0
CARDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]

HOSTILE = (
    b"\x00\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\x80\x00\x00\x00",
    LENGTH.pack(8193),
    LENGTH.pack(5) + b"\xdd\xff\x00\x00\x00",
    LENGTH.pack(5) + b"\xdf\xff\xff\xff\xff",
    LENGTH.pack(5) + b"\xc6\xff\xff\xff\xff",
    LENGTH.pack(4) + b"\xc4\x02ab",
    LENGTH.pack(3) + b"\xd4\x05\x00",
    LENGTH.pack(1) + b"\xc1",
    LENGTH.pack(2) + b"\x91\x01",
    LENGTH.pack(7) + b"\x82\xa1a\x01\xa1a\x02",
    LENGTH.pack(64) + b"\x91" * 64,
    LENGTH.pack(9) + b"\x81\xa4type\xa2\xff\xfe",
    LENGTH.pack(16) + bytes(range(16)),
)
"""Bytes outside the protocol: each ends the connection that they come on."""


def malformed(rng: random.Random, number: int) -> Fields:
    """A message with a fault: it is answered by an error, and nothing happens."""
    act: Fields = {"type": "act", "id": number}
    return rng.choice(
        [
            act,
            act | {"action": None},
            act | {"action": {"type": "play", "card": None}},
            act | {"action": {"type": "play", "card": "1S"}},
            act | {"action": {"type": "play"}},
            act | {"action": {"type": "call", "call": "bid", "tricks": 7.5}},
            act | {"action": {"type": "call", "call": "bid", "tricks": True}},
            act | {"action": {"type": "call", "call": "bid", "tricks": "8"}},
            act | {"action": {"type": "resign"}},
            act | {"action": ["play", "AS"]},
            {"type": "open_the_door", "id": number},
            {"type": "join", "id": number, "table": 0},
            {"type": "chat", "id": number, "text": "\x1b[2J"},
            {"type": "chat", "id": number, "text": "\u202eback"},
            {"type": "chat", "id": number, "text": ""},
            {"type": "sync", "id": number, "seq": -1},
            {"type": "leave"},
            {"type": "act", "id": -1, "action": {"type": "ready"}},
            {"type": "add_bot", "id": number, "level": "perfect"},
        ]
    )


def any_action(rng: random.Random) -> Fields:
    """Any action, legal or not."""
    return rng.choice(
        [
            {"type": "play", "card": rng.choice(CARDS)},
            {"type": "trump", "suit": rng.choice("CDHS")},
            {"type": "cut", "at": rng.randint(-1, 53)},
            {"type": "call", "call": rng.choice(("pass", "game"))},
            {"type": "call", "call": "bid", "tricks": rng.randint(5, 15)},
            {"type": "call", "call": "pass", "remark": "helpful"},
            {"type": "ready"},
        ]
    )


class Rascal(Guest):
    """A guest that is up to something every ``pace`` messages."""

    def __init__(
        self,
        habits: Habits,
        dial: Callable[[], ClientEnd],
        judge: Judge,
        rng: random.Random,
        *,
        kinds: tuple[str, ...],
        pace: float,
        visit: Callable[[list[bytes], str], None],
    ) -> None:
        super().__init__(habits, dial, judge, rng)
        self._kinds = kinds
        self._pace = pace
        self._until_next = self._draw()
        self._visit = visit
        self._frames: list[bytes] = []

    def _draw(self) -> int:
        return 1 + int(self.rng.expovariate(1 / self._pace))

    def write(self, frame: bytes) -> None:
        """Remembers what it said."""
        super().write(frame)
        self._frames.append(frame)
        del self._frames[:-40]

    def judge_refusal(self, kind: str | None, error: Fields, asked: Fields | None) -> None:
        """It had it coming. Where it has used up ids that it does not know of, it goes on beyond them."""
        if error["code"] == "id_too_old":
            self.last_id += 500

    def _new_session(self) -> None:
        super()._new_session()
        self._frames.clear()

    def heard(self, message: Read) -> None:
        """Time for mischief, perhaps."""
        if self.is_calm or not self._kinds or self.token is None:
            return
        self._until_next -= 1
        if self._until_next > 0:
            return
        self._until_next = self._draw()
        kind = self.rng.choice(self._kinds)
        self.judge.count(f"fault {kind}")
        getattr(self, f"_do_{kind}")()

    def _welcomed(self, welcome: Fields) -> None:
        super()._welcomed(welcome)
        self.later(NUDGE_SECONDS, self._nudge)

    def _nudge(self) -> None:
        """In all its mischief it may have lost sight of a prompt: where nothing happens, it asks."""
        if self.table is not None and trio.current_time() - self.moved_at >= NUDGE_SECONDS:
            self.ask("sync")
        self.later(NUDGE_SECONDS, self._nudge)

    def act(self, prompt: Fields) -> None:
        """Now and then several actions at once, of which one can count."""
        if "stale" in self._kinds and not self.is_calm and self.rng.random() < 0.05:
            self.judge.count("fault burst")
            for _ in range(3):
                self.ask("act", action=any_action(self.rng), seq=prompt["seq"])
        super().act(prompt)

    def _decide_after_answer(self) -> None:
        if not any(request["type"] == "act" for request in self.unanswered.values()):
            super()._decide_after_answer()

    def _do_duplicate(self) -> None:
        frame = self.rng.choice(self._frames)
        super().write(frame * self.rng.randint(1, 3))
        if self.last_id and self.rng.random() < 0.3:
            # An id that was used for something else: only the id is looked at.
            number = max(1, self.last_id - self.rng.randint(0, 100))
            super().write(packed({"type": "act", "id": number, "action": any_action(self.rng)}))

    def _do_stale(self) -> None:
        seq = max(0, (self.seq or 0) - self.rng.randint(-2, 30))
        self.ask("act", action=any_action(self.rng), seq=seq)

    def _do_malformed(self) -> None:
        self.last_id += 1
        self.write(packed(malformed(self.rng, self.last_id)))

    def _do_old_token(self) -> None:
        if len(self.old_tokens) > 1:
            token = self.rng.choice(self.old_tokens[:-1])
            self._visit([packed(self._hello(token))], "old_token")

    def _do_twin(self) -> None:
        """Two more connections with the token that it has, at once; none of them says anything after its hello,
        so that the token stays good.
        """
        if self.token is None:
            return
        for _ in range(self.rng.randint(1, 2)):
            self._visit([packed(self._hello(self.token))], "twin")

    def _hello(self, token: str) -> Fields:
        return {
            "type": "hello",
            "protocol_min": 1,
            "protocol_max": 1,
            "client": "twin",
            "name": "Somebody",
            "resume": token,
        }

    def _do_takeover(self) -> None:
        """It connects anew while the old connection stands, and leaves that to itself."""
        self.leaves_open = True

    def _do_hostile(self) -> None:
        self.judge.count("hostile frames")
        super().write(self.rng.choice(HOSTILE))

    def _do_flood(self) -> None:
        if self.rng.random() < 0.5:
            for _ in range(self.rng.choice((70, 120, 420))):
                self.last_id += 1
                super().write(packed({"type": "list_tables", "id": self.last_id}))
        else:
            super().write(packed({"type": "ping", "nonce": 7}) * self.rng.choice((50, 100, 1000)))

    def _do_wander(self) -> None:
        if self.rng.random() < 0.3 and self.habits.is_spectator and self.table is not None:
            self.ask("join", table=self.table, password=PASSWORD)
        else:
            self.ask("leave")
            if self.rng.random() < 0.2:  # and is gone in the same moment
                self.gone_until = trio.current_time() + self.rng.random()
                self.leaves_now = True

    def _do_chatter(self) -> None:
        for _ in range(self.rng.randint(1, 9)):
            self.say()

    def _do_goodbye(self) -> None:
        self.leave_for_good()
        self.token = None

    def _do_slow(self) -> None:
        self.reads_again_at = trio.current_time() + self.rng.random() * 30

    def _do_absence(self) -> None:
        """Away, most often for less than the grace."""
        self.gone_until = trio.current_time() + self.rng.expovariate(1 / 6)
        self.leaves_now = True

    def _do_doors(self) -> None:
        match self.rng.randrange(5):
            case 0:
                self.lines += 1
                self.ask("open_table", name=f"{self.habits.name} {self.lines}"[-24:], password=PASSWORD)
            case 1:
                self.ask("join", table=self.rng.randint(1, 6), password="not that")  # noqa: S106
            case 2:
                self.ask("add_bot", seat=self.rng.randrange(4))
            case 3:
                self.ask("remove_bot", seat=self.rng.randrange(4))
            case _:
                self.ask("watch", table=self.rng.randint(1, 4), password=PASSWORD)


async def visit(dial: Callable[[], ClientEnd], frames: list[bytes], stays: float, rng: random.Random) -> None:
    """Connect, say this, listen for a while or to the end, and go in one way or another."""
    try:
        end = dial()
    except OSError:
        return
    out = b"".join(frames)
    with trio.move_on_after(stays):
        try:
            while True:
                if out:
                    out = out[end.send_now(out) :]
                chunk = end.receive_now()
                if chunk == b"":
                    break
                if chunk is None:
                    await end.changed()
        except OSError:
            pass
    match rng.randrange(3):
        case 0:
            end.abort()
        case 1:
            end.close()
        case _:
            pass  # left as it is: the server has to notice


def at_the_door(rng: random.Random, names: list[str]) -> list[bytes]:
    """What a stranger says who has no session, and most often gets none."""
    hello: Fields = {
        "type": "hello",
        "protocol_min": 1,
        "protocol_max": 1,
        "client": "x",
        "name": rng.choice(names),
    }
    describe = packed({"type": "describe"})
    return rng.choice(
        [
            [],
            [rng.choice(HOSTILE)],
            [packed(hello)[:9]],
            [packed(hello | {"resume": "A" * 43, "seq": 3})],
            [packed(hello | {"protocol_min": 7, "protocol_max": 9})],
            [packed(hello | {"name": "\u200b"})],
            [packed(hello | {"name": "x" * 65})],
            [packed(hello | {"password": "wrong"})],
            [packed({"type": "ping"})],
            [describe * rng.randint(1, 10)],
            [packed(hello), packed(hello)],
            [packed(hello), packed({"type": "list_tables", "id": 1}), rng.choice(HOSTILE)],
            [packed(hello), packed({"type": "goodbye", "code": "left"})],
            [packed(hello), *(packed({"type": "sync", "id": number}) for number in range(40))],
        ]
    )
