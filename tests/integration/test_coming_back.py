"""Clients that are killed, hung up on and started again, as processes, against a server as a process."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from support.player_process import Home, Player
from support.processes import ServerProcess, client_command, environment, running_server
from tarneeb_client.conformance.scripted.stage import ABOUT
from tarneeb_client.conformance.wire import frame

pytestmark = pytest.mark.slow
SECONDS = 60.0
DEAL = ("open Friends turn=0", "join 1 south", "bot", "bot", "bot", "cut 20")
LATER = r"1:([0-4]\d|5[0-8])"
"""What is left of two minutes some seconds later, however busy the machine."""
BACK = "Back at table 1 Friends, seat South."


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    with running_server("--seed-for-tests", "3", "--bot-delay", "0") as running:
        yield running


def into_a_trick(player: Player) -> tuple[str, str]:
    """Play until it is the player's turn in a trick that others have begun; the hand and the trick."""
    player.type(*DEAL)
    player.read_until("Your hand: ")
    while True:
        turn = player.read_until("Your turn")
        if "bid" in turn:
            player.type("pass" if "pass" in turn else "7")
        elif "Name the trump" in turn:
            player.type("trump s")
        elif "Cut" in turn:
            player.type("cut 20")
        else:
            player.type("table")
            hand = player.read_until("Your hand: ")
            table = player.lines[-6:]
            trick = next((line for line in table if re.match(r"Trick \d+: ", line)), None)
            player.read_until("It is your turn.")
            if trick is not None:
                return hand, trick
            player.type("1")


def secrets_of(home: Home) -> list[str]:
    """The tokens in the files of kept sessions."""
    return [
        json.loads(file.read_bytes().partition(b"\n")[2])["token"] for file in home.sessions.glob("*.session")
    ]


# ---------------------------------------------------------------- killed and started again


def test_a_client_that_is_killed_in_a_trick_is_back_at_the_same_seat_with_the_same_hand_and_trick(
    server: ServerProcess,
) -> None:
    home = Home()
    with home.start("play", server.address, "--plain", "--name", "Nour") as first:
        hand, trick = into_a_trick(first)
        assert first.end(signal.SIGKILL) == -signal.SIGKILL
        assert first.errors() == ""
    with home.start("play", server.address, "--plain") as second:
        second.read_until(BACK)
        assert second.read_until("Trick ") == trick
        assert second.read_until("Your hand: ") == hand
        second.read_until("Your turn")
        second.type("1")
        second.read_until(
            "You play "
        )  # the request is a new one to the server, not one that it answered before
        second.type("quit")
        assert second.process.wait(SECONDS) == 0
        assert second.errors() == ""
    assert home.kept() == []
    log = server.log.read_text()
    assert "level=ERROR" not in log
    assert log.count("event=player_back") == 1


def test_a_chain_of_kills_keeps_one_seat_and_no_token_is_shown_anywhere(server: ServerProcess) -> None:
    home = Home()
    tokens: list[str] = []
    hands: set[str] = set()
    shown = ""
    for kills in range(4):
        with home.start("play", server.address) as player:
            if kills:
                player.read_until(BACK)
            else:
                player.type(*DEAL)
            hands.add(player.read_until("Your hand: "))
            player.ask("who", "Table 1 Friends")
            tokens += secrets_of(home)
            player.end(signal.SIGKILL)
            shown += "\n".join(player.rest()) + player.errors()
    assert len(hands) == 1
    assert len(set(tokens)) == 4  # a new one each time
    assert not any(token in text for token in tokens for text in (shown, server.log.read_text()))


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGHUP, 129), (signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=str
)
def test_a_signal_leaves_the_seat_held_and_the_last_line_says_how_to_come_back(
    server: ServerProcess, number: signal.Signals, status: int
) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as first:
        first.type(*DEAL)
        hand = first.read_until("Your hand: ")
        assert first.end(number) == status
        assert first.rest()[-1] == f"Your seat is held for 2 minutes: tarneeb play {server.address}"
        assert first.errors() == ""
    log = server.log.read_text()
    assert "event=player_away" in log
    assert "event=player_left" not in log
    ended = home.run("play", server.address, typed="hand\n")
    assert BACK in ended.stdout
    assert ended.stdout.splitlines()[-1] == hand
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "reason=left" in server.log.read_text()  # the end of the input gives the seat up
    assert home.kept() == []


