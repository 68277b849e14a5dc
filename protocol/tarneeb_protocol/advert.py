"""What a server says of itself on a local network: the TXT record of its DNS-SD instance
(``docs/protocol.md``, "Finding a server"; RFC 6763, section 6).

An advert is a hint from anybody on the network. What holds is what the server answers to ``describe``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tarneeb_protocol.messages import PROTOCOL_VERSION
from tarneeb_protocol.text import harmless

if TYPE_CHECKING:
    from collections.abc import Mapping

SERVICE_TYPE: Final = "_tarneeb._tcp.local."
MAX_ADVERT_NAME_BYTES: Final = 200
"""UTF-8 bytes of ``name``. A string of a TXT record holds 255, the key among them."""
MAX_ADVERT_RULES: Final = 8
MAX_SEATS: Final = 999_999

_ID = re.compile(r"[0-9A-Za-z_-]{1,64}", re.ASCII)
_RANGE = re.compile(r"([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,3}))?", re.ASCII)
_SEATS = re.compile(r"([0-9]{1,6})/([0-9]{1,6})", re.ASCII)
_PRESET = re.compile(r"[a-z0-9_]{1,24}", re.ASCII)


class BadAdvertError(ValueError):
    """A TXT record that no server of this protocol makes; the text names the key, and quotes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advert:
    """The TXT record as values.

    ``server`` is ``about.server``. ``seats`` counts the seats of all tables, ``free_seats`` those that a
    newcomer can take; ``None`` when it was not told. ``name`` may be cut; read from a record it is harmless to
    a terminal.
    """

    server: str
    name: str
    protocol_min: int = PROTOCOL_VERSION
    protocol_max: int = PROTOCOL_VERSION
    free_seats: int | None = None
    seats: int | None = None
    rules: tuple[str, ...] = ()
    needs_password: bool = False
    has_tls: bool = False

    @property
    def tables(self) -> int | None:
        """How many tables are open; ``None`` when it was not told."""
        return None if self.seats is None else self.seats // 4


def shortened(text: str, longest: int) -> str:
    """The text cut to ``longest`` bytes of UTF-8, between characters."""
    return text.encode("utf-8", "replace")[:longest].decode("utf-8", "ignore")


def txt_properties(advert: Advert) -> dict[str, str]:
    """The keys and values of the TXT record, as ``docs/protocol.md`` lists them."""
    lowest, highest = advert.protocol_min, advert.protocol_max
    properties = {
        "id": advert.server,
        "v": str(lowest) if lowest == highest else f"{lowest}-{highest}",
        "name": shortened(advert.name, MAX_ADVERT_NAME_BYTES),
    }
    if advert.free_seats is not None and advert.seats is not None:
        properties["seats"] = f"{min(advert.free_seats, MAX_SEATS)}/{min(advert.seats, MAX_SEATS)}"
    properties["rules"] = ",".join(advert.rules[:MAX_ADVERT_RULES])
    properties["pw"] = "1" if advert.needs_password else "0"
    if advert.has_tls:
        properties["tls"] = "1"
    return properties


def read_properties(properties: Mapping[bytes, bytes | None]) -> Advert:
    """The advert in a TXT record, whoever made it.

    Keys that are not known are passed over, and so is whatever cannot be read in a key that may be missing.
    Raises ``BadAdvertError`` when ``id`` or ``v`` is missing or cannot be read.
    """
    server = _text(properties, b"id")
    if _ID.fullmatch(server) is None:
        raise BadAdvertError("id is 1 to 64 letters and digits; there is none such")
    versions = _RANGE.fullmatch(_text(properties, b"v"))
    if versions is None:
        raise BadAdvertError("v is a version or two with a hyphen between; there is none such")
    lowest = int(versions[1])
    highest = int(versions[2] or lowest)
    if highest < lowest:
        raise BadAdvertError("v has its higher version first")
    seats = _SEATS.fullmatch(_text(properties, b"seats"))
    free, every = (int(seats[1]), int(seats[2])) if seats is not None else (None, None)
    if free is not None and every is not None and free > every:
        free = every = None
    named = shortened(_text(properties, b"name"), MAX_ADVERT_NAME_BYTES)
    rules = _text(properties, b"rules").split(",")
    return Advert(
        server=server,
        name=" ".join(harmless(named).split()),
        protocol_min=lowest,
        protocol_max=highest,
        free_seats=free,
        seats=every,
        rules=tuple(rule for rule in rules if _PRESET.fullmatch(rule))[:MAX_ADVERT_RULES],
        needs_password=_text(properties, b"pw") == "1",
        has_tls=_text(properties, b"tls") == "1",
    )


def _text(properties: Mapping[bytes, bytes | None], key: bytes) -> str:
    return (properties.get(key) or b"").decode("utf-8", "replace")
