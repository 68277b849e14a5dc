"""The line mode: typed lines in, printed lines out, against the server's own lobby."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.lobby_driver import LobbyDriver
from support.table_talk import TableTalk, act_somehow, is_prompted, solo
from tarneeb_client.commands import COMMANDS
from tarneeb_client.conversation import Conversation
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkLost
from tarneeb_client.presenters import PlainPresenter
from tarneeb_client.runner import CommandRunner
from tarneeb_client.table_options import TABLE_OPTIONS
from tarneeb_client.wording.events import TIME_RAN_OUT
from tarneeb_engine.cards import Card
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

PLAYING_MD = Path(__file__).parents[2] / "docs" / "playing.md"


def legal_line(talk: TableTalk) -> str:
    """The latest line that says what is legal on the player's turn."""
    return next(line for line in reversed(talk.printed) if line.startswith("Your turn"))


def play_until(talk: TableTalk, kind: type[m.WireAction], seed: int = 1) -> None:
    """Play until the prompt offers an action of this kind."""
    rng = random.Random(seed)
    for _ in range(500):
        talk.driver.advance(1.0)
        talk.listen()
        view = talk.conversation.view
        assert view is not None
        if view.prompt is None:
            continue
        if isinstance(view.prompt.actions[0], kind):
            return
        act_somehow(talk, rng)
    raise AssertionError(f"no {kind.__name__} was offered")


# ---------------------------------------------------------------- the lobby


def test_a_player_opens_a_table_sits_down_and_fills_it_with_bots() -> None:
    nour = TableTalk(LobbyDriver(), "Nour")
    assert nour.type("tables") == ["No table is open. Open one: open NAME."]
    assert nour.type("open Friday night target=41 turn=30 auction=continuing thirteen=kaboot-bonus") == [
        "Table 1 Friday night is open. Sit down: join 1"
    ]
    joined = nour.type("join ١")
    assert joined[0].startswith("Table 1 Friday night. You are South. North, your partner: empty;")
    assert joined[1] == "Rules: tarneeb 41 rules, first to 41, 30 s a turn."
    assert nour.type("bot east random") == ["Bot Badr, a random bot, takes seat East."]
    assert nour.type("bot remove east") == ["Bot Badr leaves seat East."]
    assert nour.type("bot", "bot")[-1] == "Bot Dana, a steady bot, takes seat North."
    started = nour.type("bot west")
    assert "Set 1 begins. First to 41." in started
    assert nour.type("tables")[0].startswith("Table 1 Friday night: 4 of 4 seats taken; South Nour,")


def test_friends_find_a_table_by_name_and_sit_opposite_each_other() -> None:
    driver = LobbyDriver()
    nour, rami = TableTalk(driver, "Nour"), TableTalk(driver, "Rami")
    nour.type("open Friends", "join 1 west")
    assert "You are East" in rami.type("join friends with nour")[0]
    assert nour.listen() == ["Rami takes seat East."]
    assert rami.type("/yalla") == ["<Rami> yalla"]
    assert nour.listen() == ["<Rami> yalla"]
    assert rami.type("who")[0].endswith("North, on your right: empty; South, on your left: empty.")
    assert rami.type("leave") == ["You left the table and are in the lobby."]
    assert nour.listen() == ["! Rami leaves seat East."]
    assert rami.type("join Nowhere") == ["! No table is called “Nowhere”. Type tables for those that are open."]


def test_a_spectator_sees_the_play_and_no_hand() -> None:
    driver = LobbyDriver()
    south, *others = driver.four_players(turn_seconds=0)
    layla = TableTalk(driver, "Layla")
    layla.type("watch 1")
    driver.play_on([south, *others], random.Random(2), 12)
    printed = layla.listen()
    assert any(line.startswith("The cards are dealt. ") for line in printed)
    assert any(" leads " in line for line in printed)
    assert not any("Your" in line or "You " in line for line in printed)
    assert layla.type("hand") == ["You watch, and hold no cards."]
    assert layla.type("9")[0].startswith("! “9” is not a command")
    assert layla.type("bid 9")[0].startswith("! Only a player at the table can act")


# ---------------------------------------------------------------- the play


