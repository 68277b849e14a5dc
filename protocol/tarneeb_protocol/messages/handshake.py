"""Messages of a connection's beginning, life and end: ``docs/protocol.md``, "Handshake"."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from tarneeb_engine.ruleset import Ruleset
from tarneeb_protocol.messages.base import Message
from tarneeb_protocol.messages.limits import NameText, PasswordText, Seq, ShortText, TableId
from tarneeb_protocol.messages.tables import BotLevel


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """Client's first frame. ``resume`` is the token of an earlier session, ``seq`` the last event
    number that the client has of the table it was at.
    """

    protocol_min: Annotated[int, Meta(ge=1)]
    protocol_max: Annotated[int, Meta(ge=1)]
    client: ShortText
    name: NameText
    capabilities: tuple[ShortText, ...] = ()
    password: PasswordText | None = None
    resume: ShortText | None = None
    seq: Seq | None = None


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """Server's answer to a hello it accepts. ``name`` is what the player is called here, ``token``
    resumes this session later (once). ``resumed`` tells whether ``Hello.resume`` did. ``table`` is the table
    the session is at, if any; its missed events or a snapshot follow. ``grace_seconds`` is how long the session
    is held without a connection where it is: at a table the table's.
    """

    protocol: int
    server: str
    server_name: str
    name: str
    token: str
    resumed: bool = False
    table: TableId | None = None
    capabilities: tuple[str, ...] = ()
    ping_seconds: int
    dead_seconds: int
    grace_seconds: int


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Server's answer to a hello it does not accept; the connection then closes. The versions are
    those the server speaks.
    """

    code: str
    message: str
    protocol_min: int
    protocol_max: int


class Describe(Message, frozen=True, kw_only=True, tag="describe"):
    """Before its hello a client asks what the server is; answered by ``about``. It has no fields."""


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset that ``open_table.preset`` can name: ``title`` is its name for people and ``differs`` a
    paragraph on how it is played, both in English.
    """

    name: str
    title: str = ""
    differs: str = ""
    rules: Ruleset


class ServerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a server takes: bytes of payload, characters once cleaned, numbers of things."""

    client_frame: int
    server_frame: int
    name_chars: int
    chat_chars: int
    connections: int
    tables: int
    tables_per_session: int
    spectators: int
    kept_replies: int
    kept_events: int
    waiting_bytes: int
    connections_per_address: int | None = None


class About(Message, frozen=True, kw_only=True, tag="about"):
    """Server's answer to ``describe``: the same for everybody who asks. Times in seconds, ``turn_seconds`` 0 is
    no clock; ``turn_seconds``, ``grace_seconds`` and ``stand_in`` stand for tables that do not say.
    ``needs_password`` tells that a hello must bring one.
    """

    protocol_min: int
    protocol_max: int
    software: str
    server: str
    server_name: str
    needs_password: bool = False
    capabilities: tuple[str, ...] = ()
    presets: tuple[Preset, ...]
    turn_seconds: int
    stand_in: BotLevel = BotLevel.STEADY
    hello_seconds: int
    ping_seconds: int
    dead_seconds: int
    grace_seconds: int
    limits: ServerLimits


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    """Either end asks for a ``pong`` with the same ``nonce``."""

    nonce: Seq = 0


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """Answer to a ``ping``."""

    nonce: Seq = 0


class Goodbye(Message, frozen=True, kw_only=True, tag="goodbye"):
    """The sender will close the connection. From a client: it leaves for good, its session ends and its
    seat is given up. From a server: ``resumable`` tells whether the session lives on, ``retry_seconds``
    when to come back.
    """

    code: ShortText
    message: str = ""
    resumable: bool = False
    retry_seconds: int | None = None
