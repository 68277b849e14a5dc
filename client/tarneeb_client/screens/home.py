"""Before a server is chosen: the name, the servers on the network, a seat that is still held, solo play."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tarneeb_client.addresses import Address, BadAddress, parse_address
from tarneeb_client.language import _, listed, plural
from tarneeb_client.screens.cells import fit, wrap
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.keyed import KeyedDesk
from tarneeb_client.screens.keys import footer_of
from tarneeb_client.screens.panes import Pane, help_rows
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.rows import Row, apart, clickable, filled, fitted, in_signs, text_row
from tarneeb_client.screens.status import footer_row
from tarneeb_client.wording.connection import duration
from tarneeb_protocol.messages import MAX_NAME_CHARS
from tarneeb_protocol.text import BadTextError, clean_name, harmless

LOOK_SECONDS = 3.0
"""How long nothing may be found before the screen says what may be in the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow:
    """A server as the list shows it. ``why_not`` says why it cannot be joined; ``held`` which seat is held
    there, and for how many seconds.
    """

    name: str
    address: Address
    ping_ms: int | None = None
    tables: int | None = None
    free_seats: int | None = None
    has_password: bool = False
    is_recent: bool = False
    why_not: str = ""
    held: tuple[str, int] | None = None


class Wish(Enum):
    """What the player wants to do next."""

    CONNECT = "connect"
    SOLO = "solo"
    LEARN = "learn"
    SETTINGS = "settings"
    QUIT = "quit"


class Asking(Enum):
    """What the input line is for."""

    NOTHING = "nothing"
    NAME = "name"
    ADDRESS = "address"
    PASSWORD = "password"


