"""The finished sets of a data directory, read from the file and played again by the rules."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import msgspec

from support.survivor import action_text
from tarneeb_engine.notation import actions_of
from tarneeb_engine.transcript import parse_transcript
from tarneeb_protocol.actions import to_wire

if TYPE_CHECKING:
    from pathlib import Path


def finished_sets(folder: Path) -> list[list[list[tuple[int, str]]]]:
    """Seat and action of every action, by set and deal. Reading plays them again by the rules."""
    database = sqlite3.connect(folder / "tarneeb.db")
    try:
        texts = [text for (text,) in database.execute("SELECT transcript FROM finished_set ORDER BY number")]
    finally:
        database.close()
    found = []
    for text in texts:
        transcript = parse_transcript(text)
        assert transcript.final_state().winner is not None
        found.append(
            [
                [
                    (int(seat), action_text(msgspec.to_builtins(to_wire(action))))
                    for seat, action in actions_of(deal)
                ]
                for deal in transcript.deals
            ]
        )
    return found
