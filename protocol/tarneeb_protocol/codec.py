"""Messages to frames and back (``docs/protocol.md``, "msgpack" and "Faults").

There are two kinds of fault. A payload outside the msgpack profile raises ``ProtocolError``: the peer does not
speak this protocol, and the connection ends. A map whose ``type`` is not known, or with a field at fault, is a
``BadMessage`` value: the other end is told, and the connection goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgpack
import msgspec

from tarneeb_protocol.errors import ErrorCode, LocalProtocolError, ProtocolError
from tarneeb_protocol.field_faults import explain
from tarneeb_protocol.framing import HEADER_SIZE, MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from tarneeb_protocol.messages import CLIENT_MESSAGES, MAX_ID, SERVER_MESSAGES, Error, Message
from tarneeb_protocol.nil_fields import without_nil

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_DEPTH: Final = 8
"""Maps and arrays inside each other, the message itself being 1. The deepest, a card of a finished trick in a
snapshot, stands in 6; a client needs 2."""
MAX_MAP_LENGTH: Final = 64
"""Fields of a map. The largest message, a snapshot, has 20."""
MAX_CLIENT_ARRAY_LENGTH: Final = 64
"""Items of an array from a client. It sends one array, of capabilities."""
MAX_SERVER_ARRAY_LENGTH: Final = 256
"""Items of an array from a server. The longest are the 200 scores of a very long set."""


@dataclass(frozen=True, slots=True)
class Direction:
    """Which messages go one way, by ``type``, and within what limits (bytes, items)."""

    sender: str
    types: Mapping[str, type[Message]]
    max_frame: int
    max_array_length: int


def _by_tag(types: Iterable[type[Message]]) -> Mapping[str, type[Message]]:
    return MappingProxyType({str(kind.__struct_config__.tag): kind for kind in types})


FROM_CLIENT: Final = Direction("client", _by_tag(CLIENT_MESSAGES), MAX_CLIENT_FRAME, MAX_CLIENT_ARRAY_LENGTH)
FROM_SERVER: Final = Direction("server", _by_tag(SERVER_MESSAGES), MAX_SERVER_FRAME, MAX_SERVER_ARRAY_LENGTH)


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A well-formed map that is no message: unknown ``type``, or a field missing or mistyped.

    ``field`` is the dotted path of the field at fault, as in ``action.card`` or ``capabilities[3]``; ``id`` is
    the request's, if it has one that can be read. ``kind`` is what its ``type`` says, if it is known.
    """

    code: ErrorCode
    message: str
    field: str | None = None
    id: int | None = None
    kind: type[Message] | None = None

    def to_error(self, seq: int | None = None) -> Error:
        """The answer to the peer; ``seq`` is the table's last event number, when at one."""
        return Error(id=self.id, code=self.code.value, message=self.message, field=self.field, seq=seq)


_encoder: Final = msgspec.msgpack.Encoder()


def encode(message: Message) -> bytes:
    """The whole frame that holds ``message``.

    Raises ``LocalProtocolError`` when it is longer than any frame may be (``frame_too_long``), or its text
    cannot be UTF-8 (``bad_text``): the program has to check such things before.
    """
    try:
        payload = _encoder.encode(message)
    except UnicodeEncodeError:
        raise LocalProtocolError(
            ErrorCode.BAD_TEXT, f"a {message.__struct_config__.tag} has text with half of a surrogate pair"
        ) from None
    size = len(payload)
    if size > MAX_SERVER_FRAME:
        raise LocalProtocolError(
            ErrorCode.FRAME_TOO_LONG,
            f"a {message.__struct_config__.tag} of {size} bytes; a frame holds at most {MAX_SERVER_FRAME}",
        )
    return size.to_bytes(HEADER_SIZE, "big") + payload


def decode(payload: bytes, accepted: Direction) -> Message | BadMessage:
    """The message in a frame's payload.

    Raises ``ProtocolError`` for a payload outside the msgpack profile; a message that is not accepted
    is a ``BadMessage``.
    """
    fields = _unpack(payload, accepted.max_array_length)
    kind = fields.get("type")
    message_type = accepted.types.get(kind) if type(kind) is str else None
    if message_type is None:
        return _no_such_type(fields, accepted)
    try:
        return msgspec.convert(fields, message_type)
    except msgspec.ValidationError as error:
        return _convert_again(fields, message_type, error)


# ---------------------------------------------------------------- msgpack


