"""The keeper of sessions: who gets which, what the next process finds, and what a bad disk means."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
import trio

from support.fake_server import WELCOME
from tarneeb_client import session_keeper
from tarneeb_client.kept_session import IDS_OF_A_PROCESS, KeptSession
from tarneeb_client.session_keeper import IN_MEMORY, SessionKeeper
from tarneeb_client.session_slots import KEPT_SECONDS, SLOTS, Slot
from tarneeb_client.state import TableView
from tarneeb_client.state_folder import StateFolder
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m

ADDRESS = "majlis.example:4000"
SERVER = WELCOME.server
SECRET = "a token that no warning may show"
VIEW = TableView(
    m.Snapshot(
        table=3,
        seq=10,
        name="Friends",
        state=m.TableState.WAITING,
        rules=Ruleset(),
        turn_seconds=0,
        grace_seconds=120,
        seats=(m.SeatSummary(name="Nour"), None, None, None),
        seat=Seat.SOUTH,
    )
)


class Home:
    """A player's state directory. ``begin`` is a new process there, as far as the keeper knows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = 1000.0
        self.warnings: list[str] = []

    def begin(
        self, *, name: str | None = None, address: str = ADDRESS, watches: bool = False, is_new: bool = False
    ) -> SessionKeeper:
        return SessionKeeper(
            address,
            name=name,
            watches=watches,
            is_new=is_new,
            warn=self.warnings.append,
            folder=self.path,
            time_of_day=lambda: self.now,
        )

    def files(self) -> list[str]:
        return sorted(each.name for each in self.path.iterdir())


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "sessions")


async def welcomed(
    keeper: SessionKeeper,
    token: str,
    *,
    name: str = "Nour",
    given: str | None = None,
    fingerprint: str | None = None,
    **changes: object,
) -> None:
    """The server has welcomed somebody who asked to be called ``name``."""
    welcome = msgspec.structs.replace(WELCOME, token=token, name=given or name, **changes)
    await keeper.keep(welcome, name, IDS_OF_A_PROCESS, fingerprint)


async def left_behind(home: Home, token: str, **asked: object) -> None:
    """A process that was killed with this token."""
    with home.begin() as keeper:
        await welcomed(keeper, token, **asked)  # type: ignore[arg-type]  # keyword by keyword as the test gives them
        await keeper.note_place(VIEW)


def offered(keeper: SessionKeeper, server: str = SERVER, fingerprint: str | None = None) -> str | None:
    """The token that the keeper would show this server."""
    session = keeper.offer(server, fingerprint)
    return None if session is None else session.token


# ---------------------------------------------------------------- one after the other


async def test_a_new_process_is_offered_what_the_last_one_left_behind(home: Home) -> None:
    with home.begin() as first:
        assert not first.has_any()
        await welcomed(first, "one")
        assert first.is_kept
        await first.note_place(VIEW)
        await welcomed(first, "two")
    with home.begin() as second:
        assert second.has_any()
        session = second.offer(SERVER, None)
        assert session is not None
        assert (session.token, session.table, session.table_name, session.seat) == ("two", None, None, None)
        assert session.ids_from == IDS_OF_A_PROCESS


async def test_where_the_player_was_is_remembered_and_survives_a_resume(home: Home) -> None:
    await left_behind(home, "one")
    with home.begin() as second:
        assert second.offer(SERVER, None) is not None
        await welcomed(second, "two", resumed=True, table=3)
    with home.begin() as third:
        session = third.offer(SERVER, None)
        assert session is not None
        assert (session.token, session.table, session.table_name, session.seat) == (
            "two",
            3,
            "Friends",
            Seat.SOUTH,
        )
        await welcomed(third, "three")
        await third.note_place(None)
    assert home.warnings == []


async def test_a_session_that_is_over_leaves_nothing_behind(home: Home) -> None:
    with home.begin() as keeper:
        await welcomed(keeper, "one")
        keeper.forget()
        assert not keeper.is_kept
    assert home.files() == []


async def test_a_session_that_another_process_has_written_since_is_not_removed(home: Home) -> None:
    """Where the lock does not hold, as on another machine with the same home."""
    with home.begin() as keeper:
        await welcomed(keeper, "one")
        (file,) = home.path.glob("*.session")
        other = home.path / "other"
        await left_behind(Home(other), "theirs")
        (theirs,) = other.glob("*.session")
        theirs.replace(file)
        keeper.forget()
        assert file.exists()


async def test_a_token_that_the_server_refuses_is_gone_and_not_offered_again(home: Home) -> None:
    await left_behind(home, "one")
    with home.begin() as keeper:
        assert offered(keeper) == "one"
        keeper.refused()
        assert not keeper.has_any()
        assert [session.token for session in keeper.given_up] == ["one"]
        await welcomed(keeper, "new")
    with home.begin() as next_one:
        assert offered(next_one) == "new"


async def test_refusing_ends_even_where_nothing_can_be_removed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    await left_behind(home, "one")

    def fails(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "unlink", fails)
    with home.begin() as keeper:
        assert offered(keeper) == "one"
        keeper.refused()
        assert not keeper.has_any()
    assert len(home.warnings) == 1
    assert home.warnings[0].endswith("cannot be removed: Read-only file system.")


