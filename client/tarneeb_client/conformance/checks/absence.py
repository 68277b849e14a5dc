"""Checks of what happens when a player is not there: the grace of a table, stand-ins, how long others wait."""

from __future__ import annotations

import anyio

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.probe import Client, Probe, expect, lively
from tarneeb_client.conformance.shapes import Fields

subject: Subject[Probe] = Subject("absence")

TURN_SECONDS = 3
STAND_IN = ("stand_in_began", "stand_in_ended", "player_away", "player_back")
DECIDED = ("pack_cut", "call_made", "trump_named", "card_played")


def _told(viewer: Client, seat: int) -> list[str]:
    return [each.type for each in viewer.received if each.type in STAND_IN and each.fields["seat"] == seat]


@subject.check("K-6", "K-7", seconds=20)
async def a_stand_in_for_who_stalls_is_told_until_the_player_does_something(probe: Probe) -> None:
    """Before the server first acts for a player whose time ran out, everybody is told `stand_in_began`; when
    the player asks for anything, `stand_in_ended`; each once.
    """
    players = await probe.four(turn_seconds=1)
    seat, _ = await probe.prompted(players)
    await players[(seat + 2) % 4].until("pack_cut", within=6)
    await players[seat].get("list_tables")
    for place, viewer in enumerate(players):
        await viewer.settle()
        told = _told(viewer, seat)
        expect(told[:2] == ["stand_in_began", "stand_in_ended"], f"seat {place} was told {told} of seat {seat}")
    types = [each.type for each in players[seat].received]
    expect(types.index("stand_in_began") < types.index("pack_cut"), "it was told after the action")


@subject.check("K-6", "K-7", seconds=20)
async def a_stand_in_for_who_is_away_ends_with_the_return(probe: Probe) -> None:
    """A stand-in for a player who is away is told once, and ends with `player_back`."""
    players = await probe.four(turn_seconds=1, grace_seconds=60)
    seat, _ = await probe.prompted(players)
    other = players[(seat + 1) % 4]
    await players[seat].close()
    await other.until("pack_cut", within=6)
    again = await probe.resume(players[seat])
    await again.settle()
    await other.settle()
    told = _told(other, seat)
    expect(
        [each for each in told if each != "stand_in_ended"] == ["player_away", "stand_in_began", "player_back"],
        f"of a player who was away and came back the others were told {told}",
    )
    expect("stand_in_ended" not in told, "the end of the stand-in was told beside player_back")


@subject.check("K-4", "K-8", seconds=40)
async def an_absent_player_costs_one_turn_and_then_a_second_each(probe: Probe) -> None:
    """The first turn of a player who is away lasts no longer than the table's time, a further one about a
    second.
    """
    players = await probe.four(turn_seconds=TURN_SECONDS, grace_seconds=300)
    absent, _ = await probe.prompted(players)
    await players.pop(absent).close()
    waits: list[float] = []
    while len(waits) < 3:
        for client in players:
            await client.settle()
        decided = players[0].of_type(*DECIDED)
        turn = _own_turn(players, decided[-1]["seq"] if decided else 0)
        if turn is not None:
            client, actions = turn
            await client.act(lively(actions))
            continue
        began = anyio.current_time()
        await players[0].until(*DECIDED, within=TURN_SECONDS + 3)
        waits.append(anyio.current_time() - began)
    expect(waits[0] < TURN_SECONDS + 1.5, f"the first turn lasted {waits[0]:.1f} s")
    expect(max(waits[1:]) < 2.5, f"further turns lasted {', '.join(f'{wait:.1f}' for wait in waits[1:])} s")


def _own_turn(players: list[Client], decided: int) -> tuple[Client, list[Fields]] | None:
    """Which of these players has been prompted since event ``decided``, and for what."""
    for client in players:
        prompts = client.of_type("prompt")
        if prompts and prompts[-1]["seq"] >= decided:
            return client, prompts[-1]["actions"]
    return None


@subject.check("R-15", "R-16", seconds=20)
async def a_tables_own_grace_is_kept(probe: Probe) -> None:
    """`open_table.grace_seconds` is how long a seat at that table is held: it is told, and then over."""
    client, other = await probe.player(), await probe.player()
    table = await probe.table(client, grace_seconds=1)
    await client.get("join", table=table, seat=0)
    await other.get("join", table=table, seat=2)
    told = other.of_type("snapshot")[-1]["grace_seconds"]
    expect(told == 1, f"the snapshot of a table with a grace of 1 s tells {told}")
    await client.close()
    away = await other.until("player_away")
    expect(away["grace_seconds"] == 1, f"of a table with a grace of 1 s the others were told {away}")
    left = await other.until("player_left", within=6)
    expect((left["seat"], left["reason"]) == (0, "grace_over"), f"the others were told {left}")


@subject.check("T-11")
async def a_hand_that_was_seen_is_remembered_beyond_the_session(probe: Probe) -> None:
    """Who has seen a hand, and comes back in a new session under the same name, gets no other seat in that
    deal.
    """
    players = await probe.four()
    await probe.play_until(players, "call")
    table = players[0].of_type("snapshot")[0]["table"]
    name = players[2].welcome["name"]
    await players[3].get("leave")
    await players[2].send(type="goodbye", code="left")
    await players[2].closes()
    again = await probe.player(name)
    expect(again.welcome["name"] == name, f"the name of a session that has ended is not free: {name!r}")
    await again.refused("seen_another_hand", "join", table=table, seat=3)
