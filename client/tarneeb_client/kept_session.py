"""A session as it is kept on disk: all that a new process needs to resume it, as bytes and back.

The bytes begin with a line that holds a checksum of the rest, so that a file which was cut off, or in which
anything changed, is no session at all rather than another one. Nothing in it is trusted beyond that: every
field has bounds, and every text is made harmless where it is shown.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
from msgspec import Meta

from tarneeb_client.language import _
from tarneeb_engine.seats import Seat
from tarneeb_protocol.messages import MAX_ID

HEADER = b"tarneeb session 1 "
"""Begins a file; the number is that of the form of what follows."""
MOST_BYTES = 16384
"""No session is longer: its texts are bounded, and JSON makes at most six bytes of one of theirs."""
IDS_OF_A_PROCESS = 10**9
"""Request ids that a process has to itself. Ids must grow within a session, and a process that was killed
cannot tell how far it came; 2**53 ids are enough for nine million processes."""
LATEST_SECONDS = 1e11
"""No time of day is later: some thousands of years."""

Text = Annotated[str, Meta(max_length=256)]
Token = Annotated[str, Meta(min_length=1, max_length=128)]
"""Bounds of ``hello.resume``."""
Moment = Annotated[float, Meta(ge=0, le=LATEST_SECONDS)]
"""Seconds since 1970."""


class NoSession(ValueError):
    """These bytes are no session that was kept; the text says what is wrong with them."""


class KeptSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session that can be resumed at ``address``, by whoever shows ``token`` to the server ``server``.

    ``asked_name`` is the name that the player wished, ``name`` the one the server gave. ``ids_from`` is the
    number over which request ids are unused. ``watches``: it was begun by ``tarneeb watch``.
    ``fingerprint`` is of the certificate that the server had when it gave the token, ``None`` if it gave it in
    plain. ``table``, ``table_name`` and ``seat`` tell where the session was last known to be. ``written_at`` is
    when the token came, ``left_at`` when the client ended with the seat held, if it could still tell.
    """

    address: Text
    server: Text
    server_name: Text
    asked_name: Text
    name: Text
    token: Token
    fingerprint: Text | None = None
    ids_from: Annotated[int, Meta(ge=0, le=MAX_ID - IDS_OF_A_PROCESS)]
    written_at: Moment
    grace_seconds: Annotated[int, Meta(ge=0, le=10**9)]
    watches: bool = False
    left_at: Moment | None = None
    table: Annotated[int, Meta(ge=1, le=MAX_ID)] | None = None
    table_name: Text | None = None
    seat: Seat | None = None

    def __repr__(self) -> str:
        """Without the token: a session may end up in a log or an error."""
        return f"<KeptSession of {self.name!r} at {self.address!r}, table {self.table}>"


def to_bytes(session: KeptSession) -> bytes:
    """The content of a session's file. Raises ``NoSession`` for one that could not be read again."""
    body = msgspec.json.encode(session) + b"\n"
    content = HEADER + hashlib.sha256(body).hexdigest().encode() + b"\n" + body
    from_bytes(content)
    return content


def from_bytes(content: bytes) -> KeptSession:
    """The session in a file's content. Raises ``NoSession``, whatever the bytes are."""
    if len(content) > MOST_BYTES:
        raise NoSession(_("it is longer than {most} bytes").format(most=MOST_BYTES))
    header, _end, body = content.partition(b"\n")
    if not header.startswith(HEADER):
        raise NoSession(_("it is not one of this program's"))
    if header != HEADER + hashlib.sha256(body).hexdigest().encode():
        raise NoSession(_("it is damaged"))
    try:
        return msgspec.json.decode(body, type=KeptSession)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise NoSession(_("it does not hold what a session needs")) from None
