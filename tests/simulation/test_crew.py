"""A world whose process dies, or hangs, is a failure that says so, and the worlds after it are played."""

from __future__ import annotations

import contextlib
import os
import signal
import time

from support.simulation.crew import Task, play_all
from support.simulation.world import Report


def _play(task: Task) -> Report:
    match task.seed:
        case 2:
            os.kill(os.getpid(), signal.SIGKILL)
        case 3:
            raise ArithmeticError("no such world")
        case 4:
            time.sleep(600)
    return Report(task.seed, deals=task.deals)


def test_a_process_that_dies_or_hangs_leaves_nobody_waiting_and_is_told() -> None:
    tasks = iter([Task(seed, 7) for seed in range(1, 7)])
    outcomes = {task.seed: outcome for task, outcome in play_all(tasks, 2, _play, longest_seconds=0.2)}
    assert sorted(outcomes) == [1, 2, 3, 4, 5, 6]
    assert "ended with code -9" in str(outcomes[2])
    assert "ArithmeticError: no such world" in str(outcomes[3])
    assert "ended with code 1" in str(outcomes[4])
    for seed in (1, 5, 6):
        assert outcomes[seed] == Report(seed, deals=7)


def test_who_wants_no_more_outcomes_is_left_no_process() -> None:
    tasks = iter([Task(4, 1), Task(1, 1)])
    with contextlib.closing(play_all(tasks, 2, _play, longest_seconds=60)) as outcomes:
        task, _ = next(outcomes)
    assert task.seed == 1
    with contextlib.suppress(ChildProcessError):  # which says that there are none at all
        assert os.waitpid(-1, os.WNOHANG) == (0, 0)


def test_the_line_that_runs_a_world_again_names_its_kinds_of_fault() -> None:
    assert Task(5, 20).command() == "python bench/simulate.py --seed 5 --deals 1 --deals-of-a-world 20"
    assert Task(5, 20, frozenset()).command().endswith(" --only nothing")
    assert (
        Task(5, 20, frozenset({"kill", "cut"}), frozenset({"stop"}))
        .command()
        .endswith(" --only cut,kill --without stop")
    )
