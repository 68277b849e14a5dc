"""What is known of servers, as a fold over adverts, answers and memories; and how it is worded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.addresses import Address
from tarneeb_client.asking import Answer
from tarneeb_client.found import (
    MOST_ADDRESSES,
    Appeared,
    Change,
    Changed,
    Findings,
    FoundServer,
    Gone,
    in_order,
    usable_addresses,
)
from tarneeb_client.wording import finding as wording
from tarneeb_protocol.advert import Advert
from tarneeb_protocol.messages import PROTOCOL_VERSION
from tarneeb_server.about import about
from tarneeb_server.settings import Settings

ADDRESSES = [Address(f"10.0.0.{number}") for number in range(1, 5)]
MAJLIS = FoundServer(
    server="f00d",
    name="Majlis",
    addresses=(ADDRESSES[0],),
    protocol_min=1,
    protocol_max=1,
    free_seats=5,
    seats=8,
    address=ADDRESSES[0],
    ping_seconds=0.0031,
)


def answer(address: Address, server: str | None) -> Answer:
    told = None if server is None else about(Settings(name=f"Name of {server}"), server)
    return Answer(address, 0.001, 1, 1, told)


servers = st.sampled_from(["1", "2", "3"])
events = st.lists(
    st.one_of(
        st.tuples(
            st.just("advertised"),
            st.sampled_from(["a", "b", "c", "d"]),
            st.builds(Advert, server=servers, name=st.sampled_from(["x", "y"])),
            st.lists(st.sampled_from(ADDRESSES), min_size=1).map(tuple),
        ),
        st.tuples(st.just("withdrawn"), st.sampled_from(["a", "b", "c", "d"])),
        st.builds(
            lambda at, who: ("remembered", answer(at, who)), st.sampled_from(ADDRESSES), st.none() | servers
        ),
        st.builds(lambda at, who: ("answered", who, answer(at, who)), st.sampled_from(ADDRESSES), servers),
        st.tuples(st.just("answered"), servers, st.just("nobody is there")),
    ),
    max_size=40,
)


@given(events)
def test_the_changes_put_together_are_always_what_is_known(history: list[tuple[object, ...]]) -> None:
    findings = Findings()
    known: dict[str, FoundServer] = {}
    for name, *arguments in history:
        if name == "answered" and findings.get(str(arguments[0])) is None:
            continue  # nobody is asked who was not found
        changes: list[Change] = getattr(findings, str(name))(*arguments)
        for change in changes:
            server = change.server
            match change:
                case Appeared():
                    assert server.server not in known
                    known[server.server] = server
                case Changed():
                    assert known[server.server] != server
                    known[server.server] = server
                case Gone():
                    assert known.pop(server.server) == server
        assert known == {each.server: each for each in findings.servers}
    for instance in "abcd":
        findings.withdrawn(instance)
    assert not any(each.is_advertised for each in findings.servers)


def test_what_a_server_says_itself_goes_before_what_is_advertised_of_it() -> None:
    findings = Findings()
    advert = Advert(server="1", name="Evil", protocol_min=9, protocol_max=9, needs_password=True)
    findings.advertised("a", advert, ADDRESSES[:2])
    (change,) = findings.answered("1", answer(ADDRESSES[1], "1"))
    server = change.server
    assert (server.name, server.protocol_max, server.needs_password) == ("Name of 1", 1, False)
    assert server.addresses == (ADDRESSES[1], ADDRESSES[0])
    assert findings.answered("1", "nobody is there") == []  # at another address, too late


def test_a_server_that_was_asked_over_tls_is_shown_so() -> None:
    findings = Findings()
    findings.advertised("a", Advert(server="1", name="Majlis"), ADDRESSES[:1])
    (change,) = findings.answered("1", replace(answer(ADDRESSES[0], None), needs_tls=True))
    assert (change.server.has_tls, change.server.can_join) == (True, True)


def test_an_advert_that_comes_later_with_the_id_of_another_server_does_not_rename_it() -> None:
    findings = Findings()
    findings.advertised("a", Advert(server="1", name="Majlis"), ADDRESSES[:1])
    (change,) = findings.advertised("b", Advert(server="1", name="Evil"), ADDRESSES[1:2])
    assert (change.server.name, change.server.addresses) == ("Majlis", tuple(ADDRESSES[:2]))


def test_a_remembered_server_that_does_not_say_who_it_is_is_the_one_that_is_advertised_at_its_address() -> None:
    findings = Findings()
    findings.remembered(answer(ADDRESSES[0], None))
    assert [(server.is_advertised, server.has_tls) for server in findings.servers] == [(False, False)]
    findings.advertised("a", Advert(server="1", name="Majlis"), ADDRESSES[:1])
    assert [server.server for server in findings.servers] == ["1"]


def test_addresses_that_cannot_be_connected_to_are_left_out() -> None:
    texts = ["fe80::1%3", "fd00::20", "10.0.0.1", "10.0.0.1", "127.0.0.1", "::1", "224.0.0.251", "ff02::fb"]
    texts += [
        "0.0.0.0",  # noqa: S104  (nothing is bound)
        "::",
        "fe80::2",
        "::ffff:10.0.0.9",
        "nonsense",
        "",
    ]
    assert usable_addresses(texts, 4000) == (
        Address("10.0.0.1", 4000),
        Address("fd00::20", 4000),
        Address("fe80::1%3", 4000),
    )
    for port in (None, 0, -1, 65536):
        assert usable_addresses(texts, port) == ()
    assert len(usable_addresses([f"10.0.1.{number}" for number in range(200)], 1)) == MOST_ADDRESSES


def test_servers_that_can_be_joined_come_first_and_then_names_decide() -> None:
    newer = replace(MAJLIS, server="2", name="A", protocol_min=2, protocol_max=2)
    silent = replace(MAJLIS, server="3", name="B", address=None, trouble="nobody is there")
    slow = replace(MAJLIS, server="4", ping_seconds=0.9)
    zayd = replace(MAJLIS, server="5", name="zayd")
    assert in_order([newer, silent, zayd, slow, MAJLIS]) == [MAJLIS, slow, zayd, newer, silent]


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ["Majlis", "tarneeb play 10.0.0.1", "3 ms; 2 tables, 5 free seats"]),
        (
            {"addresses": (ADDRESSES[0], Address("fd00::20", 4000)), "seats": 4, "free_seats": 1},
            ["Majlis", "tarneeb play 10.0.0.1", "3 ms; 1 table, 1 free seat", "also at '[fd00::20]:4000'"],
        ),
        (
            {
                "needs_password": True,
                "has_tls": True,
                "is_advertised": False,
                "seats": 0,
                "ping_seconds": 0.0001,
            },
            [
                "Majlis",
                "tarneeb play 10.0.0.1",
                "under 1 ms; no table yet; password needed; TLS; remembered, not announced",
            ],
        ),
        (
            {"protocol_min": 2, "protocol_max": 3, "name": ""},
            [
                "(no name)",
                (
                    f"10.0.0.1 speaks protocol 2 to 3, this client speaks {PROTOCOL_VERSION}:"
                    " a newer client is needed"
                ),
            ],
        ),
        ({"trouble": "the server refused: full"}, ["Majlis", "10.0.0.1: the server refused: full"]),
        (
            {"address": None, "trouble": "no server listens there"},
            [
                "Majlis",
                "does not answer at 10.0.0.1: no server listens there",
                "On its machine a firewall must let TCP port 31313 through.",
            ],
        ),
    ],
    ids=["good", "two addresses", "everything", "v06 newer", "full", "silent"],
)
def test_a_server_is_told_in_a_few_lines(changes: dict[str, object], said: list[str]) -> None:
    lines = wording.server(replace(MAJLIS, **changes))  # type: ignore[arg-type]  # fields as the case names them
    assert [line.strip() for line in lines] == said
    assert all(line.startswith("    ") for line in lines[1:])


def test_n03_when_nothing_is_found_firewalls_and_containers_are_explained_in_80_columns() -> None:
    lines = wording.nothing_found(3.0, "this machine is on no network")
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    for words in (
        "No server was found in 3 seconds.",
        "this machine is on no network",
        "tarneeb play HOST[:PORT]",
        "UDP port 5353",
        "sudo ufw allow 5353/udp && sudo ufw allow 31313/tcp",
        "container (Docker)",
        "--network host",
        "tarneeb-server",
    ):
        assert words in text
