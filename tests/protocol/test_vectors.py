"""The vectors and the schema agree with the code, with the document, and with each other."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from support import specification
from support.document import PROTOCOL_DOCUMENT, tables
from support.frame_vectors import judged
from support.messages import ALL_MESSAGES, tag
from support.schema_check import is_valid
from tarneeb_protocol.codec import (
    FROM_CLIENT,
    FROM_SERVER,
)
from tarneeb_protocol.messages import CLIENT_MESSAGES, EVENTS, SERVER_MESSAGES


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


TEXT = PROTOCOL_DOCUMENT.read_text(encoding="utf-8")
FRAMES = lines_of(specification.FRAMES)
RECORDED = lines_of(specification.SET)
SCHEMA = json.loads(specification.SCHEMA.read_text(encoding="utf-8"))

# ---------------------------------------------------------------- vectors


@pytest.mark.proves(
    "F-4",
    "F-5",
    "P-2",
    "P-3",
    "P-4",
    "P-5",
    "P-6",
    "P-7",
    "P-8",
    "P-9",
    "M-1",
    "M-3",
    "M-4",
    "E-1",
    "E-2",
    "E-3",
)
@pytest.mark.parametrize("vector", FRAMES, ids=[line["name"] for line in FRAMES])
def test_a_frame_has_the_verdict_of_its_vector(vector: dict[str, Any]) -> None:
    direction = FROM_CLIENT if vector["from"] == "client" else FROM_SERVER
    verdict = judged(bytes.fromhex(vector["hex"]), direction)
    assert json.loads(json.dumps(verdict)) == {
        name: value for name, value in vector.items() if name not in {"name", "from", "hex"}
    }
    # The name was written by hand, the verdict by the code: they have to agree.
    kind, _, rest = vector["name"].partition(": ")
    assert vector["verdict"] == kind
    if kind == "fatal":
        assert vector["code"] == rest.partition(",")[0]


def test_the_vectors_show_every_message_and_every_fault_of_a_payload() -> None:
    names = {line["name"] for line in FRAMES}
    assert len(names) == len(FRAMES) - sum(
        1 for kind in ALL_MESSAGES if kind in CLIENT_MESSAGES and kind in SERVER_MESSAGES
    )
    assert {f"ok: {tag(kind)}, every field" for kind in ALL_MESSAGES} <= names
    fatal = {line["code"] for line in FRAMES if line["verdict"] == "fatal"}
    assert fatal == {
        "bad_frame", "frame_too_long", "not_msgpack", "not_a_map", "bad_key", "forbidden_type", "too_deep",
    }  # fmt: skip
    assert {line["code"] for line in FRAMES if line["verdict"] == "error"} == {"bad_request", "unknown_type"}


VIEWERS = ("0", "1", "2", "3", "spectator")


def received(viewer: str) -> list[dict[str, Any]]:
    """Every message that this viewer of the recorded set got, in order."""
    return [line["value"] for line in RECORDED if viewer in line.get("to", ())]


@pytest.mark.proves("F-1", "P-1")
def test_the_frames_of_the_recorded_set_hold_the_values_beside_them() -> None:
    for line in RECORDED:
        frame = bytes.fromhex(line["hex"])
        assert int.from_bytes(frame[:4], "big") == len(frame) - 4
        assert specification.unpacked(frame) == line["value"]


@pytest.mark.proves("W-1", "W-2", "W-4", "O-1", "A-1")
def test_the_recorded_set_differs_by_viewer_in_the_fields_that_the_document_names_alone() -> None:
    (matrix,) = [table for table in tables(TEXT) if table.columns[:2] == ("field", "the seat itself")]
    named = {row[0] for row in matrix.rows}
    event_tags = {tag(kind) for kind in EVENTS}
    by_number: dict[int, list[tuple[str, dict[str, Any]]]] = {}
    for viewer in VIEWERS:
        events = [message for message in received(viewer) if message["type"] in event_tags]
        numbers = [event["seq"] for event in events]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        for event in events:
            by_number.setdefault(event["seq"], []).append((viewer, event))
    differing = set()
    for told in by_number.values():
        for name in {name for _, event in told for name in event}:
            if any(event.get(name) != told[0][1].get(name) for _, event in told):
                differing.add(f"`{told[0][1]['type']}.{name}`")
        for viewer, event in told:
            assert viewer != "spectator" or "hand" not in event
    assert differing == {"`hands_dealt.hand`"}
    assert differing < named
    snapshots = {viewer: [one for one in received(viewer) if one["type"] == "snapshot"] for viewer in VIEWERS}
    for viewer, told_once in snapshots.items():
        assert [one.get("seat") for one in told_once] == [None if viewer == "spectator" else int(viewer)]
        assert ("hand" in told_once[0]) is (viewer != "spectator")
    prompted = [line["to"] for line in RECORDED if line["value"]["type"] == "prompt"]
    assert prompted
    assert all(len(to) == 1 and to != ["spectator"] for to in prompted)


@pytest.mark.proves("Y-1", "Y-2", "Y-3")
def test_every_deal_of_the_recorded_set_is_fair_by_the_document_alone() -> None:
    told = received("spectator")
    hands: dict[int, list[str]] = {}
    deals = 0
    started: dict[str, Any] = {}
    at = 0
    played: list[tuple[int, str]] = []
    for message in told:
        match message["type"]:
            case "deal_started":
                started, at, played = message, 0, []
            case "pack_cut":
                at = message["at"]
            case "card_played":
                played.append((message["seat"], message["card"]))
            case "deal_revealed":
                pack = message["pack"]
                assert len(set(pack)) == 52
                hashed = bytes.fromhex(message["salt"]) + "".join(pack).encode()
                assert sha256(hashed).hexdigest() == started["commitment"]
                hands = {seat: [] for seat in range(4)}
                for place, card in enumerate(pack[at:] + pack[:at]):
                    hands[(started["dealer"] + 1 + place) % 4].append(card)
                assert len(played) == 52
                assert all(card in hands[seat] for seat, card in played)
                deals += 1
    assert deals == len([message for message in told if message["type"] == "deal_started"]) > 0


@pytest.mark.proves("Y-1", "Y-2", "Y-3")
def test_the_worked_check_of_the_document_comes_out_with_its_own_numbers() -> None:
    told = {
        row[1].strip("`"): row[2].strip("`")
        for table in tables(TEXT)
        if table.columns == ("event", "field", "value")
        for row in table.rows
    }
    pack = told["pack"].split()
    digest = sha256(bytes.fromhex(told["salt"]) + "".join(pack).encode()).hexdigest()
    assert digest == told["commitment"]
    at = int(told["at"])
    pack = pack[at:] + pack[:at]
    hands: dict[int, list[str]] = {seat: [] for seat in range(4)}
    for place, card in enumerate(pack):
        hands[(int(told["dealer"]) + 1 + place) % 4].append(card)
    (written,) = [table for table in tables(TEXT) if table.columns == ("seat", "hand")]
    assert [sorted(row[1].strip("`").split()) for row in written.rows] == [
        sorted(hands[seat]) for seat in range(4)
    ]
    dealt = [line for line in lines_of(specification.SET) if line["value"]["type"] == "hands_dealt"][:4]
    for line in dealt:
        assert sorted(line["value"]["hand"]) == sorted(hands[int(line["to"][0])])


# ---------------------------------------------------------------- the schema


@pytest.mark.parametrize("vector", FRAMES, ids=[line["name"] for line in FRAMES])
def test_the_schema_accepts_what_is_a_message_and_nothing_else(vector: dict[str, Any]) -> None:
    if vector["verdict"] == "fatal":
        return
    payload = specification.unpacked(bytes.fromhex(vector["hex"]))
    direction = "FromClient" if vector["from"] == "client" else "FromServer"
    assert is_valid(payload, SCHEMA["$defs"][direction], SCHEMA["$defs"]) is (vector["verdict"] == "ok")


def test_the_schema_names_the_messages_of_each_direction() -> None:
    assert SCHEMA["x-from-client"] == [tag(kind) for kind in CLIENT_MESSAGES]
    assert SCHEMA["x-from-server"] == [tag(kind) for kind in SERVER_MESSAGES]
    for line in lines_of(specification.SET):
        direction = "FromServer" if "to" in line else "FromClient"
        assert is_valid(line["value"], SCHEMA["$defs"][direction], SCHEMA["$defs"])
