"""File descriptors: each connection needs one, and the system allows a process only so many."""

from __future__ import annotations

import logging
import resource
from dataclasses import replace
from typing import TYPE_CHECKING

from tarneeb_server.logs import LOGGER_NAME, format_event

if TYPE_CHECKING:
    from tarneeb_server.settings import Settings

OWN_DESCRIPTORS = 32
"""What the server needs beside connections: the standard streams, trio's own, listening sockets with a spare
each, the journal with its log, and room for what the system opens for a moment."""
MOST_LINGERING = 64
"""Refused connections that may have one while they read why."""

LEAST_CONNECTIONS = 8
"""Two tables' players: a server that cannot have so many is better not started."""

logger = logging.getLogger(LOGGER_NAME)


class TooFewDescriptorsError(Exception):
    """The system allows this process too few; the text says how many are needed and how to get them."""


def require_enough(connections: int) -> None:
    """Raise ``TooFewDescriptorsError`` where there are not enough for a table's players, let alone
    ``connections``. Raises the process's own limit first.
    """
    descriptors = raise_limit(connections)
    tried = range(OWN_DESCRIPTORS, needed(LEAST_CONNECTIONS) + 1)
    least = next(number for number in tried if room_for(number)[0] >= LEAST_CONNECTIONS)
    if descriptors < least:
        raise TooFewDescriptorsError(
            f"the system lets this process have {descriptors} files and connections open at once, and a server"
            f" needs {least}, one more for each further player. Raise the limit:"
            f" ulimit -n {needed(connections)} in the shell that starts it (ulimit -Hn tells how high that may"
            " be), or LimitNOFILE= in its systemd unit"
        )


def fitted(settings: Settings) -> tuple[Settings, int]:
    """The settings with as many connections as there are descriptors for, which is logged if it is fewer, and
    how many refused connections may linger. Raises the process's own limit first.
    """
    descriptors = raise_limit(settings.max_connections)
    connections, lingering = room_for(descriptors)
    if connections >= settings.max_connections:
        return settings, lingering
    fields = (("asked", settings.max_connections), ("taken", connections), ("descriptors", descriptors))
    logger.warning("%s", format_event("fewer_connections", fields))
    return replace(settings, max_connections=connections), lingering


def raise_limit(connections: int) -> int:
    """Ask the system for all the descriptors it allows, and return how many there are.

    Where it names no highest number, what ``connections`` need is asked for.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return needed(connections)
    wanted = max(soft, needed(connections)) if hard == resource.RLIM_INFINITY else hard
    if wanted > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # a system whose kernel allows fewer than the limit says
            return soft
    return wanted


def needed(connections: int) -> int:
    """Descriptors of a server that takes so many connections."""
    return connections + OWN_DESCRIPTORS + MOST_LINGERING


def room_for(descriptors: int) -> tuple[int, int]:
    """How many connections fit, at least one, and how many refused ones may linger beside them."""
    free = max(1, descriptors - OWN_DESCRIPTORS)
    lingering = min(MOST_LINGERING, free // 4)
    return max(1, free - lingering), lingering
