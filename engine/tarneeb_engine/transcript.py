"""A whole set as text: who sat where, each deal in the notation, what it scored, and the result.

The format is described in ``docs/notation.md``. Reading a transcript plays it again by the rules, so one that
does not follow them is refused with its line and the reason.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tarneeb_engine.attribution import (
    LONGEST_NAME,
    MOST_ACTORS,
    Actor,
    Deeds,
    format_actor,
    format_deeds,
    is_writable,
    parse_actor,
    parse_deeds,
)
from tarneeb_engine.notation import (
    DEAL_TAG,
    SEAT_LETTERS,
    NotationError,
    actions_of,
    format_deal,
    format_rules,
    parse_deal,
    parse_rules,
    parse_seat,
)
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.sets import SetState
from tarneeb_engine.views import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tarneeb_engine.cards import Card
    from tarneeb_engine.deal import DealState
    from tarneeb_engine.ruleset import Ruleset

SET_TAG = "tarneeb-set/1"
"""The first line; the number is the version of the format."""
MOST_LINES = 20_000
"""Lines in a transcript. Ten thousand deals: far beyond any set, and a bound on the work of reading one."""

_HEX_64 = re.compile("[0-9a-f]{64}")
_TEAM_WORDS = {Team.SOUTH_NORTH: "south-north", Team.EAST_WEST: "east-west"}
_UNFINISHED = "unfinished"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Proof:
    """What was said of a deal's pack before the cut, and the salt that was shown after the deal: 64 lower-case
    hex digits each (``docs/protocol.md``, "Fairness"). Raises ``ValueError`` for anything else. That they
    belong together, and to the pack, is for the reader to look at: the engine knows no hash.
    """

    commitment: str
    salt: str

    def __post_init__(self) -> None:
        for digits in (self.commitment, self.salt):
            if _HEX_64.fullmatch(digits) is None:
                raise ValueError(f"commitment and salt are 64 lower-case hex digits each, not {digits!a:.80}")


@dataclass(frozen=True, slots=True)
class Transcript:
    """The deals of one set in order, each as far as it came; only the last may be unfinished. Immutable.

    ``players`` are names by seat, or ``None`` where they are not told. ``proofs`` are those of the deals that
    are over, in order, or none at all. ``deeds`` tell of the same deals who acted, by numbers that begin with 1
    for the first of ``actors``, or there are neither. ``is_sealed``: the text ends with a digest of itself.

    Build one with ``with_deal`` as the set goes on. Raises ``ValueError`` for names that could not be written:
    blank, over-long, with control characters or with blanks at the ends.
    """

    rules: Ruleset
    first_dealer: Seat
    players: tuple[str, str, str, str] | None = None
    deals: tuple[DealState, ...] = ()
    proofs: tuple[Proof, ...] = ()
    actors: tuple[Actor, ...] = ()
    deeds: tuple[Deeds, ...] = ()
    is_sealed: bool = False

    def __post_init__(self) -> None:
        for name in self.players or ():
            if not is_writable(name):
                raise ValueError(
                    f"a player's name in a transcript is 1 to {LONGEST_NAME} printable characters "
                    f"without blanks at its ends, not {name!a:.80}"
                )

    def with_deal(self, deal: DealState) -> Transcript:
        """The transcript with ``deal`` at its end, in place of an earlier state of the same deal."""
        earlier = self.deals
        if earlier and earlier[-1].number == deal.number:
            earlier = earlier[:-1]
        return replace(self, deals=(*earlier, deal))

    def states(self) -> Iterator[SetState]:
        """The set before the first deal and after each one, played by the rules.

        Raises ``ValueError`` when a deal does not follow from those before it.
        """
        state = SetState.begin(self.rules, self.first_dealer)
        yield state
        for deal in self.deals:
            state = _play_deal(state, deal)
            yield state

    def final_state(self) -> SetState:
        """The set as the last deal left it. Raises ``ValueError`` as ``states`` does."""
        *_, last = self.states()
        return last


def format_transcript(transcript: Transcript) -> str:
    """The text, ending with a newline. ``parse_transcript`` gives back an equal value.

    Raises ``ValueError`` when a deal does not follow from those before it, or when there are proofs or deeds,
    but not as many as deals that are over.
    """
    over = sum(deal.is_over for deal in transcript.deals)
    if transcript.proofs and len(transcript.proofs) != over:
        raise ValueError(f"{over} deals are over, and {len(transcript.proofs)} have a proof")
    if transcript.actors and len(transcript.deeds) != over:
        raise ValueError(f"{over} deals are over, and of {len(transcript.deeds)} it is told who acted")
    proofs = iter(transcript.proofs)
    deeds = iter(transcript.deeds)
    lines = [
        SET_TAG,
        f"rules {format_rules(transcript.rules)}",
        f"dealer {SEAT_LETTERS[transcript.first_dealer]}",
    ]
    if transcript.players is not None:
        lines += [f"{_seat_word(seat)} {transcript.players[seat]}" for seat in Seat]
    lines += [f"actor {number} {format_actor(each)}" for number, each in enumerate(transcript.actors, start=1)]
    states = transcript.states()
    state = next(states)
    for deal, after in zip(transcript.deals, states, strict=True):
        lines.append(format_deal(deal))
        lines += _outcome(after)
        if deal.is_over and transcript.proofs:
            lines.append(_proof_line(next(proofs)))
        if deal.is_over and transcript.actors:
            lines.append(f"by {format_deeds(next(deeds))}")
        state = after
    lines.append(_result(state))
    text = "\n".join(lines) + "\n"
    return f"{text}{_seal(text)}\n" if transcript.is_sealed else text


def parse_transcript(
    text: str, is_fair: Callable[[str, Sequence[Card], str], bool] | None = None
) -> Transcript:
    """The set that ``text`` tells, played again by the rules and compared with every score that it states.

    With ``is_fair``, which takes a commitment, a pack and a salt (``fairness``), the pack of every deal that is
    over must be proved too. Raises ``NotationError``, with line and column, for whatever is not in the format,
    not by the rules or not so.
    """
    if not text.endswith("\n"):
        raise NotationError("a transcript ends with a newline", column=1, line=max(1, text.count("\n") + 1))
    lines = _Lines(text[:-1].split("\n"))
    if len(lines.lines) > MOST_LINES:
        raise NotationError(f"a transcript has at most {MOST_LINES} lines", column=1, line=MOST_LINES + 1)
    lines.expect(SET_TAG, "a transcript in a known version of the format")
    rules_word, column = lines.value("rules")
    rules = lines.located(parse_rules, rules_word, column)
    dealer_letter, column = lines.value("dealer")
    dealer = lines.located(parse_seat, dealer_letter, column)
    transcript = Transcript(rules, dealer, _parse_players(lines), actors=_parse_actors(lines))
    state = SetState.begin(rules, dealer)
    proofs: list[Proof] = []
    deeds: list[Deeds] = []
    while lines.peek().startswith(DEAL_TAG):
        line = lines.take()
        deal = lines.located(lambda text, _: parse_deal(text), line, 1)
        try:
            state = _play_deal(state, deal)
        except ValueError as refused:
            raise lines.error(str(refused)) from refused
        transcript = transcript.with_deal(deal)
        for stated in _outcome(state):
            lines.expect(stated, "what this deal scored by the rules")
        # All of them have a proof, or none: what the first one has is what the others need.
        if deal.is_over and len(proofs) == len(transcript.deals) - 1:
            proofs += _parse_proof(lines, deal, is_fair, is_needed=bool(proofs))
        if deal.is_over and transcript.actors:
            told, column = lines.value("by")
            judge = partial(parse_deeds, deal=deal, actor_count=len(transcript.actors))
            deeds.append(lines.judged(judge, told, column))
    lines.expect(_result(state), "the result of these deals, or the next deal")
    is_sealed = lines.peek().startswith("sha256 ")
    if is_sealed:
        above = "\n".join(lines.lines[: lines.number]) + "\n"
        lines.expect(_seal(above), "the digest of the lines above it")
    lines.expect_end()
    return replace(transcript, proofs=tuple(proofs), deeds=tuple(deeds), is_sealed=is_sealed)


class _Lines:
    """The lines of a text, taken one after the other. ``number`` is that of the line last taken, from 1."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.number = 0

    def peek(self) -> str:
        return self.lines[self.number] if self.number < len(self.lines) else ""

    def take(self) -> str:
        line = self.peek()
        self.number += 1
        return line

    def error(self, reason: str, column: int = 1) -> NotationError:
        return NotationError(reason, column=column, line=self.number)

    def expect(self, line: str, what: str) -> None:
        found = self.take()
        if found != line:
            raise self.error(f"{found!a:.80} is not {what}; accepted: {line}")

    def expect_end(self) -> None:
        if self.number < len(self.lines):
            raise NotationError("nothing may follow the result", column=1, line=self.number + 1)

    def value(self, key: str) -> tuple[str, int]:
        """What stands behind ``key`` and a blank, and its column."""
        line = self.take()
        word, blank, value = line.partition(" ")
        if word != key or not blank:
            raise self.error(f"{line!a:.80} is not the line that belongs here; accepted: {key} ...")
        return value, len(key) + 2

    def located(self, parse: Callable[[str, int], T], text: str, column: int) -> T:
        """What ``parse`` reads from a part of the line last taken; its errors get the line's number."""
        try:
            return parse(text, column)
        except NotationError as wrong:
            raise self.error(wrong.reason, wrong.column) from wrong

    def judged(self, parse: Callable[[str], T], text: str, column: int) -> T:
        """What ``parse`` reads from a part of the line last taken; its ``ValueError`` gets the place."""
        try:
            return parse(text)
        except ValueError as wrong:
            raise self.error(str(wrong), column) from None


