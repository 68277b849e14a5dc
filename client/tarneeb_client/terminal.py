"""The input line of a full terminal; apart from the rest because importing prompt_toolkit takes time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import ObjectReceiveStream
from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.patch_stdout import patch_stdout

from tarneeb_client.console import HUNG_UP, INTERRUPTED, Lines, abandon_output, write_line
from tarneeb_client.language import N_, _
from tarneeb_client.loop_faults import loop_faults, tells_of_lost_terminal
from tarneeb_client.suspending import CAN_BE_SUSPENDED, Modes, job_control, stop_here, take_keys

LINES_BUFFERED = 64
"""Lines typed ahead of the conversation."""
AGAIN = N_("Press Ctrl-C again to leave.")


class TypedLines(Lines):
    """Lines from the input line, and a status line under it."""

    def __init__(self, session: PromptSession[str], receiver: ObjectReceiveStream[str]) -> None:
        self._session = session
        self._receiver = receiver
        self._has_height = False

    async def receive(self) -> str:
        """The next line. Raises ``anyio.EndOfStream``."""
        return await self._receiver.receive()

    async def aclose(self) -> None:
        """Take no more lines."""
        await self._receiver.aclose()

    def hang_up(self) -> None:
        """The terminal is gone."""
        self.status = HUNG_UP
        abandon_output()

    @property
    def shows_status(self) -> bool:
        """Not at a terminal that never told where its cursor is: nothing is drawn at the bottom there."""
        self._has_height = self._has_height or self._session.app.renderer.height_is_known
        return self._has_height

    def show_status(self, text: str | None) -> None:
        """Show a line under the input line."""
        if text != self._session.bottom_toolbar:
            self._session.bottom_toolbar = text
            self._session.app.invalidate()


@asynccontextmanager
async def typed_lines() -> AsyncIterator[TypedLines]:
    """Lines that a person types at a full terminal, with editing and history; output goes above the input line.

    Ctrl-C clears the line; twice in a row it ends the input, with ``status`` 130, Ctrl-D with 0. asyncio alone.
    """
    session: PromptSession[str] = PromptSession()
    sender, receiver = anyio.create_memory_object_stream[str](LINES_BUFFERED)
    lines = TypedLines(session, receiver)

    async def read() -> None:
        interrupted = False
        with sender:
            while True:
                try:
                    line = await session.prompt_async("> ", set_exception_handler=False)
                except KeyboardInterrupt:
                    if interrupted:
                        lines.status = INTERRUPTED
                        return
                    interrupted = True
                    write_line(_(AGAIN))
                    continue
                except EOFError:
                    if session.app.input.closed:  # not Ctrl-D: the terminal itself is gone
                        lines.hang_up()
                    return
                except OSError:  # and what was to be shown cannot be
                    lines.hang_up()
                    return
                interrupted = False
                for each in line.split("\n"):  # several lines can be pasted at once
                    await sender.send(each)

    # prompt_toolkit gives the terminal back between two lines, and while something is written above the input
    # line. A Ctrl-D that is typed then is the terminal's own end of input, which no line editor ever sees, and
    # a Ctrl-C is a signal.
    terminal = session.input
    terminal.cooked_mode = terminal.raw_mode  # type: ignore[method-assign]  # it has no setting for this
    job = _Job(session, Modes(terminal.fileno()))
    session.key_bindings = _bindings(job.suspend)
    with patch_stdout(raw=False), receiver, terminal.raw_mode():
        async with anyio.create_task_group() as tasks:
            with loop_faults(tasks.cancel_scope.cancel) as faults, job_control(job.suspend, job.continued):
                tasks.start_soon(read)
                try:
                    yield lines
                finally:
                    tasks.cancel_scope.cancel()
    for fault in faults:
        if not tells_of_lost_terminal(fault):
            raise fault
        lines.hang_up()


class _Job:
    """The program as a shell sees it: stopped, and going on. ``modes`` are those that the shell gave."""

    def __init__(self, session: PromptSession[str], modes: Modes) -> None:
        self._session = session
        self._modes = modes
        self._is_stopped = False

    def suspend(self) -> None:
        """Stop as any program does at Ctrl-Z, the terminal being as it was; go on when the shell says so."""
        if self._is_stopped or not CAN_BE_SUSPENDED:
            return
        self._is_stopped = True

        def stop() -> None:
            try:
                with self._modes.in_force():
                    stop_here()
            finally:
                self._is_stopped = False

        with set_app(self._session.app):
            run_in_terminal(stop)

    def continued(self) -> None:
        """Take the terminal again from whoever had it meanwhile."""
        app = self._session.app
        if app.is_running and not self._is_stopped:
            take_keys(app.input.fileno())
            app.renderer.reset()
            app.invalidate()


def _bindings(suspend: Callable[[], None]) -> KeyBindings:
    """Keys that differ from prompt_toolkit's own."""
    bindings = KeyBindings()

    @bindings.add("c-z")
    def _(event: KeyPressEvent) -> None:
        """Back to the shell for a while."""
        suspend()

    @bindings.add(Keys.Vt100MouseEvent, eager=True)
    def _(event: KeyPressEvent) -> None:
        """Nothing: there is no mouse here, and a pasted colour code that is taken for one must not fail."""

    return bindings
