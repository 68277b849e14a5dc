"""Plays a recorded set again by the rules, and notes where the server said something else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from tarneeb_client.conformance.recording import SPECTATOR, Recording
from tarneeb_client.conformance.rules import (
    card_number,
    dealt,
    legal_calls,
    legal_cuts,
    legal_plays,
    legal_trumps,
    plain,
    points,
    whole_rules,
    winning,
)
from tarneeb_client.conformance.shapes import CARDS, Fields

MOST_NOTES = 3


@dataclass(slots=True)
class Referee:
    """One pass over a recording. ``notes`` are violations by topic: "turns", "prompts", "tricks", "scores",
    "hands", "fairness", "order" and "set".
    """

    recording: Recording
    notes: dict[str, list[str]] = field(default_factory=dict)
    rules: Fields = field(default_factory=lambda: whole_rules({}))
    deals: int = 0
    sets_won: int = 0
    _deal: Fields = field(default_factory=dict)
    _dealer: int = -1
    _hands: list[list[str]] = field(default_factory=list)
    _dealt: list[list[str]] = field(default_factory=list)
    _scores: list[int] = field(default_factory=lambda: [0, 0])
    _last: str = ""

    def note(self, topic: str, is_met: object, seen: str) -> None:
        """Note a violation of the topic unless the condition is met."""
        notes = self.notes.setdefault(topic, [])
        if not is_met and len(notes) < MOST_NOTES:
            notes.append(seen)

    def run(self) -> Referee:
        """Judge the whole recording."""
        hands = [self._hands_of(seat) for seat in range(4)]
        prompts = self._prompts_by_seq()
        for message in self.recording.events(SPECTATOR):
            event = message.fields
            if event["type"] == "hands_dealt":
                self._take_hands([next(each, []) for each in hands], event)
            else:
                self._take(event)
            self._judge_prompts(prompts.get(int(event["seq"]), []), int(event["seq"]))
        return self

    def _hands_of(self, seat: int) -> Iterator[list[str]]:
        events = self.recording.events(seat)
        return iter([list(event.fields.get("hand") or []) for event in events if event.type == "hands_dealt"])

    def _prompts_by_seq(self) -> dict[int, list[tuple[int, Fields]]]:
        prompts: dict[int, list[tuple[int, Fields]]] = {}
        for viewer, received in enumerate(self.recording.viewers):
            for message in received:
                if message.type == "prompt":
                    prompts.setdefault(int(message.fields["seq"]), []).append((viewer, message.fields))
        return prompts

    # ---------------------------------------------------------------- prompts

    def _judge_prompts(self, prompts: list[tuple[int, Fields]], seq: int) -> None:
        turn = self._deal.get("turn")
        for seat, prompt in prompts:
            offered = [plain(action) for action in prompt["actions"]]
            if offered == [(("type", "ready"),)]:
                self.note("prompts", turn is None, f"`ready` was offered during a deal, at event {seq}")
                continue
            self.note(
                "turns",
                seat == turn,
                f"viewer {seat} was prompted at event {seq}, when it was the turn of {turn}",
            )
            expected = {plain(action) for action in self._legal(seat)}
            self.note(
                "prompts",
                set(offered) == expected and len(offered) == len(expected),
                f"the prompt of seat {seat} at event {seq} offered {offered}; legal is {sorted(expected)}",
            )

    def _legal(self, seat: int) -> list[Fields]:
        deal = self._deal
        match deal.get("phase"):
            case "cut":
                return legal_cuts()
            case "auction":
                return legal_calls(self.rules, self._dealer, deal["calls"], seat)
            case "declaration":
                return legal_trumps()
            case "play" if self._hands:
                is_first = deal["trick_number"] == 1 and not deal["trick"]
                return legal_plays(
                    self.rules, self._hands[seat], deal["trick"], deal["trump"], is_first_lead=is_first
                )
        return []

    # ---------------------------------------------------------------- events

    def _take(self, event: Fields) -> None:
        kind = str(event["type"])
        judge = getattr(self, f"_judge_{kind}", None)
        self._judge_order(kind)
        if judge is not None:
            judge(event)
        if kind in MAY_FOLLOW:
            self._last = kind

    def _judge_order(self, kind: str) -> None:
        if kind in MAY_FOLLOW:
            after = MAY_FOLLOW[kind]
            self.note("order", self._last in after, f"{kind} came after {self._last or 'nothing'}")

    def _turn(self, event: Fields, expected: int | None) -> None:
        said = event.get("turn")
        self.note("turns", said == expected, f"{event['type']} says that the turn is {said}, not {expected}")
        self._deal["turn"] = expected

    def _actor(self, event: Fields) -> None:
        turn = self._deal.get("turn")
        self.note("turns", event["seat"] == turn, f"{event['type']} by seat {event['seat']}, not {turn}")

    def _judge_deal_started(self, event: Fields) -> None:
        expected = event["dealer"] if self._dealer < 0 else (self._dealer + self._deal.get("played_out", 0)) % 4
        self.note("turns", event["dealer"] == expected, f"seat {event['dealer']} deals, not {expected}")
        self.deals += 1
        self._dealer = event["dealer"]
        self._deal = {"phase": "cut", "calls": [], "commitment": event["commitment"], "trick_number": 1}
        self._turn(event, (self._dealer + 3) % 4)

    def _judge_pack_cut(self, event: Fields) -> None:
        self._actor(event)
        self._deal["cut"] = event["at"]

    def _take_hands(self, hands: list[list[str]], event: Fields) -> None:
        self._judge_order("hands_dealt")
        self._last = "hands_dealt"
        for seat, hand in enumerate(hands):
            self.note("hands", len(hand) == 13, f"seat {seat} was dealt {len(hand)} cards")
            ordered = sorted(hand, key=card_number)
            self.note("hands", hand == ordered, f"the hand of seat {seat} is not in order: {hand}")
        together = sorted(chain.from_iterable(hands), key=card_number)
        self.note("hands", together == list(CARDS), "the four hands are not the 52 cards, each once")
        self._hands = [list(hand) for hand in hands]
        self._dealt = [list(hand) for hand in hands]
        self._deal["phase"] = "auction"
        self._turn(event, (self._dealer + 1) % 4)

    def _judge_call_made(self, event: Fields) -> None:
        self._actor(event)
        self._deal["calls"].append(event)
        is_over = len(self._deal["calls"]) == 4 or event["call"] == "game"
        self._turn(event, None if is_over else (event["seat"] + 1) % 4)

    def _judge_auction_won(self, event: Fields) -> None:
        bids = [call for call in self._deal["calls"] if call["call"] != "pass"]
        best = bids[-1] if bids else {}
        declared = (event["seat"], event["call"])
        promised = best.get("tricks", 13)
        self.note(
            "turns",
            declared == (best.get("seat"), best.get("call")) and event["tricks"] == promised,
            f"the auction was won by {declared} with {event['tricks']}, after the calls"
            f" {[(call['seat'], call['call'], call.get('tricks')) for call in self._deal['calls']]}",
        )
        self._deal |= {"phase": "declaration", "turn": event["seat"], "declarer": event["seat"]}
        self._deal |= {"bid": event["tricks"], "call": event["call"]}

    def _judge_trump_named(self, event: Fields) -> None:
        self._actor(event)
        self._deal |= {"phase": "play", "trump": event["suit"], "trick": [], "leader": event["seat"]}
        self._deal["taken"] = [0, 0]

    def _judge_card_played(self, event: Fields) -> None:
        self._actor(event)
        seat, card, trick = event["seat"], event["card"], self._deal["trick"]
        held = card in self._hands[seat]
        self.note("hands", held, f"seat {seat} played {card}, which it was not dealt or had played before")
        if held:
            self._hands[seat].remove(card)
        trick.append(card)
        best = winning(trick, self._deal["leader"], self._deal["trump"])
        self.note(
            "tricks",
            event["winning"] == best,
            f"seat {event['winning']} is said to be winning {trick}, led by {self._deal['leader']} with trump"
            f" {self._deal['trump']}; {best} is",
        )
        self._turn(event, None if len(trick) == 4 else (seat + 1) % 4)

    def _judge_trick_taken(self, event: Fields) -> None:
        deal = self._deal
        best = winning(deal["trick"], deal["leader"], deal["trump"]) if deal["trick"] else -1
        self.note(
            "tricks", event["seat"] == best, f"the trick {deal['trick']} went to {event['seat']}, not {best}"
        )
        deal["taken"][best % 2] += 1
        self.note(
            "tricks", event["taken"] == deal["taken"], f"taken is {event['taken']}; counted {deal['taken']}"
        )
        is_last = deal["trick_number"] == 13
        deal |= {"trick": [], "leader": best, "trick_number": deal["trick_number"] + 1}
        self._turn(event, None if is_last else best)

    def _judge_deal_scored(self, event: Fields) -> None:
        deal, score = self._deal, event["score"]
        team = deal["declarer"] % 2
        added = points(self.rules, team=team, call=deal["call"], bid=deal["bid"], taken=deal["taken"])
        self._scores = [before + plus for before, plus in zip(self._scores, added, strict=True)]
        reached = max(self._scores) >= self.rules["target"]
        expected = {
            "declarer": deal["declarer"],
            "bid": deal["bid"],
            "trump": deal["trump"],
            "taken": deal["taken"],
            "made": deal["taken"][team] >= deal["bid"],
            "points": added,
            "scores": self._scores,
            "wins_set": self._scores.index(max(self._scores)) if reached else None,
        }
        for name, value in expected.items():
            self.note("scores", score[name] == value, f"score.{name} is {score[name]}, not {value}")
        deal |= {"played_out": 1, "turn": None}

    def _judge_deal_revealed(self, event: Fields) -> None:
        pack, salt = event["pack"], event["salt"]
        self.note("fairness", sorted(pack, key=card_number) == list(CARDS), "the pack is not the 52 cards")
        is_salt = len(salt) == 64 and set(salt) <= set("0123456789abcdef")
        self.note("fairness", is_salt, f"the salt {salt!r} is not 64 lower-case hex digits")
        if not is_salt:
            return
        committed = hashlib.sha256(bytes.fromhex(salt) + "".join(pack).encode("ascii")).hexdigest()
        said = self._deal.get("commitment")
        self.note("fairness", committed == said, f"pack and salt hash to {committed}; committed was {said}")
        hands = dealt(pack, self._deal.get("cut", 0), self._dealer, self.rules["dealing"])
        self.note("fairness", hands == self._dealt, "the revealed pack, cut and dealt, is not what was dealt")

    def _judge_set_won(self, event: Fields) -> None:
        self.sets_won += 1
        self.note(
            "set", event["scores"] == self._scores, f"set_won says {event['scores']}; {self._scores} it is"
        )
        best = self._scores.index(max(self._scores))
        is_won = max(self._scores) >= self.rules["target"]
        self.note("set", event["team"] == best and is_won, f"team {event['team']} won at {self._scores}")
        self._scores = [0, 0]
        self._dealer = -1


_DEAL_ENDS = ("deal_scored", "deal_voided")
MAY_FOLLOW: dict[str, tuple[str, ...]] = {
    "set_started": ("", "set_won"),
    "deal_started": ("set_started", "deal_revealed"),
    "pack_cut": ("deal_started",),
    "hands_dealt": ("pack_cut",),
    "call_made": ("hands_dealt", "call_made"),
    "auction_won": ("call_made",),
    "deal_voided": ("call_made",),
    "trump_named": ("auction_won",),
    "card_played": ("trump_named", "card_played", "trick_taken"),
    "trick_taken": ("card_played",),
    "deal_scored": ("trick_taken",),
    "deal_revealed": _DEAL_ENDS,
    "set_won": ("deal_revealed",),
}
"""What each event of a set comes after, those of people and chat aside."""
