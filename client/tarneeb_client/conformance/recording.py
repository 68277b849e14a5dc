"""Four players of the kit play a whole set, and a spectator watches: what each was sent, for many checks.

The kit sees all four hands, so one team can be let win and the set is short.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio

from tarneeb_client.conformance.outcome import CONFUSED, Failed
from tarneeb_client.conformance.probe import Client, Probe, Target, brief, probing
from tarneeb_client.conformance.rules import strength, winning
from tarneeb_client.conformance.shapes import EVENTS, RANKS, SUITS, Fields
from tarneeb_client.conformance.wire import Received

SPECTATOR = 4
"""Which viewer watches; the others are numbered by seat."""
MOST_DEALS = 60
"""Void ones too. A simulation of 300 sets needed 13 at most."""
ACTS_BETWEEN_SNAPSHOTS = 11
"""Prime to the four seats and the 52 cards, so that snapshots are taken at ever new points of a deal."""
STRONG = 12
"""Cards of the best suit, and aces and kings, with which the favoured team bids: four passes are soon over."""
FAVOURED = 0
"""The team that is let win."""


@dataclass(slots=True)
class Recording:
    """All that the five viewers received, in order. ``stopped`` is why the play stopped before its end."""

    viewers: list[list[Received]] = field(default_factory=list)
    acts: list[tuple[int, Fields, Fields]] = field(default_factory=list)
    """Seat, the prompt it had, and what it did, in order."""
    faults: list[str] = field(default_factory=list)
    """What was wrong with the form of what a viewer was sent."""
    stopped: str = ""

    def events(self, viewer: int) -> list[Received]:
        """The events that a viewer was sent."""
        return [message for message in self.viewers[viewer] if message.type in EVENTS]

    def whole(self) -> Recording:
        """The recording itself. Raises ``Failed`` when the play came to a halt."""
        if self.stopped:
            raise Failed(f"a set could not be played: {self.stopped}")
        return self


async def recorded(target: Target) -> Recording:
    """The recording of this run, made by whoever asks first."""
    async with target.recording_lock:
        if target.recording is None:
            async with probing(target) as probe:
                target.recording = await _record(probe)
        return target.recording


async def _record(probe: Probe) -> Recording:
    recording = Recording()
    clients: list[Client] = []
    try:
        clients.extend([await probe.player() for _ in range(5)])
        table = await probe.table(clients[0])
        await clients[SPECTATOR].get("watch", table=table)
        for seat in range(4):
            await clients[seat].get("join", table=table, seat=seat)
        await _play(clients, recording)
        for client in clients:
            await client.settle()
    except Failed as error:
        recording.stopped = str(error)
    except CONFUSED as error:
        recording.stopped = f"what the server sent could not be followed: {error!r}"
    recording.faults = [client.fault for client in clients if client.fault is not None]
    recording.viewers = [list(client.received) for client in clients]
    return recording


async def _play(clients: list[Client], recording: Recording) -> None:
    """Act until the set is won and all have said that they are ready for the next."""
    done = [0, 0, 0, 0]
    ready: set[int] = set()
    acts = 0
    table = _Table()
    while len(ready) < 4 and table.played != clients[0].target.most_deals:
        seat = await _prompted(clients, done)
        prompts = clients[seat].of_type("prompt")
        done[seat] = len(prompts)
        prompt = prompts[-1]
        table.take(clients)
        if table.deals > MOST_DEALS:
            raise Failed(f"the set was not won in {MOST_DEALS} deals that one team was let win")
        action = table.choose(seat, prompt["actions"])
        if action["type"] == "ready":
            ready.add(seat)
        recording.acts.append((seat, prompt, action))
        reply = await clients[seat].ask("act", action=action, seq=prompt["seq"])
        table.take(clients)
        if reply["type"] != "done":
            raise Failed(f"seat {seat} did {action}, which its prompt offered, and got {brief(reply)}")
        acts += 1
        if acts % ACTS_BETWEEN_SNAPSHOTS == 0:
            for client in clients:
                await client.get("sync")
    await clients[0].settle()


async def _prompted(clients: list[Client], done: list[int]) -> int:
    """The first seat with a prompt that it has not answered."""
    seconds = clients[0].target.answer_seconds
    try:
        with anyio.fail_after(seconds):
            while True:
                for seat in range(4):
                    client = clients[seat]
                    if client.fault is not None:
                        raise Failed(f"seat {seat} was sent what no server may send: {client.fault}")
                    if client.is_closed:
                        raise Failed(f"the connection of seat {seat} was closed")
                    prompts = client.of_type("prompt")
                    if len(prompts) > done[seat] and not _is_repeated(prompts, done[seat]):
                        return seat
                await anyio.sleep(0.001)
    except TimeoutError:
        raise Failed(f"no player was prompted for {seconds:g} s") from None


def _is_repeated(prompts: list[Fields], done: int) -> bool:
    """Whether the newest prompt is one sent again by a ``sync``, and answered already."""
    return done > 0 and prompts[-1] == prompts[done - 1]


class _Table:
    """The play as the kit's players see it together, for choosing what to do."""

    def __init__(self) -> None:
        self._read = 0
        self.deals = 0
        self.played = 0
        self._hands: list[list[str]] = [[], [], [], []]
        self._trick: list[str] = []
        self._leader = 0
        self._trump = ""
        self._has_bid = False

    def take(self, clients: list[Client]) -> None:
        """Take in what has happened."""
        for seat in range(4):
            dealt = clients[seat].of_type("hands_dealt")
            if dealt:
                self._hands[seat] = list(dealt[-1].get("hand") or [])
        received = clients[0].received
        for message in received[self._read :]:
            self._take_event(message.fields)
        self._read = len(received)

    def _take_event(self, event: Fields) -> None:
        match event["type"]:
            case "deal_started":
                self.deals += 1
                self._has_bid = False
                self._trick = []
            case "call_made":
                self._has_bid = self._has_bid or event["call"] == "bid"
            case "trump_named":
                self._trump, self._leader = event["suit"], event["seat"]
            case "card_played":
                self._trick.append(event["card"])
            case "trick_taken":
                self._trick, self._leader = [], event["seat"]
            case "deal_scored":
                self.played += 1

    def choose(self, seat: int, actions: list[Fields]) -> Fields:
        """What lets the favoured team win."""
        kind = actions[0]["type"]
        is_favoured = seat % 2 == FAVOURED
        if kind == "cut":
            return actions[(7 * self.deals) % len(actions)]
        if kind == "call":
            bids = [action for action in actions if action["call"] == "bid"]
            passes = [action for action in actions if action["call"] == "pass"]
            wants = is_favoured and not self._has_bid and self._is_strong(seat)
            return (bids or passes)[0] if wants or not passes else passes[0]
        if kind == "trump":
            suits = [card[1] for card in self._hands[seat] + self._hands[(seat + 2) % 4]]
            return max(actions, key=lambda action: suits.count(action["suit"]))
        if kind == "play":
            return self._card(seat, actions, is_favoured=is_favoured)
        return actions[0]

    def _is_strong(self, seat: int) -> bool:
        """Whether the seat's team, seen together, can be let make seven tricks and more."""
        cards = self._hands[seat] + self._hands[(seat + 2) % 4]
        longest = max(sum(card[1] == suit for card in cards) for suit in SUITS)
        return longest + sum(card[0] in "AK" for card in cards) >= STRONG

    def _card(self, seat: int, actions: list[Fields], *, is_favoured: bool) -> Fields:
        led = self._trick[0][1] if self._trick else ""

        def height(action: Fields) -> int:
            card = str(action["card"])
            return strength(card, led or card[1], self._trump) or RANKS.index(card[0]) - 100

        ahead = winning(self._trick, self._leader, self._trump) if self._trick else None
        best = 0 if ahead is None else strength(self._trick[(ahead - self._leader) % 4], led, self._trump)
        beating = [action for action in actions if height(action) > best]
        if is_favoured and beating and ahead != (seat + 2) % 4:
            return max(beating, key=height)
        return min(actions, key=height)
