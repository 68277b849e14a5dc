"""Names have widths that every terminal agrees on: what makes them guesswork is refused or taken off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from tarneeb_protocol.messages import MAX_NAME_CHARS
from tarneeb_protocol.text import clean_name, harmless

WIDE = {
    "نور": 3,
    "玩家一号": 8,
    "プレイヤー": 10,
    "김철수": 6,
    "🃏 Nour": 7,
    "❤\N{VARIATION SELECTOR-16} Layla": 7,
    "👨\N{ZERO WIDTH JOINER}👩\N{ZERO WIDTH JOINER}👧": 6,
    "e\N{COMBINING ACUTE ACCENT}le\N{COMBINING GRAVE ACCENT}ve": 5,
    "عَلِيّ": 3,
    "a\N{COMBINING DOT BELOW}\N{COMBINING MACRON}": 1,
}


@pytest.mark.parametrize(("name", "columns"), WIDE.items())
def test_u10_a_name_has_one_width_however_it_was_typed(name: str, columns: int) -> None:
    cleaned = clean_name(name, MAX_NAME_CHARS)
    # Drawn character by character, or as a whole: the same, so a terminal that joins nothing agrees with one
    # that does.
    assert sum(max(0, wcwidth(each)) for each in cleaned) == columns
    assert wcswidth(cleaned) == columns
    assert harmless(cleaned) == cleaned


@given(st.text(max_size=40))
def test_u10_whatever_name_is_accepted_no_character_of_it_is_of_unknown_width(text: str) -> None:
    try:
        name = clean_name(text, MAX_NAME_CHARS)
    except ValueError:
        return
    assert all(wcwidth(each) >= 0 for each in name)
    assert 1 <= wcswidth(name) <= 2 * MAX_NAME_CHARS
