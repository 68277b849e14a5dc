"""Finished sets in a data directory: who played what, statistics and ratings, the host's commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from support.lobby_driver import Link, LobbyDriver
from support.self_play import play_set
from tarneeb_engine.attribution import Actor, ActorKind
from tarneeb_engine.notation import actions_of
from tarneeb_engine.seats import Seat
from tarneeb_engine.transcript import parse_transcript
from tarneeb_engine.variants import PRESETS
from tarneeb_protocol import messages as wire
from tarneeb_protocol.fairness import is_fair
from tarneeb_server.__main__ import main
from tarneeb_server.book import Book, folded
from tarneeb_server.database import CannotStoreError, open_database
from tarneeb_server.kept import Record
from tarneeb_server.records import opened, recorded_sets
from tarneeb_server.set_facts import Person, PersonKind, SetFacts, decode_facts, encode_facts, facts_of

PLAYER, BOT, STAND_IN = ActorKind.PLAYER, ActorKind.BOT, ActorKind.STAND_IN


def kept_evening(folder: Path, sets: int = 1) -> LobbyDriver:
    """A player and three bots, who play sets; from the second deal on the player says nothing."""
    driver = LobbyDriver(turn_seconds=1, bot_delay=0.0)
    driver.keep_in(folder)
    player = driver.hello("نور")
    table = driver.open_table(player)
    driver.ok(player, wire.Join, table=table, seat=Seat.SOUTH)
    for _ in range(3):
        driver.ok(player, wire.AddBot)
    for done in range(sets):
        if done:
            driver.ok(player, wire.Act, action=wire.ReadyAction())
        play_own_turns(driver, player)
        while len(driver.records) == done:
            driver.advance(10)
    return driver


def play_own_turns(driver: LobbyDriver, player: Link) -> None:
    """Act in time until the second deal begins."""
    while len(driver.lobby.tables) == 1:
        (table,) = driver.lobby.tables.values()
        if table.play is None or table.play.deal_count:
            return
        if player.prompt is not None:
            driver.ok(player, wire.Act, action=player.prompt.actions[0], seq=player.prompt.seq)
        else:
            driver.advance(0.01)


def close(driver: LobbyDriver) -> None:
    assert driver.journal is not None
    driver.journal.store.close()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Record]]:
    """A data directory with two sets."""
    folder = tmp_path_factory.mktemp("evening")
    driver = kept_evening(folder, sets=2)
    close(driver)
    return folder, driver.records


def test_a_record_tells_who_played_every_card_and_a_stand_in_apart_from_its_player(
    evening: tuple[Path, list[Record]],
) -> None:
    folder, _ = evening
    with opened(str(folder)) as database:
        first, second = recorded_sets(database)
    transcript = parse_transcript(first.transcript, is_fair)
    assert transcript.is_sealed
    assert set(transcript.actors) == {
        Actor(PLAYER, "نور"),
        Actor(STAND_IN, "نور", "steady"),
        Actor(BOT, level="steady"),
    }
    kinds = [
        {transcript.actors[actor - 1].kind for actor, _ in deeds[Seat.SOUTH]} for deeds in transcript.deeds
    ]
    assert kinds[0] == {PLAYER}
    assert kinds[-1] == {STAND_IN}
    for deal, deeds in zip(transcript.deals, transcript.deeds, strict=True):
        assert sum(count for runs in deeds for _, count in runs) == len(list(actions_of(deal)))
    assert first.began_at is not None
    assert first.began_at <= first.finished_at
    assert (first.number, second.number, second.set_number) == (1, 2, 2)
    assert first.facts is not None
    assert first.facts.people == (Person(PersonKind.PLAYER, "نور"), Person(PersonKind.BOT, "steady"))
    assert first.facts.who == (0, 1, 1, 1)


def test_who_acted_is_still_known_after_the_server_was_killed_in_the_middle_of_the_set(tmp_path: Path) -> None:
    driver = LobbyDriver(turn_seconds=1, bot_delay=0.0)
    driver.keep_in(tmp_path)
    links = [driver.hello(name) for name in ("Amal", "Badr", "Dana", "Fares")]
    number = driver.open_table(links[0])
    for seat, link in zip(Seat, links, strict=True):
        driver.ok(link, wire.Join, table=number, seat=seat)
    for _ in range(9):
        link = next(each for each in links if each.prompt is not None)
        assert link.prompt is not None
        driver.ok(link, wire.Act, action=link.prompt.actions[0], seq=link.prompt.seq)
    before = driver.lobby.tables[number].play
    assert before is not None
    driver.kill_and_restart()
    after = driver.lobby.tables[number].play
    assert after is not None
    assert after.actors == before.actors
    assert len(after.actors) == 4
    assert after.kept(number, 1, 0, 0) == before.kept(number, 1, 0, 0)
    assert all("/" in word for word in after.kept(number, 1, 0, 0).actions.split())
    close(driver)


def facts(seed: int, names: tuple[str, str, str, str]) -> SetFacts:
    played = play_set(PRESETS["tarneeb"], seed, ("steady",) * 4, names)
    return facts_of(played, played.final_state().history, None)


SETS = [
    (1, facts(1, ("Amal", "Badr", "Dana", "Fares"))),
    (2, facts(2, ("Amal", "Badr", "DANA", "Bot Fares"))),
    (3, facts(3, ("Badr", "Αmal", "Dana", "Fares"))),  # Greek capital Alpha: the same to a reader
]


def test_a_book_kept_up_set_by_set_is_the_book_of_all_sets_at_once() -> None:
    grown = Book()
    for number, each in SETS:
        grown.add(number, decode_facts(encode_facts(each)))
    whole = folded(SETS)
    assert grown.tallies == whole.tallies
    assert grown.teams == whole.teams
    assert [tally.person.name for tally in whole.tallies] == ["Αmal", "Badr", "Dana", "Fares", "unknown"]


def test_statistics_are_those_that_an_independent_count_of_the_transcripts_gives() -> None:
    book = folded(SETS)
    played = [
        play_set(PRESETS["tarneeb"], number, ("steady",) * 4, names)
        for number, names in (
            (1, ("A", "B", "D", "F")),
            (2, ("A", "B", "D", "-")),
            (3, ("B", "A", "D", "F")),
        )
    ]
    seats = [("A", "B", "D", "F"), ("A", "B", "D", "-"), ("B", "A", "D", "F")]
    counted = {"A": [0] * 6, "B": [0] * 6, "D": [0] * 6, "F": [0] * 6, "-": [0] * 6}
    for transcript, sitting in zip(played, seats, strict=True):
        final = transcript.final_state()
        assert final.winner is not None
        for seat, name in enumerate(sitting):
            counted[name][0] += 1
            counted[name][1] += seat % 2 == final.winner
            for score in final.history:
                counted[name][2] += seat == score.declarer
                counted[name][3] += seat == score.declarer and score.made
                counted[name][4] += seat % 2 != score.declarer % 2
                counted[name][5] += seat % 2 != score.declarer % 2 and not score.made
    for tally, name in zip(book.tallies, "ABDF-", strict=True):
        found = [tally.sets, tally.sets_won, tally.declared, tally.made, tally.defended, tally.defeated]
        assert found == counted[name], name
        assert tally.declared + tally.supported + tally.defended <= tally.deals
    amal, badr = book.find("amal"), book.find("Badr")
    assert amal is not None
    assert badr is not None
    met, back = book.meeting(amal, badr), book.meeting(badr, amal)
    assert met.against == back.against == 3
    assert met.against_won + back.against_won == 3
    dana = book.find("dana")
    assert dana is not None
    together = book.meeting(amal, dana)
    assert (together.together, together.against) == (2, 1)


def test_winners_rise_and_losers_fall() -> None:
    book = folded(SETS[:1])
    for seat, place in enumerate(SETS[0][1].who):
        tally = book.tallies[place]
        has_won = seat % 2 == SETS[0][1].winner
        assert (tally.skill.mu > 25) is has_won
        assert tally.skill.sigma < 25 / 3


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields.update(who=[0, 1, 2, 9]),
        lambda fields: fields.update(winner=2),
        lambda fields: fields["deals"][0].update(declarer=4),
        lambda fields: fields.update(people=[]),
        lambda fields: fields.pop("scores"),
    ],
)
def test_damaged_facts_are_refused(change: Callable[[dict[str, object]], None]) -> None:
    fields = msgspec.json.decode(encode_facts(SETS[0][1]))
    change(fields)
    with pytest.raises(ValueError, match=r"names|required"):
        decode_facts(msgspec.json.encode(fields))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    status = main(arguments)
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


def test_the_host_lists_sets_players_and_standings_and_exports_what_anybody_can_verify(
    evening: tuple[Path, list[Record]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, records = evening
    where = ("--data-dir", str(folder))
    status, lines, _ = run(capsys, "sets", *where)
    assert status == 0
    assert [line.split(".")[0] for line in lines] == ["1", "2"]
    assert "نور and" in lines[0]
    _, lines, _ = run(capsys, "sets", *where, "--json", "--player", "نور")
    first = json.loads(lines[0])
    assert first["scores"] == list(records[0].scores)
    assert first["rules"] == "tarneeb"
    assert run(capsys, "sets", *where, "--player", "Sami") == (0, [], "")
    assert run(capsys, "sets", *where, "--since", "2999-01-01")[1] == []
    assert run(capsys, "sets", *where, "--table", "7")[1] == []
    assert len(run(capsys, "sets", *where, "--table", "majlis")[1]) == 2
    _, lines, _ = run(capsys, "standings", *where, "--json")
    rows = [json.loads(line) for line in lines]
    assert {row["name"] for row in rows} == {"نور", "Bots (steady)"}
    assert [row["rank"] for row in rows] == [1, 2]
    assert rows[0]["rating"] >= rows[1]["rating"]
    _, lines, _ = run(capsys, "standings", *where, "--teams")
    assert len(lines) == 3
    _, lines, _ = run(capsys, "players", *where)
    assert len(lines) == 3
    _, lines, _ = run(capsys, "players", "نور", *where)
    assert "as opponents" in lines[-1]
    assert run(capsys, "players", "Nobody", *where)[::2] == (
        1,
        "tarneeb-server: nobody of the name 'Nobody' has played in these sets\n",
    )
    status, lines, _ = run(capsys, "export", "2", *where)
    transcript = parse_transcript("\n".join(lines) + "\n", is_fair)
    assert transcript == records[1].transcript
    _, lines, _ = run(capsys, "export", *where)
    assert [json.loads(line)["number"] for line in lines] == [1, 2]
    status, _, said = run(capsys, "export", "3", *where)
    assert (status, said) == (
        1,
        "tarneeb-server: there is no set 3 among these; tarneeb-server sets lists them\n",
    )


def test_records_are_read_while_a_server_holds_the_directory(tmp_path: Path) -> None:
    driver = kept_evening(tmp_path)
    with opened(str(tmp_path)) as database:
        assert [each.number for each in recorded_sets(database)] == [1]
    close(driver)


def test_a_directory_without_a_database_or_of_another_version_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, said = run(capsys, "sets", "--data-dir", str(tmp_path))
    assert status == 1
    assert "there is no tarneeb.db" in said
    with closing(open_database(tmp_path, "process")) as database:
        database.execute("PRAGMA user_version=4")
    with pytest.raises(CannotStoreError, match="start the server on it once"), opened(str(tmp_path)):
        pass
    (tmp_path / "tarneeb.db").write_bytes(b"not a database" * 100)
    with pytest.raises(CannotStoreError, match="cannot be read"), opened(str(tmp_path)):
        pass


@pytest.mark.parametrize(
    "arguments",
    [("sets", "--since", "yesterday"), ("export", "two"), ("players", "--unknown"), ("export", "0")],
)
def test_what_is_not_understood_ends_with_2(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_sets_of_earlier_versions_count_by_who_had_the_seats(tmp_path: Path) -> None:
    import sqlite3  # noqa: PLC0415

    schemas = Path(__file__).with_name("schemas")
    with closing(sqlite3.connect(tmp_path / "tarneeb.db")) as database:
        database.executescript((schemas / "version_3.sql").read_text(encoding="utf-8"))
    open_database(tmp_path, "process").close()
    with opened(str(tmp_path)) as database:
        (found,) = recorded_sets(database)
    assert found.began_at is None
    assert found.facts is not None
    assert [person.name for person in found.facts.people] == list(found.players)
    assert found.facts.scores == found.scores
