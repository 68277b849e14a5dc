"""One number decides everything: trio's order of tasks, its clock, and every draw."""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar
from unittest import mock

import trio
import trio.testing
from trio._core import _run as scheduler

T = TypeVar("T")


class Seeds:
    """Sources of randomness by name, so that one more draw in one place changes nothing in another."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def source(self, *name: object) -> random.Random:
        """The source of that name, always from its beginning."""
        return random.Random(f"{self.seed} {' '.join(map(str, name))}")


@contextmanager
def _seeded_scheduler(seed: int) -> Iterator[None]:
    """Trio shuffles the tasks that can run by a generator of its own, which Hypothesis's plugin seeds too."""
    before = scheduler._r.getstate()
    scheduler._r.seed(f"tasks {seed}")
    try:
        with mock.patch.object(scheduler, "_ALLOW_DETERMINISTIC_SCHEDULING", new=True):
            yield
    finally:
        scheduler._r.setstate(before)


def _quickened(clock: trio.testing.MockClock) -> trio.testing.MockClock:
    """The same clock, which only jumps, without what it does for one that also runs: trio asks for the time
    some thousand times a deal.
    """

    def current_time() -> float:
        return clock._virtual_base

    def autojump() -> None:
        seconds = scheduler.GLOBAL_RUN_CONTEXT.runner.deadlines.next_deadline() - clock._virtual_base
        if 0 < seconds < math.inf:
            clock.jump(seconds)

    vars(clock).update(current_time=current_time, _autojump=autojump)
    return clock


def run_seeded(seed: int, task: Callable[[trio.testing.MockClock], Awaitable[T]]) -> T:
    """Run ``task`` to its end on a clock that jumps whenever nothing else can happen."""
    clock = _quickened(trio.testing.MockClock(autojump_threshold=0))
    with _seeded_scheduler(seed):
        return trio.run(task, clock, clock=clock)
