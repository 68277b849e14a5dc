"""Where a client under test is met: its process, its connections, and a server that answers it."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import ByteStream, SocketAttribute, SocketStream, TaskGroup
from anyio.streams.stapled import MultiListener

from tarneeb_client.conformance.outcome import Failed, NotTested
from tarneeb_client.conformance.scripted.deals import TABLE, TABLE_NAME, ScriptedTable
from tarneeb_client.conformance.shapes import FROM_CLIENT, REQUESTS, Fields, fault_of
from tarneeb_client.conformance.wire import MAX_CLIENT_PAYLOAD, Received, Wire, frame

LOOPBACK = "127.0.0.1"
MAX_CLIENT_ITEMS = 64
SEED = 7
NAMES: Fields = {"server": "conformance", "server_name": "Conformance"}
TIMES: Fields = {"ping_seconds": 15, "dead_seconds": 45, "grace_seconds": 120}
WELCOME: Fields = {"type": "welcome", "protocol": 1, **NAMES, **TIMES}
ABOUT: Fields = {
    "type": "about",
    "protocol_min": 1,
    "protocol_max": 1,
    "software": "tarneeb conformance",
    **NAMES,
    **TIMES,
    "presets": [],
    "turn_seconds": 0,
    "hello_seconds": 10,
    "limits": {
        "client_frame": MAX_CLIENT_PAYLOAD,
        "server_frame": 65536,
        "name_chars": 24,
        "chat_chars": 300,
        "connections": 64,
        "tables": 1,
        "tables_per_session": 1,
        "spectators": 64,
        "kept_replies": 64,
        "kept_events": 512,
        "waiting_bytes": 262144,
    },
}


@dataclass(frozen=True, slots=True)
class Program:
    """The client's command line, with ``{address}``, ``{host}`` and ``{port}`` in it, and what is typed."""

    command: tuple[str, ...]
    typed: bytes = b""

    def arguments(self, port: int) -> list[str]:
        """The command line for a server on this port."""
        places = {"{address}": f"{LOOPBACK}:{port}", "{host}": LOOPBACK, "{port}": str(port)}
        arguments = []
        for argument in self.command:
            for place, value in places.items():
                argument = argument.replace(place, value)  # noqa: PLW2901  (each place in turn)
            arguments.append(argument)
        return arguments


class Guest(Wire):
    """The server's end of a connection of the client. ``hello`` is what it said."""

    def __init__(self, stream: ByteStream) -> None:
        super().__init__(stream, max_payload=MAX_CLIENT_PAYLOAD, max_items=MAX_CLIENT_ITEMS)
        self.hello: Fields = {}
        self.token = ""

    def _form_fault(self, fields: Fields) -> str | None:
        fault = fault_of(fields, FROM_CLIENT)
        return None if fault is None else f"the client sent {fault}"

    async def hear(self, seconds: float, *, with_pings: bool = False) -> Received | None:
        """The next message, ``None`` at the end of the connection. Raises ``TimeoutError``."""
        with anyio.fail_after(seconds):
            return await self.next(with_pings=with_pings)

    async def ends(self, seconds: float, what: str) -> None:
        """Wait for the client's goodbye or the end of the connection. Raises ``Failed``."""
        try:
            with anyio.fail_after(seconds):
                while (message := await self.next()) is not None and message.type != "goodbye":
                    pass
        except TimeoutError:
            raise Failed(f"after {what} the client left the connection open for {seconds:g} s") from None

    async def answers_ping(self, seconds: float, after: str) -> bool:
        """Whether a ping is answered; ``False`` when the client has said goodbye or closed instead."""
        nonce = 4711
        await self.send(type="ping", nonce=nonce)
        try:
            with anyio.fail_after(seconds):
                while (message := await self.next(with_pings=True)) is not None:
                    if message.type == "goodbye":
                        return False
                    if message.type == "pong" and message.fields.get("nonce", 0) == nonce:
                        return True
        except TimeoutError:
            raise Failed(f"{after}, a ping was not answered in {seconds:g} s") from None
        return False


