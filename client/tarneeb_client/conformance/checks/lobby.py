"""Checks of the lobby: tables, seats, spectators, bots, chat."""

from __future__ import annotations

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.probe import Client, Probe, brief, expect
from tarneeb_client.conformance.rules import CLASSIC, RULE_DEFAULTS, whole_rules
from tarneeb_client.conformance.shapes import Fields

subject: Subject[Probe] = Subject("lobby")

NO_TABLE = 2**40
WORD = "open sesame"


async def _listed(client: Client, table: int) -> Fields:
    reply = await client.get("list_tables", after=table - 1 if table > 1 else None)
    found = [each for each in reply["tables"] if each["table"] == table]
    expect(len(found) == 1, f"table {table} is listed {len(found)} times")
    summary: Fields = found[0]
    return summary


@subject.check("T-1", "T-4")
async def an_open_table_is_listed(probe: Probe) -> None:
    """`tables` lists the open tables by ascending number; `after` leaves out all up to that number."""
    client = await probe.player()
    numbers = [await probe.table(client, name=f"Listed {place}") for place in range(3)]
    expect(numbers == sorted(set(numbers)), f"tables opened one after the other are numbered {numbers}")
    reply = await client.get("list_tables", after=numbers[0])
    listed = [each["table"] for each in reply["tables"]]
    expect(listed == sorted(listed), f"tables are listed as {listed}")
    expect(
        numbers[0] not in listed and numbers[1] in listed, f"after {numbers[0]} the tables listed are {listed}"
    )
    summary = await _listed(client, numbers[2])
    expect((summary["name"], summary["state"]) == ("Listed 2", "waiting"), f"it is listed as {summary}")
    expect(summary["seats"] == [None] * 4, "it seats somebody: open_table seats nobody")


@subject.check("T-1")
async def rules_are_the_presets_and_the_choices(probe: Probe) -> None:
    """Rule options that are left out are the preset's; `tarneeb` is the preset when none is named."""
    client = await probe.player()
    choices = {
        "target": 61,
        "four_passes": "dealer_stuck",
        "partner_hints": True,
        "dealing": "thirteen_at_a_time",
    }
    cases: tuple[tuple[Fields, Fields], ...] = (
        ({}, RULE_DEFAULTS),
        ({"preset": "classic"}, CLASSIC),
        ({"rules": choices}, RULE_DEFAULTS | choices),
        ({"preset": "classic", "rules": {"auction": "single"}}, CLASSIC | {"auction": "single"}),
    )
    for options, expected in cases:
        table = await probe.table(client, **options)
        rules = whole_rules((await _listed(client, table))["rules"])
        expect(rules == expected, f"a table opened with {options} has the rules {rules}")


@subject.check("T-1")
async def tables_that_cannot_be_are_refused(probe: Probe) -> None:
    """`open_table` is refused with `bad_rules` or `bad_name` when there is no such preset, option or name."""
    client = await probe.player()
    await client.refused("bad_rules", "open_table", name="T", preset="bridge")
    await client.refused("bad_rules", "open_table", name="T", rules={"target": 32})
    await client.refused("bad_name", "open_table", name="\u202eT")
    await client.refused("bad_name", "open_table", name="n" * 25)


@subject.check("M-6")
async def an_option_that_is_not_known_is_refused(probe: Probe) -> None:
    """A rule option that there is not is `bad_request` with its name in `field`, nil or not."""
    client = await probe.player()
    for rules in ({"jokers": True}, {"target": 41, "jokers": None}):
        reply = await client.ask("open_table", name="Odd", rules=rules)
        expect(
            (reply.get("code"), reply.get("field")) == ("bad_request", "rules.jokers"),
            f"open_table with rules {rules} was answered by {brief(reply)}",
        )


@subject.check("T-5")
async def a_seat_is_as_wished_or_the_first_empty(probe: Probe) -> None:
    """`join` takes `seat` if given, else the one opposite `partner`, else the first that is empty."""
    players = [await probe.player() for _ in range(4)]
    table = await probe.table(players[0])
    wishes: tuple[Fields, ...] = ({"seat": 1}, {"partner": players[0].welcome["name"]}, {}, {})
    for client, wish, expected in zip(players, wishes, (1, 3, 0, 2), strict=True):
        joined = await client.get("join", table=table, **wish)
        expect(
            joined.get("seat") == expected, f"a join with {wish} was given {joined.get('seat')}, not {expected}"
        )
        snapshot = client.of_type("snapshot")[-1]
        expect(snapshot.get("seat") == expected, f"its snapshot is that of seat {snapshot.get('seat')}")
        name = client.welcome["name"]
        expect((snapshot["seats"][expected] or {}).get("name") == name, f"its seat does not bear {name}")


