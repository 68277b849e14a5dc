"""The codec: every message there and back, the msgpack profile, and what is said of a field at fault."""

from __future__ import annotations

import json
import math
from dataclasses import is_dataclass, replace
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from msgspec import inspect

from support.messages import ALL_MESSAGES, any_message, full_example, messages, tag
from support.wire import HELLO, framed
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import PublicView
from tarneeb_protocol.codec import (
    FROM_CLIENT,
    FROM_SERVER,
    MAX_CLIENT_ARRAY_LENGTH,
    MAX_DEPTH,
    MAX_MAP_LENGTH,
    MAX_SERVER_ARRAY_LENGTH,
    BadMessage,
    Direction,
    decode,
    encode,
)
from tarneeb_protocol.errors import ErrorCode, LocalProtocolError, ProtocolError
from tarneeb_protocol.field_faults import MAX_FAULT_CHARS
from tarneeb_protocol.framing import MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from tarneeb_protocol.messages import (
    CLIENT_MESSAGES,
    EVENTS,
    MAX_CHAT_CHARS,
    MAX_CHAT_LINES,
    MAX_HISTORY,
    MAX_NAME_CHARS,
    MAX_PAIRINGS,
    MAX_SPECTATORS,
    MAX_TABLES_LISTED,
    MAX_TEAMS,
    MAX_TOURNAMENTS_LISTED,
    SERVER_MESSAGES,
    Act,
    CallSummary,
    CardPlayed,
    Chat,
    ChatLine,
    EntrantSummary,
    LobbySaid,
    Message,
    PairingSummary,
    PlayAction,
    SeatSummary,
    Snapshot,
    Tables,
    TableSummary,
    TeamSummary,
    Tournament,
    Tournaments,
    Welcome,
)


def hex_or_code(value: bytes | ErrorCode) -> str:
    return value.value if isinstance(value, ErrorCode) else value[:8].hex()


ACT = {"type": "act", "id": 5, "seq": 9, "action": {"type": "play", "card": "AS"}}


def built(message: Message) -> dict[str, Any]:
    """The fields as msgpack would give them."""
    fields: dict[str, Any] = json.loads(msgspec.json.encode(message))
    return fields


def direction_of(kind: type[Message]) -> Direction:
    return FROM_CLIENT if kind in CLIENT_MESSAGES else FROM_SERVER


def decoded(fields: dict[str, Any], direction: Direction = FROM_CLIENT) -> Message | BadMessage:
    return decode(msgpack.packb(fields), direction)


def refused(payload: bytes, direction: Direction = FROM_CLIENT) -> ErrorCode:
    with pytest.raises(ProtocolError) as caught:
        decode(payload, direction)
    return caught.value.code


def bad(fields: dict[str, Any], direction: Direction = FROM_CLIENT) -> BadMessage:
    found = decoded(fields, direction)
    assert isinstance(found, BadMessage), found
    return found


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize("kind", ALL_MESSAGES, ids=tag)
def test_a_message_comes_back_equal(kind: type[Message]) -> None:
    @given(messages(kind))
    def comes_back(message: Message) -> None:
        frame = encode(message)
        assert int.from_bytes(frame[:4], "big") == len(frame) - 4
        assert decode(frame[4:], direction_of(kind)) == message

    comes_back()


@given(any_message())
@pytest.mark.proves("F-1", "P-1")
def test_a_frame_is_plain_msgpack_that_anybody_can_read(message: Message) -> None:
    fields = msgpack.unpackb(encode(message)[4:])
    assert fields == {"type": tag(type(message)), **fields}
    assert fields == built(message)


@pytest.mark.proves("F-1", "P-1")
def test_a_card_played_is_these_bytes() -> None:
    played = full_example(CardPlayed)
    assert isinstance(played, CardPlayed)
    assert encode(played) == framed(
        b"\x88\xa4type\xabcard_played\xa5table\x01\xa3seq\x01\xa4seat\x03\xa4card\xa2AS\xa7winning\x03"
        b"\xa2by\xa5clock\xa4turn\x03"
    )


