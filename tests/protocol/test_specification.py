"""What is made of the specification by a script is up to date, and every requirement is proved by a test."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect

from support import specification
from support.conversation import SHOWN
from support.document import PROTOCOL_DOCUMENT, fenced, hex_bytes, need_words, tables, type_words
from support.frame_vectors import judged
from support.messages import ALL_MESSAGES, tag
from support.requirements import KEYWORD, Proof, Requirement, appendix, cited, proofs, requirements
from support.schema_check import is_valid
from tarneeb_protocol.codec import FROM_CLIENT, FROM_SERVER
from tarneeb_protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES, Hello, Message, Refused, Welcome

TEXT = PROTOCOL_DOCUMENT.read_text(encoding="utf-8")
HOW = "run `PYTHONPATH=tests python -m support.specification`, and read the difference"


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


FRAMES = lines_of(specification.FRAMES)
SCHEMA = json.loads(specification.SCHEMA.read_text(encoding="utf-8"))

# ---------------------------------------------------------------- requirements


def test_every_requirement_has_its_own_identifier_and_those_of_a_letter_go_up() -> None:
    ids = [requirement.id for requirement in requirements(TEXT)]
    assert [found for found, times in Counter(ids).items() if times > 1] == []
    for letter in {found[0] for found in ids}:
        numbers = [int(found[2:]) for found in ids if found[0] == letter]
        assert numbers == sorted(numbers)


def test_every_identifier_that_the_text_speaks_of_exists() -> None:
    assert cited(TEXT) == {requirement.id for requirement in requirements(TEXT)}


def test_no_sentence_obliges_anybody_without_an_identifier() -> None:
    without_items = re.sub(r"^- \[[A-Z]-\d+\] .*?(?=\n- |\n\n|\Z)", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    sections = re.split(r"^## ", without_items, flags=re.MULTILINE)
    for part in sections:
        title = part.partition("\n")[0]
        if title not in {"Status and language", "Requirements"}:
            assert not KEYWORD.search(part), f"{title}: {KEYWORD.findall(part)}"


def test_every_requirement_is_proved_and_no_test_proves_one_that_is_gone() -> None:
    known = {requirement.id for requirement in requirements(TEXT)}
    proved = proofs()
    assert [proof for proof in proved if proof.requirement not in known] == []
    assert known - {proof.requirement for proof in proved} == set()


def test_a_requirement_is_read_with_who_obeys_and_its_force() -> None:
    document = "- [F-1] An end MUST do\n  this.\n- [F-2] A client SHOULD NOT do that.\n\nRest MUST not count.\n"
    assert requirements(document) == [
        Requirement("F-1", "both", "MUST", "An end MUST do this."),
        Requirement("F-2", "client", "SHOULD NOT", "A client SHOULD NOT do that."),
    ]
    with pytest.raises(AssertionError, match="F-1 does not begin with"):
        requirements("- [F-1] Somebody MUST do this.\n")
    with pytest.raises(AssertionError, match="F-1 holds no"):
        requirements("- [F-1] An end does this.\n")


def test_proofs_are_read_from_the_markers_of_tests(tmp_path: Path) -> None:
    marker = "@pytest.mark." + "proves"
    (tmp_path / "test_x.py").write_text(
        f'{marker}("F-1", "F-2")\n@other\ndef test_one() -> None: ...\n\n\ndef test_two() -> None: ...\n'
    )
    proved = [Proof("F-1", "test_x.py", "test_one"), Proof("F-2", "test_x.py", "test_one")]
    assert proofs(tmp_path) == proved
    table = appendix("- [F-1] A client MUST do this.\n", proved)
    assert table.splitlines()[-1] == "| F-1 | client | MUST | `test_x.py` test_one |"


# ---------------------------------------------------------------- what is made


def test_what_is_made_in_the_document_is_up_to_date() -> None:
    assert specification.filled(TEXT) == TEXT, HOW


@pytest.mark.parametrize(
    "path", [specification.SCHEMA, specification.FRAMES, specification.SET], ids=lambda path: path.name
)
def test_a_file_that_is_made_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == specification.files()[path], HOW


def test_a_change_of_the_wire_stands_in_the_table_of_changes() -> None:
    (changes,) = [table for table in tables(TEXT) if table.heading == "Changes"]
    schema = specification.SCHEMA.read_text(encoding="utf-8")
    assert changes.rows[-1][1] == f"`{specification.schema_digest(schema)}`", (
        "the wire has changed: add a line to the table under Changes in docs/protocol.md"
    )


def test_every_dump_of_the_document_is_there_and_holds_its_frame() -> None:
    assert sorted(specification.dump_names(TEXT)) == sorted(SHOWN)
    for block in fenced(TEXT, "hex"):
        frame = hex_bytes(block)
        assert int.from_bytes(frame[:4], "big") == len(frame) - 4


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


# ---------------------------------------------------------------- what every version keeps

FROZEN = {
    "hello": {
        "protocol_min": ("integer from 1", "yes"),
        "protocol_max": ("integer from 1", "yes"),
        "client": ("string 0 to 128", "yes"),
        "name": ("string 1 to 64", "yes"),
        "capabilities": ("array of string 0 to 128", "no: []"),
        "password": ("string 0 to 128", "no"),
        "resume": ("string 0 to 128", "no"),
        "seq": ("counter", "no"),
    },
    "welcome": {
        "protocol": ("integer", "yes"),
        "server": ("string", "yes"),
        "server_name": ("string", "yes"),
        "name": ("string", "yes"),
        "token": ("string", "yes"),
        "resumed": ("boolean", "no: false"),
        "table": ("counter from 1", "no"),
        "capabilities": ("array of string", "no: []"),
        "ping_seconds": ("integer", "yes"),
        "dead_seconds": ("integer", "yes"),
        "grace_seconds": ("integer", "yes"),
    },
    "refused": {
        "code": ("string", "yes"),
        "message": ("string", "yes"),
        "protocol_min": ("integer", "yes"),
        "protocol_max": ("integer", "yes"),
    },
}


@pytest.mark.parametrize("kind", [Hello, Welcome, Refused], ids=tag)
@pytest.mark.proves("C-14")
def test_the_first_messages_keep_their_fields_for_ever_and_only_gain_what_may_be_left_out(
    kind: type[Message],
) -> None:
    at = inspect.type_info(kind)
    assert isinstance(at, inspect.StructType)
    now = {field.encode_name: (type_words(field.type), need_words(field)) for field in at.fields}
    frozen = FROZEN[tag(kind)]
    assert {name: now.get(name) for name in frozen} == frozen
    assert [name for name in now if name not in frozen and not now[name][1].startswith("no")] == []


@pytest.mark.proves("V-6")
def test_no_name_of_the_protocol_is_one_of_those_that_are_left_to_others() -> None:
    def names(at: object) -> Iterator[str]:
        if isinstance(at, dict):
            yield from at.get("properties", {})
            for value in at.values():
                yield from names(value)
        elif isinstance(at, list):
            for value in at:
                yield from names(value)

    known = {*names(SCHEMA), *SCHEMA["x-from-client"], *SCHEMA["x-from-server"], *SCHEMA["x-codes"]}
    assert {"hello", "about", "card", "stale"} < known
    assert [name for name in known if name.startswith(("x-", "x_"))] == []


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
