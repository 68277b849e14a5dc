"""Checks of a whole recorded set: events, views, prompts, rules, fairness, and who sees what."""

from __future__ import annotations

import re
from typing import Any

from tarneeb_client.conformance.folding import fold, normal
from tarneeb_client.conformance.outcome import NotTested, Subject
from tarneeb_client.conformance.probe import Probe, expect
from tarneeb_client.conformance.recording import SPECTATOR, Recording, recorded
from tarneeb_client.conformance.referee import Referee
from tarneeb_client.conformance.shapes import CARDS, EVENTS, Fields

events: Subject[Probe] = Subject("events")
play: Subject[Probe] = Subject("play")
privacy: Subject[Probe] = Subject("privacy")
fairness: Subject[Probe] = Subject("fairness")

RECORDING_SECONDS = 60.0
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


async def _whole(probe: Probe) -> Recording:
    return (await recorded(probe.target)).whole()


async def _judged(probe: Probe, topic: str) -> Referee:
    referee = Referee(await _whole(probe)).run()
    notes = referee.notes.get(topic, [])
    expect(not notes, "; ".join(notes))
    return referee


# ---------------------------------------------------------------- events


@events.check("O-1", seconds=RECORDING_SECONDS)
async def events_are_numbered_without_gaps(probe: Probe) -> None:
    """Events are numbered by table, without gaps, from each viewer's snapshot on."""
    recording = await recorded(probe.target)
    for viewer, received in enumerate(recording.viewers):
        last: int | None = None
        for message in received:
            if message.type in EVENTS:
                seq = message.fields["seq"]
                expect(
                    last is None or seq == last + 1, f"viewer {viewer} was sent event {seq} after event {last}"
                )
                last = seq
            elif message.type == "snapshot":
                seq = message.fields["seq"]
                expect(
                    last is None or seq == last,
                    f"viewer {viewer} was sent a snapshot of event {seq} after {last}",
                )
                last = seq
    recording.whole()


@events.check("O-1", "W-2", seconds=RECORDING_SECONDS)
async def events_are_alike_for_every_viewer(probe: Probe) -> None:
    """All viewers get the same events with the same numbers, but for the hand in `hands_dealt`."""
    recording = await recorded(probe.target)
    by_number: dict[int, Fields] = {}
    for viewer in range(len(recording.viewers)):
        for message in recording.events(viewer):
            event = {name: value for name, value in message.fields.items() if name != "hand"}
            first = by_number.setdefault(event["seq"], event)
            expect(event == first, f"event {event['seq']} is {event} for viewer {viewer}, {first} for another")
    recording.whole()


@events.check("O-4", seconds=RECORDING_SECONDS)
async def a_snapshot_and_later_events_make_the_next_snapshot(probe: Probe) -> None:
    """The snapshot after event n, with events n+1 to m folded into it, is the snapshot after event m, for
    every viewer.
    """
    recording = await _whole(probe)
    compared = 0
    for viewer, received in enumerate(recording.viewers):
        view: Fields | None = None
        for message in received:
            if message.type == "snapshot":
                told = normal(message.fields)
                if view is not None:
                    compared += 1
                    _compare(viewer, view, told)
                view = told
            elif message.type in EVENTS and view is not None:
                view = fold(view, message.fields)
    if not compared:
        raise NotTested("no viewer got a second snapshot")


def _compare(viewer: int, folded: Fields, told: Fields) -> None:
    for name in sorted(folded.keys() & told.keys()):
        expect(
            folded[name] == told[name],
            f"at event {told['seq']} the snapshot of viewer {viewer} has {name} {told[name]};"
            f" the events make it {folded[name]}",
        )


@events.check("Y-1", "Y-2", seconds=RECORDING_SECONDS)
async def events_of_a_deal_come_in_their_order(probe: Probe) -> None:
    """Within a deal the phase only goes forward; the pack is committed to before the cut, and revealed when
    the deal is over.
    """
    await _judged(probe, "order")


