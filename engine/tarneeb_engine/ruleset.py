"""The options of the rules (rules 7, 10–13, 15, 20, 22–27). The named sets of them are ``variants``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from tarneeb_engine.cards import Suit


class AuctionKind(StrEnum):
    """How the auction goes round (rule 8 and the presets table)."""

    SINGLE = "single"
    """One call each; the dealer, who calls last, may match the highest bid (rules 8, 10)."""
    CONTINUING = "continuing"
    """Round and round until three in succession pass after a bid; a pass is final; no match."""
    RETURNING = "returning"
    """Like ``continuing``, but who has passed may bid again when the turn comes back (rule 27)."""


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


class SuitBids(StrEnum):
    """Whether a bid names its tarneeb along with the number, and how suits then rank (rules 24, 25)."""

    NONE = "none"
    """A bid is a number; the declarer names the tarneeb after the auction (rule 14)."""
    CLUBS_TO_DIAMONDS = "clubs_to_diamonds"
    """Number and suit; of equal numbers clubs are the lowest, then spades, hearts and diamonds."""
    CLUBS_TO_SPADES = "clubs_to_spades"
    """Number and suit; of equal numbers clubs are the lowest, then diamonds, hearts and spades."""


SUIT_ORDERS: dict[SuitBids, tuple[Suit, ...]] = {
    SuitBids.NONE: (),
    SuitBids.CLUBS_TO_DIAMONDS: (Suit.CLUBS, Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS),
    SuitBids.CLUBS_TO_SPADES: (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES),
}
"""The suits that a bid may name, lowest first (rule 25)."""

TARGETS = (31, 41, 51, 61)
"""Scores that a set may be played to (rule 23)."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules in force at a table. The defaults are the preset ``tarneeb``. Every combination is playable.

    Raises ``ValueError`` for a target that is not in ``TARGETS``.
    """

    auction: AuctionKind = AuctionKind.SINGLE
    four_passes: FourPasses = FourPasses.SAME_DEALER
    thirteen: Thirteen = Thirteen.GAME_CALL
    target: int = 31
    dealing: Dealing = Dealing.ONE_BY_ONE
    partner_hints: bool = False
    lead_tarneeb: bool = False
    suit_bids: SuitBids = SuitBids.NONE
    double: bool = False

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise ValueError(f"the target is one of {', '.join(map(str, TARGETS))}, not {self.target!r}")


ENUM_OPTIONS: dict[str, type[StrEnum]] = {
    "auction": AuctionKind,
    "four_passes": FourPasses,
    "thirteen": Thirteen,
    "dealing": Dealing,
    "suit_bids": SuitBids,
}
"""The options that are one word of several, by field."""
SWITCHES = ("partner_hints", "lead_tarneeb", "double")
"""The options that are yes or no."""
OPTIONS = tuple(field.name for field in fields(Ruleset))
"""Every option, in the order of the fields."""
