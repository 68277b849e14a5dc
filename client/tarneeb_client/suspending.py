"""Ctrl-Z and fg: a program that has the terminal in a mode of its own gives it back before it stops."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

CAN_BE_SUSPENDED = hasattr(signal, "SIGTSTP")


@contextmanager
def job_control(suspend: Callable[[], None], continued: Callable[[], None]) -> Iterator[None]:
    """While the block runs, ``suspend`` is called when somebody asks this process to stop, and ``continued``
    when it goes on, however it was stopped. asyncio alone.
    """
    if not CAN_BE_SUSPENDED:
        yield
        return
    loop = asyncio.get_running_loop()
    handlers = {signal.SIGTSTP: suspend, signal.SIGCONT: continued}
    for number, handler in handlers.items():
        loop.add_signal_handler(number, handler)
    try:
        yield
    finally:
        for number in handlers:
            loop.remove_signal_handler(number)


def stop_here() -> None:
    """Stop as any program does, with whoever started this one, as a wrapper; returns when it goes on."""
    ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        os.kill(0, signal.SIGTSTP)
    finally:
        signal.signal(signal.SIGTSTP, ours)


class Modes:
    """The modes of a terminal as they are when this is made (``stty -a``); nothing where there are none."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._modes = _modes(descriptor)

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """While the block runs, they are so again."""
        meanwhile = _modes(self._descriptor)
        _set_modes(self._descriptor, self._modes)
        try:
            yield
        finally:
            _set_modes(self._descriptor, meanwhile)


def _modes(descriptor: int) -> list[Any] | None:
    if sys.platform == "win32":
        return None
    import termios  # noqa: PLC0415  (POSIX alone)

    return termios.tcgetattr(descriptor) if os.isatty(descriptor) else None


def _set_modes(descriptor: int, modes: list[Any] | None) -> None:
    if sys.platform == "win32" or modes is None:
        return
    import termios  # noqa: PLC0415  (POSIX alone)

    termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)


def take_keys(descriptor: int) -> None:
    """Have keys come one by one and unseen, as an editor has them, after a shell took the terminal meanwhile.

    What ``prompt_toolkit`` sets when it begins, without its way back: that is known already.
    """
    if sys.platform == "win32":
        return
    import termios  # noqa: PLC0415  (POSIX alone)

    modes = termios.tcgetattr(descriptor)
    modes[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
    modes[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    modes[6][termios.VMIN] = 1
    termios.tcsetattr(descriptor, termios.TCSANOW, modes)