def test_in_json_the_last_line_is_an_object_with_the_command(server: ServerProcess) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour", "--json") as player:
        player.type("open Friends", "join 1 south")
        player.read_until('{"type": "joined"')
        player.end(signal.SIGTERM)
        assert json.loads(player.rest()[-1]) == {
            "type": "seat_held",
            "seconds": 120,
            "command": f"tarneeb play {server.address}",
        }
    with home.start("play", server.address, "--json") as again:
        welcome = json.loads(again.read_until('{"type": "welcome"'))
        assert (welcome["resumed"], welcome["table"], welcome["token"]) == (True, 1, "")
        assert json.loads(again.read_until('{"type": "snapshot"'))["seat"] == 0


@pytest.mark.parametrize("ending", ["quit", "end of the input"])
def test_who_quits_gives_the_seat_up_at_once_and_leaves_nothing_on_disk(
    server: ServerProcess, ending: str
) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as player:
        player.type("open Friends", "join 1 south")
        player.read_until("Rules: ")
        (file,) = home.sessions.glob("*.session")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(home.sessions.stat().st_mode) == 0o700
        if ending == "quit":
            player.type("quit")
            assert player.process.wait(SECONDS) == 0
        else:
            assert player.close_input() == 0
        assert not any("is held for" in line for line in player.rest())
    assert home.kept() == []
    assert "reason=left" in server.log.read_text()
    assert home.run("play", server.address).stdout.startswith("Connected to ")


def test_who_is_interrupted_in_the_lobby_has_nothing_to_come_back_to(server: ServerProcess) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as player:
        player.read_until("Connected to ")
        assert player.end(signal.SIGINT) == 130
        assert len(player.rest()) == 1
    assert home.kept() == []
    assert "event=session_ended" in server.log.read_text()


def test_a_spectator_that_was_killed_watches_again_without_being_told_where(server: ServerProcess) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as nour:
        nour.type("open Friends", "join 1 south")
        nour.read_until("Rules: ")
        with home.start("watch", server.address, "--table", "Friends") as layla:
            layla.read_until("Table 1 Friends. You watch.")
            layla.end(signal.SIGKILL)
        with home.start("watch", server.address) as again:
            again.read_until("Back at table 1 Friends, watching.")
            assert again.end(signal.SIGTERM) == 143
            place = f"Your place is kept for 2 minutes: tarneeb watch {server.address}"
            assert again.rest()[-1] == place
        assert nour.ask("who", "Watching: ")


def test_another_table_than_the_one_of_the_held_seat_is_not_joined_over_it(server: ServerProcess) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as player:
        player.type("open Friends", "open Others", "join 1 south")
        player.read_until("Rules: ")
        player.end(signal.SIGKILL)
    with home.start("play", server.address, "--table", "Others") as again:
        again.read_until(BACK)
        assert again.read_until("! ").startswith("! You are still at table 1: leave it first.")
        again.end(signal.SIGKILL)
    with home.start("play", server.address, "--table", "friends", "--seat", "south") as same:
        same.read_until(BACK)
        assert same.ask("score", "No set").startswith("No set")
        assert not any(line.startswith("! ") for line in same.lines)


# ---------------------------------------------------------------- two at once