def test_every_turn_says_so_at_the_start_of_its_line_with_what_is_legal() -> None:
    nour = solo(LobbyDriver(seed_for_tests=3, bot_delay=0.0))
    play_until(nour, m.PlayAction)
    turns = [line for line in nour.printed if line.startswith("Your turn")]
    assert len(turns) >= 2
    assert all("Legal: " in line for line in turns)


@pytest.mark.proves("A-9")
def test_a_refused_card_says_why_and_what_is_legal_and_nothing_is_played_m03() -> None:
    driver = LobbyDriver(seed_for_tests=3, bot_delay=0.0)
    nour = solo(driver)
    play_until(nour, m.PlayAction)
    view = nour.conversation.view
    assert view is not None
    not_held = next(card for card in Card if card not in view.hand)
    (line,) = nour.type(f"play {not_held.value}")
    assert line.startswith("! ")
    assert "(card_not_held)" in line
    assert "Legal: 1 " in line
    assert nour.conversation.view == view


def test_a_card_is_played_by_its_name_its_number_or_alone() -> None:
    driver = LobbyDriver(seed_for_tests=3, bot_delay=0.0)
    nour = solo(driver)
    for typed in ("play 1", "1", "{card}", "play {card}"):
        play_until(nour, m.PlayAction)
        view = nour.conversation.view
        assert view is not None
        assert view.prompt is not None
        action = view.prompt.actions[0]
        assert isinstance(action, m.PlayAction)
        held = len(view.hand)
        printed = nour.type(typed.format(card=action.card.value.lower()))
        assert printed[0].startswith(("You play ", "Trick "))
        assert nour.conversation.view is not None
        assert len(nour.conversation.view.hand) in {held - 1, 0, 13}


def test_a_whole_set_is_played_by_typing_alone() -> None:
    driver = LobbyDriver(seed_for_tests=5, bot_delay=0.0)
    nour = solo(driver)
    play_until(nour, m.ReadyAction, seed=5)
    won = [line for line in nour.printed if line.endswith(".") and " win the set. Final score: us " in line]
    assert len(won) == 1
    assert "Your turn. Legal: ready." in nour.printed
    assert any(line.startswith("Checked: the pack was fixed before the cut") for line in nour.printed)
    assert not any(line.startswith("! NOT FAIR") for line in nour.printed)
    assert nour.type("score")[-1].startswith("Score: us ")
    assert any(line.startswith("Set 2 begins") for line in nour.type("ready"))


def test_hand_table_last_score_and_rules_answer_at_any_moment_of_a_deal() -> None:
    driver = LobbyDriver(seed_for_tests=6, bot_delay=0.0)
    nour = solo(driver)
    rng = random.Random(6)
    for _ in range(80):
        driver.advance(1.0)
        nour.listen()
        for command in ("hand", "table", "last", "score", "who", "rules"):
            lines = nour.type(command)
            assert lines
            assert not any(line.startswith("!") for line in lines)
        if is_prompted(nour):
            act_somehow(nour, rng)


def test_a_remark_is_heard_by_all_rule_13() -> None:
    driver = LobbyDriver(seed_for_tests=3, bot_delay=0.0)
    nour = solo(driver, table="Friends turn=0 partner_hints=yes")
    play_until(nour, m.CallAction)
    assert "with a bid or pass also helpful or not_helpful" in legal_line(nour)
    assert nour.type("pass helpful")[0] == "You pass, saying: a helpful hand."


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("dance", "! “dance” is not a command. Type help for those there are."),
        ("hand", "! You are at no table. Accepted: tables, join TABLE, watch TABLE, open NAME."),
        ("play xx", "! You are at no table. Accepted: tables, join TABLE, watch TABLE, open NAME."),
        ("join", "! Say which table: join TABLE [SEAT | with PLAYER] [password=TEXT]."),
        ("join 1 middle", "! “middle” is not a seat. Accepted: south, east, north, west."),
        ("join 1 with", "! Say whose partner you want to be: join TABLE with PLAYER."),
        ("join 0", "! Tables are numbered from 1."),
        ("join 1 size=3", "! join takes the option password alone, not “size”."),
        ("open", "! Say what the table is to be called: open NAME [OPTION=VALUE ...]."),
        ("open A target=many", "! “many” is not a target: type a whole number."),
        ("open A auction=long", "! auction is one of single, continuing, returning, not “long”."),
        ("open A spectators=maybe", "! spectators is yes or no, not “maybe”."),
        ("open A x=1 y=2", f"! “x” is not an option of a table. Accepted: {', '.join(TABLE_OPTIONS)}."),
        ("open A turn=1 turn=2", "! An option is given twice."),
        ("say", "! Say what: say TEXT, or /TEXT."),
        ("tables now", "! tables takes nothing more, but “now” follows it."),
        ("x" * 2001, "! A line has at most 2000 characters; this one has 2001."),
        ("join 7", "! No table 7 is open (no_such_table)."),
    ],
)
def test_each_wrong_line_gets_one_line_that_says_what_is_accepted(typed: str, answer: str) -> None:
    assert TableTalk(LobbyDriver(), "Nour").type(typed) == [answer]


