"""Checks of acting: what is refused, with which code, and that nobody else learns of it."""

from __future__ import annotations

from tarneeb_client.conformance.outcome import NotTested, Subject
from tarneeb_client.conformance.probe import Client, Probe, brief, expect, lively
from tarneeb_client.conformance.rules import (
    CLASSIC,
    RULE_DEFAULTS,
    legal_calls,
    legal_plays,
    plain,
)
from tarneeb_client.conformance.shapes import CARDS, Fields
from tarneeb_client.conformance.wire import frame

subject: Subject[Probe] = Subject("acting")

LIFE = {"ping", "pong"}
CUT: Fields = {"type": "cut", "at": 20}
PASS: Fields = {"type": "call", "call": "pass"}
DOUBLE: Fields = {"type": "call", "call": "double"}


def _bid(tricks: int) -> Fields:
    return {"type": "call", "call": "bid", "tricks": tricks}


async def _refused(players: list[Client], seat: int, code: str, action: Fields, **fields: object) -> None:
    """The action is refused with the code; nothing changes and nobody else is told."""
    for client in players:
        await client.settle()
    before = [len(client.received) for client in players]
    await players[seat].refused(code, "act", action=action, **fields)
    for other, client in enumerate(players):
        if other != seat:
            await client.settle()
            told = [each.type for each in client.received[before[other] :] if each.type not in LIFE]
            expect(not told, f"seat {other} was sent {told} when an action of seat {seat} was refused")
    own = [each.type for each in players[seat].received[before[seat] :] if each.type not in LIFE]
    expect(own == ["error"], f"seat {seat} was sent {own} for an action that was refused")


@subject.check("A-4", "E-4")
async def actions_out_of_turn_or_phase_are_refused(probe: Probe) -> None:
    """Out of turn is `not_your_turn`, the wrong kind of action `wrong_phase`; nobody else is told."""
    players = await probe.four()
    seat, _ = await probe.play_until(players, "cut")
    await _refused(players, (seat + 1) % 4, "not_your_turn", CUT)
    await _refused(players, seat, "wrong_phase", _bid(8))
    await _refused(players, seat, "wrong_phase", {"type": "play", "card": "AS"})
    await _refused(players, seat, "bad_cut", {"type": "cut", "at": 0})
    await _refused(players, seat, "bad_cut", {"type": "cut", "at": 52})
    await _refused(players, seat, "wrong_table_state", {"type": "ready"})
    await players[seat].act(CUT)
    seat, _ = await probe.play_until(players, "call")
    await _refused(players, seat, "wrong_phase", CUT)
    await _refused(players, seat, "wrong_phase", {"type": "trump", "suit": "S"})
    await _refused(players, (seat + 2) % 4, "not_your_turn", PASS)


@subject.check("A-4", "E-4")
async def calls_against_the_rules_are_refused(probe: Probe) -> None:
    """A bid that does not outrank, or is under 7, is `bid_too_low`; over 13 `bid_too_high`; the match is the
    dealer's alone; a remark, a suit or a double is for tables that have it.
    """
    players = await probe.four()
    seat, _ = await probe.play_until(players, "call")
    await _refused(players, seat, "bid_too_low", _bid(6))
    await _refused(players, seat, "bid_too_high", _bid(14))
    await _refused(players, seat, "no_remarks", _bid(8) | {"remark": "helpful"})
    await _refused(players, seat, "bid_names_no_suit", _bid(8) | {"suit": "H"})
    await _refused(players, seat, "no_double", DOUBLE)
    await players[seat].act(_bid(9))
    second = (seat + 1) % 4
    await _refused(players, second, "bid_too_low", _bid(8))
    await _refused(players, second, "match_is_dealers", _bid(9))
    await players[second].act(PASS)
    await players[(seat + 2) % 4].act(PASS)
    await players[(seat + 3) % 4].act(_bid(9))
    await players[0].settle()
    won = players[0].of_type("auction_won")[-1]
    expect(
        (won["seat"], won["tricks"]) == ((seat + 3) % 4, 9),
        f"the dealer matched 9, and the auction was won by {won}",
    )


@subject.check("A-2", "A-4")
async def a_classic_auction_goes_round(probe: Probe) -> None:
    """In the preset `classic` the auction goes round until three in succession pass after a bid; a pass is
    final; there is no match and no "game".
    """
    players = await probe.four(preset="classic")
    seat, prompt = await probe.play_until(players, "call")
    await _refused(players, seat, "no_game_call", {"type": "call", "call": "game"})
    calls: list[Fields] = []
    script = [_bid(7), _bid(8), PASS, _bid(9), _bid(10), PASS, PASS]
    order = [0, 1, 2, 3, 0, 1, 3]
    for action, place in zip(script, order, strict=True):
        actor = (seat + place) % 4
        turn, prompt = await probe.prompted(players)
        expect(turn == actor, f"after {len(calls)} calls seat {turn} was prompted, not {actor}")
        _same(prompt, legal_calls(CLASSIC, (seat + 3) % 4, calls, actor))
        await players[actor].act(action)
        calls.append(action)
    won = players[0].of_type("auction_won") or (await players[0].settle(), players[0].of_type("auction_won"))[1]
    expect([(each["seat"], each["tricks"]) for each in won] == [(seat, 10)], f"the auction was won as {won}")


