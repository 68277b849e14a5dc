"""What a viewer gets does not depend on what is hidden from it: not by content, not by length, not by time."""

from __future__ import annotations

import dataclasses
import fnmatch
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.lobby_driver import Link, LobbyDriver
from tarneeb_engine.cards import FULL_PACK, Card
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import CallView, ContractView, DealScore, DealView, PublicView, TrickView
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode
from tarneeb_protocol.messages import Actor
from tarneeb_server.chance import Chance
from tarneeb_server.logs import format_event

CUT_AT = 26
DEALER = Seat.SOUTH
VIEWER = Seat.SOUTH


class Timed(LobbyDriver):
    """A driver that notes when each message came to each session, and how many bytes it had."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)
        self.moments: dict[int, list[tuple[float, int]]] = {}

    def _deliver(self, to: tuple[int, ...], message: wire.Message) -> None:
        super()._deliver(to, message)
        for session in to:
            self.moments.setdefault(session, []).append((self.now, len(encode(message))))


def uncut(pack: list[Card]) -> tuple[Card, ...]:
    """The pack that is this one when it has been cut."""
    return (*pack[-CUT_AT:], *pack[:-CUT_AT])


def place_of(card_number: int) -> Seat:
    """Who gets the card of this number of the cut pack, one at a time (rule 7)."""
    return Seat((DEALER + 1 + card_number) % 4)


class World:
    """One table with the given cut pack: South, who is looked at, a spectator, and three more players."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pack: list[Card]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(Chance, "pack", lambda _: uncut(pack))
            patch.setattr(Chance, "first_dealer", lambda _: DEALER)
            self.driver = Timed(turn_seconds=45)
            self.watcher = self.driver.hello("Watcher")
            number = self.driver.open_table(self.watcher)
            self.driver.ok(self.watcher, wire.Watch, table=number)
            self.players = [self.driver.hello(name) for name in ("South", "East", "North", "West")]
            for seat, link in zip(Seat, self.players, strict=True):
                self.driver.ok(link, wire.Join, table=number, seat=seat)
            # The commitment of the next deal is made in this block too, should it come to one.
            self.driver.advance(1.0)

    def act(self, action: wire.WireAction) -> str | None:
        """Whoever is to act does this a second later; the code when it is refused."""
        self.driver.advance(1.0)
        turn = self.driver.table_of(self.players[0]).play
        assert turn is not None
        assert turn.turn is not None
        reply = self.driver.request(self.players[turn.turn], wire.Act, action=action)
        return reply.code if isinstance(reply, wire.Error) else None

    def offered(self) -> tuple[wire.WireAction, ...]:
        """What whoever is to act may do."""
        prompt = next(link.prompt for link in self.players if link.prompt is not None)
        return prompt.actions

    def told(self, link: Link) -> list[wire.Message]:
        """All that a viewer was told, without what is random by itself or of the viewer's own session."""
        told: list[wire.Message] = []
        for message in link.received:
            if isinstance(message, wire.DealStarted | wire.Snapshot):
                told.append(msgspec.structs.replace(message, commitment="0" * 64))
            elif not isinstance(message, wire.Welcome):
                told.append(message)
        return told


def beginning(rng: random.Random) -> list[wire.WireAction]:
    """Cut, auction and trump: South, the dealer, calls last and declares."""
    suit = rng.choice(["S", "H", "D", "C"])
    return [
        wire.CutAction(at=CUT_AT),
        *[msgspec.convert({"type": "call", "call": "pass"}, wire.CallAction)] * 3,
        msgspec.convert({"type": "call", "call": "bid", "tricks": 7}, wire.CallAction),
        msgspec.convert({"type": "trump", "suit": suit}, wire.TrumpAction),
    ]


