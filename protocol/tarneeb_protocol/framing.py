"""Frames: a 4-byte big-endian unsigned length, then the payload (``docs/protocol.md``, "Frames")."""

from __future__ import annotations

import struct
from typing import Final

from tarneeb_protocol.errors import ErrorCode, ProtocolError

HEADER_SIZE: Final = 4
"""Bytes of a frame's header."""
MAX_CLIENT_FRAME: Final = 8 * 1024
"""Bytes of payload from client to server. The longest request, a chat line, has 2.5 KiB at most."""
MAX_SERVER_FRAME: Final = 64 * 1024
"""Bytes of payload from server to client. The longest snapshot, a set of 40 deals, has 10 KiB; a list of
tables is sent in parts."""

_HEADER = struct.Struct(">I")


def frame(payload: bytes) -> bytes:
    """The frame that holds this payload. Its length is not checked against a direction's limit."""
    return _HEADER.pack(len(payload)) + payload


class FrameBuffer:
    """Bytes as they arrive, cut into payloads.

    ``limit`` is the longest payload in bytes. A header that announces none or more is refused as soon as it is
    complete: ``next_payload`` raises ``ProtocolError`` (``bad_frame``, ``frame_too_long``), what is held is
    thrown away, and so is all that is fed later. Take all payloads after each ``feed``: then no more is ever
    held than one frame and what was fed last.
    """

    __slots__ = ("_buffer", "_fault", "_limit", "_wanted")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        # Deleting from the front of a bytearray moves a pointer and copies nothing, so many small frames
        # and feeds of one byte are cheap.
        self._buffer = bytearray()
        self._wanted = 0  # payload length of the frame in progress, or 0 while its header is incomplete
        self._fault: ProtocolError | None = None

    def __len__(self) -> int:
        """Bytes held."""
        return len(self._buffer) + (HEADER_SIZE if self._wanted else 0)

    def feed(self, chunk: bytes | bytearray | memoryview) -> None:
        """Take in what was received."""
        if self._fault is None:
            self._buffer += chunk

    def next_payload(self) -> bytes | None:
        """The next whole payload, or ``None`` until more is fed."""
        if self._fault is not None:
            raise self._fault
        buffer = self._buffer
        wanted = self._wanted
        if not wanted:
            if len(buffer) < HEADER_SIZE:
                return None
            (wanted,) = _HEADER.unpack_from(buffer)
            if not 0 < wanted <= self._limit:
                raise self._refuse(wanted)
            del buffer[:HEADER_SIZE]
            self._wanted = wanted
        if len(buffer) < wanted:
            return None
        payload = bytes(buffer[:wanted])
        del buffer[:wanted]
        self._wanted = 0
        return payload

    def _refuse(self, length: int) -> ProtocolError:
        accepted = f"a payload has 1 to {self._limit} bytes"
        if length:
            fault = ProtocolError(
                ErrorCode.FRAME_TOO_LONG, f"a frame announces {length} bytes; {accepted} in this direction"
            )
        else:
            fault = ProtocolError(ErrorCode.BAD_FRAME, f"a frame announces 0 bytes; {accepted}")
        self._fault = fault
        self._buffer.clear()
        return fault
