"""A server tells the network of itself, on a real multicast socket of loopback."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import anyio
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from zeroconf._utils.name import service_type_name
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from support.adverts import LOOPBACK, own_service_type
from support.lobby_driver import LobbyDriver
from tarneeb_client.addresses import Address
from tarneeb_client.asking import Answer, NoAnswer
from tarneeb_client.discovery import Discovery, discover
from tarneeb_client.found import Appeared, Change, Changed, Gone
from tarneeb_protocol import messages as wire
from tarneeb_protocol.advert import SERVICE_TYPE, Advert
from tarneeb_server import discovery as discovery_module
from tarneeb_server.about import about
from tarneeb_server.discovery import (
    UPDATE_SECONDS,
    Advertiser,
    advert_of,
    advertise,
    count_seats,
    instance_label,
)
from tarneeb_server.lobby import Lobby
from tarneeb_server.reach import Reach
from tarneeb_server.settings import Settings

SECONDS = 20.0
MAJLIS = Advert(server="d03c0dd6ffc6cd42", name="Majlis", free_seats=0, seats=0, rules=("tarneeb", "classic"))
HERE = Reach(addresses=("127.0.0.1",), interfaces=LOOPBACK)


async def no_answer(addresses: Sequence[Address], server: str | None) -> Answer:
    raise NoAnswer("nobody is there")


@contextmanager
def advertising(*advertisers: Advertiser) -> Iterator[None]:
    with ExitStack() as stack:
        for advertiser in advertisers:
            advertiser.start()
            stack.callback(advertiser.stop)
        yield


def listening(service_type: str, story: Callable[[Discovery], Awaitable[None]]) -> None:
    """Run a story of what a client hears."""

    async def main() -> None:
        with anyio.fail_after(SECONDS):
            async with discover(
                interfaces=LOOPBACK, service_type=service_type, ask_server=no_answer
            ) as discovery:
                await story(discovery)

    asyncio.run(main())


async def until(discovery: Discovery, condition: Callable[[Change], bool]) -> Change:
    async for change in discovery:
        if condition(change):
            return change
    raise AssertionError("unreachable")


# ---------------------------------------------------------------- names


@given(st.text(max_size=80), st.from_regex(r"[0-9a-f]{16}", fullmatch=True))
def test_whatever_the_host_calls_a_server_is_a_name_that_the_network_takes(name: str, server_id: str) -> None:
    label = instance_label(name, server_id)
    assert label.endswith(f"({server_id[:6]})")
    assert "." not in label
    assert len(f"{label}-99".encode()) <= 63
    assert service_type_name(f"{label}-99.{SERVICE_TYPE}") == SERVICE_TYPE


def test_the_name_of_an_instance_is_the_servers_name_for_people_who_look_with_other_programs() -> None:
    assert instance_label("دار St. Majlis", "d03c0dd6ffc6cd42") == "دار St Majlis (d03c0d)"
    assert instance_label("…" * 64, "d03c0dd6ffc6cd42") == "…" * 16 + " (d03c0d)"
    assert instance_label("\x00.\u202e", "d03c0dd6ffc6cd42") == " (d03c0d)"


# ---------------------------------------------------------------- on the network


@pytest.mark.slow
@pytest.mark.proves("Z-1", "Z-3", "Z-4")
def test_a_server_is_found_with_what_its_advert_says_and_says_goodbye_at_its_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service_type = own_service_type()
    advertiser = Advertiser(MAJLIS, 4000, lambda: HERE, service_type=service_type, update_seconds=0.2)

    async def story(discovery: Discovery) -> None:
        found = (await until(discovery, lambda change: isinstance(change, Appeared))).server
        assert (found.server, found.name, found.rules) == ("d03c0dd6ffc6cd42", "Majlis", ("tarneeb", "classic"))
        assert found.addresses == (Address("127.0.0.1", 4000),)
        assert (found.tables, found.free_seats, found.needs_password) == (0, 0, False)
        advertiser.tell(5, 12)
        changed = (await until(discovery, lambda change: change.server.seats == 12)).server
        assert (changed.tables, changed.free_seats) == (3, 5)
        stopping = time.monotonic()
        await asyncio.to_thread(advertiser.stop)
        assert time.monotonic() - stopping < 5
        await until(discovery, lambda change: isinstance(change, Gone))

    with caplog.at_level(logging.INFO, "tarneeb.server"), advertising(advertiser):
        listening(service_type, story)
    assert [record.getMessage() for record in caplog.records] == [
        'event=discoverable instance="Majlis (d03c0d)"'
    ]


@pytest.mark.slow
@pytest.mark.proves("Z-5")
def test_many_changes_in_a_short_time_are_one_announcement_with_the_latest() -> None:
    assert UPDATE_SECONDS >= 5
    service_type = own_service_type()
    advertiser = Advertiser(MAJLIS, 4000, lambda: HERE, service_type=service_type, update_seconds=1.0)

    async def story(discovery: Discovery) -> None:
        await until(discovery, lambda change: isinstance(change, Appeared))
        heard = []
        for free in range(1, 200):
            advertiser.tell(free, 400)
            await asyncio.sleep(0.001)
        while True:
            change = await until(discovery, lambda change: isinstance(change, Changed))
            if change.server.seats == 400:
                heard.append(change.server.free_seats)
                if change.server.free_seats == 199:
                    break
        assert len(heard) <= 3, heard

    with advertising(advertiser):
        listening(service_type, story)


@pytest.mark.slow
def test_several_servers_of_one_machine_and_one_name_are_all_found() -> None:
    service_type = own_service_type()
    others = [
        Advertiser(
            Advert(server=each * 16, name="Majlis"), 4000 + int(each), lambda: HERE, service_type=service_type
        )
        for each in "123"
    ]

    async def story(discovery: Discovery) -> None:
        while len(discovery.servers) < 3:
            await anext(discovery)
        assert {(server.server[0], server.name, server.addresses[0].port) for server in discovery.servers} == {
            ("1", "Majlis", 4001),
            ("2", "Majlis", 4002),
            ("3", "Majlis", 4003),
        }
        await asyncio.to_thread(others[0].stop)
        await until(discovery, lambda change: isinstance(change, Gone))
        assert {server.server[0] for server in discovery.servers} == {"2", "3"}
        assert all(server.addresses for server in discovery.servers)

    with advertising(*others):
        listening(service_type, story)


@pytest.mark.slow
def test_a_name_that_somebody_has_already_gets_a_number(caplog: pytest.LogCaptureFixture) -> None:
    service_type = own_service_type()
    first, second = (Advertiser(MAJLIS, port, lambda: HERE, service_type=service_type) for port in (4000, 4001))

    async def story(discovery: Discovery) -> None:
        await until(discovery, lambda change: isinstance(change, Appeared))
        second.start()
        await until(discovery, lambda change: len(change.server.addresses) == 2)

    with caplog.at_level(logging.INFO, "tarneeb.server"), advertising(first):
        try:
            listening(service_type, story)
        finally:
            second.stop()
    assert [record.getMessage() for record in caplog.records] == [
        'event=discoverable instance="Majlis (d03c0d)"',
        'event=discoverable instance="Majlis (d03c0d)-2"',
    ]


@pytest.mark.slow
def test_a_server_that_comes_onto_a_network_later_is_found_then_and_moves_with_its_machine(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service_type = own_service_type()
    places: list[Reach | OSError] = [OSError("the network is down"), Reach(), Reach(), HERE]
    moved = Reach(addresses=("127.0.0.2",), interfaces=("127.0.0.2",))
    has_moved = threading.Event()

    def look() -> Reach:
        if has_moved.is_set():
            return moved
        place = places.pop(0) if len(places) > 1 else places[0]
        if isinstance(place, OSError):
            raise place
        return place

    advertiser = Advertiser(
        MAJLIS, 4000, look, service_type=service_type, update_seconds=0.1, rescan_seconds=0.05
    )

    async def story(discovery: Discovery) -> None:
        await until(discovery, lambda change: isinstance(change, Appeared))
        has_moved.set()
        await until(discovery, lambda change: change.server.addresses == (Address("127.0.0.2", 4000),))

    with caplog.at_level(logging.INFO, "tarneeb.server"), advertising(advertiser):
        listening(service_type, story)
    assert [record.getMessage() for record in caplog.records] == [
        'event=not_discoverable reason="the network is down"',
        'event=discoverable instance="Majlis (d03c0d)"',
    ]


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.05, 0.3])
def test_a_server_that_ends_at_once_ends_its_advertising_at_any_stage(delay: float) -> None:
    advertiser = Advertiser(MAJLIS, 4000, lambda: HERE, service_type=own_service_type())
    advertiser.start()
    time.sleep(delay)
    advertiser.stop(timeout=SECONDS)
    assert not advertiser._thread.is_alive()
    advertiser.tell(1, 4)  # too late, and harmless


def test_without_the_library_there_is_one_line_of_the_log_and_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    advertiser = Advertiser(MAJLIS, 4000, lambda: HERE, service_type=own_service_type())
    advertiser.start()
    advertiser._thread.join(SECONDS)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith('event=not_discoverable reason="the package zeroconf cannot be used: ')


@pytest.mark.slow
def test_another_hosts_records_are_left_alone_by_a_servers_goodbye() -> None:
    """A host name of its own, so that the goodbye takes no address from another server of the machine."""
    service_type = own_service_type()
    one = Advertiser(MAJLIS, 4000, lambda: HERE, service_type=service_type)
    two = Advertiser(Advert(server="2" * 16, name="Other"), 4001, lambda: HERE, service_type=service_type)

    async def main() -> None:
        names: dict[str, str] = {}
        async with AsyncZeroconf(interfaces=list(LOOPBACK)) as zeroconf:
            heard = asyncio.Event()

            def on_change(zeroconf: object, service_type: str, name: str, state_change: object) -> None:
                names[name] = ""
                heard.set()

            browser = AsyncServiceBrowser(zeroconf.zeroconf, service_type, handlers=[on_change])
            while len(names) < 2:
                await heard.wait()
                heard.clear()
            for name in names:
                service = AsyncServiceInfo(service_type, name)
                assert await service.async_request(zeroconf.zeroconf, 3000)
                names[name] = str(service.server)
            await browser.async_cancel()
        assert len(set(names.values())) == 2
        assert all(re.fullmatch(r"tarneeb-[0-9a-f]{8}\.local\.", server) for server in names.values())

    with advertising(one, two):
        asyncio.run(asyncio.wait_for(main(), SECONDS))


# ---------------------------------------------------------------- in the server


def test_an_advert_says_what_about_says() -> None:
    told = about(Settings(name="Majlis", password="open"), "f00d")  # noqa: S106  (a test's)
    assert advert_of(told, has_tls=True) == Advert(
        server="f00d",
        name="Majlis",
        free_seats=0,
        seats=0,
        rules=tuple(preset.name for preset in told.presets),
        needs_password=True,
        has_tls=True,
    )


@pytest.mark.proves("Z-2")
async def test_a_server_on_loopback_alone_is_not_advertised_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery_module, "Advertiser", None)
    lobby = Lobby(Settings(), "f00d")
    with trio.fail_after(SECONDS):
        await advertise(MAJLIS, [("127.0.0.1", 4000), ("::1", 4000)], lobby)


def test_free_seats_are_those_that_a_newcomer_can_take() -> None:
    driver = LobbyDriver()
    nour = driver.hello("Nour")
    assert count_seats(driver.lobby.tables.values()) == (0, 0)
    driver.open_table(nour)
    driver.open_table(nour, password="open")  # noqa: S106  (a test's)
    assert count_seats(driver.lobby.tables.values()) == (4, 8)
    driver.ok(nour, wire.Join, table=1)
    driver.ok(nour, wire.AddBot)
    assert count_seats(driver.lobby.tables.values()) == (3, 8)
