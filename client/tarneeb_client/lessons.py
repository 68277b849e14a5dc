"""The game taught by playing it: a short lesson each time that something happens for the first time.

A value: messages and views go in, lessons come out. It holds no rules; it explains what the server says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tarneeb_client.language import _
from tarneeb_client.state import TableView
from tarneeb_engine.calls import CallKind
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m

SEED = 122
"""Of the private server: in its first deal a bot cuts, the learner calls first, holds a hand worth 8, and
meets every lesson.
"""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A title and a few paragraphs, in the language in use."""

    title: str
    paragraphs: tuple[str, ...]


_How: TypeAlias = Callable[[str, str], str]
"""Of two ways to do something, at a full screen and in lines of text, the one that the learner has."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A lesson and when it is due: after which message, with which view."""

    is_due: Callable[[m.Message, TableView], bool]
    lesson: Callable[[_How], Lesson]


class Coach:
    """Gives each lesson once, for a full screen or for lines of text."""

    def __init__(self, *, in_lines: bool = False) -> None:
        self._plans = list(_PLANS)
        self._in_lines = in_lines

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
        return [plan.lesson(self._how) for plan in due]

    def _how(self, at_screen: str, in_lines: str) -> str:
        return in_lines if self._in_lines else at_screen


def _own(view: TableView, seat: Seat | None) -> bool:
    return seat is not None and seat is view.seat


def _ours(view: TableView, seat: Seat | None) -> bool:
    return seat is not None and view.seat is not None and seat.team() is view.seat.team()


def _offers(message: m.Message, kind: type[m.CutAction | m.CallAction | m.TrumpAction | m.PlayAction]) -> bool:
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
        lambda how: Lesson(
            _("Welcome to Tarneeb"),
            (
                _(
                    "Four play, two against two: you sit at the bottom, your partner opposite. All 52 cards"
                    " are dealt, thirteen to each. Whoever plays the highest card wins the trick, and "
                    "tricks are points."
                ),
                _("The turn always goes to the right. These lessons come as you play."),
                how(_("Enter closes a lesson and goes on."), _("A line that begins with * is a lesson.")),
            ),
        ),
    ),
    _Plan(
        lambda message, _view: _offers(message, m.CutAction),
        lambda how: Lesson(
            _("Cutting the pack"),
            (
                _(
                    "The player on the dealer's left lifts some cards from the shuffled pack and puts them "
                    "under the rest, so that the dealer cannot know who gets what. This time it is you."
                ),
                how(
                    _("Type any number from 1 to 51, then Enter."), _("Type a number from 1 to 51, such as 20.")
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, _view: isinstance(message, m.HandsDealt),
        lambda how: Lesson(
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
        lambda how: Lesson(
            _("The auction"),
            (
                _(
                    "A bid is a promise: with your partner you take that many of the thirteen tricks, seven"
                    " at least. The highest bid wins, and its bidder names the tarneeb, the trump suit."
                ),
                how(
                    _("With a hand as good as the first one here, type 8 and Enter; p passes."),
                    _("With a hand as good as the first one here, type 8; pass is the other way."),
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, view: isinstance(message, m.AuctionWon) and not _own(view, message.seat),
        lambda how: Lesson(
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
        lambda how: Lesson(
            _("Naming the tarneeb"),
            (
                _(
                    "You won the auction. Name the suit in which you are longest and strongest: every card "
                    "of it beats every card of the other suits."
                ),
                how(_("Type its letter, s, h, d or c, then Enter."), _("Type its letter: s, h, d or c.")),
            ),
        ),
    ),
    _Plan(
        lambda message, view: _offers(message, m.PlayAction) and not _is_led(view),
        lambda how: Lesson(
            _("Leading"),
            (
                _(
                    "You play first in this trick, whatever you like. To lead high trumps takes the others'"
                    " trumps out, and then your long suits are safe."
                ),
                how(
                    _("Press the letter above a card, then Enter."),
                    _("Type a card, such as as for the ace of spades, or its number in the line before."),
                ),
            ),
        ),
    ),
    _Plan(
        _holds_led,
        lambda how: Lesson(
            _("Following suit"),
            (
                _(
                    "You hold cards of the suit that was led, so you must play one of them. The highest "
                    "card of that suit wins, unless somebody who has none of it plays a trump."
                ),
                how(
                    _("The cards that you may not play now are in brackets."),
                    _("The line that begins with Your turn tells those that you may play."),
                ),
            ),
        ),
    ),
    _Plan(
        _is_void_in_led,
        lambda how: Lesson(
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
        lambda how: Lesson(
            _("A trick for your side"),
            (
                _(
                    "Whoever wins a trick leads to the next one. Your side needs as many tricks as it "
                    "promised, or enough to keep the others from theirs."
                ),
                how(
                    _("The screen counts the tricks of both sides; t shows the last one."),
                    _("Type table for the tricks of both sides, last for the last one."),
                ),
            ),
        ),
    ),
    _Plan(
        lambda message, view: isinstance(message, m.DealScored) and message.score.call is CallKind.BID,
        lambda how: Lesson(
            _("The score"),
            (
                _(
                    "Who made the contract scores every trick taken, one point each; the other side "
                    "nothing. Who took fewer than promised loses the points of the bid, and the other side "
                    "scores its own tricks."
                ),
                how(
                    _("The side that reaches 31 first wins the set; F4 shows every deal."),
                    _("The side that reaches 31 first wins the set; score tells every deal."),
                ),
                how(
                    _(
                        "That is all: play on as long as you like. Then leave with F10, play with bots by "
                        "tarneeb solo, and with friends by tarneeb alone, which finds their server."
                    ),
                    _(
                        "That is all: play on as long as you like. Then leave with quit, play with bots by "
                        "tarneeb solo, and with friends by tarneeb play and the address of their server."
                    ),
                ),
            ),
        ),
    ),
)
"""In the order in which they mostly come."""
