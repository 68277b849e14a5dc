"""The shape of every message of a server, as the protocol's document has it, and a check of a message by it.

Each line is a record: its name, then its fields. ``?`` marks a field that may be left out (or nil), ``|nil``
one that must be there and may be nil; ``[K]`` is an array of ``K``, ``[4 K]`` one of four.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Fields: TypeAlias = dict[str, Any]

RANKS = "23456789TJQKA"
SUITS = "CDHS"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Every card, in the order of card numbers."""

ENUMS: dict[str, tuple[object, ...]] = {
    "seat": (0, 1, 2, 3),
    "team": (0, 1),
    "card": CARDS,
    "suit": tuple(SUITS),
    "call kind": ("pass", "bid", "game", "double"),
    "remark": ("helpful", "not_helpful"),
    "bot level": ("random", "steady"),
    "actor": ("player", "bot", "clock"),
    "table state": ("waiting", "playing", "set_over"),
    "phase": ("cut", "auction", "declaration", "play", "scored", "void"),
    "auction kind": ("single", "continuing", "returning"),
    "four passes": ("same_dealer", "next_dealer", "dealer_stuck"),
    "thirteen": ("game_call", "kaboot_bonus"),
    "format kind": ("winner_stays", "round_robin", "knock_out"),
    "tournament state": ("forming", "playing", "over"),
    "suit bids": ("none", "clubs_to_diamonds", "clubs_to_spades"),
    "dealing": ("one_by_one", "thirteen_at_a_time"),
}

_RECORDS = """
ruleset: auction?=auction kind, four_passes?=four passes, thirteen?=thirteen, target?=integer, dealing?=dealing,
    partner_hints?=boolean, lead_tarneeb?=boolean, suit_bids?=suit bids, double?=boolean
preset: name=string, title?=string, differs?=string, rules=ruleset
server limits: client_frame=integer, server_frame=integer, name_chars=integer, chat_chars=integer,
    connections=integer, tables=integer, tables_per_session=integer, spectators=integer, kept_replies=integer,
    kept_events=integer, waiting_bytes=integer, connections_per_address?=integer
seat summary: name=string, level?=bot level, away_seconds?=integer, ready?=boolean,
    has_stand_in?=boolean
table summary: table=counter from 1, name=string, state=table state, rules=ruleset, turn_seconds=integer,
    grace_seconds?=integer, stand_in?=bot level, seats=[4 seat summary|nil], spectators?=integer,
    can_watch?=boolean, locked?=boolean, deal?=integer, scores?=[2 integer], tournament?=counter from 1
entrant summary: name=string, level?=bot level, accepted?=boolean
team summary: name=string, players=[2 entrant summary], played?=integer, won?=integer, run?=integer,
    best_run?=integer, points_for?=integer, points_against?=integer, is_out?=boolean
pairing summary: teams=[2 integer], turn?=integer, table?=counter from 1, winner?=team, scores?=[2 integer],
    is_walkover?=boolean
call summary: team=integer, table=counter from 1, seats=[2 seat], seconds=integer
tournament summary: tournament=counter from 1, name=string, state=tournament state, format=format kind,
    opener=string, rules=ruleset, by_lot?=boolean, teams?=integer, sets_played?=integer
set summary: record=counter from 1, finished_at=integer, table=counter from 1, table_name=string,
    set_number=integer, players=[4 string], deals=integer, team=team, scores=[2 integer]
chat line: name=string, text=string, seat?=seat
public view: rules=ruleset, scores=[2 integer], history=[deal score], deal=deal view|nil, winner=team|nil
deal view: number=integer, dealer=seat, phase=phase, turn=seat|nil, cut=integer|nil, cards_held=[4 integer],
    calls=[call view], contract=contract view|nil, tricks=[trick view], trick=trick view|nil, taken=[2 integer]
call view: seat=seat, call=call kind, tricks=integer|nil, remark=remark|nil, suit?=suit
contract view: declarer=seat, call=call kind, tricks=integer, trump=suit|nil, doubled?=boolean
trick view: leader=seat, cards=[card], winner=seat|nil
deal score: number=integer, declarer=seat, call=call kind, bid=integer, trump=suit, taken=[2 integer],
    made=boolean, points=[2 integer], scores=[2 integer], wins_set=team|nil, doubled?=boolean
cut: at=integer
call: call=call kind, tricks?=integer, remark?=remark, suit?=suit
trump: suit=suit
play: card=card
ready:
"""

