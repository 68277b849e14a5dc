"""One line for a deal, parsed and printed."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.self_play import LEVELS_BY_SEAT, cut_short, play_set, rulesets, unhurried
from tarneeb_engine.cards import FULL_PACK
from tarneeb_engine.deal import DealState
from tarneeb_engine.hand import Hand
from tarneeb_engine.notation import (
    LONGEST_LINE,
    NotationError,
    actions_of,
    format_deal,
    format_hand,
    format_rules,
    parse_deal,
    parse_hand,
    parse_rules,
    parse_seat,
)
from tarneeb_engine.pack import shuffled
from tarneeb_engine.ruleset import Dealing, Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.variants import PRESETS
from tarneeb_engine.views import Phase

PRINTABLE = "".join(map(chr, range(32, 127)))
SEEDS = st.integers(0, 2**32 - 1)


def a_deal(seed: int = 5, rules: Ruleset = PRESETS["tarneeb"]) -> DealState:
    """A deal that four steady bots played out."""
    return next(deal for deal in play_set(rules, seed, ("steady",) * 4).deals if deal.phase is Phase.SCORED)


LINE = format_deal(a_deal())
FIELDS = LINE.split(" ")


def test_a_line_is_printable_ascii_without_a_newline_and_says_its_version_first() -> None:
    assert LINE.startswith("deal/1 number=")
    assert set(LINE) <= set(PRINTABLE)
    assert len(LINE) < LONGEST_LINE / 4


@unhurried
@given(rulesets(), SEEDS, LEVELS_BY_SEAT, st.integers(0, 400))
def test_a_deal_printed_at_any_point_and_parsed_again_is_the_same_state(
    rules: Ruleset, seed: int, levels: tuple[str, str, str, str], actions: int
) -> None:
    transcript = cut_short(play_set(rules, seed, levels, most_deals=6), actions)
    for deal in transcript.deals:
        line = format_deal(deal)
        assert parse_deal(line) == deal
        assert format_deal(parse_deal(line)) == line


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_a_line_with_one_character_changed_is_refused_with_its_place_or_is_another_legal_deal(
    data: st.DataObject,
) -> None:
    place = data.draw(st.integers(0, len(LINE) - 1))
    kind = data.draw(st.sampled_from(["replaced", "dropped", "added"]))
    character = data.draw(st.characters() | st.sampled_from(PRINTABLE))
    damaged = {
        "replaced": LINE[:place] + character + LINE[place + 1 :],
        "dropped": LINE[:place] + LINE[place + 1 :],
        "added": LINE[:place] + character + LINE[place:],
    }[kind]
    try:
        deal = parse_deal(damaged)
    except NotationError as refused:
        assert 1 <= refused.column <= len(damaged) + 1  # noqa: PT017  (most are refused, not all)
        assert f"column {refused.column}: " in str(refused)  # noqa: PT017
    else:
        assert parse_deal(format_deal(deal)) == deal
        assert (damaged == LINE) == (deal == parse_deal(LINE))


@given(st.text() | st.text(PRINTABLE) | st.text(PRINTABLE).map("deal/1 ".__add__))
def test_any_text_is_refused_as_what_it_is(text: str) -> None:
    with pytest.raises(NotationError):
        parse_deal(text)


@given(SEEDS, st.sampled_from(Seat), st.sampled_from(Dealing), st.integers(1, 51))
def test_a_line_with_hands_in_place_of_the_pack_deals_just_those_hands(
    seed: int, dealer: Seat, dealing: Dealing, cut: int
) -> None:
    pack = shuffled(random.Random(seed))
    hands = [Hand.of(pack[13 * seat : 13 * seat + 13]) for seat in range(4)]
    held = "/".join(map(format_hand, hands))
    line = f"deal/1 number=1 dealer={dealer.name[0]} rules=tarneeb,dealing={dealing} hands={held} cut={cut}"
    deal = parse_deal(line)
    assert [Hand(mask) for mask in deal.hands] == hands
    assert (deal.cut, deal.phase, deal.turn) == (cut, Phase.AUCTION, dealer.next())
    assert parse_deal(format_deal(deal)) == deal


@given(st.sets(st.sampled_from(FULL_PACK)).map(Hand.of))
def test_a_hand_of_any_size_is_parsed_as_it_was_printed(hand: Hand) -> None:
    assert parse_hand(format_hand(hand)) == hand


def test_a_hand_is_printed_suit_by_suit_from_the_highest_card() -> None:
    deal = parse_hand("2KA.JQ4..9876532")
    assert format_hand(deal) == "AK2.QJ4..9876532"


@given(rulesets())
def test_rules_are_parsed_as_they_were_printed_and_the_printed_form_is_short(rules: Ruleset) -> None:
    text = format_rules(rules)
    assert parse_rules(text) == rules
    changed = len(text.split(",")) - 1
    assert changed == min(
        sum(getattr(rules, name) != getattr(preset, name) for name in Ruleset.__slots__)
        for preset in PRESETS.values()
    )


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_printed_as_its_name(name: str) -> None:
    assert format_rules(PRESETS[name]) == name


def test_an_option_may_be_spelt_out_even_where_the_preset_has_it() -> None:
    assert parse_rules("classic,auction=single,thirteen=game_call,target=31") == PRESETS["tarneeb"]


def test_what_was_done_in_a_deal_can_be_done_again() -> None:
    deal = a_deal(seed=11)
    again = DealState.begin(deal.rules, deal.number, deal.dealer, deal.pack)
    for seat, action in actions_of(deal):
        again, _ = again.apply(seat, action)
    assert again == deal


def without(name: str) -> str:
    return " ".join(field for field in FIELDS if not field.startswith(f"{name}="))


def having(name: str, value: str) -> str:
    return " ".join(f"{name}={value}" if field.startswith(f"{name}=") else field for field in FIELDS)


CASES = {
    "nothing at all": ("", "column 1: '' is not a deal in a known version of the notation; accepted: deal/1"),
    "a later version": (
        LINE.replace("deal/1", "deal/2"),
        "column 1: 'deal/2' is not a deal in a known version",
    ),
    "two blanks": (LINE.replace(" dealer", "  dealer"), "is not a field; accepted: number=, dealer="),
    "a blank at the end": (LINE + " ", "'' is not a field"),
    "a newline": (LINE + "\n", r"'\\n' is not printable ASCII"),
    "over-long": (LINE + " " * LONGEST_LINE, "at most 2000 characters"),
    "no number": (without("number"), "number= is missing"),
    "number nought": (having("number", "0"), "column 15: '0' is not a number of a deal; accepted: 1 to 999999"),
    "number with a zero before it": (having("number", "01"), "'01' is not a number of a deal"),
    "number beyond any set": (having("number", "9" * 4000)[:1900], "is not a number of a deal"),
    "no dealer": (without("dealer"), "dealer= is missing"),
    "a dealer who is not there": (having("dealer", "X"), "'X' is not a seat; accepted: S, E, N, W"),
    "no rules": (without("rules"), "rules= is missing"),
    "unknown preset": (
        having("rules", "bridge"),
        "'bridge' is not a preset; accepted: tarneeb, 41, 61, classic, egyptian",
    ),
    "unknown option": (
        having("rules", "tarneeb,speed=yes"),
        "'speed=yes' is not an option; accepted: auction=",
    ),
    "option twice": (having("rules", "classic,target=41,target=41"), "the option target= comes twice"),
    "no such target": (having("rules", "tarneeb,target=32"), "the target is one of 31, 41, 51, 61, not 32"),
    "no such value": (
        having("rules", "tarneeb,auction=dutch"),
        "not a value of auction; accepted: single, cont",
    ),
    "neither yes nor no": (having("rules", "tarneeb,lead_tarneeb=1"), "'1' is not a value of lead_tarneeb"),
    "no pack": (without("pack"), "either pack= or hands=, and just one of them"),
    "51 cards": (having("pack", "".join(FULL_PACK[:51])), "a pack has 52 cards, not 51"),
    "53 cards": (having("pack", "".join([*FULL_PACK, "2C"])), "2C comes twice in the pack"),
    "half a card": (having("pack", "".join(FULL_PACK)[:-1]), "'A' is not a card; accepted: a rank of 2345"),
    "cut of the whole pack": (having("cut", "52"), "'52' is not a cut; accepted: 1 to 51"),
    "calls before the cut": (without("cut"), "no call can be made now; the pack is to be cut"),
    "no calls": (having("calls", ""), "'' is not a call"),
    "an unknown call": (having("calls", "p,x"), "'x' is not a call; accepted: p, d, 7 to 13, 7C to 13S, g"),
    "six": (having("calls", "6"), "'6' is not a call"),
    "two remarks": (having("calls", "p-+"), r"'p-\+' is not a call"),
    "a remark not allowed": (having("calls", "p+"), "this table allows no remark with a call"),
    "a bid that is too low": (
        having("calls", "8,8"),
        "only the dealer, where the auction goes round once, may match",
    ),
    "too many calls": (having("calls", "p,p,p,p,p"), "'p' comes after the end of the deal"),
    "trump before the auction": (without("calls"), "the tarneeb cannot be named now"),
    "no such suit": (having("trump", "N"), "'N' is not a suit; accepted: C, D, H, S"),
    "cards before the trump": (without("trump"), "no card can be played now; the declarer is to name"),
    "a trick of five": (having("plays", "AHKHQHJHTH"), "is not a trick; accepted: four cards"),
    "a short trick first": (having("plays", "AH,KH"), "'AH' is not a trick"),
    "fields in another order": (
        "deal/1 dealer=S number=1",
        "column 17: number= comes twice or too late; the order is number, dealer",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_line_that_is_wrong_is_refused_with_the_place_and_what_is_accepted(case: str) -> None:
    line, reason = CASES[case]
    with pytest.raises(NotationError, match=reason if "\\" in reason else re.escape(reason)):
        parse_deal(line)


def test_rule_16_a_revoke_in_a_line_is_refused_at_the_card() -> None:
    deal = a_deal()
    trick = deal.tricks[0]
    second = trick.leader.next()
    begun = cut_short(play_set(deal.rules, 5, ("steady",) * 4, most_deals=1), 0).deals[0]
    assert begun.pack == deal.pack
    for seat, action in list(actions_of(deal))[:7]:
        begun, _ = begun.apply(seat, action)
    assert begun.turn is second
    revoke = next(card for card in Hand(begun.hands[second]) if card.suit is not trick.cards[0].suit)
    line = format_deal(begun) + revoke.value
    with pytest.raises(NotationError, match="were led and you hold some") as caught:
        parse_deal(line)
    assert caught.value.column == len(line) - 1


def test_hands_that_are_not_four_times_thirteen_different_cards_are_refused() -> None:
    suits = ["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "...AKQJT98765432"]
    line = "deal/1 number=1 dealer=S rules=tarneeb hands={} cut=9"
    assert parse_deal(line.format("/".join(suits))).phase is Phase.AUCTION
    for held, reason in [
        (suits[:3], "four hands"),
        ([*suits[:3], "...AKQJT9876543"], "has 12 cards; a hand has 13"),
        ([*suits[:3], "A...KQJT98765432"], "AS is in two hands"),
        ([*suits[:3], "...AKQJT987654322"], "2C comes twice"),
        ([*suits[:3], "...1"], "'1' is not a rank"),
        ([*suits[:3], ".."], "four suits with dots between"),
    ]:
        with pytest.raises(NotationError, match=reason):
            parse_deal(line.format("/".join(held)))
    with pytest.raises(NotationError, match="hands= needs the cut"):
        parse_deal(line.format("/".join(suits)).removesuffix(" cut=9"))
    with pytest.raises(NotationError, match="just one of them"):
        parse_deal(LINE.replace(" cut=", f" hands={'/'.join(suits)} cut="))


@pytest.mark.parametrize("letter", ["", "s", "SE", "X"])
def test_a_seat_has_one_letter(letter: str) -> None:
    with pytest.raises(NotationError, match="is not a seat; accepted: S, E, N, W"):
        parse_seat(letter)


def test_a_deal_that_has_only_begun_has_no_more_than_its_pack() -> None:
    deal = DealState.begin(replace(Ruleset(), target=61), 12, Seat.WEST, FULL_PACK)
    assert format_deal(deal) == (f"deal/1 number=12 dealer=W rules=tarneeb,target=61 pack={''.join(FULL_PACK)}")
    assert parse_deal(format_deal(deal)) == deal


def test_the_examples_of_the_document_are_in_the_notation() -> None:
    document = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    examples = [line for line in document.splitlines() if line.startswith("deal/1 ")]
    assert len(examples) >= 3
    assert sum(parse_deal(line).phase is Phase.SCORED for line in examples) >= 1
