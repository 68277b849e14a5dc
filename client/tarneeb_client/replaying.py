"""Recorded sets: step through one, from a file or from a server, or list those of a server."""

from __future__ import annotations

from pathlib import Path

from tarneeb_client.console import write_text
from tarneeb_client.language import _
from tarneeb_client.look import Look
from tarneeb_client.recorded_sets import AtServer, listed, transcript_text
from tarneeb_client.replay import Recording, read_transcript, recording_of
from tarneeb_client.replay_lines import told
from tarneeb_client.wording.records import set_line


async def replay(path: Path, look: Look | None) -> int:
    """Step through a recorded set; without a screen, tell it in lines. Raises ``CannotReplay``."""
    return await _show(read_transcript(path), path.stem, look)


async def replay_from(server: AtServer, record: int | None, look: Look | None) -> int:
    """Step through a set that the server recorded, or list its sets where none is named. Raises
    ``LinkFailed``, ``RequestFailed`` and ``CannotReplay``.
    """
    async with server.link() as link:
        if record is None:
            found = await listed(link)
            for summary in found:
                write_text(set_line(summary))
            if found:
                example = _("See one: tarneeb replay {number} --server {address}")
                write_text(example.format(number=found[0].record, address=server.address))
            else:
                write_text(_("No set that you may see has been played there yet."))
            return 0
        text = await transcript_text(link, record)
    title = _("Set {number}").format(number=record)
    return await _show(recording_of(text, title), title, look)


async def _show(recording: Recording, title: str, look: Look | None) -> int:
    if look is not None:
        from tarneeb_client.at_screen import show  # noqa: PLC0415  (lines need no screen)
        from tarneeb_client.screens.replay_desk import ReplayDesk  # noqa: PLC0415

        await show(ReplayDesk(recording.steps, title=title, glyphs=look.habits.glyphs), look)
    else:
        for line in told(recording.steps):
            write_text(line)
    for number in recording.wrong_packs:
        write_text(
            _("! Deal {number}: this pack is not the one that was fixed before the cut.").format(number=number)
        )
    if recording.is_proved and not recording.wrong_packs:
        write_text(_("Every pack is the one that was fixed before the cut."))
    return 0
