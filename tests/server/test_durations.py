"""Lengths of time as a host types and reads them."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_server.durations import LONGEST_SECONDS, duration_text, parse_duration


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [("90", 90), ("90s", 90), ("10m", 600), ("1h30m", 5400), (" 7D ", 604_800), ("1d 1h 1m 1s", 90_061)],
)
def test_a_time_is_read_in_days_hours_minutes_and_seconds(typed: str, seconds: int) -> None:
    assert parse_duration(typed) == seconds


@pytest.mark.parametrize(
    "typed", ["", "0", "0s", "-5", "1.5h", "5w", "m", "1h1d", "99999999d", "١٠", "nan", "1e3"]
)
def test_what_is_no_time_is_refused_with_what_is(typed: str) -> None:
    with pytest.raises(ValueError, match="a time from 1s to 10 years as 90s, 10m, 1h30m or 7d, not "):
        parse_duration(typed)


@given(st.integers(1, LONGEST_SECONDS))
def test_what_is_shown_of_a_time_is_less_than_a_smaller_unit_off(seconds: int) -> None:
    shown = parse_duration(duration_text(seconds))
    units = duration_text(seconds).split()
    smallest = {"d": 86400, "h": 3600, "m": 60, "s": 1}[units[-1][-1]] if len(units) == 2 else None
    assert shown <= seconds
    if smallest is not None:
        assert seconds - shown < smallest


@given(st.text(max_size=12))
def test_any_text_is_a_time_or_a_value_error(typed: str) -> None:
    with contextlib.suppress(ValueError):
        assert 1 <= parse_duration(typed) <= LONGEST_SECONDS