@pytest.mark.proves("M-4")
def test_the_order_of_fields_does_not_matter() -> None:
    message = decoded(ACT)
    assert message == Act(id=5, seq=9, action=PlayAction(Card.SA))
    assert decoded(dict(reversed(ACT.items()))) == message


def test_every_direction_has_the_messages_listed_and_no_other() -> None:
    assert set(FROM_CLIENT.types.values()) == set(CLIENT_MESSAGES)
    assert set(FROM_SERVER.types.values()) == set(SERVER_MESSAGES)
    assert set(EVENTS) < set(SERVER_MESSAGES)
    for direction in (FROM_CLIENT, FROM_SERVER):
        assert all(tag(kind) == name for name, kind in direction.types.items())


@pytest.mark.parametrize("kind", ALL_MESSAGES, ids=tag)
@pytest.mark.proves("M-1")
def test_fields_that_are_not_known_are_passed_over(kind: type[Message]) -> None:
    fields = built(full_example(kind))
    more = {**fields, "later": {"version": [1, None, "x", 2.5]}, "": -1}
    assert decoded(more, direction_of(kind)) == full_example(kind)


@pytest.mark.parametrize("kind", ALL_MESSAGES, ids=tag)
@pytest.mark.proves("M-3")
def test_nil_and_absent_are_the_same_for_a_field_that_may_be_left_out(kind: type[Message]) -> None:
    fields = built(full_example(kind))
    for field in msgspec.structs.fields(kind):
        if not field.required:
            absent = {name: value for name, value in fields.items() if name != field.encode_name}
            expected = decoded(absent, direction_of(kind))
            assert isinstance(expected, Message)
            assert decoded({**fields, field.encode_name: None}, direction_of(kind)) == expected


@pytest.mark.parametrize("kind", ALL_MESSAGES, ids=tag)
@pytest.mark.proves("M-3")
def test_nil_stands_for_a_field_left_out_in_maps_inside_a_message_too(kind: type[Message]) -> None:
    message = full_example(kind)
    stripped = with_nil(msgspec.structs.asdict(message), left_out=True)
    with_nils = with_nil(msgspec.structs.asdict(message), left_out=False)
    expected = decoded({"type": tag(kind), **stripped}, direction_of(kind))
    assert isinstance(expected, Message), expected
    assert decoded({"type": tag(kind), **with_nils}, direction_of(kind)) == expected


def with_nil(value: Any, *, left_out: bool) -> Any:
    """As builtin values, with nil in every field of every map that may be left out, or all those left out."""
    if isinstance(value, dict):
        return {name: with_nil(inside, left_out=left_out) for name, inside in value.items()}
    if isinstance(value, tuple):
        return [with_nil(inside, left_out=left_out) for inside in value]
    if isinstance(value, msgspec.Struct) or is_dataclass(value):
        at = inspect.type_info(type(value))
        assert isinstance(at, inspect.StructType | inspect.DataclassType)
        fields = {
            field.encode_name: with_nil(getattr(value, field.name), left_out=left_out)
            if field.required
            else None
            for field in at.fields
            if field.required or not left_out
        }
        named = {"type": at.tag} if isinstance(at, inspect.StructType) and at.tag is not None else {}
        return {**named, **fields}
    return msgspec.to_builtins(value)


SECRET_WORDS = ("token", "password", "resume", "address", "session")


@pytest.mark.parametrize("kind", [kind for kind in SERVER_MESSAGES if kind is not Welcome], ids=tag)
@pytest.mark.proves("R-2")
def test_h08_nothing_that_a_server_tells_others_has_a_place_for_a_secret(kind: type[Message]) -> None:
    # Of fields of maps inside too: the schema names them all.
    schema = json.dumps(msgspec.json.schema(kind)["$defs"])
    assert not [word for word in SECRET_WORDS if f'"{word}"' in schema]


