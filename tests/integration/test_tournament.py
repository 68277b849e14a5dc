"""A tournament of five teams of bots over a rough network, through a server that is killed in the middle."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
from typing import TYPE_CHECKING

import pytest
import trio

from support.noted_link import Hasty
from support.processes import client_command, environment
from support.restarting import RestartingServer
from support.rough_network import Course, rough_network
from tarneeb_client.addresses import Address
from tarneeb_client.dialling import tcp
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.tournament_bot import TournamentPlayer, enter, find_tournament
from tarneeb_engine.transcript import parse_transcript
from tarneeb_protocol import messages as m

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tarneeb_engine.transcript import Transcript

pytestmark = pytest.mark.slow

TEAMS = ("Lions", "Hawks", "Foxes", "Wolves", "Bears")
SETS = 3
SEED = 5


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RestartingServer]:
    made = RestartingServer(tmp_path, "--turn-seconds", "0", "--durability", "process")
    made.start()
    try:
        yield made
    finally:
        made.close()


def transcripts(folder: Path) -> list[Transcript]:
    """The finished sets, in order, played again by the rules as they are read."""
    database = sqlite3.connect(folder / "tarneeb.db")
    try:
        texts = [text for (text,) in database.execute("SELECT transcript FROM finished_set ORDER BY number")]
    finally:
        database.close()
    return [parse_transcript(text) for text in texts]


class Reckoned:
    """A tournament with a queue as it must have gone, from the transcripts alone."""

    def __init__(self, sets: list[Transcript]) -> None:
        self.table = [TEAMS[0], TEAMS[1]]
        self.queue = list(TEAMS[2:])
        self.played = dict.fromkeys(TEAMS, 0)
        self.won = dict.fromkeys(TEAMS, 0)
        self.difference = dict.fromkeys(TEAMS, 0)
        self.results = dict.fromkeys(TEAMS, "")
        for finished in sets:
            self._add(finished)

    def _add(self, finished: Transcript) -> None:
        assert finished.players is not None
        assert list(finished.players) == [f"{team} {place}" for place in (1, 2) for team in self.table]
        state = finished.final_state()
        assert state.winner is not None
        for side, team in enumerate(self.table):
            self.played[team] += 1
            self.won[team] += side == state.winner
            self.difference[team] += state.scores[side] - state.scores[1 - side]
            self.results[team] += "W" if side == state.winner else "L"
        loser = 1 - state.winner
        self.queue.append(self.table[loser])
        self.table[loser] = self.queue.pop(0)

    def ranking(self) -> list[str]:
        def best_run(team: str) -> int:
            return max(len(run) for run in self.results[team].split("L"))

        return sorted(TEAMS, key=lambda t: (-self.won[t], -self.difference[t], -best_run(t), TEAMS.index(t)))


def check(final: m.Tournament, reckoned: Reckoned) -> None:
    for team in final.teams:
        assert team.played == reckoned.played[team.name]
        assert team.won == reckoned.won[team.name]
        assert team.points_for - team.points_against == reckoned.difference[team.name]
    assert [final.teams[number].name for number in final.ranking] == reckoned.ranking()


async def test_a_tournament_of_five_teams_with_drops_and_a_killed_server_ends_with_right_standings(
    server: RestartingServer,
) -> None:
    rng = random.Random(SEED)
    drops = 0

    def weather(number: int) -> tuple[Course, Course]:
        """Every connection but the opener's is reset after a while."""
        if number == 0:
            return Course(), Course()
        return Course(), Course(reset_after=random.Random(f"{SEED} {number}").randrange(4_000, 120_000))

    with trio.fail_after(240):
        async with rough_network(server.port, weather) as network, trio.open_nursery() as nursery:
            dial = tcp(Address("127.0.0.1", network.port))
            finals: list[m.Tournament] = []
            entered, over = trio.Semaphore(0), trio.Semaphore(0)
            kills = [rng.randrange(200, 400), rng.randrange(700, 900)]

            async def bot(name: str, team: str | None, partner: str) -> None:
                async with open_link(dial, name=name, rng=Hasty(f"{SEED} {name}")) as link:
                    found = await find_tournament(link, "Cup", 30)
                    await enter(link, found, team, partner, 30)
                    entered.release()
                    player = TournamentPlayer(
                        link,
                        m.BotLevel.STEADY,
                        random.Random(f"{SEED} {name}"),
                        tournament=found.tournament,
                        wait_seconds=60,
                        report=lambda _finished: None,
                    )
                    await player.play()
                    assert player.final is not None
                    finals.append(player.final)
                    over.release()

            async def watch(number: int) -> None:
                """The server is killed when so many events of the table have come."""
                async with open_link(dial, name="Watcher", rng=Hasty(SEED)) as link:
                    await link.request(m.Watch(id=NEW, table=number))
                    entered.release()
                    seen = 0
                    async for item in link:
                        seen += isinstance(item, m.TableEvent)
                        if kills and seen >= kills[0]:
                            kills.pop(0)
                            server.kill()
                            await trio.to_thread.run_sync(server.start)

            async with open_link(dial, name="Opener", rng=Hasty(SEED)) as link:
                opened = await link.request(m.OpenTournament(id=NEW, name="Cup", sets=SETS))
                assert isinstance(opened, m.TournamentOpened)
                for team in TEAMS:
                    nursery.start_soon(bot, f"{team} 2", None, f"{team} 1")
                    await entered.acquire()
                    nursery.start_soon(bot, f"{team} 1", team, f"{team} 2")
                    await entered.acquire()
                    await _until_formed(link, opened.tournament, team)
                await link.request(m.BeginTournament(id=NEW, tournament=opened.tournament))
                listed = await link.request(m.ListTables(id=NEW))
                assert isinstance(listed, m.Tables)
                nursery.start_soon(watch, listed.tables[0].table)
                for _ in range(2 * len(TEAMS)):
                    await over.acquire()
                nursery.cancel_scope.cancel()
        drops = len(network.flows) - 2 - 2 * len(TEAMS)
    server.stop()
    assert not kills, "the server was killed twice"
    assert drops > 10
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "not_restored" not in log
    sets = transcripts(server.data)
    assert len(sets) == SETS
    for final in finals:
        check(final, Reckoned(sets))


