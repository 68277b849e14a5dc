"""What each command of ``tarneeb`` does, once its arguments are read. Each returns the exit status."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from anyio.abc import TaskStatus

from tarneeb_client import __version__
from tarneeb_client.addresses import Address
from tarneeb_client.bot_player import BotFailed, BotPlayer, FinishedSet, take_seat
from tarneeb_client.console import Lines, PipedLines, has_symbols, is_full_terminal, write_line, write_text
from tarneeb_client.conversation import Conversation
from tarneeb_client.dialling import Dialler, Security
from tarneeb_client.farewell import is_leaving, say_how_to_come_back
from tarneeb_client.language import _
from tarneeb_client.lessons import Coach
from tarneeb_client.line_mode import converse, start_at
from tarneeb_client.link import NEW, Link, open_link
from tarneeb_client.look import Look
from tarneeb_client.presenters import JsonPresenter, PlainPresenter, Presenter
from tarneeb_client.recent_servers import remember
from tarneeb_client.retelling import retell
from tarneeb_client.server_process import private_server
from tarneeb_client.session_keeper import SessionKeeper
from tarneeb_client.state import TableView, advance
from tarneeb_client.state_folder import NotUsable
from tarneeb_client.tournament_bot import TournamentPlayer, enter, find_tournament, standings_fields
from tarneeb_client.verbosity import Verbosity
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

if TYPE_CHECKING:
    from tarneeb_client.at_screen import AtTable

CLIENT = f"tarneeb {__version__}"
"""What the client calls itself in the hello."""
DEMO_PLAYERS = ("Amal", "Badr", "Dana", "Fares")
"""The demo's players, by seat."""
SOLO_TABLE = "Solo"
EXIT_USAGE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """Arguments of ``tarneeb play`` and ``tarneeb watch``. ``table`` is a number or a name."""

    address: Address
    name: str
    security: Security = field(default_factory=Security)
    plain: bool = False
    json: bool = False
    password: str | None = None
    table: str | None = None
    seat: Seat | None = None
    watch: bool = False
    is_new: bool = False
    look: Look | None = None
    """How the full screen looks; ``None`` for lines."""
    verbosity: Verbosity = Verbosity.NORMAL
    is_named: bool = False
    """Whether the player chose the name, rather than being called by the login name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloOptions:
    """Arguments of ``tarneeb solo`` and ``tarneeb learn``, which has a ``coach``."""

    name: str
    level: m.BotLevel = m.BotLevel.STEADY
    seed: int | None = None
    plain: bool = False
    json: bool = False
    look: Look | None = None
    verbosity: Verbosity = Verbosity.NORMAL
    coach: Coach | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BotOptions:
    """Arguments of ``tarneeb bot``."""

    address: Address
    name: str
    level: m.BotLevel
    security: Security = field(default_factory=Security)
    table: str
    count: int = 1
    sets: int = 1
    seat: Seat | None = None
    seed: int | None = None
    wait_seconds: float = 60.0
    password: str | None = None
    tournament: str | None = None
    """Name or number of a tournament to play in, instead of at a table."""
    team: str | None = None
    partner: str | None = None


async def play(
    options: PlayOptions, warn: Callable[[str], None], tell: Callable[[str], None] = write_text
) -> int:
    """Play, or watch. ``warn`` gets a sentence for each trouble with keeping the session; ``tell`` what is said
    after a full screen has ended.
    """
    address = str(options.address)
    conversation: Conversation | None = None
    screen: AtTable | None = None
    early: list[str] = []  # what was said before a full screen covered it

    def warn_where_seen(sentence: str) -> None:
        if screen is None:
            early.append(sentence)
        (warn if screen is None else screen.warn)(sentence)

    def tell_where_seen(sentence: str) -> None:
        if screen is None:
            early.append(sentence)
        (options.security.tell if screen is None else screen.tell)(sentence)

    with SessionKeeper(
        address,
        name=options.name if options.is_named else None,
        watches=options.watch,
        is_new=options.is_new,
        warn=warn_where_seen,
    ) as keeper:
        if options.watch and options.table is None and not keeper.has_any():
            warn(_("say which table to watch: --table TABLE, a number or a name"))
            return EXIT_USAGE
        try:
            async with open_link(
                options.address,
                name=options.name,
                client=CLIENT,
                password=options.password,
                security=replace(options.security, tell=tell_where_seen),
                keeper=keeper,
            ) as link:
                begin = partial(_go_to_table, options=options)
                with suppress(NotUsable):  # of the folder for sessions, too, and then said already
                    await to_thread.run_sync(remember, options.address)
                if options.look is not None:
                    # Imported here, as the line editor is: pipes and bots need none of it.
                    from tarneeb_client.at_screen import AtTable  # noqa: PLC0415

                    screen = AtTable(link, options.look, tell=tell)
                    conversation = screen.talk
                    for sentence in early:
                        screen.tell(sentence)
                    link.is_leaving = partial(is_leaving, conversation, keeper)
                    try:
                        return await screen.run(begin, keeper)
                    finally:
                        screen = None
                conversation = _conversation(link, options)
                link.is_leaving = partial(is_leaving, conversation, keeper)
                return await _line_mode(
                    link, conversation, begin, plain=options.plain, as_json=options.json, keeper=keeper
                )
        finally:
            if conversation is not None:
                say_how_to_come_back(link, keeper, conversation, address)


def _go_to_table(conversation: Conversation, *, options: PlayOptions) -> None:
    """Sit down, or watch, where the arguments say; who is back at a table stays there."""
    if options.table is None:
        return
    view = conversation.view
    if view is not None:
        if options.table.casefold() not in {str(view.table), view.snapshot.name.casefold()}:
            conversation.presenter.problem(
                _(
                    "You are still at table {number}: leave it first. To be somebody else instead: --new."
                ).format(number=view.table)
            )
        return

    def go(number: int) -> None:
        request: m.Join | m.Watch = m.Join(id=NEW, table=number, seat=options.seat)
        if options.watch:
            request = m.Watch(id=NEW, table=number)
        conversation.join(request)

    conversation.with_table(options.table, go)


def _conversation(
    link: Link, options: PlayOptions | SoloOptions, *, coach: Coach | None = None
) -> Conversation:
    presenter: Presenter = JsonPresenter(write_line) if options.json else PlainPresenter(write_text)
    return Conversation(link, presenter, coach=coach, own_name=link.welcome.name, verbosity=options.verbosity)


async def _line_mode(
    link: Link,
    conversation: Conversation,
    begin: Callable[[Conversation], None],
    *,
    plain: bool,
    as_json: bool,
    keeper: SessionKeeper | None = None,
) -> int:
    """A conversation on this process's input and output; ``begin`` starts it off. The exit status: 1 when the
    link ended.
    """
    welcome = link.welcome
    if as_json:
        conversation.presenter.message(welcome_without_token(welcome))
    edits = is_full_terminal() and not plain and not as_json
    async with AsyncExitStack() as stack:
        lines: Lines
        if edits:
            # Imported here because it takes longer than all the rest, and pipes do not need it.
            from tarneeb_client.terminal import typed_lines  # noqa: PLC0415

            lines = await stack.enter_async_context(typed_lines())
        else:
            lines = PipedLines()
            stack.push_async_callback(lines.aclose)
        if keeper is not None:
            conversation.returns(welcome, keeper.resumed, keeper.given_up, keeper.elsewhere)
        own_name = harmless(welcome.name)
        if link.peer_fingerprint is not None:
            own_name = _("{name} over TLS").format(name=own_name)
        start_at(conversation, harmless(welcome.server_name), own_name, lambda: begin(conversation))
        await converse(
            link,
            conversation,
            lines,
            accepts_json=as_json,
            in_order=not edits,
            note_place=None if keeper is None else keeper.note_place,
        )
    return lines.status or (0 if conversation.ended is None else 1)


def welcome_without_token(welcome: m.Welcome) -> m.Welcome:
    """The welcome as it may be printed: the token is a secret that lets its holder take over the seat."""
    fields = {field: getattr(welcome, field) for field in welcome.__struct_fields__}
    return m.Welcome(**{**fields, "token": ""})


async def solo(options: SoloOptions, tell: Callable[[str], None] = write_text) -> int:
    """A private server, three bots, and you in the South. ``tell`` gets what is said after a full screen."""

    def begin(conversation: Conversation) -> None:
        def sit_down(opened: m.Reply) -> None:
            if isinstance(opened, m.Opened):
                conversation.join(m.Join(id=NEW, table=opened.table, seat=Seat.SOUTH))
                for seat in (Seat.EAST, Seat.NORTH, Seat.WEST):
                    conversation.ask(m.AddBot(id=NEW, seat=seat, level=options.level))

        conversation.ask(m.OpenTable(id=NEW, name=SOLO_TABLE, turn_seconds=0), sit_down)

    async with (
        private_server(*seed_arguments(options.seed)) as address,
        open_link(address, name=options.name, client=CLIENT) as link,
    ):
        if options.look is not None:
            from tarneeb_client.at_screen import AtTable  # noqa: PLC0415  (as above)

            return await AtTable(link, options.look, coach=options.coach, tell=tell).run(begin)
        plain, as_json = options.plain, options.json
        conversation = _conversation(link, options, coach=options.coach)
        return await _line_mode(link, conversation, begin, plain=plain, as_json=as_json)


def seed_arguments(seed: int | None) -> tuple[str, ...]:
    """The server's arguments for cards that a seed decides, or for any."""
    return () if seed is None else ("--seed-for-tests", str(seed))


