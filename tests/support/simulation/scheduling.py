"""One number decides everything: trio's order of tasks, its clock, and every draw."""

from __future__ import annotations

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


def run_seeded(seed: int, task: Callable[[trio.testing.MockClock], Awaitable[T]]) -> T:
    """Run ``task`` to its end on a clock that jumps whenever nothing else can happen."""
    clock = trio.testing.MockClock(autojump_threshold=0)
    with _seeded_scheduler(seed):
        return trio.run(task, clock, clock=clock)