@pytest.mark.parametrize("kind", EVENTS, ids=tag)
@pytest.mark.proves("W-2")
def test_h05_a_hand_is_in_one_event_alone_and_a_pack_in_another(kind: type[Message]) -> None:
    holds_cards = [field for field in msgspec.structs.fields(kind) if "Card, ..." in str(field.type)]
    expected = {"hands_dealt": ["hand"], "deal_revealed": ["pack"]}.get(tag(kind), [])
    assert [field.name for field in holds_cards] == expected


# ---------------------------------------------------------------- fields at fault


@pytest.mark.parametrize("kind", ALL_MESSAGES, ids=tag)
@pytest.mark.proves("E-2")
def test_f13_each_field_missing_nil_or_of_a_wrong_type_is_named_and_the_connection_lives(
    kind: type[Message],
) -> None:
    fields = built(full_example(kind))
    for field in msgspec.structs.fields(kind):
        name = field.encode_name
        if field.required:
            missing = bad({key: value for key, value in fields.items() if key != name}, direction_of(kind))
            assert (missing.code, missing.field) == (ErrorCode.BAD_REQUEST, name)
            assert f"`{name}` is missing; accepted is " in missing.message
            assert bad({**fields, name: None}, direction_of(kind)).field == name
        others: list[Any] = [True, 7, "seven", [], {}]
        wrong: list[Any] = [2.5, math.nan, math.inf]
        wrong += [value for value in others if type(value) is not type(fields[name])]
        for value in wrong:
            fault = bad({**fields, name: value}, direction_of(kind))
            assert (fault.code, fault.field) == (ErrorCode.BAD_REQUEST, name)
            assert "accepted is " in fault.message
            if name != "id" and "id" in fields:
                assert fault.id == fields["id"]


@pytest.mark.parametrize("kind", ALL_MESSAGES, ids=tag)
@pytest.mark.proves("E-2")
def test_f16_a_list_for_a_map_and_a_map_for_a_list_are_faults_that_are_named(kind: type[Message]) -> None:
    fields = built(full_example(kind))
    for name, value in fields.items():
        if isinstance(value, list | tuple):
            assert bad({**fields, name: {}}, direction_of(kind)).field == name
            assert bad({**fields, name: [[]]}, direction_of(kind)).field in {name, f"{name}[0]"}
        if isinstance(value, dict):
            assert bad({**fields, name: [""]}, direction_of(kind)).field == name


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "play", "card": "ZZ"}, "action.card"),
        ({"type": "play", "card": None}, "action.card"),
        ({"type": "play", "card": "as"}, "action.card"),
        ({"type": "play", "card": 51}, "action.card"),
        ({"type": "play"}, "action.card"),
        ({"type": "call", "call": "bid", "tricks": 7.5}, "action.tricks"),
        ({"type": "call", "call": "bid", "tricks": 7.0}, "action.tricks"),
        ({"type": "call", "call": "bid", "tricks": math.nan}, "action.tricks"),
        ({"type": "call", "call": "bid", "tricks": "8"}, "action.tricks"),
        ({"type": "call", "call": "bid", "tricks": True}, "action.tricks"),
        ({"type": "call", "call": "bid"}, "action"),
        ({"type": "call", "call": "bid", "tricks": None}, "action"),
        ({"type": "call", "call": "pass", "tricks": 7}, "action"),
        ({"type": "call", "call": "game", "tricks": 13}, "action"),
        ({"type": "call", "call": "redouble"}, "action.call"),
        ({"type": "call", "call": "pass", "remark": "good"}, "action.remark"),
        ({"type": "trump", "suit": "X"}, "action.suit"),
        ({"type": "cut", "at": 1.0}, "action.at"),
        ({"type": "resign"}, "action.type"),
        ({"type": 1}, "action.type"),
        ({}, "action.type"),
        (None, "action"),
        ([], "action"),
    ],
)
@pytest.mark.proves("E-2", "P-9")
def test_rule_9_what_is_no_call_at_all_is_refused_by_the_field(action: object, field: str) -> None:
    fault = bad({**ACT, "action": action})
    assert (fault.code, fault.field, fault.id) == (ErrorCode.BAD_REQUEST, field, 5)


