"""A fault of the client's own, planted by a subclass: the terminal is as it was, a sentence tells where it is
written down, and the seat is found again.
"""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.processes import ServerProcess, environment, running_server
from support.real_terminal import CTRL_C, real_terminal

pytestmark = pytest.mark.slow

UNFORESEEN = 70
PLANTS = {
    "in a key": """
from tarneeb_client.screens.table_keys import TableKeys
def fault(self, key):
    raise RuntimeError("PLANTED \\x1b[2J fault")
TableKeys.key_last = fault
""",
    "in the drawing": """
from tarneeb_client.screens.desk import Desk
draw = Desk.rows
def fault(self, cells, height):
    if self.pane is not None:
        raise RuntimeError("PLANTED fault")
    return draw(self, cells, height)
Desk.rows = fault
""",
    "in a task": """
from tarneeb_client.screens.desk_state import DeskState
from tarneeb_protocol import messages as m
take = DeskState.received
def fault(self, item, now):
    if isinstance(item, m.Said):
        raise RuntimeError("PLANTED fault")
    take(self, item, now)
DeskState.received = fault
""",
    "in a key of the input line": """
from tarneeb_client import terminal
bind = terminal._bindings
def fault(event):
    raise RuntimeError("PLANTED fault")
def bindings(*given):
    found = bind(*given)
    found.add("c-t")(fault)
    return found
terminal._bindings = bindings
""",
    "in a task of the line mode": """
from tarneeb_client.conversation import Conversation
from tarneeb_protocol import messages as m
take = Conversation.received
def fault(self, item):
    if isinstance(item, m.Said):
        raise RuntimeError("PLANTED fault")
    take(self, item)
Conversation.received = fault
""",
}
PRESSED = {
    "in a key": "t",
    "in the drawing": "t",
    "in a task": "/yalla\r",
    "in a key of the input line": "\x14",
    "in a task of the line mode": "say yalla\r",
}


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--bot-delay", "0", "--turn-seconds", "0", "--name", "Majlis") as running:
        yield running


def planted(where: str) -> str:
    return (
        PLANTS[where] + "\nimport sys\nfrom tarneeb_client.__main__ import main\nsys.exit(main(sys.argv[1:]))\n"
    )


def written(state: Path) -> str:
    """What was written down, which nobody else can read."""
    path = state / "tarneeb" / "faults" / "latest"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("where", PLANTS)
def test_z01_a_fault_of_its_own_leaves_the_terminal_as_it_was_and_a_sentence_and_the_seat(
    server: ServerProcess, tmp_path: Path, where: str
) -> None:
    state = str(tmp_path)
    in_lines = ("--lines",) if "line" in where else ()
    command = [sys.executable, "-c", planted(where), "play", server.address, *in_lines, "--name", "Nour"]
    with real_terminal(command=command, columns=100, rows=40, XDG_STATE_HOME=state) as terminal:
        if in_lines:
            terminal.until_shown("Type help", "\n>")
            terminal.press("open Faults\r")
            terminal.until_shown("Sit down: join")
            terminal.press("join\r")
            terminal.until_shown("Rules:")
            terminal.press("bot\rbot\rbot\r")
            terminal.until_shown("Set 1 begins")
        else:
            terminal.until_shown("Majlis", "new table")
            terminal.press("n")
            terminal.until_shown("A new table")
            terminal.press("\x1b[B\x1b[C\x1b[C\x1b[C\r")
            terminal.until_shown("YOUR TURN")
        terminal.press(PRESSED[where])
        assert terminal.end() == UNFORESEEN
        assert terminal.faults() == []
        assert "Traceback" not in terminal.text()
        assert "PLANTED" not in terminal.text()
        told = " ".join(terminal.text().split())
        assert f"tarneeb play {server.address}" in told
        assert "a fault of this program's own has ended it (RuntimeError)" in told
        assert "start tarneeb again and press R" in told
        assert "tarneeb/faults/latest" in terminal.text().replace("\n", "").replace(" ", "")
    text = written(tmp_path)
    assert "Traceback" in text
    assert "RuntimeError: PLANTED" in text
    assert "\x1b" not in text
    with real_terminal("play", server.address, XDG_STATE_HOME=state) as terminal:
        terminal.until_shown("YOUR TURN")
        terminal.press(CTRL_C)
        terminal.until_shown("Press Ctrl-C again")
        terminal.press(CTRL_C)
        assert terminal.end() == 130


def test_a_fault_in_plain_mode_is_told_in_a_sentence_beside_the_output(
    server: ServerProcess, tmp_path: Path
) -> None:
    own = environment() | {"XDG_STATE_HOME": str(tmp_path)}
    for _again in range(2):  # the last one alone is kept
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                planted("in a task of the line mode"),
                "play",
                server.address,
                "--plain",
                "--new",
            ],
            input="open Plain\njoin\nsay yalla\n",
            capture_output=True,
            text=True,
            env=own,
            timeout=60,
            check=False,
        )
        assert done.returncode == UNFORESEEN
        assert "Traceback" not in done.stdout + done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert done.stderr.startswith("tarneeb play: a fault of this program's own")
    assert written(tmp_path).count("RuntimeError: PLANTED") == 1
    assert [path.name for path in (tmp_path / "tarneeb" / "faults").iterdir()] == ["latest"]


def test_a_fault_that_cannot_be_written_down_is_told_all_the_same(
    server: ServerProcess, tmp_path: Path
) -> None:
    (tmp_path / "tarneeb").mkdir(mode=0o700)
    (tmp_path / "tarneeb" / "faults").write_text("no folder")
    done = subprocess.run(
        [sys.executable, "-c", planted("in a task of the line mode"), "play", server.address, "--plain"],
        input="open Plain\njoin\nsay yalla\n",
        capture_output=True,
        text=True,
        env=environment() | {"XDG_STATE_HOME": str(tmp_path)},
        timeout=60,
        check=False,
    )
    assert done.returncode == UNFORESEEN
    assert "could not be written down" in done.stderr
    assert "Traceback" not in done.stderr
