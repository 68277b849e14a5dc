"""The commitment to a shuffled pack (``docs/protocol.md``, "Fairness").

The server publishes the commitment before it asks for the cut, and pack and salt after the last trick. The cut
is the player's own, so a pack fixed before it cannot have been chosen after it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Final

from tarneeb_engine.cards import FULL_PACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.cards import Card

SALT_SIZE: Final = 32
"""Bytes of salt: 256 bits, so that nobody can try packs against the commitment."""

_SALT_HEX = re.compile(rf"[0-9a-f]{{{2 * SALT_SIZE}}}", re.ASCII)


def commitment(pack: Sequence[Card], salt: bytes) -> str:
    """SHA-256, as 64 lower-case hex digits, over the salt's 32 bytes and the pack's 104 ASCII characters.

    ``pack`` is the shuffled pack before the cut, top first; each card is its two characters, rank then suit.
    Raises ``ValueError`` for a salt of another size or a pack that is not the 52 cards.
    """
    if len(salt) != SALT_SIZE:
        raise ValueError(f"a salt has {SALT_SIZE} bytes, not {len(salt)}")
    if len(pack) != len(FULL_PACK) or set(pack) != set(FULL_PACK):
        raise ValueError(
            f"a pack has each of the 52 cards once; this one has {len(pack)} cards, {len(set(pack))} different"
        )
    return hashlib.sha256(salt + "".join(card.value for card in pack).encode("ascii")).hexdigest()


def is_fair(committed: str, pack: Sequence[Card], salt: str) -> bool:
    """Whether ``deal_revealed``'s pack and salt (64 lower-case hex digits) are what was committed to.

    Anything that is no pack, no salt or no commitment is simply not fair; nothing is raised.
    """
    if not _SALT_HEX.fullmatch(salt):
        return False
    try:
        expected = commitment(pack, bytes.fromhex(salt))
    except ValueError:
        return False
    return hmac.compare_digest(expected.encode("ascii"), committed.encode("utf-8", "surrogatepass"))
