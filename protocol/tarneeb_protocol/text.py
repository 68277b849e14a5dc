"""What names and chat may hold, and how hostile text is made harmless (``docs/protocol.md``, "Text").

Text is accepted or refused as a whole: apart from Unicode normalisation (NFC), spaces, variation selectors and
the joiners inside an emoji sequence, nothing is silently taken out of it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from tarneeb_protocol.messages import MAX_CHAT_CHARS

MAX_COMBINING_RUN: Final = 4
"""Combining marks on one character. Vocalised Arabic needs 2, Vietnamese and Thai 2; a tower of them hides the
lines above and below."""

_ZERO_WIDTH_JOINER = "\u200d"
# One to four columns that show nothing, though Unicode counts them as letters, marks or symbols.
# U+FFFC stands for an object that is not there, U+1D159 is a note head without ink.
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc"
    "\U00013441\U00013442\U00016fe4\U0001d159"
)
# VS1-VS16 choose between the text and the emoji form of the character before.
_VARIATION_SELECTORS: Final = re.compile("[\ufe00-\ufe0f]")
_SUPPLEMENTARY_SELECTORS: Final = range(0xE0100, 0xE01F0)
_REFUSED_CATEGORIES: Final = {
    "Cc": "a control character",
    "Cf": "an invisible format character",
    "Cs": "half of a surrogate pair",
    "Co": "a private-use character",
    "Cn": "a character that Unicode does not define",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}
_ACCEPTED = "letters, digits, punctuation, symbols, emoji and single spaces are accepted"


class BadTextError(ValueError):
    """A name or a chat line is refused; the text of the exception may be shown to whoever sent it."""


def clean_name(text: str, max_chars: int) -> str:
    """The name as it is kept and shown: NFC, no space around it and single spaces inside.

    ``max_chars`` counts code points after that. Raises ``BadTextError``.
    """
    return _clean(text, max_chars, "a name")


def clean_chat(text: str) -> str:
    """The chat line as it is passed on, cleaned as names are. Raises ``BadTextError``."""
    return _clean(text, MAX_CHAT_CHARS, "a chat line")


def _clean(text: str, max_chars: int, what: str) -> str:
    if not (text.isascii() and text.isprintable()):
        _refuse_surrogates(text, what)
        text = unicodedata.normalize("NFC", _part_emoji(_VARIATION_SELECTORS.sub("", text)))
        _check_characters(text, what)
    text = " ".join(text.split())
    if not text:
        raise BadTextError(f"{what} has at least one character that can be seen")
    if len(text) > max_chars:
        raise BadTextError(f"{what} has at most {max_chars} characters; this one has {len(text)}")
    if unicodedata.category(text[0])[0] == "M":
        raise BadTextError(f"{what} does not begin with a combining mark")
    return text


def _refuse_surrogates(text: str, what: str) -> None:
    # Before NFC, which is not defined for them.
    for character in text:
        if "\ud800" <= character <= "\udfff":
            raise BadTextError(f"{what} holds half of a surrogate pair; {_ACCEPTED}")


def _part_emoji(text: str) -> str:
    """Emoji joined by U+200D come apart into the emoji they are made of: terminals do not agree how wide the
    joined one is, and a joiner kept would be invisible.
    """
    if _ZERO_WIDTH_JOINER not in text:
        return text
    kept = []
    for at, character in enumerate(text):
        between_symbols = (
            character == _ZERO_WIDTH_JOINER
            and 0 < at < len(text) - 1
            and unicodedata.category(text[at - 1]) in {"So", "Sk"}
            and unicodedata.category(text[at + 1]) == "So"
        )
        if not between_symbols:
            kept.append(character)
    return "".join(kept)


def _check_characters(text: str, what: str) -> None:
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if category in _REFUSED_CATEGORIES or _is_invisible(character):
            said = _REFUSED_CATEGORIES.get(category, "an invisible character")
            raise BadTextError(f"{what} holds {said}, U+{ord(character):04X}; {_ACCEPTED}")
        marks = marks + 1 if category[0] == "M" else 0
        if marks > MAX_COMBINING_RUN:
            raise BadTextError(f"{what} has more than {MAX_COMBINING_RUN} combining marks on one character")


def _is_invisible(character: str) -> bool:
    return character in _INVISIBLE or ord(character) in _SUPPLEMENTARY_SELECTORS


# ---------------------------------------------------------------- for the terminal

_CONTROL_PICTURES: Final = 0x2400
_REPLACEMENT: Final = "\ufffd"
_UNSAFE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def harmless(text: str) -> str:
    """The text with every character that could command or confuse a terminal replaced by one that is seen.

    Controls become their pictures (ESC is ␛); 8-bit controls, surrogates, private use, line separators, bidi
    and all other invisible characters become U+FFFD, and so does each combining mark beyond four on one
    character or with none to stand on. The result has as many characters as ``text`` and is a fixed point.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = []
    marks = MAX_COMBINING_RUN  # a mark at the very start would land on whatever is to the left
    for character in text:
        category = unicodedata.category(character)
        if category[0] == "M":
            marks += 1
            unsafe = marks > MAX_COMBINING_RUN
        else:
            marks = 0
            unsafe = category in _UNSAFE_CATEGORIES
        if not unsafe and not _is_invisible(character):
            shown.append(character)
            continue
        code = ord(character)
        if code < 0x20:
            shown.append(chr(_CONTROL_PICTURES + code))
        elif code == 0x7F:
            shown.append("\u2421")
        else:
            shown.append(_REPLACEMENT)
            marks = 0
    return "".join(shown)
