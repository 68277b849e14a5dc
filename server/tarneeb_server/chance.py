"""Where packs, salts, first dealers and the bots' choices come from."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tarneeb_engine.pack import shuffled
from tarneeb_engine.seats import Seat

if TYPE_CHECKING:
    from tarneeb_engine.cards import Card

SALT_BYTES = 32
"""256 bits: nobody can search for the pack behind a commitment."""


class Chance:
    """The randomness of one table. ``rng`` is the operating system's, save in tests."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        # Bots draw from a generator of their own, so that what they think does not change the next deal of a
        # seeded server when a player takes over from one.
        self.bots = random.Random(rng.getrandbits(128))  # noqa: S311  (choices of bots guard no secret)

    @property
    def lots(self) -> random.Random:
        """What teams of a tournament are drawn by."""
        return self._rng

    def pack(self) -> tuple[Card, ...]:
        """A shuffled pack, top first (rule 6)."""
        return shuffled(self._rng)

    def salt(self) -> bytes:
        """Salt for the commitment to a pack."""
        return self._rng.randbytes(SALT_BYTES)

    def first_dealer(self) -> Seat:
        """Who deals first in a set (rule 5)."""
        return Seat(self._rng.randrange(4))


class ChanceSource:
    """Makes the randomness of each table: the operating system's, or from a seed, for tests."""

    def __init__(self, seed_for_tests: int | None = None) -> None:
        self._seed = seed_for_tests

    def for_table(self, number: int, after: int | None = None) -> Chance:
        """Randomness of table ``number``, or of one that is restored ``after`` its event of that number; with a
        seed, the same for the same numbers whatever else goes on.
        """
        if self._seed is None:
            return Chance(random.SystemRandom())
        restored = "" if after is None else f" after {after}"
        return Chance(random.Random(f"tarneeb {self._seed} table {number}{restored}"))  # noqa: S311  (asked for by a test)
