"""What clients leave behind is bounded while they are there, and gone when they are."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Sequence

import trio
import trio.testing

from support.live_server import live_server
from support.lobby_driver import Link, LobbyDriver
from support.silent_channel import SilentChannel
from support.wire_client import WireClient
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_server.clocks import Timers
from tarneeb_server.effects import CancelTimer, Effect, Send, SetTimer, TimerKey
from tarneeb_server.lobby import Lobby
from tarneeb_server.play import Play
from tarneeb_server.presence import Admission
from tarneeb_server.settings import Settings
from tarneeb_server.table import Table

STALLED = 100
OUTBOX = 128 * 1024


def hello(name: str) -> bytes:
    return encode(wire.Hello(protocol_min=1, protocol_max=1, client="test", name=name))


async def test_b03_b06_a_hundred_clients_that_stopped_reading_hold_no_more_than_their_outboxes_and_then_nothing(
    mock_clock: trio.testing.MockClock,
) -> None:
    async with live_server(outbox_kib=128) as server, await WireClient.connect(server.port) as reader:
        welcome = await reader.hello("Reader")
        for number in range(STALLED):
            server.app.serve(SilentChannel(hello(f"Stalled {number}")), "192.0.2.1")
            if number % 50 == 49:
                mock_clock.jump(60)
            await trio.testing.wait_all_tasks_blocked()
        stalled = [peer for peer in server.app.peers if peer.session != 1]
        assert len(stalled) + 1 == len(server.app.peers) > 60
        everybody = tuple(session.id for session in server.app.lobby.sessions)
        line = wire.LobbySaid(name=welcome.name, text="x" * 300)
        most = 0
        for _ in range(2000):
            server.app._perform([Send(everybody, line)])
            assert await reader.receive() == line
            most = max(most, sum(len(peer._outbox) for peer in stalled))
            assert all(len(peer._outbox) <= OUTBOX + len(encode(line)) for peer in stalled)
            if len(server.app.peers) == 1:
                break
        # They were filled, which is what was to be shown, and then cut off.
        assert most > len(stalled) * OUTBOX * 0.9
        assert {peer.session for peer in server.app.peers} == {1}
        references = [weakref.ref(peer) for peer in stalled]
        del stalled
        mock_clock.jump(30)
        await reader.ok(wire.ListTables)
        await trio.testing.wait_all_tasks_blocked(0.01)
        gc.collect()
        assert sum(reference() is not None for reference in references) == 0
        assert len(server.app.gate) == 1


async def test_k05_k06_connections_whose_clients_are_gone_are_counted_out_with_all_that_was_theirs(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with live_server(dead_seconds=45, grace_seconds=120) as server:
        for number in range(40):
            said = hello(f"Ghost {number}") if number % 4 else b""
            if number % 4 == 1:
                said += encode(wire.OpenTable(id=1, name=f"Table {number}"))
            server.app.serve(SilentChannel(said), "192.0.2.1")
        await trio.testing.wait_all_tasks_blocked()
        assert len(server.app.peers) == len(server.app.gate) == 40
        assert len(server.app.lobby.sessions) == 30
        assert len(server.app.lobby.tables) == 10
        await trio.sleep(50)
        assert not server.app.peers
        assert len(server.app.gate) == 0
        assert not any(session.is_connected for session in server.app.lobby.sessions)
        await trio.sleep(200)
        assert len(server.app.lobby.sessions) == 0
        assert server.app.lobby.tables == {}
        assert len(server.app.clock) == 0
        assert server.app._by_session == {}


def test_g01_g05_ten_thousand_tables_are_all_gone_and_freed_after_their_time() -> None:
    # Without the checks of the driver, which look at every table after each request.
    lobby = Lobby(Settings(max_tables=100_000, max_tables_per_player=100_000), "test")
    timers: Timers[TimerKey] = Timers()
    now = 0.0

    def perform(effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, SetTimer):
                timers.set(effect.key, effect.at)
            elif isinstance(effect, CancelTimer):
                timers.cancel(effect.key)

    def advance(seconds: float) -> None:
        nonlocal now
        now += seconds
        while (key := timers.pop_due(now)) is not None:
            perform(lobby.fire(key, now))

    admitted, effects = lobby.hello(
        wire.Hello(protocol_min=1, protocol_max=1, client="test", name="Opener"), now, "192.0.2.1"
    )
    assert isinstance(admitted, Admission)
    perform(effects)
    references: list[weakref.ref[Table]] = []
    most = 0
    for number in range(1, 10_001):
        advance(1)
        perform(lobby.request(admitted.session, wire.OpenTable(id=3 * number, name="Majlis"), now))
        if number % 2:
            join, leave = wire.Join(id=3 * number + 1, table=number), wire.Leave(id=3 * number + 2)
            perform(lobby.request(admitted.session, join, now))
            perform(lobby.request(admitted.session, leave, now))
        references.append(weakref.ref(lobby.tables[number]))
        most = max(most, len(lobby.tables))
    assert most == 60
    advance(61)
    assert lobby.tables == {}
    assert lobby._opened_from == {}
    assert len(timers) == 0
    gc.collect()
    assert sum(reference() is not None for reference in references) == 0


def test_g05_sets_that_were_played_are_freed_when_their_players_have_left() -> None:
    driver = LobbyDriver(bot_delay=0.0, turn_seconds=1)
    tables: list[weakref.ref[Table]] = []
    plays: list[weakref.ref[Play]] = []
    for number in range(6):
        player = driver.hello(f"Player {number}")
        place = driver.open_table(player)
        driver.ok(player, wire.Join, table=place)
        for _ in range(3):
            driver.ok(player, wire.AddBot)
        tables.append(weakref.ref(driver.lobby.tables[place]))
        playing = driver.lobby.tables[place].play
        assert playing is not None
        plays.append(weakref.ref(playing))
        del playing
        driver.advance(400 if number < 2 else number)
        driver.goodbye(player)
    driver.advance(driver.settings.deserted_seconds + 1)
    assert driver.records, "a set came to its end"
    assert driver.lobby.tables == {}
    assert len(driver.lobby.sessions) == 0
    assert len(driver.timers) == 0
    gc.collect()
    assert [reference() for reference in tables] == [None] * 6
    assert [reference() for reference in plays] == [None] * 6


def test_g03_no_timer_is_left_after_a_crowd_has_come_played_dropped_and_gone() -> None:
    driver = LobbyDriver(turn_seconds=30, bot_delay=0.5)
    rng = random.Random(3)
    links: list[Link] = []
    most = 0
    for step in range(1500):
        if len(links) < 60 and rng.random() < 0.3:
            links.append(driver.hello(f"Player {step}"))
        elif links:
            at = rng.randrange(len(links))
            links[at] = after_some_request(driver, links[at], rng)
        if rng.random() < 0.3:
            driver.advance(rng.choice((0.1, 1, 20)))
        links = [link for link in links if driver.lobby.sessions.get(link.session) is not None]
        most = max(most, len(driver.timers))
        # A table has a clock or a bot's thinking, and its end; a session its grace.
        assert len(driver.timers) <= 2 * len(driver.lobby.tables) + len(driver.lobby.sessions)
        assert len(driver.timers._heap) <= max(65, 2 * len(driver.timers) + 1)
    assert most > 20
    for link in links:
        if link.is_connected:
            driver.goodbye(link)
    driver.advance(driver.settings.grace_seconds + driver.settings.deserted_seconds + 1)
    assert len(driver.lobby.sessions) == 0
    assert driver.lobby.tables == {}
    assert len(driver.timers) == 0


def after_some_request(driver: LobbyDriver, link: Link, rng: random.Random) -> Link:
    """The link after it has come back, asked for something, dropped or left."""
    if not link.is_connected:
        return driver.resume(link)
    match rng.randrange(7):
        case 0:
            driver.request(link, wire.OpenTable, name="Majlis")
        case 1 | 2:
            driver.request(link, wire.Join, table=rng.randint(1, max(1, driver.lobby._last_table)))
        case 3:
            driver.request(link, wire.AddBot)
        case 4:
            driver.request(link, wire.Leave)
        case 5:
            driver.drop(link)
        case _:
            driver.goodbye(link)
    return link
