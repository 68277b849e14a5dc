"""The full screen: a desk on a terminal. The only module that draws and reads keys; asyncio alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import nullcontext
from typing import Any, Protocol

import anyio
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input as TerminalInput
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.processors import ConditionalProcessor, PasswordProcessor
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style

from tarneeb_client import right_to_left
from tarneeb_client.console import TerminalGone
from tarneeb_client.held_output import held_output
from tarneeb_client.loop_faults import loop_faults, tells_of_lost_terminal
from tarneeb_client.screens.key_table import KEYS, Key
from tarneeb_client.screens.keys import as_latin, find_key, spellings
from tarneeb_client.screens.places import TYPED_INTO, Place
from tarneeb_client.screens.rows import Row, target_at
from tarneeb_client.suspending import CAN_BE_SUSPENDED, job_control, stop_here, take_keys
from tarneeb_protocol.text import harmless

ESCAPE_SECONDS = 0.05
"""How long the key Esc waits for what may be the rest of another key."""
LEAST_CELLS = 20


class Shown(Protocol):
    """What a screen shows and gives its keys to: a desk."""

    text: str
    is_over: bool
    has_mouse: bool

    @property
    def is_secret(self) -> bool:
        """Whether what is typed is not to be shown."""

    @property
    def place(self) -> Place:
        """Where keys are pressed."""

    def tick(self, now: float) -> None:
        """The time is ``now``, in seconds."""

    def seconds_to_change(self) -> float:
        """After how many seconds without a key or news the time alone changes what is shown; infinity for
        never.
        """

    def typed(self, text: str) -> None:
        """The input line holds ``text`` now."""

    def press(self, action: str, key: str) -> None:
        """A key of the table ``key_table``."""

    def click(self, target: str) -> None:
        """A click on what ``rows.clickable`` marked with ``target``."""

    def prefix(self) -> str:
        """What stands before the input."""

    def rows(self, cells: int, height: int) -> list[Row]:
        """The screen above the input line, then the footer: exactly ``height`` rows of ``cells``."""

    def footer(self, cells: int) -> Row:
        """The keys of this place."""


class _Clickable(FormattedTextControl):
    """Text that tells where it is clicked on, by row and column of the text from 0."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], on_click: Callable[[int, int], None]) -> None:
        super().__init__(text, focusable=False)
        self._on_click = on_click

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Only a button that is let go counts: where it is, not where it went down."""
        if mouse_event.event_type is MouseEventType.MOUSE_UP:
            self._on_click(mouse_event.position.y, mouse_event.position.x)


class Screen:
    """A desk on a terminal. ``terminal`` and ``output`` are the process's own unless given, as in a test; the
    seconds of ``clock`` never go back.
    """

    def __init__(
        self,
        desk: Shown,
        styles: Mapping[str, str],
        *,
        terminal: TerminalInput | None = None,
        output: Output | None = None,
        clock: Callable[[], float] = time.monotonic,
        has_mouse: bool = False,
    ) -> None:
        self.desk = desk
        desk.has_mouse = has_mouse
        self._clock = clock
        self._is_own_terminal = output is None
        self._is_suspended = False
        self._has_changed = anyio.Event()
        self._buffer = Buffer(
            multiline=False,
            read_only=Condition(lambda: desk.place not in TYPED_INTO),
            on_text_changed=lambda buffer: self._typed(buffer.text),
        )
        self.app: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._bindings(),
            style=Style.from_dict(dict(styles)),
            full_screen=True,
            mouse_support=Condition(lambda: desk.has_mouse),
            input=terminal,
            output=output,
            terminal_size_polling_interval=None,
        )
        self.app.ttimeoutlen = ESCAPE_SECONDS

    async def run(self, *beside: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Show the desk and take keys until it is over. ``beside`` are tasks that run meanwhile; they call
        ``changed`` when the desk is to be drawn.

        An exception of a key or of the drawing ends the application, which restores the terminal first. What
        anybody else writes to the terminal meanwhile comes after the screen. Raises ``TerminalGone``.
        """
        with held_output() if self._is_own_terminal else nullcontext():
            await self._run(*beside)

    async def _run(self, *beside: Callable[[], Coroutine[Any, Any, None]]) -> None:
        with loop_faults(self._exit) as faults:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._keep_time)
                for task in beside:
                    tasks.start_soon(task)
                with job_control(self.suspend, self._continued) if self._is_own_terminal else nullcontext():
                    await self._run_application()
                tasks.cancel_scope.cancel()
        for fault_found in faults:
            if tells_of_lost_terminal(fault_found):
                raise TerminalGone from fault_found
            raise fault_found

    async def _run_application(self) -> None:
        try:
            # An interrupt that is sent, rather than typed, is one of the signals that end the program.
            await self.app.run_async(set_exception_handler=False, handle_sigint=False)
        except (EOFError, OSError) as error:
            if tells_of_lost_terminal(error):
                raise TerminalGone from error
            raise

    # ---------------------------------------------------------------- suspended by the shell

    def suspend(self) -> None:
        """Stop as any program does at Ctrl-Z, the terminal being as it was; go on when the shell says so."""
        if self._is_suspended or not self._is_own_terminal or not CAN_BE_SUSPENDED:
            return
        self._is_suspended = True

        def stop() -> None:
            try:
                stop_here()
            finally:
                self._is_suspended = False

        with set_app(self.app):
            run_in_terminal(stop)

    def _continued(self) -> None:
        """Draw anew: whoever stopped this process without asking has had the terminal meanwhile."""
        if self.app.is_running and not self._is_suspended:
            take_keys(self.app.input.fileno())
            self.app.renderer.reset()  # so that what the terminal was told before is told again
            self.app.renderer.clear()
            self.app.invalidate()

    async def _keep_time(self) -> None:
        """Draw anew when a clock on the screen goes on, and sleep as long as none does."""
        while True:
            self.desk.tick(self._clock())
            self.changed()
            self._has_changed = anyio.Event()
            while True:
                with anyio.move_on_after(self.desk.seconds_to_change()) as waiting:
                    await self._has_changed.wait()
                if waiting.cancelled_caught:
                    break
                self._has_changed = anyio.Event()

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self.app.output.bell()

    def now(self) -> float:
        """The time of the screen's clock, in seconds."""
        return self._clock()

    def _exit(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def changed(self) -> None:
        """Draw what the desk shows now, or leave when it is over."""
        if self._buffer.text != self.desk.text:
            self._set_text(self.desk.text)
        if self.desk.is_over:
            self._exit()
        else:
            self.app.invalidate()
        self._has_changed.set()

    def _set_text(self, text: str) -> None:
        self._buffer.set_document(self._buffer.document.__class__(text, len(text)), bypass_readonly=True)

    # ---------------------------------------------------------------- layout

    def _layout(self) -> Layout:
        body = Window(_Clickable(self._body, self._clicked), always_hide_cursor=True, wrap_lines=False)
        prefix = Window(
            FormattedTextControl(lambda: _in_one([(("class:input", self.desk.prefix()),)])),
            dont_extend_width=True,
            height=1,
        )
        hidden = ConditionalProcessor(PasswordProcessor(), Condition(lambda: self.desk.is_secret))
        entry = Window(BufferControl(self._buffer, [hidden]), height=1, style="class:input")
        footer = Window(_Clickable(self._footer, lambda _row, column: self._clicked(None, column)), height=1)
        return Layout(HSplit([body, VSplit([prefix, entry], height=1), footer]), focused_element=entry)

    def _size(self) -> tuple[int, int]:
        size = self.app.output.get_size()
        return max(LEAST_CELLS, size.columns), max(3, size.rows)

    def _body(self) -> StyleAndTextTuples:
        cells, height = self._size()
        return _in_one(self.desk.rows(cells, height - 1)[:-1])

    def _footer(self) -> StyleAndTextTuples:
        return _in_one([self.desk.footer(self._size()[0])])

    def _clicked(self, row: int | None, column: int) -> None:
        """A click on a row of the body, or with ``None`` on the footer."""
        cells, height = self._size()
        rows = self.desk.rows(cells, height - 1)
        target = target_at(rows[-1 if row is None else min(row, len(rows) - 2)], column)
        if target is not None:
            self.desk.tick(self._clock())
            self.desk.click(target)
            self.changed()

    # ---------------------------------------------------------------- keys

    def _typed(self, text: str) -> None:
        if text != self.desk.text:
            self.desk.typed(text)
            self.changed()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key in KEYS:
            for name in dict.fromkeys(spelling for each in key.keys for spelling in spellings(each)):
                self._bind(bindings, key, name)

        @bindings.add(Keys.Vt100MouseEvent, eager=True, filter=Condition(lambda: not self.desk.has_mouse))
        def _(event: KeyPressEvent) -> None:
            """Nothing: a pasted colour code that is taken for a mouse must not fail."""

        return bindings

    def _bind(self, bindings: KeyBindings, key: Key, name: str) -> None:
        def applies() -> bool:
            return find_key(name, self.desk.place, has_input=bool(self._buffer.text)) is key

        @bindings.add(name, filter=Condition(applies), eager=True)
        def _(event: KeyPressEvent) -> None:
            self.desk.tick(self._clock())
            if key.action == "redraw":
                event.app.renderer.clear()
            elif key.action == "suspend":
                self.suspend()
            self.desk.press(key.action, as_latin(name) if len(name) == 1 else name)
            self.changed()


def _in_one(rows: list[Row]) -> StyleAndTextTuples:
    text: StyleAndTextTuples = []
    for number, row in enumerate(rows):
        if number:
            text.append(("", "\n"))
        # Whatever comes here is harmless already; this is the last place where it can be made so.
        safe = [(style, part if part.isprintable() else harmless(part)) for style, part in row]
        text.extend(right_to_left.for_terminal(safe))
    return text
