"""What friends must type to join, for each address of this machine."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

import ifaddr

from tarneeb_server.settings import DEFAULT_PORT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def format_address(host: str, port: int) -> str:
    """``HOST`` or ``HOST:PORT`` as it is typed after ``tarneeb play``: the port when it is not the default.

    An IPv6 address then has brackets, and quotes around them: to a shell brackets are a pattern, and zsh
    refuses one that matches no file.
    """
    if port == DEFAULT_PORT:
        return host
    return f"'[{host}]:{port}'" if ":" in host else f"{host}:{port}"


def lan_addresses() -> list[str]:
    """Addresses by which other machines can reach this one, IPv4 first. Link-local ones need a zone and are
    left out.
    """
    found: list[ipaddress.IPv4Address | ipaddress.IPv6Address] = []
    for adapter in ifaddr.get_adapters():
        for entry in adapter.ips:
            text = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
            try:
                address = ipaddress.ip_address(text)
            except ValueError:
                continue
            if not (address.is_loopback or address.is_link_local or address in found):
                found.append(address)
    return [str(address) for address in sorted(found, key=lambda address: (address.version, int(address)))]


def announcement(
    name: str, hosts: Sequence[str], port: int, lan: Iterable[str], fingerprint: str | None = None
) -> list[str]:
    """The lines to print once the server listens. ``hosts`` is empty when it listens on every address; ``lan``
    is then what ``lan_addresses`` found. ``fingerprint`` is that of the certificate, if the server has TLS.
    """
    lines = [f"{name} is open."]
    reachable = list(hosts) or list(lan)
    others = [host for host in reachable if not _is_loopback(host)]
    if others:
        lines.append(
            "Friends on the network type one of these:" if len(others) > 1 else "Friends on the network type:"
        )
        lines += [f"  tarneeb play {format_address(host, port)}" for host in others]
    else:
        lines.append("No other machine can reach it.")
    if not hosts or len(others) < len(reachable):
        own = next((host for host in hosts if _is_loopback(host)), "127.0.0.1")
        lines += ["On this machine:", f"  tarneeb play {format_address(own, port)}"]
    if fingerprint is not None:
        lines += ["Connections are encrypted. Friends see this fingerprint the first time:", f"  {fingerprint}"]
    return lines


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
