"""What TLS costs the server, beside the same without it in the same run.

    .venv/bin/python bench/tls.py [--actions N] [--connections N]

Two servers play in turns with the same clients: four players at each of eight tables, who answer every prompt
at once. Printed are the server's own processor time for an action (one action goes to four clients) and for a
connection, from its first byte to its welcome; its memory for each connection that is open and idle; and how
many actions a second came of it, where the clients are the slower part.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack
import trio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

TABLES = 8
TURNS = 3
"""Times that each server has its turn; the best is printed."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Server:
    """A server as a process."""

    name: str
    pid: int
    port: int
    context: ssl.SSLContext | None

    def cpu_seconds(self) -> float:
        """Its processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_kib(self) -> int:
        """Its resident memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


@dataclass
class Client:
    """The least that plays: it answers each prompt by the first action offered."""

    stream: trio.abc.Stream
    buffer: bytearray = field(default_factory=bytearray)
    last_id: int = 0

    async def send(self, **fields: Any) -> None:
        """Send a message."""
        payload = msgpack.packb(fields)
        await self.stream.send_all(len(payload).to_bytes(4, "big") + payload)

    async def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request; its reply."""
        self.last_id += 1
        await self.send(type=kind, id=self.last_id, **fields)
        while True:
            message = await self.receive()
            if message.get("id") == self.last_id:
                return message

    async def receive(self) -> dict[str, Any]:
        """The next message."""
        while True:
            size = 4 + int.from_bytes(self.buffer[:4], "big")
            if len(self.buffer) >= max(size, 5):
                message: dict[str, Any] = msgpack.unpackb(self.buffer[4:size])
                del self.buffer[:size]
                return message
            chunk = await self.stream.receive_some(65536)
            if not chunk:
                raise ConnectionError("the server closed the connection")
            self.buffer += chunk


@contextlib.contextmanager
def server(name: str, *arguments: str, context: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server for the length of a block."""
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder, "ready.json")
        command = [sys.executable, "-m", "tarneeb_server", "--host", "127.0.0.1", "--port", "0"]
        command += ["--ready-file", str(ready), "--log-level", "error", "--max-connections", "5000", *arguments]
        process = subprocess.Popen(  # noqa: S603  (our own interpreter, our own arguments)
            command, stdout=subprocess.DEVNULL, env={**os.environ, "XDG_STATE_HOME": folder}
        )
        try:
            while not ready.exists():
                time.sleep(0.02)
            yield Server(name, process.pid, int(json.loads(ready.read_text())["port"]), context)
        finally:
            process.terminate()
            process.wait()


async def connect(to: Server, name: str) -> Client:
    """A connection with its welcome."""
    stream = await trio.open_tcp_stream("127.0.0.1", to.port)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client = Client(stream)
    if to.context is not None:
        client.stream = trio.SSLStream(stream, to.context, https_compatible=True)
    await client.send(type="hello", protocol_min=1, protocol_max=1, client="bench", name=name)
    await client.receive()
    return client


@contextlib.asynccontextmanager
async def players(at: Server, turn: int) -> AsyncIterator[list[Client]]:
    """Four players at each table."""
    clients = []
    try:
        for table in range(TABLES):
            four = [await connect(at, f"T{turn} {table} {seat}") for seat in range(4)]
            clients += four
            number = (await four[0].request("open_table", name="Bench", turn_seconds=0))["table"]
            for seat, client in enumerate(four):
                await client.request("join", table=number, seat=seat)
        yield clients
    finally:
        for client in clients:
            await trio.aclose_forcefully(client.stream)


async def play(at: Server, turn: int, actions: int) -> tuple[float, float]:
    """The server's microseconds of an action, and actions a second."""
    done = 0

    async def answer(client: Client, enough: trio.CancelScope) -> None:
        nonlocal done
        while True:
            message = await client.receive()
            if message["type"] == "prompt":
                client.last_id += 1
                await client.send(type="act", id=client.last_id, action=message["actions"][0])
            elif message["type"] == "done":
                done += 1
                if done >= actions:
                    enough.cancel()

    async with players(at, turn) as clients, trio.open_nursery() as nursery:
        cpu, began = at.cpu_seconds(), time.perf_counter()
        for client in clients:
            client.last_id = 100
            # The prompt of the first turn came before this: ask for it again.
            await client.send(type="sync", id=99)
            nursery.start_soon(answer, client, nursery.cancel_scope)
    return 1e6 * (at.cpu_seconds() - cpu) / done, done / (time.perf_counter() - began)


async def crowd(at: Server, count: int) -> tuple[float, float]:
    """The server's milliseconds of a connection, and its KiB for each that is open."""
    memory, cpu = at.memory_kib(), at.cpu_seconds()
    clients = [await connect(at, f"C{number}") for number in range(count)]
    spent = 1e3 * (at.cpu_seconds() - cpu) / count
    grown = (at.memory_kib() - memory) / count
    for client in clients:
        await trio.aclose_forcefully(client.stream)
    return spent, grown


async def measure(servers: list[Server], actions: int, connections: int) -> None:
    """Let each server have its turns, and print what was found."""
    found: dict[str, list[tuple[float, float, float, float]]] = {each.name: [] for each in servers}
    for turn in range(TURNS):
        for each in servers:
            per_action, a_second = await play(each, turn, actions)
            per_connection, kib = await crowd(each, connections) if turn == 0 else (float("nan"), float("nan"))
            found[each.name].append((per_action, a_second, per_connection, kib))
    best = {
        name: (min(r[0] for r in runs), max(r[1] for r in runs), runs[0][2], runs[0][3])
        for name, runs in found.items()
    }
    print(f"{'':10} {'µs an action':>14} {'actions/s':>10} {'ms a connection':>16} {'KiB idle':>9}")
    for name, (per_action, a_second, per_connection, kib) in best.items():
        print(f"{name:10} {per_action:14.0f} {a_second:10.0f} {per_connection:16.2f} {kib:9.1f}")
    plain, tls = best["plain"], best["TLS 1.3"]
    print(f"TLS to plain: {tls[0] / plain[0]:.2f} of the processor time of an action")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="What TLS costs the server.")
    parser.add_argument("--actions", type=int, default=6000, metavar="N", help="actions a turn (default: 6000)")
    parser.add_argument("--connections", type=int, default=300, metavar="N", help="idle ones (default: 300)")
    chosen = parser.parse_args()
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with server("plain") as plain, server("TLS 1.3", "--tls", "self-made", context=context) as tls:
        trio.run(measure, [plain, tls], chosen.actions, chosen.connections)


if __name__ == "__main__":
    main()
