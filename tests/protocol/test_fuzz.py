"""Random and mutated bytes and texts: only the documented errors, and never a different one.

``TARNEEB_FUZZ=N`` makes N examples of each, other ones each time; ``TARNEEB_FUZZ_SEED`` repeats a run.
``bench/fuzz.py`` goes on for as long as it is told to, and counts.
"""

from __future__ import annotations

import random

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.fuzzing import DIRECTION_TO, WANTED, check_payload, check_stream, check_text, hostile_text, seed
from support.messages import ALL_MESSAGES, any_message, full_example
from support.mutations import BOMBS, Mutator
from tarneeb_protocol.codec import FROM_CLIENT, FROM_SERVER, Direction, decode, encode
from tarneeb_protocol.connection import Role
from tarneeb_protocol.errors import ErrorCode, ProtocolError
from tarneeb_protocol.messages import CLIENT_MESSAGES, Message, OpenTable

DIRECTIONS = pytest.mark.parametrize("direction", [FROM_CLIENT, FROM_SERVER], ids=["client", "server"])


def examples(usual: int) -> settings:
    """So many examples, or as many as are wanted."""
    return settings(max_examples=WANTED or usual, derandomize=not WANTED, print_blob=bool(WANTED))


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
@given(payload=st.binary(max_size=120))
@examples(500)
def test_random_payloads_raise_nothing_but_the_documented_errors(payload: bytes, direction: Direction) -> None:
    # Whatever the payload: a message that can be sent again, an error fit to be shown, or a documented fault.
    check_payload(payload, direction)


@DIRECTIONS
@given(kind=st.sampled_from(ALL_MESSAGES), name=st.integers(0, 20), put=ANYTHING)
@examples(500)
def test_f13_any_value_in_any_field_is_accepted_or_named(
    kind: type[Message], name: int, put: object, direction: Direction
) -> None:
    # Whatever a field holds: the message is accepted and can be sent again, or an error that may be shown.
    fields = msgpack.unpackb(encode(full_example(kind))[4:])
    names = sorted(fields)
    fields[names[name % len(names)]] = put
    check_payload(msgpack.packb(fields), direction)


@pytest.mark.parametrize("key", ["\U00018d09", "\u0378", "\u2003", "\x1b]0;", "\u202e", "a" * 4000])
def test_f13_an_option_that_is_not_known_is_named_so_that_it_can_be_shown(key: str) -> None:
    # Characters that no version of Unicode has assigned yet too.
    fields = msgpack.unpackb(encode(full_example(OpenTable))[4:])
    assert not check_payload(msgpack.packb({**fields, "rules": {key: None}}), FROM_CLIENT)


@DIRECTIONS
@given(put=ANYTHING)
@examples(100)
def test_f16_any_msgpack_value_raises_nothing_but_the_documented_errors(
    put: object, direction: Direction
) -> None:
    # Whatever msgpack value the payload is, a list where a map is expected too: never another exception.
    check_payload(msgpack.packb(put), direction)


@DIRECTIONS
def test_f13_f15_mutated_messages_raise_nothing_but_the_documented_errors(direction: Direction) -> None:
    # However a good message is changed: it is still one, or it is refused with a documented code.
    mutator = Mutator(direction, seed())
    accepted = sum(check_payload(mutator.payload(), direction) for _ in range(WANTED or 5000))
    assert accepted > 0


@pytest.mark.parametrize("role", Role)
@pytest.mark.proves("E-6")
def test_f05_f15_mutated_streams_end_a_connection_with_a_documented_code_or_not_at_all(role: Role) -> None:
    # However the frames are changed and cut: the same events, then perhaps one documented fault.
    start = seed()
    rng, mutator = random.Random(start), Mutator(DIRECTION_TO[role], start)
    for _ in range(WANTED or 800):
        check_stream(role, b"".join(mutator.frame() for _ in range(rng.randint(1, 4))), rng)


@pytest.mark.parametrize("role", Role)
@given(stream=st.binary(max_size=200), cuts=st.integers(0, 2**32))
@examples(100)
def test_random_streams_end_a_connection_with_a_documented_code_or_not_at_all(
    role: Role, stream: bytes, cuts: int
) -> None:
    # Whatever the bytes and however they are cut: the same events, then perhaps one documented fault.
    check_stream(role, stream, random.Random(cuts))


@DIRECTIONS
@pytest.mark.parametrize("bomb", BOMBS, ids=bytes.hex)
@pytest.mark.parametrize("before", ["", "81a161", "9191", "82a47479706581"])
def test_f08_f10_a_length_that_is_only_announced_is_refused_and_reserves_nothing(
    bomb: bytes, before: str, direction: Direction
) -> None:
    # Whatever a length announces: the fault is told from the bytes that are there.
    with pytest.raises(ProtocolError) as caught:
        decode(bytes.fromhex(before) + bomb, direction)
    assert caught.value.code in {ErrorCode.NOT_MSGPACK, ErrorCode.NOT_A_MAP, ErrorCode.BAD_KEY}


@DIRECTIONS
@pytest.mark.parametrize("step", ["91", "81a161", "9291", "d500"], ids=["lists", "maps", "pairs", "ext"])
@pytest.mark.parametrize("depth", [9, 100, 10_000])
def test_f11_no_depth_is_too_deep_for_the_decoder(step: str, depth: int, direction: Direction) -> None:
    # Whatever the depth: a fault, never a stack that is full.
    with pytest.raises(ProtocolError) as caught:
        decode(bytes.fromhex(step) * depth, direction)
    assert caught.value.code in {ErrorCode.TOO_DEEP, ErrorCode.NOT_MSGPACK, ErrorCode.FORBIDDEN_TYPE}


@given(message=any_message(), cut=st.integers(0, 10_000))
@examples(100)
def test_a_message_cut_off_anywhere_is_not_a_message(message: Message, cut: int) -> None:
    # Wherever a message is cut off: what is left is no message.
    payload = encode(message)[4:]
    direction = FROM_CLIENT if type(message) in CLIENT_MESSAGES else FROM_SERVER
    with pytest.raises(ProtocolError) as caught:
        decode(payload[: cut % len(payload)], direction)
    assert caught.value.code is ErrorCode.NOT_MSGPACK


@given(text=st.text(st.characters(exclude_categories=[]), max_size=60))
@example("\u200d🦊")
@example("\U0001f3fb\u200d\u0301")
@examples(500)
def test_u06_u08_any_text_is_refused_or_stays_clean_and_is_shown_without_harm(text: str) -> None:
    # Whatever the text: what is shown commands nothing, what is accepted is accepted again as it is.
    check_text(text)


def test_u06_u08_hostile_texts_are_refused_or_stay_clean_and_are_shown_without_harm() -> None:
    # Whatever is mixed of letters, marks, spaces, controls and half characters: the same.
    rng = random.Random(seed())
    accepted = sum(check_text(hostile_text(rng)) for _ in range(WANTED or 5000))
    assert accepted > 0
