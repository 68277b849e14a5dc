"""Passwords: comparing, and what the journal has of them."""

from __future__ import annotations

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tarneeb_server.passwords import Password, PasswordHash, TablePassword, restored_password

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=20)
SECRET = "open sesame"


@given(ANY_TEXT.filter(bool), ANY_TEXT)
@example("a", "a\0")
@example("ab", "a")
def test_a_password_is_the_one_that_was_chosen_and_no_other(chosen: str, given_text: str) -> None:
    password = Password(chosen)
    assert password.is_(chosen)
    assert password.is_(given_text) == (given_text == chosen)
    assert not password.is_(None)
    assert not password.is_("")


@given(ANY_TEXT.filter(bool), ANY_TEXT)
@settings(max_examples=15, deadline=None)  # each example makes hashes that are slow on purpose
def test_a_tables_password_is_known_again_from_its_hash(chosen: str, given_text: str) -> None:
    kept = TablePassword.chosen(chosen).kept
    again = restored_password(msgspec.json.decode(msgspec.json.encode(kept), type=PasswordHash))
    for _ in range(2):  # by the hash, then by what was given
        assert again.is_(given_text) == (given_text == chosen)
        assert not again.is_(None)
        assert again.is_(chosen)


def test_two_tables_with_one_password_have_hashes_that_differ() -> None:
    one, other = (TablePassword.chosen(SECRET).kept for _ in range(2))
    assert one != other
    assert one.is_of(SECRET)
    assert other.is_of(SECRET)


def test_nothing_that_may_be_printed_holds_a_password_or_its_hash() -> None:
    table = TablePassword.chosen(SECRET)
    for thing in (Password(SECRET), table, table.kept):
        assert repr(thing) == f"<{type(thing).__name__}>"
        assert str(thing) == repr(thing)
