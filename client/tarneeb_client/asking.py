"""Asking a server what it is, at whichever of its addresses answers first (``docs/protocol.md``, "Asking before
hello" and "Finding a server").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import anyio
from anyio.abc import ByteStream

from tarneeb_client.addresses import Address
from tarneeb_client.dialling import Dial, tcp
from tarneeb_client.language import _
from tarneeb_client.wording import connection as wording
from tarneeb_protocol import messages as m
from tarneeb_protocol.connection import NEED_DATA, Connection, ConnectionClosed, Role
from tarneeb_protocol.errors import ErrorCode, RemoteProtocolError

STAGGER_SECONDS = 0.25
"""Between the first tries of two addresses, unless the one before has failed already (RFC 8305, section 5)."""
ASK_SECONDS = 3.0
"""How long all addresses together may take: beyond it a server is too slow to play on."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said of itself, and how long that took: seconds between the question and the answer.

    ``about`` is ``None`` where it refused to say; ``reason`` then tells why, and the versions are those of the
    refusal. One that is too old to know the question, or asks for TLS first, gives no reason: it can be played
    on. The question is asked in plain alone, so that nobody has to trust a certificate to see a list.
    """

    address: Address
    ping_seconds: float
    protocol_min: int
    protocol_max: int
    about: m.About | None = None
    needs_tls: bool = False
    reason: str | None = None


class NoAnswer(Exception):
    """No address answers as the server that was asked for; the text says why the first of them did not."""


async def ask(
    addresses: Sequence[Address], server: str | None = None, *, dialer: Callable[[Address], Dial] = tcp
) -> Answer:
    """Ask at all addresses, 250 ms apart, and return the first answer.

    With ``server``, an answer of a server with another id counts as none: the address of a container's network,
    for one, means another machine here than there. Raises ``NoAnswer``.
    """
    answers: list[Answer] = []
    reasons: dict[Address, str] = {}
    with anyio.move_on_after(ASK_SECONDS):
        async with anyio.create_task_group() as tasks:

            async def attempt(address: Address, failed: anyio.Event) -> None:
                try:
                    answer = await _ask_at(address, dialer(address), server)
                except (NoAnswer, OSError) as error:
                    reasons[address] = _reason(error)
                    failed.set()
                    return
                answers.append(answer)
                tasks.cancel_scope.cancel()

            for address in addresses:
                failed = anyio.Event()
                tasks.start_soon(attempt, address, failed)
                with anyio.move_on_after(STAGGER_SECONDS):
                    await failed.wait()
    if answers:
        return answers[0]
    raise NoAnswer(next((reasons[address] for address in addresses if address in reasons), wording.no_answer()))


def _reason(error: NoAnswer | OSError) -> str:
    if isinstance(error, TimeoutError):
        return wording.no_answer()
    return wording.no_connection(error) if isinstance(error, OSError) else str(error)


async def _ask_at(address: Address, dial: Dial, server: str | None) -> Answer:
    stream = await dial()
    try:
        answer = await _asked(address, stream)
    except RemoteProtocolError as error:
        raise NoAnswer(wording.broken_protocol(error.message)) from None
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        raise NoAnswer(wording.closed()) from None
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.aclose_forcefully(stream)
    if server is not None and answer.about is not None and answer.about.server != server:
        raise NoAnswer(_("another server answers there"))
    return answer


async def _asked(address: Address, stream: ByteStream) -> Answer:
    connection = Connection(Role.CLIENT)
    asked_at = anyio.current_time()
    await stream.send(connection.send(m.Describe()))
    while True:
        match connection.next_event():
            case m.About() as about:
                ping = anyio.current_time() - asked_at
                return Answer(address, ping, about.protocol_min, about.protocol_max, about)
            case m.Refused() as refused:
                ping = anyio.current_time() - asked_at
                # One that is older than the question, whose versions are all there is to learn.
                needs_tls = refused.code == ErrorCode.TLS_REQUIRED
                is_fine = needs_tls or refused.code == ErrorCode.HELLO_EXPECTED
                return Answer(
                    address,
                    ping,
                    refused.protocol_min,
                    refused.protocol_max,
                    needs_tls=needs_tls,
                    reason=None if is_fine else wording.refused(refused),
                )
            case event if event is NEED_DATA:
                try:
                    connection.receive_data(await stream.receive())
                except anyio.EndOfStream:
                    connection.receive_data(b"")
            case ConnectionClosed():
                raise NoAnswer(wording.closed())
            case _:
                raise NoAnswer(wording.no_welcome(_("it says something else")))
