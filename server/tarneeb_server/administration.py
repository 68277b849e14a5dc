"""The host's commands carried out: from a request to what is changed and what is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, assert_never

from tarneeb_server.control_requests import (
    AnyRequest,
    BanWhat,
    CancelDrain,
    EndTournament,
    Kick,
    ListBans,
    ListTournaments,
    Say,
    StartDrain,
    Status,
    StopServer,
    Unban,
)
from tarneeb_server.durations import duration_text
from tarneeb_server.hosting import NotDone
from tarneeb_server.status import Fields, ban_fields, lobby_status, tournament_fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_server.effects import Effect
    from tarneeb_server.lobby import Lobby


class Server(Protocol):
    """What the commands need of the shell."""

    @property
    def lobby(self) -> Lobby:
        """Whom the commands are for."""

    def now(self) -> float:
        """The server's time in seconds."""

    def perform_all(self, effects: Sequence[Effect]) -> None:
        """Perform effects, and have what is to be kept in the journal when this returns."""

    def stop(self, reason: str) -> None:
        """Begin to stop."""

    def status(self) -> Fields:
        """What the shell alone knows."""


def carry_out(request: AnyRequest, server: Server) -> Fields:
    """Do what is asked and give the answer. Raises ``NotDone`` with nothing changed."""
    lobby, now = server.lobby, server.now()
    match request:
        case Status():
            return _answer(**server.status(), **lobby_status(lobby, now))
        case Kick(name=name, reason=reason):
            session = lobby.session_called(name)
            server.perform_all(lobby.kick(session, reason, now))
            return _answer(f"{session.name} is out, and may come back.", name=session.name)
        case BanWhat(what=what, seconds=seconds):
            if seconds == 0:
                raise NotDone("a ban lasts at least a second")
            ban, out, effects = lobby.ban(
                what,
                is_name=request.is_name,
                is_sure=request.is_sure,
                seconds=seconds,
                reason=request.reason,
                now=now,
            )
            server.perform_all(effects)
            time = "until it is lifted" if seconds is None else f"for {duration_text(seconds)}"
            gone = f" Out: {', '.join(out)}." if out else ""
            kept = "" if lobby.is_kept else " It ends with the server, which keeps nothing."
            return _answer(f"{ban.what} is banned {time}.{gone}{kept}", **ban_fields(ban, now), out=out)
        case Unban(what=what):
            ban, effects = lobby.unban(what)
            server.perform_all(effects)
            return _answer(f"{ban.what} is not banned any more.", what=ban.what)
        case ListBans():
            return _answer(bans=[ban_fields(ban, now) for ban in lobby.bans])
        case Say(text=text):
            count, effects = lobby.announce(text)
            server.perform_all(effects)
            return _answer(f"Said to {count} who are connected.", to=count)
        case ListTournaments() | EndTournament():
            return _about_tournaments(request, server)
        case StartDrain(within=within):
            server.perform_all(lobby.drain(within, now))
            playing = sum(table.is_in_play for table in lobby.tables.values())
            return _answer(
                f"The server opens no table and begins no set any more. Sets in progress: {playing}. It stops"
                f" when none is left, in {duration_text(within)} at the latest.",
                sets_in_play=playing,
                seconds=within,
            )
        case CancelDrain():
            server.perform_all(lobby.cancel_drain(now))
            return _answer("The server goes on.")
        case StopServer():
            server.stop("control")
            return _answer(pid=server.status()["pid"])
        case _:
            assert_never(request)


def _about_tournaments(request: ListTournaments | EndTournament, server: Server) -> Fields:
    if isinstance(request, ListTournaments):
        return _answer(tournaments=tournament_fields(server.lobby))
    name, effects = server.lobby.end_for_host(request.number, server.now())
    server.perform_all(effects)
    return _answer(f"Tournament {request.number} {name} is over.", tournament=request.number)


def _answer(*said: str, **result: object) -> Fields:
    return {"ok": True, "said": list(said), "result": result}
