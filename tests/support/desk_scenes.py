"""Places that a player's screen can come to, each reached as a player would, the same every time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from support.desk_talk import DeskTalk, sitting_down
from support.lobby_driver import Link, LobbyDriver
from tarneeb_client.habits import Habits
from tarneeb_client.link_items import LinkLost
from tarneeb_client.screens.choices import choices, is_cutting
from tarneeb_client.screens.places import Place
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import Phase
from tarneeb_protocol import messages as m

STEPS = 4000
"""Actions or half seconds after which what is waited for does not come."""


def act_somehow(talk: DeskTalk, rng: random.Random) -> None:
    """Do something legal by keys, as a player would."""
    view = talk.desk.view
    assert view is not None
    talk.wait(1)
    if is_cutting(view):
        talk.type(str(rng.randint(1, 51)))
    else:
        choice = rng.choice(choices(view))
        if rng.random() < 0.5:
            talk.type(choice.typed)
        else:
            while talk.desk.choice != choice:
                talk.press("right")
    talk.press("enter")


def play_until(talk: DeskTalk, holds: Callable[[], bool], seed: int = 0, others: Sequence[Link] = ()) -> None:
    """Act for the player, and for the ``others`` that are not bots, until it is so."""
    rng = random.Random(seed)
    for _step in range(STEPS):
        if holds():
            return
        waiting = [link for link in others if link.is_connected and link.prompt is not None]
        view = talk.desk.view
        if view is not None and view.prompt is not None:
            act_somehow(talk, rng)
        elif waiting:
            talk.driver.act_as_prompted(waiting[0], rng)
            talk.settle()
        else:
            talk.wait(0.5)
    raise AssertionError("it did not come to that")


def is_own_turn(talk: DeskTalk, kind: type[m.WireAction], *, illegal: bool = False) -> bool:
    """Whether the player is to do an action of a kind; ``illegal``: and holds a card that cannot be played."""
    view = talk.desk.view
    if view is None or view.prompt is None or not isinstance(view.prompt.actions[0], kind):
        return False
    return not illegal or len(view.prompt.actions) < len(view.hand)


def in_lobby(tables: int = 3) -> DeskTalk:
    """A lobby with some tables: with a free seat, locked, in a set."""
    driver = LobbyDriver(turn_seconds=0)
    for number in range(tables):
        host = driver.hello(("Lina", "Rami", "田中")[number % 3])
        fields: dict[str, object] = {"password": "yalla"} if number % 3 == 1 else {}
        table = driver.open_table(host, name=("Beginners", "Finals", "ليلى")[number % 3], **fields)
        driver.ok(host, m.Join, table=table, seat=Seat.SOUTH, **fields)
        for _bot in range(number % 3):
            driver.ok(host, m.AddBot)
    talk = DeskTalk(driver, "Nour")
    talk.wait(3)
    return talk


def with_friends(habits: Habits | None = None, **table: object) -> tuple[DeskTalk, list[Link]]:
    """Four people in a set that has just begun: Nour in the South, Huda, Rami and Sami to the right of her."""
    driver = LobbyDriver(**{"turn_seconds": 30, **table.pop("settings", {})})  # type: ignore[dict-item]  # settings by name
    talk = DeskTalk(driver, "Nour", habits)
    names = ("Huda", "ليلى", "田中太郎")
    friends = [driver.hello(name) for name in names]
    number = driver.open_table(friends[0], **{"name": "Friends", **table})
    talk.wait(3)
    talk.press("j", "right", "enter")
    for friend, seat in zip(friends, (Seat.EAST, Seat.NORTH, Seat.WEST), strict=True):
        driver.ok(friend, m.Join, table=number, seat=seat)
    talk.settle()
    return talk, friends


def at_play() -> DeskTalk:
    """To play a card, one of the hand being illegal; three bots."""
    talk = sitting_down(LobbyDriver(turn_seconds=30))
    play_until(talk, lambda: is_own_turn(talk, m.PlayAction, illegal=True), seed=3)
    talk.wait(1)
    return talk


def at_call() -> tuple[DeskTalk, list[Link]]:
    """To call, where remarks are allowed, somebody having bid."""
    talk, friends = with_friends(rules=m.RuleChoices(partner_hints=True))

    def is_there() -> bool:
        view = talk.desk.view
        is_bid = view is not None and view.deal is not None and any(call.tricks for call in view.deal.calls)
        return is_bid and is_own_turn(talk, m.CallAction)

    play_until(talk, is_there, others=friends)
    talk.wait(1)
    return talk, friends


def between_turns() -> DeskTalk:
    """In the play, with cards in hand, while another is to act."""
    talk = sitting_down(LobbyDriver(turn_seconds=30, bot_delay=5))

    def is_there() -> bool:
        view = talk.desk.view
        deal = None if view is None else view.deal
        is_playing = deal is not None and deal.phase is Phase.PLAY and bool(deal.tricks)
        return is_playing and view is not None and view.prompt is None and len(view.hand) > 3

    play_until(talk, is_there, seed=3)
    talk.wait(2.5)
    return talk


def after_deal() -> DeskTalk:
    """A deal is over, its last trick seen."""
    talk = sitting_down(LobbyDriver(turn_seconds=30, bot_delay=5))
    play_until(talk, lambda: bool(talk.link.of_type(m.DealScored)), seed=3)
    talk.wait(2.5)
    return talk


def after_set() -> DeskTalk:
    """A set is over."""
    talk = sitting_down(LobbyDriver(turn_seconds=30))
    play_until(talk, lambda: bool(talk.link.of_type(m.SetWon)), seed=3)
    talk.wait(2.5)
    return talk


def watching() -> DeskTalk:
    """Watching four others in the play."""
    driver = LobbyDriver(turn_seconds=30)
    links = driver.four_players()
    driver.play_on(links, random.Random(4), 14)
    talk = DeskTalk(driver, "Nour")
    talk.wait(3)
    talk.press("w")
    return talk


def waiting() -> DeskTalk:
    """Alone at a table."""
    talk = DeskTalk(LobbyDriver(turn_seconds=30), "Nour")
    talk.press("n", "enter")
    return talk


def lost() -> DeskTalk:
    """At a table, the link being lost."""
    talk = at_play()
    talk.take(LinkLost(3, 4.0, 112.0, "the connection was closed"))
    return talk


def away() -> DeskTalk:
    """One is away, for another a bot plays, somebody watches."""
    talk, friends = with_friends(settings={"turn_seconds": 30})
    talk.driver.ok(talk.driver.hello("Omar"), m.Watch, table=talk.desk.view.table if talk.desk.view else 0)
    play_until(talk, lambda: is_own_turn(talk, m.CallAction), others=friends)
    talk.driver.drop(friends[0])
    talk.settle()
    talk.wait(7)
    return talk


def typing(key: str, text: str) -> DeskTalk:
    """At a table, with something begun in the input line."""
    talk = at_play()
    talk.press(key)
    talk.type(text)
    return talk


def form() -> DeskTalk:
    """The form for a new table."""
    talk = DeskTalk(LobbyDriver(), "Nour")
    talk.press("n", "down", "right")
    return talk


def seats() -> DeskTalk:
    """The form for a seat."""
    talk = in_lobby()
    talk.press("j", "right")
    return talk


def pane(key: str, talk: DeskTalk) -> DeskTalk:
    """A pane that a key opens."""
    talk.press(key)
    assert talk.desk.place is Place.PANE
    return talk


def preselected() -> DeskTalk:
    """A card is chosen beforehand."""
    talk = between_turns()
    talk.press("right", "right")
    return talk


def cutting() -> DeskTalk:
    """To cut."""
    return sitting_down(LobbyDriver(turn_seconds=30))


def naming() -> DeskTalk:
    """To name the trump."""
    talk = sitting_down(LobbyDriver(turn_seconds=30))
    play_until(talk, lambda: is_own_turn(talk, m.TrumpAction), seed=1)
    talk.wait(1)
    return talk


SCENES: dict[str, Callable[[], DeskTalk]] = {
    "lobby": in_lobby,
    "lobby-empty": lambda: in_lobby(0),
    "form-new-table": form,
    "form-seat": seats,
    "waiting": waiting,
    "cut": cutting,
    "call": lambda: at_call()[0],
    "trump": naming,
    "play": at_play,
    "preselected": preselected,
    "deal-over": after_deal,
    "set-over": after_set,
    "watching": watching,
    "away": away,
    "link-lost": lost,
    "chat": lambda: typing("/", "bravo"),
    "palette": lambda: typing("c-p", "play "),
    "help": lambda: pane("?", at_play()),
    "scores": lambda: pane("f4", after_set()),
    "last-trick": lambda: pane("t", at_play()),
    "rules": lambda: pane("i", in_lobby()),
}
"""Every scene by name."""
