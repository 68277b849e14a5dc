"""Adverts of the test's own making, on loopback alone, under a service type that no other test has."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TypeAlias

from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

LOOPBACK = ("127.0.0.1",)
GOOD: Mapping[str, str] = {
    "id": "d03c0d",
    "v": "1",
    "name": "Majlis",
    "seats": "5/12",
    "rules": "tarneeb",
    "pw": "0",
}

Properties: TypeAlias = Mapping[str, str] | Mapping[str | bytes, str | bytes | None]

_numbers = itertools.count()


def own_service_type() -> str:
    """A service type for one test: others run beside it on the same loopback."""
    return f"_t{os.getpid():x}-{next(_numbers):x}._tcp.local."


class Responder:
    """Whoever answers on the network, hostile or not; it does not ask first whether a name is free."""

    def __init__(self, zeroconf: AsyncZeroconf, service_type: str) -> None:
        self.service_type = service_type
        self._zeroconf = zeroconf
        self._services: dict[str, ServiceInfo] = {}

    async def advertise(
        self,
        label: str = "Majlis",
        properties: Properties | bytes = b"",
        *,
        port: int = 31313,
        addresses: tuple[str, ...] = LOOPBACK,
    ) -> None:
        """Advertise an instance, or change what was advertised under the same label."""
        service = ServiceInfo(
            self.service_type,
            f"{label}.{self.service_type}",
            port=port,
            properties=properties if isinstance(properties, bytes) else dict(properties),
            server=f"host-{os.getpid()}-{next(_numbers)}.local.",
            parsed_addresses=list(addresses),
        )
        if label in self._services:
            await (await self._zeroconf.async_update_service(service))
        else:
            await (
                await self._zeroconf.async_register_service(service, cooperating_responders=True, strict=False)
            )
        self._services[label] = service

    async def withdraw(self, label: str = "Majlis") -> None:
        """Say goodbye for an instance."""
        await (await self._zeroconf.async_unregister_service(self._services.pop(label)))


@asynccontextmanager
async def responder(service_type: str) -> AsyncIterator[Responder]:
    """A responder on loopback; at the end it says goodbye for all that it advertised. asyncio alone."""
    async with AsyncZeroconf(interfaces=list(LOOPBACK)) as zeroconf:
        yield Responder(zeroconf, service_type)
