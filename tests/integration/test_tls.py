"""TLS between real processes: a set played, certificates met and changed, a server that is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from support.processes import ServerProcess, client_command, environment, processes, running_server
from support.tls import authority, flags, issued
from tarneeb_protocol.fingerprint import parse_fingerprint

pytestmark = pytest.mark.slow
SECONDS = 120


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of this test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "tarneeb" / "known-servers"


def same_state() -> dict[str, str]:
    """The environment of a program that finds what the one before has kept."""
    return environment() | {"XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}


def play(server: ServerProcess, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Connect, and end at once."""
    return subprocess.run(
        client_command("play", server.address, "--name", "Nour", "--plain", *arguments),
        input="",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        env=same_state() | variables,
        check=False,
    )


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        client_command(*arguments), capture_output=True, text=True, env=same_state(), check=False
    )


def fingerprint_of(server: ServerProcess) -> str:
    assert server.fingerprint is not None
    return server.fingerprint


def four_bots(server: ServerProcess, *arguments: str) -> list[list[str]]:
    return [
        client_command("bot", server.address, "--table", "Bots", "--seed", str(number), *arguments)
        for number in range(4)
    ]


def test_four_clients_play_a_set_over_tls(tmp_path: Path) -> None:
    with running_server("--tls", "self-made", "--data-dir", str(tmp_path / "data")) as server:
        fingerprint = fingerprint_of(server)
        with processes(four_bots(server, "--fingerprint", fingerprint)) as bots:
            ended = [bot.communicate(timeout=SECONDS) for bot in bots]
        assert [errors for _, errors in ended] == [""] * 4
        assert [bot.returncode for bot in bots] == [0] * 4
        sets = [json.loads(output) for output, _ in ended]
        assert len({json.dumps(finished["score"]) for finished in sets}) == 1
        assert sorted(sets[0]["seats"].values()) == ["Robot", "Robot 2", "Robot 3", "Robot 4"]
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()


def test_a_server_killed_under_players_comes_back_over_tls_with_their_seats(tmp_path: Path) -> None:
    arguments = ("--tls", "self-made", "--data-dir", str(tmp_path / "data"), "--bot-delay", "0.02")
    with running_server(*arguments) as server:
        fingerprint = fingerprint_of(server)
        with processes(four_bots(server, "--tls", "--sets", "2")) as bots:
            first = bots[0].stdout
            assert first is not None
            assert json.loads(first.readline())["set"] == 1  # they are in the second set, or about to be
            server.process.kill()
            server.process.wait()
            with running_server(*arguments, "--port", str(server.port)) as again:
                assert fingerprint_of(again) == fingerprint
                ended = [bot.communicate(timeout=SECONDS) for bot in bots]
                assert [bot.returncode for bot in bots] == [0] * 4, ended
                assert [json.loads(output.splitlines()[-1])["set"] for output, _ in ended] == [2] * 4
                assert again.stop() == 0
                assert "Traceback" not in again.log.read_text()


def test_a_certificate_of_the_servers_own_is_told_once_and_another_is_refused_until_it_is_forgotten(
    tmp_path: Path, state: Path
) -> None:
    with running_server("--tls", "self-made", "--data-dir", str(tmp_path / "one")) as server:
        before = fingerprint_of(server)
        first = play(server)
        assert first.stdout == "Connected to Tarneeb as Nour over TLS. 0 tables. Type help.\n"
        assert f"First time at {server.address} with encryption." in first.stderr
        assert f"\n  {before}\n" in first.stderr
        assert state.read_text().splitlines()[-1] == f"{server.address} {before}"
        second = play(server)
        assert (second.returncode, second.stderr) == (0, "")
        server.stop()
    port = ("--port", str(server.port))
    with running_server("--tls", "self-made", "--data-dir", str(tmp_path / "two"), *port) as other:
        now = fingerprint_of(other)
        refused = play(other)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert f"before: {before}\n  now:    {now}\n" in refused.stderr
        assert f"\n  tarneeb forget {other.address}\n" in refused.stderr
        assert "session_opened" not in other.log.read_text()
        forgotten = run("forget", other.address)
        assert (forgotten.returncode, forgotten.stderr) == (0, "")
        assert "First time at" in play(other).stderr
        other.stop()
    # The same address without TLS: not a word, until that is asked for too.
    with running_server(*port) as plain:
        refused = play(plain)
        assert refused.returncode == 1
        assert "there is no TLS to be had" in refused.stderr
        assert "It was there before." in refused.stderr
        assert "session_opened" not in plain.log.read_text()


