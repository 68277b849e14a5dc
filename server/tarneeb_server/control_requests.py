"""What the host's commands ask a running server for: one line of JSON, answered by one line of JSON.

A request is ``{"command": NAME, ...}``; the answer is ``{"ok": true, "said": [LINE, ...], "result": {...}}`` or
``{"ok": false, "error": TEXT}``.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from tarneeb_server.durations import LONGEST_SECONDS

LONGEST_REQUEST = 8192
"""Bytes of a request with its line end; a reason or an announcement has 300 characters."""

_Text: TypeAlias = Annotated[str, Meta(max_length=600)]
_Seconds: TypeAlias = Annotated[int, Meta(ge=0, le=LONGEST_SECONDS)]


class ControlRequest(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="command"
):
    """Base of requests."""


class Status(ControlRequest, frozen=True, kw_only=True, tag="status"):
    """How the server is."""


class Kick(ControlRequest, frozen=True, kw_only=True, tag="kick"):
    """End a session."""

    name: _Text
    reason: _Text = ""


class BanWhat(ControlRequest, frozen=True, kw_only=True, tag="ban"):
    """Ban a name, an address or a network. ``seconds`` ``None`` is for ever."""

    what: _Text
    is_name: bool = False
    is_sure: bool = False
    seconds: _Seconds | None = None
    reason: _Text = ""


class Unban(ControlRequest, frozen=True, kw_only=True, tag="unban"):
    """Lift a ban."""

    what: _Text


class ListBans(ControlRequest, frozen=True, kw_only=True, tag="bans"):
    """The bans in force."""


class Say(ControlRequest, frozen=True, kw_only=True, tag="say"):
    """Announce something to everybody."""

    text: _Text


class ListTournaments(ControlRequest, frozen=True, kw_only=True, tag="tournaments"):
    """The tournaments, those that are over too."""


class EndTournament(ControlRequest, frozen=True, kw_only=True, tag="end_tournament"):
    """End a tournament, in its opener's place."""

    number: Annotated[int, Meta(ge=1, le=2**53)]


class StartDrain(ControlRequest, frozen=True, kw_only=True, tag="drain"):
    """Begin nothing new, and stop when the sets in progress have ended."""

    within: _Seconds


class CancelDrain(ControlRequest, frozen=True, kw_only=True, tag="cancel_drain"):
    """Go on after all."""


class StopServer(ControlRequest, frozen=True, kw_only=True, tag="stop"):
    """Stop, as at SIGTERM."""


AnyRequest: TypeAlias = (
    Status
    | Kick
    | BanWhat
    | Unban
    | ListBans
    | Say
    | ListTournaments
    | EndTournament
    | StartDrain
    | CancelDrain
    | StopServer
)

_decoder = msgspec.json.Decoder(AnyRequest)


def read_request(line: bytes) -> AnyRequest:
    """The request in a line. ``ValueError`` says what is wrong with it."""
    try:
        request: AnyRequest = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"this is no request of a command that this server has: {error}") from None
    return request
