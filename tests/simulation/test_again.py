"""What is found once is found again: in another process, and by the line that a failing seed prints."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 120.0

TRACES = """
from support.simulation.world import run_world
for seed in (3, 12):
    report = run_world(seed, deals=3)
    print(report.trace, report.seconds, sorted(report.counts.items()))
"""

WITH_A_PLANTED_BUG = """
import multiprocessing, runpy, sys
from support.simulation.mutants import MUTANTS
multiprocessing.set_start_method("fork")  # so that the processes of the crew have the bug too
sys.argv = sys.argv[1:]
mutant = next(mutant for mutant in MUTANTS if mutant.name == "tricks count for the other team")
with mutant.plant():
    runpy.run_path(sys.argv[0], run_name="__main__")
"""


def run(*words: str, hash_seed: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests"), "PYTHONHASHSEED": str(hash_seed)}
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.slow
def test_two_processes_with_other_orders_of_their_sets_play_the_same_worlds() -> None:
    first, second = (run("-c", TRACES, hash_seed=seed) for seed in (1, 2))
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.count("\n") == 2
    assert first.stdout == second.stdout


@pytest.mark.slow
def test_a_failing_seed_prints_the_line_that_makes_it_fail_again() -> None:
    found = run(
        "-c", WITH_A_PLANTED_BUG, "bench/simulate.py", "--seed", "1", "--deals", "20", "--deals-of-a-world", "2"
    )
    assert found.returncode == 1, found.stdout + found.stderr
    lines = found.stdout.splitlines()
    failure = next(line for line in lines if line.startswith("seed 1 FAILED after "))
    command = next(line for line in lines if line.startswith("run it again: python "))
    words = shlex.split(command.removeprefix("run it again: python "))
    again = run("-c", WITH_A_PLANTED_BUG, *words)
    assert again.returncode == 1
    assert failure in again.stdout.splitlines()
    # It is the bug that fails, not the line.
    assert run(*words).stdout.endswith("failed seeds: none\n")
