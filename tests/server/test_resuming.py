"""Coming back to a session: tokens, takeovers, what was missed, and how long a seat is held."""

from __future__ import annotations

import random

import pytest

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire


def seqs(link: Link) -> list[int]:
    return [message.seq for message in link.received if isinstance(message, wire.TableEvent)]


@pytest.mark.proves("R-6")
def test_r01_a_resume_takes_over_while_the_old_connection_still_seems_alive() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    before = links[0].generation
    driver.resume_from_view(links[0])
    assert links[0].generation == before + 1
    assert links[1].of_type(wire.PlayerAway, wire.PlayerBack) == []
    driver.check_views()


@pytest.mark.proves("R-7")
def test_r03_what_an_old_connection_leaves_behind_cannot_touch_the_new_one() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    old = links[0].generation
    driver.resume_from_view(links[0])
    assert driver.lobby.disconnected(links[0].session, old, driver.now) == []
    assert driver.lobby.goodbye(links[0].session, old, driver.now) == []
    driver.advance(1000)
    assert not driver.lobby.is_current(links[0].session, old)
    assert links[1].of_type(wire.PlayerAway, wire.PlayerLeft) == []


@pytest.mark.proves("R-1", "R-15")
def test_r05_two_hundred_drops_and_resumes_with_one_chain_of_tokens_keep_the_seat() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    tokens = set()
    for _ in range(200):
        tokens.add(links[2].token)
        driver.drop(links[2])
        driver.advance(0.1)
        driver.resume_from_view(links[2])
        driver.ok(links[2], wire.ListTables)
    assert len(tokens) == 200
    driver.check_views()
    driver.advance(1000)
    assert driver.table_of(links[2]).seating.seat_of(links[2].session) is Seat.NORTH


@pytest.mark.proves("N-2", "R-10")
def test_r06_a_token_leads_to_its_own_table_whatever_the_name() -> None:
    driver = LobbyDriver()
    one, two = driver.hello("Ali"), driver.hello("Ali")
    tables = [driver.open_table(one), driver.open_table(two)]
    driver.ok(one, wire.Join, table=tables[0])
    driver.ok(two, wire.Join, table=tables[1])
    driver.drop(one)
    driver.drop(two)
    driver.resume(one)
    assert one.view is not None
    assert one.view.table == tables[0]


def test_r08_the_clock_of_a_resumed_player_who_acts_in_time_never_runs_out() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    driver.drop(links[1])
    driver.advance(1)
    driver.resume_from_view(links[1])
    rng = random.Random(5)
    for _ in range(40):
        driver.advance(18)
        driver.play_on(links, rng, 1)
    by_clock = [
        message
        for message in links[0].received
        if isinstance(message, wire.PackCut | wire.CallMade | wire.CardPlayed) and message.by != "player"
    ]
    assert by_clock == []


@pytest.mark.proves("R-15")
def test_r11_the_others_are_told_once_that_a_player_is_back() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    driver.drop(links[0])
    driver.resume_from_view(links[0])
    driver.resume_from_view(links[0])
    driver.ok(links[0], wire.Sync)
    assert [len(link.of_type(wire.PlayerBack)) for link in links] == [1, 1, 1, 1]
    assert len(links[1].of_type(wire.PlayerAway)) == 1


def test_r13_a_leave_right_after_a_resume_frees_the_seat() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    table = driver.table_of(links[0])
    driver.drop(links[0])
    driver.resume_from_view(links[0])
    driver.advance(0.5)
    driver.ok(links[0], wire.Leave)
    assert table.seating.seat_of(links[0].session) is None
    late = driver.hello("Late")
    driver.ok(late, wire.Join, table=table.number, seat=Seat.SOUTH)
    driver.advance(1000)
    assert len(links[1].of_type(wire.PlayerLeft)) == 1
    assert table.seating.seat_of(late.session) is Seat.SOUTH
    driver.check_views()


@pytest.mark.proves("A-3", "R-11")
def test_r15_r16_a_resumed_player_on_lead_sees_the_own_hand_and_plays_from_it() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    rng = random.Random(2)
    while table.play is None or table.play.state.deal is None or len(table.play.state.deal.tricks) < 4:
        driver.play_on(links, rng, 1)
    seat = table.play.turn
    assert seat is not None
    link = links[seat]
    driver.drop(link)
    driver.resume(link)
    assert link.view is not None
    assert link.view.hand is not None
    assert len(link.view.hand) == 9
    driver.act_as_prompted(link, rng)
    played = links[seat.next()].of_type(wire.CardPlayed)[-1]
    assert isinstance(played, wire.CardPlayed)
    assert played.seat is seat
    driver.check_views()


