"""What a client of ours says and hears, noted from the bytes of its connections."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgpack
from anyio.abc import ByteStream

from support.survivor import ACTIONS, Told, action_text
from tarneeb_client.addresses import Address
from tarneeb_client.dialling import tcp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from support.plain_wire import Fields
    from tarneeb_client.dialling import Dial


class Hasty(random.Random):
    """A link's waits cut to a few hundredths of a second, so that many can be had in a short time."""

    def uniform(self, a: float, b: float) -> float:
        """See ``random.Random``."""
        return super().uniform(a, min(b, 0.1))


@dataclass
class Notes:
    """One client's, over all its connections. ``heard`` are actions by their events, ``acknowledged`` its own
    that were answered by ``done``.
    """

    heard: list[Told] = field(default_factory=list)
    acknowledged: list[Told] = field(default_factory=list)
    refused: list[Fields] = field(default_factory=list)
    resumes_tried: int = 0
    resumes_made: int = 0
    _set_number: int = 0
    _deal: int = 0
    _under_way: dict[int, Told] = field(default_factory=dict)

    def dial(self, port: int) -> Dial:
        """Connections to a server on loopback of which all is noted."""
        dial = tcp(Address("127.0.0.1", port))

        async def noted() -> ByteStream:
            return _NotedStream(await dial(), self)

        return noted

    def sent(self, message: Fields) -> None:
        """The client said this."""
        if message["type"] == "hello":
            self.resumes_tried += message.get("resume") is not None
        elif message["type"] == "act" and message["action"]["type"] != "ready":
            told = Told(message["seq"], self._set_number, self._deal, -1, action_text(message["action"]))
            self._under_way.setdefault(message["id"], told)

    def came(self, message: Fields) -> None:
        """The server said this."""
        match message["type"]:
            case "welcome":
                self.resumes_made += message.get("resumed", False)
            case "refused" | "error":
                self.refused.append(message)
            case "done" if message["id"] in self._under_way:
                self.acknowledged.append(self._under_way.pop(message["id"]))
            case "snapshot":
                self._set_number = message.get("set_number", 0)
                deal = (message.get("public") or {}).get("deal")
                self._deal = 0 if deal is None else deal["number"]
            case "set_started":
                self._set_number, self._deal = message["number"], 0
            case "deal_started":
                self._deal = message["number"]
            case kind if kind in ACTIONS:
                seat = message["seat"]
                self.heard.append(
                    Told(message["seq"], self._set_number, self._deal, seat, action_text(message))
                )
            case _:
                pass


class _Frames:
    """Whole frames of one direction, decoded."""

    def __init__(self, take: Callable[[Fields], None]) -> None:
        self._take = take
        self._rest = b""

    def add(self, chunk: bytes) -> None:
        self._rest += chunk
        while len(self._rest) >= 4:
            end = 4 + int.from_bytes(self._rest[:4], "big")
            if len(self._rest) < end:
                return
            payload, self._rest = self._rest[4:end], self._rest[end:]
            self._take(msgpack.unpackb(payload))


class _NotedStream(ByteStream):
    def __init__(self, stream: ByteStream, notes: Notes) -> None:
        self._stream = stream
        self._up = _Frames(notes.sent)
        self._down = _Frames(notes.came)

    async def receive(self, max_bytes: int = 65536) -> bytes:
        chunk = await self._stream.receive(max_bytes)
        self._down.add(chunk)
        return chunk

    async def send(self, item: bytes) -> None:
        self._up.add(item)
        await self._stream.send(item)

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()

    @property
    def extra_attributes(self) -> Mapping[Any, Callable[[], Any]]:
        return self._stream.extra_attributes
