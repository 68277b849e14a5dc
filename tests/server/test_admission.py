"""Who is let in, over real sockets: limits by address, passwords, and what a flood leaves behind."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from support.live_server import LiveServer, live_server
from support.wire_client import WireClient
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_server.gate import FREE_GUESSES

SECRET = "open sesame"
WRONG = "open barley"


@pytest.fixture
def clock(mock_clock: trio.testing.MockClock) -> trio.testing.MockClock:
    """Time passes when nothing else does. The threshold lets loopback sockets be something else."""
    mock_clock.autojump_threshold = 0.02
    return mock_clock


def hello(name: str = "Nour", password: str | None = None, resume: str | None = None) -> wire.Hello:
    return wire.Hello(
        protocol_min=1, protocol_max=1, client="test", name=name, password=password, resume=resume
    )


async def answer(port: int, said: wire.Hello) -> wire.Message | None:
    async with await WireClient.connect(port) as client:
        await client.send(said)
        return await client.receive()


async def until_connected(server: LiveServer, count: int, clock: trio.testing.MockClock | None = None) -> None:
    """Wait until no more than that many connections count, while time passes if there is a clock to move."""
    for _ in range(2000):
        if len(server.app.gate) <= count:
            return
        await trio.testing.wait_all_tasks_blocked(0.005)
        if clock is not None:
            clock.jump(0.5)
    raise AssertionError(f"{len(server.app.gate)} connections still count")


def code_of(message: wire.Message | None) -> str:
    assert isinstance(message, wire.Welcome | wire.Refused), message
    return "welcome" if isinstance(message, wire.Welcome) else message.code


@pytest.mark.proves("C-12", "I-5")
async def test_one_address_has_no_more_connections_than_about_tells() -> None:
    async with live_server(max_connections_per_address=3) as server:
        clients = [await WireClient.connect(server.port) for _ in range(3)]
        await clients[0].send(wire.Describe())
        about = await clients[0].receive()
        assert isinstance(about, wire.About)
        assert about.limits.connections_per_address == 3
        for number, client in enumerate(clients):
            await client.hello(f"Player {number}")
        async with await WireClient.connect(server.port) as fourth:
            refused = await fourth.until_closed()
            assert isinstance(refused, wire.Refused)
            assert refused.code == "server_full"
            assert "from your address" in refused.message
        await trio.aclose_forcefully(clients[2].stream)
        await until_connected(server, 2)
        assert code_of(await answer(server.port, hello("Late"))) == "welcome"
        for client in clients:
            await trio.aclose_forcefully(client.stream)


async def test_new_connections_that_come_too_fast_are_told_to_wait(clock: trio.testing.MockClock) -> None:
    clock.autojump_threshold = float("inf")
    async with live_server(max_connections_per_address=40) as server:
        codes = [code_of(await answer(server.port, hello())) for _ in range(130)]
        assert codes.count("rate_limited") == 2
        assert codes[-1] == "rate_limited"
        clock.jump(1)
        assert code_of(await answer(server.port, hello())) == "welcome"


async def test_k05_a_connection_counts_until_its_socket_is_closed_and_no_longer(
    mock_clock: trio.testing.MockClock,
) -> None:
    async with live_server() as server:
        async with await WireClient.connect(server.port) as client:
            await client.hello()
            await client.stream.send_all(bytes(4))  # a fault: the server says so and waits for the client
            await client.until(wire.Goodbye)
            assert server.app.peers == {}
            assert len(server.app.gate) == 1
        await until_connected(server, 0)


async def test_a_client_that_never_closes_is_counted_out_when_the_server_has_waited_enough(
    mock_clock: trio.testing.MockClock,
) -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.stream.send_all(bytes(4))
        assert isinstance(await client.receive(), wire.Refused)
        await until_connected(server, 0, mock_clock)


@pytest.mark.proves("C-11")
async def test_p05_a_connection_has_one_try_at_the_servers_password() -> None:
    async with live_server(password=SECRET) as server, await WireClient.connect(server.port) as client:
        await client.send(hello(password=WRONG))
        last = await client.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "wrong_password"


async def test_p05_a_connection_has_one_try_at_a_token() -> None:
    async with live_server() as server, await WireClient.connect(server.port) as client:
        await client.send(hello(resume="x" * 43))
        last = await client.until_closed()
        assert isinstance(last, wire.Refused)
        assert last.code == "bad_token"


async def test_wrong_passwords_slow_down_the_next_ones_and_lock_nobody_out(
    clock: trio.testing.MockClock,
) -> None:
    # Time stands still unless the test moves it, so what is answered at once was not delayed.
    clock.autojump_threshold = float("inf")
    async with live_server(password=SECRET, hello_seconds=300, dead_seconds=7200) as server:
        async with await WireClient.connect(server.port) as seated:
            await seated.send(hello("Seated", SECRET))
            welcome = await seated.receive()
            assert isinstance(welcome, wire.Welcome)
        for _ in range(FREE_GUESSES):
            assert code_of(await answer(server.port, hello(password=WRONG))) == "wrong_password"
        for at_least in (0.5, 1.0, 2.0, 4.0, 4.0):
            code, waited = await answered_later(clock, server.port, hello(password=WRONG))
            assert code == "wrong_password"
            assert waited >= at_least
        code, waited = await answered_later(clock, server.port, hello("Guest", SECRET))
        assert code == "welcome"
        assert waited >= 2.0
        assert code_of(await answer(server.port, hello("Seated", resume=welcome.token))) == "welcome"


async def answered_later(clock: trio.testing.MockClock, port: int, said: wire.Hello) -> tuple[str, float]:
    """The answer, and how long it took at least in the time that the test moves."""
    began = trio.current_time()
    answers: list[wire.Message | None] = []

    async def ask() -> None:
        answers.append(await answer(port, said))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        while True:
            await trio.testing.wait_all_tasks_blocked(0.02)
            if answers:
                break
            clock.jump(0.5)
    return code_of(answers[0]), trio.current_time() - began


async def test_what_is_said_behind_a_password_that_waits_is_answered_in_order(
    clock: trio.testing.MockClock,
) -> None:
    async with live_server(password=SECRET, hello_seconds=300, dead_seconds=7200) as server:
        for _ in range(FREE_GUESSES + 2):
            await answer(server.port, hello(password=WRONG))
        async with await WireClient.connect(server.port) as client:
            frames = [client.connection.send(hello(password=SECRET))]
            frames += [encode(wire.ListTables(id=number)) for number in range(1, 30)]
            await client.stream.send_all(b"".join(frames))
            assert isinstance(await client.receive(), wire.Welcome)
            replies = [await client.until(wire.Tables) for _ in range(1, 30)]
            assert [reply.id for reply in replies if isinstance(reply, wire.Tables)] == list(range(1, 30))


async def test_who_hangs_up_while_the_password_waits_leaves_nothing_behind(
    clock: trio.testing.MockClock,
) -> None:
    async with live_server(password=SECRET, hello_seconds=300, dead_seconds=7200) as server:
        for _ in range(FREE_GUESSES + 2):
            await answer(server.port, hello(password=WRONG))
        for _ in range(5):
            client = await WireClient.connect(server.port)
            await client.send(hello(password=SECRET))
            client.cut()
        await until_connected(server, 0, clock)
        assert server.app.peers == {}
        assert all(session.is_connected is False for session in server.app.lobby.sessions)
