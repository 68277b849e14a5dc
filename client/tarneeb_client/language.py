"""The language that the client speaks: one gettext catalogue for the whole program, English without one."""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Mapping
from pathlib import Path

DOMAIN = "tarneeb"
CATALOGUES = Path(__file__).with_name("locale")
LANGUAGES = ("en", "ar")
"""What there are catalogues of; English is what the program is written in."""
RIGHT_TO_LEFT = frozenset({"ar"})
"""Those that are written from right to left."""
LETTERS = {"ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئةى،؛؟"}
"""What an encoding must have to write it, for languages that not every encoding can."""
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Of the environment, the one that counts most first."""

_catalogue = gettext.NullTranslations()
_language = "en"


def use(language: str) -> None:
    """Speak ``language``, one of ``LANGUAGES``, from now on. Raises ``ValueError`` for any other."""
    global _catalogue, _language  # noqa: PLW0603  (a process has one language, as gettext's own install has it)
    if language not in LANGUAGES:
        raise ValueError(f"the languages are {', '.join(LANGUAGES)}; there is no {language!r}")
    _catalogue = gettext.translation(DOMAIN, CATALOGUES, [language], fallback=True)
    _language = language


def in_use() -> str:
    """The language in use, one of ``LANGUAGES``."""
    return _language


def of_environment(environment: Mapping[str, str]) -> tuple[str, str] | None:
    """The language that the environment asks for, and the variable that says so with its value; ``None`` where
    none of them names a language of this program.
    """
    for variable in VARIABLES:
        for wanted in environment.get(variable, "").split(":"):
            code = wanted.partition("_")[0].partition(".")[0].lower()
            code = "en" if code in {"c", "posix"} else code
            if code in LANGUAGES:
                return code, f"{variable}={wanted}"
    return None


def can_be_written(language: str, encoding: str) -> bool:
    """Whether an encoding has the letters of ``language``."""
    try:
        LETTERS.get(language, "").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _(message: str) -> str:
    """The message in the language in use."""
    return _catalogue.gettext(message)


def N_(message: str) -> str:  # noqa: N802  (gettext's own name for a message that is translated later)
    """The message itself; marks it for the catalogues."""
    return message


def plural(one: str, many: str, number: int) -> str:
    """The form of the message that the language has for ``number``."""
    return _catalogue.ngettext(one, many, number)


def in_context(context: str, message: str) -> str:
    """The message in the language in use, where one word of English stands for several of another."""
    return _catalogue.pgettext(context, message)


def listed(parts: Iterable[str]) -> str:
    """Several things one after the other: ``a, b, c``."""
    return _(", ").join(parts)


def alternatives(parts: Iterable[str]) -> str:
    """Several things of which one is meant: ``a or b``."""
    return _(" or ").join(parts)


def clauses(parts: Iterable[str]) -> str:
    """Several short sentences in one: ``a; b``."""
    return _("; ").join(parts)
