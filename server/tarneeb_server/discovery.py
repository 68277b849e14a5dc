"""Telling the local network that this server is here (``docs/protocol.md``, "Finding a server").

DNS-SD over multicast DNS, by zeroconf, which runs on asyncio: it has a thread and a loop of its own, is
imported there, and never keeps trio's loop waiting. Whatever goes wrong in it is a line of the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

import trio

from tarneeb_engine.seats import Seat
from tarneeb_protocol.advert import SERVICE_TYPE, Advert, shortened, txt_properties
from tarneeb_server.logs import LOGGER_NAME, format_event
from tarneeb_server.reach import Reach, reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from zeroconf import ServiceInfo, Zeroconf

    from tarneeb_protocol.messages import About
    from tarneeb_server.lobby import Lobby
    from tarneeb_server.table import Table

LOOK_SECONDS = 1.0
"""How often the tables are looked at for what has changed."""
UPDATE_SECONDS = 5.0
"""At least this long between two announcements of changes: each is a packet to everybody on the network."""
RESCAN_SECONDS = 30.0
"""How often the machine's addresses are looked at: a laptop joins a network after its server has started."""
STOP_SECONDS = 1.0
"""How long the end may take: three packets, an eighth of a second apart."""
TTL_SECONDS = 120
"""How long the network remembers a server that ended without a word."""
MOST_LABEL_BYTES = 59
"""A label of the DNS has 63; four are left for the number that a name gets that somebody has already."""
ID_CHARS_SHOWN = 6

logger = logging.getLogger(LOGGER_NAME)


def instance_label(name: str, server_id: str) -> str:
    """The name of the instance: the server's name, cut to what fits, and the beginning of its id.

    With the id, several servers may have one name. Dots part labels, so there are none.
    """
    suffix = f" ({server_id[:ID_CHARS_SHOWN]})"
    plain = "".join(
        " " if character == "." or unicodedata.category(character)[0] in "CZ" else character
        for character in unicodedata.normalize("NFC", name)
    )
    return shortened(" ".join(plain.split()), MOST_LABEL_BYTES - len(suffix)).strip() + suffix


@dataclass(frozen=True, slots=True)
class _Told:
    """All that the network is told, to compare with what it was told before."""

    advert: Advert
    reach: Reach


class Advertiser:
    """Advertises one server from ``start`` to ``stop``; both and ``tell`` may be called from any thread.

    ``look`` says where the server can be reached; it is called in the advertiser's thread, again and again. The
    default service type is that of the protocol; tests take others, to be alone.
    """

    def __init__(
        self,
        advert: Advert,
        port: int,
        look: Callable[[], Reach],
        *,
        service_type: str = SERVICE_TYPE,
        update_seconds: float = UPDATE_SECONDS,
        rescan_seconds: float = RESCAN_SECONDS,
    ) -> None:
        self._advert = advert
        self._port = port
        self._look = look
        self._service_type = service_type
        self._update_seconds = update_seconds
        self._rescan_seconds = rescan_seconds
        self._host = _new_host()
        self._name = f"{instance_label(advert.name, advert.server)}.{service_type}"
        self._thread = threading.Thread(target=self._run, name="discovery", daemon=True)
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._wake: asyncio.Event | None = None
        self._is_stopping = False
        self._has_complained = False

    def start(self) -> None:
        """Begin, and return at once."""
        self._thread.start()

    def tell(self, free_seats: int, seats: int) -> None:
        """Change what is told of the tables; the network hears of it within ``update_seconds``."""
        with self._lock:
            advert = replace(self._advert, free_seats=free_seats, seats=seats)
            if advert == self._advert:
                return
            self._advert = advert
            if self._loop is not None and self._wake is not None:
                self._loop.call_soon_threadsafe(self._wake.set)

    def stop(self, timeout: float = STOP_SECONDS) -> None:
        """Say goodbye and end; waits for it, ``timeout`` seconds at most."""
        with self._lock:
            self._is_stopping = True
            if self._loop is not None and self._task is not None:
                self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(timeout)

    # ------------------------------------------------------------ in the thread

    def _run(self) -> None:
        _silence_zeroconf()
        try:
            asyncio.run(self._advertise())
        except asyncio.CancelledError:
            pass
        except ImportError as error:
            self._complain(f"the package zeroconf cannot be used: {error}")
        except Exception:
            logger.exception("event=discovery_failed")

    async def _advertise(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_log_trouble)
        wake = asyncio.Event()
        with self._lock:
            if self._is_stopping:
                return
            self._loop, self._task, self._wake = loop, asyncio.current_task(), wake
        try:
            await self._keep_trying(wake)
        finally:
            with self._lock:  # nothing is called in a loop that has ended
                self._loop = None

    async def _keep_trying(self, wake: asyncio.Event) -> None:
        from zeroconf import Error  # noqa: PLC0415  (in this thread, so that nobody waits for it)

        while True:
            try:
                where = self._look()
                if where.addresses:
                    await self._serve(where, wake)
                self._complain("this machine has no address that another could reach")
            except (OSError, RuntimeError, Error) as error:
                self._complain(str(error) or type(error).__name__)
            await asyncio.sleep(self._rescan_seconds)

    async def _serve(self, where: Reach, wake: asyncio.Event) -> NoReturn:
        """Advertise until cancelled. Raises ``OSError``, ``RuntimeError`` and ``zeroconf.Error``."""
        from zeroconf import IPVersion  # noqa: PLC0415
        from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415

        def version(interfaces: Iterable[str | int]) -> IPVersion:
            kinds = {isinstance(interface, int) for interface in interfaces}
            return IPVersion.All if len(kinds) > 1 else IPVersion.V6Only if True in kinds else IPVersion.V4Only

        async with AsyncZeroconf(list(where.interfaces), ip_version=version(where.interfaces)) as responder:
            await _started(responder.zeroconf)
            told = _Told(self._advert, where)
            first = self._service(told)
            announcing = await responder.async_register_service(first, allow_name_change=True)
            self._name = first.name
            logger.info("%s", format_event("discoverable", (("instance", self._instance()),)))
            self._has_complained = False
            await announcing
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(wake.wait(), self._rescan_seconds)
                wake.clear()
                where = self._look()
                now = _Told(self._advert, where if where.addresses else told.reach)
                if now == told:
                    continue
                if now.reach != told.reach:
                    self._host = _new_host()  # to which no address belongs that the network still remembers
                    interfaces = list(now.reach.interfaces)
                    await responder.zeroconf.async_update_interfaces(interfaces, version(interfaces))
                told = now
                await (await responder.async_update_service(self._service(told)))
                await asyncio.sleep(self._update_seconds)

    def _service(self, told: _Told) -> ServiceInfo:
        from zeroconf import ServiceInfo  # noqa: PLC0415

        return ServiceInfo(
            self._service_type,
            self._name,
            port=self._port,
            properties=dict(txt_properties(told.advert)),
            server=self._host,
            parsed_addresses=list(told.reach.addresses),
            host_ttl=TTL_SECONDS,
            other_ttl=TTL_SECONDS,
        )

    def _instance(self) -> str:
        return self._name.removesuffix(f".{self._service_type}")

    def _complain(self, reason: str) -> None:
        """Once until it works again: it is tried anew for as long as the server runs."""
        if not self._has_complained:
            logger.warning("%s", format_event("not_discoverable", (("reason", reason),)))
        self._has_complained = True


