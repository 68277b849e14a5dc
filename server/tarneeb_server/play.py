"""The set being played at a table: its state, the commitments to its packs, what its transcript will need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.events import DealStarted
from tarneeb_engine.sets import SetState
from tarneeb_engine.transcript import Transcript
from tarneeb_engine.views import Phase
from tarneeb_protocol.fairness import commitment

if TYPE_CHECKING:
    from tarneeb_engine.actions import Action
    from tarneeb_engine.cards import Card
    from tarneeb_engine.deal import DealState
    from tarneeb_engine.events import Event
    from tarneeb_engine.ruleset import Ruleset
    from tarneeb_engine.seats import Seat
    from tarneeb_server.chance import Chance

_HANDS_ARE_OUT = frozenset({Phase.AUCTION, Phase.DECLARATION, Phase.PLAY})


class Play:
    """One set. Its packs and salts are secret until ``reveal``."""

    def __init__(self, rules: Ruleset, chance: Chance) -> None:
        self._chance = chance
        self.first_dealer = chance.first_dealer()
        self.state = SetState.begin(rules, self.first_dealer)
        self._finished: list[DealState] = []
        self._pack: tuple[Card, ...] = ()
        self._salt = b""
        self._commitment = ""

    def __repr__(self) -> str:
        return f"<Play of {len(self._finished)} finished deals>"

    @property
    def deal_count(self) -> int:
        """Deals finished, void ones too."""
        return len(self._finished)

    @property
    def is_over(self) -> bool:
        """Whether a team has won."""
        return self.state.winner is not None

    @property
    def turn(self) -> Seat | None:
        """The seat to act."""
        return self.state.turn

    @property
    def are_hands_out(self) -> bool:
        """Whether the players hold cards of a deal in progress."""
        deal = self.state.deal
        return deal is not None and deal.phase in _HANDS_ARE_OUT

    @property
    def commitment(self) -> str | None:
        """The commitment to the pack of the deal in progress."""
        return None if self.state.turn is None else self._commitment

    def start_deal(self) -> DealStarted:
        """Shuffle, commit to the pack and put it before the player who cuts (rule 6)."""
        pack = self._chance.pack()
        self._salt = self._chance.salt()
        self._commitment = commitment(pack, self._salt)
        self.state, events = self.state.start_deal(pack)
        self._pack = pack
        (started,) = events
        assert isinstance(started, DealStarted)  # noqa: S101  (the one event of a start)
        return started

    def apply(self, seat: Seat, action: Action) -> tuple[Event, ...]:
        """Do ``action``. Raises ``IllegalAction``; nothing has changed then."""
        self.state, events = self.state.apply(seat, action)
        deal = self.state.deal
        if deal is not None and deal.is_over:
            self._finished.append(deal)
        return events

    def reveal(self) -> tuple[tuple[Card, ...], str]:
        """The shuffled pack of the last deal and its salt in hex. ``ValueError`` while the deal is in
        progress.
        """
        if self.state.turn is not None:
            raise ValueError("the pack of a deal in progress is secret")
        return self._pack, self._salt.hex()

    def transcript(self, players: tuple[str, str, str, str]) -> Transcript:
        """The finished deals. It holds every hand, so it is not for players before the set is over."""
        return Transcript(self.state.rules, self.first_dealer, players, tuple(self._finished))
