"""Random and mutated bytes, both directions: only the documented errors, and never a different one."""

from __future__ import annotations

import random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.messages import ALL_MESSAGES, WELCOME, any_message, full_example
from support.wire import HELLO, framed, open_end
from tarneeb_protocol.codec import FROM_CLIENT, FROM_SERVER, BadMessage, Direction, decode, encode
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Received, Role, State
from tarneeb_protocol.errors import CODES, Carrier, ErrorCode, ProtocolError, RemoteProtocolError
from tarneeb_protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES, Message

PROFILE_FAULTS = {
    ErrorCode.NOT_MSGPACK,
    ErrorCode.NOT_A_MAP,
    ErrorCode.BAD_KEY,
    ErrorCode.FORBIDDEN_TYPE,
    ErrorCode.TOO_DEEP,
}
DIRECTIONS = pytest.mark.parametrize("direction", [FROM_CLIENT, FROM_SERVER], ids=["client", "server"])
SENT = {Role.CLIENT: CLIENT_MESSAGES, Role.SERVER: SERVER_MESSAGES}


def decoded(payload: bytes, direction: Direction) -> Message | BadMessage | ProtocolError:
    try:
        return decode(payload, direction)
    except ProtocolError as error:
        return error


def checked(payload: bytes, direction: Direction) -> None:
    """Decoding gives a message, a ``BadMessage`` that is fit to be shown, or a fault of the profile."""
    found = decoded(payload, direction)
    if isinstance(found, ProtocolError):
        assert found.code in PROFILE_FAULTS
        assert found.message.isprintable()
    elif isinstance(found, BadMessage):
        assert found.code in {ErrorCode.BAD_REQUEST, ErrorCode.UNKNOWN_TYPE}
        assert found.message.isprintable()
        answer = found.to_error()
        assert decode(encode(answer)[4:], FROM_SERVER) == answer
    else:
        assert type(found) in direction.types.values()
        # Whatever was accepted is a value that the wire can carry again, and the same one.
        assert decode(encode(found)[4:], direction) == found


@DIRECTIONS
@given(payload=st.binary(max_size=120))
@settings(max_examples=500)
def test_random_payloads_raise_nothing_but_the_documented_errors(payload: bytes, direction: Direction) -> None:
    checked(payload, direction)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary(),
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inside, max_size=4)
    ),
    max_leaves=12,
)


@DIRECTIONS
@given(kind=st.sampled_from(ALL_MESSAGES), name=st.integers(0, 20), put=ANYTHING)
@settings(max_examples=500)
def test_any_value_in_any_field_is_accepted_or_named(
    kind: type[Message], name: int, put: object, direction: Direction
) -> None:
    fields = msgpack.unpackb(encode(full_example(kind))[4:])
    names = sorted(fields)
    fields[names[name % len(names)]] = put
    checked(msgpack.packb(fields), direction)


@DIRECTIONS
@given(put=ANYTHING)
def test_any_msgpack_value_raises_nothing_but_the_documented_errors(put: object, direction: Direction) -> None:
    checked(msgpack.packb(put), direction)


def mutated(source: bytes, randomness: random.Random) -> bytes:
    """The bytes with one to three places changed, taken out, doubled or put in."""
    changed = bytearray(source)
    for _ in range(randomness.randint(1, 3)):
        at = randomness.randrange(len(changed))
        match randomness.randrange(4):
            case 0:
                changed[at] = randomness.randrange(256)
            case 1:
                del changed[at]
            case 2:
                changed[at:at] = changed[at : at + randomness.randint(1, 8)]
            case _:
                changed.insert(
                    at, randomness.choice(b"\x80\x90\xa0\xc0\xc1\xc4\xc7\xca\xcb\xd4\xd9\xdc\xdd\xdf\xff")
                )
        if not changed:
            changed = bytearray(source)
    return bytes(changed)


@DIRECTIONS
def test_f15_mutated_messages_raise_nothing_but_the_documented_errors(direction: Direction) -> None:
    randomness = random.Random(31313)
    for kind in direction.types.values():
        payload = encode(full_example(kind))[4:]
        for _ in range(150):
            checked(mutated(payload, randomness), direction)


@pytest.mark.parametrize("role", Role)
@pytest.mark.proves("E-6")
def test_f15_mutated_streams_end_a_connection_with_a_documented_code_or_not_at_all(role: Role) -> None:
    randomness = random.Random(61)
    sent = SENT[role.other]
    for _ in range(400):
        frames = [encode(full_example(randomness.choice(sent))) for _ in range(4)]
        stream = b"".join(framed(frame[4:]) for frame in frames)
        connection = open_end(role) if randomness.random() < 0.7 else Connection(role)
        if role is Role.CLIENT and connection.state is State.HELLO:
            connection.send(HELLO)
        survive(connection, mutated(stream, randomness), randomness)


@pytest.mark.parametrize("role", Role)
@given(stream=st.binary(max_size=200), seed=st.integers(0, 2**32))
def test_random_streams_end_a_connection_with_a_documented_code_or_not_at_all(
    role: Role, stream: bytes, seed: int
) -> None:
    survive(Connection(role), stream, random.Random(seed))
    survive(open_end(role), stream, random.Random(seed))


def survive(connection: Connection, stream: bytes, randomness: random.Random) -> None:
    """Feed the stream in random pieces and then its end; check all that comes of it."""
    while stream:
        size = randomness.randint(1, len(stream))
        connection.receive_data(stream[:size])
        stream = stream[size:]
        if not drained(connection):
            return
    connection.receive_data(b"")
    drained(connection)
    assert connection.state in {State.CLOSED, State.FAILED, State.FAILED_EARLY}


def next_event(connection: Connection) -> Received | RemoteProtocolError:
    try:
        return connection.next_event()
    except RemoteProtocolError as error:
        return error


def drained(connection: Connection) -> bool:
    """Take the events that are there; ``False`` when the connection has failed."""
    while True:
        event = next_event(connection)
        if isinstance(event, RemoteProtocolError):
            carrier = Carrier.REFUSED if connection.state is State.FAILED_EARLY else Carrier.GOODBYE
            if connection.role is Role.SERVER:
                assert carrier in CODES[event.code].carriers
            assert event.message.isprintable()
            return False
        if event is NEED_DATA or isinstance(event, ConnectionClosed):
            return True
        if connection.state is State.ANSWER and connection.role is Role.SERVER:
            connection.send(WELCOME)


@given(message=any_message(), cut=st.integers(0, 10_000))
def test_a_message_cut_off_anywhere_is_not_a_message(message: Message, cut: int) -> None:
    payload = encode(message)[4:]
    direction = FROM_CLIENT if type(message) in CLIENT_MESSAGES else FROM_SERVER
    with pytest.raises(ProtocolError) as caught:
        decode(payload[: cut % len(payload)], direction)
    assert caught.value.code is ErrorCode.NOT_MSGPACK
