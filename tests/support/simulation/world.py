"""A world of one seed from its beginning to its end, and what was found in it."""

from __future__ import annotations

import logging
import re
import shutil
import sqlite3
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from support.simulation.guest import Guest
from support.simulation.host import PLACES, Host, Life, ServerEnd
from support.simulation.judge import Judge
from support.simulation.linked import Linked
from support.simulation.mischief import MISCHIEF, PASSWORD, Rascal, at_the_door, visit
from support.simulation.network import Air, Cable, ClientEnd
from support.simulation.plan import Person, Plan, plan_for
from support.simulation.scheduling import Seeds, run_seeded
from tarneeb_server.database import FILE_NAME
from tarneeb_server.logs import LOGGER_NAME

if TYPE_CHECKING:
    import random

    import trio.testing

MEMORY = Path("/dev/shm")  # noqa: S108  (a folder of ours is made in it)
LONGEST_SECONDS = 1500.0
"""Virtual seconds after which a world is over, however few deals were played."""
CUTS = ("ended", "reset", "half_open", "half_closed")
SILENCES = ("silence_up", "silence_down", "silence")
_CARD_IN_LOG = re.compile(r"\b[2-9TJQKA][CDHS]\b")
_TOKEN_IN_LOG = re.compile(r"[\w-]{43}")


@dataclass
class Report:
    """What came of a world. ``complaints`` is empty when all is well."""

    seed: int
    deals: int = 0
    sets: int = 0
    seconds: float = 0.0
    """Of the clock that jumps."""
    spent: float = 0.0
    """Of a processor."""
    trace: str = ""
    complaints: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What happened to sessions last, for whoever looks into a complaint."""
    counts: dict[str, int] = field(default_factory=dict)
    snapshots_compared: int = 0
    kinds: frozenset[str] = frozenset()


class _LogReader(logging.Handler):
    """Nothing in the log is secret, and nothing in it is a fault of the server."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self._judge = judge

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info or record.levelno >= logging.ERROR:
            trouble = record.exc_info[1] if record.exc_info else ""
            self._judge.complain(f"the log says {text} {trouble!r}")
        if _CARD_IN_LOG.search(text) or _TOKEN_IN_LOG.search(text) or PASSWORD in text:
            self._judge.complain(f"the log holds a secret: {text}")


