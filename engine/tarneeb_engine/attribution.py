"""Who did what in a recorded set: players, bots, and bots that stood in for players (``docs/notation.md``)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from tarneeb_engine.notation import actions_of
from tarneeb_engine.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tarneeb_engine.deal import DealState

LONGEST_NAME = 60
"""Characters in a player's name. Longer than any server lets in."""
MOST_ACTORS = 999
"""In one set: four seats, and far more comings and goings than any set sees."""

Runs: TypeAlias = tuple[tuple[int, int], ...]
"""What one seat did in a deal, in order: who (a number from 1) and how many actions in a row."""
Deeds: TypeAlias = tuple[Runs, Runs, Runs, Runs]
"""The runs of a deal, by seat."""

_LEVEL = re.compile("[a-z][a-z_]{0,19}")
_KEY = re.compile("-|[!-~]{8,100}")
_RUN = re.compile("([1-9][0-9]{0,2})(?::([1-9][0-9]{0,2}))?")


class ActorKind(StrEnum):
    """What kind of actor it was."""

    PLAYER = "player"
    BOT = "bot"
    STAND_IN = "stand-in"
    """A bot that acted for a player whose time ran out, or who was away."""


@dataclass(frozen=True, slots=True)
class Actor:
    """One who acted. ``name`` is a player's, that of the player stood in for, or ``""`` for a bot; ``level`` is
    how a bot or a stand-in plays, else ``""``; ``key`` is the fingerprint of a player's key, ``""`` without
    one. Raises ``ValueError`` for what could not be written.
    """

    kind: ActorKind
    name: str = ""
    level: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        is_named, has_level = self.kind is not ActorKind.BOT, self.kind is not ActorKind.PLAYER
        if not (is_writable(self.name) if is_named else self.name == ""):
            raise ValueError(f"{self.name!a:.80} is not the name of a {self.kind.value}")
        if not (_LEVEL.fullmatch(self.level) if has_level else self.level == ""):
            raise ValueError(f"{self.level!a:.80} is not how a {self.kind.value} plays")
        if self.key and (self.kind is not ActorKind.PLAYER or not _KEY.fullmatch(self.key) or self.key == "-"):
            raise ValueError(f"{self.key!a:.80} is not the fingerprint of a player's key")


def is_writable(name: str) -> bool:
    """Whether a transcript can hold the name: printable, not too long, no blanks at its ends."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def format_actor(actor: Actor) -> str:
    """As in a transcript, without the number."""
    match actor.kind:
        case ActorKind.PLAYER:
            return f"player {actor.key or '-'} {actor.name}"
        case ActorKind.BOT:
            return f"bot {actor.level}"
        case ActorKind.STAND_IN:
            return f"stand-in {actor.level} {actor.name}"


def parse_actor(text: str) -> Actor:
    """What ``format_actor`` wrote. Raises ``ValueError`` that says what is accepted."""
    kind, _, rest = text.partition(" ")
    first, _, name = rest.partition(" ")
    actor: Actor | None = None
    match kind:
        case "player" if first == "-" or (first and _KEY.fullmatch(first)):
            actor = Actor(ActorKind.PLAYER, name, key="" if first == "-" else first)
        case "bot":
            actor = Actor(ActorKind.BOT, level=rest)
        case "stand-in":
            actor = Actor(ActorKind.STAND_IN, name, first)
    if actor is None:
        raise ValueError(
            f"{text!a:.80} is nobody who acts; accepted: player KEY NAME, where KEY is - without one, "
            "bot LEVEL, stand-in LEVEL NAME"
        )
    return actor


def deeds_of(deal: DealState, actors: Iterable[int]) -> Deeds:
    """The runs by seat, where ``actors`` are the numbers of those who did the deal's actions, in order."""
    runs: tuple[list[list[int]], ...] = ([], [], [], [])
    for (seat, _), actor in zip(actions_of(deal), actors, strict=True):
        if runs[seat] and runs[seat][-1][0] == actor:
            runs[seat][-1][1] += 1
        else:
            runs[seat].append([actor, 1])
    south, east, north, west = (tuple((actor, count) for actor, count in each) for each in runs)
    return south, east, north, west


def format_deeds(deeds: Deeds) -> str:
    """As in a transcript: the last run of a seat is whatever is left, so it has no count."""
    return " ".join(_format_runs(runs) for runs in deeds)


def _format_runs(runs: Runs) -> str:
    if not runs:
        return "-"
    counted = [f"{actor}:{count}" for actor, count in runs[:-1]]
    return ",".join([*counted, str(runs[-1][0])])


def parse_deeds(text: str, deal: DealState, actor_count: int) -> Deeds:
    """What ``format_deeds`` wrote of this deal. Raises ``ValueError`` that says what is accepted."""
    counts = Counter(seat for seat, _ in actions_of(deal))
    words = text.split(" ")
    if len(words) != len(Seat):
        raise ValueError(f"{text!a:.80} does not say of four seats who acted in them")
    south, east, north, west = (
        tuple(_parse_runs(word, counts[seat], actor_count)) for seat, word in zip(Seat, words, strict=True)
    )
    deeds = south, east, north, west
    if format_deeds(deeds) != text:
        raise ValueError(f"{text!a:.80} is not in the shortest form; accepted: {format_deeds(deeds)}")
    return deeds


def _parse_runs(word: str, actions: int, actor_count: int) -> Iterator[tuple[int, int]]:
    if actions == 0:
        if word != "-":
            raise ValueError(f"{word!a:.80} acts in a seat that had nothing to do; accepted: -")
        return
    pieces = word.split(",")
    left = actions
    before = 0
    for at, piece in enumerate(pieces):
        found = _RUN.fullmatch(piece)
        is_last = at == len(pieces) - 1
        if found is None or (found[2] is None) is not is_last:
            raise ValueError(f"{word!a:.80} does not say who acted; accepted: as 1, or 1:5,2")
        actor, count = int(found[1]), left if is_last else int(found[2])
        if actor > actor_count or actor == before:
            raise ValueError(f"{word!a:.80} names somebody who is not told above, or twice in a row")
        if not is_last and count >= left:
            raise ValueError(f"{word!a:.80} tells of more than the {actions} actions of its seat")
        before = actor
        left -= count
        yield actor, count