def test_i06_a_null_card_is_a_bad_request() -> None:
    fault = bad({**ACT, "action": {"type": "play", "card": None}})
    assert fault.to_error(seq=12) == decode(
        msgpack.packb(
            {
                "type": "error",
                "id": 5,
                "seq": 12,
                "code": "bad_request",
                "field": "action.card",
                "message": "`action.card` is nil; accepted is a card as in AS, TH, 2C:"
                " one of 23456789TJQKA, then one of CDHS",
            }
        ),
        FROM_SERVER,
    )


@pytest.mark.proves("E-2")
def test_an_item_of_an_array_is_named_by_its_place() -> None:
    hello = {**built(HELLO), "capabilities": ["a", "b", 3]}
    assert bad(hello).field == "capabilities[2]"
    dealt = {"type": "hands_dealt", "table": 1, "seq": 1, "turn": 0, "hand": ["AS", "KS", "1S"]}
    assert bad(dealt, FROM_SERVER).field == "hand[2]"


@pytest.mark.parametrize("value", [-1, 2**53, 2**64 - 1, -(2**63)])
@pytest.mark.proves("E-3")
def test_an_id_outside_its_range_is_a_fault_and_is_not_echoed(value: int) -> None:
    fault = bad({"type": "leave", "id": value})
    assert (fault.field, fault.id) == ("id", None)
    assert "a whole number from 0 to 9007199254740991" in fault.message


@pytest.mark.parametrize("value", [True, 7.0, "7", None, [7]])
def test_what_is_no_whole_number_is_no_id(value: object) -> None:
    assert (bad({"type": "leave", "id": value}).field, bad({"type": "nonsense", "id": value}).id) == (
        "id",
        None,
    )


@pytest.mark.proves("E-1", "E-3")
def test_an_unknown_type_names_what_is_known_and_keeps_the_id() -> None:
    fault = bad({"type": "resign", "id": 8})
    assert (fault.code, fault.field, fault.id) == (ErrorCode.UNKNOWN_TYPE, "type", 8)
    assert all(tag(kind) in fault.message for kind in CLIENT_MESSAGES)


@pytest.mark.proves("E-1")
def test_a_message_of_the_other_direction_is_unknown() -> None:
    for kind in set(SERVER_MESSAGES) - set(CLIENT_MESSAGES):
        assert bad(built(full_example(kind)), FROM_CLIENT).code is ErrorCode.UNKNOWN_TYPE
    for kind in set(CLIENT_MESSAGES) - set(SERVER_MESSAGES):
        assert bad(built(full_example(kind)), FROM_SERVER).code is ErrorCode.UNKNOWN_TYPE


@pytest.mark.parametrize("fields", [{}, {"type": None}, {"type": 5}, {"type": ["act"]}, {"type": {}}])
def test_a_map_without_a_readable_type_is_a_bad_request(fields: dict[str, Any]) -> None:
    fault = bad(fields)
    assert (fault.code, fault.field) == (ErrorCode.BAD_REQUEST, "type")


HOSTILE = "\x1b]0;owned\x07\u202e\x9b31m'`" + " - at `$.id`" + "x" * 5000


@pytest.mark.parametrize(
    "fields",
    [
        {"type": HOSTILE, "id": 1},
        {**ACT, "action": {"type": HOSTILE}},
        {**ACT, "action": {"type": "play", "card": HOSTILE}},
        {**ACT, "action": {"type": "call", "call": HOSTILE}},
        {**ACT, "action": HOSTILE},
        {"type": "chat", "id": 1, "text": HOSTILE},
        {"type": "open_table", "id": 1, "name": "a", "rules": {"auction": HOSTILE, HOSTILE: 1}},
    ],
)
@pytest.mark.proves("E-5")
def test_u08_hostile_text_is_not_echoed(fields: dict[str, Any]) -> None:
    fault = bad(fields)
    said = fault.message + (fault.field or "")
    assert "owned" not in said
    assert said.isprintable()
    assert said.isascii()
    assert len(fault.message) <= MAX_FAULT_CHARS


