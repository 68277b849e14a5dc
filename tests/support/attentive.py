"""A player from the document alone who reads all the time, as a client must, and can be asked what came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import trio

from support.plain_wire import Fields, PlainWire

if TYPE_CHECKING:
    from collections.abc import Callable


class Attentive:
    """One connection that is read in ``nursery`` until it ends. ``received`` keeps every message."""

    def __init__(self, wire: PlainWire, welcome: Fields, last_id: int = 0) -> None:
        self.wire = wire
        self.welcome = welcome
        self.is_closed = False
        self.last_id = last_id
        self._news = trio.Event()
        self._reading = trio.CancelScope()

    @classmethod
    async def arrive(
        cls,
        nursery: trio.Nursery,
        port: int,
        name: str,
        *,
        resume: Attentive | None = None,
        seq: int | None = None,
    ) -> Self:
        """Connect and say hello, with another connection's token where it is to be resumed."""
        wire = await PlainWire.connect("127.0.0.1", port)
        token = None if resume is None else resume.welcome["token"]
        welcome = await wire.hello(name, resume=token, seq=seq)
        assert welcome["type"] == "welcome", welcome
        made = cls(wire, welcome, 0 if resume is None else resume.last_id)
        nursery.start_soon(made._read)
        return made

    @property
    def received(self) -> list[Fields]:
        return self.wire.received

    @property
    def seq(self) -> int:
        """The number of the last event, or of the snapshot, that came."""
        seqs = [
            message["seq"]
            for message in self.received
            if "seq" in message and message["type"] not in {"prompt", "done", "error"}
        ]
        return max(seqs, default=0)

    async def _read(self) -> None:
        with self._reading:
            async with self.wire:
                while await self.wire.receive() is not None:
                    self._tell()
        self.is_closed = True
        self._tell()

    async def hang_up(self) -> None:
        """End the connection without a word."""
        self._reading.cancel()
        await self.closed()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def until(self, is_it: Callable[[Fields], bool]) -> Fields:
        """The first message of all that came, or will come, of which this is true."""
        looked = 0
        while True:
            for message in self.received[looked:]:
                if is_it(message):
                    return message
            looked = len(self.received)
            assert not self.is_closed, f"the connection ended before it came, after {self.received[-2:]}"
            await self._news.wait()

    async def heard(self, kind: str, **fields: Any) -> Fields:
        """The first message of that type and with these fields."""
        return await self.until(
            lambda message: (
                message["type"] == kind and all(message.get(key) == value for key, value in fields.items())
            )
        )

    def count(self, kind: str, **fields: Any) -> int:
        """How many such messages have come."""
        return sum(
            message["type"] == kind and all(message.get(key) == value for key, value in fields.items())
            for message in self.received
        )

    async def closed(self) -> Fields:
        """Wait for the end; the last message that was read."""
        while not self.is_closed:
            await self._news.wait()
        return self.received[-1] if self.received else self.welcome

    async def ask(self, kind: str, **fields: Any) -> int:
        """Send a request; its id."""
        self.last_id += 1
        await self.wire.send(type=kind, id=self.last_id, **fields)
        return self.last_id

    async def request(self, kind: str, **fields: Any) -> Fields:
        """Send a request and wait for its reply or error."""
        reply = await self.answer(await self.ask(kind, **fields))
        assert reply is not None, f"the connection ended before the answer to {kind}"
        return reply

    async def answer(self, number: int) -> Fields | None:
        """The reply or error to a request; ``None`` when the connection ended without one."""
        while True:
            for message in self.received:
                if message.get("id") == number:
                    return message
            if self.is_closed:
                return None
            await self._news.wait()

    async def ok(self, kind: str, **fields: Any) -> Fields:
        """Send a request that is to be granted; its reply."""
        reply = await self.request(kind, **fields)
        assert reply["type"] != "error", reply
        return reply
