"""What the kit knows of the rules by itself: enough to say which actions are legal, who wins, what it scores.

Written from the numbered rules, on the wire's own values, and apart from the project's engine.
"""

from __future__ import annotations

from typing import Any

from tarneeb_client.conformance.shapes import CARDS, RANKS, SUITS, Fields

RULE_DEFAULTS: Fields = {
    "auction": "single",
    "four_passes": "same_dealer",
    "thirteen": "game_call",
    "target": 31,
    "dealing": "one_by_one",
    "partner_hints": False,
    "lead_tarneeb": False,
    "suit_bids": "none",
    "double": False,
}
"""The ruleset of the preset ``tarneeb``, which is what a field that is left out means."""
CLASSIC: Fields = RULE_DEFAULTS | {"auction": "continuing", "thirteen": "kaboot_bonus"}
"""The ruleset of the preset ``classic``."""
SUITS_UPWARDS = {"none": ("",), "clubs_to_diamonds": tuple("CSHD"), "clubs_to_spades": tuple("CDHS")}
"""Rule 25: the suits that a bid names, lowest first; none where it is a number alone."""


def whole_rules(rules: Fields) -> Fields:
    """A ruleset with every field."""
    return RULE_DEFAULTS | {name: value for name, value in rules.items() if value is not None}


def card_number(card: str) -> int:
    """Cards are numbered by suit, then by rank upwards."""
    return CARDS.index(card)


def legal_cuts() -> list[Fields]:
    """Rule 6."""
    return [{"type": "cut", "at": at} for at in range(1, 52)]


def legal_trumps() -> list[Fields]:
    """Rule 14."""
    return [{"type": "trump", "suit": suit} for suit in SUITS]


def legal_calls(rules: Fields, dealer: int, calls: list[Fields], seat: int) -> list[Fields]:
    """Rules 8 to 12 and 24 to 26. Where the rules have doubles, each call says its ``seat``."""
    upwards = SUITS_UPWARDS[rules["suit_bids"]]
    ladder = [(tricks, suit) for tricks in range(7, 14) for suit in upwards]
    bids = [call for call in calls if call["call"] == "bid"]
    passes = sum(call["call"] == "pass" for call in calls)
    is_stuck = rules["four_passes"] == "dealer_stuck" and seat == dealer and passes == 3 and not bids
    legal: list[Fields] = [] if is_stuck else [{"type": "call", "call": "pass"}]
    if bids:
        step = ladder.index((int(bids[-1]["tricks"]), bids[-1].get("suit") or ""))
        may_match = rules["auction"] == "single" and seat == dealer
        ladder = ladder[step if may_match else step + 1 :]
        if rules["double"] and not is_doubled(calls) and (bids[-1]["seat"] - seat) % 2:
            legal.append({"type": "call", "call": "double"})
    for tricks, suit in ladder:
        named = {"suit": suit} if suit else {}
        legal.append({"type": "call", "call": "bid", "tricks": tricks, **named})
    if rules["thirteen"] == "game_call":
        legal.append({"type": "call", "call": "game"})
    return legal


def is_doubled(calls: list[Fields]) -> bool:
    """Rule 26: whether the highest bid has been doubled, and not outbid since."""
    spoken = [call["call"] for call in calls if call["call"] != "pass"]
    return bool(spoken) and spoken[-1] == "double"


def legal_plays(
    rules: Fields, hand: list[str], trick: list[str], trump: str, *, is_first_lead: bool
) -> list[Fields]:
    """Rules 15 and 16."""
    cards = hand
    if trick:
        cards = [card for card in hand if card[1] == trick[0][1]] or hand
    elif is_first_lead and rules["lead_tarneeb"]:
        cards = [card for card in hand if card[1] == trump] or hand
    return [{"type": "play", "card": card} for card in cards]


def strength(card: str, led: str, trump: str) -> int:
    """Rule 17: how high a card is in a trick; 0 for one that cannot win it."""
    rank = RANKS.index(card[0]) + 1
    if card[1] == trump:
        return 100 + rank
    return rank if card[1] == led else 0


def winning(trick: list[str], leader: int, trump: str) -> int:
    """Rule 17: the seat that is winning."""
    strengths = [strength(card, trick[0][1], trump) for card in trick]
    return (leader + strengths.index(max(strengths))) % 4


def points(
    rules: Fields, *, team: int, call: str, bid: int, taken: list[int], doubled: bool = False
) -> list[int]:
    """Rules 18 to 20, 22 and 26: what a deal adds, by team."""
    other = 1 - team
    added = [0, 0]
    has_bonus = rules["thirteen"] == "kaboot_bonus"
    if taken[team] >= bid:
        added[team] = taken[team]
        if has_bonus and taken[team] == 13:
            added[team] = 26 if bid == 13 else 16
    else:
        is_plain_thirteen = has_bonus and bid == 13 and call == "bid"
        added[team] = -16 if is_plain_thirteen else -bid
        added[other] = taken[other] * (2 if is_plain_thirteen else 1)
    return [2 * each for each in added] if doubled else added


def dealt(pack: list[str], cut_at: int, dealer: int, dealing: str) -> list[list[str]]:
    """Rules 6 and 7: the hands by seat, lowest card number first."""
    cut = pack[cut_at:] + pack[:cut_at]
    hands: list[list[str]] = [[], [], [], []]
    for place, card in enumerate(cut):
        turn = place if dealing == "one_by_one" else place // 13
        hands[(dealer + 1 + turn) % 4].append(card)
    return [sorted(hand, key=card_number) for hand in hands]


def plain(action: Fields) -> tuple[tuple[str, Any], ...]:
    """An action to compare by: its fields in order, without those that are nil."""
    return tuple(sorted((name, value) for name, value in action.items() if value is not None))
