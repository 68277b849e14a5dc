"""Faults that players of other servers met, each by its identifier; docs/design.md lists them all."""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING

import msgspec
import pytest
import trio
import trio.testing

from support.brief_play import act_briefly
from support.live_server import live_server
from support.lobby_driver import Link, LobbyDriver
from support.wire_client import WireClient
from tarneeb_engine.cards import FULL_PACK, Card
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.actions import to_wire
from tarneeb_protocol.codec import FROM_CLIENT, decode
from tarneeb_protocol.messages import TableState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


# ---------------------------------------------------------------- a card is the server's


def test_h15_an_action_names_a_card_by_its_two_letters_and_by_nothing_else() -> None:
    assert [field.name for field in msgspec.structs.fields(wire.PlayAction)] == ["card"]
    assert len({card.value for card in Card}) == 52


def test_h15_whatever_else_a_client_says_about_a_card_counts_for_nothing() -> None:
    """Copies of a card, of its owner or of a hand, sent along with a play, are passed over."""
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    rng = random.Random(3)
    table = driver.table_of(links[0])
    while not isinstance(_prompted(links).prompt.actions[0], wire.PlayAction):  # type: ignore[union-attr]  # one has
        driver.play_on(links, rng, 1)
    link = _prompted(links)
    assert link.prompt is not None
    assert table.play is not None
    seat = table.play.turn
    card = link.prompt.actions[0]
    assert seat is not None
    assert isinstance(card, wire.PlayAction)
    own = set(table.play.state.seat_view(seat).hand)
    for claimed in FULL_PACK:
        if claimed not in own:
            assert driver.refused(link, wire.Act, action=wire.PlayAction(claimed)) == "card_not_held"
    link.last_id += 1
    fields = msgspec.to_builtins(wire.Act(id=link.last_id, action=card))
    other = next(each.value for each in FULL_PACK if each not in own)
    fields["action"] |= {"seat": int(seat.next()), "suit": "S", "owner": "West", "as": other, "winning": True}
    fields |= {"seat": int(seat.next()), "hand": [other], "by": "clock"}
    request = decode(_payload(fields), FROM_CLIENT)
    assert isinstance(request, wire.Act)
    driver.send(link, request)
    (played,) = [event for event in link.of_type(wire.CardPlayed) if isinstance(event, wire.CardPlayed)][-1:]
    assert (played.seat, played.card, played.by.value) == (seat, card.card, "player")
    driver.check_views()


def _prompted(links: tuple[Link, ...]) -> Link:
    return next(link for link in links if link.prompt is not None)


def _payload(fields: dict[str, object]) -> bytes:
    return msgspec.msgpack.encode(fields)


# ---------------------------------------------------------------- one person, one seat, one action


async def test_l01_three_plays_in_one_segment_are_one_play() -> None:
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(live_server(turn_seconds=0))
        clients = [await stack.enter_async_context(await WireClient.connect(server.port)) for _ in Seat]
        for seat, client in zip(Seat, clients, strict=True):
            await client.hello(seat.name.title())
        number = await clients[0].open_table()
        for seat, client in zip(Seat, clients, strict=True):
            await client.ok(wire.Join, table=number, seat=seat)
        play = server.app.lobby.tables[number].play
        assert play is not None
        rng = random.Random(3)
        while True:
            assert play.turn is not None
            client = clients[play.turn]
            prompt = await client.next_prompt()
            if isinstance(prompt.actions[0], wire.PlayAction):
                break
            bids = [each for each in prompt.actions if isinstance(each, wire.CallAction) and each.tricks == 7]
            client.prompt = None
            await client.ok(wire.Act, action=rng.choice(bids or prompt.actions))
        acts = [wire.Act(id=900 + at, action=action) for at, action in enumerate(prompt.actions[:3])]
        await client.stream.send_all(b"".join(map(client.connection.send, acts)))
        answers: list[wire.Message] = []
        while len(answers) < 3:
            answer = await client.until(wire.Done, wire.Error)
            answers.append(answer)
        assert [getattr(answer, "code", None) for answer in answers] == [None, "not_your_turn", "not_your_turn"]
        assert sum(isinstance(message, wire.CardPlayed) for message in client.received) == 1


async def test_d01_a_session_with_two_connections_sits_once_and_has_one_of_them() -> None:
    async with (
        live_server() as server,
        await WireClient.connect(server.port) as first,
        await WireClient.connect(server.port) as second,
    ):
        welcome = await first.hello("Nour")
        number = await first.open_table()
        await first.ok(wire.Join, table=number, seat=Seat.NORTH)
        second.last_id = first.last_id
        await second.hello("Nour", resume=welcome.token)
        last = await first.until_closed()
        assert isinstance(last, wire.Goodbye)
        assert last.code == "superseded"
        refused = await second.request(wire.Join, table=number, seat=Seat.SOUTH)
        assert isinstance(refused, wire.Error)
        assert refused.code == "already_at_table"
        snapshot = server.snapshot(number, None)
        assert [summary is not None for summary in snapshot.seats] == [False, False, True, False]