class Stage:
    """One scenario: a listening socket, the client's process if the kit starts it, and its connections."""

    def __init__(
        self,
        listener: MultiListener[SocketStream],
        program: Program | None,
        tasks: TaskGroup,
        patience: float,
    ) -> None:
        self.patience = patience
        self.table: ScriptedTable | None = None
        self.last_id = -1
        self._listener = listener
        self._program = program
        self._tasks = tasks
        self._process: subprocess.Popen[bytes] | None = None
        self._output: Path | None = None
        self._send, self._guests = anyio.create_memory_object_stream[Guest](64)
        self._tokens = 0
        self._asked: dict[int, Fields] = {}
        self._answers: dict[int, list[Fields]] = {}

    # ---------------------------------------------------------------- the client's process

    async def begin(self, folder: str) -> None:
        """Listen, and start the client if it is the kit's to start."""
        self._tasks.start_soon(self._listener.serve, self._take)
        self._folder = folder
        self.start()

    def start(self) -> None:
        """Start the client, anew if it ran before. Does nothing for a client that is started by hand."""
        self.stop()
        if self._program is None:
            return
        descriptor, name = tempfile.mkstemp(dir=self._folder)
        # What a client keeps from one start to the next is not to be found by the next scenario's.
        state = tempfile.mkdtemp(dir=self._folder)
        self._output = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as output:
                self._process = subprocess.Popen(  # noqa: S603  (the command that the user gave)
                    self._program.arguments(self.port),
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env={**os.environ, "XDG_STATE_HOME": state},
                )
        except OSError as error:
            raise NotTested(f"the client could not be started: {error}") from None
        assert self._process.stdin is not None  # noqa: S101  (it was asked for)
        with suppress(BrokenPipeError):
            self._process.stdin.write(self._program.typed)
            self._process.stdin.flush()

    def stop(self) -> None:
        """End the client's process and all that it started."""
        process = self._process
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.close()
        self._process = None

    def close(self) -> None:
        """The scenario is over: no process and no waiting connection is left."""
        self.stop()
        self._send.close()
        self._guests.close()

    @property
    def has_ended(self) -> bool:
        """Whether the client's process, if the kit started it, has ended."""
        return self._process is not None and self._process.poll() is not None

    async def ended(self, seconds: float) -> None:
        """Wait until the client's process has ended, but not longer than this."""
        process = self._process
        if process is not None:
            with anyio.move_on_after(seconds):
                await anyio.to_thread.run_sync(process.wait, abandon_on_cancel=True)

    def output(self) -> bytes | None:
        """What the client has written so far; ``None`` when the kit did not start it."""
        return None if self._output is None else self._output.read_bytes()

    # ---------------------------------------------------------------- connections

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self._listener.extra(SocketAttribute.local_port)  # noqa: S610  (no database is near)
        return port

    async def _take(self, stream: ByteStream) -> None:
        guest = Guest(stream)
        try:
            await self._send.send(guest)
            await guest.read()
        finally:
            with anyio.CancelScope(shield=True):
                await guest.close()

    async def guest(self, within: float | None = None) -> Guest:
        """The client's next connection. Raises ``NotTested`` when none comes."""
        seconds = self.patience if within is None else within
        try:
            with anyio.fail_after(seconds):
                while True:
                    with anyio.move_on_after(0.1):
                        return await self._guests.receive()
                    if self.has_ended:
                        raise NotTested(f"the client ended without connecting{self._last_line()}")
        except TimeoutError:
            raise NotTested(f"the client did not connect in {seconds:g} s") from None

    def _last_line(self) -> str:
        lines = (self.output() or b"").decode("utf-8", "replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""

    async def nobody_comes(self, seconds: float, after: str, *, is_fine: str = "") -> None:
        """No connection may come for so long, or ever if the client has ended. Raises ``Failed``.

        A connection that says hello without a token may come where ``is_fine`` says why.
        """
        with anyio.move_on_after(seconds):
            while not self.has_ended:
                with anyio.move_on_after(0.1):
                    guest = await self._guests.receive()
                    hello = await self.hear_hello(guest)
                    if hello.get("resume") is None and is_fine:
                        return
                    raise Failed(f"after {after} the client came back by itself, with {_without_token(hello)}")

    async def hear_hello(self, guest: Guest) -> Fields:
        """The client's hello. Raises ``Failed`` when something else comes first."""
        try:
            while (message := await guest.hear(self.patience, with_pings=True)) is not None:
                if message.type == "hello":
                    guest.hello = message.fields
                    return guest.hello
                if message.type != "describe":
                    raise Failed(f"the first message was {message.type}, not hello")
                await guest.send(**ABOUT)
        except TimeoutError:
            raise Failed(f"the client connected and said no hello in {self.patience:g} s") from None
        raise Failed("the client connected and closed without a hello")

    async def welcomed(self, guest: Guest | None = None, **changes: object) -> Guest:
        """The client's next connection, after hello and welcome."""
        guest = guest or await self.guest()
        hello = await self.hear_hello(guest)
        self._tokens += 1
        guest.token = base64.urlsafe_b64encode(bytes([self._tokens] * 32)).decode("ascii").rstrip("=")
        resumed = hello.get("resume") is not None
        welcome = WELCOME | {"name": hello["name"], "token": guest.token, "resumed": resumed}
        if resumed and self.table is not None:
            welcome["table"] = TABLE
        await guest.send(**(welcome | changes))
        if resumed and self.table is not None and "table" not in changes:
            await self.catch_up(guest, hello.get("seq"))
        return guest

    # ---------------------------------------------------------------- a server that answers

    async def request(self, guest: Guest, within: float | None = None) -> Fields | None:
        """The next request, ``None`` when none comes in time or the connection ends. Checks its id."""
        try:
            while (message := await guest.hear(self.patience if within is None else within)) is not None:
                if message.type in REQUESTS:
                    number = message.fields["id"]
                    if number <= self.last_id and number not in self._asked:
                        raise Failed(f"the id {number} came after {self.last_id}: ids must grow")
                    before = self._asked.setdefault(number, message.fields)
                    if message.fields != before:
                        raise Failed(f"the id {number} was used for {before} and for {message.fields}")
                    self.last_id = max(self.last_id, number)
                    return message.fields
                if message.type in {"hello", "describe"}:
                    raise Failed(f"{message.type} came after the welcome")
                if message.type == "goodbye":
                    return None
        except TimeoutError:
            return None
        return None

    async def serve(self, guest: Guest, *, acts: int = 0, within: float | None = None) -> int:
        """Answer requests until so many acts were done, or none come any more; how many acts were done."""
        done = 0
        while (request := await self.request(guest, within)) is not None:
            await self.answer(guest, request)
            done += request["type"] == "act"
            if acts and done >= acts:
                break
        return done

    async def answer(self, guest: Guest, request: Fields) -> None:
        """Answer one request as a server with one table does."""
        number = request["id"]
        if number not in self._answers:
            self._answers[number] = self._reply(guest, request)
        await guest.send_bytes(b"".join(frame(**message) for message in self._answers[number]))

    def _reply(self, guest: Guest, request: Fields) -> list[Fields]:
        number, kind = request["id"], request["type"]
        done: Fields = {"type": "done", "id": number}
        if kind == "list_tables":
            return [{"type": "tables", "id": number, "tables": [_summary()]}]
        if kind == "open_table":
            return [{"type": "opened", "id": number, "table": TABLE}]
        if kind == "join" and self.table is None:
            self.table = ScriptedTable(request.get("seat") or 0, guest.hello["name"], SEED)
            told = [self.table.snapshot()]
            self.table.start()
            joined = {"type": "joined", "id": number, "table": TABLE, "seat": self.table.seat}
            return [*told, *self.table.events[1:], *self._prompt(), joined]
        if self.table is None:
            return [_error(number, "not_at_table")]
        if kind == "act":
            return self._act(request)
        if kind == "sync":
            seq = request.get("seq")
            missed = [self.table.snapshot()] if seq is None else self.table.events[seq:]
            return [*missed, *self._prompt(), done | {"seq": self.table.seq}]
        if kind == "leave":
            self.table = None
            return [done]
        return [_error(number, "already_at_table" if kind in {"join", "watch"} else "table_full")]

    def _act(self, request: Fields) -> list[Fields]:
        table = self.table
        assert table is not None  # noqa: S101  (the caller has looked)
        action = {name: value for name, value in request["action"].items() if value is not None}
        seq = request.get("seq")
        if seq is not None and seq < table.began:
            return [_error(request["id"], "stale") | {"seq": table.seq}]
        if table.turn != table.seat:
            raise Failed(f"the client did {action} when it was not prompted")
        if action not in table.legal():
            raise Failed(f"the client did {action}; its prompt offered {table.legal()}")
        if seq is not None and seq > table.seq:
            raise Failed(f"act.seq was {seq}; the last event was {table.seq}")
        before = table.seq
        table.act(action)
        return [
            *table.events[before:],
            *self._prompt(),
            {"type": "done", "id": request["id"], "seq": table.seq},
        ]

    def _prompt(self) -> list[Fields]:
        prompt = None if self.table is None else self.table.prompt()
        return [] if prompt is None else [prompt]

    async def catch_up(self, guest: Guest, seq: int | None) -> None:
        """What follows a welcome with ``resumed`` and ``table``."""
        if self.table is None:
            return
        missed = [self.table.snapshot()] if seq is None else self.table.events[seq:]
        await guest.send_bytes(b"".join(frame(**message) for message in (*missed, *self._prompt())))


VERSIONS: Fields = {"protocol_min": 1, "protocol_max": 1}


def _without_token(hello: Fields) -> str:
    return "its token" if hello.get("resume") is not None else "a new hello"


def _error(number: int, code: str) -> Fields:
    return {"type": "error", "id": number, "code": code, "message": f"conformance: {code}"}


def _summary() -> Fields:
    seats = [None, *({"name": name, "ready": True} for name in ("Badr", "Dana", "Fares"))]
    return {
        "table": TABLE,
        "name": TABLE_NAME,
        "state": "waiting",
        "rules": {},
        "turn_seconds": 0,
        "seats": seats,
    }
