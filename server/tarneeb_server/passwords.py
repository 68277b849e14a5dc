"""Passwords of the server and of tables: how they are compared, and what is kept of a table's."""

from __future__ import annotations

import hashlib
import hmac
import secrets

import msgspec

SALT_BYTES = 16
COST = 1 << 9
"""scrypt's N: with 8 blocks, half a MiB and some 2 ms. A guess at a stolen journal costs thousands of plain
hashes, and the tables hardly wait for one that is being made."""
BLOCKS = 8

_COMPARING = secrets.token_bytes(32)


class PasswordHash(msgspec.Struct, frozen=True):
    """What the journal has of a table's password: enough to compare a guess with."""

    salt: bytes
    digest: bytes

    def __repr__(self) -> str:
        return "<PasswordHash>"

    @classmethod
    def of(cls, password: str) -> PasswordHash:
        """Of a password, with a salt of its own."""
        salt = secrets.token_bytes(SALT_BYTES)
        return cls(salt, _stretched(password, salt))

    def is_of(self, given: str) -> bool:
        """Whether this password was given, in a time that does not depend on what was."""
        return hmac.compare_digest(self.digest, _stretched(given, self.salt))


class Password:
    """A password that is to be given. Comparing takes a time that tells nothing of it, its length neither."""

    __slots__ = ("_digest",)

    def __init__(self, password: str) -> None:
        self._digest = _digest(password)

    def __repr__(self) -> str:
        return "<Password>"

    def is_(self, given: str | None) -> bool:
        """Whether it is the one that was given; none at all is the empty one, which no password is."""
        return hmac.compare_digest(self._digest, _digest(given or ""))


class TablePassword:
    """A table's password. Comparing is cheap once it has been given or chosen: the slow hash is for the
    journal, and for the first guesses after a restart.
    """

    __slots__ = ("_known", "kept")

    def __init__(self, kept: PasswordHash, known: Password | None = None) -> None:
        self.kept = kept
        self._known = known

    def __repr__(self) -> str:
        return "<TablePassword>"

    @classmethod
    def chosen(cls, password: str) -> TablePassword:
        """One that somebody has just chosen."""
        return cls(PasswordHash.of(password), Password(password))

    def is_(self, given: str | None) -> bool:
        """Whether it is the one that was given."""
        if self._known is not None:
            return self._known.is_(given)
        if not self.kept.is_of(given or ""):
            return False
        self._known = Password(given or "")
        return True


def restored_password(kept: PasswordHash | str) -> TablePassword:
    """A table's password from what a journal has of it; earlier versions kept the text itself."""
    return TablePassword.chosen(kept) if isinstance(kept, str) else TablePassword(kept)


def _digest(text: str) -> bytes:
    return hmac.digest(_COMPARING, _raw(text), "sha256")


def _stretched(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(_raw(password), salt=salt, n=COST, r=BLOCKS, p=1, dklen=32)


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
