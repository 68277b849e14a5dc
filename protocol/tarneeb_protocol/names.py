"""Which names are the same to a reader (``docs/protocol.md``, "Names that count as the same").

Three questions, because no single form answers them: Greek ``Ν`` is drawn as ``N``, but in lower case as ``v``.
So names are compared by how they are spelled, whatever the case, by how they are drawn as they were typed, and
by how they are drawn in capitals. (IRC's Ergo asks the first two, with the skeleton of UTS 39.)
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from tarneeb_protocol.confusables import PROTOTYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ARABIC_DOTS: Final = "\u06db\u0615"
# Three dots and the small tah tell letters apart in UTS 39's table: sheen is seen with dots.

ONE_LETTER: Final = str.maketrans(
    # How one letter is written in Arabic, Farsi, Urdu and Kurdish, and teh marbuta where many write heh
    "ىیۍېکڪةہھەۃۀۂٱٲٳı",
    "ييييككهههههههاااi",
    # Tatweel only lengthens a word; high hamza is a hamza above that stands alone
    "\u0640\u0674",
)


class NameKeys(NamedTuple):
    """Names that agree in one of them, or more, are the same to a reader."""

    spelling: str
    shape: str
    capitals: str

    def agree(self, other: NameKeys) -> bool:
        """Whether the names with these keys are the same to a reader."""
        return any(ours == theirs for ours, theirs in zip(self, other, strict=True))


def name_keys(name: str) -> NameKeys:
    """How a name is spelled, drawn, and drawn in capitals. Takes any text."""
    text = plain(name)
    return NameKeys(_settled(text, _folded), _settled(text, _drawn), _settled(text, _drawn_in_capitals))


def are_alike(one: str, other: str) -> bool:
    """Whether a reader would take two names for the same."""
    return name_keys(one).agree(name_keys(other))


class ReservedWords:
    """Words that no name may hold, and what no name may be as a whole, however they are written.

    A word is a run of letters, marks and digits, or of letters and marks alone; letters that stand apart, as in
    ``H o s t``, are a word together, a capital after a small letter begins one, and signs may end one.
    """

    def __init__(self, words: Iterable[str], wholes: Iterable[str]) -> None:
        self._words = [(word, name_keys(word)) for word in words]
        self._wholes = [(whole, name_keys(whole)) for whole in wholes]

    def found_in(self, name: str) -> str | None:
        """The reserved word that ``name`` holds or is, as it is written in the list; ``None`` if none is."""
        keys = name_keys(name)
        for whole, theirs in self._wholes:
            if keys.agree(theirs):
                return whole
        # Signs can be drawn like letters: an upright line at the end of a word must not hide it.
        seen = (keys, name_keys(_CAPITAL_AFTER_SMALL.sub(" ", name)), name_keys(_only(name, "LMN")))
        held = [set[str]().union(*map(_words, same)) for same in zip(*seen, strict=True)]
        for word, theirs in self._words:
            if any(key in words for key, words in zip(theirs, held, strict=True)):
                return word
        return None


def has_letter_or_digit(name: str) -> bool:
    """Whether a letter or a number of any script stands in it; signs and emoji alone name nobody."""
    return any(unicodedata.category(character)[0] in "LN" for character in name)


_CAPITAL_AFTER_SMALL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _words(key: str) -> set[str]:
    runs = _runs(key, "LMN")
    found = {*runs, *_runs(key, "LM")}
    apart = ""
    for run in [*runs, "  "]:
        if len(run) == 1:
            apart += run
        else:
            found.add(apart)
            apart = ""
    return found - {""}


def _runs(key: str, categories: str) -> list[str]:
    return _only(key, categories).split()


def _only(text: str, categories: str) -> str:
    """With a space for each character of other categories."""
    return "".join(character if unicodedata.category(character)[0] in categories else " " for character in text)


class ReservedNames:
    """Names that nobody is given, nor one that a reader would take for one of them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._keys = [name_keys(name) for name in names]

    def has(self, keys: NameKeys) -> bool:
        """Whether a name with these keys is one of them."""
        return any(keys.agree(reserved) for reserved in self._keys)


def plain(text: str) -> str:
    """The text without accents, vowel signs and the forms that one letter has; compatibility forms (NFKD) are
    replaced, spaces around it and doubled ones are gone.
    """
    apart = unicodedata.normalize("NFKD", text)
    kept = "".join(character for character in apart if not _is_accent(character))
    return " ".join(kept.translate(ONE_LETTER).split())


def _is_accent(character: str) -> bool:
    """Signs over, under and through a letter. What makes another letter of it in the scripts of India, Japan
    and South-East Asia has other combining classes, and stays.
    """
    order = unicodedata.combining(character)
    return (order == 1 or 10 <= order <= 36 or order >= 200) and character not in _ARABIC_DOTS


def _settled(text: str, step: Callable[[str], str]) -> str:
    """The text after as many steps as change it; a test shows that every character comes to rest."""
    while (after := step(text)) != text:
        text = after
    return text


def _folded(text: str) -> str:
    return plain("".join(map(_digit, text.casefold())))


def _digit(character: str) -> str:
    number = unicodedata.decimal(character, None)
    return character if number is None else str(number)


def _drawn(text: str) -> str:
    # As typed first, for capitals are drawn in their own way; then whatever lower case still changes.
    return plain(plain(text.translate(PROTOTYPES)).casefold())


def _drawn_in_capitals(text: str) -> str:
    # Capitals have no l: what is drawn like one is drawn like a capital I.
    return plain(plain(text.upper()).translate(PROTOTYPES).replace("l", "i").casefold())
