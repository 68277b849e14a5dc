"""Finding servers on the local network (``docs/protocol.md``, "Finding a server").

DNS-SD over multicast DNS, by zeroconf.

zeroconf runs on asyncio alone, and so does this::

    async with discover() as discovery:
        async for change in discovery:  # Appeared, Changed, Gone; without end
            ...
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress

import anyio
import ifaddr
from zeroconf import Error, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from tarneeb_client.addresses import Address
from tarneeb_client.asking import Answer, NoAnswer, ask
from tarneeb_client.found import Change, Findings, FoundServer, Gone, usable_addresses
from tarneeb_client.language import _
from tarneeb_protocol.advert import SERVICE_TYPE, BadAdvertError, read_properties
from tarneeb_protocol.text import harmless

RESOLVE_MILLISECONDS = 3000
"""How long the addresses of an advert may take; they mostly come with it."""
ASKED_AT_ONCE = 8
CHANGES_BUFFERED = 1024
"""Changes kept for a slow reader."""
NEWS_BUFFERED = 1024
"""Names of adverts that wait to be looked at: more come from a fault, or an attack."""
MOST_INTERFACES = 32
CLOSE_SECONDS = 1.0
"""How long the end may take."""

Ask = Callable[[Sequence[Address], str | None], Awaitable[Answer]]
"""Asks a server what it is, at one of these addresses; raises ``NoAnswer``."""


class Discovery:
    """Servers as they appear, change and go; made by ``discover``. Iterate over it in one task."""

    def __init__(self, ask_server: Ask, service_type: str, *, with_loopback: bool) -> None:
        self.trouble: str | None = None
        """Why nothing can be heard on this machine; servers that are remembered are still asked."""
        self._ask = ask_server
        self._service_type = service_type
        self._with_loopback = with_loopback
        self._findings = Findings()
        self._present: set[str] = set()
        self._asked: dict[str, frozenset[Address]] = {}
        self._news: asyncio.Queue[tuple[Zeroconf, str, ServiceStateChange]] = asyncio.Queue(NEWS_BUFFERED)
        self._limit = anyio.CapacityLimiter(ASKED_AT_ONCE)
        self._tasks = anyio.create_task_group()
        self._changes, self._heard = anyio.create_memory_object_stream[Change](CHANGES_BUFFERED)

    @property
    def servers(self) -> tuple[FoundServer, ...]:
        """Every server known now, in the order in which they were found."""
        return self._findings.servers

    def __aiter__(self) -> AsyncIterator[Change]:
        return self

    async def __anext__(self) -> Change:
        return await self._heard.receive()

    # ------------------------------------------------------------ what is heard

    def _on_change(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        # Called by the loop, outside any task: an exception here would go to the loop's handler.
        with suppress(asyncio.QueueFull):
            self._news.put_nowait((zeroconf, name, state_change))

    async def _take_in(self) -> None:
        while True:
            zeroconf, name, state_change = await self._news.get()
            if state_change is ServiceStateChange.Removed:
                self._present.discard(name)
                self._tell(self._findings.withdrawn(name))
            else:
                self._present.add(name)
                self._tasks.start_soon(self._resolve, zeroconf, name)

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        try:
            service = AsyncServiceInfo(self._service_type, name)
            if not await service.async_request(zeroconf, RESOLVE_MILLISECONDS) or name not in self._present:
                return
            advert = read_properties(service.properties)
        except (Error, BadAdvertError, OSError, ValueError):
            return  # whoever sent it is no server that could be joined
        addresses = usable_addresses(
            service.parsed_scoped_addresses(IPVersion.All), service.port, with_loopback=self._with_loopback
        )
        if not addresses:
            return
        self._tell(self._findings.advertised(name, advert, addresses))
        self._ask_if_new(advert.server)

    def _ask_if_new(self, server: str) -> None:
        found = self._findings.get(server)
        if found is not None and self._asked.get(server) != frozenset(found.addresses):
            self._asked[server] = frozenset(found.addresses)
            self._tasks.start_soon(self._ask_advertised, server, found.addresses)

    async def _ask_advertised(self, server: str, addresses: Sequence[Address]) -> None:
        answer: Answer | str
        try:
            async with self._limit:
                answer = await self._ask(addresses, server)
        except NoAnswer as error:
            answer = str(error)
        if self._findings.get(server) is not None:
            self._tell(self._findings.answered(server, answer))

    async def _ask_remembered(self, address: Address) -> None:
        try:
            async with self._limit:
                answer = await self._ask((address,), None)
        except NoAnswer:
            return
        self._tell(self._findings.remembered(answer))

    def _tell(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, Gone):
                self._asked.pop(change.server.server, None)
            with suppress(anyio.WouldBlock):  # nobody reads; ``servers`` has it all
                self._changes.send_nowait(change)

    # ------------------------------------------------------------ life

    @asynccontextmanager
    async def _listening(self, interfaces: Sequence[str | int]) -> AsyncIterator[None]:
        """Hear adverts while the block runs; where that cannot be, ``trouble`` says why."""
        zeroconf: AsyncZeroconf | None = None
        if not interfaces:
            self.trouble = _("this machine is on no network")
        else:
            try:
                zeroconf = AsyncZeroconf(list(interfaces), ip_version=_ip_version(interfaces))
            except (OSError, RuntimeError, Error) as error:
                reason = error.strerror if isinstance(error, OSError) else None
                self.trouble = harmless(reason or str(error) or type(error).__name__)
        if zeroconf is None:
            yield
            return
        self._tasks.start_soon(self._take_in)
        try:
            # Closed while it opens its sockets, it leaves some of them open.
            with anyio.CancelScope(shield=True):
                await zeroconf.zeroconf.async_wait_for_start()
            browser = AsyncServiceBrowser(zeroconf.zeroconf, self._service_type, handlers=[self._on_change])
            try:
                yield
            finally:
                # Before the close, which a browser that has just begun complains of.
                with anyio.move_on_after(CLOSE_SECONDS, shield=True):
                    await browser.async_cancel()
        finally:
            self._tasks.cancel_scope.cancel()
            with anyio.move_on_after(CLOSE_SECONDS, shield=True):
                await zeroconf.async_close()


@asynccontextmanager
async def discover(
    *,
    remembered: Iterable[Address] = (),
    interfaces: Sequence[str | int] | None = None,
    service_type: str = SERVICE_TYPE,
    ask_server: Ask = ask,
) -> AsyncIterator[Discovery]:
    """Look for servers while the block runs. asyncio alone.

    ``remembered`` are addresses where servers were before: they are asked too, and those that answer appear as
    if they were advertised. ``interfaces`` are the IPv4 addresses of those to listen on, and for IPv6 the
    indexes that the system gives them; all but loopback unless given. An exception of the block comes out as it
    is.
    """
    _silence_zeroconf()
    chosen = own_interfaces(ifaddr.get_adapters()) if interfaces is None else interfaces
    discovery = Discovery(ask_server, service_type, with_loopback=any(_is_loopback(each) for each in chosen))
    try:
        async with discovery._tasks:
            for address in dict.fromkeys(remembered):
                discovery._tasks.start_soon(discovery._ask_remembered, address)
            try:
                async with discovery._listening(chosen):
                    yield discovery
            finally:
                discovery._tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        if len(group.exceptions) == 1:
            raise group.exceptions[0] from None
        raise
    finally:
        discovery._changes.close()
        discovery._heard.close()


def own_interfaces(adapters: Iterable[ifaddr.Adapter]) -> list[str | int]:
    """All interfaces but loopback, each by itself: the first in the system's table may lead into a VPN.

    Those that have nothing but a link-local address come last, and are left out when there are very many.
    """
    near: dict[str | int, None] = {}
    far: dict[str | int, None] = {}
    for adapter in adapters:
        for entry in adapter.ips:
            text = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
            try:
                address = ipaddress.ip_address(text.partition("%")[0])
            except ValueError:
                continue
            interface = text if address.version == 4 else adapter.index
            if interface is not None and not address.is_loopback:
                (near if address.is_link_local else far)[interface] = None
    return [*far, *(each for each in near if each not in far)][:MOST_INTERFACES]


def _ip_version(interfaces: Iterable[str | int]) -> IPVersion:
    of_six = {isinstance(interface, int) for interface in interfaces}
    return IPVersion.All if len(of_six) > 1 else IPVersion.V6Only if True in of_six else IPVersion.V4Only


def _is_loopback(interface: str | int) -> bool:
    return isinstance(interface, str) and ipaddress.ip_address(interface).is_loopback


def _silence_zeroconf() -> None:
    """What it would say of the packets of others is not for a player."""
    theirs = logging.getLogger("zeroconf")
    theirs.propagate = False
    theirs.setLevel(logging.CRITICAL + 1)
