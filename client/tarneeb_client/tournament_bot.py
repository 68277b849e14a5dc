"""A bot in a tournament: enters, says yes when its team is called, plays, and reports the standings."""

from __future__ import annotations

import random
from collections.abc import Callable

import anyio

from tarneeb_client.bot_player import BotFailed, BotPlayer, FinishedSet
from tarneeb_client.language import _
from tarneeb_client.link import NEW, Link
from tarneeb_client.link_items import RequestFailed
from tarneeb_client.state import TableView
from tarneeb_client.tournaments import Tournaments, is_invited, seat_to_take
from tarneeb_protocol import messages as m
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.text import harmless

LOOK_SECONDS = 0.5
"""How often it is looked whether a tournament, or a partner, is there by now."""
TOO_LATE = frozenset(
    {
        ErrorCode.RESERVED,
        ErrorCode.NO_SUCH_TABLE,
        ErrorCode.ALREADY_AT_TABLE,
        ErrorCode.NOT_AT_TABLE,
        ErrorCode.NOT_A_PLAYER,
        ErrorCode.NOT_ENTERED,
    }
)
"""Errors of a request that the tournament has overtaken."""


async def find_tournament(link: Link, name: str, wait_seconds: float) -> m.TournamentSummary:
    """The tournament of that name or number that is not over, as soon as there is one. Raises ``BotFailed``."""
    with anyio.move_on_after(wait_seconds):
        while True:
            listed = await link.request(m.ListTournaments(id=NEW))
            for each in listed.tournaments if isinstance(listed, m.Tournaments) else ():
                is_named = name.casefold() in {each.name.casefold(), str(each.tournament)}
                if is_named and each.state is not m.TournamentState.OVER:
                    return each
            await anyio.sleep(LOOK_SECONDS)
    missing = _("there is no tournament {name} after {seconds} s")
    raise BotFailed(missing.format(name=harmless(name), seconds=f"{wait_seconds:g}"))


async def enter(
    link: Link, tournament: m.TournamentSummary, team: str | None, partner: str | None, wait_seconds: float
) -> None:
    """Enter as ``team`` with ``partner``, as soon as that one is here; by lot alone; without a team wait to be
    invited. Raises ``BotFailed``.
    """
    number = tournament.tournament
    await link.request(m.FollowTournament(id=NEW, tournament=number))
    if not tournament.by_lot and team is None:
        return
    request = m.EnterTournament(id=NEW, tournament=number, team=team, partner=partner)
    if tournament.by_lot:
        request = m.EnterTournament(id=NEW, tournament=number)
    with anyio.move_on_after(wait_seconds):
        while True:
            try:
                await link.request(request)
            except RequestFailed as failed:
                if failed.error.code != ErrorCode.CANNOT_ENTER or failed.error.field != "partner":
                    refused = _("cannot enter: {reason}").format(reason=harmless(str(failed)))
                    raise BotFailed(refused) from None
            else:
                return
            await anyio.sleep(LOOK_SECONDS)
    missing = _("{name} is not here after {seconds} s")
    raise BotFailed(missing.format(name=harmless(partner or ""), seconds=f"{wait_seconds:g}"))


class TournamentPlayer(BotPlayer):
    """Plays in a tournament until it is over, on a link whose session has entered or waits to be invited.

    ``final`` is its last state then.
    """

    def __init__(
        self,
        link: Link,
        level: m.BotLevel,
        rng: random.Random,
        *,
        tournament: int,
        wait_seconds: float,
        report: Callable[[FinishedSet], None],
    ) -> None:
        super().__init__(link, level, rng, sets=10**9, wait_seconds=wait_seconds, report=report)
        self._number = tournament
        self._known = Tournaments()
        self.final: m.Tournament | None = None
        self._asked: tuple[int, int] | None = None
        """The table that was last asked for a seat, and the state of the tournament that called to it."""

    async def play(self) -> None:
        """Play until the tournament is over. Raises ``BotFailed``."""
        while self.final is None:
            limit = float("inf") if self._is_connected else anyio.current_time() + self._wait_seconds
            await self._hear(limit)

    def _take_message(self, message: m.Message) -> None:
        if isinstance(message, m.Tournament):
            if message.tournament == self._number and self._known.take(message):
                self._heed(message)
            return
        super()._take_message(message)
        if isinstance(message, m.TableClosed | m.Snapshot):
            # It may be free, or at another table, only now.
            known = self._known.get(self._number)
            if known is not None:
                self._heed(known)

    def _heed(self, news: m.Tournament) -> None:
        name = self._link.welcome.name
        if news.state is m.TournamentState.OVER:
            self.final = news
            return
        if is_invited(news, name):
            self._link.post(m.AnswerInvitation(id=NEW, tournament=self._number))
        table = seat_to_take(news, name, self._view)
        if table is not None and self._asked != (table, news.seq):
            self._asked = (table, news.seq)
            self._link.post(m.Join(id=NEW, table=table))

    def _table_closed(self) -> None:
        """Tables of a tournament close when its teams have met."""

    def _take_error(self, error: m.Error) -> None:
        if error.code in TOO_LATE:
            self._is_syncing = False
            return
        super()._take_error(error)

    def _answer(self, view: TableView, prompt: m.Prompt) -> None:
        if view.snapshot.tournament == self._number:
            super()._answer(view, prompt)


def standings_fields(tournament: m.Tournament) -> dict[str, object]:
    """The fields of the line that ``tarneeb bot`` prints at the end of a tournament."""
    teams = [tournament.teams[number] for number in tournament.ranking]
    return {
        "tournament": tournament.tournament,
        "name": tournament.name,
        "standings": [
            {
                "team": team.name,
                "players": [one.name for one in team.players],
                "played": team.played,
                "won": team.won,
                "best_run": team.best_run,
                "difference": team.points_for - team.points_against,
            }
            for team in teams
        ],
    }
