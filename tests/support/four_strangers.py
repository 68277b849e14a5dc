"""Four clients that know the document alone, at one table, moved by one task: nothing depends on timing."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Self

import trio

from support.plain_wire import Fields, PlainWire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

UNNUMBERED = {"prompt", "snapshot", "done", "error"}
"""Messages that carry a ``seq`` but are not events."""

TELLS_TURN = {"deal_started", "hands_dealt", "call_made", "card_played", "trick_taken"}


def events(received: list[Fields]) -> list[Fields]:
    """The table's events among what was received."""
    return [message for message in received if "seq" in message and message["type"] not in UNNUMBERED]


class FourStrangers:
    """Players 0–3 in seats 0–3 of a table of their own. ``turn`` is the seat to act, ``None`` after the set."""

    def __init__(
        self, host: str, port: int, wires: list[PlainWire], tokens: list[str], stack: contextlib.AsyncExitStack
    ) -> None:
        self.host = host
        self.port = port
        self.wires = wires
        self.tokens = tokens
        self._stack = stack
        self.hands: list[list[str]] = [[], [], [], []]
        self.turn: int | None = None

    @classmethod
    @contextlib.asynccontextmanager
    async def seated(cls, host: str, port: int, **options: Any) -> AsyncIterator[Self]:
        """Connect, open a table, sit down; the first deal waits for its cut."""
        async with contextlib.AsyncExitStack() as stack:
            wires = [await stack.enter_async_context(await PlainWire.connect(host, port)) for _ in range(4)]
            welcomes = [await wire.hello(f"Stranger {seat}") for seat, wire in enumerate(wires)]
            assert [welcome["type"] for welcome in welcomes] == ["welcome"] * 4
            opened = await wires[0].request("open_table", name="Strangers", turn_seconds=0, **options)
            assert opened["type"] == "opened", opened
            password = {name: options[name] for name in ("password",) if name in options}
            for seat, wire in enumerate(wires):
                joined = await wire.request("join", table=opened["table"], seat=seat, **password)
                assert joined["type"] == "joined", joined
            four = cls(host, port, wires, [welcome["token"] for welcome in welcomes], stack)
            await four.catch_up(3)
            yield four

    async def catch_up(self, actor: int) -> None:
        """Let every player read as far as the event that ``actor`` has read to; find whose turn it is."""
        last = events(self.wires[actor].received)[-1]["seq"]
        for seat, wire in enumerate(self.wires):
            while not (heard := events(wire.received)) or heard[-1]["seq"] < last:
                assert await wire.receive() is not None, f"the server closed the connection of seat {seat}"
        for seat, wire in enumerate(self.wires):
            for event in events(wire.received):
                if event["type"] == "hands_dealt":
                    self.hands[seat] = list(event["hand"])
                elif event["type"] == "card_played" and event["seat"] == seat:
                    self.hands[seat].remove(event["card"])
        self.turn = None
        for event in events(self.wires[actor].received):
            if event["type"] in {"auction_won", "trump_named"}:
                self.turn = event["seat"]
            elif event["type"] == "set_won":
                self.turn = None
            elif event["type"] in TELLS_TURN:
                self.turn = event.get("turn")

    def event_types(self) -> list[str]:
        """The events so far, as seat 0 heard them."""
        return [event["type"] for event in events(self.wires[0].received)]

    def last_event(self) -> str:
        return self.event_types()[-1]

    async def prompt(self) -> Fields:
        """The latest prompt of the seat on turn, read if it has not come yet."""
        assert self.turn is not None
        wire = self.wires[self.turn]
        last_event = events(wire.received)[-1]["seq"]
        while True:
            for message in reversed(wire.received):
                if message["type"] == "prompt" and message["seq"] >= last_event:
                    return message
            assert await wire.receive() is not None

    async def try_to_act(self, seat: int, action: Any) -> Fields:
        """``seat`` asks to act; the reply. Waits as long as the server asks it to."""
        while True:
            reply = await self.wires[seat].request("act", action=action)
            if reply.get("code") != "rate_limited":
                return reply
            await trio.sleep(1)

    async def act(self, action: Fields) -> Fields:
        """The seat on turn acts; its reply, after everybody has heard of it."""
        actor = self.turn
        assert actor is not None
        reply = await self.try_to_act(actor, action)
        assert reply["type"] == "done", reply
        await self.catch_up(actor)
        return reply

    async def return_to(self, seat: int) -> Fields:
        """Come back to ``seat`` by a new connection with the session's token; the welcome."""
        heard = self.wires[seat].received
        wire = await self._stack.enter_async_context(await PlainWire.connect(self.host, self.port))
        welcome = await wire.hello(f"Stranger {seat}", resume=self.tokens[seat], seq=events(heard)[-1]["seq"])
        assert welcome["type"] == "welcome", welcome
        self.tokens[seat] = welcome["token"]
        wire.received[:0] = heard
        wire.continue_ids(self.wires[seat])
        self.wires[seat] = wire
        return welcome
