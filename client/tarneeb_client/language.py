"""The language that the client speaks: one gettext catalogue for the whole program, English without one."""

from __future__ import annotations

import gettext
from pathlib import Path

DOMAIN = "tarneeb"
CATALOGUES = Path(__file__).with_name("locale")
LANGUAGES = ("en", "ar")
"""What there are catalogues of; English is what the program is written in."""

_catalogue = gettext.NullTranslations()


def use(language: str) -> None:
    """Speak ``language``, one of ``LANGUAGES``, from now on. Raises ``ValueError`` for any other."""
    global _catalogue  # noqa: PLW0603  (a process has one language, as gettext's own install has it)
    if language not in LANGUAGES:
        raise ValueError(f"the languages are {', '.join(LANGUAGES)}; there is no {language!r}")
    _catalogue = gettext.translation(DOMAIN, CATALOGUES, [language], fallback=True)


def _(message: str) -> str:
    """The message in the language in use."""
    return _catalogue.gettext(message)


def plural(one: str, many: str, number: int) -> str:
    """The form of the message that the language has for ``number``."""
    return _catalogue.ngettext(one, many, number)


def in_context(context: str, message: str) -> str:
    """The message in the language in use, where one word of English stands for several of another."""
    return _catalogue.pgettext(context, message)
