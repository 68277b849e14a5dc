"""What all messages are made of: the message, the request, the reply, the event of a table."""

from __future__ import annotations

import msgspec

from tarneeb_protocol.messages.limits import RequestId, Seq, TableId


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of all messages."""


class Request(Message, frozen=True, kw_only=True):
    """Base of requests. ``id`` is chosen by the client and must grow within a session."""

    id: RequestId


class Reply(Message, frozen=True, kw_only=True):
    """Base of replies. Everything that a request caused is sent before its reply."""

    id: RequestId


class TableEvent(Message, frozen=True, kw_only=True):
    """Base of events: numbered by table without gaps, the same numbers for every viewer."""

    table: TableId
    seq: Seq


class Done(Reply, frozen=True, kw_only=True, tag="done"):
    """It is done. ``seq`` is the table's last event number, when at a table."""

    seq: Seq | None = None


class Error(Message, frozen=True, kw_only=True, tag="error"):
    """A frame was not granted. ``id`` is the request's, if it could be read. ``field`` is the path of the
    field at fault, as in ``action.card``. ``seq`` is the table's last event number, when at a table.
    """

    id: RequestId | None = None
    code: str
    message: str
    field: str | None = None
    seq: Seq | None = None
