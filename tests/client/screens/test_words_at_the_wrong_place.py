"""Commands where one chats, words where one acts: nothing is said or done that was not meant."""

from __future__ import annotations

import pytest

from support.desk_scenes import in_lobby
from support.desk_talk import DeskTalk, sitting_down
from support.lobby_driver import LobbyDriver
from tarneeb_client.habits import Habits
from tarneeb_client.screens.input_line import Input
from tarneeb_client.screens.places import Place
from tarneeb_protocol import messages as m


def sent(talk: DeskTalk) -> list[m.Request]:
    """Every request from now on, as it is sent."""
    requests: list[m.Request] = []
    post = talk.desk.talk._link.post

    def note(request: m.Request) -> int:
        requests.append(request)
        return post(request)

    talk.post = note  # type: ignore[method-assign]  # only to look at what passes
    return requests


def of_kind(requests: list[m.Request], *kinds: type[m.Request]) -> list[m.Request]:
    return [request for request in requests if isinstance(request, kinds)]


@pytest.mark.parametrize("typed", ["/tables", "/join 1", "/help", "/who"])
def test_a_command_typed_as_in_chat_programs_is_not_said_but_carried_out_with_another_enter(typed: str) -> None:
    talk = in_lobby()
    requests = sent(talk)
    talk.type(typed)
    talk.press("enter")
    assert of_kind(requests, m.Chat, m.Join) == []
    assert talk.desk.line.use is Input.COMMAND
    assert talk.desk.text == typed[1:]
    assert any("Not said: this is a command." in row for row in talk.screen())
    talk.press("enter")
    assert of_kind(requests, m.Chat) == []
    assert (talk.desk.view is not None) is (typed == "/join 1")


def test_such_a_command_can_be_dropped() -> None:
    talk = in_lobby()
    requests = sent(talk)
    talk.type("/join 1")
    talk.press("enter", "escape", "escape")
    assert talk.desk.place is Place.LOBBY
    assert of_kind(requests, m.Chat, m.Join) == []


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("/yalla ya shabab", "yalla ya shabab"),
        ("//join 1", "/join 1"),
        ("//shrug", "/shrug"),
        ("\tjoin us", "join us"),
        ("\t//join 1", "/join 1"),
        ("\thello", "hello"),
    ],
)
def test_everything_else_is_said_as_it_was_typed(keys: str, said: str) -> None:
    talk = in_lobby()
    requests = sent(talk)
    talk.press(*("tab" if key == "\t" else key for key in keys), "enter")
    (chat,) = of_kind(requests, m.Chat, m.Join)
    assert isinstance(chat, m.Chat)
    assert chat.text == said


def test_a_slash_before_what_is_no_command_is_told_of_and_the_line_is_kept() -> None:
    talk = in_lobby()
    requests = sent(talk)
    talk.press("tab", *"/shrug", "enter")
    assert of_kind(requests, m.Chat) == []
    assert talk.desk.text == "/shrug"
    assert "is not a command" in talk.desk.moments.note


def test_at_the_table_a_hand_is_not_said_to_all_by_a_slip() -> None:
    talk = sitting_down(LobbyDriver(turn_seconds=0))
    requests = sent(talk)
    talk.type("/hand")
    talk.press("enter")
    assert of_kind(requests, m.Chat) == []
    talk.press("enter")
    assert talk.desk.pane is not None


def test_b_in_the_lobby_asks_before_anybody_sits_down_and_esc_goes_back() -> None:
    talk = in_lobby()
    requests = sent(talk)
    talk.press("b")
    assert talk.desk.place is Place.FORM
    talk.press("escape")
    assert of_kind(requests, m.Join, m.AddBot) == []
    talk.press("b", "enter")
    assert len(of_kind(requests, m.Join)) == 1
    assert talk.desk.view is not None


@pytest.mark.parametrize("habits", [Habits(), Habits(one_key=True)], ids=["enter", "one key"])
@pytest.mark.parametrize("typed", ["tarneeb 9", "nine", "9 tarneeb", "x20", "20x", "2 0 0", "cut", "tarneeb"])
def test_words_typed_at_the_cut_never_act(typed: str, habits: Habits) -> None:
    talk = None
    for seed in range(1, 40):
        talk = sitting_down(LobbyDriver(turn_seconds=0, seed_for_tests=seed), habits=habits)
        talk.wait(5)
        prompt = None if talk.desk.view is None else talk.desk.view.prompt
        if prompt is not None and isinstance(prompt.actions[0], m.CutAction):
            break
    assert talk is not None
    requests = sent(talk)
    talk.type(typed)
    talk.press("enter")
    assert of_kind(requests, m.Act) == []
