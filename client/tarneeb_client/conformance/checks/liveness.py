"""Checks of life: pings, silence, and who does not say hello."""

from __future__ import annotations

import anyio

from tarneeb_client.conformance.outcome import NotTested, Subject
from tarneeb_client.conformance.probe import Probe, brief, expect, needs_short

subject: Subject[Probe] = Subject("liveness")

LATE_SECONDS = 5.0
"""How much later than announced the server may be: a busy machine is no fault."""
PULSE_SECONDS = 1.5
"""How much earlier: a server may look at its connections once a second."""


@subject.check("H-1")
async def a_ping_is_answered_with_its_nonce(probe: Probe) -> None:
    """Each end answers a `ping` at once by a `pong` with the same `nonce`."""
    client = await probe.player()
    for nonce in (0, 1, 2**31, 2**53 - 1):
        await client.send(type="ping", nonce=nonce)
        pong = await client.until("pong", with_pings=True)
        expect(pong.get("nonce", 0) == nonce, f"a ping with nonce {nonce} was answered by {pong}")
    await client.send(type="ping")
    pong = await client.until("pong", with_pings=True)
    expect(pong.get("nonce", 0) == 0, f"a ping without nonce was answered by {pong}")


@subject.check("H-2")
async def a_silent_connection_is_pinged(probe: Probe) -> None:
    """Each end sends a `ping` when it has sent nothing for `ping_seconds`."""
    client = await probe.player()
    seconds = client.welcome["ping_seconds"]
    needs_short(probe.target, seconds, "ping_seconds", "--ping-seconds")
    await client.until("ping", within=seconds + LATE_SECONDS, with_pings=True)


@subject.check("H-3", "H-4", "H-5")
async def a_connection_that_is_not_heard_is_closed(probe: Probe) -> None:
    """An end that has received no byte for `dead_seconds` closes the connection; a server says `goodbye` with
    `idle`, resumable. Only what is received counts.
    """
    client = await probe.player()
    seconds = client.welcome["dead_seconds"]
    needs_short(probe.target, seconds, "dead_seconds", "--dead-seconds")
    client.answers_pings = False
    began = anyio.current_time()
    last = await client.ends("goodbye", within=seconds + LATE_SECONDS)
    lived = anyio.current_time() - began
    expect(last["code"] == "idle", f"a silent client was sent {brief(last)}")
    expect(last.get("resumable"), "the goodbye of a silent connection is not resumable")
    expect(lived > seconds - PULSE_SECONDS, f"it was closed after {lived:.1f} s; dead_seconds is {seconds}")


@subject.check("H-3")
async def one_that_answers_pings_lives_on(probe: Probe) -> None:
    """A connection on which pings are answered is not taken for dead."""
    client = await probe.player()
    seconds = client.welcome["dead_seconds"]
    needs_short(probe.target, seconds, "dead_seconds", "--dead-seconds")
    await anyio.sleep(seconds + PULSE_SECONDS)
    await client.get("list_tables")


@subject.check("C-10")
async def who_says_no_hello_is_refused(probe: Probe) -> None:
    """Who connects and says no hello in time is answered by `refused` with `hello_timeout`."""
    client = await probe.connect()
    with anyio.move_on_after(probe.target.patience):
        last = await client.ends("refused", within=probe.target.patience + 1)
        expect(last["code"] == "hello_timeout", f"who said no hello was sent {brief(last)}")
        return
    raise NotTested(f"the server waited longer than {probe.target.patience:g} s for a hello (--patience)")


@subject.check("C-7", "C-8")
async def goodbye_is_the_last_word(probe: Probe) -> None:
    """After a client's `goodbye` nothing more is sent, and the connection is closed."""
    client = await probe.player()
    await client.send(type="goodbye", code="left")
    await client.send(type="list_tables", id=1)
    last = await client.closes()
    expect(last is None, f"after goodbye the server sent {brief(last)}")
