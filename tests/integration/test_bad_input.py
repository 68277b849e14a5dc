"""Bad input at every step gets the documented error; the other three play on undisturbed."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msgpack
import pytest

from support.four_strangers import FourStrangers, events
from support.plain_wire import PlainWire
from support.processes import ServerProcess, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.plain_wire import Fields


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--seed-for-tests", "9", "--log-level", "debug") as process:
        yield process
        assert process.stop() == 0
        log = process.log.read_text()
        assert "Traceback" not in log
        assert "level=ERROR" not in log


def choose(prompt: Fields) -> Fields:
    """One of the offered actions: an opening bid of 8, otherwise a pass, and the first of anything else."""
    offered: list[Fields] = prompt["actions"]
    opening = {"type": "call", "call": "bid", "tricks": 8}
    if offered[0]["type"] == "call" and {**opening, "tricks": 7} in offered:
        return opening
    return offered[0]


async def refused(four: FourStrangers, seat: int, action: Any) -> Fields:
    error = await four.try_to_act(seat, action)
    assert error["type"] == "error", f"{action} of seat {seat} was accepted: {error}"
    return error


def bid(tricks: Any) -> Fields:
    return {"type": "call", "call": "bid", "tricks": tricks}


def play(card: Any) -> Fields:
    return {"type": "play", "card": card}


def undisturbed(four: FourStrangers, culprit: int | None) -> None:
    """Everybody has heard the same events without a gap, and no error but the culprit's own."""
    heard = [events(wire.received) for wire in four.wires]
    for seat, wire in enumerate(four.wires):
        numbers = [event["seq"] for event in heard[seat]]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        if seat != culprit:
            assert not [message for message in wire.received if message["type"] == "error"]
    shared = max(hearing[0]["seq"] for hearing in heard)
    latest = [[{**event, "hand": None} for event in hearing if event["seq"] >= shared] for hearing in heard]
    assert latest == [latest[0]] * 4


NOT_WHOLE_NUMBERS: tuple[Any, ...] = (7.5, 8.0, "8", True, None, [8], {})


def wrong_actions(four: FourStrangers, culprit: int, prompt: Fields) -> Iterator[tuple[Any, str]]:
    """What a hostile player might try now, each with the documented code."""
    kind = prompt["actions"][0]["type"]
    hand = four.hands[culprit]
    any_card = play(hand[0] if hand else "AS")
    if four.turn != culprit:
        early = {"cut": {"type": "cut", "at": 5}, "call": bid(13), "trump": {"type": "trump", "suit": "S"}}
        yield early.get(kind) or any_card, "not_your_turn"
    elif kind == "cut":
        for at in (-1, 0, 52, 2**40):
            yield {"type": "cut", "at": at}, "bad_cut"
        yield from (({"type": "cut", "at": at}, "bad_request") for at in NOT_WHOLE_NUMBERS)
    elif kind == "call":
        lowest = min(action["tricks"] for action in prompt["actions"] if action["call"] == "bid")
        for tricks in (-1, 0, 6, *range(7, lowest - 1)):
            yield bid(tricks), "bid_too_low"
        yield bid(14), "bid_too_high"
        yield from ((bid(tricks), "bad_request") for tricks in NOT_WHOLE_NUMBERS)
        yield {"type": "call", "call": "pass", "remark": "helpful"}, "no_remarks"
        yield any_card, "wrong_phase"
    elif kind == "trump":
        yield any_card, "wrong_phase"
        for suit in ("N", "hearts", "", None, 3):
            yield {"type": "trump", "suit": suit}, "bad_request"
    else:
        offered = [action["card"] for action in prompt["actions"]]
        yield from ((play(card), "must_follow_suit") for card in hand if card not in offered)
        yield from (
            (play(four.hands[seat][0]), "card_not_held")
            for seat in range(4)
            if seat != culprit and four.hands[seat]
        )
        for card in ("1S", "10S", "as", "", None, 7, True, ["AS"]):
            yield play(card), "bad_request"
        yield {"type": "resign"}, "bad_request"
        yield None, "bad_request"
        yield bid(7), "wrong_phase"


REFUSED_IN_A_SET = {
    "not_your_turn",
    "bad_cut",
    "bid_too_low",
    "bid_too_high",
    "no_remarks",
    "wrong_phase",
    "card_not_held",
    "must_follow_suit",
    "bad_request",
}
"""What a player can be refused under the preset ``tarneeb`` in a set that nobody is stuck in."""


