"""Requirements of ``docs/protocol.md`` on a server that no test of a part of it proves by the way."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from support.document import PROTOCOL_DOCUMENT, tables
from support.live_server import live_server
from support.lobby_driver import Link, LobbyDriver
from support.plain_wire import PlainWire
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.refusals import IllegalAction
from tarneeb_engine.ruleset import PRESETS, FourPasses
from tarneeb_engine.seats import Seat
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


# ---------------------------------------------------------------- the tables of states


def state_table(first_column: str, row: str) -> dict[str, str]:
    """A row of a table of states, by the title of the column."""
    (found,) = [
        (table, cells)
        for table in tables(DOCUMENT)
        if first_column in [title.strip("`") for title in table.columns[1:2]]
        for cells in table.rows
        if cells[0] == row
    ]
    table, cells = found
    return dict(zip([title.strip("`") for title in table.columns[1:]], cells[1:], strict=True))


class At:
    """A session in one of its states, with a friend in seat 3 of its table and another table beside."""

    def __init__(self, state: str) -> None:
        self.driver = LobbyDriver(grace_seconds=30)
        self.friend = self.driver.hello("Friend")
        self.own = self.driver.open_table(self.friend)
        self.other = self.driver.open_table(self.friend)
        self.driver.ok(self.friend, wire.Join, table=self.own, seat=Seat.WEST)
        self.driver.ok(self.friend, wire.AddBot, seat=Seat.NORTH)
        self.link = self.driver.hello("Tested")
        if state == "player":
            self.driver.ok(self.link, wire.Join, table=self.own, seat=Seat.SOUTH)
        elif state == "spectator":
            self.driver.ok(self.link, wire.Watch, table=self.own)

    @property
    def state(self) -> str:
        session = self.driver.lobby.sessions.get(self.link.session)
        if session is None:
            return "ends"
        if not session.is_connected:
            return "away"
        if session.table is None:
            return "lobby"
        seat = self.driver.table_of(self.link).seating.seat_of(session.id)
        return "spectator" if seat is None else "player"


REQUESTS: dict[str, Callable[[At], tuple[type[wire.Request], dict[str, object]]]] = {
    "`list_tables`": lambda at: (wire.ListTables, {}),
    "`open_table`": lambda at: (wire.OpenTable, {"name": "New"}),
    "`join` of the own table": lambda at: (wire.Join, {"table": at.own}),
    "`join` of another table": lambda at: (wire.Join, {"table": at.other}),
    "`watch`": lambda at: (wire.Watch, {"table": at.own}),
    "`leave`": lambda at: (wire.Leave, {}),
    "`chat`": lambda at: (wire.Chat, {"text": "hello"}),
    "`add_bot`": lambda at: (wire.AddBot, {}),
    "`remove_bot`": lambda at: (wire.RemoveBot, {"seat": Seat.NORTH}),
    "`act`": lambda at: (wire.Act, {"action": wire.ReadyAction()}),
    "`sync`": lambda at: (wire.Sync, {}),
}


def _outstay_the_grace(at: At) -> None:
    at.driver.drop(at.link)
    at.driver.advance(31)


HAPPENINGS: dict[str, Callable[[At], object]] = {
    "connection lost": lambda at: at.driver.drop(at.link),
    "grace over": _outstay_the_grace,
    "`goodbye`": lambda at: at.driver.goodbye(at.link),
}


@pytest.mark.parametrize("state", ["lobby", "player", "spectator"])
@pytest.mark.parametrize("row", REQUESTS)
@pytest.mark.proves("T-1", "G-1")
def test_a_request_does_in_each_state_of_a_session_what_the_table_says(row: str, state: str) -> None:
    cell = state_table("lobby", row)[state]
    at = At(state)
    if not cell:
        assert (row, state) == ("`join` of the own table", "lobby")
        return
    answer, _, after = cell.partition(" → ")
    kind, fields = REQUESTS[row](at)
    reply = at.driver.request(at.link, kind, **fields)
    said = reply.code if isinstance(reply, wire.Error) else str(reply.__struct_config__.tag)
    assert f"`{said}`" == answer
    assert at.state == (after or state)


@pytest.mark.parametrize("state", ["lobby", "player", "spectator"])
@pytest.mark.parametrize("row", HAPPENINGS)
@pytest.mark.proves("T-1", "R-15", "R-16", "R-17")
def test_what_happens_to_a_session_does_in_each_state_what_the_table_says(row: str, state: str) -> None:
    after, _, told = state_table("lobby", row)[state].partition(", ")
    at = At(state)
    heard = len(at.friend.received)
    HAPPENINGS[row](at)
    assert at.state == after
    news = [f"`{message.__struct_config__.tag}`" for message in at.friend.received[heard:]]
    if row == "grace over":  # before which the connection was lost
        news = [name for name in news if name != "`player_away`"]
    assert news == ([told] if told else [])


@pytest.mark.parametrize("state", ["lobby", "player", "spectator"])
@pytest.mark.proves("T-1", "R-15")
def test_a_session_that_is_resumed_is_in_the_state_that_it_was_in(state: str) -> None:
    at = At(state)
    at.driver.drop(at.link)
    heard = len(at.friend.received)
    at.driver.resume(at.link)
    assert at.state == state
    news = [f"`{message.__struct_config__.tag}`" for message in at.friend.received[heard:]]
    assert state_table("lobby", "resumed")[state] == ", ".join(["`welcome`", *news])


class TableAt:
    """A table in one of its states: a player in seat 0, others as the state needs them."""

    def __init__(self, state: str) -> None:
        self.driver = LobbyDriver(bot_delay=0.0, grace_seconds=30)
        self.links = [self.driver.hello(name) for name in ("Layla", "Rami", "Huda", "Sami", "Nour")]
        self.number = self.driver.open_table(self.links[0], turn_seconds=1)
        self.join(0)
        if state != "waiting":
            for seat in (1, 2, 3):
                self.join(seat)
        if state == "set_over":
            self.finish_set()
        assert self.state == state

    def join(self, seat: int, link: int | None = None) -> None:
        who = self.links[seat if link is None else link]
        self.driver.ok(who, wire.Join, table=self.number, seat=Seat(seat))

    def finish_set(self) -> None:
        while self.state == "playing":
            self.driver.advance(1)

    def leave(self, seat: int) -> None:
        self.driver.ok(self.links[seat], wire.Leave)

    def bot(self, seat: int) -> None:
        self.driver.ok(self.links[0], wire.AddBot, seat=Seat(seat))

    def request(self, link: int, kind: type[wire.Request], **fields: object) -> str:
        """The code of a refusal, else the state after it."""
        reply = self.driver.request(self.links[link], kind, **fields)
        return reply.code if isinstance(reply, wire.Error) else self.state

    def ready(self, *seats: int) -> str:
        return [self.request(seat, wire.Act, action=wire.ReadyAction()) for seat in seats][-1]

    @property
    def state(self) -> str:
        table = self.driver.lobby.tables.get(self.number)
        return "closed" if table is None else table.state.value


def _one_seat_left(table: TableAt) -> str:
    for seat in (1, 2):
        table.join(seat)
    return table.state


def _last_seat_by_the_unready(table: TableAt) -> str:
    for seat in (1, 2, 3):
        table.join(seat)
    table.finish_set()
    table.leave(3)
    assert table.state == "waiting"
    table.join(3, link=4)
    return table.state


def _ready_of_all_in_a_set_that_wants_a_player(table: TableAt) -> str:
    for seat in (1, 2, 3):
        table.join(seat)
    table.finish_set()
    table.leave(3)
    return table.ready(0, 1, 2)


def _ready_of_one_where_a_player_is_missing(table: TableAt) -> str:
    for seat in (1, 2, 3):
        table.join(seat)
    table.finish_set()
    table.leave(3)
    return table.ready(0)


def _last_seat(table: TableAt) -> str:
    for seat in (1, 2, 3):
        table.join(seat)
    return table.state


def _leaves(table: TableAt) -> str:
    table.leave(0)
    return table.state


def _bot_in_set(table: TableAt) -> TableAt:
    table.leave(1)
    return table


def _with_bots_over(_: TableAt) -> TableAt:
    """A set that one player and three bots have finished."""
    table = TableAt("waiting")
    for seat in (1, 2, 3):
        table.bot(seat)
    table.finish_set()
    return table


def _takes_bots_seat(table: TableAt) -> str:
    table.join(1, link=4)
    return table.state


def _with_bot(table: TableAt) -> TableAt:
    table.bot(1)
    return table


def _remove_bot(table: TableAt) -> str:
    return table.request(0, wire.RemoveBot, seat=Seat.EAST)


def _all_leave(table: TableAt) -> str:
    for seat, link in enumerate(table.links[:4]):
        if table.driver.lobby.tables[table.number].seating.seat_of(link.session) is not None:
            table.leave(seat)
    table.driver.advance(61)
    return table.state


def _set_won(table: TableAt) -> str:
    table.finish_set()
    return table.state


TABLE_ROWS: list[tuple[str, str, Callable[[TableAt], str]]] = [
    ("a seat is taken, one is still empty", "waiting", _one_seat_left),
    ("the last empty seat is taken, every player is ready", "waiting", _last_seat),
    ("the last empty seat is taken, a player is not ready", "waiting", _last_seat_by_the_unready),
    ("`ready` of a player, others are not", "waiting", _ready_of_one_where_a_player_is_missing),
    ("`ready` of a player, others are not", "playing", lambda table: table.ready(0)),
    ("`ready` of a player, others are not", "set_over", lambda table: table.ready(0)),
    ("`ready` of the last player", "waiting", _ready_of_all_in_a_set_that_wants_a_player),
    ("`ready` of the last player", "playing", lambda table: table.ready(3)),
    ("`ready` of the last player", "set_over", lambda table: table.ready(0, 1, 2, 3)),
    ("a player leaves", "waiting", _leaves),
    ("a player leaves", "playing", _leaves),
    ("a player leaves", "set_over", _leaves),
    ("`remove_bot`", "waiting", lambda table: _remove_bot(_with_bot(table))),
    ("`remove_bot`", "playing", lambda table: _remove_bot(_bot_in_set(table))),
    ("`remove_bot`", "set_over", lambda table: _remove_bot(_with_bots_over(table))),
    ("a player takes a bot's seat", "waiting", lambda table: _takes_bots_seat(_with_bot(table))),
    ("a player takes a bot's seat", "playing", lambda table: _takes_bots_seat(_bot_in_set(table))),
    ("a player takes a bot's seat", "set_over", lambda table: _takes_bots_seat(_with_bots_over(table))),
    ("the set is won", "playing", _set_won),
    ("no player has a seat for a while", "waiting", _all_leave),
    ("no player has a seat for a while", "playing", _all_leave),
]


@pytest.mark.parametrize(
    ("row", "state", "does"), TABLE_ROWS, ids=[f"{row} in {state}" for row, state, _ in TABLE_ROWS]
)
@pytest.mark.proves("T-4")
def test_a_table_comes_to_the_state_that_the_document_says(
    row: str, state: str, does: Callable[[TableAt], str]
) -> None:
    assert does(TableAt(state)) == state_table("waiting", row)[state].strip("`")


def test_every_cell_of_the_table_of_table_states_is_tried() -> None:
    (written,) = [table for table in tables(DOCUMENT) if table.columns[1:2] == ("`waiting`",)]
    titles = [title.strip("`") for title in written.columns[1:]]
    filled = {
        (row[0], title) for row in written.rows[1:] for title, cell in zip(titles, row[1:], strict=True) if cell
    }
    assert filled == {(row, state) for row, state, _ in TABLE_ROWS}