def test_a_fault_that_is_found_by_a_value_itself_is_told_in_its_own_words() -> None:
    snapshot = built(full_example(Snapshot))
    fault = bad({**snapshot, "rules": {**snapshot["rules"], "target": 30}}, FROM_SERVER)
    assert fault.field == "rules"
    assert fault.message == "`rules`: the target is one of 31, 41, 51, 61, not 30"


# ---------------------------------------------------------------- the msgpack profile


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"\xc1", ErrorCode.NOT_MSGPACK),
        (b"", ErrorCode.NOT_MSGPACK),
        (b"\x81\xa4type", ErrorCode.NOT_MSGPACK),
        (b"\x80\x80", ErrorCode.NOT_MSGPACK),
        (msgpack.packb(ACT) + b"\x00", ErrorCode.NOT_MSGPACK),
        (b"\x81\xa4type\xa2\xff\xfe", ErrorCode.NOT_MSGPACK),
        (b"\x81\xa4type\xa3\xed\xa0\x80", ErrorCode.NOT_MSGPACK),  # a surrogate
        (b"\x81\xa4type\xa2\xc0\xaf", ErrorCode.NOT_MSGPACK),  # an overlong form
        (b"\x81\xa1\xff\x01", ErrorCode.NOT_MSGPACK),
        (b"\xc0", ErrorCode.NOT_A_MAP),
        (b"\x01", ErrorCode.NOT_A_MAP),
        (b"\x90", ErrorCode.NOT_A_MAP),
        (b"\x91\xa0", ErrorCode.NOT_A_MAP),
        (b"\xa4type", ErrorCode.NOT_A_MAP),
        (b"\xc4\x04type", ErrorCode.NOT_A_MAP),
        (b"\x81\x01\x02", ErrorCode.BAD_KEY),
        (b"\x81\xc4\x04type\x02", ErrorCode.BAD_KEY),
        (b"\x81\xc0\x02", ErrorCode.BAD_KEY),
        (b"\x81\x90\x02", ErrorCode.BAD_KEY),
        (b"\x81\x80\x02", ErrorCode.BAD_KEY),
        (b"\x82\xa2id\x01\xa2id\x01", ErrorCode.BAD_KEY),
        (b"\x81\xa1x\x82\xa2id\x01\xa2id\x02", ErrorCode.BAD_KEY),
        (b"\x81\xa1x\x81\x01\x02", ErrorCode.BAD_KEY),
        (b"\x81\xa1x\xc4\x00", ErrorCode.FORBIDDEN_TYPE),
        (b"\x81\xa1x\x91\x91\xc4\x01a", ErrorCode.FORBIDDEN_TYPE),
        (b"\x81\xa1x\xd4\x05a", ErrorCode.FORBIDDEN_TYPE),
        (b"\x81\xa1x\xd6\xff\x00\x00\x00\x00", ErrorCode.FORBIDDEN_TYPE),  # a timestamp
        (b"\x81\xa1x\x81\xa1y\xc7\x00\x05", ErrorCode.FORBIDDEN_TYPE),
    ],
    ids=hex_or_code,
)
@pytest.mark.proves("P-2", "P-5", "P-6", "P-7")
def test_a_payload_outside_the_profile_is_refused(payload: bytes, code: ErrorCode) -> None:
    assert refused(payload, FROM_CLIENT) is code
    assert refused(payload, FROM_SERVER) is code


