"""What may be known of one table, put together from what its viewers are sent, and judged as it comes.

Nothing here knows the server: the fold, the legal actions and the scores are those of the conformance kit,
written from the document and the rules. Every viewer's events are one story: the first to be sent an event
defines it, all others must be sent the same.
"""

from __future__ import annotations

from collections.abc import Callable

from support.simulation.frames import Fields, Read, read
from support.simulation.umpire import DealBook, DealKey, Umpire, played_by
from tarneeb_client.conformance.folding import fold_in, normal
from tarneeb_client.conformance.referee import MAY_FOLLOW
from tarneeb_client.conformance.rules import card_number, plain

PLAYED = frozenset({"auction", "declaration", "play"})
"""Phases in which players hold cards."""
_SPECTATOR = {"seat": None, "hand": None}


class TableBook(Umpire):
    """One table. ``complain`` is told whatever is wrong; ``now`` gives the time."""

    def __init__(self, number: int, complain: Callable[[str], None]) -> None:
        super().__init__(number, complain)
        self.floor = 0
        """The highest number that anybody was told."""
        self.kept_floor = 0
        """What ``floor`` was when the server last ended."""
        self.events: dict[int, bytes] = {}
        self.snapshots_compared = 0
        self._deal_of: dict[int, DealKey] = {}
        self._told_early: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
        self._waiting: dict[int, list[Fields]] = {}
        self._gap_since: float | None = None
        self._ahead: dict[int, Read] = {}
        """Events that were sent to somebody before those between."""
        self._last_kind = ""

    # ------------------------------------------------------------ what viewers are sent

    def take_event(self, sent: Read, seat: int | None, now: float) -> None:
        """A viewer in ``seat`` was sent this event."""
        event = sent.fields
        seq = event["seq"]
        payload = sent.payload
        if sent.kind == "hands_dealt":
            payload = b"hands_dealt %d %d" % (seq, event["turn"])
            self._take_hand(event, seat)
        known = self.events.get(seq)
        if known is None:
            self.events[seq] = payload
            self.floor = max(self.floor, seq)
            self._advance(sent, now)
        elif known != payload:
            self.complain(f"event {seq} was {known!r} for one viewer and {payload!r} for another")

    def take_snapshot(self, snapshot: Fields, now: float) -> None:
        """A viewer was sent this snapshot."""
        seq = snapshot["seq"]
        if seq < self.kept_floor:
            self.complain(
                f"a snapshot of event {seq} after a restart, when event {self.kept_floor} had been told"
            )
        self.floor = max(self.floor, seq)
        self._take_held(snapshot)
        if self.state is None and not self._gap_since:
            self._begin_at(snapshot, now)
        elif seq == self.seq:
            self._compare(snapshot)
        elif seq > self.seq:
            self._waiting.setdefault(seq, []).append(snapshot)
            self._gap_since = self._gap_since or now
        elif all(number in self.events for number in range(seq + 1, self.seq + 1)):
            self._compare(self._brought_forward(snapshot))

    def restarted(self) -> None:
        """The server has ended, and may have lost what nobody was told."""
        self.kept_floor = self.floor

    def claim(self, seat: int | None, action: str, up_to: int) -> bool:
        """Whether an act of this seat is in the story up to that event, and was claimed by no other reply."""
        for place in range(len(self.acts) - 1, -1, -1):
            seq, by, what, is_claimed = self.acts[place]
            if seq <= up_to and what == action and (seat is None or by == seat) and not is_claimed:
                self.acts[place] = (seq, by, what, True)
                return True
        return False

    def is_whole(self, after: int, up_to: int) -> bool:
        """Whether every event of that stretch was sent to somebody."""
        return all(seq in self.events for seq in range(after + 1, up_to + 1))

    def check_prompt(self, prompt: Fields, seat: int | None) -> None:
        """A viewer in ``seat`` was prompted."""
        state = self.state
        if state is None or prompt["seq"] != self.seq:
            return
        offered = [plain(action) for action in prompt["actions"]]
        if offered == [(("type", "ready"),)]:
            if state["state"] == "playing":
                self.complain(f"seat {seat} was asked whether it is ready during a set")
            return
        deal = None if state["public"] is None else state["public"]["deal"]
        if deal is None or state["state"] != "playing" or deal["turn"] != seat:
            self.complain(f"seat {seat} was prompted, and it is not its turn")
            return
        assert seat is not None
        expected = self.legal(deal, seat)
        if expected is not None and (
            len(offered) != len(expected) or set(offered) != set(map(plain, expected))
        ):
            self.complain(f"seat {seat} was offered {offered}, and legal is {expected}")

    # ------------------------------------------------------------ the story

    def _advance(self, sent: Read, now: float) -> None:
        if self.state is None or sent.fields["seq"] != self.seq + 1:
            if sent.fields["seq"] > self.seq:
                self._waiting.setdefault(sent.fields["seq"], [])
                self._gap_since = self._gap_since or now
                self._ahead[sent.fields["seq"]] = sent
            self._bridge(now)
            return
        self._fold(sent, now)
        while (ahead := self._ahead.pop(self.seq + 1, None)) is not None:
            self._fold(ahead, now)
        if self._gap_since is not None:
            self._bridge(now)

    def _bridge(self, now: float) -> None:
        """Where events were sent to nobody, go on from the next snapshot, once they would have come."""
        self._waiting = {seq: waiting for seq, waiting in self._waiting.items() if seq > self.seq}
        if not self._waiting:
            self._gap_since = None
            return
        if self._gap_since is None or now - self._gap_since < 0.02:
            return
        start = min((seq for seq, waiting in self._waiting.items() if waiting), default=None)
        if start is None:
            return
        snapshot = self._waiting.pop(start)[0]
        self._begin_at(snapshot, now)
        while (ahead := self._ahead.pop(self.seq + 1, None)) is not None:
            self._fold(ahead, now)
        self._waiting = {seq: waiting for seq, waiting in self._waiting.items() if seq > self.seq}
        self._gap_since = now if self._waiting else None

    def _begin_at(self, snapshot: Fields, now: float) -> None:
        self.state = normal(snapshot) | _SPECTATOR
        self.seq = snapshot["seq"]
        self._played_at = -1
        self._last_kind = ""
        self._left = None
        self._commitment = self.state["commitment"]

    def _brought_forward(self, snapshot: Fields) -> Fields:
        """The snapshot with the events after it, up to where the story is."""
        state = normal(snapshot) | _SPECTATOR
        for seq in range(snapshot["seq"] + 1, self.seq + 1):
            fold_in(state, self._event_fields(seq))
        return state

    def _event_fields(self, seq: int) -> Fields:
        payload = self.events[seq]
        if payload.startswith(b"hands_dealt"):
            return {"type": "hands_dealt", "seq": seq, "turn": int(payload.split()[2])}
        return read(payload).fields

    def _compare(self, snapshot: Fields) -> None:
        said = normal(snapshot) | _SPECTATOR if "type" in snapshot else snapshot
        self.snapshots_compared += 1
        state = self.state
        if state is not None and said != state:
            for name in state:
                if said.get(name) != state[name]:
                    self.complain(f"a snapshot says {name} {said.get(name)!r}, the events {state[name]!r}")

    def _fold(self, sent: Read, now: float) -> None:
        state, event = self.state, sent.fields
        assert state is not None
        kind = sent.kind
        if kind in MAY_FOLLOW:
            if self._last_kind and self._last_kind not in MAY_FOLLOW[kind]:
                self.complain(f"{kind} came after {self._last_kind}")
            self._last_kind = kind
        try:
            self.judge(kind, state, event)
            fold_in(state, event)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            self.complain(f"{kind} does not fit: {error!r}, {event}")
            self.state = None
        self.seq = event["seq"]
        waiting = self._waiting.pop(self.seq, ())
        for snapshot in waiting:
            self._compare(snapshot)
        if kind == "hands_dealt":
            key = self._deal_of[self.seq] = self.key_of(state)
            for seat, hand in self._told_early.pop(self.seq, ()):
                self._told(key, seat, frozenset(hand))

    # ------------------------------------------------------------ hidden cards

    def _take_hand(self, event: Fields, seat: int | None) -> None:
        hand = event.get("hand")
        if seat is None or hand is None:
            if hand is not None or seat is not None:
                self.complain(f"a viewer in seat {seat} was dealt {hand}")
            return
        if len(hand) != 13 or sorted(hand, key=card_number) != hand:
            self.complain(f"seat {seat} was dealt {hand}")
        key = self._deal_of.get(event["seq"])
        if key is None:
            self._told_early.setdefault(event["seq"], []).append((seat, tuple(hand)))
        else:
            self._told(key, seat, frozenset(hand))

    def _take_held(self, snapshot: Fields) -> None:
        seat, hand = snapshot.get("seat"), snapshot.get("hand")
        if (seat is None) != (hand is None):
            self.complain(f"a snapshot for seat {seat} has the hand {hand}")
        public = snapshot.get("public")
        deal = None if public is None else public["deal"]
        if seat is None or hand is None or deal is None:
            return
        if deal["phase"] not in PLAYED:
            if hand and deal["phase"] != "void":
                self.complain(f"a snapshot in the phase {deal['phase']} has the hand {hand}")
            return
        if len(hand) != deal["cards_held"][seat]:
            self.complain(f"seat {seat} is said to hold {deal['cards_held'][seat]} cards and has {hand}")
        own = frozenset(hand) | frozenset(played_by(deal)[seat])
        self._told((snapshot["set_number"], deal["number"]), seat, own)

    def _told(self, key: DealKey, seat: int, hand: frozenset[str]) -> None:
        """A viewer in ``seat`` was shown that these are the thirteen cards that it was dealt."""
        deal = self.deals.setdefault(key, DealBook())
        if len(hand) != 13:
            self.complain(f"seat {seat} was dealt {len(hand)} cards in deal {key}")
        if deal.told.setdefault(seat, hand) != hand:
            self.complain(f"seat {seat} was shown {sorted(hand)} and {sorted(deal.told[seat])} in deal {key}")
        if any(hand & other for at, other in deal.told.items() if at != seat):
            self.complain(f"seat {seat} was shown a card of another's hand in deal {key}: {sorted(hand)}")
        if deal.true is not None and deal.true[seat] != hand:
            self.complain(
                f"seat {seat} was shown {sorted(hand)} in deal {key}, and held {sorted(deal.true[seat])}"
            )
