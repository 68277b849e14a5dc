"""Checks of the first frames: hello, welcome, refused."""

from __future__ import annotations

import re

from tarneeb_client.conformance.outcome import NotTested, Subject
from tarneeb_client.conformance.probe import Probe, brief, expect, hello_frame
from tarneeb_client.conformance.shapes import Fields
from tarneeb_client.conformance.wire import frame

subject: Subject[Probe] = Subject("handshake")

HIGHEST = 2**31
"""A version of the protocol that no server speaks."""


@subject.check("C-4", "V-1")
async def a_hello_is_welcomed(probe: Probe) -> None:
    """`welcome` answers a hello that is accepted, and tells version, name, token and times."""
    client = await probe.player("Conformance")
    welcome = client.welcome
    expect(welcome["protocol"] == 1, f"the version spoken is {welcome['protocol']}, of a client that speaks 1")
    expect(welcome["name"].startswith("Conformance"), f"the name became {welcome['name']!r}")
    expect(not welcome.get("resumed", False), "a new session is said to be resumed")
    expect(welcome.get("table") is None, "a new session is said to be at a table")
    expect(0 < welcome["ping_seconds"] < welcome["dead_seconds"], "ping_seconds is not less than dead_seconds")
    expect(welcome["grace_seconds"] >= 0, f"grace_seconds is {welcome['grace_seconds']}")


@subject.check("R-1")
async def a_token_is_256_random_bits(probe: Probe) -> None:
    """`welcome.token` is 43 characters of base64url, and every session has its own."""
    tokens = [(await probe.player()).welcome["token"] for _ in range(4)]
    for token in tokens:
        expect(re.fullmatch(r"[A-Za-z0-9_-]{43}", token), f"{len(token)} characters, or not base64url")
    expect(len(set(tokens)) == len(tokens), "two sessions have the same token")
    first = [token[:8] for token in tokens]
    expect(len(set(first)) == len(first), "tokens begin alike")


@subject.check("C-4")
async def the_server_says_who_it_is_alike_to_all(probe: Probe) -> None:
    """`welcome.server` identifies the server across connections."""
    one, other = await probe.player(), await probe.player()
    expect(one.welcome["server"] == other.welcome["server"], "two connections were told two servers")


@subject.check("V-1")
async def the_highest_common_version_is_spoken(probe: Probe) -> None:
    """The server takes the highest version that both speak and says it in `welcome.protocol`."""
    client = await probe.player(protocol_min=1, protocol_max=HIGHEST)
    expect(1 <= client.welcome["protocol"] < HIGHEST, f"the version spoken is {client.welcome['protocol']}")


@subject.check("V-2", "C-7")
async def no_common_version_is_refused_with_the_servers(probe: Probe) -> None:
    """With no version in common it answers `refused`, `unsupported_version` and its own range, and closes."""
    client = await probe.connect()
    await client.say_hello("Later", protocol_min=HIGHEST, protocol_max=HIGHEST)
    refused = client.received[-1].fields
    expect(refused.get("code") == "unsupported_version", f"version {HIGHEST} was answered by {brief(refused)}")
    backwards = await probe.connect()
    answer = await backwards.say_hello("Backwards", protocol_min=HIGHEST, protocol_max=1)
    expect(answer.get("code") == "unsupported_version", f"{HIGHEST} to 1 was answered by {brief(answer)}")
    expect(1 <= refused["protocol_min"] <= refused["protocol_max"], f"its own range is {refused}")
    expect(await client.closes() is None, "something came after refused")


ALIKE: tuple[tuple[str, tuple[str, ...]], ...] = (
    # By spelling; then by shape, with a Cyrillic letter and a digit; then in capitals, with Cyrillic ones.
    (
        "Layla Conform",
        (
            *("LAYLA CONFORM", "  L\u00e4yla   Conform ", "\uff2cayla Conform"),
            *("L\u0430yla Conform", "Layla C0nform", "LAYLA \u0421\u041eNFORM"),
        ),
    ),
    # Teh marbuta and heh, Farsi yeh and yeh.
    (
        "\u0641\u0627\u0637\u0645\u0629 \u0639\u0644\u064a",
        ("\u0641\u0627\u0637\u0645\u0647 \u0639\u0644\u06cc",),
    ),
)


