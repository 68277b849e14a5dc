"""Checks of requests: ids, repeats, order, and asking too much."""

from __future__ import annotations

import anyio

from tarneeb_client.conformance.outcome import NotTested, Subject
from tarneeb_client.conformance.probe import Probe, brief, expect
from tarneeb_client.conformance.wire import frame

subject: Subject[Probe] = Subject("requests")

KEPT_REPLIES = 64
PAUSE_SECONDS = 0.3
"""How long to wait after `rate_limited`, which uses no id up."""
FLOOD = 1500
"""Requests that no server should answer one and all within a second or so."""


@subject.check("Q-2")
async def each_request_has_one_reply_with_its_id(probe: Probe) -> None:
    """Each request is answered by exactly one message with the same `id`, a reply or an `error`."""
    client = await probe.player()
    kinds = ("list_tables", "sync", "leave", "list_tables")
    numbers = (5, 6, 1000, 2**40)
    for number, kind in zip(numbers, kinds, strict=True):
        await client.send(type=kind, id=number)
    await client.settle()
    answered = [message.fields["id"] for message in client.received if message.fields.get("id") is not None]
    expect(answered == list(numbers), f"requests {numbers} were answered as {answered}")


@subject.check("Q-3")
async def a_repeat_is_answered_again_and_not_applied_again(probe: Probe) -> None:
    """A request whose `id` is one of the last 64 gets the same reply again, and nothing else happens."""
    client = await probe.player()
    await client.send(type="open_table", id=3, name="Once", turn_seconds=0)
    first = await client.answer_to(3)
    await client.send(type="open_table", id=3, name="Once", turn_seconds=0)
    again = await client.answer_to(3)
    expect(first == again, f"the repeat of an open_table answered by {first} was answered by {again}")
    table = first["table"]
    await client.send(type="join", id=4, table=table)
    joined = await client.answer_to(4)
    seq = client.seq
    await client.send(type="join", id=4, table=table)
    expect(await client.answer_to(4) == joined, "the repeat of a join was answered otherwise")
    await client.send(type="chat", id=5, text="once")
    done = await client.answer_to(5)
    await client.send(type="chat", id=5, text="once")
    expect(await client.answer_to(5) == done, "the repeat of a chat was answered otherwise")
    said = client.of_type("said")
    expect(len(said) == 1, f"a chat line that was sent twice with one id was said {len(said)} times")
    expect(client.seq == seq + 1, f"a join and a chat, each repeated, led from event {seq} to {client.seq}")


@subject.check("Q-3")
async def an_error_is_repeated_too(probe: Probe) -> None:
    """An `error` answers a request as much as a reply does, and uses its `id` up."""
    client = await probe.player()
    await client.send(type="leave", id=9)
    first = await client.answer_to(9)
    await client.send(type="list_tables", id=9)
    again = await client.answer_to(9)
    expect(first == again, f"the id of a {brief(first)} was answered, used again, by {brief(again)}")


@subject.check("Q-9")
async def a_list_is_made_anew(probe: Probe) -> None:
    """The `id` of a request that was answered by a list can be used again, and is answered anew."""
    client = await probe.player()
    await client.send(type="list_tables", id=9)
    await client.answer_to(9)
    await client.send(type="open_table", id=9, name="Anew", turn_seconds=0)
    reply = await client.answer_to(9)
    expect(reply["type"] == "opened", f"the id of a list, used again, was answered by {brief(reply)}")


@subject.check("E-4")
async def a_message_with_a_fault_uses_no_id_up(probe: Probe) -> None:
    """`bad_request` and `unknown_type` do not use an `id` up."""
    client = await probe.player()
    for fields in ({"type": "chat", "text": 1}, {"type": "dance"}):
        await client.send(**fields, id=20)
        expect((await client.answer_to(20))["type"] == "error", f"{fields} was granted")
    await client.send(type="list_tables", id=20)
    reply = await client.answer_to(20)
    expect(reply["type"] == "tables", f"the id of a faulty message, used again, was answered by {brief(reply)}")


@subject.check("Q-4")
async def ids_must_grow(probe: Probe) -> None:
    """An `id` smaller than the largest used that is not among the last 64 is refused: `id_too_old`."""
    client = await probe.player()
    await client.send(type="list_tables", id=1000)
    await client.answer_to(1000)
    for number in (0, 999):
        await client.send(type="list_tables", id=number)
        reply = await client.answer_to(number)
        expect(reply.get("code") == "id_too_old", f"id {number} after 1000 was answered by {brief(reply)}")


@subject.check("Q-3")
async def the_last_64_replies_are_kept(probe: Probe) -> None:
    """The reply is given again for the last 64 ids that the session used."""
    client = await probe.player()
    await client.send(type="open_table", id=31, name="Kept", turn_seconds=0)
    table = await client.answer_to(31)
    for number in range(32, 32 + KEPT_REPLIES - 1):
        await client.send(type="leave", id=number)
        while (await client.answer_to(number)).get("code") == "rate_limited":
            await anyio.sleep(PAUSE_SECONDS)
            await client.send(type="leave", id=number)
    await client.send(type="open_table", id=31, name="Kept", turn_seconds=0)
    again = await client.answer_to(31)
    expect(again == table, f"the request {KEPT_REPLIES - 1} ids before the last was repeated as {brief(again)}")


@subject.check("Q-5", "Q-6")
async def requests_are_handled_in_order(probe: Probe) -> None:
    """Requests are handled in order, and all that one caused is sent before its reply."""
    client = await probe.player()
    table = await probe.table(client)
    sent = (
        frame(type="join", id=10, table=table, seat=2)
        + frame(type="chat", id=11, text="first")
        + frame(type="add_bot", id=12, seat=0)
        + frame(type="chat", id=13, text="second")
    )
    await client.send_bytes(sent)
    await client.answer_to(13)
    told = [message.type for message in client.received if message.type != "opened"]
    start = told.index("snapshot")
    expected = ["snapshot", "joined", "said", "done", "bot_seated", "done", "said", "done"]
    expect(told[start:] == expected, f"join, chat, add_bot, chat at once were answered by {told[start:]}")


@subject.check("Q-7")
async def a_flood_of_requests_is_limited(probe: Probe) -> None:
    """Who asks for too much too fast is answered by `rate_limited`, and closed, resumable, if it goes on."""
    client = await probe.player()
    for first in range(1, FLOOD, 100):
        await client.send_bytes(b"".join(frame(type="sync", id=number) for number in range(first, first + 100)))
    limited = False
    while (message := await client.next_within(10, "answer to a flood")) is not None:
        limited = limited or message.get("code") == "rate_limited"
        if message["type"] == "goodbye":
            expect(message["code"] == "rate_limited", f"a flood was ended by {brief(message)}")
            expect(message.get("resumable"), "the goodbye to a flood is not resumable")
            return
        if message.get("id") == FLOOD:
            break
    if not limited:
        raise NotTested(f"{FLOOD} requests at once were all answered; the document names no number")
    raise NotTested(f"requests were refused as rate_limited, but {FLOOD} did not end the connection")
