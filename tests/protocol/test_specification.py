"""What is made of the specification by a script is up to date, and every requirement is proved by a test."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import inspect

from support import specification
from support.conversation import SHOWN
from support.document import PROTOCOL_DOCUMENT, fenced, hex_bytes, need_words, tables, type_words
from support.messages import tag
from support.requirements import KEYWORD, Proof, Requirement, appendix, cited, proofs, requirements
from tarneeb_protocol import messages
from tarneeb_protocol.codec import (
    MAX_CLIENT_ARRAY_LENGTH,
    MAX_DEPTH,
    MAX_MAP_LENGTH,
    MAX_SERVER_ARRAY_LENGTH,
)
from tarneeb_protocol.framing import MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from tarneeb_protocol.messages import Hello, Message, Refused, Welcome
from tarneeb_protocol.text import MAX_COMBINING_RUN
from tarneeb_server.app import MOST_DESCRIBED
from tarneeb_server.archive import MOST_IN_MEMORY
from tarneeb_server.gate import ARRIVALS, FIRST_DELAY_SECONDS, FREE_GUESSES, LONGEST_DELAY_SECONDS
from tarneeb_server.limits import CHAT, PATIENCE, REQUESTS
from tarneeb_server.lobby import WRONG_PASSWORDS
from tarneeb_server.networks import CONNECTIONS_FROM_ONE_NETWORK
from tarneeb_server.sessions import KEPT_REPLIES
from tarneeb_server.settings import Settings
from tarneeb_server.stream import KEPT_EVENTS
from tarneeb_server.tournaments import HOLD_SECONDS, MOST_OPENED, MOST_TOURNAMENTS

TEXT = PROTOCOL_DOCUMENT.read_text(encoding="utf-8")
HOW = "run `PYTHONPATH=tests python -m support.specification`, and read the difference"


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


# ---------------------------------------------------------------- limits


def test_the_table_of_limits_is_what_the_code_keeps() -> None:
    (limits,) = [table for table in tables(TEXT) if table.heading == "Limits"]
    told = {row[0]: leading_number(row[1]) for row in limits.rows}
    settings = Settings()
    assert told == {
        "payload from a client": MAX_CLIENT_FRAME,
        "payload from a server": MAX_SERVER_FRAME,
        "items of an array from a client": MAX_CLIENT_ARRAY_LENGTH,
        "items of an array from a server": MAX_SERVER_ARRAY_LENGTH,
        "fields of a map": MAX_MAP_LENGTH,
        "nesting": MAX_DEPTH,
        "ids and event numbers": messages.MAX_ID,
        "characters of a name, as sent": longest("Hello", "name"),
        "characters of a name, cleaned": messages.MAX_NAME_CHARS,
        "characters of a chat line, as sent": longest("Chat", "text"),
        "characters of a chat line, cleaned": messages.MAX_CHAT_CHARS,
        "combining marks on one character": MAX_COMBINING_RUN,
        "characters of a password, a token, a capability, a program's name": longest("Hello", "client"),
        "seconds of a turn": SCHEMA["$defs"]["OpenTable"]["properties"]["turn_seconds"]["anyOf"][0]["maximum"],
        "seconds of a table's grace": SCHEMA["$defs"]["OpenTable"]["properties"]["grace_seconds"]["anyOf"][0][
            "maximum"
        ],
        "time for a `hello`, seconds": settings.hello_seconds,
        "`describe` on one connection": MOST_DESCRIBED,
        "connections of a server": settings.max_connections,
        "connections from one address": CONNECTIONS_FROM_ONE_NETWORK,
        "new connections from one address at once": ARRIVALS.burst,
        "sessions from one address that are away and at no table": CONNECTIONS_FROM_ONE_NETWORK,
        "tables opened from one address": CONNECTIONS_FROM_ONE_NETWORK,
        "wrong passwords for the server from one address": FREE_GUESSES,
        "tables of a server": settings.max_tables,
        "tables opened by one session": settings.max_tables_per_player,
        "spectators of a table": settings.max_spectators,
        "requests of a session at once": REQUESTS.burst,
        "requests answered by `rate_limited` at once": PATIENCE.burst,
        "chat lines of a session at once": CHAT.burst,
        "wrong passwords for tables in a session": WRONG_PASSWORDS,
        "replies kept for repeats, of a session": KEPT_REPLIES,
        "events kept for a resume, of a table": KEPT_EVENTS,
        "tables in one `tables`": messages.MAX_TABLES_LISTED,
        "recorded sets in one `sets`": messages.MAX_SETS_LISTED,
        "characters of a transcript in one `set_text`": messages.MAX_PIECE_CHARS,
        "recorded sets of a server without a data directory": MOST_IN_MEMORY,
        "teams of a tournament": messages.MAX_TEAMS,
        "tournaments of a server": MOST_TOURNAMENTS,
        "tournaments opened by one session that are not over": MOST_OPENED,
        "tournaments in one `tournaments`": messages.MAX_TOURNAMENTS_LISTED,
        "pairings in a `tournament`": messages.MAX_PAIRINGS,
        "seconds that a tournament holds a session": HOLD_SECONDS,
        "chat lines in a snapshot": messages.MAX_CHAT_LINES,
        "deals in a snapshot's history": messages.MAX_HISTORY,
        "bytes that wait for a client": settings.outbox_kib * 1024,
        "silence from the other end, seconds": settings.dead_seconds,
    }
    assert (REQUESTS.per_second, PATIENCE.per_second, CHAT.per_second) == (20, 10, 0.5)
    assert (ARRIVALS.per_second, FIRST_DELAY_SECONDS, LONGEST_DELAY_SECONDS) == (8, 0.5, 4)


def leading_number(cell: str) -> int:
    """The number that a cell begins with; spaces part its thousands."""
    if cell == "2^53-1":
        return 2**53 - 1
    found = re.match(r"[0-9 ]+", cell)
    assert found is not None, cell
    return int(found[0].replace(" ", ""))


def longest(message: str, field: str) -> int:
    """The longest string that a field of a message takes."""
    longest_text: int = SCHEMA["$defs"][message]["properties"][field]["maxLength"]
    return longest_text
