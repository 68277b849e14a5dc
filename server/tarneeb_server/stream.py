"""A table's event stream: numbered from 1 without gaps, the same numbers for every viewer."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from tarneeb_protocol.codec import encode
from tarneeb_protocol.framing import MAX_SERVER_FRAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.seats import Seat
    from tarneeb_protocol.messages import HandsDealt, TableEvent

KEPT_EVENTS = 512
"""Events kept for those who come back: about seven deals. Who missed more gets a snapshot."""

MOST_REPLAYED_BYTES = MAX_SERVER_FRAME
"""Bytes of missed events sent at once. A snapshot is never longer; and more, sent to a client that was cut off
because it read too slowly, could cut it off again, each time that it comes back.
"""


class EventStream:
    """The latest events. Each is one message for everybody, but for ``hands_dealt``, of which each viewer has
    its own.
    """

    def __init__(self, seq: int = 0) -> None:
        self.seq = seq
        """The number of the last event; 0 before the first."""
        self._kept: deque[tuple[TableEvent, tuple[HandsDealt, ...]]] = deque(maxlen=KEPT_EVENTS)

    def append(self, public: TableEvent, by_seat: tuple[HandsDealt, ...] = ()) -> None:
        """Add the next event: as spectators see it, and by seat where the seats see more.

        ``ValueError`` when it is not numbered ``seq + 1``.
        """
        if public.seq != self.seq + 1 or any(message.seq != public.seq for message in by_seat):
            raise ValueError(f"event {self.seq + 1} is due, not {public.seq}")
        self.seq = public.seq
        self._kept.append((public, by_seat))

    def after(self, seq: int, viewer: Seat | None) -> Sequence[TableEvent] | None:
        """The events after ``seq`` as ``viewer`` sees them; ``None`` when they are not all at hand, or too long
        to be sent at once.
        """
        if not self.seq - len(self._kept) <= seq <= self.seq:
            return None
        missed = self.seq - seq
        events = [
            by_seat[viewer] if by_seat and viewer is not None else public
            for public, by_seat in list(self._kept)[len(self._kept) - missed :]
        ]
        return None if sum(len(encode(event)) for event in events) > MOST_REPLAYED_BYTES else events
