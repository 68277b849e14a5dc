"""A link to a server that outlives its connections: the part of a client that any program can use.

On asyncio or trio, through anyio::

    async with open_link(Address("192.168.1.20"), name="Nour") as link:
        tables = await link.request(ListTables(id=NEW))
        await link.request(Join(id=NEW, table=3))
        async for item in link:
            ...  # every message of the server in order, and LinkLost, LinkBack, LinkEnded

The link answers pings and sends its own, numbers requests, and when the connection is lost connects again
and resumes the session: the server then sends what was missed, and requests that were not answered are
sent again under the same ids, so that none is applied twice. It stops for good when the server's
goodbye is final, above all ``superseded``: another client has taken the session over; and when the server
shows another certificate than before, which is for the player to judge. The token is shown to no server but
the one that gave it.

The resume token is kept in memory, and with a ``keeper`` wherever that keeps it, for a process to come.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import msgspec

from tarneeb_client.addresses import Address
from tarneeb_client.backoff import Backoff
from tarneeb_client.dialling import Dial, Dialler, Security, Untrusted
from tarneeb_client.keeping import Keeper
from tarneeb_client.kept_session import IDS_OF_A_PROCESS
from tarneeb_client.link_items import (
    GIVEN_UP,
    SESSION_LOST,
    LinkBack,
    LinkEnded,
    LinkFailed,
    LinkItem,
    LinkLost,
    RequestFailed,
)
from tarneeb_client.live import Ending, Greeting, Live, shake_hands
from tarneeb_client.wording import connection as wording
from tarneeb_protocol import messages as m
from tarneeb_protocol.codec import encode
from tarneeb_protocol.errors import CODES, ErrorCode, Retry
from tarneeb_protocol.framing import HEADER_SIZE, MAX_CLIENT_FRAME

NEW = 0
"""The ``id`` to give a request that the link is to number."""
ITEMS_BUFFERED = 1024
"""Items kept for a slow reader of the link before it stops reading the socket: several whole deals."""
MOST_UNANSWERED = 32
"""Requests that may wait for an answer: half of the 64 replies that a server keeps for repeats."""
MOST_FAULTS = 3
"""Connections in succession on which the server broke the protocol before the link gives up."""


@dataclass(slots=True)
class _Waiter:
    """A caller of ``request`` and, once ``answered`` is set, its answer."""

    answered: anyio.Event = field(default_factory=anyio.Event)
    answer: m.Reply | m.Error | None = None


class Link:
    """A link to one server; made by ``open_link``.

    Iterate over it in one task. Replies to ``post`` come in the iteration, in order: everything that a request
    caused is yielded before its reply. Replies to ``request`` are returned to its caller instead, as soon as
    they arrive, which may be before earlier items have been taken from the iteration.
    """

    def __init__(self, dial: Dial, hello: m.Hello, rng: random.Random, keeper: Keeper | None = None) -> None:
        self.is_leaving: Callable[[], bool] = lambda: True
        """Whether the player leaves for good when the link is closed; else the server holds the seat."""
        self.has_left = False
        """Whether the server was told so."""
        self._dial = dial
        self._hello = hello
        self._keeper = keeper
        self._ids_from = 0
        self._grace_seconds = 0.0
        self._lost_at: float | None = None
        self._backoff = Backoff(rng)
        self._send_item, self._items = anyio.create_memory_object_stream[LinkItem](ITEMS_BUFFERED)
        self._live: Live | None = None
        self._welcome: m.Welcome | None = None
        self._peer_fingerprint: str | None = None
        self._last_id = 0
        self._unanswered: dict[int, m.Request] = {}
        self._waiters: dict[int, _Waiter] = {}
        self._table: int | None = None
        self._seq: int | None = None
        self._faults = 0
        self._retry_now = anyio.Event()
        self._ended = False

    # ---------------------------------------------------------------- for callers

    @property
    def welcome(self) -> m.Welcome:
        """The server's latest welcome: its name, this player's name, the times of the heartbeat."""
        if self._welcome is None:
            raise RuntimeError("the link was not opened: use open_link")
        return self._welcome

    @property
    def peer_fingerprint(self) -> str | None:
        """The fingerprint of the certificate of whoever gave the latest welcome; ``None`` in plain."""
        return self._peer_fingerprint

    @property
    def is_connected(self) -> bool:
        """Whether a connection stands at this moment."""
        return self._live is not None

    def held_seconds(self) -> float | None:
        """How long the server holds the place at the table from now on without a connection, or is thought to
        hold it still; ``None`` when at no table.
        """
        if self._table is None:
            return None
        away = 0.0 if self._lost_at is None else anyio.current_time() - self._lost_at
        return max(0.0, self._grace_seconds - away)

    def post(self, request: m.Request) -> int:
        """Send a request and return the id it was given; its reply comes in the iteration.

        While the connection is lost it waits, and is sent once the session is resumed. Raises ``RuntimeError``
        when ``MOST_UNANSWERED`` requests wait already or the link has ended, ``ValueError`` for a request that
        no frame can hold.
        """
        if self._ended:
            raise RuntimeError("the link has ended")
        if len(self._unanswered) >= MOST_UNANSWERED:
            raise RuntimeError(f"{MOST_UNANSWERED} requests wait for an answer already")
        numbered = msgspec.structs.replace(request, id=self._last_id + 1)
        length = len(encode(numbered)) - HEADER_SIZE
        if length > MAX_CLIENT_FRAME:
            raise ValueError(f"the request has {length} bytes; a server takes {MAX_CLIENT_FRAME}")
        self._last_id += 1
        self._unanswered[self._last_id] = numbered
        if self._live is not None:
            self._live.queue(numbered)
        return self._last_id

    async def request(self, request: m.Request) -> m.Reply:
        """Send a request and wait for its reply. Raises ``RequestFailed`` with the server's error, or with one
        of code ``session_lost`` when the session was lost before the answer, and ``RuntimeError`` as ``post``.
        """
        number = self.post(request)
        waiter = self._waiters[number] = _Waiter()
        try:
            await waiter.answered.wait()
        finally:
            self._waiters.pop(number, None)
        if isinstance(waiter.answer, m.Reply):
            return waiter.answer
        assert waiter.answer is not None  # noqa: S101  (it is set before ``answered``)
        raise RequestFailed(waiter.answer)

    def retry_now(self) -> None:
        """Connect again at once instead of waiting, if the link is waiting."""
        self._retry_now.set()

    def __aiter__(self) -> AsyncIterator[LinkItem]:
        return self

    async def __anext__(self) -> LinkItem:
        try:
            return await self._items.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    # ---------------------------------------------------------------- life

    async def _open(self) -> None:
        """The first connection. Raises ``LinkFailed``."""
        try:
            outcome = await self._greet()
        except Untrusted as error:
            raise LinkFailed(error.code, str(error)) from None
        except TimeoutError:
            raise LinkFailed("no_answer", wording.no_answer()) from None
        except OSError as error:
            raise LinkFailed("no_connection", wording.no_connection(error)) from error
        if isinstance(outcome, m.Refused):
            raise LinkFailed(outcome.code, wording.refused(outcome))
        if isinstance(outcome, Ending):
            raise LinkFailed("no_welcome", wording.no_welcome(outcome.reason))
        await self._take_up(outcome)

    async def _greet(self) -> Live | m.Refused | Ending:
        """Resume a kept session, if the server has one of them; else begin a new one."""
        keeper = self._keeper
        while keeper is not None and keeper.has_any():
            outcome = await self._shake_hands(self._hello_to)
            if not isinstance(outcome, m.Refused):
                return outcome
            if outcome.code == ErrorCode.HELLO_EXPECTED:
                break  # a server that does not say which one it is: it is shown no token
            if outcome.code != ErrorCode.BAD_TOKEN:
                return outcome
            keeper.refused()
        self._ids_from = 0
        if self._hello.password is not None and isinstance(self._dial, Dialler) and not self._dial.uses_tls:
            # A password is not said in plain before it is known that the server does not ask for TLS.
            outcome = await self._shake_hands(lambda _server, _fingerprint: self._hello)
            if not _is_refused(outcome, ErrorCode.HELLO_EXPECTED):
                return outcome
            # A server from before there was anything to ask: it has no TLS either.
        return await self._shake_hands(self._hello)

    async def _shake_hands(self, greeting: Greeting) -> Live | m.Refused | Ending:
        """Connect and say hello, over TLS if the server asks for it."""
        outcome = await shake_hands(self._dial, greeting)
        if isinstance(self._dial, Dialler) and _is_refused(outcome, ErrorCode.TLS_REQUIRED):
            self._dial.demand_tls()
            outcome = await shake_hands(self._dial, greeting)
        return outcome

    def _hello_to(self, server: str, fingerprint: str | None) -> m.Hello:
        session = None if self._keeper is None else self._keeper.offer(server, fingerprint)
        if session is None:
            return self._hello
        self._ids_from = session.ids_from
        return msgspec.structs.replace(self._hello, resume=session.token)

    async def _run(self) -> None:
        """Keep the link until it is over for good, then say why as the last item."""
        with self._send_item:
            try:
                ended = await self._serve_and_reconnect()
                self._ended = True
                for error in self._fail_unanswered(ended.code, ended.message):
                    await self._send_item.send(error)
                await self._send_item.send(ended)
            finally:
                self._ended = True

    async def _serve_and_reconnect(self) -> LinkEnded:
        while True:
            live = self._live
            assert live is not None  # noqa: S101  (set by _open and _reconnect)
            started = anyio.current_time()
            try:
                ending = await live.serve(self._take_in, self._is_leaving)
            finally:
                self.has_left = live.has_said_goodbye
            self._live = None
            self._lost_at = anyio.current_time()
            lived = anyio.current_time() - started
            self._backoff.connection_ended(lived)
            final = self._final_end(ending, lived)
            if final is not None:
                return final
            at_least = 0.0
            if ending.goodbye is not None and ending.goodbye.retry_seconds is not None:
                at_least = float(min(max(ending.goodbye.retry_seconds, 0), 300))
            ended = await self._reconnect(ending.reason, at_least)
            if ended is not None:
                return ended

    def _final_end(self, ending: Ending, lived: float) -> LinkEnded | None:
        goodbye = ending.goodbye
        if goodbye is not None and (goodbye.code == ErrorCode.SUPERSEDED or not goodbye.resumable):
            if self._keeper is not None:
                self._keeper.forget()
            return LinkEnded(goodbye.code, wording.goodbye(goodbye))
        self._faults = self._faults + 1 if ending.is_fault else 0
        if self._faults >= MOST_FAULTS:
            return LinkEnded(GIVEN_UP, wording.given_up(ending.reason))
        return None

    async def _reconnect(self, reason: str, at_least: float) -> LinkEnded | None:
        """Try until there is a connection again, or the server says that there will be none."""
        token: str | None = self.welcome.token
        while True:
            wait = self._backoff.next_wait(at_least, self.held_seconds())
            await self._send_item.send(LinkLost(self._backoff.attempts, wait, self.held_seconds(), reason))
            self._retry_now = anyio.Event()
            with anyio.move_on_after(wait):
                await self._retry_now.wait()
            # A refused token leads straight to a new session, under the same attempt.
            outcome = await self._try_again(token)
            if _is_refused(outcome, ErrorCode.BAD_TOKEN) or _is_refused(outcome, ErrorCode.HELLO_EXPECTED):
                token = None
                outcome = await self._try_again(token)
            if isinstance(outcome, Live):
                await self._take_up(outcome)
                return None
            if isinstance(outcome, LinkEnded):
                return outcome
            if isinstance(outcome, m.Refused):
                if not _may_change(outcome.code):
                    return LinkEnded(outcome.code, wording.refused(outcome))
                reason = wording.refused(outcome)
                continue
            reason = outcome.reason
            self._faults = self._faults + 1 if outcome.is_fault else self._faults
            if self._faults >= MOST_FAULTS:
                return LinkEnded(GIVEN_UP, wording.given_up(reason))

    async def _try_again(self, token: str | None) -> Live | m.Refused | Ending | LinkEnded:
        """An attempt to resume with the token, or without one to begin anew."""
        hello = msgspec.structs.replace(self._hello, name=self.welcome.name)

        def hello_to(server: str, fingerprint: str | None) -> m.Hello:
            """Another server, and one that is no longer behind TLS, is shown no token."""
            before = self.welcome.server, self._peer_fingerprint is not None
            if before[0] != server or (before[1] and fingerprint is None):
                return hello
            return msgspec.structs.replace(hello, resume=token, seq=self._seq)

        try:
            return await self._shake_hands(hello if token is None else hello_to)
        except Untrusted as error:
            if error.code == "certificate_changed":
                # To go on is for the player to decide, who has to know both fingerprints.
                return LinkEnded(error.code, str(error))
            # Nothing was said to whoever is there; the server itself may be back the next time.
            return Ending(error.brief)
        except TimeoutError:
            return Ending(wording.no_answer())
        except OSError as error:
            return Ending(wording.no_connection(error))

    def _is_leaving(self) -> bool:
        return self.is_leaving()  # as it is then, not as it was when the connection began

    async def _take_up(self, live: Live) -> None:
        before, self._welcome = self._welcome, live.welcome
        is_first = before is None
        self._peer_fingerprint = live.peer_fingerprint
        try:
            if live.welcome.table is None or live.welcome.table != self._table:
                self._table, self._seq = live.welcome.table, None
            self._grace_seconds = float(max(0, live.welcome.grace_seconds))
            if is_first:
                self._last_id = self._ids_from
            if self._keeper is not None:
                ids_from = min(self._ids_from + IDS_OF_A_PROCESS, m.MAX_ID)
                await self._keeper.keep(live.welcome, self._hello.name, ids_from, live.peer_fingerprint)
            self._live, self._lost_at = live, None
            if before is not None:
                is_other = before.server != live.welcome.server
                await self._send_item.send(LinkBack(live.welcome.resumed, live.welcome, is_other))
                await self._repeat_unanswered(live)
        except BaseException:
            self._live = None
            await live.close()
            raise

    async def _repeat_unanswered(self, live: Live) -> None:
        if not live.welcome.resumed:
            for error in self._fail_unanswered(SESSION_LOST, wording.session_lost()):
                await self._send_item.send(error)
            return
        for request in self._unanswered.values():
            live.queue(request)

    def _fail_unanswered(self, code: str, message: str) -> list[m.Error]:
        """Give every request that waits this error; those of ``post`` are returned, to be yielded."""
        errors = [m.Error(id=number, code=code, message=message) for number in self._unanswered]
        return [error for error in errors if not self._settle(error)]

    async def _take_in(self, message: m.Message) -> None:
        """Take one message of the server: note what the link itself must know, then hand it on."""
        if isinstance(message, m.Snapshot):
            self._table, self._seq = message.table, message.seq
            self._grace_seconds = float(max(0, message.grace_seconds))
        elif isinstance(message, m.TableEvent):
            if message.table == self._table and self._seq is not None and message.seq == self._seq + 1:
                self._seq = message.seq
            if isinstance(message, m.TableClosed):
                self._table = self._seq = None
        elif isinstance(message, m.Reply | m.Error) and self._settle(message):
            return
        await self._send_item.send(message)

    def _settle(self, answer: m.Reply | m.Error) -> bool:
        """Whether the answer was for a caller of ``request``, who now has it."""
        if answer.id is None:
            return False
        asked = self._unanswered.pop(answer.id, None)
        if isinstance(asked, m.Leave) and isinstance(answer, m.Done):
            self._table = self._seq = None
        waiter = self._waiters.get(answer.id)
        if waiter is None:
            return False
        waiter.answer = answer
        waiter.answered.set()
        return True


def _is_refused(outcome: object, code: ErrorCode) -> bool:
    return isinstance(outcome, m.Refused) and outcome.code == code


def _may_change(code: str) -> bool:
    """Whether a refusal with this code may be granted later."""
    try:
        return CODES[ErrorCode(code)].retry is Retry.LATER
    except ValueError:
        return False


@asynccontextmanager
async def open_link(
    to: Address | Dial,
    *,
    name: str,
    client: str = "tarneeb-python",
    password: str | None = None,
    security: Security | None = None,
    rng: random.Random | None = None,
    keeper: Keeper | None = None,
) -> AsyncIterator[Link]:
    """Connect to a server and keep the link for the length of the block; at its end say goodbye, unless
    ``link.is_leaving`` was given a function that then says no.

    ``to`` is an address, or a function that makes a connection. ``security`` says how to connect to an
    address; a function does as it likes. ``name`` is the player's; the server may change it
    (``link.welcome.name``). ``rng`` spreads the attempts to reconnect and can be fixed for tests. ``keeper``
    has sessions that earlier processes left behind, and gets this one's. Raises ``LinkFailed`` when there is
    no server, or it refuses, or cannot be trusted. An exception of the block comes out as it is, not in a
    group.
    """
    hello = m.Hello(
        protocol_min=m.PROTOCOL_VERSION,
        protocol_max=m.PROTOCOL_VERSION,
        client=client,
        name=name,
        password=password,
    )
    try:
        dial = Dialler(to, security or Security()) if isinstance(to, Address) else to
    except Untrusted as error:
        raise LinkFailed(error.code, str(error)) from None
    link = Link(dial, hello, rng if rng is not None else random.SystemRandom(), keeper)
    try:
        await link._open()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(link._run)
            try:
                yield link
            finally:
                # The task says goodbye when it is cancelled.
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise
    finally:
        if keeper is not None and link.has_left:
            keeper.forget()
        link._send_item.close()
        link._items.close()
