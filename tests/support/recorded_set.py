"""``protocol/vectors/set.jsonl``: a whole set as four players and a spectator received it, from the server's
own lobby with a fixed seed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.bots import policy
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.actions import to_wire
from tarneeb_protocol.codec import encode
from tarneeb_server.effects import Effect, Send
from tarneeb_server.sessions import Sessions

SEED: Final = 7
"""Of a set of four deals, of which two contracts fail."""
PLAYERS: Final = ("Layla", "Rami", "نور", "Huda")
SPECTATOR: Final = "Sami"


@dataclass(frozen=True)
class Recorded:
    """One frame: from a client, or to those who got it, named by seat or "spectator"."""

    sender: str | None
    to: tuple[str, ...]
    message: wire.Message

    def line(self) -> dict[str, Any]:
        """As it stands in the file."""
        ends: dict[str, Any] = {"to": list(self.to)} if self.sender is None else {"from": self.sender}
        return {**ends, "hex": encode(self.message).hex(), "value": msgspec.to_builtins(self.message)}


class _RecordingDriver(LobbyDriver):
    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(seed_for_tests=SEED)
        self.recorded: list[Recorded] = []
        self.called = dict(zip(range(1, 6), names, strict=True))
        """Sessions by number, as the file calls them."""
        numbers = iter(range(1, 100))
        self.lobby.sessions = Sessions(lambda: f"{next(numbers):043d}")

    def send(self, link: Link, request: wire.Request) -> wire.Message:
        self.recorded.append(Recorded(self.called[link.session], (), request))
        return super().send(link, request)

    def _perform(self, effects: Iterable[Effect]) -> None:
        performed = list(effects)
        for effect in performed:
            if isinstance(effect, Send) and effect.to:
                self.recorded.append(
                    Recorded(None, tuple(self.called[session] for session in effect.to), effect.message)
                )
        super()._perform(performed)


def record() -> Iterator[Recorded]:
    """Every frame in order. The players are steady bots that see what a player sees."""
    ends = [str(int(seat)) for seat in Seat]
    driver = _RecordingDriver([*ends, "spectator"])
    links = []
    for end, name in zip([*ends, "spectator"], (*PLAYERS, SPECTATOR), strict=True):
        hello = wire.Hello(protocol_min=1, protocol_max=1, client="vectors 1", name=name)
        driver.recorded.append(Recorded(end, (), hello))
        links.append(driver.hello(name, client="vectors 1"))
        welcome = links[-1].received[-1]
        assert isinstance(welcome, wire.Welcome)
        driver.recorded.append(Recorded(None, (end,), welcome))
    table = driver.open_table(links[0], turn_seconds=0)
    driver.ok(links[4], wire.Watch, table=table)
    for seat in Seat:
        driver.ok(links[seat], wire.Join, table=table, seat=seat)
    driver.ok(links[0], wire.Chat, text="يلا")
    play = driver.table_of(links[0]).play
    assert play is not None
    mind = policy("steady", random.Random(SEED))
    while (seat_to_act := play.turn) is not None:
        prompt = links[seat_to_act].prompt
        assert prompt is not None
        legal = tuple(play.state.legal_actions(seat_to_act))
        chosen = to_wire(mind.choose(play.state.seat_view(seat_to_act), legal))
        driver.ok(links[seat_to_act], wire.Act, action=chosen, seq=prompt.seq)
    return iter(driver.recorded)


def recorded_set_text() -> str:
    """The file's text, a line for each frame."""
    return "".join(json.dumps(frame.line(), ensure_ascii=False) + "\n" for frame in record())
