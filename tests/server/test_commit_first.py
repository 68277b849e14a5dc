"""No byte of what has happened goes to a socket before the journal was told to commit."""

from __future__ import annotations

from typing import cast

import trio

from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_protocol.errors import ErrorCode
from tarneeb_server.app import App
from tarneeb_server.archive import ArchiveInMemory
from tarneeb_server.channel import Channel
from tarneeb_server.kept import ForgetSession, Keep, KeepReply, KeepSession, KeepTable
from tarneeb_server.peer import Flusher, Ground, Peer
from tarneeb_server.settings import Settings

HELLO = wire.Hello(protocol_min=1, protocol_max=1, client="test", name="Nour")
WELCOME = wire.Welcome(
    protocol=1,
    server="s",
    server_name="S",
    name="Nour",
    token="t",  # noqa: S106  (no secret of anybody)
    ping_seconds=15,
    dead_seconds=45,
    grace_seconds=120,
)


class ChannelInName:
    """Takes all bytes, or a few of them, and writes down when."""

    def __init__(self, log: list[str], takes: int = 1 << 20) -> None:
        self.log = log
        self.takes = takes

    def send(self, payload: bytes) -> int:
        self.log.append("send")
        return min(len(payload), self.takes)


class Nobody:
    def said(self, peer: Peer, message: object) -> None:
        raise AssertionError(message)

    def seconds_before(self, peer: Peer, message: object) -> float:
        return 0.0

    def lost(self, peer: Peer) -> None:
        raise AssertionError(peer)


async def test_every_way_to_send_goes_by_way_of_a_commit() -> None:
    log: list[str] = []
    async with trio.open_nursery() as nursery:
        ground = Ground(Nobody(), Flusher(), trio.current_time, nursery, lambda: log.append("commit"))

        def peer() -> Peer:
            log.clear()
            made = Peer(cast("Channel", ChannelInName(log)), ground, 1 << 20)
            made.connection.receive_data(encode(HELLO))
            assert made.connection.next_event() == HELLO
            return made

        one = peer()
        one.send(WELCOME)
        assert log == [], "nothing is sent before the tick is over"
        one.flush()
        assert log == ["commit", "send"]
        one.send_frame(encode(wire.Ping()))
        one.flush()
        assert log == ["commit", "send"] * 2
        two = peer()
        two.end(ErrorCode.SHUTDOWN, "the server is stopping")
        assert log == ["commit", "send"]


class Order:
    """A journal that writes down in which order things came."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.archive = ArchiveInMemory()

    def add(self, entry: Keep) -> None:
        self.log.append(type(entry).__name__)

    def commit(self) -> None:
        self.log.append("commit")

    def fault(self) -> str | None:
        return None


async def test_a_goodbye_in_the_middle_of_the_effects_comes_after_all_that_is_to_be_kept() -> None:
    journal = Order()
    async with trio.open_nursery() as nursery:
        app = App(Settings(password=None), "test", nursery, journal)
        answer, effects = app.lobby.hello(HELLO, 0.0)
        assert not isinstance(answer, wire.Refused)
        app._perform(effects)
        app._perform(app.lobby.request(answer.session, wire.OpenTable(id=1, name="T", password="p"), 0.0))  # noqa: S106
        for number in range(5):
            join = wire.Join(id=number + 2, table=1, password="q")  # noqa: S106
            app._perform(app.lobby.request(answer.session, join, 0.0))
    assert app.lobby.sessions.get(answer.session) is None, "five wrong passwords end a session"
    assert journal.log[0] == KeepSession.__name__
    assert {KeepTable.__name__, KeepReply.__name__} <= set(journal.log)
    assert journal.log[-1] == ForgetSession.__name__
    assert "commit" not in journal.log, "nobody was connected, so nothing was to be sent"
