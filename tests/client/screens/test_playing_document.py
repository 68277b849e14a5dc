"""docs/playing.md and its Arabic sister tell of every key and setting that there is."""

from __future__ import annotations

import re

import pytest

from support.catalogues import TRANSLATED
from support.playing_document import DOCUMENTS, PLACES, filled
from support.spoken import spoken
from tarneeb_client.language import LANGUAGES
from tarneeb_client.parse import CALL_WORDS, is_card, is_suit, normalised
from tarneeb_client.screens.keys import as_latin
from tarneeb_client.screens.places import Place


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_and_settings_are_documented_as_they_are(language: str) -> None:
    document = DOCUMENTS[language].read_text(encoding="utf-8")
    assert filled(language) == document, "run PYTHONPATH=tests python -m support.playing_document"


def test_every_place_has_a_table_of_its_keys_in_every_language() -> None:
    assert set(PLACES) == set(Place)
    assert all(set(title) == {"en", *TRANSLATED} for title in PLACES.values())


def test_what_the_arabic_document_says_can_be_typed_can_be_typed() -> None:
    document = DOCUMENTS["ar"].read_text(encoding="utf-8")
    rows = {
        meaning: re.findall("`([^`]+)`", typed)
        for typed, meaning in re.findall(r"^\| (`.*) \| ([^|]+) \|$", document, re.MULTILINE)
    }
    with spoken("ar"):
        assert all(is_card(text) for text in (*rows["ورقة باسمها"], *rows["عشرة الكبة"]))
        assert all(is_suit(text) for text in rows["الطرنيب الذي تسمّيه"])
    assert all(text.isdigit() or normalised(text) in CALL_WORDS for text in rows["طلب في المزايدة"])


def test_the_places_of_keys_on_an_arabic_keyboard_are_as_the_document_says() -> None:
    document = DOCUMENTS["ar"].read_text(encoding="utf-8")
    said = re.findall("`(.)` هو `(.)`", document)
    assert len(said) == 3
    assert all(as_latin(arabic) == latin for arabic, latin in said)
