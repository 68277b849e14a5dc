"""The life of a connection, for both ends, without I/O (``docs/protocol.md``, "Life of a connection").

The rules, all of them in ``TRANSITIONS`` below:

1. A connection begins in ``HELLO``. Only the client may speak, and it says ``hello``. Before that it may ask
   what the server is, with ``describe``: in ``ASKED`` the server answers ``about``, and all is as before.
2. Then it is in ``ANSWER``. Only the server may speak: ``welcome`` opens the connection, ``refused`` closes it.
   What a client sends before it has the answer waits and is read after a ``welcome``.
3. In ``OPEN`` both speak whenever they like, and say anything that their direction has but the three
   messages of the handshake.
4. A ``goodbye`` of either end closes the connection: after it, nothing is sent and nothing received is read.
5. A fault of the other end that cannot be answered by ``error`` is raised by ``next_event`` and leaves the
   connection ``FAILED``, or ``FAILED_EARLY`` if there was no ``welcome`` yet: nothing more is read, and all
   that may still be sent is one message that says why, ``goodbye`` or (early, from the server) ``refused``.

The table serves both ends: what one end may send in a state is what the other may receive.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tarneeb_protocol.codec import FROM_CLIENT, FROM_SERVER, BadMessage, decode, encode
from tarneeb_protocol.errors import ErrorCode, LocalProtocolError, ProtocolError, RemoteProtocolError
from tarneeb_protocol.framing import HEADER_SIZE, FrameBuffer
from tarneeb_protocol.messages import (
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
    About,
    Describe,
    Goodbye,
    Hello,
    Message,
    Refused,
    Welcome,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


class Role(Enum):
    """Which end of a connection."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> Role:
        """The end opposite."""
        return Role.SERVER if self is Role.CLIENT else Role.CLIENT


class State(Enum):
    """How far a connection has come."""

    HELLO = "hello"
    """The client is to say ``hello``, or ``describe`` before it."""
    ASKED = "asked"
    """The server is to answer ``about``."""
    ANSWER = "answer"
    """The server is to answer ``welcome`` or ``refused``."""
    OPEN = "open"
    """Both ends speak."""
    CLOSED = "closed"
    """``goodbye`` or ``refused`` was said, or the other end has closed its side."""
    FAILED_EARLY = "failed_early"
    """The other end broke the protocol before there was a ``welcome``."""
    FAILED = "failed"
    """The other end broke the protocol."""


_HANDSHAKE: Final = frozenset({Hello, Describe, Welcome, Refused, About})


def _while_open(types: tuple[type[Message], ...]) -> dict[type[Message], State]:
    allowed = {kind: State.OPEN for kind in types if kind not in _HANDSHAKE}
    allowed[Goodbye] = State.CLOSED
    return allowed


TRANSITIONS: Final[Mapping[State, Mapping[Role, Mapping[type[Message], State]]]] = MappingProxyType(
    {
        State.HELLO: {
            Role.CLIENT: {Hello: State.ANSWER, Describe: State.ASKED},
            # A server that will not wait for a hello any longer, or has no room, says so unasked.
            Role.SERVER: {Refused: State.CLOSED},
        },
        State.ASKED: {
            Role.CLIENT: {},
            Role.SERVER: {About: State.HELLO, Refused: State.CLOSED},
        },
        State.ANSWER: {
            Role.CLIENT: {},
            Role.SERVER: {Welcome: State.OPEN, Refused: State.CLOSED},
        },
        State.OPEN: {
            Role.CLIENT: _while_open(CLIENT_MESSAGES),
            Role.SERVER: _while_open(SERVER_MESSAGES),
        },
        State.CLOSED: {Role.CLIENT: {}, Role.SERVER: {}},
        State.FAILED_EARLY: {
            Role.CLIENT: {Goodbye: State.CLOSED},
            Role.SERVER: {Refused: State.CLOSED},
        },
        State.FAILED: {
            Role.CLIENT: {Goodbye: State.CLOSED},
            Role.SERVER: {Goodbye: State.CLOSED},
        },
    }
)
"""State, then sender, then type of message: the next state. What is not here is not allowed."""

_SERVER_OWES_AN_ANSWER: Final = frozenset({State.ASKED, State.ANSWER})
_BEFORE_WELCOME: Final = frozenset({State.HELLO, State.ASKED, State.ANSWER})


class NeedData(Enum):
    """The type of ``NEED_DATA``."""

    NEED_DATA = "need_data"


NEED_DATA: Final = NeedData.NEED_DATA
"""Nothing more can be said before more is received (or, for a server, before it has answered the hello)."""


@dataclass(frozen=True, slots=True)
class ConnectionClosed:
    """The last event of a connection. ``clean`` tells whether ``goodbye`` or ``refused`` was said, by whichever
    end; without it the link was lost, and a client may resume.
    """

    clean: bool


Received: TypeAlias = Message | BadMessage | Literal[NeedData.NEED_DATA] | ConnectionClosed
"""What ``Connection.next_event`` returns."""


