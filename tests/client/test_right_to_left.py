"""Arabic and Hebrew on terminals that turn text round, and on those that do not."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from arabic_reshaper import ArabicReshaper
from bidi import get_display
from hypothesis import given
from hypothesis import strategies as st

from support.spoken import spoken
from support.turning_terminal import seen
from tarneeb_client import right_to_left
from tarneeb_client.right_to_left import (
    LETTER_LINE,
    MODES,
    for_terminal,
    is_right_to_left,
    line_for_terminal,
    turned,
)
from tarneeb_client.screens.cells import fit, width
from tarneeb_protocol.text import harmless

ANY_NAME = st.text(min_size=1, max_size=24).map(harmless) | st.text(
    "ابتثلآأىةهنوي ךםאבג abcXYZ 0189 ١٢ ()[]-:!♥َّّ中", min_size=1, max_size=24
).map(harmless)


@pytest.fixture(autouse=True)
def the_mode_of_before() -> Iterator[None]:
    before = right_to_left.in_mode()
    yield
    right_to_left.use(before)


def text_of(row: list[tuple[str, str]]) -> str:
    return "".join(text for _, text in row)


@given(name=ANY_NAME, other=ANY_NAME, mode=st.sampled_from(MODES))
def test_any_name_takes_exactly_its_cells_in_each_mode(name: str, other: str, mode: str) -> None:
    right_to_left.use(mode)
    row = [("a", fit(name, 12)), ("", " │ "), ("b", fit(other, 9)), ("", "  "), ("c", other)]
    sent = for_terminal(row)
    assert [style for style, _ in sent] == [style for style, _ in row]
    assert [width(text) for _, text in sent] == [width(text) for _, text in row]


@given(name=ANY_NAME, mode=st.sampled_from(MODES))
def test_no_invisible_character_is_ever_sent(name: str, mode: str) -> None:
    right_to_left.use(mode)
    for hostile in (name, f"\u202e{name}", f"ليلى\u2066{name}\u2069"):
        sent = text_of(for_terminal([("", harmless(hostile))])) + line_for_terminal(harmless(hostile))
        assert not [character for character in sent if unicodedata.category(character) in {"Cc", "Cf"}]


def test_app_joins_letters_and_turns_them_round() -> None:
    right_to_left.use("app")
    assert text_of(for_terminal([("", " ليلى  ")])) == " ﻰﻠﻴﻟ  "
    assert line_for_terminal("Rami: مرحبا 12") == "Rami: 12 ﺎﺒﺣﺮﻣ"
    with spoken("ar"):
        assert line_for_terminal("دورك: اطلب 10 أو h10") == "h10 ﻭﺃ 10 ﺐﻠﻃﺍ :ﻙﺭﻭﺩ"


def test_brackets_are_turned_with_what_they_hold() -> None:
    with spoken("ar"):
        assert turned("(אב) x") == "x (בא)"


PIECES = st.text("ابتثلآأىةهنوي ךםאב abcXYZ 0189 ١٢ -:!♥،؟", min_size=1, max_size=24).map(
    lambda text: " ".join(text.split())
)
"""Without brackets, which the other implementation of the algorithm leaves as they are."""


@given(piece=PIECES, language=st.sampled_from(["en", "ar"]))
def test_what_this_program_turns_is_what_unicode_s_algorithm_shows(piece: str, language: str) -> None:
    joined = ArabicReshaper({"delete_harakat": True, "support_ligatures": True}).reshape(piece)
    wanted = (
        get_display(joined, base_dir="R" if language == "ar" else None) if is_right_to_left(piece) else piece
    )
    with spoken(language):
        assert turned(piece).rstrip() == str(wanted).rstrip()


def test_two_letters_in_one_cell_leave_their_other_cell_empty() -> None:
    assert turned("لا") == "ﻻ "
    assert turned("لا  x") == "ﻻ   x"


def test_columns_stay_in_their_places_when_this_program_turns_text() -> None:
    right_to_left.use("app")
    row = [("", fit("ليلى", 8) + fit("عمر", 8) + "4/4")]
    assert text_of(for_terminal(row)) == fit("ﻰﻠﻴﻟ", 8) + fit("ﺮﻤﻋ", 8) + "4/4"


def test_off_and_latin_text_are_sent_as_they_are() -> None:
    row = [("a", "ليلى │ عمر"), ("b", "  زيد")]
    right_to_left.use("off")
    assert for_terminal(row) == row
    for mode in MODES:
        right_to_left.use(mode)
        assert for_terminal([("a", "Nour  │  Rami  9")]) == [("a", "Nour  │  Rami  9")]


WORDS = st.text("ابتثنوي", min_size=1, max_size=6)


@given(left=WORDS, right=WORDS, last=WORDS | st.from_regex(r"[0-9]{1,3}", fullmatch=True))
def test_panes_and_columns_stay_in_their_places_when_the_terminal_turns_text(
    left: str, right: str, last: str
) -> None:
    right_to_left.use("terminal")
    sent = text_of(for_terminal([("", fit(left, 8)), ("", "│"), ("", fit(right, 8)), ("", last)]))
    shown = seen(sent)
    turned_last = last if last.isascii() else last[::-1]
    assert shown[:8].strip(f" {LETTER_LINE}") == left[::-1]
    assert shown[9:17].strip(f" {LETTER_LINE}") == right[::-1]
    assert shown[17:] == turned_last


def test_a_name_that_fills_its_column_is_parted_from_the_next() -> None:
    right_to_left.use("terminal")
    row = [("", "ليلى "), ("", "عمر "), ("", "Rami "), ("", "زيد")]
    assert text_of(for_terminal(row)) == f"ليلى{LETTER_LINE}عمر Rami زيد"


def test_a_sentence_of_several_styles_stays_one_sentence() -> None:
    right_to_left.use("terminal")
    row = [("a", "ليلى"), ("b", " · "), ("c", "شريكك"), ("b", " · "), ("c", "9 أوراق")]
    assert for_terminal(row) == row


def test_there_is_no_other_mode() -> None:
    with pytest.raises(ValueError, match="terminal, app, off"):
        right_to_left.use("on")
