"""Where a server can be reached, of machines with all kinds of interfaces."""

from __future__ import annotations

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_server.reach import MOST_ADDRESSES, Reach, reach


def adapter(index: int, *addresses: str) -> ifaddr.Adapter:
    ips = [
        ifaddr.IP((address, 0, index) if ":" in address else address, 64, f"if{index}") for address in addresses
    ]
    return ifaddr.Adapter(f"if{index}", f"if{index}", ips, index)


LOOPBACK = adapter(1, "127.0.0.1", "::1")
EVERY_IPV4 = "0.0.0.0"  # noqa: S104  (nothing is bound)
EVERY = (EVERY_IPV4, "::")


def test_every_interface_is_told_with_its_addresses_and_loopback_is_not() -> None:
    machine = [LOOPBACK, adapter(2, "10.8.0.6"), adapter(3, "192.168.1.20", "fd00::20", "fe80::20")]
    assert reach(EVERY, machine) == Reach(
        addresses=("10.8.0.6", "192.168.1.20", "fd00::20"), interfaces=("10.8.0.6", "192.168.1.20", 3)
    )


def test_link_local_addresses_are_told_only_where_there_are_no_others() -> None:
    virtual = adapter(4, "fe80::4")
    assert reach(EVERY, [LOOPBACK, virtual, adapter(5, "192.168.1.20")]).addresses == ("192.168.1.20",)
    assert reach(EVERY, [LOOPBACK, virtual]) == Reach(addresses=("fe80::4",), interfaces=(4,))
    assert reach(EVERY, [LOOPBACK, adapter(2, "169.254.7.7")]).addresses == ("169.254.7.7",)


def test_what_is_not_listened_on_is_not_told() -> None:
    machine = [LOOPBACK, adapter(2, "10.8.0.6", "fd00::6"), adapter(3, "192.168.1.20", "fd00::20")]
    assert reach(("192.168.1.20",), machine) == Reach(("192.168.1.20",), ("192.168.1.20",))
    assert reach(("fd00::6",), machine) == Reach(("fd00::6",), (2,))
    assert reach((EVERY_IPV4,), machine).addresses == ("10.8.0.6", "192.168.1.20")
    assert reach(("127.0.0.1", "::1"), machine) == Reach()
    assert reach(("fe80::1%3",), [adapter(3, "fe80::1")]) == Reach(("fe80::1",), (3,))


def test_a_machine_without_a_network_can_be_reached_by_nobody() -> None:
    assert reach(EVERY, [LOOPBACK]) == Reach()
    assert reach(EVERY, [adapter(2, "no address")]) == Reach()


@pytest.mark.proves("Z-2")
@given(
    st.lists(
        st.lists(st.ip_addresses().map(str), max_size=4).map(tuple),
        max_size=30,
    )
)
def test_no_loopback_address_is_ever_told_and_all_fit_one_packet(machine: list[tuple[str, ...]]) -> None:
    found = reach(EVERY, [LOOPBACK, *(adapter(at, *ips) for at, ips in enumerate(machine, 2))])
    assert not {"127.0.0.1", "::1"} & {*found.addresses, *map(str, found.interfaces)}
    assert len(found.addresses) <= MOST_ADDRESSES
    assert bool(found.addresses) == bool(found.interfaces)
