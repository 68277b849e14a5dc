"""A tournament played in a lobby under test: players who come when they are called, say yes and play."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tarneeb_engine.bots import policy
from tarneeb_protocol import messages as wire
from tarneeb_protocol.actions import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from support.lobby_driver import Link, LobbyDriver


class Evening:
    """Players of a driver, by name, and the tournament that they play."""

    def __init__(self, driver: LobbyDriver, seed: int = 1, **tournament: object) -> None:
        self.driver = driver
        self.links: dict[str, Link] = {}
        self.rng = random.Random(seed)
        self._policy = policy("steady", self.rng)
        self.host = self.player("Olga")
        reply = driver.ok(self.host, wire.OpenTournament, **{"name": "Cup", **tournament})
        assert isinstance(reply, wire.TournamentOpened)
        self.number = reply.tournament

    def player(self, name: str) -> Link:
        """Who is called so, newly come if need be."""
        if name not in self.links:
            self.links[name] = self.driver.hello(name)
        return self.links[name]

    def enter(self, *teams: str) -> None:
        """Teams "A", "B" of the players A1 and A2, B1 and B2."""
        for team in teams:
            one, other = self.player(f"{team}1"), self.player(f"{team}2")
            fields = {"tournament": self.number}
            self.driver.ok(one, wire.EnterTournament, team=f"Team {team}", partner=other.name, **fields)
            self.driver.ok(other, wire.AnswerInvitation, **fields)

    def begin(self) -> None:
        self.driver.ok(self.host, wire.BeginTournament, tournament=self.number)

    @property
    def news(self) -> wire.Tournament:
        """What the host was told last."""
        return self.told(self.host)

    def told(self, link: Link) -> wire.Tournament:
        """What somebody was told last."""
        found = link.of_type(wire.Tournament)[-1]
        assert isinstance(found, wire.Tournament)
        return found

    def now(self) -> wire.Tournament:
        """How the lobby has it."""
        return self.driver.lobby.tournaments[self.number].message(self.driver.now)

    def players_of(self, team: int) -> list[Link]:
        """The players of a team who are there."""
        summary = self.now().teams[team]
        return [self.links[one.name] for one in summary.players if one.level is None]

    def come(self, but: Iterable[str] = ()) -> bool:
        """Whoever is called and not seated there joins, whoever is asked says ready. Whether anybody did."""
        did = False
        for call in self.now().called:
            for link in self.players_of(call.team):
                if link.name in but or not link.is_connected:
                    continue
                seated = link.view is not None and link.view.table == call.table and link.view.seat is not None
                if not seated:
                    self.driver.ok(link, wire.Join, table=call.table)
                    did = True
                elif link.prompt is not None and isinstance(link.prompt.actions[0], wire.ReadyAction):
                    self.driver.ok(link, wire.Act, action=wire.ReadyAction())
                    did = True
        return did

    def play_a_while(self, actions: int = 10_000, but: Iterable[str] = ()) -> int:
        """Play what can be played until nobody at any table can act, at most so many actions; how many."""
        done = 0
        while done < actions:
            acting = next((link for link in self.links.values() if self._can_act(link)), None)
            if acting is None:
                break
            self._act(acting)
            done += 1
        return done

    def play_to_the_end(self, but: Iterable[str] = ()) -> wire.Tournament:
        """Come, say yes, play, and let the time pass where nobody can do anything."""
        for _ in range(400):
            if self.now().state is wire.TournamentState.OVER:
                return self.now()
            came = self.come(but)
            played = self.play_a_while()
            if not came and not played:
                self.driver.advance(1)
        raise AssertionError("the tournament does not end")

    def _can_act(self, link: Link) -> bool:
        if not link.is_connected or link.prompt is None or isinstance(link.prompt.actions[0], wire.ReadyAction):
            return False
        return link.view is not None and link.view.seat is not None

    def _act(self, link: Link) -> None:
        table = self.driver.table_of(link)
        assert table.play is not None
        assert link.view is not None
        assert link.view.seat is not None
        state = table.play.state
        chosen = self._policy.choose(state.seat_view(link.view.seat), state.legal_actions(link.view.seat))
        self.driver.ok(link, wire.Act, action=to_wire(chosen))