async def _started(zeroconf: Zeroconf) -> None:
    """Wait for it even when cancelled: closed while it opens its sockets, zeroconf leaves some of them open."""
    starting = asyncio.ensure_future(zeroconf.async_wait_for_start())
    try:
        await asyncio.shield(starting)
    finally:
        await starting


def _new_host() -> str:
    """Of this server alone: the machine's may be advertised by another program too, with other addresses."""
    return f"tarneeb-{secrets.token_hex(4)}.local."


def _silence_zeroconf() -> None:
    """What it would say of the packets of others is not for the host."""
    theirs = logging.getLogger("zeroconf")
    theirs.propagate = False
    theirs.setLevel(logging.CRITICAL + 1)


def _log_trouble(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception in a callback of zeroconf, such as a network that is down."""
    reason = context.get("exception") or context.get("message")
    logger.debug("%s", format_event("discovery_trouble", (("reason", str(reason)),)))


def count_seats(tables: Iterable[Table]) -> tuple[int, int]:
    """The seats that a newcomer can take, and all seats. A bot's can be taken; one of a locked table cannot."""
    free = every = 0
    for table in tables:
        every += len(Seat)
        if table.options.password is None:
            free += len(Seat) - len(table.seating.players)
    return free, every


async def advertise(advert: Advert, listening: Sequence[tuple[str, int]], lobby: Lobby) -> None:
    """Advertise a server until cancelled, then say goodbye, which takes ``STOP_SECONDS`` at most.

    ``listening`` are the addresses and ports it listens on. When all are loopback it is for this machine alone,
    and nothing is done.
    """
    hosts = [host for host, _ in listening]
    if all(_is_loopback(host) for host in hosts):
        return
    advertiser = Advertiser(advert, listening[0][1], lambda: _look(hosts))
    advertiser.start()
    try:
        while True:
            advertiser.tell(*count_seats(lobby.tables.values()))
            await trio.sleep(LOOK_SECONDS)
    finally:
        with trio.move_on_after(STOP_SECONDS + 0.5, shield=True):
            await trio.to_thread.run_sync(advertiser.stop, abandon_on_cancel=True)


def advert_of(about: About, *, has_tls: bool) -> Advert:
    """The advert of a server that says this of itself; of its tables nothing yet."""
    return Advert(
        server=about.server,
        name=about.server_name,
        protocol_min=about.protocol_min,
        protocol_max=about.protocol_max,
        free_seats=0,
        seats=0,
        rules=tuple(preset.name for preset in about.presets),
        needs_password=about.needs_password,
        has_tls=has_tls,
    )


def _is_loopback(address: str) -> bool:
    return address == "::1" or address.startswith("127.")


def _look(listening: Sequence[str]) -> Reach:
    import ifaddr  # noqa: PLC0415

    return reach(listening, ifaddr.get_adapters())
