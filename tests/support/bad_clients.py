"""Clients with one fault each, for the kit to catch: ``python -m support.bad_clients FAULT HOST PORT``.

Without a fault (``none``) it is a small client that plays: it knows no rules, resumes, keeps to the protocol.
"""

from __future__ import annotations

import select
import socket
import sys
import time
from typing import Any

import msgpack

Fields = dict[str, Any]

FAULTS = {
    "none": "",
    "no_hello_first": "the first message is a hello",
    "no_pong": "pings come in pieces and in bunches",
    "wrong_nonce": "pings come in pieces and in bunches",
    "first_frame_only": "pings come in pieces and in bunches",
    "dies_of_unknown_types": "later versions are stood",
    "ids_do_not_grow": "a deal is played with actions of the prompts",
    "keeps_first_token": "a lost link is resumed with the last token",
    "resumes_superseded": "superseded is not resumed",
    "ignores_retry_seconds": "the servers wish to wait is followed",
    "insists_on_token": "a refused token is given up",
    "insists_on_version": "a refusal that nothing helps is final",
    "forgets_requests": "what had no answer is sent again",
    "never_pings": "a client that has nothing to say pings",
    "waits_for_the_dead": "a silent server is taken for dead",
    "plays_any_card": "a deal is played with actions of the prompts",
    "folds_gaps": "a gap is asked for",
    "bears_empty_frames": "an empty frame ends the connection for a client",
    "bears_double_keys": "a bad key or type ends it",
    "prints_as_it_comes": "hostile text does not reach the terminal",
}
"""Each fault, and the scenario that must catch it."""

TICK_SECONDS = 0.05


class Lost(Exception):
    """The connection has ended; ``wait`` is how long to stay away, ``None`` for ever."""

    def __init__(self, wait: float | None = 0.0) -> None:
        super().__init__()
        self.wait = wait


