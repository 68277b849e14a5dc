"""The set being played at a table: its state, the commitments to its packs, what its transcript will need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_engine.attribution import MOST_ACTORS, Deeds, deeds_of
from tarneeb_engine.cards import Card
from tarneeb_engine.events import DealStarted
from tarneeb_engine.sets import SetState
from tarneeb_engine.transcript import Proof, Transcript
from tarneeb_engine.views import Phase
from tarneeb_protocol.fairness import commitment
from tarneeb_server.deal_log import action_of, word_of
from tarneeb_server.kept import KeepDeal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_engine.actions import Action
    from tarneeb_engine.attribution import Actor
    from tarneeb_engine.deal import DealState
    from tarneeb_engine.events import Event
    from tarneeb_engine.ruleset import Ruleset
    from tarneeb_engine.seats import Seat
    from tarneeb_server.chance import Chance

_HANDS_ARE_OUT = frozenset({Phase.AUCTION, Phase.DECLARATION, Phase.PLAY})


class Play:
    """One set. Its packs and salts are secret until ``reveal``."""

    def __init__(self, rules: Ruleset, chance: Chance, first_dealer: Seat | None = None) -> None:
        self._chance = chance
        self.first_dealer = chance.first_dealer() if first_dealer is None else first_dealer
        self.state = SetState.begin(rules, self.first_dealer)
        self._finished: list[DealState] = []
        self._proofs: list[Proof] = []
        self._deeds: list[Deeds] = []
        self._acted: list[int] = []
        self._is_attributed = True
        self.actors: list[Actor] = []
        """Who has acted in the set so far. In the deals they go by their places here, from 1."""
        self._pack: tuple[Card, ...] = ()
        self._salt = b""
        self._commitment = ""
        self._pack_text = ""
        self._log = ""

    @classmethod
    def restored(
        cls,
        rules: Ruleset,
        chance: Chance,
        first_dealer: Seat,
        deals: Sequence[KeepDeal],
        actors: Sequence[Actor] = (),
    ) -> Play:
        """The set that was kept, played again by the rules. ``ValueError`` when it does not follow them."""
        play = cls(rules, chance, first_dealer)
        play.actors = list(actors)
        if [deal.number for deal in deals] != list(range(1, len(deals) + 1)) or not deals:
            raise ValueError("a deal of the set is missing")
        for deal in deals:
            pack = tuple(Card(deal.pack[at : at + 2]) for at in range(0, len(deal.pack), 2))
            play._begin(pack, deal.salt)
            for word in deal.actions.split():
                turn = play.turn
                if turn is None:
                    raise ValueError(f"deal {deal.number} goes on after its end")
                done, _, by = word.partition("/")
                play.apply(turn, action_of(done), _known(by, play.actors))
        return play

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
        return self._begin(self._chance.pack(), self._chance.salt())

    def _begin(self, pack: tuple[Card, ...], salt: bytes) -> DealStarted:
        self.state, events = self.state.start_deal(pack)
        self._pack, self._salt = pack, salt
        self._commitment = commitment(pack, salt)
        self._pack_text = "".join(card.value for card in pack)
        self._log = ""
        self._acted = []
        (started,) = events
        assert isinstance(started, DealStarted)  # noqa: S101  (the one event of a start)
        return started

    def _number_of(self, actor: Actor | None) -> int:
        """The actor's number in this set, from 1; 0 where it is not known, and for one too many."""
        if actor is None:
            return 0
        if actor in self.actors:
            return self.actors.index(actor) + 1
        if len(self.actors) == MOST_ACTORS:
            return 0
        self.actors.append(actor)
        return len(self.actors)

    def apply(self, seat: Seat, action: Action, actor: Actor | None) -> tuple[Event, ...]:
        """Do ``action``; ``actor`` is who does it, where that is known. Raises ``IllegalAction``; nothing has
        changed then.
        """
        self.state, events = self.state.apply(seat, action)
        by = self._number_of(actor)
        word = f"{word_of(action)}/{by}" if by else word_of(action)
        self._log = f"{self._log} {word}" if self._log else word
        self._acted.append(by)
        self._is_attributed &= by > 0
        deal = self.state.deal
        if deal is not None and deal.is_over:
            self._finished.append(deal)
            self._deeds.append(deeds_of(deal, self._acted))
            self._proofs.append(Proof(self._commitment, self._salt.hex()))
        return events

    def kept(self, table: int, set_number: int, seq: int, turn_seq: int) -> KeepDeal:
        """The latest deal, for the journal."""
        deal = self.state.deal
        assert deal is not None  # noqa: S101  (a set begins with its first deal)
        return KeepDeal(table, set_number, deal.number, self._pack_text, self._salt, self._log, seq, turn_seq)

    def reveal(self) -> tuple[tuple[Card, ...], str]:
        """The shuffled pack of the last deal and its salt in hex. ``ValueError`` while the deal is in
        progress.
        """
        if self.state.turn is not None:
            raise ValueError("the pack of a deal in progress is secret")
        return self._pack, self._salt.hex()

    def transcript(self, players: tuple[str, str, str, str]) -> Transcript:
        """The finished deals. It holds every hand, so it is not for players before the set is over."""
        return Transcript(
            self.state.rules,
            self.first_dealer,
            players,
            tuple(self._finished),
            tuple(self._proofs),
            actors=tuple(self.actors) if self._is_attributed else (),
            deeds=tuple(self._deeds) if self._is_attributed else (),
            is_sealed=True,
        )


def _known(number: str, actors: Sequence[Actor]) -> Actor | None:
    """Who acted, by the number that was kept; ``None`` where an earlier version of the server kept none."""
    if not number:
        return None
    if not 1 <= int(number) <= len(actors):
        raise ValueError(f"actor {number} is not among the {len(actors)} of the set")
    return actors[int(number) - 1]
