"""What a player may be called."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.document import PROTOCOL_DOCUMENT, tables
from support.lobby_driver import LobbyDriver
from tarneeb_protocol import messages as wire
from tarneeb_protocol.confusables import PROTOTYPES
from tarneeb_protocol.player_names import ADDRESSED_WORDS, HOST_WORDS, player_name
from tarneeb_protocol.text import BadTextError

LOOKS_LIKE: dict[str, list[str]] = {}
"""The letters that are drawn like each of the Latin ones, of any script."""
for _code, _prototype in PROTOTYPES.items():
    if len(_prototype) == 1 and unicodedata.category(chr(_code))[0] == "L":
        LOOKS_LIKE.setdefault(_prototype, []).append(chr(_code))
ARABIC_FORMS = {"ي": "يیىې", "ك": "كک", "ه": "هةہە", "ا": "اأإآٱ"}
SIGNS = st.text(st.sampled_from("!#*<>[]().,:;-_~♠☆|'،؛؟ "), max_size=3)


def refusal(name: str) -> wire.Refused:
    driver = LobbyDriver()
    answer = driver.try_hello(name)
    assert isinstance(answer, wire.Refused), f"{name!a} was accepted"
    assert answer.code == "bad_name"
    assert len(driver.lobby.sessions) == 0
    return answer


@pytest.mark.parametrize(
    "name",
    [
        *("The server says", "The server", "Server says", "Host says", "System", "Moderator", "Bot Ali", "Bot"),
        *("You", "Your turn", "us", "them", "nobody", "server's", "server|", "|bot", "server2", "[HOST]"),
        *("TheServer", "theServer says"),
        *("H o s t", "b.o.t", "Ѕеrvеr", "Аdmin", "ΗOST", "Hοst", "ｓｅｒｖｅｒ", "Sérver", "Ꮋost", "𝐁𝐨𝐭"),
        *("الخادم", "الخادم يقول", "السيرفر", "السیرفر", "المضيف", "المضیف", "النظام", "النِّظام", "الخـــادم"),
        *("المشرف علي", "الإدارة", "الاداره", "بوت علي", "أنت", "انت", "دورك", "نحن", "ا ل خ ا د م"),
    ],
)
@pytest.mark.proves("N-3")
def test_u03_nobody_speaks_for_the_server_or_its_bots_or_is_called_as_the_reader_is(
    name: str,
) -> None:
    assert "reserved" in refusal(name).message


@pytest.mark.parametrize("name", ["!", "♠♥♦♣", "...", "🦊", "<>", "؟", "- -"])
@pytest.mark.proves("N-3")
def test_a_name_has_a_letter_or_a_digit(name: str) -> None:
    assert "at least one letter or digit" in refusal(name).message


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Observer",
            "Botros",
            "Hosta",
            "Yousef",
            "Meg",
            "Usama",
            "Themis",
            "Ghost",
            "Systema",
            "7",
            "Ali!",
            "🦊 Nour",
        ),
        *(
            "نظام الدين",
            "خادم الحسين",
            "عبد الهادي",
            "أنور",
            "همام",
            "ليلى",
            "مضيفة",
            "Ольга",
            "Νίκος",
            "王",
            "ทิว",
        ),
    ],
)
def test_honest_names_that_begin_or_end_like_a_reserved_word_are_accepted(name: str) -> None:
    assert LobbyDriver().hello(name).name == name


@given(st.sampled_from(HOST_WORDS), SIGNS, SIGNS, st.randoms(use_true_random=False))
@pytest.mark.proves("N-3", "X-4")
def test_u03_a_reserved_word_is_found_in_letters_of_any_script_that_look_like_it(
    word: str, before: str, after: str, chance: random.Random
) -> None:
    forged = "".join(
        chance.choice([letter, *LOOKS_LIKE.get(letter, ()), *ARABIC_FORMS.get(letter, "")]) for letter in word
    )
    try:
        player_name(f"{before}{forged}{after}")
    except BadTextError:
        return
    raise AssertionError(f"{before}{forged}{after}".encode("unicode_escape").decode())


@given(st.text(st.sampled_from("abemnoruyABEMNORUY فاطمةنورعلي"), min_size=1, max_size=20))
def test_a_name_of_other_words_is_accepted_as_it_is(text: str) -> None:
    words = text.split()
    assume(words)
    assume(all(len(word) > 1 for word in words))
    reserved = {word.casefold() for word in (*HOST_WORDS, *ADDRESSED_WORDS)}
    assume(not any(part in text.casefold() for part in reserved))
    assert player_name(" ".join(words)) == " ".join(words)


def test_the_reserved_words_are_those_of_the_document() -> None:
    (table,) = [
        table
        for table in tables(PROTOCOL_DOCUMENT.read_text(encoding="utf-8"))
        if table.heading == "Names" and table.columns[0] == "reserved"
    ]
    assert [row[1].split(", ") for row in table.rows] == [list(HOST_WORDS), list(ADDRESSED_WORDS)]