class World:
    """See ``run_world``."""

    def __init__(self, plan: Plan, seeds: Seeds, folder: Path, clock: trio.testing.MockClock) -> None:
        self.plan = plan
        self.clock = clock
        self._folder = folder
        settings = plan.settings
        self.judge = Judge(settings.dead_seconds, settings.grace_seconds)
        self.air = Air(plan.grain)
        self._weather_rng = seeds.source("weather")
        self._fault_rng = seeds.source("faults")
        self._visit_rng = seeds.source("visits")
        self.host = Host(folder if plan.keeps else None, settings, seeds, self.judge)
        self._enough = trio.Event()
        self.judge.on_deal = self._count_deal
        self.host.on_send = self._on_send
        self.host.on_life = self._on_life
        self.host.down_seconds = lambda: self._fault_rng.choice((0.05, 0.5, 3.0))
        self.host.how_cut = lambda: self._fault_rng.choice(("ended", "reset", "reset", "silence"))
        self._cables: list[Cable] = []
        self._until_fault = self._draw(plan.fault_every)
        self.is_calm = False
        self._slept = 0.0
        self._stalls: dict[int, tuple[object, float]] = {}
        self._longest_thought = max((person.habits.thinks for person in plan.people), default=0.0)
        self.people = [
            self._person(person, seeds.source("person", person.habits.name)) for person in plan.people
        ]

    def _person(self, person: Person, rng: random.Random) -> Guest | Linked:
        habits = person.habits
        if person.nature == "linked":
            return Linked(habits, self.dial, self.judge, rng)
        if person.nature == "quiet":
            return Guest(habits, self.dial, self.judge, rng)
        kinds = tuple(kind for kind in MISCHIEF if kind in self.plan.kinds)
        pace = self.plan.mischief_pace
        return Rascal(habits, self.dial, self.judge, rng, kinds=kinds, pace=pace, visit=self._visit)

    def _draw(self, mean: float) -> int:
        return 1 + int(self._fault_rng.expovariate(1 / mean))

    # ------------------------------------------------------------ the network and its faults

    def dial(self) -> ClientEnd:
        """Connect a client. Raises ``ConnectionRefusedError``."""
        rng = self._weather_rng
        cable = Cable(self.air, rng.choice(self.plan.weathers), rng)
        end = ClientEnd(cable)
        self.host.dial(cable)
        self._cables.append(cable)
        if len(self._cables) > 60:
            del self._cables[:20]
        return end

    def _on_send(self, end: ServerEnd) -> None:
        if self.is_calm:
            return
        self._until_fault -= 1
        if self._until_fault > 0:
            return
        rng = self._fault_rng
        self._until_fault = self._draw(self.plan.fault_every)
        kinds = sorted({"cut", "silence"} & self.plan.kinds)
        if not kinds or not self._cables:
            return
        kind = rng.choice(kinds)
        how = rng.choice(CUTS if kind == "cut" else SILENCES)
        self.judge.count(f"fault {how}")
        cable = end.cable if rng.random() < 0.3 else rng.choice(self._cables)
        cable.fail(how)

    def _on_life(self, life: Life) -> None:
        self._stalls.clear()
        if "kill" in self.plan.kinds and not self.is_calm:
            place = self._fault_rng.choice(PLACES)
            self.host.kill_at = {place: self._draw(self.plan.kill_every)}

    def _visit(self, frames: list[bytes], kind: str) -> None:
        self._nursery.start_soon(visit, self.dial, frames, self._visit_rng.uniform(0.5, 5.0), self._visit_rng)

    # ------------------------------------------------------------ life

    async def run(self) -> None:
        """Play it."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self.air.run)
            nursery.start_soon(self.host.run)
            for person in self.people:
                nursery.start_soon(person.live)
            if "intruder" in self.plan.kinds:
                nursery.start_soon(self._intrude)
            nursery.start_soon(self._disturb)
            with trio.CancelScope() as scope:
                nursery.start_soon(self._stop_at_failure, scope)
                await self._watch_until_enough()
                await self._calm_down()
                await self._close()
            nursery.cancel_scope.cancel()

    async def _stop_at_failure(self, scope: trio.CancelScope) -> None:
        await self.judge.failed.wait()
        scope.cancel()

    @property
    def deals(self) -> int:
        """Deals that were played to their end."""
        return sum(book.deals_revealed for book in self.judge.books.values()) + self.judge.counts.get(
            "deals of servers that keep nothing", 0
        )

    async def _watch_until_enough(self) -> None:
        while not self._enough.is_set() and trio.current_time() - self._slept < LONGEST_SECONDS:
            with trio.move_on_after(0.5):
                await self._enough.wait()
            self._look()

    def _count_deal(self) -> None:
        if self.deals >= self.plan.deals:
            self._enough.set()

    async def _intrude(self) -> None:
        rng = self._visit_rng
        names = [person.habits.name for person in self.plan.people] + ["Nobody", "Bot Amal"]
        while True:
            await trio.sleep(rng.expovariate(1 / 8))
            if self.is_calm:
                return
            self.judge.count("fault intruder")
            await visit(self.dial, at_the_door(rng, names), rng.uniform(0.1, 12.0), rng)

    async def _disturb(self) -> None:
        """What happens by the clock, not by the traffic: stops, kills at any moment, a machine that sleeps."""
        rng = self._fault_rng
        kinds = sorted({"kill", "stop", "jump"} & self.plan.kinds)
        while kinds:
            await trio.sleep(rng.expovariate(1 / 25))
            match "" if self.is_calm else rng.choice(kinds):
                case "kill":
                    self.host.kill("by the clock")
                case "stop":
                    await self.host.stop()
                case "jump":
                    seconds = rng.choice((6.0, 30.0, 400.0, 90000.0))
                    self.judge.count("fault jump")
                    self.judge.jumped(seconds)
                    self._slept += seconds
                    self._stalls.clear()
                    self.clock.jump(seconds)

    # ------------------------------------------------------------ the watchdog

    def _look(self) -> None:
        """Somebody could act: then something happens within the bound."""
        self.judge.check_silence()
        life = self.host.life
        if life is None or life.app is None or not life.is_alive:
            return
        now = trio.current_time()
        settings = self.plan.settings
        turn = settings.turn_seconds
        # Nobody has to act in time where no turn ends, and who does not read acts all the later.
        waits = not turn and any(isinstance(one, Guest) and one.reads_again_at > now for one in self.people)
        for number, table in life.app.lobby.tables.items():
            play = table.play
            if play is None or not table.is_playing or not table.seating.is_any_player_present():
                self._stalls.pop(number, None)
                continue
            mark = (table.set_number, play.deal_count, table._turn_seq)
            before = self._stalls.get(number)
            if before is None or before[0] != mark or waits:
                self._stalls[number] = (mark, now)
                continue
            bound = turn + 2.0 if turn else settings.dead_seconds + 45.0 + self._longest_thought
            if now - before[1] > bound + settings.bot_delay:
                self.judge.complain(
                    f"nothing was played at {table!r} for {now - before[1]:.1f} s: {play.turn!r}"
                )

    # ------------------------------------------------------------ the end

    async def _calm_down(self) -> None:
        """No more faults: everybody is back, everything asked is answered, all agree."""
        self.is_calm = True
        self.host.kill_at.clear()
        guests = [person for person in self.people if isinstance(person, Guest)]
        for person in self.people:
            person.is_calm = True
        for guest in guests:
            guest.reads_again_at = guest.gone_until = 0.0
        settings = self.plan.settings
        until = trio.current_time() + 60 + 3 * settings.dead_seconds + 2 * settings.grace_seconds
        unsettled: list[str] = []
        while trio.current_time() < until:
            await trio.sleep(1.0)
            self._look()
            unsettled = [self._unsettled(guest) for guest in guests if self._unsettled(guest)]
            unsettled += [
                f"{person.habits.name} has no link"
                for person in self.people
                if isinstance(person, Linked) and (person.link is None or not person.link.is_connected)
            ]
            if not unsettled and self.host.is_up:
                break
        else:
            self.judge.complain(f"not settled after all faults were over: {unsettled}")
            await trio.sleep_forever()
        for person in self.people:
            if isinstance(person, Linked):
                person.sync()
            elif person.table is not None:
                person.ask("sync")
        await trio.sleep(2.0)

    def _unsettled(self, guest: Guest) -> str:
        now = trio.current_time()
        if not guest.is_welcome or not self.host.is_up:
            return f"{guest.habits.name} is not connected"
        old = {number: asked for number, asked in guest.unanswered.items() if now - guest.sent_at[number] > 5}
        return f"{guest.habits.name} waits for {old}" if old else ""

    async def _close(self) -> None:
        """Everybody goes, and nothing is left."""
        for person in self.people:
            person.is_staying = False
            if isinstance(person, Linked):
                person.leave()
            elif self._fault_rng.random() < 0.5:
                person.leave_for_good()
                person.is_staying = True
                person.gone_until = trio.current_time() + 1e9
            elif person.end is not None:
                person.end.abort()
        settings = self.plan.settings
        await trio.sleep(settings.dead_seconds + settings.grace_seconds + settings.deserted_seconds + 30)
        life = self.host.life
        if life is None or life.app is None or life.connections is None:
            self.judge.complain("there is no server")
            return
        app = life.app
        left = {
            "peers": len(app.peers),
            "sessions": len(app.lobby.sessions),
            "tables": len(app.lobby.tables),
            "timers": len(app.clock),
            "tasks": len(life.connections.child_tasks),
            "connections of sessions": len(app._by_session),
            "homeless": len(app.lobby._homeless),
            "connections being refused": app._refusing,
            "connections at the gate": len(app.gate),
        }
        if any(left.values()):
            self.judge.complain(f"when all had gone there were still {left}")
        await self.host.retire()
        if self.plan.keeps:
            self._check_file()
        await trio.sleep(3.0)

    def _check_file(self) -> None:
        database = sqlite3.connect(self._folder / FILE_NAME)
        try:
            for table in ("session", "reply", "open_table", "deal"):
                (count,) = database.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608  (our own names)
                if count:
                    self.judge.complain(f"when all had gone the journal had {count} rows of {table}")
        finally:
            database.close()


def run_world(
    seed: int,
    deals: int = 8,
    only: frozenset[str] | None = None,
    without: frozenset[str] = frozenset(),
) -> Report:
    """Play the world of ``seed`` until ``deals`` deals are over. ``only`` and ``without`` choose kinds of
    fault.
    """
    seeds = Seeds(seed)
    plan = plan_for(seeds, deals, only, without)
    report = Report(seed, kinds=plan.kinds)
    began = time.process_time()
    folder = tempfile.mkdtemp(prefix="tarneeb-", dir=MEMORY if MEMORY.is_dir() else None)
    logger = logging.getLogger(LOGGER_NAME)
    before = (logger.level, logger.propagate, logger.handlers[:])

    async def play(clock: trio.testing.MockClock) -> None:
        world = World(plan, seeds, Path(folder), clock)
        logger.handlers[:] = [_LogReader(world.judge)]
        logger.propagate = False
        logger.setLevel(plan.settings.log_level.upper())
        await world.run()
        judge = world.judge
        report.deals = world.deals
        report.sets = sum(book.sets_won for book in judge.books.values())
        report.snapshots_compared = sum(book.snapshots_compared for book in judge.books.values())
        report.snapshots_compared += sum(
            person.compared for person in world.people if isinstance(person, Linked)
        )
        report.complaints = judge.complaints
        report.notes = list(judge.notes)
        report.counts = judge.counts
        report.trace = judge.trace
        report.seconds = trio.current_time()

    try:
        run_seeded(seed, play)
    finally:
        logger.setLevel(before[0])
        logger.propagate = before[1]
        logger.handlers[:] = before[2]
        shutil.rmtree(folder, ignore_errors=True)
    report.spent = time.process_time() - began
    return report
