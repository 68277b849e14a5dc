"""The scenarios: each is a scripted server, and what a client has to make of it."""

from __future__ import annotations

import re

import anyio

from tarneeb_client.conformance.outcome import Failed, NotTested, Subject
from tarneeb_client.conformance.scripted.stage import VERSIONS, Guest, Stage
from tarneeb_client.conformance.shapes import Fields
from tarneeb_client.conformance.wire import frame

greeting: Subject[Stage] = Subject("greeting")
wire: Subject[Stage] = Subject("wire")
life: Subject[Stage] = Subject("life")
table: Subject[Stage] = Subject("table")

SOON_SECONDS = 5.0
"""How long a client may take for what it does at once, on a busy machine."""
QUIET_SECONDS = 3.0
"""How long one that must not come back is watched: a client that did would wait about a second at first."""
REQUEST_SECONDS = 3.0
"""How long a client that is connected may take to ask for something, if it does by itself."""
DEAL_ACTS = 15
"""Acts of a player in a deal: the cut, the call, thirteen cards; a declarer names the tarneeb besides."""


def expect(is_met: object, seen: str) -> None:
    """Raise ``Failed`` with what was seen unless the condition is met."""
    if not is_met:
        raise Failed(seen)


# ---------------------------------------------------------------- greeting


@greeting.check("C-1", "C-14", "F-1", "P-1")
async def the_first_message_is_a_hello(stage: Stage) -> None:
    """A client says `hello` first, with its versions, its program and the player's name."""
    guest = await stage.guest()
    hello = await stage.hear_hello(guest)
    expect(1 <= hello["protocol_min"] <= hello["protocol_max"], f"its versions are {hello}")
    expect(1 <= len(hello["name"]) <= 64, f"its name has {len(hello['name'])} characters")
    expect(hello.get("resume") is None, "it resumes a session that this server never had")


@greeting.check("B-6", seconds=QUIET_SECONDS)
async def a_refusal_that_nothing_helps_is_final(stage: Stage) -> None:
    """A client does not try again by itself after a `refused` whose code retrying cannot help."""
    guest = await stage.guest()
    await stage.hear_hello(guest)
    versions = {"protocol_min": 2, "protocol_max": 3}
    await guest.send(type="refused", code="unsupported_version", message="versions 2 to 3", **versions)
    await guest.close()
    await stage.nobody_comes(QUIET_SECONDS, "refused with unsupported_version")


@greeting.check("V-3", seconds=QUIET_SECONDS)
async def a_refusal_of_the_version_is_told_with_both(stage: Stage) -> None:
    """A client tells its player both ranges of versions when it is refused for them."""
    guest = await stage.guest()
    hello = await stage.hear_hello(guest)
    versions = {"protocol_min": 71, "protocol_max": 73}
    await guest.send(type="refused", code="unsupported_version", message="another version", **versions)
    await guest.close()
    text = (await _output_once_ended(stage)).decode("utf-8", "replace")
    wanted = {"71", "73", str(hello["protocol_min"]), str(hello["protocol_max"])}
    missing = sorted(wanted - set(re.findall(r"\d+", text)))
    expect(not missing, f"it says {text.strip()[-300:]!r}, without {', '.join(missing)}")


async def _output_once_ended(stage: Stage) -> bytes:
    output = stage.output()
    if output is None:
        raise NotTested("the kit sees what a client writes only if it starts it (COMMAND after --)")
    await stage.ended(SOON_SECONDS)
    return stage.output() or b""


# ---------------------------------------------------------------- wire


@wire.check("F-6", "H-1")
async def pings_come_in_pieces_and_in_bunches(stage: Stage) -> None:
    """Frames come however the stream is cut; each `ping` is answered by a `pong` with its nonce, in order."""
    guest = await stage.welcomed()
    for byte in frame(type="ping", nonce=1):
        await guest.send_bytes(bytes([byte]))
    await guest.send_bytes(b"".join(frame(type="ping", nonce=nonce) for nonce in range(2, 32)))
    nonces: list[int] = []
    try:
        while len(nonces) < 31:
            message = await guest.hear(SOON_SECONDS, with_pings=True)
            expect(message is not None, f"it closed the connection after the pongs {nonces}")
            if message is not None and message.type == "pong":
                nonces.append(message.fields.get("nonce", 0))
    except TimeoutError:
        raise Failed(f"pings 1 to 31 were answered by the pongs {nonces}") from None
    expect(nonces == list(range(1, 32)), f"pings 1 to 31 were answered by the pongs {nonces}")


