"""The lessons of ``tarneeb learn``: a learner plays the deals of its own seed and hears each lesson once."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from support.lobby_driver import LobbyDriver
from tarneeb_client.lessons import SEED, Coach, Lesson
from tarneeb_client.presenters import PlainPresenter
from tarneeb_client.screens.panes import lesson_rows
from tarneeb_client.screens.rows import plain, row_width
from tarneeb_client.state import TableView, advance
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m

FIRST_DEAL = [
    "Welcome to Tarneeb",
    "Your hand",
    "The auction",
    "Naming the tarneeb",
    "Leading",
    "A trick for your side",
    "Following suit",
    "Out of the suit",
    "The score",
]
AT_ITS_TIME = ["Cutting the pack", "Somebody else won the auction"]
"""What comes in a later deal, when it does."""


@dataclass
class Learner:
    """A player in the South with three bots, as ``tarneeb solo`` seats them, who does what the lessons say."""

    seed: int
    coach: Coach = field(default_factory=Coach)
    heard: list[Lesson] = field(default_factory=list)
    view: TableView | None = None
    score: m.DealScored | None = None
    deals: int = 0

    def __post_init__(self) -> None:
        self.driver = LobbyDriver(seed_for_tests=self.seed, turn_seconds=0, bot_delay=0.1)
        self.link = self.driver.hello("Nour")
        self.driver.send(self.link, m.OpenTable(id=1, name="Solo", turn_seconds=0))
        self.driver.send(self.link, m.Join(id=2, table=1, seat=Seat.SOUTH))
        for number, seat in enumerate((Seat.EAST, Seat.NORTH, Seat.WEST)):
            self.driver.send(self.link, m.AddBot(id=3 + number, seat=seat, level=m.BotLevel.STEADY))
        self._taken = 0
        self._last_id = 10

    def play(self, deals: int) -> None:
        """Until so many deals have been scored."""
        while self.deals < deals:
            self._listen()
            if self.view is not None and self.view.prompt is not None:
                self._last_id += 1
                action = self._choose(self.view, self.view.prompt.actions)
                self.driver.send(self.link, m.Act(id=self._last_id, action=action))
            elif self._taken == len(self.link.received):
                self.driver.advance(1.0)

    def _listen(self) -> None:
        while self._taken < len(self.link.received):
            message = self.link.received[self._taken]
            self._taken += 1
            self.view = advance(self.view, message)
            self.heard += self.coach.heard(message, self.view)
            if isinstance(message, m.DealScored):
                self.score, self.deals = message, self.deals + 1

    def _choose(self, view: TableView, actions: tuple[m.WireAction, ...]) -> m.WireAction:
        def strength(action: m.WireAction) -> tuple[int, ...]:
            match action:
                case m.CallAction(call=kind, tricks=tricks):
                    return (kind is CallKind.BID and tricks == 8 and self.deals == 0, kind is CallKind.PASS)
                case m.TrumpAction(suit=suit):
                    return (sum(card.suit is suit for card in view.hand),)
                case m.PlayAction(card=card):
                    deal = view.deal
                    is_trump = (
                        deal is not None and deal.contract is not None and deal.contract.trump is card.suit
                    )
                    return (is_trump, int(card.rank))
            return (0,)

        return max(actions, key=strength)


def titles(learner: Learner) -> list[str]:
    return [lesson.title for lesson in learner.heard]


def test_the_first_deal_gives_every_lesson_once_in_order_and_the_learner_makes_the_contract() -> None:
    learner = Learner(SEED)
    learner.play(deals=1)
    assert titles(learner) == FIRST_DEAL
    assert learner.score is not None
    assert learner.score.score.made


def test_the_learner_is_no_cutter_in_the_first_deal_and_learns_to_cut_when_it_comes() -> None:
    learner = Learner(SEED)
    learner.play(deals=4)  # the deal has been once round the table
    assert "Cutting the pack" in titles(learner)


@pytest.mark.parametrize("seed", range(12))
def test_no_lesson_is_given_twice_whatever_the_cards(seed: int) -> None:
    learner = Learner(seed)
    learner.play(deals=3)
    assert len(set(titles(learner))) == len(titles(learner))
    assert set(titles(learner)) <= {*FIRST_DEAL, *AT_ITS_TIME}


@pytest.mark.parametrize("cells", [20, 40, 60, 80, 120])
def test_a_lesson_fits_a_screen_and_loses_no_word(cells: int) -> None:
    learner = Learner(SEED)
    learner.play(deals=1)
    for lesson in learner.heard:
        rows = lesson_rows(lesson, cells)
        assert all(row_width(row) == cells for row in rows)
        shown = " ".join(" ".join(plain(row) for row in rows).split())
        assert shown == " ".join(" ".join(lesson.paragraphs).split())
        if cells >= 60:
            assert len(rows) <= 14, "it is read at a glance, without scrolling"


def test_lessons_in_lines_name_no_key_and_no_place_of_a_screen() -> None:
    learner = Learner(SEED, Coach(in_lines=True))
    learner.play(deals=4)
    printed: list[str] = []
    for lesson in learner.heard:
        PlainPresenter(printed.append).lesson(lesson)
    assert len(printed) > len(learner.heard)
    for line in printed:
        assert line.startswith("* ")
        assert not any(word in line for word in ("Enter", "F4", "F10", "bracket", "screen", "pane"))


@pytest.mark.parametrize("in_lines", [False, True])
def test_the_last_lesson_says_what_to_do_next(in_lines: bool) -> None:
    learner = Learner(SEED, Coach(in_lines=in_lines))
    learner.play(deals=1)
    assert "tarneeb solo" in learner.heard[-1].paragraphs[-1]
