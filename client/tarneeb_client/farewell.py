"""How a player's client ends: with the seat given up, or held for a new start."""

from __future__ import annotations

from contextlib import suppress

from tarneeb_client.console import OutputClosed
from tarneeb_client.conversation import Conversation
from tarneeb_client.link import Link
from tarneeb_client.session_keeper import SessionKeeper
from tarneeb_client.wording import connection as wording


def is_leaving(conversation: Conversation, keeper: SessionKeeper) -> bool:
    """Whether the player leaves for good: said so, or has nothing that could be held for a new start."""
    return conversation.has_quit or conversation.view is None or not keeper.is_kept


def say_how_to_come_back(link: Link, keeper: SessionKeeper, conversation: Conversation, address: str) -> None:
    """After the link was closed: if the seat is held, the last line tells for how long, and what to type."""
    view, seconds, lost = conversation.view, link.held_seconds(), conversation.seat_clock.lost
    if link.has_left or view is None or not keeper.is_kept:
        return
    if not seconds:
        if lost is not None:
            with suppress(OutputClosed):
                conversation.presenter.say(wording.ended_without_link(lost.reason, address))
        return
    keeper.note_left()
    command = "watch" if view.seat is None else "play"
    with suppress(OutputClosed):  # the terminal may be what is gone
        conversation.presenter.seat_held(round(seconds), wording.command_to_return(command, address))
        conversation.presenter.say(wording.come_back(seconds, command, address, has_seat=view.seat is not None))
