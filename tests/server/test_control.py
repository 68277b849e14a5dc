"""The control socket of a server in the test's own process."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from support.live_server import LiveServer, live_server
from support.plain_wire import PlainWire
from tarneeb_server import control, control_place
from tarneeb_server.admin_wording import tournament_lines
from tarneeb_server.archive import ArchiveInMemory
from tarneeb_server.control import MOST_AT_ONCE, REQUEST_SECONDS, Control


@contextlib.asynccontextmanager
async def commanded(path: Path) -> AsyncIterator[LiveServer]:
    """A running server whose control socket is at ``path``."""
    placed = control_place.put(path, is_registered=False)
    try:
        async with live_server() as server, trio.open_nursery() as nursery:
            nursery.start_soon(Control(server.app).run, placed.listening)
            yield server
            nursery.cancel_scope.cancel()
    finally:
        placed.close()


async def read_all(stream: trio.SocketStream) -> bytes:
    received = b""
    with contextlib.suppress(trio.BrokenResourceError):
        async for chunk in stream:
            received += chunk
    return received


async def ask(path: Path, **request: Any) -> dict[str, Any]:
    async with await trio.open_unix_socket(path) as stream:
        await stream.send_all(json.dumps(request).encode() + b"\n")
        answer: dict[str, Any] = json.loads(await read_all(stream))
        return answer


async def test_connections_that_say_nothing_keep_commands_out_for_a_moment_and_play_not_at_all(
    tmp_path: Path, mock_clock: trio.testing.MockClock
) -> None:
    path = tmp_path / "c"
    async with commanded(path) as server, contextlib.AsyncExitStack() as stack:
        silent = [
            await stack.enter_async_context(await trio.open_unix_socket(path)) for _ in range(MOST_AT_ONCE)
        ]
        refused = await ask(path, command="status")
        assert refused == {"ok": False, "error": "too many commands run at once; try again"}
        async with await PlainWire.connect("127.0.0.1", server.port) as player:
            assert (await player.hello("Layla"))["type"] == "welcome"
        mock_clock.jump(REQUEST_SECONDS + 1)
        assert [await read_all(stream) for stream in silent] == [b""] * MOST_AT_ONCE
        assert (await ask(path, command="status"))["ok"]


async def test_a_request_may_come_in_pieces_and_a_command_that_hangs_up_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "c"
    async with commanded(path):
        async with await trio.open_unix_socket(path) as stream:
            for byte in b'{"command": "bans"}\n':
                await stream.send_all(bytes([byte]))
            assert json.loads(await read_all(stream)) == {"ok": True, "said": [], "result": {"bans": []}}
        for beginning in (b"", b"{", b'{"command": "status"}\n'):
            async with await trio.open_unix_socket(path) as stream:
                await stream.send_all(beginning)
        assert (await ask(path, command="status"))["ok"]


async def test_a_fault_in_a_command_is_logged_and_answered_and_the_server_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a fault of ours")

    path = tmp_path / "c"
    async with commanded(path):
        with monkeypatch.context() as patched:
            patched.setattr(control, "carry_out", broken)
            answer = await ask(path, command="status")
        assert answer == {"ok": False, "error": "the server has a fault; its log tells more"}
        assert "event=control_failed command=status" in caplog.text
        assert (await ask(path, command="status"))["ok"]


async def test_what_a_command_changed_is_in_the_journal_before_it_is_answered(tmp_path: Path) -> None:
    class Order:
        """A journal that writes down what comes."""

        def __init__(self) -> None:
            self.log: list[str] = []
            self.archive = ArchiveInMemory()

        def add(self, entry: object) -> None:
            self.log.append(type(entry).__name__)

        def commit(self) -> None:
            self.log.append("commit")

        def fault(self) -> str | None:
            return None

    path = tmp_path / "c"
    async with commanded(path) as server:
        journal = Order()
        server.app._journal = journal
        assert (await ask(path, command="ban", what="10.0.0.1"))["ok"]
        assert journal.log[:2] == ["KeepBan", "commit"]
        answer = await ask(path, command="unban", what="10.0.0.2")
        assert not answer["ok"]
        assert "10.0.0.1" in answer["error"]


async def test_the_largest_status_is_read_whole_and_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "c"
    async with commanded(path) as server:
        for number in range(240):
            async with await PlainWire.connect("127.0.0.1", server.port) as player:
                await player.hello(f"Player {number} {'x' * 12}")
                await player.request("open_table", name=f"Table {number} {'y' * 12}")
        answer = await ask(path, command="status")
        assert len(answer["result"]["tables"]) == 240
        assert len(answer["result"]["sessions"]) == 240


async def test_the_host_lists_the_tournaments_and_ends_one_whose_opener_does_not(tmp_path: Path) -> None:
    path = tmp_path / "c"
    async with commanded(path) as server, await PlainWire.connect("127.0.0.1", server.port) as player:
        assert tournament_lines((await ask(path, command="tournaments"))["result"]) == [
            "There is no tournament"
        ]
        await player.hello("Layla")
        opened = await player.request("open_tournament", name="Cup")
        number = opened["tournament"]
        listed = await ask(path, command="tournaments")
        line = f"{number} Cup: winner_stays, forming, teams 0, sets 0, opened by Layla"
        assert tournament_lines(listed["result"]) == [line]
        ended = await ask(path, command="end_tournament", number=number)
        assert ended["said"] == [f"Tournament {number} Cup is over."]
        assert tournament_lines(ended["result"]) == []
        assert (await player.until("tournament"))["state"] in {"forming", "over"}
        again = await ask(path, command="end_tournament", number=number)
        assert again == {"ok": False, "error": f"tournament {number}: it is over already"}
        missing = await ask(path, command="end_tournament", number=99)
        assert missing["error"] == f"there is no tournament 99; there are: Cup (#{number})"
