"""``tarneeb`` alone: choose a server, go back to a held seat, play with bots, learn, change the settings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from tarneeb_client import __version__, language, programs, right_to_left
from tarneeb_client.addresses import Address, BadAddress, parse_address
from tarneeb_client.appearance import appearance, surroundings
from tarneeb_client.at_screen import show
from tarneeb_client.console import write_text
from tarneeb_client.dialling import Security, Untrusted
from tarneeb_client.discovery import discover
from tarneeb_client.found import FoundServer, in_order
from tarneeb_client.full_screen import Screen
from tarneeb_client.kept_session import KeptSession
from tarneeb_client.known_servers import KnownServers, default_file
from tarneeb_client.language import _, clauses
from tarneeb_client.lessons import SEED, Coach
from tarneeb_client.link_items import LinkFailed
from tarneeb_client.look import Look
from tarneeb_client.preferences import Preferences, load
from tarneeb_client.preferences_file import CannotSave, preferences_path, save
from tarneeb_client.recent_servers import recent_servers
from tarneeb_client.screens.home import HomeDesk, ServerRow, Wish
from tarneeb_client.screens.settings_desk import SettingsDesk
from tarneeb_client.server_process import ServerFailed
from tarneeb_client.session_keeper import FOLDER
from tarneeb_client.session_slots import free_sessions
from tarneeb_client.state_folder import NotUsable, StateFolder, user_state_folder
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import MAX_NAME_CHARS, PROTOCOL_VERSION, BotLevel
from tarneeb_protocol.text import BadTextError, clean_name, harmless


class Home:
    """The first screen and what it leads to. ``login`` is the name to offer to who has none yet."""

    def __init__(
        self, look: Look, preferences: Preferences, *, login: str, warn: Callable[[str], None]
    ) -> None:
        self._look = look
        self._preferences = preferences
        self._login = login
        self._warn = warn
        self._note = ""

    async def run(self) -> int:
        """Until the player ends. The exit status."""
        asks_for_password = False
        address: Address | None = None
        while True:
            desk = HomeDesk(
                name=self._preferences.name,
                version=__version__,
                glyphs=self._look.habits.glyphs,
                note=self._note,
                login=self._login,
            )
            if asks_for_password and address is not None:
                desk.ask_password(address)
            self._note, asks_for_password = "", False
            await show(desk, self._look, lambda screen, desk=desk: self._find(desk, screen))  # type: ignore[misc]  # the default binds this desk
            self._keep_name(desk.name)
            match desk.wish:
                case Wish.QUIT:
                    return 0
                case Wish.SOLO:
                    await self._solo(self._solo_options(None, None))
                case Wish.LEARN:
                    await self._solo(self._solo_options(SEED, Coach()))
                case Wish.SETTINGS:
                    await self._settings()
                case Wish.CONNECT:
                    address = desk.address
                    asks_for_password = await self._connect(desk)

    # ---------------------------------------------------------------- servers

    async def _find(self, desk: HomeDesk, screen: Screen) -> None:
        held = {session.address.lower(): session for session in _held_sessions()}
        while True:
            desk.is_rescan_wanted = False
            kept = [address for address in map(_address, held) if address is not None]
            remembered = (*kept, *recent_servers())
            async with discover(remembered=remembered) as discovery:
                desk.found(_rows(discovery.servers, held))
                screen.changed()
                async for _change in discovery:
                    desk.found(_rows(in_order(discovery.servers), held))
                    screen.changed()
                    if desk.is_rescan_wanted:
                        break

    async def _connect(self, desk: HomeDesk) -> bool:
        """Play there. Whether the server wants a password, which is then asked for."""
        assert desk.address is not None  # noqa: S101  (it goes with the wish)
        options = programs.PlayOptions(
            address=desk.address,
            name=desk.name,
            password=desk.password,
            look=self._look,
            is_named=True,
            security=Security(known=KnownServers(default_file()), tell=self._tell),
        )
        try:
            await programs.play(options, self._warn, self._tell)
        except (LinkFailed, Untrusted) as error:
            self._note = _("{address}: {reason}.").format(address=desk.address, reason=error)
            return error.code == ErrorCode.WRONG_PASSWORD
        return False

    async def _solo(self, options: programs.SoloOptions) -> None:
        try:
            await programs.solo(options, self._tell)
        except (LinkFailed, ServerFailed) as error:
            self._note = harmless(str(error))

    def _tell(self, line: str) -> None:
        """What is said between two screens: on the terminal, for after the program, and on the next screen."""
        write_text(line)
        self._note = f"{self._note} {line}".strip()

    # ---------------------------------------------------------------- preferences

    def _keep_name(self, name: str) -> None:
        if name and name != self._preferences.name:
            self._preferences = replace(self._preferences, name=name)
            self._save({"name": name})

    async def _settings(self) -> None:
        desk = SettingsDesk(self._preferences, self._look.habits.glyphs)
        await show(desk, self._look)
        if not desk.changed:
            return
        self._save(desk.changed)
        self._preferences, problems = load(preferences_path())
        self._note = clauses(problems) or self._note
        decided = appearance(self._preferences, surroundings())
        language.use(decided.language)
        right_to_left.use(decided.rtl)
        self._look = Look.of(self._preferences, decided)

    def _save(self, changed: dict[str, str | bool]) -> None:
        try:
            save(preferences_path(), changed)
        except CannotSave as error:
            self._note = harmless(str(error))

    def _solo_options(self, seed: int | None, coach: Coach | None) -> programs.SoloOptions:
        return programs.SoloOptions(
            name=self._preferences.name, level=BotLevel.STEADY, seed=seed, look=self._look, coach=coach
        )


def _held_sessions() -> list[KeptSession]:
    try:
        folder = StateFolder(user_state_folder(FOLDER))
    except NotUsable:
        return []
    try:
        return [session for session in free_sessions(folder) if not session.watches]
    except NotUsable:
        return []
    finally:
        folder.close()


def _address(text: str) -> Address | None:
    try:
        return parse_address(text)
    except BadAddress:
        return None


def _rows(servers: Iterable[FoundServer], held: dict[str, KeptSession]) -> list[ServerRow]:
    """The list of the screen: what was found, and which seats are held there."""
    rows = []
    for server in servers:
        sessions = [held[str(each).lower()] for each in server.addresses if str(each).lower() in held]
        session = sessions[0] if sessions else None
        address = server.address or server.addresses[0]
        rows.append(
            ServerRow(
                name=server.name or str(address),
                address=address if session is None else parse_address(session.address),
                ping_ms=None if server.ping_seconds is None else round(server.ping_seconds * 1000),
                tables=server.tables,
                free_seats=server.free_seats,
                has_password=server.needs_password,
                is_recent=not server.is_advertised,
                why_not=_why_not(server),
                held=None if session is None else _held(session),
            )
        )
    return rows


def _why_not(server: FoundServer) -> str:
    if not server.is_compatible:
        which = _("a newer client") if server.protocol_min > PROTOCOL_VERSION else _("a newer server")
        return _("protocol {number}: needs {which}").format(number=server.protocol_min, which=which)
    return server.trouble or ""


def _held(session: KeptSession) -> tuple[str, int] | None:
    """Where the seat is, and for how many seconds it is still held, as far as this end can tell."""
    since = session.left_at or session.written_at
    left = round(session.grace_seconds - (time.time() - since))
    if session.table is None or session.seat is None:
        return None
    where = _("table {number} {name}").format(number=session.table, name=session.table_name or "").strip()
    return where, max(0, left)


def offered_name(login: str) -> str:
    """The login name, as far as it can be a player's."""
    try:
        return clean_name(login, MAX_NAME_CHARS)
    except BadTextError:
        return ""
