"""What players of comparable programs missed or complained of, need by need: docs/design.md has the list."""

from __future__ import annotations

import asyncio
import unicodedata
from functools import partial

import pytest

from golden.screens import HERE
from support.desk_scenes import after_set, at_call, at_play, away, between_turns, lost, preselected
from support.desk_talk import DeskTalk, sitting_down
from support.lobby_driver import LobbyDriver
from support.pretended_terminal import PretendedTerminal, pretended_terminal
from support.turning_terminal import seen
from tarneeb_client.addresses import Address
from tarneeb_client.habits import Bell, Habits
from tarneeb_client.right_to_left import EDGES, LETTER_LINE, for_terminal
from tarneeb_client.screens.choices import choices
from tarneeb_client.screens.glyphs import ASCII, UNICODE
from tarneeb_client.screens.hand import held_cards
from tarneeb_client.screens.home import HomeDesk, ServerRow, Wish
from tarneeb_client.screens.themes import THEMES, TWO_COLOURS
from tarneeb_engine.cards import FULL_PACK
from tarneeb_protocol import messages as m

SUITS = ("suit.s", "suit.h", "suit.d", "suit.c")


def text_of(talk: DeskTalk, columns: int = 80, lines: int = 24) -> str:
    return "\n".join(talk.screen(columns, lines))


def hand_lines(talk: DeskTalk) -> tuple[str, str, str]:
    """Letters, cards and marks."""
    rows = talk.screen()
    return rows[-4], rows[-3], rows[-2]


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_screens_01_suits_have_four_colours_by_default_and_their_sign_always(theme: str) -> None:
    assert len({THEMES[theme].get(suit, "") for suit in SUITS}) == 4
    two = {**THEMES[theme], **TWO_COLOURS[theme]}
    assert two.get("suit.h") == two.get("suit.d")
    assert two.get("suit.s", "") == two.get("suit.c", "")
    talk = at_play()
    view = talk.desk.view
    assert view is not None
    assert hand_lines(talk)[1].split() == [UNICODE.card(held.card) for held in held_cards(view)]


def test_screens_03_arrows_skip_what_is_illegal() -> None:
    talk = at_play()
    legal = set(choices(talk.desk.view))
    for _press in range(13):
        talk.press("right")
        assert talk.desk.choice in legal


def test_screens_04_each_card_has_its_letter_over_it_and_keeps_it_for_the_deal() -> None:
    talk = at_play()
    letters, faces, _marks = hand_lines(talk)
    view = talk.desk.view
    assert view is not None
    columns = {held.card: faces.index(UNICODE.card(held.card)) for held in held_cards(view)}
    for held in held_cards(view):
        assert held.letter in letters[columns[held.card] - 1 : columns[held.card] + 3]
    talk.press("enter")
    talk.wait(3)
    faces = hand_lines(talk)[1]
    assert talk.desk.view is not None
    for held in held_cards(talk.desk.view):
        assert faces.index(UNICODE.card(held.card)) == columns[held.card]


def test_screens_05_every_legal_action_has_a_key_of_its_own() -> None:
    for talk in (at_play(), at_call()[0], after_set()):
        offered = choices(talk.desk.view)
        view = talk.desk.view
        assert view is not None
        assert view.prompt is not None
        assert [choice.action for choice in offered] != []
        assert {choice.action for choice in offered} == set(view.prompt.actions)
        assert len({choice.typed for choice in offered}) == len(offered)


def used(talk: DeskTalk, keys: str, shown: str, columns: int = 80, lines: int = 24) -> PretendedTerminal:
    """The terminal after ``keys`` were typed and ``shown`` came to be read."""

    async def main() -> PretendedTerminal:
        async with pretended_terminal(talk, columns, lines) as terminal:
            terminal.press(keys)
            await terminal.until_shown(shown)
        return terminal

    return asyncio.run(main())


def test_screens_06_the_mouse_is_off_at_first_and_is_turned_on_and_off_by_a_key() -> None:
    off = used(at_play(), "?", "Keys")
    assert "\x1b[?1000h" not in off.written.raw
    on = used(at_play(), "\x1b[19~", "The mouse is on")
    assert "\x1b[?1000h" in on.written.raw
    talk = at_play()

    async def main() -> str:
        async with pretended_terminal(talk) as terminal:
            for shown in ("The mouse is on", "marks text again"):
                terminal.press("\x1b[19~")
                await terminal.until_shown(shown)
            return terminal.written.raw

    raw = asyncio.run(main())
    assert raw.rfind("\x1b[?1000l") > raw.rfind("\x1b[?1000h") > 0


