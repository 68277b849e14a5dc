"""``docs/protocol.md`` says what the code does: every message, field, value and code, and nothing else."""

from __future__ import annotations

import re
from enum import Enum, IntEnum, StrEnum
from typing import Any

import pytest
from msgspec import inspect

from support.document import (
    PROTOCOL_DOCUMENT,
    Table,
    hex_bytes,
    need_words,
    tables,
    type_words,
    value_name,
)
from support.messages import ALL_MESSAGES, tag
from tarneeb_engine.cards import FULL_PACK, Card
from tarneeb_engine.ruleset import TARGETS
from tarneeb_engine.variants import PRESETS
from tarneeb_protocol.codec import (
    MAX_CLIENT_ARRAY_LENGTH,
    MAX_DEPTH,
    MAX_MAP_LENGTH,
    MAX_SERVER_ARRAY_LENGTH,
)
from tarneeb_protocol.connection import TRANSITIONS, Role, State
from tarneeb_protocol.errors import CODES
from tarneeb_protocol.fairness import commitment
from tarneeb_protocol.framing import MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from tarneeb_protocol.messages import (
    CLIENT_MESSAGES,
    EVENTS,
    MAX_CHAT_CHARS,
    MAX_CHAT_LINES,
    MAX_HISTORY,
    MAX_NAME_CHARS,
    MAX_SPECTATORS,
    MAX_TABLES_LISTED,
    PROTOCOL_VERSION,
    SERVER_MESSAGES,
    CallAction,
    CutAction,
    Message,
    PlayAction,
    ReadyAction,
    Reply,
    Request,
    TableEvent,
    TrumpAction,
)
from tarneeb_protocol.text import MAX_COMBINING_RUN

TEXT = PROTOCOL_DOCUMENT.read_text(encoding="utf-8")
TABLES = list(tables(TEXT))
FIELD_COLUMNS = ("field", "type", "needed", "meaning")
ACTIONS = (CutAction, CallAction, TrumpAction, PlayAction, ReadyAction)
SECTIONS = re.split(r"^## ", TEXT, flags=re.MULTILINE)


def section(title: str) -> str:
    (found,) = [text for text in SECTIONS if text.startswith(f"{title}\n")]
    return found


def table_of(heading: str) -> Table | None:
    found = [table for table in TABLES if table.heading == heading]
    assert len(found) <= 1, f"several tables under {heading}"
    return found[0] if found else None


def headings(text: str) -> list[str]:
    return re.findall(r"^### (.+)$", text, re.MULTILINE)


def field_rows(heading: str) -> list[tuple[str, str, str]]:
    table = table_of(heading)
    if table is None:
        return []
    assert table.columns == FIELD_COLUMNS
    assert all(row[3].endswith(".") or "`" in row[3] for row in table.rows), (
        f"a meaning is missing in {heading}"
    )
    return [(row[0].strip("`"), row[1], row[2]) for row in table.rows]


def expected_rows(cls: type) -> list[tuple[str, str, str]]:
    at = inspect.type_info(cls)
    assert isinstance(at, inspect.StructType | inspect.DataclassType)
    return [(field.encode_name, type_words(field.type), need_words(field)) for field in at.fields]


def shared_heading(kind: type[Message]) -> str | None:
    for base, heading in ((Request, "Every request"), (Reply, "Every reply"), (TableEvent, "Every event")):
        if issubclass(kind, base):
            return heading
    return None


# ---------------------------------------------------------------- messages


@pytest.mark.parametrize("kind", ALL_MESSAGES, ids=tag)
def test_a_message_has_exactly_the_fields_that_the_document_says(kind: type[Message]) -> None:
    shared = shared_heading(kind)
    written = [*(field_rows(shared) if shared else []), *field_rows(f"`{tag(kind)}`")]
    assert written == expected_rows(kind)


