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
import faulthandler
import multiprocessing
import multiprocessing.pool
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.simulation.plan import KINDS
from support.simulation.world import Report, run_world

LONGEST_SECONDS = 300
"""Of a real clock, for one world: longer, and it hangs."""
DEALS_OF_A_WORLD = 20
SECONDS_BETWEEN_LINES = 30.0

Task = tuple[int, int, frozenset[str] | None, frozenset[str]]


def play(task: Task) -> Report:
    """One world, in a process that may be another."""
    seed, deals, only, without = task
    faulthandler.dump_traceback_later(LONGEST_SECONDS, exit=True)
    try:
        return run_world(seed, deals, only, without)
    finally:
        faulthandler.cancel_dump_traceback_later()


def line_of(task: Task, without: frozenset[str] | None = None) -> str:
    """What to type to run a world again."""
    seed, deals, only, left_out = task
    left_out = left_out if without is None else without
    words = f"python bench/simulate.py --seed {seed} --deals 1 --deals-of-a-world {deals}"
    if only is not None:
        words += f" --only {','.join(sorted(only)) or 'nothing'}"
    return words + (f" --without {','.join(sorted(left_out))}" if left_out else "")


def shrink(task: Task, report: Report) -> str:
    """Leave out one kind of fault after the other, as long as the world still breaks."""
    seed, deals, _, without = task
    left = report.kinds - without
    for kind in sorted(left):
        if play((seed, deals, left - {kind}, frozenset())).complaints:
            left -= {kind}
    return line_of((seed, deals, left, frozenset()))


def worlds(arguments: argparse.Namespace) -> Iterator[Task]:
    """Seed after seed, without end."""
    for seed in count(arguments.seed):
        yield seed, arguments.deals_of_a_world, arguments.only, arguments.without


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
    began = time.perf_counter()
    totals: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    failed: list[int] = []
    told_at = began
    with (
        contextlib.suppress(KeyboardInterrupt),  # the sums are told all the same
        multiprocessing.Pool(arguments.jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool,
    ):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # the workers end as they always did
        tasks = worlds(arguments)
        running: list[tuple[Task, multiprocessing.pool.AsyncResult[Report]]] = []
        while totals["deals"] < arguments.deals and (arguments.keep_going or not failed):
            while len(running) < 2 * arguments.jobs:
                task = next(tasks)
                running.append((task, pool.apply_async(play, (task,))))
            task, result = running.pop(0)
            report = result.get()
            totals.update(worlds=1, deals=report.deals, sets=report.sets, compared=report.snapshots_compared)
            totals.update(seconds=round(report.seconds))
            counts.update(report.counts)
            if report.complaints:
                failed.append(task[0])
                tell_failure(task, report, arguments.shrink)
            elif time.perf_counter() - told_at > SECONDS_BETWEEN_LINES:
                told_at = time.perf_counter()
                rate = totals["deals"] / (told_at - began)
                print(f"seed {task[0]}: {totals['deals']} deals, {rate:.1f} a second", flush=True)
    tell(totals, counts, failed, time.perf_counter() - began, arguments.seed)
    return 1 if failed else 0


def tell_failure(task: Task, report: Report, is_to_shrink: bool) -> None:
    """A world that broke something."""
    print(f"seed {task[0]} FAILED after {report.deals} deals, at {report.seconds:.3f} s of its clock:")
    for complaint in report.complaints[:5]:
        print(f"  {complaint[:2000]}")
    print(f"run it again: {line_of(task)}", flush=True)
    if is_to_shrink:
        print(f"it takes:     {shrink(task, report)}", flush=True)


def tell(totals: Counter[str], counts: Counter[str], failed: list[int], spent: float, first: int) -> None:
    """The sums."""
    print(f"{totals['deals']} deals and {totals['sets']} sets in {totals['worlds']} seeds from {first} on")
    print(
        f"{spent:.0f} seconds, {totals['deals'] / spent:.1f} deals a second;"
        f" {totals['seconds']} simulated seconds"
    )
    print(f"{totals['compared']} snapshots compared with the events before them")
    for name, number in sorted(counts.items()):
        print(f"{number:9} {name}")
    print(f"failed seeds: {failed or 'none'}")


if __name__ == "__main__":
    sys.exit(main())
