"""Sets that are over: who may see them, lists of them, their text in pieces, and what outlives a restart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.pack import cut_pack
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.transcript import format_transcript, parse_transcript
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.fairness import commitment
from tarneeb_server.archive import MOST_IN_MEMORY, Archive, ArchiveInMemory
from tarneeb_server.database import FILE_NAME
from tarneeb_server.kept import Record
from tarneeb_server.store import Store


class Evening:
    """A player who plays one set with bots, and somebody else on the server."""

    def __init__(self, **options: object) -> None:
        self.driver = LobbyDriver(bot_delay=0.0, turn_seconds=1)
        self.player = self.driver.hello("نور")
        self.other = self.driver.hello("Sami")
        number = self.driver.open_table(self.player, **options)
        joining = {key: value for key, value in options.items() if key == "password"}
        self.driver.ok(self.player, wire.Join, table=number, seat=Seat.SOUTH, **joining)
        for _ in range(3):
            self.driver.ok(self.player, wire.AddBot)
        while not self.driver.records:
            self.driver.advance(10)

    def listed(self, link: Link, before: int | None = None) -> wire.Sets:
        reply = self.driver.ok(link, wire.ListSets, before=before)
        assert isinstance(reply, wire.Sets)
        return reply

    def text(self, link: Link, record: int = 1) -> str:
        """All pieces of a transcript put together, as a client does."""
        text = ""
        while True:
            piece = self.driver.ok(link, wire.GetSet, record=record, offset=len(text))
            assert isinstance(piece, wire.SetText)
            assert (piece.record, piece.offset) == (record, len(text))
            assert piece.text
            assert len(piece.text) <= wire.MAX_PIECE_CHARS
            text += piece.text
            if len(text) == piece.length:
                return text


@pytest.fixture(scope="module")
def played() -> Record:
    """A set at a table that anybody could watch."""
    return Evening().driver.records[0]


def kept_in(place: str, folder: Path, records: Iterable[Record]) -> Archive:
    """The sets in one of the two archives."""
    if place == "memory":
        archive = ArchiveInMemory()
        for record in records:
            archive.add(record)
        return archive
    store = Store.open(str(folder))
    for record in records:
        store.add(record)
        store.commit()
    return store.archive


def test_a_set_that_is_over_is_listed_and_its_transcript_is_what_was_played() -> None:
    evening = Evening()
    reply = evening.listed(evening.other)
    (summary,) = reply.sets
    record = evening.driver.records[0]
    assert not reply.more
    assert (summary.record, summary.set_number, summary.table) == (1, 1, record.table)
    assert summary.players == record.players
    assert summary.scores == record.scores
    assert int(summary.team) == record.winner
    assert summary.deals == len(record.transcript.deals)
    assert parse_transcript(evening.text(evening.other)) == record.transcript


def test_a_transcript_carries_the_proof_of_every_pack(played: Record) -> None:
    transcript = parse_transcript(format_transcript(played.transcript))
    assert len(transcript.proofs) == len(transcript.deals)
    for deal, proof in zip(transcript.deals, transcript.proofs, strict=True):
        assert proof.commitment == commitment(deal.pack, bytes.fromhex(proof.salt))
        assert deal.cut is not None
        assert proof.commitment != commitment(cut_pack(deal.pack, deal.cut), bytes.fromhex(proof.salt))


@pytest.mark.proves("J-1", "J-2")
@pytest.mark.parametrize("options", [{"password": "open sesame"}, {"spectators": False}])
def test_a_set_behind_a_password_or_without_spectators_is_shown_to_its_players_alone(
    options: dict[str, object],
) -> None:
    evening = Evening(**options)
    assert [each.record for each in evening.listed(evening.player).sets] == [1]
    assert evening.text(evening.player)
    assert evening.listed(evening.other).sets == ()
    hidden = evening.driver.request(evening.other, wire.GetSet, record=1)
    missing = evening.driver.request(evening.other, wire.GetSet, record=2)
    assert isinstance(hidden, wire.Error)
    assert isinstance(missing, wire.Error)
    assert hidden.code == missing.code == ErrorCode.NO_SUCH_RECORD
    assert hidden.message.replace("1", "2", 1) == missing.message
    assert hidden.field == missing.field == "record"


@pytest.mark.proves("J-1")
@pytest.mark.parametrize("place", ["memory", "file"])
def test_either_archive_lists_the_latest_first_page_by_page_and_only_what_a_session_may_see(
    tmp_path: Path, played: Record, place: str
) -> None:
    mine = replace(played, is_open=False, sessions=(7, None, None, None))
    theirs = replace(played, is_open=False, sessions=(8, 9, None, None))
    archive = kept_in(place, tmp_path, [played, mine, theirs, played, mine])
    assert [each.number for each in archive.listed(7, None, 10)] == [5, 4, 2, 1]
    assert [each.number for each in archive.listed(7, 5, 2)] == [4, 2]
    assert [each.number for each in archive.listed(9, None, 10)] == [4, 3, 1]
    assert archive.text_of(7, 3) is None
    assert archive.text_of(9, 3) == format_transcript(played.transcript)
    assert archive.text_of(9, 6) is None


@pytest.mark.proves("J-3")
def test_a_long_transcript_comes_in_pieces_that_each_fit_a_frame_and_are_the_whole(played: Record) -> None:
    evening = Evening()
    whole = format_transcript(replace(played.transcript, players=("😀" * 40, "b", "c", "d")))
    long = whole * (3 * wire.MAX_PIECE_CHARS // len(whole) + 1)

    class LongText(ArchiveInMemory):
        """An archive with a text of several pieces, which no set of ordinary length has."""

        def text_of(self, session: int, number: int) -> str | None:
            return long

    evening.driver.lobby.archive = LongText()
    assert evening.text(evening.player) == long
    past = evening.driver.ok(evening.player, wire.GetSet, record=1, offset=2**53 - 1)
    assert isinstance(past, wire.SetText)
    assert past.text == ""


def test_the_longest_answers_fit_a_frame() -> None:
    widest = "\U0010fffd" * 24
    summary = wire.SetSummary(
        record=wire.MAX_ID,
        finished_at=2**40,
        table=wire.MAX_ID,
        table_name=widest,
        set_number=2**31,
        players=(widest,) * 4,
        deals=2**31,
        team=Team.EAST_WEST,
        scores=(-(2**31), 2**31),
    )
    encode(wire.Sets(id=wire.MAX_ID, sets=(summary,) * wire.MAX_SETS_LISTED, more=True))
    piece = "\U0010fffd" * wire.MAX_PIECE_CHARS
    encode(wire.SetText(id=wire.MAX_ID, record=wire.MAX_ID, offset=wire.MAX_ID, text=piece, length=wire.MAX_ID))


def test_a_list_longer_than_a_page_says_that_there_is_more_and_goes_on_from_there(played: Record) -> None:
    evening = Evening()
    archive = ArchiveInMemory()
    for _ in range(wire.MAX_SETS_LISTED + 3):
        archive.add(played)
    evening.driver.lobby.archive = archive
    first = evening.listed(evening.other)
    assert first.more
    assert len(first.sets) == wire.MAX_SETS_LISTED
    rest = evening.listed(evening.other, before=first.sets[-1].record)
    assert not rest.more
    assert [each.record for each in first.sets + rest.sets] == list(range(wire.MAX_SETS_LISTED + 3, 0, -1))


def test_memory_holds_the_latest_sets_and_forgets_the_others(played: Record) -> None:
    archive = ArchiveInMemory()
    for _ in range(MOST_IN_MEMORY + 2):
        archive.add(played)
        assert archive.text_of(0, 1) is None or archive.listed(0, 2, 1)
    assert len(archive.listed(0, None, 1000)) == MOST_IN_MEMORY
    assert archive.text_of(0, 2) is None
    assert archive.text_of(0, 3) is not None


def test_sets_outlive_a_restart_with_who_sat_where(tmp_path: Path, played: Record) -> None:
    store = Store.open(str(tmp_path))
    store.add(replace(played, is_open=False))
    store.close()
    store = Store.open(str(tmp_path))
    session = played.sessions[0]
    assert session is not None
    assert [each.number for each in store.archive.listed(session, None, 5)] == [1]
    assert store.archive.listed(session + 1, None, 5) == []
    store.close()
    database = sqlite3.connect(tmp_path / FILE_NAME)
    rows = database.execute("SELECT seat, session, level FROM set_seat ORDER BY seat").fetchall()
    database.close()
    assert rows == [(0, session, None), *((seat, None, str(played.levels[seat])) for seat in (1, 2, 3))]


def test_a_damaged_row_is_left_out_of_the_list_and_told_in_the_log(
    tmp_path: Path, played: Record, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store.open(str(tmp_path))
    store.add(played)
    store.commit()
    store.add(played)
    store.close()
    database = sqlite3.connect(tmp_path / FILE_NAME)
    database.execute("UPDATE finished_set SET winner = 7 WHERE number = 1")
    database.commit()
    database.close()
    store = Store.open(str(tmp_path))
    assert [each.number for each in store.archive.listed(0, None, 5)] == [2]
    assert "not_readable" in caplog.text
    store.close()
