"""Servers appear, change and go, on a real multicast socket of loopback."""

from __future__ import annotations

import asyncio
import logging
import random
import resource
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import anyio
import ifaddr
import pytest

from support.adverts import GOOD, LOOPBACK, own_service_type, responder
from tarneeb_client.addresses import Address
from tarneeb_client.asking import Answer, NoAnswer
from tarneeb_client.discovery import Discovery, discover, own_interfaces
from tarneeb_client.found import MOST_INSTANCES, Appeared, Change, Changed, Gone
from tarneeb_protocol.text import harmless
from tarneeb_server.about import about
from tarneeb_server.settings import Settings

pytestmark = pytest.mark.slow
SECONDS = 20.0
"""How long anything may take on a busy machine before the test fails."""


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run on asyncio, where an exception in a callback fails the test instead of being logged."""

    async def main() -> None:
        failures: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        with anyio.fail_after(SECONDS):
            await test()
        assert failures == []

    asyncio.run(main())


async def no_answer(addresses: Sequence[Address], server: str | None) -> Answer:
    raise NoAnswer("nobody is there")


async def good_answer(addresses: Sequence[Address], server: str | None) -> Answer:
    answered = about(Settings(name="Majlis \x1b[2J"), server or "d03c0d")
    return Answer(addresses[0], 0.003, 1, 1, answered)


async def until(discovery: Discovery, kind: type[Change], server: str = "d03c0d") -> Any:
    """The next change of this kind to this server."""
    async for change in discovery:
        if isinstance(change, kind) and change.server.server == server:
            return change.server
    raise AssertionError("unreachable")


def test_a_server_appears_answers_changes_and_goes() -> None:
    async def story() -> None:
        service_type = own_service_type()
        async with (
            discover(interfaces=LOOPBACK, service_type=service_type, ask_server=good_answer) as discovery,
            responder(service_type) as network,
        ):
            assert discovery.trouble is None
            assert discovery.servers == ()
            await network.advertise(properties=GOOD)
            appeared = await until(discovery, Appeared)
            assert (appeared.name, appeared.tables, appeared.free_seats) == ("Majlis", 3, 5)
            assert appeared.addresses == (Address("127.0.0.1"),)
            assert (appeared.is_settled, appeared.can_join) == (False, False)
            answered = await until(discovery, Changed)
            assert answered.can_join
            assert (answered.ping_seconds, answered.name) == (0.003, "Majlis ␛[2J")
            await network.advertise(properties={**GOOD, "seats": "0/16"})
            changed = await until(discovery, Changed)
            assert (changed.tables, changed.free_seats, changed.ping_seconds) == (4, 0, 0.003)
            await network.withdraw()
            assert (await until(discovery, Gone)).server == "d03c0d"
            assert discovery.servers == ()

    run(story)


@pytest.mark.proves("Z-10")
def test_adverts_of_one_id_are_one_server_until_the_last_of_them_goes() -> None:
    async def story() -> None:
        service_type = own_service_type()
        async with (
            discover(interfaces=LOOPBACK, service_type=service_type, ask_server=no_answer) as discovery,
            responder(service_type) as network,
        ):
            await network.advertise("by cable", GOOD, addresses=("127.0.0.1",))
            await until(discovery, Appeared)
            await network.advertise("by radio", GOOD, addresses=("127.0.0.2",))
            while len(discovery.servers[0].addresses) < 2:
                await anext(discovery)
            (server,) = discovery.servers
            assert set(server.addresses) == {Address("127.0.0.1"), Address("127.0.0.2")}
            await network.withdraw("by cable")
            while discovery.servers[0].addresses != (Address("127.0.0.2"),):
                await anext(discovery)
            await network.withdraw("by radio")
            await until(discovery, Gone)

    run(story)


def test_a_server_that_does_not_answer_is_shown_with_the_reason() -> None:
    async def story() -> None:
        service_type = own_service_type()
        async with (
            discover(interfaces=LOOPBACK, service_type=service_type, ask_server=no_answer) as discovery,
            responder(service_type) as network,
        ):
            await network.advertise(properties=GOOD)
            silent = await until(discovery, Changed)
            assert (silent.trouble, silent.address, silent.can_join) == ("nobody is there", None, False)

    run(story)


def test_a_remembered_server_that_answers_appears_although_nothing_is_heard() -> None:
    async def story() -> None:
        known = Address("192.0.2.1", 4000)
        async with discover(
            remembered=[known, known], interfaces=(), service_type=own_service_type(), ask_server=good_answer
        ) as discovery:
            assert discovery.trouble == "this machine is on no network"
            server = await until(discovery, Appeared)
            assert (server.address, server.is_advertised, server.can_join) == (known, False, True)

    run(story)


@pytest.mark.proves("Z-6", "Z-7")
def test_hostile_adverts_are_harmless_or_passed_over_and_a_good_one_is_still_found() -> None:
    long = "ب" * 31
    hostile: list[tuple[str, Any]] = [
        ("\x80\x9b2J\u202e", {**GOOD, "id": "1", "name": "\x1b]0;x\x07" * 20}),
        ("a.b.c", {**GOOD, "id": "2", "name": "\u202eevil"}),
        (long, {**GOOD, "id": "3", "name": "x" * 240}),
        ("no id", {"v": "1"}),
        ("no version", {"id": "5"}),
        ("bad version", {"id": "6", "v": "9-1"}),
        ("raw", b"\x00\x00\xff" + b"x" * 20),
        ("no value", {"id": None, "v": None}),
        ("not text", {b"\xff\xfe": b"\xff", "id": b"7", "v": b"\xff"}),
        ("nothing", b""),
    ]

    async def story() -> None:
        service_type = own_service_type()
        async with (
            discover(interfaces=LOOPBACK, service_type=service_type, ask_server=no_answer) as discovery,
            responder(service_type) as network,
        ):
            async with anyio.create_task_group() as tasks:
                for label, properties in hostile:
                    tasks.start_soon(network.advertise, label, properties)
                tasks.start_soon(network.advertise, "port 0", {**GOOD, "id": "8"})
            await network.advertise("good", GOOD)
            await until(discovery, Changed)
            assert {server.server for server in discovery.servers} >= {"1", "2", "3", "d03c0d"}
            assert {server.server for server in discovery.servers} <= {"1", "2", "3", "8", "d03c0d"}
            for server in discovery.servers:
                assert harmless(server.name) == server.name

    run(story)


def test_packets_of_noise_are_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a packet holds, no exception reaches the loop, whose handler would end a full-screen client."""
    rng = random.Random(5353)
    service_type = own_service_type()
    label = service_type.split(".")[0].encode()
    name = bytes([len(label)]) + label + b"\x04_tcp\x05local\x00"
    header = b"\x00\x00\x84\x00\x00\x00\x00\x01\x00\x00\x00\x00"
    pointer = header + name + b"\x00\x0c\x00\x01\x00\x00\x00\x78"
    packets = [rng.randbytes(rng.randrange(0, 600)) for _ in range(200)]
    packets += [header + name + rng.randbytes(rng.randrange(0, 100)) for _ in range(200)]
    for end in (b"\xc0\x0c", b"\x00", b"\xc0\xff", b"") * 50:
        target = rng.randbytes(rng.randrange(0, 90)) + end
        packets.append(pointer + len(target).to_bytes(2, "big") + target)

    async def story() -> None:
        async with (
            discover(interfaces=LOOPBACK, service_type=service_type, ask_server=no_answer) as discovery,
            responder(service_type) as network,
        ):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
                for packet in packets:
                    sock.sendto(packet, ("224.0.0.251", 5353))
            await network.advertise(properties=GOOD)
            await until(discovery, Appeared)

    with caplog.at_level(logging.WARNING):
        run(story)
    assert caplog.records == []


