"""Sentences about servers on the network."""

from __future__ import annotations

import math

from tarneeb_client.addresses import DEFAULT_PORT, Address
from tarneeb_client.found import FoundServer
from tarneeb_client.language import _, clauses, listed, plural
from tarneeb_client.wording.connection import versions
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
    name = found.name or _("(no name)")
    if found.address is None:
        where = listed(str(address) for address in found.addresses)
        trouble = found.trouble or _("not asked yet")
        lines = [
            name,
            INDENT + _("does not answer at {addresses}: {trouble}").format(addresses=where, trouble=trouble),
        ]
        if found.trouble is not None:
            port = found.addresses[0].port
            lines.append(
                INDENT + _("On its machine a firewall must let TCP port {port} through.").format(port=port)
            )
        return lines
    if not found.is_compatible:
        return [name, f"{INDENT}{to_type(found.address)} {other_version(found)}"]
    if found.trouble is not None:
        return [name, f"{INDENT}{to_type(found.address)}: {found.trouble}"]
    lines = [name, f"{INDENT}tarneeb play {to_type(found.address)}", f"{INDENT}{clauses(_known(found))}"]
    others = [to_type(address) for address in found.addresses if address != found.address]
    if len(others) > MOST_SHOWN:
        also = _("also at {addresses} and {number} more").format(
            addresses=listed(others[:MOST_SHOWN]), number=len(others) - MOST_SHOWN
        )
        lines.append(INDENT + also)
    elif others:
        lines.append(INDENT + _("also at {addresses}").format(addresses=listed(others)))
    return lines


def other_version(found: FoundServer) -> str:
    """What is needed to play on a server of another version."""
    if found.protocol_min > PROTOCOL_VERSION:
        sentence = _("speaks protocol {server}, this client speaks {own}: a newer client is needed")
    else:
        sentence = _("speaks protocol {server}, this client speaks {own}: a newer server is needed")
    return sentence.format(server=versions(found.protocol_min, found.protocol_max), own=PROTOCOL_VERSION)


def _known(found: FoundServer) -> list[str]:
    known = []
    if found.ping_seconds is not None:
        known.append(ping(found.ping_seconds))
    if found.tables is not None and found.free_seats is not None:
        tables = plural("{number} table", "{number} tables", found.tables).format(number=found.tables)
        seats = plural("{number} free seat", "{number} free seats", found.free_seats).format(
            number=found.free_seats
        )
        known.append(listed([tables, seats]) if found.tables else _("no table yet"))
    if found.needs_password:
        known.append(_("password needed"))
    if found.has_tls:
        known.append("TLS")
    if not found.is_advertised:
        known.append(_("remembered, not announced"))
    return known


def ping(seconds: float) -> str:
    """A time in milliseconds."""
    milliseconds = seconds * 1000
    if milliseconds < 1:
        return _("under 1 ms")
    return _("{number} ms").format(number=f"{milliseconds:.0f}")


def count(servers: int) -> str:
    """How many were found."""
    return plural("{number} server found.", "{number} servers found.", servers).format(number=servers)


def nothing_found(seconds: float, trouble: str | None) -> list[str]:
    """Why there may be nothing although there is a server, and what always works."""
    port = DEFAULT_PORT
    looked = plural(
        "No server was found in {number} second.",
        "No server was found in {number} seconds.",
        math.ceil(seconds),
    )
    lines = [looked.format(number=f"{seconds:g}")]
    if trouble is not None:
        lines.append(_("Nothing can be heard on this machine: {trouble}.").format(trouble=trouble))
    explained = _(
        "If you know where it is, this always works:\n"
        "    tarneeb play HOST[:PORT]\n"
        "The server prints that line when it starts. If it should have been found:\n"
        "- Both machines must be on one network. Guest Wi-Fi often keeps machines apart.\n"
        "- A firewall must let UDP port 5353 (mDNS) through on both machines, and on the\n"
        "  server's also the port of the game, TCP {port}. For example:\n"
        "    sudo ufw allow 5353/udp && sudo ufw allow {port}/tcp\n"
        "    sudo firewall-cmd --add-service=mdns --add-port={port}/tcp\n"
        "- A server in a container (Docker) is not heard outside, unless it runs with\n"
        "  --network host. Type the address of the machine that it runs on.\n"
        "- The server may run with --discovery off, or on loopback alone.\n"
        "To host a game on this machine: tarneeb-server"
    )
    return [*lines, "", *explained.format(port=port).split("\n")]
