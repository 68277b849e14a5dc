"""The example clients against the real server: alone, together, and over a link that breaks."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgpack
import pytest

from support.cut_proxy import cut_proxy
from support.processes import environment, processes, running_server
from tarneeb_engine.ruleset import ENUM_OPTIONS, SWITCHES
from tarneeb_engine.variants import VARIANTS

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON_CLIENT = EXAMPLES / "python_minimal.py"
NODE_CLIENT = EXAMPLES / "node" / "client.mjs"
SECONDS = 120.0
"""For a whole set on a machine that is busy with other tests; it takes less than one."""

QUICK = ("--bot-delay", "0", "--name", "Majlis")
WON = re.compile(r"team ([01]) won the set, \[?(-?\d+)(?:, | : )(-?\d+)\]?")
NO_REGISTRY = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[134]|E50\d")
"""What npm says when it is npm's registry, not the lockfile, that is to blame."""

pytestmark = pytest.mark.slow


@pytest.fixture
def python_client() -> list[str]:
    return [sys.executable, str(PYTHON_CLIENT)]


@pytest.fixture(scope="module")
def node_client(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the client for Node, its one package installed as the lockfile says."""
    # The development packages bring a Node of their own; it goes before one of the machine.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    assert node is not None
    assert npm is not None
    folder = tmp_path_factory.mktemp("node")
    for name in ("package.json", "package-lock.json", "client.mjs"):
        shutil.copy(NODE_CLIENT.parent / name, folder)
    command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"]
    installed = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if installed.returncode != 0 and NO_REGISTRY.search(installed.stderr):
        pytest.skip(f"no package from npm's registry: {installed.stderr.splitlines()[0]}")
    assert installed.returncode == 0, installed.stderr
    return [node, str(folder / "client.mjs")]


@pytest.fixture(params=["python_client", "node_client"])
def client(request: pytest.FixtureRequest) -> list[str]:
    """The command of each client in turn."""
    command: list[str] = request.getfixturevalue(request.param)
    return command


def run(command: Sequence[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
        env=environment(),
    )


def result(output: str) -> tuple[int, int, int]:
    """Which team won and both scores, as a client's last line tells them."""
    won = WON.fullmatch(output.splitlines()[-1])
    assert won, output
    team, first, second = map(int, won.groups())
    return team, first, second


@contextlib.contextmanager
def server_that_says(reply: bytes) -> Iterator[str]:
    """Something at an address that answers the first bytes of each connection by ``reply`` and closes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    stream, _ = listener.accept()
                    with stream:
                        stream.recv(65536)
                        stream.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def test_each_example_plays_a_whole_set_with_bots_and_leaves_in_order(client: list[str]) -> None:
    with running_server(*QUICK) as server:
        finished = run(client, server.address, "--name", "ليلى")
        assert server.stop() == 0
        log = server.log.read_text(encoding="utf-8")
    assert finished.stderr == ""
    assert finished.returncode == 0
    called, *told = finished.stdout.splitlines()
    assert re.fullmatch(r"called '?ليلى'? on '?Majlis'?", called)
    assert any(re.match(r"deal \d+: ", line) for line in told)
    team, *scores = result(finished.stdout)
    assert scores[team] >= 31
    assert f"event=set_won table=1 set=1 team={team} scores={scores[0]}:{scores[1]}" in log
    assert "event=session_ended session=1 reason=left" in log


@contextlib.contextmanager
def open_table(address: str, **options: object) -> Iterator[None]:
    """A table with these options, for as long as whoever opened it is in the lobby."""
    host, _colon, port = address.rpartition(":")
    with (
        socket.create_connection((host, int(port)), timeout=SECONDS) as stream,
        stream.makefile("rb") as reader,
    ):
        hello = {"type": "hello", "protocol_min": 1, "protocol_max": 1, "client": "opener 1", "name": "Opener"}
        for message in (hello, {"type": "open_table", "id": 1, "name": "Variant", **options}):
            payload = msgpack.packb(message)
            stream.sendall(len(payload).to_bytes(4, "big") + payload)
            answer = msgpack.unpackb(reader.read(int.from_bytes(reader.read(4), "big")))
            assert answer["type"] in {"welcome", "opened"}, answer
        yield


def any_rules(seed: int) -> dict[str, object]:
    """A value for every rule option, drawn from ``seed``."""
    rng = random.Random(seed)
    words: dict[str, object] = {name: rng.choice(list(kind)).value for name, kind in ENUM_OPTIONS.items()}
    return words | {name: rng.random() < 0.5 for name in SWITCHES} | {"target": 31}


@pytest.mark.parametrize(
    "options",
    [*({"preset": word} for word in VARIANTS), *({"rules": any_rules(seed)} for seed in range(4))],
    ids=[*VARIANTS, *(f"any rules {seed}" for seed in range(4))],
)
def test_clients_without_any_rules_play_a_set_of_every_variant_and_of_any_options(
    python_client: list[str], node_client: list[str], options: dict[str, object]
) -> None:
    with running_server(*QUICK) as server:
        for command in (python_client, node_client):
            with open_table(server.address, **options):
                finished = run(command, server.address, "--name", "Layla")
            assert finished.stderr == ""
            assert finished.returncode == 0
            result(finished.stdout)
        log = server.log.read_text(encoding="utf-8")
    assert log.count("event=set_won") == 2
    assert "event=error" not in log


def test_four_examples_in_two_languages_play_a_set_together(
    python_client: list[str], node_client: list[str]
) -> None:
    with running_server(*QUICK) as server, contextlib.ExitStack() as stack:
        first, *others = [
            [*command, server.address, "--no-bots", "--name", name]
            for command, name in zip(
                [python_client, node_client] * 2, ("Amal", "Badr", "Salma", "Dunya"), strict=True
            )
        ]
        (host,) = stack.enter_context(processes([first]))
        assert host.stdout is not None
        seated = [host.stdout.readline(), host.stdout.readline()]  # the others find its table now
        friends = stack.enter_context(processes(others))
        printed = [each.communicate(timeout=SECONDS) for each in (host, *friends)]
        assert [each.returncode for each in (host, *friends)] == [0, 0, 0, 0], printed
        assert server.stop() == 0
        log = server.log.read_text(encoding="utf-8")
    assert seated == ["called 'Amal' on 'Majlis'\n", "in seat 0 of table 1\n"]
    assert [errors for _, errors in printed] == [""] * 4
    results = [result(output) for output, _ in printed]
    assert results == [results[0]] * 4
    assert log.count("event=player_seated table=1") == 4
    assert log.count("event=set_won") == 1


@pytest.mark.parametrize("limit", [200, 400, 3_000, 20_000])
def test_each_example_resumes_its_seat_when_the_link_breaks(client: list[str], limit: int) -> None:
    """The link breaks after so many bytes of the server: with or without a table, in an auction, in a trick."""
    with running_server(*QUICK, "--seed-for-tests", "31") as server:
        with cut_proxy(server.host, server.port, [limit]) as proxy:
            finished = run(client, proxy.address, "--name", "Nour")
        assert server.stop() == 0
        log = server.log.read_text(encoding="utf-8")
    assert finished.stderr == ""
    assert finished.returncode == 0
    assert "is resumed" in finished.stdout
    assert result(finished.stdout)
    assert log.count("event=session_opened") == 1
    assert log.count("event=set_started") == 1
    assert "event=session_ended session=1 reason=left" in log


def test_each_example_gives_up_when_the_link_breaks_twice(client: list[str]) -> None:
    with running_server(*QUICK) as server, cut_proxy(server.host, server.port, [3_000, 3_000]) as proxy:
        finished = run(client, proxy.address)
    assert finished.returncode == 1
    (line,) = finished.stderr.splitlines()
    assert line.startswith((f"no connection to {proxy.address}", f"no connection to '{proxy.address}'"))


def test_each_example_says_so_when_nobody_listens(client: list[str]) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # taken, but not listened at
        finished = run(client, f"127.0.0.1:{nobody.getsockname()[1]}")
    assert finished.returncode == 1
    assert finished.stdout == ""
    (line,) = finished.stderr.splitlines()
    assert "no connection to" in line


def test_each_example_shows_why_it_was_refused(client: list[str], tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("iftah\n")
    with running_server(*QUICK, "--password-file", str(secret)) as server:
        finished = run(client, server.address)
    assert finished.returncode == 1
    assert "password" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize(
    "reply",
    [
        b"\x00\x00\x00\x01\xc0",
        b"\x00\x00\x00\x03\x81\xa1a",
        b"\x00\x00\x00\x01\x80",
        b"\x00\x00\x00\x0a\x81\xa4type\xa4ping\x00",
        b"\x00\x00\x00\x0e\x81\xa4type\xa7welcome",
    ],
    ids=["nil", "half a map", "a map without type", "a map and more", "a welcome without fields"],
)
def test_each_example_ends_with_one_line_when_a_server_talks_nonsense(client: list[str], reply: bytes) -> None:
    with server_that_says(reply) as address:
        finished = run(client, address)
    assert finished.returncode == 1
    (line,) = finished.stderr.splitlines()
    assert line.startswith(("the server sent what", "no connection to"))


def test_no_example_lets_text_of_a_server_command_the_terminal(client: list[str]) -> None:
    message = "\x1b]0;owned\x07\x9b2J\u202eevil\u200b"
    with server_that_says(_refused(message)) as address:
        finished = run(client, address)
    assert finished.returncode == 1
    assert "evil" in finished.stderr
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]", finished.stderr)


def _refused(message: str) -> bytes:
    text = message.encode()
    payload = b"\x82\xa4type\xa7refused\xa7message" + b"\xd9" + bytes([len(text)]) + text
    return len(payload).to_bytes(4, "big") + payload


@pytest.mark.parametrize(("path", "limit"), [(PYTHON_CLIENT, 100), (NODE_CLIENT, 150)], ids=["python", "node"])
def test_each_example_stays_short(path: Path, limit: int) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) < limit
    assert max(map(len, lines)) <= 120


def test_the_examples_import_nothing_of_this_project() -> None:
    imported = re.findall(r"^(?:from|import) ([\w.]+)", PYTHON_CLIENT.read_text(encoding="utf-8"), re.MULTILINE)
    outside = {name.split(".")[0] for name in imported} - sys.stdlib_module_names
    assert outside == {"msgpack"}
    modules = re.findall(r'from "([^"]+)"', NODE_CLIENT.read_text(encoding="utf-8"))
    assert {name for name in modules if not name.startswith("node:")} == {"@msgpack/msgpack"}
