"""Worlds in processes of their own, of which none can leave the others waiting: one that dies, or takes too
long, is told as such.
"""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import signal
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from multiprocessing.connection import Connection, wait
from typing import NamedTuple, TypeAlias

from support.simulation.world import Report, run_world

LONGEST_SECONDS = 300.0
"""Of a real clock, for one world: longer, and it hangs."""
MERCY_SECONDS = 10.0
"""Beyond that, for a process to end itself with a traceback."""


class Task(NamedTuple):
    """A world to be played: see ``run_world``."""

    seed: int
    deals: int
    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()

    def command(self) -> str:
        """What to type to run it again."""
        words = f"python bench/simulate.py --seed {self.seed} --deals 1 --deals-of-a-world {self.deals}"
        if self.only is not None:
            words += f" --only {','.join(sorted(self.only)) or 'nothing'}"
        return words + (f" --without {','.join(sorted(self.without))}" if self.without else "")


Outcome: TypeAlias = Report | str
"""A report, or why there is none."""


def play(task: Task) -> Report:
    """Play one world in this process."""
    return run_world(task.seed, task.deals, task.only, task.without)


def _work(pipe: Connection, play_one: Callable[[Task], Report], longest_seconds: float) -> None:
    """Play what is asked for, until the pipe or whoever asks is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None
    with contextlib.suppress(EOFError, BrokenPipeError):
        while pipe in wait([pipe, parent.sentinel]):
            task = pipe.recv()
            faulthandler.dump_traceback_later(longest_seconds, exit=True)
            try:
                outcome: Outcome = play_one(task)
            except Exception:  # noqa: BLE001  (told to whoever asked)
                outcome = traceback.format_exc()
            faulthandler.cancel_dump_traceback_later()
            pipe.send(outcome)


class _Worker:
    """A process, and what it is at."""

    def __init__(self, play_one: Callable[[Task], Report], longest_seconds: float) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(
            target=_work, args=(theirs, play_one, longest_seconds), daemon=True
        )
        self._process.start()
        theirs.close()
        self._longest_seconds = longest_seconds
        self.sentinel = self._process.sentinel
        self.task: Task | None = None
        self._began = 0.0

    def give(self, task: Task) -> None:
        self.task = task
        self._began = time.monotonic()
        with contextlib.suppress(OSError):  # it is dead, which ``outcome`` tells
            self.pipe.send(task)

    @property
    def is_overdue(self) -> bool:
        return time.monotonic() - self._began > self._longest_seconds + MERCY_SECONDS

    def outcome(self) -> Outcome | None:
        """What came of its task, ``None`` where nothing did yet."""
        with contextlib.suppress(EOFError, OSError):
            if self.pipe.poll():
                outcome: Outcome = self.pipe.recv()
                return outcome
            if self._process.is_alive() and not self.is_overdue:
                return None
        seconds = time.monotonic() - self._began
        self.end()
        return f"its process ended with code {self._process.exitcode} after {seconds:.0f} seconds"

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


def play_all(
    tasks: Iterator[Task],
    jobs: int,
    play_one: Callable[[Task], Report] = play,
    longest_seconds: float = LONGEST_SECONDS,
) -> Generator[tuple[Task, Outcome]]:
    """Play tasks in ``jobs`` processes, each told when it is over. Ends with the tasks; closed, it ends its
    processes.
    """
    workers = [_Worker(play_one, longest_seconds) for _ in range(jobs)]
    try:
        for worker in workers:
            _give_next(worker, tasks)
        while busy := [worker for worker in workers if worker.task is not None]:
            wait([each for worker in busy for each in (worker.pipe, worker.sentinel)], timeout=5)
            for worker in busy:
                task, outcome = worker.task, worker.outcome()
                if task is None or outcome is None:
                    continue
                successor = worker if worker.is_alive else _Worker(play_one, longest_seconds)
                workers[workers.index(worker)] = successor
                _give_next(successor, tasks)
                yield task, outcome
    finally:
        for worker in workers:
            worker.end()


def _give_next(worker: _Worker, tasks: Iterator[Task]) -> None:
    task = next(tasks, None)
    if task is None:
        worker.task = None
    else:
        worker.give(task)
