"""The host's commands, ``tarneeb-server status`` and the others, as a host types them, with real servers."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import socket
import stat
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from support import host, processes
from support.four_strangers import FourStrangers, events
from support.plain_wire import PlainWire
from support.processes import ServerProcess, running_server
from support.restarting import RestartingServer
from tarneeb_server import admin, control_client, control_place

pytestmark = pytest.mark.slow

logger = logging.getLogger(__name__)


@pytest.fixture(autouse=True)
def runtime_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A runtime directory of this test alone."""
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(processes, "runtime_folder", folder)
    return folder


def sockets(folder: Path) -> list[Path]:
    return sorted((folder / "tarneeb-server").iterdir())


async def run(*arguments: str) -> str:
    """A command that is carried out while this process serves its own tasks."""
    return await trio.to_thread.run_sync(host.done, *arguments)


async def next_of(wire: PlainWire, kind: str) -> dict[str, Any]:
    with trio.fail_after(30):
        return await wire.until(kind)


# ---------------------------------------------------------------- which server


def test_a_command_says_what_to_do_when_no_server_is_running() -> None:
    for name, *arguments in (["status"], ["kick", "Nour"], ["bans"], ["drain"], ["stop"]):
        said = host.not_done(name, *arguments)
        assert said.startswith("no server of this account is running")
        assert "--data-dir DIR or --control PATH" in said
    assert "/nowhere/control.sock does not exist" in host.not_done("status", "--data-dir", "/nowhere")
    assert "/nowhere/x does not exist" in host.not_done("status", "--control", "/nowhere/x")


def test_the_one_server_that_runs_is_found_and_of_two_the_one_that_is_meant(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running_server("--name", "Majlis") as first:
        assert host.done("status").startswith("Majlis, version ")
        with running_server("--name", "Diwan", "--data-dir", str(data)) as second:
            said = host.not_done("status")
            assert said.startswith("several servers are running; say which by --port N:\n")
            lines = sorted(line.strip() for line in said.splitlines()[1:])
            expected = {first.port: "Majlis", second.port: f"Diwan  --data-dir {data}"}
            assert len(lines) == 2
            for line in lines:
                port = int(line.split()[1])
                assert expected[port] in line
            assert host.done("status", "--port", str(first.port)).startswith("Majlis")
            assert host.done("status", "--port", str(second.port)).startswith("Diwan")
            assert host.done("status", "--data-dir", str(data)).startswith("Diwan")
            said = host.not_done("status", "--port", "1")
            assert said.startswith("no server of this account listens on port 1; running are:\n")
        assert host.done("status").startswith("Majlis, version ")


def test_the_socket_and_its_folder_are_for_the_servers_account_alone(
    tmp_path: Path, runtime_folder: Path
) -> None:
    with running_server() as server:
        (found,) = sockets(runtime_folder)
        assert found.name == f"{server.port}-{server.process.pid}.sock"
        assert stat.S_ISSOCK(found.lstat().st_mode)
        assert stat.S_IMODE(found.lstat().st_mode) == 0o600
        assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700
        server.stop()
        assert sockets(runtime_folder) == []
    data = tmp_path / "data"
    with running_server("--data-dir", str(data)) as server:
        assert stat.S_IMODE((data / "control.sock").lstat().st_mode) == 0o600
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        (link,) = sockets(runtime_folder)
        assert link.readlink() == data / "control.sock"
        server.stop()
        assert sockets(runtime_folder) == []
        assert not (data / "control.sock").exists()


def test_what_a_killed_server_left_is_cleaned_up_by_a_command_and_by_the_next_server(
    tmp_path: Path, runtime_folder: Path
) -> None:
    data = str(tmp_path / "data")
    with running_server("--data-dir", data) as killed, running_server() as other:
        killed.process.kill()
        other.process.kill()
        killed.process.wait()
        other.process.wait()
    assert len(sockets(runtime_folder)) == 2
    said = host.not_done("status", "--data-dir", data)
    assert said.endswith("control.sock is left from one that was killed")
    assert host.not_done("status").startswith("no server of this account is running")
    assert sockets(runtime_folder) == []
    with running_server("--data-dir", data):
        assert "tarneeb.db" not in host.done("status", "--data-dir", data)


def test_a_live_socket_is_never_taken_and_a_foreign_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "host.sock"
    with running_server("--control", str(path)) as server:
        second = host.command("--host", "127.0.0.1", "--port", "0", "--control", str(path))
        assert second.returncode == 2
        assert f"--control: {path} cannot be used: another server answers at {path}" in second.stderr
        assert host.done("status", "--control", str(path)).startswith("Tarneeb")
        assert host.done("status", "--port", str(server.port)).startswith("Tarneeb")
    path.unlink()
    path.write_text("mine")
    second = host.command("--host", "127.0.0.1", "--port", "0", "--control", str(path))
    assert second.returncode == 2
    assert f"{path} is there already and is no socket; it was left as it is" in second.stderr
    assert path.read_text() == "mine"
    assert host.not_done("status", "--control", str(path)).endswith("is no socket")


def test_a_server_whose_socket_has_no_place_serves_without_it_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "control.sock").write_text("mine")
    with running_server("--data-dir", str(tmp_path / "data")) as server:
        assert "event=no_control_socket" in server.log.read_text()
        assert host.not_done("status", "--port", str(server.port)).startswith("no server of this account")
    with running_server("--control", "off") as server:
        assert "control" not in server.log.read_text()
        assert host.not_done("status").startswith("no server of this account is running")


