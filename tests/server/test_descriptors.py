"""File descriptors: as many as the system gives, and none of them short for who is here already."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from support.processes import ServerProcess, environment, running_server
from support.wire_client import WireClient
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_server.descriptors import MOST_LINGERING, OWN_DESCRIPTORS, fitted, needed, raise_limit, room_for
from tarneeb_server.settings import Settings

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and prlimit")


@given(st.integers(1, 1 << 20))
def test_connections_those_that_linger_and_the_servers_own_fit_whatever_the_limit(descriptors: int) -> None:
    connections, lingering = room_for(descriptors)
    assert connections >= 1
    assert 0 <= lingering <= MOST_LINGERING
    if descriptors > OWN_DESCRIPTORS:
        assert connections + lingering + OWN_DESCRIPTORS <= descriptors
    assert room_for(needed(connections))[0] >= connections


@pytest.fixture
def limit() -> Iterator[tuple[int, int]]:
    """The limit of this process, which is as it was after the test."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield before
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_limit_is_raised_to_what_the_system_allows(limit: tuple[int, int]) -> None:
    _, hard = limit
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    available = raise_limit(1000)
    soft, still = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert still == hard
    assert available == soft == (needed(1000) if hard == resource.RLIM_INFINITY else hard)


def test_settings_that_fit_are_left_as_they_are(limit: tuple[int, int]) -> None:
    settings = Settings(max_connections=10)
    assert fitted(settings) == (settings, MOST_LINGERING)


@contextlib.asynccontextmanager
async def connected(port: int, count: int) -> AsyncIterator[list[WireClient]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(await WireClient.connect(port)) for _ in range(count)]


def open_descriptors(server: ServerProcess) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def seconds_of_work(server: ServerProcess) -> float:
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def until_taken_in(port: int) -> None:
    while not await taken_in(port):
        await trio.lowlevel.checkpoint()


async def taken_in(port: int) -> bool:
    """Whether the server takes a newcomer in now."""
    async with await WireClient.connect(port) as client:
        await client.send(wire.Hello(protocol_min=1, protocol_max=1, client="test", name="Late"))
        return isinstance(await client.receive(), wire.Welcome)


@pytest.mark.slow
@on_linux
async def test_c10_a_server_out_of_descriptors_turns_newcomers_away_plays_on_and_recovers(
    tmp_path: Path,
) -> None:
    with trio.fail_after(90), running_server("--data-dir", str(tmp_path), "--turn-seconds", "0") as server:
        async with connected(server.port, 4) as players:
            for seat, player in zip(Seat, players, strict=True):
                await player.hello(seat.name.title())
            table = await players[0].open_table()
            for player in players:
                await player.ok(wire.Join, table=table)
            spare_room = 3
            most = open_descriptors(server) + spare_room
            _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (most, hard))
            async with connected(server.port, 12) as crowd:
                turned_away = 0
                for number, newcomer in enumerate(crowd):
                    if number < spare_room:
                        await newcomer.hello(f"Newcomer {number}")
                        continue
                    last = await newcomer.until_closed()
                    assert isinstance(last, wire.Refused)
                    assert last.code == "server_full"
                    await trio.aclose_forcefully(newcomer.stream)
                    turned_away += 1
                assert turned_away == 9
                assert open_descriptors(server) <= most
                # Those who are here notice nothing, and what they do is journalled.
                worked = seconds_of_work(server)
                async with trio.open_nursery() as nursery:
                    for seed, player in enumerate(players[1:]):
                        nursery.start_soon(player.play, random.Random(seed), 10_000)
                    await players[0].play(random.Random(7), 8)
                    nursery.cancel_scope.cancel()
                assert seconds_of_work(server) - worked < 5.0
                assert not await taken_in(server.port)
            await until_taken_in(server.port)
            resumed = await players[0].resumed()
            await trio.aclose_forcefully(resumed.stream)
        log = server.log.read_text()
        assert log.count("event=cannot_accept reason=EMFILE") >= 1
        assert "event=accepts_again" in log
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()
        assert "journal_failed" not in log


@pytest.mark.slow
@on_linux
async def test_c10_a_server_with_few_descriptors_takes_as_many_as_fit_and_says_so(tmp_path: Path) -> None:
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48));"
        "from tarneeb_server.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    log = tmp_path / "log"
    arguments = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path / "store")]
    with log.open("wb") as stream, trio.fail_after(60):
        process = subprocess.Popen(  # noqa: ASYNC220  (a moment)
            [sys.executable, "-c", script, *arguments],
            stdout=subprocess.PIPE,
            stderr=stream,
            text=True,
            env=environment(),
        )
        try:
            assert process.stdout is not None
            port = int([process.stdout.readline() for _ in range(4)][-1].rsplit(":", 1)[1])
            connections, _ = room_for(48)
            async with connected(port, connections) as clients:
                await clients[0].send(wire.Describe())
                about = await clients[0].receive()
                assert isinstance(about, wire.About)
                assert about.limits.connections == connections
                for number, client in enumerate(clients):
                    await client.hello(f"Player {number}")
                for _ in range(20):
                    assert not await taken_in(port)
                await clients[0].open_table()
            await until_taken_in(port)
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            written = log.read_text()
            assert f"event=fewer_connections asked=1000 taken={connections} descriptors=48" in written
            assert "Traceback" not in written
            assert "cannot_accept" not in written
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize("descriptors", [12, 41])
def test_c10_a_server_with_too_few_descriptors_for_anybody_says_how_many_it_needs_and_how_to_get_them(
    descriptors: int,
) -> None:
    script = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors}, {descriptors}));"
        "from tarneeb_server.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script, "--host", "127.0.0.1", "--port", "0", "--discovery", "off"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment(),
    )
    assert finished.returncode == 2
    assert f"{descriptors} files and connections" in finished.stderr
    assert "a server needs 42" in finished.stderr
    assert "ulimit -n 1096" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert finished.stdout == ""
