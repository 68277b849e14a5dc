"""The kit's scripted servers: our clients pass, and a client with a fault is caught."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from support.bad_clients import FAULTS
from support.processes import client_command, environment
from tarneeb_client.conformance.client_kit import SCENARIOS, Program, check_client
from tarneeb_client.conformance.outcome import Result, Verdict

SECONDS = 120
TESTS = str(Path(__file__).parents[1])
FAULTY = [fault for fault in FAULTS if fault != "none"]
BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
TYPED = "\n".join(["join 1", "cut 20", "pass", *["1"] * 13, ""])
"""What a person would type to play one deal at the scripted table."""


def bad_client(fault: str) -> Program:
    # By -c, so that it is found without this process's search path.
    start = f"import sys; sys.path.insert(0, {TESTS!r}); import runpy; sys.argv[0] = 'bad_clients'; "
    start += "runpy.run_module('support.bad_clients', run_name='__main__')"
    return Program((sys.executable, "-c", start, fault, "{host}", "{port}"))


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Result]:
    """What the kit finds of every faulty client: all at once, because most of the time is waiting."""
    found: dict[str, Result] = {}

    async def check(fault: str, free: anyio.CapacityLimiter) -> None:
        async with free:
            (found[fault],) = await check_client([BY_NAME[FAULTS[fault]]], bad_client(fault), patience=10.0)

    async def check_all() -> None:
        free = anyio.CapacityLimiter(8)
        async with anyio.create_task_group() as tasks:
            for fault in FAULTY:
                tasks.start_soon(check, fault, free)

    anyio.run(check_all)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTY)
def test_a_client_with_a_fault_is_caught(verdicts: dict[str, Result], fault: str) -> None:
    assert verdicts[fault].verdict is Verdict.FAILED, verdicts[fault]
    assert verdicts[fault].seen


@pytest.mark.slow
async def test_a_client_without_a_fault_passes_what_the_faulty_ones_fail() -> None:
    scenarios = [BY_NAME[name] for name in dict.fromkeys(FAULTS.values()) if name]
    results = await check_client(scenarios, bad_client("none"), patience=10.0)
    assert [result for result in results if result.verdict is not Verdict.PASSED] == []


def run_kit(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        client_command("conformance", "client", *arguments),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        env=environment(),
        check=False,
    )


@pytest.mark.slow
def test_f15_our_bot_passes_good_and_hostile_servers() -> None:
    ended = run_kit(
        "--json", "--", *client_command("bot", "{address}", "--table", "Conformance", "--seed", "1")
    )
    assert ended.stderr == ""
    report = json.loads(ended.stdout)
    failed = [result for result in report["results"] if result["verdict"] == "failed"]
    not_tested = [result["check"] for result in report["results"] if result["verdict"] == "not_tested"]
    assert failed == []
    assert not_tested == ["hostile text does not reach the terminal"]  # it prints no chat
    assert ended.returncode == 0


@pytest.mark.slow
def test_f15_our_line_mode_passes_good_and_hostile_servers_by_pipe(tmp_path: Path) -> None:
    typed = tmp_path / "typed.txt"
    typed.write_text(TYPED, encoding="utf-8")
    ended = run_kit(
        "--type", str(typed), "--", *client_command("play", "{address}", "--plain", "--name", "Nour")
    )
    assert ended.stderr == ""
    assert "FAILED" not in ended.stdout
    assert ended.stdout.splitlines()[-1] == f"{len(SCENARIOS)} passed, 0 failed, 0 not tested"
    assert ended.returncode == 0


def test_a_client_that_does_not_start_is_a_sentence_and_status_2() -> None:
    ended = run_kit("--only", "the first message", "--", "no-such-client-anywhere")
    assert ended.returncode == 2
    assert "the client could not be started" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_client_to_be_started_by_hand_needs_a_port() -> None:
    ended = run_kit()
    assert ended.returncode == 2
    assert "give --listen PORT for a client that you start yourself, or a COMMAND after --" in ended.stderr