@subject.check("A-2", "A-4")
async def a_bid_names_its_suit_and_can_be_doubled(probe: Probe) -> None:
    """Where the rules have it, a bid names its suit and ranks by it, an opponent may double the highest one,
    who has passed may bid again, and the tarneeb is known when the auction is over.
    """
    options: Fields = {"auction": "returning", "suit_bids": "clubs_to_diamonds", "double": True}
    rules = RULE_DEFAULTS | options
    players = await probe.four(rules=options)
    seat, _ = await probe.play_until(players, "call")
    await _refused(players, seat, "bid_needs_suit", _bid(8))
    await _refused(players, seat, "no_double", DOUBLE)
    hearts, diamonds = _bid(8) | {"suit": "H"}, _bid(8) | {"suit": "D"}
    calls: list[Fields] = []
    for action in (PASS, hearts, DOUBLE, PASS, diamonds, DOUBLE, PASS, PASS):
        turn, prompt = await probe.prompted(players)
        expected = (seat + len(calls)) % 4
        expect(turn == expected, f"after {len(calls)} calls seat {turn} was prompted, not {expected}")
        _same(prompt, legal_calls(rules, (seat + 3) % 4, calls, turn))
        if len(calls) == 2:
            await _refused(players, turn, "bid_too_low", _bid(8) | {"suit": "S"})
        await players[turn].act(action)
        calls.append({"seat": turn, **action})
    await players[0].settle()
    won = players[0].of_type("auction_won")
    told = [(each["seat"], each["tricks"], each.get("suit"), each.get("doubled")) for each in won]
    expect(told == [(seat, 8, "D", True)], f"the auction was won as {won}")
    named = [(each["seat"], each["suit"]) for each in players[0].of_type("trump_named")]
    expect(named == [(seat, "D")], f"the tarneeb was named as {named}")
    turn, prompt = await probe.prompted(players)
    expect(
        (turn, prompt["actions"][0]["type"]) == (seat, "play"),
        f"then seat {turn} was prompted with {brief(prompt)}",
    )


def _same(prompt: Fields, legal: list[Fields]) -> None:
    offered = sorted(map(str, map(plain, prompt["actions"])))
    expected = sorted(map(str, map(plain, legal)))
    expect(offered == expected, f"a prompt offered {offered}; legal is {expected}")


@subject.check("A-4", "Y-2")
async def four_passes_void_the_deal(probe: Probe) -> None:
    """When all four pass, nobody scores, the pack is revealed, and the same dealer deals again; with
    `dealer_stuck` the dealer may not pass, with `next_dealer` the deal passes to the right.
    """
    for option in ("same_dealer", "next_dealer", "dealer_stuck"):
        players = await probe.four(rules={"four_passes": option})
        seat, _ = await probe.play_until(players, "call")
        for place in range(3):
            await players[(seat + place) % 4].act(PASS)
        dealer = (seat + 3) % 4
        if option == "dealer_stuck":
            await _refused(players, dealer, "dealer_stuck", PASS)
            await players[dealer].act(_bid(7))
            continue
        await players[dealer].act(PASS)
        await players[0].settle()
        started = [event["dealer"] for event in players[0].of_type("deal_started")]
        expected = [dealer, dealer if option == "same_dealer" else (dealer + 1) % 4]
        expect(started == expected, f"with {option} the dealers were {started}, not {expected}")
        told = [message.type for message in players[0].received]
        voided = told.index("deal_voided")
        expect(
            told[voided : voided + 3] == ["deal_voided", "deal_revealed", "deal_started"],
            f"told {told[voided:]}",
        )


@subject.check("A-2")
async def the_game_call_ends_the_auction(probe: Probe) -> None:
    """The call "game" outranks a plain 13, cannot be matched, and ends the auction at once."""
    players = await probe.four()
    seat, _ = await probe.play_until(players, "call")
    await players[seat].act(_bid(13))
    await players[(seat + 1) % 4].act({"type": "call", "call": "game"})
    await players[0].settle()
    won = players[0].of_type("auction_won")[-1]
    expect((won["seat"], won["call"], won["tricks"]) == ((seat + 1) % 4, "game", 13), f"it was won as {won}")


@subject.check("A-2", "W-2")
async def a_remark_is_heard_by_all(probe: Probe) -> None:
    """Where the rules have it, a prompt offers remarks, and a remark with a call is told to every seat."""
    players = await probe.four(rules={"partner_hints": True})
    seat, prompt = await probe.play_until(players, "call")
    expect(
        sorted(prompt.get("remarks", [])) == ["helpful", "not_helpful"], f"remarks are {prompt.get('remarks')}"
    )
    await players[seat].act(PASS | {"remark": "not_helpful"})
    for client in players:
        await client.settle()
        heard = client.of_type("call_made")[-1].get("remark")
        expect(heard == "not_helpful", f"a remark was heard as {heard}")