def test_screens_07_who_turns_the_mouse_on_reads_how_to_mark_text_all_the_same() -> None:
    talk = at_play()
    talk.press("f8")
    assert "hold Shift to mark text" in text_of(talk)


def clicks(column: int, row: int) -> str:
    """A button pressed and let go, as xterm tells it; from 1."""
    return f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"


def has_played(talk: DeskTalk, count: int, rows: list[str]) -> bool:
    del rows
    return talk.desk.view is not None and len(talk.desk.view.hand) < count


def test_a_click_chooses_a_card_and_another_one_plays_it() -> None:
    talk = at_play()
    view = talk.desk.view
    assert view is not None
    wanted = choices(view)[-1]
    assert isinstance(wanted.action, m.PlayAction)
    rows = talk.screen()
    row = len(rows) - 3
    column = rows[row].index(UNICODE.card(wanted.action.card)) + 1

    async def main() -> None:
        async with pretended_terminal(talk) as terminal:
            terminal.press("\x1b[19~")
            await terminal.until_shown("The mouse is on")
            if len(choices(view)) > 1:
                terminal.press(clicks(column, row + 1))
                await terminal.until(lambda _: talk.desk.choice == wanted)
            terminal.press(clicks(column, row + 1))
            await terminal.until(partial(has_played, talk, len(view.hand)))

    asyncio.run(main())
    assert talk.desk.view is not None
    assert wanted.action.card not in talk.desk.view.hand


def test_screens_08_no_theme_has_a_background_of_its_own() -> None:
    for theme in (*THEMES.values(), *TWO_COLOURS.values()):
        for style in theme.values():
            assert "bg:" not in style
            assert all(word.startswith(("fg:ansi", "bold", "underline", "reverse")) for word in style.split())


def test_screens_09_what_is_dim_has_another_mark_too() -> None:
    talk = at_play()
    view = talk.desk.view
    assert view is not None
    letters, _faces, _marks = hand_lines(talk)
    for held in held_cards(view):
        assert (f"({held.letter})" in letters) is (held.is_legal is False)
    assert "AWAY" in text_of(away())


def test_screens_10_without_a_colour_the_winning_card_the_choice_and_the_turn_are_marked() -> None:
    talk = at_play()
    shown = text_of(talk)
    view = talk.desk.view
    assert view is not None
    assert view.deal is not None
    assert view.deal.trick is not None
    winner = view.deal.trick.cards[(view.deal.trick.winner or 0) - view.deal.trick.leader]
    assert f"*{UNICODE.card(winner)}" in shown
    assert "^^^" in shown
    assert f"{UNICODE.pointer} You" in shown
    assert "..." in hand_lines(preselected())[2], "a card chosen beforehand is marked otherwise"


def test_screens_11_suits_can_be_letters() -> None:
    assert {ASCII.card(card)[0] for card in FULL_PACK} == set("CDHS")


def test_screens_12_no_sign_is_an_emoji() -> None:
    for path in HERE.glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "\ufe0f" not in text
        assert not any("\U0001f000" <= character <= "\U0001faff" for character in text)


def test_screens_13_borders_can_be_ascii() -> None:
    for line in (HERE / "play-ascii.txt").read_text(encoding="utf-8").splitlines():
        assert line.isascii()


def test_screens_14_and_15_a_card_has_room_behind_it_for_a_sign_that_is_drawn_wider() -> None:
    for columns in (80, 60):
        rows = at_play().screen(columns, 24)
        faces = rows[-3]
        for card in faces.split():
            end = faces.index(card) + len(card)
            assert faces[end] == " "
    ambiguous = [sign for sign in UNICODE.suits if unicodedata.east_asian_width(sign) not in "AN"]
    assert ambiguous == []


def test_screens_16_arabic_is_written_in_the_order_in_which_it_is_read() -> None:
    assert "ليلى" in text_of(at_call()[0])


