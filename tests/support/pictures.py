"""Pictures of the screens for README.md and docs/playing.md, drawn by the program's own desks.

    PYTHONPATH=tests python -m support.pictures

writes ``docs/screens/*.svg``; a test compares, so that they cannot show what the program does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Final

from support.desk_scenes import SCENES
from support.spoken import spoken
from tarneeb_client.addresses import Address
from tarneeb_client.screens.cells import width
from tarneeb_client.screens.glyphs import UNICODE
from tarneeb_client.screens.home import HomeDesk, ServerRow
from tarneeb_client.screens.rows import Row, text_row
from tarneeb_client.screens.themes import THEMES

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 18, 10
GROUND, INK = "#16181d", "#d8dce4"
FONT = 'font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="14"'
COLOURS: Final = {
    "ansiwhite": "#f4f6fa",
    "ansigray": "#8b93a1",
    "ansibrightyellow": "#f5d76e",
    "ansibrightred": "#ff6e6e",
    "ansibrightgreen": "#7fd88f",
    "ansibrightcyan": "#6fd3e8",
}
"""What a terminal of today makes of the colours that the dark theme names."""

Screen = list[Row]


def _of_scene(name: str, cells: int, height: int) -> Screen:
    talk = SCENES[name]()
    rows = talk.desk.rows(cells, height - 1)
    return [*rows[:-1], text_row(talk.desk.prefix() + talk.desk.text, cells), rows[-1]]


def _first_screen(cells: int, height: int) -> Screen:
    desk = HomeDesk(name="Nour", version="0.1.0", glyphs=UNICODE)
    held = ("table 2 Evening", 107)
    desk.found(
        [
            ServerRow(name="Majlis", address=Address("192.168.1.20"), ping_ms=3, tables=3, free_seats=5),
            ServerRow(name="Omar", address=Address("192.168.1.31"), ping_ms=1, tables=1, held=held),
        ]
    )
    desk.tick(0)
    rows = desk.rows(cells, height - 1)
    return [*rows[:-1], text_row(desk.prefix(), cells), rows[-1]]


def _arabic(name: str, cells: int, height: int) -> Screen:
    with spoken("ar"):
        return _of_scene(name, cells, height)


PICTURES: Final[dict[str, tuple[Callable[[], Screen], str]]] = {
    "first-screen": (lambda: _first_screen(80, 14), "tarneeb"),
    "lobby": (lambda: _of_scene("lobby", 80, 18), "the lobby of a server"),
    "auction": (lambda: _of_scene("call", 80, 24), "an auction, 80 columns"),
    "table": (lambda: _of_scene("play", 104, 25), "a trick, 104 columns"),
    "table-60": (lambda: _of_scene("play", 60, 20), "a trick, 60 columns"),
    "table-arabic": (lambda: _arabic("play", 80, 24), "a trick, in Arabic"),
    "deal-over": (lambda: _of_scene("deal-over", 80, 24), "the score of a deal"),
}
"""By the name of the file: how the screen is made, and its title."""


def styled(classes: str) -> dict[str, str]:
    """What the dark theme makes of a fragment's style: SVG attributes, and ``reverse``."""
    found: dict[str, str] = {}
    for name in (word.removeprefix("class:") for word in classes.split()):
        for word in THEMES["dark"].get(name, "").split():
            match word:
                case "bold":
                    found["font-weight"] = "bold"
                case "underline":
                    found["text-decoration"] = "underline"
                case "reverse":
                    found["reverse"] = "yes"
                case _ if word.startswith("fg:"):
                    found["fill"] = COLOURS[word.removeprefix("fg:")]
                case _:
                    raise ValueError(f"the pictures do not know the style {word}")
    return found


def svg(screen: Sequence[Row], title: str) -> str:
    """The screen as a picture: each fragment at its place, and as wide as its cells."""
    cells = sum(width(text) for _, text in screen[0])
    across, down = cells * CELL_WIDTH + 2 * MARGIN, len(screen) * CELL_HEIGHT + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:g} {down:g}" width="{across:g}" {FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="6" fill="{GROUND}"/>',
    ]
    for number, row in enumerate(screen):
        column = 0
        for style, text in row:
            lines += _fragment(styled(style), text, column, number)
            column += width(text)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _fragment(style: dict[str, str], text: str, column: int, row: int) -> list[str]:
    is_reverse = style.pop("reverse", None) is not None
    drawn = []
    left, top = MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT
    if is_reverse:
        size = f'width="{width(text) * CELL_WIDTH:g}" height="{CELL_HEIGHT}"'
        drawn.append(f'<rect x="{left:g}" y="{top:g}" {size} fill="{style.get("fill", INK)}"/>')
        style["fill"] = GROUND
    bare = text.strip()
    if bare:
        # Without the spaces around it, so that no viewer has to keep them.
        left += (width(text) - width(text.lstrip())) * CELL_WIDTH
        attributes = "".join(f' {name}="{value}"' for name, value in {"fill": INK, **style}.items())
        place = f'x="{left:g}" y="{top + 13:g}" textLength="{width(bare) * CELL_WIDTH:g}"'
        kept = 'lengthAdjust="spacingAndGlyphs" xml:space="preserve"'
        drawn.append(f"<text {place} {kept}{attributes}>{escape(bare)}</text>")
    return drawn


def picture(name: str) -> str:
    """The text of a file."""
    made, title = PICTURES[name]
    return svg(made(), title)


def write() -> None:
    """Write every file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")


if __name__ == "__main__":
    write()
