"""A restart: everything is as it was, every acknowledged request counts, and each fault of the file is met."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from support.journal import sessions, views
from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import Phase
from tarneeb_protocol import messages as wire
from tarneeb_protocol.messages import TableState
from tarneeb_server import store as store_module
from tarneeb_server.database import FILE_NAME, SCHEMA_VERSION, checksum
from tarneeb_server.deal_log import action_of, word_of
from tarneeb_server.effects import TimerKind
from tarneeb_server.kept import KEEPS, KeepDeal, KeepSession, KeepTable
from tarneeb_server.lobby import Lobby
from tarneeb_server.store import Store

OPEN_SESAME = "open sesame"


def kept_driver(folder: Path, **settings: object) -> LobbyDriver:
    driver = LobbyDriver(**settings)
    driver.keep_in(folder)
    return driver


def journal_of(driver: LobbyDriver) -> Store:
    assert driver.journal is not None
    return driver.journal.store


def play_some(driver: LobbyDriver, links: tuple[Link, ...], actions: int, seed: int = 1) -> None:
    assert driver.play_on(links, random.Random(seed), actions) == actions


# ---------------------------------------------------------------- a restart


def test_r18_after_a_restart_in_any_phase_everybody_has_the_same_seat_partner_and_hand(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    players = driver.four_players()
    rng = random.Random(7)
    phases = set()
    for _ in range(120):
        driver.play_on(players, rng, 1)
        before = views(driver.lobby, driver.now)
        hands = [before[1][1 + seat].hand for seat in range(4)]
        deal = before[1][0].public
        phases.add(None if deal is None or deal.deal is None else deal.deal.phase)
        driver.kill_and_restart()
        for seat, link in enumerate(players):
            driver.resume_from_view(link)
            assert link.view is not None
            assert (link.view.seat, link.view.hand) == (seat, hands[seat])
        driver.check_views()
    assert len(phases) >= 4, f"only {phases} were tried"


@pytest.mark.proves("R-11")
def test_who_resumes_after_a_restart_hears_what_happened_since_without_a_gap(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    players = driver.four_players()
    play_some(driver, players, 9)
    seq = driver.table_of(players[0]).stream.seq
    driver.kill_and_restart()
    south, east, _, _ = players
    before = len(south.received)
    driver.resume_from_view(south)
    driver.resume_from_view(east)
    heard = [message for message in south.received[before:] if isinstance(message, wire.TableEvent)]
    assert [event.seq for event in heard] == list(range(seq + 1, seq + 7))
    assert [type(event).__name__ for event in heard] == ["PlayerAway"] * 4 + ["PlayerBack"] * 2


def test_c05_after_a_restart_the_lobby_lists_the_tables_that_there_were_and_no_others(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, deserted_seconds=5)
    people = [driver.hello(f"Person {number}") for number in range(3)]
    for number, link in enumerate(people):
        driver.open_table(link, name=f"Table {number}")
    driver.ok(people[0], wire.Join, table=1)
    driver.ok(people[2], wire.Join, table=3)
    driver.advance(6)
    assert set(driver.lobby.tables) == {1, 3}
    driver.kill_and_restart()
    listed = driver.ok(driver.hello("Newcomer"), wire.ListTables)
    assert isinstance(listed, wire.Tables)
    assert [(table.table, table.name) for table in listed.tables] == [(1, "Table 0"), (3, "Table 2")]
    driver.resume(people[1])
    assert driver.open_table(people[1]) == 4, "a number is never given twice"


def test_a_deserted_table_and_an_absent_player_have_their_whole_time_again_and_not_more(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, deserted_seconds=60, grace_seconds=120)
    opener = driver.hello("Opener")
    driver.open_table(opener)
    player = driver.hello("Player")
    driver.open_table(player)
    driver.ok(player, wire.Join, table=2)
    driver.advance(50)
    driver.kill_and_restart()
    driver.advance(59)
    assert set(driver.lobby.tables) == {1, 2}
    driver.advance(2)
    assert set(driver.lobby.tables) == {2}
    driver.advance(60)
    assert driver.lobby.sessions.get(player.session) is None
    driver.advance(60)
    assert driver.lobby.tables == {}
    assert len(driver.timers) == 0


@pytest.mark.proves("D-2", "R-3")
def test_the_last_token_and_the_one_before_it_resume_as_long_as_they_did_and_no_other_does(
    tmp_path: Path,
) -> None:
    driver = kept_driver(tmp_path)
    link = driver.hello("Nour")
    first = link.token
    driver.resume(link)
    second = link.token
    driver.kill_and_restart()
    assert isinstance(driver.try_hello("x", resume=first), Link), "the welcome may have been lost on the way"
    third = link.token
    driver.ok(link, wire.ListTables)
    driver.kill_and_restart()
    for void in (first, second, "A" * 43):
        assert isinstance(driver.try_hello("x", resume=void), wire.Refused)
    assert isinstance(driver.try_hello("x", resume=third), Link)


@pytest.mark.proves("R-2")
def test_no_token_is_anywhere_in_the_directory(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path)
    links = [driver.hello(f"Person {number}") for number in range(5)]
    tokens = [link.token for link in links]
    for link in links:
        driver.resume(link)
        tokens.append(link.token)
    files = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]
    assert any(files)
    assert not any(token.encode() in content for token in tokens for content in files)


def test_the_file_is_for_the_account_of_the_server_alone(tmp_path: Path) -> None:
    kept_driver(tmp_path).hello("Nour")
    modes = {path.name: path.stat().st_mode & 0o077 for path in tmp_path.glob("tarneeb*")}
    assert len(modes) >= 3
    assert set(modes.values()) == {0}


@pytest.mark.proves("Q-3")
def test_i01_a_request_sent_again_after_a_crash_gets_its_first_answer_and_is_not_done_twice(
    tmp_path: Path,
) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    players = driver.four_players()
    cutter = next(link for link in players if link.prompt)
    request = wire.Act(id=cutter.last_id + 1, action=wire.CutAction(20))
    reply = driver.send(cutter, request)
    assert isinstance(reply, wire.Done)
    chat = wire.Chat(id=cutter.last_id + 2, text="yalla")
    said = driver.send(cutter, chat)
    driver.kill_and_restart()
    driver.resume_from_view(cutter)
    seq = driver.table_of(cutter).stream.seq
    assert driver.send(cutter, request) == reply
    assert driver.send(cutter, chat) == said
    assert driver.table_of(cutter).stream.seq == seq
    assert [line.text for line in driver.table_of(cutter).chat_tail] == ["yalla"]


def test_requests_that_changed_nothing_are_answered_whether_or_not_the_journal_has_their_replies(
    tmp_path: Path,
) -> None:
    driver = kept_driver(tmp_path)
    link = driver.hello("Nour")
    listing, refused, opened = (
        wire.ListTables(id=1),
        wire.Join(id=2, table=9),
        wire.OpenTable(id=3, name="Majlis"),
    )
    replies = [driver.send(link, request) for request in (listing, refused, opened)]
    later = wire.Join(id=4, table=9)
    driver.send(link, later)
    driver.kill_and_restart()
    driver.resume(link)
    again = [driver.send(link, request) for request in (listing, refused, opened, later)]
    assert again[1:3] == replies[1:]
    assert isinstance(again[0], wire.Tables)
    assert isinstance(again[3], wire.Error)
    assert again[3].code == "no_such_table"


def test_the_latest_replies_survive_and_older_ones_do_not_fill_the_disk(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path)
    link = driver.hello("Nour")
    number = driver.open_table(link)
    for _ in range(100):
        driver.ok(link, wire.Join, table=number)
        driver.ok(link, wire.Leave)
        driver.advance(1)
    replies = journal_of(driver).load().replies
    assert len(replies) == 64
    assert sorted(reply.request for reply in replies) == list(range(link.last_id - 63, link.last_id + 1))


def test_a_locked_table_is_locked_after_a_restart(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path)
    link = driver.hello("Nour")
    number = driver.open_table(link, password=OPEN_SESAME)
    driver.kill_and_restart()
    other = driver.hello("Sami")
    assert driver.refused(other, wire.Join, table=number, password=OPEN_SESAME[:4]) == "wrong_password"
    driver.ok(other, wire.Join, table=number, password=OPEN_SESAME)


def test_the_password_of_a_table_is_in_no_file_of_the_journal(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path)
    link = driver.hello("Nour")
    number = driver.open_table(link, password=OPEN_SESAME)
    driver.ok(link, wire.Join, table=number, password=OPEN_SESAME)
    journal_of(driver).commit()
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert any(b"Majlis" in contents for contents in kept)
    assert not any(OPEN_SESAME.encode() in contents for contents in kept)


def test_a_password_that_an_earlier_version_kept_as_it_was_becomes_a_hash_at_the_start(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path)
    link = driver.hello("Nour")
    number = driver.open_table(link, password=OPEN_SESAME)
    journal_of(driver).commit()
    (file,) = tmp_path.rglob("tarneeb.db")
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as database:
        (state,) = database.execute("SELECT state FROM open_table WHERE number = ?", (number,)).fetchone()
        fields = {**json.loads(state), "password": OPEN_SESAME}
        columns = (number, json.dumps(fields))
        database.execute("REPLACE INTO open_table VALUES (?, ?, ?)", (*columns, checksum(columns)))
    driver.kill_and_restart()
    other = driver.hello("Sami")
    assert driver.refused(other, wire.Join, table=number, password=OPEN_SESAME[:4]) == "wrong_password"
    driver.ok(other, wire.Join, table=number, password=OPEN_SESAME)
    driver.ok(driver.hello("Hadi"), wire.Watch, table=number, password=OPEN_SESAME)
    journal_of(driver).close()
    assert not any(
        OPEN_SESAME.encode() in entry.read_bytes() for entry in tmp_path.rglob("*") if entry.is_file()
    )


def test_a_set_that_is_over_stays_over_and_the_next_one_begins_when_all_say_yes(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, bot_delay=0.0, turn_seconds=1)
    player = driver.hello("Nour")
    number = driver.play_a_set(player)
    before = views(driver.lobby, driver.now)
    driver.kill_and_restart()
    driver.resume_from_view(player)
    assert driver.table_of(player).state is TableState.SET_OVER
    assert player.view is not None
    assert player.view.public == before[number][1].public
    driver.ok(player, wire.Act, action=wire.ReadyAction())
    assert player.view.set_number == 2
    assert {deal.set_number for deal in journal_of(driver).load().deals} == {2}
    driver.check_views()


def test_a_finished_set_is_recorded_once_however_often_the_server_is_killed(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, bot_delay=0.0, turn_seconds=1)
    player = driver.hello("Nour")
    driver.ok(player, wire.Join, table=driver.open_table(player), seat=Seat.SOUTH)
    for _ in range(3):
        driver.ok(player, wire.AddBot)
    while not driver.records:
        driver.advance(3)
        driver.kill_and_restart()
        driver.resume(player)
    driver.kill_and_restart()
    journal_of(driver).close()
    database = sqlite3.connect(tmp_path / FILE_NAME)
    rows = database.execute("SELECT south_north, east_west, winner FROM finished_set").fetchall()
    database.close()
    (record,) = driver.records
    assert rows == [(*record.scores, record.winner)]


# ---------------------------------------------------------------- clocks


def cutter_and_another(players: tuple[Link, ...]) -> tuple[Link, Link]:
    """Whose turn it is, and a player who sits beside."""
    cutter = next(link for link in players if link.prompt)
    return cutter, next(link for link in players if link is not cutter)


def test_t08_a_turn_that_a_restart_cut_short_begins_anew_when_the_first_player_is_back(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, turn_seconds=30)
    cutter, other = cutter_and_another(driver.four_players())
    driver.advance(25)
    driver.kill_and_restart()
    assert not driver.is_timer_set(TimerKind.TURN, 1), "nobody is there: nothing is played"
    driver.advance(60)
    driver.resume(other)
    driver.advance(29)
    assert not other.of_type(wire.PackCut), "who is not back yet has the whole turn"
    driver.resume(cutter)
    assert cutter.prompt is not None
    assert cutter.prompt.seconds == 1
    driver.advance(2)
    (cut,) = other.of_type(wire.PackCut)
    assert isinstance(cut, wire.PackCut)
    assert cut.by is wire.Actor.CLOCK


def test_a_player_who_stays_away_after_a_restart_holds_the_table_up_for_one_whole_turn_alone(
    tmp_path: Path,
) -> None:
    driver = kept_driver(tmp_path, turn_seconds=30, grace_seconds=3600)
    players = driver.four_players()
    cutter, _ = cutter_and_another(players)
    driver.kill_and_restart()
    others = [link for link in players if link is not cutter]
    for link in others:
        driver.resume(link)
    driver.advance(29.5)
    assert not others[0].of_type(wire.PackCut)
    driver.advance(1)
    assert len(others[0].of_type(wire.PackCut)) == 1, "the one whole turn is over"
    table = driver.table_of(cutter)
    driver.play_on(others, random.Random(0), 3)
    assert table.play is not None
    assert table.play.turn is table.seating.seat_of(cutter.session)
    seq = table.stream.seq
    driver.advance(0.9)
    assert table.stream.seq == seq
    driver.advance(0.2)
    assert table.stream.seq > seq, "a further turn takes a second"


def test_without_a_clock_a_turn_of_somebody_who_is_not_back_yet_ends_after_ten_seconds(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    _, other = cutter_and_another(driver.four_players())
    driver.kill_and_restart()
    driver.resume(other)
    driver.advance(9.9)
    assert not other.of_type(wire.PackCut)
    driver.advance(0.2)
    assert len(other.of_type(wire.PackCut)) == 1


def test_who_was_away_before_the_restart_gets_no_whole_turns_by_it(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, turn_seconds=30)
    cutter, other = cutter_and_another(driver.four_players())
    driver.drop(cutter)
    driver.kill_and_restart()
    driver.resume(other)
    driver.advance(1.1)
    assert len(other.of_type(wire.PackCut)) == 1


# ---------------------------------------------------------------- what cannot be restored


def test_a_seat_whose_session_is_lost_is_taken_by_a_bot_and_the_others_play_on(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    players = driver.four_players()
    play_some(driver, players, 12)
    kept = journal_of(driver).load()
    kept.sessions = [session for session in kept.sessions if session.id != players[1].session]
    driver.lobby = Lobby(driver.settings, "test-server")
    driver._perform(driver.lobby.restore(kept, driver.now))
    driver._perform(driver.lobby.restarted(driver.now))
    assert driver.lobby.tables[1].seating.names() == ("South", "Bot Badr", "North", "West")
    assert driver.lobby.tables[1].is_playing


@pytest.mark.parametrize("what", ["missing deal", "illegal card", "no pack", "one action too many"])
def test_a_table_whose_deals_do_not_follow_the_rules_is_left_out_and_said(tmp_path: Path, what: str) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    players = driver.four_players()
    other = driver.hello("Other")
    driver.ok(other, wire.Join, table=driver.open_table(other))
    play_some(driver, players, 70)
    kept = journal_of(driver).load()
    assert len(kept.deals) >= 2
    first = kept.deals[0]
    words = first.actions.split()
    changed = {
        "missing deal": [],
        "illegal card": [_with(first, actions=" ".join([*words[:-1], "XX"]))],
        "no pack": [_with(first, pack=first.pack[:-2])],
        "one action too many": [_with(first, actions=f"{first.actions} c3")],
    }[what]
    kept.deals[:1] = changed
    lobby = Lobby(driver.settings, "test-server")
    said = lobby.restore(kept, 0.0)
    assert "table_not_restored" in str(said)
    assert set(lobby.tables) == {2}
    session = lobby.sessions.get(players[0].session)
    assert session is not None
    assert session.table is None, "its players are in the lobby"


def _with(deal: KeepDeal, *, pack: str | None = None, actions: str | None = None) -> KeepDeal:
    return KeepDeal(
        deal.table,
        deal.set_number,
        deal.number,
        deal.pack if pack is None else pack,
        deal.salt,
        deal.actions if actions is None else actions,
        deal.seq,
        deal.turn_seq,
    )


# ---------------------------------------------------------------- the file


def _busy(folder: Path) -> tuple[LobbyDriver, list[dict[int, list[wire.Snapshot]]]]:
    """Two tables with chat, sets and sessions; and the views after each step, latest last."""
    driver = kept_driver(folder, turn_seconds=0, bot_delay=0.0)
    players = driver.four_players()
    history = [views(driver.lobby, 0.0)]
    alone = driver.hello("Alone")
    driver.ok(alone, wire.Join, table=driver.open_table(alone, name="Second", preset="classic"))
    history.append(views(driver.lobby, 0.0))
    rng = random.Random(3)
    for step in range(160):
        driver.play_on(players, rng, 1)
        history.append(views(driver.lobby, 0.0))
        if step % 20 == 0:
            driver.ok(alone, wire.Chat, text=f"line {step}")
            driver.advance(3)
            history.append(views(driver.lobby, 0.0))
    return driver, history


def _restored(folder: Path, driver: LobbyDriver) -> Lobby:
    store = Store.open(str(folder))
    lobby = Lobby(driver.settings, "test-server")
    for effect in lobby.restore(store.load(), 0.0):
        if isinstance(effect, KEEPS):
            store.add(effect)
    store.commit()
    assert store.fault() is None
    store.close()
    return lobby


@pytest.fixture(scope="module")
def busy(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, LobbyDriver, list[dict[int, list[wire.Snapshot]]]]:
    """A directory as ``kill -9`` leaves it: the log not yet written back into the file."""
    live = tmp_path_factory.mktemp("live")
    driver, history = _busy(live)
    killed = tmp_path_factory.mktemp("killed")
    for name in (FILE_NAME, f"{FILE_NAME}-wal"):
        shutil.copyfile(live / name, killed / name)
    journal_of(driver).close()
    (killed / "closed").mkdir()
    shutil.copyfile(live / FILE_NAME, killed / "closed" / FILE_NAME)
    return killed, driver, history


def test_a_log_cut_off_anywhere_gives_a_state_that_there_was(
    tmp_path: Path, busy: tuple[Path, LobbyDriver, list[dict[int, list[wire.Snapshot]]]]
) -> None:
    killed, driver, history = busy
    log = (killed / f"{FILE_NAME}-wal").read_bytes()
    rng = random.Random(5)
    frame = 4096 + 24
    cuts = [*range(32, len(log), frame * 9), *(rng.randrange(len(log)) for _ in range(25)), len(log)]
    found = set()
    for cut in cuts:
        folder = tmp_path / str(cut)
        folder.mkdir()
        shutil.copyfile(killed / FILE_NAME, folder / FILE_NAME)
        (folder / f"{FILE_NAME}-wal").write_bytes(log[:cut])
        restored = views(_restored(folder, driver), 0.0)
        if restored not in history:
            assert set(restored) <= {1, 2}
            assert _is_beginning(restored)
        else:
            found.add(history.index(restored))
        shutil.rmtree(folder)
    assert len(found) > 10
    assert max(found) == len(history) - 1, "the whole log gives the latest state"


def _is_beginning(restored: dict[int, list[wire.Snapshot]]) -> bool:
    """Not all had sat down at both tables, and no card was out at the first: the history does not tell it."""
    begun = [snapshots[0] for snapshots in restored.values() if snapshots[0].set_number]
    return len(begun) < 2 and all(
        first.public is not None and first.public.deal is not None and first.public.deal.phase is Phase.CUT
        for first in begun
    )


def _check_what_is_left(
    lobby: Lobby, driver: LobbyDriver, latest: dict[int, list[wire.Snapshot]]
) -> tuple[int, int]:
    """Whatever was restored is right; how many tables and sessions were."""
    for number, table in lobby.tables.items():
        before = driver.lobby.tables[number]
        assert table.stream.seq == before.stream.seq
        assert table.play is None or before.play is not None
        if table.play is not None and before.play is not None:
            assert table.play.state == before.play.state
        assert views(lobby, 0.0)[number][0].chat == latest[number][0].chat
    everybody = sessions(driver.lobby)
    for number, (name, token, previous, _) in sessions(lobby).items():
        assert everybody[number][:3] == (name, token, previous)
    return len(lobby.tables), len(lobby.sessions)


def test_a_file_cut_off_at_any_page_is_set_aside_and_what_is_readable_is_kept(
    tmp_path: Path, busy: tuple[Path, LobbyDriver, list[dict[int, list[wire.Snapshot]]]]
) -> None:
    killed, driver, history = busy
    whole = (killed / "closed" / FILE_NAME).read_bytes()
    saved = []
    for cut in [
        *range(4096, len(whole), 4096),
        *(random.Random(6).randrange(100, len(whole)) for _ in range(10)),
    ]:
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(whole[:cut])
        saved.append(_check_what_is_left(_restored(folder, driver), driver, history[-1]))
        (aside,) = [path for path in folder.glob("*.damaged-*") if not path.name.endswith(("-wal", "-shm"))]
        assert aside.stat().st_size == cut, "never overwritten"
        shutil.rmtree(folder)
    assert max(sessions for _, sessions in saved) == 5, "some cuts leave the sessions whole"


def test_a_page_of_rubbish_anywhere_costs_what_was_on_it_and_nothing_else_is_wrong(
    tmp_path: Path, busy: tuple[Path, LobbyDriver, list[dict[int, list[wire.Snapshot]]]]
) -> None:
    killed, driver, history = busy
    whole = (killed / "closed" / FILE_NAME).read_bytes()
    rng = random.Random(8)
    tables = people = 0
    for page in range(len(whole) // 4096):
        for size in (1, 40, 4096):
            folder = tmp_path / f"{page}-{size}"
            folder.mkdir()
            at = page * 4096 + (0 if size == 4096 else rng.randrange(4096 - size))
            (folder / FILE_NAME).write_bytes(whole[:at] + rng.randbytes(size) + whole[at + size :])
            left = _check_what_is_left(_restored(folder, driver), driver, history[-1])
            tables += left[0]
            people += left[1]
            shutil.rmtree(folder)
    tried = 3 * (len(whole) // 4096)
    assert tables > tried, "at least one of the two tables, most of the time"
    assert people > 3 * tried


def test_c08_an_empty_file_beside_a_log_is_not_taken_for_a_new_one(
    tmp_path: Path, busy: tuple[Path, LobbyDriver, list[dict[int, list[wire.Snapshot]]]]
) -> None:
    killed, driver, _ = busy
    log = (killed / f"{FILE_NAME}-wal").read_bytes()
    (tmp_path / FILE_NAME).write_bytes(b"")
    (tmp_path / f"{FILE_NAME}-wal").write_bytes(log)
    _restored(tmp_path, driver)
    (kept,) = tmp_path.glob("*.damaged-*-wal")
    assert kept.read_bytes() == log


@pytest.mark.proves("D-3")
def test_c11_whatever_was_acknowledged_is_in_the_files_at_that_moment(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path / "live", turn_seconds=0)
    players = driver.four_players()
    rng = random.Random(4)
    for step in range(40):
        driver.play_on(players, rng, 1)
        if step % 4:
            continue
        copy = tmp_path / f"copy {step}"
        copy.mkdir()
        for path in (tmp_path / "live").glob(f"{FILE_NAME}*"):
            if not path.name.endswith("-shm"):
                shutil.copyfile(path, copy / path.name)
        assert views(_restored(copy, driver), 0.0) == views(driver.lobby, 0.0)


@pytest.mark.parametrize(("durability", "synchronous"), [("process", 1), ("power", 2)])
def test_durability_says_whether_each_commit_is_synced(
    tmp_path: Path, durability: str, synchronous: int
) -> None:
    store = Store.open(str(tmp_path), durability)
    assert store._database.execute("PRAGMA synchronous").fetchone() == (synchronous,)
    assert store._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


VERSION_1 = """
CREATE TABLE server (id TEXT NOT NULL);
CREATE TABLE finished_set (
  number INTEGER PRIMARY KEY,
  finished_at INTEGER NOT NULL,
  table_name TEXT NOT NULL,
  south TEXT NOT NULL, east TEXT NOT NULL, north TEXT NOT NULL, west TEXT NOT NULL,
  south_north INTEGER NOT NULL, east_west INTEGER NOT NULL,
  winner INTEGER NOT NULL,
  transcript TEXT NOT NULL
);
INSERT INTO server VALUES ('0123456789abcdef');
INSERT INTO finished_set VALUES (1, 1700000000, 'Majlis', 'a', 'b', 'c', 'd', 31, 4, 0, 'tarneeb-set/1');
PRAGMA user_version=1;
"""


def test_a_file_of_version_1_is_brought_to_this_one_with_all_that_it_had(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / FILE_NAME)
    database.executescript(VERSION_1)
    database.close()
    driver = kept_driver(tmp_path)
    assert journal_of(driver).server_id == "0123456789abcdef"
    driver.open_table(driver.hello("Nour"))
    driver.kill_and_restart()
    assert set(driver.lobby.tables) == {1}
    journal_of(driver).close()
    database = sqlite3.connect(tmp_path / FILE_NAME)
    assert database.execute("SELECT table_name, south_north FROM finished_set").fetchall() == [("Majlis", 31)]
    assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    database.close()
    assert list(tmp_path.glob("*.damaged-*")) == []


def test_a_disk_that_is_nearly_full_refuses_new_tables_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    players = driver.four_players()
    assert journal_of(driver).fault() is None
    monkeypatch.setattr(store_module, "SPARE_BYTES", 1 << 62)
    driver.lobby.storage_fault = journal_of(driver).fault()
    newcomer = driver.hello("Newcomer")
    reply = driver.request(newcomer, wire.OpenTable, name="Another")
    assert isinstance(reply, wire.Error)
    assert reply.code == "storage_failed"
    assert "nearly full" in reply.message
    play_some(driver, players, 20)
    driver.ok(newcomer, wire.Watch, table=1)
    driver.lobby.storage_fault = None
    driver.open_table(newcomer)


def test_entries_wait_while_the_file_takes_none_and_all_are_there_when_it_does_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_module, "RETRY_SECONDS", 0.0)
    driver = kept_driver(tmp_path, turn_seconds=0)
    players = driver.four_players()
    store = journal_of(driver)
    (pages,) = store._database.execute("PRAGMA page_count").fetchone()
    store._database.execute(f"PRAGMA max_page_count={pages}")
    newcomers = 0
    while store.fault() is None:
        newcomers += 1
        driver.hello(f"Newcomer {newcomers} {'x' * 10}")
    assert "full" in str(store.fault())
    play_some(driver, players, 100)
    assert len(store._pending) < 100 + newcomers, "an entry replaces the one before it"
    store._database.execute("PRAGMA max_page_count=1000000")
    store.commit()
    assert store.fault() is None
    assert caplog.text.count("journal_failed") == 1
    assert caplog.text.count("journal_works_again") == 1
    assert driver.journal is not None
    driver.journal.check(driver.lobby, driver.now)


def test_every_action_of_a_deal_can_be_written_as_a_word_and_read_again() -> None:
    driver = LobbyDriver(turn_seconds=0)
    players = driver.four_players(rules=wire.RuleChoices(partner_hints=True))
    rng = random.Random(2)
    for _ in range(200):
        table = driver.table_of(players[0])
        assert table.play is not None
        turn = table.play.turn
        if turn is None:
            break
        for action in table.play.state.legal_actions(turn):
            assert action_of(word_of(action)) == action
        driver.play_on(players, rng, 1)
    for word in ("p", "g", "7", "13", "p+", "g-", "9+", "tS", "c51", "AS"):
        assert word_of(action_of(word)) == word


@pytest.mark.parametrize("word", ["", "c", "cx", "t", "tX", "x", "7x", "1S", "ASS", "+", "p*", "٧"])
def test_a_word_that_is_no_action_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        action_of(word)


def test_reprs_of_what_is_kept_show_no_secret(tmp_path: Path) -> None:
    driver = kept_driver(tmp_path, turn_seconds=0)
    driver.four_players()
    kept = journal_of(driver).load()
    shown = "".join(repr(entry) for entry in (*kept.deals, *kept.sessions))
    for deal in kept.deals:
        assert deal.pack not in shown
        assert repr(deal.salt) not in shown
    for session in kept.sessions:
        assert isinstance(session, KeepSession)
        assert repr(session.token_hash) not in shown
    assert all(isinstance(table, KeepTable) for table in kept.tables)