def test_screens_17_names_have_lines_of_their_own_and_what_is_beside_them_stays_in_order() -> None:
    talk, _friends = at_call()
    names = ("Huda", "ليلى", "田中太郎")
    table = [row.partition("│")[0] for row in talk.screen()[2:19]]
    assert all(sum(name in row for name in names) <= 1 for row in table)
    for row in talk.desk.rows(80, 23):
        sent = "".join(text for _, text in for_terminal(row))
        edge = max(sent.find(sign) for sign in (*EDGES, LETTER_LINE))
        if edge >= 0:
            shown = seen(sent)
            assert shown[edge] == sent[edge]
            assert sorted(shown[:edge]) == sorted(sent[:edge])


def test_screens_18_a_key_draws_everything_anew() -> None:
    talk = at_play()

    async def main() -> str:
        async with pretended_terminal(talk) as terminal:
            await terminal.until_shown("YOUR TURN")
            before = len(terminal.written.raw)
            terminal.written.screen.reset()
            terminal.press("\x0c")
            await terminal.until_shown("YOUR TURN")
            await terminal.until_shown("Trump")
            return terminal.written.raw[before:]

    assert "\x1b[2J" in asyncio.run(main())


def test_screens_19_a_terminal_that_is_too_small_keeps_the_game_and_says_what_to_do() -> None:
    talk = at_play()
    assert "Enlarge the window" in text_of(talk, 40, 10)
    choice = talk.desk.choice
    assert choice is not None
    assert isinstance(choice.action, m.PlayAction)
    for columns, lines in ((20, 5), (24, 6), (59, 17)):
        assert UNICODE.card(choice.action.card) in text_of(talk, columns, lines)
    before = talk.desk.view
    talk.press("enter")
    assert talk.desk.view is not before
    assert "Enlarge the window" not in text_of(talk, 60, 18)


def test_screens_27_a_seat_that_is_held_is_counted_down_for_its_player_and_for_the_others() -> None:
    assert "AWAY 1:53" in text_of(away())
    assert "seat held 1:52" in text_of(lost())


def test_screens_28_a_seat_that_an_earlier_start_left_is_offered_first() -> None:
    desk = HomeDesk(name="Nour", version="1", glyphs=UNICODE)
    held = ServerRow(name="Majlis", address=Address("192.0.2.1"), held=("table 2", 60))
    desk.found([ServerRow(name="Other", address=Address("192.0.2.2")), held])
    desk.press("resume", "R")
    assert (desk.wish, desk.address) == (Wish.CONNECT, held.address)


def test_screens_29_what_is_typed_in_chat_is_chat() -> None:
    talk = at_play()
    before = talk.desk.view
    talk.press("/")
    talk.type("t?bnjiwr" + "a")
    assert talk.desk.text == "t?bnjiwra"
    assert talk.desk.pane is None
    talk.press("escape")
    assert talk.desk.view is before


def test_screens_30_escape_closes_and_never_leaves_and_leaving_a_set_is_asked_twice() -> None:
    talk = at_play()
    talk.press(*["escape"] * 9, "f10")
    assert talk.desk.view is not None
    assert "F10 again" in text_of(talk)
    talk.wait(10)
    talk.press("f10")
    assert talk.desk.view is not None, "after a while it is asked again"


def test_screens_31_a_finished_trick_is_held_and_the_last_one_can_be_had_back() -> None:
    talk = between_turns()
    view = talk.desk.view
    assert view is not None
    assert view.deal is not None
    talk.press("t")
    for card in view.deal.tricks[-1].cards:
        assert UNICODE.card(card) in text_of(talk)


def test_screens_33_the_bell_rings_once_a_turn_though_its_prompt_comes_again() -> None:
    for bell, expected in ((Bell.OFF, 0), (Bell.TURN, 1), (Bell.ALL, 1)):
        talk = sitting_down(LobbyDriver(turn_seconds=0), habits=Habits(bell=bell))
        prompt = next(message for message in talk.link.received if isinstance(message, m.Prompt))
        talk.desk.received(prompt, talk.driver.now)
        talk.desk.received(prompt, talk.driver.now)
        assert talk.rung == expected


def test_screens_35_who_finds_no_server_reads_what_may_be_in_the_way_and_what_to_type() -> None:
    desk = HomeDesk(name="Nour", version="1", glyphs=UNICODE)
    desk.tick(0)
    desk.tick(4)
    shown = "\n".join("".join(text for _style, text in row) for row in desk.rows(80, 23))
    assert "firewall" in shown
    assert "type the address" in " ".join(shown.split())
