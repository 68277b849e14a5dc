"""Checks of sessions: tokens, resuming, taking over, the grace."""

from __future__ import annotations

import anyio

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.probe import HOLD_SECONDS, Client, Probe, brief, expect, needs_short
from tarneeb_client.conformance.shapes import EVENTS, Fields

subject: Subject[Probe] = Subject("sessions")


async def _refused_token(probe: Probe, token: str, what: str) -> None:
    client = await probe.connect()
    await client.say_hello("Nobody", resume=token)
    answer = client.received[-1].fields
    expect(answer.get("code") == "bad_token", f"{what} was answered by {brief(answer)}")
    await client.closes()


async def _at_table(probe: Probe) -> tuple[Client, Client, int]:
    """A player in seat 0 and another in seat 2 of a new table."""
    client, other = await probe.player(), await probe.player()
    table = await probe.table(client)
    await client.get("join", table=table, seat=0)
    await other.get("join", table=table, seat=2)
    await client.settle()
    return client, other, table


@subject.check("R-10", "N-2")
async def a_token_resumes_its_session(probe: Probe) -> None:
    """`hello` with a token in `resume` resumes that session: `resumed`, the same name, the same table; the name
    in the hello is not looked at.
    """
    client, _, table = await _at_table(probe)
    await client.close()
    again = await probe.resume(client)
    expect(again.welcome.get("resumed"), "`welcome.resumed` is not true")
    expect(again.welcome["name"] == client.welcome["name"], f"the name became {again.welcome['name']!r}")
    expect(again.welcome.get("table") == table, f"it is at table {again.welcome.get('table')}, not {table}")
    snapshot = await again.until("snapshot")
    expect(snapshot.get("seat") == 0, f"the snapshot is that of seat {snapshot.get('seat')}, not 0")


@subject.check("R-1")
async def each_welcome_brings_a_new_token(probe: Probe) -> None:
    """Each `welcome` brings a new token, which replaces the old one."""
    client = await probe.player()
    tokens = [client.welcome["token"]]
    for _ in range(3):
        client = await probe.resume(client)
        expect(client.welcome["token"] not in tokens, "a resume was given a token that it had before")
        tokens.append(client.welcome["token"])


@subject.check("R-3")
async def the_old_token_is_void_once_the_new_one_is_known(probe: Probe) -> None:
    """The old token works until the server has received something on the new connection; then it is void."""
    client = await probe.player()
    old = client.welcome["token"]
    await client.close()
    second = await probe.resume(client)
    third = await probe.resume(second, old)  # nothing was said on the second: its welcome may have been lost
    expect(third.welcome.get("resumed"), "the old token did not resume before the new connection spoke")
    await third.settle()
    await _refused_token(probe, old, "the old token, after the new connection had spoken,")
    last = await probe.resume(third)
    expect(last.welcome.get("resumed"), "the newest token did not resume")


@subject.check("R-6")
async def a_resume_takes_over_at_once(probe: Probe) -> None:
    """A resume takes over at once: the old connection gets `goodbye` with `superseded`, not resumable, and
    is closed; the others see no one leave.
    """
    client, other, _ = await _at_table(probe)
    again = await probe.resume(client, seq=client.seq)
    last = await client.ends("goodbye")
    expect(last["code"] == "superseded", f"the old connection was ended by {brief(last)}")
    expect(not last.get("resumable", False), "superseded is said to be resumable")
    await again.get("chat", text="still here")
    await other.settle()
    told = [message.type for message in other.received if message.type in {"player_left", "player_away"}]
    expect(not told, f"the others were told {told} when a session was taken over")
    said = [(each["text"], each.get("seat")) for each in other.of_type("said")]
    expect(said == [("still here", 0)], f"the seat that was taken over said {said}")


@subject.check("R-7")
async def what_an_old_connection_sends_has_no_effect(probe: Probe) -> None:
    """Nothing that is still under way on a connection that was taken over has any effect."""
    client, other, _ = await _at_table(probe)
    again = await probe.resume(client)
    await client.send(type="leave", id=900)
    await client.send(type="goodbye", code="left")
    await client.closes()
    await again.settle()
    await other.settle()
    expect(not other.of_type("player_left"), "a leave on a connection that was taken over gave up the seat")
    await again.get("chat", text="here")


