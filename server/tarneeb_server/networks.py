"""Where a connection comes from, as far as its limits go."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_server.settings import Settings

CONNECTIONS_FROM_ONE_NETWORK = 64
"""A club of eight tables behind one router, twice: a connection that was lost counts until it is noticed."""
IPV6_SITE_BITS = 64
"""What a provider gives one household, at least: whoever has it has every address in it."""


def network_of(address: str) -> str:
    """Whom the connections from an address are counted for: an IPv4 address by itself, an IPv6 address by its
    /64, an IPv4 address written as IPv6 as what it is. Any other text stands for itself.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    if parsed.is_loopback:
        return str(parsed)
    return str(ipaddress.ip_network((int(parsed), IPV6_SITE_BITS), strict=False))


def connections_from(network: str, settings: Settings) -> int | None:
    """How many connections a network may have, ``None`` for any number."""
    if settings.max_connections_per_address is not None:
        return settings.max_connections_per_address
    return None if is_this_machine(network) else CONNECTIONS_FROM_ONE_NETWORK


def is_this_machine(network: str) -> bool:
    """Whether it is loopback: programs of this machine, and everybody who comes through a tunnel or a proxy on
    it.
    """
    try:
        return ipaddress.ip_address(network).is_loopback
    except ValueError:
        return False
