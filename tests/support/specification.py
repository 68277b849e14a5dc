"""All of the protocol's specification that a script makes: the dumps, the worked check and the table of
requirements in ``docs/protocol.md``, and ``protocol/schema.json`` and ``protocol/vectors/``.

Tests compare what is there with what this makes. After a change on purpose, write it anew from the root of the
repository, read the difference, and say in "Changes" what changed on the wire:

    PYTHONPATH=tests python -m support.specification
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack

from support.conversation import SHOWN
from support.document import PROTOCOL_DOCUMENT
from support.dumps import annotated
from support.frame_vectors import frame_vectors_text
from support.json_schema import schema_text
from support.recorded_set import record, recorded_set_text
from support.requirements import appendix, proofs
from tarneeb_engine.cards import Card
from tarneeb_engine.pack import cut_pack, deal_hands
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as wire
from tarneeb_protocol.codec import encode

REPOSITORY = Path(__file__).parents[2]
SCHEMA = REPOSITORY / "protocol" / "schema.json"
FRAMES = REPOSITORY / "protocol" / "vectors" / "frames.jsonl"
SET = REPOSITORY / "protocol" / "vectors" / "set.jsonl"

_DUMP = re.compile(r"<!-- bytes: (?P<name>[a-z0-9-]+) -->\n(?:\n?```hex\n.*?^```\n)?", re.DOTALL | re.MULTILINE)


def files() -> dict[Path, str]:
    """Each file that is made whole, and its text."""
    return {SCHEMA: schema_text(), FRAMES: frame_vectors_text(), SET: recorded_set_text()}


def schema_digest(text: str) -> str:
    """What the table of changes calls a schema."""
    return sha256(text.encode()).hexdigest()[:12]


def filled(document: str) -> str:
    """The document with everything in it that is made."""
    document = _DUMP.sub(lambda place: _dump(place["name"]), document)
    document = _between(document, "worked check", worked_check())
    return _between(document, "requirements", appendix(document, proofs()))


def dump_names(document: str) -> list[str]:
    """The places of dumps, in order."""
    return [place["name"] for place in _DUMP.finditer(document)]


def worked_check() -> str:
    """The check of the first deal of the recorded set, with every number in it."""
    events = [frame.message for frame in record()]
    started = next(event for event in events if isinstance(event, wire.DealStarted))
    cut = next(event for event in events if isinstance(event, wire.PackCut))
    revealed = next(event for event in events if isinstance(event, wire.DealRevealed))
    snapshot = next(event for event in events if isinstance(event, wire.Snapshot))
    salted = bytes.fromhex(revealed.salt) + "".join(card.value for card in revealed.pack).encode()
    after = cut_pack(revealed.pack, cut.at)
    hands = deal_hands(after, started.dealer, snapshot.rules.dealing)
    first = started.dealer.next()
    told = [
        ("deal_started", "dealer", f"{started.dealer:d}"),
        ("deal_started", "commitment", f"`{started.commitment}`"),
        ("pack_cut", "at", str(cut.at)),
        ("deal_revealed", "salt", f"`{revealed.salt}`"),
        ("deal_revealed", "pack", f"`{_cards(revealed.pack)}`"),
    ]
    hashed = (
        f"1. The bytes to be hashed are {len(salted)}: the salt, `{_hex(salted[:2])} … {_hex(salted[30:32])}`,"
        f" then the letters of the pack, `{_hex(salted[32:36])}` for `{salted[32:36].decode()}` first and"
        f" `{_hex(salted[-2:])}` for `{salted[-2:].decode()}` last."
    )
    moved = (
        f"3. {cut.at} cards go from the top to the bottom. The top card is then `{after[0].value}`, the last"
        f" `{after[-1].value}`."
    )
    dealt = (
        f"4. `rules.dealing` is `{snapshot.rules.dealing.value}`, so seat {first:d}, at the dealer's right,"
        f" gets the cards 1, 5, 9 and so on, seat {first.next():d} the cards 2, 6, 10. By seat, lowest card"
        " number first:"
    )
    lines = [
        "The first deal of [`set.jsonl`](../protocol/vectors/set.jsonl). What was told, in this order:",
        "",
        "| event | field | value |",
        "|---|---|---|",
        *(f"| `{event}` | `{field}` | {value} |" for event, field, value in told),
        "",
        hashed,
        f"2. Their SHA-256 is `{sha256(salted).hexdigest()}`: the commitment.",
        moved,
        dealt,
        "",
        "| seat | hand |",
        "|---|---|",
        *(f"| {seat:d} | `{_cards(hands[seat])}` |" for seat in Seat),
        "",
        "These are the hands of the four `hands_dealt`, and each card was played by the seat that has it here.",
    ]
    return "\n".join(lines) + "\n"


def _hex(octets: bytes) -> str:
    return octets.hex(" ")


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(card.value for card in cards)


def unpacked(frame: bytes) -> Any:
    """The payload of a frame, by a codec that is not the one under test."""
    return msgpack.unpackb(frame[4:])


def main() -> None:
    """Write everything anew."""
    for path, text in files().items():
        _write(path, text)
    _write(PROTOCOL_DOCUMENT, filled(PROTOCOL_DOCUMENT.read_text(encoding="utf-8")))


def _write(path: Path, text: str) -> None:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"written: {path.relative_to(REPOSITORY)}\n")


def _dump(name: str) -> str:
    return f"<!-- bytes: {name} -->\n\n```hex\n{annotated(encode(SHOWN[name]))}```\n"


def _between(document: str, what: str, text: str) -> str:
    begin, end = f"<!-- {what}: begin -->\n", f"<!-- {what}: end -->\n"
    assert document.count(begin) == document.count(end) == 1, f"the document has no place for {what}"
    before, _, rest = document.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{text}\n{end}{after}"


if __name__ == "__main__":
    main()
