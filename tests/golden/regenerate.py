"""Golden transcripts: whole sets from fixed seeds, kept as text so that a change of play shows in review.

Each ``*.txt`` beside this file is one set in the notation of ``docs/notation.md``. A test plays them again and
compares. When the rules or the bots change on purpose, write them anew from the root of the repository and read
the difference before committing it:

    PYTHONPATH=tests python -m golden.regenerate
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from support.self_play import play_set
from tarneeb_engine.ruleset import AuctionKind, Dealing, FourPasses, Ruleset, SuitBids, Thirteen
from tarneeb_engine.transcript import format_transcript
from tarneeb_engine.variants import PRESETS

HERE = Path(__file__).parent
PLAYERS = ("Rami", "Huda", "Sami", "ليلى")
STEADY = ("steady", "steady", "steady", "steady")
RANDOM = ("random", "random", "random", "random")
MIXED = ("steady", "random", "steady", "random")


class Golden(NamedTuple):
    """How a set is made. ``passed_out`` deals at its beginning are passed out by all four."""

    rules: Ruleset
    seed: int
    levels: tuple[str, str, str, str]
    players: tuple[str, str, str, str] | None = None
    passed_out: int = 0

    def text(self) -> str:
        """The transcript."""
        return format_transcript(
            play_set(self.rules, self.seed, self.levels, self.players, passed_out=self.passed_out)
        )


GOLDEN = {
    "tarneeb-steady": Golden(PRESETS["tarneeb"], 1, STEADY, PLAYERS),
    "tarneeb-random": Golden(PRESETS["tarneeb"], 2, RANDOM),
    "tarneeb-mixed": Golden(PRESETS["tarneeb"], 3, MIXED),
    "classic-steady": Golden(PRESETS["classic"], 4, STEADY),
    "classic-random": Golden(PRESETS["classic"], 5, RANDOM),
    "41-steady": Golden(PRESETS["41"], 12, STEADY),
    "61-mixed": Golden(PRESETS["61"], 13, MIXED),
    "egyptian-steady": Golden(PRESETS["egyptian"], 14, STEADY),
    "egyptian-random": Golden(PRESETS["egyptian"], 15, RANDOM),
    "single-with-suits-and-doubles": Golden(
        Ruleset(suit_bids=SuitBids.CLUBS_TO_SPADES, double=True, partner_hints=True), 16, MIXED
    ),
    "next-dealer-to-41": Golden(
        Ruleset(four_passes=FourPasses.NEXT_DEALER, target=41), 6, STEADY, passed_out=3
    ),
    "same-dealer-thirteen-at-a-time": Golden(
        Ruleset(dealing=Dealing.THIRTEEN_AT_A_TIME), 7, STEADY, passed_out=2
    ),
    "stuck-dealer-with-remarks": Golden(
        Ruleset(four_passes=FourPasses.DEALER_STUCK, partner_hints=True), 8, STEADY, passed_out=1
    ),
    "lead-tarneeb-to-61": Golden(Ruleset(lead_tarneeb=True, target=61), 9, MIXED),
    "single-with-kaboot": Golden(Ruleset(thirteen=Thirteen.KABOOT_BONUS), 10, STEADY),
    "continuing-with-game-and-remarks": Golden(
        Ruleset(auction=AuctionKind.CONTINUING, partner_hints=True, target=51), 11, RANDOM
    ),
}
"""The sets by the name of their file."""


def main() -> None:
    """Write every transcript, and remove those that are no longer listed."""
    for path in HERE.glob("*.txt"):
        if path.stem not in GOLDEN:
            path.unlink()
    for name, golden in GOLDEN.items():
        (HERE / f"{name}.txt").write_text(golden.text(), encoding="utf-8")


if __name__ == "__main__":
    main()