@given(
    st.lists(
        st.one_of(st.text(max_size=30), st.sampled_from(["join 1", "leave", "play 1", "9", "/a", "bid 9"])),
        max_size=8,
    )
)
def test_no_line_at_all_breaks_the_line_mode_or_prints_what_a_terminal_obeys(lines: list[str]) -> None:
    nour = solo(LobbyDriver(bot_delay=0.0))
    for line in nour.type(*[line for line in lines if line.strip() != "quit"]):
        assert harmless(line) == line


def test_u08_hostile_text_from_a_server_is_made_harmless() -> None:
    printed: list[str] = []
    conversation = Conversation(Silent(), PlainPresenter(printed.append))
    evil = "\x1b[2J\u202e\x9b\u200bRami"
    conversation.received(waiting_table(evil, m.SeatSummary(name=evil)))
    conversation.received(m.Said(table=1, seq=1, name=evil, text=evil))
    conversation.received(m.PlayerAway(table=1, seq=2, seat=Seat.SOUTH, grace_seconds=9))
    conversation.received(m.PlayerLeft(table=1, seq=3, seat=Seat.SOUTH, name=evil, reason=evil))
    conversation.received(m.LobbySaid(name=evil, text=evil))
    conversation.received(m.Error(code=evil, message=evil))
    conversation.received(m.TableClosed(table=1, seq=4, reason=evil))
    CommandRunner(conversation).typed("who")
    assert len(printed) >= 7
    assert [line for line in printed if harmless(line) != line] == []


def waiting_table(name: str, south: m.SeatSummary | None = None) -> m.Snapshot:
    return m.Snapshot(
        table=1,
        seq=0,
        name=name,
        state=m.TableState.WAITING,
        rules=Ruleset(),
        turn_seconds=0,
        grace_seconds=0,
        seats=(south, None, None, None),
        spectators=(name,),
    )


class Silent:
    """A link that takes every request and never answers."""

    def __init__(self) -> None:
        self.posted: list[m.Request] = []

    def post(self, request: m.Request) -> int:
        self.posted.append(request)
        return len(self.posted)

    def retry_now(self) -> None:
        pass


# ---------------------------------------------------------------- the link


WELCOME = m.Welcome(
    protocol=1,
    server="s",
    server_name="Majlis",
    name="Nour",
    token="",
    ping_seconds=15,
    dead_seconds=45,
    grace_seconds=120,
)


def test_a_lost_link_says_when_it_is_tried_again_and_how_long_the_seat_is_held() -> None:
    nour = solo(LobbyDriver())
    start = len(nour.printed)
    nour.conversation.received(LinkLost(2, 3.2, 112.4, "the connection was closed"))
    nour.conversation.received(LinkBack(resumed=True, welcome=msgspec.structs.replace(WELCOME, table=1)))
    assert nour.printed[start:] == [
        "! Link lost (the connection was closed). Next try in 3 s; seat held 1:52.",
        "Back at table 1 Friends, seat South.",
    ]


@pytest.mark.proves("A-9")
def test_m03_a_card_played_without_a_link_is_shown_only_when_the_server_says_so() -> None:
    driver = LobbyDriver(seed_for_tests=3, bot_delay=0.0)
    nour = solo(driver)
    play_until(nour, m.PlayAction)
    view = nour.conversation.view
    nour.conversation.received(LinkLost(1, 1.0, 100.0, "gone"))
    silent = Silent()
    nour.post = silent.post  # type: ignore[method-assign]  # the wire is cut: what is posted stays here
    assert nour.type("play 1") == ["! No link now: this is sent when it is back."]
    assert nour.conversation.view == view
    (act,) = silent.posted
    nour.conversation.received(m.Error(id=1, code="not_your_turn", message="East is to act"))
    assert nour.printed[-1].startswith("! East is to act (not_your_turn).")
    assert isinstance(act, m.Act)
    assert nour.conversation.view == view


