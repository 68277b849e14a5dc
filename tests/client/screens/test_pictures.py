"""The pictures of the documents are what the program draws."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from support.pictures import FOLDER, PICTURES, picture

ROOT = Path(__file__).parents[3]
SHOWN = re.compile(r"!\[[^\]]+\]\(((?:docs/)?screens/[^)]+)\)")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_what_the_program_draws(name: str) -> None:
    made = picture(name)
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == made, (
        "run PYTHONPATH=tests python -m support.pictures and look at the difference"
    )
    ET.fromstring(made)  # noqa: S314  (text of our own)


def test_every_picture_is_shown_in_a_document_and_no_other_is() -> None:
    shown = {
        (document.parent / place).resolve()
        for document in (ROOT / "README.md", ROOT / "docs" / "playing.md")
        for place in SHOWN.findall(document.read_text(encoding="utf-8"))
    }
    assert shown == {FOLDER / f"{name}.svg" for name in PICTURES}
    assert shown == set(FOLDER.iterdir())
