"""Text in cells: whatever the language, it takes just the room that it is given."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.right_to_left import is_right_to_left
from tarneeb_client.screens.cells import clip, fit, width, wrap
from tarneeb_client.screens.rows import apart, fitted, plain, row_width
from tarneeb_protocol.text import harmless

TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="ab ليلى中文字🂡é́ ٣", max_size=40),
).map(harmless)
"""Any text as it reaches the screen."""


@given(TEXTS, st.integers(0, 60), st.sampled_from("<^>"))
def test_a_fitted_text_takes_exactly_its_cells(text: str, cells: int, align: str) -> None:
    assert width(fit(text, cells, align=align)) == cells


@given(TEXTS, st.integers(1, 60))
def test_a_clipped_text_is_a_beginning_of_it_or_ends_in_an_ellipsis(text: str, cells: int) -> None:
    clipped = clip(text, cells)
    assert width(clipped) <= cells
    assert clipped == text or (clipped.endswith("…") and text.startswith(clipped[:-1]))


@given(TEXTS, st.integers(6, 60))
def test_u10_wrapped_lines_fit_and_hold_every_character(text: str, cells: int) -> None:
    lines = wrap(text, cells, indent="  ")
    assert all(width(line) <= cells for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.lists(st.tuples(st.sampled_from(["", "class:quiet"]), TEXTS), max_size=5), st.integers(0, 80))
def test_a_fitted_row_takes_exactly_its_cells(row: list[tuple[str, str]], cells: int) -> None:
    assert row_width(fitted(row, cells)) == cells
    assert row_width(apart(row, [("", "right")], cells)) == cells


def test_two_ends_of_a_row_keep_the_right_one_whole() -> None:
    row = apart([("", "a long title that does not fit")], [("", "score 1")], 20)
    assert plain(row).endswith("score 1")


def test_arabic_and_hebrew_are_written_from_right_to_left_and_nothing_else_here() -> None:
    assert is_right_to_left("ليلى")
    assert is_right_to_left("Nour ليلى")
    assert is_right_to_left("שלום")
    assert not is_right_to_left("Nour 中 ١٢٣ é")
