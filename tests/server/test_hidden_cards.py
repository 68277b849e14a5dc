"""What each viewer of a table is sent, and what none is: the driver looks at every frame."""

from __future__ import annotations

import random

import pytest

from support.lobby_driver import LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire


@pytest.mark.proves("W-4")
def test_h01_a_player_who_watches_the_own_table_through_a_second_session_sees_no_hand() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    second = driver.hello("South")
    assert second.name == "South 2"
    driver.ok(second, wire.Watch, table=driver.table_of(links[0]).number)
    driver.advance(20)
    assert second.view is not None
    assert second.view.hand is None
    assert all(message.hand is None for message in second.received if isinstance(message, wire.HandsDealt))


@pytest.mark.proves("W-1")
def test_h05_nothing_before_the_first_lead_holds_a_card_but_the_own_thirteen() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.play is None or not table.play.are_hands_out:
        driver.advance(1)
    for link in links:
        dealt = [message for message in link.received if isinstance(message, wire.HandsDealt)]
        assert link.view is not None
        assert link.view.hand is not None
        assert [message.hand for message in dealt] == [link.view.hand]
        assert len(link.view.hand) == 13


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.proves("W-3")
def test_h06_history_that_a_player_is_sent_again_is_what_that_player_saw(seat: Seat) -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    driver.advance(30)
    link = links[seat]
    events = [message for message in link.received if isinstance(message, wire.TableEvent)]
    first = next(message for message in link.received if isinstance(message, wire.Snapshot))
    driver.drop(link)
    driver.advance(1)
    link.view = first
    before = len(link.received)
    driver.resume(link, first.seq)
    again = [message for message in link.received[before:] if isinstance(message, wire.TableEvent)]
    assert again[: len(events)] == events


@pytest.mark.proves("W-1")
def test_h10_over_several_deals_no_viewer_gets_a_card_too_early() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=table.number)
    while table.play is not None and table.play.deal_count < 3 and table.is_playing:
        driver.advance(1)
        driver.check_views()
    # The driver has searched every frame to every viewer for cards that were hidden from it then.
    assert len(watcher.of_type(wire.DealRevealed)) >= 3


@pytest.mark.proves("W-3", "O-4")
def test_m10_a_spectator_may_come_at_any_point_of_a_deal_and_see_what_the_first_one_sees() -> None:
    driver = LobbyDriver(max_spectators=64)
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    first = driver.hello("First")
    driver.ok(first, wire.Watch, table=table.number)
    rng = random.Random(11)
    joined = 0
    while table.play is not None and table.play.deal_count < 2 and joined < 150:
        driver.play_on(links, rng, 1)
        driver.advance(0.2)
        late = driver.hello(f"Late {joined}")
        joined += 1
        driver.ok(late, wire.Watch, table=table.number)
        assert late.view == first.view
        driver.goodbye(late)
    assert joined > 60
