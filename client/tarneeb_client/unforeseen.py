"""A fault of this program's own: kept in a file for its authors, and told to the player in a sentence."""

from __future__ import annotations

import platform
import traceback
from contextlib import suppress
from pathlib import Path

from tarneeb_client import __version__
from tarneeb_client.console import write_notice
from tarneeb_client.language import _
from tarneeb_client.state_folder import NotUsable, StateFolder, user_state_folder
from tarneeb_protocol.text import harmless

EXIT_UNFORESEEN = 70
"""``EX_SOFTWARE`` of sysexits.h."""
FOLDER = "faults"
LATEST = "latest"
MOST_CHARS = 200_000
"""Of a traceback; one of an endless recursion is longer."""
WITH_SEATS = frozenset({"play", "watch", None})
"""Commands whose seat outlives the program."""


def tell_unforeseen(error: BaseException, command: str | None) -> int:
    """Keep what happened, and say so. The exit status."""
    kind = type(_first(error)).__name__
    try:
        kept = _("what happened is written in {path}, for its authors").format(
            path=harmless(str(_keep(error, command)))
        )
    except NotUsable as trouble:
        kept = _("what happened could not be written down ({reason})").format(reason=trouble)
    sentence = _("a fault of this program's own has ended it ({kind}); {kept}.").format(kind=kind, kept=kept)
    if command in WITH_SEATS:
        sentence += " " + _("A seat that you had is held for a while: start tarneeb again and press R.")
    with suppress(OSError, ValueError):  # nobody may be there to read it
        write_notice(f"{' '.join(filter(None, ('tarneeb', command)))}: {sentence}")
    return EXIT_UNFORESEEN


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _keep(error: BaseException, command: str | None) -> Path:
    """Write it down in place of the one before. Raises ``NotUsable``."""
    lines = [
        f"tarneeb {__version__}, {command or 'without a command'}",
        f"Python {platform.python_version()} on {platform.platform()}",
        *"".join(traceback.format_exception(error))[-MOST_CHARS:].splitlines(),
    ]
    folder = StateFolder(user_state_folder(FOLDER))
    try:
        folder.write(LATEST, "".join(harmless(line) + "\n" for line in lines).encode("utf-8", "replace"))
    finally:
        folder.close()
    return folder.path / LATEST
