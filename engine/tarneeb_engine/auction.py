"""The auction (rules 8–13, 24–27): single, continuing or returning, with or without suits and doubles."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_engine.calls import DOUBLE, GAME, HIGHEST_BID, LOWEST_BID, PASS, Call, CallKind, Remark
from tarneeb_engine.refusals import IllegalAction, Refusal
from tarneeb_engine.ruleset import SUIT_ORDERS, AuctionKind, FourPasses, Ruleset, SuitBids, Thirteen
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import CallView

EVERY_BID = {
    suits: tuple(
        Call.bid(tricks, suit) for tricks in range(LOWEST_BID, HIGHEST_BID + 1) for suit in order or (None,)
    )
    for suits, order in SUIT_ORDERS.items()
}
"""Every bid, lowest first, by what the rules have bids name (rules 9, 25)."""
_NO_BID = frozenset({CallKind.PASS, CallKind.DOUBLE})


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction as far as it has come.

    ``turn`` is the seat to call, ``None`` when it is over. ``highest`` is the call that outranks all
    others so far and ``declarer`` the seat that holds it; both ``None`` while everybody passed, and for good
    when all four did (rule 12). ``doubled`` tells that an opponent has doubled ``highest`` (rule 26).
    """

    rules: Ruleset
    dealer: Seat
    turn: Seat | None
    calls: tuple[CallView, ...] = ()
    highest: Call | None = None
    declarer: Seat | None = None
    doubled: bool = False

    @classmethod
    def begin(cls, rules: Ruleset, dealer: Seat) -> Auction:
        """Nobody has called; the dealer's right is first (rule 8)."""
        return cls(rules, dealer, dealer.next())

    @property
    def is_void(self) -> bool:
        """Whether all four passed (rule 12)."""
        return self.turn is None and self.highest is None

    def legal_calls(self) -> tuple[Call, ...]:
        """What the seat on turn may call, lowest first, a double after the pass; none when it is over."""
        if self.turn is None:
            return ()
        bids = EVERY_BID[self.rules.suit_bids]
        return tuple(call for call in (PASS, DOUBLE, *bids, GAME) if self._refusal(self.turn, call) is None)

    def call(self, call: Call, remark: Remark | None = None) -> Auction:
        """The auction after the seat on turn made ``call``.

        Raises ``IllegalAction`` when the call, or the remark, cannot be made (rules 9–13, 24–26), or
        ``WRONG_PHASE`` when the auction is over.
        """
        seat = self.turn
        if seat is None:
            raise IllegalAction(Refusal.WRONG_PHASE, "the auction is over")
        if remark is not None and not self.rules.partner_hints:
            raise IllegalAction(
                Refusal.NO_REMARKS, f"this table allows no remark with a call, and {remark.value!r} was given"
            )
        refusal = self._refusal(seat, call)
        if refusal is not None:
            accepted = ", ".join(_words(legal) for legal in self.legal_calls())
            raise IllegalAction(
                refusal, f"{_REASONS[refusal]}; you called {_words(call)}, accepted: {accepted}"
            )
        calls = (*self.calls, CallView(seat, call.kind, call.tricks, remark, call.suit))
        highest: Call | None = call
        declarer: Seat | None = seat
        doubled = False
        if call.kind in _NO_BID:
            highest, declarer = self.highest, self.declarer
            doubled = self.doubled or call.kind is CallKind.DOUBLE
        turn = self._next_turn(seat, calls, highest, declarer)
        return Auction(self.rules, self.dealer, turn, calls, highest, declarer, doubled)

    def _refusal(self, seat: Seat, call: Call) -> Refusal | None:
        if call.kind is CallKind.PASS:
            stuck = (
                self.rules.four_passes is FourPasses.DEALER_STUCK
                and seat is self.dealer
                and self.highest is None
                and len(self.calls) == 3
            )
            return Refusal.DEALER_STUCK if stuck else None
        if call.kind is CallKind.GAME:
            return None if self.rules.thirteen is Thirteen.GAME_CALL else Refusal.NO_GAME_CALL
        if call.kind is CallKind.DOUBLE:
            return None if self._may_double(seat) else Refusal.NO_DOUBLE
        if call.promised < LOWEST_BID:
            return Refusal.BID_TOO_LOW
        if call.promised > HIGHEST_BID:
            return Refusal.BID_TOO_HIGH
        if call.suit is None and self.rules.suit_bids is not SuitBids.NONE:
            return Refusal.BID_NEEDS_SUIT
        if call.suit is not None and self.rules.suit_bids is SuitBids.NONE:
            return Refusal.BID_NAMES_NO_SUIT
        if self.highest is None or self._rank(call) > self._rank(self.highest):
            return None
        if self._rank(call) < self._rank(self.highest):
            return Refusal.BID_TOO_LOW
        may_match = self.rules.auction is AuctionKind.SINGLE and seat is self.dealer
        return None if may_match else Refusal.MATCH_IS_DEALERS

    def _may_double(self, seat: Seat) -> bool:
        """Whether the highest call is an opponent's bid that nobody has doubled (rule 26)."""
        if not self.rules.double or self.doubled or self.highest is None or self.declarer is None:
            return False
        return self.declarer.team() is not seat.team()

    def _rank(self, call: Call) -> tuple[int, int]:
        """Orders bids: by the number, and by the suit where numbers are equal (rules 9, 25)."""
        return call.strength, 0 if call.suit is None else SUIT_ORDERS[self.rules.suit_bids].index(call.suit)

    def _next_turn(
        self, seat: Seat, calls: tuple[CallView, ...], highest: Call | None, declarer: Seat | None
    ) -> Seat | None:
        if highest is not None and highest.kind is CallKind.GAME:
            return None  # rule 11: nothing can follow it
        if self.rules.auction is AuctionKind.SINGLE:
            return None if seat is self.dealer else seat.next()
        if self.rules.auction is AuctionKind.RETURNING:
            silent = 3 if highest is not None else 4
            over = len(calls) >= silent and all(made.call in _NO_BID for made in calls[-silent:])
            return None if over else seat.next()
        passed = {made.seat for made in calls if made.call in _NO_BID}
        following = seat.next()
        while following is not seat:
            if following not in passed:
                # Everyone else having passed after a bid, only its own holder is left: it stands.
                return None if following is declarer else following
            following = following.next()
        return None


_REASONS = {
    Refusal.DEALER_STUCK: "the dealer may not pass when the other three have",
    Refusal.NO_GAME_CALL: 'this table has no "game" call',
    Refusal.BID_TOO_LOW: f"a bid is at least {LOWEST_BID} and outranks the highest bid so far",
    Refusal.BID_NEEDS_SUIT: "a bid names its suit here, as 8 hearts",
    Refusal.BID_NAMES_NO_SUIT: "a bid is a number alone here; the declarer names the tarneeb later",
    Refusal.NO_DOUBLE: "only an opponent's highest bid can be doubled, once, and only where the rules have it",
    Refusal.BID_TOO_HIGH: f"a bid names at most {HIGHEST_BID} tricks",
    Refusal.MATCH_IS_DEALERS: "only the dealer, where the auction goes round once, may match the highest bid",
}


def _words(call: Call) -> str:
    if call.kind is not CallKind.BID:
        return call.kind.value
    return str(call.tricks) if call.suit is None else f"{call.tricks} {call.suit.name.lower()}"
