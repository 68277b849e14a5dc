"""Frames as ``docs/protocol.md`` shows them: bytes on the left, what they say on the right."""

from __future__ import annotations

import struct
from collections.abc import Iterator

BYTES_A_LINE = 16
_WIDTH = 3 * BYTES_A_LINE - 1
_FIXED = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_STR_LENGTH = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_ITEM_COUNT = {0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}
_PLAIN = {0xC0: "nil", 0xC2: "false", 0xC3: "true"}


def annotated(frame: bytes) -> str:
    """The dump of a whole frame, a line for each value, as many bytes a line as fit."""
    (length,) = struct.unpack_from(">I", frame)
    lines = [_line(frame[:4], f"length: {length} bytes follow")]
    at = 4
    for end, remark in _values(frame, 4, 0):
        chunk = frame[at:end]
        lines.append(_line(chunk[:BYTES_A_LINE], remark))
        lines += [
            chunk[start : start + BYTES_A_LINE].hex(" ")
            for start in range(BYTES_A_LINE, len(chunk), BYTES_A_LINE)
        ]
        at = end
    assert at == len(frame)
    return "\n".join(lines) + "\n"


def _line(chunk: bytes, remark: str) -> str:
    return f"{chunk.hex(' '):<{_WIDTH}} | {remark}"


def _values(frame: bytes, at: int, depth: int) -> Iterator[tuple[int, str]]:
    """The end of each value that begins at ``at``, maps and arrays before what is in them, and what it says."""
    margin = "  " * depth
    first = frame[at]
    is_map = first & 0xF0 == 0x80 or first in (0xDE, 0xDF)
    if not is_map and not (first & 0xF0 == 0x90 or first in (0xDC, 0xDD)):
        end, said = _scalar(frame, at)
        yield end, margin + said
        return
    if first in _ITEM_COUNT:
        (count,) = struct.unpack_from(_ITEM_COUNT[first], frame, at + 1)
        at += 1 + struct.calcsize(_ITEM_COUNT[first])
    else:
        count = first & 0x0F
        at += 1
    yield at, margin + (f"map of {count} fields" if is_map else f"array of {count}")
    for _ in range(2 * count if is_map else count):
        for end, said in _values(frame, at, depth + 1):
            yield end, said
            at = end


def _scalar(frame: bytes, at: int) -> tuple[int, str]:
    first = frame[at]
    if first in _PLAIN:
        return at + 1, _PLAIN[first]
    if first < 0x80:
        return at + 1, str(first)
    if first >= 0xE0:
        return at + 1, str(first - 0x100)
    if first in _FIXED:
        (number,) = struct.unpack_from(_FIXED[first], frame, at + 1)
        return at + 1 + struct.calcsize(_FIXED[first]), str(number)
    if first & 0xE0 == 0xA0:
        start, length = at + 1, first & 0x1F
    else:
        (length,) = struct.unpack_from(_STR_LENGTH[first], frame, at + 1)
        start = at + 1 + struct.calcsize(_STR_LENGTH[first])
    return start + length, f'"{frame[start : start + length].decode()}"'
