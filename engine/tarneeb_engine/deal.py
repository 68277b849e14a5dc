"""One deal, from the shuffled pack to the last trick (rules 6–17)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tarneeb_engine.actions import Action, Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.auction import Auction
from tarneeb_engine.events import (
    AuctionWon,
    CallMade,
    CardPlayed,
    DealVoided,
    Event,
    HandsDealt,
    PackCut,
    TrickTaken,
    TrumpNamed,
)
from tarneeb_engine.hand import Hand
from tarneeb_engine.legal import CUTS, NOTHING, TRUMPS, LegalActions
from tarneeb_engine.pack import HAND_SIZE, LARGEST_CUT, SMALLEST_CUT, check_pack, cut_pack, deal_hands
from tarneeb_engine.refusals import IllegalAction, Refusal
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.trick import SUIT_MASKS, beats, playable
from tarneeb_engine.views import ContractView, DealView, Phase, TrickView

if TYPE_CHECKING:
    from tarneeb_engine.cards import Card, Suit


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal as far as it has come. Everything hidden is in ``pack`` and ``hands``, which no repr shows.

    ``pack`` is as shuffled, top first, before the cut; ``hands`` are masks by seat, empty before the cut.
    ``turn`` is the seat to act, ``None`` when the deal is played out or void. ``trick`` is the one in progress
    in ``Phase.PLAY``; ``taken`` counts finished tricks by team.
    """

    rules: Ruleset
    number: int
    dealer: Seat
    pack: tuple[Card, ...] = field(repr=False)
    phase: Phase
    turn: Seat | None
    cut: int | None = None
    hands: tuple[int, int, int, int] = field(default=(0, 0, 0, 0), repr=False)
    auction: Auction | None = None
    contract: ContractView | None = None
    tricks: tuple[TrickView, ...] = ()
    trick: TrickView | None = None
    taken: tuple[int, int] = (0, 0)

    @classmethod
    def begin(cls, rules: Ruleset, number: int, dealer: Seat, pack: tuple[Card, ...]) -> DealState:
        """A shuffled pack, not yet cut (rule 6). ``ValueError`` when it is not a full pack."""
        check_pack(pack)
        return cls(rules, number, dealer, pack, Phase.CUT, dealer.left())

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do: played out or void."""
        return self.turn is None

    def legal_actions(self, seat: Seat) -> LegalActions:
        """What ``seat`` may do now; empty when it is not its turn."""
        if seat is not self.turn:
            return NOTHING
        match self.phase:
            case Phase.CUT:
                return CUTS
            case Phase.AUCTION:
                return LegalActions.of_calls(
                    self._auction.legal_calls(), partner_hints=self.rules.partner_hints
                )
            case Phase.DECLARATION:
                return TRUMPS
            case _:
                return LegalActions.of_cards(self._playable())

    def apply(self, seat: Seat, action: Action) -> tuple[DealState, tuple[Event, ...]]:
        """The deal after ``seat`` did ``action``, and what happened by it.

        Raises ``IllegalAction``: it looks at the phase first, then the turn, then the action itself. The text
        tells nothing that ``seat`` may not know.
        """
        match action:
            case PlayCard():
                self._check_turn(seat, Phase.PLAY)
                return self._play(seat, action.card)
            case MakeCall():
                self._check_turn(seat, Phase.AUCTION)
                return self._call(seat, action)
            case NameTrump():
                self._check_turn(seat, Phase.DECLARATION)
                return self._name_trump(seat, action.suit)
            case Cut():
                self._check_turn(seat, Phase.CUT)
                return self._cut_and_deal(seat, action.at)

    def _check_turn(self, seat: Seat, phase: Phase) -> None:
        if phase is not self.phase:
            raise IllegalAction(Refusal.WRONG_PHASE, f"{_TRIED[phase]} now; {_EXPECTED[self.phase]}")
        if seat is not self.turn:
            expected = "nobody" if self.turn is None else self.turn.name.capitalize()
            raise IllegalAction(Refusal.NOT_YOUR_TURN, f"{expected} is to act, not {seat.name.capitalize()}")

    def _cut_and_deal(self, seat: Seat, at: int) -> tuple[DealState, tuple[Event, ...]]:
        if type(at) is not int or not SMALLEST_CUT <= at <= LARGEST_CUT:
            raise IllegalAction(
                Refusal.BAD_CUT, f"a cut lifts {SMALLEST_CUT} to {LARGEST_CUT} cards, not {at!r:.20}"
            )
        south, east, north, west = deal_hands(cut_pack(self.pack, at), self.dealer, self.rules.dealing)
        first = self.dealer.next()
        dealt = replace(
            self,
            phase=Phase.AUCTION,
            turn=first,
            cut=at,
            hands=(south.mask, east.mask, north.mask, west.mask),
            auction=Auction.begin(self.rules, self.dealer),
        )
        return dealt, (PackCut(seat, at), HandsDealt((south, east, north, west), first))

    def _call(self, seat: Seat, action: MakeCall) -> tuple[DealState, tuple[Event, ...]]:
        auction = self._auction.call(action.call, action.remark)
        made = CallMade(seat, action.call, action.remark, auction.turn)
        if auction.turn is not None:
            return replace(self, auction=auction, turn=auction.turn), (made,)
        if auction.highest is None or auction.declarer is None:
            return replace(self, auction=auction, phase=Phase.VOID, turn=None), (made, DealVoided())
        declarer, highest = auction.declarer, auction.highest
        contract = ContractView(declarer, highest.kind, highest.promised, None, auction.doubled)
        won = replace(self, auction=auction, phase=Phase.DECLARATION, turn=declarer, contract=contract)
        events = (made, AuctionWon(declarer, highest, auction.doubled))
        if highest.suit is None:
            return won, events
        leading, named = won._name_trump(declarer, highest.suit)  # rule 24: the bid has named it
        return leading, (*events, *named)

    def _name_trump(self, seat: Seat, suit: Suit) -> tuple[DealState, tuple[Event, ...]]:
        contract = replace(self._contract, trump=suit)
        leading = replace(self, phase=Phase.PLAY, contract=contract, trick=TrickView(seat, (), None))
        return leading, (TrumpNamed(seat, suit),)

    def _play(self, seat: Seat, card: Card) -> tuple[DealState, tuple[Event, ...]]:
        if not self.hands[seat] & card.bit:
            raise IllegalAction(Refusal.CARD_NOT_HELD, f"{card.value} is not in your hand")
        if not self._playable() & card.bit:
            raise self._cannot_play(card)
        trick = self._trick
        cards = (*trick.cards, card)
        winning = trick.winner
        if winning is None or beats(card, trick.cards[(winning - trick.leader) & 3], self._contract.trump):
            winning = seat
        south, east, north, west = self.hands
        hands = (south & ~card.bit, east & ~card.bit, north & ~card.bit, west & ~card.bit)
        phase, taken, tricks = self.phase, self.taken, self.tricks
        turn: Seat | None
        current: TrickView | None = TrickView(trick.leader, cards, winning)
        events: tuple[Event, ...]
        if len(cards) < 4:
            turn = seat.next()
            events = (CardPlayed(seat, card, winning, turn),)
        else:
            tricks = (*tricks, TrickView(trick.leader, cards, winning))
            taken = (taken[0] + 1, taken[1]) if winning & 1 == 0 else (taken[0], taken[1] + 1)
            if len(tricks) < HAND_SIZE:
                turn, current = winning, TrickView(winning, (), None)
            else:
                turn, current, phase = None, None, Phase.SCORED
            events = (CardPlayed(seat, card, winning, None), TrickTaken(winning, taken, turn))
        # Spelt out: dataclasses.replace costs more than all the rest of a play.
        after = DealState(
            self.rules,
            self.number,
            self.dealer,
            self.pack,
            phase,
            turn,
            self.cut,
            hands,
            self.auction,
            self.contract,
            tricks,
            current,
            taken,
        )
        return after, events

    def view(self) -> DealView:
        """What everybody knows of the deal; no hidden card is in it."""
        south, east, north, west = self.hands
        return DealView(
            number=self.number,
            dealer=self.dealer,
            phase=self.phase,
            turn=self.turn,
            cut=self.cut,
            cards_held=(south.bit_count(), east.bit_count(), north.bit_count(), west.bit_count()),
            calls=() if self.auction is None else self.auction.calls,
            contract=self.contract,
            tricks=self.tricks,
            trick=self.trick,
            taken=self.taken,
        )

    @property
    def _auction(self) -> Auction:
        assert self.auction is not None  # noqa: S101  (there is one from the cut on)
        return self.auction

    @property
    def _contract(self) -> ContractView:
        assert self.contract is not None  # noqa: S101  (there is one from the declaration on)
        return self.contract

    @property
    def _trick(self) -> TrickView:
        assert self.trick is not None  # noqa: S101  (there is one in Phase.PLAY)
        return self.trick

    def _leads_tarneeb(self) -> Suit | None:
        """The suit that the declarer's first lead must be of, where the rules and the hand ask it (rule 15)."""
        if not self.rules.lead_tarneeb or self.tricks or self._trick.cards:
            return None
        contract = self._contract
        trump = contract.trump
        assert trump is not None  # noqa: S101  (named before the first lead)
        return trump if self.hands[contract.declarer] & SUIT_MASKS[trump.number] else None

    def _playable(self) -> int:
        assert self.turn is not None  # noqa: S101  (somebody is on turn in Phase.PLAY)
        hand = self.hands[self.turn]
        cards = self._trick.cards
        if cards:
            return playable(hand, cards[0])
        trump = self._leads_tarneeb()
        return hand if trump is None else hand & SUIT_MASKS[trump.number]

    def _cannot_play(self, card: Card) -> IllegalAction:
        accepted = ", ".join(held.value for held in Hand(self._playable()))
        cards = self._trick.cards
        if cards:
            suit = cards[0].suit.name.lower()
            return IllegalAction(
                Refusal.MUST_FOLLOW_SUIT,
                f"{suit} were led and you hold some; you tried {card.value}, accepted: {accepted}",
            )
        return IllegalAction(
            Refusal.MUST_LEAD_TARNEEB,
            f"the first lead is of the tarneeb suit; you tried {card.value}, accepted: {accepted}",
        )


_TRIED = {
    Phase.CUT: "the pack cannot be cut",
    Phase.AUCTION: "no call can be made",
    Phase.DECLARATION: "the tarneeb cannot be named",
    Phase.PLAY: "no card can be played",
}
_EXPECTED = {
    Phase.CUT: "the pack is to be cut",
    Phase.AUCTION: "the auction is going on",
    Phase.DECLARATION: "the declarer is to name the tarneeb",
    Phase.PLAY: "tricks are being played",
    Phase.SCORED: "the deal is played out",
    Phase.VOID: "the deal is void",
}
