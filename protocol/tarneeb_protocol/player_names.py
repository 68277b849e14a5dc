"""What a player may be called: a name that no line of the host's, the server's or the program's begins with."""

from __future__ import annotations

from typing import Final

from tarneeb_protocol.messages import MAX_NAME_CHARS
from tarneeb_protocol.names import ReservedWords, has_letter_or_digit
from tarneeb_protocol.text import BadTextError, clean_name

# With the article where the bare word is a name, as Nizam is, or part of many, as in Khadim al-Husayn.
HOST_WORDS: Final = (
    *("server", "theserver", "host", "thehost", "admin", "administrator", "moderator", "system", "bot"),
    *("السيرفر", "سيرفر", "الخادم", "المضيف", "النظام", "المشرف", "الأدمن", "أدمن", "الإدارة", "البوت", "بوت"),
)
"""Words by which a name would speak for the server, its host or its bots; each as a word anywhere in it."""
ADDRESSED_WORDS: Final = (
    *("you", "your", "your turn", "yourself", "me", "us", "we", "they", "them", "nobody"),
    *("أنت", "أنتم", "أنا", "نحن", "هم", "دورك", "لا أحد", "خادم", "مضيف", "نظام"),
)
"""What the program calls the one who reads it, or others: no whole name."""
_RESERVED: Final = ReservedWords(HOST_WORDS, ADDRESSED_WORDS)


def player_name(text: str) -> str:
    """The name, cleaned. Raises ``BadTextError`` with what was wrong and what is reserved."""
    name = clean_name(text, MAX_NAME_CHARS)
    if not has_letter_or_digit(name):
        raise BadTextError("a name has at least one letter or digit, of any script")
    reserved = _RESERVED.found_in(name)
    if reserved is not None:
        raise BadTextError(
            f'"{reserved}" is reserved, however it is written: a name holds no word for the server, its host or'
            " its bots, and is not only a word for whoever reads it, as you; any other name is accepted"
        )
    return name