def test_more_adverts_than_a_network_can_have_are_not_kept() -> None:
    async def story() -> None:
        service_type = own_service_type()
        async with (
            discover(interfaces=LOOPBACK, service_type=service_type, ask_server=no_answer) as discovery,
            responder(service_type) as network,
        ):
            async with anyio.create_task_group() as tasks:
                for number in range(MOST_INSTANCES + 8):
                    tasks.start_soon(network.advertise, f"server {number}", {**GOOD, "id": f"{number}"})
            while len(discovery.servers) < MOST_INSTANCES:
                await anext(discovery)
            assert len(discovery.servers) == MOST_INSTANCES

    run(story)


def test_leaving_while_servers_are_being_asked_leaves_nothing_running() -> None:
    async def story() -> None:
        service_type = own_service_type()
        asked = anyio.Event()

        async def never(addresses: Sequence[Address], server: str | None) -> Answer:
            asked.set()
            await anyio.sleep_forever()
            raise AssertionError("unreachable")

        before = len(asyncio.all_tasks())
        async with (
            responder(service_type) as network,
            discover(interfaces=LOOPBACK, service_type=service_type, ask_server=never),
        ):
            await network.advertise(properties=GOOD)
            await asked.wait()
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) <= before
        with pytest.raises(KeyError):
            async with discover(interfaces=LOOPBACK, service_type=service_type, ask_server=never):
                raise KeyError("as it is")

    run(story)


def test_where_no_socket_can_be_had_the_reason_is_told_and_nothing_is_raised() -> None:
    async def story() -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with socket.socket() as lowest_free:
            number = lowest_free.fileno()
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
        try:
            async with discover(interfaces=LOOPBACK, service_type=own_service_type()) as discovery:
                assert discovery.trouble == "Too many open files"
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    run(story)


def adapter(index: int, *addresses: str) -> ifaddr.Adapter:
    ips = [ifaddr.IP((each, 0, index) if ":" in each else each, 64, f"if{index}") for each in addresses]
    return ifaddr.Adapter(f"if{index}", f"if{index}", ips, index)


def test_n01_every_interface_but_loopback_is_listened_on_whichever_comes_first() -> None:
    machine = [
        adapter(1, "127.0.0.1", "::1"),
        adapter(2, "10.8.0.6"),
        adapter(3, "fe80::3"),
        adapter(4, "192.168.1.20", "fd00::20", "fe80::20"),
    ]
    assert own_interfaces(machine) == ["10.8.0.6", "192.168.1.20", 4, 3]
    many = own_interfaces([*(adapter(at, "fe80::1") for at in range(10, 90)), *machine])
    assert len(many) == 32
    assert many[:3] == ["10.8.0.6", "192.168.1.20", 4]
