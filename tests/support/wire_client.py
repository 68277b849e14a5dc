"""A client of the protocol over a real socket, with the sans-I/O ``Connection`` and nothing else of ours."""

from __future__ import annotations

import random
import socket
from types import TracebackType
from typing import Self

import trio

from support.fold import comparable, fold
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import BadMessage
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Role


class WireClient:
    """One connection at a time; ``view`` is folded from what came. ``raw`` keeps every byte received."""

    def __init__(self, stream: trio.SocketStream, port: int) -> None:
        self.stream = stream
        self.carrier: trio.abc.Stream = stream
        """What frames go through: the socket itself, or TLS over it."""
        self.port = port
        self.connection = Connection(Role.CLIENT)
        self.received: list[wire.Message] = []
        self.view: wire.Snapshot | None = None
        self.prompt: wire.Prompt | None = None
        self.raw = bytearray()
        self.welcome: wire.Welcome | None = None
        self.last_id = 0

    @classmethod
    async def connect(cls, port: int, *, receive_buffer: int | None = None) -> Self:
        """A new connection, before its hello."""
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        trio_socket = trio.socket.from_stdlib_socket(sock)
        await trio_socket.connect(("127.0.0.1", port))
        return cls(trio.SocketStream(trio_socket), port)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await trio.aclose_forcefully(self.stream)

    def cut(self) -> None:
        """End the connection with a reset, as a link that breaks."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self.stream.socket.close()

    async def send(self, message: wire.Message) -> None:
        await self.carrier.send_all(self.connection.send(message))

    async def receive(self) -> wire.Message | None:
        """The next message, ``None`` at the end of the connection. Pings are answered."""
        while True:
            event = self.connection.next_event()
            if event is NEED_DATA:
                try:
                    chunk = await self.carrier.receive_some(65536)
                except trio.BrokenResourceError:
                    return None
                self.raw += chunk
                self.connection.receive_data(chunk)
                continue
            if isinstance(event, ConnectionClosed):
                return None
            assert not isinstance(event, BadMessage), event
            self._take_in(event)
            if isinstance(event, wire.Ping):
                await self.send(wire.Pong(nonce=event.nonce))
                continue
            return event

    def _take_in(self, message: wire.Message) -> None:
        self.received.append(message)
        if isinstance(message, wire.Snapshot):
            self.view = comparable(message)
            self.prompt = None
        elif isinstance(message, wire.TableEvent):
            assert self.view is not None
            self.view = fold(self.view, message)
            if isinstance(message, wire.PackCut | wire.CallMade | wire.TrumpNamed | wire.CardPlayed):
                self.prompt = None
        elif isinstance(message, wire.Prompt):
            self.prompt = message

    async def until(self, *types: type[wire.Message]) -> wire.Message:
        while True:
            message = await self.receive()
            assert message is not None, f"the connection ended before any of {types}: {self.received[-1:]}"
            if isinstance(message, types):
                return message

    async def until_closed(self) -> wire.Message | None:
        """Read to the end; the last message is returned."""
        last = None
        while (message := await self.receive()) is not None:
            last = message
        return last

    async def hello(
        self, name: str = "Nour", *, resume: str | None = None, seq: int | None = None
    ) -> wire.Welcome:
        await self.send(
            wire.Hello(protocol_min=1, protocol_max=1, client="test", name=name, resume=resume, seq=seq)
        )
        answer = await self.until(wire.Welcome, wire.Refused)
        assert isinstance(answer, wire.Welcome), answer
        self.welcome = answer
        return answer

    async def request(self, kind: type[wire.Request], **fields: object) -> wire.Message:
        self.last_id += 1
        return await self.ask(kind(id=self.last_id, **fields))

    async def ask(self, request: wire.Request) -> wire.Message:
        await self.send(request)
        while True:
            message = await self.receive()
            assert message is not None, f"the connection ended before the reply: {self.received[-1:]}"
            if getattr(message, "id", None) == request.id:
                return message

    async def ok(self, kind: type[wire.Request], **fields: object) -> wire.Message:
        reply = await self.request(kind, **fields)
        assert not isinstance(reply, wire.Error), reply
        return reply

    async def open_table(self, **fields: object) -> int:
        reply = await self.ok(wire.OpenTable, **{"name": "Majlis", **fields})
        assert isinstance(reply, wire.Opened)
        return reply.table

    async def resumed(self, *, with_seq: bool = True) -> Self:
        """A new connection that takes this session over, with the same view."""
        assert self.welcome is not None
        client = await type(self).connect(self.port)
        client.last_id = self.last_id
        client.view = self.view
        seq = self.view.seq if with_seq and self.view is not None else None
        welcome = await client.hello("resumed", resume=self.welcome.token, seq=seq)
        assert welcome.resumed
        return client

    async def next_prompt(self) -> wire.Prompt:
        """The prompt that stands, else the next one."""
        while self.prompt is None:
            await self.until(wire.Prompt)
        return self.prompt

    async def play(self, rng: random.Random, actions: int) -> None:
        """Answer prompts at random, so many times."""
        for _ in range(actions):
            prompt = await self.next_prompt()
            self.prompt = None
            await self.request(wire.Act, action=rng.choice(prompt.actions), seq=prompt.seq)
