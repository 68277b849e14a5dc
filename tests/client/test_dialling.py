"""Which server a client talks to: certificates accepted and refused, and what is never said to whom."""

from __future__ import annotations

import contextlib
import datetime as dt
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import anyio
import pytest
import trio
import trustme

from support.live_server import LiveServer, live_server
from support.relay import Relay, relay
from support.tls import authority, issued, write_certificate
from tarneeb_client.addresses import Address
from tarneeb_client.dialling import Dialler, Security, Untrusted, peer_fingerprint
from tarneeb_client.known_servers import AUTHORITY, KnownServers
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkFailed, LinkLost
from tarneeb_protocol import messages as m
from tarneeb_protocol.codec import encode
from tarneeb_protocol.connection import NEED_DATA, Connection, Role
from tarneeb_server.self_made import self_made
from tarneeb_server.tls import ServerTls, load


def tls_of(certificate: trustme.LeafCert) -> ServerTls:
    with tempfile.TemporaryDirectory() as folder:
        return load(*write_certificate(Path(folder), certificate))


def own() -> ServerTls:
    with tempfile.TemporaryDirectory() as folder:
        return self_made(folder)


CERTIFICATES: dict[str, Callable[[], ServerTls]] = {
    "vouched for": cache(lambda: tls_of(issued("127.0.0.1"))),
    "vouched for, renewed": cache(lambda: tls_of(issued("127.0.0.1"))),
    "self-made": cache(own),
    "self-made, another": cache(own),
    "expired": cache(lambda: tls_of(issued("127.0.0.1", ends_in=dt.timedelta(days=-1)))),
    "of another host": cache(lambda: tls_of(issued("majlis.example"))),
    "of another authority": cache(lambda: tls_of(trustme.CA().issue_cert("127.0.0.1"))),
}
VOUCHED = ("vouched for", "vouched for, renewed")
PASSWORD = "open sesame"
OTHERS = tuple(name for name in CERTIFICATES if name not in VOUCHED)


@pytest.fixture(autouse=True)
def system_authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the length of a test the system trusts the tests' authority and no other."""
    file = tmp_path / "authorities.pem"
    file.write_bytes(authority().cert_pem.bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "none"))


@dataclass
class Player:
    """What a player's client remembers and tells. ``before`` puts something into the memory."""

    known: KnownServers
    told: list[str] = field(default_factory=list)

    def security(self, *, tls: bool = False, fingerprint: str | None = None) -> Security:
        return Security(tls=tls, fingerprint=fingerprint, known=self.known, tell=self.told.append)


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(KnownServers(tmp_path / "state" / "known-servers"))


async def dialled(port: int, security: Security) -> str | None:
    """Connect once; the fingerprint at the other end."""
    stream = await Dialler(Address("127.0.0.1", port), security)()
    try:
        return peer_fingerprint(stream)
    finally:
        await anyio.aclose_forcefully(stream)


@contextlib.asynccontextmanager
async def server_with(certificate: str | None) -> AsyncIterator[tuple[LiveServer, Address]]:
    tls = None if certificate is None else CERTIFICATES[certificate]()
    async with live_server(tls=tls) as server:
        yield server, Address("127.0.0.1", server.port)


def fingerprint(certificate: str) -> str:
    return CERTIFICATES[certificate]().fingerprint


# ---------------------------------------------------------------- the first time


@pytest.mark.proves("S-6")
async def test_a_certificate_that_an_authority_vouches_for_is_accepted_without_a_word(player: Player) -> None:
    async with server_with("vouched for") as (_, address):
        assert await dialled(address.port, player.security(tls=True)) == fingerprint("vouched for")
        assert player.known.get(address) == AUTHORITY
        assert player.told == []


@pytest.mark.parametrize("certificate", OTHERS)
@pytest.mark.proves("S-6")
async def test_any_other_is_accepted_the_first_time_with_its_fingerprint_told(
    certificate: str, player: Player
) -> None:
    async with server_with(certificate) as (_, address):
        assert await dialled(address.port, player.security(tls=True)) == fingerprint(certificate)
        assert player.known.get(address) == fingerprint(certificate)
        (told,) = player.told
        assert f"\n  {fingerprint(certificate)}\n" in told
        why = {"expired": "expired", "of another host": "not valid for '127.0.0.1'"}.get(
            certificate, "certificate"
        )
        assert why in told
        # The second time there is nothing to tell.
        await dialled(address.port, player.security())
        assert len(player.told) == 1