def test_a_session_that_is_over_leads_to_the_lobby() -> None:
    nour = solo(LobbyDriver())
    nour.conversation.received(LinkLost(1, 1.0, 0.0, "gone"))
    nour.conversation.received(LinkBack(resumed=False, welcome=WELCOME))
    assert nour.printed[-1] == (
        "! Connected again, but your seat at table 1 Friends was given up meanwhile "
        "(seats are held for 2 minutes). You are in the lobby."
    )
    assert nour.conversation.view is None


def test_the_end_of_the_link_ends_the_conversation_with_its_reason() -> None:
    nour = TableTalk(LobbyDriver(), "Nour")
    nour.conversation.received(LinkEnded("superseded", "another client took over this seat"))
    assert nour.printed == ["! The link has ended: another client took over this seat."]
    assert nour.conversation.is_over


def test_a_missed_event_is_asked_for_once_and_then_told() -> None:
    printed: list[str] = []
    silent = Silent()
    conversation = Conversation(silent, PlainPresenter(printed.append))
    conversation.received(waiting_table("Friends"))
    one, two, three = (m.Said(table=1, seq=seq, name="Rami", text=f"number {seq}") for seq in (1, 2, 3))
    start = len(printed)
    conversation.received(two)
    conversation.received(three)
    assert silent.posted == [m.Sync(id=0, seq=0)]
    assert printed[start:] == []
    for message in (one, two, three, m.Done(id=1, seq=3)):
        conversation.received(message)
    assert printed[start:] == ["<Rami> number 1", "<Rami> number 2", "<Rami> number 3"]
    assert not conversation.waits


def test_a_sync_that_the_server_refuses_may_be_asked_again() -> None:
    silent = Silent()
    conversation = Conversation(silent, PlainPresenter(lambda _: None))
    conversation.received(waiting_table("Friends"))
    conversation.received(m.Said(table=1, seq=2, name="Rami", text="two"))
    conversation.received(m.Error(id=1, code="rate_limited", message="too fast"))
    assert len(silent.posted) == 2


# ---------------------------------------------------------------- JSON


def test_json_mode_prints_each_message_as_one_object_and_takes_requests_and_plain_commands() -> None:
    driver = LobbyDriver(bot_delay=0.0)
    nour = TableTalk(driver, "Nour", as_json=True)
    lines = nour.type(
        '{"type": "open_table", "name": "J", "turn_seconds": 0}',
        '{"type": "join", "table": 1, "seat": 0}',
        "bot",
        '{"type": "add_bot"}',
        "bot",
        "hand",
    )
    shown = [json.loads(line) for line in lines]
    types = [each["type"] for each in shown]
    assert types[0] == "opened"
    assert {"snapshot", "joined", "bot_seated", "set_started", "deal_started", "done", "answer"} <= set(types)
    assert shown[-1] == {"type": "answer", "command": "hand", "lines": ["You hold no cards now."]}
    assert all(line.isascii() for line in lines)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("{", "not one JSON object"),
        ("{}", "not that of a request. Accepted: list_tables, open_table, join"),
        ('{"type": "hello"}', "not that of a request"),
        ('{"type": "join"}', "missing required field `table`"),
        ('{"type": "act", "action": {"type": "play", "card": "1H"}}', "Invalid enum value"),
        ("[" * 5000, "is not a command"),
        ('{"a":' * 300 + "1" + "}" * 300, "not that of a request"),
        ('{"type": ["join"]}', "not that of a request"),
    ],
)
def test_a_wrong_json_line_gets_a_problem_that_names_the_fault(typed: str, fault: str) -> None:
    nour = TableTalk(LobbyDriver(), "Nour", as_json=True)
    (line,) = nour.type(typed)
    shown = json.loads(line)
    assert shown["type"] == "problem"
    if "[[" not in typed:
        assert fault in shown["message"].replace("[[", "")


def test_plain_mode_takes_no_json() -> None:
    assert TableTalk(LobbyDriver(), "Nour").type('{"type": "join", "table": 1}')[0].startswith("! “{")


# ---------------------------------------------------------------- the table of commands


