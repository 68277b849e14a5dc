"""The certificates of servers that a player has met, in a file of lines: an address, and what it showed.

What it showed is a fingerprint, or ``authority`` where an authority of the system vouched for the certificate.
The file belongs to the player, who may read and edit it.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import tempfile
from pathlib import Path
from urllib.parse import quote

from tarneeb_client.addresses import Address
from tarneeb_client.language import _
from tarneeb_protocol.fingerprint import parse_fingerprint

AUTHORITY = "authority"
"""In place of a fingerprint: any certificate that the system's authorities vouch for."""
FILE_NAME = "known-servers"
LONGEST_FILE = 1 << 20
"""Bytes: some ten thousand servers."""
HEADING = "# Servers met over TLS: address, and the fingerprint of the certificate, or authority.\n"


class CannotTellError(Exception):
    """The file cannot tell what a server showed before; the text says why and what to do."""


def default_file() -> Path:
    """Where a player's file is."""
    import platformdirs  # noqa: PLC0415  (only whoever connects needs it)

    return Path(platformdirs.user_state_path("tarneeb", appauthor=False)) / FILE_NAME


def key_of(address: Address) -> str:
    """How an address stands in the file: one word, the same for every way to type the address."""
    host, percent, zone = address.host.partition("%")
    with contextlib.suppress(ValueError):
        host = ipaddress.ip_address(host).compressed
    host = quote(host.casefold().rstrip(".") + percent + zone, safe=":%")
    return f"[{host}]:{address.port}" if ":" in host else f"{host}:{address.port}"


class KnownServers:
    """The file at ``path``, which need not be there yet. Other clients write it too, so nothing is held."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, address: Address) -> str | None:
        """A fingerprint, ``AUTHORITY``, or ``None`` for a server not met before. Raises ``CannotTellError``:
        what cannot be read may have held another fingerprint.
        """
        key = key_of(address)
        for number, line in enumerate(self._lines(), 1):
            words = line.split()
            if words and words[0] == key:
                return self._known(words[1:], number, address)
        return None

    def remember(self, address: Address, shown: str) -> None:
        """Keep what a server showed, in place of what it showed before. Raises ``OSError`` and
        ``CannotTellError``.
        """
        key = key_of(address)
        lines = self._lines()
        if any(line.split()[:1] == [key] for line in lines):
            self._write([line for line in lines if line.split()[:1] != [key]] + [f"{key} {shown}"])
        else:
            self._append(f"{key} {shown}\n")

    def forget(self, address: Address) -> bool:
        """Whether there was anything to forget. Raises ``OSError`` and ``CannotTellError``."""
        key = key_of(address)
        lines = self._lines()
        others = [line for line in lines if line.split()[:1] != [key]]
        if len(others) == len(lines):
            return False
        self._write(others)
        return True

    def _known(self, words: list[str], number: int, address: Address) -> str:
        if words[:1] == [AUTHORITY]:
            return AUTHORITY
        try:
            return parse_fingerprint(" ".join(words[:1]))
        except ValueError:
            fault = _(
                "line {number} of {path} is damaged: behind the address a fingerprint or {authority} "
                "should stand. To begin anew with this server: tarneeb forget {address}"
            )
            raise CannotTellError(
                fault.format(number=number, path=self.path, authority=repr(AUTHORITY), address=address)
            ) from None

    def _lines(self) -> list[str]:
        try:
            with self.path.open("rb") as stream:
                content = stream.read(LONGEST_FILE + 1)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CannotTellError(
                _("{path} cannot be read: {reason}").format(path=self.path, reason=error.strerror)
            ) from None
        if len(content) > LONGEST_FILE:
            raise CannotTellError(
                _("{path} is longer than {most} MiB; move it away").format(
                    path=self.path, most=LONGEST_FILE >> 20
                )
            )
        # Whatever else stands in the file is written back as it was.
        return content.decode("utf-8", "surrogateescape").split("\n")

    def _append(self, line: str) -> None:
        """One write at the end, so that two clients that meet servers at the same time lose none."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b", 0) as stream:  # noqa: PTH123
            size = stream.seek(0, os.SEEK_END)
            if size == 0:
                line = HEADING + line
            else:
                stream.seek(-1, os.SEEK_END)
                line = line if stream.read(1) == b"\n" else "\n" + line
            stream.write(line.encode("utf-8", "surrogateescape"))
            os.fsync(stream.fileno())

    def _write(self, lines: list[str]) -> None:
        """The whole file anew, or not at all."""
        text = "\n".join(line for line in lines if line) + "\n"
        handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode("utf-8", "surrogateescape"))
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(self.path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
