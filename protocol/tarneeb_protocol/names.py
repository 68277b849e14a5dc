"""Which names are the same to a reader (``docs/protocol.md``, "Names that count as the same").

Three questions, because no single form answers them: Greek ``Ν`` is drawn as ``N``, but in lower case as ``v``.
So names are compared by how they are spelled, whatever the case, by how they are drawn as they were typed, and
by how they are drawn in capitals. (IRC's Ergo asks the first two, with the skeleton of UTS 39.)
"""

from __future__ import annotations

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
