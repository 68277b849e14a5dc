"""A player's full screen against the server's own lobby, without sockets: keys in, screens out."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from support.lobby_driver import Link, LobbyDriver
from tarneeb_client.habits import Habits
from tarneeb_client.link_items import LinkItem
from tarneeb_client.screens.desk import Desk
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.keys import as_latin, find_key
from tarneeb_client.screens.places import TYPED_INTO
from tarneeb_client.screens.rows import plain, row_width
from tarneeb_protocol import messages as m


class DeskTalk:
    """A player called ``name`` of the driver's lobby. Every screen that is read is checked to be as large as it
    was asked to be.
    """

    def __init__(self, driver: LobbyDriver, name: str, habits: Habits | None = None) -> None:
        self.driver = driver
        self.link: Link = driver.hello(name)
        self.rung = 0
        self.retried = 0
        self.desk = Desk(
            self, server_name="Majlis", own_name=self.link.name, habits=habits or Habits(), ring=self._ring
        )
        self._posted: list[m.Request] = []
        self._last_id = 0
        self._taken = len(self.link.received)
        self.wait(0)

    def _ring(self) -> None:
        self.rung += 1

    def post(self, request: m.Request) -> int:
        """What a link does: number the request and send it later."""
        self._last_id += 1
        self._posted.append(msgspec.structs.replace(request, id=self._last_id))
        return self._last_id

    def retry_now(self) -> None:
        """What a link does: connect again at once."""
        self.retried += 1

    def press(self, *keys: str) -> None:
        """Press keys by prompt_toolkit's names; a character that is no key goes into the input line."""
        for key in keys:
            self.desk.tick(self.driver.now)
            found = find_key(key, self.desk.place, has_input=bool(self.desk.text))
            if found is not None:
                self.desk.press(found.action, as_latin(key) if len(key) == 1 else key)
            elif len(key) == 1 and self.desk.place in TYPED_INTO:
                self.desk.typed(self.desk.text + key)
            self.settle()

    def type(self, text: str) -> None:
        """Press a key for each character."""
        self.press(*text)

    def wait(self, seconds: float) -> None:
        """Let the time pass, timers of the server included."""
        self.driver.advance(seconds)
        self.settle()
        self.desk.tick(self.driver.now)
        self.settle()

    def take(self, item: LinkItem) -> None:
        """Something that the link says of itself."""
        self.desk.received(item, self.driver.now)
        self.settle()

    def settle(self) -> None:
        """Exchange requests and messages until both ends have nothing more to say."""
        while self._posted or self._taken < len(self.link.received):
            if self._posted:
                self.driver.send(self.link, self._posted.pop(0))
            while self._taken < len(self.link.received):
                self._taken += 1
                self.desk.received(self.link.received[self._taken - 1], self.driver.now)

    def with_glyphs(self, glyphs: Glyphs) -> None:
        """Draw with other signs from now on."""
        self.desk.habits = replace(self.desk.habits, glyphs=glyphs)

    def screen(self, cells: int = 80, height: int = 24) -> list[str]:
        """The screen as text, without the input line: ``height - 1`` rows."""
        rows = self.desk.rows(cells, height - 1)
        assert len(rows) == height - 1
        for row in rows:
            assert row_width(row) == cells, plain(row)
            assert "\n" not in plain(row)
        return [plain(row) for row in rows]


def sitting_down(driver: LobbyDriver, name: str = "Nour", habits: Habits | None = None) -> DeskTalk:
    """A player with three bots, in a set that has just begun; no clock."""
    talk = DeskTalk(driver, name, habits)
    talk.press("n", "down", "right", "right", "right", "enter")
    assert talk.desk.view is not None
    return talk
