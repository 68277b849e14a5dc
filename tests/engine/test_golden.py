"""The golden transcripts: whole seeded sets, compared with what is played now."""

from __future__ import annotations

import difflib

import pytest

from golden.regenerate import GOLDEN, HERE
from tarneeb_engine.transcript import format_transcript, parse_transcript

REGENERATE = "differs; if that is meant: PYTHONPATH=tests python -m golden.regenerate"


@pytest.mark.parametrize("name", GOLDEN)
def test_a_seeded_set_is_played_as_it_was(name: str) -> None:
    kept = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    difference = list(difflib.unified_diff(kept, GOLDEN[name].text().splitlines(), "kept", "played now", n=0))
    assert not difference, "\n".join([f"{name}.txt {REGENERATE}", *difference])


@pytest.mark.parametrize("name", GOLDEN)
def test_a_kept_set_follows_the_rules(name: str) -> None:
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    transcript = parse_transcript(text)
    assert transcript.final_state().winner is not None
    assert format_transcript(transcript) == text


def test_every_file_is_listed() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(GOLDEN)
