"""Why an action is refused: one member a reason, one exception that carries it."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """A legal-looking action that cannot be granted now; the value is the error code on the wire."""

    SET_OVER = "set_over"
    """The set has ended; nothing more can be done in it (rule 21)."""
    NO_DEAL = "no_deal"
    """No deal is in progress: the pack is still to be shuffled."""
    WRONG_PHASE = "wrong_phase"
    """The deal has not come to this kind of action, or is past it: a card during the auction, say."""
    NOT_YOUR_TURN = "not_your_turn"
    """Another seat is to act."""
    BAD_CUT = "bad_cut"
    """A cut lifts 1 to 51 cards (rule 6)."""
    BID_TOO_LOW = "bid_too_low"
    """The bid does not outrank the highest bid so far, or is under 7 (rule 9)."""
    BID_TOO_HIGH = "bid_too_high"
    """A bid names at most 13 tricks (rule 9)."""
    MATCH_IS_DEALERS = "match_is_dealers"
    """Only the dealer may match the highest bid (rule 10), and only where the rules have the match."""
    NO_GAME_CALL = "no_game_call"
    """The rules in force have no "game" call (rule 22, preset ``classic``)."""
    BID_NEEDS_SUIT = "bid_needs_suit"
    """The rules in force ask for the suit along with the number (rule 24)."""
    BID_NAMES_NO_SUIT = "bid_names_no_suit"
    """The rules in force have bids without a suit: the declarer names the tarneeb later (rule 14)."""
    NO_DOUBLE = "no_double"
    """There is nothing that this seat may double, or the rules in force have no double (rule 26)."""
    DEALER_STUCK = "dealer_stuck"
    """The dealer may not pass when the other three have (rule 12, option)."""
    NO_REMARKS = "no_remarks"
    """The rules in force allow no remark with a call (rule 13)."""
    CARD_NOT_HELD = "card_not_held"
    """The card is not in this seat's hand."""
    MUST_FOLLOW_SUIT = "must_follow_suit"
    """The seat holds a card of the suit led and must play one: anything else would be a revoke (rule 16)."""
    MUST_LEAD_TARNEEB = "must_lead_tarneeb"
    """The declarer's first lead must be of the tarneeb suit (rule 15, option)."""


class IllegalAction(ValueError):
    """An action was refused; the state is what it was.

    ``refusal`` says why; the text says what was tried and what is accepted, for a person to read.
    """

    def __init__(self, refusal: Refusal, message: str) -> None:
        super().__init__(message)
        self.refusal = refusal
