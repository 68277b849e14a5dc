"""A player's line mode against the server's own lobby, without sockets: type a line, read what it prints."""

from __future__ import annotations

import random

import msgspec

from support.lobby_driver import Link, LobbyDriver
from tarneeb_client.conversation import Conversation
from tarneeb_client.kept_session import IDS_OF_A_PROCESS
from tarneeb_client.presenters import JsonPresenter, PlainPresenter
from tarneeb_client.runner import CommandRunner
from tarneeb_client.verbosity import Verbosity
from tarneeb_protocol import messages as m


class TableTalk:
    """A player called ``name`` of the driver's lobby. ``printed`` is all that was printed, line by line."""

    def __init__(
        self,
        driver: LobbyDriver,
        name: str,
        *,
        as_json: bool = False,
        verbosity: Verbosity = Verbosity.NORMAL,
    ) -> None:
        self.driver = driver
        self.link: Link = driver.hello(name)
        self.printed: list[str] = []
        presenter = JsonPresenter(self.printed.append) if as_json else PlainPresenter(self.printed.append)
        self.retries = 0
        self.conversation = Conversation(
            self, presenter, clock=lambda: driver.now, own_name=self.link.name, verbosity=verbosity
        )
        self._runner = CommandRunner(self.conversation, accepts_json=as_json)
        self._posted: list[m.Request] = []
        self._last_id = 0
        self._taken = len(self.link.received)

    def post(self, request: m.Request) -> int:
        """What a link does: number the request and send it later."""
        self._last_id += 1
        self._posted.append(msgspec.structs.replace(request, id=self._last_id))
        return self._last_id

    def retry_now(self) -> None:
        """What a link does: here it is counted."""
        self.retries += 1

    def take_over(self, link: Link) -> None:
        """Be a new process that resumes the session of another one; nothing of the table is known yet."""
        self._taken = len(link.received) + 1  # behind the welcome
        self.link = self.driver.resume(link)
        self._last_id = self.link.generation * IDS_OF_A_PROCESS

    def type(self, *lines: str) -> list[str]:
        """Type the lines, each after the one before was answered; what was printed since."""
        start = len(self.printed)
        for line in lines:
            self._runner.typed(line)
            self.settle()
        return self.printed[start:]

    def listen(self) -> list[str]:
        """What was printed for what the server has sent since."""
        start = len(self.printed)
        self.settle()
        return self.printed[start:]

    def settle(self) -> None:
        """Exchange requests and messages until both ends have nothing more to say."""
        while self._posted or self._taken < len(self.link.received):
            if self._posted:
                self.driver.send(self.link, self._posted.pop(0))
            while self._taken < len(self.link.received):
                self._taken += 1
                self.conversation.received(self.link.received[self._taken - 1])


def solo(
    driver: LobbyDriver,
    *,
    table: str = "Friends turn=0",
    as_json: bool = False,
    verbosity: Verbosity = Verbosity.NORMAL,
) -> TableTalk:
    """Nour in the South with three bots, in a set that has just begun."""
    nour = TableTalk(driver, "Nour", as_json=as_json, verbosity=verbosity)
    nour.type(f"open {table}", "join", "bot", "bot", "bot")
    return nour


def act_somehow(talk: TableTalk, rng: random.Random) -> None:
    """Type one of the actions of the prompt, as a player would."""
    view = talk.conversation.view
    assert view is not None
    assert view.prompt is not None
    action = rng.choice(view.prompt.actions)
    match action:
        case m.CutAction():
            talk.type(f"cut {action.at}")
        case m.CallAction():
            talk.type(str(action.tricks) if action.tricks is not None else action.call.value)
        case m.TrumpAction():
            talk.type(f"trump {action.suit.value}")
        case m.PlayAction():
            talk.type(f"play {action.card.value}")
        case m.ReadyAction():
            talk.type("ready")


def is_prompted(talk: TableTalk) -> bool:
    return talk.conversation.view is not None and talk.conversation.view.prompt is not None