@pytest.mark.parametrize("seed", range(16))
def test_h11_h18_what_a_player_and_a_spectator_get_is_the_same_whatever_the_others_hold(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Two tables at which the same is done in public, with other cards in the hands of East, North and West."""
    rng = random.Random(seed)
    pack = list(FULL_PACK)
    rng.shuffle(pack)
    one = World(monkeypatch, pack)
    done: list[wire.WireAction] = []
    for action in beginning(rng):
        assert one.act(action) is None
        done.append(action)
    plays = rng.randrange(1, 40)
    for _ in range(plays):
        action = rng.choice(one.offered())
        assert one.act(action) is None
        done.append(action)
    played = {action.card for action in done if isinstance(action, wire.PlayAction)}
    hidden = [at for at, card in enumerate(pack) if place_of(at) is not VIEWER and card not in played]
    other = exchanged(monkeypatch, pack, hidden, done, rng)
    pairs = ((one.players[VIEWER], other.players[VIEWER]), (one.watcher, other.watcher))
    for ours, theirs in pairs:
        assert one.told(ours) == other.told(theirs)
        assert one.driver.moments[ours.session] == other.driver.moments[theirs.session]


def exchanged(
    monkeypatch: pytest.MonkeyPatch,
    pack: list[Card],
    hidden: list[int],
    done: list[wire.WireAction],
    rng: random.Random,
) -> World:
    """A world with some of the hidden cards in other hands, in which all that was done can be done as well."""
    for _ in range(200):
        first, second = rng.sample(hidden, 2)
        if place_of(first) is place_of(second):
            continue
        others = list(pack)
        others[first], others[second] = others[second], others[first]
        world = World(monkeypatch, others)
        if all(world.act(action) is None for action in done):
            return world
    raise AssertionError("no two cards can be exchanged: choose another seed")


def test_h18_every_viewers_frames_come_at_the_same_moments_and_but_for_the_own_hand_are_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(5)
    pack = list(FULL_PACK)
    rng.shuffle(pack)
    world = World(monkeypatch, pack)
    for action in beginning(rng):
        world.act(action)
    for _ in range(52):
        world.act(rng.choice(world.offered()))
    dealt = set()
    streams = []
    for link in (*world.players, world.watcher):
        events = [message for message in link.received if isinstance(message, wire.TableEvent)]
        dealt.add(
            tuple(len(encode(event)) for event in events if isinstance(event, wire.HandsDealt) and event.hand)
        )
        streams.append([encode(event) for event in events if not isinstance(event, wire.HandsDealt)])
    shortest = min(map(len, streams))  # who sat down first heard the others sit down
    assert shortest > 60
    assert len({tuple(stream[-shortest:]) for stream in streams}) == 1
    assert len(dealt) == 2, "every seat's hand has one length, and a spectator has none"


def test_h18_a_bot_thinks_as_long_whatever_it_holds_and_however_few_cards_it_may_play() -> None:
    """Nothing is played at once because there was no choice: that would tell that a seat is void."""
    driver = Timed(bot_delay=0.5, turn_seconds=5)
    player = driver.hello("Nour")
    number = driver.open_table(player)
    driver.ok(player, wire.Join, table=number, seat=Seat.SOUTH)
    for _ in range(3):
        driver.ok(player, wire.AddBot)
    waits: dict[str, set[float]] = {}
    choices = set()
    before = driver.now
    table = driver.table_of(player)
    while len(player.of_type(wire.DealRevealed)) < 3 and table.is_playing:
        assert table.play is not None
        turn = table.play.turn
        assert turn is not None
        legal = len(tuple(table.play.state.legal_actions(turn)))
        heard = len(player.received)
        driver.advance(driver.timers.next_deadline() - driver.now)
        acted = [message for message in player.received[heard:] if hasattr(message, "by")]
        if not acted:
            continue
        (message,) = acted
        by = getattr(message, "by")  # noqa: B009  (of the four events that have it)
        if by is Actor.BOT:
            choices.add(legal)
        waits.setdefault(by.value, set()).add(round(driver.now - before, 6))
        before = driver.now
    assert {1, 2, 3} <= choices
    assert waits["bot"] == {0.5}
    assert waits["clock"] <= {5.0, 1.0}


@pytest.mark.parametrize("returns", [False, True])
def test_h16_a_player_who_watches_the_own_table_through_a_second_session_learns_nothing_by_it(
    monkeypatch: pytest.MonkeyPatch, returns: bool
) -> None:
    """The driver looks through every frame for cards that its viewer may not know."""
    rng = random.Random(8)
    pack = list(FULL_PACK)
    rng.shuffle(pack)
    world = World(monkeypatch, pack)
    driver = world.driver
    second = driver.hello("South")
    number = driver.table_of(world.players[0]).number
    driver.ok(second, wire.Watch, table=number)
    for action in (*beginning(rng), *[None] * 51):
        world.act(rng.choice(world.offered()) if action is None else action)
        if returns:
            driver.drop(second)
            driver.resume_from_view(second)
        driver.ok(second, wire.Sync)
        assert second.view is not None
        assert (second.view.seat, second.view.hand) == (None, None)
    assert second.of_type(wire.Prompt) == []
    assert all(message.hand is None for message in second.received if isinstance(message, wire.HandsDealt))
    driver.check_views()


def test_h13_no_line_of_the_log_names_a_card() -> None:
    """Nor a pack, a salt, a token or a password, however much is logged."""
    driver = LobbyDriver(turn_seconds=2, log_level="debug")
    links = driver.four_players(turn_seconds=2)
    sesame = "open sesame"
    locked = driver.open_table(links[0], name="Locked", password=sesame)
    newcomer = driver.hello("Newcomer")
    assert driver.refused(newcomer, wire.Join, table=locked, password=f"{sesame}!") == "wrong_password"
    table = driver.table_of(links[0])
    rng = random.Random(1)
    while table.play is not None and table.play.deal_count < 3 and table.is_playing:
        for link in links:
            driver.request(link, wire.Act, action=wire.PlayAction(rng.choice(FULL_PACK)))
        driver.drop(links[1])
        driver.advance(2)
        driver.resume(links[1])
    assert len(driver.logs) > 100
    lines = [format_event(entry.event, entry.fields) for entry in driver.logs]
    words = {word for line in lines for word in re.split(r"[^0-9A-Za-z_-]", line)}
    assert words.isdisjoint(card.value for card in FULL_PACK)
    assert not [line for line in lines if "sesame" in line]
    assert words.isdisjoint(link.token for link in links)
    assert max(map(len, words)) < 43, "nothing is as long as a token, a salt or a pack"


ROWS = re.findall(
    r"^\| ((?:`[^`]+`(?:, )?)+) \| [^|]+ \| [^|]+ \|$",
    (Path(__file__).parents[2] / "docs" / "visibility.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
PATTERNS = [pattern for row in ROWS for pattern in re.findall(r"`([^`]+)`", row)]
INSIDE = {
    "public": PublicView,
    "deal": DealView,
    "call": CallView,
    "contract": ContractView,
    "trick": TrickView,
    "score": DealScore,
}
"""What events and snapshots have inside, by the name that the table gives it."""


def fields_sent() -> list[str]:
    """Every field that a server can send, as ``message.field``."""
    named: list[tuple[str, Any]] = [(str(kind.__struct_config__.tag), kind) for kind in wire.SERVER_MESSAGES]
    named += [
        ("summary", wire.TableSummary),
        ("occupant", wire.SeatSummary),
        ("recorded", wire.SetSummary),
        ("line", wire.ChatLine),
        ("team", wire.TeamSummary),
        ("entrant", wire.EntrantSummary),
        ("pairing", wire.PairingSummary),
        ("called", wire.CallSummary),
        ("listed", wire.TournamentSummary),
    ]
    sent = [f"{name}.{field.encode_name}" for name, kind in named for field in msgspec.structs.fields(kind)]
    return sent + [
        f"{name}.{field.name}" for name, kind in INSIDE.items() for field in dataclasses.fields(kind)
    ]


def test_h11_every_field_that_a_server_sends_is_in_the_table_of_what_a_viewer_can_learn() -> None:
    fields = fields_sent()
    unlisted = [each for each in fields if not any(fnmatch.fnmatchcase(each, pattern) for pattern in PATTERNS)]
    assert unlisted == [], "say in docs/visibility.md who sees it, and why it shows nothing that is hidden"
    idle = [pattern for pattern in PATTERNS if not fnmatch.filter(fields, pattern)]
    assert idle == [], "these are sent no more"
