"""Whole sets played by bots from a seed, without a server."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import settings
from hypothesis import strategies as st

from tarneeb_engine.bots import Policy, policy
from tarneeb_engine.deal import DealState
from tarneeb_engine.notation import actions_of
from tarneeb_engine.pack import shuffled
from tarneeb_engine.ruleset import TARGETS, AuctionKind, Dealing, FourPasses, Ruleset, SuitBids, Thirteen
from tarneeb_engine.seats import Seat
from tarneeb_engine.sets import SetState
from tarneeb_engine.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from tarneeb_engine.actions import Action
    from tarneeb_engine.views import SeatView


class PassingPolicy:
    """Passes, which is always the first of the legal calls where it is one; and cuts."""

    def choose(self, view: SeatView, legal: Collection[Action]) -> Action:
        return next(iter(legal))


def play_deal(state: SetState, pack_rng: random.Random, policies: Sequence[Policy]) -> Iterator[SetState]:
    """The set after the start of its next deal and after each action of it; ``policies`` by seat."""
    state, _ = state.start_deal(shuffled(pack_rng))
    yield state
    while state.turn is not None:
        seat = state.turn
        action = policies[seat].choose(state.seat_view(seat), state.legal_actions(seat))
        state, _ = state.apply(seat, action)
        yield state


def play_set(
    rules: Ruleset,
    seed: int,
    levels: tuple[str, str, str, str],
    players: tuple[str, str, str, str] | None = None,
    *,
    passed_out: int = 0,
    most_deals: int = 500,
) -> Transcript:
    """A set by bots of ``levels``, by seat, everything drawn from ``seed``; it stops after ``most_deals``.

    All four pass in the first ``passed_out`` deals, whatever they hold.
    """
    rng = random.Random(seed)
    state = SetState.begin(rules, Seat(rng.randrange(4)))
    policies = [policy(level, random.Random(rng.getrandbits(64))) for level in levels]
    transcript = Transcript(rules, state.dealer, players)
    while state.needs_pack and len(transcript.deals) < most_deals:
        passing = len(transcript.deals) < passed_out
        *_, state = play_deal(state, rng, [PassingPolicy()] * 4 if passing else policies)
        assert state.deal is not None
        transcript = transcript.with_deal(state.deal)
    return transcript


def cut_short(transcript: Transcript, actions: int) -> Transcript:
    """The transcript as it was after ``actions`` actions of the whole set."""
    deals: list[DealState] = []
    for deal in transcript.deals:
        done = list(actions_of(deal))[:actions]
        actions -= len(done)
        state = DealState.begin(deal.rules, deal.number, deal.dealer, deal.pack)
        for seat, action in done:
            state, _ = state.apply(seat, action)
        deals.append(state)
        if not state.is_over:
            break
    return Transcript(transcript.rules, transcript.first_dealer, transcript.players, tuple(deals))


def rulesets() -> SearchStrategy[Ruleset]:
    """Any rules that a table can be opened with."""
    return st.builds(
        Ruleset,
        auction=st.sampled_from(AuctionKind),
        four_passes=st.sampled_from(FourPasses),
        thirteen=st.sampled_from(Thirteen),
        target=st.sampled_from(TARGETS),
        dealing=st.sampled_from(Dealing),
        partner_hints=st.booleans(),
        lead_tarneeb=st.booleans(),
        suit_bids=st.sampled_from(SuitBids),
        double=st.booleans(),
    )


unhurried = settings(deadline=None, max_examples=50)
"""For properties over whole sets: how long one takes depends on the machine and proves nothing."""

LEVELS_BY_SEAT = st.tuples(*[st.sampled_from(["random", "steady"])] * 4)
"""A level of bot for each seat."""
