"""What a link needs of whoever keeps its session for a process to come."""

from __future__ import annotations

from typing import Protocol

from tarneeb_client.kept_session import KeptSession
from tarneeb_protocol import messages as m


class Keeper(Protocol):
    """Where sessions outlive their process; ``session_keeper.SessionKeeper`` is one."""

    def has_any(self) -> bool:
        """Whether there is a session that could be resumed."""

    def offer(self, server: str, fingerprint: str | None) -> KeptSession | None:
        """A session of the server with this id and a certificate with this fingerprint (``None``: in plain);
        ``None`` for no session.
        """

    def refused(self) -> None:
        """The server does not know the session that was offered last."""

    async def keep(self, welcome: m.Welcome, asked_name: str, ids_from: int, fingerprint: str | None) -> None:
        """Keep the session of this welcome and the certificate it came from. Nothing is sent on its connection
        before this returns.
        """

    def forget(self) -> None:
        """The session is over."""
