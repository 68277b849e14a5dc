"""Sets at a table, from the first player to the last trick, without sockets."""

from __future__ import annotations

import random

import pytest

from support.lobby_driver import LobbyDriver
from support.tables import solo
from tarneeb_engine.cards import FULL_PACK
from tarneeb_protocol import messages as wire
from tarneeb_protocol.fairness import is_fair
from tarneeb_protocol.messages import TableState


@pytest.mark.proves("T-2")
def test_a_set_begins_by_itself_when_the_fourth_player_sits_down() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    for link in links:
        assert link.view is not None
        assert link.view.state is TableState.PLAYING
        assert link.view.set_number == 1
    driver.check_views()


@pytest.mark.parametrize("preset", ["tarneeb", "classic"])
@pytest.mark.proves("O-1", "O-4", "Q-2", "Q-5", "A-1")
def test_four_players_play_a_set_and_every_view_is_right_after_every_action(preset: str) -> None:
    driver = LobbyDriver()
    links = driver.four_players(preset=preset, turn_seconds=0)
    rng = random.Random(7)
    table = driver.table_of(links[0])
    actions = 0
    while table.is_playing and actions < 3000:
        actions += driver.play_on(links, rng, 1)
        driver.check_views()
    assert actions > 150


def test_a_whole_set_against_bots_ends_and_is_recorded_with_its_transcript() -> None:
    driver = LobbyDriver(bot_delay=0.0)
    player = solo(driver)
    table = driver.table_of(player)
    rng = random.Random(3)
    for _ in range(200):
        driver.advance(200)
        if not table.is_playing:
            break
        driver.play_on([player], rng, 1)
    assert table.state is TableState.SET_OVER
    (record,) = driver.records
    assert record.players == ("Nour", "Bot Badr", "Bot Dana", "Bot Fares")
    assert record.transcript.final_state().scores == record.scores
    assert record.transcript.final_state().winner == record.winner


@pytest.mark.proves("T-3", "A-8")
def test_after_a_set_the_next_begins_when_every_player_is_ready_again() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.is_playing:
        driver.advance(1)
    for link in links:
        assert link.prompt is not None
        assert link.prompt.actions == (wire.ReadyAction(),)
    for link in links[:3]:
        driver.ok(link, wire.Act, action=wire.ReadyAction())
        assert table.state is TableState.SET_OVER
    driver.check_views()
    driver.ok(links[3], wire.Act, action=wire.ReadyAction())
    assert table.state is TableState.PLAYING
    assert table.set_number == 2
    driver.check_views()


@pytest.mark.proves("Y-1", "Y-2", "Y-3")
def test_every_deal_reveals_the_pack_that_was_committed_to() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    table = driver.table_of(links[0])
    while table.is_playing:
        driver.advance(1)
    started = [message for message in links[0].received if isinstance(message, wire.DealStarted)]
    revealed = [message for message in links[0].received if isinstance(message, wire.DealRevealed)]
    assert len(started) == len(revealed) > 1
    for start, reveal in zip(started, revealed, strict=True):
        assert is_fair(start.commitment, reveal.pack, reveal.salt)
        assert set(reveal.pack) == set(FULL_PACK)
    assert len({start.commitment for start in started}) == len(started)
