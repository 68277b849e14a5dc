"""Token buckets: how often a session may ask for something."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """``burst`` at once, and ``per_second`` in the long run."""

    burst: float
    per_second: float


REQUESTS = Rate(burst=60, per_second=20)
"""Requests of a session. A person needs a few a second; an action that is granted costs nothing, because
turns bound it already."""
PATIENCE = Rate(burst=300, per_second=10)
"""Requests of a session answered with ``rate_limited``; beyond them its connection is closed."""
CHAT = Rate(burst=5, per_second=0.5)
"""Chat lines of a session: a quick exchange, but no flood (a line goes to everybody at the table)."""
REFUSALS_LOGGED = Rate(burst=10, per_second=0.2)
"""Lines in the log about connections that were refused: a flood of them must not fill the disk."""


class Bucket:
    """The tokens that are left of a rate. ``now`` is in seconds and is always an argument."""

    __slots__ = ("_at", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take a token; ``False`` when there is none."""
        elapsed = max(0.0, now - self._at)
        self._at = max(self._at, now)
        self._tokens = min(self._rate.burst, self._tokens + elapsed * self._rate.per_second)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def give_back(self) -> None:
        """Return a token that was taken."""
        self._tokens = min(self._rate.burst, self._tokens + 1)