def _parse_players(lines: _Lines) -> tuple[str, str, str, str] | None:
    if not lines.peek().startswith(f"{_seat_word(Seat.SOUTH)} "):
        return None
    names: list[str] = []
    for seat in Seat:
        name, column = lines.value(_seat_word(seat))
        if not is_writable(name):
            raise lines.error(
                f"{name!a:.80} is not a player's name; accepted: 1 to {LONGEST_NAME} printable characters "
                "without blanks at its ends",
                column,
            )
        names.append(name)
    south, east, north, west = names
    return south, east, north, west


def _parse_actors(lines: _Lines) -> tuple[Actor, ...]:
    actors: list[Actor] = []
    while lines.peek().startswith("actor "):
        value, column = lines.value("actor")
        number, _, told = value.partition(" ")
        if number != str(len(actors) + 1) or len(actors) == MOST_ACTORS:
            due = len(actors) + 1
            raise lines.error(f"{number!a:.80} is not the number that is due; accepted: {due}", column)
        actors.append(lines.judged(parse_actor, told, column + len(number) + 1))
    return tuple(actors)


def _parse_proof(
    lines: _Lines,
    deal: DealState,
    is_fair: Callable[[str, Sequence[Card], str], bool] | None,
    *,
    is_needed: bool,
) -> list[Proof]:
    """The proof in the next line, or none. ``NotationError`` for one that is damaged, missing or of another
    pack.
    """
    if not is_needed and is_fair is None and not lines.peek().startswith("commitment "):
        return []
    value, column = lines.value("commitment")
    commitment, _, salt = value.partition(" salt ")
    proof = lines.judged(lambda salt: Proof(commitment, salt), salt, column)
    if is_fair is not None and not is_fair(commitment, deal.pack, salt):
        raise lines.error("this is no commitment to the pack of the deal above it with this salt", column)
    return [proof]


