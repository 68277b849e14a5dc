"""Requirements of ``docs/protocol.md`` on a server that no test of a part of it proves by the way."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.document import PROTOCOL_DOCUMENT
from support.live_server import live_server
from support.lobby_driver import Link, LobbyDriver
from support.plain_wire import PlainWire
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.refusals import IllegalAction
from tarneeb_engine.ruleset import FourPasses
from tarneeb_engine.variants import PRESETS
from tarneeb_protocol import messages as wire
from tarneeb_protocol.actions import to_engine
from tarneeb_protocol.framing import MAX_CLIENT_FRAME, MAX_SERVER_FRAME

SERVER_PASSWORD = "open sesame"
DOCUMENT = PROTOCOL_DOCUMENT.read_text(encoding="utf-8")

# ---------------------------------------------------------------- asking before hello


@pytest.mark.proves("I-1", "I-2", "I-5")
async def test_a_client_may_ask_what_a_server_is_and_then_say_hello_on_the_same_connection() -> None:
    async with (
        live_server(name="Majlis", password=SERVER_PASSWORD, max_tables=2, turn_seconds=9) as server,
        await PlainWire.connect("127.0.0.1", server.port) as client,
    ):
        await client.send(type="describe")
        about = await client.until("about")
        assert about["needs_password"] is True
        assert (about["protocol_min"], about["protocol_max"]) == (1, 1)
        assert (about["server"], about["server_name"], about["turn_seconds"]) == ("live", "Majlis", 9)
        assert [preset["name"] for preset in about["presets"]] == list(PRESETS)
        limits = about["limits"]
        assert (limits["client_frame"], limits["server_frame"]) == (MAX_CLIENT_FRAME, MAX_SERVER_FRAME)
        welcome = await client.hello("Layla", password=SERVER_PASSWORD)
        assert welcome["type"] == "welcome"
        assert {name: about[name] for name in ("ping_seconds", "dead_seconds", "grace_seconds")} == {
            name: welcome[name] for name in ("ping_seconds", "dead_seconds", "grace_seconds")
        }
        for _ in range(limits["tables"]):
            assert (await client.request("open_table", name="x"))["type"] == "opened"
        assert (await client.request("open_table", name="x"))["code"] == "too_many_tables"
        for extra, kind in ((0, "done"), (1, "error")):
            assert (await client.request("chat", text="a" * (limits["chat_chars"] + extra)))["type"] == kind


@pytest.mark.proves("I-3")
async def test_what_a_server_says_of_itself_is_the_same_whoever_is_there() -> None:
    async with live_server() as server:
        answers = []
        for number in range(3):
            async with await PlainWire.connect("127.0.0.1", server.port) as client:
                await client.send(type="describe")
                answers.append(await client.until("about"))
                await client.hello(f"Player {number}")
                table = await client.request("open_table", name="A table", password=SERVER_PASSWORD)
                await client.request("join", table=table["table"], password=SERVER_PASSWORD)
        assert answers[0] == answers[1] == answers[2]
        assert not {"Player 0", "A table", SERVER_PASSWORD} & set(str(answers[2]).split("'"))


@pytest.mark.proves("I-4")
async def test_the_ninth_describe_of_a_connection_is_refused() -> None:
    async with live_server() as server, await PlainWire.connect("127.0.0.1", server.port) as client:
        for _ in range(9):
            await client.send(type="describe")
        last = await client.until_closed()
        assert last is not None
        assert (last["type"], last["code"]) == ("refused", "rate_limited")
        assert [message["type"] for message in client.received] == ["about"] * 8 + ["refused"]


@pytest.mark.proves("C-2", "C-6")
async def test_describe_is_answered_before_the_hello_alone() -> None:
    async with live_server() as server, await PlainWire.connect("127.0.0.1", server.port) as client:
        await client.hello("Layla")
        await client.send(type="describe")
        last = await client.until_closed()
        assert last is not None
        assert (last["type"], last["code"]) == ("goodbye", "wrong_state")


# ---------------------------------------------------------------- versions, capabilities, resumes


@pytest.mark.parametrize(("lowest", "highest"), [(1, 1), (1, 9)])
@pytest.mark.proves("V-1")
def test_the_highest_version_that_both_speak_is_taken(lowest: int, highest: int) -> None:
    link = LobbyDriver().hello("Layla", protocol_min=lowest, protocol_max=highest)
    welcome = link.received[0]
    assert isinstance(welcome, wire.Welcome)
    assert welcome.protocol == min(highest, wire.PROTOCOL_VERSION)


@pytest.mark.proves("V-4", "V-5")
def test_capabilities_that_a_server_does_not_know_are_passed_over_and_none_is_in_force_unasked() -> None:
    offered = ("x-example.org/rewind", "something later")
    for capabilities in ((), offered):
        welcome = LobbyDriver().hello("Layla", capabilities=capabilities).received[0]
        assert isinstance(welcome, wire.Welcome)
        assert set(welcome.capabilities) <= set(capabilities)
        assert not set(offered) & set(welcome.capabilities)


@pytest.mark.proves("R-10")
def test_a_resume_needs_neither_the_name_nor_the_password() -> None:
    driver = LobbyDriver(password=SERVER_PASSWORD)
    link = driver.hello("Layla", password=SERVER_PASSWORD)
    driver.drop(link)
    again = driver.try_hello("Rami", resume=link.token, password=SERVER_PASSWORD[:-1])
    assert isinstance(again, Link)
    welcome = again.received[-1]
    assert isinstance(welcome, wire.Welcome)
    assert (welcome.name, welcome.resumed) == ("Layla", True)


@pytest.mark.proves("R-9", "D-2")
def test_a_token_of_a_server_that_kept_nothing_is_refused_after_its_restart() -> None:
    token = LobbyDriver().hello("Layla").token
    answer = LobbyDriver().try_hello("Layla", resume=token)
    assert isinstance(answer, wire.Refused)
    assert answer.code == "bad_token"


@pytest.mark.proves("D-3")
def test_after_every_action_a_server_started_from_the_journal_knows_all_that_was_told(tmp_path: Path) -> None:
    driver = LobbyDriver()
    driver.keep_in(tmp_path)
    assert driver.journal is not None
    links = driver.four_players(turn_seconds=0)
    rng = random.Random(5)
    for _ in range(40):
        driver.play_on(links, rng, 1)
        driver.journal.check(driver.lobby, driver.now)


# ---------------------------------------------------------------- acting


def every_action() -> list[wire.WireAction]:
    """Every action that a seat could think of, and a few beyond."""
    calls = [wire.CallAction(CallKind.PASS), wire.CallAction(CallKind.GAME)]
    calls += [wire.CallAction(CallKind.BID, tricks) for tricks in range(5, 16)]
    return [
        *(wire.CutAction(at) for at in range(-1, 54)),
        *calls,
        *map(wire.TrumpAction, Suit),
        *map(wire.PlayAction, Card),
    ]


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"preset": "classic"},
        {"rules": wire.RuleChoices(lead_tarneeb=True, four_passes=FourPasses.DEALER_STUCK)},
    ],
    ids=["tarneeb", "classic", "options"],
)
@pytest.mark.proves("A-1", "A-2")
def test_a_prompt_lists_exactly_the_actions_that_are_accepted_and_goes_to_the_seat_to_act_alone(
    rules: dict[str, object],
) -> None:
    driver = LobbyDriver(seed_for_tests=3)
    links = driver.four_players(turn_seconds=0, **rules)
    table = driver.table_of(links[0])
    rng = random.Random(3)
    actions = every_action()
    for _ in range(150):
        assert table.play is not None
        seat = table.play.turn
        assert seat is not None
        prompts = [link.prompt for link in links]
        assert [at for at, prompt in enumerate(prompts) if prompt is not None] == [seat]
        prompt = prompts[seat]
        assert prompt is not None
        accepted = set()
        for action in actions:
            try:
                table.play.state.apply(seat, to_engine(action))
            except IllegalAction:
                continue
            accepted.add(action)
        assert set(prompt.actions) == accepted
        driver.act_as_prompted(links[seat], rng)


@pytest.mark.parametrize(
    ("later", "code"), [(-1, "stale"), (0, None), (1, None), (2, None), (3, "bad_request")]
)
@pytest.mark.proves("A-5", "A-6")
def test_an_action_decided_at_any_event_of_the_turn_is_accepted(later: int, code: str | None) -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    driver.play_on(links, random.Random(1), 3)
    acting = next(link for link in links if link.prompt is not None)
    other = next(link for link in links if link is not acting)
    prompt = acting.prompt
    assert prompt is not None
    driver.ok(other, wire.Chat, text="one")
    driver.ok(other, wire.Chat, text="two")
    reply = driver.request(acting, wire.Act, action=prompt.actions[0], seq=prompt.seq + later)
    assert (reply.code if isinstance(reply, wire.Error) else None) == code