@subject.check("R-11", "R-12")
async def missed_events_come_after_a_resume(probe: Probe) -> None:
    """With `hello.seq` the server sends the events after it, when they are all at hand, and no snapshot; each
    time the same.
    """
    client, other, _ = await _at_table(probe)
    seq = client.seq
    await client.close()
    await other.until("player_away")
    for text in ("one", "two"):
        await other.get("chat", text=text)
    missed: list[Fields] = []
    for _ in range(2):
        client = await probe.resume(client, seq=seq)
        await client.settle()
        told = [message.fields for message in client.received]
        expect(not client.of_type("snapshot"), "a snapshot was sent, though the events were at hand")
        events = [fields for fields in told if fields["type"] in EVENTS]
        numbers = [event["seq"] for event in events]
        expect(numbers == list(range(seq + 1, seq + 1 + len(numbers))), f"after {seq} it sent events {numbers}")
        expect(
            [each["text"] for each in client.of_type("said")] == ["one", "two"], "not all that was said came"
        )
        expect(events[: len(missed)] == missed, "the second resume from one event told another story")
        missed = events


@subject.check("R-11", "R-18")
async def without_a_number_a_snapshot_comes(probe: Probe) -> None:
    """Without `hello.seq`, and with one that no event has yet, a snapshot comes instead of events."""
    client, _, table = await _at_table(probe)
    for seq in (None, 10**6):
        client = await probe.resume(client, seq=seq)
        snapshot = await client.until("snapshot")
        expect(snapshot["table"] == table, f"the snapshot is that of table {snapshot['table']}")
        expect(client.received[1].type == "snapshot", "something came between welcome and snapshot")
    await client.get("sync", seq=10**6)
    expect(len(client.of_type("snapshot")) == 2, "a sync with a number that no event has brought no snapshot")


@subject.check("R-19")
async def a_number_without_a_token_means_nothing(probe: Probe) -> None:
    """`hello.seq` without `resume` is passed over: the session is a new one, in the lobby."""
    client = await probe.player(seq=5)
    expect(not client.welcome.get("resumed", False), "a hello without resume was taken for a resume")
    expect(client.welcome.get("table") is None, f"a new session is at table {client.welcome.get('table')}")


@subject.check("R-9")
async def an_empty_token_is_refused(probe: Probe) -> None:
    """A token that no session has, an empty one too, is refused with `bad_token`."""
    for token in ("", "x" * 43):
        client = await probe.connect()
        answer = await client.say_hello("Nobody", resume=token)
        expect(answer.get("code") == "bad_token", f"the token {token!r} was answered by {brief(answer)}")
        await client.closes()


@subject.check("R-11")
async def a_resume_on_turn_is_prompted(probe: Probe) -> None:
    """After what was missed comes a `prompt`, if it is the seat's turn; the act that follows is the seat's."""
    players = await probe.four()
    seat, prompt = await probe.play_until(players, "call")
    hand = players[seat].of_type("hands_dealt")[-1]["hand"]
    again = await probe.resume(players[seat], seq=players[seat].seq)
    expect(
        (await again.until("prompt"))["actions"] == prompt["actions"], "another prompt came after the resume"
    )
    again = await probe.resume(again)
    shown = (await again.until("snapshot")).get("hand")
    expect(shown == hand, f"the hand was {hand}, and is {shown} after a resume")
    await again.until("prompt")
    await again.act({"type": "call", "call": "pass"})
    other = players[(seat + 1) % 4]
    call = await other.until("call_made")
    expect((call["seat"], call.get("by", "player")) == (seat, "player"), f"the call was told as {call}")