def test_a_runtime_folder_that_is_open_to_others_is_not_used(runtime_folder: Path) -> None:
    (runtime_folder / "tarneeb-server").mkdir(mode=0o755)
    (runtime_folder / "tarneeb-server").chmod(0o755)
    with running_server() as server:
        assert "is open to others" in server.log.read_text()
    assert "is open to others" in host.not_done("status")


def test_a_path_too_long_for_a_socket_is_no_hindrance(tmp_path: Path) -> None:
    data = tmp_path.joinpath(*["a directory with a long name"] * 8, "data")
    assert len(str(data)) > 200
    data.parent.mkdir(parents=True)
    with running_server("--data-dir", str(data)) as server:
        assert "no_control_socket" not in server.log.read_text()
        assert host.done("status", "--data-dir", str(data)).startswith("Tarneeb")
        assert host.done("status").startswith("Tarneeb")
        assert host.done("stop", "--data-dir", str(data)) == "The server has stopped.\n"
        assert server.process.wait(20) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another account")
@pytest.mark.parametrize("is_open", [False, True], ids=["as it is", "opened to all by mistake"])
def test_another_account_gets_no_answer(is_open: bool) -> None:
    asks = (
        "import os, socket, sys\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "s = socket.socket(socket.AF_UNIX); s.settimeout(20)\n"
        "try:\n"
        "    s.connect(sys.argv[1])\n"
        "except PermissionError:\n"
        "    print('no permission')\n"
        "else:\n"
        '    s.sendall(b\'{"command":"status"}\\n\'); print(s.recv(65536).decode())\n'
    )
    # Not in the folder of pytest, which no other account may enter.
    with tempfile.TemporaryDirectory() as folder, running_server("--control", f"{folder}/host.sock") as server:
        path = Path(folder, "host.sock")
        path.parent.chmod(0o755)
        if is_open:
            path.chmod(0o777)
        asked = subprocess.run(
            [sys.executable, "-c", asks, str(path)], capture_output=True, text=True, timeout=60, check=True
        )
        if is_open:
            assert json.loads(asked.stdout) == {
                "ok": False,
                "error": "only the account that runs the server, or root, may command it",
            }
            assert "event=control_refused reason=another_account uid=65534" in server.log.read_text()
        else:
            assert asked.stdout == "no permission\n"
        assert host.done("status", "--control", str(path)).startswith("Tarneeb")