@events.check("Q-5", seconds=RECORDING_SECONDS)
async def all_that_an_act_caused_comes_before_its_reply(probe: Probe) -> None:
    """All that a request caused is sent before its reply: when `done` arrives, the events are there."""
    recording = await _whole(probe)
    for seat in range(4):
        last = 0
        for message in recording.viewers[seat]:
            if message.type in EVENTS or message.type == "snapshot":
                last = message.fields["seq"]
            elif message.type == "done" and message.fields.get("seq") is not None:
                seq = message.fields["seq"]
                expect(seq == last, f"seat {seat} was told done at event {seq}, having been sent {last}")


@events.check("F-1", "F-3", "P-1", seconds=RECORDING_SECONDS)
async def every_frame_is_one_message_of_the_document(probe: Probe) -> None:
    """A server's frames have payloads of 65 536 bytes at most, each one msgpack map of its type's fields."""
    recording = await recorded(probe.target)
    expect(not recording.faults, "; ".join(recording.faults))
    recording.whole()


# ---------------------------------------------------------------- play


@play.check("A-1", seconds=RECORDING_SECONDS)
async def turns_go_counterclockwise(probe: Probe) -> None:
    """Seat d+3 cuts, d+1 calls first, and after seat s comes s+1; the declarer leads, then who took the trick;
    after a deal that is played out, the deal passes to the right.
    """
    await _judged(probe, "turns")


@play.check("A-2", seconds=RECORDING_SECONDS)
async def prompts_offer_exactly_the_legal_actions(probe: Probe) -> None:
    """`prompt.actions` is every action that will be accepted now, by rules 6, 8 to 12 and 14 to 16."""
    await _judged(probe, "prompts")


@play.check("Y-3", seconds=RECORDING_SECONDS)
async def hands_are_thirteen_cards_of_one_pack(probe: Probe) -> None:
    """Each seat has thirteen cards, lowest card number first, and plays only them, each once."""
    await _judged(probe, "hands")


@play.check("O-4", seconds=RECORDING_SECONDS)
async def tricks_go_to_whom_rule_17_says(probe: Probe) -> None:
    """The highest tarneeb wins the trick; with none in it, the highest card of the suit led."""
    await _judged(probe, "tricks")


@play.check("O-4", seconds=RECORDING_SECONDS)
async def deals_are_scored_by_the_rules(probe: Probe) -> None:
    """A deal is reckoned by rules 18 to 21, and `deal_scored` tells all of it."""
    await _judged(probe, "scores")


@play.check("A-8", "T-3", seconds=RECORDING_SECONDS)
async def a_set_ends_at_its_target(probe: Probe) -> None:
    """After the deal that brings a team to the target comes `set_won`; then each player is asked to be ready,
    and when all are, the next set begins.
    """
    referee = await _judged(probe, "set")
    expect(referee.sets_won == 1, f"{referee.sets_won} sets were won in the deals played")
    for seat in range(4):
        offered = [
            message.fields["actions"]
            for message in referee.recording.viewers[seat]
            if message.type == "prompt" and message.fields["actions"][0]["type"] == "ready"
        ]
        expect(offered, f"seat {seat} was not asked whether it is ready")
        expect(all(len(actions) == 1 for actions in offered), f"seat {seat} was offered more than ready")
    started = [message for message in referee.recording.events(SPECTATOR) if message.type == "set_started"]
    numbers = [message.fields["number"] for message in started]
    expect(numbers == [1, 2], f"the sets begun were numbered {numbers}")


# ---------------------------------------------------------------- privacy


@privacy.check("W-1", "W-3", "W-4", seconds=RECORDING_SECONDS)
async def no_viewer_is_sent_a_hidden_card(probe: Probe) -> None:
    """A hand is told to its own seat alone; others learn a card when it is played, or when the deal is
    revealed.
    """
    recording = await recorded(probe.target)
    for viewer, received in enumerate(recording.viewers):
        known: set[str] = set()
        for message in received:
            fields = message.fields
            if message.type == "deal_started":
                known = set()
            elif message.type == "card_played":
                known.add(fields["card"])
            elif message.type == "deal_revealed":
                known = set(CARDS)
            elif message.type == "hands_dealt" and viewer != SPECTATOR:
                known |= set(fields.get("hand") or [])
            elif message.type == "hands_dealt":
                expect("hand" not in fields, "a spectator was sent a hand in hands_dealt")
            shown = set(_cards_in(fields)) - known
            expect(not shown, f"viewer {viewer} was shown {sorted(shown)} in {message.type}, too early")
    recording.whole()


