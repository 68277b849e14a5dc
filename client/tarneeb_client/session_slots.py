"""The sessions kept for one address, each in a slot of its own that one process at a time may hold.

Two terminals of one person must not take each other's session over. So whoever plays holds the lock of a slot,
which the kernel releases when the process ends, however it does.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import suppress

from tarneeb_client.kept_session import MOST_BYTES, KeptSession, NoSession, from_bytes, to_bytes
from tarneeb_client.language import _
from tarneeb_client.state_folder import NotUsable, StateFolder
from tarneeb_protocol.text import harmless

SLOTS = 8
"""Sessions kept for one address: two teams on one machine."""
KEPT_SECONDS = 7 * 86400.0
"""A session that nobody resumed for so long is cleared away. A server can be down for a while and still know
it, so that its grace alone says nothing."""
SESSION, LOCK = ".session", ".lock"


def slot_names(address: str) -> list[str]:
    """The names of the slots of an address, as typed but for its case: letters, digits and a hyphen."""
    digest = hashlib.sha256(address.lower().encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return [f"{digest}-{number}" for number in range(1, SLOTS + 1)]


def peek(folder: StateFolder, slot: str) -> KeptSession | None:
    """What a slot holds, whoever may be using it; ``None`` for nothing. Raises ``NotUsable`` for a file that is
    not to be touched, ``NoSession`` for one that can be written over.
    """
    content = folder.read(slot + SESSION, MOST_BYTES)
    if content is None:
        return None
    try:
        return from_bytes(content)
    except NoSession as error:
        path = harmless(str(folder.path / (slot + SESSION)))
        raise NoSession(_("{path} is not used: {reason}").format(path=path, reason=error)) from None


class Slot:
    """A slot that this process holds until it is released."""

    def __init__(self, folder: StateFolder, name: str, descriptor: int) -> None:
        self.name = name
        self._folder = folder
        self._descriptor = descriptor

    @classmethod
    def hold(cls, folder: StateFolder, name: str) -> Slot | None:
        """Hold a slot; ``None`` when another process does. Raises ``NotUsable``."""
        while True:
            descriptor = folder.open_for_lock(name + LOCK)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                return None
            except OSError as error:
                os.close(descriptor)
                path = harmless(str(folder.path))
                raise NotUsable(
                    _("nothing can be locked in {path}: {reason}").format(path=path, reason=error.strerror)
                ) from None
            if os.fstat(descriptor).st_nlink:
                return cls(folder, name, descriptor)
            os.close(descriptor)  # whoever held it removed it meanwhile: a lock on it keeps nobody out

    def read(self) -> KeptSession | None:
        """The session kept here; ``None`` for none. Raises as ``peek``."""
        return peek(self._folder, self.name)

    def write(self, session: KeptSession) -> None:
        """Keep a session here in place of another. Raises ``NotUsable``."""
        try:
            content = to_bytes(session)
        except NoSession as error:
            raise NotUsable(_("what the server sent cannot be kept: {reason}").format(reason=error)) from None
        self._folder.write(self.name + SESSION, content)

    def clear(self) -> None:
        """Keep nothing here any more. Raises ``NotUsable``."""
        self._folder.remove(self.name + SESSION)

    def release(self) -> None:
        """Let others have the slot; one that keeps nothing leaves no file behind."""
        with suppress(NotUsable):
            if self._folder.read(self.name + SESSION, 0) is None:
                self._folder.remove(self.name + LOCK)
        os.close(self._descriptor)


def clear_away_old(folder: StateFolder, now: float) -> None:
    """Remove the sessions of any address that are too old to be resumed. Raises ``NotUsable``."""
    for name in folder.names():
        if not name.endswith(SESSION):
            continue
        slot_name = name.removesuffix(SESSION)
        with suppress(NotUsable, NoSession):
            session = peek(folder, slot_name)
            if session is None or now - (session.left_at or session.written_at) < KEPT_SECONDS:
                continue
            slot = Slot.hold(folder, slot_name)
            if slot is not None:
                slot.clear()
                slot.release()


def free_sessions(folder: StateFolder) -> list[KeptSession]:
    """Every session of any address that no process is using, the latest first. Raises ``NotUsable``."""
    found = []
    for name in folder.names():
        if not name.endswith(SESSION):
            continue
        with suppress(NotUsable, NoSession):
            slot = Slot.hold(folder, name.removesuffix(SESSION))
            if slot is None:
                continue
            session = slot.read()
            slot.release()
            if session is not None:
                found.append(session)
    return sorted(found, key=lambda session: session.left_at or session.written_at, reverse=True)
