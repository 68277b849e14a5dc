"""What systemd is told by a service of ``Type=notify``: sd_notify(3), one datagram a change."""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING

from tarneeb_server.logs import LOGGER_NAME, format_event

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "NOTIFY_SOCKET"
"""Environment variable with the address of the socket, set by systemd alone."""
READY = "READY=1"
STOPPING = "STOPPING=1"

logger = logging.getLogger(LOGGER_NAME)


def notify(state: str, environment: Mapping[str, str]) -> bool:
    """Tell systemd ``READY`` or ``STOPPING``, if it is what started this server; whether it was told.

    It never fails and never waits: players are served without it, and the log says ``not_notified``.
    """
    address = environment.get(VARIABLE)
    if not address:
        return False
    if address[0] not in "/@":
        logger.warning("%s", format_event("not_notified", (("reason", f"{VARIABLE} is no Unix socket"),)))
        return False
    # An address that begins with @ is in the abstract namespace, which the system writes with a null byte.
    place = f"\0{address[1:]}" if address.startswith("@") else address
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sending:
            sending.setblocking(False)
            sending.sendto(state.encode(), place)
    except (OSError, ValueError) as error:
        logger.warning("%s", format_event("not_notified", (("reason", str(error)),)))
        return False
    return True