async def test_when_the_client_ended_is_remembered(home: Home) -> None:
    with home.begin() as keeper:
        await welcomed(keeper, "one")
        home.now = 1500.0
        keeper.note_left()
    with home.begin() as second:
        session = second.offer(SERVER, None)
        assert session is not None
        assert (session.written_at, session.left_at) == (1000.0, 1500.0)


# ---------------------------------------------------------------- whose it is


async def test_another_server_at_the_same_address_is_offered_nothing(home: Home) -> None:
    await left_behind(home, "one")
    with home.begin() as keeper:
        assert offered(keeper, "somebody else") is None
        await welcomed(keeper, "other")
    with home.begin() as later:
        assert offered(later) == "one"  # it was only away


@pytest.mark.parametrize(
    "address", ["majlis.example", "majlis.example:4001", "other.example:4000", "127.0.0.1"]
)
async def test_the_same_server_at_another_address_is_offered_nothing(home: Home, address: str) -> None:
    """Anybody can claim a server's id."""
    await left_behind(home, "one")
    with home.begin(address=address) as keeper:
        assert not keeper.has_any()
        assert offered(keeper) is None


async def test_the_case_of_a_host_name_does_not_matter(home: Home) -> None:
    await left_behind(home, "one")
    with home.begin(address=ADDRESS.upper()) as keeper:
        assert offered(keeper) == "one"


@pytest.mark.parametrize(
    ("name", "found"), [(None, True), ("Nour", True), ("Nour 2", True), ("Sami", False), ("nour", False)]
)
async def test_a_name_that_is_given_looks_for_the_session_of_that_name(
    home: Home, name: str | None, *, found: bool
) -> None:
    await left_behind(home, "one", name="Nour", given="Nour 2")
    with home.begin(name=name) as keeper:
        assert (offered(keeper) == "one") is found


async def test_a_spectator_is_not_offered_a_players_session_nor_a_player_a_spectators(home: Home) -> None:
    await left_behind(home, "player")
    with home.begin(watches=True) as keeper:
        assert not keeper.has_any()
        await welcomed(keeper, "spectator")
    with home.begin() as player, home.begin(watches=True) as spectator:
        assert (offered(player), offered(spectator)) == ("player", "spectator")


async def test_who_asks_to_be_somebody_new_is_offered_nothing_and_overwrites_nothing(home: Home) -> None:
    await left_behind(home, "one")
    with home.begin(is_new=True) as keeper:
        assert not keeper.has_any()
        assert offered(keeper) is None
        await welcomed(keeper, "new")
    with home.begin() as first, home.begin() as second:
        assert {offered(first), offered(second)} == {"one", "new"}


# ---------------------------------------------------------------- two at once


async def test_two_processes_at_once_each_have_their_own_and_after_both_were_killed_both_are_back(
    home: Home,
) -> None:
    with home.begin() as first, home.begin() as second:
        await welcomed(first, "one")
        assert not second.has_any() or offered(second) is None
        await welcomed(second, "two")
    with home.begin() as first, home.begin() as second, home.begin() as third:
        assert (offered(first), offered(second), offered(third)) == ("one", "two", None)


async def test_looking_for_a_name_keeps_no_other_process_from_its_session(home: Home) -> None:
    await left_behind(home, "one")
    with home.begin(name="Sami") as other, home.begin() as own:
        assert offered(other) is None
        assert offered(own) == "one"


