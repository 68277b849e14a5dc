"""A named variant is one file: what the files say, that a new one plays, and that a wrong one is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from support.self_play import play_set, rulesets
from tarneeb_engine.ruleset import ENUM_OPTIONS, OPTIONS, SWITCHES, AuctionKind, Ruleset, SuitBids, Thirteen
from tarneeb_engine.transcript import format_transcript, parse_transcript
from tarneeb_engine.variants import (
    DEFAULT,
    PRESETS,
    VARIANTS,
    VariantError,
    read_variant,
    read_variants,
    rules_of,
)

if TYPE_CHECKING:
    from pathlib import Path

STEADY = ("steady", "steady", "steady", "steady")
MINE = """
name = "Ours"
differs = "As we play it at home."

[rules]
auction = "returning"
suit_bids = "clubs_to_spades"
target = 41
double = true
"""


def test_the_default_comes_first_and_is_the_ruleset_without_a_word() -> None:
    assert list(PRESETS) == ["tarneeb", "41", "61", "classic", "egyptian"]
    assert PRESETS[DEFAULT] == Ruleset()


def test_the_presets_are_what_the_rules_say_of_them() -> None:
    classic = Ruleset(auction=AuctionKind.CONTINUING, thirteen=Thirteen.KABOOT_BONUS)
    assert PRESETS["classic"] == classic
    assert [PRESETS[word].target for word in ("41", "61")] == [41, 61]
    for word in ("41", "61"):
        assert rules_of(fields_of(PRESETS[word]) | {"target": 31}, word) == classic
    assert PRESETS["egyptian"] == Ruleset(
        auction=AuctionKind.RETURNING,
        thirteen=Thirteen.KABOOT_BONUS,
        suit_bids=SuitBids.CLUBS_TO_DIAMONDS,
        double=True,
    )


def fields_of(rules: Ruleset) -> dict[str, object]:
    """The options as a file would have them."""
    return {name: getattr(rules, name) for name in OPTIONS}


@given(rulesets())
def test_any_rules_can_be_written_in_a_file(rules: Ruleset) -> None:
    lines = ['name = "A"', 'differs = "B"', "[rules]"]
    for name, value in fields_of(rules).items():
        lines.append(f'{name} = "{value}"' if name in ENUM_OPTIONS else f"{name} = {str(value).lower()}")
    assert read_variant("any", "\n".join(lines)).rules == rules


@pytest.mark.parametrize("word", VARIANTS)
def test_four_bots_play_a_set_of_every_variant_and_its_transcript_reads_back(word: str) -> None:
    transcript = play_set(PRESETS[word], 11, STEADY)
    assert transcript.final_state().winner is not None
    text = format_transcript(transcript)
    assert f"\nrules {word}\n" in text
    assert parse_transcript(text) == transcript


def test_a_file_in_a_folder_is_all_that_a_new_variant_takes(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(MINE, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a variant", encoding="utf-8")
    variants = read_variants(tmp_path)
    assert list(variants) == ["ours"]
    ours = variants["ours"]
    assert (ours.name, ours.differs) == ("Ours", "As we play it at home.")
    transcript = play_set(ours.rules, 7, STEADY)
    assert transcript.final_state().winner is not None
    bids = [call for deal in transcript.deals if deal.auction for call in deal.auction.calls if call.tricks]
    assert bids
    assert all(call.suit is not None for call in bids)
    assert parse_transcript(format_transcript(transcript)) == transcript


HEAD = 'name = "A"\ndiffers = "B"\n[rules]\n'


@pytest.mark.parametrize(
    ("word", "text", "told"),
    [
        ("../x", HEAD, "'../x' is not the name of a variant; accepted: up to 24 of a-z, 0-9 and _"),
        ("x", "name = ", "x: this is not TOML"),
        ("x", 'nome = "A"', "x: 'nome' is not a field; accepted: name, differs, rules"),
        ("x", 'name = "A"', "x: differs is a line of 1 to 400 characters, not None"),
        ("x", 'name = ""\ndiffers = "B"', "x: name is a line of 1 to 400 characters, not ''"),
        ("x", 'name = "A\\u001b[2J"\ndiffers = "B"', "x: name is a line of 1 to 400 characters"),
        ("x", 'name = "A"\ndiffers = "B"\nrules = 3', "x: rules is a table of options, as [rules], not 3"),
        ("x", HEAD + "taget = 41", f"x: 'taget' is not an option; accepted: {', '.join(OPTIONS)}"),
        ("x", HEAD + "target = 30", "x: target is one of 31, 41, 51, 61, not 30"),
        ("x", HEAD + "target = true", "x: target is one of 31, 41, 51, 61, not True"),
        ("x", HEAD + "target = 31.0", "x: target is one of 31, 41, 51, 61, not 31.0"),
        ("x", HEAD + "double = 1", "x: double is true or false, not 1"),
        ("x", HEAD + 'auction = "dutch"', "x: auction is one of single, continuing, returning, not 'dutch'"),
        ("x", HEAD + "thirteen = []", "x: thirteen is one of game_call, kaboot_bonus, not []"),
    ],
)
def test_a_wrong_file_is_refused_with_the_field_and_what_is_accepted(word: str, text: str, told: str) -> None:
    with pytest.raises(VariantError) as caught:
        read_variant(word, text)
    assert told in str(caught.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(VariantError, match="not text in UTF-8"):
        read_variants(tmp_path)


def test_every_option_is_a_word_of_several_a_switch_or_the_target() -> None:
    assert {*ENUM_OPTIONS, *SWITCHES, "target"} == set(OPTIONS)
