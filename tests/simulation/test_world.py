"""Whole evenings from one number: whatever goes wrong, nothing that must hold is broken."""

from __future__ import annotations

import os

import pytest

from support.simulation.crew import Task
from support.simulation.plan import KINDS
from support.simulation.world import LONGEST_SECONDS, run_world

DEALS = int(os.environ.get("TARNEEB_SIMULATED_DEALS", "2000"))
"""Deals in all. ``bench/simulate.py`` plays more of them, on all processors."""
DEALS_OF_A_WORLD = 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, DEALS // DEALS_OF_A_WORLD + 1))
def test_whatever_happens_to_server_network_and_clients_everything_that_must_hold_holds(seed: int) -> None:
    report = run_world(seed, DEALS_OF_A_WORLD)
    assert report.complaints == [], Task(seed, DEALS_OF_A_WORLD).command()
    assert report.deals >= DEALS_OF_A_WORLD or report.seconds > LONGEST_SECONDS


def test_a_world_without_faults_is_quiet() -> None:
    report = run_world(7, deals=4, only=frozenset())
    assert report.complaints == []
    assert not [name for name in report.counts if name.startswith(("fault", "killed", "goodbye", "refused"))]


@pytest.mark.parametrize("seed", [3, 9])
def test_one_seed_gives_the_same_bytes_at_the_same_times_in_every_run(seed: int) -> None:
    first, second = run_world(seed, deals=3), run_world(seed, deals=3)
    assert first.trace == second.trace
    assert first.counts == second.counts
    assert first.seconds == second.seconds


def test_another_seed_is_another_world() -> None:
    assert run_world(1, deals=1).trace != run_world(2, deals=1).trace


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fault_can_be_had_alone(kind: str) -> None:
    report = run_world(100, deals=2, only=frozenset({kind}))
    assert report.complaints == [], Task(100, 2, frozenset({kind})).command()