@wire.check("M-1", "M-2", "M-3", "M-4", "V-5")
async def later_versions_are_stood(stage: Stage) -> None:
    """A client passes over fields, messages and capabilities that it does not know; nil is as left out."""
    guest = await stage.welcomed(
        a_later_field={"x": [1, None, {"y": "z"}]}, capabilities=["x-example.org-later"], table=None
    )
    await guest.send(type="a_later_message", table=1, seq=5, cards=[1, 2, 3])
    await guest.send(type="notice", reason="a_later_word", text="Something is said to everybody.", seconds=None)
    await guest.send(a_later_field=True, nonce=5, type="ping")
    alive = await guest.answers_ping(SOON_SECONDS, "after messages of a later version")
    expect(alive, "it left a server that sent unknown fields and messages")


@wire.check("F-2", "P-1", "Q-1", seconds=REQUEST_SECONDS)
async def requests_are_well_formed(stage: Stage) -> None:
    """A client's messages are frames of one msgpack map, of the fields of the document, and ids grow."""
    guest = await stage.welcomed()
    if await stage.request(guest, REQUEST_SECONDS) is None:
        if guest.fault is not None:
            raise Failed(guest.fault)
        raise NotTested("the client asked for nothing by itself")
    for message in guest.received:
        if message.type == "hello":
            continue
        expect(message.type != "describe", "describe came after the welcome")


# ---------------------------------------------------------------- life


@life.check("H-2")
async def a_client_that_has_nothing_to_say_pings(stage: Stage) -> None:
    """An end sends a `ping` when it has sent nothing for `ping_seconds`."""
    guest = await stage.welcomed(ping_seconds=1, dead_seconds=30)
    await stage.serve(guest, within=0.5)
    try:
        with anyio.fail_after(1 + SOON_SECONDS):
            while (message := await guest.next(with_pings=True)) is not None:
                if message.type == "ping":
                    return
                if message.type in {"list_tables", "open_table", "join"}:
                    await stage.answer(guest, message.fields)
    except TimeoutError:
        raise Failed(f"with ping_seconds 1, it sent no ping in {1 + SOON_SECONDS:g} s") from None
    raise Failed("it closed the connection instead of a ping")


@life.check("H-3", "H-4")
async def a_silent_server_is_taken_for_dead(stage: Stage) -> None:
    """An end that has received no byte for `dead_seconds` closes the connection, whatever it sends itself."""
    guest = await stage.welcomed(ping_seconds=1, dead_seconds=2)
    guest.answers_pings = False
    began = anyio.current_time()
    await guest.ends(2 + SOON_SECONDS, "dead_seconds (2) without a byte from the server")
    expect(anyio.current_time() - began > 1, "it closed long before dead_seconds (2) were over")


async def _back(stage: Stage, what: str) -> tuple[Guest, Fields]:
    """The client's next connection after a lost link, and its hello."""
    try:
        guest = await stage.guest()
    except NotTested as not_tested:
        raise NotTested(f"after {what}: {not_tested} (a client may resume, and need not)") from None
    return guest, await stage.hear_hello(guest)


@life.check("C-13", "R-4", "Q-1", seconds=20)
async def a_lost_link_is_resumed_with_the_last_token(stage: Stage) -> None:
    """A client that comes back after a lost link resumes with the token of its last `welcome`."""
    guest = await stage.welcomed()
    await stage.serve(guest, within=0.5)
    for _ in range(2):
        token = guest.token
        await guest.close()
        guest = await stage.welcomed(await _reconnected(stage))
        resume = guest.hello.get("resume")
        expect(resume == token, "it came back with another token than the last, or with none")
        expect(await guest.answers_ping(SOON_SECONDS, "after a resume"), "it left after a resume")