def test_every_message_has_its_place_in_the_section_of_its_direction_and_no_other_is_there() -> None:
    both = {tag(kind) for kind in set(CLIENT_MESSAGES) & set(SERVER_MESSAGES)}
    sections = {
        "Messages of a client": [tag(kind) for kind in CLIENT_MESSAGES],
        "Messages of a server": [
            tag(kind) for kind in SERVER_MESSAGES if kind not in EVENTS and tag(kind) not in both
        ],
        "Events": [tag(kind) for kind in EVENTS],
    }
    for title, names in sections.items():
        written = [heading.strip("`") for heading in headings(section(title)) if heading.startswith("`")]
        assert sorted(written) == sorted(names)
        assert len(set(written)) == len(written)


@pytest.mark.parametrize("action", ACTIONS, ids=tag)
def test_an_action_has_exactly_the_fields_that_the_document_says(action: type[Any]) -> None:
    assert field_rows(f"Action `{tag(action)}`") == expected_rows(action)


def test_every_action_is_in_the_document_and_no_other() -> None:
    assert headings(section("Actions")) == [f"Action `{tag(action)}`" for action in ACTIONS]


# ---------------------------------------------------------------- values


def values_in_messages() -> set[type]:
    """Every class that a field of some message or action holds."""
    found: set[type] = set()

    def look_at(at: inspect.Type) -> None:
        match at:
            case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
                for option in types:
                    look_at(option)
            case inspect.VarTupleType(item_type=item):
                look_at(item)
            case inspect.EnumType(cls=cls):
                found.add(cls)
            case inspect.StructType(cls=cls, fields=fields) | inspect.DataclassType(cls=cls, fields=fields):
                if cls not in found:
                    found.add(cls)
                    for field in fields:
                        look_at(field.type)
            case _:
                pass

    for kind in ALL_MESSAGES:
        look_at(inspect.type_info(kind))
    return found - set(ALL_MESSAGES) - set(ACTIONS) - {Card}


VALUES = sorted(values_in_messages(), key=lambda cls: cls.__name__)


def test_every_value_is_in_the_document_and_no_other() -> None:
    assert sorted(headings(section("Values"))) == sorted(value_name(cls).capitalize() for cls in VALUES)


@pytest.mark.parametrize("cls", VALUES, ids=value_name)
def test_a_value_is_exactly_what_the_document_says(cls: type) -> None:
    heading = value_name(cls).capitalize()
    if not issubclass(cls, Enum):
        assert field_rows(heading) == expected_rows(cls)
        return
    table = table_of(heading)
    assert table is not None
    assert table.columns == ("value", "meaning")
    assert issubclass(cls, IntEnum | StrEnum)
    assert [row[0].strip("`") for row in table.rows] == [str(member.value) for member in cls]
    assert all(row[1] for row in table.rows)


def test_cards_and_presets_are_as_the_document_says() -> None:
    values = section("Values")
    assert "`23456789TJQKA`" in values
    assert (FULL_PACK[0].value, FULL_PACK[51].value) == ("2C", "AS")
    for rules in PRESETS.values():
        for choice in (rules.auction, rules.thirteen, rules.four_passes, rules.dealing, rules.suit_bids):
            assert f"`{choice.value}`" in values
    assert "31, 41, 51 or 61" in values
    assert TARGETS == (31, 41, 51, 61)


# ---------------------------------------------------------------- tables of behaviour


def test_every_code_is_in_the_document_as_in_the_table_and_no_other() -> None:
    table = table_of("Codes")
    assert table is not None
    assert table.columns == ("code", "meaning", "retry", "stays open", "comes in")
    assert list(table.rows) == [
        (
            f"`{code.value}`",
            row.meaning,
            row.retry.value,
            row.open_after,
            ", ".join(carrier.value for carrier in row.carriers),
        )
        for code, row in CODES.items()
    ]


def test_every_code_that_the_text_speaks_of_exists() -> None:
    for line in re.findall(r"Errors?: (.+)\.$", TEXT, re.MULTILINE):
        named = re.findall(r"`(\w+)`", line)
        assert named or "Acting" in line
        assert set(named) <= {code.value for code in CODES}


