"""Sentences about servers on the network."""

from __future__ import annotations

from tarneeb_client.addresses import DEFAULT_PORT, Address
from tarneeb_client.found import FoundServer
from tarneeb_protocol.messages import PROTOCOL_VERSION

INDENT = "    "
MOST_SHOWN = 3
"""Addresses named beside the one to type."""


def to_type(address: Address) -> str:
    """The address as it is typed in a shell, where brackets are a pattern; zsh refuses one without a file."""
    text = str(address)
    return f"'{text}'" if "[" in text else text


def server(found: FoundServer) -> list[str]:
    """A server in a few lines: its name on one of its own, how to join, what is known of it."""
    name = found.name or "(no name)"
    if found.address is None:
        where = ", ".join(str(address) for address in found.addresses)
        lines = [name, f"{INDENT}does not answer at {where}: {found.trouble or 'not asked yet'}"]
        if found.trouble is not None:
            port = found.addresses[0].port
            lines.append(f"{INDENT}On its machine a firewall must let TCP port {port} through.")
        return lines
    if not found.is_compatible:
        return [name, f"{INDENT}{to_type(found.address)} {other_version(found)}"]
    if found.trouble is not None:
        return [name, f"{INDENT}{to_type(found.address)}: {found.trouble}"]
    lines = [name, f"{INDENT}tarneeb play {to_type(found.address)}", f"{INDENT}{'; '.join(_known(found))}"]
    others = [to_type(address) for address in found.addresses if address != found.address]
    if others:
        more = f" and {len(others) - MOST_SHOWN} more" if len(others) > MOST_SHOWN else ""
        lines.append(f"{INDENT}also at {', '.join(others[:MOST_SHOWN])}{more}")
    return lines


def other_version(found: FoundServer) -> str:
    """What is needed to play on a server of another version."""
    lowest, highest = found.protocol_min, found.protocol_max
    speaks = str(lowest) if lowest == highest else f"{lowest} to {highest}"
    needed = "a newer client" if lowest > PROTOCOL_VERSION else "a newer server"
    return f"speaks protocol {speaks}, this client speaks {PROTOCOL_VERSION}: {needed} is needed"


def _known(found: FoundServer) -> list[str]:
    known = []
    if found.ping_seconds is not None:
        known.append(ping(found.ping_seconds))
    if found.tables is not None and found.free_seats is not None:
        tables = "1 table" if found.tables == 1 else f"{found.tables} tables"
        seats = "1 free seat" if found.free_seats == 1 else f"{found.free_seats} free seats"
        known.append(f"{tables}, {seats}" if found.tables else "no table yet")
    if found.needs_password:
        known.append("password needed")
    if found.has_tls:
        known.append("TLS")
    if not found.is_advertised:
        known.append("remembered, not announced")
    return known


def ping(seconds: float) -> str:
    """A time in milliseconds."""
    milliseconds = seconds * 1000
    return "under 1 ms" if milliseconds < 1 else f"{milliseconds:.0f} ms"


def count(servers: int) -> str:
    """How many were found."""
    return "1 server found." if servers == 1 else f"{servers} servers found."


def nothing_found(seconds: float, trouble: str | None) -> list[str]:
    """Why there may be nothing although there is a server, and what always works."""
    port = DEFAULT_PORT
    lines = [f"No server was found in {seconds:g} {'second' if seconds == 1 else 'seconds'}."]
    if trouble is not None:
        lines.append(f"Nothing can be heard on this machine: {trouble}.")
    return [
        *lines,
        "",
        "If you know where it is, this always works:",
        f"{INDENT}tarneeb play HOST[:PORT]",
        "The server prints that line when it starts. If it should have been found:",
        "- Both machines must be on one network. Guest Wi-Fi often keeps machines apart.",
        "- A firewall must let UDP port 5353 (mDNS) through on both machines, and on the",
        f"  server's also the port of the game, TCP {port}. For example:",
        f"{INDENT}sudo ufw allow 5353/udp && sudo ufw allow {port}/tcp",
        f"{INDENT}sudo firewall-cmd --add-service=mdns --add-port={port}/tcp",
        "- A server in a container (Docker) is not heard outside, unless it runs with",
        "  --network host. Type the address of the machine that it runs on.",
        "- The server may run with --discovery off, or on loopback alone.",
        "To host a game on this machine: tarneeb-server",
    ]
