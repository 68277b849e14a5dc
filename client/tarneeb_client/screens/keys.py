"""Which key is meant, whatever keyboard it was pressed on, and what a place says of its keys."""

from __future__ import annotations

from collections.abc import Iterable

from tarneeb_client.language import _
from tarneeb_client.screens.key_table import KEYS, Key
from tarneeb_client.screens.places import Place

ARABIC_KEYBOARD = str.maketrans(
    "ضصثقفغعهخحشسيبلاتنمئءؤرﻻىةظ؟",
    "qwertyuiopasdfghjklzxcvbnm/?",
)
"""What the keys of an Arabic keyboard have on a Latin one; Arabic digits are read as digits anyway."""


def as_latin(text: str) -> str:
    """The text as it would be from a Latin keyboard; ``text`` itself when that changes nothing."""
    return text.translate(ARABIC_KEYBOARD)


def spellings(name: str) -> list[str]:
    """Every key that is the one called ``name``: itself, and for a letter the one in its place on an Arabic
    keyboard.
    """
    others = [chr(arabic) for arabic, latin in ARABIC_KEYBOARD.items() if chr(latin) == name]
    return [name, *others] if len(name) == 1 else [name]


def find_key(name: str, place: Place, *, has_input: bool) -> Key | None:
    """The key that prompt_toolkit's ``name`` is in a place, ``None`` where it is a character like any other."""
    names = {name, as_latin(name)}
    for key in KEYS:
        if place in key.places and names.intersection(key.keys):
            is_character = len(name) == 1 or name == "tab"
            return None if key.needs_empty_input and is_character and has_input else key
    return None


def keys_of(place: Place) -> Iterable[Key]:
    """The keys that mean something in a place."""
    return (key for key in KEYS if place in key.places)


def footer_of(place: Place) -> list[tuple[str, str, str]]:
    """Label, summary and name of the keys that a place's footer shows, in the language in use."""
    return [(_(key.label), _(key.summary), key.keys[-1]) for key in keys_of(place) if key.is_in_footer]


def help_of(place: Place) -> list[tuple[str, str]]:
    """Label and sentence of every key of a place, in the language in use."""
    return [(_(key.label), _(key.detail)) for key in keys_of(place)]