async def test_where_nothing_is_remembered_no_certificate_is_accepted_at_first_sight() -> None:
    async with server_with("self-made") as (_, address):
        with pytest.raises(Untrusted) as refused:
            await dialled(address.port, Security(tls=True))
        assert refused.value.code == "certificate_unknown"
        assert fingerprint("self-made") in str(refused.value)
        given = Security(fingerprint=fingerprint("self-made"))
        assert await dialled(address.port, given) == fingerprint("self-made")


async def test_a_memory_that_cannot_be_written_is_told_and_the_game_goes_on(
    player: Player, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("no directory")
    player.known.path = tmp_path / "state" / "known-servers"
    async with server_with("self-made") as (_, address):
        with pytest.raises(Untrusted, match="cannot be read: Not a directory"):
            await dialled(address.port, player.security(tls=True))
    player.known.path = Path("/proc/known-servers")
    async with server_with("self-made") as (_, address):
        await dialled(address.port, player.security(tls=True))
        assert "It cannot be remembered" in player.told[-1]


async def test_many_connections_that_are_first_at_the_same_time_tell_it_once(player: Player) -> None:
    async with server_with("self-made") as (_, address):
        dial = Dialler(address, player.security(tls=True))

        async def connect() -> None:
            await anyio.aclose_forcefully(await dial())

        async with trio.open_nursery() as nursery:
            for _ in range(6):
                nursery.start_soon(connect)
        assert len(player.told) == 1


# ---------------------------------------------------------------- the next time


@pytest.mark.parametrize("now", [*VOUCHED, *OTHERS])
@pytest.mark.proves("S-7")
async def test_where_a_fingerprint_is_remembered_no_other_certificate_is_accepted(
    now: str, player: Player
) -> None:
    async with server_with(now) as (server, address):
        before = fingerprint("self-made, another")
        player.known.remember(address, before)
        if now == "self-made, another":
            assert await dialled(address.port, player.security()) == before
            return
        with pytest.raises(Untrusted) as refused:
            await dialled(address.port, player.security())
        assert refused.value.code == "certificate_changed"
        assert f"before: {before}" in str(refused.value)
        assert f"now:    {fingerprint(now)}" in str(refused.value)
        assert f"tarneeb forget 127.0.0.1:{address.port}" in str(refused.value)
        assert player.known.get(address) == before
        assert len(server.app.lobby.sessions) == 0


@pytest.mark.parametrize("now", [*VOUCHED, *OTHERS])
@pytest.mark.proves("S-7")
async def test_where_an_authority_vouched_any_that_is_vouched_for_is_accepted_and_no_other(
    now: str, player: Player
) -> None:
    async with server_with(now) as (_, address):
        player.known.remember(address, AUTHORITY)
        if now in VOUCHED:
            assert await dialled(address.port, player.security()) == fingerprint(now)
        else:
            with pytest.raises(Untrusted) as refused:
                await dialled(address.port, player.security())
            assert refused.value.code == "certificate_changed"
            assert f"now: {fingerprint(now)}" in str(refused.value)
        assert player.known.get(address) == AUTHORITY
        assert player.told == []


@pytest.mark.parametrize("before", [None, AUTHORITY, "self-made", "self-made, another"])
@pytest.mark.proves("S-6")
async def test_a_fingerprint_that_is_asked_for_goes_before_everything(
    before: str | None, player: Player
) -> None:
    async with server_with("self-made") as (_, address):
        if before is not None:
            player.known.remember(address, before if before == AUTHORITY else fingerprint(before))
        with pytest.raises(Untrusted) as refused:
            await dialled(address.port, player.security(fingerprint=fingerprint("vouched for")))
        assert f"asked for: {fingerprint('vouched for')}" in str(refused.value)
        await dialled(address.port, player.security(fingerprint=fingerprint("self-made")))
        assert player.known.get(address) == fingerprint("self-made")
        assert player.told == []


# ---------------------------------------------------------------- never in plain


@pytest.mark.parametrize("how", ["asked for", "remembered", "authority remembered", "given"])
@pytest.mark.proves("S-8")
async def test_a_server_without_tls_gets_nothing_where_tls_is_wanted_or_was_there(
    how: str, player: Player
) -> None:
    async with server_with(None) as (server, _), relay(server.port) as between:
        there = Address("127.0.0.1", between.port)
        if how == "remembered":
            player.known.remember(there, fingerprint("self-made"))
        elif how == "authority remembered":
            player.known.remember(there, AUTHORITY)
        given = fingerprint("self-made") if how == "given" else None
        with pytest.raises(LinkFailed) as failed:
            async with open_link(
                there,
                name="Nour",
                password=PASSWORD,
                security=player.security(tls=how == "asked for", fingerprint=given),
            ):
                pass
        assert failed.value.code == "no_tls"
        assert ("tarneeb forget" in str(failed.value)) == ("remembered" in how)
        assert between.said[:1] == b"\x16"
        assert b"Nour" not in between.said
        assert PASSWORD.encode() not in between.said


@pytest.mark.proves("S-10")
async def test_a_password_is_not_said_in_plain_to_a_server_that_wants_tls(player: Player) -> None:
    tls = CERTIFICATES["self-made"]()
    async with live_server(tls=tls, password=PASSWORD) as server, relay(server.port) as between:
        there = Address("127.0.0.1", between.port)
        async with open_link(there, name="Nour", password=PASSWORD, security=player.security()) as link:
            assert link.peer_fingerprint == fingerprint("self-made")
        plain = between.said[: between.said.index(b"\x16\x03")]
        assert plain == encode(m.Describe())
        assert PASSWORD.encode() not in between.said


async def test_a_password_reaches_a_server_without_tls_as_before(player: Player) -> None:
    async with live_server(password=PASSWORD) as server:
        there = Address("127.0.0.1", server.port)
        async with open_link(there, name="Nour", password=PASSWORD, security=player.security()) as link:
            assert link.peer_fingerprint is None
            assert isinstance(await link.request(m.ListTables(id=NEW)), m.Tables)


async def test_a_server_that_knows_no_describe_is_told_the_password_on_a_second_connection() -> None:
    heard: list[m.Message] = []

    async def old_server(stream: trio.SocketStream) -> None:
        connection = Connection(Role.SERVER)
        while True:
            event = connection.next_event()
            if event is NEED_DATA:
                chunk = await stream.receive_some()
                if not chunk:
                    return
                connection.receive_data(chunk)
                continue
            assert isinstance(event, m.Message)
            heard.append(event)
            code = "hello_expected" if isinstance(event, m.Describe) else "wrong_password"
            refused = m.Refused(code=code, message="no", protocol_min=1, protocol_max=1)
            await stream.send_all(connection.send(refused))
            await stream.aclose()
            return

    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, old_server, listeners)
        there = Address("127.0.0.1", listeners[0].socket.getsockname()[1])
        with pytest.raises(LinkFailed, match="password-file"):
            async with open_link(there, name="Nour", password=PASSWORD):
                pass
        nursery.cancel_scope.cancel()
    describe, hello = heard
    assert isinstance(describe, m.Describe)
    assert isinstance(hello, m.Hello)
    assert hello.password == PASSWORD