@pytest.mark.parametrize(
    "payload",
    [
        b"\xdd\xff\x00\x00\x00",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x05",
        b"\xdc\xff\xff" * 2000,
        b"\xde\xff\xff" * 2000,
        b"\x81\xa1x\xdd\x00\x01\x00\x00" + bytes(4096),
    ],
    ids=hex_or_code,
)
@pytest.mark.proves("P-3")
def test_f08_f10_a_huge_length_inside_a_small_frame_is_refused(payload: bytes) -> None:
    assert refused(payload, FROM_CLIENT) is ErrorCode.NOT_MSGPACK
    assert refused(payload, FROM_SERVER) is ErrorCode.NOT_MSGPACK


@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1x", b"\xdc\x00\x01", b"\xdf\x00\x00\x00\x01\xa1x"])
@pytest.mark.proves("P-4")
def test_f11_ten_thousand_levels_are_refused(opening: bytes) -> None:
    assert refused(b"\x81\xa1x" + opening * 10_000 + b"\xc0") is ErrorCode.TOO_DEEP


def test_f11_extensions_inside_extensions_are_refused() -> None:
    payload = b"\xc7\x00\x05"
    for _ in range(100):
        payload = b"\xc8" + len(payload).to_bytes(2, "big") + b"\x05" + payload
    assert refused(b"\x81\xa1x" + payload) is ErrorCode.FORBIDDEN_TYPE


@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1x"])
@pytest.mark.proves("P-4")
def test_the_deepest_nesting_is_accepted_and_one_more_is_not(opening: bytes) -> None:
    inside = b"\x81\xa1x" + opening * (MAX_DEPTH - 2) + b"\x90"
    assert isinstance(decode(inside, FROM_CLIENT), BadMessage)
    assert refused(b"\x81\xa1x" + opening * (MAX_DEPTH - 1) + b"\x90") is ErrorCode.TOO_DEEP


@pytest.mark.parametrize(
    ("direction", "longest"),
    [(FROM_CLIENT, MAX_CLIENT_ARRAY_LENGTH), (FROM_SERVER, MAX_SERVER_ARRAY_LENGTH)],
    ids=["client", "server"],
)
@pytest.mark.proves("P-3")
def test_the_longest_array_and_map_are_accepted_and_one_item_more_is_not(
    direction: Direction, longest: int
) -> None:
    ping = {"type": "ping", "x": [0] * longest, "y": {str(key): 0 for key in range(MAX_MAP_LENGTH)}}
    assert isinstance(decoded(ping, direction), Message)
    assert refused(msgpack.packb({"x": [0] * (longest + 1)}), direction) is ErrorCode.NOT_MSGPACK
    too_wide = {str(key): 0 for key in range(MAX_MAP_LENGTH + 1)}
    assert refused(msgpack.packb(too_wide), direction) is ErrorCode.NOT_MSGPACK


@pytest.mark.proves("P-8")
def test_integers_and_strings_may_come_in_any_of_their_forms() -> None:
    assert decode(
        b"\xde\x00\x02\xd9\x04type\xda\x00\x05leave\xdb\x00\x00\x00\x02id\xcf" + bytes(7) + b"\x05", FROM_CLIENT
    ) == (decoded({"type": "leave", "id": 5}))
    assert decode(b"\x82\xa4type\xa5leave\xa2id\xd3" + bytes(7) + b"\x05", FROM_CLIENT) == (
        decoded({"type": "leave", "id": 5})
    )


# ---------------------------------------------------------------- limits of frames


@pytest.mark.proves("F-3")
def test_a_message_longer_than_any_frame_is_not_encoded() -> None:
    with pytest.raises(
        LocalProtocolError, match=rf"a lobby_said of \d+ bytes; a frame holds at most {MAX_SERVER_FRAME}"
    ):
        encode(LobbySaid(name="Layla", text="x" * MAX_SERVER_FRAME))


def test_text_that_cannot_be_utf8_is_not_encoded() -> None:
    with pytest.raises(LocalProtocolError, match="a lobby_said has text with half of a surrogate pair"):
        encode(LobbySaid(name="Layla", text="\ud800"))


