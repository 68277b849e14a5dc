"""Tournaments (rule 4): queues, leagues and ladders, as values."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tarneeb_engine.seats import Team
from tarneeb_engine.tournaments.knock_out import KnockOut, ladder_order
from tarneeb_engine.tournaments.round_robin import RoundRobin, schedule
from tarneeb_engine.tournaments.standings import TeamResult
from tarneeb_engine.tournaments.winner_stays import MOST_MISSES, WinnerStays

if TYPE_CHECKING:
    from tarneeb_engine.tournaments.formats import Format

SEEDS = st.integers(0, 2**32).map(random.Random)
TEAM_COUNTS = st.integers(2, 64)
SCORES = st.tuples(st.integers(-40, 60), st.integers(-40, 60))


def won(teams: tuple[int, int], winner: Team, scores: tuple[int, int] = (31, 12)) -> TeamResult:
    return TeamResult(teams, winner, scores)


def assert_well_formed(tournament: Format) -> None:
    playing = [team for pairing in tournament.pairings for team in pairing.teams]
    assert len(playing) == len(set(playing)), "a team plays twice at a time"
    assert not set(playing) & set(tournament.waiting), "a team plays and waits"
    assert len(set(tournament.waiting)) == len(tournament.waiting)
    assert sorted(tournament.ranking()) == list(range(tournament.team_count))


def played_to_the_end(tournament: Format, rng: random.Random, *, misses: bool = True) -> Format:
    """Play what is called in any order, with teams that do not appear or go home."""
    while not tournament.is_over and tournament.pairings:
        assert_well_formed(tournament)
        pairing = rng.choice(tournament.pairings)
        chance = rng.random()
        if misses and chance < 0.1:
            absent = [team for team in pairing.teams if rng.random() < 0.6]
            tournament = tournament.not_there(pairing.place, absent)
        elif misses and chance < 0.15:
            tournament = tournament.withdraw(rng.choice(pairing.teams), is_playing=rng.random() < 0.5)
        else:
            scores = (rng.randrange(-20, 60), rng.randrange(-20, 60))
            result = TeamResult(pairing.teams, rng.choice(list(Team)), scores)
            tournament = tournament.set_ended(pairing.place, result)
    assert_well_formed(tournament)
    return tournament


def reckoned(results: tuple[TeamResult, ...], team: int) -> tuple[int, int, int, int, int]:
    """Sets played, won, in a row, best run, point difference: reckoned apart from the product's fold."""
    mine = [result for result in results if team in result.teams]
    wins = "".join("W" if result.won_by == team else "L" for result in mine)
    points = sum(
        (1 if result.teams[0] == team else -1) * (result.scores[0] - result.scores[1]) for result in mine
    )
    runs = [len(run) for run in wins.split("L")]
    return len(mine), wins.count("W"), runs[-1], max(runs), points


# ---------------------------------------------------------------- the queue


def test_the_losers_go_to_the_back_and_the_winners_stay_on_their_side() -> None:
    tournament = WinnerStays.begin(4).set_ended(0, won((0, 1), Team.EAST_WEST))
    assert tournament.at_table == (2, 1)
    assert tournament.waiting == (3, 0)


def test_with_two_teams_the_same_two_play_on() -> None:
    tournament = WinnerStays.begin(2).set_ended(0, won((0, 1), Team.SOUTH_NORTH))
    assert tournament.at_table == (0, 1)
    assert tournament.waiting == ()


def test_a_team_that_enters_later_waits_behind_the_others() -> None:
    tournament = WinnerStays.begin(3).enter()
    assert tournament.waiting == (2, 3)
    assert tournament.team_count == 4