# ---------------------------------------------------------------- a link over TLS


async def until(link: Link, kind: type[LinkBack | LinkLost | LinkEnded]) -> LinkBack | LinkLost | LinkEnded:
    async for item in link:
        if isinstance(item, kind):
            return item
        link.retry_now()
    raise AssertionError("the link has ended")


async def back(link: Link) -> LinkBack:
    """Until the link is back, without waiting for its turn."""
    async for item in link:
        if isinstance(item, LinkBack):
            return item
        if isinstance(item, LinkLost):
            await trio.testing.wait_all_tasks_blocked(0.01)
            link.retry_now()
    raise AssertionError("the link has ended")


@contextlib.asynccontextmanager
async def link_through_relay(player: Player) -> AsyncIterator[tuple[Link, Relay, LiveServer]]:
    """A player at a table of a server with TLS, found in plain, through a relay."""
    async with server_with("self-made") as (server, _), relay(server.port) as between:
        there = Address("127.0.0.1", between.port)
        async with open_link(there, name="Nour", security=player.security()) as link:
            opened = await link.request(m.OpenTable(id=NEW, name="Majlis"))
            assert isinstance(opened, m.Opened)
            await link.request(m.Join(id=NEW, table=opened.table))
            between.said.clear()
            yield link, between, server


async def test_a_server_that_asks_for_tls_is_found_in_plain_and_joined_over_tls(player: Player) -> None:
    async with link_through_relay(player) as (link, _, _):
        assert link.peer_fingerprint == fingerprint("self-made")
        assert len(player.told) == 1


async def test_a_lost_link_is_resumed_over_tls(player: Player) -> None:
    async with link_through_relay(player) as (link, between, _):
        await between.cut()
        assert (await back(link)).resumed
        assert link.peer_fingerprint == fingerprint("self-made")
        assert between.said[:1] == b"\x16"


