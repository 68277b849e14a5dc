"""Requests of a session: answered once, in order, and by what the table is when they come."""

from __future__ import annotations

import random

import pytest

from support.lobby_driver import LobbyDriver
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_protocol import messages as wire


@pytest.mark.proves("Q-3")
def test_i01_a_request_sent_again_after_a_resume_gets_its_first_reply_and_is_not_done_twice() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    assert table.play is not None
    turn = table.play.turn
    assert turn is not None
    prompt = links[turn].prompt
    assert prompt is not None
    request = wire.Act(id=500, action=prompt.actions[0], seq=prompt.seq)
    first = driver.send(links[turn], request)
    driver.drop(links[turn])
    driver.resume_from_view(links[turn])
    seq = table.stream.seq
    assert driver.send(links[turn], request) == first
    assert table.stream.seq == seq


@pytest.mark.proves("Q-4")
def test_an_id_that_does_not_grow_is_refused() -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali")
    driver.send(link, wire.ListTables(id=10))
    answer = driver.send(link, wire.Leave(id=9))
    assert isinstance(answer, wire.Error)
    assert answer.code == "id_too_old"


@pytest.mark.proves("Q-3", "Q-4")
def test_the_last_64_replies_are_kept() -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali")
    replies = {}
    for number in range(100, 200):
        driver.advance(1)
        replies[number] = driver.send(link, wire.Leave(id=number))
    driver.advance(100)
    assert [driver.send(link, wire.Leave(id=number)) for number in range(136, 200)] == [
        replies[number] for number in range(136, 200)
    ]
    answer = driver.send(link, wire.Leave(id=135))
    assert isinstance(answer, wire.Error)
    assert answer.code == "id_too_old"


@pytest.mark.proves("A-6")
def test_m01_an_action_decided_before_the_turn_began_is_stale_and_says_where_the_table_is() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    rng = random.Random(1)
    driver.play_on(links, rng, 1)
    turn = table.play.turn if table.play is not None else None
    assert turn is not None
    prompt = links[turn].prompt
    assert prompt is not None
    answer = driver.request(links[turn], wire.Act, action=prompt.actions[0], seq=prompt.seq - 1)
    assert isinstance(answer, wire.Error)
    assert (answer.code, answer.seq) == ("stale", table.stream.seq)
    assert driver.refused(links[turn], wire.Act, action=prompt.actions[0], seq=10_000) == "bad_request"
    driver.ok(links[turn.next()], wire.Chat, text="chat does not make a decision stale")
    driver.ok(links[turn], wire.Act, action=prompt.actions[0], seq=prompt.seq)


@pytest.mark.proves("A-7", "Q-6")
def test_l01_of_several_actions_in_one_burst_the_first_alone_counts() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    rng = random.Random(4)
    while table.play is None or table.play.state.deal is None or table.play.state.deal.trick is None:
        driver.play_on(links, rng, 1)
    driver.play_on(links, rng, 1)
    turn = table.play.turn
    assert turn is not None
    prompt = links[turn].prompt
    view = links[turn].view
    assert prompt is not None
    assert view is not None
    assert view.hand is not None
    driver.ok(links[turn], wire.Act, action=prompt.actions[0])
    others = [card for card in view.hand if wire.PlayAction(card) != prompt.actions[0]]
    assert [driver.refused(links[turn], wire.Act, action=wire.PlayAction(card)) for card in others[:3]] == [
        "not_your_turn"
    ] * 3


@pytest.mark.proves("A-4")
def test_l03_actions_of_another_phase_are_refused() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    play = wire.PlayAction(next(iter(Card)))
    bid = wire.CallAction(CallKind.BID, 9)
    assert table.play is not None

    def refused(action: wire.WireAction) -> str:
        assert table.play is not None
        assert table.play.turn is not None
        return driver.refused(links[table.play.turn], wire.Act, action=action)

    assert refused(play) == refused(bid) == "wrong_phase"
    driver.play_on(links, random.Random(0), 1)
    assert refused(play) == refused(wire.CutAction(5)) == "wrong_phase"
    assert table.play.turn is not None
    driver.ok(links[table.play.turn], wire.Act, action=wire.CallAction(CallKind.GAME))
    assert refused(play) == refused(bid) == "wrong_phase"
    driver.play_on(links, random.Random(0), 1)
    assert refused(bid) == refused(wire.TrumpAction(Suit.HEARTS)) == "wrong_phase"


@pytest.mark.proves("A-7")
def test_i03_two_requests_that_play_the_same_card_play_it_once() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    table = driver.table_of(links[0])
    rng = random.Random(4)
    while table.play is None or table.play.state.deal is None or table.play.state.deal.trick is None:
        driver.play_on(links, rng, 1)
    turn = table.play.turn
    assert turn is not None
    prompt = links[turn].prompt
    assert prompt is not None
    driver.ok(links[turn], wire.Act, action=prompt.actions[0])
    assert driver.refused(links[turn], wire.Act, action=prompt.actions[0]) == "not_your_turn"


@pytest.mark.proves("E-4", "A-4")
def test_h13_a_refused_play_is_told_to_nobody_else() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    before = [len(link.received) for link in links]
    for link in links:
        for card in list(Card)[:5]:
            driver.refused(link, wire.Act, action=wire.PlayAction(card))
    after = [len(link.received) for link in links]
    assert [late - early for early, late in zip(before, after, strict=True)] == [5, 5, 5, 5]
    assert not any("AS" in str(entry) or "2C" in str(entry) for entry in driver.logs)
