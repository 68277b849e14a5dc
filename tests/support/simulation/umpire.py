"""Judges each event of a table by the state before it: turns, legal actions, winners, scores, comings and
goings.

The rules are the conformance kit's, written from the numbered rules apart from the engine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from support.simulation.frames import Fields
from tarneeb_client.conformance.rules import (
    card_number,
    dealt,
    legal_calls,
    legal_cuts,
    legal_plays,
    legal_trumps,
    plain,
    points,
    winning,
)
from tarneeb_client.conformance.shapes import CARDS

ACTS = frozenset({"pack_cut", "call_made", "trump_named", "card_played"})

DealKey = tuple[int, int]
"""Number of the set and of the deal in it."""


class DealBook:
    """The hands of one deal: as its players were told, and as the pack gives them once it is revealed."""

    def __init__(self) -> None:
        self.told: dict[int, frozenset[str]] = {}
        self.true: list[frozenset[str]] | None = None


class Umpire:
    """What is known of a table beside its state. ``complain`` is told whatever is wrong."""

    def __init__(self, number: int, complain: Callable[[str], None]) -> None:
        self.number = number
        self._complain = complain
        self.state: Fields | None = None
        """What a spectator would be sent after event ``seq``; ``None`` where the story has a gap."""
        self.seq = 0
        self.acts: list[tuple[int, int, str, bool]] = []
        """Of each act of a player: number of the event, seat, what, whether a reply told of it."""
        self.deals: dict[DealKey, DealBook] = {}
        self.deals_revealed = 0
        self.sets_won = 0
        self.is_closed = False
        self._played_at = -1
        self._played_cards: dict[int, list[str]] = {}
        self._commitment: str | None = None
        self._said: set[str] = set()
        self._left: int | None = None
        """The seat that a bot is to take with the next event."""

    def complain(self, text: str) -> None:
        """Something is wrong at this table."""
        self._complain(f"table {self.number}, event {self.seq}: {text}")

    def judge(self, kind: str, state: Fields, event: Fields) -> None:
        """Judge an event by the state before it."""
        if self._left is not None and (kind != "bot_seated" or event["seat"] != self._left):
            self.complain(f"{kind} came where a bot was to take seat {self._left}")
        self._left = None
        if kind in ACTS:
            self._judge_actor(state, event, kind)
        judge = _JUDGES.get(kind)
        if judge is not None:
            judge(self, state, event)

    def legal(self, deal: Fields, seat: int) -> list[Fields] | None:
        state = self.state
        assert state is not None
        match deal["phase"]:
            case "cut":
                return legal_cuts()
            case "auction":
                return legal_calls(state["rules"], deal["dealer"], deal["calls"], seat)
            case "declaration":
                return legal_trumps()
        told = self.deals.get(self.key_of(state))
        hand = None if told is None else told.told.get(seat)
        if hand is None:
            return None
        held = sorted(hand - set(self._played(deal)[seat]))
        is_first = not deal["tricks"] and not deal["trick"]["cards"]
        trump = deal["contract"]["trump"]
        return legal_plays(state["rules"], held, deal["trick"]["cards"], trump, is_first_lead=is_first)

    def _played(self, deal: Fields) -> dict[int, list[str]]:
        """What each seat has played to the deal of the state, which is as it is after event ``seq``."""
        if self._played_at != self.seq:
            self._played_at, self._played_cards = self.seq, played_by(deal)
        return self._played_cards

    def key_of(self, state: Fields) -> DealKey:
        return state["set_number"], state["public"]["deal"]["number"]

    def _judge_actor(self, state: Fields, event: Fields, kind: str) -> None:
        seat, by = event["seat"], event.get("by", "player")
        deal = state["public"]["deal"]
        if deal["turn"] != seat:
            self.complain(f"{kind} of seat {seat}, and it is the turn of {deal['turn']}")
        there = state["seats"][seat]
        if there is None or (there["level"] is not None) != (by == "bot"):
            self.complain(f"{kind} by {by} in the seat of {there}")
        elif by == "player":
            if there["away_seconds"]:
                self.complain(f"{kind} by a player who is away")
            self.acts.append((event["seq"], seat, action_of(event), False))

    def _judge_seated(self, state: Fields, event: Fields) -> None:
        there = state["seats"][event["seat"]]
        if there is not None and there["level"] is None:
            self.complain(f"{event['name']} was seated where {there['name']} sits")
        names = [seat["name"] for seat in state["seats"] if seat is not None] + state["spectators"]
        if event["name"] in names:
            self.complain(f"{event['name']} was seated, and is there already")

    def _judge_bot_seated(self, state: Fields, event: Fields) -> None:
        if state["seats"][event["seat"]] is not None:
            self.complain(f"a bot was seated where {state['seats'][event['seat']]} sits")

    def _judge_left(self, state: Fields, event: Fields) -> None:
        there = state["seats"][event["seat"]]
        if there is None or there["level"] is not None or there["name"] != event["name"]:
            self.complain(f"{event['name']} left seat {event['seat']} of {there}")
        if state["state"] == "playing":
            self._left = event["seat"]

    def _judge_bot_removed(self, state: Fields, event: Fields) -> None:
        there = state["seats"][event["seat"]]
        if there is None or there["level"] is None or state["state"] == "playing":
            self.complain(f"a bot was removed from seat {event['seat']} of {there}")

    def _judge_away(self, state: Fields, event: Fields) -> None:
        there = state["seats"][event["seat"]]
        if there is None or there["level"] is not None or there["away_seconds"]:
            self.complain(f"away: seat {event['seat']} of {there}")

    def _judge_back(self, state: Fields, event: Fields) -> None:
        there = state["seats"][event["seat"]]
        if there is None or not there["away_seconds"]:
            self.complain(f"back: seat {event['seat']} of {there}")

    def _judge_ready(self, state: Fields, event: Fields) -> None:
        there = state["seats"][event["seat"]]
        if there is None or there["ready"] or state["state"] == "playing":
            self.complain(f"ready: seat {event['seat']} of {there}")

    def _judge_watching(self, state: Fields, event: Fields) -> None:
        if event["name"] in state["spectators"]:
            self.complain(f"{event['name']} came to watch twice")

    def _judge_watched(self, state: Fields, event: Fields) -> None:
        if event["name"] not in state["spectators"]:
            self.complain(f"{event['name']} left and was not watching")

    def _judge_said(self, state: Fields, event: Fields) -> None:
        seat = event.get("seat")
        names = state["spectators"] if seat is None else [(state["seats"][seat] or {}).get("name")]
        if event["name"] not in names:
            self.complain(f"{event['name']} spoke from {seat}, and is not there")
        if event["text"] in self._said:
            self.complain(f"{event['text']!r} was said twice")
        self._said.add(event["text"])

    def _judge_set_started(self, state: Fields, event: Fields) -> None:
        if state["state"] == "playing" or not all(seat and seat["ready"] for seat in state["seats"]):
            self.complain(f"a set began with {state['seats']}")
        if event["number"] != state["set_number"] + 1:
            self.complain(f"set {event['number']} began after {state['set_number']}")

    def _judge_deal_started(self, state: Fields, event: Fields) -> None:
        before = state["public"]["deal"]
        number, dealer = (0, None) if before is None else (before["number"], before["dealer"])
        if (
            event["number"] != number + 1
            or state["state"] != "playing"
            or event["turn"] != (event["dealer"] + 3) % 4
        ):
            self.complain(f"deal {event['number']} began after {number}: {event}")
        if before is not None:
            if before["phase"] not in {"scored", "void"}:
                self.complain(f"a deal began in the phase {before['phase']} of another")
            passes = before["phase"] == "scored" or state["rules"]["four_passes"] == "next_dealer"
            if event["dealer"] != (dealer + passes) % 4:
                self.complain(f"seat {event['dealer']} deals after seat {dealer}")
        self._commitment = event["commitment"]

    def _judge_cut(self, state: Fields, event: Fields) -> None:
        if state["public"]["deal"]["phase"] != "cut" or not 1 <= event["at"] <= 51:
            self.complain(f"cut: {event}")

    def _judge_hands(self, state: Fields, event: Fields) -> None:
        deal = state["public"]["deal"]
        if deal["phase"] != "cut" or deal["cut"] is None or event["turn"] != (deal["dealer"] + 1) % 4:
            self.complain(f"hands were dealt: {event}")

    def _judge_call(self, state: Fields, event: Fields) -> None:
        deal, rules = state["public"]["deal"], state["rules"]
        call: Fields = {"type": "call", "call": event["call"], "tricks": event.get("tricks")}
        legal = map(plain, legal_calls(rules, deal["dealer"], deal["calls"], event["seat"]))
        if deal["phase"] != "auction" or plain(call) not in legal:
            self.complain(f"called: {event} after {deal['calls']}")
        if event.get("remark") is not None and not rules["partner_hints"]:
            self.complain(f"a remark: {event}")
        if (turn := event.get("turn")) is not None:
            passed = {made["seat"] for made in [*deal["calls"], event] if made["call"] == "pass"}
            following = [(event["seat"] + step) % 4 for step in (1, 2, 3)]
            is_single = rules["auction"] == "single"
            expected = next((seat for seat in following if is_single or seat not in passed), None)
            if turn != expected:
                self.complain(f"after the call of {event['seat']} it is the turn of {turn}, not {expected}")

    def _judge_won(self, state: Fields, event: Fields) -> None:
        made = [call for call in state["public"]["deal"]["calls"] if call["call"] != "pass"]
        best = made[-1] if made else {}
        if (event["seat"], event["call"], event["tricks"]) != (
            best.get("seat"),
            best.get("call"),
            best.get("tricks") or 13,
        ):
            self.complain(f"the auction was won: {event}, after {made}")

    def _judge_void(self, state: Fields, event: Fields) -> None:
        calls = state["public"]["deal"]["calls"]
        if len(calls) != 4 or any(call["call"] != "pass" for call in calls):
            self.complain(f"void after {calls}: {event}")

    def _judge_trump(self, state: Fields, event: Fields) -> None:
        if state["public"]["deal"]["phase"] != "declaration":
            self.complain(f"trump was named in the phase {state['public']['deal']['phase']}: {event}")

    def _judge_card(self, state: Fields, event: Fields) -> None:
        deal = state["public"]["deal"]
        seat, card, trick = event["seat"], event["card"], deal["trick"]
        legal = self.legal(deal, seat)
        if legal is not None and {"type": "play", "card": card} not in legal:
            self.complain(f"seat {seat} played {card}, and might have played {legal}")
        if any(card in played for played in self._played(deal).values()):
            self.complain(f"{card} was played twice")
        told = self.deals.get(self.key_of(state))
        if told is not None and any(card in hand for at, hand in told.told.items() if at != seat):
            self.complain(f"seat {seat} played {card}, which another seat was dealt")
        cards = [*trick["cards"], card]
        if event["winning"] != winning(cards, trick["leader"], deal["contract"]["trump"]):
            self.complain(f"seat {event['winning']} is said to be winning {cards} led by {trick['leader']}")
        expected = None if len(cards) == 4 else (seat + 1) % 4
        if event.get("turn") != expected:
            self.complain(f"after {card} it is the turn of {event.get('turn')}, not {expected}")

    def _judge_trick(self, state: Fields, event: Fields) -> None:
        deal = state["public"]["deal"]
        trick = deal["trick"]
        best = winning(trick["cards"], trick["leader"], deal["contract"]["trump"])
        taken = [count + (team == best % 2) for team, count in enumerate(deal["taken"])]
        turn = None if len(deal["tricks"]) == 12 else best
        if (event["seat"], event["taken"], event.get("turn")) != (best, taken, turn):
            self.complain(f"trick {trick} was taken: {event}")

    def _judge_score(self, state: Fields, event: Fields) -> None:
        score, deal = event["score"], state["public"]["deal"]
        contract = deal["contract"]
        team = contract["declarer"] % 2
        bid = contract["tricks"]
        added = points(state["rules"], team=team, call=contract["call"], bid=bid, taken=deal["taken"])
        scores = [before + plus for before, plus in zip(state["public"]["scores"], added, strict=True)]
        wins = scores.index(max(scores)) if max(scores) >= state["rules"]["target"] else None
        if contract["call"] == "game" and deal["taken"][team] == 13:
            wins = team
        said = (score["points"], score["scores"], score["made"], score["wins_set"], score["taken"])
        expected = (added, scores, deal["taken"][team] >= bid, wins, deal["taken"])
        if said != expected or deal["phase"] != "scored":
            self.complain(f"the score {score} of {contract} with {deal['taken']} is to be {expected}")

    def _judge_revealed(self, state: Fields, event: Fields) -> None:
        self.deals_revealed += 1
        pack, salt, deal = event["pack"], event["salt"], state["public"]["deal"]
        if sorted(pack, key=card_number) != list(CARDS) or deal["phase"] not in {"scored", "void"}:
            self.complain(f"in the phase {deal['phase']} was revealed {pack}")
        if hashlib.sha256(bytes.fromhex(salt) + "".join(pack).encode()).hexdigest() != self._commitment:
            self.complain(f"{pack} with {salt} is not the pack that was committed to")
        hands = [
            frozenset(hand) for hand in dealt(pack, deal["cut"], deal["dealer"], state["rules"]["dealing"])
        ]
        for seat, played in played_by(deal).items():
            if not hands[seat].issuperset(played):
                self.complain(f"seat {seat} played {played}, and was dealt {sorted(hands[seat])}")
        book = self.deals.setdefault(self.key_of(state), DealBook())
        for seat, told in book.told.items():
            if told != hands[seat]:
                self.complain(f"seat {seat} was shown {sorted(told)}, and was dealt {sorted(hands[seat])}")
        book.true = hands

    def _judge_set_won(self, state: Fields, event: Fields) -> None:
        self.sets_won += 1
        public = state["public"]
        if event["team"] != public["winner"] or event["scores"] != public["scores"]:
            self.complain(f"the set was won: {event}, at {public['scores']} for {public['winner']}")

    def _judge_closed(self, state: Fields, event: Fields) -> None:
        if any(seat is not None and seat["level"] is None for seat in state["seats"]):
            self.complain(f"closed with players: {event}")
        self.is_closed = True


def action_of(told: Fields) -> str:
    """An action, or the event of it, as one text."""
    kinds: dict[str, tuple[str, tuple[str, ...]]] = {
        "cut": ("cut", ("at",)),
        "pack_cut": ("cut", ("at",)),
        "call": ("call", ("call", "tricks", "remark")),
        "call_made": ("call", ("call", "tricks", "remark")),
        "trump": ("trump", ("suit",)),
        "trump_named": ("trump", ("suit",)),
        "play": ("play", ("card",)),
        "card_played": ("play", ("card",)),
    }
    word, names = kinds.get(told.get("type", ""), ("", ()))
    return " ".join([word, *(str(told[name]) for name in names if told.get(name) is not None)])


def played_by(deal: Fields) -> dict[int, list[str]]:
    played: dict[int, list[str]] = {seat: [] for seat in range(4)}
    tricks = deal["tricks"] if deal["trick"] is None else [*deal["tricks"], deal["trick"]]
    for trick in tricks:
        for place, card in enumerate(trick["cards"]):
            played[(trick["leader"] + place) % 4].append(card)
    return played


_JUDGES: dict[str, Callable[[Umpire, Fields, Fields], None]] = {
    "player_seated": Umpire._judge_seated,
    "bot_seated": Umpire._judge_bot_seated,
    "player_left": Umpire._judge_left,
    "bot_removed": Umpire._judge_bot_removed,
    "player_away": Umpire._judge_away,
    "player_back": Umpire._judge_back,
    "player_ready": Umpire._judge_ready,
    "spectator_joined": Umpire._judge_watching,
    "spectator_left": Umpire._judge_watched,
    "said": Umpire._judge_said,
    "set_started": Umpire._judge_set_started,
    "deal_started": Umpire._judge_deal_started,
    "pack_cut": Umpire._judge_cut,
    "hands_dealt": Umpire._judge_hands,
    "call_made": Umpire._judge_call,
    "auction_won": Umpire._judge_won,
    "deal_voided": Umpire._judge_void,
    "trump_named": Umpire._judge_trump,
    "card_played": Umpire._judge_card,
    "trick_taken": Umpire._judge_trick,
    "deal_scored": Umpire._judge_score,
    "deal_revealed": Umpire._judge_revealed,
    "set_won": Umpire._judge_set_won,
    "table_closed": Umpire._judge_closed,
}