@subject.check("N-1", "N-2", "X-4")
async def a_name_in_use_gets_a_number(probe: Probe) -> None:
    """A player's name is unique: names that look alike count as the same, and the later one gets a number."""
    for taken, alike in ALIKE:
        first = await probe.player(taken)
        for name in (taken, *alike):
            other = await probe.player(name)
            told = other.welcome["name"]
            expect(re.search(r" \d+$", told), f"{name!a} beside {first.welcome['name']!a} is called {told!a}")


@subject.check("C-2")
async def the_first_message_is_hello(probe: Probe) -> None:
    """Anything else than `hello` as a first message is `hello_expected`."""
    firsts: tuple[Fields, ...] = (
        *({"type": "ping"}, {"type": "list_tables", "id": 1}, {"type": "dance"}),
        *({"type": "goodbye", "code": "left"}, {}, {"type": 7}, {"type": "chat", "id": 1, "text": 7}),
    )
    for fields in firsts:
        client = await probe.connect()
        await client.send_bytes(frame(**fields))
        last = await client.ends("refused")
        expect(last["code"] == "hello_expected", f"{fields} as first message was answered by {brief(last)}")


@subject.check("C-6")
async def a_second_hello_ends_the_connection(probe: Probe) -> None:
    """A second `hello` is `wrong_state`, also one with a fault in a field."""
    for wrong in ({}, {"name": 7}):
        client = await probe.player()
        await client.send_bytes(hello_frame(**wrong))
        last = await client.ends("goodbye")
        expect(last["code"] == "wrong_state", f"a second hello with {wrong} was answered by {brief(last)}")


@subject.check("C-3")
async def a_hello_with_a_fault_is_refused(probe: Probe) -> None:
    """In the handshake a field at fault refuses the connection: `bad_request`."""
    for wrong in ({"protocol_min": 0}, {"protocol_max": "1"}, {"client": None}, {"name": 7}, {"resume": 1}):
        client = await probe.connect()
        await client.send_bytes(hello_frame(**wrong))
        last = await client.ends("refused")
        expect(last["code"] == "bad_request", f"a hello with {wrong} was answered by {brief(last)}")


@subject.check("C-5")
async def what_follows_a_hello_is_read_after_the_welcome(probe: Probe) -> None:
    """What a client sends before it has the answer is read once the server has welcomed it."""
    client = await probe.connect()
    password = {} if probe.target.password is None else {"password": probe.target.password}
    await client.send_bytes(hello_frame(**password) + frame(type="ping", nonce=3) + frame(type="sync", id=1))
    kinds = [
        (await client.until("welcome", "refused", "pong", "error", with_pings=True))["type"] for _ in range(3)
    ]
    expect(kinds == ["welcome", "pong", "error"], f"hello, ping and sync at once were answered by {kinds}")


@subject.check("R-9")
async def an_unknown_token_is_refused(probe: Probe) -> None:
    """A token that no session has is answered by `refused` with `bad_token`."""
    for token in ("", "A" * 43, "x"):
        client = await probe.connect()
        await client.say_hello("Nobody", resume=token)
        answer = await client.closes() or client.received[-1].fields
        expect(answer.get("code") == "bad_token", f"the token {token!r} was answered by {brief(answer)}")


@subject.check("C-11")
async def a_wrong_password_is_refused(probe: Probe) -> None:
    """Where the host has set a password, a hello without it is answered by `wrong_password`."""
    if probe.target.password is None:
        raise NotTested("the server has no password, or the kit was not told it (--password-file)")
    for fields in ({}, {"password": "not " + probe.target.password}):
        client = await probe.connect()
        await client.send_bytes(hello_frame(**fields))
        last = await client.ends("refused")
        expect(last["code"] == "wrong_password", f"a wrong password was answered by {brief(last)}")
