"""Every message is in every catalogue, and says the same there."""

from __future__ import annotations

import string

import pytest
from babel.messages.pofile import read_po

from support.catalogues import TRANSLATED, merged, mo_bytes, po_path, po_text, untranslated


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
