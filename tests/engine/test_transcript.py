"""A whole set as text, printed, parsed and played again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.self_play import LEVELS_BY_SEAT, cut_short, play_set, rulesets, unhurried
from tarneeb_engine.attribution import LONGEST_NAME
from tarneeb_engine.notation import NotationError
from tarneeb_engine.ruleset import FourPasses, Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.transcript import Transcript, format_transcript, parse_transcript
from tarneeb_engine.variants import PRESETS
from tarneeb_engine.views import Phase

NAMES = ("Rami", "هدى", "سامي 2", "O'Neil (bot)")
STEADY = ("steady",) * 4
SET = play_set(PRESETS["tarneeb"], 3, STEADY, NAMES)
TEXT = format_transcript(SET)
LINES = TEXT.splitlines()
SEEDS = st.integers(0, 2**32 - 1)


@unhurried
@given(rulesets(), SEEDS, LEVELS_BY_SEAT, st.integers(0, 700), st.none() | st.just(NAMES))
def test_a_set_printed_at_any_point_and_parsed_again_is_the_same(
    rules: Ruleset,
    seed: int,
    levels: tuple[str, str, str, str],
    actions: int,
    players: tuple[str, str, str, str] | None,
) -> None:
    transcript = cut_short(play_set(rules, seed, levels, players, most_deals=12), actions)
    text = format_transcript(transcript)
    assert parse_transcript(text) == transcript
    assert format_transcript(parse_transcript(text)) == text


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_a_text_with_one_character_changed_is_refused_with_its_line_or_is_another_legal_set(
    data: st.DataObject,
) -> None:
    place = data.draw(st.integers(0, len(TEXT) - 1))
    character = data.draw(st.characters() | st.sampled_from(TEXT))
    kept = data.draw(st.booleans())
    damaged = TEXT[:place] + character + TEXT[place + (not kept) :]
    try:
        transcript = parse_transcript(damaged)
    except NotationError as refused:
        assert refused.line is not None  # noqa: PT017  (most are refused, not all)
        assert 1 <= refused.line <= damaged.count("\n") + 1  # noqa: PT017
        assert str(refused).startswith(f"line {refused.line}, column {refused.column}: ")  # noqa: PT017
    else:
        assert format_transcript(transcript) == damaged


@given(st.text() | st.text().map("tarneeb-set/1\nrules tarneeb\ndealer S\n".__add__))
def test_any_text_is_refused_as_what_it_is(text: str) -> None:
    with pytest.raises(NotationError):
        parse_transcript(text)


def test_the_result_line_says_who_won_the_set_and_how() -> None:
    state = SET.final_state()
    assert state.winner is not None
    words = {Team.SOUTH_NORTH: "south-north", Team.EAST_WEST: "east-west"}
    assert LINES[-1] == f"result won by {words[state.winner]} {state.scores[0]}:{state.scores[1]}"
    assert format_transcript(replace(SET, deals=())).splitlines()[-1] == "result unfinished 0:0"


def test_every_deal_that_is_over_is_followed_by_what_it_scored() -> None:
    passed_out = play_set(PRESETS["tarneeb"], 4, STEADY, passed_out=2)
    lines = format_transcript(passed_out).splitlines()
    assert sum(line == "void scores 0:0" for line in lines) == 2
    for number, line in enumerate(lines):
        if line.startswith("deal/1"):
            void = line.endswith(" calls=p,p,p,p")
            assert lines[number + 1].startswith("void scores " if void else "points ")


def test_a_later_state_of_a_deal_takes_the_place_of_the_earlier_one() -> None:
    growing = Transcript(SET.rules, SET.first_dealer, SET.players)
    for actions in range(0, 130, 7):
        for deal in cut_short(SET, actions).deals[len(growing.deals[:-1]) :]:
            growing = growing.with_deal(deal)
        assert growing == cut_short(SET, actions)


def swapped(number: int, old: str, new: str) -> str:
    """The transcript with ``old`` put for ``new`` in line ``number``, from 1."""
    lines = list(LINES)
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    return "\n".join(lines) + "\n"


SECOND = 10
"""The line of the second deal: eight lines before the first deal's score, then that."""
CASES = {
    "nothing": ("", "line 1, column 1: a transcript ends with a newline"),
    "no newline at the end": (TEXT[:-1], "ends with a newline"),
    "another format": (
        swapped(1, "/1", "/2"),
        "line 1, column 1: 'tarneeb-set/2' is not a transcript in a known ver",
    ),
    "no rules": (
        "\n".join([LINES[0], *LINES[2:]]) + "\n",
        "line 2, column 1: 'dealer .' is not the line that belongs",
    ),
    "unknown rules": (swapped(2, "tarneeb", "poker"), "line 2, column 7: 'poker' is not a preset"),
    "unknown seat": (swapped(3, LINES[2][-1], "Q"), "line 3, column 8: 'Q' is not a seat"),
    "a seat without its player": (
        "\n".join([*LINES[:5], *LINES[6:]]) + "\n",
        "line 6, column 1: .*accepted: north",
    ),
    "a name with an escape": (swapped(4, "Rami", "R\x1b[2J"), "line 4, column 7: .*is not a player's name"),
    "an endless name": (swapped(4, "Rami", "R" * 100), "1 to 60 printable characters"),
    "a deal left out": (
        "\n".join([*LINES[:7], *LINES[9:]]) + "\n",
        "line 8, column 1: due is deal 1, dealt by",
    ),
    "a wrong number": (swapped(SECOND, "number=2", "number=3"), "line 10, column 1: due is deal 2"),
    "other rules in a deal": (
        swapped(SECOND, "rules=tarneeb", "rules=tarneeb,target=41"),
        "line 10, .*rules tarneeb; ",
    ),
    "a fault in a deal": (swapped(SECOND, "cut=", "cut=x"), r"line 10, column \d+: 'x\d+' is not a cut"),
    "a score that is not so": (
        swapped(9, "points ", "points 1"),
        "line 9, .*is not what this deal scored by the rules",
    ),
    "a result that is not so": (swapped(len(LINES), ":", "0:"), "is not the result of these deals"),
    "no result": ("\n".join(LINES[:-1]) + "\n", f"line {len(LINES)}, column 1: '' is not the result"),
    "something after the result": (
        TEXT + "\n",
        f"line {len(LINES) + 1}, column 1: nothing may follow the result",
    ),
    "a set that goes on after its end": (
        "\n".join([*LINES[:-1], LINES[7], LINES[8], LINES[-1]]) + "\n",
        f"line {len(LINES)}, column 1: the set was over before deal 1",
    ),
    "too long": (TEXT + "\n" * 20_000, "line 20001, column 1: a transcript has at most 20000 lines"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_text_that_is_wrong_is_refused_with_the_line_and_what_is_accepted(case: str) -> None:
    text, reason = CASES[case]
    with pytest.raises(NotationError, match=reason):
        parse_transcript(text)


def test_a_deal_cannot_begin_before_the_one_before_it_is_over() -> None:
    unfinished = cut_short(SET, 30)
    assert len(unfinished.deals) == 1
    with pytest.raises(ValueError, match="deal 2 begins before the one before it is over"):
        replace(unfinished, deals=(*unfinished.deals, SET.deals[1])).final_state()


def test_rule_12_the_next_dealer_of_a_void_deal_is_checked_by_the_rules_in_force() -> None:
    rules = Ruleset(four_passes=FourPasses.NEXT_DEALER)
    played = play_set(rules, 4, STEADY, passed_out=1)
    assert played.deals[0].phase is Phase.VOID
    assert played.deals[1].dealer is played.first_dealer.next()
    text = format_transcript(played)
    dealer = f"dealer={played.deals[1].dealer.name[0]}"
    other = f"dealer={played.first_dealer.name[0]}"
    with pytest.raises(NotationError, match=f"due is deal 2, dealt by {played.deals[1].dealer.name.lower()}"):
        parse_transcript(text.replace(f"number=2 {dealer}", f"number=2 {other}"))


@pytest.mark.parametrize("name", ["", " ", " Rami", "Rami\n", "Ra\x1bmi", "R" * (LONGEST_NAME + 1), "\ud800"])
def test_a_name_that_could_not_be_read_again_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a player's name in a transcript"):
        Transcript(SET.rules, Seat.SOUTH, (name, "b", "c", "d"))


def test_the_examples_of_the_document_are_transcripts() -> None:
    document = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    blocks = [block for block in document.split("```") if block.startswith("text\ntarneeb-set/1")]
    assert blocks
    for block in blocks:
        parse_transcript(block.removeprefix("text\n"))
