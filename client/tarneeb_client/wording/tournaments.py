"""Tournaments in words: the list, the standings, and what is news to a player."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tarneeb_client.language import N_, _, clauses, listed, plural
from tarneeb_client.tournaments import is_invited, own_team
from tarneeb_client.wording.people import called
from tarneeb_engine.tournaments.formats import FormatKind
from tarneeb_protocol import messages as m

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMATS: Mapping[FormatKind, str] = MappingProxyType(
    {
        FormatKind.WINNER_STAYS: N_("the winners stay"),
        FormatKind.ROUND_ROBIN: N_("everybody against everybody"),
        FormatKind.KNOCK_OUT: N_("who loses is out"),
    }
)
STATES: Mapping[m.TournamentState, str] = MappingProxyType(
    {
        m.TournamentState.FORMING: N_("teams enter"),
        m.TournamentState.PLAYING: N_("being played"),
        m.TournamentState.OVER: N_("over"),
    }
)


def tournament_line(tournament: m.TournamentSummary) -> str:
    """A tournament of the list in one line."""
    parts = [
        _("Tournament {number} {name}: {format}").format(
            number=tournament.tournament, name=called(tournament.name), format=_(FORMATS[tournament.format])
        ),
        _(STATES[tournament.state]),
        plural("{number} team", "{number} teams", tournament.teams).format(number=tournament.teams),
        _("opened by {name}").format(name=called(tournament.opener)),
    ]
    if tournament.by_lot:
        parts.append(_("partners by lot"))
    return f"{clauses(parts)}."


def standings_lines(tournament: m.Tournament) -> list[str]:
    """How the teams stand, who plays and who waits."""
    lines = [
        _("Tournament {number} {name}: {format}, {state}.").format(
            number=tournament.tournament,
            name=called(tournament.name),
            format=_(FORMATS[tournament.format]),
            state=_(STATES[tournament.state]),
        )
    ]
    order = tournament.ranking or tuple(range(len(tournament.teams)))
    lines += [
        standing_line(place, tournament.teams[team])
        for place, team in enumerate(order, 1)
        if team < len(tournament.teams)
    ]
    if tournament.alone:
        waiting = listed(called(name) for name in tournament.alone)
        lines.append(_("Waiting for the lot: {names}.").format(names=waiting))
    for pairing in tournament.pairings:
        if pairing.table is not None:
            lines.append(
                _("Table {table}: {one} against {other}.").format(
                    table=pairing.table,
                    one=team_name(tournament, pairing.teams[0]),
                    other=team_name(tournament, pairing.teams[1]),
                )
            )
    if tournament.waiting:
        queue = listed(team_name(tournament, team) for team in tournament.waiting)
        lines.append(_("Waiting: {teams}.").format(teams=queue))
    return lines


def standing_line(place: int, team: m.TeamSummary) -> str:
    """A team, what it has won, and by how many points."""
    players = listed(called(player.name) for player in team.players)
    parts = [
        _("{place}. {team} ({players})").format(place=place, team=called(team.name), players=players),
        _("{won} of {played} sets won").format(won=team.won, played=team.played),
        _("{run} in a row").format(run=team.run),
        _("points {difference}").format(difference=f"{team.points_for - team.points_against:+d}"),
    ]
    if team.is_out:
        parts.append(_("gone home"))
    elif not all(player.accepted for player in team.players):
        parts.append(_("not answered yet"))
    return f"{clauses(parts)}."


def team_name(tournament: m.Tournament, team: int) -> str:
    """The name of a team by its number, as it stands in a line."""
    return called(tournament.teams[team].name) if team < len(tournament.teams) else "?"


def news_lines(before: m.Tournament | None, after: m.Tournament, name: str) -> list[str]:
    """What has changed that is worth a line to the player of this name."""
    lines = _results(before, after)
    if is_invited(after, name) and (before is None or not is_invited(before, name)):
        team = own_team(after, name)
        assert team is not None  # noqa: S101  (who is invited is in a team)
        lines.append(
            _("! {partner} asks you to play in tournament {number} as {team}. Type yes or no.").format(
                partner=called(after.teams[team].players[0].name),
                number=after.tournament,
                team=team_name(after, team),
            )
        )
    was_forming = before is None or before.state is m.TournamentState.FORMING
    if after.state is m.TournamentState.PLAYING and was_forming:
        lines.append(_("Tournament {name} begins.").format(name=called(after.name)))
    if after.state is m.TournamentState.OVER and (before is None or before.state is not after.state):
        lines.append(_("Tournament {name} is over.").format(name=called(after.name)))
        lines += standings_lines(after)[1:]
    call = own_call(after, name)
    if call is not None and (before is None or own_call(before, name) is None):
        lines.append(
            _("! Your team is called to table {table}: type yes, within {seconds} seconds.").format(
                table=call.table, seconds=call.seconds
            )
        )
    return lines


def own_call(tournament: m.Tournament, name: str) -> m.CallSummary | None:
    """The call of the team of somebody of this name."""
    team = own_team(tournament, name)
    return next((call for call in tournament.called if call.team == team), None)


def _results(before: m.Tournament | None, after: m.Tournament) -> list[str]:
    if before is None:
        return []
    told = [pairing for pairing in before.pairings if _is_decided(pairing)]
    lines = []
    for pairing in after.pairings:
        if not _is_decided(pairing):
            continue
        if pairing in told:
            told.remove(pairing)
            continue
        lines.append(_result_line(after, pairing))
    return lines


def _is_decided(pairing: m.PairingSummary) -> bool:
    return pairing.winner is not None or pairing.is_walkover


def _result_line(tournament: m.Tournament, pairing: m.PairingSummary) -> str:
    one, other = (team_name(tournament, team) for team in pairing.teams)
    if pairing.winner is None:
        return _("In the tournament neither {one} nor {other} appeared.").format(one=one, other=other)
    won, lost = (one, other) if pairing.winner == 0 else (other, one)
    if pairing.scores is None:
        return _("In the tournament {won} wins: {lost} did not appear.").format(won=won, lost=lost)
    first, second = pairing.scores if pairing.winner == 0 else pairing.scores[::-1]
    return _("In the tournament {won} beats {lost}, {first} to {second}.").format(
        won=won, lost=lost, first=first, second=second
    )