async def bots(options: BotOptions) -> int:
    """Bots as ordinary clients; a line for each set. Raises ``BotFailed``."""
    reported: set[tuple[int, int]] = set()

    def report(finished: FinishedSet) -> None:
        if (finished.table, finished.number) not in reported:
            reported.add((finished.table, finished.number))
            write_line(json.dumps(finished.as_fields()))

    if options.tournament is not None:
        return await _bots_in_tournament(options, options.tournament, report)
    dial = Dialler(options.address, options.security)
    seating = anyio.Lock()

    async def run(number: int) -> None:
        seed = None if options.seed is None else options.seed + number
        async with open_link(dial, name=options.name, client=CLIENT, password=options.password) as link:
            async with seating:  # one after the other, or each would open a table first
                await take_seat(link, options.table, options.seat)
            await BotPlayer(
                link,
                options.level,
                random.Random(seed),  # noqa: S311  (a bot's choices, not a secret)
                sets=options.sets,
                wait_seconds=options.wait_seconds,
                report=report,
            ).play()

    async with anyio.create_task_group() as tasks:
        for number in range(options.count):
            tasks.start_soon(run, number)
    return 0


async def _bots_in_tournament(
    options: BotOptions, tournament: str, report: Callable[[FinishedSet], None]
) -> int:
    """One bot with the partner that was named, or two who are partners."""
    dial = Dialler(options.address, options.security)
    names: list[str] = []
    finals: list[m.Tournament] = []

    async def run(number: int, *, task_status: TaskStatus[None]) -> None:
        seed = None if options.seed is None else options.seed + number
        async with open_link(dial, name=options.name, client=CLIENT, password=options.password) as link:
            names.append(link.welcome.name)
            found = await find_tournament(link, tournament, options.wait_seconds)
            partner = options.partner if options.count == 1 else names[0]
            # Of two partners the second enters the team, when the first is there to be asked.
            team = options.team if number == options.count - 1 else None
            await enter(link, found, team, partner, options.wait_seconds)
            task_status.started()
            player = TournamentPlayer(
                link,
                options.level,
                random.Random(seed),  # noqa: S311  (a bot's choices, not a secret)
                tournament=found.tournament,
                wait_seconds=options.wait_seconds,
                report=report,
            )
            await player.play()
            if player.final is not None:
                finals.append(player.final)

    async with anyio.create_task_group() as tasks:
        for number in range(options.count):
            await tasks.start(partial(run, number))
    write_line(json.dumps(standings_fields(finals[0])))
    return 0


