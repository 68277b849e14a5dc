"""The state of a client: folding events gives what a snapshot would say, for every viewer, at every point."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.lobby_driver import Link, LobbyDriver
from tarneeb_client.audit import DealCheck
from tarneeb_client.fold import Inconsistent, fold
from tarneeb_client.state import TableView, advance
from tarneeb_engine.cards import Card
from tarneeb_engine.ruleset import Dealing, FourPasses, Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import Phase
from tarneeb_protocol import messages as m


def folded(messages: list[m.Message]) -> TableView | None:
    view: TableView | None = None
    for message in messages:
        view = advance(view, message)
    return view


def settled(snapshot: m.Snapshot) -> m.Snapshot:
    """Without what belongs to the moment: the clock, and how long seats are still held."""
    seats = tuple(
        seat if seat is None or seat.away_seconds is None else msgspec.structs.replace(seat, away_seconds=1)
        for seat in snapshot.seats
    )
    south, east, north, west = seats
    return msgspec.structs.replace(snapshot, seconds_left=None, seats=(south, east, north, west))


class Folding:
    """Views of links, each folded on from where it was."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, TableView | None]] = {}

    def view(self, link: Link) -> TableView | None:
        at, view = self._known.get(link.session, (0, None))
        for message in link.received[at:]:
            view = advance(view, message)
        self._known[link.session] = (len(link.received), view)
        return view


def assert_views_are_what_the_server_would_say(
    driver: LobbyDriver, links: list[Link], folding: Folding | None = None
) -> None:
    folding = folding or Folding()
    for link in links:
        if not link.is_connected:
            continue
        view = folding.view(link)
        session = driver.lobby.sessions.get(link.session)
        if session is None or session.table is None:
            continue
        table = driver.lobby.tables[session.table]
        assert view is not None
        assert not view.needs_sync
        now = driver.snapshot_for(table, table.seating.seat_of(link.session))
        assert settled(view.snapshot) == settled(now)


def four_and_a_spectator(driver: LobbyDriver, **table: object) -> list[Link]:
    links = list(driver.four_players(turn_seconds=0, **table))
    watcher = driver.hello("Layla")
    driver.ok(watcher, m.Watch, table=driver.table_of(links[0]).number)
    return [*links, watcher]


RULES = st.builds(
    m.RuleChoices,
    four_passes=st.sampled_from([None, *FourPasses]),
    dealing=st.sampled_from([None, *Dealing]),
    partner_hints=st.sampled_from([None, True]),
    lead_tarneeb=st.sampled_from([None, True]),
)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["tarneeb", "classic"]), RULES, st.integers(1, 150))
@pytest.mark.proves("O-4")
def test_events_folded_into_a_snapshot_give_the_later_snapshot_for_every_viewer(
    seed: int, preset: str, rules: m.RuleChoices, actions: int
) -> None:
    driver = LobbyDriver(seed_for_tests=seed)
    links = four_and_a_spectator(driver, preset=preset, rules=rules)
    rng = random.Random(seed)
    folding = Folding()
    for _ in range(actions):
        driver.play_on(links[:4], rng, 1)
        assert_views_are_what_the_server_would_say(driver, links, folding)


def test_m06_m10_whoever_comes_at_any_point_of_a_deal_sees_what_those_there_from_the_start_see() -> None:
    driver = LobbyDriver(seed_for_tests=4)
    links = four_and_a_spectator(driver)
    rng = random.Random(4)
    folding = Folding()
    for _ in range(70):
        driver.play_on(links[:4], rng, 1)
        late = driver.hello("Late")
        driver.ok(late, m.Watch, table=driver.table_of(links[0]).number)
        fresh, from_the_start = folded(late.received), folding.view(links[4])
        assert fresh is not None
        assert from_the_start is not None
        assert settled(fresh.snapshot) == settled(from_the_start.snapshot)
        driver.goodbye(late)
        assert_views_are_what_the_server_would_say(driver, links, folding)


def test_coming_and_going_folds_to_what_the_server_would_say() -> None:
    driver = LobbyDriver(seed_for_tests=9, bot_delay=0.0)
    links = four_and_a_spectator(driver)
    south, east, north, west, layla = links
    driver.ok(north, m.Chat, text="yalla")
    driver.drop(east)
    assert_views_are_what_the_server_would_say(driver, [south, north, west, layla])
    driver.resume_from_view(east)
    assert_views_are_what_the_server_would_say(driver, links)
    driver.ok(west, m.Leave)
    assert_views_are_what_the_server_would_say(driver, [south, east, north, layla])
    driver.ok(layla, m.Join, table=driver.table_of(south).number, seat=Seat.WEST)
    assert_views_are_what_the_server_would_say(driver, [south, east, north, layla])
    view = folded(layla.received)
    assert view is not None
    assert view.seat is Seat.WEST


# ---------------------------------------------------------------- repeats, gaps, strangers