# ---------------------------------------------------------------- counters


@pytest.mark.parametrize("seed", range(3))
def test_i05_no_counter_goes_below_zero_though_every_action_is_sent_twice_at_once(seed: int) -> None:
    """Scores do, by rule 19: that is why everything else that is counted is looked at by name."""
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    watcher = driver.hello("Watcher")
    table = driver.table_of(links[0])
    rng = random.Random(seed)
    for number in range(300):
        if not table.is_playing:
            break
        link = _prompted(links)
        assert link.prompt is not None
        driver.advance(1)
        action = rng.choice(link.prompt.actions)
        first = driver.request(link, wire.Act, action=action)
        second = driver.request(link, wire.Act, action=action)
        assert isinstance(first, wire.Done)
        assert isinstance(second, wire.Error) or link.prompt is not None
        if number % 5 == 0:
            for kind, fields in ((wire.Watch, {"table": table.number}), (wire.Leave, {}), (wire.Leave, {})):
                driver.request(watcher, kind, **fields)
        _check_counts(driver, table.number)


def _check_counts(driver: LobbyDriver, number: int) -> None:
    snapshot = driver.snapshot_for(driver.lobby.tables[number], None)
    public = snapshot.public
    assert public is not None
    assert len(snapshot.spectators) == len(set(snapshot.spectators))
    for score in public.history:
        assert all(0 <= taken <= 13 for taken in score.taken)
        assert sum(score.taken) == 13
    deal = public.deal
    if deal is None:
        return
    assert all(0 <= held <= 13 for held in deal.cards_held)
    assert all(0 <= taken <= 13 for taken in deal.taken)
    assert sum(deal.taken) == len(deal.tricks)
    page = driver.ok(next(iter(driver.links.values())), wire.ListTables)
    assert isinstance(page, wire.Tables)
    (summary,) = page.tables
    assert summary.spectators == len(snapshot.spectators)


# ---------------------------------------------------------------- states


def stops(driver: LobbyDriver, links: tuple[Link, ...], rng: random.Random) -> Iterator[str]:
    """A table in every state and phase that there is, the terminal ones too, from empty seats to its end."""
    yield "set begun"
    seen = set()
    table = driver.table_of(links[0])
    while table.is_playing:
        driver.advance(1)
        act_briefly(_prompted(links), driver, rng)
        deal = None if table.play is None else table.play.state.deal
        stop = (None if deal is None else deal.phase, table.state)
        if stop not in seen or rng.random() < 0.05:
            seen.add(stop)
            yield str(stop)
    assert driver.snapshot_for(table, None).state is TableState.SET_OVER
    driver.ok(links[0], wire.Act, action=wire.ReadyAction())
    yield "one is ready"
    driver.ok(links[3], wire.Leave)
    assert driver.snapshot_for(table, None).state is TableState.WAITING
    yield "a seat is empty"


def test_l11_every_state_can_be_seen_by_whoever_comes_back_comes_anew_or_asks() -> None:
    driver = LobbyDriver(max_spectators=64)
    links = driver.four_players(turn_seconds=0)
    number = driver.table_of(links[0]).number
    count = 0
    for count, _ in enumerate(stops(driver, links, random.Random(2))):
        driver.advance(10)
        for link in links:
            if link.view is not None:
                driver.ok(link, wire.Sync)
                driver.drop(link)
                driver.resume(link, None if count % 2 else link.view.seq)
        late = driver.hello(f"Late {count}")
        driver.ok(late, wire.Watch, table=number)
        driver.ok(late, wire.ListTables)
        driver.check_views()
        driver.goodbye(late)
    assert count > 12


def test_l11_a_table_at_its_end_is_still_there_after_a_restart(tmp_path: Path) -> None:
    driver = LobbyDriver()
    driver.keep_in(tmp_path)
    links = driver.four_players(turn_seconds=0)
    while driver.table_of(links[0]).is_playing:
        driver.advance(1)
        act_briefly(_prompted(links), driver, random.Random(4))
    before = [link.view for link in links]
    driver.kill_and_restart()
    for link in links:
        driver.resume(link)
    assert all(isinstance(link.prompt, wire.Prompt) for link in links), "each may say ready"
    for link, view in zip(links, before, strict=True):
        assert link.view is not None
        assert view is not None
        assert (link.view.public, link.view.state) == (view.public, view.state)
    driver.check_views()


NO_SUCH_SEQS = (None, 2**31, 2**53)


