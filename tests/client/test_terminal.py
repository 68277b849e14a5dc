"""The input line of a full terminal: keys in, lines out, on prompt_toolkit's own pretended terminal."""

from __future__ import annotations

import asyncio

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from tarneeb_client.terminal import typed_lines

SECONDS = 20
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"


def lines_of(keys: str) -> list[str]:
    """The lines that come of these keys and Ctrl-D; any exception in the handling of a key is raised."""
    failed: list[BaseException | str] = []

    async def read() -> list[str]:
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: failed.append(context.get("exception") or context["message"])
        )
        async with asyncio.timeout(SECONDS), typed_lines() as lines:
            return [line async for line in lines]

    with create_pipe_input() as pretended, create_app_session(input=pretended, output=DummyOutput()):
        pretended.send_text(keys + "\x04")
        lines = asyncio.run(read())
    assert failed == []
    return lines


@pytest.mark.parametrize(
    "escape",
    [
        "\x1b[31m",
        "\x1b[m",
        "\x1b[1;31m",
        "\x1b[<0m",
        "\x1b[<9;9;9;9M",
        "\x1b[Mzzz",
        "\x1b[M\x7f\x7f\x7f",
        "\x1b[2J",
        "\x1b]0;title\x07",
        "\x1b[99;99R",
        "\x9b31m",
    ],
    ids=ascii,
)
def test_pasted_escape_sequences_break_nothing_and_the_next_line_is_read(escape: str) -> None:
    lines = lines_of(f"say {escape}red\rhand\r")
    assert lines[-1] == "hand"
    assert "\x1b[31m" not in lines[0]


def test_several_lines_pasted_at_once_are_several_lines() -> None:
    assert lines_of(f"{PASTE_BEGINS}hand\r\nscore\nwho{PASTE_ENDS}\r") == ["hand", "score", "who"]


def test_ctrl_c_clears_the_line_and_twice_ends_the_input() -> None:
    assert lines_of("wrong\x03hand\r\x03") == ["hand"]