def _cards_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [card for item in (*value.keys(), *value.values()) for card in _cards_in(item)]
    if isinstance(value, list):
        return [card for item in value for card in _cards_in(item)]
    return [value] if value in CARDS else []


@privacy.check("A-1", seconds=RECORDING_SECONDS)
async def only_the_seat_to_act_is_prompted(probe: Probe) -> None:
    """A `prompt` goes to the player who is to act, and to no other; never to a spectator."""
    recording = await recorded(probe.target)
    by_event: dict[int, set[int]] = {}
    for viewer, received in enumerate(recording.viewers):
        for message in received:
            if message.type == "prompt" and message.fields["actions"][0]["type"] != "ready":
                by_event.setdefault(message.fields["seq"], set()).add(viewer)
            elif message.type == "prompt":
                expect(viewer != SPECTATOR, "a spectator was prompted")
    for seq, viewers in by_event.items():
        expect(
            len(viewers) == 1 and SPECTATOR not in viewers, f"at event {seq} viewers {viewers} were prompted"
        )
    recording.whole()


@privacy.check("R-2", seconds=RECORDING_SECONDS)
async def no_message_of_the_table_has_a_token(probe: Probe) -> None:
    """A token is told only to its own session, in `welcome`."""
    recording = await recorded(probe.target)
    tokens = {
        message.fields["token"]
        for received in recording.viewers
        for message in received
        if message.type == "welcome"
    }
    for viewer, received in enumerate(recording.viewers):
        for message in received:
            if message.type != "welcome":
                shown = set(_TOKEN.findall(message.payload.decode("utf-8", "replace"))) & tokens
                expect(not shown, f"viewer {viewer} was sent a token in {message.type}")


@privacy.check("W-2", seconds=RECORDING_SECONDS)
async def events_have_one_length_for_all_but_for_the_hand(probe: Probe) -> None:
    """Events of a deal are alike for all, in number, order and length, but for the hand in `hands_dealt`."""
    recording = await recorded(probe.target)
    lengths: dict[int, tuple[str, set[int]]] = {}
    for viewer in range(len(recording.viewers)):
        for message in recording.events(viewer):
            if message.type == "hands_dealt" and viewer == SPECTATOR:
                continue
            kind, seen = lengths.setdefault(message.fields["seq"], (message.type, set()))
            seen.add(len(message.payload))
            expect(len(seen) == 1, f"{kind} {message.fields['seq']} came in the lengths {sorted(seen)}")
    recording.whole()


# ---------------------------------------------------------------- fairness


@fairness.check("Y-1", "Y-2", "Y-3", seconds=RECORDING_SECONDS)
async def every_deal_is_the_one_that_was_committed_to(probe: Probe) -> None:
    """`deal_revealed` tells a pack and a salt of which SHA-256 is the commitment of `deal_started`, and the
    pack, cut and dealt by the rules, gives the hands that were seen.
    """
    await _judged(probe, "fairness")


@fairness.check("Y-1", seconds=RECORDING_SECONDS)
async def every_commitment_is_of_its_own(probe: Probe) -> None:
    """For each deal the pack is shuffled and a salt drawn anew; the commitment is 64 lower-case hex digits."""
    recording = await _whole(probe)
    started = [message.fields for message in recording.events(SPECTATOR) if message.type == "deal_started"]
    revealed = [message.fields for message in recording.events(SPECTATOR) if message.type == "deal_revealed"]
    for event in started:
        found = re.fullmatch(r"[0-9a-f]{64}", event["commitment"])
        expect(found, f"the commitment {event['commitment']!r} is not 64 lower-case hex digits")
    expect(len({event["salt"] for event in revealed}) == len(revealed), "a salt was used for two deals")
    packs = {"".join(event["pack"]) for event in revealed}
    expect(len(packs) == len(revealed), "two deals had the same pack")
    expect(len(started) == len(revealed) + 1, f"{len(started)} deals began and {len(revealed)} were revealed")
