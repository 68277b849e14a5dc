"""What a client knows of tournaments."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from support.messages import full_example
from tarneeb_client.state import TableView, advance
from tarneeb_client.tournaments import MOST_KNOWN, Tournaments, is_invited, own_team, seat_to_take
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m


def team(name: str, *players: str, accepted: bool = True) -> m.TeamSummary:
    one, other = (m.EntrantSummary(name=player, accepted=accepted) for player in players)
    return m.TeamSummary(name=name, players=(one, other))


def tournament(seq: int = 1, **fields: object) -> m.Tournament:
    example = full_example(m.Tournament)
    assert isinstance(example, m.Tournament)
    teams = (team("Lions", "Amal", "Basil"), team("Hawks", "Caner", "Dalia"))
    seats = (Seat.EAST, Seat.WEST)
    call = m.CallSummary(team=1, table=7, seats=seats, seconds=60)
    return replace(example, **{"tournament": 3, "seq": seq, "teams": teams, "called": (call,), **fields})


def at_table(table: int, seat: Seat | None) -> TableView:
    example = full_example(m.Snapshot)
    assert isinstance(example, m.Snapshot)
    view = advance(None, replace(example, table=table, seat=seat))
    assert view is not None
    return view


@pytest.mark.proves("U-9")
def test_a_tournament_replaces_what_was_known_and_an_older_one_is_passed_over() -> None:
    known = Tournaments()
    assert known.take(tournament(5, name="Five"))
    assert known.take(tournament(6, name="Six", teams=()))
    assert not known.take(tournament(5, name="Five"))
    assert known.get(3) == tournament(6, name="Six", teams=())
    assert known.take(tournament(6, name="Six again")), "a server says it again to who asks"


def test_few_tournaments_are_remembered_and_the_latest_news_last() -> None:
    known = Tournaments()
    for number in range(1, MOST_KNOWN + 3):
        known.take(tournament(tournament=number))
    assert known.get(1) is None
    known.take(tournament(2, tournament=5))
    latest = known.latest()
    assert latest is not None
    assert latest.tournament == 5


def test_who_is_called_and_not_seated_there_is_told_the_table() -> None:
    news = tournament()
    assert seat_to_take(news, "Caner", None) == 7
    assert seat_to_take(news, "Caner", at_table(8, Seat.EAST)) == 7
    assert seat_to_take(news, "Caner", at_table(7, None)) == 7
    assert seat_to_take(news, "Caner", at_table(7, Seat.EAST)) is None
    assert seat_to_take(news, "Amal", None) is None


def test_a_team_is_found_by_its_players_and_not_by_the_name_of_its_bots() -> None:
    bots = m.TeamSummary(
        name="Robots", players=(m.EntrantSummary(name="Bot", level=m.BotLevel.STEADY, accepted=True),) * 2
    )
    news = tournament(teams=(bots, team("Lions", "Bot", "Basil", accepted=False)))
    assert own_team(news, "Bot") == 1
    assert is_invited(news, "Basil")
    assert not is_invited(tournament(), "Basil")
    gone = replace(team("Lions", "Amal", "Basil"), is_out=True)
    assert own_team(tournament(teams=(gone,)), "Amal") is None
