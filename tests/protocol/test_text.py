"""What names and chat may hold, and what a terminal is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_protocol.messages import MAX_CHAT_CHARS, MAX_NAME_CHARS
from tarneeb_protocol.text import BadTextError, clean_chat, clean_name, harmless

ANY_TEXT = st.text(st.characters(exclude_categories=[]))  # surrogates too


def name(text: str) -> str:
    return clean_name(text, MAX_NAME_CHARS)


# ---------------------------------------------------------------- what is accepted


@pytest.mark.parametrize(
    "text",
    [
        "Layla",
        "ليلى",
        "مُحَمَّد",
        "عبد الله",
        "João",
        "王小明",
        "さくら",
        "김민준",
        "Nguyễn",
        "สมชาย",
        "🦊",
        "Fox 🦊🦊",
        "👍🏽",
        "🇱🇧",
        "O'Neil-3 (b)",
        "♠♥♦♣",
        "x",
        "x" * MAX_NAME_CHARS,
        "🦊" * MAX_NAME_CHARS,
    ],
)
@pytest.mark.proves("X-3")
def test_names_of_all_the_world_are_accepted_as_they_are(text: str) -> None:
    assert name(text) == unicodedata.normalize("NFC", text)
    assert harmless(name(text)) == name(text)


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u2003", "\u3000", " \u00a0  "])
@pytest.mark.proves("X-1")
def test_u01_spaces_around_a_name_are_taken_off_and_those_inside_become_one(space: str) -> None:
    assert name(f"{space}ali{space}") == "ali"
    assert name(f"Abu{space}Ali") == "Abu Ali"


@pytest.mark.proves("X-1")
def test_the_same_letters_composed_or_not_are_the_same_name() -> None:
    assert name("Jose\u0301") == name("José") == "José"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("♥\ufe0f", "♥"),
        ("1\ufe0f\u20e3", "1\u20e3"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("🏃🏽\u200d♀\ufe0f", "🏃🏽♀"),
        ("e\ufe0f\u0301", "é"),
    ],
)
@pytest.mark.proves("X-1")
def test_u06_emoji_sequences_come_apart_into_what_every_terminal_can_draw(text: str, kept: str) -> None:
    assert clean_chat(text) == kept
    assert name(text) == kept


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("text", ["", " ", "\u3000\u00a0", "\ufe0f", "x" * (MAX_NAME_CHARS + 1)])
@pytest.mark.proves("X-2")
def test_a_name_has_at_least_one_character_and_at_most_its_number(text: str) -> None:
    with pytest.raises(BadTextError, match=r"a name has at (least|most)"):
        name(text)


@pytest.mark.proves("X-2")
def test_a_chat_line_has_its_own_limit() -> None:
    assert clean_chat("x" * MAX_CHAT_CHARS) == "x" * MAX_CHAT_CHARS
    with pytest.raises(BadTextError, match="a chat line has at most 300 characters; this one has 301"):
        clean_chat("x" * (MAX_CHAT_CHARS + 1))


REFUSED = [
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
    *"\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff\u00ad",
    *"\u2028\u2029",
    *"\ud800\udfff",
    *"\ue000\U000f0000\U0010fffd",
    *"\ufffe\uffff\U0001fffe\u0378",
    *"\u034f\u115f\u1160\u3164\uffa0\u2800\u17b4\u180e\ufffc\U0001d159",
    *"\U000e0001\U000e0061\U000e0100",
    "\ufff9",
]


@pytest.mark.parametrize("character", REFUSED, ids=lambda character: f"U+{ord(character):04X}")
@pytest.mark.parametrize("place", ["{}ali", "al{}i", "ali{}"])
@pytest.mark.proves("X-2")
def test_u06_u08_what_cannot_be_seen_or_drawn_is_refused_wherever_it_stands(character: str, place: str) -> None:
    for clean in (name, clean_chat):
        with pytest.raises(BadTextError) as caught:
            clean(place.format(character))
        said = str(caught.value)
        assert said.isprintable()
        assert said.isascii()
        assert f"U+{ord(character):04X}" in said or "surrogate" in said
        assert "accepted" in said


@pytest.mark.parametrize("text", ["\u200d🦊", "🦊\u200d", "🦊\u200da", "a\u200d🦊", "🦊\u200d\u200d🦊"])
def test_a_joiner_that_joins_no_emoji_is_refused(text: str) -> None:
    with pytest.raises(BadTextError, match=r"an invisible format character, U\+200D"):
        clean_chat(text)


@pytest.mark.proves("X-2")
def test_towers_of_combining_marks_are_refused() -> None:
    assert clean_chat("z" + "\u0335" * 4) == "z" + "\u0335" * 4
    with pytest.raises(BadTextError, match="more than 4 combining marks"):
        clean_chat("z" + "\u0335" * 5)
    with pytest.raises(BadTextError, match="begin with a combining mark"):
        clean_chat("\u0301ali")


@given(ANY_TEXT)
def test_clean_text_is_safe_stays_as_it_is_and_has_no_space_at_its_ends(text: str) -> None:
    for clean in (name, clean_chat):
        try:
            cleaned = clean(text)
        except BadTextError:
            continue
        assert clean(cleaned) == cleaned
        assert cleaned == cleaned.strip()
        assert cleaned
        assert unicodedata.is_normalized("NFC", cleaned)
        assert harmless(cleaned) == cleaned
        cleaned.encode("utf-8")


# ---------------------------------------------------------------- the terminal


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x9b31m", "\ufffd31m"),
        ("\x90q\x9c", "\ufffdq\ufffd"),
        ("a\x7fb", "a␡b"),
        ("a\nb\r\tc\x00", "a␊b␍␉c␀"),
        ("\u202eevil\u202c", "\ufffdevil\ufffd"),
        ("\u2066a\u2069", "\ufffda\ufffd"),
        ("a\u200bb\ufeffc", "a\ufffdb\ufffdc"),
        ("a\u2028b", "a\ufffdb"),
        ("a\ud800", "a\ufffd"),
        ("\u0301a", "\ufffda"),
        ("a" + "\u0335" * 6, "a" + "\u0335" * 4 + "\ufffd\u0335"),
        ("سلام 🦊 ok", "سلام 🦊 ok"),
    ],
)
@pytest.mark.proves("X-5")
def test_u08_what_commands_a_terminal_is_replaced_by_what_is_seen(hostile: str, shown: str) -> None:
    assert harmless(hostile) == shown


@given(ANY_TEXT)
@pytest.mark.proves("X-5")
def test_u08_harmless_text_holds_no_control_no_bidi_and_nothing_invisible(text: str) -> None:
    shown = harmless(text)
    assert len(shown) == len(text)
    assert harmless(shown) == shown
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    shown.encode("utf-8")


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0)], ids=hex)
def test_u08_every_control_character_is_replaced(code: int) -> None:
    shown = harmless(chr(code))
    assert len(shown) == 1
    assert shown.isprintable()
