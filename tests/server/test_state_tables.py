"""The tables of states in ``docs/protocol.md``, cell by cell, and the order in which an action is judged."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from support.document import PROTOCOL_DOCUMENT, tables
from support.lobby_driver import LobbyDriver
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire

SERVER_PASSWORD = "open sesame"
DOCUMENT = PROTOCOL_DOCUMENT.read_text(encoding="utf-8")


def refusals_in_order() -> list[str]:
    """The codes of the document's table of what is looked at of an ``act``."""
    (table,) = [table for table in tables(DOCUMENT) if table.columns == ("of an `act`", "code")]
    return [row[1].strip("`") for row in table.rows if row[1]]


BAD_SEQ = 10**6
A_BID = wire.CallAction(CallKind.BID, 14)
A_CARD = wire.PlayAction(Card("AS"))
READY = wire.ReadyAction()


def first_of_several_faults() -> list[tuple[list[str], Callable[[], str]]]:
    """The faults that an act has at once, and what it is answered."""

    def in_lobby() -> str:
        driver = LobbyDriver()
        return driver.refused(driver.hello("Layla"), wire.Act, action=READY, seq=BAD_SEQ)

    def spectating() -> str:
        driver = LobbyDriver()
        link = driver.hello("Layla")
        driver.ok(link, wire.Watch, table=driver.open_table(link))
        return driver.refused(link, wire.Act, action=READY, seq=BAD_SEQ)

    def before_any_set(**fields: object) -> str:
        driver = LobbyDriver()
        link = driver.hello("Layla")
        driver.ok(link, wire.Join, table=driver.open_table(link))
        return driver.refused(link, wire.Act, **fields)

    def in_a_set(*, of_the_seat_to_act: bool, **fields: object) -> str:
        driver = LobbyDriver()
        links = driver.four_players(turn_seconds=0)
        driver.play_on(links, random.Random(1), 1)
        link = next(link for link in links if (link.prompt is not None) is of_the_seat_to_act)
        return driver.refused(link, wire.Act, **fields)

    def after_the_set() -> str:
        table = TableAt("set_over")
        return table.request(0, wire.Act, action=A_CARD, seq=0)

    return [
        (["not_at_table", "bad_request"], in_lobby),
        (["not_a_player", "bad_request"], spectating),
        (["bad_request", "wrong_table_state"], lambda: before_any_set(action=A_BID, seq=BAD_SEQ)),
        (["wrong_table_state", "stale"], lambda: before_any_set(action=A_BID, seq=0)),
        (
            ["bad_request", "wrong_table_state"],
            lambda: in_a_set(of_the_seat_to_act=True, action=READY, seq=BAD_SEQ),
        ),
        (["wrong_table_state", "stale"], lambda: in_a_set(of_the_seat_to_act=True, action=READY, seq=0)),
        (["table_over", "stale", "not_your_turn"], after_the_set),
        (["stale", "wrong_phase"], lambda: in_a_set(of_the_seat_to_act=True, action=A_CARD, seq=0)),
        (["stale", "bid_too_high"], lambda: in_a_set(of_the_seat_to_act=True, action=A_BID, seq=0)),
        (["wrong_phase", "not_your_turn"], lambda: in_a_set(of_the_seat_to_act=False, action=A_CARD, seq=0)),
        (["not_your_turn", "bid_too_high"], lambda: in_a_set(of_the_seat_to_act=False, action=A_BID, seq=0)),
    ]


@pytest.mark.parametrize(
    ("faults", "answer"), first_of_several_faults(), ids=[" ".join(one) for one, _ in first_of_several_faults()]
)
@pytest.mark.proves("A-4")
def test_of_several_faults_of_an_act_the_one_that_stands_first_in_the_document_is_told(
    faults: list[str], answer: Callable[[], str]
) -> None:
    places = [refusals_in_order().index(fault) for fault in faults]
    assert places == sorted(places)
    assert answer() == faults[0]


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
    "`list_sets`": lambda at: (wire.ListSets, {}),
    "`get_set` of a set that it may not see": lambda at: (wire.GetSet, {"record": 1}),
}


def _outstay_the_grace(at: At) -> None:
    at.driver.drop(at.link)
    at.driver.advance(31)


HAPPENINGS: dict[str, Callable[[At], object]] = {
    "connection lost": lambda at: at.driver.drop(at.link),
    "grace over": _outstay_the_grace,
    "`goodbye`": lambda at: at.driver.goodbye(at.link),
    "removed by the host": lambda at: at.driver.kick(at.link),
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
