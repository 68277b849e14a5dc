"""Commands of ``tarneeb`` that are a screen: a recorded set, the choice of a server."""

from __future__ import annotations

from pathlib import Path

from tarneeb_client.console import write_text
from tarneeb_client.look import Look
from tarneeb_client.replay import read_transcript, steps
from tarneeb_client.replay_lines import told


async def replay(path: Path, look: Look | None) -> int:
    """Step through a recorded set; without a screen, tell it in lines. Raises ``CannotReplay``."""
    found = steps(read_transcript(path))
    if look is None:
        for line in told(found):
            write_text(line)
        return 0
    from tarneeb_client.at_screen import show  # noqa: PLC0415  (lines need no screen)
    from tarneeb_client.screens.replay_desk import ReplayDesk  # noqa: PLC0415

    await show(ReplayDesk(found, title=path.stem, glyphs=look.habits.glyphs), look)
    return 0
