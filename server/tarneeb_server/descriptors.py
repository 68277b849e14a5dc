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

logger = logging.getLogger(LOGGER_NAME)


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
