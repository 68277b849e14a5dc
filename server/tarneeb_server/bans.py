"""Who may not come: names, and addresses or whole networks, for ever or for a while."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tarneeb_protocol.names import NameKeys, name_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

MOST_BANS = 1000
"""Each hello is compared with every one; so many take a tenth of a millisecond."""

_LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))

_OF_AN_ADDRESS = re.compile(r"[0-9A-Fa-f:.\[\]/*%x-]+")


@dataclass(frozen=True, slots=True)
class Ban:
    """One ban, of ``name`` as it was typed or of ``network``; the other is ``None``. ``until`` is the server's
    time in seconds, ``None`` for ever. ``number`` names it among those in force.
    """

    number: int
    name: str | None
    network: Network | None
    reason: str
    until: float | None

    @property
    def what(self) -> str:
        """What is banned, as a host types it: one address without its ``/32``."""
        if self.network is None:
            return self.name or ""
        return format_network(self.network)


def format_network(network: Network) -> str:
    """A network, or the one address that it is."""
    return str(network.network_address if network.num_addresses == 1 else network)


def parse_network(text: str) -> Network | None:
    """An address, or a network as ``192.168.7.0/24``; ``None`` for text that is neither. Bits of an address
    behind its network's length count for nothing.
    """
    try:
        network = ipaddress.ip_network(text.strip().strip("[]"), strict=False)
    except ValueError:
        return None
    if isinstance(network, ipaddress.IPv6Network) and network.num_addresses == 1:
        mapped = network.network_address.ipv4_mapped
        if mapped is not None:
            return ipaddress.ip_network(mapped)
    return network


def looks_like_network(text: str) -> bool:
    """Whether somebody who typed this meant an address or a network, whether or not it is one."""
    typed = "".join(text.split())
    if not any(character.isdigit() for character in typed) or not _OF_AN_ADDRESS.fullmatch(typed):
        return False
    return "/" in typed or typed.count(".") > 1 or typed.count(":") > 1


def holds_loopback(network: Network) -> bool:
    """Whether somebody on this machine, or behind a proxy on it, would be banned."""
    return any(network.version == loopback.version and network.overlaps(loopback) for loopback in _LOOPBACK)


class Bans:
    """The bans in force."""

    def __init__(self) -> None:
        self._by_number: dict[int, Ban] = {}
        self._names: dict[int, NameKeys] = {}
        self._networks: dict[Network, Ban] = {}

    def __len__(self) -> int:
        return len(self._by_number)

    def __iter__(self) -> Iterator[Ban]:
        return iter(self._by_number.values())

    def next_number(self) -> int:
        """A number that no ban in force has."""
        return max(self._by_number, default=0) + 1

    def add(self, ban: Ban) -> None:
        """Put it in force. What it bans is not banned yet."""
        self._by_number[ban.number] = ban
        if ban.network is not None:
            self._networks[ban.network] = ban
        else:
            self._names[ban.number] = name_keys(ban.name or "")

    def remove(self, number: int) -> Ban | None:
        """Lift the ban of that number, if there is one."""
        ban = self._by_number.pop(number, None)
        if ban is not None and ban.network is not None:
            del self._networks[ban.network]
        self._names.pop(number, None)
        return ban

    def of_name(self, keys: NameKeys) -> Ban | None:
        """The ban of a name that a reader would take for the one with these keys."""
        number = next((number for number, banned in self._names.items() if banned.agree(keys)), None)
        return None if number is None else self._by_number[number]

    def spelled(self, keys: NameKeys) -> Ban | None:
        """The ban of just this name, whatever the case and the accents."""
        spelled = (number for number, banned in self._names.items() if banned.spelling == keys.spelling)
        number = next(spelled, None)
        return None if number is None else self._by_number[number]

    def of_network(self, network: Network) -> Ban | None:
        """The ban of just this network."""
        return self._networks.get(network)

    def of_address(self, address: str | None) -> Ban | None:
        """The ban of a network that holds the address; none for an address that is not known."""
        if not self._networks:
            return None
        at = _host(address)
        return None if at is None else next((ban for net, ban in self._networks.items() if at in net), None)


def is_in(address: str | None, network: Network) -> bool:
    """Whether the address is known and in the network."""
    at = _host(address)
    return at is not None and at in network


def _host(address: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    found = None if address is None else parse_network(address.partition("%")[0])
    return None if found is None else found.network_address