async def _reconnected(stage: Stage) -> Guest:
    try:
        return await stage.guest()
    except NotTested as not_tested:
        raise NotTested(f"after a lost link: {not_tested} (a client may resume, and need not)") from None


@life.check("R-14", "Q-1", seconds=15)
async def what_had_no_answer_is_sent_again(stage: Stage) -> None:
    """Requests that had no answer when the link was lost are sent again with the ids that they had."""
    guest = await stage.welcomed()
    request = await stage.request(guest, REQUEST_SECONDS)
    if request is None:
        raise NotTested("the client asked for nothing by itself")
    await guest.close()
    guest = await stage.welcomed(await _reconnected(stage))
    expect(guest.hello.get("resume") is not None, "it came back without its token")
    again = await stage.request(guest, SOON_SECONDS)
    expect(again is not None, f"{request['type']} {request['id']} had no answer, and was not sent again")
    expect(again == request, f"{request} had no answer, and {again} was sent instead of it")


@life.check("R-8", "B-4", seconds=QUIET_SECONDS)
async def superseded_is_not_resumed(stage: Stage) -> None:
    """A client does not resume after `superseded`: another one of its kind has the session."""
    guest = await stage.welcomed()
    await guest.send(type="goodbye", code="superseded", message="another connection", resumable=False)
    await guest.close()
    await stage.nobody_comes(QUIET_SECONDS, "superseded")


@life.check("B-4", "G-2", seconds=QUIET_SECONDS)
async def a_final_goodbye_is_final(stage: Stage) -> None:
    """A client does not come back by itself after a `goodbye` without `resumable`, whatever its code."""
    guest = await stage.welcomed()
    await guest.send(type="goodbye", code="a_later_code", message="and stay away")
    await guest.close()
    await stage.nobody_comes(QUIET_SECONDS, "a goodbye without resumable, of an unknown code")


@life.check("B-3", seconds=10)
async def the_servers_wish_to_wait_is_followed(stage: Stage) -> None:
    """A client does not come back sooner than `goodbye.retry_seconds`."""
    guest = await stage.welcomed()
    await guest.send(type="goodbye", code="idle", message="soon", resumable=True, retry_seconds=2)
    began = anyio.current_time()
    await guest.close()
    await _back(stage, "a goodbye with retry_seconds 2")
    waited = anyio.current_time() - began
    expect(waited > 1.8, f"it came back after {waited:.1f} s; retry_seconds was 2")


@life.check("B-5", seconds=10)
async def a_refused_token_is_given_up(stage: Stage) -> None:
    """A client does not present a token again that was refused with `bad_token`."""
    guest = await stage.welcomed()
    await guest.close()
    again, hello = await _back(stage, "a lost link")
    token = hello.get("resume")
    expect(token is not None, "it came back without its token")
    await again.send(type="refused", code="bad_token", message="no such session", **VERSIONS)
    await again.close()
    third, hello = await _back(stage, "bad_token")
    expect(hello.get("resume") is None, "it presented a token that was refused")
    await third.close()


# ---------------------------------------------------------------- table


async def _playing(stage: Stage) -> Guest:
    """The client at the scripted table, prompted. Raises ``NotTested`` when it does not sit down."""
    guest = await stage.welcomed()
    deadline = anyio.current_time() + stage.patience
    while stage.table is None and anyio.current_time() < deadline:
        request = await stage.request(guest, REQUEST_SECONDS)
        if request is None:
            break
        await stage.answer(guest, request)
    if stage.table is None:
        raise NotTested("the client did not sit down at the table that is listed")
    return guest


def _acted(acts: int, wanted: int) -> None:
    if acts == 0:
        raise NotTested("the client did not act when it was prompted")
    expect(acts >= wanted, f"it acted {acts} times; a deal has {wanted} acts of a player")


@table.check("A-9", "Q-1", "M-1", seconds=30)
async def a_deal_is_played_with_actions_of_the_prompts(stage: Stage) -> None:
    """A client sends in `act` one of the actions that the last prompt offered, and no number of an event that
    it has not had.
    """
    guest = await _playing(stage)
    _acted(await stage.serve(guest, acts=DEAL_ACTS, within=REQUEST_SECONDS), DEAL_ACTS)


