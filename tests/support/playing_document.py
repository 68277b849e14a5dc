"""The parts of docs/playing.md, and of its Arabic sister, that are made from tables of the client: keys and
preferences.

``PYTHONPATH=tests python -m support.playing_document`` writes them; a test compares.
"""

from __future__ import annotations

from pathlib import Path

from support.spoken import spoken
from tarneeb_client.language import _, in_use
from tarneeb_client.preferences import preferences_table
from tarneeb_client.screens.keys import keys_of
from tarneeb_client.screens.places import Place

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENTS = {"en": DOCS / "playing.md", "ar": DOCS / "playing.ar.md"}
"""The document in each language of the client."""
PLACES = {
    Place.HOME: {"en": "The first screen", "ar": "الشاشة الأولى"},
    Place.LOBBY: {"en": "In the lobby of a server", "ar": "في ردهة خادم"},
    Place.WAITING: {"en": "At a table, between sets", "ar": "إلى طاولة، بين المجموعات"},
    Place.PLAY: {"en": "In a set", "ar": "أثناء المجموعة"},
    Place.WATCHING: {"en": "Watching", "ar": "أثناء المشاهدة"},
    Place.TYPING: {
        "en": "While you type a chat, a command or a password",
        "ar": "وأنت تكتب محادثة أو أمرًا أو كلمة سر",
    },
    Place.FORM: {"en": "In a form", "ar": "في استمارة"},
    Place.PANE: {
        "en": "When a pane is open: keys, scores, rules, the last trick",
        "ar": "حين تكون لوحة مفتوحة: المفاتيح أو النتائج أو القواعد أو اللمة الأخيرة",
    },
    Place.LOST: {"en": "While the link is lost", "ar": "والاتصال مقطوع"},
    Place.REPLAY: {"en": "In a recorded set", "ar": "في مجموعة مسجلة"},
}
HEADS = {
    "en": {
        "keys": ("key", "what it does"),
        "preferences": ("setting", "what it is for", "accepted", "unless set"),
        "text": ("a text",),
        "empty": ("empty",),
    },
    "ar": {
        "keys": ("المفتاح", "ما يفعله"),
        "preferences": ("الإعداد", "ما هو", "ما يُقبل", "المعتاد"),
        "text": ("نص",),
        "empty": ("فارغ",),
    },
}
"""The words of the tables that are not the client's."""


def keys_text() -> str:
    """A table of keys for each place, in the language in use."""
    parts = []
    for place, title in PLACES.items():
        rows = [_row(_(key.label), _(key.detail)) for key in keys_of(place)]
        parts.append("\n".join([f"**{title[in_use()]}**", "", *_head("keys"), *rows]))
    return "\n\n".join(parts)


def preferences_text() -> str:
    """A table of preferences, in the language in use."""
    words = HEADS[in_use()]
    rows = []
    for name, preference, default in preferences_table():
        accepted = ", ".join(f"`{option}`" for option in preference.options) or words["text"][0]
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        rows.append(
            _row(f"`{name}`", _(preference.meaning), accepted, f"`{shown}`" if shown else words["empty"][0])
        )
    return "\n".join([*_head("preferences"), *rows])


def _head(table: str) -> list[str]:
    titles = HEADS[in_use()][table]
    return [_row(*titles), "|" + "---|" * len(titles)]


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


PARTS = {"keys": keys_text, "preferences": preferences_text}


def filled(language: str) -> str:
    """The document of a language with its made parts as they should be."""
    path = DOCUMENTS[language]
    document = path.read_text(encoding="utf-8")
    for name, make in PARTS.items():
        before, begin, rest = document.partition(f"<!-- {name} -->\n")
        _old, end, after = rest.partition(f"<!-- end of {name} -->")
        if not begin or not end:
            raise LookupError(f"{path.name} has no place for its {name}")
        with spoken(language):
            document = f"{before}{begin}{make()}\n{end}{after}"
    return document


if __name__ == "__main__":
    for each, document in DOCUMENTS.items():
        document.write_text(filled(each), encoding="utf-8")