def played_on(seed: int = 5, actions: int = 20) -> tuple[TableView, list[m.Message]]:
    """South's view in a running deal, and the messages that led to it."""
    driver = LobbyDriver(seed_for_tests=seed)
    south, *others = driver.four_players(turn_seconds=0)
    driver.play_on([south, *others], random.Random(seed), actions)
    view = folded(south.received)
    assert view is not None
    return view, list(south.received)


def test_d08_the_same_return_told_twice_leaves_four_in_their_seats() -> None:
    view, _ = played_on()
    away = m.PlayerAway(table=view.table, seq=view.seq + 1, seat=Seat.EAST, grace_seconds=120)
    back = m.PlayerBack(table=view.table, seq=view.seq + 2, seat=Seat.EAST)
    again = m.PlayerBack(table=view.table, seq=view.seq + 3, seat=Seat.EAST)
    for message in (away, back, back, again, back):
        after = advance(view, message)
        assert after is not None
        view = after
    assert [None if seat is None else seat.name for seat in view.snapshot.seats] == [
        "South",
        "East",
        "North",
        "West",
    ]
    assert view.snapshot.seats[Seat.EAST] == m.SeatSummary(name="East", ready=True)
    assert not view.needs_sync


@pytest.mark.proves("O-3")
def test_events_seen_already_change_nothing() -> None:
    view, messages = played_on()
    for message in messages:
        if isinstance(message, m.TableEvent):
            assert advance(view, message) is view


@pytest.mark.proves("O-2")
def test_a_missed_event_is_noticed_and_asked_for_from_the_last_one_known() -> None:
    view, messages = played_on()
    events = [message for message in messages if isinstance(message, m.CardPlayed | m.CallMade)]
    missing = events[-3]
    at = messages.index(missing)
    before = folded(messages[:at])
    assert before is not None
    after = before
    for message in messages[at + 1 :]:
        stepped = advance(after, message)
        assert stepped is not None
        after = stepped
    assert after.needs_sync
    assert after.sync_from == missing.seq - 1
    assert after.prompt is None
    # The answer to the sync is the missed events.
    for message in messages[at:]:
        stepped = advance(after, message)
        assert stepped is not None
        after = stepped
    assert not after.needs_sync
    assert after.snapshot == view.snapshot


@pytest.mark.proves("M-2", "O-2")
def test_an_event_of_a_type_not_known_here_ends_in_a_snapshot_and_not_in_asking_for_ever() -> None:
    view, messages = played_on()
    unknown = [message for message in messages if isinstance(message, m.CardPlayed | m.CallMade)][-3]
    at = messages.index(unknown)  # the link passes over what it cannot read, whenever it comes
    after = folded(messages[:at] + messages[at + 1 :])
    assert after is not None
    assert after.sync_from == unknown.seq - 1
    for message in [*messages[at + 1 :], m.Done(id=99, seq=view.seq)]:
        stepped = advance(after, message)
        assert stepped is not None
        after = stepped
    assert after.needs_sync
    assert after.sync_from is None
    stepped = advance(after, view.snapshot)
    assert stepped is not None
    assert not stepped.needs_sync


@pytest.mark.proves("O-5")
def test_an_event_that_cannot_follow_asks_for_a_whole_snapshot_and_is_not_folded() -> None:
    view, _ = played_on()
    assert view.deal is not None
    assert view.deal.trick is not None
    assert len(view.deal.trick.cards) < 4
    impossible = m.TrickTaken(table=view.table, seq=view.seq + 1, seat=Seat.EAST, taken=(0, 1), turn=Seat.EAST)
    after = advance(view, impossible)
    assert after is not None
    assert after.needs_sync
    assert after.sync_from is None
    assert after.snapshot is view.snapshot


def test_events_and_prompts_of_another_table_change_nothing() -> None:
    view, _ = played_on()
    assert advance(view, m.DealVoided(table=view.table + 1, seq=view.seq + 1)) is view
    assert advance(view, m.Prompt(table=view.table + 1, seq=view.seq, actions=(m.ReadyAction(),))) is view


def test_a_closed_table_is_left() -> None:
    view, _ = played_on()
    assert advance(view, m.TableClosed(table=view.table, seq=view.seq + 1, reason="nobody")) is None


def test_a_prompt_stays_through_chat_and_goes_with_the_turn() -> None:
    view, _ = played_on()
    prompt = m.Prompt(table=view.table, seq=view.seq, actions=(m.ReadyAction(),))
    prompted = advance(view, prompt)
    chatted = advance(prompted, m.Said(table=view.table, seq=view.seq + 1, name="Rami", text="yalla"))
    assert chatted is not None
    assert chatted.prompt is prompt
    moved = advance(chatted, m.DealVoided(table=view.table, seq=view.seq + 2))
    assert moved is not None
    assert moved.prompt is None


EVENT_KINDS = st.one_of(
    *(
        st.builds(
            kind,
            table=st.just(1),
            seq=st.integers(0, 12),
            **{
                name: st.just("text")
                for name in ("name", "text", "reason", "salt", "commitment")
                if name in kind.__struct_fields__
            },
            **(
                {"pack": st.lists(st.sampled_from(Card), max_size=3).map(tuple)}
                if "pack" in kind.__struct_fields__
                else {}
            ),
        )
        for kind in m.EVENTS
    )
)


