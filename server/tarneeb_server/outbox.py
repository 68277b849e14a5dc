"""What is still to be sent on a connection, bounded."""

from __future__ import annotations

MOST_SENT_AT_ONCE = 256 * 1024
"""Bytes handed to the kernel in one call: more than its buffer takes at once."""


class Outbox:
    """Frames in order, as bytes. ``limit`` is how many bytes may wait; nothing is ever dropped from the middle
    of the stream: beyond the limit the connection is to be ended.
    """

    __slots__ = ("_frames", "_limit", "_rest", "_size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._frames: list[bytes] = []
        self._rest = b""
        self._size = 0

    def __len__(self) -> int:
        """Bytes that wait."""
        return self._size

    @property
    def is_over_limit(self) -> bool:
        """Whether more waits than may."""
        return self._size > self._limit

    def put(self, frame: bytes) -> None:
        """Add a frame at the end."""
        self._frames.append(frame)
        self._size += len(frame)

    def head(self) -> bytes:
        """The bytes to be sent next; report with ``sent`` how many of them were."""
        if self._frames and len(self._rest) < MOST_SENT_AT_ONCE:
            self._rest = (
                b"".join((self._rest, *self._frames))
                if self._rest or len(self._frames) > 1
                else self._frames[0]
            )
            self._frames.clear()
        return self._rest

    def sent(self, count: int) -> None:
        """The first ``count`` bytes of ``head`` are with the kernel."""
        self._size -= count
        self._rest = self._rest[count:]
