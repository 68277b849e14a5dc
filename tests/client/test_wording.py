"""Sentences, from the viewer's own point of view."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tarneeb_client.retelling import retell
from tarneeb_client.state import TableView, advance
from tarneeb_client.wording.cards import hand_text, in_hand_order, numbered, short, spoken
from tarneeb_client.wording.connection import duration, goodbye, refused
from tarneeb_client.wording.events import score_sentence
from tarneeb_client.wording.people import Viewpoint
from tarneeb_client.wording.tables import preset_name, rule_options
from tarneeb_client.wording.turns import legal_text, ranges, turn_line
from tarneeb_engine.calls import CallKind, Remark
from tarneeb_engine.cards import FULL_PACK, Card, Suit
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.variants import VARIANTS
from tarneeb_engine.views import DealScore
from tarneeb_protocol import messages as m

NAMES = ("Nour", "Sami", "Rami", "Huda")
SOUTH, EAST, NORTH, WEST = (m.SeatSummary(name=name) for name in NAMES)
SEATS: m.Seats = (SOUTH, EAST, NORTH, WEST)
SCORE = DealScore(
    number=4,
    declarer=Seat.EAST,
    call=CallKind.BID,
    bid=9,
    trump=Suit.HEARTS,
    taken=(5, 8),
    made=False,
    points=(5, -9),
    scores=(23, -2),
    wins_set=None,
)


def test_cards_are_spoken_and_short() -> None:
    assert [spoken(card) for card in (Card.H9, Card.HT, Card.SJ, Card.CA)] == [
        "9 of hearts",
        "10 of hearts",
        "jack of spades",
        "ace of clubs",
    ]
    assert [short(Card.HT), short(Card.HT, symbols=False), short(Card.SA)] == ["♥10", "H10", "♠A"]


def test_a_hand_shows_trumps_first_then_suits_of_alternating_colours_high_cards_first() -> None:
    hand = (Card.C4, Card.D9, Card.DK, Card.S4, Card.SQ, Card.H2, Card.HA, Card.HT)
    assert hand_text(hand, None) == "spades Q 4; hearts A 10 2; clubs 4; diamonds K 9"
    assert hand_text(hand, Suit.CLUBS) == "clubs 4; diamonds K 9; spades Q 4; hearts A 10 2"
    red = {Suit.HEARTS, Suit.DIAMONDS}
    for trump in Suit:
        suits = list(dict.fromkeys(card.suit for card in in_hand_order(FULL_PACK, trump)))
        assert suits[0] is trump
        assert all((first in red) != (second in red) for first, second in pairwise(suits))


def test_legal_cards_are_numbered_suit_by_suit() -> None:
    assert numbered((Card.HA, Card.HT, Card.H2, Card.SK)) == "1 ace, 2 ten, 3 two of hearts; 4 king of spades"


@pytest.mark.parametrize(
    ("numbers", "text"), [([], ""), ([7], "7"), ([7, 8], "7 to 8"), ([13, 7, 9, 10, 11], "7, 9 to 11, 13")]
)
def test_numbers_are_said_as_runs(numbers: list[int], text: str) -> None:
    assert ranges(numbers) == text


def test_the_turn_line_says_the_time_the_task_and_all_that_is_legal() -> None:
    calls = (
        m.CallAction(call=CallKind.PASS),
        *(m.CallAction(call=CallKind.BID, tricks=n) for n in range(9, 14)),
    )
    game = m.CallAction(call=CallKind.GAME)
    prompt = m.Prompt(table=1, seq=1, actions=(*calls, game), remarks=tuple(Remark), seconds=25)
    assert turn_line(prompt, None) == (
        "Your turn, 25 seconds. Your bid. "
        "Legal: pass, 9 to 13, game; with a bid or pass also helpful or not_helpful."
    )
    trumps = m.Prompt(table=1, seq=1, actions=tuple(m.TrumpAction(suit=suit) for suit in Suit))
    assert turn_line(trumps, None) == "Your turn. Name the trump. Legal: trump clubs, diamonds, hearts, spades."
    cards = m.Prompt(table=1, seq=1, actions=(m.PlayAction(card=Card.H2), m.PlayAction(card=Card.HA)))
    assert turn_line(cards, Suit.HEARTS) == "Your turn. Legal: 1 ace, 2 two of hearts."
    assert legal_text(m.Prompt(table=1, seq=1, actions=()), None) == "nothing"


def test_each_viewer_hears_of_us_and_them_and_a_spectator_of_names() -> None:
    assert Viewpoint(SEATS, Seat.SOUTH).score((18, 22)) == "us 18, them 22"
    assert Viewpoint(SEATS, Seat.WEST).score((18, 22)) == "us 22, them 18"
    assert Viewpoint(SEATS, None).score((18, 22)) == "Nour and Rami 18, Sami and Huda 22"
    assert Viewpoint((None, None, None, None), None).team(Team.EAST_WEST) == "East and West"


def test_a_deals_score_is_told_from_each_side() -> None:
    assert score_sentence(SCORE, Viewpoint(SEATS, Seat.EAST)) == (
        "You bid 9 in hearts, took 8: failed. Points: us -9, them +5. Score: us -2, them 23."
    )
    assert score_sentence(SCORE, Viewpoint(SEATS, Seat.NORTH)) == (
        "Sami bid 9 in hearts, took 8: failed. Points: us +5, them -9. Score: us 23, them -2."
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.9, "0:59"), (112.4, "1:52"), (-3, "0:00"), (3600, "60:00")]
)
def test_times_are_minutes_and_seconds(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_v06_the_version_sentence_says_which_side_is_the_older() -> None:
    newer = m.Refused(code="unsupported_version", message="", protocol_min=2, protocol_max=2)
    assert refused(newer) == "the server speaks protocol 2, this client speaks 1: a newer client is needed"
    assert refused(
        m.Refused(code="wrong_password", message="wrong password", protocol_min=1, protocol_max=1)
    ) == ("wrong password (give the server's password with --password-file FILE)")
    assert goodbye(m.Goodbye(code="kicked")) == "the server ended the connection: no reason given (kicked)"


def test_every_preset_is_known_by_its_name_at_any_target_and_every_option_has_a_sentence() -> None:
    for variant in VARIANTS.values():
        assert preset_name(variant.rules) == variant.name
    assert preset_name(replace(VARIANTS["classic"].rules, target=51)) == "classic rules"
    assert preset_name(Ruleset(target=61)) == "tarneeb rules"
    assert preset_name(Ruleset(lead_tarneeb=True)) == "own rules"
    assert len(rule_options(Ruleset())) == len(Ruleset.__dataclass_fields__)


def test_a_retelling_completes_a_line_for_each_trick_and_names_its_winner() -> None:
    events: list[m.TableEvent] = [
        m.SetStarted(table=1, seq=1, number=1),
        m.DealStarted(table=1, seq=2, number=1, dealer=Seat.WEST, commitment="0" * 64, turn=Seat.NORTH),
        m.PackCut(table=1, seq=3, seat=Seat.NORTH, at=20),
        m.HandsDealt(table=1, seq=4, turn=Seat.SOUTH),
        m.CallMade(table=1, seq=5, seat=Seat.SOUTH, call=CallKind.PASS, turn=Seat.EAST),
        m.CallMade(table=1, seq=6, seat=Seat.EAST, call=CallKind.GAME),
        m.AuctionWon(table=1, seq=7, seat=Seat.EAST, call=CallKind.GAME, tricks=13),
        m.TrumpNamed(table=1, seq=8, seat=Seat.EAST, suit=Suit.HEARTS),
    ]
    cards = (Card.HA, Card.HT, Card.H2, Card.CK)
    for place, card in enumerate(cards):
        seat = Seat((Seat.EAST + place) % 4)
        events.append(
            m.CardPlayed(table=1, seq=9 + place, seat=seat, card=card, winning=Seat.EAST, turn=seat.next())
        )
    events.append(m.TrickTaken(table=1, seq=13, seat=Seat.EAST, taken=(0, 1), turn=Seat.EAST))
    view: TableView | None = TableView(
        m.Snapshot(
            table=1,
            seq=0,
            name="Demo",
            state=m.TableState.WAITING,
            rules=Ruleset(),
            turn_seconds=0,
            grace_seconds=0,
            seats=SEATS,
        )
    )
    lines: list[str] = []
    for event in events:
        view = advance(view, event)
        assert view is not None
        lines += retell(event, view, symbols=False)
    assert lines == [
        "South Nour, East Sami, North Rami, West Huda.",
        "Nour and Rami against Sami and Huda, first to 31.",
        "",
        "Deal 1. Huda deals, Rami cuts 20.",
        "  Calls: Nour pass, Sami game. Trump is hearts.",
        "   1  Sami HA, Rami H10, Huda H2, Nour CK: Sami",
    ]
