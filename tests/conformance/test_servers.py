"""The kit as a person runs it: our server passes, and what cannot be checked is said so."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path

import pytest
import trio

from support.live_server import live_server
from support.processes import client_command, environment, running_server
from support.tls import server_tls
from tarneeb_client.addresses import Address
from tarneeb_client.conformance.outcome import Verdict
from tarneeb_client.conformance.probe import Target
from tarneeb_client.conformance.server_kit import CHECKS, NoServer, check_server, run_check
from tarneeb_client.conformance.wire import frame

SECONDS = 120
TLS = [check for check in CHECKS if check.subject == "tls"]
"""What only a server with TLS is checked for."""
SHORT_TIMES = (
    "--hello-seconds",
    "1",
    "--ping-seconds",
    "1",
    "--dead-seconds",
    "3",
    "--grace-seconds",
    "3",
)


def run_kit(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        client_command("conformance", "server", *arguments),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        env=environment(),
        check=False,
    )


@pytest.mark.slow
def test_our_server_passes_every_check(tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("open sesame\n", encoding="utf-8")
    with running_server("--password-file", str(password), "--bot-delay", "0", *SHORT_TIMES) as server:
        ended = run_kit(server.address, "--password-file", str(password), "--json")
        log = server.log.read_text(encoding="utf-8")
    assert ended.stderr == ""
    report = json.loads(ended.stdout)
    assert [result for result in report["results"] if result["verdict"] == "failed"] == []
    not_tested = [result["subject"] for result in report["results"] if result["verdict"] == "not_tested"]
    assert not_tested == ["tls"] * len(TLS)
    assert report["counts"]["passed"] == len(CHECKS) - len(TLS)
    assert ended.returncode == 0
    assert "Traceback" not in log


STALLING = "a handshake that stalls is ended"


@pytest.mark.slow
async def test_our_server_with_tls_passes_what_is_about_streams() -> None:
    checks = [check for check in CHECKS if check.subject in {"framing", "handshake", "tls"}]
    # Who says hello a byte at a time needs a while on a busy machine; who stalls is waited for.
    stalling = [check for check in checks if check.name == STALLING]
    assert len(stalling) == 1
    tls = server_tls()
    async with live_server(tls=tls, password="open sesame", hello_seconds=3) as server:  # noqa: S106  (nobody's)
        target = Target(Address("127.0.0.1", server.port), "open sesame", tls=True)
        results = await check_server(target, stalling)
        assert [result for result in results if result.verdict is not Verdict.PASSED] == []
    async with live_server(tls=tls, password="open sesame", hello_seconds=60) as server:  # noqa: S106  (nobody's)
        address = Address("127.0.0.1", server.port)
        others = [check for check in checks if check not in stalling]
        for fingerprint in (None, tls.fingerprint):
            target = Target(address, "open sesame", tls=True, fingerprint=fingerprint)
            results = await check_server(target, others if fingerprint is None else others[:2])
            assert [result for result in results if result.verdict is not Verdict.PASSED] == []
        another = Target(address, "open sesame", tls=True, fingerprint="SHA256:another")
        with pytest.raises(NoServer, match=r"has the fingerprint SHA256:.*, not SHA256:another"):
            await check_server(another, checks)


@pytest.mark.parametrize(
    ("check", "answer", "seen"),
    [
        ("a client in plain is told to use tls", frame(type="pong"), "closed the connection before refused"),
        ("a client in plain is told to use tls", b"", "closed the connection before refused"),
        (
            "an old version of tls is refused",
            b"\x16\x03\x02\x00\x04\x02\x00\x00\x00",
            "answered by a ServerHello",
        ),
    ],
)
async def test_a_server_that_is_laxer_about_tls_is_caught(check: str, answer: bytes, seen: str) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.send_all(answer)
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        target = Target(Address("127.0.0.1", listeners[0].socket.getsockname()[1]), tls=True)
        (lax,) = [each for each in TLS if each.name == check]
        result = await run_check(lax, target)
        assert result.verdict is Verdict.FAILED
        assert seen in result.seen
        nursery.cancel_scope.cancel()


@pytest.mark.slow
def test_times_that_are_too_long_to_wait_for_are_not_tested_and_no_failure() -> None:
    with running_server("--bot-delay", "0") as server:
        ended = run_kit(server.address, "--patience", "1", "--only", "liveness")
    assert ended.returncode == 0
    assert ended.stdout.startswith("liveness\n")
    said = " ".join(ended.stdout.split())
    assert "why: the server's dead_seconds is 45 s, and the kit waits 1 s: start the server with" in said
    assert said.endswith("2 passed, 0 failed, 4 not tested")


def test_what_failed_is_told_with_what_was_seen_and_what_the_document_says() -> None:
    """A server that has one word for everything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        ended = subprocess.Popen(
            client_command("conformance", "server", f"127.0.0.1:{port}"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment(),
        )
        accepted, _ = listener.accept()
        with accepted:
            accepted.recv(1000)
            accepted.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            output, errors = ended.communicate(timeout=SECONDS)
    assert output == ""
    assert errors == "tarneeb conformance: a frame announces 1213486160 bytes; 1 to 65536 are allowed\n"
    assert ended.returncode == 2


def test_no_server_is_a_sentence_and_status_2() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound but not listening: nobody else can take it, and it refuses
        ended = run_kit(f"127.0.0.1:{unused.getsockname()[1]}")
    assert ended.returncode == 2
    assert ended.stderr.startswith("tarneeb conformance: no connection could be made: ")
    assert "Traceback" not in ended.stderr


def test_words_that_no_check_has_are_told() -> None:
    ended = run_kit("127.0.0.1", "--only", "poker")
    assert ended.returncode == 2
    assert "--only: no check has 'poker' in its subject or name; --list shows all" in ended.stderr


def test_the_list_names_every_check_with_its_requirements() -> None:
    ended = run_kit("127.0.0.1", "--list")
    listed = [f"{check.subject}: {check.name} ({', '.join(check.proves)})" for check in CHECKS]
    assert ended.stdout.splitlines() == listed


@pytest.mark.parametrize("side", [(), ("server",), ("client",)], ids=lambda side: "-".join(side) or "both")
def test_help_stands_by_itself(side: tuple[str, ...]) -> None:
    ended = subprocess.run(
        client_command("conformance", *side, "--help"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        env=environment(),
        check=False,
    )
    assert ended.returncode == 0
    assert ended.stdout.startswith(f"usage: tarneeb conformance {' '.join(side)}".rstrip())
    assert "usage:" not in ended.stdout.removeprefix("usage:")
