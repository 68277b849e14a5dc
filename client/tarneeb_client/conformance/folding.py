"""What each event changes in a snapshot, by the table in the protocol's document, on plain maps."""

from __future__ import annotations

from copy import deepcopy

from tarneeb_client.conformance.rules import whole_rules
from tarneeb_client.conformance.shapes import Fields

CHAT_KEPT = 20
HISTORY_KEPT = 200


def normal(snapshot: Fields) -> Fields:
    """A snapshot to compare by: what may be left out is there, what is of the moment is not."""
    whole = deepcopy(snapshot)
    for name in ("type", "seconds_left"):
        whole.pop(name, None)
    defaults: Fields = {
        "can_watch": True,
        "locked": False,
        "stand_in": "steady",
        "spectators": [],
        "chat": [],
        "set_number": 0,
        "public": None,
        "seat": None,
        "hand": None,
        "commitment": None,
    }
    whole = defaults | {name: value for name, value in whole.items() if value is not None}
    whole["rules"] = whole_rules(whole["rules"])
    whole["seats"] = [_seat(seat) for seat in whole["seats"]]
    whole["chat"] = [{"seat": None} | line for line in whole["chat"]]
    if whole["public"] is not None:
        whole["public"]["rules"] = whole_rules(whole["public"]["rules"])
        whole["public"]["history"] = [{"doubled": False} | score for score in whole["public"]["history"]]
        _fill_in_calls(whole["public"]["deal"])
    return whole


def _fill_in_calls(deal: Fields | None) -> None:
    if deal is None:
        return
    deal["calls"] = [{"suit": None} | call for call in deal["calls"]]
    if deal["contract"] is not None:
        deal["contract"] = {"doubled": False} | deal["contract"]


def _seat(seat: Fields | None) -> Fields | None:
    """``away_seconds`` counts down, so that only its presence can be compared."""
    if seat is None:
        return None
    whole = {"level": None, "away_seconds": None, "ready": False, "has_stand_in": False} | seat
    whole["away_seconds"] = whole["away_seconds"] is not None
    return whole


def fold(before: Fields, event: Fields) -> Fields:
    """The normal snapshot after the event."""
    after = deepcopy(before)
    fold_in(after, event)
    return after


def fold_in(after: Fields, event: Fields) -> None:
    """Turn the normal snapshot before the event into that after it."""
    after["seq"] = event["seq"]
    kind = event["type"]
    deal = None if after["public"] is None else after["public"]["deal"]
    _fold_people(after, event, kind)
    if kind == "set_started":
        public = {"rules": after["rules"], "scores": [0, 0], "history": [], "deal": None, "winner": None}
        after |= {"state": "playing", "set_number": event["number"], "public": public, "commitment": None}
        _empty_hand(after)
    elif kind == "deal_started":
        after["public"]["deal"] = _new_deal(event)
        after["commitment"] = event["commitment"]
        _empty_hand(after)
    elif kind == "deal_scored":
        score = event["score"]
        after["public"] |= {"scores": score["scores"], "winner": score["wins_set"]}
        history = [*after["public"]["history"], {"doubled": False} | score]
        after["public"]["history"] = history[-HISTORY_KEPT:]
        after["commitment"] = None
    elif kind == "set_won":
        after["public"] |= {"winner": event["team"], "scores": event["scores"]}
        after["state"] = "set_over"
        for seat in filter(None, after["seats"]):
            seat["ready"] = seat["level"] is not None
    elif deal is not None:
        _fold_deal(after, deal, event, kind)
    if after["state"] != "playing":
        after["state"] = "waiting" if None in after["seats"] else "set_over"


def _fold_people(after: Fields, event: Fields, kind: str) -> None:
    seats = after["seats"]
    if kind == "player_seated":
        seats[event["seat"]] = _seat({"name": event["name"], "ready": True})
    elif kind == "bot_seated":
        seats[event["seat"]] = _seat({"name": event["name"], "level": event["level"], "ready": True})
    elif kind in {"player_left", "bot_removed"}:
        seats[event["seat"]] = None
    elif kind in {"player_away", "player_back"}:
        seats[event["seat"]]["away_seconds"] = kind == "player_away"
        if kind == "player_back":
            seats[event["seat"]]["has_stand_in"] = False
    elif kind in {"stand_in_began", "stand_in_ended"}:
        seats[event["seat"]]["has_stand_in"] = kind == "stand_in_began"
    elif kind == "player_ready":
        seats[event["seat"]]["ready"] = True
    elif kind == "spectator_joined":
        after["spectators"].append(event["name"])
    elif kind == "spectator_left":
        after["spectators"].remove(event["name"])
    elif kind == "said":
        line = {"name": event["name"], "text": event["text"], "seat": event.get("seat")}
        after["chat"] = [*after["chat"], line][-CHAT_KEPT:]


def _empty_hand(after: Fields) -> None:
    if after["seat"] is not None:
        after["hand"] = []


def _new_deal(event: Fields) -> Fields:
    return {
        "number": event["number"],
        "dealer": event["dealer"],
        "phase": "cut",
        "turn": event["turn"],
        "cut": None,
        "cards_held": [0, 0, 0, 0],
        "calls": [],
        "contract": None,
        "tricks": [],
        "trick": None,
        "taken": [0, 0],
    }


def _fold_deal(after: Fields, deal: Fields, event: Fields, kind: str) -> None:
    turn = event.get("turn")
    if kind == "pack_cut":
        deal |= {"cut": event["at"], "turn": None}
    elif kind == "hands_dealt":
        deal |= {"phase": "auction", "turn": turn, "cards_held": [13, 13, 13, 13]}
        if after["seat"] is not None:
            after["hand"] = event.get("hand")
    elif kind == "call_made":
        names = ("seat", "call", "tricks", "remark", "suit")
        deal["calls"].append({name: event.get(name) for name in names})
        deal["turn"] = turn
    elif kind == "auction_won":
        contract = {"declarer": event["seat"], "call": event["call"], "tricks": event["tricks"], "trump": None}
        contract["doubled"] = event.get("doubled", False)
        deal |= {"phase": "declaration", "turn": event["seat"], "contract": contract}
    elif kind == "deal_voided":
        deal |= {"phase": "void", "turn": None}
        after["commitment"] = None
    elif kind == "trump_named":
        deal["contract"]["trump"] = event["suit"]
        deal |= {"phase": "play", "turn": event["seat"], "trick": _lead(event["seat"])}
    elif kind == "card_played":
        deal["trick"]["cards"].append(event["card"])
        deal["trick"]["winner"] = event["winning"]
        deal["cards_held"][event["seat"]] -= 1
        deal["turn"] = turn
        if event["seat"] == after["seat"]:
            after["hand"].remove(event["card"])
    elif kind == "trick_taken":
        deal["tricks"].append(deal["trick"] | {"winner": event["seat"]})
        deal |= {"taken": event["taken"], "turn": turn, "trick": None if turn is None else _lead(turn)}
        if turn is None:
            deal["phase"] = "scored"


def _lead(seat: int) -> Fields:
    return {"leader": seat, "cards": [], "winner": None}
