"""Bugs that are planted are found, each within a few seeds: what the simulation would not notice it cannot
prove.
"""

from __future__ import annotations

import pytest

from support.simulation.mutants import MUTANTS, Mutant
from support.simulation.world import run_world

MOST_SEEDS = 8


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_found_within_eight_seeds(mutant: Mutant) -> None:
    for seed in range(1, MOST_SEEDS + 1):
        with mutant.plant():
            report = run_world(seed, mutant.deals, mutant.only)
        if report.complaints:
            return
    raise AssertionError(f"nothing was noticed in {MOST_SEEDS} seeds: {mutant.name}")
