"""Connections to the server under test, as checks use them."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
from anyio.abc import ByteStream, TaskGroup

from tarneeb_client.addresses import Address
from tarneeb_client.conformance.outcome import Failed, NotTested
from tarneeb_client.conformance.secured import secured
from tarneeb_client.conformance.shapes import EVENTS, Fields, fault_of
from tarneeb_client.conformance.wire import MAX_SERVER_PAYLOAD, Received, Wire, frame

if TYPE_CHECKING:
    from tarneeb_client.conformance.recording import Recording

MAX_SERVER_ITEMS = 256
ANSWER_SECONDS = 5.0
"""How long a server may take to answer."""
HOLD_SECONDS = 0.15
"""How long nothing may come where nothing is to come. A frame that comes later is still seen by the checks
that count what came; this one only bounds how long the kit waits for it."""
SEED = 31313


@dataclass(slots=True)
class Target:
    """The server under test, and what checks share. ``patience`` is how many seconds the kit waits for
    what the server's own times bring about, ``answer_seconds`` for an answer. With ``tls`` the kit speaks TLS,
    and with ``fingerprint`` only to the certificate that has it.
    With ``most_deals`` the set that many checks read ends after so many deals that are played out.
    """

    address: Address
    password: str | None = None
    tls: bool = False
    fingerprint: str | None = None
    answer_seconds: float = ANSWER_SECONDS
    patience: float = 12.0
    most_deals: int | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(SEED))  # noqa: S311  (which card, no secret)
    recording: Recording | None = None
    recording_lock: anyio.Lock = field(default_factory=anyio.Lock)


class Client(Wire):
    """A connection to the server. ``welcome`` is the answer to ``hello``."""

    def __init__(self, stream: anyio.abc.ByteStream, target: Target) -> None:
        super().__init__(stream, max_payload=MAX_SERVER_PAYLOAD, max_items=MAX_SERVER_ITEMS)
        self.target = target
        self.welcome: Fields = {}
        self.last_id = 0

    def _form_fault(self, fields: Fields) -> str | None:
        return fault_of(fields)

    @property
    def seq(self) -> int:
        """Number of the last event that this connection was told of, by an event or a snapshot."""
        for message in reversed(self.received):
            if message.type == "snapshot" or message.type in EVENTS:
                return int(message.fields["seq"])
        return 0

    def of_type(self, *types: str) -> list[Fields]:
        """All messages of these types received so far."""
        return [message.fields for message in self.received if message.type in types]

    # ---------------------------------------------------------------- waiting

    def _deadline(self, within: float | None) -> float:
        return anyio.current_time() + (self.target.answer_seconds if within is None else within)

    async def next_within(self, seconds: float, wanted: str, *, with_pings: bool = False) -> Fields | None:
        """The next message, ``None`` at the end of the connection. Raises ``Failed`` when nothing comes."""
        try:
            with anyio.fail_after(seconds):
                message = await self.next(with_pings=with_pings)
        except TimeoutError:
            raise Failed(f"no {wanted} came in {seconds:g} s") from None
        return None if message is None else message.fields

    async def until(self, *types: str, within: float | None = None, with_pings: bool = False) -> Fields:
        """The next message of one of these types. Raises ``Failed`` when the connection ends before it."""
        wanted = " or ".join(types)
        deadline = self._deadline(within)
        while True:
            left = max(deadline - anyio.current_time(), 0.01)
            message = await self.next_within(left, wanted, with_pings=with_pings)
            if message is None:
                raise Failed(f"the server closed the connection before {wanted} came{self._last_words()}")
            if message["type"] in types:
                return message

    def _last_words(self) -> str:
        for message in reversed(self.received):
            if message.type in {"refused", "goodbye"}:
                return f" ({message.type}: {message.fields['code']}, {message.fields.get('message', '')})"
        return ""

    async def ends(self, *types: str, within: float | None = None) -> Fields:
        """The server's last word, of one of these types, after which it closes. Raises ``Failed``."""
        last = await self.until(*types, within=within)
        after = await self.next_within(within or self.target.answer_seconds, "end of the connection")
        if after is not None:
            raise Failed(f"after {last['type']} the server sent {after['type']}")
        return last

    async def closes(self, within: float | None = None) -> Fields | None:
        """Read to the end; the last message. Raises ``Failed`` when the connection stays open."""
        last = None
        deadline = self._deadline(within)
        while (
            message := await self.next_within(
                max(deadline - anyio.current_time(), 0.01), "end of the connection"
            )
        ) is not None:
            last = message
        return last

    async def settle(self) -> list[Fields]:
        """All that is under way: what comes until a ping of our own is answered."""
        nonce = self.target.rng.randrange(2**40)
        before = len(self.received)
        await self.send(type="ping", nonce=nonce)
        while True:
            if (await self.until("pong", with_pings=True)).get("nonce", 0) == nonce:
                return [message.fields for message in self.received[before:]]

    # ---------------------------------------------------------------- asking

    async def say_hello(self, name: str, **fields: object) -> Fields:
        """Say hello and return the answer, ``welcome`` or ``refused``."""
        hello: Fields = {"protocol_min": 1, "protocol_max": 1, "client": "tarneeb conformance", "name": name}
        if self.target.password is not None and fields.get("resume") is None:
            hello["password"] = self.target.password
        await self.send(type="hello", **(hello | fields))
        answer = await self.until("welcome", "refused")
        if answer["type"] == "welcome":
            self.welcome = answer
        return answer

    async def answer_to(self, number: int, within: float | None = None) -> Fields:
        """The next message with this ``id``."""
        deadline = self._deadline(within)
        while True:
            left = max(deadline - anyio.current_time(), 0.01)
            message = await self.next_within(left, f"answer to request {number}")
            if message is None:
                raise Failed(f"the server closed the connection instead of an answer{self._last_words()}")
            if message.get("id") == number:
                return message

    async def ask(self, kind: str, **fields: object) -> Fields:
        """Send a request with the next id and return its reply or error."""
        self.last_id += 1
        await self.send(**{"type": kind, "id": self.last_id, **fields})
        return await self.answer_to(self.last_id)

    async def get(self, kind: str, **fields: object) -> Fields:
        """As ``ask``, for a request that has to be granted. Raises ``Failed`` for an error."""
        reply = await self.ask(kind, **fields)
        if reply["type"] == "error":
            raise Failed(f"{kind} was answered by the error {reply['code']}: {reply['message']}")
        return reply

    async def refused(self, code: str, kind: str, **fields: object) -> Fields:
        """As ``ask``, for a request that has to be refused with this code. Raises ``Failed``."""
        reply = await self.ask(kind, **fields)
        expect(
            reply["type"] == "error" and reply["code"] == code,
            f"{kind} {fields} was answered by {brief(reply)}, not by the error {code}",
        )
        return reply

    async def act(self, action: Fields, **fields: object) -> Fields:
        """Do an action that has to be granted."""
        return await self.get("act", action=action, **fields)