def test_a_certificate_that_the_system_vouches_for_is_accepted_in_silence(tmp_path: Path, state: Path) -> None:
    trusted = tmp_path / "authorities.pem"
    trusted.write_bytes(authority().cert_pem.bytes())
    (tmp_path / "old").mkdir()
    with running_server(*flags(tmp_path, issued("127.0.0.1"))) as server:
        joined = play(server, SSL_CERT_FILE=str(trusted))
        assert (joined.returncode, joined.stderr) == (0, "")
        assert state.read_text().splitlines()[-1] == f"{server.address} authority"
        # Somebody who has another certificate, and the key of it, is not the server.
        refused = play(server)
        assert refused.returncode == 1
        assert "no authority vouches for the certificate any more" in refused.stderr
        server.stop()


def test_who_asks_for_a_fingerprint_joins_no_other_server(tmp_path: Path) -> None:
    with running_server("--tls", "self-made", "--data-dir", str(tmp_path)) as server:
        shown = fingerprint_of(server)
        other = "SHA256:" + "A" * 43
        refused = play(server, "--fingerprint", other)
        assert refused.returncode == 1
        assert f"asked for: {other}\n  there:     {shown}\n" in refused.stderr
        assert play(server, "--fingerprint", shown).returncode == 0
        server.stop()


def test_forgetting_what_is_not_known_is_a_sentence_and_status_1() -> None:
    ended = run("forget", "majlis.example")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "tarneeb forget: no certificate is known of majlis.example\n"


def test_the_command_of_the_document_shows_the_fingerprint(tmp_path: Path) -> None:
    document = Path(__file__).parents[2] / "docs" / "protocol.md"
    (command,) = re.findall(r"^openssl s_client .*$", document.read_text(encoding="utf-8"), re.MULTILINE)
    if subprocess.run(["sh", "-c", "command -v openssl"], capture_output=True, check=False).returncode:
        pytest.skip("this machine has no openssl command")
    with running_server("--tls", "self-made", "--data-dir", str(tmp_path)) as server:
        ended = subprocess.run(
            ["sh", "-c", command.replace("127.0.0.1:31313", server.address)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
        assert parse_fingerprint(ended.stdout) == fingerprint_of(server)
        server.stop()


def test_renegotiation_is_refused_and_disturbs_nothing(tmp_path: Path) -> None:
    """``R`` makes openssl ask for it, which TLS 1.2 alone has."""
    if subprocess.run(["sh", "-c", "command -v openssl"], capture_output=True, check=False).returncode:
        pytest.skip("this machine has no openssl command")
    with running_server("--tls", "self-made", "--data-dir", str(tmp_path), "--hello-seconds", "1") as server:
        ended = subprocess.run(
            ["openssl", "s_client", "-connect", server.address, "-tls1_2"],
            input="R\n",
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert "RENEGOTIATING" in ended.stdout + ended.stderr
        assert "no renegotiation" in ended.stderr
        assert play(server).returncode == 0
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(20) == 0
        log = server.log.read_text()
        assert "Traceback" not in log


def seated_then_killed(server: ServerProcess) -> None:
    """Sit down at a table, and be killed there."""
    process = subprocess.Popen(
        client_command("play", server.address, "--name", "Nour", "--plain"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env=same_state(),
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("open Friends\njoin 1\n")
        process.stdin.flush()
        while "You are South" not in (line := process.stdout.readline()):
            assert line, "the client has ended"
    finally:
        process.kill()
        process.communicate()


@pytest.mark.proves("S-7", "S-9")
def test_a_new_process_is_back_in_its_seat_over_tls_and_shows_its_token_to_no_other_certificate(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    arguments = ("--tls", "self-made", "--data-dir", str(data))
    with running_server(*arguments) as server:
        seated_then_killed(server)
        back = play(server)
        assert "Back at table 1 Friends, seat South." in back.stdout, back.stdout + back.stderr
        assert "event=session_resumed" in server.log.read_text()
        seated_then_killed(server)
        server.process.kill()
        server.process.wait()
    # Whoever has the server's name, its id and its address, but another key.
    (data / "self-made-tls.pem").unlink()
    port = ("--port", str(server.port))
    with running_server(*arguments, *port) as other:
        assert play(other).returncode == 1
        run("forget", other.address)
        stranger = play(other)
        assert stranger.returncode == 0
        assert "Back at" not in stranger.stdout
        assert "event=session_resumed" not in other.log.read_text()
        other.stop()
    # Without TLS there is no certificate to show.
    run("forget", server.address)
    with running_server("--data-dir", str(data), *port) as plain:
        stranger = play(plain)
        assert stranger.returncode == 0
        assert "Back at" not in stranger.stdout
        plain.stop()
