"""The player at the screen: keys and typed text go in, requests go out and rows come out.

Nothing here waits, reads a clock or touches a terminal: the time is told, so that every key of every screen can
be tested without one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from tarneeb_client.commands import find_command
from tarneeb_client.conversation import Poster
from tarneeb_client.habits import Habits
from tarneeb_client.language import _
from tarneeb_client.lessons import Coach
from tarneeb_client.link_items import LinkItem
from tarneeb_client.parse import echoed
from tarneeb_client.screens import panes
from tarneeb_client.screens.choices import is_cutting
from tarneeb_client.screens.desk_rows import desk_rows
from tarneeb_client.screens.input_line import Input
from tarneeb_client.screens.keys import find_key, footer_of
from tarneeb_client.screens.lobby_keys import LobbyKeys
from tarneeb_client.screens.moments import NOTE_SECONDS
from tarneeb_client.screens.palette import Known, completions
from tarneeb_client.screens.panes import Pane
from tarneeb_client.screens.rows import Row, in_signs
from tarneeb_client.screens.status import footer_row
from tarneeb_client.screens.table_keys import TableKeys
from tarneeb_protocol import messages as m

MOST_EARLY = 16
"""Keys that wait for the first answers."""


class Desk(LobbyKeys, TableKeys):
    """One player's screen, in the lobby and at a table: see ``DeskState`` for what it knows."""

    was_interrupted = False
    """Whether Ctrl-C ended it."""
    _is_after_slash = False
    """Whether the line for chat was opened by a slash, which is part of what was typed then."""
    _interrupted_at = float("-inf")
    _leaving_at = float("-inf")

    def __init__(
        self,
        link: Poster,
        *,
        server_name: str,
        own_name: str,
        habits: Habits,
        ring: Callable[[], None],
        coach: Coach | None = None,
    ) -> None:
        super().__init__(
            link, server_name=server_name, own_name=own_name, habits=habits, ring=ring, coach=coach
        )
        self._early: deque[tuple[str, str]] = deque(maxlen=MOST_EARLY)

    # ---------------------------------------------------------------- keys

    def press(self, action: str, key: str) -> None:
        """A key of the table ``key_table``: what it is for, and which of its keys it was."""
        self.moments.key_pressed()
        if self.is_starting and self.talk.waits and action not in {"interrupt", "leave", "redraw"}:
            self._early.append((action, key))
            return
        self.is_starting = False
        super().press(action, key)

    def received(self, item: LinkItem, now: float) -> None:
        """See ``DeskState``. With the first answers come the keys that were pressed before, if they mean
        the same.
        """
        super().received(item, now)
        if self.is_starting and self._early and not self.talk.waits:
            self.is_starting = False
            while self._early:
                action, key = self._early.popleft()
                found = find_key(key, self.place, has_input=bool(self.text))
                if found is not None and found.action == action:
                    self.press(action, key)

    def typed(self, text: str) -> None:
        """The input line holds ``text`` now."""
        self.moments.key_pressed()
        self.text = text
        if self.form is not None:
            self.form = self.form.typed(text)
        elif self._is_played_by(text):
            self.key_enter("enter")

    def _is_played_by(self, text: str) -> bool:
        """Whether one typed character does it, without Enter. A cut waits for its second digit."""
        is_acting = self.habits.one_key and self.line.use is Input.ACTING and not is_cutting(self.view)
        return is_acting and len(text) == 1 and self.choice is not None

    def key_enter(self, key: str) -> None:
        """Do what is picked, typed or filled in."""
        del key
        if self.form is not None:
            self.send_form(self.form)
            return
        use, text = self.line.use, self.line.take()
        match use:
            case Input.CHAT:
                self._say(text)
            case Input.COMMAND:
                self.runner.typed(text)
                self.is_over = self.is_over or self.talk.is_over
            case Input.PASSWORD:
                self.take_password(text)
            case Input.ACTING if self.view is None:
                self.join_chosen()
            case Input.ACTING if self.view is not None:
                self.act(self.view, text)

    def key_help(self, key: str) -> None:
        """The keys of this place."""
        del key
        place = self.place
        self.pane = Pane(_("Keys"), lambda cells: panes.help_rows(place, cells))

    def key_yes(self, key: str) -> None:
        """Say yes to what one is asked."""
        del key
        self.runner.typed("yes")

    def key_tournament(self, key: str) -> None:
        """How the latest tournament stands, or which there are."""
        del key
        self.runner.typed("tournaments" if self.talk.tournaments.latest() is None else "tournament standings")

    def _say(self, text: str) -> None:
        """Say it, unless it is what chat programs take for a command: that is shown as one, to be carried out
        or not.
        """
        if not text:
            return
        typed = f"/{text}" if self._is_after_slash else text
        word = typed[1:].partition(" ")[0]
        if typed.startswith("//") or not typed.startswith("/"):
            self.runner.typed(f"say {typed.removeprefix('/')}")
        elif find_command(word) is not None:
            self.line.open(Input.COMMAND)
            self.text = typed[1:]
            self.note(_("Not said: this is a command. Enter does it, Esc drops it; // begins a text with /."))
        elif self._is_after_slash:
            self.runner.typed(f"say {text}")
        else:
            self.note(_("{typed} is not a command. // begins a text with /.").format(typed=echoed(typed)))
            self.line.open(Input.CHAT)
            self.text = text

    def key_chat(self, key: str) -> None:
        """Say something."""
        self._is_after_slash = key == "/"
        self.line.open(Input.CHAT)

    def key_palette(self, key: str) -> None:
        """Type a command."""
        del key
        self.line.open(Input.COMMAND)

    def key_complete(self, key: str) -> None:
        """Complete the command, or go on to the next completion."""
        del key
        if self.line.use is Input.COMMAND:
            self.line.complete(lambda text: completions(text, Known(self.lobby.tables, self.view)))

    def key_recall(self, key: str) -> None:
        """An earlier line, or a later one."""
        self.line.recall(1 if key == "up" else -1)

    def key_close(self, key: str) -> None:
        """Close what is open, or take back what was chosen beforehand."""
        del key
        if self.form is not None:
            self.form = None
        elif self.pane is not None:
            self.pane = None
            self._next_pane()
        elif self.line.use is Input.ACTING and not self.text:
            self.acting.preselected = None
        self.line.open(Input.ACTING)

    def key_field(self, key: str) -> None:
        """Another field of the form."""
        if self.form is not None:
            self.show_form(self.form.moved(1 if key == "down" else -1))

    def key_turn(self, key: str) -> None:
        """Another option of the field."""
        if self.form is not None:
            self.form = self.form.turned(1 if key == "right" else -1)

    def key_interrupt(self, key: str) -> None:
        """Clear what is typed; twice in a row, leave with the seat held."""
        del key
        if not self.text and self.now - self._interrupted_at < NOTE_SECONDS:
            self.is_over = self.was_interrupted = True
            return
        self.form = self.pane = None
        self.line.open(Input.ACTING)
        self._interrupted_at = self.now
        held = _("Press Ctrl-C again to leave; your seat is held for you.")
        self.note(_("Press Ctrl-C again to leave.") if self.view is None else held)

    def key_leave(self, key: str) -> None:
        """Leave the table; in the lobby, the program."""
        del key
        if self.view is None:
            self.talk.quit()
            self.is_over = True
            return
        if self.talk.seat_clock.lost is not None:
            # Nobody can be told that the table is left: all that can be had is the end of the program.
            if self.now - self._leaving_at < NOTE_SECONDS:
                self.is_over = True
            else:
                self._leaving_at = self.now
                self.note(_("Press F10 again to end the program; your seat is held for you."))
            return
        is_playing = self.view.seat is not None and self.view.snapshot.state is m.TableState.PLAYING
        if is_playing and self.now - self._leaving_at >= NOTE_SECONDS:
            self._leaving_at = self.now
            self.note(_("Press F10 again to leave the table; a bot takes your seat."))
            return
        self._leaving_at = float("-inf")
        self.runner.typed("leave")

    def key_mouse(self, key: str) -> None:
        """The mouse on or off."""
        super().key_mouse(key)
        is_on, is_off = _("The mouse is on: hold Shift to mark text."), _("The mouse marks text again.")
        self.note(is_on if self.has_mouse else is_off)

    def key_retry(self, key: str) -> None:
        """Connect again at once."""
        del key
        self.runner.typed("retry")

    # ---------------------------------------------------------------- the screen

    def prefix(self) -> str:
        """What stands before the input."""
        return {
            Input.ACTING: "> ",
            Input.CHAT: _("chat") + "> ",
            Input.COMMAND: ":",
            Input.PASSWORD: _("password") + "> ",
        }[self.line.use]

    def rows(self, cells: int, height: int) -> list[Row]:
        """The screen above the input line, then the footer: exactly ``height`` rows of ``cells``."""
        return in_signs([*desk_rows(self, cells, max(1, height - 1)), self.footer(cells)], self.habits.glyphs)

    def footer(self, cells: int) -> Row:
        """The keys of this place."""
        return footer_row(footer_of(self.place), cells)