def test_every_command_of_the_table_has_its_method_and_no_method_is_without_a_command() -> None:
    methods = {name.removeprefix("do_") for name in dir(CommandRunner) if name.startswith("do_")}
    assert methods == {command.name for command in COMMANDS}


def test_no_two_commands_share_a_word() -> None:
    words = [word for command in COMMANDS for word in (command.name, *command.aliases)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_tells_of_each_command_and_its_usage(command: object) -> None:
    nour = TableTalk(LobbyDriver(), "Nour")
    listed = nour.type("help")
    for known in COMMANDS:
        assert any(line.startswith(known.usage) for line in listed)
        assert nour.type(f"help {known.name}")[0].startswith(f"{known.usage}: ")


def test_the_document_lists_every_command_with_its_usage_and_every_option_of_a_table() -> None:
    text = PLAYING_MD.read_text(encoding="utf-8").replace("\\|", "|")
    assert [command.usage for command in COMMANDS if f"`{command.usage}`" not in text] == []
    assert [option for option in TABLE_OPTIONS if f"`{option}" not in text] == []


# ---------------------------------------------------------------- what a newcomer types


@pytest.mark.parametrize(
    ("line", "usage"),
    [
        ("cut", "cut NUMBER"),
        ("trump", "trump SUIT"),
        ("play", "play CARD"),
        ("bot remove", "bot remove SEAT"),
        ("bid", "a number of tricks, with a suit where bids name one, pass, double or game"),
    ],
)
def test_a_command_without_what_it_needs_is_answered_with_its_usage(line: str, usage: str) -> None:
    nour = solo(LobbyDriver())
    (problem,) = nour.type(line)
    assert problem.startswith("! ")
    assert usage in problem
    assert "“”" not in problem


def test_out_of_turn_a_call_a_suit_or_a_number_alone_is_answered_with_whom_the_table_waits_for() -> None:
    nour = solo(LobbyDriver(seed_for_tests=3))
    play_until(nour, m.CutAction)
    nour.type("cut 20")
    waiting = nour.type("table")[-1]
    assert waiting.startswith("Bot ")
    waits_for = f"It is not your turn: {waiting.rstrip('.')}"
    for line in ("9", "٩", "h", "spades", "bid 9", "pass"):
        (problem,) = nour.type(line)
        assert problem.startswith(f"! {waits_for}"), line
        assert "help" not in problem


def test_a_refusal_says_once_what_is_legal() -> None:
    nour = solo(LobbyDriver(seed_for_tests=3))
    play_until(nour, m.CallAction)
    (problem,) = nour.type("14")
    assert (
        problem == "! A bid names at most 13 tricks; you called 14 (bid_too_high). Legal: pass, 8 to 13, game."
    )


def test_a_word_that_is_neither_a_command_nor_a_call_leads_to_the_help() -> None:
    nour = solo(LobbyDriver(seed_for_tests=3))
    play_until(nour, m.CallAction)
    assert nour.type("hlep") == [
        (
            "! “hlep” is not a call. Accepted: a number of tricks, as 9 or 9h, pass, double or game."
            " Type help for the commands."
        )
    ]


def test_who_opened_a_locked_table_sits_down_without_its_password_and_others_are_told_how_to_give_it() -> None:
    driver = LobbyDriver()
    nour, rami = TableTalk(driver, "Nour"), TableTalk(driver, "Rami")
    nour.type('open Friends password="open sesame"')
    assert rami.type("join 1") == ["! This table has a password: type join 1 password=TEXT."]
    assert rami.type("watch 1") == ["! This table has a password: type watch 1 password=TEXT."]
    assert "wrong_password" in rami.type("join 1 password=sesame")[0]
    assert nour.type("join")[0].startswith("Table 1 Friends. You are South.")
    nour.type("leave")
    assert nour.type("join 1 west")[0].startswith("Table 1 Friends. You are West.")
    assert rami.type('join 1 password="open sesame"')[0].startswith("Table 1 Friends. You are South.")


def test_a_player_whose_time_ran_out_is_told_so_once_and_enter_brings_the_whole_time_back() -> None:
    nour = solo(LobbyDriver(seed_for_tests=3, bot_delay=0.0), table="Friends turn=30")
    play_until(nour, m.CallAction)
    start = len(nour.printed)
    while not (is_prompted(nour) and legal_line(nour).startswith("Your turn, 1 second. ")):
        nour.driver.advance(1.0)
        nour.listen()
    for _ in range(5):
        nour.driver.advance(1.0)
        nour.listen()
    assert nour.printed[start:].count(TIME_RAN_OUT) == 1
    while not is_prompted(nour):
        nour.driver.advance(0.5)
        nour.listen()
    told, again = nour.type("")
    assert told == "You play again."
    assert re.match(r"Your turn, (29|30) seconds\. ", again)
    assert nour.type("") == []


def test_whoever_comes_goes_drops_or_talks_a_player_on_turn_stays_on_turn() -> None:
    driver = LobbyDriver(seed_for_tests=3, bot_delay=0.0)
    nour = solo(driver)
    play_until(nour, m.PlayAction)
    rami, layla, huda = (TableTalk(driver, name) for name in ("Rami", "Layla", "Huda"))

    def drop_and_resume() -> None:
        driver.drop(rami.link)
        nour.listen()
        rami.link = driver.resume(rami.link)

    company: dict[type[m.TableEvent], Callable[[], object]] = {
        m.PlayerSeated: lambda: rami.type("join 1 east"),
        m.Said: lambda: rami.type("/salam"),
        m.PlayerBack: drop_and_resume,
        m.SpectatorJoined: lambda: layla.type("watch 1"),
        m.SpectatorLeft: lambda: layla.type("leave"),
        m.PlayerLeft: lambda: huda.type("join 1 west", "leave"),
    }
    for kind, happens in company.items():
        happens()
        nour.listen()
        assert nour.link.of_type(kind), kind
        assert is_prompted(nour), kind
    assert nour.type("1")[0].startswith(("You lead", "You play", "Trick 1. You lead"))


def test_of_the_players_own_lost_link_only_the_link_speaks() -> None:
    driver = LobbyDriver(seed_for_tests=3)
    nour = solo(driver)
    start = len(nour.printed)
    driver.drop(nour.link)
    nour.conversation.received(LinkLost(1, 1.0, 120.0, "gone"))
    nour.link = driver.resume_from_view(nour.link)
    nour.conversation.received(LinkBack(resumed=True, welcome=msgspec.structs.replace(WELCOME, table=1)))
    for message in nour.link.received:
        nour.conversation.received(message)
    assert nour.link.of_type(m.PlayerBack)
    assert "Back at table 1 Friends, seat South." in nour.printed[start:]
    assert not any("Nour lost" in line or "are back" in line for line in nour.printed[start:])


def test_a_table_that_was_to_have_a_password_is_not_opened_without_one() -> None:
    nour = TableTalk(LobbyDriver(), "Nour")
    (problem,) = nour.type("open Friends password= sesame")
    assert problem.startswith("! password= is followed by no password.")
    assert nour.type("tables") == ["No table is open. Open one: open NAME."]


def test_a_preset_is_named_in_either_case() -> None:
    nour = TableTalk(LobbyDriver(), "Nour")
    nour.type("open Friends preset=Classic")
    assert nour.type("tables")[0].endswith(
        "classic rules, first to 31; 45 s a turn, seats held 2:00, a steady bot stands in."
    )


def test_ready_is_answered_at_a_table_that_waits_for_others() -> None:
    nour = TableTalk(LobbyDriver(), "Nour")
    nour.type("open Friends", "join")
    assert nour.type("ready") == [
        "You are ready already.",
        "Waiting for 3 more players: type bot to fill a seat with a bot.",
    ]


def test_refusals_name_seats_as_players_do() -> None:
    driver = LobbyDriver(seed_for_tests=3)
    nour, rami = TableTalk(driver, "Nour"), TableTalk(driver, "Rami")
    nour.type("open Friends turn=0", "join")
    refusals = nour.type("bot south", "bot remove east")
    refusals += rami.type("join 1 south", "join 1 with Nour", "leave", "join 1 east", "leave")
    nour.type("bot", "bot", "bot")
    play_until(nour, m.CallAction)
    nour.type("leave")
    refusals += nour.type("join 1 east")
    said = [line for line in refusals if line.startswith("! ")]
    assert len(said) == 4
    for line, seat in zip(said, ("South", "East", "South", "South"), strict=True):
        assert f"seat {seat}" in line
        assert not re.search(r"seat \d", line)
