"""What fails in callbacks of the event loop, as those of keys and of the drawing: collected, not logged."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def loop_faults(on_fault: Callable[[], None]) -> Iterator[list[BaseException]]:
    """While the block runs: every such fault, in order; ``on_fault`` is called at each. asyncio alone.

    The loop's own handling would write a traceback into what is drawn, and go on.
    """
    loop = asyncio.get_running_loop()
    faults: list[BaseException] = []

    def note(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        faults.append(context.get("exception") or RuntimeError(context["message"]))
        on_fault()

    before = loop.get_exception_handler()
    loop.set_exception_handler(note)
    try:
        yield faults
    finally:
        loop.set_exception_handler(before)


def tells_of_lost_terminal(error: BaseException) -> bool:
    """Whether an error of reading or drawing means that the terminal is closed."""
    return isinstance(error, EOFError) or (isinstance(error, OSError) and error.errno == errno.EIO)