@subject.check("T-1", "T-10", "E-4")
async def joins_that_cannot_be_are_refused(probe: Probe) -> None:
    """`join` and `watch` are refused with the codes of the document, and change nothing."""
    first, second, third = [await probe.player() for _ in range(3)]
    table = await probe.table(first)
    other = await probe.table(first, spectators=False, name="Closed")
    await first.get("join", table=table, seat=0)
    seq = first.seq
    await second.refused("no_such_table", "join", table=NO_TABLE)
    await second.refused("no_such_table", "watch", table=NO_TABLE)
    await second.refused("seat_taken", "join", table=table, seat=0)
    await second.refused("no_such_partner", "join", table=table, partner="Nobody here")
    await second.refused("cannot_watch", "watch", table=other)
    await first.refused("already_at_table", "join", table=other)
    await first.refused("already_at_table", "join", table=table, seat=1)
    await first.refused("already_at_table", "watch", table=other)
    await third.refused("not_at_table", "leave")
    await third.refused("not_at_table", "sync")
    await third.refused("not_at_table", "add_bot")
    await third.refused("not_at_table", "act", action={"type": "ready"})
    await first.settle()
    expect(first.seq == seq, "a refused request made an event at the table")


@subject.check("T-1")
async def a_locked_table_asks_for_its_password(probe: Probe) -> None:
    """A table with a password is `locked`; `join` and `watch` need the password, else `wrong_password`."""
    client, other = await probe.player(), await probe.player()
    table = await probe.table(client, password=WORD)
    expect((await _listed(client, table)).get("locked"), "a table with a password is not listed as locked")
    await other.refused("wrong_password", "join", table=table)
    await other.refused("wrong_password", "watch", table=table, password=WORD[:4])
    await other.get("watch", table=table, password=WORD)
    await client.get("join", table=table, password=WORD)


@subject.check("T-1", "W-4")
async def a_spectator_may_not_act(probe: Probe) -> None:
    """A spectator gets a snapshot without seat and hand, and may not act or add bots: `not_a_player`."""
    player, watcher = await probe.player(), await probe.player()
    table = await probe.table(player)
    await player.get("join", table=table)
    joined = await watcher.get("watch", table=table)
    expect(joined.get("seat") is None, "a spectator was given a seat")
    snapshot = watcher.of_type("snapshot")[-1]
    expect(
        snapshot.get("seat") is None and snapshot.get("hand") is None, "a spectator's snapshot has seat or hand"
    )
    await watcher.refused("not_a_player", "add_bot")
    await watcher.refused("not_a_player", "act", action={"type": "ready"})
    await player.settle()
    come = player.of_type("spectator_joined")
    expect([event["name"] for event in come] == [watcher.welcome["name"]], f"the player was told {come}")
    await watcher.get("join", table=table, seat=2)
    await player.settle()
    told = [message.type for message in player.received][-4:]
    expect("spectator_left" in told and "player_seated" in told, f"when the spectator sat down, it told {told}")


@subject.check("T-1")
async def leaving_leads_to_the_lobby(probe: Probe) -> None:
    """`leave` gives the seat up for good: the others are told `player_left`, and no events come any more."""
    stays, leaves = await probe.player(), await probe.player()
    table = await probe.table(stays)
    await stays.get("join", table=table, seat=0)
    await leaves.get("join", table=table, seat=1)
    done = await leaves.get("leave")
    expect(done["type"] == "done", f"leave was answered by {done['type']}")
    await stays.settle()
    left = stays.of_type("player_left")
    expected = [(1, leaves.welcome["name"], "left")]
    expect([(each["seat"], each["name"], each["reason"]) for each in left] == expected, f"it told {left}")
    await stays.get("chat", text="alone")
    await leaves.settle()
    expect(not leaves.of_type("said"), "who had left was still sent events")
    await leaves.refused("not_at_table", "leave")


@subject.check("T-1")
async def chat_reaches_whom_it_is_for(probe: Probe) -> None:
    """Chat at a table is an event for all at it; in the lobby it goes to all who are at no table."""
    seated, watching, idle, speaking = [await probe.player() for _ in range(4)]
    table = await probe.table(seated)
    await seated.get("join", table=table, seat=3)
    await watching.get("watch", table=table)
    await seated.get("chat", text="at the table")
    await watching.get("chat", text="from behind")
    await speaking.get("chat", text=f"in the lobby {table}")
    for client in (seated, watching, idle):
        await client.settle()
    for client in (seated, watching):
        said = [(each["name"], each.get("seat"), each["text"]) for each in client.of_type("said")]
        names = (seated.welcome["name"], watching.welcome["name"])
        expected = [(names[0], 3, "at the table"), (names[1], None, "from behind")]
        expect(said == expected, f"at the table was said {said}")
        heard = [each["text"] for each in client.of_type("lobby_said")]
        expect(f"in the lobby {table}" not in heard, "lobby chat was sent to a table")
    expect(not idle.of_type("said"), "chat of a table was sent to the lobby")
    heard = [(each["name"], each["text"]) for each in idle.of_type("lobby_said")]
    wanted = (speaking.welcome["name"], f"in the lobby {table}")
    expect(wanted in heard, f"the lobby was told {heard}")


