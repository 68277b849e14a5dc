"""Checks of what a client can ask before it says who it is."""

from __future__ import annotations

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.probe import Client, Probe, brief, expect
from tarneeb_client.conformance.rules import CLASSIC, RULE_DEFAULTS, whole_rules
from tarneeb_client.conformance.shapes import Fields

subject: Subject[Probe] = Subject("introspection")

MOST_QUESTIONS = 8


async def describe(client: Client) -> Fields:
    """Ask what the server is; its `about`."""
    await client.send(type="describe")
    return await client.until("about")


@subject.check("I-1", "I-2")
async def who_asks_is_told_and_may_say_hello(probe: Probe) -> None:
    """`describe` is answered by `about`, without a password, and a hello may follow on the connection."""
    client = await probe.connect()
    about = await describe(client)
    expect(about["protocol_min"] <= 1 <= about["protocol_max"], f"it speaks {about}")
    answer = await client.say_hello(f"Asker {probe.target.rng.randrange(10**6)}")
    expect(answer["type"] == "welcome", f"a hello after about was answered by {brief(answer)}")
    for name in ("server", "server_name", "ping_seconds", "dead_seconds", "grace_seconds"):
        expect(about[name] == answer[name], f"about.{name} is {about[name]}, welcome.{name} {answer[name]}")


@subject.check("I-3")
async def all_are_told_the_same(probe: Probe) -> None:
    """`about` tells nothing of players and tables, nor what depends on who asks."""
    first = await describe(await probe.connect())
    player = await probe.player()
    table = await probe.table(player, name="Not in about")
    await player.get("join", table=table)
    second = await describe(await probe.connect())
    expect(first == second, f"about was {first}, and {second} with a player more")


@subject.check("I-4")
async def asking_for_ever_is_refused(probe: Probe) -> None:
    """The ninth `describe` on a connection is refused with `rate_limited`."""
    client = await probe.connect()
    for _ in range(MOST_QUESTIONS):
        await describe(client)
    await client.send(type="describe")
    last = await client.ends("refused")
    expect(last["code"] == "rate_limited", f"the ninth describe was answered by {brief(last)}")


@subject.check("I-5")
async def the_limits_told_are_those_of_the_document(probe: Probe) -> None:
    """`about` tells the limits that the server keeps; those that the document fixes are as it says."""
    about = await describe(await probe.connect())
    limits = about["limits"]
    fixed = {
        "client_frame": 8192,
        "server_frame": 65536,
        "name_chars": 24,
        "chat_chars": 300,
        "kept_replies": 64,
    }
    for name, value in fixed.items():
        expect(limits[name] == value, f"about.limits.{name} is {limits[name]}, not {value}")
    presets = {preset["name"]: whole_rules(preset["rules"]) for preset in about["presets"]}
    expect(presets.get("tarneeb") == RULE_DEFAULTS, f"the preset tarneeb is {presets.get('tarneeb')}")
    expect(presets.get("classic") == CLASSIC, f"the preset classic is {presets.get('classic')}")
