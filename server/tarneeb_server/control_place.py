"""Where the control socket of a server is, and how one is put there.

Standard library alone: the commands that talk to a running server start quickly.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import stat
import struct
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE_NAME = "control.sock"
"""In a data directory."""
LONGEST_PATH = 103
"""Bytes of a path that every system takes in the address of a Unix-domain socket (macOS 103, Linux 107)."""
BACKLOG = 16
LOCK_SECONDS = 2.0
"""How long another server may take to put its socket into the same folder."""

_UCRED = struct.Struct("iII")


class ControlError(Exception):
    """There is no way to the control socket; the text says why and what to do."""


def runtime_folder(environment: Mapping[str, str]) -> Path:
    """The folder that holds a socket, or a link to one, for every server that this account runs."""
    given = environment.get("XDG_RUNTIME_DIR", "")
    if given.startswith("/"):
        return Path(given) / "tarneeb-server"
    return Path(tempfile.gettempdir()) / f"tarneeb-server-{os.geteuid()}"


def socket_path(
    control: str | None, data_dir: str | None, port: int, environment: Mapping[str, str]
) -> Path | None:
    """Where a server has its control socket: as ``--control`` says, else in its data directory, else in the
    runtime folder. ``None`` is nowhere.
    """
    if control is not None:
        return None if control == "off" else Path(control).absolute()
    if data_dir is not None:
        return Path(data_dir).absolute() / FILE_NAME
    return registered_path(port, environment)


def registered_path(port: int, environment: Mapping[str, str]) -> Path:
    """The name under which this process is found in the runtime folder."""
    return runtime_folder(environment) / f"{port}-{os.getpid()}.sock"


def make_private(folder: Path) -> None:
    """Make the folder, for this account alone. ``ControlError`` when what is there is another's, or open to
    others.
    """
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise ControlError(f"{folder} is no directory")
    if found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise ControlError(
            f"{folder} belongs to another account, or is open to others; it should have mode 0700"
        )


@contextlib.contextmanager
def short_path(path: Path) -> Iterator[str]:
    """A name for ``path`` that fits the address of a socket. ``ControlError`` when there is none."""
    text = str(path)
    if len(os.fsencode(text)) <= LONGEST_PATH:
        yield text
        return
    through = Path("/proc/self/fd")
    if not through.is_dir() or len(os.fsencode(path.name)) > LONGEST_PATH - 40:
        raise ControlError(
            f"{path} is too long for a socket: {len(os.fsencode(text))} bytes, and {LONGEST_PATH} are possible;"
            " choose a shorter one with --control PATH"
        )
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"{through}/{folder}/{path.name}"
    finally:
        os.close(folder)


def connect(path: Path, seconds: float) -> socket.socket:
    """A connection to the server whose socket this is. ``OSError`` and ``ControlError``."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        with short_path(path) as name:
            connection.connect(name)
    except BaseException:
        connection.close()
        raise
    return connection


class HasOptions(Protocol):
    """A socket, of whatever library."""

    def getsockopt(self, level: int, optname: int, buflen: int, /) -> bytes:
        """See ``socket``."""


def peer_uid(connection: HasOptions) -> int | None:
    """The account at the other end, where the system tells."""
    kind = getattr(socket, "SO_PEERCRED", None)
    if kind is None:
        return None
    _, uid, _ = _UCRED.unpack(connection.getsockopt(socket.SOL_SOCKET, kind, _UCRED.size))
    return int(uid)


class ControlSocket:
    """A listening control socket, and its place in the file system. ``close`` takes away what is its own."""

    def __init__(self, listening: socket.socket, path: Path) -> None:
        self.listening = listening
        self.path = path
        found = path.lstat()
        self._identity = (found.st_dev, found.st_ino)
        self._link: Path | None = None

    def register(self, link: Path) -> None:
        """Let the server be found under ``link`` too. ``OSError`` and ``ControlError``."""
        if link != self.path:
            make_private(link.parent)
            for other in link.parent.iterdir():
                # Left by a killed server that had the same socket, or this number.
                if other == link or (other.is_symlink() and other.readlink() == self.path):
                    other.unlink(missing_ok=True)
            link.symlink_to(self.path)
            self._link = link

    def close(self) -> None:
        """Be found no more."""
        self.listening.close()
        with contextlib.suppress(OSError):
            found = self.path.lstat()
            if (found.st_dev, found.st_ino) == self._identity:
                self.path.unlink()
        with contextlib.suppress(OSError):
            if self._link is not None and self._link.readlink() == self.path:
                self._link.unlink()


def put(path: Path, *, is_registered: bool) -> ControlSocket:
    """Listen at ``path``, in place of what a killed server left there. ``ControlError`` and ``OSError``.

    The socket gets its name only when it listens already: whoever finds one that refuses has found a dead one.
    """
    if is_registered:
        make_private(path.parent)
    elif not path.parent.is_dir():
        # Who may enter a folder is for its owner to say, and a mistyped one is not to be made.
        raise ControlError(
            f"there is no directory {path.parent}; make it first, for your account alone:"
            f" mkdir -p -m 700 {path.parent}"
        )
    with short_path(path):
        pass  # whoever looks for it needs one too
    with _locked(path.parent):
        _make_way(path)
        passing = path.with_name(f".{os.getpid()}.new")
        passing.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with short_path(passing) as name:
                listening.bind(name)
            try:
                passing.chmod(0o600)
                listening.listen(BACKLOG)
                passing.rename(path)
            except BaseException:
                passing.unlink(missing_ok=True)
                raise
            listening.setblocking(False)
            return ControlSocket(listening, path)
        except BaseException:
            listening.close()
            raise


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone with the folder: of two servers that start together neither takes the other's socket."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise ControlError(f"{folder} is locked by another program") from None
                time.sleep(0.01)
        yield
    finally:
        os.close(held)


def _make_way(path: Path) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise ControlError(f"{path} is there already and is no socket; it was left as it is")
    if is_live(path):
        raise ControlError(f"another server answers at {path}")


def is_live(path: Path) -> bool:
    """Whether somebody listens at the socket. ``OSError`` when that cannot be seen."""
    try:
        connect(path, 1.0).close()
    except (TimeoutError, BlockingIOError):
        return True  # so busy that its queue is full
    except OSError as error:
        if error.errno in {errno.ECONNREFUSED, errno.ENOENT}:
            return False
        raise
    return True


def registered(environment: Mapping[str, str]) -> list[tuple[int, int, Path]]:
    """Port, process and socket of every server of this account that is running, by port. What killed ones
    left is taken away.
    """
    folder = runtime_folder(environment)
    found = []
    try:
        make_private(folder)
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise ControlError(f"{folder} cannot be read: {error.strerror}") from None
    for entry in entries:
        port, _, process = entry.name.removesuffix(".sock").partition("-")
        if not (entry.suffix == ".sock" and port.isdecimal() and process.isdecimal()):
            continue
        try:
            if is_live(entry):
                found.append((int(port), int(process), entry))
            else:
                entry.unlink(missing_ok=True)
        except (OSError, ControlError):
            continue
    return sorted(found)
