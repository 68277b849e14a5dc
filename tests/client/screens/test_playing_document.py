"""docs/playing.md tells of every key and setting that there is."""

from __future__ import annotations

from support.playing_document import DOCUMENT, PLACES, filled
from tarneeb_client.screens.places import Place


def test_keys_and_settings_are_documented_as_they_are() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert filled(document) == document, "run PYTHONPATH=tests python -m support.playing_document"


def test_every_place_has_a_table_of_its_keys() -> None:
    assert set(PLACES) == set(Place)
