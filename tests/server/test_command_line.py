"""``tarneeb-server`` as a host starts it: flags, the lines it prints, the log, how it ends."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from support.plain_wire import PlainWire
from support.processes import environment, running_server, server_command
from tarneeb_server import admin, records_command
from tarneeb_server.__main__ import parser, settings_from
from tarneeb_server.announce import announcement, format_address
from tarneeb_server.settings import DEFAULT_PORT, Settings, flags

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        server_command(*arguments),
        capture_output=True,
        text=True,
        timeout=60,
        env={**environment(), **variables},
        check=False,
    )


def test_help_lists_every_flag_and_comes_quickly() -> None:
    finished = run("--help")
    assert finished.returncode == 0
    for name, _ in flags():
        assert f"--{name.replace('_', '-')} " in finished.stdout
    imported = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tarneeb_server", "--help"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert "tarneeb_server.settings" in imported
    assert not re.search(r"\| +(trio|msgspec|sqlite3)\b", imported)


def test_the_hosting_document_explains_every_flag() -> None:
    document = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`(--[a-z-]+)", document))
    assert {f"--{name.replace('_', '-')}" for name, _ in flags()} <= documented
    parsers = [parser(), *map(admin.parser, admin.COMMANDS)]
    parsers += map(records_command.parser, records_command.COMMANDS)
    known = {option for each in parsers for action in each._actions for option in action.option_strings}
    assert documented <= known
    for name, made in zip((*admin.COMMANDS, *records_command.COMMANDS), parsers[1:], strict=True):
        assert f"`{name}" in document
        own = {option for action in made._actions for option in action.option_strings if option[:2] == "--"}
        assert own <= documented


def test_defaults_in_the_help_are_the_defaults() -> None:
    for name, flag in flags():
        default = getattr(Settings(), name)
        stated = re.search(r"\(default: ([^)]*)\)$", flag.help)
        if stated is not None and default is not None and default != ():
            assert stated[1] == (f"{default:g}" if isinstance(default, float) else str(default)), name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "65536"], "expected a whole number from 0 to 65535, not 65536"),
        (["--port", "x"], "expected a whole number from 0 to 65535, not 'x'"),
        (["--turn-seconds", "-1"], "expected a whole number from 0 to 3600, not -1"),
        (["--bot-delay", "nan"], "expected seconds from 0 to 60, not 'nan'"),
        (["--log-level", "loud"], "expected one of debug, info, warning, error, not 'loud'"),
        (["--name", "\x1b[2J"], "expected 1 to 64 printable characters"),
        (["--dead-seconds", "10"], "--dead-seconds must be more than --ping-seconds"),
        (["--password-file", "/nonexistent"], "--password-file: /nonexistent cannot be read"),
        (["--prot", "1"], "unrecognized arguments"),
        (
            ["frobnicate"],
            "'frobnicate' is no command; there are status, kick, ban, unban, bans, say,",
        ),
        (["--port", "1", "status"], "a command comes before its arguments: tarneeb-server status ..."),
    ],
)
def test_a_bad_flag_ends_with_status_2_and_says_what_is_accepted(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        settings_from(arguments, {})
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_the_password_comes_from_the_environment_or_a_file_and_never_from_a_flag(tmp_path: Path) -> None:
    assert settings_from([], {}).password is None
    assert settings_from([], {"TARNEEB_PASSWORD": "open"}).password == "open"
    file = tmp_path / "password"
    file.write_text("sesame\nrest\n", encoding="utf-8")
    chosen = settings_from(["--password-file", str(file)], {"TARNEEB_PASSWORD": "open"})
    assert chosen.password == "sesame"
    assert not any(name == "password" for name, _ in flags())


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe\n", b"x" * 129])
def test_a_password_file_that_holds_no_password_is_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "password"
    file.write_bytes(content)
    with pytest.raises(SystemExit):
        settings_from(["--password-file", str(file)], {})
    assert "--password-file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("", "1 to 128 characters; it has 0"),
        ("x" * 129, "1 to 128 characters; it has 129"),
        ("\udcff", "holds characters that nobody can type"),
    ],
    ids=ascii,
)
def test_a_password_that_would_be_none_or_that_nobody_could_give_is_refused(
    password: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        settings_from([], {"TARNEEB_PASSWORD": password})
    shown = " ".join(capsys.readouterr().err.split())
    assert "the environment variable TARNEEB_PASSWORD is to be the password" in shown
    assert said in shown


@pytest.mark.parametrize(
    ("host", "port", "shown"),
    [
        ("192.168.1.20", DEFAULT_PORT, "192.168.1.20"),
        ("192.168.1.20", 4000, "192.168.1.20:4000"),
        ("fd00::1", DEFAULT_PORT, "fd00::1"),
        ("fd00::1", 4000, "'[fd00::1]:4000'"),
    ],
)
def test_an_address_is_shown_as_a_client_takes_it(host: str, port: int, shown: str) -> None:
    assert format_address(host, port) == shown


def test_friends_are_told_one_line_for_each_address_and_the_host_one_for_this_machine() -> None:
    lines = announcement("Majlis", (), DEFAULT_PORT, ["192.168.1.20", "10.0.0.7", "fd00::1"])
    commands = [line.strip() for line in lines if line.startswith("  ")]
    assert commands == [
        "tarneeb play 192.168.1.20",
        "tarneeb play 10.0.0.7",
        "tarneeb play fd00::1",
        "tarneeb play 127.0.0.1",
    ]
    alone = announcement("Majlis", ("127.0.0.1",), 4000, [])
    assert alone == [
        "Majlis is open.",
        "No other machine can reach it.",
        "On this machine:",
        "  tarneeb play 127.0.0.1:4000",
    ]
    one = announcement("Majlis", ("192.168.1.20",), 4000, [])
    assert [line.strip() for line in one if line.startswith("  ")] == ["tarneeb play 192.168.1.20:4000"]


@pytest.mark.slow
def test_a_busy_port_is_named_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        finished = run("--host", "127.0.0.1", "--port", str(port))
    assert finished.returncode == 2
    assert f"port {port} on 127.0.0.1 is in use" in finished.stderr
    assert "--port 0" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--host", "no.such.host.invalid"], "'no.such.host.invalid' is no address or name"),
        (["--host", "192.0.2.1"], "--host: 192.0.2.1 is not an address of this machine"),
        (["--control", "/nonexistent/below/c.sock"], "there is no directory /nonexistent/below; make it first"),
        (["--ready-file", "/nonexistent/ready"], "--ready-file: /nonexistent/ready: No such file or directory"),
        (["--ready-file", "/proc"], "--ready-file: /proc: "),
        (["--data-dir", __file__], f"--data-dir: {__file__} cannot be used: it is no directory"),
        (
            ["--data-dir", f"{__file__}/below"],
            f"--data-dir: {__file__}/below cannot be used: it is no directory",
        ),
    ],
)
def test_a_server_that_cannot_start_says_why_without_a_traceback(arguments: list[str], said: str) -> None:
    finished = run("--host", "127.0.0.1", "--port", "0", *arguments)
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert said in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_server_cleanly_with_everybody_told(number: signal.Signals) -> None:
    with running_server("--name", "Majlis") as server:
        async with await PlainWire.connect(server.host, server.port) as client:
            welcome = await client.hello("Nour")
            assert welcome["server_name"] == "Majlis"
            server.process.send_signal(number)
            last = await client.until_closed()
        assert last is not None
        assert (last["type"], last["code"]) == ("goodbye", "shutdown")
        assert server.process.wait(20) == 0
        log = server.log.read_text()
        assert "Traceback" not in log
        assert f"event=stopping reason={number.name}" in log


@pytest.mark.slow
def test_the_ready_file_says_where_the_server_listens_and_goes_when_it_ends(tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    process = subprocess.Popen(
        server_command("--host", "127.0.0.1", "--port", "0", "--name", "دار", "--ready-file", str(ready)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        text=True,
    )
    try:
        assert process.stdout is not None
        printed = [process.stdout.readline() for _ in range(4)]
        port = int(printed[-1].rsplit(":", 1)[1])
        assert json.loads(ready.read_text(encoding="utf-8")) == {
            "host": "127.0.0.1",
            "port": port,
            "name": "دار",
        }
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert not ready.exists()
        assert list(tmp_path.iterdir()) == []
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.slow
def test_until_input_ends_the_server_ends_with_its_input_and_needs_one() -> None:
    command = server_command("--host", "127.0.0.1", "--port", "0", "--until", "input-ends")
    ended = subprocess.run(
        command, input="ignored\n", capture_output=True, text=True, timeout=60, env=environment(), check=False
    )
    assert ended.returncode == 0
    assert "event=stopping reason=input_ended" in ended.stderr
    assert "event=stopped" in ended.stderr
    without = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *command],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
        check=False,
    )
    assert without.returncode == 2
    assert without.stderr.startswith("tarneeb-server: --until input-ends: there is no standard input")


@pytest.mark.slow
def test_a_second_server_on_one_data_directory_is_refused(tmp_path: Path) -> None:
    with running_server("--data-dir", str(tmp_path)):
        finished = run("--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path))
    assert finished.returncode == 2
    assert "in use by another tarneeb-server" in finished.stderr