def _seal(text: str) -> str:
    """The line that ends a sealed transcript: a digest of all lines above it."""
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()}"


def _proof_line(proof: Proof) -> str:
    return f"commitment {proof.commitment} salt {proof.salt}"


def _play_deal(state: SetState, deal: DealState) -> SetState:
    """The set after ``deal``, begun and played in it. ``ValueError`` when it is not the deal that is due."""
    if state.winner is not None:
        raise ValueError(f"the set was over before deal {deal.number}")
    if not state.needs_pack:
        raise ValueError(f"deal {deal.number} begins before the one before it is over")
    begun, _ = state.start_deal(deal.pack)
    due = begun.deal
    assert due is not None  # noqa: S101  (it was begun in the line above)
    if (due.number, due.dealer, due.rules) != (deal.number, deal.dealer, deal.rules):
        raise ValueError(
            f"due is deal {due.number}, dealt by {_seat_word(due.dealer)}, rules {format_rules(due.rules)}; "
            f"this is deal {deal.number}, {_seat_word(deal.dealer)}, {format_rules(deal.rules)}"
        )
    for seat, action in actions_of(deal):
        begun, _ = begun.apply(seat, action)
    return begun


def _outcome(state: SetState) -> list[str]:
    """The line that follows a deal that is over; none after one that is not."""
    deal = state.deal
    if deal is None or not deal.is_over:
        return []
    if deal.phase is Phase.VOID:
        return [f"void scores {_by_team(state.scores)}"]
    score = state.history[-1]
    return [f"points {_by_team(score.points)} scores {_by_team(score.scores)}"]


def _result(state: SetState) -> str:
    won = _UNFINISHED if state.winner is None else f"won by {_TEAM_WORDS[state.winner]}"
    return f"result {won} {_by_team(state.scores)}"


def _by_team(pair: tuple[int, int]) -> str:
    return f"{pair[0]}:{pair[1]}"


def _seat_word(seat: Seat) -> str:
    return seat.name.lower()