def test_a_command_does_not_wait_for_ever_for_a_server_that_is_held_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tarneeb_server.control_client.ANSWER_SECONDS", 0.2)
    from tarneeb_server.control_client import ask  # noqa: PLC0415  (after the change)

    with running_server() as server:
        server.process.send_signal(signal.SIGSTOP)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(processes.runtime_folder))
        with (
            pytest.raises(control_place.ControlError, match="does not answer"),
            ask({"command": "status"}, server.port, None, None),
        ):
            pass
        server.process.send_signal(signal.SIGCONT)
        assert host.done("status").startswith("Tarneeb")


# ---------------------------------------------------------------- what comes in by the socket


def raw(path: Path, payload: bytes) -> dict[str, Any]:
    """What the server answers to these bytes."""
    with control_place.connect(path, 20.0) as connection:
        received = b""
        # What it does not want it need not read to the end.
        with contextlib.suppress(ConnectionError):
            connection.sendall(payload)
            connection.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionError):
            while chunk := connection.recv(65536):
                received += chunk
    answer: dict[str, Any] = json.loads(received)
    return answer


@pytest.mark.parametrize(
    "payload",
    [
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b'{"command": "nonsense"}\n',
        b'{"command": "kick"}\n',
        b'{"command": "kick", "name": 7}\n',
        b'{"command": "kick", "name": "x", "more": 1}\n',
        b'{"command": "drain", "within": -1}\n',
        b'{"command": "drain", "within": 1e400}\n',
        b'{"command": "ban", "what": "x", "seconds": 0}\n',
        b"\xff\xfe\n",
        b"[" * 5000 + b"\n",
        b'{"command": "say", "text": "' + b"x" * 9000 + b'"}\n',
        b"x" * 20_000,
    ],
    ids=lambda payload: payload[:24].decode("latin-1"),
)
def test_what_is_no_request_is_answered_by_what_is_wrong_with_it(payload: bytes, live: LivePath) -> None:
    answer = raw(live.path, payload)
    assert answer["ok"] is False
    assert answer["error"]
    assert raw(live.path, b'{"command": "status"}\n')["ok"] is True


class LivePath:
    """A server that all cases share, and its control socket."""

    def __init__(self, server: ServerProcess, path: Path) -> None:
        self.server = server
        self.path = path


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivePath]:
    path = tmp_path_factory.mktemp("live") / "host.sock"
    with running_server("--control", str(path)) as server:
        yield LivePath(server, path)
        assert "Traceback" not in server.log.read_text()


# ---------------------------------------------------------------- commands and players


async def test_status_shows_who_is_here_and_what_is_played_and_nothing_secret(tmp_path: Path) -> None:
    with running_server("--data-dir", str(tmp_path / "data"), "--name", "Majlis") as server:
        async with FourStrangers.seated(server.host, server.port, password="table secret") as four:  # noqa: S106
            for _ in range(2):
                prompt = await four.prompt()
                await four.act(prompt["actions"][0])
            await trio.aclose_forcefully(four.wires[3].stream)
            await next_of(four.wires[0], "player_away")
            shown = await trio.to_thread.run_sync(host.status, server.port)
            text = await run("status")
            hands = {card for hand in four.hands for card in hand}
            tokens = four.tokens
    assert (shown["name"], shown["pid"]) == ("Majlis", server.process.pid)
    assert shown["counts"] == {"sessions": 4, "connected": 3, "tables": 1, "sets_in_progress": 1}
    assert shown["connections"] == 3
    assert shown["journal"] == {"data_dir": str(tmp_path / "data"), "durability": "power", "fault": None}
    first, *_, last = shown["sessions"]
    assert first == {
        "session": 1,
        "name": "Stranger 0",
        "address": "127.0.0.1",
        "connected": True,
        "grace_seconds_left": None,
        "table": 1,
        "seat": 0,
    }
    assert not last["connected"]
    assert 100 < last["grace_seconds_left"] <= 120
    (table,) = shown["tables"]
    assert (table["state"], table["deal"], table["scores"], table["locked"]) == ("playing", 1, [0, 0], True)
    assert [seat["name"] for seat in table["seats"]] == [f"Stranger {seat}" for seat in range(4)]
    for secret in ("table secret", *tokens, *hands):
        assert secret not in text
        assert secret not in json.dumps(shown)
    assert "#4 Stranger 3: away, held for " in text
    assert "1 Strangers: playing; set 1, deal 1; South-North 0, East-West 0; password" in text
    lines = [line for line in text.splitlines() if not line.startswith("Journal in ")]  # as long as its path
    assert max(len(line) for line in lines) < 100


