"""The state machine of a connection, from both ends."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from support.messages import ALL_MESSAGES, WELCOME, any_message, full_example, tag
from support.wire import (
    HELLO,
    ConnectionPair,
    events,
    framed,
    heard_each_way,
    listen,
    open_end,
    packed,
    ways_to_arrive,
)
from tarneeb_protocol.codec import BadMessage, encode
from tarneeb_protocol.connection import (
    NEED_DATA,
    TRANSITIONS,
    Connection,
    ConnectionClosed,
    Role,
    State,
)
from tarneeb_protocol.errors import ErrorCode, LocalProtocolError, RemoteProtocolError
from tarneeb_protocol.framing import MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from tarneeb_protocol.messages import (
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
    About,
    Chat,
    Describe,
    Goodbye,
    Hello,
    Leave,
    LobbySaid,
    Message,
    Ping,
    Pong,
    Refused,
    Snapshot,
    Welcome,
)

REFUSED = Refused(code="server_full", message="come back later", protocol_min=1, protocol_max=1)
GOODBYE = Goodbye(code="left")
SENT_WHILE_OPEN = {
    Role.CLIENT: tuple(kind for kind in CLIENT_MESSAGES if kind not in {Hello, Describe, Goodbye}),
    Role.SERVER: tuple(kind for kind in SERVER_MESSAGES if kind not in {Welcome, Refused, About, Goodbye}),
}


def at(state: State, role: Role) -> Connection:
    """A connection of this role that has come to this state."""
    pair = ConnectionPair()
    if state is State.FAILED_EARLY:
        return _failed(pair[role])
    if state is State.HELLO:
        return pair[role]
    if state is State.ASKED:
        pair.say(Role.CLIENT, Describe())
        return pair[role]
    pair.say(Role.CLIENT, HELLO)
    if state is not State.ANSWER:
        pair.say(Role.SERVER, WELCOME)
    if state is State.CLOSED:
        pair.say(Role.SERVER, GOODBYE)
    connection = pair[role]
    if state is State.FAILED:
        _failed(connection)
    assert connection.state is state
    return connection


def _failed(connection: Connection) -> Connection:
    connection.receive_data(bytes(4))
    with pytest.raises(RemoteProtocolError):
        connection.next_event()
    return connection


def fault(connection: Connection, *chunks: bytes) -> RemoteProtocolError:
    for chunk in chunks:
        connection.receive_data(chunk)
    with pytest.raises(RemoteProtocolError) as caught:
        events(connection)
    return caught.value


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize(
    ("state", "role", "kind"),
    list(product(State, Role, ALL_MESSAGES)),
    ids=lambda value: tag(value) if isinstance(value, type) else value.value,
)
@pytest.mark.proves("C-1", "C-7")
def test_an_end_sends_what_the_table_allows_and_nothing_else(
    state: State, role: Role, kind: type[Message]
) -> None:
    connection = at(state, role)
    message = full_example(kind)
    after = TRANSITIONS[state][role].get(kind)
    if after is None:
        with pytest.raises(
            LocalProtocolError, match=rf"cannot send {tag(kind)} while the connection is {state.value}"
        ):
            connection.send(message)
        assert connection.state is state
    else:
        assert connection.send(message) == encode(message)
        assert connection.state is after


def test_the_table_has_a_row_for_each_state_and_end_and_names_messages_of_the_right_direction() -> None:
    assert set(TRANSITIONS) == set(State)
    for ends in TRANSITIONS.values():
        assert set(ends) == set(Role)
        assert set(ends[Role.CLIENT]) <= set(CLIENT_MESSAGES)
        assert set(ends[Role.SERVER]) <= set(SERVER_MESSAGES)


def test_every_message_has_its_place_in_the_table() -> None:
    for role, kinds in ((Role.CLIENT, CLIENT_MESSAGES), (Role.SERVER, SERVER_MESSAGES)):
        assert {kind for ends in TRANSITIONS.values() for kind in ends[role]} == set(kinds)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("state", [State.HELLO, State.ASKED, State.ANSWER, State.OPEN])
@pytest.mark.proves("C-2", "C-6")
def test_a_message_that_the_table_does_not_allow_is_a_fault_of_the_sender(state: State, role: Role) -> None:
    accepted = SERVER_MESSAGES if role is Role.CLIENT else CLIENT_MESSAGES
    for kind in accepted:
        if kind in TRANSITIONS[state][role.other]:
            continue
        connection = at(state, role)
        connection.receive_data(encode(full_example(kind)))
        if state in {State.ASKED, State.ANSWER} and role is Role.SERVER:
            assert connection.next_event() is NEED_DATA
            continue
        with pytest.raises(RemoteProtocolError) as caught:
            connection.next_event()
        first = state is State.HELLO and role is Role.SERVER
        assert caught.value.code is (ErrorCode.HELLO_EXPECTED if first else ErrorCode.WRONG_STATE)
        assert tag(kind) in caught.value.message


@given(st.lists(st.tuples(st.sampled_from(Role), st.integers(0, 1000)), max_size=12), st.data())
def test_what_one_end_sends_is_what_the_other_hears(turns: list[tuple[Role, int]], draw: st.DataObject) -> None:
    pair = ConnectionPair.opened()
    for sender, _ in turns:
        message = draw.draw(any_message(SENT_WHILE_OPEN[sender]))
        assert pair.say(sender, message) == message
        assert pair[sender].is_open
    goodbye = Goodbye(code="shutdown", message="back soon", resumable=True, retry_seconds=5)
    assert pair.say(Role.SERVER, goodbye) == goodbye
    for role in Role:
        assert pair[role].next_event() == ConnectionClosed(clean=True)


# ---------------------------------------------------------------- handshake


def test_hello_and_welcome_open_the_connection_for_both() -> None:
    pair = ConnectionPair()
    assert pair.say(Role.CLIENT, HELLO) == HELLO
    assert not pair[Role.SERVER].is_open
    assert pair.say(Role.SERVER, WELCOME) == WELCOME
    assert pair[Role.CLIENT].is_open
    assert pair[Role.SERVER].is_open


@pytest.mark.parametrize("asked", [True, False])
def test_refused_closes_the_connection_for_both_also_when_no_hello_came(asked: bool) -> None:
    pair = ConnectionPair()
    if asked:
        pair.say(Role.CLIENT, HELLO)
    assert pair.say(Role.SERVER, REFUSED) == REFUSED
    assert [pair[role].next_event() for role in Role] == [ConnectionClosed(clean=True)] * 2


@pytest.mark.parametrize("kind", [kind for kind in CLIENT_MESSAGES if kind not in {Hello, Describe}], ids=tag)
@pytest.mark.proves("C-2")
def test_hello_is_first(kind: type[Message]) -> None:
    caught = fault(Connection(Role.SERVER), encode(full_example(kind)))
    assert caught.code is ErrorCode.HELLO_EXPECTED
    assert caught.message == f"{tag(kind)} came first; the first message is hello, describe"


@pytest.mark.proves("C-2")
def test_an_unknown_message_is_not_a_hello() -> None:
    assert fault(Connection(Role.SERVER), packed({"type": "login"})).code is ErrorCode.HELLO_EXPECTED


ANY_FIELDS = st.dictionaries(
    st.sampled_from(["id", "name", "nonce", "action", "protocol_min", "protocol_max", "resume", "x"]),
    st.none() | st.booleans() | st.integers(-1, 2) | st.floats(allow_nan=False) | st.text(max_size=3),
    max_size=4,
)
"""Fields of a message, filled in somehow: most of them are faults."""


@given(ANY_FIELDS, st.sampled_from([tag(kind) for kind in CLIENT_MESSAGES] + ["", "Hello", "welcome", 7, None]))
@example({}, None)
@pytest.mark.proves("C-2")
def test_whatever_comes_first_and_is_no_hello_is_told_that_it_is_none(
    fields: dict[str, object], kind: str | int | None
) -> None:
    assume(kind not in {"hello", "describe"})
    typed = fields if kind is None else {"type": kind, **fields}
    caught = fault(Connection(Role.SERVER), packed(typed))
    assert caught.code is ErrorCode.HELLO_EXPECTED
    assert caught.message.endswith("came first; the first message is hello, describe")


@given(ANY_FIELDS, st.sampled_from(["hello", "describe"]))
@pytest.mark.proves("C-6")
def test_a_second_hello_is_out_of_place_whatever_stands_in_it(fields: dict[str, object], kind: str) -> None:
    server = open_end(Role.SERVER)
    caught = fault(server, packed({"type": kind, **fields}))
    assert caught.code is ErrorCode.WRONG_STATE
    assert server.send(GOODBYE) == encode(GOODBYE)


@pytest.mark.proves("C-3")
def test_a_hello_with_a_field_at_fault_ends_the_handshake_and_says_which() -> None:
    server = Connection(Role.SERVER)
    caught = fault(server, packed({"type": "hello", "protocol_min": 1, "protocol_max": 1, "client": "x"}))
    assert caught.code is ErrorCode.BAD_REQUEST
    assert caught.message.startswith("`name` is missing")
    assert server.send(REFUSED) == encode(REFUSED)


@pytest.mark.proves("C-6")
def test_a_second_hello_is_a_fault() -> None:
    server = open_end(Role.SERVER)
    assert fault(server, encode(HELLO)).code is ErrorCode.WRONG_STATE
    assert server.send(GOODBYE) == encode(GOODBYE)


@pytest.mark.proves("I-2", "C-5")
def test_a_describe_is_answered_before_the_hello_behind_it_is_heard_however_tcp_cuts_them() -> None:
    stream = encode(Describe()) * 2 + encode(HELLO)
    for chunks in ways_to_arrive(stream):
        server = Connection(Role.SERVER)
        heard: list[object] = []
        for chunk in chunks:
            server.receive_data(chunk)
            while (event := server.next_event()) is not NEED_DATA:
                heard.append(event)
                if isinstance(event, Describe):
                    assert server.next_event() is NEED_DATA
                    server.send(full_example(About))
        assert heard == [Describe(), Describe(), HELLO]
        assert server.state is State.ANSWER


@pytest.mark.proves("C-5")
def test_what_comes_before_the_answer_is_heard_after_it_and_not_before() -> None:
    def welcomed(chunks: list[bytes]) -> list[object]:
        server = Connection(Role.SERVER)
        heard: list[object] = []
        for chunk in chunks:
            server.receive_data(chunk)
            for _ in range(3):
                event = server.next_event()
                if event is not NEED_DATA:
                    heard.append(event)
        assert heard == [HELLO]
        server.send(WELCOME)
        return [*heard, *events(server)]

    stream = encode(HELLO) + encode(Leave(id=1)) + encode(Ping(nonce=2))
    assert welcomed([stream]) == [HELLO, Leave(id=1), Ping(nonce=2)]
    assert welcomed([stream[at : at + 1] for at in range(len(stream))]) == [HELLO, Leave(id=1), Ping(nonce=2)]


@pytest.mark.proves("V-2", "C-14")
def test_v06_a_client_of_another_version_is_understood_well_enough_to_be_told() -> None:
    later = {
        "type": "hello",
        "protocol_min": 7,
        "protocol_max": 9,
        "client": "tarneeb 5.0",
        "name": "Layla",
        "capabilities": ["x"],
        "avatar": {"colour": "red"},
    }
    server = Connection(Role.SERVER)
    (heard,) = listen(server, [packed(later)])
    assert isinstance(heard, Hello)
    assert (heard.protocol_min, heard.protocol_max) == (7, 9)
    client = Connection(Role.CLIENT)
    client.send(HELLO)
    refusal = {
        "type": "refused",
        "code": "unsupported_version",
        "message": "no",
        "protocol_min": 7,
        "protocol_max": 9,
    }
    (heard_back, end) = listen(client, [packed({**refusal, "see": "https://example.org"})])
    assert heard_back == Refused(code="unsupported_version", message="no", protocol_min=7, protocol_max=9)
    assert end == ConnectionClosed(clean=True)


# ---------------------------------------------------------------- bytes however they come


@pytest.mark.parametrize("kind", SENT_WHILE_OPEN[Role.CLIENT], ids=tag)
@pytest.mark.proves("F-6")
def test_f05_a_request_is_heard_however_tcp_cuts_it(kind: type[Message]) -> None:
    message = full_example(kind)
    assert heard_each_way(encode(message), lambda: open_end(Role.SERVER)) == [message]


@pytest.mark.parametrize(
    "kind", [kind for kind in SENT_WHILE_OPEN[Role.SERVER] if kind is not Snapshot], ids=tag
)
@pytest.mark.proves("F-6")
def test_f05_what_a_server_says_is_heard_however_tcp_cuts_it(kind: type[Message]) -> None:
    message = full_example(kind)
    assert heard_each_way(encode(message), lambda: open_end(Role.CLIENT)) == [message]


@pytest.mark.slow
def test_f05_a_snapshot_is_heard_however_tcp_cuts_it() -> None:
    message = full_example(Snapshot)
    assert heard_each_way(encode(message), lambda: open_end(Role.CLIENT)) == [message]


@pytest.mark.parametrize("kind", [kind for kind in CLIENT_MESSAGES if kind is not Goodbye], ids=tag)
def test_bytes_after_a_message_in_its_frame_are_a_fault(kind: type[Message]) -> None:
    server = Connection(Role.SERVER) if kind is Hello else open_end(Role.SERVER)
    payload = encode(full_example(kind))[4:]
    assert fault(server, framed(payload + b"\xc0")).code is ErrorCode.NOT_MSGPACK


def test_f05_thirty_frames_in_one_segment_are_thirty_messages_in_order() -> None:
    sent = [Ping(nonce=nonce) for nonce in range(30)]
    assert listen(open_end(Role.SERVER), [b"".join(map(encode, sent))]) == sent


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("header", [b"\xff\xff\xff\xff", b"\x80\x00\x00\x00", b"\x7f\xff\xff\xff", bytes(4)])
def test_f01_f03_a_bad_length_ends_the_connection_before_the_body_comes(role: Role, header: bytes) -> None:
    connection = open_end(role)
    caught = fault(connection, header)
    assert caught.code is (ErrorCode.FRAME_TOO_LONG if any(header) else ErrorCode.BAD_FRAME)
    assert connection.state is State.FAILED


@pytest.mark.parametrize(("role", "limit"), [(Role.SERVER, MAX_CLIENT_FRAME), (Role.CLIENT, MAX_SERVER_FRAME)])
def test_the_limit_of_a_frame_is_that_of_its_direction(role: Role, limit: int) -> None:
    assert listen(open_end(role), [limit.to_bytes(4, "big")]) == []
    assert fault(open_end(role), (limit + 1).to_bytes(4, "big")).code is ErrorCode.FRAME_TOO_LONG


@pytest.mark.parametrize("role", Role)
@pytest.mark.proves("C-8")
def test_a_failed_connection_says_so_for_ever_and_reads_nothing_more(role: Role) -> None:
    connection = open_end(role)
    first = fault(connection, framed(b"\xc1") + encode(Ping()))
    assert fault(connection, encode(Ping())) is first
    with pytest.raises(LocalProtocolError):
        connection.send(Ping())
    assert connection.send(Goodbye(code=first.code.value))
    assert connection.state is State.CLOSED
    assert fault(connection, b"") is first


@pytest.mark.parametrize("role", Role)
@pytest.mark.proves("E-4", "E-6")
def test_a_message_with_a_field_at_fault_leaves_the_connection_open(role: Role) -> None:
    connection = open_end(role)
    heard = listen(
        connection, [packed({"type": "ping", "nonce": "x"}) + packed({"type": "?"}) + encode(Pong())]
    )
    assert [type(event) for event in heard] == [BadMessage, BadMessage, Pong]
    assert connection.is_open


def test_a_client_ends_the_handshake_when_the_answer_cannot_be_read() -> None:
    client = Connection(Role.CLIENT)
    client.send(HELLO)
    assert fault(client, packed({"type": "welcome"})).code is ErrorCode.BAD_REQUEST
    assert client.state is State.FAILED_EARLY
    assert client.send(GOODBYE)


# ---------------------------------------------------------------- the end


@pytest.mark.parametrize("sender", Role)
@pytest.mark.proves("C-7", "C-8")
def test_after_goodbye_nothing_is_sent_and_nothing_is_read(sender: Role) -> None:
    pair = ConnectionPair.opened()
    assert pair.say(sender, GOODBYE) == GOODBYE
    for role in Role:
        pair[role].receive_data(encode(Ping()) + b"\xff\xff\xff\xff")
        assert events(pair[role]) == [ConnectionClosed(clean=True)]
        with pytest.raises(LocalProtocolError, match="it can send nothing"):
            pair[role].send(Pong())


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("state", [State.HELLO, State.ANSWER, State.OPEN])
@pytest.mark.parametrize("rest", [b"", b"\x00\x00", b"\x00\x00\x00\x09\x82"])
@pytest.mark.proves("C-13")
def test_a_stream_that_ends_without_goodbye_is_a_lost_link(role: Role, state: State, rest: bytes) -> None:
    connection = at(state, role)
    assert listen(connection, [rest] if rest else []) == []
    connection.receive_data(b"")
    assert events(connection) == [ConnectionClosed(clean=False)]
    assert events(connection) == [ConnectionClosed(clean=False)]
    assert not connection.is_open


def test_what_came_before_the_end_of_the_stream_is_still_heard() -> None:
    server = open_end(Role.SERVER)
    server.receive_data(encode(Leave(id=1)))
    server.receive_data(b"")
    assert events(server) == [Leave(id=1), ConnectionClosed(clean=False)]


# ---------------------------------------------------------------- sending


def test_a_frame_for_many_is_sent_only_on_open_connections() -> None:
    event = encode(LobbySaid(name="Layla", text="salam"))
    assert open_end(Role.SERVER).send_encoded(event) is event
    for state in set(State) - {State.OPEN}:
        with pytest.raises(LocalProtocolError, match=f"the connection is {state.value}, not open"):
            at(state, Role.SERVER).send_encoded(event)


@pytest.mark.proves("F-2")
def test_a_client_cannot_send_a_frame_that_the_server_would_refuse() -> None:
    client = open_end(Role.CLIENT)
    with pytest.raises(
        LocalProtocolError, match=rf"a chat of \d+ bytes; a client sends at most {MAX_CLIENT_FRAME}"
    ):
        client.send(Chat(id=1, text="x" * MAX_CLIENT_FRAME))
    assert client.is_open
    with pytest.raises(LocalProtocolError, match="a frame holds at most"):
        client.send(Chat(id=1, text="x" * MAX_SERVER_FRAME))
    assert client.send(Leave(id=1))


def test_the_ends_name_each_other() -> None:
    assert Role.CLIENT.other is Role.SERVER
    assert Role.SERVER.other is Role.CLIENT
    assert repr(Connection(Role.SERVER)) == "<Connection server hello>"
    assert Connection(Role.CLIENT).role is Role.CLIENT