class BadClient:
    def __init__(self, fault: str, host: str, port: int) -> None:
        self.fault = fault
        self.address = (host, port)
        self.token: str | None = None
        self.seq: int | None = None
        self.last_id = 0
        self.waiting: dict[int, Fields] = {}
        self.hand_seen: list[str] = []

    def run(self) -> None:
        while True:
            try:
                with socket.create_connection(self.address) as self.stream:
                    self.buffer = b""
                    self.sent_at = self.heard_at = time.monotonic()
                    self.ping_seconds, self.dead_seconds = 15, 45
                    self.greet()
                    while True:
                        self.take(self.receive())
            except Lost as lost:
                if lost.wait is None:
                    return
                time.sleep(lost.wait)
            except OSError:
                time.sleep(0.05)

    # ---------------------------------------------------------------- wire

    def send(self, **fields: object) -> None:
        payload = msgpack.packb(fields)
        self.stream.sendall(len(payload).to_bytes(4, "big") + payload)
        self.sent_at = time.monotonic()

    def request(self, **fields: object) -> None:
        if self.fault != "ids_do_not_grow" or self.last_id < 3:
            self.last_id += 1
        self.waiting[self.last_id] = {**fields, "id": self.last_id}
        self.send(**self.waiting[self.last_id])

    def receive(self) -> Fields:
        while True:
            length = int.from_bytes(self.buffer[:4], "big")
            if len(self.buffer) >= 4 and not 0 < length <= 65536:
                if self.fault != "bears_empty_frames":
                    raise Lost(None)
                self.buffer = self.buffer[4:]
            elif len(self.buffer) >= 4 + length > 4:
                payload, self.buffer = self.buffer[4 : 4 + length], self.buffer[4 + length :]
                if self.fault == "first_frame_only":
                    self.buffer = b""
                return self.unpack(payload)
            else:
                self.fill()

    def unpack(self, payload: bytes) -> Fields:
        def pairs(items: list[tuple[str, object]]) -> Fields:
            if len(dict(items)) < len(items) and self.fault != "bears_double_keys":
                raise Lost(None)
            return dict(items)

        try:
            message: Fields = msgpack.unpackb(payload, object_pairs_hook=pairs, ext_hook=_no_extension)
        except (ValueError, RecursionError, msgpack.UnpackException):
            raise Lost(None) from None
        if not isinstance(message, dict):
            raise Lost(None)
        return message

    def fill(self) -> None:
        """Wait for bytes; ping when silent, give up when nothing was heard."""
        while not select.select([self.stream], [], [], TICK_SECONDS)[0]:
            now = time.monotonic()
            if now - self.heard_at > self.dead_seconds and self.fault != "waits_for_the_dead":
                raise Lost(0.5)
            if now - self.sent_at > self.ping_seconds and self.fault != "never_pings":
                self.send(type="ping", nonce=1)
        chunk = self.stream.recv(65536)
        if not chunk:
            raise Lost(0.1)
        self.heard_at = time.monotonic()
        self.buffer += chunk

    # ---------------------------------------------------------------- protocol

    def greet(self) -> None:
        if self.fault == "no_hello_first":
            self.send(type="ping")
        hello: Fields = {"type": "hello", "protocol_min": 1, "protocol_max": 1, "client": "bad", "name": "Bad"}
        if self.token is not None:
            hello |= {"resume": self.token, "seq": self.seq}
        self.send(**hello)
        answer = self.receive()
        if answer["type"] == "refused":
            if answer["code"] == "bad_token" and self.fault != "insists_on_token":
                self.token = self.seq = None
                self.waiting.clear()
            elif answer["code"] != "bad_token" and self.fault != "insists_on_version":
                raise Lost(None)
            raise Lost(0.1)
        if self.token is None or self.fault != "keeps_first_token":
            self.token = answer["token"]
        self.ping_seconds, self.dead_seconds = answer["ping_seconds"], answer["dead_seconds"]
        if answer.get("resumed"):
            for request in [] if self.fault == "forgets_requests" else list(self.waiting.values()):
                self.send(**request)
        else:
            self.request(type="list_tables")

    def take(self, message: Fields) -> None:
        kind, number = message.get("type"), message.get("id")
        if type(number) is int:
            self.waiting.pop(number, None)
        if kind == "ping":
            if self.fault != "no_pong":
                nonce = message.get("nonce", 0)
                self.send(type="pong", nonce=nonce + 1 if self.fault == "wrong_nonce" else nonce)
        elif kind == "goodbye":
            self.take_goodbye(message)
        elif kind == "tables":
            self.request(type="join", table=message["tables"][0]["table"])
        elif kind == "snapshot" and type(message.get("seq")) is int:
            self.seq = message["seq"]
        elif kind == "prompt" and self.seq is not None:
            self.act(message)
        elif kind == "a_later_message" and self.fault == "dies_of_unknown_types":
            raise Lost(None)
        elif self.seq is not None and type(message.get("seq")) is int and kind not in {"done", "error"}:
            self.take_event(message)

    def take_goodbye(self, goodbye: Fields) -> None:
        if goodbye["code"] == "superseded" and self.fault == "resumes_superseded":
            raise Lost(0.1)
        if not goodbye.get("resumable"):
            raise Lost(None)
        raise Lost(0.1 if self.fault == "ignores_retry_seconds" else goodbye.get("retry_seconds", 0.1))

    def take_event(self, event: Fields) -> None:
        assert self.seq is not None
        if event["seq"] > self.seq + 1 and self.fault != "folds_gaps":
            self.request(type="sync", seq=self.seq)
        elif event["seq"] > self.seq:
            self.seq = event["seq"]
            if event["type"] == "hands_dealt":
                self.hand_seen = event["hand"]
            elif event["type"] == "said":
                text = event["text"]
                shown = text if self.fault == "prints_as_it_comes" else ascii(text)
                sys.stdout.write(f"said {shown}\n")
                sys.stdout.flush()

    def act(self, prompt: Fields) -> None:
        action = prompt["actions"][0]
        if self.fault == "plays_any_card" and action["type"] == "play":
            action = {"type": "play", "card": self.hand_seen[-1]}
        self.request(type="act", action=action, seq=prompt["seq"])


def _no_extension(code: int, payload: bytes) -> object:
    raise ValueError(f"an extension, {code}, of {len(payload)} bytes")


if __name__ == "__main__":
    BadClient(sys.argv[1], sys.argv[2], int(sys.argv[3])).run()
