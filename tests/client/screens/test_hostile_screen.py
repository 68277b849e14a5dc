"""Whatever a server says, the terminal only shows text: no cursor is moved, no title or clipboard set."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import cache, partial

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.desk_scenes import after_set, at_call, away, in_lobby
from support.desk_talk import DeskTalk
from support.lobby_driver import LobbyDriver
from support.pretended_terminal import PretendedTerminal, pretended_terminal
from tarneeb_client.link_items import LinkLost
from tarneeb_protocol import messages as m

HOSTILE = (
    "\x1b]0;PWNED\x07",
    "\x1b]52;c;UFdORUQ=\x1b\\",
    "\x1b[2J\x1b[5;5HPWNED",
    "\x9b31mPWNED\x9c",
    "\x9d0;PWNED\x9c",
    "\r\nPWNED\x08\x08\x7f",
    "\x1b[?1049lPWNED",
    "\x1bPq#0\x1b\\",
    "\u202ePWNED\u2066\u200b",
    "\x0e\x0f\x05PWNED\x00",
)
WRITTEN = re.compile(
    r"\x1b\[[0-9;]*m"  # colours
    r"|\x1b\[[0-9;]*[ABCDHJK]"  # where to draw next, and what is erased there
    r"|\x1b\[\?(?:1|7|12|25|1049|2004)[hl]"  # modes of a full screen
    r"|\x1b\[[0-9]* q"  # the cursor's shape
    r"|\r|\n|\x08|\x07"
)
"""All that prompt_toolkit itself writes besides text; the bell is the program's own."""


def strings_in(value: object) -> int:
    """How many texts a message has, in whatever depth."""
    return len(list(_walk(value)))


def _walk(value: object) -> Iterator[str]:
    if isinstance(value, str) and type(value) is str:
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _walk(getattr(value, name))
    elif isinstance(value, tuple):
        for part in value:
            yield from _walk(part)


def poisoned(value: object, text: str) -> object:
    """The message with ``text`` in place of every text that is not one of a few words."""
    if type(value) is str:
        return text
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(
            value, **{name: poisoned(getattr(value, name), text) for name in value.__struct_fields__}
        )
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(poisoned(part, text) for part in value)
    return value


@cache
def heard() -> tuple[m.Message, ...]:
    """One message of each type that players and spectators are sent, with as many texts as there are."""
    best: dict[type, m.Message] = {}
    talks = [after_set(), at_call()[0], away(), in_lobby()]
    for talk in talks:
        for message in talk.link.received:
            known = best.get(type(message))
            if known is None or strings_in(message) > strings_in(known):
                best[type(message)] = message
    table = dict.fromkeys(("table", "seq"), 1)
    more = [
        m.Notice(reason="drain", text="we stop", seconds=60),
        m.LobbySaid(name="Rami", text="hello"),
        m.Error(id=None, code="bad_request", message="no"),
        m.SpectatorLeft(name="Omar", **table),
        m.TableClosed(reason="closed", **table),
    ]
    return (*best.values(), *more)


def numbered(talk: DeskTalk, message: m.Message) -> m.Message:
    """The message as the next one of the table that the player is at."""
    view = talk.desk.view
    if view is None or not isinstance(message, m.TableEvent | m.Prompt):
        return message
    seq = view.seq + (1 if isinstance(message, m.TableEvent) else 0)
    return msgspec.structs.replace(message, table=view.table, seq=seq)


class Deaf(DeskTalk):
    """A player whose server is not the lobby: what is asked is never answered."""

    def settle(self) -> None:
        """Nobody answers."""
        self._posted.clear()


def shown(text: str, columns: int, lines: int) -> PretendedTerminal:
    """Everything that a hostile server says, one after the other, each drawn with panes open and closed."""
    talk = Deaf(LobbyDriver(), "Nour")
    talk.desk.server_name = text

    async def main() -> PretendedTerminal:
        failed: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))
        async with pretended_terminal(talk, columns, lines) as terminal:
            for message in heard():
                hostile = numbered(talk, message)
                hostile = poisoned(hostile, text)  # type: ignore[assignment]  # of the same type
                assert isinstance(hostile, m.Message)
                talk.desk.received(hostile, talk.driver.now)
                await drawn(terminal)
            snapshot = next(message for message in heard() if isinstance(message, m.Snapshot))
            talk.desk.received(poisoned(snapshot, text), talk.driver.now)  # type: ignore[arg-type]  # a snapshot again
            talk.desk.received(LinkLost(1, 1.0, 60.0, text), talk.driver.now)
            for key in ("t", "escape", "f4", "escape", "?", "escape"):
                talk.press(key)
                await drawn(terminal)
        assert failed == []
        return terminal

    return asyncio.run(main())


async def drawn(terminal: PretendedTerminal) -> None:
    """Let the screen be drawn."""
    before = terminal.screen.app.render_counter
    terminal.screen.changed()
    await terminal.until(partial(_is_drawn, terminal, before))


def _is_drawn(terminal: PretendedTerminal, before: int, rows: list[str]) -> bool:
    del rows
    return terminal.screen.app.render_counter > before or terminal.talk.desk.is_over


def assert_harmless(terminal: PretendedTerminal) -> None:
    rest = WRITTEN.sub("", terminal.written.raw)
    odd = sorted({character for character in rest if not character.isprintable()})
    assert odd == []
    assert "\x1b]" not in terminal.written.raw
    assert terminal.written.screen.title == ""


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_u08_no_text_of_a_server_reaches_the_terminal_as_anything_but_text(text: str) -> None:
    assert_harmless(shown(text, 80, 24))


@settings(max_examples=15)
@given(st.lists(st.sampled_from([*HOSTILE, "ليلى", "田", "e\u0301", "a"]), min_size=1, max_size=4).map("".join))
def test_no_mixture_of_hostile_texts_does_either(text: str) -> None:
    assert_harmless(shown(text, 60, 20))


def test_a_server_cannot_ring_the_bell_by_what_is_said() -> None:
    quiet, loud = shown("a", 80, 24), shown("\x07\x07a", 80, 24)
    assert loud.written.raw.count("\x07") == quiet.written.raw.count("\x07")
