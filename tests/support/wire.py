"""Frames by hand, every way that TCP may cut them, and two connections with a wire between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgpack

from support.messages import WELCOME
from tarneeb_protocol.codec import BadMessage
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Role
from tarneeb_protocol.messages import Hello, Message

Heard: TypeAlias = Message | BadMessage | ConnectionClosed
HELLO = Hello(protocol_min=1, protocol_max=1, client="test", name="Layla")


def framed(payload: bytes) -> bytes:
    """The frame with this payload, made without the code under test."""
    return len(payload).to_bytes(4, "big") + payload


def packed(fields: dict[str, Any]) -> bytes:
    """The frame with these fields, made without the code under test."""
    packed_fields: bytes = msgpack.packb(fields)
    return framed(packed_fields)


def ways_to_arrive(stream: bytes) -> Iterator[list[bytes]]:
    """The stream whole, byte by byte, and in two parts cut at every place."""
    yield [stream]
    yield [stream[at : at + 1] for at in range(len(stream))]
    for at in range(1, len(stream)):
        yield [stream[:at], stream[at:]]


def heard_each_way(stream: bytes, fresh: Callable[[], Connection]) -> list[Heard]:
    """What a fresh connection hears, which has to be the same however the stream arrives."""
    first: list[Heard] | None = None
    for chunks in ways_to_arrive(stream):
        heard = listen(fresh(), chunks)
        if first is None:
            first = heard
        assert heard == first, f"otherwise when it arrives as {[len(chunk) for chunk in chunks]} bytes"
    assert first is not None
    return first


def listen(connection: Connection, chunks: list[bytes]) -> list[Heard]:
    """All events of these chunks, taken after each."""
    heard: list[Heard] = []
    for chunk in chunks:
        connection.receive_data(chunk)
        heard += events(connection)
    return heard


def events(connection: Connection) -> list[Heard]:
    """The events that are there now."""
    heard: list[Heard] = []
    while (event := connection.next_event()) is not NEED_DATA:
        heard.append(event)
        if isinstance(event, ConnectionClosed):
            break
    return heard


class ConnectionPair:
    """A client's and a server's connection with a fake wire: what one end sends, the other hears at once."""

    def __init__(self) -> None:
        self.ends = {role: Connection(role) for role in Role}

    def __getitem__(self, role: Role) -> Connection:
        return self.ends[role]

    def say(self, sender: Role, message: Message) -> Heard:
        """Send it, and return the one event that the other end has of it."""
        self.ends[sender.other].receive_data(self.ends[sender].send(message))
        (heard,) = events_once(self.ends[sender.other])
        assert self.ends[Role.CLIENT].state is self.ends[Role.SERVER].state
        return heard

    @classmethod
    def opened(cls) -> ConnectionPair:
        """A pair after hello and welcome."""
        pair = cls()
        pair.say(Role.CLIENT, HELLO)
        pair.say(Role.SERVER, WELCOME)
        return pair


def events_once(connection: Connection) -> list[Heard]:
    """The next event alone, if there is one."""
    event = connection.next_event()
    return [] if event is NEED_DATA else [event]


def open_end(role: Role) -> Connection:
    """One end of an open connection."""
    return ConnectionPair.opened()[role]
