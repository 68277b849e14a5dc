"""What comes of a number that no event has, of tokens and versions that cannot be, of unknown options."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.lobby_driver import LobbyDriver
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import FROM_CLIENT, BadMessage, decode
from tarneeb_protocol.errors import ErrorCode

OPTIONS = wire.RuleChoices.__struct_fields__


@given(st.integers(1, wire.MAX_ID))
@pytest.mark.proves("R-18")
def test_a_number_beyond_the_last_event_brings_a_snapshot_at_a_resume_and_at_a_sync(beyond: int) -> None:
    driver = LobbyDriver()
    link, *_ = driver.four_players(turn_seconds=0)
    stream = driver.table_of(link).stream
    driver.drop(link)
    seq = min(stream.seq + 1 + beyond, wire.MAX_ID)
    before = len(link.of_type(wire.Snapshot))
    driver.resume(link, seq)
    assert len(link.of_type(wire.Snapshot)) == before + 1
    snapshot = link.of_type(wire.Snapshot)[-1]
    assert isinstance(snapshot, wire.Snapshot)
    assert snapshot.seq <= stream.seq < seq
    driver.ok(link, wire.Sync, seq=seq)
    assert len(link.of_type(wire.Snapshot)) == before + 2
    assert link.view is not None
    assert link.view.seq == stream.seq
    driver.check_views()


@given(st.integers(0, wire.MAX_ID))
@pytest.mark.proves("R-19")
def test_a_number_without_a_token_means_nothing(seq: int) -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali", seq=seq)
    assert driver.lobby.sessions.get(link.session) is not None
    assert [type(message) for message in link.received[1:]] == []


@pytest.mark.parametrize("token", ["", " ", "x" * 43, "x" * 128])
@pytest.mark.proves("R-9")
def test_a_token_that_cannot_be_one_is_refused_as_any_that_no_session_has(token: str) -> None:
    driver = LobbyDriver()
    driver.hello("Ali")
    answer = driver.try_hello("Ali", resume=token)
    assert isinstance(answer, wire.Refused)
    assert answer.code == "bad_token"


@given(st.integers(1, 9), st.integers(1, 9))
@pytest.mark.proves("V-2")
def test_a_range_without_our_version_in_it_is_unsupported_also_one_that_runs_backwards(
    lowest: int, highest: int
) -> None:
    answer = LobbyDriver().try_hello("Ali", protocol_min=lowest, protocol_max=highest)
    if lowest <= wire.PROTOCOL_VERSION <= highest:
        assert not isinstance(answer, wire.Refused)
    else:
        assert isinstance(answer, wire.Refused)
        assert answer.code == "unsupported_version"


@pytest.mark.parametrize("kind", ["open_table", "open_tournament"])
@given(
    key=st.text(st.characters(codec="utf-8"), max_size=80), value=st.none() | st.booleans() | st.integers(0, 9)
)
@pytest.mark.proves("M-6", "E-2")
def test_an_option_that_there_is_not_is_refused_by_its_name(kind: str, key: str, value: object) -> None:
    if key in OPTIONS:
        return
    fields = {"type": kind, "id": 7, "name": "T", "rules": {"target": 41, key: value}}
    answer = decode(msgpack.packb(fields), FROM_CLIENT)
    assert isinstance(answer, BadMessage)
    assert (answer.code, answer.id) == (ErrorCode.BAD_REQUEST, 7)
    assert answer.field is not None
    assert answer.field.startswith("rules.")
    assert len(answer.field) <= len("rules.") + 40
    if key.isascii() and key.isprintable():
        assert answer.field == f"rules.{key[:40]}"
    assert not any(ord(character) < 32 for character in answer.field + answer.message)
    assert all(option in answer.message for option in OPTIONS)


@pytest.mark.proves("Q-3", "Q-9")
def test_an_id_that_a_list_was_answered_under_is_answered_anew_and_any_other_by_what_is_kept() -> None:
    driver = LobbyDriver()
    link = driver.hello("Ali")
    listed = driver.send(link, wire.ListTables(id=4))
    assert isinstance(listed, wire.Tables)
    opened = driver.send(link, wire.OpenTable(id=4, name="Majlis"))
    assert isinstance(opened, wire.Opened)
    assert driver.send(link, wire.ListTables(id=4)) == opened
    assert driver.send(link, wire.Chat(id=4, text="not said")) == opened
    assert link.of_type(wire.LobbySaid) == []
    again = driver.send(link, wire.ListTables(id=5))
    assert isinstance(again, wire.Tables)
    assert len(again.tables) == 1
