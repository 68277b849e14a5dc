"""Asking a server what it is, at several addresses."""

from __future__ import annotations

import anyio
import pytest
import trio
from anyio.abc import ByteStream

from support.fake_server import FakeServer
from tarneeb_client.addresses import Address
from tarneeb_client.asking import ASK_SECONDS, STAGGER_SECONDS, Answer, NoAnswer, ask
from tarneeb_client.dialling import Dial
from tarneeb_protocol import messages as m
from tarneeb_server.about import about
from tarneeb_server.settings import Settings

ABOUT = about(Settings(name="Majlis"), "f00d")
ONE, TWO, THREE = (Address(f"192.168.1.{last}") for last in (1, 2, 3))


class Network:
    """Fake servers by address; others are silent. ``dials`` says when each was tried."""

    def __init__(self, **servers: FakeServer) -> None:
        self.servers: dict[Address, FakeServer] = {}
        self.dials: list[tuple[float, Address]] = []

    def dialer(self, address: Address) -> Dial:
        async def dial() -> ByteStream:
            self.dials.append((trio.current_time(), address))
            if address not in self.servers:
                await anyio.sleep_forever()
            return await self.servers[address].dial()

        return dial

    async def ask(self, *addresses: Address, server: str | None = "f00d") -> Answer:
        return await ask(addresses, server, dialer=self.dialer)


async def answer_with(server: FakeServer, message: m.Message, after: float = 0.0) -> None:
    accepted = await server.accept()
    assert isinstance(await accepted.hear(), m.Describe)
    await trio.sleep(after)
    with trio.CancelScope() as scope:
        await accepted.say(message)
        scope.cancel()


async def test_the_answer_tells_what_the_server_is_and_how_long_it_took(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    network.servers[ONE] = FakeServer()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[ONE], ABOUT, 0.018)
        answer = await network.ask(ONE)
    assert (answer.address, answer.about) == (ONE, ABOUT)
    assert answer.ping_seconds == pytest.approx(0.018)


@pytest.mark.proves("Z-9")
async def test_addresses_are_tried_250_ms_apart_and_the_first_that_answers_is_taken(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    network.servers[TWO], network.servers[THREE] = FakeServer(), FakeServer()
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[TWO], ABOUT, 0.5)
        nursery.start_soon(answer_with, network.servers[THREE], ABOUT, 0.1)
        answer = await network.ask(ONE, TWO, THREE)
        nursery.cancel_scope.cancel()
    assert answer.address == THREE
    assert [address for _, address in network.dials] == [ONE, TWO, THREE]
    assert [at - began for at, _ in network.dials] == pytest.approx([0, STAGGER_SECONDS, 2 * STAGGER_SECONDS])
    assert trio.current_time() - began == pytest.approx(2 * STAGGER_SECONDS + 0.1)


@pytest.mark.proves("Z-9")
async def test_after_an_address_that_refuses_the_next_is_tried_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    network.servers[ONE], network.servers[TWO] = FakeServer(), FakeServer()
    network.servers[ONE].is_down = True
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[TWO], ABOUT)
        assert (await network.ask(ONE, TWO)).address == TWO
    assert trio.current_time() == began


@pytest.mark.proves("Z-8")
async def test_another_server_at_an_advertised_address_is_not_taken_for_the_one_that_was_found(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    network.servers[ONE], network.servers[TWO] = FakeServer(), FakeServer()
    stranger = about(Settings(name="Stranger"), "0ther")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[ONE], stranger)
        nursery.start_soon(answer_with, network.servers[TWO], ABOUT)
        assert (await network.ask(ONE, TWO)).about == ABOUT
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[ONE], stranger)
        with pytest.raises(NoAnswer, match="another server answers there"):
            await network.ask(ONE)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[ONE], stranger)
        assert (await network.ask(ONE, server=None)).about == stranger


async def test_v06_a_server_that_is_too_old_for_the_question_still_tells_its_versions(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    network.servers[ONE] = FakeServer()
    refused = m.Refused(code="hello_expected", message="say hello", protocol_min=2, protocol_max=3)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[ONE], refused)
        answer = await network.ask(ONE)
    assert (answer.about, answer.protocol_min, answer.protocol_max, answer.reason) == (None, 2, 3, None)


async def test_a_server_that_asks_for_tls_first_can_be_played_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    network.servers[ONE] = FakeServer()
    refused = m.Refused(code="tls_required", message="TLS alone", protocol_min=1, protocol_max=1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[ONE], refused)
        answer = await network.ask(ONE)
    assert (answer.about, answer.needs_tls, answer.reason) == (None, True, None)


async def test_a_server_that_refuses_says_why_and_cannot_command_the_terminal(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    network.servers[ONE] = FakeServer()
    refused = m.Refused(code="server_full", message="no \x1b[2J room", protocol_min=1, protocol_max=1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer_with, network.servers[ONE], refused)
        answer = await network.ask(ONE)
    assert answer.reason == "the server refused: no ␛[2J room (server_full)"


async def test_what_is_silent_or_no_server_or_gone_gives_no_answer_in_bounded_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    network = Network()
    began = trio.current_time()
    with pytest.raises(NoAnswer, match="does not answer"):
        await network.ask(ONE, TWO)
    assert trio.current_time() - began == pytest.approx(ASK_SECONDS)

    network.servers[ONE] = FakeServer()
    network.servers[ONE].is_down = True
    with pytest.raises(NoAnswer, match="no server listens there"):
        await network.ask(ONE)

    for said, why in ((b"HTTP/1.1 400 Bad Request\r\n", "broke the protocol"), (b"", "connection was closed")):
        network.servers[TWO] = FakeServer()

        async def speak(server: FakeServer = network.servers[TWO], said: bytes = said) -> None:
            accepted = await server.accept()
            if said:
                await accepted.stream.send(said)
            await accepted.cut()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(speak)
            with pytest.raises(NoAnswer, match=why):
                await network.ask(TWO)