@given(st.lists(EVENT_KINDS, max_size=40))
def test_f15_no_sequence_of_well_formed_messages_breaks_the_state(events: list[m.TableEvent]) -> None:
    view: TableView | None = TableView(
        m.Snapshot(
            table=1,
            seq=0,
            name="Friends",
            state=m.TableState.WAITING,
            rules=Ruleset(),
            turn_seconds=0,
            grace_seconds=0,
            seats=(None, None, None, None),
            seat=Seat.SOUTH,
        )
    )
    for event in events:
        before = view
        view = advance(view, event)
        if view is None:
            break
        assert before is not None
        assert view.seq in {before.seq, event.seq}
        view.seat_view()


def test_the_argument_of_a_fold_is_left_as_it_was() -> None:
    view, _ = played_on()
    copied = msgspec.msgpack.encode(view.snapshot)
    said = m.Said(table=view.table, seq=view.seq + 1, name="Rami", text="yalla")
    assert fold(view.snapshot, said) != view.snapshot
    assert msgspec.msgpack.encode(view.snapshot) == copied
    with pytest.raises(Inconsistent):
        fold(view.snapshot, msgspec.structs.replace(said, seq=view.seq + 2))


# ---------------------------------------------------------------- fairness


def revealed_deal() -> tuple[list[m.Message], int]:
    """South's messages of a deal played out, and the place of the reveal among them."""
    driver = LobbyDriver(seed_for_tests=11)
    south, *others = driver.four_players(turn_seconds=0)
    rng = random.Random(11)
    while not any(isinstance(message, m.DealScored) for message in south.received):
        driver.play_on([south, *others], rng, 1)
    reveal = next(at for at, message in enumerate(south.received) if isinstance(message, m.DealRevealed))
    while not isinstance(south.received[reveal - 1], m.DealScored):
        reveal = next(
            at
            for at, message in enumerate(south.received)
            if at > reveal and isinstance(message, m.DealRevealed)
        )
    return list(south.received[: reveal + 1]), reveal


def check_of(messages: list[m.Message]) -> DealCheck | None:
    view = folded(messages)
    assert view is not None
    assert view.deal is not None
    assert view.deal.phase is Phase.SCORED
    return view.check


@pytest.mark.proves("Y-4")
def test_a_deal_fixed_before_the_cut_is_found_fair() -> None:
    messages, _ = revealed_deal()
    assert check_of(messages) is DealCheck.FAIR


@pytest.mark.proves("Y-4")
def test_another_pack_than_the_one_committed_to_is_noticed() -> None:
    messages, at = revealed_deal()
    reveal = messages[at]
    assert isinstance(reveal, m.DealRevealed)
    first, second, *rest = reveal.pack
    messages[at] = msgspec.structs.replace(reveal, pack=(second, first, *rest))
    assert check_of(messages) is DealCheck.OTHER_PACK
    messages[at] = msgspec.structs.replace(reveal, salt="0" * 64)
    assert check_of(messages) is DealCheck.OTHER_PACK
    messages[at] = msgspec.structs.replace(reveal, pack=reveal.pack[:51])
    assert check_of(messages) is DealCheck.OTHER_PACK


@pytest.mark.proves("Y-4")
def test_hands_that_do_not_come_from_the_pack_are_noticed() -> None:
    messages, _ = revealed_deal()
    at = next(i for i in reversed(range(len(messages))) if isinstance(messages[i], m.PackCut))
    cut = messages[at]
    assert isinstance(cut, m.PackCut)
    # The same honest pack, but cut elsewhere than everybody saw.
    messages[at] = msgspec.structs.replace(cut, at=cut.at % 51 + 1)
    assert check_of(messages) is DealCheck.OTHER_HANDS


def test_whoever_did_not_see_the_commitment_says_that_nothing_was_checked() -> None:
    messages, _ = revealed_deal()
    at = next(i for i in reversed(range(len(messages))) if isinstance(messages[i], m.DealStarted))
    started = messages[at]
    before = folded(messages[:at])
    assert isinstance(started, m.DealStarted)
    assert before is not None
    snapshot = msgspec.structs.replace(fold(before.snapshot, started), commitment=None)
    assert check_of([snapshot, *messages[at + 1 :]]) is DealCheck.UNSEEN


@pytest.mark.proves("O-6")
def test_a_snapshot_takes_the_place_of_all_there_was_also_with_a_lower_number() -> None:
    driver = LobbyDriver()
    link, *_ = driver.four_players(turn_seconds=0)
    earlier = link.of_type(m.Snapshot)[0]
    assert isinstance(earlier, m.Snapshot)
    assert link.view is not None
    view = TableView(
        msgspec.structs.replace(
            link.view, seq=link.view.seq + 1000, chat=(m.ChatLine(name="Ali", text="gone"),)
        )
    )
    assert advance(view, earlier) == TableView(earlier)