class Connection:
    """One end of a connection: bytes in and events out, messages in and bytes out.

    After each ``receive_data``, call ``next_event`` until it returns ``NEED_DATA`` or ``ConnectionClosed``;
    then no more is ever held than one frame and what was received last.
    """

    __slots__ = (
        "_accepted",
        "_buffer",
        "_fault",
        "_limit",
        "_other",
        "_received_eof",
        "_role",
        "_said_end",
        "_state",
    )

    def __init__(self, role: Role) -> None:
        self._role = role
        self._other = role.other
        self._accepted, sent = (FROM_SERVER, FROM_CLIENT) if role is Role.CLIENT else (FROM_CLIENT, FROM_SERVER)
        self._limit = sent.max_frame + HEADER_SIZE
        self._buffer = FrameBuffer(self._accepted.max_frame)
        self._state = State.HELLO
        self._received_eof = False
        self._said_end = False
        self._fault: RemoteProtocolError | None = None

    def __repr__(self) -> str:
        return f"<Connection {self._role.value} {self._state.value}>"

    @property
    def role(self) -> Role:
        """Which end this is."""
        return self._role

    @property
    def state(self) -> State:
        """How far the connection has come."""
        return self._state

    @property
    def is_open(self) -> bool:
        """Whether requests, replies and events may be sent now."""
        return self._state is State.OPEN

    def send(self, message: Message) -> bytes:
        """The frame to send.

        Raises ``LocalProtocolError`` when this end may not say it now, or it is longer than the direction's
        frames may be; the connection is then as it was.
        """
        state = TRANSITIONS[self._state][self._role].get(type(message))
        if state is None:
            raise LocalProtocolError(
                ErrorCode.WRONG_STATE,
                f"a {self._role.value} cannot send {message.__struct_config__.tag} while the connection is"
                f" {self._state.value}; it can send {_names(self._state, self._role)}",
            )
        encoded = encode(message)
        if len(encoded) > self._limit:
            raise LocalProtocolError(
                ErrorCode.FRAME_TOO_LONG,
                f"a {message.__struct_config__.tag} of {len(encoded) - HEADER_SIZE} bytes;"
                f" a {self._role.value} sends at most {self._limit - HEADER_SIZE}",
            )
        self._move(state)
        return encoded

    def send_encoded(self, frame: bytes) -> bytes:
        """The frame itself, which ``codec.encode`` made for many connections of a message that changes no
        state (an event, say). Raises ``LocalProtocolError`` when the connection is not open.
        """
        if self._state is not State.OPEN:
            raise LocalProtocolError(ErrorCode.WRONG_STATE, f"the connection is {self._state.value}, not open")
        return frame

    def receive_data(self, received: bytes | bytearray | memoryview) -> None:
        """Take in what was received; nothing (``b""``) means that the other end has closed its side.

        After a goodbye, a refusal or a fault it is thrown away unread.
        """
        if not received:
            self._received_eof = True
        elif self._fault is None and self._state is not State.CLOSED:
            self._buffer.feed(received)

    def next_event(self) -> Received:
        """The next message, or what stands in its place.

        Raises ``RemoteProtocolError`` when the other end broke the protocol, and again at every later call. A
        ``BadMessage`` is answered by ``error`` (a server) or passed over (a client); during the handshake it
        is raised, as there is no such answer.
        """
        if self._fault is not None:
            raise self._fault
        if self._state is State.CLOSED:
            return ConnectionClosed(clean=self._said_end)
        if self._role is Role.SERVER and self._state in _SERVER_OWES_AN_ANSWER:
            return self._at_end_of_data()
        try:
            payload = self._buffer.next_payload()
            if payload is None:
                return self._at_end_of_data()
            message = decode(payload, self._accepted)
        except ProtocolError as error:
            raise self._fail(error.code, error.message) from None
        if isinstance(message, BadMessage):
            return self._pass_on(message)
        state = TRANSITIONS[self._state][self._other].get(type(message))
        if state is None:
            raise self._fail(*self._out_of_place(type(message)))
        self._move(state)
        return message

    def _at_end_of_data(self) -> Literal[NeedData.NEED_DATA] | ConnectionClosed:
        if not self._received_eof:
            return NEED_DATA
        self._state = State.CLOSED
        return ConnectionClosed(clean=False)

    def _move(self, state: State) -> None:
        self._state = state
        if state is State.CLOSED:
            self._said_end = True

    def _pass_on(self, message: BadMessage) -> BadMessage:
        # What may not be said now is told that before anything about its fields.
        if message.kind is None:
            is_out_of_place = self._state is not State.OPEN
        else:
            is_out_of_place = message.kind not in TRANSITIONS[self._state][self._other]
        if is_out_of_place:
            raise self._fail(*self._out_of_place(message.kind))
        if self._state is State.OPEN:
            return message
        raise self._fail(message.code, message.message)

    def _out_of_place(self, kind: type[Message] | None) -> tuple[ErrorCode, str]:
        expected = _names(self._state, self._other)
        came = f"{kind.__struct_config__.tag} came" if kind is not None else "an unknown message came"
        if self._state is State.HELLO and self._role is Role.SERVER:
            return ErrorCode.HELLO_EXPECTED, f"{came} first; the first message is {expected}"
        return ErrorCode.WRONG_STATE, f"{came}, which cannot be said now; what can is {expected}"

    def _fail(self, code: ErrorCode, message: str) -> RemoteProtocolError:
        early = self._state in _BEFORE_WELCOME
        self._state = State.FAILED_EARLY if early else State.FAILED
        self._buffer = FrameBuffer(self._accepted.max_frame)
        self._fault = RemoteProtocolError(code, message)
        return self._fault


def _names(state: State, sender: Role) -> str:
    return ", ".join(str(kind.__struct_config__.tag) for kind in TRANSITIONS[state][sender]) or "nothing"