WIDEST = "\U0001f0cf"


@pytest.mark.proves("F-2")
def test_the_longest_chat_line_fits_a_clients_frame() -> None:
    assert len(encode(Chat(id=2**53 - 1, text=WIDEST * 2 * MAX_CHAT_CHARS))) < MAX_CLIENT_FRAME


@pytest.mark.proves("F-3")
def test_the_longest_snapshot_and_list_of_tables_fit_a_servers_frame() -> None:
    name = WIDEST * MAX_NAME_CHARS
    seat = SeatSummary(name=name, away_seconds=2**31, ready=True)
    snapshot = full_example(Snapshot)
    assert isinstance(snapshot, Snapshot)
    longest = msgspec.structs.replace(
        snapshot,
        name=name,
        seats=(seat,) * 4,
        spectators=(name,) * MAX_SPECTATORS,
        chat=(ChatLine(name=name, text=WIDEST * MAX_CHAT_CHARS),) * MAX_CHAT_LINES,
        public=_long_public(snapshot),
        hand=tuple(Card)[:13],
        commitment="f" * 64,
    )
    assert len(encode(longest)) < MAX_SERVER_FRAME
    tables = full_example(Tables)
    assert isinstance(tables, Tables)
    row = msgspec.structs.replace(tables.tables[0], name=name, seats=(seat,) * 4)
    assert isinstance(row, TableSummary)
    assert len(encode(Tables(id=2**53 - 1, tables=(row,) * MAX_TABLES_LISTED, more=True))) < MAX_SERVER_FRAME


@pytest.mark.proves("F-3")
def test_the_longest_tournaments_fit_a_servers_frame() -> None:
    name = WIDEST * MAX_NAME_CHARS
    tournament = full_example(Tournament)
    assert isinstance(tournament, Tournament)
    player = EntrantSummary(name=name, accepted=True)
    far = 2**31
    team = TeamSummary(
        name=name,
        players=(player, player),
        played=far,
        won=far,
        run=far,
        best_run=far,
        points_for=-far,
        points_against=-far,
        is_out=True,
    )
    pairing = PairingSummary(
        teams=(63, 63), turn=63, table=2**53 - 1, winner=Team.EAST_WEST, scores=(-far, far), is_walkover=True
    )
    call = CallSummary(team=63, table=2**53 - 1, seats=(Seat.EAST, Seat.WEST), seconds=3600)
    longest = msgspec.structs.replace(
        tournament,
        name=name,
        opener=name,
        teams=(team,) * MAX_TEAMS,
        ranking=(63,) * MAX_TEAMS,
        waiting=(63,) * MAX_TEAMS,
        pairings=(pairing,) * MAX_TEAMS,
        called=(call,) * MAX_TEAMS,
    )
    assert len(encode(longest)) < MAX_SERVER_FRAME
    of_sixteen = msgspec.structs.replace(longest, teams=(team,) * 16, pairings=(pairing,) * MAX_PAIRINGS)
    assert len(encode(of_sixteen)) < MAX_SERVER_FRAME
    listed = full_example(Tournaments)
    assert isinstance(listed, Tournaments)
    row = msgspec.structs.replace(listed.tournaments[0], name=name, opener=name)
    rows = (row,) * MAX_TOURNAMENTS_LISTED
    assert len(encode(Tournaments(id=2**53 - 1, tournaments=rows, more=True))) < MAX_SERVER_FRAME


def _long_public(snapshot: Snapshot) -> PublicView:
    assert snapshot.public is not None
    deal = snapshot.public.deal
    assert deal is not None
    full_trick = replace(deal.tricks[0], cards=tuple(Card)[:4])
    long_deal = replace(deal, calls=deal.calls * 32, tricks=(full_trick,) * 13)
    score = replace(snapshot.public.history[0], number=9999, points=(-13, 13), scores=(-9999, -9999))
    return replace(snapshot.public, history=(score,) * MAX_HISTORY, deal=long_deal)