@pytest.mark.proves("S-7", "S-8", "S-9")
@pytest.mark.parametrize("there", [*VOUCHED, "self-made, another"])
async def test_another_certificate_after_a_lost_link_ends_it_with_both_fingerprints_told_and_no_token_said(
    there: str, player: Player
) -> None:
    async with link_through_relay(player) as (link, between, server), server_with(there) as (other, _):
        token = link.welcome.token
        between.target = other.port
        await between.cut()
        lost = await until(link, LinkLost)
        link.retry_now()
        ended = await until(link, LinkEnded)
        assert isinstance(lost, LinkLost)
        assert isinstance(ended, LinkEnded)
        assert ended.code == "certificate_changed"
        for told in (
            fingerprint("self-made"),
            fingerprint(there),
            "Somebody may be between you and the server",
        ):
            assert told in ended.message
        assert f"  tarneeb forget 127.0.0.1:{between.port}\n" in ended.message
        assert len(other.app.lobby.sessions) == 0
        assert between.said[:1] == b"\x16"
        assert token.encode() not in between.said
        assert len(server.app.lobby.sessions) == 1, "the seat waits"
        assert (link.held_seconds() or 0) > 0


@pytest.mark.proves("S-8", "S-9")
async def test_no_token_is_said_to_whoever_takes_the_servers_place_in_plain_and_the_seat_waits(
    player: Player,
) -> None:
    async with link_through_relay(player) as (link, between, server), server_with(None) as (other, _):
        token = link.welcome.token
        between.target = other.port
        await between.cut()
        assert isinstance(await until(link, LinkLost), LinkLost)
        lost = await until(link, LinkLost)
        assert isinstance(lost, LinkLost)
        assert lost.reason == "the connection there is not encrypted"
        assert len(other.app.lobby.sessions) == 0
        assert between.said[:1] == b"\x16"
        assert token.encode() not in between.said
        between.target = server.port
        assert (await back(link)).resumed


async def test_bytes_damaged_on_the_way_cost_the_connection_and_not_the_seat(player: Player) -> None:
    async with link_through_relay(player) as (link, between, _):
        between.damage = b"\x17\x03\x03\x00\x20" + bytes(32)
        link.post(m.ListTables(id=NEW))
        assert (await back(link)).resumed


async def test_a_server_that_turns_tls_on_is_followed(player: Player) -> None:
    async with (
        server_with(None) as (plain, _),
        server_with("self-made") as (secured, _),
        relay(plain.port) as between,
    ):
        there = Address("127.0.0.1", between.port)
        async with open_link(there, name="Nour", security=player.security()) as link:
            assert link.peer_fingerprint is None
            between.target = secured.port
            await between.cut()
            assert not (await back(link)).resumed
            assert link.peer_fingerprint == fingerprint("self-made")


async def test_a_damaged_memory_is_a_sentence_and_no_connection(player: Player) -> None:
    async with server_with("self-made") as (_, address):
        player.known.path.parent.mkdir()
        player.known.path.write_text(f"127.0.0.1:{address.port} rubbish\n")
        with pytest.raises(LinkFailed, match=r"line 1 of .* is damaged") as failed:
            async with open_link(address, name="Nour", security=player.security()):
                pass
        assert failed.value.code == "known_servers_unreadable"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_link_over_tls_works_on_both_event_loops(backend: str, player: Player) -> None:
    """The server needs trio; so it runs in a thread of its own when the link is on asyncio."""
    ports: list[int] = []
    events: dict[str, trio.Event] = {}
    tokens: list[trio.lowlevel.TrioToken] = []
    started = threading.Event()

    async def serve() -> None:
        async with server_with("self-made") as (server, _):
            events["done"] = trio.Event()
            tokens.append(trio.lowlevel.current_trio_token())
            ports.append(server.port)
            started.set()
            await events["done"].wait()

    async def talk() -> None:
        async with open_link(Address("127.0.0.1", ports[0]), name="Nour", security=player.security()) as link:
            assert isinstance(await link.request(m.ListTables(id=NEW)), m.Tables)
            assert link.peer_fingerprint == fingerprint("self-made")

    thread = threading.Thread(target=trio.run, args=(serve,))
    thread.start()
    try:
        assert started.wait(20)
        anyio.run(talk, backend=backend)
    finally:
        tokens[0].run_sync_soon(events["done"].set)
        thread.join()
