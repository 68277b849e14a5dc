"""All timers of the server in one heap, served by one task."""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING, Generic, TypeVar

import trio

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

KeyT = TypeVar("KeyT", bound="Hashable")


class Timers(Generic[KeyT]):
    """A heap of keyed deadlines, without a clock of its own.

    Setting a key again or cancelling it makes the older entry void; each key has a generation for it, so
    that nothing needs to be searched for in the heap.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, KeyT]] = []
        self._live: dict[KeyT, int] = {}
        self._generation = 0

    def __len__(self) -> int:
        """How many timers are set."""
        return len(self._live)

    def __contains__(self, key: object) -> bool:
        """Whether ``key`` is armed."""
        return key in self._live

    def set(self, key: KeyT, at: float) -> None:
        """Arm ``key`` for ``at``, in place of what it was armed for."""
        self._generation += 1
        self._live[key] = self._generation
        heapq.heappush(self._heap, (at, self._generation, key))
        # Turn clocks are mostly cancelled; without this the heap would hold hours of void entries.
        if len(self._heap) > 64 and len(self._heap) > 2 * len(self._live):
            self._heap = [entry for entry in self._heap if self._live.get(entry[2]) == entry[1]]
            heapq.heapify(self._heap)

    def cancel(self, key: KeyT) -> None:
        """Disarm ``key``, if it is armed."""
        self._live.pop(key, None)

    def next_deadline(self) -> float:
        """When the earliest timer is due; infinity when none is set."""
        heap = self._heap
        while heap and self._live.get(heap[0][2]) != heap[0][1]:
            heapq.heappop(heap)
        return heap[0][0] if heap else math.inf

    def pop_due(self, now: float) -> KeyT | None:
        """The earliest timer that is due, disarmed; ``None`` when none is."""
        if self.next_deadline() > now:
            return None
        _, _, key = heapq.heappop(self._heap)
        del self._live[key]
        return key


class ServerTime:
    """Seconds of trio's clock in which the server was alive.

    A machine that slept, or a process that was stopped, must not cost anybody a turn or a seat: nobody could
    have acted. A gap in which nothing at all asked for the time does not count. The task that watches the
    connections asks every second, so a gap of more than ``STALL_SECONDS`` is no mere delay.
    """

    STALL_SECONDS = 5.0

    def __init__(self) -> None:
        self._last = trio.current_time()
        self._stalled = 0.0

    def now(self) -> float:
        """The time in seconds."""
        current = trio.current_time()
        if current - self._last > self.STALL_SECONDS:
            self._stalled += current - self._last
        self._last = current
        return current - self._stalled

    def in_trio(self, at: float) -> float:
        """The time of trio's clock that ``at`` is, if the server does not stall before it.

        Never a moment too early, for who waits until then would wake to find that it is not yet ``at``.
        """
        in_trio = at + self._stalled
        while in_trio - self._stalled < at:
            in_trio = math.nextafter(in_trio, math.inf)
        return in_trio


class Clock(Generic[KeyT]):
    """Calls ``fire(key)`` when a timer is due by ``time``, from the one task that runs ``run``."""

    FIRED_BEFORE_YIELDING = 32
    """Bots without delay would otherwise play whole sets before any socket is read."""

    def __init__(self, time: ServerTime, fire: Callable[[KeyT], None]) -> None:
        self._time = time
        self._timers: Timers[KeyT] = Timers()
        self._fire = fire
        self._sleeping_until = -math.inf
        self._wake = trio.Event()

    def __len__(self) -> int:
        return len(self._timers)

    def set(self, key: KeyT, at: float) -> None:
        """Arm ``key`` for ``at`` in the server's time."""
        self._timers.set(key, at)
        if at < self._sleeping_until:
            self._wake.set()

    def cancel(self, key: KeyT) -> None:
        """Disarm ``key``."""
        self._timers.cancel(key)

    async def run(self) -> None:
        """Serve the timers for ever."""
        while True:
            now = self._time.now()
            for _ in range(self.FIRED_BEFORE_YIELDING):
                key = self._timers.pop_due(now)
                if key is None:
                    break
                self._fire(key)
            deadline = self._timers.next_deadline()
            if deadline <= self._time.now():
                await trio.lowlevel.checkpoint()
                continue
            self._wake = trio.Event()
            self._sleeping_until = deadline
            with trio.CancelScope(deadline=self._time.in_trio(deadline)):
                await self._wake.wait()
            self._sleeping_until = -math.inf
