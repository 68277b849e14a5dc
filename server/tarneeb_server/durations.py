"""Lengths of time as a host types and reads them: ``90s``, ``10m``, ``1h30m``, ``7d``."""

from __future__ import annotations

import re

LONGEST_SECONDS = 10 * 365 * 86400
_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_PARTS = re.compile(r"(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s?)?", re.ASCII)


def parse_duration(text: str) -> int:
    """Seconds. Raises ``ValueError`` saying what is accepted."""
    found = _PARTS.fullmatch(text.strip().lower().replace(" ", ""))
    parts = () if found is None else found.groups(default="0")
    seconds = sum(int(part) * unit for part, unit in zip(parts, _UNITS.values(), strict=False))
    if not 1 <= seconds <= LONGEST_SECONDS:
        raise ValueError(f"a time from 1s to 10 years as 90s, 10m, 1h30m or 7d, not {text!r}")
    return seconds


def duration_text(seconds: float) -> str:
    """The two largest units: ``1h 30m``, ``7d``, ``0s``."""
    left = int(seconds)
    parts = []
    for unit, size in _UNITS.items():
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2]) or "0s"