def test_the_life_of_a_connection_is_that_of_the_state_table() -> None:
    table = next(table for table in TABLES if table.heading == "Life of a connection")
    assert [row[0].strip("`") for row in table.rows] != []
    written = {row[0].strip("`"): (row[1], row[2]) for row in table.rows}
    assert written == {
        state.value: (may_send(state, Role.CLIENT), may_send(state, Role.SERVER)) for state in State
    }


def may_send(state: State, role: Role) -> str:
    allowed = TRANSITIONS[state][role]
    if state is State.OPEN:
        all_kinds = CLIENT_MESSAGES if role is Role.CLIENT else SERVER_MESSAGES
        without = ", ".join(f"`{tag(kind)}`" for kind in all_kinds if kind not in allowed)
        assert {tag(kind) for kind, after in allowed.items() if after is not State.OPEN} == {"goodbye"}
        return f"all but {without}; `goodbye` → `closed`"
    return ", ".join(f"`{tag(kind)}` → `{after.value}`" for kind, after in allowed.items()) or "nothing"


def test_every_event_is_folded_in_the_document_once() -> None:
    table = table_of("Events and snapshots")
    assert table is not None
    written = [name for row in table.rows for name in re.findall(r"`(\w+)`", row[0])]
    assert sorted(written) == sorted(tag(kind) for kind in EVENTS)


# ---------------------------------------------------------------- numbers


def test_limits_are_as_the_document_says() -> None:
    frames, profile = section("Frames"), section("msgpack")
    assert f"1 to {MAX_CLIENT_FRAME:,} bytes from client".replace(",", " ") in frames
    assert f"1 to {MAX_SERVER_FRAME:,} bytes from server".replace(",", " ") in frames
    assert f"| items of an array | {MAX_CLIENT_ARRAY_LENGTH} | {MAX_SERVER_ARRAY_LENGTH} |" in profile
    assert f"| fields of a map | {MAX_MAP_LENGTH} | {MAX_MAP_LENGTH} |" in profile
    assert f"being the first | {MAX_DEPTH} | {MAX_DEPTH} |" in profile
    assert f"at most {MAX_NAME_CHARS} characters, chat lines at most {MAX_CHAT_CHARS}" in section("Text")
    assert f"more than {MAX_COMBINING_RUN} of them on one character" in section("Text")
    assert TEXT.startswith(f"# The Tarneeb protocol, version {PROTOCOL_VERSION}\n")
    for name, field, limit in [
        ("tables", "tables", f"at most {MAX_TABLES_LISTED}."),
        ("snapshot", "spectators", f"at most {MAX_SPECTATORS}."),
        ("snapshot", "chat", f"The last {MAX_CHAT_LINES} lines at most"),
    ]:
        table = table_of(f"`{name}`")
        assert table is not None
        (meaning,) = [row[3] for row in table.rows if row[0] == f"`{field}`"]
        assert limit in meaning
    assert f"the last {MAX_HISTORY} at most" in section("Values")
    assert f"the last {MAX_CHAT_LINES} are kept" in section("Events and snapshots")
    assert f"the last {MAX_HISTORY} are kept" in section("Events and snapshots")


def test_the_documents_commitment_is_that_of_its_pack_and_salt() -> None:
    assert f"`{commitment(FULL_PACK, bytes(range(32)))}`" in section("Fairness")


# ---------------------------------------------------------------- examples


def test_links_inside_the_document_lead_somewhere() -> None:
    anchors: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = sum(1 for known in anchors if re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", known))
        anchors.add(f"{anchor}-{number}" if number else anchor)
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= anchors
    for path in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (PROTOCOL_DOCUMENT.parent / path).exists()


def test_fields_are_found_when_they_are_missing_from_a_table() -> None:
    (found,) = tables("### `x`\n\n| field | type |\n|---|---|\n| `a` | b \\| c |\n")
    assert found == Table("`x`", ("field", "type"), (("`a`", "b \\| c"),))
    with pytest.raises(AssertionError, match="no line of a hex dump"):
        hex_bytes("00 zz")
