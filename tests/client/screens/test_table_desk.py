"""At a table: cutting, calling, remarks, scores, the log, the palette."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.desk_scenes import (
    after_deal,
    after_set,
    at_call,
    at_play,
    away,
    between_turns,
    cutting,
    is_own_turn,
    naming,
    play_until,
    watching,
    with_friends,
)
from support.desk_talk import DeskTalk
from tarneeb_client.screens.choices import choices
from tarneeb_client.screens.palette import Known, completions, explanation
from tarneeb_client.screens.places import Place
from tarneeb_engine.cards import Suit
from tarneeb_protocol import messages as m


def text_of(talk: DeskTalk, columns: int = 80, lines: int = 24) -> str:
    return "\n".join(talk.screen(columns, lines))


def cut_made(talk: DeskTalk) -> int:
    return next(message.at for message in talk.link.received if isinstance(message, m.PackCut))


def test_enter_cuts_in_the_middle_and_arrows_change_where() -> None:
    talk = cutting()
    talk.wait(1)
    talk.press("enter")
    assert cut_made(talk) == 26
    talk = cutting()
    talk.wait(1)
    talk.press("right", "right", "left", "right", "enter")
    assert cut_made(talk) == 28


@pytest.mark.parametrize(("typed", "at"), [("7", 7), ("٤١", 41), ("۱۲", 12)])
def test_a_cut_is_a_number_in_any_digits(typed: str, at: int) -> None:
    talk = cutting()
    talk.type(typed)
    talk.press("enter")
    assert cut_made(talk) == at


def test_a_cut_that_cannot_be_is_refused_with_what_is_accepted() -> None:
    talk = cutting()
    talk.type("77")
    talk.press("enter")
    assert not talk.link.of_type(m.PackCut)
    assert "1 to 51" in talk.desk.moments.note


def test_a_suit_is_named_by_the_keys_of_an_arabic_keyboard_and_by_its_name() -> None:
    for typed, suit in (("ا", Suit.HEARTS), ("كبة", Suit.HEARTS), ("s", Suit.SPADES)):
        talk = naming()
        talk.type(typed)
        talk.press("enter")
        named = [message.suit for message in talk.link.received if isinstance(message, m.TrumpNamed)]
        assert named == [suit]


def test_calls_are_shown_with_their_remarks_and_a_match_as_one() -> None:
    talk, friends = at_call()
    talk.press("r", "enter")
    assert "helpful" in text_of(talk, 120, 30)
    heard = [message for message in friends[2].received if isinstance(message, m.CallMade)]
    assert heard[-1].remark is not None


def test_the_dealer_s_match_is_called_one() -> None:
    talk, friends = with_friends()

    def can_match() -> bool:
        offered = choices(talk.desk.view)
        return is_own_turn(talk, m.CallAction) and any("match" in choice.label for choice in offered)

    play_until(talk, can_match, seed=5, others=friends)
    match = next(choice for choice in choices(talk.desk.view) if "match" in choice.label)
    assert f"match {match.typed}" in text_of(talk)
    talk.wait(1)
    talk.type(match.typed)
    talk.press("enter")
    assert f"You: {match.label}" in text_of(talk, 120, 30)


def test_the_score_of_a_deal_is_shown_until_a_key_and_comes_by_itself() -> None:
    talk = after_deal()
    score = next(message.score for message in talk.link.received if isinstance(message, m.DealScored))
    shown = text_of(talk)
    assert "Deal 1 is over" in shown
    assert f"{score.points[0]:+d}" in shown
    assert "bid" in text_of(talk, 40, 10)
    talk.press("right")
    assert "Deal 1 is over" not in text_of(talk)


def test_a_set_that_is_over_says_who_won_every_deal_and_what_to_press() -> None:
    talk = after_set()
    shown = text_of(talk)
    view = talk.desk.view
    assert view is not None
    assert view.snapshot.public is not None
    assert "won the set" in shown
    assert "Enter: ready" in shown
    assert "Nour: not ready yet" in shown
    for score in view.snapshot.public.history:
        assert f"{score.scores[0]}:{score.scores[1]}" in shown
    talk.wait(1)
    talk.press("enter")
    assert talk.desk.place is Place.PLAY


def test_a_seat_says_that_a_bot_plays_for_its_player_and_who_watches_is_named() -> None:
    talk = away()
    assert "Watching: Omar" in text_of(talk)
    play_until(talk, lambda: bool(talk.link.of_type(m.StandInBegan)), others=[])
    assert "a bot plays" in text_of(talk, 104, 25)


def test_who_lets_the_time_run_out_reads_how_to_play_again() -> None:
    talk, _friends = with_friends()
    talk.wait(31)
    assert "A bot plays for you" in text_of(talk)
    talk.press("enter")
    assert talk.link.of_type(m.StandInEnded)


def test_a_spectator_sees_no_hand_and_has_no_keys_to_act() -> None:
    talk = watching()
    assert "You watch." in text_of(talk)
    before = len(talk.link.received)
    talk.type("a9p")
    talk.press("enter", "right")
    assert len(talk.link.received) == before


def test_the_log_stays_where_one_has_scrolled_to_and_tells_what_is_new() -> None:
    talk, friends = with_friends(settings={"turn_seconds": 0})
    for number in range(30):
        talk.driver.ok(friends[number % 2], m.Chat, text=f"line {number}")
        talk.wait(5)
    assert "line 29" in text_of(talk)
    talk.press("pageup", "pageup")
    shown = [row.partition("│")[2] for row in talk.screen()]
    last = next(row for row in reversed(shown) if "line" in row and "newer" not in row)
    assert "10 newer lines: PgDn" in text_of(talk, 104, 25)
    assert "chat" in text_of(talk, 104, 25)
    talk.driver.ok(friends[1], m.Chat, text="look")
    talk.settle()
    assert any(last == row.partition("│")[2] for row in talk.screen())
    assert "11 newer lines: PgDn" in text_of(talk, 104, 25)
    talk.press(*["pagedown"] * 3)
    assert "look" in text_of(talk)


def test_a_card_chosen_beforehand_that_is_not_held_is_refused() -> None:
    talk = between_turns()
    view = talk.desk.view
    assert view is not None
    other = next(card for card in ("2C", "3C", "4C", "5C") if card not in view.hand)
    talk.type(other)
    talk.press("enter")
    assert talk.desk.acting.preselected is None
    assert "You do not hold" in talk.desk.moments.note


def test_one_key_waits_for_the_second_digit_of_a_cut() -> None:
    talk = cutting()
    talk.desk.habits = type(talk.desk.habits)(one_key=True)
    talk.type("3")
    assert not talk.link.of_type(m.PackCut)
    talk.type("1")
    talk.press("enter")
    assert cut_made(talk) == 31


def test_the_palette_completes_commands_options_values_and_legal_actions() -> None:
    talk = at_play()
    known = Known(talk.desk.lobby.tables, talk.desk.view)
    assert completions("op", known) == ["open "]
    assert "open Friends target=" in completions("open Friends tar", known)
    assert completions("open Friends target=4", known) == ["open Friends target=41 "]
    assert completions("open Friends preset=classic pr", known) == []
    legal = {choice.label.lower() for choice in choices(talk.desk.view)}
    assert {line.split()[1] for line in completions("play ", known)} == legal
    assert explanation("sco")[0].startswith("score")
    assert "no such command" in explanation("zzz")[0]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz =?\"'٣ﻻ", max_size=20))
def test_a_completion_goes_on_from_what_was_typed(text: str) -> None:
    for line in completions(text, Known()):
        assert line.lower().startswith(text.lower())
        assert len(line) > len(text)
    about, _detail = explanation(text)
    assert about


def test_the_palette_never_recalls_a_password() -> None:
    talk = at_play()
    talk.press("c-p")
    talk.type("join 1 password=yalla")
    talk.press("enter", "escape", "c-p", "up")
    assert "yalla" not in talk.desk.text
