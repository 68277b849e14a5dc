"""A whole set in lines of Arabic, typed in Arabic, as a screen reader would say it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest

from support.lobby_driver import LobbyDriver
from support.spoken import spoken
from support.table_talk import TableTalk, is_prompted, solo
from tarneeb_client.commands import COMMANDS
from tarneeb_client.wording.cards import rank_name, suit_name
from tarneeb_engine.calls import CallKind
from tarneeb_protocol import messages as m

NAMES = frozenset({"Nour", "Friends", "Bot", "Amal", "Badr", "Dana", "Fares"})
RANKS = frozenset("AKQJ")
"""Said by their letters in the line of a hand, as they stand on the cards."""
ASKED = ("help", "tables", "hand", "table", "last", "score", "who", "rules")
STEPS = 20_000
"""Half seconds after which a set should be over."""
ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


@pytest.fixture(autouse=True)
def arabic() -> Iterator[None]:
    with spoken("ar"):
        yield


def act_in_arabic(talk: TableTalk, rng: random.Random) -> None:
    """Type one of the actions of the prompt in Arabic alone."""
    view = talk.conversation.view
    assert view is not None
    assert view.prompt is not None
    action = rng.choice(view.prompt.actions)
    match action:
        case m.CutAction():
            talk.type(str(action.at).translate(ARABIC_DIGITS))
        case m.CallAction() if action.tricks is not None:
            talk.type(str(action.tricks).translate(ARABIC_DIGITS))
        case m.CallAction():
            talk.type("باص" if action.call is CallKind.PASS else "بالدق")
        case m.TrumpAction():
            talk.type(suit_name(action.suit))
        case m.PlayAction():
            article = rng.choice(("", "ال"))
            talk.type(f"{rank_name(action.card.rank)} {article}{suit_name(action.card.suit)}")
        case _:
            raise AssertionError(action)


@cache
def a_set() -> tuple[str, ...]:
    """All that is printed of a set, with every question asked once in its middle."""
    talk = solo(LobbyDriver(turn_seconds=0))
    rng = random.Random(11)
    acted = 0
    for _step in range(STEPS):
        talk.driver.advance(0.5)
        talk.settle()
        if talk.link.of_type(m.SetWon):
            return tuple(talk.printed)
        if not is_prompted(talk):
            continue
        act_in_arabic(talk, rng)
        assert not [line for line in talk.printed if line.startswith("!")], talk.printed[-1]
        acted += 1
        if acted == 9:
            talk.type(*ASKED)
    raise AssertionError("the set does not end")


def test_a_set_is_typed_and_told_in_arabic_without_an_english_word() -> None:
    typed = {word for command in COMMANDS for word in re.findall("[A-Za-z]+", command.usage)}
    told = a_set()
    assert len(told) > 200
    left = {word for line in told for word in re.findall("[A-Za-z_]+", line)} - typed - NAMES - RANKS
    assert left == set()


def test_a_set_in_lines_has_no_sign_that_a_screen_reader_leaves_out_or_spells() -> None:
    signs = {sign for line in a_set() for sign in re.sub(r"[\w\s]", "", line)}
    vowels = {sign for sign in signs if "\u064b" <= sign <= "\u0652"}
    # Brackets and the bar stand in the forms of commands that help lists.
    assert signs - vowels <= set(".,:;!()-+/[]|=،؛؟")
    assert not [line for line in a_set() if "\n" in line or not line.strip()]


def test_every_command_is_explained_in_arabic() -> None:
    talk = TableTalk(LobbyDriver(), "Nour")
    for command in COMMANDS:
        usage, *rest = talk.type(f"help {command.name}")
        for line in (usage, *rest):
            assert re.search("[\u0621-\u064a]", line), line


@pytest.mark.parametrize(
    "typed", ["foo", "play zz", "join 99", "open", "bid x", "say", "open X target=y", "play ٩٩", "trump قلب"]
)
def test_what_cannot_be_done_is_told_in_arabic(typed: str) -> None:
    (line,) = TableTalk(LobbyDriver(), "Nour").type(typed)[-1:]
    assert line.startswith("! ")
    assert re.search("[\u0621-\u064a]", line)
