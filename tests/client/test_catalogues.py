"""Every message is in every catalogue, and says what it says there with the same placeholders."""

from __future__ import annotations

import re
import string

import pytest
from babel.messages.pofile import read_po

from support.catalogues import TRANSLATED, merged, mo_bytes, po_path, po_text, untranslated
from support.spoken import spoken
from tarneeb_client.language import plural
from tarneeb_client.wording.refusals import REFUSALS, refusal_text
from tarneeb_protocol.errors import ErrorCode


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_catalogue_has_every_message_of_the_source_and_no_other(language: str) -> None:
    assert po_path(language).read_text(encoding="utf-8") == po_text(merged(language)), (
        "run PYTHONPATH=tests python -m support.catalogues"
    )


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language: str) -> None:
    assert list(untranslated(merged(language))) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    path = po_path(language)
    with path.open("rb") as stream:
        assert path.with_suffix(".mo").read_bytes() == mo_bytes(read_po(stream, locale=language))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_placeholders_of_the_message(language: str) -> None:
    for message in merged(language):
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else message.id
        strings = (message.string,) if isinstance(message.string, str) else message.string or ()
        wanted = set().union(*(placeholders(each) for each in ids))
        for translated in strings:
            # A plural form may say its number in a word.
            assert placeholders(translated) <= wanted, (message.id, translated)
            if isinstance(message.id, str):
                assert placeholders(translated) == wanted, (message.id, translated)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_plural_message_has_every_form_of_its_language(language: str) -> None:
    catalogue = merged(language)
    plurals = [message for message in catalogue if message.id and not isinstance(message.id, str)]
    assert plurals
    for message in plurals:
        assert len(message.string or ()) == catalogue.num_plurals, message.id


def test_no_translation_of_arabic_has_an_english_word_that_is_not_typed() -> None:
    for message in merged("ar"):
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else message.id
        strings = (message.string,) if isinstance(message.string, str) else message.string or ()
        known = {word for each in ids for word in words(each)}
        for translated in strings:
            # A word of the message that stays is one to type, a key, or a name of a thing: never a sentence.
            left = words(translated)
            assert left <= known, (translated, left - known)
            assert is_arabic(translated) or not words(translated) - KEPT, translated


KEPT = {"Enter", "a-m"}
"""What a translation may be alone: the name of a key."""


def words(text: str) -> set[str]:
    """The words of Latin letters, placeholders left out."""
    return set(re.findall(r"[A-Za-z][A-Za-z0-9_-]*", re.sub(r"\{\w+\}|%\(\w+\)[a-z]|%s", "", text)))


def is_arabic(text: str) -> bool:
    return any("\u0600" <= character <= "\u06ff" for character in text)


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_of_the_protocol_is_told_in_each_language(code: ErrorCode) -> None:
    assert code in REFUSALS
    with spoken("ar"):
        assert is_arabic(refusal_text(code, "what the server says in English."))
    assert refusal_text(code, "what the server says, which holds more.") == (
        "what the server says, which holds more"
    )


def test_a_code_that_is_not_known_is_told_as_the_server_said_it() -> None:
    with spoken("ar"):
        assert refusal_text("from_a_later_version", "Not today\x1b[2J.") == "Not today␛[2J"


NUMBERS = {
    0: "بلا أوراق",
    1: "ورقة واحدة",
    2: "ورقتان",
    3: "3 أوراق",
    10: "10 أوراق",
    11: "11 ورقة",
    99: "99 ورقة",
    100: "100 ورقة",
    103: "103 أوراق",
}


@pytest.mark.parametrize("number", NUMBERS)
def test_arabic_counts_as_arabic_does(number: int) -> None:
    with spoken("ar"):
        assert plural("{number} card", "{number} cards", number).format(number=number) == NUMBERS[number]