@subject.check("T-1")
async def bots_fill_empty_seats(probe: Probe) -> None:
    """`add_bot` puts a bot into the seat named or the first empty one; `remove_bot` takes it out."""
    client = await probe.player()
    table = await probe.table(client)
    await client.get("join", table=table, seat=1)
    await client.get("add_bot", seat=3, level="random")
    await client.get("add_bot")
    seated = [(each["seat"], each["level"]) for each in client.of_type("bot_seated")]
    expect(seated == [(3, "random"), (0, "steady")], f"bots were seated as {seated}")
    await client.refused("seat_taken", "add_bot", seat=3)
    await client.refused("seat_taken", "add_bot", seat=1)
    await client.refused("no_bot_there", "remove_bot", seat=1)
    await client.refused("no_bot_there", "remove_bot", seat=2)
    await client.get("remove_bot", seat=3)
    removed = [each["seat"] for each in client.of_type("bot_removed")]
    expect(removed == [3], f"the bots removed are those of {removed}")


@subject.check("T-5")
async def a_player_takes_a_bots_seat(probe: Probe) -> None:
    """A player may sit down in a bot's seat; without a wish an empty seat comes first."""
    client, friend = await probe.player(), await probe.player()
    table = await probe.table(client)
    await client.get("join", table=table, seat=0)
    await client.get("add_bot", seat=1)
    joined = await friend.get("join", table=table)
    expect(joined.get("seat") == 2, f"the first empty seat is 2; it gave {joined.get('seat')}")
    await friend.get("leave")
    joined = await friend.get("join", table=table, seat=1)
    expect(joined.get("seat") == 1, f"the bot's seat was asked for; it gave {joined.get('seat')}")


@subject.check("T-2", "T-4")
async def four_ready_players_begin_a_set(probe: Probe) -> None:
    """When four seats are taken and every player is ready, a set begins; no bot is removed during it, and a
    fifth player finds no seat.
    """
    players = await probe.four()
    await players[0].settle()
    late = await probe.player()
    table = players[0].of_type("snapshot")[0]["table"]
    await late.refused("table_full", "join", table=table)
    await players[0].refused("table_full", "add_bot")
    summary = await _listed(late, table)
    expect(summary["state"] == "playing", f"the table is listed as {summary['state']}")
    expect(summary.get("deal") == 1, f"the deal listed is {summary.get('deal')}")


@subject.check("T-6")
async def who_has_seen_a_hand_takes_no_other(probe: Probe) -> None:
    """Whoever has seen a hand of the deal in progress may take no other seat until it is over."""
    players = await probe.four()
    await probe.play_until(players, "call")
    table = players[0].of_type("snapshot")[0]["table"]
    await players[2].get("leave")
    await players[3].get("leave")
    await players[2].refused("seen_another_hand", "join", table=table, seat=3)
    joined = await players[2].get("join", table=table, seat=2)
    expect(joined.get("seat") == 2, "the seat that was left could not be taken again")
    dealt = players[2].of_type("hands_dealt")[-1].get("hand")
    again = players[2].of_type("snapshot")[-1].get("hand")
    expect(dealt == again, f"its hand was {dealt}, and is {again} after leaving and coming back")


@subject.check("T-7")
async def a_bot_takes_over_from_who_leaves_a_set(probe: Probe) -> None:
    """When a player leaves during a set, a bot takes the seat at once and the others play on."""
    players = await probe.four()
    await players[0].settle()
    before = len(players[0].received)
    await players[1].get("leave")
    await players[0].settle()
    told = [message.type for message in players[0].received[before:]]
    expect("player_left" in told and "bot_seated" in told, f"when a player left, it told {told}")
    seated = players[0].of_type("bot_seated")[-1]
    expect(seated["seat"] == 1, f"a bot took seat {seated['seat']}, not the one that was left")


@subject.check("J-2", "T-1")
async def a_recorded_set_that_is_not_there_is_refused(probe: Probe) -> None:
    """`list_sets` is answered by `sets`, the latest first; `get_set` of a number that no recorded set has by
    `no_such_record`."""
    client = await probe.player()
    reply = await client.get("list_sets")
    expect(reply["type"] == "sets", f"list_sets is answered by {reply['type']}")
    numbers = [each["record"] for each in reply["sets"]]
    expect(numbers == sorted(set(numbers), reverse=True), f"recorded sets are listed as {numbers}")
    await client.refused("no_such_record", "get_set", record=NO_TABLE)
