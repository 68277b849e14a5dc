"""What is to happen in the world of a seed: who comes, how the network is, what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from support.simulation.calling import Habits
from support.simulation.guest import BOTS
from support.simulation.mischief import MISCHIEF, PASSWORD
from support.simulation.network import Weather
from tarneeb_server.settings import Settings

if TYPE_CHECKING:
    import random

    from support.simulation.scheduling import Seeds

KINDS = (
    "latency",
    "pieces",
    "narrow",
    "cut",
    "silence",
    "kill",
    "stop",
    "jump",
    "intruder",
    "nothing_kept",
    *MISCHIEF,
)
"""Kinds of fault, each of which can be left out of a world."""

NATURES = (*["quiet"] * 3, *["rascal"] * 5, *["linked"] * 2)
"""How often each comes. Our own link takes as long as two of the others."""


@dataclass
class Person:
    """Who comes. ``nature`` is "quiet", "rascal" or "linked"."""

    habits: Habits
    nature: str


@dataclass
class Plan:
    """A world to be played until ``deals`` deals are over."""

    deals: int
    settings: Settings
    kinds: frozenset[str]
    people: list[Person] = field(default_factory=list)
    weathers: list[Weather] = field(default_factory=list)
    grain: float = 0.01
    fault_every: float = 2500.0
    """Sends of the server between two faults of the network."""
    kill_every: float = 1500.0
    """Commits of the server between two kills."""
    mischief_pace: float = 120.0
    """Messages that a rascal hears between two of its ideas."""
    keeps: bool = True


def plan_for(seeds: Seeds, deals: int, only: frozenset[str] | None, without: frozenset[str]) -> Plan:
    """The plan of a seed. ``only`` are the kinds of fault that are allowed, ``None`` for all; ``without`` those
    that are not.
    """
    rng = seeds.source("plan")
    tempo = rng.choice((0.35, 0.6, 1.0))
    drawn = frozenset(
        kind for kind in KINDS if rng.random() < (0.12 if kind == "nothing_kept" else tempo * 0.7)
    )
    kinds = (drawn if only is None else only) - without
    plan = Plan(deals, _settings(rng, seeds.seed), kinds)
    plan.keeps = "nothing_kept" not in kinds
    plan.grain = rng.choice((0.01, 0.02, 0.05))
    plan.fault_every = rng.choice((300.0, 1000.0, 3000.0))
    plan.kill_every = rng.choice((300.0, 1000.0, 3000.0))
    plan.mischief_pace = rng.choice((30.0, 100.0, 300.0))
    plan.weathers = [_weather(rng, kinds) for _ in range(3)]
    is_small = rng.random() < 0.75
    for number in range(rng.choice((1, 1, 2, 3))):
        plan.people += _company(rng, number + 1, is_small=is_small)
    return plan


def _settings(rng: random.Random, seed: int) -> Settings:
    ping = rng.choice((2, 5, 15))
    return Settings(
        bot_delay=rng.choice((*[0.0] * 6, 0.05, 0.7)),
        turn_seconds=rng.choice((0, 3, 10, 45)),
        grace_seconds=rng.choice((5, 15, 60)),
        deserted_seconds=rng.choice((5, 20)),
        ping_seconds=ping,
        dead_seconds=3 * ping,
        hello_seconds=rng.choice((3, 10)),
        max_tables_per_player=rng.choice((2, 8)),
        outbox_kib=128,
        seed_for_tests=seed,
        log_level=rng.choice(("info", "info", "debug")),
    )


def _weather(rng: random.Random, kinds: frozenset[str]) -> Weather:
    is_near = rng.random() < 0.5
    has_latency = "latency" in kinds and not is_near
    return Weather(
        latency=rng.choice((0.001, 0.02, 0.15)) if has_latency else 0.0,
        jitter=rng.choice((0.0, 0.05, 0.3)) if has_latency else 0.0,
        window=rng.choice((1500, 4096, 16384)) if "narrow" in kinds and rng.random() < 0.5 else 65536,
        is_in_pieces="pieces" in kinds and rng.random() < 0.3,
    )


def _company(rng: random.Random, number: int, *, is_small: bool) -> list[Person]:
    """Those who want to be at one table. In most worlds few are at each, where a deal takes least to play."""
    table = f"Table {number}"
    password = PASSWORD if rng.random() < 0.2 else None
    rules = {
        "partner_hints": rng.random() < 0.2,
        "lead_tarneeb": rng.random() < 0.2,
        "four_passes": rng.choice(("same_dealer", "next_dealer", "dealer_stuck")),
        "dealing": rng.choice(("one_by_one", "thirteen_at_a_time")),
    }
    opens = {
        "preset": rng.choice(("tarneeb", "tarneeb", "classic")),
        "rules": rules,
        "stand_in": rng.choice(BOTS),
    }
    players = rng.choice((1, 1, 1, 2)) if is_small else rng.choice((1, 2, 2, 3, 4))
    spectators = rng.choice((0, 0, 0, 1)) if is_small else rng.choice((0, 0, 1, 2))
    people = []
    for place in range(players + spectators):
        is_spectator = place >= players
        nature = rng.choice(NATURES)
        if place == 0 and nature == "linked":
            nature = "quiet"
        habits = Habits(
            name=f"{'Watcher' if is_spectator else 'Player'} {number}.{place}",
            table=table,
            is_opener=place == 0,
            is_spectator=is_spectator,
            password=password,
            opens=opens,
            thinks=rng.choice((0.0, 0.0, 0.0, 0.3, 6.0)),
            chats=rng.choice((0.0, 0.0, 0.002)),
            syncs=rng.choice((0.0, 0.002, 0.02)),
            away=rng.choice((0.3, 1.5, 8.0)),
            seats_taken=players,
        )
        people.append(Person(habits, nature))
    return people
