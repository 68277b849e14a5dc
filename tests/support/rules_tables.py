"""The tables of options and presets in ``docs/rules.md``, made from the code.

``PYTHONPATH=tests python -m support.rules_tables`` writes them; a test compares.
"""

from __future__ import annotations

from pathlib import Path

from tarneeb_engine.ruleset import ENUM_OPTIONS, OPTIONS, SWITCHES, TARGETS, Ruleset
from tarneeb_engine.variants import VARIANTS

RULES = Path(__file__).parents[2] / "docs" / "rules.md"
NUMBERS = {
    "auction": "8, 10, 27",
    "four_passes": "12",
    "thirteen": "11, 20, 22",
    "target": "23",
    "dealing": "7",
    "partner_hints": "13",
    "lead_tarneeb": "15",
    "suit_bids": "24, 25",
    "double": "26",
}
"""The rules that each option is about."""


def options_table() -> str:
    """Every option, its values, and which each preset has."""
    words = list(VARIANTS)
    head = ["field", "values", *(f"`{word}`" for word in words), "rules"]
    rows = [head, ["---"] * len(head)]
    for name in OPTIONS:
        presets = [_value(getattr(VARIANTS[word].rules, name)) for word in words]
        rows.append([f"`{name}`", _values(name), *presets, NUMBERS[name]])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def presets_table() -> str:
    """Every preset and how it is played."""
    rows = "".join(f"| `{word}` | {each.name} | {each.differs} |\n" for word, each in VARIANTS.items())
    return f"| preset | name | how it is played |\n|---|---|---|\n{rows}"


def _values(name: str) -> str:
    if name in SWITCHES:
        return "yes, no"
    if name in ENUM_OPTIONS:
        return ", ".join(f"`{member.value}`" for member in ENUM_OPTIONS[name])
    return ", ".join(map(str, TARGETS))


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"`{value}`" if isinstance(value, str) else str(value)


def with_tables(document: str) -> str:
    """The document with both tables as they should be."""
    for name, table in (("options", options_table()), ("presets", presets_table())):
        before, begin, rest = document.partition(f"<!-- {name}: begin -->\n\n")
        _old, end, after = rest.partition(f"\n<!-- {name}: end -->")
        document = before + begin + table + end + after
    return document


def main() -> None:
    """Write the tables."""
    RULES.write_text(with_tables(RULES.read_text(encoding="utf-8")), encoding="utf-8")


assert NUMBERS.keys() == set(Ruleset.__dataclass_fields__)

if __name__ == "__main__":
    main()