@subject.check("A-2", "A-4", "E-4", seconds=20)
async def cards_against_the_rules_are_refused(probe: Probe) -> None:
    """A card that is not held is `card_not_held`, one that does not follow suit `must_follow_suit`, a first
    lead of another suit, where the rules ask for it, `must_lead_tarneeb`; nobody else is told.
    """
    players = await probe.four(rules={"lead_tarneeb": True})
    seat, _ = await probe.play_until(players, "trump")
    held = [list(client.of_type("hands_dealt")[-1]["hand"]) for client in players]
    trump = held[seat][0][1]
    await players[seat].act({"type": "trump", "suit": trump})
    rules = RULE_DEFAULTS | {"lead_tarneeb": True}
    found: set[str] = set()
    trick: list[str] = []
    for number in range(24):
        seat, prompt = await probe.prompted(players)
        hand = held[seat]
        legal = legal_plays(rules, hand, trick, trump, is_first_lead=number == 0)
        _same(prompt, legal)
        allowed = [action["card"] for action in legal]
        forbidden = [card for card in hand if card not in allowed]
        if number == 1:
            absent = next(card for card in CARDS if card not in hand)
            await _refused(players, seat, "card_not_held", {"type": "play", "card": absent})
        if forbidden:
            code = "must_follow_suit" if trick else "must_lead_tarneeb"
            if code not in found or number % 5 == 0:
                await _refused(players, seat, code, {"type": "play", "card": forbidden[0]})
                found.add(code)
        await players[seat].act(legal[0])
        hand.remove(allowed[0])
        trick = [] if len(trick) == 3 else [*trick, allowed[0]]
    if "must_follow_suit" not in found:
        raise NotTested("no player could break suit in six tricks")


@subject.check("A-5", "A-6")
async def an_act_of_an_old_view_is_stale(probe: Probe) -> None:
    """`act.seq` before the event with which the turn began is `stale`, one beyond the last event `bad_request`;
    any other is accepted, so that chat in between does no harm.
    """
    players = await probe.four()
    seat, prompt = await probe.play_until(players, "call")
    await _refused(players, seat, "stale", PASS, seq=prompt["seq"] - 1)
    await _refused(players, seat, "bad_request", PASS, seq=prompt["seq"] + 1000)
    await players[(seat + 1) % 4].get("chat", text="take your time")
    await players[seat].settle()
    await players[seat].act(PASS, seq=prompt["seq"])


@subject.check("A-7")
async def a_burst_of_acts_is_one_act(probe: Probe) -> None:
    """Several acts in one segment are one turn: the first is done, the others are out of turn."""
    players = await probe.four()
    seat, _ = await probe.play_until(players, "call")
    client = players[seat]
    await client.send_bytes(
        frame(type="act", id=501, action=_bid(7))
        + frame(type="act", id=502, action=_bid(8))
        + frame(type="act", id=503, action=PASS)
    )
    answers = [await client.answer_to(number) for number in (501, 502, 503)]
    got = [answer.get("code", answer["type"]) for answer in answers]
    expect(got == ["done", "not_your_turn", "not_your_turn"], f"three calls at once were answered by {got}")
    await players[0].settle()
    calls = players[0].of_type("call_made")
    expect(len(calls) == 1, f"three calls at once made {len(calls)} calls")


@subject.check("A-4")
async def an_act_needs_a_set(probe: Probe) -> None:
    """An action at a table where no set has begun is `wrong_table_state`."""
    client = await probe.player()
    await client.get("join", table=await probe.table(client))
    await client.refused("wrong_table_state", "act", action=CUT)


@subject.check("K-1", seconds=20)
async def the_servers_clock_acts_when_time_is_over(probe: Probe) -> None:
    """With `turn_seconds` each turn has so much time, which the prompt tells; then the server acts for the
    seat, and the event has `by` `clock`.
    """
    players = await probe.four(turn_seconds=1)
    seat, prompt = await probe.prompted(players)
    expect(prompt.get("seconds") in {0, 1}, f"a prompt with a clock of 1 s tells {prompt.get('seconds')!r} s")
    cut = await players[0].until("pack_cut", within=6)
    expect((cut["seat"], cut.get("by")) == (seat, "clock"), f"seat {seat} did nothing, and it told {cut}")


@subject.check("A-3")
async def an_action_of_ones_own_is_told_as_such(probe: Probe) -> None:
    """An event has `by` `player`, or none, when the player of the seat decided it."""
    players = await probe.four()
    _, prompt = await probe.play_until(players, "trump")
    seat, _ = await probe.prompted(players)
    await players[seat].act(lively(prompt["actions"]))
    for event in players[0].of_type("pack_cut", "call_made", "trump_named"):
        expect(
            event.get("by", "player") == "player", f"a player's own action was told as {brief(event)}: {event}"
        )