@given(TEAM_COUNTS, st.integers(0, 80), SEEDS)
def test_everybody_in_the_queue_gets_to_the_table_in_order(teams: int, sets: int, rng: random.Random) -> None:
    tournament = WinnerStays.begin(teams)
    for _ in range(sets):
        queue, before = tournament.waiting, tournament.at_table
        (pairing,) = tournament.pairings
        winner = rng.choice(list(Team))
        tournament = tournament.set_ended(0, won(pairing.teams, winner))
        following = queue[0] if queue else before[winner.opponents]
        assert tournament.at_table[winner.opponents] == following
        assert tournament.at_table[winner] == before[winner]
        assert tournament.waiting == (*queue, before[winner.opponents])[1:]


def test_a_team_that_is_passed_over_is_first_in_the_queue_and_called_after_the_next_set() -> None:
    tournament = WinnerStays.begin(4).not_there(0, [1])
    assert tournament.at_table == (0, 2)
    assert tournament.waiting == (1, 3)
    tournament = tournament.set_ended(0, won((0, 2), Team.SOUTH_NORTH))
    assert tournament.at_table == (0, 1)


def test_two_absent_teams_are_both_replaced_and_keep_their_order() -> None:
    tournament = WinnerStays.begin(5).not_there(0, [0, 1])
    assert tournament.at_table == (2, 3)
    assert tournament.waiting == (0, 1, 4)


def test_where_nobody_could_come_instead_an_absent_team_has_more_time() -> None:
    tournament = WinnerStays.begin(2)
    assert tournament.not_there(0, [0]) == tournament


def test_a_team_that_is_passed_over_for_the_third_time_in_succession_is_out() -> None:
    tournament = WinnerStays.begin(4)
    for _ in range(MOST_MISSES):
        side = Team(tournament.at_table.index(1))
        tournament = tournament.not_there(0, [1])
        (pairing,) = tournament.pairings
        tournament = tournament.set_ended(0, won(pairing.teams, side.opponents))
    assert tournament.out == {1}
    assert 1 not in (*tournament.at_table, *tournament.waiting)
    assert tournament.standings()[1].sets_played == 0


def test_who_appears_again_has_its_misses_forgiven() -> None:
    tournament = WinnerStays.begin(3).not_there(0, [1]).set_ended(0, won((0, 2), Team.SOUTH_NORTH))
    assert tournament.misses == (0, 1, 0)
    assert tournament.set_ended(0, won((0, 1), Team.EAST_WEST)).misses == (0, 0, 0)


def test_a_team_that_goes_home_during_its_set_finishes_it_and_does_not_queue_up() -> None:
    tournament = WinnerStays.begin(3).withdraw(0, is_playing=True)
    assert tournament.at_table == (0, 1)
    won_by_it = tournament.set_ended(0, won((0, 1), Team.SOUTH_NORTH))
    assert won_by_it.at_table == (2, 1)
    assert won_by_it.waiting == ()
    assert won_by_it.standings()[0].sets_won == 1


def test_a_table_without_two_teams_waits_for_another() -> None:
    tournament = WinnerStays.begin(2).withdraw(1, is_playing=False)
    assert tournament.pairings == ()
    assert tournament.enter().pairings[0].teams == (0, 2)


def test_it_ends_by_the_number_of_sets_or_by_wins() -> None:
    by_sets = WinnerStays.begin(3, sets=1).set_ended(0, won((0, 1), Team.SOUTH_NORTH))
    assert by_sets.is_over
    assert not by_sets.pairings
    by_wins = WinnerStays.begin(3, wins=2).set_ended(0, won((0, 1), Team.SOUTH_NORTH))
    assert not by_wins.is_over
    assert by_wins.set_ended(0, won((0, 2), Team.SOUTH_NORTH)).is_over


@pytest.mark.parametrize("sets", [0, -1])
def test_an_end_that_is_there_at_the_beginning_is_refused(sets: int) -> None:
    with pytest.raises(ValueError, match="one of sets or more"):
        WinnerStays.begin(2, sets=sets)
    with pytest.raises(ValueError, match="one of wins or more"):
        WinnerStays.begin(2, wins=sets)


# ---------------------------------------------------------------- the league


