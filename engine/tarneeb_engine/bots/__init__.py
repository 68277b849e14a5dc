"""Bots: policies that choose an action from a seat's view, as any client must.

A policy is given what a client would be given, the ``SeatView`` of its seat and the actions that seat may take
now, and nothing else, so it cannot know more than a client could. Make one with ``policy(level, rng)`` and ask
it ``choose(view, legal)`` whenever its seat is to act.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.bots.policy import Policy
from tarneeb_engine.bots.random_policy import RandomPolicy
from tarneeb_engine.bots.steady import SteadyPolicy

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

__all__ = ["LEVELS", "Policy", "RandomPolicy", "SteadyPolicy", "policy"]

_POLICIES: dict[str, Callable[[random.Random], Policy]] = {"random": RandomPolicy, "steady": SteadyPolicy}

LEVELS: tuple[str, ...] = tuple(_POLICIES)
"""The levels that ``policy`` accepts, weakest first."""


def policy(level: str, rng: random.Random) -> Policy:
    """A new policy of ``level``: ``"random"`` or ``"steady"``.

    The choices depend on the views and on ``rng`` alone, so equal seeds give equal play. One policy may serve
    several seats, for it keeps nothing between two choices but the state of ``rng``.

    Raises ``ValueError`` for any other level.
    """
    try:
        make = _POLICIES[level]
    except KeyError:
        raise ValueError(f"no bot of level {level!r}; the levels are {', '.join(LEVELS)}") from None
    return make(rng)