@pytest.mark.parametrize("from_view", [True, False])
def test_r21_who_left_while_another_was_away_is_not_in_the_view_of_who_comes_back(from_view: bool) -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    driver.drop(links[1])
    driver.ok(links[0], wire.Leave)
    if from_view:
        driver.resume_from_view(links[1])
    else:
        driver.resume(links[1])
    assert links[1].view is not None
    assert "South" not in {seat.name for seat in links[1].view.seats if seat is not None}
    driver.check_views()


@pytest.mark.proves("R-3")
def test_d03_of_two_resumes_with_one_token_the_second_takes_over_until_the_new_token_is_used() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    token = links[0].token
    driver.hello("x", resume=token)
    assert links[0].generation == 2
    driver.hello("x", resume=token)
    assert links[0].generation == 3
    driver.ok(links[0], wire.ListTables)
    assert isinstance(driver.try_hello("x", resume=token), wire.Refused)


@pytest.mark.proves("R-11")
def test_m05_a_player_who_comes_back_gets_what_was_played_and_whose_turn_it_is() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    driver.drop(links[0])
    for _ in range(5):
        driver.advance(20)
    driver.resume_from_view(links[0])
    driver.check_views()
    assert seqs(links[0]) == list(range(seqs(links[0])[0], seqs(links[0])[-1] + 1))


@pytest.mark.proves("R-12")
def test_m08_two_resumes_from_the_same_event_get_the_same_events() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    start = links[0].view
    assert start is not None
    driver.drop(links[0])
    driver.advance(90)
    replays = []
    for _ in range(2):
        before = len(links[0].received)
        links[0].view = start
        driver.resume(links[0], start.seq)
        replays.append(
            [
                message
                for message in links[0].received[before:]
                if isinstance(message, wire.TableEvent) and not isinstance(message, wire.PlayerBack)
            ]
        )
    assert replays[0] == replays[1]
    assert len(replays[0]) > 3


@pytest.mark.proves("R-11")
def test_who_missed_more_than_is_kept_gets_a_snapshot() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    driver.drop(links[0])
    driver.advance(110)
    for _ in range(900):
        driver.advance(1)
        driver.request(links[1], wire.Chat, text="still here")
        if driver.table_of(links[1]).stream.seq > 700:
            break
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=driver.table_of(links[1]).number)
    before = len(links[1].received)
    driver.ok(links[1], wire.Sync, seq=1)
    assert any(isinstance(message, wire.Snapshot) for message in links[1].received[before:])
    driver.check_views()


@pytest.mark.proves("R-13")
def test_a_newcomer_is_not_sent_events_from_before_it_came() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.play is None or not table.play.are_hands_out:
        driver.advance(1)
    driver.ok(links[0], wire.Leave)
    late = driver.hello("Late")
    driver.ok(late, wire.Join, table=table.number, seat=Seat.SOUTH)
    before = len(late.received)
    driver.ok(late, wire.Sync, seq=0)
    assert late.received[before:][0].__class__ is wire.Snapshot
    assert late.of_type(wire.HandsDealt) == []


@pytest.mark.proves("R-15", "R-16")
def test_g06_a_seat_that_nobody_comes_back_to_is_free_after_the_grace() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    driver.drop(links[0])
    driver.advance(119)
    assert links[1].of_type(wire.PlayerLeft) == []
    driver.advance(2)
    (left,) = links[1].of_type(wire.PlayerLeft)
    assert isinstance(left, wire.PlayerLeft)
    assert left.reason == "grace_over"
    assert isinstance(driver.try_hello("x", resume=links[0].token), wire.Refused)
    driver.check_views()


@pytest.mark.proves("R-17")
def test_a_goodbye_gives_the_seat_up_at_once() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    driver.goodbye(links[0])
    (left,) = links[1].of_type(wire.PlayerLeft)
    assert isinstance(left, wire.PlayerLeft)
    assert left.reason == "left"
    driver.check_views()


def test_who_comes_and_goes_without_sitting_down_is_forgotten_beyond_a_limit() -> None:
    driver = LobbyDriver(max_connections=20)
    for number in range(200):
        link = driver.hello(f"Guest {number}")
        driver.drop(link)
    assert len(driver.lobby.sessions) <= 20
    assert len(driver.timers) <= 20


