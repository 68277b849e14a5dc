"""The parts of docs/playing.md that are made from tables of the client: keys and preferences.

``PYTHONPATH=tests python -m support.playing_document`` writes them; a test compares.
"""

from __future__ import annotations

from pathlib import Path

from tarneeb_client.preferences import preferences_table
from tarneeb_client.screens.keys import keys_of
from tarneeb_client.screens.places import Place

DOCUMENT = Path(__file__).parents[2] / "docs" / "playing.md"
PLACES = {
    Place.HOME: "The first screen",
    Place.LOBBY: "In the lobby of a server",
    Place.WAITING: "At a table, between sets",
    Place.PLAY: "In a set",
    Place.WATCHING: "Watching",
    Place.TYPING: "While you type a chat, a command or a password",
    Place.FORM: "In a form",
    Place.PANE: "When a pane is open: keys, scores, rules, the last trick",
    Place.LOST: "While the link is lost",
    Place.REPLAY: "In a recorded set",
}


def keys_text() -> str:
    """A table of keys for each place."""
    parts = []
    for place, title in PLACES.items():
        rows = [f"| {_cell(key.label)} | {_cell(key.detail)} |" for key in keys_of(place)]
        parts.append("\n".join([f"**{title}**", "", "| key | what it does |", "|---|---|", *rows]))
    return "\n\n".join(parts)


def preferences_text() -> str:
    """A table of preferences."""
    rows = []
    for name, preference, default in preferences_table():
        accepted = ", ".join(f"`{option}`" for option in preference.options) or "a text"
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        rows.append(
            f"| `{name}` | {_cell(preference.meaning)} | {accepted} | {f'`{shown}`' if shown else 'empty'} |"
        )
    return "\n".join(["| setting | what it is for | accepted | unless set |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


PARTS = {"keys": keys_text, "preferences": preferences_text}


def filled(document: str) -> str:
    """The document with its made parts as they should be."""
    for name, make in PARTS.items():
        before, begin, rest = document.partition(f"<!-- {name} -->\n")
        _old, end, after = rest.partition(f"\n<!-- end of {name} -->")
        if not begin or not end:
            raise LookupError(f"docs/playing.md has no place for its {name}")
        document = f"{before}{begin}{make()}{end}{after}"
    return document


if __name__ == "__main__":
    DOCUMENT.write_text(filled(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
