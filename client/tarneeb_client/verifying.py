"""``tarneeb verify``: whether a recorded set is what it says, found out from its transcript alone."""

from __future__ import annotations

from pathlib import Path

from tarneeb_client.console import write_text
from tarneeb_client.language import _, plural
from tarneeb_client.recorded_sets import AtServer, transcript_text
from tarneeb_client.replay import Verified, transcript_of, verified
from tarneeb_protocol.text import harmless


async def verify(path: Path) -> int:
    """Verify a file. Raises ``CannotReplay`` with the first line that is wrong, ``CannotRead`` without one."""
    return _tell(transcript_of(path), str(path))


async def verify_from(server: AtServer, record: int) -> int:
    """Verify a set that a server recorded. Raises ``CannotReplay``, ``LinkFailed`` and ``RequestFailed``."""
    async with server.link() as link:
        text = await transcript_text(link, record)
    return _tell(text, _("Set {number}").format(number=record))


def _tell(text: str, name: str) -> int:
    for line in _lines(verified(text, name)):
        write_text(line)
    return 0


def _lines(found: Verified) -> list[str]:
    lines = [
        plural(
            "{number} pack is the one that was fixed before the cut.",
            "{number} packs are those that were fixed before the cut.",
            found.proved_packs,
        ).format(number=found.proved_packs),
        plural(
            "{number} action in the deals is as the rules allow, and so is every score.",
            "{number} actions in the deals are as the rules allow, and so is every score.",
            found.actions,
        ).format(number=found.actions),
    ]
    if found.is_sealed:
        lines.append(
            _("The digest fits: no letter was changed by accident. Who sat where is what the server said.")
        )
    else:
        lines.append(_("There is no digest: names are what the file says."))
    if found.winner is None:
        lines.append(_("The set is not over."))
    else:
        first, second = (harmless(found.players[seat]) for seat in (found.winner, found.winner + 2))
        score, other = found.scores[found.winner], found.scores[1 - found.winner]
        won = _("{first} and {second} won the set, {score} to {other}.")
        lines.append(won.format(first=first, second=second, score=score, other=other))
    return lines
