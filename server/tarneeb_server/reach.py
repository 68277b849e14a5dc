"""Where on the local network a server can be reached: which addresses to tell, and on which interfaces."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    import ifaddr

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

MOST_ADDRESSES = 16
"""Addresses told: a client tries them one after the other, and all have to fit one packet."""


@dataclass(frozen=True, slots=True)
class Reach:
    """``addresses`` as text, IPv4 first. ``interfaces`` in the form that zeroconf takes: the IPv4 addresses of
    those with IPv4, the system's index of those with IPv6. Both are empty when no other machine can come.
    """

    addresses: tuple[str, ...] = ()
    interfaces: tuple[str | int, ...] = ()


def reach(listening: Iterable[str], adapters: Iterable[ifaddr.Adapter]) -> Reach:
    """The reach of a server that listens on these addresses, of a machine with these adapters.

    ``listening`` are IP addresses; ``0.0.0.0`` and ``::`` stand for all of their family. Link-local addresses
    are told only where there are no others: each virtual interface has one, and most lead nowhere.
    """
    wanted = {ipaddress.ip_address(text.partition("%")[0]) for text in listening}
    every = {address.version for address in wanted if address.is_unspecified}
    found: dict[IPAddress, str | int] = {}
    for adapter in adapters:
        for entry in adapter.ips:
            address = _read(entry.ip if isinstance(entry.ip, str) else entry.ip[0])
            if address is None or address.is_loopback or address in found:
                continue
            if address.version not in every and address not in wanted:
                continue
            if address.version == 4:
                found[address] = str(address)
            elif adapter.index is not None:
                found[address] = adapter.index
    if any(not address.is_link_local for address in found):
        found = {address: interface for address, interface in found.items() if not address.is_link_local}
    ordered = sorted(found, key=lambda address: (address.version, int(address)))[:MOST_ADDRESSES]
    return Reach(
        addresses=tuple(str(address) for address in ordered),
        interfaces=tuple(dict.fromkeys(found[address] for address in ordered)),
    )


def _read(text: str) -> IPAddress | None:
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
