"""Where the command ``tarneeb`` begins: a Ctrl-C that comes during the imports ends it without a word.

Python would answer it by a traceback. Nothing is open then, and the terminal is as it was. For the command
alone: to import this changes what Ctrl-C does.
"""

from __future__ import annotations

import signal

# A Ctrl-C that is ignored, as in a shell's background, stays so.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> int:
    """See ``tarneeb_client.__main__.main``, which answers Ctrl-C as soon as all is imported."""
    from tarneeb_client.__main__ import main as run  # noqa: PLC0415

    try:
        return run()
    except KeyboardInterrupt:  # just before the command itself looks for it, or just after
        return 130
