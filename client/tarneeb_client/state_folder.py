"""A folder of this user's alone, and the small files in it.

What lies there is a secret, and whoever can write there can choose what is read. So the folder and each file
must belong to the user and be closed to everybody else, no file may be a link, and each is opened
relative to the folder that was checked, so that no other can be put in its place.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

import platformdirs

from tarneeb_client.language import _
from tarneeb_protocol.text import harmless

FOLDER_MODE = 0o700
FILE_MODE = 0o600
OTHERS = 0o077
"""The bits of a mode that let anybody else in."""
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # a FIFO in a file's place must not keep its reader waiting


class NotUsable(Exception):
    """A folder or file that cannot be used, or should not; the text names it and says why and what helps."""


def user_state_folder(name: str) -> Path:
    """Where this user's state of that name belongs. Raises ``NotUsable`` for a user without a home."""
    path = platformdirs.user_state_path("tarneeb", appauthor=False) / name
    if not path.is_absolute():
        raise NotUsable(_("there is no home directory to keep anything in"))
    return path


class StateFolder:
    """An open folder. Files are named within it; a name has no slash. To be closed by its owner."""

    def __init__(self, path: Path) -> None:
        """Make the folder if need be, and open it. Raises ``NotUsable``."""
        self.path = path
        try:
            _make(path)
            self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise NotUsable(
                _("{path} cannot be used as a folder: {reason}").format(
                    path=_shown(path), reason=_reason(error)
                )
            ) from None
        try:
            _check(path, os.fstat(self._descriptor), FOLDER_MODE)
        except BaseException:
            os.close(self._descriptor)
            raise

    def close(self) -> None:
        """Close the folder; may be done again."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def names(self) -> list[str]:
        """The names of all files, sorted. Raises ``NotUsable``."""
        try:
            return sorted(os.listdir(self._descriptor))  # noqa: PTH208  (a folder that is open)
        except OSError as error:
            raise _unreadable(self.path, error) from None

    def read(self, name: str, most: int) -> bytes | None:
        """The first ``most`` bytes of a file, and one more if it is longer; ``None`` when there is none of that
        name. Raises ``NotUsable``.
        """
        path = self.path / name
        try:
            descriptor = os.open(name, _READ, dir_fd=self._descriptor)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unreadable(path, error) from None
        try:
            _check(path, os.fstat(descriptor), FILE_MODE)
            content = b""
            while len(content) <= most and (more := os.read(descriptor, most + 1 - len(content))):
                content += more
        except OSError as error:
            raise _unreadable(path, error) from None
        finally:
            os.close(descriptor)
        return content

    def write(self, name: str, content: bytes) -> None:
        """Put ``content`` in the file's place in one step: whoever reads finds all of the old or all of the
        new, whatever happens in between. One writer of a file at a time. Raises ``NotUsable``.
        """
        draft = f".{name}.draft"
        try:
            with suppress(FileNotFoundError):  # of a process that was killed
                os.unlink(draft, dir_fd=self._descriptor)
            descriptor = os.open(
                draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, FILE_MODE, dir_fd=self._descriptor
            )
            try:
                with open(descriptor, "wb") as file:  # noqa: PTH123  (a descriptor)
                    file.write(content)
                    file.flush()
                    os.fsync(descriptor)
                os.rename(draft, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
            except BaseException:
                with suppress(OSError):
                    os.unlink(draft, dir_fd=self._descriptor)
                raise
        except OSError as error:
            raise NotUsable(
                _("{path} cannot be written: {reason}").format(
                    path=_shown(self.path / name), reason=_reason(error)
                )
            ) from None

    def remove(self, name: str) -> None:
        """Remove a file, if there is one of that name. Raises ``NotUsable``."""
        try:
            os.unlink(name, dir_fd=self._descriptor)
        except FileNotFoundError:
            return
        except OSError as error:
            raise NotUsable(
                _("{path} cannot be removed: {reason}").format(
                    path=_shown(self.path / name), reason=_reason(error)
                )
            ) from None

    def open_for_lock(self, name: str) -> int:
        """A descriptor of a file that holds nothing, made if need be. Raises ``NotUsable``."""
        path = self.path / name
        try:
            descriptor = os.open(
                name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, FILE_MODE, dir_fd=self._descriptor
            )
        except OSError as error:
            raise NotUsable(
                _("{path} cannot be opened: {reason}").format(path=_shown(path), reason=_reason(error))
            ) from None
        try:
            _check(path, os.fstat(descriptor), FILE_MODE)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def _make(path: Path) -> None:
    """The folder and those over it that are missing, each for the user alone."""
    if not path.exists():
        _make(path.parent)
        path.mkdir(FOLDER_MODE, exist_ok=True)


def _check(path: Path, found: os.stat_result, mode: int) -> None:
    shown = _shown(path)
    if mode == FILE_MODE and not stat.S_ISREG(found.st_mode):
        raise NotUsable(_("{path} is no regular file: remove it").format(path=shown))
    if found.st_uid != os.geteuid():
        raise NotUsable(
            _("{path} belongs to somebody else (user id {number}): remove it").format(
                path=shown, number=found.st_uid
            )
        )
    if found.st_mode & OTHERS:
        bits = stat.S_IMODE(found.st_mode)
        fault = _("{path} is open to others (mode {bits}): chmod {mode} it, if it is yours, or remove it")
        raise NotUsable(fault.format(path=shown, bits=f"{bits:o}", mode=f"{mode:o}"))


def _unreadable(path: Path, error: OSError) -> NotUsable:
    return NotUsable(_("{path} cannot be read: {reason}").format(path=_shown(path), reason=_reason(error)))


def _shown(path: Path) -> str:
    return harmless(str(path))


def _reason(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return _("it is a symbolic link")
    return error.strerror or type(error).__name__