@pytest.mark.proves("L-1", "L-2")
async def test_a_player_who_is_kicked_is_told_once_is_out_at_once_and_may_come_back(tmp_path: Path) -> None:
    with running_server("--data-dir", str(tmp_path / "data")) as server:
        async with FourStrangers.seated(server.host, server.port) as four:
            await run("kick", "stranger 2", "--reason", "Please be kind")
            last = await four.wires[2].until_closed()
            assert last is not None
            assert (last["type"], last["code"], last.get("resumable")) == ("goodbye", "kicked", None)
            assert ": Please be kind (you may come back" in last["message"]
            for seat in (0, 1, 3):
                await next_of(four.wires[seat], "bot_seated")
                heard = events(four.wires[seat].received)
                assert [event["type"] for event in heard[-2:]] == ["player_left", "bot_seated"]
                assert (heard[-2]["seat"], heard[-2]["reason"]) == (2, "kicked")
            async with await PlainWire.connect(server.host, server.port) as again:
                refused = await again.hello("Stranger 2", resume=four.tokens[2])
                assert refused["code"] == "bad_token"
            async with await PlainWire.connect(server.host, server.port) as again:
                assert (await again.hello("Stranger 2"))["name"] == "Stranger 2"
                joined = await again.request("join", table=1, seat=2)
                assert joined["seat"] == 2
        said = await trio.to_thread.run_sync(host.not_done, "kick", "Nobody")
        assert "nobody here is called 'Nobody'; here: " in said
        log = server.log.read_text()
        assert "event=control command=kick uid=" in log
        assert "Please be kind" not in log


@pytest.mark.proves("L-3")
async def test_a_ban_keeps_out_through_a_restart_until_it_is_lifted(tmp_path: Path) -> None:
    server = RestartingServer(tmp_path)
    server.start()
    try:
        async with await PlainWire.connect("127.0.0.1", server.port) as layla:
            await layla.hello("Layla")
            printed = await run("ban", "Làyla", "--for", "1h", "--reason", "rude")
            assert printed == "Làyla is banned for 1h. Out: Layla.\n"
            last = await layla.until_closed()
            assert last is not None
            assert last["code"] == "banned"
        server.kill()
        await trio.to_thread.run_sync(server.start)
        async with await PlainWire.connect("127.0.0.1", server.port) as layla:
            refused = await layla.hello("LAYLA")
            assert (refused["type"], refused["code"]) == ("refused", "banned")
            assert ": rude" in refused["message"]
        assert (await run("bans")).startswith("name Làyla, for ")
        assert await run("unban", "layla") == "Làyla is not banned any more.\n"
        async with await PlainWire.connect("127.0.0.1", server.port) as layla:
            assert (await layla.hello("Layla"))["type"] == "welcome"
    finally:
        server.close()


@pytest.mark.proves("L-3")
async def test_a_banned_address_is_refused_before_it_says_anything_and_the_host_is_asked_to_be_sure() -> None:
    with running_server() as server:
        async with await PlainWire.connect(server.host, server.port) as player:
            await player.hello("Layla")
            said = await trio.to_thread.run_sync(host.not_done, "ban", "127.0.0.0/8")
            assert "say --yes" in said
            await run("ban", "127.0.0.0/8", "--yes")
            last = await player.until_closed()
            assert last is not None
            assert last["code"] == "banned"
        async with await PlainWire.connect(server.host, server.port) as silent:
            refused = await silent.until_closed()
            assert refused is not None
            assert (refused["type"], refused["code"]) == ("refused", "banned")
        await run("unban", "127.0.0.0/8")
        async with await PlainWire.connect(server.host, server.port) as player:
            assert (await player.hello("Layla"))["type"] == "welcome"