@pytest.mark.parametrize("teams", range(2, 33))
def test_every_pair_meets_once_and_nobody_twice_a_turn(teams: int) -> None:
    pairings = schedule(teams)
    assert Counter(frozenset(pairing.teams) for pairing in pairings) == Counter(
        frozenset(pair) for pair in combinations(range(teams), 2)
    )
    turns = teams - 1 if teams % 2 == 0 else teams
    byes: Counter[int] = Counter()
    for turn in range(1, turns + 1):
        playing = [team for pairing in pairings if pairing.turn == turn for team in pairing.teams]
        assert len(playing) == len(set(playing))
        resting = set(range(teams)) - set(playing)
        assert len(resting) == teams % 2
        byes.update(resting)
    assert all(count == 1 for count in byes.values())
    assert len(byes) == (teams if teams % 2 else 0)
    assert [pairing.place for pairing in pairings] == list(range(len(pairings)))


@pytest.mark.parametrize("teams", range(2, 33))
def test_in_a_league_nobody_always_sits_on_one_side(teams: int) -> None:
    south_north = Counter(pairing.teams[0] for pairing in schedule(teams))
    meetings = teams - 1
    assert teams < 4 or all(0 < south_north[team] < meetings for team in range(teams))


def test_a_team_that_does_not_appear_in_a_league_loses_the_set_without_a_score() -> None:
    tournament = RoundRobin.begin(3)
    (pairing,) = tournament.pairings
    tournament = tournament.not_there(pairing.place, [pairing.teams[0]])
    (result,) = tournament.results
    assert (result.won_by, result.scores, result.is_walkover) == (pairing.teams[1], (0, 0), True)


def test_a_set_of_a_league_that_nobody_appears_at_is_won_by_nobody() -> None:
    tournament = RoundRobin.begin(2)
    tournament = tournament.not_there(0, [0, 1])
    assert tournament.is_over
    assert [standing.sets_won for standing in tournament.standings()] == [0, 0]


def test_a_league_is_ranked_by_wins_then_by_who_beat_whom_then_by_points() -> None:
    tournament = RoundRobin.begin(4, table_count=1)
    winners = {
        frozenset((0, 1)): 1,
        frozenset((0, 2)): 0,
        frozenset((0, 3)): 0,
        frozenset((1, 2)): 2,
        frozenset((1, 3)): 1,
        frozenset((2, 3)): 3,
    }
    while not tournament.is_over:
        (pairing,) = tournament.pairings
        side = Team(pairing.teams.index(winners[frozenset(pairing.teams)]))
        scores = (50, 0) if 0 in pairing.teams and side is Team.SOUTH_NORTH else (31, 30)
        tournament = tournament.set_ended(pairing.place, won(pairing.teams, side, scores))
    wins = [standing.sets_won for standing in tournament.standings()]
    assert wins == [2, 2, 1, 1]
    assert tournament.ranking() == (1, 0, 3, 2), "0 has more points, but lost to 1; 3 beat 2"


# ---------------------------------------------------------------- the ladder


@pytest.mark.parametrize("teams", range(2, 65))
def test_a_ladder_is_right_for_any_number_of_teams(teams: int) -> None:
    tournament = KnockOut.begin(teams)
    assert 2 ** (tournament.turns - 1) < teams <= 2**tournament.turns
    first_turn = [team for pairing in tournament.published() if pairing.turn == 1 for team in pairing.teams]
    byes = set(range(teams)) - set(first_turn)
    assert byes == set(range(2**tournament.turns - teams)), "the first teams have the byes, one each"
    while not tournament.is_over:
        pairing = tournament.pairings[0]
        favourite = Team(pairing.teams.index(min(pairing.teams)))
        tournament = tournament.set_ended(pairing.place, won(pairing.teams, favourite))
    assert len(tournament.results) == teams - 1, "each set puts one team out"
    losers = [team for result in tournament.results for team in result.teams if team != result.won_by]
    assert sorted(losers) == list(range(1, teams)), "everybody but the winner loses once"
    assert tournament.ranking()[0] == 0
    final = tournament.published()[-1]
    assert set(final.teams) == {0, 1}, "where the favourites win, the first two meet last"


