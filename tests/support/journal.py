"""A journal on a real SQLite file, beside a lobby under test; and a lobby rebuilt from it alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from support.fold import comparable
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_server.lobby import Lobby
from tarneeb_server.snapshots import snapshot
from tarneeb_server.store import Store

if TYPE_CHECKING:
    from tarneeb_server.effects import Effect
    from tarneeb_server.settings import Settings

VIEWERS = (None, *Seat)


def views(lobby: Lobby, now: float) -> dict[int, list[wire.Snapshot]]:
    """Every table as a spectator and each seat would see it now, without what passes with time."""
    return {
        number: [comparable(snapshot(table, viewer, now)) for viewer in VIEWERS]
        for number, table in lobby.tables.items()
    }


def sessions(lobby: Lobby) -> dict[int, tuple[object, ...]]:
    """What a restart must leave of each session."""
    return {
        session.id: (session.name, session.token_hash, session.previous_hash, session.table)
        for session in lobby.sessions
    }


class JournalBeside:
    """Keeps what a lobby asks for, and rebuilds it."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.store = Store.open(str(folder), "process")
        self._settings = settings

    def rebuilt(self) -> tuple[Lobby, list[Effect]]:
        """What a server that starts now would make of the journal, and what was said of it."""
        lobby = Lobby(self._settings, "test-server")
        return lobby, lobby.restore(self.store.load(), 0.0)

    def check(self, live: Lobby, now: float) -> None:
        """The journal alone gives the same tables, sessions and replies."""
        lobby, said = self.rebuilt()
        assert said == []
        assert views(lobby, now) == views(live, now)
        assert sessions(lobby) == sessions(live)
        for session in live.sessions:
            again = lobby.sessions.get(session.id)
            assert again is not None
            kept = {request for request in session.replies if request not in session.unkept}
            assert kept <= set(again.replies)
            assert all(again.replies[request] == session.replies[request] for request in kept)
        for number, table in live.tables.items():
            other = lobby.tables[number]
            assert other.kept() == table.kept()
            if table.play is not None:
                assert other.play is not None
                assert other.play.state == table.play.state
                assert other.play.kept(number, 1, 0, 0) == table.play.kept(number, 1, 0, 0)
                names = table.seating.names()
                if all(names):
                    assert other.play.transcript(names) == table.play.transcript(names)
