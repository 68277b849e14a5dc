"""How long to wait before connecting again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

FIRST_CAP_SECONDS = 1.0
"""The first wait is anywhere between nothing and this."""
LAST_CAP_SECONDS = 20.0
"""No wait is longer: a seat is held for two minutes by default, which leaves several tries."""
RESET_AFTER_SECONDS = 10.0
"""A connection that lived this long was a good one: the waits begin small again. One that dies sooner
continues the series, so that a server that accepts and drops is not hammered."""


LAST_TRY_SECONDS = (3.0, 10.0)
"""What is left of a seat's grace at the last try before its end: between these, so that there is time to
connect and to say hello, and many clients do not all try at once."""


class UniformSource(Protocol):
    """What a ``random.Random`` offers of randomness here."""

    def uniform(self, a: float, b: float) -> float:
        """A number between ``a`` and ``b``."""


@dataclass(slots=True)
class Backoff:
    """Full jitter: each wait is uniform over [0, cap], and the cap doubles up to ``last_cap``.

    The jitter is drawn after the cap is applied, so that many clients stay spread over the whole window
    however long the server is away, and those that all lost it at once do not all come back at once.
    """

    rng: UniformSource
    first_cap: float = FIRST_CAP_SECONDS
    last_cap: float = LAST_CAP_SECONDS
    attempts: int = 0

    def next_wait(self, at_least: float = 0.0, held: float | None = None) -> float:
        """Seconds to wait before the next attempt, counted by this call; ``at_least`` is the server's wish
        and is added to the jitter rather than cutting it off.

        ``held`` is what is left of the seat's grace. A wait that would leave no time for an attempt before its
        end is cut to leave ``LAST_TRY_SECONDS``, though not below the server's wish.
        """
        cap = min(self.last_cap, self.first_cap * 2.0 ** min(self.attempts, 30))
        self.attempts += 1
        wait = at_least + self.rng.uniform(0.0, cap)
        least, most = LAST_TRY_SECONDS
        # When hardly more than the least is left, the last try has just been made.
        if held is not None and held > least + 1.0 and wait > held - least:
            wait = max(at_least, held - self.rng.uniform(least, min(most, held)))
        return wait

    def connection_ended(self, lived_seconds: float) -> None:
        """Tell how long the last connection lived."""
        if lived_seconds >= RESET_AFTER_SECONDS:
            self.attempts = 0
