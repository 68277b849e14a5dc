"""The table of codes."""

from __future__ import annotations

import pytest

from tarneeb_engine.refusals import Refusal
from tarneeb_protocol.errors import (
    CODES,
    Carrier,
    ErrorCode,
    LocalProtocolError,
    ProtocolError,
    RemoteProtocolError,
    Retry,
)
from tarneeb_protocol.messages import Error, Goodbye, Refused


def test_every_code_has_a_row_in_the_order_of_the_enum() -> None:
    assert list(CODES) == list(ErrorCode)


@pytest.mark.parametrize("code", ErrorCode)
def test_a_row_says_what_the_code_means_and_who_brings_it(code: ErrorCode) -> None:
    row = CODES[code]
    assert row.meaning.endswith(".")
    assert row.meaning[0].isupper()
    assert row.carriers
    assert len(set(row.carriers)) == len(row.carriers)
    assert row.stays_open == (Carrier.ERROR in row.carriers)


@pytest.mark.parametrize("refusal", Refusal)
@pytest.mark.proves("G-1", "E-4")
def test_every_refusal_of_the_engine_is_a_code_that_leaves_the_connection_open(refusal: Refusal) -> None:
    assert CODES[ErrorCode(refusal.value)].carriers == (Carrier.ERROR,)


def test_only_what_ends_a_connection_tells_to_resume() -> None:
    assert {code for code, row in CODES.items() if row.retry is Retry.RESUME} == {
        ErrorCode.IDLE,
        ErrorCode.SLOW_CONSUMER,
    }
    assert not any(row.stays_open for row in CODES.values() if row.retry is Retry.RESUME)


@pytest.mark.proves("G-1")
def test_a_code_fits_every_message_that_brings_one() -> None:
    for code in ErrorCode:
        assert Goodbye(code=code.value).code == code
        assert Refused(code=code.value, message="", protocol_min=1, protocol_max=1).code == code
        assert Error(code=code.value, message="").code == code


def test_an_error_says_what_was_wrong_and_its_code() -> None:
    for kind in (ProtocolError, LocalProtocolError, RemoteProtocolError):
        error = kind(ErrorCode.BAD_FRAME, "a frame announces 0 bytes")
        assert str(error) == "a frame announces 0 bytes (bad_frame)"
        assert (error.code, error.message) == (ErrorCode.BAD_FRAME, "a frame announces 0 bytes")
