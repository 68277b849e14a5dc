"""The command ``tarneeb`` as a process, against a server as a process."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cut_proxy import cut_proxy
from support.processes import ServerProcess, client_command, environment, processes, running_server

pytestmark = pytest.mark.slow
SECONDS = 60
COMMANDS = ("play", "watch", "find", "bot", "demo", "solo", "forget")


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--bot-delay", "0") as running:
        yield running


def run(*arguments: str, typed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        client_command(*arguments),
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        env={**environment(), **variables},
        check=False,
    )


def play(server: ServerProcess, *arguments: str, typed: str) -> list[str]:
    """The lines that ``tarneeb play`` prints for these typed lines."""
    ended = run("play", server.address, *arguments, typed=typed)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.splitlines()


def children_of(pid: int) -> set[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return {int(each) for each in listed.stdout.split()}


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


# ---------------------------------------------------------------- help and arguments


@pytest.mark.parametrize(
    "command", [(), *((name,) for name in COMMANDS)], ids=lambda command: "-".join(command) or "all"
)
def test_help_of_every_command_stands_by_itself_and_is_quick(command: tuple[str, ...]) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = run(*command, "--help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.returncode == 0
    assert ended.stdout.startswith("usage: tarneeb")
    for option in re.findall(r"--[a-z-]+", ended.stdout.split("\n\n")[0]):
        assert re.search(rf"^  .*{option}\b.*", ended.stdout, re.MULTILINE), option
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < 0.25


def test_what_a_few_commands_need_is_loaded_by_those_alone() -> None:
    code = "import sys, tarneeb_client.start; print(*sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), timeout=60, check=True
    )
    loaded = set(ended.stdout.split())
    assert "tarneeb_client.start" in loaded
    assert not loaded & {"prompt_toolkit", "zeroconf", "asyncio", "bidi", "arabic_reshaper"}


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").stdout == "tarneeb 0.1.0\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["play", "a b"],
            "tarneeb play: “a b” is not an address: this cannot be a host. Accepted: HOST, HOST:PORT",
        ),
        (["play", "host:99999"], "“99999” is not a port. Accepted: HOST, HOST:PORT"),
        (["play", "--name", "x" * 30], "--name: a name has at most 24 characters"),
        (["play", "--name", "\u202eevil"], "--name: a name holds an invisible format character, U+202E"),
        (["play", "--seat", "south"], "--seat needs --table"),
        (
            ["play", "--fingerprint", "SHA256:short"],
            "--fingerprint: “SHA256:short” is no fingerprint: accepted are SHA256: and 43 characters of base64",
        ),
        (["forget", "a b"], "tarneeb forget: “a b” is not an address"),
        (
            ["play", "--table", "1", "--seat", "up"],
            "--seat: “up” is not a seat. Accepted: south, east, north, west.",
        ),
        (
            ["play", "--password-file", "/no/such/file"],
            "--password-file: cannot read /no/such/file: No such file",
        ),
        (["bot", "::1", "--count", "2", "--seat", "south"], "--seat is for one bot"),
        (["bot", "::1", "--count", "0"], "argument --count: '0' is not a number of seats of a table, 1 to 4"),
        (["bot", "::1", "--count", "5"], "argument --count: '5' is not a number of seats of a table, 1 to 4"),
        (["demo", "--seed", "-1"], "argument --seed: '-1' is not a whole number from 0 to 9223372036854775807"),
        (["solo", "--seed", str(2**63)], "is not a whole number from 0 to 9223372036854775807"),
        (["bot", "::1", "--sets", "0"], "argument --sets: '0' is not a whole number from 1 to 999999"),
        (["bot", "::1", "--wait-seconds", "nan"], "'nan' is not a number of seconds, over 0 and up to 86400"),
        (["bot", "::1", "--level", "grand"], "invalid choice: 'grand'"),
        (["watch", "::1"], "tarneeb watch: say which table to watch: --table TABLE, a number or a name"),
        (["dance"], "invalid choice: 'dance'"),
        ([], "say what to do: tarneeb --help lists the commands"),
    ],
)
def test_wrong_arguments_are_named_with_what_is_accepted(arguments: list[str], said: str) -> None:
    ended = run(*arguments)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_no_server_at_the_address_is_a_sentence_that_says_what_to_do() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound but not listening: nobody else can take it, and it refuses
        ended = run("play", f"127.0.0.1:{unused.getsockname()[1]}")
    assert ended.returncode == 1
    assert "no server listens there. Is the address right, and does tarneeb-server run there?" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_is_no_tarneeb_server_is_a_sentence() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        processes([client_command("play", f"127.0.0.1:{other.getsockname()[1]}")]) as (process,),
    ):
        accepted, _ = other.accept()
        with accepted:
            accepted.recv(1000)
            accepted.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 1
    assert "does not greet as a Tarneeb server" in errors
    assert "Traceback" not in errors


# ---------------------------------------------------------------- play


def test_z05_lines_from_a_pipe_are_answered_in_order_without_any_control_character(
    server: ServerProcess,
) -> None:
    lines = play(server, "--name", "Piped", typed="help play\nopen Ordered turn=0\njoin\nfoo\n/hello\nwho\n")
    firsts = [line.split(" ", maxsplit=2)[0] for line in lines]
    assert firsts == ["Connected", "play", "CARD", "Table", "Table", "Rules:", "!", "<Piped>", "Table"]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\n".join(lines))


@pytest.mark.parametrize(
    "variables",
    [
        {"TERM": "dumb"},
        {"NO_COLOR": "1", "TERM": "xterm"},
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LANG": "ar_SY", "PYTHONIOENCODING": "latin-1"},
    ],
)
def test_z05_any_terminal_and_any_encoding_will_do(server: ServerProcess, variables: dict[str, str]) -> None:
    ended = run("play", server.address, "--name", "ليلى", typed="who\nquit\nnever\n", **variables)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(ended.stdout.splitlines()) == 2
    assert "\x1b" not in ended.stdout


def test_the_end_of_the_input_leaves_the_seat_at_once(server: ServerProcess) -> None:
    play(server, "--name", "Gone", typed="open Left turn=0\njoin\n")
    (line,) = [line for line in play(server, typed="tables\n") if " Left: " in line]
    assert "0 of 4 seats taken" in line


def test_a_table_and_a_seat_are_taken_at_once_when_asked_for(server: ServerProcess) -> None:
    play(server, typed="open Direct\n")
    lines = play(server, "--table", "direct", "--seat", "west", typed="\n")
    assert any("Direct. You are West." in line for line in lines)
    ended = run("watch", server.address, "--table", "Direct")
    assert "Direct. You watch." in ended.stdout


@pytest.mark.proves("R-5")
def test_json_lines_can_all_be_read_and_hold_no_token(server: ServerProcess) -> None:
    lines = play(
        server, "--json", typed='{"type": "open_table", "name": "J"}\n{"type": "join", "table": 0}\nhelp\nx\n'
    )
    shown = [json.loads(line) for line in lines]
    assert [each["type"] for each in shown] == ["welcome", "tables", "opened", "problem", "answer", "problem"]
    assert shown[0]["token"] == ""


def test_input_that_is_no_text_is_answered_with_a_problem(server: ServerProcess) -> None:
    ended = subprocess.run(
        client_command("play", server.address),
        input=b"\xff\xfe\x00\x1b[2J\n/\xed\xa0\x80\nquit",
        capture_output=True,
        timeout=SECONDS,
        env=environment(),
        check=False,
    )
    assert ended.returncode == 0
    assert b"\x1b" not in ended.stdout
    assert ended.stderr == b""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_the_client_politely(server: ServerProcess, number: signal.Signals, status: int) -> None:
    process = subprocess.Popen(
        client_command("play", server.address, "--name", "Signalled"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(),
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Connected to ")
        process.send_signal(number)
        assert process.wait(SECONDS) == status
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_r01_a_player_whose_connection_is_cut_is_back_at_the_same_seat_with_the_same_cards() -> None:
    with (
        running_server("--seed-for-tests", "3", "--bot-delay", "0") as own,
        cut_proxy(own.host, own.port) as proxy,
    ):
        process = subprocess.Popen(
            client_command("play", proxy.address, "--name", "Nour"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment(),
        )
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            shown: list[str] = []

            def type_and_read(typed: str, start: str) -> str:
                """Type, and read up to the first line that starts so."""
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(typed)
                process.stdin.flush()
                while not (line := process.stdout.readline()).startswith(start):
                    assert line, shown
                    shown.append(line)
                shown.append(line)
                return line

            type_and_read("open Cut turn=0\njoin\nbot\nbot\nbot\ncut 20\n", "Your hand: ")
            before = type_and_read("hand\n", "Your hand: ")
            proxy.cut()
            lost = type_and_read("", "! Link lost (the connection was closed). Next try ")
            assert re.search(r"seat held (2:00|1:59)", lost)
            type_and_read("", "Back at table ")
            assert type_and_read("hand\n", "Your hand: ") == before
            process.stdin.close()
            assert process.wait(SECONDS) == 0
            assert process.stderr.read() == ""


# ---------------------------------------------------------------- bots


def finished_sets(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def test_four_bot_processes_started_at_once_meet_at_one_table_and_play_their_sets(
    server: ServerProcess,
) -> None:
    commands = [
        client_command(
            "bot", server.address, "--table", "Race", "--sets", "2", "--level", "random", "--seed", str(seed)
        )
        for seed in range(4)
    ]
    with processes(commands) as started:
        outputs = [process.communicate(timeout=SECONDS) for process in started]
        statuses = [process.returncode for process in started]
    assert statuses == [0, 0, 0, 0], outputs
    first, *others = [finished_sets(output) for output, _ in outputs]
    assert others == [first, first, first]
    assert [each["set"] for each in first] == [1, 2]
    for each in first:
        assert set(each) == {"set", "table", "table_name", "winner", "score", "deals", "seats"}
        score = each["score"]
        assert isinstance(score, dict)
        assert score[each["winner"]] == max(score.values())


def test_several_bots_in_one_process_print_each_set_once(server: ServerProcess) -> None:
    ended = run("bot", server.address, "--table", "Many", "--count", "4", "--sets", "2")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [each["set"] for each in finished_sets(ended.stdout)] == [1, 2]


def test_a_bot_that_nobody_joins_leaves_with_a_sentence(server: ServerProcess) -> None:
    ended = run("bot", server.address, "--table", "Lonely", "--wait-seconds", "0.3")
    assert ended.returncode == 1
    assert ended.stderr.startswith("tarneeb bot: no set has begun after 0.3 s")
    assert ended.stdout == ""


def test_bots_whose_partner_leaves_after_a_set_end_sanely(server: ServerProcess) -> None:
    three = client_command(
        "bot", server.address, "--table", "Series", "--count", "3", "--sets", "5", "--wait-seconds", "2"
    )
    one = client_command("bot", server.address, "--table", "Series", "--sets", "1")
    with processes([three, one]) as (staying, leaving):
        left, _ = leaving.communicate(timeout=SECONDS)
        stayed, errors = staying.communicate(timeout=SECONDS)
    assert leaving.returncode == 0
    assert staying.returncode == 1
    assert len(finished_sets(left)) == 1
    assert len(finished_sets(stayed)) == 1
    assert errors.startswith("tarneeb bot: no set has begun after 2 s, and 4 more sets should be played")


def test_a_seat_that_is_taken_is_refused_with_a_sentence(server: ServerProcess) -> None:
    command = ("bot", server.address, "--table", "Taken", "--seat", "south")
    with processes([client_command(*command, "--wait-seconds", str(SECONDS))]):
        deadline = time.monotonic() + SECONDS
        while not any(" Taken: 1 of 4" in line for line in play(server, typed="tables\n")):
            assert time.monotonic() < deadline
        ended = run(*command)
    assert ended.returncode == 1
    assert ended.stderr.endswith("Taken has seat South taken\n")


# ---------------------------------------------------------------- demo and solo


def test_the_demo_with_a_seed_is_the_same_every_time_and_shows_a_whole_set() -> None:
    first, second = run("demo", "--seed", "5"), run("demo", "--seed", "5")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == second.stdout
    lines = first.stdout.splitlines()
    assert lines[1] == "South Amal, East Badr, North Dana, West Fares."
    assert lines[-2].endswith(" deals.")
    assert lines[-1].startswith("Final score: Amal and Dana ")
    played = [line for line in lines if re.match(r"  [ 1]\d  \w+ [♣♦♥♠]", line)]
    scored = [line for line in lines if " Points: " in line]
    assert len(played) == 13 * len(scored)
    assert sum("Checked: the pack was fixed before the cut" in line for line in lines) >= len(scored)
    assert run("demo", "--seed", "6").stdout != first.stdout


def test_the_demo_leaves_no_process_behind_when_its_reader_has_gone() -> None:
    process = subprocess.Popen(
        client_command("demo"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("A private server")
        servers = children_of(process.pid)
        process.stdout.close()
        assert process.wait(SECONDS) == 1
        assert process.stderr.read() == ""
    assert len(servers) == 1
    assert not any(is_running(pid) for pid in servers)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_private_server_ends_with_its_client_whatever_happens(number: signal.Signals, status: int) -> None:
    process = subprocess.Popen(
        client_command("solo", "--name", "Nour"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(),
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        while not process.stdout.readline().startswith("Set 1 begins"):
            assert process.poll() is None
        servers = children_of(process.pid)
        process.send_signal(number)
        assert process.wait(SECONDS) == status
        assert process.stderr.read() == ""
    assert len(servers) == 1
    assert not any(is_running(pid) for pid in servers)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system does not tell when another process ends")
def test_the_private_server_ends_with_a_client_that_is_killed() -> None:
    with processes([client_command("solo", "--name", "Nour")]) as (process,):
        assert process.stdout is not None
        while not process.stdout.readline().startswith("Set 1 begins"):
            assert process.poll() is None
        (server,) = children_of(process.pid)
        end_of_server = os.pidfd_open(server)
        try:
            process.kill()
            assert select.select([end_of_server], [], [], SECONDS)[0]
        finally:
            os.close(end_of_server)


def test_solo_seats_the_player_in_the_south_with_three_bots() -> None:
    ended = run("solo", "--seed", "3", "--name", "Nour", typed="who\nhand\nquit\n")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Table 1 Solo. You are South." in ended.stdout
    assert "West, on your left: Bot Fares (steady bot)" in ended.stdout


def test_the_first_evening_of_the_document_is_what_solo_prints() -> None:
    text = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")
    section = text.partition("## A first evening")[2]
    command = re.search(r"`tarneeb (solo [^`]*)`", section)
    assert command is not None
    example = section.split("```")[1].strip().splitlines()
    typed = [line.removeprefix("> ") for line in example if line.startswith("> ")]
    expected = [line for line in example if not line.startswith("> ")]
    ended = run(*command.group(1).split(), typed="\n".join(typed) + "\n")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[: len(expected)] == expected


def test_a_server_that_cannot_start_is_a_sentence(tmp_path: Path) -> None:
    package = tmp_path / "tarneeb_server"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('no room on this machine')\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ended = run("demo", PYTHONPATH=path)
    assert ended.returncode == 1
    assert ended.stderr.startswith(
        "tarneeb demo: the private server ended with status 1: no room on this machine"
    )


AT_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C is a signal whenever the terminal is not raw
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_z01_at_a_terminal_ctrl_c_clears_once_leaves_the_second_time_and_restores_the_terminal() -> None:
    controller, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)
    command = client_command("solo", "--name", "Nour", "--seed", "3", "--lines")
    process = subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL, *command],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**environment(), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
        start_new_session=True,
    )
    shown = b""

    def read_until(text: bytes) -> None:
        nonlocal shown
        deadline = time.monotonic() + SECONDS
        while text not in shown:
            readable, _, _ = select.select([controller], [], [], max(0.0, deadline - time.monotonic()))
            assert readable, f"{text!r} was not shown, but {shown!r}"
            shown += os.read(controller, 65536)

    try:
        read_until(b"Your turn")
        os.write(controller, b"wh\x03")
        read_until(b"Press Ctrl-C again to leave.")
        os.write(controller, b"cut 20\r")
        read_until(b"You cut 20 cards.")
        shown = b""
        os.write(controller, b"\x03")
        read_until(b"Press Ctrl-C again to leave.")
        os.write(controller, b"\x03")
        assert process.wait(SECONDS) == 130
        assert termios.tcgetattr(terminal) == before
        assert b"Traceback" not in shown
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(controller)
        os.close(terminal)


# ---------------------------------------------------------------- streams that are missing or full


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("command", ["demo", "solo"])
def test_output_that_cannot_be_written_is_a_sentence(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            client_command(command),
            stdin=subprocess.PIPE,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
            env=environment(),
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr == f"tarneeb {command}: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("closed", [(0,), (1,), (0, 1), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("command", ["demo", "solo"])
def test_a_standard_stream_that_is_closed_is_an_empty_one(command: str, closed: tuple[int, ...]) -> None:
    redirections = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    ended = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirections}', "sh", *client_command(command)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=environment(),
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert bool(ended.stdout) == (1 not in closed)
