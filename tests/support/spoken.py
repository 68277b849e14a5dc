"""The client speaking another language for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tarneeb_client import language


@contextmanager
def spoken(wanted: str) -> Iterator[None]:
    """Speak ``wanted`` inside the ``with`` block, and afterwards what was spoken before."""
    before = language.in_use()
    language.use(wanted)
    try:
        yield
    finally:
        language.use(before)
