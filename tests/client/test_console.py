"""Lines that are piped in."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.console import CHUNK_BYTES, PipedLines, broken, write_notice

BACKENDS = pytest.mark.parametrize("backend", ["asyncio", "trio"])


async def all_lines(descriptor: int) -> list[str]:
    async with PipedLines(descriptor) as lines:
        return [line async for line in lines]


@BACKENDS
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (b"", []),
        (b"hand", ["hand"]),
        (b"hand\r\n\nlast", ["hand", "", "last"]),
        ("say سلام\n".encode(), ["say سلام"]),
        (b"\xff\xfe\n", ["��"]),
    ],
)
def test_the_lines_of_a_pipe_come_in_order_and_end(backend: str, typed: bytes, expected: list[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    assert anyio.run(all_lines, reading, backend=backend) == expected
    os.close(reading)


@BACKENDS
def test_a_file_and_the_null_device_are_read_to_their_end(backend: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("hand\n" * CHUNK_BYTES, encoding="utf-8")
    with script.open("rb") as stream:
        assert anyio.run(all_lines, stream.fileno(), backend=backend) == ["hand"] * CHUNK_BYTES
    with Path(os.devnull).open("rb") as stream:
        assert anyio.run(all_lines, stream.fileno(), backend=backend) == []


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_standard_input_that_is_closed_has_ended(backend: str) -> None:
    program = (
        "import anyio\nfrom tarneeb_client.console import PipedLines\n"
        "async def read(): return [line async for line in PipedLines()]\n"
        f"print(anyio.run(read, backend={backend!r}))"
    )
    shell = ["sh", "-c", 'exec "$0" -c "$1" <&-', sys.executable, program]
    ended = subprocess.run(shell, capture_output=True, text=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "[]\n", "")


@BACKENDS
@pytest.mark.parametrize("typed", [b"", b"hand\n", b"hand\n" * 1000])
def test_input_that_nobody_waits_for_any_more_leaves_nothing_behind(backend: str, typed: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, typed)
    threads = set(threading.enumerate())

    async def look() -> None:
        async with PipedLines(reading) as lines:
            with anyio.move_on_after(0):
                await lines.receive()

    anyio.run(look, backend=backend)
    assert set(threading.enumerate()) == threads
    os.close(writing)
    os.close(reading)


def test_a_program_whose_input_stays_open_ends_when_it_is_done() -> None:
    program = "import anyio\nfrom tarneeb_client.console import PipedLines\nanyio.run(PipedLines(0).receive)"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"hand\nhand\n")
        process.stdin.flush()
        assert process.wait(30) == 0


@given(st.text(st.sampled_from("ab \u0633é♥-"), max_size=200), st.integers(1, 90))
def test_a_broken_line_has_the_same_words_and_fits_where_they_allow_it(text: str, columns: int) -> None:
    lines = broken(text, columns)
    assert [word for line in lines for word in line.split()] == text.split()
    for line in lines:
        assert len(line) <= columns or len(line.split()) == 1 or len(lines) == 1


def test_a_line_is_broken_between_words_and_goes_on_indented() -> None:
    assert broken("Your hand: spades 5 4; hearts J 10 5.", 20) == ["Your hand: spades 5", "  4; hearts J 10 5."]
    assert broken("pass", 20) == ["pass"]


def test_a_notice_is_broken_between_words_at_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "one two three four five six\n  SHA256:fingerprint"
    write_notice(text)
    assert capsys.readouterr().err == text + "\n"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "24")
    write_notice(text)
    assert capsys.readouterr().err == "one two three four five\n  six\n  SHA256:fingerprint\n"