_MESSAGES = """
ping: nonce?=counter
pong: nonce?=counter
goodbye: code=string, message?=string, resumable?=boolean, retry_seconds?=integer
welcome: protocol=integer, server=string, server_name=string, name=string, token=string, resumed?=boolean,
    table?=counter from 1, capabilities?=[string], ping_seconds=integer, dead_seconds=integer,
    grace_seconds=integer
refused: code=string, message=string, protocol_min=integer, protocol_max=integer
about: protocol_min=integer, protocol_max=integer, software=string, server=string, server_name=string,
    needs_password?=boolean, capabilities?=[string], presets=[preset], turn_seconds=integer,
    stand_in?=bot level, hello_seconds=integer, ping_seconds=integer, dead_seconds=integer,
    grace_seconds=integer, limits=server limits
error: id?=counter, code=string, message=string, field?=string, seq?=counter
done: id=counter, seq?=counter
tables: id=counter, tables=[table summary], more?=boolean
opened: id=counter, table=counter from 1
joined: id=counter, table=counter from 1, seat?=seat
sets: id=counter, sets=[set summary], more?=boolean
set_text: id=counter, record=counter from 1, offset=counter, text=string, length=integer
snapshot: table=counter from 1, seq=counter, name=string, state=table state, rules=ruleset,
    turn_seconds=integer, grace_seconds=integer, stand_in?=bot level, can_watch?=boolean, locked?=boolean,
    seats=[4 seat summary|nil], spectators?=[string], chat?=[chat line], set_number?=integer,
    public?=public view, seat?=seat, hand?=[card], seconds_left?=integer, commitment?=string,
    tournament?=counter from 1
tournaments: id=counter, tournaments=[tournament summary], more?=boolean
tournament_opened: id=counter, tournament=counter from 1
tournament: tournament=counter from 1, seq=counter, name=string, state=tournament state, format=format kind,
    opener=string, rules=ruleset, turn_seconds=integer, appear_seconds=integer, by_lot?=boolean,
    sets?=integer, wins?=integer, teams?=[team summary], alone?=[string], ranking?=[integer],
    waiting?=[integer], pairings?=[pairing summary], called?=[call summary]
prompt: table=counter from 1, seq=counter, actions=[action], remarks?=[remark], seconds?=integer
lobby_said: name=string, text=string
notice: reason=string, text=string, seconds?=integer
"""

_EVENTS = """
player_seated: seat=seat, name=string
player_left: seat=seat, name=string, reason=string
player_away: seat=seat, grace_seconds=integer
player_back: seat=seat
stand_in_began: seat=seat
stand_in_ended: seat=seat
player_ready: seat=seat
bot_seated: seat=seat, name=string, level=bot level
bot_removed: seat=seat
spectator_joined: name=string
spectator_left: name=string
said: name=string, text=string, seat?=seat
set_started: number=integer
deal_started: number=integer, dealer=seat, commitment=string, turn=seat
pack_cut: seat=seat, at=integer, by?=actor
hands_dealt: turn=seat, hand?=[card]
call_made: seat=seat, call=call kind, tricks?=integer, suit?=suit, remark?=remark, by?=actor, turn?=seat
auction_won: seat=seat, call=call kind, tricks=integer, suit?=suit, doubled?=boolean
deal_voided:
trump_named: seat=seat, suit=suit, by?=actor
card_played: seat=seat, card=card, winning=seat, by?=actor, turn?=seat
trick_taken: seat=seat, taken=[2 integer], turn?=seat
deal_scored: score=deal score
deal_revealed: pack=[card], salt=string
set_won: team=team, scores=[2 integer]
table_closed: reason=string
"""

_REQUESTS = """
list_tables: after?=counter from 1
open_table: name=string, preset?=string, rules?=ruleset, turn_seconds?=integer, grace_seconds?=integer,
    stand_in?=bot level, spectators?=boolean, password?=string
join: table=counter from 1, seat?=seat, partner?=string, password?=string
watch: table=counter from 1, password?=string
leave:
chat: text=string
add_bot: seat?=seat, level?=bot level
remove_bot: seat=seat
act: action=action, seq?=counter
sync: seq?=counter
open_tournament: name=string, format?=format kind, preset?=string, rules?=ruleset, turn_seconds?=integer,
    stand_in?=bot level, spectators?=boolean, by_lot?=boolean, sets?=integer, wins?=integer, tables?=integer,
    appear_seconds?=integer
list_tournaments: after?=counter from 1
follow_tournament: tournament=counter from 1, follows?=boolean
enter_tournament: tournament=counter from 1, team?=string, partner?=string, bots?=bot level
answer_invitation: tournament=counter from 1, accepts?=boolean
withdraw: tournament=counter from 1, team?=string
begin_tournament: tournament=counter from 1
end_tournament: tournament=counter from 1
list_sets: before?=counter from 1
get_set: record=counter from 1, offset?=counter
"""

