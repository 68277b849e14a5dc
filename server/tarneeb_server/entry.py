"""Where the command ``tarneeb-server`` begins: until its signals are taken over, Ctrl-C ends it without a word.

Python would answer one that comes during the imports by a traceback. Nothing is open or half written then. For
the command alone: to import this changes what Ctrl-C does.
"""

from __future__ import annotations

import signal

# A Ctrl-C that is ignored, as in a shell's background, stays so.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> int:
    """See ``tarneeb_server.__main__.main``."""
    from tarneeb_server.__main__ import main as run  # noqa: PLC0415

    return run()
