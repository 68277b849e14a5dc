"""A bot as an ordinary client: finds its table, plays the actions its policy chooses, reports each set."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import anyio

from tarneeb_client.language import _, plural
from tarneeb_client.link import NEW, Link
from tarneeb_client.link_items import LinkBack, LinkEnded, LinkItem, LinkLost, RequestFailed
from tarneeb_client.state import TableView, advance
from tarneeb_client.wording.people import SEAT_NAMES, TEAM_NAMES, seat_name
from tarneeb_engine.bots import policy
from tarneeb_engine.seats import Seat, Team
from tarneeb_protocol import messages as m
from tarneeb_protocol.actions import to_engine, to_wire
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.text import harmless

MOST_TRIES = 40
"""Times that a table is looked for anew, because another player was faster: ten full tables' worth."""
OVERTAKEN = frozenset(
    {
        ErrorCode.STALE,
        ErrorCode.NOT_YOUR_TURN,
        ErrorCode.WRONG_PHASE,
        ErrorCode.NO_DEAL,
        ErrorCode.TABLE_OVER,
        ErrorCode.WRONG_TABLE_STATE,
    }
)
"""Errors of an action that the clock made superfluous: the game has gone on, and so does the bot."""
FASTER = frozenset({ErrorCode.SEAT_TAKEN, ErrorCode.TABLE_FULL, ErrorCode.NO_SUCH_TABLE})
"""Errors of a join that came too late: another table or seat may do."""


class BotFailed(Exception):
    """A bot cannot go on; the text is for a person."""


@dataclass(frozen=True, slots=True)
class FinishedSet:
    """A set played to its end. ``seats`` are the players' names by seat; ``deals`` includes void ones."""

    table: int
    table_name: str
    number: int
    winner: Team
    scores: tuple[int, int]
    deals: int
    seats: tuple[str, str, str, str]

    def as_fields(self) -> dict[str, object]:
        """The fields of the line that ``tarneeb bot`` prints."""
        return {
            "set": self.number,
            "table": self.table,
            "table_name": self.table_name,
            "winner": TEAM_NAMES[self.winner],
            "score": {TEAM_NAMES[team]: self.scores[team] for team in Team},
            "deals": self.deals,
            "seats": {SEAT_NAMES[seat]: self.seats[seat] for seat in Seat},
        }


async def all_tables(link: Link) -> list[m.TableSummary]:
    """Every open table of the server, lowest number first."""
    found: list[m.TableSummary] = []
    while True:
        after = found[-1].table if found else None
        page = await link.request(m.ListTables(id=NEW, after=after))
        if not isinstance(page, m.Tables):
            return found
        fresh = [table for table in page.tables if after is None or table.table > after]
        found.extend(fresh)
        if not fresh or not page.more:
            return found


async def take_seat(link: Link, table_name: str, seat: Seat | None) -> None:
    """Sit down at the table of that name, opening it if there is none. Raises ``BotFailed``.

    Several clients may do so at once: whoever opened a table looks again, and all take the one of the lowest
    number with room, so that they meet at one table even when more than one was opened.
    """
    for _try in range(MOST_TRIES):
        named = [table for table in await all_tables(link) if table.name.casefold() == table_name.casefold()]
        roomy = [table for table in named if _has_room(table, seat)]
        try:
            if roomy:
                await link.request(m.Join(id=NEW, table=roomy[0].table, seat=seat))
                return
            if named:
                raise BotFailed(_no_place(named[0], seat))
            await link.request(m.OpenTable(id=NEW, name=table_name))
        except RequestFailed as failed:
            if failed.error.code not in FASTER:
                raise BotFailed(_no_seat(table_name, harmless(str(failed)))) from None
    faster = _("others were faster, {number} times").format(number=MOST_TRIES)
    raise BotFailed(_no_seat(table_name, faster))


def _no_place(table: m.TableSummary, seat: Seat | None) -> str:
    name = harmless(table.name)
    if seat is None:
        return _("table {number} {name} has no empty seat").format(number=table.table, name=name)
    taken = _("table {number} {name} has seat {seat} taken")
    return taken.format(number=table.table, name=name, seat=seat_name(seat))


def _no_seat(table_name: str, reason: str) -> str:
    return _("no seat at {name}: {reason}").format(name=harmless(table_name), reason=reason)


def _has_room(table: m.TableSummary, seat: Seat | None) -> bool:
    if seat is not None:
        return table.seats[seat] is None
    return None in table.seats


