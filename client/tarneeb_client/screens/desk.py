"""The player at the screen: keys and typed text go in, requests go out and rows come out.

Nothing here waits, reads a clock or touches a terminal: the time is told, so that every key of every screen can
be tested without one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum

from tarneeb_client.conversation import Conversation, Poster
from tarneeb_client.habits import Bell, Habits
from tarneeb_client.language import _
from tarneeb_client.lessons import Coach, Lesson
from tarneeb_client.link import NEW
from tarneeb_client.link_items import LinkItem
from tarneeb_client.parse import Unreadable, is_card, normalised, parse_card
from tarneeb_client.runner import CommandRunner
from tarneeb_client.screens import panes
from tarneeb_client.screens.choices import Choice, choices, is_cutting, pick
from tarneeb_client.screens.form import Form, form_rows
from tarneeb_client.screens.hand import held_cards
from tarneeb_client.screens.keys import Place, footer_of
from tarneeb_client.screens.lobby_screen import LobbySituation, lobby_screen
from tarneeb_client.screens.logbook import Logbook
from tarneeb_client.screens.open_form import filled_in, open_table_form
from tarneeb_client.screens.rows import Row, fitted, text_row
from tarneeb_client.screens.status import LinkState, footer_row
from tarneeb_client.screens.table_screen import TableSituation, table_screen
from tarneeb_client.state import TableView
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import TrickView
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import BadTextError, harmless

HOLD_SECONDS = 2.0
"""How long a finished trick stays to be seen, unless a key is pressed."""
DEAF_SECONDS = 0.3
"""Enter is not taken so soon after a turn began: it was meant for something else."""
LOBBY_SECONDS = 2.0
"""How often the lobby's tables are asked for."""
NOTE_SECONDS = 6.0
"""How long a refusal, or another note, stays in the status line."""


class Input(Enum):
    """What the input line is for."""

    ACTING = "acting"
    CHAT = "chat"
    COMMAND = "command"


