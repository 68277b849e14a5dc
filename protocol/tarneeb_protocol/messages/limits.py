"""What messages hold at most, and the types of single fields."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

PROTOCOL_VERSION = 1
"""The one version that this package speaks."""
MAX_ID = 2**53 - 1
"""The largest request id and event number: every JSON number and IEEE double can hold it."""
MAX_NAME_CHARS = 24
"""Characters of a player's or a table's name: fits a seat of the 80-column table."""
MAX_CHAT_CHARS = 300
"""Characters of one chat line: about four lines of an 80-column terminal."""
MAX_TABLES_LISTED = 64
"""Tables in one ``tables``: with the longest names in every seat they take 53 KiB."""
MAX_CHAT_LINES = 20
"""Chat lines in a snapshot, the latest: 27 KiB at most."""
MAX_SPECTATORS = 64
"""Spectators of a table: their names take 7 KiB of a snapshot at most."""
MAX_HISTORY = 200
"""Scores in a snapshot's ``public.history``, the latest: 22 KiB. A set seldom has 20 deals, but four players
who always fail can make it as long as they like."""
MAX_SETS_LISTED = 32
"""Sets in one ``sets``: with the longest names they take 19 KiB."""
MAX_PIECE_CHARS = 12_000
"""Characters of a transcript in one ``set_text``: 47 KiB at most, and a set of some twenty deals."""
MAX_TEAMS = 64
"""Teams of a tournament: with the longest names, and a pairing of each, 42 KiB of its message."""
MAX_TABLES = 32
"""Tables of a tournament: all that ``MAX_TEAMS`` can need."""
MAX_PAIRINGS = 128
"""Pairings of a tournament that are told: all of a league of 16 or a ladder of 64, the latest of a queue."""
MAX_TOURNAMENTS_LISTED = 64
"""Tournaments in one ``tournaments``: 20 KiB at most."""
RequestId = Annotated[int, Meta(ge=0, le=MAX_ID)]
Seq = Annotated[int, Meta(ge=0, le=MAX_ID)]
TableId = Annotated[int, Meta(ge=1, le=MAX_ID)]
RecordId = Annotated[int, Meta(ge=1, le=MAX_ID)]
TournamentId = Annotated[int, Meta(ge=1, le=MAX_ID)]
NameText = Annotated[str, Meta(min_length=1, max_length=64)]
"""A name as it arrives; ``text.clean_name`` decides what is accepted."""
ChatText = Annotated[str, Meta(min_length=1, max_length=2 * MAX_CHAT_CHARS)]
PasswordText = Annotated[str, Meta(max_length=128)]
ShortText = Annotated[str, Meta(max_length=128)]
