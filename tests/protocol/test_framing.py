"""The frame buffer: cutting a stream of bytes into payloads, and refusing lengths from the header alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.wire import framed, ways_to_arrive
from tarneeb_protocol.errors import ErrorCode, ProtocolError
from tarneeb_protocol.framing import HEADER_SIZE, MAX_CLIENT_FRAME, FrameBuffer, frame


def payloads(buffer: FrameBuffer) -> list[bytes]:
    found = []
    while (payload := buffer.next_payload()) is not None:
        found.append(payload)
    return found


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=8), st.lists(st.integers(1, 60)))
@pytest.mark.proves("F-6")
def test_f05_payloads_are_the_same_however_the_stream_is_cut(sent: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(frame, sent))
    buffer = FrameBuffer(limit=40)
    found = []
    for size in [*cuts, len(stream)]:
        chunk, stream = stream[:size], stream[size:]
        buffer.feed(chunk)
        found += payloads(buffer)
    assert found == sent
    assert len(buffer) == 0


def test_f05_thirty_frames_in_one_segment_are_thirty_payloads() -> None:
    buffer = FrameBuffer(limit=8)
    buffer.feed(framed(b"tarneeb") * 30)
    assert payloads(buffer) == [b"tarneeb"] * 30


@pytest.mark.parametrize(
    "header", [b"\xff\xff\xff\xff", b"\x80\x00\x00\x00", b"\x7f\xff\xff\xff", b"\x00\x00\x20\x01"]
)
@pytest.mark.proves("F-5")
def test_f01_a_length_over_the_limit_is_refused_from_the_header_alone(header: bytes) -> None:
    for chunks in ways_to_arrive(header):
        buffer = FrameBuffer(MAX_CLIENT_FRAME)
        for chunk in chunks[:-1]:
            buffer.feed(chunk)
            assert buffer.next_payload() is None
        buffer.feed(chunks[-1])
        with pytest.raises(ProtocolError) as caught:
            buffer.next_payload()
        assert caught.value.code is ErrorCode.FRAME_TOO_LONG
        assert str(int.from_bytes(header, "big")) in caught.value.message
        assert str(MAX_CLIENT_FRAME) in caught.value.message


@pytest.mark.proves("F-4")
def test_f03_a_length_of_zero_is_refused_and_so_is_every_one_after_it() -> None:
    buffer = FrameBuffer(MAX_CLIENT_FRAME)
    buffer.feed(b"\x00\x00\x00\x00" * 3)
    for _ in range(3):
        with pytest.raises(ProtocolError) as caught:
            buffer.next_payload()
        assert caught.value.code is ErrorCode.BAD_FRAME


@pytest.mark.proves("F-7")
def test_frames_before_a_bad_header_still_count() -> None:
    buffer = FrameBuffer(MAX_CLIENT_FRAME)
    buffer.feed(framed(b"good") + b"\xff\xff\xff\xff" + framed(b"lost"))
    assert buffer.next_payload() == b"good"
    with pytest.raises(ProtocolError):
        buffer.next_payload()


def test_after_a_refusal_nothing_is_held_whatever_is_fed() -> None:
    buffer = FrameBuffer(MAX_CLIENT_FRAME)
    buffer.feed(b"\xff\xff\xff\xff" + bytes(1000))
    with pytest.raises(ProtocolError):
        buffer.next_payload()
    buffer.feed(bytes(100_000))
    assert len(buffer) == 0


def test_the_longest_payload_is_accepted_and_one_byte_more_is_not() -> None:
    buffer = FrameBuffer(MAX_CLIENT_FRAME)
    longest = bytes(MAX_CLIENT_FRAME)
    buffer.feed(framed(longest))
    assert buffer.next_payload() == longest
    buffer.feed(framed(longest + b"\x00"))
    with pytest.raises(ProtocolError):
        buffer.next_payload()


@pytest.mark.proves("F-5")
def test_what_is_held_is_one_frame_at_most_when_payloads_are_taken() -> None:
    buffer = FrameBuffer(limit=100)
    stream = framed(bytes(100)) * 50
    for at in range(0, len(stream), 7):
        buffer.feed(stream[at : at + 7])
        payloads(buffer)
        assert len(buffer) < 100 + HEADER_SIZE


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_payloads_are_copies_that_later_bytes_cannot_change(kind: type) -> None:
    buffer = FrameBuffer(limit=8)
    source = bytearray(framed(b"first"))
    buffer.feed(kind(source))
    payload = buffer.next_payload()
    source[:] = b"x" * len(source)
    buffer.feed(framed(b"other"))
    assert payload == b"first"
    assert isinstance(payload, bytes)
