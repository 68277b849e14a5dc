"""The sets that a server recorded: their list, and the transcript of one, asked for over a link."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from tarneeb_client import __version__
from tarneeb_client.addresses import Address
from tarneeb_client.dialling import Security
from tarneeb_client.language import _
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.replay import LONGEST_FILE, CannotReplay
from tarneeb_protocol import messages as m

MOST_LISTED = 64
"""Sets of a list: two pages, more than anybody reads. Earlier ones are had by their numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtServer:
    """Where to ask for recorded sets, and as whom."""

    address: Address
    name: str
    security: Security
    password: str | None = None

    def link(self) -> AbstractAsyncContextManager[Link]:
        """A link of a new session. Raises ``LinkFailed`` when it is opened."""
        return open_link(
            self.address,
            name=self.name,
            client=f"tarneeb {__version__}",
            password=self.password,
            security=self.security,
        )


async def listed(link: Link) -> list[m.SetSummary]:
    """The latest sets that the server shows this session, the latest first."""
    found: list[m.SetSummary] = []
    while len(found) < MOST_LISTED:
        before = found[-1].record if found else None
        page = await link.request(m.ListSets(id=NEW, before=before))
        if not isinstance(page, m.Sets):
            break
        fresh = [each for each in page.sets if before is None or each.record < before]
        found += fresh
        if not fresh or not page.more:
            break
    return found[:MOST_LISTED]


async def transcript_text(link: Link, record: int) -> str:
    """The transcript of a set. Raises ``RequestFailed`` when there is none to be had, ``CannotReplay`` when
    the server's pieces do not fit together.
    """
    text = ""
    while True:
        piece = await link.request(m.GetSet(id=NEW, record=record, offset=len(text)))
        if not isinstance(piece, m.SetText) or (piece.record, piece.offset) != (record, len(text)):
            raise CannotReplay(_("the server sent something else than set {number}").format(number=record))
        text += piece.text
        if len(text) == piece.length:
            return text
        if not piece.text or len(text) > piece.length or len(text) > LONGEST_FILE:
            raise CannotReplay(
                _("the server sent set {number} in pieces that do not fit").format(number=record)
            )
