"""How the lobby and the tables say no: an exception before anything has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_protocol.errors import ErrorCode


class NotGranted(Exception):
    """A request cannot be granted; nothing has changed.

    ``message`` says what was wrong and what is accepted, ``field`` is
    the path of the field at fault, if one is.
    """

    def __init__(self, code: ErrorCode, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