@table.check("O-3", seconds=30)
async def an_event_that_comes_twice_changes_nothing(stage: Stage) -> None:
    """A client passes over an event whose number is not above the last."""
    guest = await _playing(stage)
    acts = 0
    while acts < DEAL_ACTS and (request := await stage.request(guest, REQUEST_SECONDS)) is not None:
        await stage.answer(guest, request)
        if stage.table is not None:
            await guest.send_bytes(b"".join(frame(**event) for event in stage.table.events[-3:]))
        acts += request["type"] == "act"
    _acted(acts, DEAL_ACTS)


@table.check("O-2", seconds=15)
async def a_gap_is_asked_for(stage: Stage) -> None:
    """A client asks for a `sync` when an event's number is more than one above the last."""
    guest = await _playing(stage)
    assert stage.table is not None  # noqa: S101  (it sits there)
    stage.table.tell("said", name="Amal", text="this one is lost", seat=None)
    await guest.send(**stage.table.tell("said", name="Amal", text="this one comes", seat=None))
    last = stage.table.seq
    deadline = anyio.current_time() + SOON_SECONDS
    while anyio.current_time() < deadline:
        request = await stage.request(guest, SOON_SECONDS)
        if request is None:
            break
        if request["type"] == "sync":
            seq = request.get("seq")
            expect(
                seq is None or seq <= last - 2, f"it asked for what follows event {seq}; {last - 1} is missing"
            )
            return
        if request["type"] != "act":
            await stage.answer(guest, request)
    raise Failed(f"event {last} came after event {last - 2}, and it asked for no sync")


@table.check("R-11", "R-14", "Q-1", seconds=30)
async def a_deal_goes_on_after_a_lost_link(stage: Stage) -> None:
    """A client that resumes says in `seq` what event it had last, folds in what it missed, and plays on."""
    guest = await _playing(stage)
    assert stage.table is not None  # noqa: S101  (it sits there)
    acts = await stage.serve(guest, acts=4, within=REQUEST_SECONDS)
    _acted(acts, 4)
    await guest.close()
    guest = await stage.welcomed(await _reconnected(stage))
    seq = guest.hello.get("seq")
    expect(guest.hello.get("resume") is not None, "it came back without its token")
    expect(
        seq is None or seq <= stage.table.seq, f"it claims to have event {seq}; the last is {stage.table.seq}"
    )
    acts += await stage.serve(guest, acts=DEAL_ACTS - 4, within=REQUEST_SECONDS)
    _acted(acts, DEAL_ACTS)


@table.check("X-5", "O-3", seconds=20)
async def hostile_text_does_not_reach_the_terminal(stage: Stage) -> None:
    """A client makes every string from the wire harmless before a terminal gets it."""
    if stage.output() is None:
        raise NotTested("the kit sees what a client writes only if it starts it (COMMAND after --)")
    guest = await _playing(stage)
    assert stage.table is not None  # noqa: S101  (it sits there)
    for text in HOSTILE_TEXTS:
        await guest.send(**stage.table.tell("said", name=f"Eve{text}", text=f"said{text}end", seat=None))
    await guest.send(type="lobby_said", name="Eve\x1b[31m", text="\x1b]0;title\x07")
    await stage.serve(guest, acts=2, within=REQUEST_SECONDS)
    await guest.answers_ping(SOON_SECONDS, "after hostile chat")
    written = (stage.output() or b"").decode("utf-8", "replace")
    shown = sorted({f"U+{ord(found):04X}" for found in _HARMFUL.findall(written)})
    expect(not shown, f"it wrote {', '.join(shown)} to its output")
    if "said" not in written:
        raise NotTested("the client shows no chat")


HOSTILE_TEXTS = ("\x1b[2J", "\x07", "\x9b31m", "\r\n", "\u202e", "\u2066", "\u200b", "\x00", "\x7f", "\u2028")
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069]")


SUBJECTS = (greeting, wire, life, table)
