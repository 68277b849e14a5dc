"""A recorded set step by step: its transcript is played again by the rules, every hand in sight.

The one module of the client that plays by rules, because nobody is there to tell it what happened.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tarneeb_client.language import _
from tarneeb_client.state import TableView
from tarneeb_engine.actions import Action
from tarneeb_engine.cards import Card
from tarneeb_engine.hand import Hand
from tarneeb_engine.notation import NotationError, actions_of
from tarneeb_engine.seats import Seat
from tarneeb_engine.sets import SetState
from tarneeb_engine.transcript import Transcript, parse_transcript
from tarneeb_protocol import messages as m
from tarneeb_protocol.fairness import is_fair
from tarneeb_protocol.text import harmless

LONGEST_FILE = 8 * 1024 * 1024
"""Bytes: a deal takes about 600."""
NO_NAMES = ("South", "East", "North", "West")


class CannotReplay(Exception):
    """The file is no transcript; the text says where and why."""


class CannotRead(CannotReplay):
    """There is no such file, or it is far too long, or no text."""


@dataclass(frozen=True, slots=True)
class Step:
    """The set after one action. ``seat`` did ``action``; both are ``None`` where a deal begins. ``hands`` are
    the cards that each seat still holds.
    """

    view: TableView
    hands: tuple[tuple[Card, ...], ...]
    seat: Seat | None
    action: Action | None

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return 0 if self.view.deal is None else self.view.deal.number


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded set. ``is_proved`` tells that its transcript holds what was said of each pack before the cut,
    and ``wrong_packs`` are the numbers of the deals that had another one.
    """

    steps: tuple[Step, ...]
    is_proved: bool = False
    wrong_packs: tuple[int, ...] = ()


def read_transcript(path: Path) -> Recording:
    """The set in a transcript's file. Raises ``CannotReplay``."""
    return recording_of(transcript_of(path), str(path))


def transcript_of(path: Path) -> str:
    """The text of a file. Raises ``CannotRead``."""
    shown = harmless(str(path))
    try:
        with path.open("rb") as stream:
            content = stream.read(LONGEST_FILE + 1)
    except OSError as error:
        raise CannotRead(
            _("{path} cannot be read: {reason}").format(path=shown, reason=error.strerror)
        ) from None
    if len(content) > LONGEST_FILE:
        too_long = _("{path} has more than {most} bytes, and is no transcript")
        raise CannotRead(too_long.format(path=shown, most=LONGEST_FILE))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise CannotRead(_("{path} is not UTF-8 text").format(path=shown)) from None


@dataclass(frozen=True, slots=True)
class Verified:
    """What a transcript was found to hold, all of it so. ``winner`` is a team's number, ``None`` for a set that
    is not over; ``is_sealed``: a digest covers names too.
    """

    deals: int
    actions: int
    proved_packs: int
    winner: int | None
    scores: tuple[int, int]
    players: tuple[str, str, str, str]
    is_sealed: bool


def verified(text: str, name: str) -> Verified:
    """Check the shuffle, the cut, the deal, every action and every score of a transcript. Raises
    ``CannotReplay`` with the first line that is wrong.
    """
    try:
        transcript = parse_transcript(text, is_fair)
    except NotationError as error:
        raise CannotReplay(f"{harmless(name)}: {harmless(str(error))}") from None
    state = transcript.final_state()
    return Verified(
        deals=len(transcript.deals),
        actions=sum(1 for deal in transcript.deals for _action in actions_of(deal)),
        proved_packs=len(transcript.proofs),
        winner=None if state.winner is None else int(state.winner),
        scores=state.scores,
        players=transcript.players or NO_NAMES,
        is_sealed=transcript.is_sealed,
    )


def recording_of(text: str, name: str) -> Recording:
    """The set in a transcript's text, which is called ``name`` when it is faulty. Raises ``CannotReplay``."""
    try:
        transcript = parse_transcript(text)
    except NotationError as error:
        raise CannotReplay(f"{harmless(name)}: {harmless(str(error))}") from None
    if not transcript.deals:
        raise CannotReplay(_("{path} holds no deal").format(path=harmless(name)))
    proved = zip(transcript.deals, transcript.proofs, strict=False)  # an unfinished deal has no proof
    wrong = tuple(
        number
        for number, (deal, proof) in enumerate(proved, start=1)
        if not is_fair(proof.commitment, deal.pack, proof.salt)
    )
    return Recording(steps(transcript), bool(transcript.proofs), wrong)


def steps(transcript: Transcript) -> tuple[Step, ...]:
    """Every step of the set, in order."""
    names = transcript.players or NO_NAMES
    state = SetState.begin(transcript.rules, transcript.first_dealer)
    found: list[Step] = []
    for deal in transcript.deals:
        state, _ = state.start_deal(deal.pack)
        found.append(_step(state, names, None, None))
        for seat, action in actions_of(deal):
            state, _ = state.apply(seat, action)
            found.append(_step(state, names, seat, action))
    return tuple(found)


def _step(state: SetState, names: tuple[str, str, str, str], seat: Seat | None, action: Action | None) -> Step:
    south, east, north, west = (m.SeatSummary(name=name, ready=True) for name in names)
    snapshot = m.Snapshot(
        table=1,
        seq=0,
        name="",
        state=m.TableState.PLAYING if state.winner is None else m.TableState.SET_OVER,
        rules=state.rules,
        turn_seconds=0,
        grace_seconds=0,
        seats=(south, east, north, west),
        set_number=1,
        public=state.public_view(),
    )
    masks = (0, 0, 0, 0) if state.deal is None else state.deal.hands
    return Step(TableView(snapshot), tuple(tuple(Hand(mask)) for mask in masks), seat, action)