@pytest.mark.proves("A-4", "E-4")
async def test_every_wrong_action_of_a_set_gets_its_code_and_only_its_sender_hears_it(
    server: ServerProcess,
) -> None:
    culprit = 1
    seen: set[str] = set()
    tried: list[Any] = []
    async with FourStrangers.seated(server.host, server.port) as four:
        while not seen >= REFUSED_IN_A_SET or four.last_event() != "deal_started":
            prompt = await four.prompt()
            on_turn = four.turn
            for action, code in wrong_actions(four, culprit, prompt):
                if (on_turn == culprit, action) in tried:
                    continue
                tried.append((on_turn == culprit, action))
                error = await refused(four, culprit, action)
                assert error["code"] == code, (action, error)
                assert 10 < len(error["message"]) < 500
                seen.add(code)
            assert four.turn == on_turn
            await four.act(choose(prompt))
        undisturbed(four, culprit)


def framed(payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + payload


BEYOND_REPAIR = {
    "a length of 4 GiB": (b"\xff\xff\xff\xff", "frame_too_long"),
    "a length one over the limit": (struct.pack(">I", 8 * 1024 + 1), "frame_too_long"),
    "a web browser": (b"GET / HTTP/1.1\r\nHost: tarneeb\r\n\r\n", "frame_too_long"),
    "a TLS hello": (bytes.fromhex("16030100c8010000c40303") + bytes(64), "frame_too_long"),
    "noise": (bytes((17 * number + 200) % 256 for number in range(4096)), "frame_too_long"),
    "no length": (bytes(4), "bad_frame"),
    "noise in a frame": (framed(b"\xc1" * 40), "not_msgpack"),
    "a frame that is cut off within": (framed(msgpack.packb({"type": "ping"})[:-1]), "not_msgpack"),
    "two values in a frame": (framed(msgpack.packb({"type": "ping"}) * 2), "not_msgpack"),
    "a list": (framed(msgpack.packb(["ping"])), "not_a_map"),
    "a number for a key": (framed(msgpack.packb({1: "ping"})), "bad_key"),
    "bytes": (framed(msgpack.packb({"type": b"ping"})), "forbidden_type"),
    "an extension": (framed(msgpack.packb({"type": msgpack.ExtType(5, b"x")})), "forbidden_type"),
    "a well of lists": (framed(b"\x81\xa1x" + b"\x91" * 200 + b"\xc0"), "too_deep"),
}


@pytest.mark.parametrize("fault", BEYOND_REPAIR)
@pytest.mark.proves("C-9")
async def test_bytes_beyond_repair_cost_the_connection_and_nobody_anything_else(
    server: ServerProcess, fault: str
) -> None:
    sent, code = BEYOND_REPAIR[fault]
    culprit = 2
    async with FourStrangers.seated(server.host, server.port) as four:
        while "card_played" not in four.event_types() or four.turn == culprit:
            await four.act(choose(await four.prompt()))
        hand = list(four.hands[culprit])
        wire = four.wires[culprit]
        await wire.stream.send_all(sent)
        last = await wire.until_closed()
        assert last is not None
        assert (last["type"], last["code"], last["resumable"]) == ("goodbye", code, True)
        welcome = await four.return_to(culprit)
        assert welcome["resumed"]
        assert four.turn is not None
        actor = four.turn
        played = len(four.hands[actor])
        await four.act(choose(await four.prompt()))
        assert len(four.hands[actor]) == played - 1
        while four.turn != culprit:
            await four.act(choose(await four.prompt()))
        offered = {action["card"] for action in (await four.prompt())["actions"]}
        assert offered <= set(hand)
        await four.act(choose(await four.prompt()))
        undisturbed(four, culprit)
        assert four.event_types().count("player_away") == four.event_types().count("player_back") == 1


@pytest.mark.parametrize("fault", BEYOND_REPAIR)
async def test_bytes_beyond_repair_before_the_hello_are_refused(server: ServerProcess, fault: str) -> None:
    sent, code = BEYOND_REPAIR[fault]
    async with await PlainWire.connect(server.host, server.port) as wire:
        await wire.stream.send_all(sent)
        last = await wire.until_closed()
        assert last is not None
        assert last["code"] == code


async def test_strangers_who_know_the_document_alone_play_a_whole_set(server: ServerProcess) -> None:
    async with FourStrangers.seated(server.host, server.port) as four:
        while four.turn is not None:
            await four.act(choose(await four.prompt()))
        undisturbed(four, None)
        assert four.last_event() == "set_won"
        assert [len(hand) for hand in four.hands] == [0] * 4
