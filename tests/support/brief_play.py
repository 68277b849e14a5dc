"""Play that brings sets to their end: contracts low enough to be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_protocol import messages as wire

if TYPE_CHECKING:
    import random

    from support.lobby_driver import Link, LobbyDriver


def act_briefly(link: Link, driver: LobbyDriver, rng: random.Random) -> None:
    """The lowest bid if there is none yet, else a pass; anything else by chance."""
    assert link.prompt is not None
    actions = link.prompt.actions
    action = rng.choice(actions)
    if isinstance(action, wire.CallAction):
        bids = (each for each in actions if isinstance(each, wire.CallAction) and each.tricks == 7)
        action = next(bids, actions[0])
    driver.ok(link, wire.Act, action=action)
