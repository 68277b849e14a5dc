"""What the host does to a running server: to throw somebody out, to ban, to announce, to drain.

No I/O: effects go out, ``now`` comes in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tarneeb_protocol import messages as wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.names import name_keys
from tarneeb_protocol.text import clean_chat, clean_name
from tarneeb_server.bans import (
    MOST_BANS,
    Ban,
    format_network,
    holds_loopback,
    is_in,
    looks_like_network,
    parse_network,
)
from tarneeb_server.durations import duration_text
from tarneeb_server.effects import (
    CancelTimer,
    Close,
    Effect,
    Send,
    SessionId,
    SetTimer,
    Stop,
    TimerKey,
    TimerKind,
    log,
)
from tarneeb_server.kept import ForgetBan, KeepBan
from tarneeb_server.presence import Admission, Presence, ban_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_server.sessions import Session

DRAIN_LOOK_SECONDS = 1.0
"""How often a server that drains looks whether the last set has ended: nobody waits for it."""
MOST_NAMED = 20
"""Names that are listed to a host who typed one that nobody has."""

DRAIN_TIMER = TimerKey(TimerKind.DRAIN, 0)


class NotDone(ValueError):
    """The host asked for what cannot be done; nothing has changed. The text says what can be."""


@dataclass(slots=True)
class Drain:
    """The server stops ``until`` at the latest, in the server's time; ``told`` have heard of it."""

    until: float
    told: set[SessionId] = field(default_factory=set)


MAY_COME_BACK = "you may come back, in a new session: connect again"
"""What everybody is told who was removed and not banned."""