def test_two_terminals_of_one_person_are_two_players_and_both_are_back_after_both_were_killed(
    server: ServerProcess,
) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as first:
        first.type("open Friends", "join 1 south")
        first.read_until("Rules: ")
        with home.start("play", server.address, "--name", "Nour", "--table", "1", "--seat", "east") as second:
            assert second.read_until("Connected to ").endswith("as Nour 2. 1 table. Type help.")
            second.read_until("Rules: ")
            first.read_until("Nour 2 takes seat East.")
            for each in (first, second):
                each.end(signal.SIGKILL)
    with home.start("play", server.address) as first, home.start("play", server.address) as second:
        seats = {each.read_until("Back at table 1 Friends, seat ") for each in (first, second)}
        assert seats == {BACK, "Back at table 1 Friends, seat East."}
        with home.start("play", server.address, "--name", "Nour") as third:
            assert third.read_until("Connected to ").endswith("as Nour 3. 1 table. Type help.")
    assert "superseded" not in server.log.read_text()


def test_new_and_another_name_come_as_somebody_new_and_leave_the_held_seat_alone(server: ServerProcess) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as player:
        player.type("open Friends", "join 1 south")
        player.read_until("Rules: ")
        player.end(signal.SIGKILL)
    assert "as Nour 2" in home.run("play", server.address, "--name", "Nour", "--new").stdout
    assert "as Sami" in home.run("play", server.address, "--name", "Sami").stdout
    assert BACK in home.run("play", server.address, "--name", "Nour").stdout


# ---------------------------------------------------------------- what the server and the disk may do


def test_a_seat_that_was_given_up_meanwhile_is_said_and_the_player_is_in_the_lobby() -> None:
    home = Home()
    with running_server("--grace-seconds", "1") as server:
        with home.start("play", server.address, "--name", "Nour") as player:
            player.type("open Friends", "join 1 south")
            player.ask("tables", "Table 1 Friends: ")  # its answer is taken in after the place was noted
            player.end(signal.SIGKILL)
        deadline = time.monotonic() + SECONDS
        while "event=player_left" not in server.log.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        ended = home.run("play", server.address, typed="hand\n")
        given_up, greeting, *_ = ended.stdout.splitlines()
        assert (
            given_up == "! Your seat at table 1 Friends was given up meanwhile (seats are held for 1 second)."
        )
        assert greeting.startswith("Connected to ")
        assert home.kept() == []


def test_another_server_at_the_same_address_is_shown_no_token() -> None:
    home = Home()
    with running_server() as server:
        with home.start("play", server.address, "--name", "Nour") as player:
            player.type("open Friends", "join 1 south")
            player.read_until("Rules: ")
            player.ask("tables", "Table 1 Friends: ")  # its answer is taken in after the place was noted
            player.end(signal.SIGKILL)
        (token,) = secrets_of(home)
        port = server.port
        server.stop()
    with running_server("--port", str(port)) as other:
        ended = home.run("play", other.address, "--name", "Nour", "--new")
        assert "another server" not in ended.stdout
        ended = home.run("play", other.address, "--name", "Nour")
        assert ended.stdout.splitlines()[0] == (
            "! This is another server than the one your seat at table 1 Friends was on, or it lost its data."
        )
        other.stop()
    assert secrets_of(home) == [token]
    heard = b""
    with (
        socket.create_server(("127.0.0.1", port)) as impostor,
        home.start("play", f"127.0.0.1:{port}") as client,
    ):
        connection, _ = impostor.accept()
        with connection:
            connection.settimeout(SECONDS)
            heard += connection.recv(65536)  # it asks who this is
            connection.sendall(about_of("somebody else"))
            heard += connection.recv(65536)  # and says hello
        client.end(signal.SIGKILL)
    assert b"describe" in heard
    assert b"hello" in heard
    assert token.encode() not in heard
    assert secrets_of(home) == [token]  # for when the other one is back


