"""Where a server is: ``HOST``, ``HOST:PORT``, ``[IPv6]:PORT`` or a bare IPv6 address."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from tarneeb_client.language import N_, _
from tarneeb_client.parse import echoed

DEFAULT_PORT = 31313
HIGHEST_PORT = 65535
LONGEST_HOST = 253
"""Characters of a host name: the limit of the DNS."""
ACCEPTED = N_("HOST, HOST:PORT, [IPv6]:PORT or an IPv6 address, with a port from 1 to 65535")


class BadAddress(ValueError):
    """Not an address; the text says what was given and what is accepted."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host name or IP address, and a TCP port."""

    host: str
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        """As a player would type it: the port only when it is not the default."""
        if self.port == DEFAULT_PORT:
            return self.host
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read an address. Raises ``BadAddress``."""
    stripped = text.strip()
    if stripped.startswith("["):
        host, bracket, rest = stripped[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise _bad(text, _("the bracket is not closed or something other than a port follows it"))
        port = rest[1:] if rest else None
    elif stripped.count(":") > 1:
        host, port = stripped, None
    else:
        host, colon, port_text = stripped.partition(":")
        port = port_text if colon else None
    if ":" in host and not _is_ipv6(host):
        raise _bad(text, _("this is no IPv6 address"))
    if not host or len(host) > LONGEST_HOST or any(not _is_host_character(character) for character in host):
        raise _bad(text, _("this cannot be a host"))
    return Address(host, DEFAULT_PORT if port is None else _port(text, port))


def _port(text: str, port: str) -> int:
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 1 <= int(port) <= HIGHEST_PORT):
        raise _bad(text, _("{typed} is not a port").format(typed=echoed(port)))
    return int(port)


def _is_ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)  # with a zone too, as in fe80::1%eth0
    except ValueError:
        return False
    return True


def _is_host_character(character: str) -> bool:
    """Letters, digits and marks of names, IPv4 and IPv6 addresses and their zones."""
    return character.isalnum() or character in ".-_:%"


def _bad(text: str, why: str) -> BadAddress:
    fault = _("{typed} is not an address: {why}. Accepted: {accepted}.")
    return BadAddress(fault.format(typed=echoed(text), why=why, accepted=_(ACCEPTED)))
