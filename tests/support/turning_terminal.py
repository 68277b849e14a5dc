"""What is seen on a terminal that turns runs of text round, the line itself going from left to right."""

from __future__ import annotations

from bidi import get_display


def seen(text: str) -> str:
    """The line as it is seen: by the algorithm of Unicode, in another implementation than the client's."""
    return str(get_display(text, base_dir="L"))