def test_the_lock_ends_with_the_process_that_was_killed(home: Home) -> None:
    trio.run(left_behind, home, "one")
    (slot,) = (each.removesuffix(".session") for each in home.files() if each.endswith(".session"))
    script = (
        "import sys, time, pathlib\n"
        "from tarneeb_client.session_slots import Slot\n"
        "from tarneeb_client.state_folder import StateFolder\n"
        "held = Slot.hold(StateFolder(pathlib.Path(sys.argv[1])), sys.argv[2])\n"
        "print(held is not None, flush=True)\n"
        "time.sleep(600)\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(home.path), slot], stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        with home.begin() as keeper:
            assert offered(keeper) is None
        holder.kill()
        holder.wait()
        with home.begin() as keeper:
            assert offered(keeper) == "one"


def test_whoever_got_the_lock_of_a_slot_that_was_just_removed_takes_the_new_one(home: Home) -> None:
    folder = StateFolder(home.path)
    first = Slot.hold(folder, "x")
    assert first is not None
    assert Slot.hold(folder, "x") is None
    first.release()
    assert home.files() == []
    second = Slot.hold(folder, "x")
    assert second is not None
    assert home.files() == ["x.lock"]
    second.release()
    folder.close()


async def test_when_every_slot_is_taken_play_goes_on_in_memory_and_says_so(home: Home) -> None:
    with ExitStack() as stack:
        for number in range(SLOTS):
            await welcomed(stack.enter_context(home.begin()), f"token {number}")
        late = stack.enter_context(home.begin())
        await welcomed(late, "late")
        assert not late.is_kept
        await late.note_place(VIEW)
        late.note_left()
        late.forget()
    assert home.warnings == [f"{SLOTS} sessions at this address are kept already. {IN_MEMORY}"]
    assert len(list(home.path.glob("*.session"))) == SLOTS


async def test_a_session_that_nobody_came_back_to_for_long_is_cleared_away(home: Home) -> None:
    await left_behind(home, "old")
    home.now += KEPT_SECONDS - 1
    with home.begin(address="elsewhere"):
        assert len(home.files()) == 2
    home.now += 2
    with home.begin() as playing:
        assert home.files() == []
        await welcomed(playing, "one")
        home.now += 2 * KEPT_SECONDS
        with home.begin(address="elsewhere"):
            assert len(home.files()) == 2  # whoever plays for weeks keeps the seat


# ---------------------------------------------------------------- a bad disk


def damage(content: bytes) -> Callable[[Path], object]:
    return lambda file: file.write_bytes(content)


def put_a_pipe_there(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (damage(b""), "is not used: it is not one of this program's."),
        (damage(b"\x00" * 400), "is not used: it is not one of this program's."),
        (damage(b"tarneeb session 1 " + b"0" * 64 + b"\n{}"), "is not used: it is damaged."),
        (damage(b"x" * 10**6), "is not used: it is longer than 16384 bytes."),
        (lambda file: os.truncate(file, 100), "is not used: it is damaged."),
        (
            lambda file: file.chmod(0o644),
            "is open to others (mode 644): chmod 600 it, if it is yours, or remove it.",
        ),
        (
            lambda file: (file.unlink(), file.symlink_to("/etc/passwd")),
            "cannot be read: it is a symbolic link.",
        ),
        (lambda file: (file.unlink(), file.mkdir(0o700)), "is no regular file: remove it."),
        (put_a_pipe_there, "is no regular file: remove it."),
    ],
    ids=["empty", "zeros", "wrong sum", "long", "cut", "open", "link", "folder", "pipe"],
)
async def test_a_file_that_is_damaged_or_suspect_is_named_once_and_play_goes_on(
    home: Home, spoil: Callable[[Path], object], said: str
) -> None:
    await left_behind(home, SECRET)
    (file,) = home.path.glob("*.session")
    spoil(file)
    with home.begin() as keeper:
        assert not keeper.has_any()
        assert offered(keeper) is None
        await welcomed(keeper, "two")
        assert keeper.is_kept
    assert home.warnings == [f"{file} {said}"]
    assert SECRET not in "".join(home.warnings)
    with home.begin() as later:
        assert offered(later) == "two"


async def test_a_full_disk_is_said_once_and_no_token_of_before_is_left(home: Home) -> None:
    with home.begin() as keeper:
        await welcomed(keeper, "one")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # no file may grow
        try:
            await welcomed(keeper, "two")
            await keeper.note_place(VIEW)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert keeper_is_kept(keeper) is False
        assert list(home.path.glob("*.session")) == []
        await welcomed(keeper, "three")
        assert keeper_is_kept(keeper) is True
    (warning,) = home.warnings
    assert warning.endswith(f"cannot be written: File too large. {IN_MEMORY}")
    assert "two" not in warning
    with home.begin() as later:
        assert offered(later) == "three"


async def test_without_a_folder_play_goes_on_in_memory_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    home = Home(tmp_path / "file" / "sessions")
    with home.begin() as keeper:
        assert not keeper.has_any()
        await welcomed(keeper, "one")
        await keeper.note_place(VIEW)
        assert not keeper.is_kept
        keeper.note_left()
        keeper.forget()
    assert home.warnings == [f"{home.path} cannot be used as a folder: Not a directory. {IN_MEMORY}"]


async def test_a_welcome_that_cannot_be_kept_is_no_crash(home: Home) -> None:
    with home.begin() as keeper:
        await keeper.keep(msgspec.structs.replace(WELCOME, server="x" * 999), "Nour", IDS_OF_A_PROCESS, None)
        assert not keeper.is_kept
    assert home.warnings == [
        f"what the server sent cannot be kept: it does not hold what a session needs. {IN_MEMORY}"
    ]


async def test_play_does_not_wait_for_a_disk_that_hangs(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    write = Slot.write

    def hang(slot: Slot, session: KeptSession) -> None:
        go_on.wait()
        write(slot, session)

    with home.begin() as keeper:
        with monkeypatch.context() as patched:
            patched.setattr(Slot, "write", hang)
            patched.setattr(session_keeper, "WRITE_SECONDS", 0.02)
            await welcomed(keeper, "first")  # comes back, though nothing is written
            assert keeper_is_kept(keeper) is False
        go_on.set()
        await welcomed(keeper, "second")
        assert keeper_is_kept(keeper) is True
    with home.begin() as later:
        assert offered(later) == "second"


def keeper_is_kept(keeper: SessionKeeper) -> bool:
    """Read anew each time: a type checker takes a property for constant."""
    return keeper.is_kept
