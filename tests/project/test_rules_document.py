"""The page of rules has every option and preset of the code."""

from __future__ import annotations

from support.rules_tables import RULES, with_tables


def test_the_tables_of_options_and_presets_are_those_of_the_code() -> None:
    document = RULES.read_text(encoding="utf-8")
    assert document.count("<!-- options: begin -->") == document.count("<!-- presets: end -->") == 1
    assert with_tables(document) == document, "run PYTHONPATH=tests python -m support.rules_tables"
