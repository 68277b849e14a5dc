"""Who is let in, by the network that they come from."""

from __future__ import annotations

import ipaddress
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_protocol.errors import ErrorCode
from tarneeb_server.gate import (
    ARRIVALS,
    FREE_GUESSES,
    GUESS_FORGOTTEN_SECONDS,
    LONGEST_DELAY_SECONDS,
    MOST_NETWORKS,
    Gate,
    Guesses,
)
from tarneeb_server.networks import CONNECTIONS_FROM_ONE_NETWORK, is_this_machine, network_of
from tarneeb_server.settings import Settings

HOME = "192.0.2.7"
ELSEWHERE = "198.51.100.1"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("pair", "pair"),
        ("", ""),
    ],
)
def test_connections_count_for_an_ipv4_address_or_the_64_bits_of_an_ipv6_site(
    address: str, network: str
) -> None:
    assert network_of(address) == network


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_whoever_has_a_site_is_one_whatever_address_of_it_is_used(
    site: ipaddress.IPv6Address, host: int
) -> None:
    if not site.is_loopback and site.ipv4_mapped is None and int(site) >> 64:
        other = ipaddress.IPv6Address(int(site) >> 64 << 64 | host)
        assert network_of(str(site)) == network_of(str(other))


@pytest.mark.parametrize(
    ("address", "is_here"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), (HOME, False), ("x", False)],
)
def test_loopback_is_this_machine(address: str, is_here: bool) -> None:
    assert is_this_machine(network_of(address)) is is_here


def test_one_address_has_its_number_of_connections_and_others_come_in_all_the_same() -> None:
    gate = Gate(Settings())
    for _ in range(CONNECTIONS_FROM_ONE_NETWORK):
        assert gate.enter(HOME, 0.0) is None
    kept_out = gate.enter(HOME, 0.0)
    assert kept_out is not None
    assert kept_out.code is ErrorCode.SERVER_FULL
    assert "64 connections from your address" in kept_out.message
    assert gate.enter(ELSEWHERE, 0.0) is None
    gate.leave(HOME)
    assert gate.enter(HOME, 0.0) is None


def test_this_machine_has_no_limit_of_its_own_unless_the_host_sets_one() -> None:
    gate = Gate(Settings())
    assert all(gate.enter("127.0.0.1", 0.0) is None for _ in range(500))
    gate = Gate(Settings(max_connections_per_address=2))
    assert [gate.enter("::1", 0.0) is None for _ in range(3)] == [True, True, False]


def test_a_flood_of_new_connections_is_refused_until_it_slows_down() -> None:
    gate = Gate(Settings())
    codes = Counter()  # type: Counter[ErrorCode | None]
    for _ in range(int(ARRIVALS.burst) + 50):
        kept_out = gate.enter(HOME, 0.0)
        codes[None if kept_out is None else kept_out.code] += 1
        if kept_out is None:
            gate.leave(HOME)
    assert codes == {None: ARRIVALS.burst, ErrorCode.RATE_LIMITED: 50}
    assert gate.enter(ELSEWHERE, 0.0) is None
    assert gate.enter(HOME, 1.0) is None


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=200))
def test_k05_counts_are_those_of_the_connections_that_are_open(steps: list[tuple[bool, int]]) -> None:
    gate = Gate(Settings(max_connections=12, max_connections_per_address=4))
    open_from: Counter[str] = Counter()
    for is_coming, last in steps:
        address = f"192.0.2.{last}"
        if is_coming:
            may_come = open_from.total() < 12 and open_from[address] < 4
            kept_out = gate.enter(address, 0.0)
            assert (kept_out is None) == may_come or (kept_out and kept_out.code is ErrorCode.RATE_LIMITED)
            open_from[address] += kept_out is None
        elif open_from[address]:
            gate.leave(address)
            open_from[address] -= 1
        assert len(gate) == open_from.total()
        assert gate.of(address) == open_from[address]


def test_g03_what_is_remembered_of_networks_is_bounded() -> None:
    gate, guesses = Gate(Settings()), Guesses()
    for number in range(MOST_NETWORKS + 500):
        address = str(ipaddress.IPv4Address(0x0A000000 + number))
        assert gate.enter(address, 0.0) is None
        gate.leave(address)
        guesses.wrong(address, 0.0)
    assert len(gate._arrivals) == len(guesses._wrong) == MOST_NETWORKS
    assert gate._open == {}


def test_wrong_passwords_delay_the_next_from_their_network_alone_and_are_forgotten() -> None:
    guesses = Guesses()
    delays = []
    for _ in range(10):
        delays.append(guesses.delay_seconds(HOME, 0.0))
        guesses.wrong(HOME, 0.0)
    assert delays[:FREE_GUESSES] == [0.0] * FREE_GUESSES
    assert delays[FREE_GUESSES:] == [0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0]
    assert guesses.delay_seconds(ELSEWHERE, 0.0) == 0.0
    assert guesses.delay_seconds(HOME, 20 * GUESS_FORGOTTEN_SECONDS) == 0.0
    for _ in range(1000):
        guesses.wrong(HOME, 0.0)
    assert guesses.delay_seconds(HOME, 0.0) == LONGEST_DELAY_SECONDS
    assert guesses.delay_seconds(HOME, 20 * GUESS_FORGOTTEN_SECONDS) == 0.0
