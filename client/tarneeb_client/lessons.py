"""The game taught by playing it: a short lesson each time that something happens for the first time.

A value: messages and views go in, lessons come out. It holds no rules; it explains what the server says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tarneeb_client.language import _
from tarneeb_client.state import TableView
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m

SEED = 3
"""Of the private server: the cards of the first deal, which the lessons need to be good ones."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A title and a few paragraphs, in the language in use."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A lesson and when it is due: after which message, with which view."""

    is_due: Callable[[m.Message, TableView], bool]
    lesson: Callable[[], Lesson]


class Coach:
    """Gives each lesson once."""

    def __init__(self) -> None:
        self._plans = list(_PLANS)

    @property
    def is_done(self) -> bool:
        """Whether every lesson was given."""
        return not self._plans

    def heard(self, message: m.Message, view: TableView | None) -> list[Lesson]:
        """The lessons that are due after ``message``, which led to ``view``."""
        if view is None:
            return []
        due = [plan for plan in self._plans if plan.is_due(message, view)]
        for plan in due:
            self._plans.remove(plan)
        return [plan.lesson() for plan in due]


def _own(view: TableView, seat: Seat | None) -> bool:
    return seat is not None and seat is view.seat


def _ours(view: TableView, seat: Seat | None) -> bool:
    return seat is not None and view.seat is not None and seat.team() is view.seat.team()


def _offers(message: m.Message, kind: type[m.CallAction | m.TrumpAction | m.PlayAction]) -> bool:
    return isinstance(message, m.Prompt) and any(isinstance(action, kind) for action in message.actions)


def _is_led(view: TableView) -> bool:
    deal = view.deal
    return deal is not None and deal.trick is not None and bool(deal.trick.cards)


def _holds_led(message: m.Message, view: TableView) -> bool:
    deal = view.deal
    if deal is None or deal.trick is None or not deal.trick.cards:
        return False
    return _offers(message, m.PlayAction) and any(card.suit is deal.trick.cards[0].suit for card in view.hand)


def _is_void_in_led(message: m.Message, view: TableView) -> bool:
    return _offers(message, m.PlayAction) and _is_led(view) and not _holds_led(message, view)


_PLANS = (
    _Plan(
        lambda message, _view: isinstance(message, m.SetStarted),
        lambda: Lesson(
            _("Welcome to Tarneeb"),
            (
                _(
                    "Four play, two against two: you sit at the bottom, your partner opposite. All 52 cards"
                    " are dealt, thirteen to each. Whoever plays the highest card wins the trick, and "
                    "tricks are points."
                ),
                _("The turn always goes to the right. These lessons come as you play; Enter goes on."),
            ),
        ),
    ),
    _Plan(
        lambda message, _view: isinstance(message, m.HandsDealt),
        lambda: Lesson(
            _("Your hand"),
            (
                _(
                    "In a suit the ace is the highest, then king, queen, jack, ten and down to the two. "
                    "Long suits and aces are what wins: count how many tricks you think that you and your "
                    "partner can take."
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, _view: _offers(message, m.CallAction),
        lambda: Lesson(
            _("The auction"),
            (
                _(
                    "A bid is a promise: with your partner you take that many of the thirteen tricks, seven"
                    " at least. The highest bid wins, and its bidder names the tarneeb, the trump suit."
                ),
                _("You have a good hand. Type 8 and Enter, or p to pass."),
            ),
        ),
    ),
    _Plan(
        lambda message, view: isinstance(message, m.AuctionWon) and not _own(view, message.seat),
        lambda: Lesson(
            _("Somebody else won the auction"),
            (
                _(
                    "They name the trump now, and their side must make what was promised. If it was not "
                    "your partner, you try to take so many tricks that they cannot."
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, _view: _offers(message, m.TrumpAction),
        lambda: Lesson(
            _("Naming the tarneeb"),
            (
                _(
                    "You won the auction. Name the suit in which you are longest and strongest: every card "
                    "of it beats every card of the other suits. Type its letter: s, h, d or c."
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, view: _offers(message, m.PlayAction) and not _is_led(view),
        lambda: Lesson(
            _("Leading"),
            (
                _(
                    "You play first in this trick, whatever you like. To lead high trumps takes the others'"
                    " trumps out, and then your long suits are safe. Press the letter under a card, then "
                    "Enter."
                ),
            ),
        ),
    ),
    _Plan(
        _holds_led,
        lambda: Lesson(
            _("Following suit"),
            (
                _(
                    "You hold cards of the suit that was led, so you must play one of them: the others are "
                    "in brackets. The highest card of that suit wins, unless somebody who has none of it "
                    "plays a trump."
                ),
            ),
        ),
    ),
    _Plan(
        _is_void_in_led,
        lambda: Lesson(
            _("Out of the suit"),
            (
                _(
                    "You have no card of the suit that was led, so you may play any. A trump wins the "
                    "trick, if nobody plays a higher one. If your partner is winning already, give a card "
                    "that you do not need."
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, view: isinstance(message, m.TrickTaken) and _ours(view, message.seat),
        lambda: Lesson(
            _("A trick for your side"),
            (
                _(
                    "Whoever wins a trick leads to the next one. The pane on the side tells how many tricks"
                    " each side has and how many it needs; t shows the last trick."
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, view: isinstance(message, m.DealScored) and message.score.call is CallKind.BID,
        lambda: Lesson(
            _("The score"),
            (
                _(
                    "Who made the contract scores every trick taken, one point each; the other side "
                    "nothing. Who took fewer than promised loses the points of the bid, and the other side "
                    "scores its own tricks."
                ),
                _("F4 shows every deal. The side that reaches 31 first wins the set. That is all: play on!"),
            ),
        ),
    ),
)
"""In the order in which they mostly come."""