async def test_an_announcement_reaches_players_and_the_lobby() -> None:
    with running_server() as server:
        async with (
            FourStrangers.seated(server.host, server.port) as four,
            await PlainWire.connect(server.host, server.port) as idle,
        ):
            await idle.hello("Idle")
            assert await run("say", "Tea", "is", "ready") == "Said to 5 who are connected.\n"
            for wire in (*four.wires, idle):
                notice = await next_of(wire, "notice")
                assert (notice["reason"], notice["text"]) == ("host", "Tea is ready")


@pytest.mark.proves("D-4", "D-5", "D-6")
async def test_a_server_that_drains_says_so_refuses_tables_and_stops_when_nothing_is_played() -> None:
    with running_server("--bot-delay", "0") as server:
        async with (
            FourStrangers.seated(server.host, server.port) as four,
            await PlainWire.connect(server.host, server.port) as idle,
        ):
            await idle.hello("Idle")
            assert "Sets in progress: 1." in await run("drain", "--within", "10m")
            for wire in (*four.wires, idle):
                notice = await next_of(wire, "notice")
                assert (notice["reason"], notice["seconds"]) == ("drain", 600)
            assert (await idle.request("open_table", name="New"))["code"] == "shutdown"
            shown = await trio.to_thread.run_sync(host.status, server.port)
            assert 500 < shown["drain_seconds_left"] <= 600
            prompt = await four.prompt()
            await four.act(prompt["actions"][0])
            await run("drain", "--cancel")
            assert (await next_of(idle, "notice"))["reason"] == "drain_over"
            assert (await idle.request("open_table", name="New"))["type"] == "opened"
            await run("drain")
            for wire in four.wires:
                await wire.send(type="goodbye", code="left")
            last = await idle.until_closed()
            assert last is not None
            assert (last["type"], last["code"]) == ("goodbye", "shutdown")
        assert server.process.wait(20) == 0
        log = server.log.read_text()
    assert "event=drained reason=no_set_in_progress" in log
    assert "event=stopping reason=drained" in log


def test_stop_ends_when_the_server_has_ended() -> None:
    with running_server() as server:
        assert host.done("stop") == "The server has stopped.\n"
        assert server.process.wait(5) == 0
        assert "event=stopped" in server.log.read_text()
    assert host.not_done("stop").startswith("no server of this account is running")


# ---------------------------------------------------------------- floods


async def flood(server: ServerProcess, ended: trio.Event, counts: list[int]) -> None:
    """Chat, sit down and get up as fast as the server reads, coming back whenever it hangs up."""
    token: str | None = None
    while not ended.is_set():
        async with await PlainWire.connect(server.host, server.port) as wire:
            welcome = await wire.hello("Flooder", **({} if token is None else {"resume": token}))
            if welcome["type"] == "refused":
                counts[1] += welcome["code"] == "bad_token"
                token = None
                await trio.sleep(0.01)
                continue
            token = welcome["token"]
            requests = [
                {"type": "chat", "text": "x" * 300},
                {"type": "join", "table": 1, "seat": 3},
                {"type": "leave"},
                {"type": "watch", "table": 1},
                {"type": "leave"},
            ]

            async def read(wire: PlainWire = wire) -> None:
                await wire.until_closed()
                reading.cancel()

            number = welcome.get("resumed", False) * counts[0]
            with trio.CancelScope() as reading:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(read)
                    while not ended.is_set():
                        counts[0] += 1
                        number += 1
                        try:
                            await wire.send(id=number, **requests[number % len(requests)])
                        except (trio.BrokenResourceError, trio.ClosedResourceError):
                            break
                    nursery.cancel_scope.cancel()