@dataclass(slots=True)
class Probe:
    """What a check is given: the server, and a group for the tasks of its connections."""

    target: Target
    tasks: TaskGroup
    made: int = 0

    async def connect(self, *, in_plain: bool = False) -> Client:
        """A new connection, before its hello; with ``in_plain`` without TLS also where the kit speaks it.
        Raises ``Failed`` when the server does not accept.
        """
        stream = await self.stream()
        if self.target.tls and not in_plain:
            stream = await secured(stream, self.target.answer_seconds, self.target.fingerprint)
        client = Client(stream, self.target)
        self.tasks.start_soon(_read, client)
        return client

    async def stream(self) -> ByteStream:
        """A new connection of bytes. Raises ``Failed`` when the server does not accept."""
        address = self.target.address
        try:
            with anyio.fail_after(self.target.answer_seconds):
                return await anyio.connect_tcp(address.host, address.port)
        except (OSError, TimeoutError) as error:
            raise Failed(f"no connection could be made: {error}") from None

    async def player(self, name: str | None = None, **hello: object) -> Client:
        """A new session."""
        client = await self.connect()
        self.made += 1
        answer = await client.say_hello(name or f"Check {self.target.rng.randrange(10**9)}", **hello)
        if answer["type"] != "welcome":
            raise Failed(f"hello was refused: {answer['code']}, {answer['message']}")
        return client

    async def resume(self, client: Client, token: str | None = None, **hello: object) -> Client:
        """The same session on a new connection, by its token. Raises ``Failed`` when it is refused."""
        again = await self.connect()
        again.last_id = client.last_id
        answer = await again.say_hello("Again", resume=token or client.welcome["token"], **hello)
        expect(answer["type"] == "welcome", f"the resume was answered by {brief(answer)}")
        return again

    async def table(self, client: Client, **options: object) -> int:
        """A new table without a turn clock, opened by ``client``."""
        opened = await client.get("open_table", **{"name": "Conformance", "turn_seconds": 0, **options})
        return int(opened["table"])

    async def four(self, **options: object) -> list[Client]:
        """Four players at a new table, by seat: a set has begun."""
        players = [await self.player() for _ in range(4)]
        number = await self.table(players[0], **options)
        for seat, client in enumerate(players):
            await client.get("join", table=number, seat=seat)
        await players[0].until("set_started")
        return players

    async def prompted(self, players: list[Client]) -> tuple[int, Fields]:
        """The seat that has the newest prompt, and the prompt. Everything under way has then arrived."""
        newest = (-1, -1, Fields())
        for client in players:
            await client.settle()
        for seat, client in enumerate(players):
            prompts = client.of_type("prompt")
            if prompts and prompts[-1]["seq"] > newest[0]:
                newest = (prompts[-1]["seq"], seat, prompts[-1])
        if newest[1] < 0:
            raise Failed("no seat was prompted")
        return newest[1], newest[2]

    async def play_until(self, players: list[Client], kind: str, *, cut_at: int = 26) -> tuple[int, Fields]:
        """Act until a prompt offers an action of this kind; the seat and the prompt."""
        for _ in range(80):
            seat, prompt = await self.prompted(players)
            actions = prompt["actions"]
            if any(action["type"] == kind for action in actions):
                return seat, prompt
            action = {"type": "cut", "at": cut_at} if actions[0]["type"] == "cut" else lively(actions)
            await players[seat].act(action)
        raise Failed(f"no prompt offered {kind} in 80 actions")