def test_the_ladder_of_eight_is_the_usual_one() -> None:
    assert ladder_order(3) == (0, 7, 3, 4, 1, 6, 2, 5)


def test_in_a_ladder_the_team_that_appears_goes_on() -> None:
    tournament = KnockOut.begin(4).not_there(0, [0])
    assert tournament.results[0].won_by == 3
    assert KnockOut.begin(4).not_there(0, [0, 3]).results[0].won_by == 0, "nobody there: the one seeded higher"


def test_a_ladder_that_has_begun_takes_no_other_team() -> None:
    with pytest.raises(ValueError, match="published"):
        KnockOut.begin(4).enter()


# ---------------------------------------------------------------- every format


@st.composite
def formats(draw: st.DrawFn) -> Format:
    kind = draw(st.sampled_from(["queue", "league", "ladder"]))
    if kind == "queue":
        return WinnerStays.begin(draw(st.integers(2, 20)), sets=draw(st.integers(1, 40)))
    tables = draw(st.integers(1, 8))
    if kind == "league":
        return RoundRobin.begin(draw(st.integers(2, 12)), table_count=tables)
    return KnockOut.begin(draw(TEAM_COUNTS), table_count=tables)


@given(formats(), SEEDS)
@settings(deadline=None, max_examples=60)
def test_no_team_is_in_two_places_whatever_happens_and_the_standings_are_those_of_the_results(
    tournament: Format, rng: random.Random
) -> None:
    ended = played_to_the_end(tournament, rng)
    for standing in ended.standings():
        assert reckoned(ended.results, standing.team) == (
            standing.sets_played,
            standing.sets_won,
            standing.sets_in_a_row,
            standing.best_run,
            standing.point_difference,
        )


@given(formats(), SEEDS)
@settings(deadline=None, max_examples=60)
def test_leagues_and_ladders_come_to_an_end_whoever_goes_home(tournament: Format, rng: random.Random) -> None:
    ended = played_to_the_end(tournament, rng)
    assert ended.is_over or isinstance(ended, WinnerStays)
    if isinstance(ended, RoundRobin):
        assert len({frozenset(result.teams) for result in ended.results}) == len(ended.results)
    if isinstance(ended, KnockOut):
        assert len(ended.results) == ended.team_count - 1


@pytest.mark.parametrize("team_count", [-1, 0, 1])
def test_a_tournament_needs_two_teams(team_count: int) -> None:
    for begin in (WinnerStays.begin, RoundRobin.begin, KnockOut.begin):
        with pytest.raises(ValueError, match="two teams or more"):
            begin(team_count)


@pytest.mark.parametrize("tournament", [WinnerStays.begin(3), RoundRobin.begin(3), KnockOut.begin(3)])
def test_a_result_of_others_than_those_who_meet_is_refused(tournament: Format) -> None:
    (pairing,) = tournament.pairings[:1]
    stranger = next(team for team in range(3) if team not in pairing.teams)
    with pytest.raises(ValueError, match="met"):
        tournament.set_ended(pairing.place, won((pairing.teams[0], stranger), Team.EAST_WEST))
    with pytest.raises(ValueError, match="no set is to be played"):
        tournament.set_ended(99, won(pairing.teams, Team.EAST_WEST))
    with pytest.raises(ValueError, match="is not one of"):
        tournament.not_there(pairing.place, [stranger])


def test_a_played_set_has_a_winner_and_two_teams() -> None:
    with pytest.raises(ValueError, match="has a winner"):
        TeamResult((0, 1), None, (31, 0))
    with pytest.raises(ValueError, match="cannot meet itself"):
        TeamResult((1, 1), Team.EAST_WEST, (0, 31))
