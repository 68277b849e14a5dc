"""Sessions: a person's presence across connections.

A session is found by its token, of which only a hash is kept. Its generation grows with every connection:
what an old connection left behind carries an old generation and is ignored.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING

from tarneeb_server.kept import KeepReply, KeepSession
from tarneeb_server.limits import CHAT, PATIENCE, REQUESTS, Bucket
from tarneeb_server.networks import network_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tarneeb_protocol.names import NameKeys
    from tarneeb_server.effects import SessionId
    from tarneeb_server.kept import KeptAnswer

TOKEN_BYTES = 32
"""256 bits of the operating system's randomness: guessing is hopeless."""
KEPT_REPLIES = 64
"""Replies kept for requests that are sent again after a lost link; more than a client has under way."""


def new_token() -> str:
    """A fresh resume token, 43 URL-safe characters."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """SHA-256 of a token. A random token of 256 bits needs no slow hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


class Session:
    """Who somebody is here, where they are, and what they were answered."""

    __slots__ = (
        "address",
        "chat_bucket",
        "generation",
        "held_until",
        "id",
        "is_connected",
        "kept_replies",
        "keys",
        "last_id",
        "name",
        "network",
        "patience_bucket",
        "previous_hash",
        "replies",
        "request_bucket",
        "table",
        "token_hash",
        "unkept",
        "wrong_passwords",
    )

    def __init__(self, session_id: SessionId, name: str, keys: NameKeys, hashed: bytes, now: float) -> None:
        self.id = session_id
        self.name = name
        self.keys = keys
        self.token_hash = hashed
        self.previous_hash: bytes | None = None
        """Of the token that was last resumed with, until the client is known to have the new one."""
        self.generation = 1
        self.is_connected = True
        self.address: str | None = None
        """Where its latest connection came from; not known of one that was only restored."""
        self.network: str | None = None
        """Whom that address is counted for (``networks``)."""
        self.held_until: float | None = None
        """When it ends, in seconds, while nobody is connected to it."""
        self.table: int | None = None
        self.last_id = -1
        self.replies: OrderedDict[int, KeptAnswer] = OrderedDict()
        """By request id; ``None`` for a request that is simply answered anew."""
        self.request_bucket = Bucket(REQUESTS, now)
        self.patience_bucket = Bucket(PATIENCE, now)
        self.chat_bucket = Bucket(CHAT, now)
        self.wrong_passwords = 0
        self.kept_replies = 0
        """How many replies the journal was given in all."""
        self.unkept: list[int] = []
        """Ids of requests whose replies the journal does not have: they changed nothing."""

    def __repr__(self) -> str:
        return f"<Session {self.id} generation={self.generation} connected={self.is_connected}>"

    def came_from(self, address: str | None) -> None:
        """A connection from this address speaks for it now."""
        self.address = address
        self.network = None if address is None else network_of(address)

    def keep_reply(self, request_id: int, reply: KeptAnswer) -> None:
        """Remember a reply, for the request that is sent again."""
        if request_id not in self.replies:
            self.unkept.append(request_id)
        self.replies[request_id] = reply
        if len(self.replies) > KEPT_REPLIES:
            self.replies.popitem(last=False)
            del self.unkept[:-KEPT_REPLIES]

    def restore_reply(self, kept: KeepReply) -> None:
        """A reply as it was kept; they come in the order of their requests."""
        self.replies[kept.request] = kept.answer
        self.last_id = kept.request
        self.kept_replies = kept.slot + 1

    def kept(self) -> KeepSession:
        """What the journal is to know of it."""
        return KeepSession(self.id, self.name, self.token_hash, self.previous_hash, self.table)

    def take_unkept(self) -> list[KeepReply]:
        """The replies that the journal does not have.

        They go there with the next that changes something: one that says nothing but "refused" is no reason to
        write, and if the server is killed before, asking again is answered anew.
        """
        entries = []
        for request in self.unkept:
            slot = self.kept_replies % KEPT_REPLIES
            entries.append(KeepReply(self.id, slot, request, self.replies[request]))
            self.kept_replies += 1
        self.unkept.clear()
        return entries


