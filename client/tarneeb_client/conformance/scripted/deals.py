"""One table of a scripted server: the client plays a deal against three seats of the kit, by the rules."""

from __future__ import annotations

import hashlib
import random

from tarneeb_client.conformance.folding import fold, normal
from tarneeb_client.conformance.probe import lively
from tarneeb_client.conformance.rules import (
    RULE_DEFAULTS,
    dealt,
    legal_calls,
    legal_cuts,
    legal_plays,
    legal_trumps,
    points,
    winning,
)
from tarneeb_client.conformance.shapes import CARDS, Fields

TABLE = 1
TABLE_NAME = "Conformance"
OTHERS = ("Amal", "Badr", "Dana", "Fares")
GRACE_SECONDS = 120


class ScriptedTable:
    """The table, as the client in ``seat`` sees it. ``events`` are all its events, with the client's own hand;
    ``view`` is the snapshot after the last one.
    """

    def __init__(self, seat: int, name: str, seed: int) -> None:
        self.seat = seat
        self.rng = random.Random(seed)  # noqa: S311  (a scripted deal, the same every time)
        self.events: list[Fields] = []
        seats = [None if each == seat else {"name": OTHERS[each], "ready": True} for each in range(4)]
        self.view = normal(
            {
                "table": TABLE,
                "seq": 0,
                "name": TABLE_NAME,
                "state": "waiting",
                "rules": {},
                "turn_seconds": 0,
                "grace_seconds": GRACE_SECONDS,
                "seats": seats,
                "seat": seat,
                "hand": [],
            }
        )
        self.began = 0
        """Number of the event with which the client's turn began."""
        self._hands: list[list[str]] = []
        self.tell("player_seated", seat=seat, name=name)

    # ---------------------------------------------------------------- what is told

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return len(self.events)

    @property
    def deal(self) -> Fields:
        """The deal in progress, as the snapshot has it."""
        deal: Fields = self.view["public"]["deal"]
        return deal

    def tell(self, kind: str, **fields: object) -> Fields:
        """Add an event."""
        event = {"type": kind, "table": TABLE, "seq": self.seq + 1, **fields}
        event = {name: value for name, value in event.items() if value is not None}
        self.events.append(event)
        self.view = fold(self.view, event)
        return event

    def snapshot(self) -> Fields:
        """The message of the client's snapshot."""
        shown = {name: value for name, value in self.view.items() if value is not None}
        shown["seats"] = [_shown_seat(seat) for seat in self.view["seats"]]
        return {"type": "snapshot", **shown}

    def prompt(self) -> Fields | None:
        """The client's prompt, when it is to act."""
        actions = self.legal()
        if self.turn != self.seat or not actions:
            return None
        return {"type": "prompt", "table": TABLE, "seq": self.seq, "actions": actions}

    # ---------------------------------------------------------------- play

    @property
    def turn(self) -> int | None:
        """The seat to act; ``None`` when the deal is over."""
        if self.view["public"] is None:
            return None
        turn: int | None = self.deal["turn"]
        return turn

    def start(self) -> None:
        """Begin a set, in which the client cuts."""
        self.tell("set_started", number=1)
        self._pack = list(CARDS)
        self.rng.shuffle(self._pack)
        self._salt = self.rng.randbytes(32)
        committed = hashlib.sha256(self._salt + "".join(self._pack).encode("ascii")).hexdigest()
        dealer = (self.seat + 1) % 4
        self.tell("deal_started", number=1, dealer=dealer, commitment=committed, turn=self.seat)
        self.began = self.seq

    def legal(self) -> list[Fields]:
        """What the seat to act may do."""
        turn = self.turn
        if turn is None:
            return []
        deal = self.deal
        match deal["phase"]:
            case "cut":
                return legal_cuts()
            case "auction":
                return legal_calls(RULE_DEFAULTS, deal["dealer"], deal["calls"], turn)
            case "declaration":
                return legal_trumps()
        trick, trump = deal["trick"]["cards"], deal["contract"]["trump"]
        return legal_plays(RULE_DEFAULTS, self._hands[turn], trick, trump, is_first_lead=False)

    def act(self, action: Fields) -> None:
        """Do a legal action for the client; the kit's seats then act until it is the client's turn again."""
        self._apply(action)
        while self.turn is not None and self.turn != self.seat:
            self._apply(self._choose())
        self.began = self.seq

    def _choose(self) -> Fields:
        legal = self.legal()
        passes = [action for action in legal if action.get("call") == "pass"]
        calls = self.deal["calls"] if self.deal["phase"] == "auction" else []
        must_bid = len(calls) == 3 and all(call["call"] == "pass" for call in calls)
        return lively(legal) if must_bid or not passes else passes[0]

    def _apply(self, action: Fields) -> None:
        seat = self.turn
        assert seat is not None  # noqa: S101  (the callers have asked)
        match action["type"]:
            case "cut":
                self.tell("pack_cut", seat=seat, at=action["at"])
                self._hands = dealt(self._pack, action["at"], self.deal["dealer"], "one_by_one")
                own = self._hands[self.seat]
                self.tell("hands_dealt", turn=(self.deal["dealer"] + 1) % 4, hand=list(own))
            case "call":
                self._call(seat, action)
            case "trump":
                self.tell("trump_named", seat=seat, suit=action["suit"])
            case _:
                self._play(seat, action["card"])

    def _call(self, seat: int, action: Fields) -> None:
        is_last = len(self.deal["calls"]) == 3 or action["call"] == "game"
        turn = None if is_last else (seat + 1) % 4
        self.tell("call_made", seat=seat, call=action["call"], tricks=action.get("tricks"), turn=turn)
        if is_last:
            won = [call for call in self.deal["calls"] if call["call"] != "pass"][-1]
            self.tell("auction_won", seat=won["seat"], call=won["call"], tricks=won["tricks"] or 13)

    def _play(self, seat: int, card: str) -> None:
        deal = self.deal
        trump, leader = deal["contract"]["trump"], deal["trick"]["leader"]
        cards = [*deal["trick"]["cards"], card]
        self._hands[seat].remove(card)
        best = winning(cards, leader, trump)
        turn = None if len(cards) == 4 else (seat + 1) % 4
        self.tell("card_played", seat=seat, card=card, winning=best, turn=turn)
        if turn is not None:
            return
        taken = list(deal["taken"])
        taken[best % 2] += 1
        is_over = sum(taken) == 13
        self.tell("trick_taken", seat=best, taken=taken, turn=None if is_over else best)
        if is_over:
            self._score(taken)

    def _score(self, taken: list[int]) -> None:
        contract = self.deal["contract"]
        team, bid = contract["declarer"] % 2, contract["tricks"]
        added = points(RULE_DEFAULTS, team=team, call=contract["call"], bid=bid, taken=taken)
        self.tell(
            "deal_scored",
            score={
                "number": 1,
                "declarer": contract["declarer"],
                "call": contract["call"],
                "bid": bid,
                "trump": contract["trump"],
                "taken": taken,
                "made": taken[team] >= bid,
                "points": added,
                "scores": added,
                "wins_set": None,
            },
        )
        self.tell("deal_revealed", pack=list(self._pack), salt=self._salt.hex())


def _shown_seat(seat: Fields | None) -> Fields | None:
    return None if seat is None else {"name": seat["name"], "ready": seat["ready"]}
