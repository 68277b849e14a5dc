"""Many evenings with faults, each from one number: server, clients and network in one process.

Each seed is a world of its own, as ``tests/support/simulation`` describes; the seeds go on from ``--seed``
until ``--deals`` deals have been played in all. Printed are the deals, what went wrong on purpose and how
often, resumes tried and granted, and deals a second. A seed whose world breaks what must hold is printed with
its complaints and the line that runs it again; ``--shrink`` then looks for the kinds of fault that it takes.

    python bench/simulate.py --deals 3000 --jobs 2
    python bench/simulate.py --seed 12345 --deals 20 --only kill,latency
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.simulation.crew import Outcome, Task, play, play_all
from support.simulation.judge import TRIED, TRIED_AND_GRANTED
from support.simulation.plan import KINDS
from support.simulation.world import Report

DEALS_OF_A_WORLD = 20
SECONDS_BETWEEN_SUMS = 60.0
"""On a terminal that somebody watches, or in a log that is looked at now and then."""


def shrink(task: Task, report: Report) -> str:
    """Leave out one kind of fault after the other, as long as the world still breaks."""
    left = report.kinds - task.without
    for kind in sorted(left):
        if play(Task(task.seed, task.deals, left - {kind})).complaints:
            left -= {kind}
    return Task(task.seed, task.deals, left).command()


def worlds(arguments: argparse.Namespace) -> Iterator[Task]:
    """Seed after seed, without end."""
    for seed in count(arguments.seed):
        yield Task(seed, arguments.deals_of_a_world, arguments.only, arguments.without)


def kinds(text: str) -> frozenset[str]:
    """Names of kinds of fault, with commas between; ``nothing`` for none of them."""
    names = frozenset(text.split(",")) - {"nothing"}
    if not names <= set(KINDS):
        raise argparse.ArgumentTypeError(
            f"the kinds are {', '.join(KINDS)}; not {', '.join(names - set(KINDS))}"
        )
    return names


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Play many evenings with faults, each from one number.")
    parser.add_argument("--deals", type=int, default=1000, help="deals in all (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--only", type=kinds, help="these kinds of fault alone, commas between; or: nothing")
    parser.add_argument("--without", type=kinds, default=frozenset(), help="not these kinds of fault")
    parser.add_argument(
        "--deals-of-a-world", type=int, default=DEALS_OF_A_WORLD, help="deals before the next seed"
    )
    parser.add_argument(
        "--shrink", action="store_true", help="look for the kinds of fault that a failure takes"
    )
    parser.add_argument("--keep-going", action="store_true", help="go on after a seed that fails")
    arguments = parser.parse_args()
    sums = Sums(arguments.seed)
    told_at = sums.began
    with (
        contextlib.suppress(KeyboardInterrupt),  # the sums are told all the same
        contextlib.closing(play_all(worlds(arguments), arguments.jobs)) as outcomes,
    ):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        for task, outcome in outcomes:
            sums.add(task, outcome)
            if task.seed in sums.failed:
                tell_failure(task, outcome, arguments.shrink)
            if sums.totals["deals"] >= arguments.deals or (sums.failed and not arguments.keep_going):
                break
            if time.perf_counter() - told_at > SECONDS_BETWEEN_SUMS:
                told_at = time.perf_counter()
                print(sums.line(), flush=True)
    sums.tell()
    return 1 if sums.failed else 0


class Sums:
    """What came of all worlds from the seed ``first`` on."""

    def __init__(self, first: int) -> None:
        self.began = time.perf_counter()
        self.totals: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.failed: list[int] = []
        self._first = first
        self._last = first

    def add(self, task: Task, outcome: Outcome) -> None:
        """A world is over, or its process is."""
        self._last = max(self._last, task.seed)
        if isinstance(outcome, str):
            self.failed.append(task.seed)
            return
        self.totals.update(worlds=1, deals=outcome.deals, sets=outcome.sets)
        self.totals.update(compared=outcome.snapshots_compared, seconds=round(outcome.seconds))
        self.totals["short"] += outcome.deals < task.deals
        self.totals["milliseconds"] += round(outcome.spent * 1000)
        self.counts.update(outcome.counts)
        if outcome.complaints:
            self.failed.append(task.seed)

    def line(self) -> str:
        """How it stands."""
        spent = time.perf_counter() - self.began
        deals = self.totals["deals"]
        tried, granted = self.counts[TRIED], self.counts[TRIED_AND_GRANTED]
        return (
            f"seeds {self._first} to {self._last}: {deals} deals in {self.totals['worlds']} worlds,"
            f" {spent:.0f} s, {deals / spent:.1f} deals a second; {self._faults()} faults,"
            f" {self._crashes()} crashes, {granted} of {tried} resumes in time granted;"
            f" failed: {self.failed or 'none'}"
        )

    def _faults(self) -> int:
        return sum(number for name, number in self.counts.items() if name.startswith("fault "))

    def _crashes(self) -> int:
        return sum(number for name, number in self.counts.items() if name.startswith("killed "))

    def tell(self) -> None:
        """All of it."""
        totals, spent = self.totals, time.perf_counter() - self.began
        of_processors = max(totals["milliseconds"] / 1000, 1e-3)
        print(f"{totals['deals']} deals and {totals['sets']} sets in {totals['worlds']} worlds,", end=" ")
        print(f"seeds {self._first} to {self._last}; {totals['short']} of them at the end of their time")
        print(f"{spent:.0f} seconds, {totals['deals'] / spent:.1f} deals a second,", end=" ")
        print(f"{totals['deals'] / of_processors:.1f} a second of one processor;", end=" ")
        print(f"{totals['seconds']} simulated seconds")
        print(f"{totals['compared']} snapshots compared with the events before them")
        print(f"{self._faults()} faults of clients and network, {self._crashes()} crashes of the server:")
        for name, number in sorted(self.counts.items()):
            print(f"{number:9} {name}")
        print(f"failed seeds: {self.failed or 'none'}")


def tell_failure(task: Task, outcome: Outcome, is_to_shrink: bool) -> None:
    """A world that broke something, or was cut off."""
    if isinstance(outcome, str):
        print(f"seed {task.seed} FAILED: {outcome}")
        print(f"run it again: {task.command()}", flush=True)
        return
    print(f"seed {task.seed} FAILED after {outcome.deals} deals, at {outcome.seconds:.3f} s of its clock:")
    for complaint in outcome.complaints[:5]:
        print(f"  {complaint[:2000]}")
    print(f"run it again: {task.command()}", flush=True)
    if is_to_shrink:
        print(f"it takes:     {shrink(task, outcome)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