def test_c03_no_resume_in_any_state_with_any_number_hurts_the_server_or_the_session() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    rng = random.Random(6)
    seen: dict[tuple[int, int | None], list[wire.Snapshot]] = {}
    tokens = ["", "x", "A" * 43, "Ω" * 43, links[0].token[:-1], links[0].token.lower()]
    for _ in stops(driver, links, rng):
        driver.advance(10)
        for link in links:
            if rng.random() < 0.5:
                driver.drop(link)
            # Of this deal: the driver takes a card of an earlier one, told again, for one of this.
            deal = None if link.view is None or link.view.public is None else link.view.public.deal
            views = seen.setdefault((link.session, None if deal is None else deal.number), [])
            if link.view is not None:
                views.append(link.view)
            driver.resume(link, rng.choice(NO_SUCH_SEQS))
            # From where it was once, as a client that was started anew would.
            if link.view is not None:
                link.view = rng.choice(views)
            driver.resume_from_view(link)
            old = link.token
            driver.resume_from_view(link)
            # The token that was resumed with is good until the new connection has spoken, and not afterwards.
            driver.hello("again", resume=old, seq=None if link.view is None else link.view.seq)
            driver.ok(link, wire.ListTables)
            refused = driver.try_hello("late", resume=old)
            assert isinstance(refused, wire.Refused)
            assert refused.code == "bad_token"
        for token in tokens:
            refused = driver.try_hello("Nobody", resume=token, seq=rng.choice((0, 1, *NO_SUCH_SEQS)))
            assert isinstance(refused, wire.Refused)
            assert refused.code == "bad_token"
        driver.check_views()
    assert len(driver.lobby.sessions) == 4


def test_m11_whoever_comes_back_in_any_state_can_do_what_there_is_to_do() -> None:
    """There is no pause in which nothing can be done: a deal follows the last, and a set the last \"ready\"."""
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    acted = set()
    for count, stop in enumerate(stops(driver, links, random.Random(12))):
        driver.advance(10)
        prompted = []
        for link in links:
            if link.view is None:
                continue
            driver.drop(link)
            before = len(link.received)
            driver.resume(link, None if count % 2 else link.view.seq)
            if any(isinstance(message, wire.Prompt) for message in link.received[before:]):
                prompted.append(link)
        if table.is_playing:
            assert table.play is not None
            turn = table.play.turn
            assert turn is not None
            assert prompted == [links[turn]]
            prompt = links[turn].prompt
            assert prompt is not None
            legal = table.play.state.legal_actions(turn)
            assert list(prompt.actions) == [to_wire(action) for action in legal]
            acted.add(type(prompt.actions[0]))
        else:
            waiting = [link for link in links if link.view and not _is_ready(link)]
            assert prompted == waiting, stop
            acted.add(wire.ReadyAction)
    assert acted == {wire.CutAction, wire.CallAction, wire.TrumpAction, wire.PlayAction, wire.ReadyAction}


def _is_ready(link: Link) -> bool:
    assert link.view is not None
    assert link.view.seat is not None
    seat = link.view.seats[link.view.seat]
    return seat is not None and seat.ready


# ---------------------------------------------------------------- the stream


async def test_m13_a_slow_reader_gets_every_event_in_order_or_loses_the_connection_and_resumes() -> None:
    async with (
        live_server(outbox_kib=128, turn_seconds=0) as server,
        await WireClient.connect(server.port) as opener,
        await WireClient.connect(server.port, receive_buffer=4096) as slow,
    ):
        await opener.hello("Opener")
        number = await opener.open_table()
        await slow.hello("Slow")
        await slow.ok(wire.Watch, table=number)
        (peer,) = [peer for peer in server.app.peers if peer.session == 2]
        table = server.app.lobby.tables[number]
        said = cut_offs = 0
        reader = slow
        heard: list[int] = []
        with trio.fail_after(60):
            while cut_offs < 2:
                # A burst at a time, then the reader takes a little: no event may fall out between the two.
                for _ in range(200):
                    said += 1
                    server.app._perform(table.say(2, f"{said} " + "x" * 290))
                await trio.testing.wait_all_tasks_blocked()
                if peer in server.app.peers:
                    await reader.until(wire.Said)
                    continue
                cut_offs += 1
                last = await reader.until_closed()
                assert not isinstance(last, wire.Goodbye) or last.code == "slow_consumer"
                heard += _seqs(reader)
                assert reader.view is not None
                before = reader.view.seq
                back = await reader.resumed()
                await trio.aclose_forcefully(reader.stream)
                reader = back
                (peer,) = [peer for peer in server.app.peers if peer.session == 2]
                await reader.ok(wire.Sync, seq=before)
                first = _seqs(reader)[0] if _seqs(reader) else table.stream.seq + 1
                snapshots = [message for message in reader.received if isinstance(message, wire.Snapshot)]
                # All that was missed, or a snapshot in place of it.
                assert first == before + 1 or snapshots[0].seq >= before
        assert heard == sorted(set(heard))
        assert len(heard) > 400
        await trio.aclose_forcefully(reader.stream)


def _seqs(client: WireClient) -> list[int]:
    """Numbers of the events of one connection: without a gap, as ``fold`` has checked too."""
    seqs = [message.seq for message in client.received if isinstance(message, wire.TableEvent)]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs))) if seqs else True
    return seqs