_FROM_CLIENT = """
describe:
hello: protocol_min=integer, protocol_max=integer, client=string, name=string, capabilities?=[string],
    password?=string, resume?=string, seq?=counter
ping: nonce?=counter
pong: nonce?=counter
goodbye: code=string, message?=string, resumable?=boolean, retry_seconds?=integer
"""

Shape: TypeAlias = dict[str, tuple[str, bool]]
"""Field name to its kind, and whether it must be there."""


def _read(text: str, common: Shape) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {}
    for line in text.replace("\n    ", " ").strip().splitlines():
        name, _, rest = line.partition(":")
        shape = dict(common)
        for entry in filter(None, (part.strip() for part in rest.split(","))):
            field, _, kind = entry.partition("=")
            shape[field.rstrip("?")] = (kind, not field.endswith("?"))
        shapes[name] = shape
    return shapes


RECORDS = _read(_RECORDS, {})
EVENTS = _read(_EVENTS, {"table": ("counter from 1", True), "seq": ("counter", True)})
MESSAGES = _read(_MESSAGES, {}) | EVENTS
"""All that a server may send."""
REQUESTS = _read(_REQUESTS, {"id": ("counter", True)})
FROM_CLIENT = _read(_FROM_CLIENT, {}) | REQUESTS
"""All that a client may send."""
ACTIONS = ("cut", "call", "trump", "play", "ready")
MAX_COUNTER = 2**53 - 1

_PLAIN = {"string": str, "integer": int, "boolean": bool}


def fault_of(message: Fields, shapes: dict[str, Shape] = MESSAGES) -> str | None:
    """What is wrong with a message, or ``None``. A ``type`` that is not known is no fault of a server's, which
    may be newer than this kit.
    """
    kind = message.get("type")
    if not isinstance(kind, str):
        return "a message without a `type` that is a string"
    shape = shapes.get(kind)
    if shape is None:
        return None if shapes is MESSAGES else f"a message of the type {kind!r}, which no client sends"
    wrong = _record_fault(message, shape)
    return None if wrong is None else f"{kind}{wrong}"


def _record_fault(value: Fields, shape: Shape) -> str | None:
    for field, (kind, is_needed) in shape.items():
        if field not in value:
            if is_needed:
                return f".{field} is missing"
        elif value[field] is not None or (is_needed and not kind.endswith("|nil")):
            wrong = _fault(value[field], kind.removesuffix("|nil"))
            if wrong is not None:
                return f".{field}{wrong}"
    return None


def _fault(value: object, kind: str) -> str | None:
    if kind.startswith("["):
        return _array_fault(value, kind[1:-1])
    if kind in ENUMS:
        known = any(type(value) is type(each) and value == each for each in ENUMS[kind])
        return None if known else f" is {value!r}, which is no {kind}"
    if kind in _PLAIN:
        return None if type(value) is _PLAIN[kind] else f" is {value!r}, which is no {kind}"
    if kind.startswith("counter"):
        lowest = 1 if kind.endswith("1") else 0
        fits = type(value) is int and lowest <= value <= MAX_COUNTER
        return None if fits else f" is {value!r}, which is no {kind}"
    if not isinstance(value, dict):
        return f" is {value!r}, which is no map"
    if kind == "action":
        kind = str(value.get("type"))
        if kind not in ACTIONS:
            return f" is an action of the unknown type {kind!r}"
    return _record_fault(value, RECORDS[kind])


def _array_fault(value: object, kind: str) -> str | None:
    if not isinstance(value, list):
        return f" is {value!r}, which is no array"
    if kind[0].isdigit():
        length, _, kind = kind.partition(" ")
        if len(value) != int(length):
            return f" has {len(value)} items, not {length}"
    may_be_nil = kind.endswith("|nil")
    for place, item in enumerate(value):
        if item is None and may_be_nil:
            continue
        wrong = _fault(item, kind.removesuffix("|nil"))
        if wrong is not None:
            return f"[{place}]{wrong}"
    return None
