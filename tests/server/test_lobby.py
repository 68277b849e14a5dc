"""Sessions and requests, without sockets."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.ruleset import PRESETS, AuctionKind, Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.names import name_keys
from tarneeb_protocol.text import clean_name
from tarneeb_server.limits import CHAT, REQUESTS

SERVER_PASSWORD = "majlis"
TABLE_PASSWORD = "sesame"


def seqs(link: Link) -> list[int]:
    return [message.seq for message in link.received if isinstance(message, wire.TableEvent)]


# ---------------------------------------------------------------- hello


@pytest.mark.proves("N-1", "N-2")
def test_names_are_unique_and_a_clash_gets_a_number() -> None:
    driver = LobbyDriver()
    names = [driver.hello(name).name for name in ("Ali", " ali ", "ALI", "Bot Amal", "A" * 24, "a" * 24)]
    assert names == ["Ali", "ali 2", "ALI 3", "Bot Amal 2", "A" * 24, "a" * 22 + " 2"]


@pytest.mark.proves("N-1")
def test_u03_u05_names_that_look_alike_are_told_apart_by_a_number() -> None:
    driver = LobbyDriver()
    names = [driver.hello(name).name for name in ("Nour", "NΟUR", "Νour", "nour", "نور")]
    assert names == ["Nour", "NΟUR 2", "Νour 3", "nour 4", "نور"]


def test_u03_the_number_that_tells_names_apart_cannot_be_imitated() -> None:
    driver = LobbyDriver()
    names = [
        driver.hello(name).name for name in ("Nour 2", "Nour", "Nour", "Nour 2", "Nour ٢", "Nour  ２", "Nоur 2")
    ]
    assert names == ["Nour 2", "Nour", "Nour 3", "Nour 2 2", "Nour ٢ 3", "Nour ２ 4", "Nоur 2 3"]
    keys = [name_keys(name) for name in names]
    assert not any(one.agree(other) for at, one in enumerate(keys) for other in keys[:at])


@pytest.mark.parametrize(
    "name", ["Bot Amal", "bоt bаdr", "Tarneeb", "ТARNEEB", "Server", "HOST", "Аdmin", "Bot", "Majlis", "MAJLIS"]
)
def test_u03_nobody_is_called_what_the_server_or_its_bots_are(name: str) -> None:
    driver = LobbyDriver(name="Majlis")
    assert driver.hello(name).name == f"{name} 2"


@given(
    st.lists(
        st.sampled_from(["Ali", "ALI", "аli", "a1i", "Ali 2", "ali ٢", "Omar", "Ornar", "x" * 24]), max_size=12
    )
)
@pytest.mark.proves("N-1", "N-2")
def test_u01_u03_u05_no_two_sessions_have_names_that_a_reader_takes_for_the_same(asked: list[str]) -> None:
    driver = LobbyDriver()
    names = [driver.hello(name).name for name in asked]
    assert all(clean_name(name, wire.MAX_NAME_CHARS) == name for name in names)
    keys = [name_keys(name) for name in names]
    assert not any(one.agree(other) for at, one in enumerate(keys) for other in keys[:at])


def test_tables_may_have_names_that_are_alike_for_their_numbers_differ() -> None:
    driver = LobbyDriver()
    ali = driver.hello("Ali")
    assert driver.open_table(ali, name="Majlis") != driver.open_table(ali, name="MAJLIS")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"protocol_min": 2, "protocol_max": 3}, "unsupported_version"),
        ({"name": "\x1b[2J"}, "bad_name"),
        ({"name": "   "}, "bad_name"),
        ({"resume": "no such token"}, "bad_token"),
        ({"password": "wrong"}, "wrong_password"),
        ({"password": None}, "wrong_password"),
    ],
)
@pytest.mark.proves("C-4", "C-11", "V-2", "R-9")
def test_a_hello_that_is_not_accepted_is_told_why(fields: dict[str, object], code: str) -> None:
    driver = LobbyDriver(password=SERVER_PASSWORD)
    answer = driver.try_hello(**{"name": "Ali", "password": SERVER_PASSWORD, **fields})  # type: ignore[arg-type]  # the name is among them
    assert isinstance(answer, wire.Refused)
    assert answer.code == code
    assert (answer.protocol_min, answer.protocol_max) == (1, 1)
    assert len(driver.lobby.sessions) == 0


def test_the_right_password_opens_the_server() -> None:
    driver = LobbyDriver(password=SERVER_PASSWORD)
    assert driver.hello("Ali", password=SERVER_PASSWORD).name == "Ali"


def test_who_starts_the_client_anew_gets_the_own_name_back_when_it_was_at_no_table() -> None:
    driver = LobbyDriver()
    first = driver.hello("Ali")
    driver.drop(first)
    assert driver.hello("Ali").name == "Ali"
    assert isinstance(driver.try_hello("Ali", resume=first.token), wire.Refused)


def test_a_held_seat_keeps_its_name() -> None:
    driver = LobbyDriver()
    south, *_ = driver.four_players()
    driver.drop(south)
    assert driver.hello("South").name == "South 2"


# ---------------------------------------------------------------- resume


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
    driver.advance(1000)
    assert len(links[1].of_type(wire.PlayerLeft)) == 1


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


# ---------------------------------------------------------------- requests


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


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"preset": "bridge"}, "bad_rules", "preset"),
        ({"rules": wire.RuleChoices(target=30)}, "bad_rules", "rules"),
        ({"name": "\u202eevil"}, "bad_name", "name"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_field(
    fields: dict[str, object], code: str, field: str
) -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali")
    answer = driver.request(link, wire.OpenTable, **{"name": "Majlis", **fields})
    assert isinstance(answer, wire.Error)
    assert (answer.code, answer.field) == (code, field)
    assert driver.lobby.tables == {}


def test_a_preset_with_choices_is_what_the_players_are_told() -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali")
    number = driver.open_table(link, preset="classic", rules=wire.RuleChoices(target=61, partner_hints=True))
    driver.ok(link, wire.Join, table=number)
    assert link.view is not None
    expected = PRESETS["classic"]
    assert link.view.rules == Ruleset(
        auction=AuctionKind.CONTINUING, thirteen=expected.thirteen, target=61, partner_hints=True
    )


@pytest.mark.proves("F-3")
def test_tables_are_listed_in_pages_that_fit_a_frame() -> None:
    driver = LobbyDriver(max_tables=1000, max_tables_per_player=1000)
    link = driver.hello("\U0001f0cf" * 24)
    for _ in range(150):
        driver.advance(0.1)
        driver.open_table(link, name="\U0001f0cf" * 24)
        driver.advance(0.1)
    listed: list[int] = []
    after = None
    while True:
        page = driver.ok(link, wire.ListTables, after=after)
        assert isinstance(page, wire.Tables)
        listed += [entry.table for entry in page.tables]
        if not page.more:
            break
        after = listed[-1]
    assert listed == sorted(driver.lobby.tables)
    assert len(listed) == 150


def test_open_tables_are_limited_for_the_server_and_for_a_player() -> None:
    driver = LobbyDriver(max_tables=3, max_tables_per_player=2)
    one, two = driver.hello("One"), driver.hello("Two")
    driver.open_table(one)
    driver.open_table(one)
    assert driver.refused(one, wire.OpenTable, name="third") == "too_many_tables"
    driver.open_table(two)
    assert driver.refused(two, wire.OpenTable, name="fourth") == "too_many_tables"


def test_a_locked_table_opens_to_its_password_alone_and_five_wrong_ones_end_the_session() -> None:
    driver = LobbyDriver()
    owner, guest = driver.hello("Owner"), driver.hello("Guest")
    number = driver.open_table(owner, password=TABLE_PASSWORD)
    assert driver.refused(guest, wire.Join, table=number) == "wrong_password"
    driver.ok(guest, wire.Watch, table=number, password=TABLE_PASSWORD)
    driver.ok(guest, wire.Leave)
    for attempt in range(3):
        assert driver.refused(guest, wire.Join, table=number, password=str(attempt)) == "wrong_password"
    assert guest.of_type(wire.Goodbye) == []
    driver.refused(guest, wire.Join, table=number, password=str(4))
    (goodbye,) = guest.of_type(wire.Goodbye)
    assert isinstance(goodbye, wire.Goodbye)
    assert goodbye.code == "kicked"
    assert driver.lobby.sessions.get(guest.session) is None
    assert not any(TABLE_PASSWORD in str(entry) for entry in driver.logs)


def test_a_table_may_take_no_spectators_or_a_limited_number() -> None:
    driver = LobbyDriver(max_spectators=1)
    links = [driver.hello(f"Guest {number}") for number in range(3)]
    closed = driver.open_table(links[0], spectators=False)
    assert driver.refused(links[0], wire.Watch, table=closed) == "cannot_watch"
    opened = driver.open_table(links[0])
    driver.ok(links[0], wire.Watch, table=opened)
    assert driver.refused(links[1], wire.Watch, table=opened) == "cannot_watch"


@pytest.mark.proves("T-1")
def test_spectators_may_chat_but_neither_act_nor_call_bots() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=driver.table_of(links[0]).number)
    assert driver.refused(watcher, wire.Act, action=wire.CutAction(5)) == "not_a_player"
    assert driver.refused(watcher, wire.AddBot) == "not_a_player"
    assert driver.refused(watcher, wire.RemoveBot, seat=Seat.SOUTH) == "not_a_player"
    driver.ok(watcher, wire.Chat, text="  nice   hand ")
    said = links[0].of_type(wire.Said)[-1]
    assert isinstance(said, wire.Said)
    assert (said.name, said.text, said.seat) == ("Watcher", "nice hand", None)


@pytest.mark.parametrize("kind", [wire.Leave, wire.AddBot, wire.Sync])
@pytest.mark.proves("T-1")
def test_requests_for_a_table_are_refused_to_who_is_at_none(kind: type[wire.Request]) -> None:
    driver = LobbyDriver()
    assert driver.refused(driver.hello("Ali"), kind) == "not_at_table"


def test_lobby_chat_reaches_those_who_are_at_no_table() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    one, two = driver.hello("One"), driver.hello("Two")
    driver.ok(one, wire.Chat, text="anybody?")
    assert [len(link.of_type(wire.LobbySaid)) for link in (one, two, *links)] == [1, 1, 0, 0, 0, 0]
    assert driver.refused(one, wire.Chat, text="\x07") == "bad_text"


def test_chat_is_limited_but_acts_go_on() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    answers = [driver.request(links[0], wire.Chat, text="spam") for _ in range(20)]
    assert [isinstance(answer, wire.Done) for answer in answers] == [True] * int(CHAT.burst) + [False] * 15
    assert {answer.code for answer in answers if isinstance(answer, wire.Error)} == {"rate_limited"}
    assert driver.play_on(links, random.Random(0), 100) == 100
    driver.advance(2 / CHAT.per_second)
    driver.ok(links[0], wire.Chat, text="sorry")


@pytest.mark.proves("Q-7")
def test_a_flood_of_requests_is_slowed_and_then_cut_off_and_may_come_back() -> None:
    driver = LobbyDriver()
    link = driver.hello("Flood")
    answers = [driver.request(link, wire.ListTables) for _ in range(int(REQUESTS.burst) + 5)]
    assert sum(isinstance(answer, wire.Tables) for answer in answers) == REQUESTS.burst
    for _ in range(300):
        if link.closed_with is not None:
            break
        link.last_id += 1
        driver._perform(driver.lobby.request(link.session, wire.Leave(id=link.last_id), driver.now))
    assert link.closed_with is not None
    assert link.closed_with.code == "rate_limited"
    assert link.closed_with.resumable
    driver.advance(10)
    driver.resume(link)
    driver.ok(link, wire.ListTables)


@pytest.mark.proves("D-1")
def test_a_server_that_stops_says_goodbye_and_takes_nobody_in() -> None:
    driver = LobbyDriver()
    links = driver.four_players()
    driver.drop(links[3])
    driver._perform(driver.lobby.shut_down())
    assert [link.closed_with.code for link in links[:3] if link.closed_with is not None] == ["shutdown"] * 3
    refused = driver.try_hello("Late")
    assert isinstance(refused, wire.Refused)
    assert refused.code == "shutdown"


# ---------------------------------------------------------------- what one address may take

SITE = "2001:db8:1:2::"


def test_one_address_cannot_fill_the_names_with_sessions_that_are_away() -> None:
    driver = LobbyDriver(max_connections_per_address=3)
    neighbour = driver.hello("Neighbour", address="192.0.2.1")
    driver.drop(neighbour)
    flood = [driver.hello(f"Flood {number}", address=f"{SITE}{number + 1:x}") for number in range(10)]
    for link in flood:
        driver.drop(link)
    names = {session.name for session in driver.lobby.sessions}
    assert names == {"Neighbour", "Flood 7", "Flood 8", "Flood 9"}


def test_an_address_with_too_many_sessions_that_are_away_costs_nobody_a_seat() -> None:
    driver = LobbyDriver(max_connections_per_address=2)
    seated = driver.hello("Seated", address=SITE)
    number = driver.open_table(seated)
    driver.ok(seated, wire.Join, table=number)
    driver.drop(seated)
    for at in range(9):
        driver.drop(driver.hello(f"Flood {at}", address=SITE))
    assert len(driver.lobby.sessions) == 3
    driver.resume(seated)
    assert [each.session for _, each in driver.lobby.tables[number].seating.players] == [seated.session]


def test_one_address_cannot_open_every_table() -> None:
    driver = LobbyDriver(max_connections_per_address=3)
    links = [driver.hello(f"Opener {number}", address=SITE) for number in range(3)]
    opened = [driver.open_table(link) for link in links]
    code = driver.refused(links[0], wire.OpenTable, name="One more")
    assert code == "too_many_tables"
    driver.open_table(driver.hello("Elsewhere", address="192.0.2.1"))
    driver.advance(driver.settings.deserted_seconds + 1)
    assert not set(opened) & driver.lobby.tables.keys()
    driver.open_table(links[0])