class HomeDesk(KeyedDesk):
    """The first screen. ``wish`` is what was chosen, once ``is_over``; ``address`` says where."""

    def __init__(self, *, name: str, version: str, glyphs: Glyphs, note: str = "", login: str = "") -> None:
        super().__init__()
        self.name = name
        self.text = ""
        self._login = login
        self.wish = Wish.QUIT
        self.address: Address | None = None
        self.password: str | None = None
        self.asking = Asking.NOTHING if name else Asking.NAME
        self.servers: tuple[ServerRow, ...] = ()
        self.is_rescan_wanted = False
        self._version = version
        self._glyphs = glyphs
        self._note = note
        self._at = 0
        self._began: float | None = None
        self._now = self._found_at = 0.0
        self._help: Pane | None = None

    @property
    def place(self) -> Place:
        """Where keys are pressed."""
        if self._help is not None:
            return Place.PANE
        return Place.HOME if self.asking is Asking.NOTHING else Place.TYPING

    def found(self, servers: Sequence[ServerRow]) -> None:
        """The servers that are known now, the one with a held seat first."""
        chosen = self.chosen
        self.servers = tuple(sorted(servers, key=lambda server: server.held is None))
        self._found_at = self._now
        if chosen is not None:
            addresses = [server.address for server in self.servers]
            self._at = addresses.index(chosen.address) if chosen.address in addresses else 0

    def ask_password(self, address: Address) -> None:
        """The server at ``address`` has a password, and wants it."""
        self.address = address
        self.asking = Asking.PASSWORD

    @property
    def chosen(self) -> ServerRow | None:
        """The server that Enter connects to."""
        return self.servers[self._at % len(self.servers)] if self.servers else None

    def tick(self, now: float) -> None:
        """The time is ``now``, in seconds."""
        if self._began is None:
            self._began = now
        self._now = now

    def seconds_to_change(self) -> float:
        """Until nothing was found for long enough to say why, or a seat is held a second less."""
        if any(server.held is not None for server in self.servers):
            return 1.0
        if self.servers or self._began is None:
            return math.inf
        left = self._began + LOOK_SECONDS - self._now
        return left if left > 0 else math.inf

    def typed(self, text: str) -> None:
        """The input line holds ``text`` now."""
        self.text = text

    def _wish(self, wish: Wish) -> None:
        self.wish = wish
        self.is_over = True

    # ---------------------------------------------------------------- keys

    def key_enter(self, key: str) -> None:
        """Connect, or take what was asked for."""
        del key
        text, self.text = self.text.strip(), ""
        self._note = ""
        match self.asking:
            case Asking.NAME:
                self._take_name(text or self._login)
            case Asking.ADDRESS:
                self._take_address(text)
            case Asking.PASSWORD:
                self.password = text or None
                self.asking = Asking.NOTHING
                if text:
                    self._wish(Wish.CONNECT)
            case Asking.NOTHING:
                self._connect()

    def _take_name(self, text: str) -> None:
        try:
            self.name = clean_name(text, MAX_NAME_CHARS)
        except BadTextError as problem:
            self._note = str(problem)
            return
        self.asking = Asking.NOTHING

    def _take_address(self, text: str) -> None:
        try:
            self.address = parse_address(text)
        except BadAddress as problem:
            self._note = str(problem)
            return
        self.password = None
        self.asking = Asking.NOTHING
        self._wish(Wish.CONNECT)

    def _connect(self) -> None:
        server = self.chosen
        if server is None:
            self.key_solo("s")
        elif server.why_not:
            self._note = harmless(server.why_not)
        else:
            self.address, self.password = server.address, None
            self._wish(Wish.CONNECT)

    def key_move(self, key: str) -> None:
        """The server above or below."""
        if self.servers:
            self._at = (self._at + (1 if key == "down" else -1)) % len(self.servers)

    def key_resume(self, key: str) -> None:
        """Go back to the seat that is held."""
        del key
        held = [server for server in self.servers if server.held is not None]
        if held:
            self.address, self.password = held[0].address, None
            self._wish(Wish.CONNECT)
        else:
            self._note = _("No seat is held for you.")

    def key_solo(self, key: str) -> None:
        """Play with three bots."""
        del key
        self._wish(Wish.SOLO)

    def key_learn(self, key: str) -> None:
        """Learn the game."""
        del key
        self._wish(Wish.LEARN)

    def key_settings(self, key: str) -> None:
        """Change the settings."""
        del key
        self._wish(Wish.SETTINGS)

    def key_address(self, key: str) -> None:
        """Type an address."""
        del key
        self.asking = Asking.ADDRESS

    def key_rescan(self, key: str) -> None:
        """Look for servers anew."""
        del key
        self.is_rescan_wanted = True
        self._began = self._now

    def key_help(self, key: str) -> None:
        """The keys."""
        del key
        self._help = Pane(_("Keys"), lambda cells: help_rows(Place.HOME, cells))

    def key_scroll(self, key: str) -> None:
        """Scroll the keys."""
        if self._help is not None:
            self._help.scroll(5 if key == "pagedown" else -5)

    def key_complete(self, key: str) -> None:
        """Nothing that is typed here can be completed."""

    def key_recall(self, key: str) -> None:
        """Nothing that was typed here is kept."""

    def click_server(self, which: str) -> None:
        """The server that is clicked on; the chosen one is connected to."""
        if which == str(self._at):
            self._connect()
        elif which.isdecimal() and int(which) < len(self.servers):
            self._at = int(which)

    def key_close(self, key: str) -> None:
        """Close what is open."""
        del key
        self.text = ""
        self._help = None
        if self.asking is not Asking.NAME:
            self.asking = Asking.NOTHING

    def key_interrupt(self, key: str) -> None:
        """Clear what is typed, or end."""
        del key
        if self.text:
            self.text = ""
        else:
            self._wish(Wish.QUIT)

    def key_leave(self, key: str) -> None:
        """End."""
        del key
        self._wish(Wish.QUIT)

    # ---------------------------------------------------------------- the screen

    def prefix(self) -> str:
        """What stands before the input."""
        return {
            Asking.NOTHING: "> ",
            Asking.NAME: _("your name") + "> ",
            Asking.ADDRESS: _("address") + "> ",
            Asking.PASSWORD: _("password") + "> ",
        }[self.asking]

    @property
    def is_secret(self) -> bool:
        """Whether what is typed is not to be shown."""
        return self.asking is Asking.PASSWORD

    def footer(self, cells: int) -> Row:
        """The keys of this place."""
        return footer_row(footer_of(self.place), cells)

    def rows(self, cells: int, height: int) -> list[Row]:
        """The screen above the input line, then the footer: exactly ``height`` rows of ``cells``."""
        return in_signs([*self._body(cells, max(1, height - 1)), self.footer(cells)], self._glyphs)

    def _body(self, cells: int, height: int) -> list[Row]:
        if self._help is not None:
            return self._help.rows(self._glyphs, cells, height)
        rule = text_row(self._glyphs.across * cells, cells, "class:rule")
        you = _("you: {name}").format(name=harmless(self.name)) if self.name else ""
        count = len(self.servers)
        found = plural("{number} server", "{number} servers", count).format(number=count)
        rows = [apart([("class:title", f" Tarneeb {self._version}")], [("", f"{you}   {found} ")], cells), rule]
        if self.asking is Asking.NAME:
            rows += self._lines(_("Welcome. What shall the others call you?"), cells)
            if self._login:
                alone = _("Type a name, or press Enter to be called {name}.")
                rows += self._lines(alone.format(name=harmless(self._login)), cells, "class:quiet")
        else:
            rows += self._list(cells)
        rows += [text_row("", cells), *self._lines(self._note, cells, "class:warning")]
        return filled(rows, height, cells)

    def _lines(self, text: str, cells: int, style: str = "") -> list[Row]:
        return [text_row(" " + line, cells, style) for line in wrap(text, cells - 1)] if text else []

    def _list(self, cells: int) -> list[Row]:
        rows: list[Row] = []
        for number, server in enumerate(self.servers):
            rows += self._server(server, number, cells, is_chosen=number == self._at % len(self.servers))
        if not self.servers:
            rows += self._lines(_("Looking for servers on this network."), cells, "class:quiet")
            if self._began is not None and self._now - self._began >= LOOK_SECONDS:
                rows += self._lines(
                    _(
                        "None yet. A firewall may be in the way (UDP 5353), or the server is in a container."
                        " Press o and type the address that the server showed when it started."
                    ),
                    cells,
                    "class:quiet",
                )
        rows.append(text_row("", cells))
        rows += self._lines(_("Press s to play with three bots at once, l to learn the game."), cells)
        return rows

    def _server(self, server: ServerRow, number: int, cells: int, *, is_chosen: bool) -> list[Row]:
        style = clickable("class:selected" if is_chosen else "", f"server.{number}")
        pointer = self._glyphs.pointer if is_chosen else " "
        notes = []
        if server.tables is not None:
            notes.append(
                plural("{number} table", "{number} tables", server.tables).format(number=server.tables)
            )
        if server.free_seats:
            notes.append(
                plural("{number} free seat", "{number} free seats", server.free_seats).format(
                    number=server.free_seats
                )
            )
        if server.has_password:
            notes.append(_("password"))
        if server.is_recent:
            notes.append(_("played there before"))
        ping = "" if server.ping_ms is None else _("{number} ms").format(number=server.ping_ms)
        columns = [fit(harmless(server.name), 20), fit(str(server.address), 24), fit(ping, 7)]
        rows = [
            fitted([(style, f" {pointer} {' '.join(columns)}"), ("class:quiet", listed(notes))], cells),
        ]
        if server.why_not:
            rows.append(text_row("     " + harmless(server.why_not), cells, "class:warning"))
        if server.held is not None:
            where, seconds = server.held
            seconds = max(0, round(seconds - (self._now - self._found_at)))
            text = _("{where}: held for you {time} - press R").format(
                where=harmless(where), time=duration(seconds)
            )
            rows.append(text_row("     " + text, cells, "class:good"))
        return rows
