"""A set: deals until a team reaches the target (rules 3, 5, 12, 21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_engine.deal import DealState
from tarneeb_engine.events import DealScored, DealStarted, Event, SetWon
from tarneeb_engine.hand import Hand
from tarneeb_engine.legal import NOTHING, LegalActions
from tarneeb_engine.refusals import IllegalAction, Refusal
from tarneeb_engine.ruleset import FourPasses, Ruleset
from tarneeb_engine.scoring import reckon, winner_by_target
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.views import DealScore, Phase, PublicView, SeatView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.actions import Action
    from tarneeb_engine.cards import Card


@dataclass(frozen=True, slots=True)
class SetState:
    """A set as far as it has come: the one state a table holds. It cannot change; actions give a new one.

    ``dealer`` deals the deal in progress, or the next one when none is. ``scores`` are by team, ``history`` has
    a score for each deal played out. ``deal`` stays, played out or void, until the next is started, and is
    ``None`` before the first. ``winner`` is ``None`` while the set goes on.
    """

    rules: Ruleset
    dealer: Seat
    scores: tuple[int, int] = (0, 0)
    history: tuple[DealScore, ...] = ()
    deal: DealState | None = None
    winner: Team | None = None

    @classmethod
    def begin(cls, rules: Ruleset, dealer: Seat) -> SetState:
        """A set in which nothing has happened; ``dealer`` deals first (rule 5)."""
        return cls(rules, dealer)

    @property
    def needs_pack(self) -> bool:
        """Whether the set goes on and no deal is in progress: ``start_deal`` is due."""
        return self.winner is None and (self.deal is None or self.deal.turn is None)

    @property
    def turn(self) -> Seat | None:
        """The seat to act, ``None`` between deals and when the set is over."""
        return None if self.deal is None else self.deal.turn

    def start_deal(self, pack: Sequence[Card]) -> tuple[SetState, tuple[Event, ...]]:
        """Put a shuffled pack, top card first, before the player who cuts (rule 6).

        Raises ``ValueError`` unless ``needs_pack``, or when ``pack`` is not a full pack.
        """
        if not self.needs_pack:
            raise ValueError("the set is over" if self.winner is not None else "a deal is in progress")
        number = 1 if self.deal is None else self.deal.number + 1
        deal = DealState.begin(self.rules, number, self.dealer, tuple(pack))
        after = SetState(self.rules, self.dealer, self.scores, self.history, deal)
        return after, (DealStarted(number, self.dealer),)

    def legal_actions(self, seat: Seat) -> LegalActions:
        """What ``seat`` may do now; empty when it is not its turn."""
        return NOTHING if self.deal is None else self.deal.legal_actions(seat)

    def apply(self, seat: Seat, action: Action) -> tuple[SetState, tuple[Event, ...]]:
        """The set after ``seat`` did ``action``, and what happened by it, in order.

        Raises ``IllegalAction`` when it cannot be done; this state is as it was. Looked at in this order: set
        over, no deal, wrong phase, not that seat's turn, then what is wrong with the action itself.
        """
        if self.winner is not None:
            raise IllegalAction(Refusal.SET_OVER, "the set is over")
        deal = self.deal
        if deal is None or deal.turn is None:
            raise IllegalAction(Refusal.NO_DEAL, "no deal is in progress; the next pack is being shuffled")
        deal, events = deal.apply(seat, action)
        if deal.turn is not None:
            return SetState(self.rules, self.dealer, self.scores, self.history, deal), events
        if deal.phase is Phase.VOID:
            passes_on = self.rules.four_passes is FourPasses.NEXT_DEALER
            dealer = self.dealer.next() if passes_on else self.dealer
            return SetState(self.rules, dealer, self.scores, self.history, deal), events
        score = self._score(deal)
        after = SetState(
            self.rules, self.dealer.next(), score.scores, (*self.history, score), deal, score.wins_set
        )
        scored: tuple[Event, ...] = (*events, DealScored(score))
        if score.wins_set is not None:
            scored = (*scored, SetWon(score.wins_set, score.scores))
        return after, scored

    def hand(self, seat: Seat) -> Hand:
        """The cards that ``seat`` holds; none before the deal."""
        return Hand() if self.deal is None else Hand(self.deal.hands[seat])

    def public_view(self) -> PublicView:
        """What everybody at the table, spectators too, knows."""
        deal = None if self.deal is None else self.deal.view()
        return PublicView(self.rules, self.scores, self.history, deal, self.winner)

    def seat_view(self, seat: Seat) -> SeatView:
        """What ``seat`` knows: the public view and its own hand."""
        return SeatView(seat, tuple(self.hand(seat)), self.public_view())

    def _score(self, deal: DealState) -> DealScore:
        contract = deal.contract
        assert contract is not None  # noqa: S101  (a deal that is played out had one)
        assert contract.trump is not None  # noqa: S101
        team = contract.declarer.team()
        reckoning = reckon(
            contract.call, contract.tricks, deal.taken[team], self.rules.thirteen, doubled=contract.doubled
        )
        points = (reckoning.declaring, reckoning.defending)
        if team is Team.EAST_WEST:
            points = (reckoning.defending, reckoning.declaring)
        scores = (self.scores[0] + points[0], self.scores[1] + points[1])
        wins = team if reckoning.game_won else winner_by_target(scores, self.rules.target)
        return DealScore(
            number=deal.number,
            declarer=contract.declarer,
            call=contract.call,
            bid=contract.tricks,
            trump=contract.trump,
            taken=deal.taken,
            made=reckoning.made,
            points=points,
            scores=scores,
            wins_set=wins,
            doubled=contract.doubled,
        )
