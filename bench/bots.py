"""How strong the bots are: duplicate deals, teams swapped.

Each pack is played twice with the same dealer and cut, once with each level's team in either pair of seats, so
that the luck of the cards falls out. Every deal is played at 0 : 0. Printed are the points a deal by which the
first level beats the second, with a 95 % interval over the packs; how often all four passed; and for each level
how often it declared and made its contract, what it bid and took, and how long it thought.

    python bench/bots.py steady random --deals 2000 --seed 1
    python bench/bots.py steady steady --preset classic
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from dataclasses import dataclass

from tarneeb_engine.actions import Action, Cut
from tarneeb_engine.bots import LEVELS, Policy, policy
from tarneeb_engine.pack import shuffled
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.sets import SetState
from tarneeb_engine.variants import PRESETS
from tarneeb_engine.views import DealScore, Phase


@dataclass
class Contestant:
    """One side of the comparison: its policy, and what has been counted of it."""

    policy: Policy
    declared: int = 0
    made: int = 0
    bid: int = 0
    taken: int = 0
    actions: int = 0
    seconds: float = 0.0

    def choose(self, state: SetState, seat: Seat) -> Action:
        """What the policy does for ``seat``, timed without the making of its view."""
        view, legal = state.seat_view(seat), tuple(state.legal_actions(seat))
        started = time.process_time()
        action = self.policy.choose(view, legal)
        self.seconds += time.process_time() - started
        self.actions += 1
        return action

    def count(self, score: DealScore) -> None:
        """Count a deal that this side declared."""
        self.declared += 1
        self.made += score.made
        self.bid += score.bid
        self.taken += score.taken[score.declarer.team()]

    def report(self) -> str:
        """One line on the contracts and the time."""
        thought = f"{1e6 * self.seconds / self.actions:.0f} µs an action"
        if not self.declared:
            return f"declared nothing; {thought}"
        return (
            f"declared {self.declared}, made {self.made / self.declared:.1%}, "
            f"bid {self.bid / self.declared:.2f}, took {self.taken / self.declared:.2f}; {thought}"
        )


def play_deal(state: SetState, pack_seed: str, by_team: tuple[Contestant, Contestant]) -> DealScore | None:
    """One deal with the pack of ``pack_seed``; ``None`` when all four passed. The cut is the pack's as well."""
    rng = random.Random(pack_seed)
    state, _ = state.start_deal(shuffled(rng))
    cut = Cut(rng.randrange(1, 52))
    while state.turn is not None:
        assert state.deal is not None  # noqa: S101  (somebody is on turn in it)
        seat = state.turn
        cutting = state.deal.phase is Phase.CUT
        action = cut if cutting else by_team[seat.team()].choose(state, seat)
        state, _ = state.apply(seat, action)
    return state.history[-1] if state.history else None


def compare(levels: tuple[str, str], rules: Ruleset, deals: int, seed: int) -> str:
    """The report on ``deals`` packs, each played twice."""
    contestants = [
        Contestant(policy(level, random.Random(f"{seed} {side}"))) for side, level in enumerate(levels)
    ]
    first, second = contestants
    differences: list[float] = []
    voids = 0
    for number in range(deals):
        difference = 0
        for team, by_team in ((Team.SOUTH_NORTH, (first, second)), (Team.EAST_WEST, (second, first))):
            score = play_deal(SetState.begin(rules, Seat(number % 4)), f"{seed} {number}", by_team)
            if score is None:
                voids += 1
                continue
            difference += score.points[team] - score.points[team.opponents]
            by_team[score.declarer.team()].count(score)
        differences.append(difference / 2)
    mean = statistics.fmean(differences)
    half = 1.96 * statistics.stdev(differences) / len(differences) ** 0.5
    return "\n".join(
        [
            f"{levels[0]} against {levels[1]}, {deals} packs twice",
            f"{mean:+.2f} points a deal, 95 % interval {mean - half:+.2f} to {mean + half:+.2f}",
            f"all four passed: {voids / (2 * deals):.1%} of deals",
            *(f"{level}: {side.report()}" for level, side in zip(levels, contestants, strict=True)),
        ]
    )


def main() -> None:
    """Parse the command line and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", choices=LEVELS)
    parser.add_argument("second", choices=LEVELS)
    parser.add_argument("--preset", choices=tuple(PRESETS), default="tarneeb")
    parser.add_argument("--deals", type=int, default=1000, help="packs, at least 2 (default: 1000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.deals < 2:
        parser.error("--deals: at least 2, for an interval")
    print(compare((options.first, options.second), PRESETS[options.preset], options.deals, options.seed))


if __name__ == "__main__":
    main()
