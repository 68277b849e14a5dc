"""The keys of the lobby: choosing a table, sitting down at it, watching it, opening one."""

from __future__ import annotations

from dataclasses import replace

from tarneeb_client.language import _
from tarneeb_client.link import NEW
from tarneeb_client.parse import Unreadable
from tarneeb_client.screens import panes
from tarneeb_client.screens.desk_state import DeskState
from tarneeb_client.screens.form import Form
from tarneeb_client.screens.input_line import Input
from tarneeb_client.screens.open_form import filled_in, open_table_form
from tarneeb_client.screens.panes import Pane
from tarneeb_client.screens.seat_form import Sitting, empty_seats, seat_form, sitting
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import BadTextError


class LobbyKeys(DeskState):
    """A desk's keys in the lobby."""

    _password_for: m.Join | m.Watch | None = None

    def key_move(self, key: str) -> None:
        """The table above or below."""
        self.lobby.move(1 if key == "down" else -1)

    def key_page(self, key: str) -> None:
        """Ten tables up or down."""
        self.lobby.page(1 if key == "pagedown" else -1)

    def key_ends(self, key: str) -> None:
        """The first table, or the last."""
        self.lobby.go(0 if key == "home" else len(self.lobby.tables) - 1)

    def click_table(self, which: str) -> None:
        """The table that is clicked on; the chosen one is joined."""
        if not which.isdecimal():
            return
        if self.lobby.chosen == int(which):
            self.join_chosen()
        else:
            self.lobby.chosen = int(which)

    def join_chosen(self) -> None:
        """Sit down at the chosen table; where none is open, open one."""
        table = self.lobby.table
        if table is None:
            self.key_new("n")
            return
        self._go(m.Join(id=NEW, table=table.table), table)

    def _go(self, request: m.Join | m.Watch, table: m.TableSummary) -> None:
        if not table.locked:
            self.talk.join(request)
            return
        self._password_for = request
        self.line.open(Input.PASSWORD)

    def take_password(self, password: str) -> None:
        """The password of the table that was chosen; nothing when it is empty."""
        request, self._password_for = self._password_for, None
        if request is None or not password:
            return
        if isinstance(request, m.Join):
            self.talk.join(m.Join(id=NEW, table=request.table, password=password))
        else:
            self.talk.join(m.Watch(id=NEW, table=request.table, password=password))

    def key_fill(self, key: str) -> None:
        """Sit down, and put bots into the other empty seats, once the form says so: all who wait would play."""
        del key
        table = self._chosen()
        if table is not None:
            self._choose_seat(table, with_bots=True)

    def key_seat(self, key: str) -> None:
        """Choose a seat at the table."""
        del key
        table = self._chosen()
        if table is not None:
            self._choose_seat(table, with_bots=False)

    def _chosen(self) -> m.TableSummary | None:
        if self.lobby.are_known and self.lobby.table is None:
            self.note(_("No table is open yet."))
        return self.lobby.table

    def _choose_seat(self, table: m.TableSummary, *, with_bots: bool) -> None:
        if empty_seats(table) == 0:
            self.note(_("Every seat is taken there. w watches."))
            return
        form = seat_form(table, with_bots=with_bots)
        self.open_form(form, lambda filled: self._sit(sitting(filled, table)))

    def _sit(self, how: Sitting) -> None:
        def fill(_reply: m.Reply) -> None:
            for _seat in range(how.bots):
                self.talk.ask(m.AddBot(id=NEW))

        self.talk.ask(how.request, fill)

    def key_watch(self, key: str) -> None:
        """Watch the chosen table."""
        del key
        table = self._chosen()
        if table is not None:
            self._go(m.Watch(id=NEW, table=table.table), table)

    def key_rules(self, key: str) -> None:
        """The rules of the chosen table."""
        del key
        table = self._chosen()
        if table is not None:
            self.pane = Pane(_("Rules"), lambda cells: panes.table_rows(table, cells))

    def key_new(self, key: str) -> None:
        """Open the form for a new table."""
        del key
        self.open_form(open_table_form(self.own_name), self._open_table)

    def _open_table(self, form: Form) -> None:
        """Open the table, sit down, and put the bots in that are wanted."""
        try:
            request = filled_in(form)
        except (Unreadable, BadTextError) as problem:
            self.show_form(replace(form, at=0, problem=str(problem)))
            return
        bots = int(form.value("bots"))

        def sit_down(opened: m.Reply) -> None:
            if isinstance(opened, m.Opened):
                self._sit(Sitting(m.Join(id=NEW, table=opened.table, password=request.password), bots))

        self.talk.ask(request, sit_down)
