"""How fast the rules are: plays, legal actions and views a second, and deals a second of random play.

    .venv/bin/python bench/engine.py

Each figure is the best of several runs, beside a reference of the same run: building one frozen dataclass of
thirteen fields, the least that a play, which gives a new deal, can cost.
"""

from __future__ import annotations

import random
import time
import timeit
from dataclasses import make_dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.actions import PlayCard
from tarneeb_engine.bots import policy
from tarneeb_engine.pack import shuffled
from tarneeb_engine.seats import Seat
from tarneeb_engine.sets import SetState
from tarneeb_engine.variants import PRESETS

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 40
PLAYS = 520
DEALS = 300

Situation = tuple[SetState, Seat, PlayCard]


def situations(seed: int) -> list[Situation]:
    """Plays of random deals: the state before, the seat and its card."""
    rng = random.Random(seed)
    chooser = policy("random", rng)
    found: list[Situation] = []
    state = SetState.begin(PRESETS["tarneeb"], Seat.SOUTH)
    while len(found) < PLAYS:
        if state.winner is not None:
            state = SetState.begin(PRESETS["tarneeb"], Seat.SOUTH)
        if state.needs_pack:
            state, _ = state.start_deal(shuffled(rng))
        if (seat := state.turn) is None:
            continue
        action = chooser.choose(state.seat_view(seat), state.legal_actions(seat))
        if isinstance(action, PlayCard):
            found.append((state, seat, action))
        state, _ = state.apply(seat, action)
    return found


def microseconds(work: Callable[[], None], times: int) -> float:
    """Microseconds for one of the ``times`` things that ``work`` does, in the best of the runs."""
    return min(timeit.repeat(work, number=1, repeat=RUNS)) / times * 1e6


def deals_a_second(seed: int) -> float:
    """Whole deals, by four random bots, a second."""
    rng = random.Random(seed)
    chooser = policy("random", rng)
    begin = time.perf_counter()
    state = SetState.begin(PRESETS["tarneeb"], Seat.SOUTH)
    for _ in range(DEALS):
        if state.winner is not None:
            state = SetState.begin(PRESETS["tarneeb"], Seat.SOUTH)
        state, _ = state.start_deal(shuffled(rng))
        while (seat := state.turn) is not None:
            state, _ = state.apply(seat, chooser.choose(state.seat_view(seat), state.legal_actions(seat)))
    return DEALS / (time.perf_counter() - begin)


def main() -> None:
    """Measure and print."""
    cases = situations(31)
    least = make_dataclass("least", [f"field{number}" for number in range(13)], frozen=True, slots=True)
    fields = tuple(range(13))

    def build() -> None:
        for _ in cases:
            least(*fields)

    def apply() -> None:
        for state, seat, action in cases:
            state.apply(seat, action)

    def ask() -> None:
        for state, seat, _ in cases:
            state.legal_actions(seat)

    def look() -> None:
        for state, seat, _ in cases:
            state.seat_view(seat)

    reference = microseconds(build, len(cases))
    print(f"{'one frozen dataclass of 13 fields':36}{reference:8.2f} µs")
    for name, work in (("apply a card", apply), ("legal actions", ask), ("a seat's view", look)):
        each = microseconds(work, len(cases))
        print(f"{name:36}{each:8.2f} µs {each / reference:6.1f} ×")
    print(f"{'deals of four random bots':36}{deals_a_second(31):8.0f} a second")


if __name__ == "__main__":
    main()
