"""The named sets of rules that a table can be opened with: a file each, in the folder of this module.

A file is TOML: ``name`` and ``differs`` for people, and under ``[rules]`` the options that are not those of the
preset ``tarneeb``. Its name without ``.toml`` is the word of the preset on the wire, in the notation and in
what players type, and adding a file is all that a new preset takes. The files are read when this module is
imported: they are a part of the program, like its source.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from tarneeb_engine.ruleset import ENUM_OPTIONS, OPTIONS, SWITCHES, TARGETS, Ruleset

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DEFAULT = "tarneeb"
"""The preset of a table that names none."""
SUFFIX = ".toml"
LONGEST_TEXT = 400
"""Characters of ``name`` and of ``differs``: a paragraph of five lines."""
_WORD = re.compile(r"[a-z0-9][a-z0-9_]{0,23}")
_KEYS = ("name", "differs", "rules")


class VariantError(ValueError):
    """A file is not a variant. The text names the file, the field, what it says and what is accepted."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A named set of rules. ``word`` names it to programs, ``name`` to people; ``differs`` is a paragraph on
    how it is played. Both texts are English, as they are in the catalogue of translations.
    """

    word: str
    name: str
    differs: str
    rules: Ruleset


def read_variant(word: str, text: str) -> Variant:
    """The variant that the TOML in ``text`` describes. Raises ``VariantError``."""
    if _WORD.fullmatch(word) is None:
        raise VariantError(f"{word!a:.40} is not the name of a variant; accepted: up to 24 of a-z, 0-9 and _")
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise VariantError(f"{word}: this is not TOML: {wrong}") from wrong
    for key in found:
        if key not in _KEYS:
            raise VariantError(f"{word}: {key!a:.40} is not a field; accepted: {', '.join(_KEYS)}")
    texts = {}
    for key in ("name", "differs"):
        told = found.get(key)
        if not isinstance(told, str) or not 0 < len(told) <= LONGEST_TEXT or not told.isprintable():
            raise VariantError(f"{word}: {key} is a line of 1 to {LONGEST_TEXT} characters, not {told!a:.40}")
        texts[key] = told
    chosen = found.get("rules", {})
    if not isinstance(chosen, dict):
        raise VariantError(f"{word}: rules is a table of options, as [rules], not {chosen!a:.40}")
    return Variant(word, texts["name"], texts["differs"], rules_of(chosen, word))


def rules_of(chosen: dict[str, object], word: str) -> Ruleset:
    """The rules with ``chosen`` options, by field; the rest as in ``tarneeb``. Raises ``VariantError``."""
    values: dict[str, object] = {}
    for key, value in chosen.items():
        if key in ENUM_OPTIONS:
            accepted = {member.value: member for member in ENUM_OPTIONS[key]}
            if not isinstance(value, str) or value not in accepted:
                raise VariantError(f"{word}: {key} is one of {', '.join(accepted)}, not {value!a:.40}")
            values[key] = accepted[value]
        elif key in SWITCHES:
            if not isinstance(value, bool):
                raise VariantError(f"{word}: {key} is true or false, not {value!a:.40}")
            values[key] = value
        elif key == "target":
            if type(value) is not int or value not in TARGETS:
                raise VariantError(
                    f"{word}: target is one of {', '.join(map(str, TARGETS))}, not {value!a:.40}"
                )
            values[key] = value
        else:
            raise VariantError(f"{word}: {key!a:.40} is not an option; accepted: {', '.join(OPTIONS)}")
    return Ruleset(**values)  # type: ignore[arg-type]  # each was checked against its field above


def read_variants(folder: Traversable) -> dict[str, Variant]:
    """The variants of the TOML files in ``folder`` by word, ``tarneeb`` first and then in the order of words.

    Raises ``VariantError`` for a file that is not one, and ``OSError`` when it cannot be read.
    """
    found = []
    for file in folder.iterdir():
        if file.name.endswith(SUFFIX):
            try:
                text = file.read_text(encoding="utf-8")
            except UnicodeDecodeError as wrong:
                raise VariantError(f"{file.name}: this is not text in UTF-8: {wrong}") from wrong
            found.append(read_variant(file.name.removesuffix(SUFFIX), text))
    found.sort(key=lambda variant: (variant.word != DEFAULT, variant.word))
    return {variant.word: variant for variant in found}


VARIANTS: dict[str, Variant] = read_variants(files(__name__))
"""Every variant by its word, the default first."""
PRESETS: dict[str, Ruleset] = {word: variant.rules for word, variant in VARIANTS.items()}
"""The rules of each."""