def _unpack(payload: bytes, max_array_length: int) -> dict[str, Any]:
    try:
        unpacked = msgpack.unpackb(
            payload,
            raw=False,
            use_list=True,
            strict_map_key=False,  # _unique_keys and _check_map say more clearly what is wrong with a key
            unicode_errors="strict",
            object_pairs_hook=_unique_keys,
            ext_hook=_refuse_extension,
            max_array_len=max_array_length,
            max_map_len=MAX_MAP_LENGTH,
        )
    except msgpack.StackError:
        raise _too_deep() from None
    except msgpack.ExtraData:
        raise ProtocolError(
            ErrorCode.NOT_MSGPACK, "there are bytes after the message; a frame holds exactly one"
        ) from None
    except UnicodeDecodeError:
        raise ProtocolError(ErrorCode.NOT_MSGPACK, "a string is not UTF-8") from None
    except ValueError:
        raise ProtocolError(
            ErrorCode.NOT_MSGPACK,
            "the payload is not one whole msgpack value with arrays of at most"
            f" {max_array_length} items and maps of at most {MAX_MAP_LENGTH} fields",
        ) from None
    if type(unpacked) is not dict:
        raise ProtocolError(ErrorCode.NOT_A_MAP, "the payload is msgpack, but not a map of named fields")
    _check_map(unpacked, 1)
    return unpacked


def _unique_keys(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    try:
        fields = dict(pairs)
    except TypeError:  # an array or a map as a key
        raise _bad_key() from None
    if len(fields) != len(pairs):
        raise ProtocolError(ErrorCode.BAD_KEY, "a map has the same key twice")
    return fields


def _refuse_extension(code: int, content: bytes) -> object:
    raise _forbidden_type()


_SCALARS: Final = frozenset({str, int, bool, type(None), float})


def _check_map(fields: dict[Any, Any], depth: int) -> None:
    """Only string keys, no bin, no ext (a timestamp, say), no deeper than any message is.

    A float is let through: no field has that type, so ``7.5`` for a bid is an error about that field, and the
    player is still to call.
    """
    for key, value in fields.items():
        if type(key) is not str:
            raise _bad_key()
        if type(value) not in _SCALARS:
            _check_container(value, depth + 1)


def _check_container(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _too_deep()
    if type(value) is dict:
        _check_map(value, depth)
    elif type(value) is list:
        for item in value:
            if type(item) not in _SCALARS:
                _check_container(item, depth + 1)
    else:
        raise _forbidden_type()


def _too_deep() -> ProtocolError:
    return ProtocolError(ErrorCode.TOO_DEEP, f"maps and arrays are nested more than {MAX_DEPTH} deep")


def _bad_key() -> ProtocolError:
    return ProtocolError(ErrorCode.BAD_KEY, "a map has a key that is not a string")


def _forbidden_type() -> ProtocolError:
    return ProtocolError(
        ErrorCode.FORBIDDEN_TYPE,
        "the payload holds bin or ext; messages have nil, booleans, integers, strings, arrays and maps",
    )


# ---------------------------------------------------------------- maps to messages


def _request_id(fields: dict[str, Any]) -> int | None:
    found = fields.get("id")
    return found if type(found) is int and 0 <= found <= MAX_ID else None


def _no_such_type(fields: dict[str, Any], accepted: Direction) -> BadMessage:
    request_id = _request_id(fields)
    if type(fields.get("type")) is str:
        return BadMessage(
            ErrorCode.UNKNOWN_TYPE,
            f"no such message; a {accepted.sender} sends {', '.join(accepted.types)}"
            if accepted is FROM_CLIENT
            else f"no such message comes from a {accepted.sender}",
            "type",
            request_id,
        )
    wrong = "is not text" if "type" in fields else "is missing"
    return BadMessage(
        ErrorCode.BAD_REQUEST, f"`type` {wrong}; accepted is a message's name", "type", request_id
    )


def _convert_again(
    fields: dict[str, Any], message_type: type[Message], error: msgspec.ValidationError
) -> Message | BadMessage:
    """A field that may be left out may be ``nil`` too, whatever its type: try without those."""
    try:
        return msgspec.convert(without_nil(fields, message_type), message_type)
    except msgspec.ValidationError as second:
        error = second
    said, field = explain(error, message_type)
    return BadMessage(ErrorCode.BAD_REQUEST, said, field, _request_id(fields), message_type)
