"""What the output's encoding cannot say does not keep the program from saying the rest.

A module of its own, without anything that takes time to import: ``--help`` needs it, too.
"""

from __future__ import annotations

import sys


def tolerate_any_text() -> None:
    """Let output that the terminal's encoding has no characters for be escaped rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def encoding_in_use() -> str:
    """The name of the output's encoding."""
    return getattr(sys.stdout, "encoding", None) or "ascii"