class Player:
    """Answers every prompt at once. ``seconds`` is how long each action took to be done."""

    def __init__(self, wire: PlainWire, seconds: list[float], enough: trio.Event) -> None:
        self._wire = wire
        self._seconds = seconds
        self._enough = enough
        self._asked: dict[int, float] = {}

    async def play(self) -> None:
        await self._wire.send(type="sync", id=100)
        while True:
            message = await self._wire.receive()
            assert message is not None, "a player was disconnected"
            if message["type"] == "prompt":
                number = 101 + len(self._asked)
                self._asked[number] = trio.current_time()
                await self._wire.send(type="act", id=number, action=message["actions"][0])
            elif message["type"] == "done" and message["id"] in self._asked:
                self._seconds.append(trio.current_time() - self._asked[message["id"]])
                if len(self._seconds) >= PLAYS:
                    self._enough.set()


PLAYS = 40


@pytest.mark.proves("L-4", "H-9")
async def test_u11_a_flood_of_chat_and_seat_switches_holds_up_neither_play_nor_the_hosts_kick() -> None:
    seconds: list[float] = []
    counts = [0, 0]
    ended, enough = trio.Event(), trio.Event()
    with running_server("--bot-delay", "0") as server:
        async with contextlib.AsyncExitStack() as stack:
            wires = [
                await stack.enter_async_context(await PlainWire.connect(server.host, server.port))
                for _ in range(3)
            ]
            for seat, wire in enumerate(wires):
                await wire.hello(f"Player {seat}")
                if seat == 0:
                    # Short turns: while the flooder sits in seat 3, the table waits for it as for anybody.
                    await wire.request("open_table", name="Flooded", turn_seconds=1)
                await wire.request("join", table=1, seat=seat)
            await wires[0].request("add_bot", seat=3)
            with trio.fail_after(120):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(flood, server, ended, counts)
                    async with trio.open_nursery() as players:
                        for wire in wires:
                            players.start_soon(Player(wire, seconds, enough).play)
                        await enough.wait()
                        began = trio.current_time()
                        await run("kick", "Flooder")
                        kick_seconds = trio.current_time() - began
                        ended.set()
                        players.cancel_scope.cancel()
        log = server.log.read_text()
    assert "Traceback" not in log
    assert "name=Flooder done=yes" in log
    logger.info(
        "%d requests of the flooder; %d plays, median %.1f ms, worst %.1f ms; kick after %.2f s",
        counts[0],
        len(seconds),
        1000 * statistics.median(seconds),
        1000 * max(seconds),
        kick_seconds,
    )
    assert counts[0] > 500, "it was a flood"
    assert statistics.median(seconds) < 0.05


# ---------------------------------------------------------------- health checks


def test_a_health_check_is_one_line_and_its_status_says_whether_the_server_works(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with running_server("--name", "Majlis", "--data-dir", data) as server:
        said = host.done("status", "--check", "--data-dir", data)
        assert said == "Majlis works: connections 0 of 1000, tables 0\n"
        refused = host.command("status", "--check", "--json", "--data-dir", data)
        assert refused.returncode == 2
        assert "--check is one line of text" in refused.stderr
        server.process.kill()
        server.process.wait()
        said = host.not_done("status", "--check", "--data-dir", data)
        assert said.endswith("is left from one that was killed")


def test_a_server_whose_journal_does_not_work_is_not_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = {
        "name": "Majlis",
        "connections": 3,
        "max_connections": 8,
        "drain_seconds_left": 60,
        "counts": {"tables": 2},
        "journal": {"data_dir": "/d", "durability": "power", "fault": "the disk is nearly full"},
    }

    @contextlib.contextmanager
    def ask(*_: object) -> Iterator[tuple[dict[str, Any], None]]:
        yield {"ok": True, "said": [], "result": status}, None

    monkeypatch.setattr(control_client, "ask", ask)
    assert admin.main("status", ["--check"]) == 1
    said = capsys.readouterr().err
    assert said == "tarneeb-server: Majlis runs, but its journal does not work: the disk is nearly full\n"
    status["journal"] = {"data_dir": None, "durability": None, "fault": None}
    assert admin.main("status", ["--check"]) == 0
    assert capsys.readouterr().out == "Majlis works: connections 3 of 8, tables 2, draining\n"