async def demo(*, seed: int | None) -> int:
    """A private server, four bots over TCP, and the set as a spectator sees it."""
    symbols = has_symbols()
    async with (
        private_server("--bot-delay", "0", *seed_arguments(seed)) as address,
        open_link(address, name="Spectator", client=CLIENT) as link,
    ):
        # No clock: on a slow machine it would act for a bot, and the set would not be the seed's.
        opened = await link.request(m.OpenTable(id=NEW, name="Demo", turn_seconds=0))
        assert isinstance(opened, m.Opened)  # noqa: S101  (the reply to open_table)
        await link.request(m.Watch(id=NEW, table=opened.table))
        write_line(_("A private server, four bots over TCP, and this spectator, who sees no hand."))
        async with anyio.create_task_group() as tasks:
            for seat in Seat:
                await tasks.start(_demo_bot, address, opened.table, seat, seed)
            await _retell_until_won(link, symbols=symbols)
            tasks.cancel_scope.cancel()
    return 0


async def _demo_bot(
    address: Address,
    table: int,
    seat: Seat,
    seed: int | None,
    *,
    task_status: TaskStatus[None],
) -> None:
    rng = random.Random(None if seed is None else f"{seed} {seat.name}")  # noqa: S311  (a bot's choices)
    async with open_link(address, name=DEMO_PLAYERS[seat], client=CLIENT) as link:
        await link.request(m.Join(id=NEW, table=table, seat=seat))
        task_status.started()
        bot = BotPlayer(link, m.BotLevel.STEADY, rng, sets=1, wait_seconds=60, report=lambda _finished: None)
        await bot.play()
        await anyio.sleep_forever()  # its leaving is no part of the set


async def _retell_until_won(link: Link, *, symbols: bool) -> None:
    view: TableView | None = None
    async for item in link:
        if not isinstance(item, m.Message):
            raise BotFailed(_("the spectator's connection was lost"))
        view = advance(view, item)
        if isinstance(item, m.TableEvent) and view is not None:
            for line in retell(item, view, symbols=symbols):
                write_line(line)
            if isinstance(item, m.SetWon):
                return