def about_of(server: str) -> bytes:
    """The frame of an ``about``, from a real server but for who it is."""
    return frame(**{**ABOUT, "server": server})


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.write_bytes(b"{}"), "is not used: it is not one of this program's."),
        (lambda file: os.truncate(file, 200), "is not used: it is damaged."),
        (
            lambda file: file.chmod(0o644),
            "is open to others (mode 644): chmod 600 it, if it is yours, or remove it.",
        ),
        (
            lambda file: (file.rename(f"{file}.moved"), file.symlink_to(f"{file}.moved")),
            "it is a symbolic link.",
        ),
    ],
    ids=["strange", "cut off", "open to others", "link"],
)
def test_a_session_file_that_cannot_be_trusted_is_a_warning_and_play_goes_on(
    server: ServerProcess, spoil: object, said: str
) -> None:
    home = Home()
    with home.start("play", server.address, "--name", "Nour") as player:
        player.type("open Friends", "join 1 south")
        player.read_until("Rules: ")
        player.end(signal.SIGKILL)
    (file,) = home.sessions.glob("*.session")
    assert callable(spoil)
    spoil(file)
    ended = home.run("play", server.address, "--name", "Nour", typed="tables\n")
    (warning,) = ended.stderr.splitlines()
    assert warning.startswith("tarneeb play: ")
    assert warning.endswith(said)
    assert "as Nour 2" in ended.stdout
    assert ended.returncode == 0


@pytest.mark.parametrize("trouble", ["a file in the way", "open to others"])
def test_without_a_folder_for_it_play_goes_on_and_the_seat_is_given_up_rather_than_held_for_nobody(
    server: ServerProcess, trouble: str
) -> None:
    home = Home()
    if trouble == "a file in the way":
        home.sessions.parent.mkdir(parents=True)
        home.sessions.write_text("")
    else:
        home.sessions.mkdir(parents=True)
        home.sessions.chmod(0o777)
    with home.start("play", server.address, "--name", "Nour") as player:
        player.type("open Friends", "join 1 south")
        player.read_until("Rules: ")
        assert player.end(signal.SIGTERM) == 143
        assert not any("is held for" in line for line in player.rest())
        (warning,) = player.errors().splitlines()
    assert warning.startswith("tarneeb play: ")
    assert warning.endswith("Your seat cannot be kept for a new start of this program.")
    assert "reason=left" in server.log.read_text()


def test_a_disk_without_room_is_a_warning_and_play_goes_on(server: ServerProcess) -> None:
    limited = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
        "sys.argv[0] = 'tarneeb'; runpy.run_module('tarneeb_client', run_name='__main__')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", limited, "play", server.address, "--name", "Nour"],
        input="open Friends\njoin 1 south\nquit\n",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=environment(),
        check=False,
    )
    assert ended.returncode == 0
    assert "You are South." in ended.stdout
    (warning,) = ended.stderr.splitlines()
    assert warning.endswith(
        "cannot be written: File too large. Your seat cannot be kept for a new start of this program."
    )


def test_solo_keeps_nothing() -> None:
    home = Home()
    with home.start("solo", "--name", "Nour", "--seed", "3") as player:
        player.read_until("Your turn")
        player.end(signal.SIGTERM)
        assert not any("is held for" in line for line in player.rest())
    assert not home.state.exists()


# ---------------------------------------------------------------- at a terminal