def lively(actions: list[Fields]) -> Fields:
    """The lowest bid if there is one, else the first action: so that an auction is won."""
    bids = [action for action in actions if action.get("call") == "bid"]
    return min(bids, key=lambda bid: int(bid["tricks"])) if bids else actions[0]


async def _read(client: Client) -> None:
    try:
        await client.read()
    finally:
        with anyio.CancelScope(shield=True):
            await client.close()


def expect(is_met: object, seen: str) -> None:
    """Raise ``Failed`` with what was seen unless the condition is met."""
    if not is_met:
        raise Failed(seen)


def brief(message: Fields | Received | None) -> str:
    """A message in a few words."""
    if message is None:
        return "the end of the connection"
    fields = message.fields if isinstance(message, Received) else message
    words = ", ".join(
        f"{name} {fields[name]!r}" for name in ("code", "field", "message", "seq") if name in fields
    )
    return f"{fields.get('type')}" + (f" ({words})" if words else "")


@asynccontextmanager
async def probing(target: Target) -> AsyncIterator[Probe]:
    """A probe for the length of one check; its connections end with it."""
    async with anyio.create_task_group() as tasks:
        try:
            yield Probe(target, tasks)
        finally:
            tasks.cancel_scope.cancel()


def needs_short(target: Target, seconds: float, what: str, flag: str) -> None:
    """Raise ``NotTested`` when the server's own time is longer than the kit waits."""
    if seconds > target.patience:
        raise NotTested(
            f"the server's {what} is {seconds:g} s, and the kit waits {target.patience:g} s: start the server"
            f" with a shorter one ({flag}), or give --patience"
        )


def hello_frame(**fields: object) -> bytes:
    """A hello with these fields in place of its own."""
    hello: Fields = {"type": "hello", "protocol_min": 1, "protocol_max": 1, "client": "kit", "name": "Kit"}
    return frame(**(hello | fields))