@subject.check("R-15")
async def others_are_told_of_away_and_back(probe: Probe) -> None:
    """When a player's connection is lost, the others see `player_away`, and after a resume `player_back`, once
    each.
    """
    client, other, _ = await _at_table(probe)
    await client.close()
    away = await other.until("player_away")
    grace = client.welcome["grace_seconds"]
    expect((away["seat"], away["grace_seconds"]) == (0, grace), f"the others were told {away}")
    again = await probe.resume(client, seq=client.seq)
    await again.settle()
    await other.settle()
    told = [message.type for message in other.received if message.type in {"player_away", "player_back"}]
    expect(told == ["player_away", "player_back"], f"the others were told {told}")
    expect(not other.of_type("player_left"), "the others were told that the player left")


@subject.check("Q-3")
async def a_repeat_is_known_across_connections(probe: Probe) -> None:
    """Requests without an answer are sent again with their ids on the new connection, and not applied twice."""
    client, other, _ = await _at_table(probe)
    await client.send(type="chat", id=700, text="only once")
    await other.until("said")
    await client.close()
    again = await probe.resume(client)
    await again.send(type="chat", id=700, text="only once")
    reply = await again.answer_to(700)
    expect(reply["type"] == "done", f"the repeat was answered by {brief(reply)}")
    await other.settle()
    said = [each["text"] for each in other.of_type("said")]
    expect(said == ["only once"], f"a chat line sent again under its id was said as {said}")


@subject.check("R-17")
async def goodbye_ends_the_session(probe: Probe) -> None:
    """A client's `goodbye` ends the session: its seat is given up, its token is void."""
    client, other, _ = await _at_table(probe)
    await client.send(type="goodbye", code="left")
    await client.closes()
    left = await other.until("player_left")
    expect((left["seat"], left["reason"]) == (0, "left"), f"the others were told {left}")
    await _refused_token(probe, client.welcome["token"], "the token of a session that was ended by goodbye")


@subject.check("R-9")
async def tokens_of_two_sessions_are_two(probe: Probe) -> None:
    """A token resumes the session it was issued for, and no other."""
    first, second = await probe.player(), await probe.player()
    one, two = await probe.table(first), await probe.table(second)
    await first.get("join", table=one)
    await second.get("join", table=two)
    for client, table in ((first, one), (second, two)):
        again = await probe.resume(client)
        expect(again.welcome.get("table") == table, f"the token of table {table} led to another")
        expect(again.welcome["name"] == client.welcome["name"], "the token led to another name")


@subject.check("R-16")
async def the_seat_is_given_up_when_the_grace_is_over(probe: Probe) -> None:
    """When the grace is over the session ends, and the seat is given up: `player_left`, `grace_over`."""
    client, other, _ = await _at_table(probe)
    grace = client.welcome["grace_seconds"]
    needs_short(probe.target, grace, "grace", "--grace-seconds")
    await client.close()
    away = await other.until("player_away")
    left = await other.until("player_left", within=grace + 5)
    expect((left["seat"], left["reason"]) == (away["seat"], "grace_over"), f"the others were told {left}")
    await _refused_token(probe, client.welcome["token"], "the token, after the grace,")


@subject.check("R-15")
async def a_seat_is_held_during_the_grace(probe: Probe) -> None:
    """A player's seat is held for the grace: it is not given to another."""
    client, other, table = await _at_table(probe)
    await client.close()
    await other.until("player_away")
    third = await probe.player()
    await third.refused("seat_taken", "join", table=table, seat=0)
    await anyio.sleep(HOLD_SECONDS)
    expect(not other.of_type("player_left"), "the seat was given up at once")


@subject.check("R-13", "W-3")
async def what_was_before_one_came_is_not_told(probe: Probe) -> None:
    """A session is sent no events from before it became the viewer that it is: a snapshot comes instead."""
    client, _, table = await _at_table(probe)
    await client.get("chat", text="before")
    late = await probe.player()
    await late.get("watch", table=table)
    before = len(late.received)
    await late.get("sync", seq=0)
    told = [message.type for message in late.received[before:]]
    expect(told[0] == "snapshot", f"a sync from event 0 of who came later was answered by {told}")
