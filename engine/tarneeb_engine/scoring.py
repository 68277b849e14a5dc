"""Reckoning a deal and a set (rules 18–23, 26)."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_engine.calls import HIGHEST_BID, CallKind
from tarneeb_engine.ruleset import Thirteen
from tarneeb_engine.seats import Team

ALL_TRICKS = 13
KABOOT = 16
"""What 13 tricks on a lower bid score with the kaboot bonus, and what a failed 13 loses (rule 22)."""
KABOOT_CALLED = 26
"""What a plain 13 made scores with the kaboot bonus (rule 22)."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What one deal adds: to the declaring team, to its opponents, and whether "game" won the set (rule 20)."""

    made: bool
    declaring: int
    defending: int
    game_won: bool = False


def reckon(call: CallKind, bid: int, taken: int, thirteen: Thirteen, *, doubled: bool = False) -> Reckoning:
    """Score a contract (rules 18–20, 22), twice over where it was doubled (rule 26).

    ``bid`` is 7–13 (13 for "game"), ``taken`` the 0–13 tricks of the declaring team.
    """
    once = _reckon_once(call, bid, taken, thirteen)
    if not doubled:
        return once
    return Reckoning(once.made, 2 * once.declaring, 2 * once.defending, once.game_won)


def _reckon_once(call: CallKind, bid: int, taken: int, thirteen: Thirteen) -> Reckoning:
    made = taken >= bid
    others = ALL_TRICKS - taken
    if call is CallKind.GAME:
        return Reckoning(made, taken, 0, game_won=True) if made else Reckoning(made, -bid, others)
    if thirteen is Thirteen.KABOOT_BONUS:
        if bid == HIGHEST_BID:
            return Reckoning(made, KABOOT_CALLED, 0) if made else Reckoning(made, -KABOOT, 2 * others)
        if taken == ALL_TRICKS:
            return Reckoning(made, KABOOT, 0)
    return Reckoning(made, taken, 0) if made else Reckoning(made, -bid, others)


def winner_by_target(scores: tuple[int, int], target: int) -> Team | None:
    """The team whose score has won the set, or ``None`` while it goes on (rule 21).

    Should both have arrived, the higher total wins and a tie plays on.
    """
    ours, theirs = scores
    if max(ours, theirs) < target or ours == theirs:
        return None
    return Team.SOUTH_NORTH if ours > theirs else Team.EAST_WEST