@pytest.mark.proves("R-1", "R-2")
def test_p05_tokens_are_256_random_bits_and_only_hashes_are_kept() -> None:
    driver = LobbyDriver()
    links = [driver.hello(f"Guest {number}") for number in range(50)]
    tokens = {link.token for link in links}
    assert len(tokens) == 50
    assert all(len(token) == 43 for token in tokens)
    for session in driver.lobby.sessions:
        kept = [getattr(session, name) for name in session.__slots__]
        assert not any(token in repr(value) for token in tokens for value in kept)


def phase_of(driver: LobbyDriver) -> str:
    """What table 1 is doing, by its state, the phase of the deal and whether a trick has begun."""
    table = driver.lobby.tables[1]
    deal = None if table.play is None else table.play.state.deal
    if not table.is_playing or deal is None:
        return table.state.value
    trick = deal.trick
    return f"{deal.phase.value}, trick begun" if trick is not None and trick.cards else deal.phase.value


@pytest.mark.parametrize("from_view", [True, False])
@pytest.mark.proves("R-11")
def test_m11_whoever_resumes_in_any_state_of_a_table_can_do_what_is_to_be_done(from_view: bool) -> None:
    driver = LobbyDriver(bot_delay=0.0)
    links = [driver.hello(name) for name in ("South", "East", "North", "West")]
    driver.open_table(links[0], turn_seconds=1)
    rng = random.Random(4)
    seen = set()

    def drop_and_resume_all() -> None:
        for link in links:
            if driver.lobby.sessions.get(link.session) is None or link.view is None:
                continue
            driver.drop(link)
            seq = link.view.seq
            driver.resume(link, seq if from_view else None)
            seen.add(phase_of(driver))
            driver.check_views()

    for link in links:
        driver.ok(link, wire.Join, table=1)
        drop_and_resume_all()
    table = driver.lobby.tables[1]
    assert table.play is not None
    while "play, trick begun" not in seen or phase_of(driver) != "cut":
        drop_and_resume_all()
        prompted = [link for link in links if link.prompt is not None]
        assert len(prompted) == 1, "the one to act was asked again, and nobody else"
        driver.act_as_prompted(prompted[0], rng)
    while table.is_playing:
        driver.advance(1)  # the clock plays the rest of the set
    drop_and_resume_all()
    for link in links:
        assert link.prompt is not None
        assert link.prompt.actions == (wire.ReadyAction(),)
        driver.act_as_prompted(link, rng)
        drop_and_resume_all()
    assert table.set_number == 2
    assert seen == {"waiting", "cut", "auction", "declaration", "play", "play, trick begun", "set_over"}


def test_p06_a_stand_in_that_is_about_to_act_does_nothing_once_the_player_is_back() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=20)
    table = driver.table_of(links[0])
    rng = random.Random(6)
    assert table.play is not None
    absent = links[Seat.EAST]
    driver.drop(absent)
    while table.play.turn is not Seat.EAST:
        if driver.play_on([link for link in links if link.is_connected], rng, 1) == 0:
            break
    driver.advance(0.9)
    seq = table.stream.seq
    driver.resume_from_view(absent)
    driver.advance(18)
    assert table.stream.seq == seq + 1, "player_back alone"
    assert absent.prompt is not None
    driver.act_as_prompted(absent, rng)
    decided = links[0].of_type(wire.PackCut, wire.CallMade, wire.TrumpNamed, wire.CardPlayed)[-1]
    assert getattr(decided, "seat", None) is Seat.EAST
    assert getattr(decided, "by", None) is wire.Actor.PLAYER


def test_r16_a_player_who_resumes_in_the_middle_of_a_trick_leads_the_next_when_it_is_won() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    rng = random.Random(2)
    leads = 0
    while leads < 8 and table.is_playing:
        assert table.play is not None
        deal = table.play.state.deal
        turn = table.play.turn
        assert turn is not None
        is_lead = deal is not None and deal.trick is not None and not deal.trick.cards
        if is_lead:
            driver.drop(links[turn])
            driver.resume_from_view(links[turn])
            leads += 1
        driver.act_as_prompted(links[turn], rng)
        if is_lead:
            played = links[turn.next()].of_type(wire.CardPlayed)[-1]
            assert isinstance(played, wire.CardPlayed)
            assert (played.seat, played.by) == (turn, wire.Actor.PLAYER)
    assert leads == 8
    driver.check_views()
