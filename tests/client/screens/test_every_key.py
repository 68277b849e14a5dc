"""Each key, pressed in each place that the table of keys gives it, does what its sentence says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.desk_scenes import (
    after_set,
    at_call,
    at_play,
    form,
    in_lobby,
    lost,
    pane,
    preselected,
    typing,
    waiting,
    watching,
)
from support.desk_talk import DeskTalk
from tarneeb_client.screens.input_line import Input
from tarneeb_client.screens.key_table import KEYS
from tarneeb_client.screens.keys import keys_of, spellings
from tarneeb_client.screens.places import Place
from tarneeb_engine.calls import Remark
from tarneeb_protocol import messages as m

SCENES: dict[Place, Callable[[], DeskTalk]] = {
    Place.LOBBY: lambda: in_lobby(24),
    Place.WAITING: waiting,
    Place.PLAY: at_play,
    Place.WATCHING: watching,
    Place.FORM: form,
    Place.PANE: lambda: pane("?", at_play()),
    Place.TYPING: lambda: typing("c-p", "he"),
    Place.LOST: lost,
}
"""A scene for each place of the desk. The first screen and recorded sets have tests of their own."""

PRESSED = [
    (key.action, place, name)
    for key in KEYS
    for place in sorted(key.places, key=lambda place: place.value)
    for name in key.keys
    if place in SCENES
]


def title(talk: DeskTalk) -> str:
    return talk.screen()[0].strip()


def chosen(talk: DeskTalk) -> int:
    number = talk.desk.lobby.chosen
    assert number is not None
    return [table.table for table in talk.desk.lobby.tables].index(number)


def _pick(talk: DeskTalk, name: str) -> None:
    talk, _friends = at_call()
    assert talk.desk.choice is not None
    before = talk.desk.choice
    talk.press(name)
    assert talk.desk.choice not in {before, None}
    talk.press({"left": "right", "right": "left"}[name])
    assert talk.desk.choice == before


def _enter(talk: DeskTalk, name: str) -> None:
    place = talk.desk.place
    sent = len(talk.link.received)
    if place is Place.WAITING:
        talk = after_set()
        talk.press(name)
        assert talk.desk.place is Place.PLAY, "the bots were ready: the next set begins"
        return
    talk.press(name)
    if place is Place.LOBBY:
        assert talk.desk.place is Place.WAITING
    elif place is Place.TYPING:
        assert talk.desk.place is not Place.TYPING
        assert talk.desk.moments.note, "he is no command, and that is said"
    else:
        assert len(talk.link.received) > sent


def _bot(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert talk.link.of_type(m.BotSeated)


def _move(talk: DeskTalk, name: str) -> None:
    before = chosen(talk)
    talk.press(name)
    assert chosen(talk) == (before + {"down": 1, "up": -1}[name]) % 24


def _page(talk: DeskTalk, name: str) -> None:
    talk.press("down", "down", "pagedown")
    assert chosen(talk) == 12
    talk.press(name)
    assert chosen(talk) == {"pagedown": 22, "pageup": 2}[name]


def _ends(talk: DeskTalk, name: str) -> None:
    talk.press("down", name)
    assert chosen(talk) == {"home": 0, "end": 23}[name]


def _seat(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert "Sit down at table 1" in title(talk)
    talk.press("right", "right", "enter")
    view = talk.desk.view
    assert view is not None
    assert view.seat is not None
    assert view.snapshot.seats[view.seat.partner()] is not None


def _fill(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert talk.desk.form is not None
    talk.press("enter")
    assert talk.desk.place is Place.PLAY


def _rules(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert title(talk) == "Rules"
    assert "rule 23" in "\n".join(talk.screen())


def _watch(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert talk.desk.place is Place.WATCHING


def _new(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert title(talk) == "A new table"


def _opens(expected: str) -> Callable[[DeskTalk, str], None]:
    def check(talk: DeskTalk, name: str) -> None:
        talk.press(name)
        assert title(talk) == expected
        talk.press("escape")

    return check


def _chat(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert talk.desk.line.use is Input.CHAT
    talk.type("b/t?r")
    talk.press("enter")
    said = talk.link.of_type(m.Said, m.LobbySaid)
    assert [message.text for message in said if isinstance(message, m.Said | m.LobbySaid)] == ["b/t?r"]


def _palette(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    talk.type("hel")
    assert "help [COMMAND]" in "\n".join(talk.screen())


def _scroll(talk: DeskTalk, name: str) -> None:
    if talk.desk.pane is not None:
        top = talk.screen(60, 10)[2]
        talk.press("pagedown")
        assert talk.screen(60, 10)[2] != top
        talk.press("pageup")
        assert talk.screen(60, 10)[2] == top
        return
    if talk.desk.place is not Place.PLAY:
        for number in range(4):
            talk.press("/")
            talk.type(f"line {number}")
            talk.press("enter")
    talk.press("pageup")
    below = talk.desk.log.below
    assert below > 0
    talk.press(name)
    assert (talk.desk.log.below > below) is (name == "pageup") or talk.desk.log.below in {0, below}


def _close(talk: DeskTalk, name: str) -> None:
    place = talk.desk.place
    if place is Place.PLAY:
        talk = preselected()
        before = talk.desk.acting.preselected
        talk.press(name)
        assert (before is None, talk.desk.acting.preselected) == (False, None)
        assert talk.desk.view is not None
    elif place is Place.WAITING:
        talk.press(name)
        assert talk.desk.place is Place.WAITING
    else:
        talk.press(name)
        assert talk.desk.place not in {Place.FORM, Place.PANE, Place.TYPING}
        assert talk.desk.text == ""


def _field(talk: DeskTalk, name: str) -> None:
    assert talk.desk.form is not None
    before = talk.desk.form.at
    talk.press(name)
    assert talk.desk.form.at == before + {"down": 1, "up": -1}[name]


def _turn(talk: DeskTalk, name: str) -> None:
    assert talk.desk.form is not None
    before = talk.desk.form.chosen.value
    talk.press(name)
    assert talk.desk.form.chosen.value != before


def _remark(talk: DeskTalk, name: str) -> None:
    talk, friends = at_call()
    talk.press(name)
    assert "r: helpful" in "\n".join(talk.screen())
    talk.press(name)
    assert "r: not helpful" in "\n".join(talk.screen())
    talk.press("enter")
    heard = [message for message in friends[0].received if isinstance(message, m.CallMade)][-1]
    assert heard.remark is Remark.NOT_HELPFUL


def _retry(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert talk.retried == 1


def _complete(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert talk.desk.text == "help "
    talk.press(name, name)
    assert talk.desk.text.split()[0] == "help"
    assert len(talk.desk.text.split()) == 2


def _recall(talk: DeskTalk, name: str) -> None:
    talk.press("c-c")
    for line in ("who", "score"):
        talk.press("c-p")
        talk.type(line)
        talk.press("enter", "escape")
    talk.press("c-p", "up")
    assert talk.desk.text == "score"
    talk.press("up", name)
    assert talk.desk.text == {"up": "who", "down": "score"}[name]


def _mouse(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert talk.desk.has_mouse
    assert "Shift" in "\n".join(talk.screen())
    talk.press(name)
    assert not talk.desk.has_mouse


def _redraw(talk: DeskTalk, name: str) -> None:
    before = talk.screen()
    talk.press(name)
    assert talk.screen() == before


def _interrupt(talk: DeskTalk, name: str) -> None:
    over = []
    for _press in range(2):
        talk.press(name)
        over.append(talk.desk.is_over)
        assert talk.desk.text == ""
    assert over == [False, True]
    assert not talk.desk.talk.has_quit, "the seat is held"


def _leave(talk: DeskTalk, name: str) -> None:
    was_at_table = talk.desk.view is not None
    is_lost = talk.desk.talk.seat_clock.lost is not None
    for _press in range(2 if was_at_table else 1):
        if talk.desk.view is not None or not was_at_table:
            talk.press(name)
    assert talk.desk.is_over is (is_lost or not was_at_table)
    assert talk.desk.view is None or is_lost


def _yes(talk: DeskTalk, name: str) -> None:
    talk.press(name)
    assert any("Nobody asks you for a yes now." in row for row in talk.screen())


EFFECTS: dict[str, Callable[[DeskTalk, str], None]] = {
    "pick": _pick,
    "enter": _enter,
    "bot": _bot,
    "move": _move,
    "page": _page,
    "ends": _ends,
    "seat": _seat,
    "fill": _fill,
    "rules": _rules,
    "watch": _watch,
    "new": _new,
    "yes": _yes,
    "tournament": _opens("tournaments"),
    "last": _opens("Last trick"),
    "scores": _opens("Scores"),
    "help": _opens("Keys"),
    "chat": _chat,
    "palette": _palette,
    "scroll": _scroll,
    "close": _close,
    "field": _field,
    "turn": _turn,
    "remark": _remark,
    "retry": _retry,
    "complete": _complete,
    "recall": _recall,
    "mouse": _mouse,
    "redraw": _redraw,
    "suspend": _redraw,
    "interrupt": _interrupt,
    "leave": _leave,
}


@pytest.mark.parametrize(
    ("action", "place", "name"), PRESSED, ids=lambda part: str(getattr(part, "value", part))
)
def test_a_key_does_in_its_place_what_it_says(action: str, place: Place, name: str) -> None:
    talk = SCENES[place]()
    assert talk.desk.place is place
    EFFECTS[action](talk, name)


@pytest.mark.parametrize("place", Place)
def test_no_two_keys_of_a_place_are_the_same_on_any_keyboard(place: Place) -> None:
    names = [spelling for key in keys_of(place) for name in key.keys for spelling in spellings(name)]
    assert len(names) == len(set(names))


def test_letters_of_an_arabic_keyboard_are_those_in_their_places() -> None:
    talk = at_play()
    talk.press("ف")
    assert title(talk) == "Last trick"
    talk.press("escape", "؟")
    assert title(talk) == "Keys"
    talk.press("escape", "ظ")
    assert talk.desk.line.use is Input.CHAT