class Sessions:
    """All sessions, by number, token hash, and the keys of their names."""

    def __init__(self, make_token: Callable[[], str] = new_token) -> None:
        self._make_token = make_token
        self._by_id: dict[SessionId, Session] = {}
        self._by_hash: dict[bytes, Session] = {}
        self._by_name: dict[tuple[int, str], Session] = {}
        """By each key of a name, with its place in ``NameKeys``."""
        self._last_id = 0

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_id.values())

    def get(self, session_id: SessionId) -> Session | None:
        """The session of that number, if it lives."""
        return self._by_id.get(session_id)

    def spelled(self, keys: NameKeys) -> Session | None:
        """The session whose name is spelled so, whatever the case and the accents."""
        return self._by_name.get((0, keys.spelling))

    def is_name_taken(self, keys: NameKeys) -> bool:
        """Whether a session has a name that a reader would take for this one (``names.name_keys``)."""
        return any(key in self._by_name for key in enumerate(keys))

    def open(self, name: str, keys: NameKeys, now: float) -> tuple[Session, str]:
        """A new session and its token. The caller has made sure that the name is free."""
        token = self._make_token()
        self._last_id += 1
        session = Session(self._last_id, name, keys, token_hash(token), now)
        self._by_id[session.id] = session
        self._by_hash[session.token_hash] = session
        self._name(session)
        return session, token

    def restore(self, kept: KeepSession, keys: NameKeys, now: float) -> Session:
        """A session as it was kept; nobody is connected to it. ``ValueError`` when its name, its number or a
        token is another session's.

        A name that is only like another's stays: an earlier version of the server told them apart.
        """
        hashes = [hashed for hashed in (kept.token_hash, kept.previous_hash) if hashed is not None]
        namesake = self.spelled(keys)
        is_same_name = namesake is not None and namesake.name == kept.name
        if kept.id in self._by_id or is_same_name or any(h in self._by_hash for h in hashes):
            raise ValueError("another session has its number, name or token")
        session = Session(kept.id, kept.name, keys, kept.token_hash, now)
        session.previous_hash = kept.previous_hash
        session.table = kept.table
        session.is_connected = False
        self._by_id[session.id] = session
        self._name(session)
        for hashed in hashes:
            self._by_hash[hashed] = session
        self.number_from(session.id)
        return session

    def number_from(self, last_id: SessionId) -> None:
        """Give no new session a number up to ``last_id``."""
        self._last_id = max(self._last_id, last_id)

    def find(self, token: str) -> Session | None:
        """The session that this token resumes, if any.

        The token it was last resumed with still does, until ``confirm``: a welcome that is lost on the way must
        not lock the player out.
        """
        hashed = token_hash(token)
        session = self._by_hash.get(hashed)
        # The look-up is by hash, so its timing says nothing about tokens; the comparison costs nothing more.
        if session is None or not any(
            hmac.compare_digest(known, hashed) for known in (session.token_hash, session.previous_hash) if known
        ):
            return None
        return session

    def renew(self, session: Session, used: str) -> str:
        """Take the session over for a new connection, which presented ``used``: next generation, new token."""
        token = self._make_token()
        for hashed in (session.token_hash, session.previous_hash):
            if hashed is not None:
                del self._by_hash[hashed]
        session.previous_hash = token_hash(used)
        session.token_hash = token_hash(token)
        self._by_hash[session.previous_hash] = session
        self._by_hash[session.token_hash] = session
        session.generation += 1
        session.is_connected = True
        session.held_until = None
        return token

    def confirm(self, session: Session) -> None:
        """The client has the newest token: the one before is void."""
        if session.previous_hash is not None:
            del self._by_hash[session.previous_hash]
            session.previous_hash = None

    def end(self, session: Session) -> None:
        """Forget the session: its token and its name are free again."""
        self.confirm(session)
        session.is_connected = False
        session.generation += 1
        del self._by_id[session.id]
        del self._by_hash[session.token_hash]
        for key in enumerate(session.keys):
            if self._by_name.get(key) is session:
                del self._by_name[key]

    def _name(self, session: Session) -> None:
        for key in enumerate(session.keys):
            self._by_name.setdefault(key, session)
