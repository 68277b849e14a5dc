"""What holds for every hostile byte and every hostile text, as functions that fail when it does not."""

from __future__ import annotations

import os
import random
import unicodedata
from collections.abc import Callable

from support.messages import WELCOME
from support.wire import HELLO, open_end
from tarneeb_protocol.codec import FROM_CLIENT, FROM_SERVER, BadMessage, Direction, decode, encode
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Received, Role, State
from tarneeb_protocol.errors import CODES, Carrier, ErrorCode, ProtocolError, RemoteProtocolError
from tarneeb_protocol.messages import MAX_NAME_CHARS, Message
from tarneeb_protocol.names import are_alike, name_keys
from tarneeb_protocol.text import BadTextError, clean_chat, clean_name, harmless

WANTED = int(os.environ.get("TARNEEB_FUZZ", "0"))
"""Examples of each fuzz test, for a longer run with other examples each time; 0 for the usual ones."""
PROFILE_FAULTS = {
    ErrorCode.NOT_MSGPACK,
    ErrorCode.NOT_A_MAP,
    ErrorCode.BAD_KEY,
    ErrorCode.FORBIDDEN_TYPE,
    ErrorCode.TOO_DEEP,
}
DIRECTION_TO = {Role.SERVER: FROM_CLIENT, Role.CLIENT: FROM_SERVER}
"""What an end hears."""
_UNSHOWN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def seed() -> int:
    """Of the usual run, or a new one for a longer run; it is printed, so that a failure can be repeated."""
    chosen = os.environ.get("TARNEEB_FUZZ_SEED")
    number = int(chosen) if chosen else (random.SystemRandom().randrange(2**32) if WANTED else 31313)
    print(f"TARNEEB_FUZZ_SEED={number}")  # noqa: T201  (shown by pytest when the test fails)
    return number


def check_payload(payload: bytes, direction: Direction) -> bool:
    """A payload gives a message, a ``BadMessage`` that is fit to be shown, or a fault of the profile, and
    nothing else. Whether it was a message.
    """
    found = _decoded(payload, direction)
    if isinstance(found, ProtocolError):
        assert found.code in PROFILE_FAULTS
        assert found.message.isprintable()
        return False
    if isinstance(found, BadMessage):
        assert found.code in {ErrorCode.BAD_REQUEST, ErrorCode.UNKNOWN_TYPE}
        assert found.message.isprintable()
        answer = found.to_error()
        assert decode(encode(answer)[4:], FROM_SERVER) == answer
        return False
    assert type(found) in direction.types.values()
    # Whatever was accepted is a value that the wire can carry again, and the same one.
    assert decode(encode(found)[4:], direction) == found
    return True


def _decoded(payload: bytes, direction: Direction) -> Message | BadMessage | ProtocolError:
    try:
        return decode(payload, direction)
    except ProtocolError as error:
        return error


def check_stream(role: Role, stream: bytes, rng: random.Random) -> None:
    """Bytes end a connection with a documented code, or not at all, and what is heard of them does not depend
    on how the stream was cut.
    """
    is_open = rng.random() < 0.7
    heard = [_hear(_fresh(role, is_open=is_open), stream, rng, pieces=pieces) for pieces in (1, 8)]
    assert heard[0] == heard[1]


def _fresh(role: Role, *, is_open: bool) -> Connection:
    if is_open:
        return open_end(role)
    connection = Connection(role)
    if role is Role.CLIENT:
        connection.send(HELLO)
    return connection


def _hear(connection: Connection, stream: bytes, rng: random.Random, pieces: int) -> list[str]:
    heard: list[str] = []
    cuts = sorted(rng.randrange(len(stream) + 1) for _ in range(pieces - 1))
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        if start == end:
            continue  # no bytes would be the end of the stream
        connection.receive_data(stream[start:end])
        if not _drain(connection, heard):
            return heard
    connection.receive_data(b"")
    _drain(connection, heard)
    assert connection.state in {State.CLOSED, State.FAILED, State.FAILED_EARLY}
    return heard


def _drain(connection: Connection, heard: list[str]) -> bool:
    """Take the events that are there; ``False`` when the connection has failed or is closed."""
    while True:
        event = _next(connection)
        if isinstance(event, RemoteProtocolError):
            carrier = Carrier.REFUSED if connection.state is State.FAILED_EARLY else Carrier.GOODBYE
            if connection.role is Role.SERVER:
                assert carrier in CODES[event.code].carriers
            assert event.message.isprintable()
            heard.append(event.code.value)
            return False
        if event is NEED_DATA:
            return True
        heard.append(repr(event))
        if isinstance(event, ConnectionClosed):
            return False
        if connection.state is State.ANSWER and connection.role is Role.SERVER:
            connection.send(WELCOME)


def _next(connection: Connection) -> Received | RemoteProtocolError:
    try:
        return connection.next_event()
    except RemoteProtocolError as error:
        return error


def check_text(text: str) -> bool:
    """What is shown of a text commands no terminal; what a name or a chat line may be stays as it is when it is
    cleaned again; keys of names are keys of themselves. Whether it may be a name.
    """
    shown = harmless(text)
    assert len(shown) == len(text)
    assert harmless(shown) == shown
    assert not {unicodedata.category(character) for character in shown} & _UNSHOWN
    shown.encode("utf-8")
    keys = name_keys(text)
    for place, key in enumerate(keys):
        assert name_keys(key)[place] == key
    is_chat = _stays_clean(clean_chat, text)
    return _stays_clean(_clean_name, text) and is_chat


def _clean_name(text: str) -> str:
    return clean_name(text, MAX_NAME_CHARS)


def _stays_clean(clean: Callable[[str], str], text: str) -> bool:
    cleaned = _cleaned(clean, text)
    if isinstance(cleaned, BadTextError):
        assert str(cleaned).isprintable()
        assert str(cleaned).isascii()
        return False
    assert cleaned
    assert cleaned == cleaned.strip()
    assert clean(cleaned) == cleaned
    assert harmless(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert are_alike(cleaned, unicodedata.normalize("NFKC", cleaned))
    return True


def _cleaned(clean: Callable[[str], str], text: str) -> str | BadTextError:
    try:
        return clean(text)
    except BadTextError as error:
        return error


def hostile_text(rng: random.Random) -> str:
    """Text of letters that people use, of what hides or commands, and of anything else."""
    kinds = (
        "aeilmnorstABILMNO 0123",
        "اأإآةهىيیكکمنرسش٣۳ـ\u064b\u0651\u0654\u06db",
        "аеосрхАВЕНМНОРСТνοΝΟΣσς",
        "\x00\x07\x08\x1b[]2J;m\n\r\t\x7f\x85\x9b\x9d",
        "\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2066\u2069\ufeff\u00ad\u061c\u180e",
        "\u0300\u0301\u0307\u0335\u0338\u20e3\ufe0e\ufe0f\u034f\u3164\u2800",
        "🦊👨👩👧🏽🇱🇧♥\u200d",
        "\u00a0\u2003\u3000\u2028\u2029\u1680",
        "\ud800\udfff\ue000\ufffe\uffff\U000e0041\U0010ffff",
    )
    length = rng.choice((1, 2, 5, 12, 24, 25, 40))
    return "".join(
        chr(rng.randrange(0x110000)) if rng.random() < 0.1 else rng.choice(rng.choice(kinds))
        for _ in range(length)
    )
