"""Play one set of Tarneeb over the wire; everything here follows from docs/protocol.md."""

import argparse
import contextlib
import secrets
import socket
import time
from typing import Any

import msgpack


class _Player:
    """One session on a server. Text from the wire is printed as !r: no terminal obeys that."""

    last_id, token, wait = 0, None, 0

    def play(self, server: tuple[str, str], name: str, *, bots: bool) -> None:  # an OSError: the link was lost
        self.bots, self.stream = bots, socket.create_connection(server, 20)
        with self.stream, self.stream.makefile("rb") as self.reader:
            self._send("hello", protocol_min=1, protocol_max=1, client="minimal", name=name, resume=self.token)
            while self._answer(m := self._receive()):
                if m["type"] == "ping":
                    self._send("pong", nonce=m.get("nonce", 0))
                elif time.monotonic() > self.sent_at + 1:  # at a busy table no ping comes, but one is expected
                    self._send("ping")
            self._send("goodbye", code="left")
            with contextlib.suppress(OSError):  # closing with bytes unread could destroy the goodbye
                self.stream.shutdown(socket.SHUT_WR)
                self.reader.read(1_000_000)

    def _send(self, kind: str, **fields: Any) -> None:
        if kind not in {"hello", "ping", "pong", "goodbye"}:  # then it is a request
            fields["id"] = self.last_id = self.last_id + 1
        payload = msgpack.packb({"type": kind, **fields})
        self.stream.sendall(len(payload).to_bytes(4, "big") + payload)
        self.sent_at = time.monotonic()

    def _receive(self) -> dict[str, Any]:
        length = int.from_bytes(self.reader.read(4), "big")
        payload = self.reader.read(min(length, 65536))
        if not payload or len(payload) < length:
            raise ConnectionError("the connection was closed")
        return dict(msgpack.unpackb(payload))

    def _answer(self, m: dict[str, Any]) -> bool:
        """Do what a message asks for, and tell whether the set goes on."""
        self.wait = m.get("retry_seconds") or 0  # a goodbye may hold it, and that is the last message of a link
        match m["type"]:
            case "welcome":
                self.token = m["token"]
                self.stream.settimeout(m["dead_seconds"])
                print(f"called {m['name']!r} on {m['server_name']!r}")
                if m.get("table") is None:
                    self._send("list_tables")
            case "tables":  # one with no set behind it, so that set_over can only mean the end of this one
                free = [t for t in m["tables"] if None in t["seats"] and not (t.get("locked") or t.get("deal"))]
                self._send("join", table=free[0]["table"]) if free else self._send("open_table", name="Minimal")
            case "opened":
                self._send("join", table=m["table"])
            case "snapshot":
                print(f"in seat {m['seat']!r} of table {m['table']!r}")
                for _ in range(m["seats"].count(None) * self.bots):
                    self._send("add_bot")
                return bool(m["state"] != "set_over")
            case "prompt":  # bid seven, or pass; else do the first thing that is legal
                best = max(m["actions"], key=lambda a: 2 if a.get("tricks") == 7 else a.get("call") == "pass")
                self._send("act", action=best, seq=m["seq"])
            case "deal_scored":
                print("deal {number!r}: {bid!r} {trump!r}, took {taken!r}; {scores!r}".format(**m["score"]))
            case "set_won":
                print(f"team {m['team']!r} won the set, {m['scores']!r}")
                return False
            case "error" if m["code"] in {"no_such_table", "rate_limited", "seat_taken", "table_full"}:
                time.sleep(1)
                self._send("list_tables" if m.get("seq") is None else "sync")
            case "error" | "goodbye" | "refused" | "table_closed" as kind if not m.get("resumable"):
                if m.get("code") not in {"stale", "not_your_turn"}:  # the clock was faster; a prompt will come
                    raise SystemExit(f"{kind}: {m.get('message') or m!r}")
        return True


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("server", metavar="HOST:PORT", type=lambda text: text.rpartition(":")[::2])
parser.add_argument("--name", default="Minimal")
parser.add_argument("--no-bots", action="store_true", help="wait for friends to take the other seats")
options = parser.parse_args()
player = _Player()
for attempt in (1, 2):
    try:
        player.play(options.server, options.name, bots=not options.no_bots)
        break
    except OSError as fault:
        if attempt == 2 or not player.token:
            raise SystemExit(f"no connection to {':'.join(options.server)!r} (HOST:PORT): {fault}") from None
        print(f"the link was lost, and is resumed: {fault}")
        time.sleep(player.wait + secrets.randbelow(1000) / 1000)  # not all at once
    except (LookupError, TypeError, ValueError) as fault:
        raise SystemExit(f"the server sent what version 1 does not have: {fault!r}") from None
