"""Rule options and presets (rules 7, 10–13, 15, 20, 22, 23 and the presets table)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AuctionKind(StrEnum):
    """How the auction goes round (rule 8 and the presets table)."""

    SINGLE = "single"
    """One call each; the dealer, who calls last, may match the highest bid (rules 8, 10)."""
    CONTINUING = "continuing"
    """Round and round until three in succession pass after a bid; a pass is final; no match."""


class FourPasses(StrEnum):
    """What follows four passes (rule 12)."""

    SAME_DEALER = "same_dealer"
    """The deal is void and the same dealer deals again."""
    NEXT_DEALER = "next_dealer"
    """The deal is void and the deal passes to the right."""
    DEALER_STUCK = "dealer_stuck"
    """The dealer may not pass when the other three have: he must bid at least 7."""


class Thirteen(StrEnum):
    """How all thirteen tricks are promised and rewarded (rules 11, 20, 22)."""

    GAME_CALL = "game_call"
    """The call "game" wins the set; thirteen tricks on a lower bid are just thirteen tricks."""
    KABOOT_BONUS = "kaboot_bonus"
    """No "game" call; the bonus scores of rule 22."""


class Dealing(StrEnum):
    """How the pack is dealt out (rule 7)."""

    ONE_BY_ONE = "one_by_one"
    THIRTEEN_AT_A_TIME = "thirteen_at_a_time"


TARGETS = (31, 41, 51, 61)
"""Scores that a set may be played to (rule 23)."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules in force at a table. The defaults are the preset ``tarneeb``.

    Raises ``ValueError`` for a target that is not in ``TARGETS``.
    """

    auction: AuctionKind = AuctionKind.SINGLE
    four_passes: FourPasses = FourPasses.SAME_DEALER
    thirteen: Thirteen = Thirteen.GAME_CALL
    target: int = 31
    dealing: Dealing = Dealing.ONE_BY_ONE
    partner_hints: bool = False
    lead_tarneeb: bool = False

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise ValueError(f"the target is one of {', '.join(map(str, TARGETS))}, not {self.target!r}")


PRESETS: dict[str, Ruleset] = {
    "tarneeb": Ruleset(),
    "classic": Ruleset(auction=AuctionKind.CONTINUING, thirteen=Thirteen.KABOOT_BONUS),
}
"""The named rulesets of the presets table."""
