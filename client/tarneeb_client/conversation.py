"""A player's talk with a server: typed lines and the link's items go in, output and requests come out.

Nothing here waits, and the clock is an argument, so that what is typed and what is shown can be tested line by
line. Nothing is guessed either: what a command did is shown when the server says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Protocol

from tarneeb_client.kept_session import KeptSession
from tarneeb_client.language import _, clauses
from tarneeb_client.lessons import Coach
from tarneeb_client.link import NEW
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkItem, LinkLost
from tarneeb_client.narrator import error_line, link_line, narrate
from tarneeb_client.parse import echoed
from tarneeb_client.presenters import Presenter
from tarneeb_client.seat_clock import SeatClock
from tarneeb_client.state import TableView, advance
from tarneeb_client.tournaments import Tournaments
from tarneeb_client.verbosity import Verbosity
from tarneeb_client.wording import connection as wording
from tarneeb_client.wording.people import Viewpoint, capitalised
from tarneeb_client.wording.tables import back_line, place_line, preset_name, table_lines, turn_time
from tarneeb_client.wording.tournaments import news_lines
from tarneeb_protocol import messages as m
from tarneeb_protocol.errors import ErrorCode

MOST_PAGES = 1000
"""Pages of the list of tables that are asked for: one that never ends is not followed for ever."""

OnReply = Callable[[m.Reply], None]


class Poster(Protocol):
    """What a conversation needs of a link."""

    def post(self, request: m.Request) -> int:
        """Send the request; returns its id. Raises ``RuntimeError`` or ``ValueError``."""

    def retry_now(self) -> None:
        """Connect again at once instead of waiting."""


class Conversation:
    """The state of a player's talk. ``view`` is the table, if at one; ``is_over`` that nothing more follows;
    ``has_quit`` that the player leaves for good.

    ``has_status`` tells that ``status`` is shown all the time, so that lines need not repeat it. ``waits``
    tells whether a request is not answered yet: a script's next line is to be given afterwards.
    """

    def __init__(
        self,
        link: Poster,
        presenter: Presenter,
        *,
        clock: Callable[[], float] = time.monotonic,
        coach: Coach | None = None,
        own_name: str = "",
        verbosity: Verbosity = Verbosity.NORMAL,
    ) -> None:
        self.presenter = presenter
        self.own_name = own_name
        self.tournaments = Tournaments()
        self.view: TableView | None = None
        self.last_opened: int | None = None
        self.last_password: str | None = None
        self.is_over = False
        self.has_quit = False
        self.has_status = False
        self.seat_clock = SeatClock(clock)
        self.ended: LinkEnded | None = None
        self._link = link
        self._asked: dict[int, tuple[m.Request, OnReply | None]] = {}
        self._is_connected = True
        self._is_syncing = False
        self._is_waking = False
        self._is_returning = False
        self._coach = coach
        self._verbosity = verbosity

    @property
    def waits(self) -> bool:
        """Whether a request waits for its answer."""
        return bool(self._asked)

    # ---------------------------------------------------------------- coming and going

    def returns(
        self,
        welcome: m.Welcome,
        resumed: KeptSession | None,
        given_up: Iterable[KeptSession],
        elsewhere: Iterable[KeptSession] = (),
    ) -> None:
        """Former processes of the player's left sessions behind: one that this welcome ``resumed``, those
        that the server has ``given_up``, and those of another server that stood ``elsewhere``. If the one is
        still at a table, the snapshot that says so comes next.
        """
        for session in elsewhere:
            if session.table is not None:
                has_seat = session.seat is not None
                other = wording.other_server(session.table, session.table_name, has_seat=has_seat)
                self.presenter.say(f"! {capitalised(other)}.")
        is_back = resumed is not None and welcome.resumed
        self._is_returning = is_back and welcome.table is not None
        for session in given_up:
            self._say_given_up(session)
        if resumed is not None and not self._is_returning:
            self._say_given_up(resumed)

    def _say_given_up(self, session: KeptSession) -> None:
        if session.table is None:
            return  # there was no seat to lose
        self.presenter.seat_given_up(session.table, session.table_name)
        gone = wording.seat_given_up(
            session.table,
            session.table_name,
            has_seat=session.seat is not None,
            grace_seconds=session.grace_seconds,
        )
        self.presenter.say(f"! {capitalised(gone)}.")

    def quit(self) -> None:
        """The player leaves for good."""
        self.is_over = self.has_quit = True

    def retry(self) -> bool:
        """Try at once to get a lost link back; whether it is lost."""
        if self.seat_clock.lost is not None:
            self._link.retry_now()
        return self.seat_clock.lost is not None

    # ---------------------------------------------------------------- time

    def status(self) -> str | None:
        """What runs out at this moment, in a line for a place that is drawn anew each second; ``None`` for
        nothing.
        """
        has_seat = self.view is not None and self.view.seat is not None
        lost = self.seat_clock.lost
        if lost is not None:
            return wording.lost_link_status(lost, has_seat=has_seat)
        if self.view is None:
            return None
        who = Viewpoint.of(self.view.snapshot)
        away = [
            wording.other_away(who.occupant(seat), seconds)
            for seat, seconds in self.seat_clock.seats_away(self.view.seat).items()
        ]
        return clauses(away) or None

    def time_passed(self) -> None:
        """Say what has become worth saying since the last time; see ``SeatClock.seconds_to_notice``."""
        seconds = self.seat_clock.notice()
        if seconds is None or self.view is None or self.view.seat is None:
            return
        self.presenter.seat_held(seconds, None)
        if not self.has_status or seconds == 0:
            self.presenter.say(wording.still_held(seconds))

    # ---------------------------------------------------------------- requests

    def ask(self, request: m.Request, on_reply: OnReply | None = None) -> None:
        """Send a request; ``on_reply`` gets its reply unless that is an error, which is shown."""
        try:
            number = self._link.post(request)
        except (RuntimeError, ValueError) as error:
            self.presenter.problem(_("This was not sent: {reason}.").format(reason=error))
            return
        self._asked[number] = (request, on_reply)
        if not self._is_connected:
            self.presenter.say(_("! No link now: this is sent when it is back."))

    def act(self, action: m.WireAction) -> None:
        """Do an action at the table, decided on what is known now."""
        seq = None if self.view is None else self.view.seq
        self.ask(m.Act(id=NEW, action=action, seq=seq))

    def is_here(self) -> None:
        """The player typed something: if a bot plays for the seat, tell the server that it need not."""
        if self.view is None or self._is_waking or not self._is_connected or not _has_stand_in(self.view):
            return
        self._is_waking = True
        self.ask(m.Sync(id=NEW, seq=self.view.seq))  # any request will do; this one brings a fresh prompt

    def list_tables(self, then: Callable[[tuple[m.TableSummary, ...]], None]) -> None:
        """Get every open table, page by page."""
        found: list[m.TableSummary] = []
        pages = 0

        def take(reply: m.Reply) -> None:
            nonlocal pages
            pages += 1
            page = reply.tables if isinstance(reply, m.Tables) else ()
            known = found[-1].table if found else 0
            fresh = [table for table in page if table.table > known]
            found.extend(fresh)
            if isinstance(reply, m.Tables) and reply.more and fresh and pages < MOST_PAGES:
                self.ask(m.ListTables(id=NEW, after=found[-1].table), take)
            else:
                then(tuple(found))

        self.ask(m.ListTables(id=NEW), take)

    def with_table(self, name: str, then: Callable[[int], None]) -> None:
        """Find a table by number or name, and go on with its number. Names are compared without case."""
        if name.isdecimal():  # of any script
            if 1 <= (number := int(name[:17])) <= m.MAX_ID:
                then(number)
            else:
                self.presenter.problem(_("Tables are numbered from 1."))
            return

        def choose(tables: tuple[m.TableSummary, ...]) -> None:
            named = [table.table for table in tables if table.name.casefold() == name.casefold()]
            if named:
                then(named[0])
            else:
                unknown = _("No table is called {name}. Type tables for those that are open.")
                self.presenter.problem(unknown.format(name=echoed(name)))

        self.list_tables(choose)

    def join(self, request: m.Join | m.Watch) -> None:
        """Take a seat, or watch. The snapshot that comes before the reply tells where one is."""
        self.ask(request)

    def leave(self) -> None:
        """Leave the table."""

        def gone(reply: m.Reply) -> None:
            del reply
            self.view = None
            self.presenter.say(_("You left the table and are in the lobby."))

        self.ask(m.Leave(id=NEW), gone)

    # ---------------------------------------------------------------- what the link says

    def received(self, item: LinkItem) -> None:
        """Take one item of the link."""
        if isinstance(item, LinkLost | LinkBack | LinkEnded):
            self._take_link(item)
            return
        before, self.view = self.view, advance(self.view, item)
        self.seat_clock.follow(item, self.view)
        self.presenter.message(item)
        for line in narrate(item, before, self.view, self._verbosity):
            self.presenter.say(line)
        if isinstance(item, m.Tournament):
            before_it = self.tournaments.get(item.tournament)
            if self.tournaments.take(item):
                for line in news_lines(before_it, item, self.own_name):
                    self.presenter.say(line)
        if self._coach is not None:
            for lesson in self._coach.heard(item, self.view):
                self.presenter.lesson(lesson)
        if isinstance(item, m.StandInEnded | m.Snapshot):
            self._is_waking = False
        if isinstance(item, m.Snapshot):
            self._take_snapshot(before)
        elif isinstance(item, m.Error):
            self._take_error(item)
        elif isinstance(item, m.Reply):
            on_reply = self._asked.pop(item.id, (None, None))[1]
            if on_reply is not None:
                on_reply(item)
        self._sync_if_needed()

    def _take_link(self, item: LinkLost | LinkBack | LinkEnded) -> None:
        self._is_connected = isinstance(item, LinkBack)
        self.presenter.link(item)
        is_news = is_first = True
        if isinstance(item, LinkLost):
            is_first = self.seat_clock.lost is None
            is_news = self.seat_clock.link_lost(item) and (is_first or not self.has_status)
        else:
            self.seat_clock.link_stands()
        if (
            isinstance(item, LinkBack)
            and item.resumed
            and item.welcome.table is not None
            and self.view is not None
        ):
            self.presenter.back(back_line(self.view.snapshot))
        elif is_news:
            self.presenter.say(link_line(item, self.view, is_first=is_first))
        if isinstance(item, LinkBack):
            self.own_name = item.welcome.name
        if isinstance(item, LinkBack) and (not item.resumed or item.welcome.table is None):
            self.view = None
        elif isinstance(item, LinkEnded):
            self.ended = item
            self.is_over = True

    def _take_snapshot(self, before: TableView | None) -> None:
        """On coming to a table, say where one is; after something was missed, how the table stands now."""
        assert self.view is not None  # noqa: S101  (a snapshot always makes one)
        is_new = before is None or (before.table, before.seat) != (self.view.table, self.view.seat)
        if self._is_returning:
            self._is_returning = False
            self.presenter.back(back_line(self.view.snapshot))
        if is_new:
            self._say_place(self.view)
        else:
            for line in table_lines(self.view):
                self.presenter.say(line)

    def _take_error(self, error: m.Error) -> None:
        asked = None if error.id is None else self._asked.pop(error.id, (None, None))[0]
        if isinstance(asked, m.Sync):
            self._is_syncing = False
        if (
            isinstance(asked, m.Join | m.Watch)
            and error.code == ErrorCode.WRONG_PASSWORD
            and asked.password is None
        ):
            command = f"{'join' if isinstance(asked, m.Join) else 'watch'} {asked.table} password=TEXT"
            self.presenter.say(_("! This table has a password: type {command}.").format(command=command))
            return
        self.presenter.say(error_line(error, self.view if isinstance(asked, m.Act) else None))

    def _say_place(self, view: TableView) -> None:
        snapshot = view.snapshot
        if snapshot.public is None or snapshot.state is not m.TableState.PLAYING:
            self.presenter.say(place_line(snapshot))
            rules = _("Rules: {rules}, first to {target}, {clock}.").format(
                rules=preset_name(snapshot.rules),
                target=snapshot.rules.target,
                clock=turn_time(snapshot.turn_seconds),
            )
            self.presenter.say(rules)
            return
        for line in table_lines(view):
            self.presenter.say(line)

    def _sync_if_needed(self) -> None:
        view = self.view
        if view is None or not view.needs_sync or self._is_syncing or not self._is_connected:
            return
        self._is_syncing = True
        self.ask(m.Sync(id=NEW, seq=view.sync_from), self._synced)

    def _synced(self, reply: m.Reply) -> None:
        del reply
        self._is_syncing = False


def _has_stand_in(view: TableView) -> bool:
    """Whether a bot plays for this player."""
    summary = None if view.seat is None else view.snapshot.seats[view.seat]
    return summary is not None and summary.has_stand_in
