"""Who is let in: how many connections there are, and how fast they come, from each network.

No I/O: ``now`` comes in, in seconds.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_protocol.errors import ErrorCode
from tarneeb_server.limits import Bucket, Rate
from tarneeb_server.networks import connections_from, network_of

if TYPE_CHECKING:
    from tarneeb_server.settings import Settings

ARRIVALS = Rate(burst=128, per_second=8)
"""New connections of one network: all that it may have, twice, at once. More is no evening but a flood, or
somebody who tries passwords."""
MOST_NETWORKS = 4096
"""Networks whose rates are remembered; the one not seen for longest is forgotten first."""
FREE_GUESSES = 3
"""Wrong passwords of a network before the next answer is delayed: people mistype."""
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 4.0
GUESS_FORGOTTEN_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class NotLetIn:
    """Why a connection is refused, for ``refused``."""

    code: ErrorCode
    message: str


class Gate:
    """Counts connections from when they come until their sockets are closed."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.max_connections
        self._settings = settings
        self._open: Counter[str] = Counter()
        self._arrivals: OrderedDict[str, Bucket] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        """How many connections are open."""
        return self._count

    def of(self, address: str) -> int:
        """How many connections are open from the network of an address."""
        return self._open[network_of(address)]

    def enter(self, address: str, now: float) -> NotLetIn | None:
        """Count a new connection, for which ``leave`` is to be called, or say why it is refused."""
        network = network_of(address)
        most = connections_from(network, self._settings)
        if most is not None and not self._arrival(network, most, now):
            return NotLetIn(
                ErrorCode.RATE_LIMITED,
                "too many new connections from your address in a short time; wait a few seconds",
            )
        if self._count >= self._most:
            return NotLetIn(ErrorCode.SERVER_FULL, f"{self._count} connections are open, and no more may be")
        if most is not None and self._open[network] >= most:
            return NotLetIn(
                ErrorCode.SERVER_FULL,
                f"{most} connections from your address are open, and no more may be",
            )
        self._open[network] += 1
        self._count += 1
        return None

    def leave(self, address: str) -> None:
        """The socket of a connection that was let in is closed."""
        network = network_of(address)
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]
        self._count -= 1

    def _arrival(self, network: str, most: int, now: float) -> bool:
        bucket = self._arrivals.get(network)
        if bucket is None:
            burst = max(ARRIVALS.burst, 2 * most)
            bucket = self._arrivals[network] = Bucket(Rate(burst, ARRIVALS.per_second), now)
            if len(self._arrivals) > MOST_NETWORKS:
                self._arrivals.popitem(last=False)
        self._arrivals.move_to_end(network)
        return bucket.take(now)


class Guesses:
    """Wrong passwords for the server, by network. They delay the answers to later ones, right or wrong: nobody
    is locked out, and who hangs up early has learned nothing. A resume needs no password and is never delayed.
    """

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """How many count, and when that was so."""

    def wrong(self, address: str, now: float) -> None:
        """A wrong password came."""
        network = network_of(address)
        self._wrong[network] = (self._count(network, now) + 1, now)
        self._wrong.move_to_end(network)
        if len(self._wrong) > MOST_NETWORKS:
            self._wrong.popitem(last=False)

    def delay_seconds(self, address: str, now: float) -> float:
        """How long the next password from there waits before it is looked at."""
        beyond = math.ceil(self._count(network_of(address), now)) - FREE_GUESSES
        if beyond < 0:
            return 0.0
        return float(min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** min(beyond, 8)))

    def _count(self, network: str, now: float) -> float:
        count, at = self._wrong.get(network, (0.0, now))
        return max(0.0, min(count, 16.0) - (now - at) / GUESS_FORGOTTEN_SECONDS)
