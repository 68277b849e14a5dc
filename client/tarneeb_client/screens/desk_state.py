"""What the player's screen knows: the talk with the server, what is open, chosen and typed, what is to be seen
for a moment. The link's items and the time go in here. Keys: ``lobby_keys``, ``table_keys``, ``desk``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from tarneeb_client.conversation import Conversation, Poster
from tarneeb_client.habits import Bell, Habits
from tarneeb_client.language import _
from tarneeb_client.lessons import Coach, Lesson
from tarneeb_client.link_items import LinkBack, LinkItem, LinkLost
from tarneeb_client.runner import CommandRunner
from tarneeb_client.screens import panes
from tarneeb_client.screens.acting import Acting
from tarneeb_client.screens.form import Form
from tarneeb_client.screens.input_line import Input, InputLine
from tarneeb_client.screens.keyed import KeyedDesk
from tarneeb_client.screens.lobby_tables import LOBBY_SECONDS, LobbyTables
from tarneeb_client.screens.logbook import Logbook
from tarneeb_client.screens.moments import Moments
from tarneeb_client.screens.panes import Pane
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.status import LinkState
from tarneeb_client.state import TableView
from tarneeb_client.tournaments import is_invited
from tarneeb_client.wording.tournaments import own_call
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

CLOCK_SECONDS = 1.0
"""How often clocks on the screen go on."""


class DeskState(KeyedDesk):
    """``form`` and ``pane`` are what is open over the screen; ``is_starting`` that the first requests wait for
    their answers, so that what is typed is meant for what comes then.
    """

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
        self.line = InputLine()
        super().__init__()
        self.server_name = server_name
        self.own_name = own_name
        self.habits = habits
        self.is_starting = False
        self.lobby = LobbyTables()
        self.acting = Acting()
        self.moments = Moments()
        self.form: Form | None = None
        self.pane: Pane | None = None
        self.ping_ms: int | None = None
        self._waiting: deque[Pane] = deque()
        self.log = Logbook(
            on_message=self._heard,
            on_lesson=self._teach,
            on_back=self.note,
            on_answer=self._answered,
            on_problem=self._refused,
        )
        self._refusal = ""
        self.now = 0.0
        self.talk = Conversation(link, self.log, clock=lambda: self.now, coach=coach, own_name=own_name)
        self.runner = CommandRunner(self.talk)
        self._ring = ring
        self._on_form: Callable[[Form], None] = lambda form: None
        self._asked_tables_at = float("-inf")

    # ---------------------------------------------------------------- where one is

    @property
    def text(self) -> str:
        """What stands in the input line."""
        return self.line.text

    @text.setter
    def text(self, text: str) -> None:
        self.line.typed(text)

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
        if self.line.use is not Input.ACTING:
            return Place.TYPING
        if self.view is None:
            return Place.LOBBY
        if self.view.seat is None:
            return Place.WATCHING
        return Place.PLAY if self.view.snapshot.state is m.TableState.PLAYING else Place.WAITING

    @property
    def is_secret(self) -> bool:
        """Whether what is typed is not to be shown."""
        return self.line.use is Input.PASSWORD or (self.form is not None and self.form.chosen.is_secret)

    def link_now(self) -> LinkState:
        """How the link fares at this moment."""
        lost = self.talk.seat_clock.lost
        if lost is None:
            return LinkState(ping_ms=self.ping_ms if self.view is None else None)
        return LinkState(
            is_lost=True,
            attempt=lost.attempt,
            retry_seconds=lost.retry_seconds,
            held_seconds=lost.held_seconds,
        )

    # ---------------------------------------------------------------- time and the link

    def tick(self, now: float) -> None:
        """The time is ``now``, in seconds of any clock that never goes back."""
        self.now = now
        self.talk.time_passed()
        self.moments.expire(now)
        if (
            self.view is None
            and self.talk.seat_clock.lost is None
            and now - self._asked_tables_at >= LOBBY_SECONDS
        ):
            self._asked_tables_at = now
            self.talk.list_tables(self._take_tables)

    def seconds_to_change(self) -> float:
        """Until a clock goes on, what is seen for a moment ends, or the lobby is due."""
        view, clock = self.view, self.talk.seat_clock
        wait = min(clock.seconds_to_notice(), self.moments.seconds_to_end(self.now))
        if clock.lost is not None:
            return min(wait, CLOCK_SECONDS)
        if view is None:
            return max(0.0, min(wait, self._asked_tables_at + LOBBY_SECONDS - self.now))
        began = self.acting.began
        has_clock = self.moments.seconds_left(view, began, self.now) is not None
        return min(wait, CLOCK_SECONDS) if has_clock or clock.seats_away(view.seat) else wait

    def received(self, item: LinkItem, now: float) -> None:
        """An item of the link."""
        self.now = now
        before = self.view
        if isinstance(item, LinkLost) and self.talk.seat_clock.lost is None:
            self.moments.take_back(self.moments.note)  # what there is to say now goes before it
        self.talk.received(item)
        if isinstance(item, LinkLost | LinkBack):
            self._asked_tables_at = float("-inf")
        self._follow(before)
        self._next_pane()
        if self.talk.ended is not None:
            self.is_over = True

    def _take_tables(self, tables: tuple[m.TableSummary, ...]) -> None:
        self.ping_ms = max(0, round((self.now - self._asked_tables_at) * 1000))
        self.lobby.take(tables)

    def tell(self, text: str) -> None:
        """Show something that must be read: it stays until a key, and in the log."""
        lines = [harmless(line) for line in text.split("\n")]
        for line in lines:
            self.log.tell(line)
        self._waiting.append(Pane(_("Notice"), lambda cells: panes.text_rows(lines, cells)))
        self._next_pane()

    def _teach(self, lesson: Lesson) -> None:
        self._waiting.append(Pane(lesson.title, lambda cells: panes.lesson_rows(lesson, cells)))

    def _next_pane(self) -> None:
        if self.pane is None and self.form is None and self._waiting:
            self.pane = self._waiting.popleft()

    def _heard(self, message: m.Message) -> None:
        self.moments.heard(message, self.view, self.now)
        match message:
            case m.Notice():
                self.note(_("The server says: {text}").format(text=harmless(message.text)))
            case m.Tournament():
                self._heard_of_tournament(message)
            case m.TableClosed() if self.view is None:
                self.note(_("The table is closed. You are in the lobby."))
            case m.Said() | m.LobbySaid() | m.PlayerAway() | m.PlayerBack() | m.PlayerSeated():
                if self.habits.bell is Bell.ALL:
                    self._ring()

    def _heard_of_tournament(self, news: m.Tournament) -> None:
        """A call to a table, or an invitation, that is new is for now."""
        name, before = self.own_name, self.talk.tournaments.get(news.tournament)
        if is_invited(news, name) and (before is None or not is_invited(before, name)):
            self._ask_for_yes(_("You are invited to a tournament. y: yes."))
        elif own_call(news, name) is not None and (before is None or own_call(before, name) is None):
            self._ask_for_yes(_("Your team is called to the table. y: yes."))

    def _ask_for_yes(self, text: str) -> None:
        self.note(text)
        if self.habits.bell is not Bell.OFF:
            self._ring()

    def _answered(self, command: str, lines: Sequence[str]) -> None:
        texts = tuple(lines)
        self.pane = Pane(command, lambda cells: panes.text_rows(texts, cells))

    def _refused(self, text: str) -> None:
        self._refusal = text
        self.note(text)

    def note(self, text: str) -> None:
        """Show ``text`` in the status line for a while."""
        self.moments.say(text, self.now)

    def _follow(self, before: TableView | None) -> None:
        """After an item: whose turn it is, the bell, the card that was chosen beforehand."""
        view = self.view
        self.moments.follow(before, view, self.now)
        if view is None and before is not None:
            self._asked_tables_at = float("-inf")
            self.line.open(Input.ACTING)
        if self.acting.follow(view, self.now) and view is not None:
            self._turn_began(view)

    def _turn_began(self, view: TableView) -> None:
        self.moments.take_back(self._refusal)  # it was about what stood before
        if self.acting.preselected is not None:
            card, action = self.acting.take_preselected(view)
            if action is not None:
                self.talk.act(action)
                return
            if card in view.hand:
                self.note(_("The card that you chose beforehand is not legal now."))
        if self.habits.bell is not Bell.OFF:
            self._ring()

    def open_form(self, form: Form, on_sent: Callable[[Form], None]) -> None:
        """Show a form; ``on_sent`` gets it when it is filled in."""
        self._on_form = on_sent
        self.show_form(form)

    def show_form(self, form: Form) -> None:
        """The form is so now; what is typed goes into its chosen field."""
        self.form = form
        self.text = "" if form.chosen.options else form.chosen.value

    def send_form(self, form: Form) -> None:
        """The form is filled in."""
        self.form = None
        self.text = ""
        self._on_form(form)
