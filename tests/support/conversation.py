"""The messages whose bytes ``docs/protocol.md`` shows, by the name of their place there."""

from __future__ import annotations

from typing import Final

from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire

TOKEN: Final = "q0mWvVbq5y1hJmN0sUo8r3kZbT4xw2cPEeYdA7LfGiI"
NEXT_TOKEN: Final = "Jx1yYd8nqg7mWw0sPZ3vK5tRfCbH2uLaEoI9MkQ4NhU"
"""Made up, but of the right form."""

HELLO: Final = wire.Hello(protocol_min=1, protocol_max=1, client="evening 1", name="Layla")


def _welcome(token: str, *, resumed: bool = False, table: int | None = None) -> wire.Welcome:
    return wire.Welcome(
        protocol=1,
        server="f00d",
        server_name="Majlis",
        name="Layla",
        token=token,
        resumed=resumed,
        table=table,
        ping_seconds=15,
        dead_seconds=45,
        grace_seconds=120,
    )


SHOWN: Final[dict[str, wire.Message]] = {
    "hello": HELLO,
    "welcome": _welcome(TOKEN),
    "refused": wire.Refused(
        code="unsupported_version", message="this server speaks version 1", protocol_min=1, protocol_max=1
    ),
    "act": wire.Act(id=7, action=wire.PlayAction(Card.SA), seq=41),
    "bid": wire.Act(id=4, action=wire.CallAction(CallKind.BID, 9), seq=12),
    "illegal-play": wire.Act(id=8, action=wire.PlayAction(Card("2C")), seq=45),
    "illegal-play-error": wire.Error(
        id=8,
        code="must_follow_suit",
        message="hearts were led and you hold some; you tried 2C, accepted: 5H, JH",
        field="action",
        seq=45,
    ),
    "arabic-chat": wire.Said(table=3, seq=46, name="ليلى", text="يلا يا شباب", seat=Seat.SOUTH),
    "resume": wire.Hello(
        protocol_min=1, protocol_max=1, client="evening 1", name="Layla", resume=TOKEN, seq=57
    ),
    "resumed": _welcome(NEXT_TOKEN, resumed=True, table=3),
    "replay-1": wire.CardPlayed(
        table=3, seq=58, seat=Seat.WEST, card=Card("TH"), winning=Seat.WEST, turn=Seat.SOUTH
    ),
    "replay-2": wire.Said(table=3, seq=59, name="Rami", text="?", seat=Seat.NORTH),
    "replay-3": wire.PlayerBack(table=3, seq=60, seat=Seat.SOUTH),
    "replay-prompt": wire.Prompt(
        table=3,
        seq=60,
        actions=(wire.PlayAction(Card("5H")), wire.PlayAction(Card("JH"))),
        seconds=21,
    ),
    "goodbye": wire.Goodbye(code="left"),
    "goodbye-server": wire.Goodbye(
        code="shutdown",
        message="the server is stopping; your seat is kept for when it is back",
        resumable=True,
        retry_seconds=1,
    ),
}
"""Each place and its message."""