async def _until_formed(link: Link, number: int, team: str) -> None:
    """Wait until both of the team have said yes, so that the order of entry is that of ``TEAMS``."""
    async for item in link:
        if isinstance(item, m.Tournament) and item.tournament == number:
            for each in item.teams:
                if each.name == team and all(player.accepted for player in each.players):
                    return


def test_bots_as_processes_enter_a_tournament_play_it_and_print_the_standings(
    server: RestartingServer,
) -> None:
    address = f"127.0.0.1:{server.port}"
    teams = []
    for team in TEAMS[:2]:
        arguments = ("bot", address, "--tournament", "Cup", "--team", team, "--count", "2", "--name", team)
        teams.append(
            subprocess.Popen(
                client_command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
            )
        )

    async def host() -> None:
        dial = tcp(Address("127.0.0.1", server.port))
        async with open_link(dial, name="Opener") as link:
            opened = await link.request(m.OpenTournament(id=NEW, name="Cup", sets=1))
            assert isinstance(opened, m.TournamentOpened)
            async for item in link:
                if not isinstance(item, m.Tournament):
                    continue
                formed = [team for team in item.teams if all(player.accepted for player in team.players)]
                if item.state is m.TournamentState.FORMING and len(formed) == 2:
                    link.post(m.BeginTournament(id=NEW, tournament=item.tournament))
                if item.state is m.TournamentState.OVER:
                    return

    trio.run(host)
    for process in teams:
        output, trouble = process.communicate(timeout=60)
        assert process.returncode == 0, trouble
        *sets, last = [json.loads(line) for line in output.splitlines()]
        assert len(sets) == 1
        assert sorted(sets[0]["seats"].values()) == ["Hawks", "Hawks 2", "Lions", "Lions 2"]
        assert {each["team"]: each["won"] for each in last["standings"]} in (
            {"Lions": 1, "Hawks": 0},
            {"Lions": 0, "Hawks": 1},
        )
