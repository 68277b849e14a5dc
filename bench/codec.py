"""How long one frame takes to encode and to decode, in microseconds.

    python bench/codec.py [--repeat N]

The best of N runs is printed, which is the one that other programs disturbed least.
"""

from __future__ import annotations

import argparse
import timeit
from typing import TYPE_CHECKING

from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import FULL_PACK, Card, Suit
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import ContractView, DealView, Phase, PublicView, TrickView
from tarneeb_protocol.codec import FROM_CLIENT, FROM_SERVER, decode, encode
from tarneeb_protocol.connection import NEED_DATA, Connection, Role
from tarneeb_protocol.framing import HEADER_SIZE, MAX_CLIENT_FRAME, FrameBuffer
from tarneeb_protocol.messages import (
    Act,
    CardPlayed,
    Hello,
    PlayAction,
    SeatSummary,
    Snapshot,
    TableState,
    Welcome,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ACT = Act(id=17, action=PlayAction(Card.SA), seq=41)
CARD_PLAYED = CardPlayed(table=3, seq=42, seat=Seat.EAST, card=Card.SA, winning=Seat.EAST, turn=Seat.NORTH)


def late_snapshot() -> Snapshot:
    """A table in the twelfth trick, near the longest that a deal has."""
    tricks = tuple(
        TrickView(Seat.SOUTH, FULL_PACK[4 * number : 4 * number + 4], Seat.SOUTH) for number in range(11)
    )
    deal = DealView(
        number=5,
        dealer=Seat.EAST,
        phase=Phase.PLAY,
        turn=Seat.SOUTH,
        cut=26,
        cards_held=(2, 2, 2, 2),
        calls=(),
        contract=ContractView(Seat.SOUTH, CallKind.BID, 9, Suit.HEARTS),
        tricks=tricks,
        trick=TrickView(Seat.SOUTH, (), None),
        taken=(11, 0),
    )
    rules = Ruleset()
    seat = SeatSummary(name="Layla", ready=True)
    return Snapshot(
        table=3,
        seq=240,
        name="Friends",
        state=TableState.PLAYING,
        rules=rules,
        turn_seconds=30,
        grace_seconds=120,
        seats=(seat, seat, seat, seat),
        set_number=1,
        public=PublicView(rules, (14, 9), (), deal, None),
        seat=Seat.SOUTH,
        hand=(Card.SK, Card.SA),
    )


def open_connection() -> Connection:
    """The server's end of a connection after its welcome."""
    server = Connection(Role.SERVER)
    server.receive_data(encode(Hello(protocol_min=1, protocol_max=1, client="bench", name="Layla")))
    server.next_event()
    server.send(
        Welcome(
            protocol=1,
            server="tarneeb",
            server_name="Majlis",
            name="Layla",
            token="",
            ping_seconds=15,
            dead_seconds=45,
            grace_seconds=120,
        )
    )
    return server


def measured() -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    act = encode(ACT)
    act_payload = act[HEADER_SIZE:]
    played_payload = encode(CARD_PLAYED)[HEADER_SIZE:]
    snapshot = late_snapshot()
    snapshot_payload = encode(snapshot)[HEADER_SIZE:]
    server = open_connection()
    buffer = FrameBuffer(MAX_CLIENT_FRAME)
    burst = act * 30

    def through_connection() -> None:
        server.receive_data(act)
        server.next_event()
        server.next_event()

    def through_connection_thirty_at_once() -> None:
        server.receive_data(burst)
        while server.next_event() is not NEED_DATA:
            pass

    def byte_by_byte() -> None:
        for at in range(len(act)):
            buffer.feed(act[at : at + 1])
            buffer.next_payload()

    return {
        "encode card_played": lambda: encode(CARD_PLAYED),
        "encode snapshot, late": lambda: encode(snapshot),
        "decode act": lambda: decode(act_payload, FROM_CLIENT),
        "decode card_played": lambda: decode(played_payload, FROM_SERVER),
        "decode snapshot, late": lambda: decode(snapshot_payload, FROM_SERVER),
        "connection: one act": through_connection,
        "connection: 30 acts in one segment": through_connection_thirty_at_once,
        f"framing: {len(act)} feeds of one byte": byte_by_byte,
    }


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each measurement (default: %(default)s)")
    repeat = parser.parse_args().repeat
    for name, call in measured().items():
        timer = timeit.Timer(call)
        calls, _ = timer.autorange()
        best = min(timer.repeat(repeat, max(1, calls // 4))) / max(1, calls // 4)
        print(f"{name:40} {best * 1e6:9.2f} µs")


if __name__ == "__main__":
    main()
