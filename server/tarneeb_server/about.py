"""What a server says of itself to whoever asks, before it knows who that is: the same for all, and nothing
of players or tables (``docs/protocol.md``, "Asking before hello").
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from tarneeb_engine.variants import VARIANTS
from tarneeb_protocol.framing import MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from tarneeb_protocol.messages import (
    MAX_CHAT_CHARS,
    MAX_NAME_CHARS,
    PROTOCOL_VERSION,
    About,
    BotLevel,
    Preset,
    ServerLimits,
)
from tarneeb_server.networks import CONNECTIONS_FROM_ONE_NETWORK
from tarneeb_server.sessions import KEPT_REPLIES
from tarneeb_server.stream import KEPT_EVENTS

if TYPE_CHECKING:
    from tarneeb_server.settings import Settings


def about(settings: Settings, server_id: str) -> About:
    """The answer to ``describe``; it never changes while the server runs."""
    return About(
        protocol_min=PROTOCOL_VERSION,
        protocol_max=PROTOCOL_VERSION,
        software=f"tarneeb-server {version_text()}",
        server=server_id,
        server_name=settings.name,
        needs_password=settings.password is not None,
        presets=tuple(
            Preset(name=word, title=variant.name, differs=variant.differs, rules=variant.rules)
            for word, variant in VARIANTS.items()
        ),
        turn_seconds=settings.turn_seconds,
        stand_in=BotLevel(settings.stand_in),
        hello_seconds=settings.hello_seconds,
        ping_seconds=settings.ping_seconds,
        dead_seconds=settings.dead_seconds,
        grace_seconds=settings.grace_seconds,
        limits=ServerLimits(
            client_frame=MAX_CLIENT_FRAME,
            server_frame=MAX_SERVER_FRAME,
            name_chars=MAX_NAME_CHARS,
            chat_chars=MAX_CHAT_CHARS,
            connections=settings.max_connections,
            connections_per_address=settings.max_connections_per_address or CONNECTIONS_FROM_ONE_NETWORK,
            tables=settings.max_tables,
            tables_per_session=settings.max_tables_per_player,
            spectators=settings.max_spectators,
            kept_replies=KEPT_REPLIES,
            kept_events=KEPT_EVENTS,
            waiting_bytes=settings.outbox_kib * 1024,
        ),
    )


def version_text() -> str:
    """The version of this package."""
    try:
        return version("tarneeb")
    except PackageNotFoundError:
        return "of unknown version"
