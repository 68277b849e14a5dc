"""What a client knows of tournaments: the latest state of each, and who of its own is called."""

from __future__ import annotations

from tarneeb_client.state import TableView
from tarneeb_protocol import messages as m

MOST_KNOWN = 16
"""Tournaments that are remembered: far more than anybody follows."""


class Tournaments:
    """The latest ``tournament`` of each, oldest news first."""

    def __init__(self) -> None:
        self._known: dict[int, m.Tournament] = {}

    def take(self, news: m.Tournament) -> bool:
        """Whether it is news: one with a smaller ``seq`` than what is known is passed over."""
        known = self._known.get(news.tournament)
        if known is not None and news.seq < known.seq:
            return False
        self._known.pop(news.tournament, None)
        self._known[news.tournament] = news
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return True

    def get(self, number: int) -> m.Tournament | None:
        """What is known of a tournament."""
        return self._known.get(number)

    def known(self) -> list[m.Tournament]:
        """All of them, those with the latest news last."""
        return list(self._known.values())

    def latest(self) -> m.Tournament | None:
        """The one of which there was news last."""
        return next(reversed(self._known.values()), None)


def own_team(tournament: m.Tournament, name: str) -> int | None:
    """The number of the team that somebody of this name is in, invited or not, if it still plays."""
    for number, team in enumerate(tournament.teams):
        if not team.is_out and any(one.level is None and one.name == name for one in team.players):
            return number
    return None


def is_invited(tournament: m.Tournament, name: str) -> bool:
    """Whether somebody of this name is asked to be a partner and has not answered."""
    return any(
        one.level is None and one.name == name and not one.accepted
        for team in tournament.teams
        for one in team.players
    )


def seat_to_take(tournament: m.Tournament, name: str, view: TableView | None) -> int | None:
    """The table at which a seat waits for somebody of this name, ``None`` for one who sits there already or is
    not called.
    """
    team = own_team(tournament, name)
    for call in tournament.called:
        if call.team == team:
            at = None if view is None else view.snapshot
            is_seated = at is not None and at.table == call.table and at.seat is not None
            return None if is_seated else call.table
    return None
