"""The full screen as a player uses it: keys in, screens out, against the server's own lobby."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.desk_scenes import at_play
from support.desk_talk import DeskTalk, sitting_down
from support.fake_server import WELCOME
from support.lobby_driver import LobbyDriver
from tarneeb_client.habits import Bell, Habits
from tarneeb_client.link_items import LinkBack, LinkLost
from tarneeb_client.screens.choices import choices, is_cutting
from tarneeb_client.screens.desk import Desk
from tarneeb_client.screens.glyphs import ASCII
from tarneeb_client.screens.home import HomeDesk
from tarneeb_client.screens.key_table import KEYS
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.replay_desk import ReplayDesk
from tarneeb_client.screens.settings_desk import SettingsDesk
from tarneeb_protocol import messages as m

SIZES = [(80, 24), (104, 25), (120, 30), (60, 20), (60, 18), (40, 10), (20, 5)]


def text_of(talk: DeskTalk, cells: int = 80, height: int = 24) -> str:
    return "\n".join(talk.screen(cells, height))


def act_somehow(talk: DeskTalk, rng: random.Random) -> None:
    """Do something legal by keys, as a player would."""
    view = talk.desk.view
    assert view is not None
    talk.wait(1)
    if is_cutting(view):
        talk.type(str(rng.randint(1, 51)))
    else:
        choice = rng.choice(choices(view))
        if rng.random() < 0.5:
            talk.type(choice.typed)
        else:
            while talk.desk.choice != choice:
                talk.press("right")
    talk.press("enter")


def play_on(talk: DeskTalk, rng: random.Random, actions: int) -> None:
    for _ in range(actions):
        while talk.desk.view is not None and talk.desk.view.prompt is None:
            talk.wait(0.5)
        act_somehow(talk, rng)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_deal_is_played_by_keys_and_every_screen_fits_its_terminal(size: tuple[int, int]) -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0))
    rng = random.Random(5)
    for _ in range(20):
        talk.screen(*size)
        play_on(talk, rng, 1)
        talk.screen(*size)
    view = talk.desk.view
    assert view is not None
    assert view.snapshot.public is not None
    assert len(view.snapshot.public.history) >= 1, "more than one deal was begun"


def at_a_play(talk: DeskTalk, rng: random.Random) -> None:
    """Play until this player is to play a card and holds one that is illegal."""
    for _ in range(200):
        while talk.desk.view is None or talk.desk.view.prompt is None:
            talk.wait(0.5)
        view = talk.desk.view
        assert view is not None
        offered = choices(view)
        if offered and isinstance(offered[0].action, m.PlayAction) and len(offered) < len(view.hand):
            talk.wait(1)
            return
        act_somehow(talk, rng)
    raise AssertionError("no such turn came")


@pytest.fixture
def talk() -> DeskTalk:
    """A player whose turn it is to play a card, one of whose cards is illegal."""
    talk = sitting_down(LobbyDriver(turn_seconds=0))
    at_a_play(talk, random.Random(3))
    return talk


def is_at_table(talk: DeskTalk) -> bool:
    return talk.desk.view is not None


def is_over(talk: DeskTalk) -> bool:
    return talk.desk.is_over


def hand(talk: DeskTalk) -> tuple[object, ...]:
    view = talk.desk.view
    assert view is not None
    return view.hand


def test_illegal_cards_have_their_letters_in_brackets_and_legal_ones_do_not(talk: DeskTalk) -> None:
    view = talk.desk.view
    assert view is not None
    legal = {choice.typed for choice in choices(view)}
    row = next(line for line in talk.screen() if line.strip().startswith(("a ", "(a)", "b ", "(b)")))
    for letter in legal:
        assert f" {letter} " in row
        assert f"({letter})" not in row
    assert "(" in row


def test_an_illegal_card_is_refused_with_the_reason_and_stays(talk: DeskTalk) -> None:
    view = talk.desk.view
    assert view is not None
    legal = {choice.action for choice in choices(view)}
    card = next(card for card in view.hand if m.PlayAction(card) not in legal)
    before = hand(talk)
    talk.type(card.value)
    talk.press("enter")
    assert hand(talk) == before
    assert "you hold some" in text_of(talk)


@pytest.mark.parametrize(
    "form", ["{s}{r}", "{r}{s}", "{S}{r}", "{r} {s}"], ids=["suit first", "rank first", "capital", "spaced"]
)
def test_a_legal_card_can_be_typed_in_every_form(talk: DeskTalk, form: str) -> None:
    choice = choices(talk.desk.view)[0]
    assert isinstance(choice.action, m.PlayAction)
    card = choice.action.card
    rank, suit = ("10" if card.value[0] == "T" else card.value[0]), card.value[1]
    talk.press("escape")
    talk.type(form.format(s=suit.lower(), S=suit, r=rank.lower()))
    talk.press("enter")
    assert choice.action.card not in hand(talk)


def test_enter_right_after_a_turn_began_was_meant_for_something_else() -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0))
    rng = random.Random(4)
    at_a_play(talk, rng)
    act_somehow(talk, rng)
    while talk.desk.view is None or talk.desk.view.prompt is None:
        talk.wait(0.1)
    before = talk.desk.view.seq
    talk.press("enter")
    assert talk.desk.view.seq == before
    talk.wait(0.4)
    talk.press("enter")
    assert talk.desk.view.seq > before


def test_the_bell_rings_once_a_turn_and_never_when_it_is_off() -> None:
    loud, quiet = (
        sitting_down(LobbyDriver(turn_seconds=0), habits=Habits(bell=bell)) for bell in (Bell.TURN, Bell.OFF)
    )
    for each in (loud, quiet):
        before = each.rung
        play_on(each, random.Random(1), 6)
        assert each.rung - before <= 6
    assert loud.rung >= 6
    assert quiet.rung == 0


def test_a_card_chosen_beforehand_is_played_when_the_turn_comes_if_it_is_legal() -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0))
    rng = random.Random(8)
    played = refused = 0
    for _ in range(60):
        at_a_play(talk, rng)
        act_somehow(talk, rng)
        view = talk.desk.view
        assert view is not None
        if view.prompt is not None or len(view.hand) < 2:
            continue
        card = rng.choice(view.hand)
        talk.type(card.value)
        talk.press("enter")
        for _ in range(40):
            talk.wait(0.5)
            if card not in hand(talk) or (talk.desk.view is not None and talk.desk.view.prompt is not None):
                break
        if card in hand(talk):
            refused += 1
        else:
            played += 1
    assert played
    assert refused


def test_a_preselected_card_can_be_taken_back_and_the_habit_can_be_off() -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0))
    rng = random.Random(8)
    at_a_play(talk, rng)
    act_somehow(talk, rng)
    view = talk.desk.view
    assert view is not None
    if view.prompt is None:
        talk.press("right")
        talk.press("escape")
        before = len(view.hand)
        talk.wait(10)
        assert len(hand(talk)) == before


def test_one_key_plays_without_enter_where_it_is_wanted() -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0), habits=Habits(one_key=True))
    at_a_play(talk, random.Random(3))
    choice = choices(talk.desk.view)[0]
    assert isinstance(choice.action, m.PlayAction)
    talk.type(choice.typed)
    assert choice.action.card not in hand(talk)


def test_a_card_typed_in_chat_is_said_and_never_played(talk: DeskTalk) -> None:
    choice = choices(talk.desk.view)[0]
    assert isinstance(choice.action, m.PlayAction)
    before = hand(talk)
    talk.press("/")
    talk.type(choice.action.card.value)
    talk.press("enter")
    assert hand(talk) == before
    assert any(isinstance(message, m.Said) for message in talk.link.received)


def test_keys_of_the_game_are_letters_in_chat(talk: DeskTalk) -> None:
    talk.press("/")
    talk.type("t?tb/")
    assert talk.desk.pane is None
    assert talk.desk.text == "t?tb/"


def test_escape_never_leaves_the_game(talk: DeskTalk) -> None:
    for _ in range(5):
        talk.press("escape", "f4", "escape", "?", "escape", "/", "escape", "c-p", "escape")
    assert talk.desk.view is not None
    assert not talk.desk.is_over


def test_f10_in_a_set_asks_again_and_then_gives_the_seat_to_a_bot(talk: DeskTalk) -> None:
    talk.press("f10")
    assert is_at_table(talk)
    assert "F10 again" in text_of(talk)
    talk.press("f10")
    assert not is_at_table(talk)
    assert not talk.desk.is_over


def test_control_c_clears_what_is_typed_and_twice_leaves_with_the_seat_held(talk: DeskTalk) -> None:
    talk.type("h1")
    talk.press("c-c")
    assert (talk.desk.text, is_over(talk)) == ("", False)
    talk.press("c-c")
    assert is_over(talk)
    assert not talk.desk.talk.has_quit


def test_the_finished_trick_stays_to_be_seen_for_two_seconds_or_until_a_key() -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0, bot_delay=5))
    rng = random.Random(2)
    taken = 0
    while taken < 3:
        before = len(talk.link.of_type(m.TrickTaken))
        while talk.desk.view is None or talk.desk.view.prompt is None:
            talk.wait(0.25)
            if len(talk.link.of_type(m.TrickTaken)) > before:
                break
        if len(talk.link.of_type(m.TrickTaken)) == before:
            act_somehow(talk, rng)
        if len(talk.link.of_type(m.TrickTaken)) > before:
            taken += 1
            view = talk.desk.view
            assert view is not None
            assert view.deal is not None
            if not view.deal.tricks:
                continue
            cards = [ASCII.card(card) for card in view.deal.tricks[-1].cards]
            talk.desk.habits = Habits(glyphs=ASCII)
            drawn = text_of(talk, 60, 20)
            assert all(card in drawn for card in cards)
            if taken == 1:
                talk.wait(2.1)
            else:
                talk.press("pageup")
            assert talk.desk.moments.trick is None


def test_every_key_of_the_table_is_a_documented_method_of_the_desks_of_its_places() -> None:
    at_table = {Place.LOBBY, Place.WAITING, Place.PLAY, Place.FORM, Place.LOST, Place.PANE, Place.TYPING}
    desks: list[tuple[set[Place], type]] = [
        ({Place.HOME, Place.PANE, Place.TYPING}, HomeDesk),
        (at_table, Desk),
        ({Place.REPLAY, Place.PANE}, ReplayDesk),
        ({Place.FORM}, SettingsDesk),
    ]
    methods: set[str] = set()
    for places, desk in desks:
        for key in KEYS:
            if key.places & places:
                assert getattr(desk, f"key_{key.action}").__doc__, (desk, key)
        methods |= {name.removeprefix("key_") for name in dir(desk) if name.startswith("key_")}
    assert methods == {key.action for key in KEYS}


def test_each_place_explains_its_keys_on_the_screen(talk: DeskTalk) -> None:
    talk.press("?")
    shown = text_of(talk)
    talk.press(*["pagedown"] * 5)
    shown += text_of(talk)
    for key in KEYS:
        if Place.PLAY in key.places:
            assert key.label in shown


def test_a_lost_link_shows_the_next_try_and_how_long_the_seat_is_held(talk: DeskTalk) -> None:
    talk.take(LinkLost(3, 4.0, 112.0, "the connection was closed"))
    assert "LINK LOST, try 3 in 4 s; seat held 1:52" in text_of(talk)
    talk.driver.now += 2
    talk.desk.tick(talk.driver.now)
    assert "LINK LOST, try 3 in 2 s; seat held 1:50" in text_of(talk)
    talk.press("x", "9", "enter", "right")
    assert talk.desk.text == "", "keys other than those of the banner do nothing"
    talk.press("r")
    assert talk.retried == 1


@given(st.data())
def test_no_keys_at_any_size_break_the_screen(data: st.DataObject) -> None:
    talk = DeskTalk(LobbyDriver(turn_seconds=0), "Nour")
    names = sorted({name for key in KEYS for name in key.keys} | set("abmhsdc0123456789 ض٣é中") | {"f2"})
    for _ in range(data.draw(st.integers(0, 40))):
        talk.press(data.draw(st.sampled_from(names)))
        if data.draw(st.booleans()):
            talk.wait(data.draw(st.sampled_from([0.1, 1.0, 3.0])))
        talk.screen(data.draw(st.integers(20, 140)), data.draw(st.integers(5, 50)))
        if talk.desk.is_over:
            break


def test_a_question_is_seen_while_the_link_is_lost_and_a_second_f10_ends_with_the_seat_held() -> None:
    talk = at_play()
    talk.desk.note("something else")
    talk.take(LinkLost(3, 4.0, 112.0, "the connection was closed"))
    assert "LINK LOST, try 3 in 4 s; seat held 1:52" in text_of(talk)
    talk.press("c-c")
    assert "Press Ctrl-C again to leave; your seat is held for you." in text_of(talk)
    talk.wait(7)
    assert "LINK LOST" in text_of(talk)
    talk.press("?", "f10")
    assert "Press F10 again to end the program; your seat is held for you." in text_of(talk)
    talk.press("f10")
    assert talk.desk.is_over
    assert not talk.desk.talk.has_quit
    assert talk.desk.view is not None


def test_who_is_back_at_a_table_is_told_where_once() -> None:
    talk = at_play()
    talk.take(LinkLost(1, 4.0, 112.0, "the connection was closed"))
    welcome = msgspec.structs.replace(WELCOME, resumed=True, table=1)
    talk.take(LinkBack(resumed=True, welcome=welcome))
    said = "Back at table 1 Nour, seat South."
    assert talk.desk.moments.note == said
    assert [line.text for line in talk.desk.log.lines].count(said) == 1


def test_what_must_be_read_stays_until_a_key_and_in_the_log_one_after_the_other() -> None:
    talk = at_play()
    talk.desk.tell("First time at majlis with encryption.\n  SHA256:abc\nAsk the host.")
    talk.desk.tell("Something else\x1b[2J")
    talk.wait(60)
    shown = text_of(talk)
    assert "Notice" in shown
    assert "SHA256:abc" in shown
    talk.press("escape")
    assert "Something else" in text_of(talk)
    assert "\x1b" not in text_of(talk)
    talk.press("enter")
    assert talk.desk.pane is None
    assert "  SHA256:abc" in [line.text for line in talk.desk.log.lines]
