"""A person's preferences: what the file may hold, and how it is changed."""

from __future__ import annotations

import getpass
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.preferences import Preferences, load, preferences_table, read_preferences
from tarneeb_client.preferences_file import CannotSave, preferences_path, save
from tarneeb_client.screens.settings_form import changed_settings, settings_form
from tarneeb_client.start import own_name


def test_an_empty_file_is_the_defaults() -> None:
    assert read_preferences("") == (Preferences(), [])


def test_every_preference_can_be_set_to_each_of_its_options() -> None:
    for name, preference, default in preferences_table():
        for option in preference.options:
            text = option if isinstance(default, bool) else f'"{option}"'
            chosen, problems = read_preferences(f"{name} = {text}\n")
            assert problems == []
            assert str(getattr(chosen, name)).lower() == option


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("colour = 1", "there is no “colour”; there are name,"),
        ("bell = 3", "bell: a text in quotes is accepted"),
        ('bell = "loud"', "bell: one of off, turn, all is accepted, not “loud”"),
        ("mouse = 1", "mouse: true or false is accepted"),
        ('name = "\\u202e"', "name: a name holds"),
        ("[colours]\nturn = 5", "colours: turn is a style"),
        ('[colours]\nturn = "fg:nocolour"', "colours: turn is a style"),
        ('[colours]\nborder = "bold"', "colours: there is no “border”"),
        ('colours = "red"', "colours: a table"),
        ("= 3", "it is no TOML"),
    ],
)
def test_what_is_not_accepted_is_told_and_the_default_is_used(line: str, said: str) -> None:
    chosen, problems = read_preferences(line)
    assert chosen == Preferences()
    assert len(problems) == 1
    assert said in problems[0]


def test_one_fault_leaves_the_other_preferences_as_they_are_set() -> None:
    chosen, problems = read_preferences('bell = "all"\ndeck = "five"\n[colours]\nturn = "bold fg:ansired"\n')
    assert (chosen.bell, chosen.deck, dict(chosen.colours)) == ("all", "four", {"turn": "bold fg:ansired"})
    assert len(problems) == 1


@given(st.binary(max_size=200))
def test_no_bytes_in_the_file_break_the_program(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(content)
    chosen, problems = load(path)
    assert isinstance(chosen, Preferences)
    assert all(problem.isprintable() for problem in problems)


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text("# " + "x" * 70_000 + '\nbell = "all"\n')
    assert load(path) == (Preferences(), ["it is longer than 65536 bytes"])


def test_saving_keeps_comments_and_colours_and_says_what_each_means(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "tarneeb.toml"
    save(path, {"bell": "all", "mouse": True})
    written = path.read_text(encoding="utf-8")
    assert tomllib.loads(written) == {"bell": "all", "mouse": True}
    assert "# When the bell rings" in written
    path.write_text('# mine\nbell = "off"  # quiet\n\n[colours]\nturn = "bold"\n', encoding="utf-8")
    save(path, {"bell": "turn", "one_key": True})
    written = path.read_text(encoding="utf-8")
    assert "# mine" in written
    assert "# quiet" in written
    assert tomllib.loads(written) == {"bell": "turn", "one_key": True, "colours": {"turn": "bold"}}


def test_a_file_that_is_no_toml_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "tarneeb.toml"
    path.write_text("bell = = 3\n")
    with pytest.raises(CannotSave, match="is no TOML, and is left as it is"):
        save(path, {"bell": "all"})
    assert path.read_text() == "bell = = 3\n"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotSave, match="cannot be"):
        save(tmp_path / "file" / "tarneeb.toml", {"bell": "all"})


def test_the_environment_names_another_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TARNEEB_CONFIG", str(tmp_path / "mine.toml"))
    assert preferences_path() == tmp_path / "mine.toml"
    monkeypatch.delenv("TARNEEB_CONFIG")
    assert preferences_path().name == "tarneeb.toml"


def test_the_form_gives_back_what_was_changed_in_it_and_nothing_else() -> None:
    before = Preferences(bell="all", mouse=True)
    form = settings_form(before)
    assert changed_settings(form, before) == {}
    while form.chosen.name != "mouse":
        form = form.moved(1)
    form = form.turned(1)
    while form.chosen.name != "bell":
        form = form.moved(-1)
    form = form.turned(1)
    assert changed_settings(form, before) == {"mouse": False, "bell": "off"}


@pytest.mark.parametrize("text", ["name = " + "9" * 6000, "x = " + "[" * 30000, "x = " + "{a=" * 30000])
def test_numbers_and_nesting_without_end_are_told_as_no_toml(text: str) -> None:
    preferences, (problem,) = read_preferences(text)
    assert preferences == Preferences()
    assert problem.startswith("it is no TOML: ")


@pytest.mark.parametrize("login", ["host", "admin", "السيرفر", "!", ""])
def test_a_login_name_that_no_server_takes_is_not_the_players_name(
    login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: login)
    assert own_name(None) == "Player"
