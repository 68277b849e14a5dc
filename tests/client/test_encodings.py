"""Whatever the output's encoding is, the program says what it can, and never fails for what it cannot."""

from __future__ import annotations

import gettext
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.spoken import spoken
from tarneeb_client import language
from tarneeb_client.__main__ import main
from tarneeb_client.appearance import Surroundings, appearance
from tarneeb_client.console import write_line, write_notice
from tarneeb_client.language import can_be_written
from tarneeb_client.output_encoding import tolerate_any_text
from tarneeb_client.preferences import Preferences
from tarneeb_protocol.text import harmless

ENCODINGS = ("ascii", "latin-1", "cp1256", "utf-8")
COMMANDS = (
    "play",
    "watch",
    "find",
    "bot",
    "demo",
    "solo",
    "forget",
    "learn",
    "replay",
    "doctor",
    "conformance",
)


class Streams:
    """Standard output and error of an encoding, in place of the process's own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
        self._encoding = encoding
        self._bytes = (io.BytesIO(), io.BytesIO())
        for name, stream in zip(("stdout", "stderr"), self._bytes, strict=True):
            wrapped = io.TextIOWrapper(stream, encoding=encoding, write_through=True)
            monkeypatch.setattr(f"sys.{name}", wrapped)

    @property
    def text(self) -> str:
        """All that was written, read as it was written."""
        return "".join(stream.getvalue().decode(self._encoding) for stream in self._bytes)


@pytest.fixture(autouse=True)
def the_language_of_before() -> Iterator[None]:
    domain = gettext.textdomain()  # argparse's own sentences are asked of it
    with spoken("en"):
        yield
    gettext.textdomain(domain)


def is_arabic(text: str) -> bool:
    return any("\u0621" <= character <= "\u064a" for character in text)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_in_arabic_where_it_can_be_written_and_in_english_elsewhere(
    command: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ar_SY")
    monkeypatch.setenv("LANGUAGE", "ar")
    streams = Streams(monkeypatch, encoding)
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"] if command else ["--help"])
    assert ended.value.code == 0
    assert is_arabic(streams.text) == (encoding in {"cp1256", "utf-8"})
    assert "\\u0" not in streams.text


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["forget", "nowhere"], 1),
        (["replay", "ليلى-♥.txt"], 1),
        (["play", "بيت ليلى"], 2),
        (["play", "::1", "--seat", "قبة"], 2),
        (["play", "::1", "--fingerprint", "بصمة"], 2),
    ],
    ids=lambda value: value[0] + value[-1][-1] if isinstance(value, list) else "",
)
def test_trouble_is_told_in_every_encoding(
    arguments: list[str], status: int, encoding: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LC_ALL", "ar_SY")
    for folder in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    streams = Streams(monkeypatch, encoding)
    assert main(arguments) == status
    assert is_arabic(streams.text) == (encoding in {"cp1256", "utf-8"})
    assert streams.text.count("\n") == 1


@given(text=st.text(max_size=60).map(harmless), encoding=st.sampled_from(ENCODINGS))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_name_and_chat_is_written_in_any_encoding(
    text: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        streams = Streams(patch, encoding)
        tolerate_any_text()
        write_line(text)
        write_notice(text)
        said = streams.text
    assert said.count("\n") == 2
    if encoding == "utf-8":
        assert said == f"{text}\n{text}\n"


@pytest.mark.parametrize("encoding", [*ENCODINGS, "iso8859-6", "no-such"])
def test_a_language_is_spoken_where_the_encoding_has_its_letters(encoding: str) -> None:
    where = Surroundings(
        environment={"LANG": "ar_SY"}, reads_terminal=True, writes_terminal=True, encoding=encoding
    )
    decided = appearance(Preferences(), where)
    is_written = encoding in {"cp1256", "utf-8", "iso8859-6"}
    assert decided.language == ("ar" if is_written else "en")
    assert (encoding in decided.reasons["language"]) != is_written
    assert can_be_written("ar", encoding) == is_written
    assert appearance(Preferences(language="ar"), where).language == "ar"


def test_the_letters_asked_for_are_those_of_the_catalogue() -> None:
    catalogue = (language.CATALOGUES / "ar" / "LC_MESSAGES" / "tarneeb.po").read_text(encoding="utf-8")
    used = {character for character in catalogue if "\u0621" <= character <= "\u064a" or character in "،؛؟"}
    assert used - {"ـ"} == set(language.LETTERS["ar"])