class Terminal:
    """``tarneeb play`` at a pretended terminal that answers where its cursor is, as real ones do."""

    def __init__(self, home: Home, *arguments: str, term: str = "xterm") -> None:
        self.controller, terminal = pty.openpty()
        self.shown = b""
        script = (
            "import fcntl, os, sys, termios\n"
            "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
            "os.execv(sys.argv[1], sys.argv[1:])\n"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, *client_command(*arguments)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**home.environment, "TERM": term, "COLUMNS": "100", "LINES": "24"},
            start_new_session=True,
        )
        os.close(terminal)

    def type(self, keys: str) -> None:
        os.write(self.controller, keys.encode())

    def read_until(self, text: str) -> None:
        """Read until ``text`` is shown."""
        self.read_until_match(re.escape(text))

    def read_until_match(self, pattern: str) -> None:
        """Read until what matches is shown. What is only partly drawn anew is asked for in full (Ctrl-L)."""
        deadline = time.monotonic() + SECONDS
        while not re.search(pattern, self.text()):
            readable, _, _ = select.select([self.controller], [], [], 0.2)
            if not readable:
                assert time.monotonic() < deadline, f"{pattern} was not shown, but {self.text()[-2000:]!r}"
                self.type("\x0c")
                continue
            try:
                new = os.read(self.controller, 65536)
            except OSError:  # the terminal's other end was closed
                new = b""
            assert new, f"{pattern} was not shown, but {self.text()!r}"
            self.shown += new
            for _ in range(new.count(b"\x1b[6n")):
                os.write(self.controller, b"\x1b[1;1R")

    def text(self) -> str:
        """What was shown, without the commands to the terminal."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.shown.decode("utf-8", "replace"))

    def hang_up(self) -> None:
        os.close(self.controller)
        self.controller = -1

    def clean_up(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.controller >= 0:
            self.hang_up()


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_terminal_that_is_closed_leaves_the_seat_held(server: ServerProcess, term: str) -> None:
    home = Home()
    terminal = Terminal(home, "play", "--lines", server.address, "--name", "Nour", term=term)
    try:
        terminal.read_until("Connected to ")
        terminal.type("open Friends turn=0\r")
        terminal.read_until("is open")
        terminal.type("join 1 south\r")
        terminal.read_until("Rules: ")
        terminal.hang_up()
        assert terminal.process.wait(SECONDS) == 129
    finally:
        terminal.clean_up()
    log = server.log.read_text()
    assert "event=player_away" in log
    assert "event=player_left" not in log
    assert BACK in home.run("play", server.address).stdout


@pytest.mark.parametrize(
    ("keys", "is_held", "status"), [("\x03\x03", True, 130), ("\x04", False, 0)], ids=ascii
)
def test_at_an_input_line_ctrl_c_twice_holds_the_seat_and_ctrl_d_gives_it_up(
    server: ServerProcess, keys: str, status: int, *, is_held: bool
) -> None:
    home = Home()
    terminal = Terminal(home, "play", "--lines", server.address, "--name", "Nour")
    try:
        terminal.read_until("Connected to ")
        terminal.type("open Friends turn=0\r")
        terminal.read_until("is open")
        terminal.type("join 1 south\r")
        terminal.read_until("Rules: ")
        for key in keys:
            terminal.type(key)
            if key == "\x03" and "again to leave" not in terminal.text():
                terminal.read_until("Press Ctrl-C again to leave.")
        if is_held:
            terminal.read_until(f"Your seat is held for 2 minutes: tarneeb play {server.address}")
        assert terminal.process.wait(SECONDS) == status
    finally:
        terminal.clean_up()
    assert bool(home.kept()) is is_held
    assert ("reason=left" in server.log.read_text()) is not is_held


def test_the_line_under_the_input_counts_down_while_another_is_away_and_while_the_link_is_lost() -> None:
    home, other = Home(), Home()
    with running_server() as server:
        terminal = Terminal(home, "play", "--lines", server.address, "--name", "Nour")
        try:
            terminal.read_until("Connected to ")
            terminal.type("open Friends turn=0\r")
            terminal.read_until("is open")
            terminal.type("join 1 south\r")
            terminal.read_until("Rules: ")
            with other.start("play", server.address, "--name", "Sami", "--table", "1") as sami:
                sami.read_until("Rules: ")
                terminal.read_until("Sami takes seat East.")
                sami.end(signal.SIGKILL)
            terminal.read_until("Sami is away, seat held 1:59")
            terminal.read_until_match(f"Sami is away, seat held {LATER}")
            server.stop(signal.SIGKILL)
            terminal.read_until("! Link lost (the connection was closed).")
            attempt = r"try \d+ (in \d+ s|under way)"
            terminal.read_until_match(f"Link lost: {attempt}; seat held {LATER}; retry to try now")
            terminal.type("retry\r")
            terminal.type("\x03")
            terminal.read_until("Press Ctrl-C again to leave.")
            terminal.type("\x03")
            terminal.read_until_match(r"Your seat is held for 1 minute( \d+ seconds?)?: tarneeb play ")
            assert terminal.process.wait(SECONDS) == 130
        finally:
            terminal.clean_up()