class BotPlayer:
    """Plays on a link that has taken, or is about to take, a seat.

    ``sets`` is how many it plays; ``report`` gets each. Whenever no set is in progress, or the connection is
    lost, it waits ``wait_seconds`` at most.
    """

    def __init__(
        self,
        link: Link,
        level: m.BotLevel,
        rng: random.Random,
        *,
        sets: int,
        wait_seconds: float,
        report: Callable[[FinishedSet], None],
    ) -> None:
        self._link = link
        self._policy = policy(level.value, rng)
        self._sets_left = sets
        self._wait_seconds = wait_seconds
        self._report = report
        self._view: TableView | None = None
        self._idle_since: float | None = None
        self._is_connected = True
        self._is_syncing = False

    async def play(self) -> None:
        """Play until its sets are done, then leave. Raises ``BotFailed``."""
        while self._sets_left:
            self._note_idleness()
            limit = float("inf") if self._idle_since is None else self._idle_since + self._wait_seconds
            await self._hear(limit)
        with suppress(RequestFailed):  # the table is closed already
            await self._link.request(m.Leave(id=NEW))

    async def _hear(self, limit: float) -> None:
        """Take the next item in, if it comes before the clock shows ``limit``. Raises ``BotFailed``."""
        with anyio.CancelScope(deadline=limit) as waiting:
            try:
                item = await anext(self._link)
            except StopAsyncIteration:
                raise BotFailed(_("the link has ended")) from None
            self._take(item)
        if waiting.cancelled_caught:
            raise BotFailed(self._why_idle())

    def _note_idleness(self) -> None:
        is_playing = self._view is not None and self._view.snapshot.state is m.TableState.PLAYING
        if is_playing and self._is_connected:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = anyio.current_time()

    def _why_idle(self) -> str:
        waited = f"{self._wait_seconds:g}"
        if not self._is_connected:
            return _("the connection is not back after {seconds} s").format(seconds=waited)
        idle = plural(
            "no set has begun after {seconds} s, and {number} more set should be played: "
            "seats are empty or players are not ready",
            "no set has begun after {seconds} s, and {number} more sets should be played: "
            "seats are empty or players are not ready",
            self._sets_left,
        )
        return idle.format(seconds=waited, number=self._sets_left)

    def _take(self, item: LinkItem) -> None:
        if isinstance(item, LinkLost):
            self._is_connected = False
        elif isinstance(item, LinkBack):
            if not item.resumed:
                raise BotFailed(_("the server no longer knew this bot after the connection was lost"))
            self._is_connected = True
        elif isinstance(item, LinkEnded):
            raise BotFailed(item.message)
        else:
            self._take_message(item)

    def _take_message(self, message: m.Message) -> None:
        before, self._view = self._view, advance(self._view, message)
        view = self._view
        if before is not None and view is None:
            self._table_closed()
        if isinstance(message, m.Error):
            self._take_error(message)
        elif isinstance(message, m.Done) and self._is_syncing:
            self._is_syncing = False
        if view is None:
            return
        if isinstance(message, m.SetWon) and before is not None and view.seq != before.seq:
            self._sets_left -= 1
            self._report(_finished(view, message.team, message.scores))
        elif isinstance(message, m.Snapshot) and before is not None:
            self._count_unheard(before.snapshot, view)
        elif view.needs_sync and not self._is_syncing:
            self._is_syncing = True
            self._link.post(m.Sync(id=NEW, seq=view.sync_from))
        elif isinstance(message, m.Prompt) and view.prompt is message and self._sets_left:
            self._answer(view, message)

    def _count_unheard(self, before: m.Snapshot, view: TableView) -> None:
        """Count the sets that ended while the connection was lost, when the server that told their events was
        killed. Of the latest the result may still be there.
        """
        after = view.snapshot
        if after.table != before.table:
            return
        unheard = min(_sets_over(after) - _sets_over(before), self._sets_left)
        if unheard <= 0:
            return
        self._sets_left -= unheard
        public = after.public
        if after.state is not m.TableState.PLAYING and public is not None and public.winner is not None:
            self._report(_finished(view, public.winner, public.scores))

    def _table_closed(self) -> None:
        raise BotFailed(_("the table was closed"))

    def _take_error(self, error: m.Error) -> None:
        self._is_syncing = False
        if error.code not in OVERTAKEN:
            refused = _("the server refused an action: {reason} ({code})")
            raise BotFailed(refused.format(reason=harmless(error.message), code=harmless(error.code)))

    def _answer(self, view: TableView, prompt: m.Prompt) -> None:
        if any(isinstance(action, m.ReadyAction) for action in prompt.actions):
            self._link.post(m.Act(id=NEW, action=m.ReadyAction(), seq=view.seq))
            return
        seat_view = view.seat_view()
        legal = tuple(to_engine(action) for action in prompt.actions)
        if seat_view is None or not legal:
            raise BotFailed(_("the server asked for an action but offered none"))
        action = self._policy.choose(seat_view, legal)
        self._link.post(m.Act(id=NEW, action=to_wire(action), seq=view.seq))


def _sets_over(snapshot: m.Snapshot) -> int:
    """How many of a table's sets are over."""
    return snapshot.set_number - (snapshot.state is m.TableState.PLAYING)


def _finished(view: TableView, winner: Team, scores: tuple[int, int]) -> FinishedSet:
    snapshot = view.snapshot
    south, east, north, west = ("" if summary is None else summary.name for summary in snapshot.seats)
    return FinishedSet(
        table=snapshot.table,
        table_name=snapshot.name,
        number=snapshot.set_number,
        winner=winner,
        scores=scores,
        deals=0 if view.deal is None else view.deal.number,
        seats=(south, east, north, west),
    )
