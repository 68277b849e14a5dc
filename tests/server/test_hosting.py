"""What a host does to a running server, without sockets: throwing out, bans, announcements, drain."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_server.effects import TimerKind
from tarneeb_server.hosting import MAY_COME_BACK, NotDone

TABLE_EVENTS_OF_PEOPLE = (
    wire.PlayerLeft,
    wire.PlayerAway,
    wire.PlayerBack,
    wire.SpectatorLeft,
    wire.BotSeated,
)


def ban(driver: LobbyDriver, what: str, **options: object) -> list[str]:
    """Ban; the names of those who were thrown out."""
    chosen = {"is_name": False, "is_sure": False, "seconds": None, "reason": "", **options}
    _, out, effects = driver.lobby.ban(what, now=driver.now, **chosen)  # type: ignore[arg-type]  # keyword by keyword as the test gives them
    driver.host(effects)
    return out


def unban(driver: LobbyDriver, what: str) -> None:
    driver.host(driver.lobby.unban(what)[1])


def refusal(driver: LobbyDriver, name: str, address: str | None = None, **fields: object) -> str | None:
    """The code that a hello is refused with; ``None`` when it is not, and the newcomer is gone again."""
    answer = driver.try_hello(name, address, **fields)
    if isinstance(answer, wire.Refused):
        return answer.code
    driver.goodbye(answer)
    return None


def news(link: Link, since: int) -> list[wire.Message]:
    return [message for message in link.received[since:] if isinstance(message, TABLE_EVENTS_OF_PEOPLE)]


# ---------------------------------------------------------------- leaving, losing the link, being kicked


@dataclass(frozen=True)
class Way:
    """A way to be gone from a seat, and what it comes to."""

    does: Callable[[LobbyDriver, Link], None]
    told: tuple[str, ...]
    reason: str = ""
    ends_session: bool = True
    goodbye: str | None = None


def _leave(driver: LobbyDriver, link: Link) -> None:
    driver.ok(link, wire.Leave)


def _stay_away(driver: LobbyDriver, link: Link) -> None:
    driver.drop(link)
    driver.advance(30)


def _drop_and_be_kicked(driver: LobbyDriver, link: Link) -> None:
    driver.drop(link)
    driver.kick(link)


WAYS = {
    "leave": Way(_leave, ("player_left",), "left", ends_session=False),
    "goodbye": Way(LobbyDriver.goodbye, ("player_left",), "left"),
    "drop": Way(LobbyDriver.drop, ("player_away",), ends_session=False),
    "stays away": Way(_stay_away, ("player_away", "player_left"), "grace_over"),
    "kick": Way(LobbyDriver.kick, ("player_left",), "kicked", goodbye="kicked"),
    "drop, then kick": Way(_drop_and_be_kicked, ("player_away", "player_left"), "kicked"),
}


@pytest.mark.parametrize("is_set_in_progress", [True, False], ids=["in a set", "between sets"])
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.proves("L-1", "L-2", "T-7")
def test_leaving_losing_the_link_and_being_kicked_are_three_things_and_each_is_told_once(
    name: str, is_set_in_progress: bool
) -> None:
    way = WAYS[name]
    driver = LobbyDriver(grace_seconds=30, bot_delay=60)
    south, *others = [driver.hello(called) for called in ("South", "East", "North", "West")]
    number = driver.open_table(south, turn_seconds=0)
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=number)
    seated = [south, *others] if is_set_in_progress else [south, *others[:2]]
    for seat, link in zip(Seat, seated, strict=False):
        driver.ok(link, wire.Join, table=number, seat=seat)
    everybody = [*seated[1:], watcher]
    heard = [len(link.received) for link in everybody]
    way.does(driver, south)
    is_left = "player_left" in way.told
    expected = [*way.told, *(["bot_seated"] if is_left and is_set_in_progress else [])]
    for link, since in zip(everybody, heard, strict=True):
        told = news(link, since)
        assert [str(event.__struct_config__.tag) for event in told] == expected
        for event in told:
            if isinstance(event, wire.PlayerLeft):
                assert (event.seat, event.name, event.reason) == (Seat.SOUTH, "South", way.reason)
    assert (driver.lobby.sessions.get(south.session) is None) is way.ends_session
    assert (driver.lobby.tables[number].seating.seat_of(south.session) is None) is is_left
    assert driver.is_timer_set(TimerKind.GRACE, south.session) is (name == "drop")
    if way.goodbye is None:
        assert south.closed_with is None
    else:
        assert south.closed_with is not None
        assert (south.closed_with.code, south.closed_with.resumable) == (way.goodbye, False)
    assert (driver.hello("South").name == "South") is way.ends_session, (
        "the name is free with the session's end"
    )
    if way.ends_session:
        assert refusal(driver, "ignored", resume=south.token) == "bad_token"
    else:
        driver.resume(south)
    driver.check_views()


@pytest.mark.proves("L-1", "L-2")
def test_a_kicked_spectator_is_told_of_as_one_who_left_and_may_come_back() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    watcher = driver.hello("Watcher")
    driver.ok(watcher, wire.Watch, table=1)
    heard = len(links[0].received)
    driver.kick(watcher)
    assert [type(message) for message in links[0].received[heard:]] == [wire.SpectatorLeft]
    again = driver.hello("Watcher")
    assert again.name == "Watcher"
    driver.ok(again, wire.Watch, table=1)


def test_a_kicked_player_gets_nothing_of_the_table_after_the_goodbye() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    driver.kick(links[1], "enough")
    assert isinstance(links[1].received[-1], wire.Goodbye)
    told = f"the host of this server has ended your session: enough ({MAY_COME_BACK})"
    assert links[1].received[-1].message == told
    assert driver.lobby.request(links[1].session, wire.ListTables(id=99), driver.now) == []
    assert driver.lobby.disconnected(links[1].session, links[1].generation, driver.now) == []


def test_a_host_finds_a_player_by_the_name_however_it_is_typed_or_by_number() -> None:
    driver = LobbyDriver()
    layla, other = driver.hello("Làyla"), driver.hello("نور")
    lobby = driver.lobby
    for typed in ("Làyla", "layla", " LAYLA ", f"#{layla.session}"):
        assert lobby.session_called(typed).id == layla.session
    assert lobby.session_called("نور").id == other.session
    for typed in ("Lay", "", "#99", "#x", "\x1b[2J", "#" + "9" * 50):
        with pytest.raises(NotDone, match=r"nobody here is called .*; here: Làyla \(#1\), نور \(#2\)"):
            lobby.session_called(typed)


def test_a_name_that_looks_like_several_is_not_guessed_at() -> None:
    driver = LobbyDriver()
    one, two = driver.hello("paypal"), driver.hello("N")
    assert driver.lobby.session_called("рауpal").id == one.session, "the only one that looks so"
    three = driver.hello("v")
    assert (two.name, three.name) == ("N", "v")
    with pytest.raises(NotDone, match=rf"several are called like .*\(#{two.session}\).*\(#{three.session}\)"):
        driver.lobby.session_called("ν")


def test_a_reason_that_cannot_be_shown_is_refused_and_nothing_happens() -> None:
    driver = LobbyDriver()
    link = driver.hello("Layla")
    session = driver.lobby.session_called("Layla")
    for reason in ("\x1b[2J", "x" * 301, "\u202e"):
        with pytest.raises(NotDone, match="the reason cannot be shown"):
            driver.lobby.kick(session, reason, driver.now)
    assert driver.lobby.sessions.get(link.session) is session


# ---------------------------------------------------------------- bans


@pytest.mark.proves("L-3")
def test_a_banned_name_is_thrown_out_and_nobody_comes_in_by_it_until_it_is_lifted() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    driver.kick(links[3])
    layla = driver.hello("Layla")
    driver.ok(layla, wire.Join, table=1, seat=Seat.WEST)
    assert ban(driver, "LAYLA", reason="rude") == ["Layla"]
    assert layla.closed_with is not None
    assert (layla.closed_with.code, layla.closed_with.resumable) == ("banned", False)
    assert layla.closed_with.message == "the host of this server has banned this name: rude"
    last = [message for message in links[0].received if isinstance(message, wire.PlayerLeft)][-1]
    assert (last.name, last.reason) == ("Layla", "kicked")
    assert refusal(driver, "layla") == "banned"
    assert refusal(driver, "Làyla") == "banned"
    assert refusal(driver, "ignored", resume=layla.token) == "bad_token"
    assert refusal(driver, "Lara") is None
    unban(driver, "layla")
    assert refusal(driver, "Layla") is None


@pytest.mark.proves("L-3")
def test_a_banned_network_throws_out_who_is_there_and_lets_no_hello_in_nor_any_resume() -> None:
    driver = LobbyDriver(grace_seconds=60)
    near, far = driver.hello("Near", "192.168.7.9"), driver.hello("Far", "10.0.0.1")
    away = driver.hello("Away", "192.168.7.10")
    driver.open_table(away)
    driver.ok(away, wire.Join, table=1)
    driver.drop(away)
    assert ban(driver, "192.168.7.1/24") == ["Near", "Away"]
    assert near.closed_with is not None
    assert near.closed_with.code == "banned"
    assert far.closed_with is None
    assert refusal(driver, "Other", "192.168.7.200") == "banned"
    assert refusal(driver, "Other", "192.168.8.1") is None
    assert refusal(driver, "ignored", "192.168.7.1", resume=far.token) == "banned"
    assert refusal(driver, "Other", "::ffff:192.168.7.3") == "banned"
    assert refusal(driver, "Other", None) is None, "an address that is not known is in no network"
    driver.drop(far)
    assert isinstance(driver.try_hello("ignored", "10.0.0.1", resume=far.token), Link)
    with pytest.raises(NotDone, match=r"'192\.168\.7\.9' is not banned; banned: 192\.168\.7\.0/24"):
        driver.lobby.unban("192.168.7.9")
    unban(driver, "192.168.7.0/24")
    assert refusal(driver, "Other", "192.168.7.200") is None


def test_a_zone_does_not_hide_an_address() -> None:
    driver = LobbyDriver()
    ban(driver, "fe80::1")
    assert refusal(driver, "Other", "fe80::1%eth0") == "banned"


@pytest.mark.parametrize("what", ["127.0.0.1", "127.3.0.0/16", "0.0.0.0/0", "::1", "::/0", "::ffff:127.0.0.1"])
def test_this_machine_itself_is_banned_only_by_a_host_who_is_sure(what: str) -> None:
    driver = LobbyDriver()
    link = driver.hello("Layla", "127.0.0.1")
    with pytest.raises(NotDone, match="say --yes"):
        ban(driver, what)
    assert link.closed_with is None
    assert len(driver.lobby.bans) == 0
    ban(driver, what, is_sure=True)
    assert len(driver.lobby.bans) == 1


def test_a_ban_for_a_time_says_how_long_and_ends_with_it() -> None:
    driver = LobbyDriver()
    ban(driver, "Layla", seconds=3600)
    driver.advance(1800)
    answer = driver.try_hello("Layla")
    assert isinstance(answer, wire.Refused)
    assert answer.message == "the host of this server has banned this name for another 30m"
    driver.advance(1799)
    assert refusal(driver, "Layla") == "banned"
    driver.advance(1)
    assert refusal(driver, "Layla") is None
    assert len(driver.lobby.bans) == 0


def test_banning_the_same_again_replaces_the_time() -> None:
    driver = LobbyDriver()
    ban(driver, "Layla", seconds=10)
    ban(driver, "layla", seconds=100)
    ban(driver, "10.0.0.1", seconds=10)
    ban(driver, "10.0.0.1/32")
    assert len(driver.lobby.bans) == 2
    driver.advance(50)
    assert refusal(driver, "Layla") == "banned"
    assert refusal(driver, "Other", "10.0.0.1") == "banned"
    driver.advance(51)
    assert [each.what for each in driver.lobby.bans] == ["10.0.0.1"]


def test_what_looks_like_an_address_may_be_meant_as_a_name() -> None:
    driver = LobbyDriver()
    link = driver.hello("10.0.0.1", "10.0.0.2")
    assert ban(driver, "10.0.0.1", is_name=True) == ["10.0.0.1"]
    assert link.closed_with is not None
    assert refusal(driver, "Other", "10.0.0.1") is None


def test_nobody_is_given_a_banned_name_because_another_is_taken() -> None:
    driver = LobbyDriver()
    ban(driver, "Ali 2")
    assert [driver.hello("Ali").name, driver.hello("Ali").name] == ["Ali", "Ali 3"]


@pytest.mark.parametrize("what", ["", "   ", "\x1b", "n" * 25, "10.0.0.0/33 is no network at all"])
def test_what_is_neither_address_nor_name_is_not_banned(what: str) -> None:
    driver = LobbyDriver()
    with pytest.raises(NotDone, match="is no address, no network and no name"):
        ban(driver, what)


@pytest.mark.parametrize(
    "what",
    [
        "10.0.0.0/99",
        "203.0.113.300",
        "2001:db8::/200",
        "203.0.113.0/24x",
        "203.0.113.0 / 24 0",
        "10.1.2",
        "192.168.1.*",
    ],
)
def test_a_mistyped_address_is_not_banned_as_a_name_but_for_a_host_who_says_so(what: str) -> None:
    driver = LobbyDriver()
    with pytest.raises(NotDone, match="no address and no network"):
        driver.lobby.ban(what, is_name=False, is_sure=True, seconds=None, reason="", now=0)
    ban, _, _ = driver.lobby.ban(what, is_name=True, is_sure=True, seconds=None, reason="", now=0)
    assert ban.name == " ".join(what.split())


@pytest.mark.parametrize("what", ["Nour 2", "A.B.C", "R2-D2", "3:1", "Abdel.2"])
def test_a_name_with_digits_or_dots_is_a_name(what: str) -> None:
    ban, _, _ = LobbyDriver().lobby.ban(what, is_name=False, is_sure=True, seconds=None, reason="", now=0)
    assert ban.name == what


def test_bans_outlive_a_server_that_is_killed_and_end_on_time_after_it(tmp_path: Path) -> None:
    driver = LobbyDriver(data_dir=str(tmp_path))
    driver.keep_in(tmp_path)
    ban(driver, "Layla", reason="rude")
    ban(driver, "10.0.0.0/8", seconds=86400)
    ban(driver, "Rami", seconds=86400)
    ban(driver, "Huda")
    unban(driver, "Huda")
    driver.kill_and_restart()
    answer = driver.try_hello("Layla")
    assert isinstance(answer, wire.Refused)
    assert answer.message.endswith(": rude")
    assert refusal(driver, "Other", "10.1.2.3") == "banned"
    assert refusal(driver, "Huda") is None
    driver.advance(86401)
    assert sorted(each.what for each in driver.lobby.bans) == ["Layla"]
    assert driver.journal is not None
    assert [kept.name for kept in driver.journal.store.load().bans] == ["Layla"]
    driver.journal.store.close()


def test_a_ban_whose_time_passed_while_the_server_was_off_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = LobbyDriver(data_dir=str(tmp_path))
    driver.keep_in(tmp_path)
    ban(driver, "Layla", seconds=100)
    ban(driver, "Rami", seconds=1000)
    real = time.time
    monkeypatch.setattr("tarneeb_server.store.time.time", lambda: real() + 500)
    driver.kill_and_restart()
    assert [each.what for each in driver.lobby.bans] == ["Rami"]
    driver.advance(490)
    assert refusal(driver, "Rami") == "banned"
    driver.advance(12)
    assert refusal(driver, "Rami") is None
    assert driver.journal is not None
    assert driver.journal.store.load().bans == []
    driver.journal.store.close()


ADDRESSES = st.ip_addresses(v=4, network="10.0.0.0/28").map(str) | st.ip_addresses(
    v=6, network="fd00::/124"
).map(str)
NAMES = st.sampled_from(["Ali", "ali", "Alí", "Rami", "Huda", "Sami", "نور"])


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_whoever_is_here_is_not_banned_and_whoever_is_banned_does_not_come_in(data: st.DataObject) -> None:
    """After any bans, liftings, hellos, resumes and passing of time."""
    driver = LobbyDriver(grace_seconds=50)
    links: list[Link] = []
    for _ in range(data.draw(st.integers(1, 25))):
        match data.draw(st.sampled_from(["hello", "hello", "resume", "drop", "ban", "ban", "unban", "time"])):
            case "hello":
                address = data.draw(ADDRESSES)
                answer = driver.try_hello(data.draw(NAMES), address)
                if isinstance(answer, Link):
                    links.append(answer)
                else:
                    assert answer.code == "banned"
            case "resume" if links:
                driver.try_hello("x", data.draw(ADDRESSES), resume=data.draw(st.sampled_from(links)).token)
            case "drop":
                connected = [link for link in links if link.is_connected]
                if connected:
                    driver.drop(data.draw(st.sampled_from(connected)))
            case "ban":
                what = data.draw(NAMES | ADDRESSES | ADDRESSES.map(lambda address: f"{address}/30"))
                ban(driver, what, seconds=data.draw(st.none() | st.integers(1, 60)))
            case "unban" if len(driver.lobby.bans):
                unban(driver, data.draw(st.sampled_from(list(driver.lobby.bans))).what)
            case _:
                driver.advance(data.draw(st.integers(1, 40)))
        bans = driver.lobby.bans
        for session in driver.lobby.sessions:
            assert bans.of_name(session.keys) is None
            assert bans.of_address(session.address) is None
        for each in bans:
            assert driver.is_timer_set(TimerKind.BAN, each.number) is (each.until is not None)
            assert each.until is None or each.until > driver.now
        assert len({each.what for each in bans}) == len(bans)


# ---------------------------------------------------------------- announcements


def test_an_announcement_reaches_everybody_who_is_connected_wherever_they_are() -> None:
    driver = LobbyDriver()
    links = [*driver.four_players(turn_seconds=0), driver.hello("Idle"), driver.hello("Watcher")]
    driver.ok(links[5], wire.Watch, table=1)
    driver.drop(links[0])
    count, effects = driver.lobby.announce("Tea  is ready")
    driver.host(effects)
    assert count == 5
    notices = [link.of_type(wire.Notice) for link in links]
    assert notices == [[], *[[wire.Notice(reason="host", text="Tea is ready")]] * 5]
    for text in ("", "\x1b]0;x\x07", "x" * 301):
        with pytest.raises(NotDone):
            driver.lobby.announce(text)
    driver.check_views()


# ---------------------------------------------------------------- drain


def drain(driver: LobbyDriver, seconds: float = 600) -> None:
    driver.host(driver.lobby.drain(seconds, driver.now))


@pytest.mark.proves("D-4", "D-5", "D-6")
def test_a_server_that_drains_opens_no_table_and_begins_no_set_and_stops_when_the_last_one_is_over() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=1)
    idle = driver.hello("Idle")
    drain(driver, 100_000)
    for link in (*links, idle):
        (notice,) = link.of_type(wire.Notice)
        assert isinstance(notice, wire.Notice)
        assert (notice.reason, notice.seconds) == ("drain", 100_000)
    assert driver.refused(idle, wire.OpenTable, name="New") == "shutdown"
    newcomer = driver.hello("Newcomer")
    assert [type(message) for message in newcomer.received] == [wire.Welcome, wire.Notice]
    driver.ok(newcomer, wire.Watch, table=1)
    while driver.table_of(links[0]).is_playing:
        assert driver.stopped is None
        driver.advance(0.5)
    assert all(link.prompt is None for link in links), "no ready is offered"
    assert driver.refused(links[0], wire.Act, action=wire.ReadyAction()) == "shutdown"
    driver.advance(1)
    assert driver.stopped == "drained"
    assert len(driver.records) == 1
    driver.check_views()


@pytest.mark.proves("D-6")
def test_who_was_told_of_the_drain_is_not_told_again_by_a_resume_and_who_was_away_is() -> None:
    driver = LobbyDriver()
    links = driver.four_players(turn_seconds=0)
    driver.drop(links[0])
    drain(driver)
    driver.resume_from_view(links[0])
    driver.drop(links[1])
    driver.resume_from_view(links[1])
    assert [len(link.of_type(wire.Notice)) for link in links] == [1, 1, 1, 1]
    drain(driver, 60)
    assert [len(link.of_type(wire.Notice)) for link in links] == [2, 2, 2, 2], "the time is another"


def test_a_drain_stops_when_its_time_is_over_whatever_is_played() -> None:
    driver = LobbyDriver()
    driver.four_players(turn_seconds=0)
    drain(driver, 30)
    driver.advance(29.9)
    assert driver.stopped is None
    driver.advance(0.2)
    assert driver.stopped == "drained"


def test_a_drain_does_not_wait_for_a_table_at_which_nobody_is() -> None:
    driver = LobbyDriver(grace_seconds=500)
    links = driver.four_players(turn_seconds=0)
    drain(driver)
    driver.advance(10)
    assert driver.stopped is None
    for link in links:
        driver.drop(link)
    driver.advance(1.1)
    assert driver.stopped == "drained"


@pytest.mark.proves("D-6")
def test_a_drain_that_is_cancelled_lets_sets_begin_again_at_once_where_all_are_ready() -> None:
    driver = LobbyDriver(bot_delay=0.0)
    links = driver.four_players(turn_seconds=1)
    for link in links[1:]:
        driver.goodbye(link)
    drain(driver, 100_000)
    table = driver.table_of(links[0])
    while table.is_playing and driver.stopped is None:
        driver.advance(0.5)
    driver.host(driver.lobby.cancel_drain(driver.now))
    last = links[0].of_type(wire.Notice)[-1]
    assert isinstance(last, wire.Notice)
    assert (last.reason, last.seconds) == ("drain_over", None)
    prompt = links[0].prompt
    assert prompt is not None
    assert prompt.actions == (wire.ReadyAction(),)
    driver.ok(links[0], wire.Act, action=wire.ReadyAction())
    assert table.state is wire.TableState.PLAYING
    assert not driver.is_timer_set(TimerKind.DRAIN, 0)
    with pytest.raises(NotDone, match="does not drain"):
        driver.lobby.cancel_drain(driver.now)


def test_a_table_that_fills_while_the_server_drains_begins_its_set_on_the_next_server(tmp_path: Path) -> None:
    driver = LobbyDriver(data_dir=str(tmp_path), bot_delay=60)
    driver.keep_in(tmp_path)
    link = driver.hello("South")
    number = driver.open_table(link)
    driver.ok(link, wire.Join, table=number)
    drain(driver)
    for _ in range(3):
        driver.ok(link, wire.AddBot)
    driver.advance(2)
    assert driver.stopped == "drained"
    driver.kill_and_restart()
    assert not driver.lobby.tables[number].is_playing, "nobody is back yet"
    driver.resume_from_view(link)
    assert driver.lobby.tables[number].is_playing
    driver.check_views()
    assert driver.journal is not None
    driver.journal.check(driver.lobby, driver.now)
    driver.journal.store.close()


@pytest.mark.proves("T-2", "D-5")
def test_a_table_that_fills_while_the_server_drains_begins_its_set_when_that_is_cancelled() -> None:
    driver = LobbyDriver()
    links = [driver.hello(name) for name in ("South", "East", "North", "West")]
    number = driver.open_table(links[0])
    for link in links[:3]:
        driver.ok(link, wire.Join, table=number)
    drain(driver)
    driver.ok(links[3], wire.Join, table=number)
    assert not driver.lobby.tables[number].is_playing
    driver.host(driver.lobby.cancel_drain(driver.now))
    assert driver.lobby.tables[number].is_playing
    driver.check_views()
