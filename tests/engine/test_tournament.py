"""The tournament of rule 4."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_engine.seats import Team
from tarneeb_engine.tournament import SetResult, Tournament, TournamentTeam

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def team(name: str) -> TournamentTeam:
    return TournamentTeam(name, (f"{name} 1", f"{name} 2"))


def teams(count: int) -> list[TournamentTeam]:
    return [team(f"team {number}") for number in range(count)]


def results() -> SearchStrategy[SetResult]:
    scores = st.integers(-60, 70)
    return st.builds(SetResult, st.sampled_from(Team), st.tuples(scores, scores))


@given(st.integers(2, 9), st.lists(results(), max_size=30))
def test_rule_4_no_team_is_lost_or_doubled_whatever_the_results(count: int, played: list[SetResult]) -> None:
    tournament = Tournament.begin(teams(count))
    for result in played:
        tournament = tournament.set_ended(result)
        assert Counter(tournament.teams) == Counter(teams(count))
        assert [standing.team for standing in tournament.standings] == teams(count)


@given(st.integers(2, 9), st.lists(results(), min_size=1, max_size=30))
def test_rule_4_winners_stay_in_their_seats_and_losers_go_to_the_back(
    count: int, played: list[SetResult]
) -> None:
    tournament = Tournament.begin(teams(count))
    for result in played:
        before, tournament = tournament, tournament.set_ended(result)
        winner, loser = result.winner, result.winner.opponents
        assert tournament.at_table[winner] == before.at_table[winner]
        queue = [*before.waiting, before.at_table[loser]]
        assert tournament.at_table[loser] == queue[0]
        assert list(tournament.waiting) == queue[1:]


@given(st.integers(2, 9), st.lists(results(), max_size=30))
def test_standings_add_up(count: int, played: list[SetResult]) -> None:
    tournament = Tournament.begin(teams(count))
    for result in played:
        tournament = tournament.set_ended(result)
    standings = tournament.standings
    assert tournament.sets_played == len(played)
    assert sum(standing.sets_played for standing in standings) == 2 * len(played)
    assert sum(standing.sets_won for standing in standings) == len(played)
    assert sum(standing.point_difference for standing in standings) == 0
    assert all(0 <= s.sets_in_a_row <= s.best_run <= s.sets_won <= s.sets_played for s in standings)
    on_a_run = [standing.team for standing in standings if standing.sets_in_a_row]
    assert len(on_a_run) == bool(played)
    assert set(on_a_run) <= set(tournament.at_table)


@given(st.integers(3, 9), st.lists(results(), min_size=9, max_size=9))
def test_rule_4_everybody_gets_to_play_within_one_turn_of_the_queue(
    count: int, played: list[SetResult]
) -> None:
    tournament = Tournament.begin(teams(count))
    for result in played[: count - 2]:
        tournament = tournament.set_ended(result)
    # The last in the queue has sat down by now, and the queue holds only teams that have played.
    assert tournament.at_table[played[count - 3].winner.opponents] == team(f"team {count - 1}")
    assert all(standing.sets_played for standing in tournament.standings[:-1])


@given(st.lists(results(), max_size=12))
def test_rule_4_with_two_teams_only_the_same_two_play_on_in_the_same_seats(played: list[SetResult]) -> None:
    tournament = Tournament.begin(teams(2))
    for result in played:
        tournament = tournament.set_ended(result)
        assert tournament.at_table == tuple(teams(2))
        assert tournament.waiting == ()


def test_rule_4_with_one_team_waiting_it_comes_on_for_the_losers() -> None:
    a, b, c = teams(3)
    tournament = Tournament.begin([a, b, c]).set_ended(SetResult(Team.EAST_WEST, (12, 33)))
    assert tournament.at_table == (c, b)
    assert tournament.waiting == (a,)


def test_a_run_of_won_sets_is_counted_and_ends_with_a_lost_one() -> None:
    a, *_ = teams(4)
    tournament = Tournament.begin(teams(4))
    for winner in (Team.SOUTH_NORTH, Team.SOUTH_NORTH, Team.SOUTH_NORTH, Team.EAST_WEST):
        tournament = tournament.set_ended(SetResult(winner, (31, 5) if winner == 0 else (5, 31)))
    standing = tournament.standings[0]
    assert standing.team == a
    assert (standing.sets_in_a_row, standing.best_run, standing.sets_won, standing.sets_played) == (0, 3, 3, 4)
    assert (standing.points_for, standing.points_against) == (98, 46)
    assert standing.point_difference == 52


def test_rule_20_a_set_won_by_game_may_be_won_with_the_lower_score() -> None:
    tournament = Tournament.begin(teams(2)).set_ended(SetResult(Team.SOUTH_NORTH, (-12, 30)))
    assert tournament.standings[0].sets_won == 1
    assert tournament.standings[0].point_difference == -42


def test_the_ranking_goes_by_sets_won_then_by_points() -> None:
    tournament = Tournament.begin(teams(3))
    tournament = tournament.set_ended(SetResult(Team.EAST_WEST, (28, 31)))  # 0 loses to 1
    tournament = tournament.set_ended(SetResult(Team.SOUTH_NORTH, (35, 0)))  # 2 beats 1
    assert [standing.team.name for standing in tournament.ranking()] == ["team 2", "team 1", "team 0"]


def test_a_late_team_waits_behind_the_others_and_a_withdrawn_one_keeps_its_standing() -> None:
    tournament = Tournament.begin(teams(3)).enter(team("late"))
    assert tournament.waiting == (team("team 2"), team("late"))
    tournament = tournament.set_ended(SetResult(Team.SOUTH_NORTH, (31, 9))).withdraw("team 1")
    assert tournament.waiting == (team("late"),)
    assert tournament.standings[1].sets_played == 1
    back = tournament.enter(team("team 1"))
    assert back.waiting == (team("late"), team("team 1"))
    assert back.standings[1].sets_played == 1
    with pytest.raises(ValueError, match="played here as team 1 1 and team 1 2"):
        tournament.enter(TournamentTeam("team 1", ("somebody", "else")))


def test_a_team_at_the_table_cannot_withdraw_from_its_set() -> None:
    with pytest.raises(ValueError, match="no team 'team 0' is waiting; teams waiting: 'team 2'"):
        Tournament.begin(teams(3)).withdraw("team 0")


@pytest.mark.parametrize(
    ("entered", "reason"),
    [
        ([], "two teams or more, not 0"),
        (teams(1), "two teams or more, not 1"),
        ([team("a"), TournamentTeam("a", ("x", "y"))], "two teams are called 'a'"),
        ([team("a"), TournamentTeam("b", ("x", "a 2"))], "'a 2' plays for 'a' already and cannot play for 'b'"),
    ],
)
def test_a_tournament_that_cannot_begin_says_why(entered: list[TournamentTeam], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Tournament.begin(entered)


@pytest.mark.parametrize(("name", "players"), [(" ", ("x", "y")), ("a", ("x", "")), ("a", ("x", "x"))])
def test_a_team_has_a_name_and_two_different_players(name: str, players: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="team"):
        TournamentTeam(name, players)
