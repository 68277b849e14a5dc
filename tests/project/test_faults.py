"""Each fault that the design document lists has a test named after it, or a reason why it cannot arise."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
DESIGN = TESTS.parent / "docs" / "design.md"
IDENTIFIER = re.compile(r"\b[A-Z]\d\d\b")


def section() -> str:
    """The part of the design document on faults."""
    (found,) = re.findall(
        r"^## Faults of other servers\n(.*?)^## ", DESIGN.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return str(found)


def named_by_tests() -> set[str]:
    """Identifiers in names of tests: ``test_r15_r16_…`` is of two."""
    names: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for name in re.findall(r"def test_((?:[a-z]\d\d_)+)", path.read_text(encoding="utf-8")):
            names.update(name.upper().strip("_").split("_"))
    return names


def test_every_fault_has_a_test_named_after_it_or_cannot_arise() -> None:
    promised, _, excused = section().partition("Cannot arise here:")
    listed = IDENTIFIER.findall(promised)
    assert len(listed) > 90
    assert sorted(set(listed)) == sorted(listed), "each is listed once"
    reasons = set(re.findall(r"^\| ([A-Z]\d\d) \| .{20,} \|$", excused, re.MULTILINE))
    assert set(IDENTIFIER.findall(excused)) == reasons, "a reason is a row of the table"
    assert set(listed) - named_by_tests() - reasons == set(), "no test is named after these"
    assert reasons & named_by_tests() == set(), "these can arise, it seems: there are tests of them"
