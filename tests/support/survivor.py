"""A client, from the document alone, that keeps coming back until its set is over and remembers it all."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

import trio

from support.plain_wire import Fields, PlainWire

ACTIONS = {"pack_cut", "call_made", "trump_named", "card_played"}


@dataclass
class Told:
    """An action as an event or an answer told of it: when, where, by whom, what."""

    seq: int
    set_number: int
    deal: int
    seat: int
    action: str


@dataclass
class Survivor:
    """One player, or spectator where ``seat`` is ``None``, with the server at ``port``."""

    port: int
    name: str
    seat: int | None
    rng: random.Random
    table: int = 1
    silence_seconds: float = math.inf
    """How long a connection may be silent before it is given up: ``dead_seconds`` or longer."""
    token: str | None = None
    last_id: int = 0
    seq: int | None = None
    set_number: int = 0
    deal: int = 0
    heard: list[Told] = field(default_factory=list)
    acknowledged: list[Told] = field(default_factory=list)
    under_way: Fields | None = None
    waiting_prompt: Fields | None = None
    seconds_away: list[float] = field(default_factory=list)
    goodbyes: list[Fields] = field(default_factory=list)
    resumes_tried: int = 0
    """Connections on which a hello with the token went out. Those that failed ended before any answer."""
    resumes_made: int = 0
    is_last_set: bool = False
    last_seq: float = math.inf
    """Its part is over once it has heard of this event."""
    is_done: bool = False

    async def live(self) -> None:
        """Play, and come back whenever the connection is lost, until a set ends that is to be the last."""
        lost_at: float | None = None
        while not self.is_done:
            try:
                wire = await PlainWire.connect("127.0.0.1", self.port)
            except OSError:
                await trio.sleep(0.02)
                continue
            async with wire:
                try:
                    if await self._resume(wire):
                        if lost_at is not None:
                            self.seconds_away.append(trio.current_time() - lost_at)
                        await self._play(wire)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    pass
            lost_at = trio.current_time()

    async def _receive(self, wire: PlainWire) -> Fields | None:
        """The next message; ``None`` when the connection has ended or is dead."""
        with trio.move_on_after(self.silence_seconds):
            return await wire.receive()
        return None

    async def _resume(self, wire: PlainWire) -> bool:
        assert self.token is not None
        hello: Fields = {"protocol_min": 1, "protocol_max": 1, "client": "survivor", "name": self.name}
        self.resumes_tried += 1
        await wire.send(type="hello", **hello, resume=self.token, seq=self.seq)
        answer = await self._receive(wire)
        if answer is None:
            return False
        if answer["type"] == "refused":
            assert answer["code"] == "shutdown", answer
            return False
        assert answer["type"] == "welcome", answer
        assert answer["resumed"]
        assert answer["table"] == self.table
        self.resumes_made += 1
        self.token = answer["token"]
        self.waiting_prompt = None
        if self.under_way is not None:
            await wire.send(**self.under_way)
        return True

    async def _play(self, wire: PlainWire) -> None:
        while not self.is_done and (message := await self._receive(wire)) is not None:
            kind = message["type"]
            if kind == "goodbye":
                self.goodbyes.append(message)
            elif kind == "snapshot":
                self._adopt(message)
            elif kind == "prompt":
                await self._answer(wire, message)
            elif kind in {"done", "error"}:
                assert kind == "done", f"{self.under_way} was answered by {message}"
                self._acknowledge(message)
                prompt, self.waiting_prompt = self.waiting_prompt, None
                if prompt is not None:
                    await self._answer(wire, prompt)
            elif "seq" in message:
                self._hear(message)
            self.is_done |= self.seq is not None and self.seq >= self.last_seq
            if self.seat is None and self.is_last_set and kind == "set_won":
                self.is_done = True

    def _adopt(self, snapshot: Fields) -> None:
        assert snapshot.get("seat") == self.seat
        assert self.seq is None or snapshot["seq"] >= self.seq, "what was heard is no more"
        self.seq = snapshot["seq"]
        self.set_number = snapshot.get("set_number", 0)
        deal = (snapshot.get("public") or {}).get("deal")
        self.deal = 0 if deal is None else deal["number"]
        if self.seat is None and self.is_last_set and snapshot["state"] == "set_over":
            self.is_done = True

    def _hear(self, event: Fields) -> None:
        assert self.seq is None or event["seq"] == self.seq + 1, f"{event} after {self.seq}"
        self.seq = event["seq"]
        kind = event["type"]
        if kind == "set_started":
            self.set_number, self.deal = event["number"], 0
        elif kind == "deal_started":
            self.deal = event["number"]
        elif kind == "player_ready" and event["seat"] == self.seat:
            self.waiting_prompt = None  # asked for what is done now
        elif kind in ACTIONS:
            self.waiting_prompt = None
            self.heard.append(self._told(event["seq"], event["seat"], action_text(event)))

    def _told(self, seq: int, seat: int, action: str) -> Told:
        return Told(seq, self.set_number, self.deal, seat, action)

    async def _answer(self, wire: PlainWire, prompt: Fields) -> None:
        if self.under_way is not None:
            self.waiting_prompt = prompt  # comes before the reply to the action that it follows from
            return
        action = self._choose(prompt["actions"])
        if action["type"] == "ready" and self.is_last_set:
            self.is_done = True
            return
        self.last_id += 1
        self.under_way = {"type": "act", "id": self.last_id, "action": action, "seq": prompt["seq"]}
        self._decided = self._told(prompt["seq"], -1 if self.seat is None else self.seat, action_text(action))
        await wire.send(**self.under_way)

    def _choose(self, offered: list[Fields]) -> Fields:
        """The lowest bid, if nobody has bid yet, else a pass, so that sets end; anything else by chance."""
        lowest = {"type": "call", "call": "bid", "tricks": 7}
        if offered[0]["type"] == "call":
            return lowest if lowest in offered else {"type": "call", "call": "pass"}
        return self.rng.choice(offered)

    def _acknowledge(self, reply: Fields) -> None:
        assert self.under_way is not None
        assert reply["id"] == self.under_way["id"]
        if self.under_way["action"]["type"] != "ready":
            self.acknowledged.append(self._decided)
        self.under_way = None


def action_text(told: Fields) -> str:
    """An action of the wire or an event of it, as one text: ``cut 20``, ``call bid 7``, ``play AS``."""
    kinds: dict[str, tuple[str, tuple[Any, ...]]] = {
        "cut": ("cut", (told.get("at"),)),
        "pack_cut": ("cut", (told.get("at"),)),
        "call_made": ("call", (told.get("call"), told.get("tricks"))),
        "call": ("call", (told.get("call"), told.get("tricks"))),
        "trump": ("trump", (told.get("suit"),)),
        "trump_named": ("trump", (told.get("suit"),)),
        "play": ("play", (told.get("card"),)),
        "card_played": ("play", (told.get("card"),)),
        "ready": ("ready", ()),
    }
    word, fields = kinds[told["type"]]
    return " ".join([word, *(str(each) for each in fields if each is not None)])
