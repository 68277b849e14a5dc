"""Keeps a player's session on disk, so that a new process has the seat that a former one lost.

The token is shown to nobody but the server that gave it: a session is offered only to a server that stands at
the address it was kept for *and* says that it is the one. Whatever goes wrong with the disk costs a warning,
and the session is kept in memory alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

import anyio
import anyio.to_thread
import msgspec

from tarneeb_client.kept_session import KeptSession, NoSession
from tarneeb_client.language import N_, _, plural
from tarneeb_client.session_slots import Slot, clear_away_old, peek, slot_names
from tarneeb_client.state import TableView
from tarneeb_client.state_folder import NotUsable, StateFolder, user_state_folder
from tarneeb_protocol import messages as m

FOLDER = "sessions"
WRITE_SECONDS = 1.0
"""How long play waits for the disk at most; the writing then goes on beside it."""

LATELY_SECONDS = 86400.0
"""A session kept for another server is told of for so long: its player may still look for that seat."""
IN_MEMORY = N_("Your seat cannot be kept for a new start of this program.")
"""What a fault of the disk means for the player."""


class SessionKeeper:
    """What a link asks for a session to resume, and tells of each new token. Use it in a ``with`` block.

    ``address`` is the server's as the player would type it, ``name`` the name that the player asked for,
    ``None`` for any. ``watches`` tells sessions of spectators from those of players. With ``is_new`` nothing is
    resumed. ``warn`` gets a sentence for whatever could not be done. ``folder`` is where sessions are kept.
    """

    def __init__(
        self,
        address: str,
        *,
        name: str | None,
        watches: bool,
        is_new: bool,
        warn: Callable[[str], None],
        folder: Path | None = None,
        time_of_day: Callable[[], float] = time.time,
    ) -> None:
        self.resumed: KeptSession | None = None
        """The session that was offered to the server, as the former process kept it."""
        self.given_up: list[KeptSession] = []
        """Those that the server no longer knew."""
        self.elsewhere: list[KeptSession] = []
        """Those of the last day that were kept for another server at this address."""
        self._address = address
        self._name = name
        self._watches = watches
        self._is_new = is_new
        self._warn = warn
        self._warned: set[str] = set()
        self._time_of_day = time_of_day
        self._slots = slot_names(address)
        self._refused: set[str] = set()
        self._slot: Slot | None = None
        self._current: KeptSession | None = None
        self._written: KeptSession | None = None
        self._writing = threading.Lock()
        self._folder: StateFolder | None = None
        try:
            self._folder = StateFolder(user_state_folder(FOLDER) if folder is None else folder)
            clear_away_old(self._folder, time_of_day())
        except NotUsable as error:
            self._complain(f"{error}. {_(IN_MEMORY)}")

    def __enter__(self) -> SessionKeeper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the slot: another process may resume what is kept there."""
        with self._writing:
            self._release()
            if self._folder is not None:
                self._folder.close()
                self._folder = None

    @property
    def is_kept(self) -> bool:
        """Whether a new process could resume the session as it is now."""
        written, current = self._written, self._current
        return written is not None and current is not None and written.token == current.token

    # ---------------------------------------------------------------- before the hello

    def has_any(self) -> bool:
        """Whether there is a session that could be resumed, if the server is the right one."""
        return bool(self._resumable())

    def offer(self, server: str, fingerprint: str | None) -> KeptSession | None:
        """A session of the server with this id that no other process is using; it is this one's then.
        ``fingerprint`` is of the certificate that was shown now, ``None`` in plain.
        """
        self.elsewhere = []
        for slot_name, seen in self._resumable():
            if (
                seen.server != server
                and self._time_of_day() - (seen.left_at or seen.written_at) < LATELY_SECONDS
            ):
                self.elsewhere.append(seen)
            slot = self._hold(slot_name) if _is_of(seen, server, fingerprint) else None
            if slot is None:
                continue
            session = _session_in(slot)
            # Between looking and holding, another process may have ended it, or begun one of its own.
            if session is not None and self._is_wanted(session) and _is_of(session, server, fingerprint):
                self._slot = slot
                self.resumed = session
                return session
            slot.release()
        return None

    def refused(self) -> None:
        """The server does not know the session that was offered."""
        slot, session = self._slot, self.resumed
        if slot is None or session is None:
            return
        self._refused.add(slot.name)
        self.given_up.append(session)
        self.resumed = None
        with self._complaining():
            slot.clear()
        self._release()

    def _resumable(self) -> list[tuple[str, KeptSession]]:
        found: list[tuple[str, KeptSession]] = []
        if self._folder is None or self._is_new:
            return found
        for slot_name in self._slots:
            if slot_name in self._refused:
                continue
            with self._complaining():
                session = peek(self._folder, slot_name)
                if session is not None and self._is_wanted(session):
                    found.append((slot_name, session))
        return found

    def _is_wanted(self, session: KeptSession) -> bool:
        return (
            session.address.lower() == self._address.lower()
            and session.watches == self._watches
            and self._name in {None, session.name, session.asked_name}
        )

    def _hold(self, slot_name: str) -> Slot | None:
        slot: Slot | None = None
        if self._folder is not None:
            with self._complaining():
                slot = Slot.hold(self._folder, slot_name)
        return slot

    def _release(self) -> None:
        if self._slot is not None:
            self._slot.release()
            self._slot = None

    # ---------------------------------------------------------------- while the link stands

    async def keep(
        self, welcome: m.Welcome, asked_name: str, ids_from: int, fingerprint: str | None = None
    ) -> None:
        """Keep the session as the server has just welcomed it; ``ids_from`` and ``fingerprint`` as in
        ``KeptSession``.

        Done before anything is sent on that connection: as long as the server has heard nothing, the token
        before is good too, so that a process which is killed here loses nothing.
        """
        if self._slot is None:
            self._slot = self._free_slot()
        if self._slot is None:
            return
        before = self._current or self.resumed
        is_same_place = before is not None and welcome.resumed and before.table == welcome.table
        self._current = KeptSession(
            address=self._address,
            server=welcome.server,
            server_name=welcome.server_name,
            asked_name=asked_name,
            name=welcome.name,
            token=welcome.token,
            fingerprint=fingerprint,
            ids_from=ids_from,
            written_at=self._time_of_day(),
            grace_seconds=welcome.grace_seconds,
            watches=self._watches,
            table=welcome.table,
            table_name=before.table_name if before is not None and is_same_place else None,
            seat=before.seat if before is not None and is_same_place else None,
        )
        await self._write()

    async def note_place(self, view: TableView | None) -> None:
        """Remember where the player is, when that has changed."""
        current = self._current
        if current is None:
            return
        table, name, seat = (None, None, None) if view is None else (view.table, view.snapshot.name, view.seat)
        if (table, name, seat) != (current.table, current.table_name, current.seat):
            self._current = msgspec.structs.replace(current, table=table, table_name=name, seat=seat)
            await self._write()

    def note_left(self) -> None:
        """This process ends and the seat is held: remember since when."""
        if self._current is not None and self.is_kept:
            self._current = msgspec.structs.replace(self._current, left_at=self._time_of_day())
            self._write_now(self._current)

    def forget(self) -> None:
        """The session is over: keep nothing of it. What another process has kept there since stays."""
        session, self._current, self._written = self._current, None, None
        slot = self._slot
        if slot is None or session is None:
            return
        with self._writing, self._complaining():
            kept = slot.read()
            if kept is not None and kept.token == session.token:
                slot.clear()

    def _free_slot(self) -> Slot | None:
        """A slot in which nothing is kept, or only what cannot be read."""
        if self._folder is None:
            return None
        for slot_name in self._slots:
            with suppress(NotUsable):  # said already, or to be left alone
                slot = None if _is_used(self._folder, slot_name) else Slot.hold(self._folder, slot_name)
                if slot is None:
                    continue
                if not _is_used(self._folder, slot_name):
                    return slot
                slot.release()
        full = plural(
            "{number} session at this address is kept already.",
            "{number} sessions at this address are kept already.",
            len(self._slots),
        )
        self._complain(f"{full.format(number=len(self._slots))} {_(IN_MEMORY)}")
        return None

    async def _write(self) -> None:
        """Write beside the play, which waits for it, but not for ever."""
        session = self._current
        if session is not None:
            with anyio.move_on_after(WRITE_SECONDS):
                await anyio.to_thread.run_sync(self._write_now, session, abandon_on_cancel=True)

    def _write_now(self, session: KeptSession) -> None:
        with self._writing:
            if self._slot is None or session is not self._current:
                return  # a later one has come while this one waited for the disk
            try:
                self._slot.write(session)
                self._written = session
            except NotUsable as error:
                self._written = None
                with suppress(NotUsable):
                    self._slot.clear()  # the token in it is no good any more
                self._complain(f"{error}. {_(IN_MEMORY)}")

    # ---------------------------------------------------------------- what goes wrong

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        try:
            yield
        except (NotUsable, NoSession) as error:
            self._complain(f"{error}.")

    def _complain(self, sentence: str) -> None:
        if sentence not in self._warned:
            self._warned.add(sentence)
            self._warn(sentence)


def _is_of(session: KeptSession, server: str, fingerprint: str | None) -> bool:
    """Whether a server may be shown the session's token. One that came over TLS is shown to nobody with another
    certificate, and never in plain.
    """
    return session.server == server and session.fingerprint in {None, fingerprint}


def _session_in(slot: Slot) -> KeptSession | None:
    try:
        return slot.read()
    except (NotUsable, NoSession):
        return None


def _is_used(folder: StateFolder, slot_name: str) -> bool:
    try:
        return peek(folder, slot_name) is not None
    except NoSession:
        return False