class Desk:
    """One player's screen. ``text`` is what stands in the input line; ``is_over`` that the program ends."""

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
        self.server_name = server_name
        self.own_name = own_name
        self.habits = habits
        self.text = ""
        self.input = Input.ACTING
        self.is_over = False
        self.is_starting = False
        """Whether the first requests wait for their answers: what is typed is meant for what comes then."""
        self._now = 0.0
        self.tables: tuple[m.TableSummary, ...] = ()
        self.chosen_table: int | None = None
        self.form: Form | None = None
        self.pane: tuple[str, Callable[[int], list[Row]]] | None = None
        self.log = Logbook(
            on_message=self._heard,
            on_lesson=self._taught,
            on_answer=self._answered,
            on_problem=self._refused,
        )
        self.talk = Conversation(link, self.log, clock=lambda: self._now, coach=coach)
        self._runner = CommandRunner(self.talk)
        self._ring = ring
        self._at = 0
        self._scrolled = 0
        self._prompt: m.Prompt | None = None
        self._prompt_at = 0.0
        self._preselected: Card | None = None
        self._held: tuple[float, TrickView] | None = None
        self._note: tuple[float, str] | None = None
        self._turn_at: tuple[Seat | None, float] = (None, 0.0)
        self._asked_tables_at = float("-inf")
        self._interrupted_at = float("-inf")
        self._leaving_at = float("-inf")
        self._lessons: deque[Lesson] = deque()

    # ---------------------------------------------------------------- where one is

    @property
    def view(self) -> TableView | None:
        """The table, if at one."""
        return self.talk.view

    @property
    def place(self) -> Place:
        """Where keys are pressed."""
        if self.form is not None:
            return Place.FORM
        if self.pane is not None:
            return Place.PANE
        if self.talk.seat_clock.lost is not None:
            return Place.LOST
        if self.input is not Input.ACTING:
            return Place.TYPING
        if self.view is None:
            return Place.LOBBY
        return Place.PLAY if self.view.snapshot.state is m.TableState.PLAYING else Place.WAITING

    @property
    def choice(self) -> Choice | None:
        """What Enter would do: what the typed text picks, else what the arrows have come to."""
        offered = choices(self.view)
        if self.text.strip():
            return pick(self.view, self.text)
        return offered[self._at % len(offered)] if offered else None

    # ---------------------------------------------------------------- time and the link

    def tick(self, now: float) -> None:
        """The time is ``now``, in seconds of any clock that never goes back."""
        self._now = now
        self.talk.time_passed()
        if self._held is not None and now >= self._held[0]:
            self._held = None
        if self._note is not None and now >= self._note[0]:
            self._note = None
        if (
            self.view is None
            and self.talk.seat_clock.lost is None
            and now - self._asked_tables_at >= LOBBY_SECONDS
        ):
            self._asked_tables_at = now
            self.talk.list_tables(self._take_tables)

    def received(self, item: LinkItem, now: float) -> None:
        """An item of the link."""
        self._now = now
        before = self.view
        self.talk.received(item)
        self._follow(before)
        self._next_lesson()
        if self.talk.ended is not None:
            self.is_over = True

    def _taught(self, lesson: Lesson) -> None:
        self._lessons.append(lesson)

    def _next_lesson(self) -> None:
        if self.pane is None and self._lessons:
            lesson = self._lessons.popleft()
            self.pane = (lesson.title, lambda cells: panes.lesson_rows(lesson, cells))

    def _take_tables(self, tables: tuple[m.TableSummary, ...]) -> None:
        self.tables = tables
        numbers = [table.table for table in tables]
        if self.chosen_table not in numbers:
            self.chosen_table = numbers[0] if numbers else None

    def _heard(self, message: m.Message) -> None:
        view = self.view
        if (
            isinstance(message, m.TrickTaken)
            and view is not None
            and view.deal is not None
            and view.deal.tricks
        ):
            self._held = (self._now + HOLD_SECONDS, view.deal.tricks[-1])
        elif isinstance(message, m.CardPlayed):
            self._held = None
        if self.habits.bell is Bell.ALL and isinstance(
            message, m.Said | m.PlayerAway | m.PlayerBack | m.PlayerSeated
        ):
            self._ring()

    def _answered(self, command: str, lines: Sequence[str]) -> None:
        texts = tuple(lines)
        self.pane = (command, lambda cells: [text_row(" " + line, cells) for line in texts])

    def _refused(self, text: str) -> None:
        self.note(text)

    def note(self, text: str) -> None:
        """Show ``text`` in the status line for a while."""
        self._note = (self._now + NOTE_SECONDS, text)

    def _follow(self, before: TableView | None) -> None:
        """After an item: the turn, the bell, the card chosen beforehand, the seats that are away."""
        view = self.view
        if view is None:
            self._prompt = self._held = self._preselected = None
            if before is not None:
                self._asked_tables_at = float("-inf")
            return
        turn = None if view.deal is None else view.deal.turn
        if turn is not self._turn_at[0] or before is None or before.seq != view.seq:
            self._turn_at = (turn, self._now)
        if view.prompt is not self._prompt:
            self._prompt = view.prompt
            if view.prompt is not None:
                self._turn_began(view)

    def _turn_began(self, view: TableView) -> None:
        self._prompt_at = self._now
        self._at = 0
        wanted, self._preselected = self._preselected, None
        if wanted is not None:
            for choice in choices(view):
                if isinstance(choice.action, m.PlayAction) and choice.action.card == wanted:
                    self.talk.act(choice.action)
                    return
            self.note(_("The card that you chose beforehand is not legal now."))
        if self.habits.bell is not Bell.OFF:
            self._ring()

    # ---------------------------------------------------------------- keys

    def press(self, action: str, key: str) -> None:
        """A key of the table ``keys``: what it is for, and which of its keys it was."""
        self._held = None
        if self.is_starting and self.talk.waits and action not in {"interrupt", "leave", "redraw"}:
            return
        self.is_starting = False
        getattr(self, f"key_{action}")(key)

    def typed(self, text: str) -> None:
        """The input line holds ``text`` now."""
        self._held = None
        self.text = text
        if self.form is not None:
            self.form = self.form.typed(text)
        elif self.input is Input.ACTING and self.habits.one_key and len(text) == 1 and self.choice is not None:
            self.key_enter("enter")

    def key_pick(self, key: str) -> None:
        """The next or the previous choice."""
        step = 1 if key == "right" else -1
        offered = choices(self.view)
        self.text = ""
        if offered:
            self._at = (self._at + step) % len(offered)
        elif self.view is not None and self.habits.preselects:
            held = [each.card for each in held_cards(self.view)]
            if held:
                at = held.index(self._preselected) + step if self._preselected in held else 0
                self._preselected = held[at % len(held)]

    def key_enter(self, key: str) -> None:
        """Do what is picked, typed or filled in."""
        del key
        text, self.text = self.text.strip(), ""
        if self.form is not None:
            self._send_form(self.form)
        elif self.input is Input.CHAT:
            self.input = Input.ACTING
            if text:
                self._runner.typed(f"say {text}")
        elif self.input is Input.COMMAND:
            self.input = Input.ACTING
            self._runner.typed(text)
            self.is_over = self.is_over or self.talk.is_over
        elif self.view is None:
            self._join()
        else:
            self._act(self.view, text)

    def _act(self, view: TableView, text: str) -> None:
        picked = pick(view, text) if text else None
        if picked is None and not text:
            offered = choices(view)
            if not offered or self._now - self._prompt_at < DEAF_SECONDS:
                return
            picked = offered[self._at % len(offered)]
        if picked is not None:
            self.talk.is_here()
            self.talk.act(picked.action)
            return
        if view.prompt is None and self.habits.preselects and (card := self._named(view, text)) is not None:
            self._preselected = card
            self.note(
                _("{card} will be played if it is legal then. Esc takes it back.").format(
                    card=self.habits.glyphs.card(card)
                )
            )
            return
        card = self._named(view, text)
        if card is not None and view.prompt is not None and not is_cutting(view):
            self.talk.act(m.PlayAction(card=card))  # the server says why not
            return
        self._runner.typed(text)

    def _named(self, view: TableView, text: str) -> Card | None:
        """The held card that ``text`` names, by its letter or in full."""
        word = normalised(text)
        for held in held_cards(view):
            if held.letter == word:
                return held.card
        if not is_card(text):
            return None
        try:
            return parse_card(text)
        except Unreadable:
            return None

    def _join(self) -> None:
        if self.chosen_table is None:
            self.key_new("n")
            return
        table = next(table for table in self.tables if table.table == self.chosen_table)
        if table.locked:
            self._ask_password("join")
            return
        self._runner.typed(f"join {self.chosen_table}")

    def _ask_password(self, command: str) -> None:
        self.input = Input.COMMAND
        self.text = f"{command} {self.chosen_table} password="

    def key_bot(self, key: str) -> None:
        """Put a bot into an empty seat."""
        del key
        self._runner.typed("bot")

    def key_move(self, key: str) -> None:
        """The table above or below."""
        numbers = [table.table for table in self.tables]
        if not numbers:
            return
        at = numbers.index(self.chosen_table) if self.chosen_table in numbers else 0
        self.chosen_table = numbers[(at + (1 if key == "down" else -1)) % len(numbers)]

    def key_watch(self, key: str) -> None:
        """Watch the chosen table."""
        del key
        if self.chosen_table is None:
            self.note(_("No table is open yet."))
            return
        self._runner.typed(f"watch {self.chosen_table}")

    def key_new(self, key: str) -> None:
        """Open the form for a new table."""
        del key
        self.form = open_table_form(self.own_name)
        self.text = self.form.chosen.value if not self.form.chosen.options else ""

    def _send_form(self, form: Form) -> None:
        """Open the table, sit down, and put the bots in that are wanted."""
        try:
            request = filled_in(form)
        except (Unreadable, BadTextError) as problem:
            self.form = replace(form, at=0, problem=str(problem))
            return
        bots = int(form.value("bots"))
        self.form = None

        def sit_down(opened: m.Reply) -> None:
            if isinstance(opened, m.Opened):
                self.talk.join(m.Join(id=NEW, table=opened.table, password=request.password))
                for _ in range(bots):
                    self.talk.ask(m.AddBot(id=NEW))

        self.talk.ask(request, sit_down)

    def key_last(self, key: str) -> None:
        """The last trick."""
        del key
        view = self.view
        if view is not None:
            glyphs = self.habits.glyphs
            self.pane = (_("Last trick"), lambda cells: panes.trick_rows(view, glyphs, cells))

    def key_scores(self, key: str) -> None:
        """Every deal of the set."""
        del key
        view = self.view
        if view is not None:
            glyphs = self.habits.glyphs
            self.pane = (_("Scores"), lambda cells: panes.score_rows(view, glyphs, cells))

    def key_help(self, key: str) -> None:
        """The keys of this place."""
        del key
        place = self.place
        self.pane = (_("Keys"), lambda cells: panes.help_rows(place, cells))

    def key_chat(self, key: str) -> None:
        """Say something."""
        del key
        self.input = Input.CHAT
        self.text = ""

    def key_palette(self, key: str) -> None:
        """Type a command."""
        del key
        self.input = Input.COMMAND
        self.text = ""

    def key_scroll(self, key: str) -> None:
        """Scroll the log."""
        self._scrolled = max(0, self._scrolled + (5 if key == "pageup" else -5))

    def key_close(self, key: str) -> None:
        """Close what is open."""
        del key
        self.text = ""
        if self.form is not None:
            self.form = None
        elif self.pane is not None:
            self.pane = None
            self._next_lesson()
        elif self.input is not Input.ACTING:
            self.input = Input.ACTING
        else:
            self._preselected = None

    def key_field(self, key: str) -> None:
        """Another field of the form."""
        if self.form is not None:
            self.form = self.form.moved(1 if key == "down" else -1)
            self.text = "" if self.form.chosen.options else self.form.chosen.value

    def key_turn(self, key: str) -> None:
        """Another option of the field."""
        if self.form is not None:
            self.form = self.form.turned(1 if key == "right" else -1)

    def key_interrupt(self, key: str) -> None:
        """Clear what is typed; twice in a row, leave with the seat held."""
        del key
        if not self.text and self._now - self._interrupted_at < NOTE_SECONDS:
            self.is_over = True
            return
        self.text = ""
        self.input = Input.ACTING
        self._interrupted_at = self._now
        self.note(_("Press Ctrl-C again to leave; your seat is held for you."))

    def key_leave(self, key: str) -> None:
        """Leave the table; in the lobby, the program."""
        del key
        if self.view is None:
            self.talk.quit()
            self.is_over = True
            return
        is_playing = self.view.seat is not None and self.view.snapshot.state is m.TableState.PLAYING
        if is_playing and self._now - self._leaving_at >= NOTE_SECONDS:
            self._leaving_at = self._now
            self.note(_("Press F10 again to leave the table; a bot takes your seat."))
            return
        self._runner.typed("leave")

    def key_redraw(self, key: str) -> None:
        """Draw anew: the terminal's part, nothing changes here."""

    def key_retry(self, key: str) -> None:
        """Connect again at once."""
        del key
        self._runner.typed("retry")

    # ---------------------------------------------------------------- the screen

    def prefix(self) -> str:
        """What stands before the input."""
        return {Input.ACTING: "> ", Input.CHAT: _("chat") + "> ", Input.COMMAND: ":"}[self.input]

    def rows(self, cells: int, height: int) -> list[Row]:
        """The screen above the input line, then the footer: exactly ``height`` rows of ``cells``."""
        body = self._body(cells, max(1, height - 1))
        return [*body, self.footer(cells)]

    def footer(self, cells: int) -> Row:
        """The keys of this place."""
        return footer_row(footer_of(self.place), cells)

    def _body(self, cells: int, height: int) -> list[Row]:
        glyphs = self.habits.glyphs
        if self.form is not None:
            return form_rows(self.form, glyphs, cells, height)
        if self.pane is not None:
            title, rows = self.pane
            return panes.pane(harmless(title), rows(cells), glyphs, cells, height, scrolled=self._scrolled)
        view = self.view
        note = "" if self._note is None else self._note[1]
        if view is None:
            lobby = LobbySituation(
                server_name=self.server_name,
                own_name=self.own_name,
                link=self._link_now(),
                tables=self.tables,
                selected=self.chosen_table,
                log=tuple(self.log.lines),
                note=note,
            )
            return [fitted(row, cells) for row in lobby_screen(lobby, glyphs, cells, height)]
        return table_screen(self._situation(view, note), glyphs, cells, height)

    def _situation(self, view: TableView, note: str) -> TableSituation:
        return TableSituation(
            view=view,
            server_name=self.server_name,
            link=self._link_now(),
            log=tuple(self.log.lines),
            scrolled=self._scrolled,
            selected=self.choice,
            marked=self._preselected,
            held_trick=None if self._held is None else self._held[1],
            seconds_left=self._seconds_left(view),
            away={seat: round(left) for seat, left in self.talk.seat_clock.seats_away(view.seat).items()},
            note=note,
        )

    def _link_now(self) -> LinkState:
        lost = self.talk.seat_clock.lost
        if lost is None:
            return LinkState()
        return LinkState(
            is_lost=True,
            attempt=lost.attempt,
            retry_seconds=lost.retry_seconds,
            held_seconds=lost.held_seconds,
        )

    def _seconds_left(self, view: TableView) -> int | None:
        """What the seat to act still has; that of another is reckoned from when its turn began."""
        if view.prompt is not None:
            if view.prompt.seconds is None:
                return None
            return max(0, round(view.prompt.seconds - (self._now - self._prompt_at)))
        turn, since = self._turn_at
        if turn is None or not view.snapshot.turn_seconds or view.snapshot.state is not m.TableState.PLAYING:
            return None
        return max(0, round(view.snapshot.turn_seconds - (self._now - since)))
