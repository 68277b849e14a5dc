"""Which names are the same to a reader."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.confusables_table import MADE_WITH, TARGET, module_text
from support.document import PROTOCOL_DOCUMENT, tables
from tarneeb_protocol.confusables import PROTOTYPES
from tarneeb_protocol.names import ONE_LETTER, ReservedNames, are_alike, name_keys, plain

ANY_TEXT = st.text(st.characters(exclude_categories=[]))  # surrogates too
A_NAME = st.text(
    st.sampled_from("abcilmnorstuxyzABCILMN 01239éüñıİßأاإبةهىيیكکمن٣۳٥ـаеНνΝΟЅ🦊")
    | st.characters(codec="utf-8"),
    max_size=12,
)


def assert_alike(one: str, other: str) -> None:
    assert are_alike(one, other)
    assert are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (" ali", "ali"),
        ("ali ", "ali"),
        ("\u00a0ali", "ali"),
        ("ali\u3000", "ali"),
        ("Abu  Ali", "abu ali"),
        ("Abu\u2003Ali", "Abu Ali"),
    ],
)
@pytest.mark.proves("X-4")
def test_u01_names_that_differ_in_spaces_are_the_same(one: str, other: str) -> None:
    assert_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0430li", "ali"),
        ("Оmаr", "Omar"),
        ("Αli", "ali"),
        ("ΝΟUR", "Nour"),
        ("НINA", "Hina"),
        ("НΙNА", "hina"),
        ("нина", "HИHA"),
        ("a1i", "ali"),
        ("aIi", "ali"),
        ("a|i", "ali"),
        ("Ra0ul", "Raoul"),
        ("Ornar", "Omar"),
        ("Łukasz", "Lukasz"),
        ("ɑli", "ali"),
        ("Aꓡi", "ALi"),
        ("José", "Jose"),
    ],
)
@pytest.mark.proves("X-4")
def test_u03_names_that_look_alike_are_the_same(one: str, other: str) -> None:
    assert_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("أحمد", "احمد"),
        ("إيمان", "ايمان"),
        ("آدم", "ادم"),
        ("ٱدم", "ادم"),
        ("مُحَمَّد", "محمد"),
        ("محمــد", "محمد"),
        ("علی", "علي"),
        ("على", "علي"),
        ("کریم", "كريم"),
        ("فاطمة", "فاطمه"),
        ("ہند", "هند"),
        ("٥ند", "هند"),
        ("س\u06dbام", "شام"),
        ("نور ٢", "نور 2"),
        ("نور ۲", "نور ٢"),
        ("Nour ٢", "Nour 2"),
    ],
)
@pytest.mark.proves("X-4")
def test_u03_arabic_names_that_are_written_in_two_ways_are_the_same(one: str, other: str) -> None:
    assert_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ali", "ali"),
        ("ALI", "ali"),
        ("İLKER", "ilker"),
        ("ILKER", "ilker"),
        ("ılker", "ilker"),
        ("ILKER", "ılker"),
        ("Weiß", "WEISS"),
        ("ΝΙΚΟΣ", "νικος"),
        ("АЛІ", "алі"),
        ("ＡＬＩ", "ali"),
        ("ﬁras", "firas"),
        ("𝐀𝐥𝐢", "ali"),
        ("Ⓐli", "ali"),
        ("٣", "3"),
        ("३", "3"),
    ],
)
@pytest.mark.proves("X-4")
def test_u05_names_that_differ_in_case_or_form_are_the_same(one: str, other: str) -> None:
    assert_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ali", "Omar"),
        ("Ali", "All"),
        ("Nora", "Vora"),
        ("Hina", "Nina"),
        ("Mur", "Nur"),
        ("Ali", "Ali 2"),
        ("Abu Ali", "AbuAli"),
        ("ليلى", "سلمى"),
        ("شام", "سام"),
        ("زين", "رين"),
        ("نور", "نوز"),
        ("حسن", "حسين"),
        ("بنت", "بيت"),
        ("कि", "कु"),
        ("हंस", "हस"),
        ("が", "か"),
        ("王", "玉"),
        ("🦊", "🐺"),
    ],
)
@pytest.mark.proves("X-4")
def test_names_that_a_reader_tells_apart_differ(one: str, other: str) -> None:
    assert not are_alike(one, other)


@given(ANY_TEXT)
@example("ΝΙΚΟΣ")
def test_u03_the_keys_of_a_key_are_that_key(text: str) -> None:
    keys = name_keys(text)
    for place, key in enumerate(keys):
        assert name_keys(key)[place] == key


def test_u03_every_character_comes_to_rest() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if character.isalnum() and character.upper() == character.lower() and code not in PROTOTYPES:
            continue  # most of the 150,000: Chinese and Korean, which nothing changes
        if unicodedata.category(character)[0] == "C":
            continue
        for place, key in enumerate(name_keys(character)):
            assert name_keys(key)[place] == key, hex(code)


@given(A_NAME)
def test_u01_keys_do_not_depend_on_spaces_around_or_how_accents_are_composed(text: str) -> None:
    keys = name_keys(text)
    assert name_keys(f" \u3000{text} ") == keys
    for form in ("NFC", "NFD"):
        assert name_keys(unicodedata.normalize(form, text)) == keys


@given(A_NAME)
def test_u05_how_a_name_is_spelled_does_not_depend_on_case_width_or_compatible_form(text: str) -> None:
    wide = "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)
    for variant in (text.upper(), text.lower(), text.casefold(), wide):
        assert name_keys(variant).spelling == name_keys(text).spelling
    for form in ("NFKC", "NFKD"):
        assert name_keys(unicodedata.normalize(form, text)) == name_keys(text)


@given(A_NAME, A_NAME)
def test_u03_to_look_alike_goes_both_ways_and_each_is_like_itself(one: str, other: str) -> None:
    assert are_alike(one, one)
    assert are_alike(one, other) == are_alike(other, one)


def test_reserved_names_are_found_however_they_are_written() -> None:
    reserved = ReservedNames(("Bot Amal", "Server"))
    for name in ("bot amal", "Bоt Amal", "BOT  AMÁL", "5erver", "Ѕerver", "SERVER"):
        assert reserved.has(name_keys(name)) == (name != "5erver"), name
    assert not reserved.has(name_keys("Bot Amal 2"))


def test_the_letters_that_are_one_are_those_of_the_document() -> None:
    (letters,) = [
        table
        for table in tables(PROTOCOL_DOCUMENT.read_text(encoding="utf-8"))
        if table.heading == "Names that count as the same" and table.columns[0] == "these"
    ]
    for row in letters.rows:
        if row[1] != "nothing":
            assert {plain(letter) for letter in row[0].split()} == {row[1]}
    written = {letter for row in letters.rows for letter in row[0].split() if len(letter) == 1}
    assert {chr(code) for code in ONE_LETTER} == written | {"\u0640", "\u0674"}


@pytest.mark.skipif(unicodedata.unidata_version != MADE_WITH, reason="another Python knows more characters")
def test_the_table_of_confusables_is_what_its_source_says() -> None:
    assert TARGET.read_text(encoding="utf-8") == module_text()