class Hosting(Presence):
    """The commands of the host. Each raises ``NotDone`` with nothing changed."""

    drain_state: Drain | None = None

    @property
    def is_draining(self) -> bool:
        """Whether no table is opened and no set begun any more."""
        return self.drain_state is not None

    # ------------------------------------------------------------ out

    def session_called(self, name: str) -> Session:
        """The session whose name this is, as players type it, or the only one whose name looks like it; or
        ``#3``, session 3.
        """
        if name.startswith("#") and name[1:].isdecimal():
            numbered = self.sessions.get(int(name[1:17]))
            found = [] if numbered is None else [numbered]
        else:
            keys = name_keys(name)
            found = [session for session in self.sessions if session.keys.agree(keys)]
            found = [session for session in found if session.keys.spelling == keys.spelling] or found
        if len(found) > 1:
            raise NotDone(f"several are called like {name!r}: {_listed(found)}; say which by its number, as #1")
        if not found:
            raise NotDone(f"nobody here is called {name!r}; here: {_listed(self.sessions) or 'nobody'}")
        return found[0]

    def kick(self, session: Session, reason: str, now: float) -> list[Effect]:
        """End the session at once. Its name and seat are free, and its token is void."""
        reason = _cleaned(reason)
        text = "the host of this server has ended your session"
        told = f"{text}: {reason}" if reason else text
        return self._throw_out(session, ErrorCode.KICKED, f"{told} ({MAY_COME_BACK})", now)

    def _throw_out(self, session: Session, code: ErrorCode, message: str, now: float) -> list[Effect]:
        goodbye = wire.Goodbye(code=code.value, message=message)
        # The goodbye first: nothing that the end of the session sends to others is for this one.
        return [Close(session.id, goodbye), *self._end(session, "kicked", now)]

    # ------------------------------------------------------------ bans

    def ban(
        self,
        what: str,
        *,
        is_name: bool,
        is_sure: bool,
        seconds: float | None,
        reason: str,
        now: float,
    ) -> tuple[Ban, list[str], list[Effect]]:
        """Ban an address, a network or a name, in place of an earlier ban of the same, and throw out whom it is
        for. The ban, the names of those, and the effects.
        """
        reason = _cleaned(reason)
        network = None if is_name else parse_network(what)
        name = None
        if network is None:
            if not is_name and looks_like_network(what):
                raise NotDone(
                    f"{what!r} is no address and no network; accepted are such as 203.0.113.7, 203.0.113.0/24"
                    " and 2001:db8::/48. To ban it as a name, say --name"
                )
            try:
                name = clean_name(what, wire.MAX_NAME_CHARS)
            except ValueError as error:
                raise NotDone(f"{what!r} is no address, no network and no name: {error}") from None
        elif holds_loopback(network) and not is_sure:
            raise NotDone(
                f"{format_network(network)} holds the addresses of this machine itself: whoever plays on it, or"
                " comes through a proxy on it, would be banned. If that is meant, say --yes"
            )
        before = self._ban_of(what, name)
        if before is None and len(self.bans) >= MOST_BANS:
            raise NotDone(f"{len(self.bans)} bans are in force, and no more may be; lift one with unban")
        effects = [] if before is None else self._lift(before)
        until = None if seconds is None else now + seconds
        ban = Ban(self.bans.next_number(), name, network, reason, until)
        self.bans.add(ban)
        text = None if network is None else str(network)
        effects.append(KeepBan(ban.number, name, text, reason, seconds))
        if until is not None:
            effects.append(SetTimer(TimerKey(TimerKind.BAN, ban.number), until))
        effects.append(log("banned", what=ban.what, seconds=seconds))
        hit = [session for session in self.sessions if self._is_banned(session, ban)]
        for session in hit:
            effects += self._throw_out(session, ErrorCode.BANNED, ban_text(ban, now), now)
        return ban, [session.name for session in hit], effects

    def unban(self, what: str) -> tuple[Ban, list[Effect]]:
        """Lift the ban of a name, an address or a network."""
        ban = self._ban_of(what, what)
        if ban is None:
            banned = ", ".join(ban.what for ban in self.bans)
            raise NotDone(f"{what!r} is not banned; banned: {banned or 'nobody'}")
        return ban, [*self._lift(ban), log("unbanned", what=ban.what)]

    def ban_over(self, number: int) -> list[Effect]:
        """The time of a ban has passed."""
        ban = self.bans.remove(number)
        return [] if ban is None else [ForgetBan(number), log("ban_over", what=ban.what)]

    def _ban_of(self, what: str, name: str | None) -> Ban | None:
        network = parse_network(what)
        by_network = None if network is None else self.bans.of_network(network)
        return by_network or (None if name is None else self.bans.spelled(name_keys(name)))

    def _lift(self, ban: Ban) -> list[Effect]:
        self.bans.remove(ban.number)
        return [ForgetBan(ban.number), CancelTimer(TimerKey(TimerKind.BAN, ban.number))]

    def _is_banned(self, session: Session, ban: Ban) -> bool:
        if ban.network is None:
            return session.keys.agree(name_keys(ban.name or ""))
        return is_in(session.address, ban.network)

    # ------------------------------------------------------------ announcements, drain

    def announce(self, text: str) -> tuple[int, list[Effect]]:
        """Say something to everybody who is connected; how many they are."""
        try:
            text = clean_chat(text)
        except ValueError as error:
            raise NotDone(str(error)) from None
        to = self._connected()
        return len(to), [Send(to, wire.Notice(reason="host", text=text)), log("announced", to=len(to))]

    def drain(self, seconds: float, now: float) -> list[Effect]:
        """Begin nothing new; stop when no set is in progress any more, in ``seconds`` at the latest. Said
        again, it sets another time.
        """
        self.drain_state = Drain(now + seconds)
        for table in self.tables.values():
            table.end_with_this_set()
        to = self._connected()
        self.drain_state.told.update(to)
        return [
            log("draining", seconds=seconds),
            Send(to, self._drain_notice(now)),
            SetTimer(DRAIN_TIMER, now + min(seconds, DRAIN_LOOK_SECONDS)),
        ]

    def cancel_drain(self, now: float) -> list[Effect]:
        """Go on as before."""
        if self.drain_state is None:
            raise NotDone("the server does not drain")
        self.drain_state = None
        text = "The server goes on after all: tables may be opened and sets begun."
        effects: list[Effect] = [
            log("drain_cancelled"),
            CancelTimer(DRAIN_TIMER),
            Send(self._connected(), wire.Notice(reason="drain_over", text=text)),
        ]
        for table in self.tables.values():
            effects += table.go_on(now)
        return effects

    def look_whether_drained(self, now: float) -> list[Effect]:
        """Stop if the last set has ended, or the time is over; else look again later."""
        drain = self.drain_state
        if drain is None:
            return []
        if now >= drain.until:
            return [log("drained", reason="time_over"), Stop("drained")]
        if not any(table.is_in_play for table in self.tables.values()):
            return [log("drained", reason="no_set_in_progress"), Stop("drained")]
        return [SetTimer(DRAIN_TIMER, min(drain.until, now + DRAIN_LOOK_SECONDS))]

    def _drain_notice(self, now: float) -> wire.Notice:
        assert self.drain_state is not None  # noqa: S101  (the callers look)
        left = max(0, math.ceil(self.drain_state.until - now))
        kept = " Your seat is kept for when it is back." if self.is_kept else ""
        return wire.Notice(
            reason="drain",
            text=f"The server is going to stop, in {duration_text(left)} at the latest. Sets in progress go on"
            f" till then; no table is opened and no set begun any more.{kept}",
            seconds=left,
        )

    def _connected(self) -> tuple[SessionId, ...]:
        return tuple(session.id for session in self.sessions if session.is_connected)

    def hello(
        self, hello: wire.Hello, now: float, address: str | None = None
    ) -> tuple[Admission | wire.Refused, list[Effect]]:
        """See ``Presence``; who comes while the server drains is told."""
        admission, effects = super().hello(hello, now, address)
        drain = self.drain_state
        if drain is not None and isinstance(admission, Admission) and admission.session not in drain.told:
            drain.told.add(admission.session)
            effects.append(Send((admission.session,), self._drain_notice(now)))
        return admission, effects


def _listed(sessions: Iterable[Session]) -> str:
    names = sorted(f"{session.name} (#{session.id})" for session in sessions)
    return ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")


def _cleaned(reason: str) -> str:
    try:
        return clean_chat(reason) if reason else ""
    except ValueError as error:
        raise NotDone(f"the reason cannot be shown: {error}") from None
