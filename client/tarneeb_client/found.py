"""The servers that were found, as values, and how adverts, answers and memories make them. No I/O."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tarneeb_client.addresses import Address
from tarneeb_client.asking import Answer
from tarneeb_protocol.advert import Advert
from tarneeb_protocol.messages import PROTOCOL_VERSION
from tarneeb_protocol.text import harmless

MOST_ADDRESSES = 16
"""Addresses of one server that are tried. More come from a fault, or from somebody who wants us to knock."""
MOST_INSTANCES = 64
"""Adverts that are kept at one time; a network with more has a fault."""
HIGHEST_PORT = 65535


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundServer:
    """A server that was found. Every text is harmless to a terminal.

    ``server`` is its id, by which adverts of the same server are one. ``address`` is the one that answered,
    with ``ping_seconds``; while none has, both are ``None``, and ``trouble`` says why once all have failed.
    ``addresses`` are all that it has, that one first. ``is_advertised`` is false for one that is only
    remembered.
    """

    server: str
    name: str
    addresses: tuple[Address, ...]
    protocol_min: int
    protocol_max: int
    free_seats: int | None = None
    seats: int | None = None
    rules: tuple[str, ...] = ()
    needs_password: bool = False
    has_tls: bool = False
    is_advertised: bool = True
    address: Address | None = None
    ping_seconds: float | None = None
    software: str | None = None
    trouble: str | None = None

    @property
    def tables(self) -> int | None:
        """How many tables are open; ``None`` when it was not told."""
        return None if self.seats is None else self.seats // 4

    @property
    def is_compatible(self) -> bool:
        """Whether this client speaks a version that the server speaks."""
        return self.protocol_min <= PROTOCOL_VERSION <= self.protocol_max

    @property
    def is_settled(self) -> bool:
        """Whether it has been asked: it answered, or no address does."""
        return self.address is not None or self.trouble is not None

    @property
    def can_join(self) -> bool:
        """Whether it answers, in a version that this client speaks."""
        return self.address is not None and self.is_compatible and self.trouble is None


@dataclass(frozen=True, slots=True)
class Appeared:
    """A server was found."""

    server: FoundServer


@dataclass(frozen=True, slots=True)
class Changed:
    """A server answers, or tells something new."""

    server: FoundServer


@dataclass(frozen=True, slots=True)
class Gone:
    """A server said goodbye, or was not heard of for too long."""

    server: FoundServer


Change = Appeared | Changed | Gone


def in_order(servers: Iterable[FoundServer]) -> list[FoundServer]:
    """Those that can be joined first, by name, then by what is quickest to reach."""
    return sorted(
        servers,
        key=lambda each: (
            not each.can_join,
            each.name.casefold(),
            each.ping_seconds if each.ping_seconds is not None else float("inf"),
            each.server,
        ),
    )


def usable_addresses(
    texts: Iterable[str], port: int | None, *, with_loopback: bool = False
) -> tuple[Address, ...]:
    """The advertised addresses that can be connected to, without repeats, ``MOST_ADDRESSES`` at most.

    IPv4 comes first, being easier to type, and link-local last.

    A link-local IPv6 address needs its zone. Loopback would be this machine, whoever advertises it.
    """
    if port is None or not 1 <= port <= HIGHEST_PORT:
        return ()
    found: dict[ipaddress.IPv4Address | ipaddress.IPv6Address, str] = {}
    for text in texts:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            continue
        if address.is_multicast or address.is_unspecified or (address.is_loopback and not with_loopback):
            continue
        if isinstance(address, ipaddress.IPv6Address) and (
            address.ipv4_mapped is not None or (address.is_link_local and address.scope_id is None)
        ):
            continue
        found[address] = text
    ordered = sorted(found, key=lambda each: (each.is_link_local, each.version, int(each)))
    return tuple(Address(found[each], port) for each in ordered[:MOST_ADDRESSES])


@dataclass(frozen=True, slots=True)
class _Instance:
    """One advert and where it says that the server is."""

    advert: Advert
    addresses: tuple[Address, ...]


class Findings:
    """What is known of all servers: a fold over what is heard. Each method returns what that changed."""

    def __init__(self) -> None:
        self._instances: dict[str, _Instance] = {}
        self._remembered: dict[str, FoundServer] = {}
        self._answers: dict[str, Answer | str] = {}
        self._servers: dict[str, FoundServer] = {}

    @property
    def servers(self) -> tuple[FoundServer, ...]:
        """Every server, in the order in which they were found."""
        return tuple(self._servers.values())

    def get(self, server: str) -> FoundServer | None:
        """The server with this id."""
        return self._servers.get(server)

    def advertised(self, instance: str, advert: Advert, addresses: Sequence[Address]) -> list[Change]:
        """An advert came, or came anew. ``instance`` is its name on the network."""
        before = self._instances.get(instance)
        if before is None and len(self._instances) >= MOST_INSTANCES:
            return []
        self._instances[instance] = _Instance(advert, tuple(addresses))
        changes = self._renew(advert.server)
        for server in self._remembered:  # one that did not say who it is may be this one
            changes += self._renew(server)
        if before is not None and before.advert.server != advert.server:
            changes += self._renew(before.advert.server)
        return changes

    def withdrawn(self, instance: str) -> list[Change]:
        """An advert is gone."""
        before = self._instances.pop(instance, None)
        if before is None:
            return []
        server = before.advert.server
        if all(each.advert.server != server for each in self._instances.values()):
            self._remembered.pop(server, None)  # it has ended, wherever else it was seen
        return self._renew(server)

    def remembered(self, answer: Answer) -> list[Change]:
        """A server that nobody needs to advertise answered at an address that was known."""
        about = answer.about
        server = f"at {answer.address}" if about is None else about.server
        self._remembered[server] = FoundServer(
            server=server,
            name="",
            addresses=(answer.address,),
            protocol_min=answer.protocol_min,
            protocol_max=answer.protocol_max,
            is_advertised=False,
        )
        if not isinstance(self._answers.get(server), Answer):
            self._answers[server] = answer
        return self._renew(server)

    def answered(self, server: str, answer: Answer | str) -> list[Change]:
        """The server answered, or why it does not."""
        if isinstance(answer, str) and isinstance(self._answers.get(server), Answer):
            return []
        self._answers[server] = answer
        return self._renew(server)

    def _renew(self, server: str) -> list[Change]:
        before = self._servers.get(server)
        now = self._put_together(server)
        if now == before:
            return []
        if now is None:
            assert before is not None  # noqa: S101  (it differs)
            del self._servers[server]
            self._answers.pop(server, None)
            return [Gone(before)]
        self._servers[server] = now
        return [Appeared(now) if before is None else Changed(now)]

    def _put_together(self, server: str) -> FoundServer | None:
        told = [each for each in self._instances.values() if each.advert.server == server]
        remembered = self._remembered.get(server)
        if told:
            # The one that came first stays on top: who comes later with the same id may be somebody else.
            found = _from_advert(told[0].advert)
        elif remembered is not None and not self._is_advertised_elsewhere(server, remembered):
            found = remembered
        else:
            return None
        known = [each.addresses for each in told]
        if remembered is not None:
            known.append(remembered.addresses)
        addresses = tuple(dict.fromkeys(address for each in known for address in each))[:MOST_ADDRESSES]
        return _with_answer(replace(found, addresses=addresses), self._answers.get(server))

    def _is_advertised_elsewhere(self, server: str, remembered: FoundServer) -> bool:
        """Whether a server that did not say who it is has an address that is advertised."""
        answer = self._answers.get(server)
        if not isinstance(answer, Answer) or answer.about is not None:
            return False
        return any(answer.address in each.addresses for each in self._instances.values())


def _from_advert(advert: Advert) -> FoundServer:
    return FoundServer(
        server=advert.server,
        name=advert.name,
        addresses=(),
        protocol_min=advert.protocol_min,
        protocol_max=advert.protocol_max,
        free_seats=advert.free_seats,
        seats=advert.seats,
        rules=advert.rules,
        needs_password=advert.needs_password,
        has_tls=advert.has_tls,
    )


def _with_answer(found: FoundServer, answer: Answer | str | None) -> FoundServer:
    """What the server says itself goes before what is advertised of it."""
    if answer is None:
        return found
    if isinstance(answer, str):
        return replace(found, trouble=answer)
    others = tuple(address for address in found.addresses if address != answer.address)
    found = replace(
        found,
        addresses=(answer.address, *others)[:MOST_ADDRESSES],
        protocol_min=answer.protocol_min,
        protocol_max=answer.protocol_max,
        address=answer.address,
        ping_seconds=answer.ping_seconds,
        has_tls=found.has_tls or answer.needs_tls,
        trouble=answer.reason,
    )
    about = answer.about
    if about is None:
        return found
    return replace(
        found,
        name=" ".join(harmless(about.server_name).split()) or found.name,
        needs_password=about.needs_password,
        rules=tuple(harmless(preset.name) for preset in about.presets),
        software=harmless(about.software),
    )
